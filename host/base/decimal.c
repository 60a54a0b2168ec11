/* Decimal text to double and back: rf_double_from_decimal and rf_double_to_text of number.h. */
#include "number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    POW5_LOWEST = -342,
    POW5_HIGHEST = 308,
    EXACT_POWER_MAX = 22, /* 10^22 is the largest power of ten that a double holds exactly */
    MANTISSA_BITS = 52,   /* stored bits of a double */
    EXPONENT_BIAS = 1023,
    EXPONENT_INFINITE = 0x7ff,
    /* A double that lies half way between two others has at most 767 significant decimal digits, so that one
     * more digit, which says whether anything but zeros follows, decides every case. */
    DECISIVE_DIGITS = 768,
    EXPONENT_TEXT_BYTES = 24
};

/* An explicit exponent is cut here. Texts are shorter than 2^40 bytes, so no fraction brings it back. */
static const int64_t exponent_limit = (int64_t)1 << 50;

static const double exact_power[EXACT_POWER_MAX + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                        1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static const struct {
    uint64_t high;
    uint64_t low;
} pow5[POW5_HIGHEST - POW5_LOWEST + 1] = {
#define RF_POW5(q, high, low) [(q) - (POW5_LOWEST)] = {high, low},
#include "pow5.def"
#undef RF_POW5
};

struct wide { /* 128 bits */
    uint64_t high;
    uint64_t low;
};

static struct wide wide_multiply(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 uint128;
    const uint128 product = (uint128)a * b;
    return (struct wide){(uint64_t)(product >> 64), (uint64_t)product};
}

static double double_of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Eisel-Lemire: mantissa times the 128 leading bits of 5^exponent, of which the upper 55 bits and what is below
 * them decide the rounding. False when they leave it open, which the paper's bound leaves possible only
 * outside -27..55. mantissa is not 0. */
static bool decimal_by_table(uint64_t mantissa, int64_t exponent, double *out)
{
    if (exponent < POW5_LOWEST) {
        *out = 0.0;
        return true;
    }
    if (exponent > POW5_HIGHEST) {
        *out = HUGE_VAL;
        return true;
    }
    const int q = (int)exponent;
    const int leading_zeros = __builtin_clzll(mantissa);
    const uint64_t shifted = mantissa << leading_zeros;
    struct wide product = wide_multiply(shifted, pow5[q - POW5_LOWEST].high);
    /* 55 bits are needed; only when the 9 below are all ones can the lower half of the power carry into them. */
    if ((product.high & 0x1ff) == 0x1ff) {
        const struct wide rest = wide_multiply(shifted, pow5[q - POW5_LOWEST].low);
        product.low += rest.high;
        product.high += product.low < rest.high;
        if (product.low == UINT64_MAX && (q < -27 || q > 55)) {
            return false;
        }
    }
    const int upper_bit = (int)(product.high >> 63);
    const int shift = upper_bit + 64 - MANTISSA_BITS - 3;
    uint64_t bits = product.high >> shift; /* 54 bits: one more than the double has, for rounding */
    /* floor(q * log2(10)) as a fraction with 16 bits below the point; right for |q| <= 342. */
    int binary_exponent = ((217706 * q) >> 16) + 63 + upper_bit - leading_zeros + EXPONENT_BIAS;

    if (binary_exponent <= 0) {
        /* Subnormal: exact ties cannot happen this far down. */
        if (1 - binary_exponent >= 64) {
            *out = 0.0;
            return true;
        }
        bits >>= 1 - binary_exponent;
        bits = (bits + (bits & 1)) >> 1;
        /* Rounding up to 2^52 makes the smallest normal number, whose bits are the same integer. */
        *out = double_of_bits(bits);
        return true;
    }
    /* A tie needs 5^q to divide or be held by 64 bits, which is so for -4..23 only. Rounding below is half up;
     * clearing the last bit turns a tie above an even number into half to even. */
    if (product.low <= 1 && q >= -4 && q <= 23 && (bits & 3) == 1 && bits << shift == product.high) {
        bits &= ~(uint64_t)1;
    }
    bits = (bits + (bits & 1)) >> 1;
    if (bits >> (MANTISSA_BITS + 1) != 0) {
        bits >>= 1;
        binary_exponent++;
    }
    if (binary_exponent >= EXPONENT_INFINITE) {
        *out = HUGE_VAL;
        return true;
    }
    bits &= ((uint64_t)1 << MANTISSA_BITS) - 1;
    *out = double_of_bits(bits | (uint64_t)binary_exponent << MANTISSA_BITS);
    return true;
}

/* strtod over the significant digits of a token, without its point, so that no locale and no length matters. */
static double decimal_by_library(struct rf_str text)
{
    char digits[DECISIVE_DIGITS + EXPONENT_TEXT_BYTES + 2];
    size_t count = 0;
    size_t at = 0;
    int64_t exponent = 0;
    bool is_fraction = false;
    bool has_more = false;

    if (at < text.count && (text.data[at] == '-' || text.data[at] == '+')) {
        at++;
    }
    for (; at < text.count; at++) {
        const char c = text.data[at];
        if (c == '.' && !is_fraction) {
            is_fraction = true;
            continue;
        }
        if (c < '0' || c > '9') {
            break;
        }
        if (count == DECISIVE_DIGITS) {
            has_more = has_more || c != '0';
            exponent += !is_fraction;
            continue;
        }
        if (count != 0 || c != '0') {
            digits[count++] = c;
        }
        exponent -= is_fraction;
    }
    if (at < text.count && (text.data[at] | 0x20) == 'e') {
        int64_t written = 0;
        bool is_negative = false;
        at++;
        if (at < text.count && (text.data[at] == '-' || text.data[at] == '+')) {
            is_negative = text.data[at] == '-';
            at++;
        }
        for (; at < text.count && text.data[at] >= '0' && text.data[at] <= '9'; at++) {
            if (written < exponent_limit) {
                written = written * 10 + (text.data[at] - '0');
            }
        }
        exponent += is_negative ? -written : written;
    }
    if (count == 0) {
        return 0.0;
    }
    if (has_more) {
        digits[count++] = '1';
        exponent--;
    }
    snprintf(digits + count, EXPONENT_TEXT_BYTES, "e%lld", (long long)exponent);
    return strtod(digits, NULL);
}

double rf_double_from_decimal(uint64_t mantissa, int64_t exponent, bool is_truncated, struct rf_str text)
{
    double value;
    if (mantissa == 0 && !is_truncated) {
        return 0.0;
    }
    if (!is_truncated && mantissa >> (MANTISSA_BITS + 1) == 0 && exponent >= -EXACT_POWER_MAX &&
        exponent <= EXACT_POWER_MAX) {
        /* Both operands are exact, so the one operation rounds correctly (Clinger). */
        value = (double)mantissa;
        return exponent < 0 ? value / exact_power[-exponent] : value * exact_power[exponent];
    }
    if (mantissa != 0 && decimal_by_table(mantissa, exponent, &value)) {
        double above;
        if (!is_truncated) {
            return value;
        }
        /* The true number lies between mantissa and mantissa + 1. */
        if (mantissa != UINT64_MAX && decimal_by_table(mantissa + 1, exponent, &above) && above == value) {
            return value;
        }
    }
    if (is_truncated) {
        return decimal_by_library(text);
    }
    char digits[RF_NUMBER_TEXT_MAX + EXPONENT_TEXT_BYTES];
    snprintf(digits, sizeof digits, "%llue%lld", (unsigned long long)mantissa, (long long)exponent);
    return strtod(digits, NULL);
}

static size_t digits_write(uint64_t value, char *text)
{
    char reversed[20];
    size_t count = 0;
    do {
        reversed[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    for (size_t i = 0; i < count; i++) {
        text[i] = reversed[count - 1 - i];
    }
    return count;
}

size_t rf_uint_to_text(uint64_t value, char text[RF_NUMBER_TEXT_MAX])
{
    return digits_write(value, text);
}

size_t rf_int_to_text(int64_t value, char text[RF_NUMBER_TEXT_MAX])
{
    if (value >= 0) {
        return digits_write((uint64_t)value, text);
    }
    text[0] = '-';
    return 1 + digits_write(0 - (uint64_t)value, text + 1);
}

/* Numbers with at most 15 significant digits, `places` of them behind the point: a decimal of that length is
 * the only one that its double prints as, so the first one that divides back is the shortest. */
static size_t double_to_short_text(double magnitude, char *text)
{
    enum { PLACES_MAX = 8 };
    for (int places = 1; places <= PLACES_MAX; places++) {
        const double scaled = magnitude * exact_power[places];
        if (scaled >= 1e15) {
            return 0;
        }
        const uint64_t digits = (uint64_t)(scaled + 0.5);
        if ((double)digits / exact_power[places] == magnitude) {
            const uint64_t unit = (uint64_t)exact_power[places];
            size_t count = digits_write(digits / unit, text);
            uint64_t fraction = digits % unit;
            text[count] = '.';
            for (int i = places; i > 0; i--) {
                text[count + (size_t)i] = (char)('0' + fraction % 10);
                fraction /= 10;
            }
            return count + 1 + (size_t)places;
        }
    }
    return 0;
}

size_t rf_double_to_text(double value, char text[RF_NUMBER_TEXT_MAX])
{
    const double magnitude = fabs(value);
    size_t sign = 0;
    if (signbit(value)) {
        text[sign++] = '-';
    }
    if (magnitude < 9007199254740992.0 && magnitude == floor(magnitude)) {
        return sign + digits_write((uint64_t)magnitude, text + sign);
    }
    if (magnitude >= 1e-4 && magnitude < 1e14) {
        const size_t count = double_to_short_text(magnitude, text + sign);
        if (count != 0) {
            return sign + count;
        }
    }
    /* Subnormals have fewer digits than any 15 that a normal number keeps. */
    int count = 0;
    for (int precision = magnitude < 0x1p-1022 ? 1 : 15; precision <= 17; precision++) {
        count = snprintf(text, RF_NUMBER_TEXT_MAX, "%.*g", precision, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    return (size_t)count;
}
