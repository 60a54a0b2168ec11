#include "fix_template.h"

#include <string.h>

#include "fix_digits.h"
#include "fix_encode.h"
#include "fix_sum.h"

/* tag=value and a separator, as far as the template has room. */
static enum rf_status field_add(struct rf_fix_template *out, uint32_t tag, struct rf_str value, struct rf_error *err)
{
    char number[RF_FIX_DIGITS_ROOM];
    if (value.count == 0 || memchr(value.data, RF_FIX_SOH_BYTE, value.count) != NULL) {
        RF_FAIL(err, RF_E_USAGE, "tag %u of a FIX header: the value is empty or holds a separator (SOH)", tag);
    }
    const size_t digits = (size_t)(rf_fix_digits_write(number, tag) - number);
    const size_t room = RF_FIX_FIXED_BYTES - out->fixed_bytes;
    if (value.count > room || digits + 2 > room - value.count) {
        RF_FAIL(err, RF_E_LIMIT, "tag %u: a FIX header has at most %d fixed bytes; put the field into each message",
                tag, RF_FIX_FIXED_BYTES - 1);
    }
    char *at = out->fixed + out->fixed_bytes;
    memcpy(at, number, digits);
    at[digits] = '=';
    memcpy(at + digits + 1, value.data, value.count);
    at[digits + 1 + value.count] = RF_FIX_SOH_BYTE;
    out->fixed_bytes += (uint32_t)(digits + value.count + 2);
    return RF_OK;
}

enum rf_status rf_fix_template_open(struct rf_fix_template *out, struct rf_str begin_string, struct rf_str msg_type,
                                    const struct rf_fix_fixed_field *field, size_t fields, struct rf_error *err)
{
    enum { AROUND_BEGIN_STRING = sizeof("8=|9=") - 1 };
    *out = (struct rf_fix_template){0};
    if (begin_string.count == 0 || begin_string.count > RF_FIX_HEAD_BYTES - AROUND_BEGIN_STRING ||
        memchr(begin_string.data, RF_FIX_SOH_BYTE, begin_string.count) != NULL) {
        RF_FAIL(err, RF_E_USAGE, "BeginString (8) of FIX messages has 1 to %d bytes, without a separator",
                RF_FIX_HEAD_BYTES - AROUND_BEGIN_STRING);
    }
    memcpy(out->head, "8=", 2);
    memcpy(out->head + 2, begin_string.data, begin_string.count);
    memcpy(out->head + 2 + begin_string.count, "\0019=", 3);
    out->head_bytes = (uint32_t)begin_string.count + AROUND_BEGIN_STRING;
    out->fixed[out->fixed_bytes++] = RF_FIX_SOH_BYTE;
    RF_TRY(field_add(out, 35, msg_type, err));
    for (size_t i = 0; i < fields; i++) {
        if (!rf_fix_tag_is_free(field[i].tag)) {
            RF_FAIL(err, RF_E_USAGE, "tag %u in a FIX header: a tag is 1 to 999999999, and not 8, 9, 10 or 35",
                    field[i].tag);
        }
        RF_TRY(field_add(out, field[i].tag, field[i].value, err));
    }
    out->sum = rf_fix_text_sum(out->head, out->head_bytes) + rf_fix_text_sum(out->fixed, out->fixed_bytes);
    out->slot = ((uint8_t)msg_type.data[0] + 7u * (uint8_t)msg_type.data[msg_type.count - 1]) % RF_FIX_WIDTH_SLOTS;
    return RF_OK;
}
