#include "json_text.h"

#include <stdint.h>

#include "utf8.h"

enum { JSON_WORD_BYTES = 8, JSON_ESCAPE_U_BYTES = 6 };

/* Length of the run from text[at] on that needs no look: printable ASCII without a backslash. */
static size_t json_plain_count(const unsigned char *text, size_t count)
{
    size_t at = 0;
    while (count - at >= JSON_WORD_BYTES) {
        uint64_t word;
        memcpy(&word, text + at, sizeof word);
        const uint64_t ones = 0x0101010101010101u;
        const uint64_t tops = 0x8080808080808080u;
        /* A byte of `zeros` is 0 where the word has a backslash; x - 1 borrows into the top bit of a zero byte.
         * A false hit above a true one is harmless: the loop below looks again byte by byte. */
        const uint64_t zeros = word ^ (ones * '\\');
        const uint64_t stops = (word | (word - ones * 0x20) | (zeros - ones)) & tops;
        if (stops != 0) {
            break;
        }
        at += JSON_WORD_BYTES;
    }
    while (at < count && text[at] >= 0x20 && text[at] < 0x80 && text[at] != '\\') {
        at++;
    }
    return at;
}

/* The value of four hex digits, or -1. */
static int json_hex4(const unsigned char *text)
{
    int value = 0;
    for (int i = 0; i < 4; i++) {
        const unsigned char c = text[i];
        const unsigned char letter = c | 0x20;
        int digit;
        if (c >= '0' && c <= '9') {
            digit = c - '0';
        } else if (letter >= 'a' && letter <= 'f') {
            digit = letter - 'a' + 10;
        } else {
            return -1;
        }
        value = value * 16 + digit;
    }
    return value;
}

/* The byte a one-letter escape stands for, or 0. */
static char json_short_escape(unsigned char letter)
{
    switch (letter) {
    case '"':
    case '\\':
    case '/':
        return (char)letter;
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return 0;
    }
}

/* Decodes the escape at text[0] == '\\'; gives its bytes in *used and UTF-8 in utf8[*utf8_count]. */
static enum rf_json_verdict json_escape(const unsigned char *text, size_t count, size_t *used, char utf8[4],
                                        size_t *utf8_count)
{
    if (count < 2) {
        return RF_JSON_BAD_ESCAPE;
    }
    if (text[1] != 'u') {
        utf8[0] = json_short_escape(text[1]);
        *utf8_count = 1;
        *used = 2;
        return utf8[0] == 0 ? RF_JSON_BAD_ESCAPE : RF_JSON_OK;
    }
    const int first = count < JSON_ESCAPE_U_BYTES ? -1 : json_hex4(text + 2);
    if (first < 0) {
        return RF_JSON_BAD_ESCAPE;
    }
    uint32_t code_point = (uint32_t)first;
    *used = JSON_ESCAPE_U_BYTES;
    if (first >= 0xDC00 && first <= 0xDFFF) {
        return RF_JSON_LONE_SURROGATE;
    }
    if (first >= 0xD800 && first <= 0xDBFF) {
        const unsigned char *const next = text + JSON_ESCAPE_U_BYTES;
        if (count < 2 * JSON_ESCAPE_U_BYTES || next[0] != '\\' || next[1] != 'u') {
            return RF_JSON_LONE_SURROGATE;
        }
        const int second = json_hex4(next + 2);
        if (second < 0xDC00 || second > 0xDFFF) {
            return RF_JSON_LONE_SURROGATE;
        }
        code_point = 0x10000 + ((uint32_t)(first - 0xD800) << 10) + (uint32_t)(second - 0xDC00);
        *used = 2 * JSON_ESCAPE_U_BYTES;
    }
    *utf8_count = rf_utf8_write(code_point, utf8);
    return RF_JSON_OK;
}

/* Both public functions; out is NULL for the check alone. */
static enum rf_json_verdict json_scan(struct rf_str text, char *out, size_t *out_count, size_t *at)
{
    const unsigned char *const bytes = (const unsigned char *)text.data;
    size_t from = 0;
    size_t to = 0;
    while (from < text.count) {
        size_t run = json_plain_count(bytes + from, text.count - from);
        if (run == 0 && bytes[from] >= 0x80) {
            /* The whole run up to the next escape or control byte would do; taking what is valid is enough,
             * since valid text stops in front of nothing else. */
            size_t stop = from;
            while (stop < text.count && bytes[stop] >= 0x80) {
                stop++;
            }
            run = rf_utf8_valid_count((struct rf_str){text.data + from, stop - from});
            if (run == 0) {
                *at = from;
                return RF_JSON_BAD_UTF8;
            }
        }
        if (run != 0) {
            if (out != NULL) {
                memcpy(out + to, bytes + from, run);
                to += run;
            }
            from += run;
            continue;
        }
        if (bytes[from] < 0x20) {
            *at = from;
            return RF_JSON_CONTROL;
        }
        char utf8[4];
        size_t utf8_count = 0;
        size_t used = 0;
        const enum rf_json_verdict verdict = json_escape(bytes + from, text.count - from, &used, utf8, &utf8_count);
        if (verdict != RF_JSON_OK) {
            *at = from;
            return verdict;
        }
        if (out != NULL) {
            memcpy(out + to, utf8, utf8_count);
            to += utf8_count;
        }
        from += used;
    }
    *out_count = to;
    return RF_JSON_OK;
}

enum rf_json_verdict rf_json_decode(struct rf_str text, char *out, size_t *out_count, size_t *at)
{
    return json_scan(text, out, out_count, at);
}

enum rf_json_verdict rf_json_check(struct rf_str text, size_t *at)
{
    size_t out_count;
    return json_scan(text, NULL, &out_count, at);
}

enum rf_status rf_json_quote(struct rf_text *out, struct rf_str text, struct rf_error *err)
{
    static const char hex[] = "0123456789abcdef";
    static const char letters[32] = {['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't'};
    size_t begin = 0;

    RF_TRY(rf_text_reserve(out, text.count + 2, err));
    RF_TRY(rf_text_append_char(out, '"', err));
    for (size_t i = 0; i < text.count; i++) {
        const unsigned char c = (unsigned char)text.data[i];
        if (c >= 0x80) {
            const size_t sequence = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : 2;
            if (sequence <= text.count - i && rf_utf8_is_valid((struct rf_str){text.data + i, sequence})) {
                i += sequence - 1;
                continue;
            }
        } else if (c >= 0x20 && c != '"' && c != '\\') {
            continue;
        }
        RF_TRY(rf_text_append(out, (struct rf_str){text.data + begin, i - begin}, err));
        begin = i + 1;
        if (c >= 0x80) {
            RF_TRY(rf_text_append(out, RF_STR("\xef\xbf\xbd"), err));
            continue;
        }
        char escape[6] = {'\\', (char)c, '0', '0', hex[c >> 4], hex[c & 15]};
        size_t escape_bytes = 2;
        if (c < 0x20 && letters[c] != 0) {
            escape[1] = letters[c];
        } else if (c < 0x20) {
            escape[1] = 'u';
            escape_bytes = sizeof escape;
        }
        RF_TRY(rf_text_append(out, (struct rf_str){escape, escape_bytes}, err));
    }
    RF_TRY(rf_text_append(out, (struct rf_str){text.data + begin, text.count - begin}, err));
    return rf_text_append_char(out, '"', err);
}
