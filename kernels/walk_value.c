#include "walk_value.h"

#include <assert.h>

#include "token.h"
#include "walk.h"

static const struct rf_malformed well_formed = {RF_REASON_NONE, 0};

struct rf_malformed rf_walk_value_string(const struct rf_batch *batch, uint32_t begin, uint32_t count, bool has_escape,
                                         struct rf_columns *columns, uint32_t slot, uint32_t row)
{
    const uint8_t *inside = batch->bytes + begin;
    const struct rf_str text = {(const char *)inside, count};
    if (has_escape && columns != NULL) {
        assert(columns->side_used <= columns->side_bytes && count <= columns->side_bytes - columns->side_used);
        uint8_t *out = columns->side + columns->side_used;
        size_t out_count = 0;
        size_t wrong = 0;
        const enum rf_json_verdict verdict = rf_json_decode(text, (char *)out, &out_count, &wrong);
        if (verdict != RF_JSON_OK) {
            return (struct rf_malformed){rf_token_reason(verdict), (unsigned)wrong};
        }
        rf_cell_set(&columns->slot[slot], row, RF_TAG_STRING_ESCAPED,
                    rf_str_prefix((struct rf_str){(const char *)out, out_count}),
                    (uint32_t)columns->side_used | RF_SIDE_BIT, (uint32_t)out_count);
        columns->side_used += out_count;
        return well_formed;
    }
    if (has_escape || !rf_token_is_plain(inside, count)) {
        size_t wrong = 0;
        const enum rf_json_verdict verdict = rf_json_check(text, &wrong);
        if (verdict != RF_JSON_OK) {
            return (struct rf_malformed){rf_token_reason(verdict), (unsigned)wrong};
        }
    }
    if (columns != NULL) {
        rf_cell_set(&columns->slot[slot], row, RF_TAG_STRING_RAW, rf_token_prefix(inside, count), begin, count);
    }
    return well_formed;
}

struct rf_malformed rf_walk_value_scalar(const struct rf_batch *batch, uint32_t begin, uint32_t count,
                                         struct rf_columns *columns, uint32_t slot, uint32_t row)
{
    const struct rf_str text = {(const char *)batch->bytes + begin, count};
    enum rf_tag tag;
    uint64_t payload = 0;
    if (count != 0 && rf_token_begins_number(batch->bytes[begin])) {
        struct rf_number number = {.kind = RF_NUMBER_DOUBLE, .as.d = 0};
        switch (rf_number_from_json(text, &number)) {
        case RF_NUMBER_BAD:
            return (struct rf_malformed){RF_REASON_NUMBER, 0};
        case RF_NUMBER_RANGE:
            tag = RF_TAG_RANGE;
            break;
        case RF_NUMBER_OK:
        default:
            tag = number.kind == RF_NUMBER_DOUBLE ? RF_TAG_NUMBER
                  : number.kind == RF_NUMBER_INT  ? RF_TAG_BIGINT
                                                  : RF_TAG_BIGUINT;
            memcpy(&payload, &number.as, sizeof(payload));
            break;
        }
    } else if (rf_token_is_literal(text)) {
        tag = text.data[0] == 'n' ? RF_TAG_NULL : text.data[0] == 't' ? RF_TAG_TRUE : RF_TAG_FALSE;
        payload = tag == RF_TAG_TRUE;
    } else {
        return (struct rf_malformed){RF_REASON_LITERAL, 0};
    }
    if (columns != NULL) {
        rf_cell_set(&columns->slot[slot], row, tag, payload, begin, count);
    }
    return well_formed;
}

/* The string or scalar at *at, which is not white space, a bracket or a separator; *at goes behind it. *begin: of its text. */
static struct rf_malformed token_check(const struct rf_batch *batch, uint32_t end, uint32_t *at, uint32_t *begin)
{
    const uint8_t *const bytes = batch->bytes;
    *begin = *at;
    if (bytes[*at] == '"') {
        bool has_escape = false;
        ++*begin;
        const uint32_t close = rf_token_string_end(bytes, *begin, end, &has_escape);
        *at = close + 1;
        return rf_walk_value_string(batch, *begin, close - *begin, has_escape, NULL, 0, 0);
    }
    *at = rf_token_scalar_end(bytes, *at, end);
    const struct rf_str text = {(const char *)bytes + *begin, *at - *begin};
    if (rf_token_begins_number(bytes[*begin])) { /* one beyond range is good as long as nobody uses it */
        return rf_number_is_json(text) ? well_formed : (struct rf_malformed){RF_REASON_NUMBER, 0};
    }
    return rf_token_is_literal(text) ? well_formed : (struct rf_malformed){RF_REASON_LITERAL, 0};
}

struct rf_malformed rf_walk_value_check(const struct rf_batch *batch, uint32_t begin, uint32_t end)
{
    uint32_t at = begin;
    while (at < end) {
        const uint8_t byte = batch->bytes[at];
        uint32_t token;
        if (byte != '"' && rf_token_is_end(byte)) {
            at++;
            continue;
        }
        const struct rf_malformed bad = token_check(batch, end, &at, &token);
        if (bad.reason != RF_REASON_NONE) {
            return (struct rf_malformed){bad.reason, bad.offset + token - begin};
        }
    }
    return well_formed;
}

bool rf_walk_value_whole(const struct rf_batch *batch, uint32_t begin, uint32_t row_end, uint32_t *end)
{
    uint32_t depth = 0;
    uint32_t at = begin;
    while (at < row_end) {
        const uint8_t byte = batch->bytes[at];
        uint32_t token;
        if (byte == '{' || byte == '[') {
            depth++;
            at++;
        } else if (byte == '}' || byte == ']') {
            at++;
            if (--depth == 0) {
                *end = at;
                return true;
            }
        } else if (byte != '"' && rf_token_is_end(byte)) {
            at++;
        } else if (token_check(batch, row_end, &at, &token).reason != RF_REASON_NONE) {
            return false;
        }
    }
    return false;
}

struct rf_malformed rf_walk_scalar(const struct rf_batch *batch, uint32_t begin, uint32_t end,
                                   struct rf_columns *columns, uint32_t slot, uint32_t row)
{
    const uint8_t byte = begin < end ? batch->bytes[begin] : 0;
    if (byte == '"') {
        assert(end - begin >= 2);
        const uint32_t count = end - begin - 2;
        const bool has_escape = memchr(batch->bytes + begin + 1, '\\', count) != NULL;
        struct rf_malformed bad = rf_walk_value_string(batch, begin + 1, count, has_escape, columns, slot, row);
        bad.offset += bad.reason != RF_REASON_NONE;
        return bad;
    }
    if (byte == '{' || byte == '[') {
        rf_cell_set(&columns->slot[slot], row, byte == '{' ? RF_TAG_OBJECT : RF_TAG_LIST, 0, begin, end - begin);
        return well_formed;
    }
    return rf_walk_value_scalar(batch, begin, end - begin, columns, slot, row);
}
