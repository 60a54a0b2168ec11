#include "base64.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

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
