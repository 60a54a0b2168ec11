#include "visible_text.h"

#include "utf8.h"

/* Bytes of the UTF-8 sequence at the beginning of text; 0 when there is none. */
static size_t sequence_read(struct rf_str text, uint32_t *code_point)
{
    const unsigned char *const byte = (const unsigned char *)text.data;
    const size_t count = byte[0] < 0x80 ? 1 : byte[0] >= 0xf0 ? 4 : byte[0] >= 0xe0 ? 3 : 2;
    if (count > text.count || !rf_utf8_is_valid((struct rf_str){text.data, count})) {
        return 0;
    }
    uint32_t value = count == 1 ? byte[0] : byte[0] & (0x7fu >> count);
    for (size_t i = 1; i < count; i++) {
        value = value << 6 | (byte[i] & 0x3fu);
    }
    *code_point = value;
    return count;
}

static bool is_obeyed(uint32_t code_point)
{
    return (code_point >= 0x80 && code_point <= 0x9f) || code_point == 0x61c || code_point == 0x200e ||
           code_point == 0x200f || (code_point >= 0x2028 && code_point <= 0x202e) ||
           (code_point >= 0x2066 && code_point <= 0x2069);
}

enum rf_status rf_visible_append(struct rf_text *out, struct rf_str text, struct rf_error *err)
{
    size_t begin = 0; /* of what stays as it is */
    for (size_t at = 0; at < text.count;) {
        const unsigned char byte = (unsigned char)text.data[at];
        if (byte >= 0x20 && byte < 0x7f) {
            at++;
            continue;
        }
        uint32_t code_point = byte;
        const size_t bytes = sequence_read((struct rf_str){text.data + at, text.count - at}, &code_point);
        if (bytes > 1 && !is_obeyed(code_point)) {
            at += bytes;
            continue;
        }
        RF_TRY(rf_text_append(out, (struct rf_str){text.data + begin, at - begin}, err));
        RF_TRY(rf_text_printf(out, err, bytes > 1 ? "\\u{%x}" : "\\x%02x", (unsigned)code_point));
        at += bytes > 1 ? bytes : 1;
        begin = at;
    }
    if (begin == text.count) { /* an empty text may have no address */
        return RF_OK;
    }
    return rf_text_append(out, (struct rf_str){text.data + begin, text.count - begin}, err);
}
