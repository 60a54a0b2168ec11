/* Base64 and digests on cells (calc.h).
 *
 * Source     host/base/base64.h for which texts are base64; host/expr/operate_code.c says the same of values.
 */
#include <assert.h>

#include "base64.h"
#include "calc_text.h"
#include "digest.h"

static void code_base64_encode(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    if (arg[0].tag != RF_TAG_BYTES) {
        return;
    }
    /* A text with all the room that it will ask for does not grow, so that it may lie in the scratch. */
    struct rf_text text = {.capacity = (size_t)arg[0].length / 3 * 4 + 4};
    text.data = rf_calc_room(run, text.capacity, out);
    if (text.data == NULL) {
        return;
    }
    const char *const data = text.data;
    struct rf_error err;
    const enum rf_status status = rf_base64_append(&text, rf_cell_text(&arg[0]), &err);
    assert(status == RF_OK && text.data == data);
    (void)status;
    (void)data;
    *out = rf_cell_of_text(rf_text_str(&text), RF_TAG_STRING_RAW);
}

static void code_base64_decode(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    if (!rf_cell_is_string(&arg[0])) {
        return;
    }
    const struct rf_arena_mark mark = rf_arena_mark(run->scratch);
    char *const data = rf_calc_room(run, 3 * ((size_t)arg[0].length / 4 + 1), out);
    if (data == NULL) {
        return;
    }
    size_t bytes;
    if (rf_base64_decode(rf_cell_text(&arg[0]), data, &bytes)) {
        *out = rf_cell_of_text((struct rf_str){data, bytes}, RF_TAG_BYTES);
    } else {
        rf_arena_rewind(run->scratch, mark);
    }
}

static bool cell_has_octets(const struct rf_cell *cell)
{
    return rf_cell_is_string(cell) || cell->tag == RF_TAG_BYTES;
}

static void code_xxh64(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    (void)run;
    if (cell_has_octets(&arg[0])) {
        *out = rf_cell_of_uint(rf_digest_xxh64(rf_cell_text(&arg[0])));
    }
}

static void code_sha256(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    static const char hex_digit[] = "0123456789abcdef";
    enum { DIGITS = 2 * RF_SHA256_BYTES };
    if (!cell_has_octets(&arg[0])) {
        return;
    }
    char *const data = rf_calc_room(run, DIGITS, out);
    if (data == NULL) {
        return;
    }
    uint8_t digest[RF_SHA256_BYTES];
    rf_digest_sha256(rf_cell_text(&arg[0]), digest);
    for (size_t i = 0; i < RF_SHA256_BYTES; i++) {
        data[2 * i] = hex_digit[digest[i] >> 4];
        data[2 * i + 1] = hex_digit[digest[i] & 15];
    }
    *out = rf_cell_of_text((struct rf_str){data, DIGITS}, RF_TAG_STRING_RAW);
}

rf_calc_op rf_calc_code_op(enum rf_function function)
{
    switch (function) {
    case RF_FN_BASE64_ENCODE:
        return code_base64_encode;
    case RF_FN_BASE64_DECODE:
        return code_base64_decode;
    case RF_FN_XXH64:
        return code_xxh64;
    case RF_FN_SHA256:
        return code_sha256;
    default:
        return NULL;
    }
}
