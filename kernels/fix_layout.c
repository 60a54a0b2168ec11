#include "fix_layout.h"

#include <stdlib.h>
#include <string.h>

#include "fix_data.h"
#include "fix_entry.h"

enum { FEW = 128, SEEN_CELLS = 512, HALF_BYTES = 4 };

_Static_assert(RF_FIX_LAYOUT_BUCKETS == 1 << 10, "rf_fix_layout_bucket takes ten bits");

/* Decimal digits of a tag. */
static uint32_t tag_digits(uint32_t tag)
{
    uint32_t digits = 1;
    for (uint32_t rest = tag; rest >= 10; rest /= 10) {
        digits++;
    }
    return digits;
}

enum rf_status rf_fix_layouts_open(struct rf_fix_layouts *layouts, const uint32_t *wanted, uint32_t slots,
                                   struct rf_error *err)
{
    *layouts = (struct rf_fix_layouts){.wanted = wanted, .slots = slots};
    layouts->bucket = calloc(RF_FIX_LAYOUT_BUCKETS, sizeof *layouts->bucket);
    layouts->head = malloc((slots + 1) * sizeof *layouts->head);
    layouts->place = malloc((RF_FIX_NO_LAYOUT + 1) * ((size_t)slots + 1) * sizeof *layouts->place);
    layouts->layout = malloc(RF_FIX_LAYOUTS_MAX * sizeof *layouts->layout);
    if (layouts->bucket == NULL || layouts->head == NULL || layouts->place == NULL || layouts->layout == NULL) {
        rf_fix_layouts_close(layouts);
        RF_FAIL(err, RF_E_MEMORY, "no memory for the layouts of messages");
    }
    for (uint32_t s = 0; s < slots; s++) {
        layouts->place[(size_t)RF_FIX_NO_LAYOUT * slots + s] = RF_FIX_NOWHERE;
        layouts->head[s] = tag_digits(wanted[s]) + 1;
    }
    return RF_OK;
}

void rf_fix_layouts_close(struct rf_fix_layouts *layouts)
{
    free(layouts->bucket);
    free(layouts->head);
    free(layouts->place);
    free(layouts->layout);
    *layouts = (struct rf_fix_layouts){0};
}

void rf_fix_layouts_begin(struct rf_fix_layouts *layouts, uint32_t rows)
{
    layouts->rows += rows;
    if (layouts->used == RF_FIX_LAYOUTS_MAX && layouts->rows > RF_FIX_LAYOUT_PATIENCE) {
        memset(layouts->bucket, 0, RF_FIX_LAYOUT_BUCKETS * sizeof *layouts->bucket);
        layouts->used = 0;
        layouts->rows = 0;
    }
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

/* The text of field f: `digits` digits and a `=`, as two words of four bytes. */
static void layout_text(struct rf_fix_layout *layout, uint32_t f, uint32_t tag)
{
    uint8_t text[2 * HALF_BYTES] = {0};
    uint8_t mask[2 * HALF_BYTES] = {0};
    const uint32_t digits = tag_digits(tag);
    uint32_t rest = tag;
    for (uint32_t d = digits; d > 0; d--, rest /= 10) {
        text[d - 1] = (uint8_t)('0' + rest % 10);
    }
    text[digits] = '=';
    memset(mask, 0xff, digits + 1);
    struct rf_fix_layout_block *block = &layout->block[f / RF_FIX_BLOCK_FIELDS];
    const uint32_t i = f % RF_FIX_BLOCK_FIELDS;
    memcpy(&block->text[i], text, HALF_BYTES);
    memcpy(&block->text_mask[i], mask, HALF_BYTES);
    memcpy(&block->more[i], text + HALF_BYTES, HALF_BYTES);
    memcpy(&block->more_mask[i], mask + HALF_BYTES, HALF_BYTES);
    block->tag[i] = tag;
    block->head[i] = digits + 1;
    layout->is_long |= digits + 1 > HALF_BYTES;
}

static bool tags_are_plain(const uint32_t *tag, uint32_t fields)
{
    for (uint32_t f = 0; f < fields; f++) {
        if (tag_digits(tag[f]) > RF_FIX_LAYOUT_DIGITS_MAX || (f > 0 && rf_fix_data_of(tag[f - 1]) == tag[f])) {
            return false;
        }
    }
    return true;
}

void rf_fix_layout_make(struct rf_fix_layouts *layouts, uint32_t key, const uint32_t *tag, uint32_t fields,
                        bool has_repeats)
{
    if (fields > RF_FIX_LAYOUT_FIELDS_MAX || layouts->used == RF_FIX_LAYOUTS_MAX || !tags_are_plain(tag, fields)) {
        return;
    }
    struct rf_fix_layout *layout = &layouts->layout[layouts->used];
    uint16_t *bucket = &layouts->bucket[rf_fix_layout_bucket(key)];
    uint32_t *place = layouts->place + (size_t)layouts->used * layouts->slots;
    *layout = (struct rf_fix_layout){.key = key,
                                     .fields = fields,
                                     .number = layouts->used,
                                     .next = *bucket,
                                     .flags = has_repeats ? RF_FIX_DUPLICATE : 0,
                                     .place = place};
    for (uint32_t s = 0; s < layouts->slots; s++) {
        place[s] = RF_FIX_NOWHERE;
    }
    for (uint32_t f = fields; f > 0; f--) { /* from the last one on, so that the first one stays */
        layout_text(layout, f - 1, tag[f - 1]);
        for (uint32_t s = 0; s < layouts->slots; s++) {
            place[s] = layouts->wanted[s] == tag[f - 1] ? f - 1 : place[s];
        }
    }
    *bucket = (uint16_t)++layouts->used;
    layouts->made++;
}
