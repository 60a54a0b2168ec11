/* Number text: rf_number_from_json against a plain reading of the RFC 8259 grammar and strtod, and the texts that
 * numbers are written as against what reads them back. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "number.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t digits_end(const char *text, size_t at)
{
    while (isdigit((unsigned char)text[at])) {
        at++;
    }
    return at;
}

/* text is zero-terminated and count long; a zero byte inside ends no number. */
static bool grammar_accepts(const char *text, size_t count, bool *is_integer)
{
    size_t at = text[0] == '-' ? 1 : 0;
    size_t begin = at;
    *is_integer = true;
    at = digits_end(text, at);
    if (at == begin || (text[begin] == '0' && at - begin > 1)) {
        return false;
    }
    if (text[at] == '.') {
        *is_integer = false;
        begin = at + 1;
        at = digits_end(text, begin);
        if (at == begin) {
            return false;
        }
    }
    if (text[at] == 'e' || text[at] == 'E') {
        *is_integer = false;
        begin = at + 1;
        begin += text[begin] == '+' || text[begin] == '-';
        at = digits_end(text, begin);
        if (at == begin) {
            return false;
        }
    }
    return at == count;
}

static void require(bool is_true)
{
    if (!is_true) {
        abort();
    }
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* A double that is written must read back as itself. */
static void check_written(double value)
{
    char text[RF_NUMBER_TEXT_MAX];
    struct rf_number again;
    const size_t count = rf_double_to_text(value, text);
    require(count < RF_NUMBER_TEXT_MAX);
    require(rf_number_from_json((struct rf_str){text, count}, &again) == RF_NUMBER_OK);
    require(same_bits(rf_number_to_double(again), value));
}

static void check_exact(const char *text, struct rf_number number)
{
    char written[RF_NUMBER_TEXT_MAX];
    const size_t count =
        number.kind == RF_NUMBER_INT ? rf_int_to_text(number.as.i, written) : rf_uint_to_text(number.as.u, written);
    require(rf_str_equal(rf_str_of(text), (struct rf_str){written, count}));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* An exact heap copy for the function under test, and a terminated one for the library. */
    char *const token = malloc(size == 0 ? 1 : size);
    char *const text = malloc(size + 1);
    struct rf_number number;
    bool is_integer = false;
    require(token != NULL && text != NULL);
    if (size != 0) {
        memcpy(token, data, size);
        memcpy(text, data, size);
    }
    text[size] = '\0';

    const enum rf_number_verdict verdict = rf_number_from_json((struct rf_str){token, size}, &number);
    require((verdict != RF_NUMBER_BAD) == grammar_accepts(text, size, &is_integer));
    if (verdict != RF_NUMBER_BAD) {
        const double expected = strtod(text, NULL);
        require((verdict == RF_NUMBER_RANGE) == (bool)isinf(expected));
        require(same_bits(rf_number_to_double(number), expected));
        if (number.kind != RF_NUMBER_DOUBLE) {
            require(is_integer);
            check_exact(text, number);
        } else if (verdict == RF_NUMBER_OK) {
            check_written(number.as.d);
        }
    }
    if (size == sizeof(double)) {
        double value;
        memcpy(&value, data, sizeof value);
        if (isfinite(value)) {
            check_written(value);
        }
    }
    free(text);
    free(token);
    return 0;
}
