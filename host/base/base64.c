#include "base64.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* One more than the value of a symbol, so that bytes which are none have 0. */
static const uint8_t symbols[256] = {
    ['A'] = 1,  ['B'] = 2,  ['C'] = 3,  ['D'] = 4,  ['E'] = 5,  ['F'] = 6,  ['G'] = 7,  ['H'] = 8,
    ['I'] = 9,  ['J'] = 10, ['K'] = 11, ['L'] = 12, ['M'] = 13, ['N'] = 14, ['O'] = 15, ['P'] = 16,
    ['Q'] = 17, ['R'] = 18, ['S'] = 19, ['T'] = 20, ['U'] = 21, ['V'] = 22, ['W'] = 23, ['X'] = 24,
    ['Y'] = 25, ['Z'] = 26, ['a'] = 27, ['b'] = 28, ['c'] = 29, ['d'] = 30, ['e'] = 31, ['f'] = 32,
    ['g'] = 33, ['h'] = 34, ['i'] = 35, ['j'] = 36, ['k'] = 37, ['l'] = 38, ['m'] = 39, ['n'] = 40,
    ['o'] = 41, ['p'] = 42, ['q'] = 43, ['r'] = 44, ['s'] = 45, ['t'] = 46, ['u'] = 47, ['v'] = 48,
    ['w'] = 49, ['x'] = 50, ['y'] = 51, ['z'] = 52, ['0'] = 53, ['1'] = 54, ['2'] = 55, ['3'] = 56,
    ['4'] = 57, ['5'] = 58, ['6'] = 59, ['7'] = 60, ['8'] = 61, ['9'] = 62, ['+'] = 63, ['/'] = 64,
};

enum rf_status rf_base64_append(struct rf_text *out, struct rf_str bytes, struct rf_error *err)
{
    RF_TRY(rf_text_reserve(out, bytes.count / 3 * 4 + 4, err));
    for (size_t i = 0; i < bytes.count; i += 3) {
        const size_t left = bytes.count - i < 3 ? bytes.count - i : 3;
        uint32_t group = 0;
        for (size_t b = 0; b < 3; b++) {
            group = group << 8 | (b < left ? (uint8_t)bytes.data[i + b] : 0);
        }
        char *to = out->data + out->count;
        to[0] = alphabet[group >> 18];
        to[1] = alphabet[(group >> 12) & 63];
        to[2] = left > 1 ? alphabet[(group >> 6) & 63] : '=';
        to[3] = left > 2 ? alphabet[group & 63] : '=';
        out->count += 4;
    }
    return RF_OK;
}

bool rf_base64_decode(struct rf_str text, char *out, size_t *count)
{
    size_t bytes = 0;
    size_t left = text.count;
    if (left != 0 && left % 4 == 0 && text.data[left - 1] == '=') {
        left -= text.data[left - 2] == '=' ? 2 : 1;
    }
    if (left % 4 == 1) {
        return false;
    }
    for (size_t i = 0; i < left; i += 4) {
        const size_t taken = left - i < 4 ? left - i : 4;
        uint32_t group = 0;
        for (size_t s = 0; s < 4; s++) {
            const uint8_t symbol = s < taken ? symbols[(uint8_t)text.data[i + s]] : 1;
            if (symbol == 0) {
                return false;
            }
            group = group << 6 | (symbol - 1u);
        }
        for (size_t b = 0; b + 1 < taken; b++) {
            out[bytes++] = (char)(uint8_t)(group >> (16 - 8 * b));
        }
    }
    *count = bytes;
    return true;
}
