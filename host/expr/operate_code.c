/* The family CODE of operate.h: base64 and digests.
 *
 * Ownership  results are in the arena.
 * Source     host/base/base64.h for which texts are base64; cel-go's encoders extension for the names.
 */
#include <assert.h>

#include "base64.h"
#include "digest.h"
#include "operate.h"
#include "utf8.h"

enum { SHOWN_MAX = 60 /* bytes of a text from a message in the text of an error */ };

static struct rf_value code_base64_encode(const struct rf_value *args, struct rf_arena *arena)
{
    if (args[0].type != RF_TYPE_BYTES) {
        return rf_operate_no_overload(RF_FN_BASE64_ENCODE, args, 1, arena);
    }
    /* A text with all the room that it will ask for does not grow, so that it may lie in the arena. */
    struct rf_text text = {.capacity = args[0].text.count / 3 * 4 + 4};
    text.data = rf_arena_push(arena, text.capacity, 1, 1);
    if (text.data == NULL) {
        return rf_value_error(RF_ERROR_TOO_LARGE);
    }
    const char *const data = text.data;
    struct rf_error err;
    const enum rf_status status = rf_base64_append(&text, args[0].text, &err);
    assert(status == RF_OK && text.data == data);
    (void)status;
    (void)data;
    return rf_value_string(rf_text_str(&text));
}

static struct rf_value code_base64_decode(const struct rf_value *args, struct rf_arena *arena)
{
    if (args[0].type != RF_TYPE_STRING) {
        return rf_operate_no_overload(RF_FN_BASE64_DECODE, args, 1, arena);
    }
    const struct rf_str text = args[0].text;
    char *const bytes = rf_arena_push(arena, text.count / 4 + 1, 3, 1);
    if (bytes == NULL) {
        return rf_value_error(RF_ERROR_TOO_LARGE);
    }
    size_t count = 0;
    if (!rf_base64_decode(text, bytes, &count)) {
        struct rf_str shown = {text.data, text.count < SHOWN_MAX ? text.count : SHOWN_MAX};
        shown.count = rf_utf8_valid_count(shown);
        return rf_operate_error(arena, "'%.*s' is not base64", RF_STR_ARG(shown));
    }
    return (struct rf_value){.type = RF_TYPE_BYTES, .text = {bytes, count}};
}

static struct rf_value code_digest(enum rf_function function, const struct rf_value *args, struct rf_arena *arena)
{
    static const char hex_digit[] = "0123456789abcdef";
    if (args[0].type != RF_TYPE_STRING && args[0].type != RF_TYPE_BYTES) {
        return rf_operate_no_overload(function, args, 1, arena);
    }
    if (function == RF_FN_XXH64) {
        return rf_value_uint(rf_digest_xxh64(args[0].text));
    }
    char *const text = rf_arena_push(arena, RF_SHA256_BYTES, 2, 1);
    if (text == NULL) {
        return rf_value_error(RF_ERROR_TOO_LARGE);
    }
    uint8_t digest[RF_SHA256_BYTES];
    rf_digest_sha256(args[0].text, digest);
    for (size_t i = 0; i < RF_SHA256_BYTES; i++) {
        text[2 * i] = hex_digit[digest[i] >> 4];
        text[2 * i + 1] = hex_digit[digest[i] & 15];
    }
    return rf_value_string((struct rf_str){text, 2 * RF_SHA256_BYTES});
}

struct rf_value rf_operate_code(enum rf_function function, const struct rf_value *args, uint32_t count,
                                struct rf_arena *arena)
{
    (void)count;
    switch (function) {
    case RF_FN_BASE64_ENCODE:
        return code_base64_encode(args, arena);
    case RF_FN_BASE64_DECODE:
        return code_base64_decode(args, arena);
    default:
        return code_digest(function, args, arena);
    }
}
