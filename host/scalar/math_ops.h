/* math_ops.h: the numbers of CEL's math extension and its conversions, where C has no plain function for them.
 *
 * Purpose    What C does have is not wrapped: ceil, floor, trunc, fabs, isnan, isinf, isfinite, and the operators of
 *            bits. All of it is inline: each is a few instructions in a loop over a column.
 * Threads    pure functions.
 * Errors     false: the value is out of range; the result is then unchanged.
 * Source     CEL's conformance suite, math_ext and conversions, and the language definition on conversions.
 */
#ifndef RF_MATH_OPS_H
#define RF_MATH_OPS_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* To the nearest whole number, halves away from zero; NaN and infinities stay. */
static inline double rf_math_round(double value)
{
    return round(value);
}

/* -1, 0 or 1; NaN stays, and both zeros give 0. */
static inline double rf_math_sign(double value)
{
    return isnan(value) ? value : (double)((value > 0.0) - (value < 0.0));
}

static inline int64_t rf_math_sign_int(int64_t value)
{
    return (value > 0) - (value < 0);
}

/* False for the one value that has no opposite. */
static inline bool rf_math_abs_int(int64_t value, int64_t *out)
{
    if (value == INT64_MIN) {
        return false;
    }
    *out = value < 0 ? -value : value;
    return true;
}

/* Rounded to the precision of a float. What is beyond its range rounds as IEEE 754 has it, which C leaves open: from half
 * way between the greatest float and 2^128 on to an infinity. */
static inline double rf_math_to_float(double value)
{
    const double magnitude = fabs(value);
    if (magnitude > (double)FLT_MAX) {
        return copysign(magnitude < 0x1.ffffffp127 ? (double)FLT_MAX : (double)INFINITY, value);
    }
    return (double)(float)value;
}

enum { RF_MATH_BITS = 64 };

/* Of the bits of an int or uint. Shifting by 64 or more gives 0; false: count is negative. */
static inline bool rf_math_shift_left(uint64_t value, int64_t count, uint64_t *out)
{
    if (count < 0) {
        return false;
    }
    *out = count < RF_MATH_BITS ? value << count : 0;
    return true;
}

/* The same to the right; zeros come in from the left, for negative ints too. */
static inline bool rf_math_shift_right(uint64_t value, int64_t count, uint64_t *out)
{
    if (count < 0) {
        return false;
    }
    *out = count < RF_MATH_BITS ? value >> count : 0;
    return true;
}

/* CEL int(double): cut toward zero. The value must lie strictly between -2^63 and 2^63: INT64_MAX is no double, and
 * what rounds to 2^63 would not come back. NaN is in no range. */
static inline bool rf_math_to_int(double value, int64_t *out)
{
    if (!(value > -0x1p63 && value < 0x1p63)) {
        return false;
    }
    *out = (int64_t)value;
    return true;
}

/* CEL uint(double): cut toward zero. From 0, which may be negative, to below 2^64; -0.5 is refused although it would be
 * cut to 0. */
static inline bool rf_math_to_uint(double value, uint64_t *out)
{
    if (!(value >= 0.0 && value < 0x1p64)) {
        return false;
    }
    *out = (uint64_t)value;
    return true;
}

#endif
