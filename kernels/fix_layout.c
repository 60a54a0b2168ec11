#include "fix_layout.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "fix_data.h"
#include "fix_entry.h"

enum { FEW = 128, SEEN_CELLS = 512 };

enum rf_status rf_fix_layouts_open(struct rf_fix_layouts *layouts, const uint32_t *wanted, uint32_t slots,
                                   struct rf_error *err)
{
    *layouts = (struct rf_fix_layouts){.wanted = wanted, .slots = slots};
    layouts->bucket = calloc(RF_FIX_LAYOUT_BUCKETS, sizeof *layouts->bucket);
    layouts->place = malloc((size_t)(RF_FIX_NO_LAYOUT + 1) * (slots + 1) * sizeof *layouts->place);
    layouts->layout = calloc(RF_FIX_LAYOUTS_MAX, sizeof *layouts->layout);
    if (layouts->bucket == NULL || layouts->place == NULL || layouts->layout == NULL) {
        rf_fix_layouts_close(layouts);
        RF_FAIL(err, RF_E_MEMORY, "no memory for the layouts of messages");
    }
    for (uint32_t s = 0; s < slots; s++) {
        layouts->place[(size_t)RF_FIX_NO_LAYOUT * slots + s] = RF_FIX_NOWHERE;
    }
    return RF_OK;
}

void rf_fix_layouts_close(struct rf_fix_layouts *layouts)
{
    free(layouts->bucket);
    free(layouts->place);
    free(layouts->layout);
    *layouts = (struct rf_fix_layouts){0};
}

uint32_t rf_fix_tag_read(const uint8_t *text, size_t count)
{
    uint32_t tag = 0;
    if (count == 0 || count > RF_FIX_TAG_DIGITS_MAX || text[0] == '0') {
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t digit = (uint32_t)text[i] - '0';
        if (digit > 9) {
            return 0;
        }
        tag = tag * 10 + digit;
    }
    return tag;
}

/* Of the first FEW tags, by open addressing in a table that is always half empty at least. */
static bool few_repeat(const uint32_t *tag, uint32_t fields)
{
    uint32_t cell[SEEN_CELLS] = {0};
    for (uint32_t f = 0; f < fields; f++) {
        uint32_t at = tag[f] * 2654435761u % SEEN_CELLS;
        while (cell[at] != 0) {
            if (cell[at] == tag[f]) {
                return true;
            }
            at = (at + 1) % SEEN_CELLS;
        }
        cell[at] = tag[f];
    }
    return false;
}

static int tag_compare(const void *a, const void *b)
{
    uint32_t x;
    uint32_t y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

bool rf_fix_tags_repeat(const uint32_t *tag, uint32_t fields, uint32_t *seen)
{
    if (few_repeat(tag, fields < FEW ? fields : FEW)) {
        return true;
    }
    if (fields <= FEW) {
        return false;
    }
    memcpy(seen, tag, fields * sizeof *tag);
    qsort(seen, fields, sizeof *seen, tag_compare);
    for (uint32_t f = 1; f < fields; f++) {
        if (seen[f] == seen[f - 1]) {
            return true;
        }
    }
    return false;
}

void rf_fix_layouts_reserve(struct rf_fix_layouts *layouts, uint32_t rows)
{
    if (layouts->used + rows > RF_FIX_LAYOUTS_MAX) {
        memset(layouts->bucket, 0, RF_FIX_LAYOUT_BUCKETS * sizeof *layouts->bucket);
        layouts->used = 0;
    }
}

static void layout_fill(const struct rf_fix_layouts *layouts, struct rf_fix_layout *layout)
{
    uint32_t begin = 0;
    uint32_t fields = 0;
    layout->is_plain = true;
    for (uint32_t at = 0; at < layout->text_bytes; at++) {
        if (layout->text[at] == '=') {
            const uint32_t tag = rf_fix_tag_read(layout->text + begin, at - begin);
            layout->is_plain &= tag != 0 && !(fields > 0 && rf_fix_data_of(layout->tag[fields - 1]) == tag);
            layout->tag[fields++] = tag;
            begin = at + 1;
        }
    }
    uint32_t seen[RF_FIX_LAYOUT_FIELDS_MAX];
    layout->flags = layout->is_plain && rf_fix_tags_repeat(layout->tag, fields, seen) ? RF_FIX_DUPLICATE : 0;
    uint32_t *place = layouts->place + (size_t)layout->number * layouts->slots;
    for (uint32_t s = 0; s < layouts->slots; s++) {
        place[s] = RF_FIX_NOWHERE;
        for (uint32_t f = fields; f > 0; f--) {
            if (layout->tag[f - 1] == layouts->wanted[s]) {
                place[s] = f - 1;
            }
        }
    }
    layout->place = place;
}

const struct rf_fix_layout *rf_fix_layout_make(struct rf_fix_layouts *layouts, uint32_t hash, const uint8_t *text,
                                               uint32_t text_bytes, uint32_t fields)
{
    if (fields > RF_FIX_LAYOUT_FIELDS_MAX || text_bytes > RF_FIX_LAYOUT_TEXT_MAX) {
        return NULL;
    }
    assert(layouts->used < RF_FIX_LAYOUTS_MAX);
    struct rf_fix_layout *layout = &layouts->layout[layouts->used];
    layout->fields = fields;
    layout->text_bytes = text_bytes;
    layout->number = layouts->used;
    memcpy(layout->text, text, text_bytes);
    layout_fill(layouts, layout);
    uint32_t at = hash % RF_FIX_LAYOUT_BUCKETS;
    while (layouts->bucket[at] != 0) {
        at = (at + 1) % RF_FIX_LAYOUT_BUCKETS;
    }
    layouts->bucket[at] = (uint16_t)++layouts->used;
    layouts->made++;
    return layout;
}
