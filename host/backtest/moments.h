/* moments.h: sum and sum of squares of many numbers, exactly: mean and standard deviation whatever the order.
 *
 * Purpose    Sums of doubles depend on their order, and those of parts do not add up to that of the whole in the last bits. Here
 *            a number is a whole number of steps of 2^-60, below 2^60 in magnitude, and sums are integers.
 * Data       The sum is `sum` + 2^128 sum_high, 192 bits; that of the squares is `squares` + 2^128 squares_middle + 2^256
 *            squares_high, 320 bits. 2^63 numbers fit. What is high changes seldom, which is why additions are cheap.
 * Threads    pure functions.
 * Errors     RF_E_MEMORY of writing.
 * Cost       of an addition: two of 128 bits, where numbers are below 16.
 */
#ifndef RF_MOMENTS_H
#define RF_MOMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "text.h"

enum { RF_STEP_BITS = 60 };

/* In steps of 2^-60. */
__extension__ typedef __int128 rf_steps;
__extension__ typedef unsigned __int128 rf_steps_magnitude;

struct rf_moments {
    rf_steps sum;
    rf_steps_magnitude squares, squares_middle;
    uint64_t sum_high; /* two's complement */
    uint64_t squares_high;
};

/* To the nearest step, half to even. False: not a number, or 2^60 and more. */
bool rf_steps_of(double number, rf_steps *steps);
double rf_steps_to_double(rf_steps steps);

/* Those of one number. */
struct rf_moments rf_moments_of(rf_steps steps);
void rf_moments_add(struct rf_moments *moments, const struct rf_moments *more);

/* Adds one number below 2^64 steps: no more than rf_moments_of(steps) would, but sooner. */
static inline void rf_moments_add_small(struct rf_moments *moments, rf_steps steps, rf_steps_magnitude square)
{
    if (__builtin_expect(__builtin_add_overflow(moments->sum, steps, &moments->sum), false)) {
        moments->sum_high += steps < 0 ? UINT64_MAX : 1;
    }
    if (__builtin_expect(__builtin_add_overflow(moments->squares, square, &moments->squares), false)) {
        moments->squares_high += ++moments->squares_middle == 0;
    }
}

/* count > 0. */
double rf_moments_mean(const struct rf_moments *moments, uint64_t count);
/* Of a sample (n - 1); count > 1. Not a number: these are no moments of so many numbers. */
double rf_moments_deviation(const struct rf_moments *moments, uint64_t count);

/* "SUM","SQUARES" as hexadecimal digits, two's complement. */
enum rf_status rf_moments_write(const struct rf_moments *moments, struct rf_text *out, struct rf_error *err);
/* The inverse of its two texts. False: they are none. */
bool rf_moments_read(struct rf_str sum, struct rf_str squares, struct rf_moments *moments);

#endif
