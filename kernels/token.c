/* token.c: keys with escapes, compared while they are decoded: no buffer bounds the length of a key. */
#include "token.h"

#include "utf8.h"

/* Four hex digits at text[at], or -1. */
static int32_t hex_quad(struct rf_str text, size_t at)
{
    if (text.count < 4 || at > text.count - 4) {
        return -1;
    }
    int32_t value = 0;
    for (size_t i = at; i < at + 4; i++) {
        const char c = text.data[i];
        int32_t digit;
        if (c >= '0' && c <= '9') {
            digit = c - '0';
        } else if (c >= 'a' && c <= 'f') {
            digit = c - 'a' + 10;
        } else if (c >= 'A' && c <= 'F') {
            digit = c - 'A' + 10;
        } else {
            return -1;
        }
        value = value * 16 + digit;
    }
    return value;
}

/* The escape behind the backslash at text[*at]: writes its UTF-8, moves *at behind it; 0 when it is bad. */
static size_t escape_decode(struct rf_str text, size_t *at, char out[4])
{
    static const char letters[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    if (*at + 1 >= text.count) {
        return 0;
    }
    const char letter = text.data[*at + 1];
    if (letter != 'u') {
        const char *known = letter == '\0' ? NULL : strchr(letters, letter);
        if (known == NULL) {
            return 0;
        }
        out[0] = meanings[known - letters];
        *at += 2;
        return 1;
    }
    int32_t code = hex_quad(text, *at + 2);
    *at += 6;
    if (code < 0 || (code >= 0xdc00 && code <= 0xdfff)) {
        return 0;
    }
    if (code >= 0xd800 && code <= 0xdbff) {
        if (*at + 1 >= text.count || text.data[*at] != '\\' || text.data[*at + 1] != 'u') {
            return 0;
        }
        const int32_t low = hex_quad(text, *at + 2);
        if (low < 0xdc00 || low > 0xdfff) {
            return 0;
        }
        *at += 6;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    return rf_utf8_write((uint32_t)code, out);
}

bool rf_token_key_equal(struct rf_str raw, struct rf_str name)
{
    size_t at = 0;
    size_t done = 0;
    while (at < raw.count) {
        char part[4];
        size_t count = 1;
        if (raw.data[at] == '\\') {
            count = escape_decode(raw, &at, part);
            if (count == 0) {
                return false;
            }
        } else {
            part[0] = raw.data[at];
            if ((unsigned char)part[0] < 0x20) {
                return false;
            }
            at++;
        }
        if (count > name.count - done || memcmp(part, name.data + done, count) != 0) {
            return false;
        }
        done += count;
    }
    return done == name.count;
}
