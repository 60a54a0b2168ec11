#include "fix_match.h"

#include <inttypes.h>

#include "utf8.h"

enum { TAG_DIGITS_MAX = 9 };

/* A message that lacks one of these is malformed. */
static bool tag_is_always_there(uint32_t tag)
{
    return tag == 8 || tag == 9 || tag == 35 || tag == 10;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static enum rf_status value_write(struct rf_str value, struct rf_text *out, struct rf_error *err)
{
    RF_TRY(rf_text_append_char(out, '"', err));
    for (size_t i = 0; i < value.count; i++) {
        const unsigned char byte = (unsigned char)value.data[i];
        if (byte == '"' || byte == '\\') {
            RF_TRY(rf_text_append_char(out, '\\', err));
        }
        RF_TRY(byte < 0x20 || byte == 0x7f ? rf_text_printf(out, err, "\\u%04x", byte)
                                           : rf_text_append_char(out, value.data[i], err));
    }
    return rf_text_append_char(out, '"', err);
}

/* Where another criterion seems to begin within the value, joined by something that does not join: `||`, or `&` or `,`
 * before a tag and `=`. */
static bool joint_find(struct rf_str value, size_t *at)
{
    for (*at = 0; *at < value.count; ++*at) {
        size_t next = *at + 1;
        if (value.data[*at] == '|' && next < value.count && value.data[next] == '|') {
            return true;
        }
        if (value.data[*at] != '&' && value.data[*at] != ',') {
            continue;
        }
        while (next < value.count && is_blank(value.data[next])) {
            next++;
        }
        const size_t digits = next;
        while (next < value.count && value.data[next] >= '0' && value.data[next] <= '9') {
            next++;
        }
        if (next > digits && next < value.count && value.data[next] == '=') {
            return true;
        }
    }
    return false;
}

/* One criterion, [begin, end) of the text, without blanks around it. */
static enum rf_status criterion_lower(struct rf_str criteria, size_t begin, size_t end, struct rf_text *out,
                                      struct rf_diagnostic *diagnostic, struct rf_error *err)
{
    uint32_t tag = 0;
    size_t at = begin;
    for (; at < end && at - begin < TAG_DIGITS_MAX && criteria.data[at] >= '0' && criteria.data[at] <= '9'; at++) {
        tag = tag * 10 + (uint32_t)(criteria.data[at] - '0');
    }
    if (at == begin || criteria.data[begin] == '0' ||
        (at < end && criteria.data[at] >= '0' && criteria.data[at] <= '9')) {
        return rf_diagnostic_fail(diagnostic, criteria, (uint32_t)begin, (uint32_t)(end > begin ? end : begin + 1), err,
                                  "a criterion is TAG=VALUE with a tag from 1 to 999999999, as in 35=D&&55=AUD/USD");
    }
    if (at == end || criteria.data[at] != '=') {
        return rf_diagnostic_fail(diagnostic, criteria, (uint32_t)at, (uint32_t)at + 1, err,
                                  "a = and a value are expected behind tag %" PRIu32, tag);
    }
    const struct rf_str value = {criteria.data + at + 1, end - at - 1};
    const size_t valid = rf_utf8_valid_count(value);
    if (valid != value.count) {
        return rf_diagnostic_fail(diagnostic, criteria, (uint32_t)(at + 1 + valid), (uint32_t)(at + 2 + valid), err,
                                  "the value is no UTF-8");
    }
    size_t joint = 0;
    if (joint_find(value, &joint)) {
        return rf_diagnostic_fail(
            diagnostic, criteria, (uint32_t)(at + 1 + joint), (uint32_t)(at + 2 + joint), err,
            "criteria are joined by && (a value that holds this is asked for as fix.raw(%" PRIu32 ") == \"...\")", tag);
    }
    if (!tag_is_always_there(tag)) {
        RF_TRY(rf_text_printf(out, err, "has(fix[%" PRIu32 "]) && ", tag));
    }
    RF_TRY(rf_text_printf(out, err, "fix.raw(%" PRIu32 ") == ", tag));
    return value_write(value, out, err);
}

enum rf_status rf_fix_match_lower(struct rf_str criteria, struct rf_text *out, struct rf_diagnostic *diagnostic,
                                  struct rf_error *err)
{
    size_t begin = 0;
    for (;;) {
        size_t next = 0;
        const struct rf_str rest = {criteria.data + begin, criteria.count - begin};
        const bool has_more = rf_str_find(rest, RF_STR("&&"), &next);
        size_t end = has_more ? begin + next : criteria.count;
        next = end + 2;
        while (begin < end && is_blank(criteria.data[begin])) {
            begin++;
        }
        while (end > begin && is_blank(criteria.data[end - 1])) {
            end--;
        }
        RF_TRY(criterion_lower(criteria, begin, end, out, diagnostic, err));
        if (!has_more) {
            return RF_OK;
        }
        RF_TRY(rf_text_append(out, RF_STR(" && "), err));
        begin = next;
    }
}
