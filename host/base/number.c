#include "number.h"

#include <math.h>

enum { MANTISSA_DIGITS_MAX = 19 }; /* any 19 digits fit 64 bits */

static const uint64_t exact_integer_max = (uint64_t)1 << 53;
/* Far beyond what any token can bring back with digits, far below an overflow. */
static const int64_t exponent_limit = (int64_t)1 << 50;

static enum rf_order order_of_uints(uint64_t a, uint64_t b)
{
    return a < b ? RF_ORDER_LESS : a > b ? RF_ORDER_GREATER : RF_ORDER_EQUAL;
}

static enum rf_order order_of_ints(int64_t a, int64_t b)
{
    return a < b ? RF_ORDER_LESS : a > b ? RF_ORDER_GREATER : RF_ORDER_EQUAL;
}

static enum rf_order order_of_doubles(double a, double b)
{
    return a < b ? RF_ORDER_LESS : a > b ? RF_ORDER_GREATER : a == b ? RF_ORDER_EQUAL : RF_ORDER_NONE;
}

static enum rf_order order_reversed(enum rf_order order)
{
    return order == RF_ORDER_LESS ? RF_ORDER_GREATER : order == RF_ORDER_GREATER ? RF_ORDER_LESS : order;
}

static enum rf_order order_of_int_double(int64_t a, double b)
{
    if (isnan(b)) {
        return RF_ORDER_NONE;
    }
    if (b >= 0x1p63) {
        return RF_ORDER_LESS;
    }
    if (b < -0x1p63) {
        return RF_ORDER_GREATER;
    }
    const int64_t whole = (int64_t)b;
    return a != whole ? order_of_ints(a, whole) : order_of_doubles((double)whole, b);
}

static enum rf_order order_of_uint_double(uint64_t a, double b)
{
    if (isnan(b)) {
        return RF_ORDER_NONE;
    }
    if (b >= 0x1p64) {
        return RF_ORDER_LESS;
    }
    if (b < 0.0) {
        return RF_ORDER_GREATER;
    }
    const uint64_t whole = (uint64_t)b;
    return a != whole ? order_of_uints(a, whole) : order_of_doubles((double)whole, b);
}

enum rf_order rf_number_compare(struct rf_number a, struct rf_number b)
{
    if (a.kind == b.kind) {
        switch (a.kind) {
        case RF_NUMBER_INT:
            return order_of_ints(a.as.i, b.as.i);
        case RF_NUMBER_UINT:
            return order_of_uints(a.as.u, b.as.u);
        case RF_NUMBER_DOUBLE:
            break;
        }
        return order_of_doubles(a.as.d, b.as.d);
    }
    /* The other half of the mixed pairs is these three, turned round. */
    if (a.kind == RF_NUMBER_INT && b.kind == RF_NUMBER_UINT) {
        return a.as.i < 0 ? RF_ORDER_LESS : order_of_uints((uint64_t)a.as.i, b.as.u);
    }
    if (a.kind == RF_NUMBER_INT && b.kind == RF_NUMBER_DOUBLE) {
        return order_of_int_double(a.as.i, b.as.d);
    }
    if (a.kind == RF_NUMBER_UINT && b.kind == RF_NUMBER_DOUBLE) {
        return order_of_uint_double(a.as.u, b.as.d);
    }
    return order_reversed(rf_number_compare(b, a));
}

double rf_number_to_double(struct rf_number n)
{
    switch (n.kind) {
    case RF_NUMBER_INT:
        return (double)n.as.i;
    case RF_NUMBER_UINT:
        return (double)n.as.u;
    case RF_NUMBER_DOUBLE:
        break;
    }
    return n.as.d;
}

/* A token taken apart. mantissa is the digits modulo 2^64: right only while they are at most 19. */
struct number_parts {
    const char *digits; /* first digit */
    const char *point;  /* the '.', or where it would be */
    const char *tail;   /* one past the last digit of the mantissa */
    uint64_t mantissa;
    int64_t exponent; /* as written */
    bool is_negative;
    bool is_integer; /* neither '.' nor exponent */
};

static bool is_digit(const char *at, const char *end)
{
    return at < end && (unsigned char)(*at - '0') < 10;
}

static const char *digits_take(const char *at, const char *end, uint64_t *mantissa)
{
    uint64_t value = *mantissa;
    while (is_digit(at, end)) {
        value = value * 10 + (uint64_t)(*at - '0');
        at++;
    }
    *mantissa = value;
    return at;
}

