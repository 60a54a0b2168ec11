#include "fix_wire.h"

#include <inttypes.h>
#include <stdio.h>

#include "fix_sum.h"

enum { SOH = 1, BODY_BYTES_MAX = 999999999 };

void rf_fix_wire_close(struct rf_fix_wire *wire)
{
    rf_text_free(&wire->body);
}

void rf_fix_wire_begin(struct rf_fix_wire *wire, enum rf_fix_separator separator)
{
    rf_text_clear(&wire->body);
    wire->separator = separator;
    wire->body_bytes = 0;
    wire->sum = 0;
    wire->has_soh = false;
    wire->has_mark = false;
}

static bool has_byte(struct rf_str value, char byte)
{
    return memchr(value.data, byte, value.count) != NULL;
}

static struct rf_str mark_of(const struct rf_fix_wire *wire)
{
    return (struct rf_str){rf_fix_separator_text(wire->separator), rf_fix_separator_bytes(wire->separator)};
}

/* NULL: the value can stand in the message. */
static const char *value_problem(struct rf_fix_wire *wire, struct rf_str value, bool is_data)
{
    if (value.count == 0) {
        return "a field of FIX has no empty value: leave the member out";
    }
    const bool has_soh = has_byte(value, SOH);
    if (has_soh && !is_data) {
        return "the value holds a separator (SOH), which only data behind its length may";
    }
    if (wire->separator == RF_FIX_SOH) {
        return NULL;
    }
    if (has_byte(value, '\n')) {
        return "the value holds a line end, which no line of a log can: --fix-separator soh can write it";
    }
    const bool has_mark = rf_str_contains(value, mark_of(wire));
    if (has_mark && (!is_data || wire->separator != RF_FIX_PIPE)) {
        return "the value holds the separator that was asked for: --fix-separator soh can write it";
    }
    wire->has_soh = wire->has_soh || has_soh;
    wire->has_mark = wire->has_mark || has_mark;
    if (wire->has_soh && wire->has_mark) {
        return "data holds SOH and the separator that is written for it: --fix-separator soh can write both";
    }
    return NULL;
}

/* SOH in it becomes the separator. */
static enum rf_status data_append(struct rf_fix_wire *wire, struct rf_str value, struct rf_error *err)
{
    while (value.count != 0) {
        const char *const soh = memchr(value.data, SOH, value.count);
        const size_t plain = soh == NULL ? value.count : (size_t)(soh - value.data);
        RF_TRY(rf_text_append(&wire->body, (struct rf_str){value.data, plain}, err));
        if (soh == NULL) {
            break;
        }
        RF_TRY(rf_text_append(&wire->body, mark_of(wire), err));
        value.data += plain + 1;
        value.count -= plain + 1;
    }
    return RF_OK;
}

enum rf_status rf_fix_wire_put(struct rf_fix_wire *wire, uint32_t tag, struct rf_str value, bool is_data,
                               const char **problem, struct rf_error *err)
{
    *problem = value_problem(wire, value, is_data);
    if (*problem != NULL) {
        return RF_OK;
    }
    const size_t begin = wire->body.count;
    RF_TRY(rf_text_append_number(&wire->body, tag, err));
    RF_TRY(rf_text_append_char(&wire->body, '=', err));
    const size_t head = wire->body.count - begin;
    wire->sum += rf_fix_text_sum(wire->body.data + begin, head) + rf_fix_text_sum(value.data, value.count) + SOH;
    wire->body_bytes += head + value.count + 1;
    RF_TRY(data_append(wire, value, err));
    return rf_text_append(&wire->body, mark_of(wire), err);
}

/* What framing takes for a beginning: letters, digits and dots behind "FIX". */
static bool begin_string_is_right(struct rf_str text)
{
    if (text.count < 3 || text.count > 3 + RF_FIX_VERSION_MAX || memcmp(text.data, "FIX", 3) != 0) {
        return false;
    }
    for (size_t i = 3; i < text.count; i++) {
        const char c = text.data[i];
        if (!((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.')) {
            return false;
        }
    }
    return true;
}

enum rf_status rf_fix_wire_end(struct rf_fix_wire *wire, struct rf_str begin_string, struct rf_text *out,
                               const char **problem, struct rf_error *err)
{
    char head[64];
    *problem = NULL;
    if (!begin_string_is_right(begin_string)) {
        *problem = "BeginString is FIX and a version, such as FIX.4.4";
        return RF_OK;
    }
    if (wire->body_bytes > BODY_BYTES_MAX) {
        *problem = "the message is longer than BodyLength can say in nine digits";
        return RF_OK;
    }
    const int head_bytes =
        snprintf(head, sizeof head, "8=%.*s\0019=%" PRIu64 "\001", RF_STR_ARG(begin_string), wire->body_bytes);
    const uint32_t sum = (wire->sum + rf_fix_text_sum(head, (size_t)head_bytes)) & 0xff;
    const struct rf_str mark = mark_of(wire);
    RF_TRY(rf_text_reserve(out, (size_t)head_bytes + wire->body.count + 32, err));
    RF_TRY(rf_text_printf(out, err, "8=%.*s%.*s9=%" PRIu64 "%.*s", RF_STR_ARG(begin_string), RF_STR_ARG(mark),
                          wire->body_bytes, RF_STR_ARG(mark)));
    RF_TRY(rf_text_append(out, rf_text_str(&wire->body), err));
    return rf_text_printf(out, err, "10=%03" PRIu32 "%.*s", sum, RF_STR_ARG(mark));
}
