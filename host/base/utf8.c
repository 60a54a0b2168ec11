#include "utf8.h"

enum { WORD_BYTES = 8 };

/* Bytes of the well-formed sequence at text[0], which is no ASCII byte; 0 when it is ill-formed. The second
 * byte has the narrower range in four cases of table 3-7; the others are 0x80..0xBF. */
static size_t utf8_sequence_bytes(const unsigned char *text, size_t count)
{
    const unsigned char lead = text[0];
    unsigned char low = 0x80;
    unsigned char high = 0xBF;
    size_t bytes;

    if (lead >= 0xC2 && lead <= 0xDF) {
        bytes = 2;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
        bytes = 3;
        low = lead == 0xE0 ? 0xA0 : low;   /* overlong */
        high = lead == 0xED ? 0x9F : high; /* surrogates */
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        bytes = 4;
        low = lead == 0xF0 ? 0x90 : low;   /* overlong */
        high = lead == 0xF4 ? 0x8F : high; /* above U+10FFFF */
    } else {
        return 0;
    }
    if (count < bytes || text[1] < low || text[1] > high) {
        return 0;
    }
    for (size_t i = 2; i < bytes; i++) {
        if ((text[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    return bytes;
}

size_t rf_utf8_valid_count(struct rf_str text)
{
    const unsigned char *const bytes = (const unsigned char *)text.data;
    size_t at = 0;
    while (at < text.count) {
        uint64_t word;
        if (text.count - at >= WORD_BYTES) {
            memcpy(&word, bytes + at, sizeof word);
            if ((word & 0x8080808080808080u) == 0) {
                at += WORD_BYTES;
                continue;
            }
        }
        if (bytes[at] < 0x80) {
            at++;
            continue;
        }
        const size_t sequence = utf8_sequence_bytes(bytes + at, text.count - at);
        if (sequence == 0) {
            return at;
        }
        at += sequence;
    }
    return at;
}

size_t rf_utf8_length(struct rf_str text)
{
    size_t length = 0;
    for (size_t i = 0; i < text.count; i++) {
        length += ((unsigned char)text.data[i] & 0xC0) != 0x80;
    }
    return length;
}

size_t rf_utf8_write(uint32_t code_point, char text[4])
{
    if (code_point < 0x80) {
        text[0] = (char)code_point;
        return 1;
    }
    if (code_point < 0x800) {
        text[0] = (char)(0xC0 | (code_point >> 6));
        text[1] = (char)(0x80 | (code_point & 0x3F));
        return 2;
    }
    if (code_point < 0x10000) {
        text[0] = (char)(0xE0 | (code_point >> 12));
        text[1] = (char)(0x80 | ((code_point >> 6) & 0x3F));
        text[2] = (char)(0x80 | (code_point & 0x3F));
        return 3;
    }
    text[0] = (char)(0xF0 | (code_point >> 18));
    text[1] = (char)(0x80 | ((code_point >> 12) & 0x3F));
    text[2] = (char)(0x80 | ((code_point >> 6) & 0x3F));
    text[3] = (char)(0x80 | (code_point & 0x3F));
    return 4;
}