static bool exponent_take(const char *at, const char *end, int64_t *exponent)
{
    bool is_negative = false;
    int64_t value = 0;
    if (at < end && (*at == '-' || *at == '+')) {
        is_negative = *at == '-';
        at++;
    }
    if (!is_digit(at, end)) {
        return false;
    }
    for (; is_digit(at, end); at++) {
        if (value < exponent_limit) {
            value = value * 10 + (*at - '0');
        }
    }
    *exponent = is_negative ? -value : value;
    return at == end;
}

static bool number_split(struct rf_str text, struct number_parts *parts)
{
    const char *at = text.data;
    const char *const end = at + text.count;
    *parts = (struct number_parts){.is_integer = true};
    if (at < end && *at == '-') {
        parts->is_negative = true;
        at++;
    }
    parts->digits = at;
    if (!is_digit(at, end)) {
        return false;
    }
    if (*at == '0') {
        at++;
        if (is_digit(at, end)) {
            return false;
        }
    } else {
        at = digits_take(at, end, &parts->mantissa);
    }
    parts->point = at;
    if (at < end && *at == '.') {
        parts->is_integer = false;
        at++;
        if (!is_digit(at, end)) {
            return false;
        }
        at = digits_take(at, end, &parts->mantissa);
    }
    parts->tail = at;
    if (at < end && (*at | 0x20) == 'e') {
        parts->is_integer = false;
        return exponent_take(at + 1, end, &parts->exponent);
    }
    return at == end;
}

/* The first 19 significant digits of a longer mantissa; adjusts the exponent for those dropped. */
static uint64_t mantissa_cut(const struct number_parts *parts, int64_t *exponent, bool *is_truncated)
{
    uint64_t mantissa = 0;
    int taken = 0;
    for (const char *at = parts->digits; at < parts->tail; at++) {
        if (at == parts->point) {
            continue;
        }
        const bool is_fraction = at > parts->point;
        if (taken < MANTISSA_DIGITS_MAX) {
            mantissa = mantissa * 10 + (uint64_t)(*at - '0');
            taken += mantissa != 0;
            *exponent -= is_fraction;
        } else {
            *is_truncated = *is_truncated || *at != '0';
            *exponent += !is_fraction;
        }
    }
    return mantissa;
}

static struct rf_number number_of_double(double value)
{
    return (struct rf_number){.kind = RF_NUMBER_DOUBLE, .as.d = value};
}

/* Integers of up to 64 bits keep their exact value; false when the token is none of those. */
static bool number_from_integer(const struct number_parts *parts, struct rf_number *out)
{
    const size_t digits = (size_t)(parts->tail - parts->digits);
    const uint64_t value = parts->mantissa;
    /* 20 digits that start with 1 wrap round once at most, and then land below 10^19; other 20 digits are too
     * large anyway. */
    if (digits > MANTISSA_DIGITS_MAX + 1 ||
        (digits == MANTISSA_DIGITS_MAX + 1 && (*parts->digits != '1' || value < 10000000000000000000u))) {
        return false;
    }
    if (value <= exact_integer_max) {
        const double magnitude = (double)value;
        *out = number_of_double(parts->is_negative ? -magnitude : magnitude);
        return true;
    }
    if (value <= INT64_MAX) {
        const int64_t magnitude = (int64_t)value;
        *out = (struct rf_number){.kind = RF_NUMBER_INT, .as.i = parts->is_negative ? -magnitude : magnitude};
        return true;
    }
    if (!parts->is_negative) {
        *out = (struct rf_number){.kind = RF_NUMBER_UINT, .as.u = value};
        return true;
    }
    if (value == (uint64_t)INT64_MAX + 1) {
        *out = (struct rf_number){.kind = RF_NUMBER_INT, .as.i = INT64_MIN};
        return true;
    }
    return false;
}

bool rf_number_is_json(struct rf_str text)
{
    struct number_parts parts;
    return text.count != 0 && number_split(text, &parts);
}

enum rf_number_verdict rf_number_from_json(struct rf_str text, struct rf_number *out)
{
    struct number_parts parts;
    if (text.count == 0 || !number_split(text, &parts)) {
        return RF_NUMBER_BAD;
    }
    if (parts.is_integer && number_from_integer(&parts, out)) {
        return RF_NUMBER_OK;
    }
    uint64_t mantissa = parts.mantissa;
    int64_t exponent = parts.exponent;
    bool is_truncated = false;
    if (parts.tail - parts.digits <= MANTISSA_DIGITS_MAX) {
        exponent -= parts.tail > parts.point ? parts.tail - parts.point - 1 : 0;
    } else {
        mantissa = mantissa_cut(&parts, &exponent, &is_truncated);
    }
    const double magnitude = rf_double_from_decimal(mantissa, exponent, is_truncated, text);
    *out = number_of_double(parts.is_negative ? -magnitude : magnitude);
    return isinf(magnitude) ? RF_NUMBER_RANGE : RF_NUMBER_OK;
}
