#include "parse_text.h"

#include <math.h>

#include "chars.h"
#include "number.h"

enum { MANTISSA_DIGITS_MAX = 19 }; /* any 19 digits fit 64 bits */

/* An exponent is cut here: no text is long enough to bring it back with digits. */
static const int64_t exponent_limit = (int64_t)1 << 50;

static struct rf_str text_from(struct rf_str text, size_t begin)
{
    return text.count == 0 ? text : (struct rf_str){text.data + begin, text.count - begin};
}

/* Moves *at behind a sign, if there is one. */
static bool sign_take(struct rf_str text, size_t *at)
{
    if (*at < text.count && (text.data[*at] == '-' || text.data[*at] == '+')) {
        return text.data[(*at)++] == '-';
    }
    return false;
}

/* 0..9, or more for a byte that is no digit and for the end. */
static unsigned digit_at(struct rf_str text, size_t at)
{
    return at < text.count ? (unsigned char)(text.data[at] - '0') : 10;
}

bool rf_text_to_uint(struct rf_str text, uint64_t *out)
{
    uint64_t value = 0;
    for (size_t i = 0; i < text.count; i++) {
        const unsigned digit = digit_at(text, i);
        if (digit > 9 || __builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, digit, &value)) {
            return false;
        }
    }
    if (text.count == 0) {
        return false;
    }
    *out = value;
    return true;
}

bool rf_text_to_int(struct rf_str text, int64_t *out)
{
    size_t begin = 0;
    uint64_t magnitude;
    const bool is_negative = sign_take(text, &begin);
    if (!rf_text_to_uint(text_from(text, begin), &magnitude) || magnitude > (uint64_t)INT64_MAX + is_negative) {
        return false;
    }
    if (is_negative && magnitude > INT64_MAX) {
        *out = INT64_MIN;
        return true;
    }
    *out = is_negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return true;
}

struct decimal {
    uint64_t mantissa; /* the first 19 significant digits */
    int64_t exponent;  /* of ten */
    bool is_truncated; /* digits other than 0 were left out */
};

/* The exponent behind an e, to the end of the text. */
static bool exponent_take(struct rf_str text, size_t at, int64_t *exponent)
{
    int64_t value = 0;
    const bool is_negative = sign_take(text, &at);
    if (digit_at(text, at) > 9) {
        return false;
    }
    for (; digit_at(text, at) <= 9; at++) {
        if (value < exponent_limit) {
            value = value * 10 + (int64_t)digit_at(text, at);
        }
    }
    *exponent += is_negative ? -value : value;
    return at == text.count;
}

/* The whole text, which has no sign, as a decimal number. */
static bool decimal_take(struct rf_str text, struct decimal *out)
{
    size_t at = 0;
    int taken = 0;
    bool has_digit = false;
    bool has_point = false;
    *out = (struct decimal){.mantissa = 0};
    for (; at < text.count; at++) {
        const unsigned digit = digit_at(text, at);
        if (digit > 9) {
            if (text.data[at] != '.' || has_point) {
                break;
            }
            has_point = true;
            continue;
        }
        has_digit = true;
        if (taken < MANTISSA_DIGITS_MAX) {
            out->mantissa = out->mantissa * 10 + digit;
            taken += out->mantissa != 0;
            out->exponent -= has_point;
        } else {
            out->is_truncated = out->is_truncated || digit != 0;
            out->exponent += !has_point;
        }
    }
    if (!has_digit) {
        return false;
    }
    if (at < text.count && (text.data[at] | 0x20) == 'e') {
        return exponent_take(text, at + 1, &out->exponent);
    }
    return at == text.count;
}

bool rf_text_to_double(struct rf_str text, double *out)
{
    size_t begin = 0;
    struct decimal decimal;
    const bool is_negative = sign_take(text, &begin);
    const struct rf_str magnitude = text_from(text, begin);
    if (begin == 0 && rf_chars_equal_ascii(text, RF_STR("nan"))) {
        *out = (double)NAN;
        return true;
    }
    double value;
    if (rf_chars_equal_ascii(magnitude, RF_STR("inf")) || rf_chars_equal_ascii(magnitude, RF_STR("infinity"))) {
        value = HUGE_VAL;
    } else {
        if (!decimal_take(magnitude, &decimal)) {
            return false;
        }
        value = rf_double_from_decimal(decimal.mantissa, decimal.exponent, decimal.is_truncated, magnitude);
        if (isinf(value)) {
            return false;
        }
    }
    *out = is_negative ? -value : value;
    return true;
}

bool rf_text_to_bool(struct rf_str text, bool *out)
{
    static const struct {
        const char *text;
        bool value;
    } spellings[] = {{"1", true},  {"t", true},  {"true", true},   {"TRUE", true},   {"True", true},
                     {"0", false}, {"f", false}, {"false", false}, {"FALSE", false}, {"False", false}};
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        if (rf_str_equal(text, rf_str_of(spellings[i].text))) {
            *out = spellings[i].value;
            return true;
        }
    }
    return false;
}
