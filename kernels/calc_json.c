#include "calc_json.h"

#include "json_text.h"
#include "token.h"

struct reader {
    const char *at;
    const char *end;
};

static void space_skip(struct reader *r)
{
    while (r->at < r->end && rf_token_is_space((uint8_t)*r->at)) {
        r->at++;
    }
}

/* Behind the closing quote of the string whose opening quote is at r->at. */
static void string_skip(struct reader *r)
{
    r->at++;
    while (r->at < r->end && *r->at != '"') {
        r->at += *r->at == '\\' ? 2 : 1;
    }
    r->at++;
}

static void container_skip(struct reader *r)
{
    uint32_t depth = 0;
    do {
        const char c = *r->at;
        if (c == '"') {
            string_skip(r);
            continue;
        }
        depth += c == '[' || c == '{' ? 1 : 0;
        depth -= c == ']' || c == '}' ? 1 : 0;
        r->at++;
    } while (depth != 0 && r->at < r->end);
}

/* The text of the value at r->at, which is left behind. */
static struct rf_str value_take(struct reader *r)
{
    const char *begin = r->at;
    if (*begin == '"') {
        string_skip(r);
    } else if (*begin == '[' || *begin == '{') {
        container_skip(r);
    } else {
        while (r->at < r->end && !rf_token_is_end((uint8_t)*r->at)) {
            r->at++;
        }
    }
    r->at = r->at > r->end ? r->end : r->at;
    return (struct rf_str){begin, (size_t)(r->at - begin)};
}

/* To the first element, or behind a comma to the next; false at the closing bracket. */
static bool element_next(struct reader *r)
{
    space_skip(r);
    if (r->at < r->end && *r->at == ',') {
        r->at++;
        space_skip(r);
    }
    return r->at < r->end;
}

static struct reader inside_of(const struct rf_cell *container)
{
    /* Between the brackets. */
    return (struct reader){container->text + 1, container->text + container->length - 1};
}

static bool string_cell(struct rf_str inside, struct rf_arena *scratch, struct rf_cell *out)
{
    if (inside.count == 0 || memchr(inside.data, '\\', inside.count) == NULL) {
        *out = rf_cell_of_text(inside, RF_TAG_STRING_RAW);
        return true;
    }
    char *text = rf_arena_push(scratch, inside.count, 1, 1);
    size_t count = 0;
    size_t at = 0;
    if (text == NULL || rf_json_decode(inside, text, &count, &at) != RF_JSON_OK) {
        return false;
    }
    *out = rf_cell_of_text((struct rf_str){text, count}, RF_TAG_STRING_RAW);
    return true;
}

static bool value_cell(struct rf_str text, struct rf_arena *scratch, struct rf_cell *out)
{
    *out = (struct rf_cell){.tag = RF_TAG_NULL, .text = text.data, .length = (uint32_t)text.count};
    struct rf_number number;
    switch (text.data[0]) {
    case '"':
        return string_cell((struct rf_str){text.data + 1, text.count - 2}, scratch, out);
    case '[':
        out->tag = RF_TAG_LIST;
        return true;
    case '{':
        out->tag = RF_TAG_OBJECT;
        return true;
    case 't':
    case 'f':
        *out = rf_cell_of_bool(text.data[0] == 't');
        return true;
    case 'n':
        return true;
    default:
        break;
    }
    if (rf_number_from_json(text, &number) != RF_NUMBER_OK) {
        out->tag = RF_TAG_RANGE;
        return true;
    }
    out->tag = number.kind == RF_NUMBER_DOUBLE ? RF_TAG_NUMBER
               : number.kind == RF_NUMBER_INT  ? RF_TAG_BIGINT
                                               : RF_TAG_BIGUINT;
    out->payload = number.as.u;
    return true;
}

uint32_t rf_json_count(const struct rf_cell *list)
{
    struct reader r = inside_of(list);
    uint32_t count = 0;
    while (element_next(&r)) {
        (void)value_take(&r);
        count++;
    }
    return count;
}

bool rf_json_items(const struct rf_cell *list, struct rf_arena *scratch, const struct rf_cell **item, uint32_t *count)
{
    enum { FEW = 32 };
    struct rf_cell few[FEW]; /* most lists are short: they need not be counted before there is room for them */
    struct reader r = inside_of(list);
    uint32_t taken = 0;
    bool is_more = element_next(&r);
    for (; is_more && taken < FEW; is_more = element_next(&r)) {
        if (!value_cell(value_take(&r), scratch, &few[taken++])) {
            return false;
        }
    }
    *count = is_more ? rf_json_count(list) : taken;
    struct rf_cell *cell = *count > RF_JSON_ITEMS_MAX
                               ? NULL
                               : rf_arena_push(scratch, *count, sizeof *cell, _Alignof(struct rf_cell));
    if (cell == NULL) {
        return false;
    }
    memcpy(cell, few, taken * sizeof few[0]);
    for (; is_more; is_more = element_next(&r)) {
        if (!value_cell(value_take(&r), scratch, &cell[taken++])) {
            return false;
        }
    }
    *item = cell;
    return true;
}

/* A member's key as written between its quotes, then its value. */
static bool member_next(struct reader *r, struct rf_str *key, struct rf_str *value)
{
    if (!element_next(r)) {
        return false;
    }
    const struct rf_str quoted = value_take(r);
    *key = (struct rf_str){quoted.data + 1, quoted.count - 2};
    space_skip(r);
    r->at++; /* the colon */
    space_skip(r);
    *value = value_take(r);
    return true;
}

static bool key_is(struct rf_str raw, struct rf_str key)
{
    return raw.count != 0 && memchr(raw.data, '\\', raw.count) != NULL ? rf_token_key_equal(raw, key)
                                                                       : rf_str_equal(raw, key);
}

bool rf_json_entries(const struct rf_cell *object, struct rf_arena *scratch, const struct rf_cell **entry,
                     uint32_t *count)
{
    struct reader r = inside_of(object);
    struct rf_str key;
    struct rf_str value;
    uint32_t members = 0;
    while (member_next(&r, &key, &value)) {
        members++;
    }
    struct rf_cell *cell = members > RF_JSON_ENTRIES_MAX ? NULL : RF_PUSH(scratch, struct rf_cell, 2 * (size_t)members);
    if (cell == NULL) {
        return false;
    }
    r = inside_of(object);
    uint32_t kept = 0;
    while (member_next(&r, &key, &value)) {
        if (!string_cell(key, scratch, &cell[2 * kept])) {
            return false;
        }
        uint32_t twin = 0;
        while (twin < kept && !rf_str_equal(rf_cell_text(&cell[2 * twin]), rf_cell_text(&cell[2 * kept]))) {
            twin++;
        }
        if (!value_cell(value, scratch, &cell[2 * twin + 1])) {
            return false;
        }
        kept += twin == kept ? 1 : 0;
    }
    *entry = cell;
    *count = kept;
    return true;
}

bool rf_json_element(const struct rf_cell *list, uint64_t index, struct rf_arena *scratch, struct rf_cell *out)
{
    struct reader r = inside_of(list);
    for (uint64_t i = 0; element_next(&r); i++) {
        const struct rf_str text = value_take(&r);
        if (i == index) {
            return value_cell(text, scratch, out);
        }
    }
    *out = (struct rf_cell){.tag = RF_TAG_ABSENT, .text = ""};
    return true;
}

bool rf_json_member(const struct rf_cell *object, struct rf_str key, struct rf_arena *scratch, struct rf_cell *out)
{
    struct reader r = inside_of(object);
    struct rf_str raw;
    struct rf_str value;
    struct rf_str found = {0};
    while (member_next(&r, &raw, &value)) {
        if (key_is(raw, key)) {
            found = value;
        }
    }
    *out = (struct rf_cell){.tag = RF_TAG_ABSENT, .text = ""};
    return found.data == NULL || value_cell(found, scratch, out);
}
