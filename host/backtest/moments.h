/* moments.h: sum and sum of squares of many numbers, exactly: mean and standard deviation whatever the order.
 *
 * Purpose    Sums of doubles depend on their order, and those of parts do not add up to that of the whole in the last bits. Here
 *            a number is a whole number of steps of 2^-60, below 2^60 in magnitude, and sums are integers.
 * Data       sum: 192 bits, squares: 320 bits, both two's complement, the lowest limb first. 2^63 numbers fit.
 * Threads    pure functions.
 * Errors     RF_E_MEMORY of writing.
 * Cost       of an addition: eight additions with carry.
 */
#ifndef RF_MOMENTS_H
#define RF_MOMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "text.h"

enum { RF_STEP_BITS = 60, RF_MOMENTS_SUM = 3, RF_MOMENTS_SQUARES = 5 };

/* In steps of 2^-60. */
__extension__ typedef __int128 rf_steps;
__extension__ typedef unsigned __int128 rf_steps_magnitude;

struct rf_moments {
    uint64_t sum[RF_MOMENTS_SUM], squares[RF_MOMENTS_SQUARES];
};

/* To the nearest step, half to even. False: not a number, or 2^60 and more. */
bool rf_steps_of(double number, rf_steps *steps);
double rf_steps_to_double(rf_steps steps);

/* Those of one number. */
struct rf_moments rf_moments_of(rf_steps steps);
void rf_moments_add(struct rf_moments *moments, const struct rf_moments *more);
/* count > 0. */
double rf_moments_mean(const struct rf_moments *moments, uint64_t count);
/* Of a sample (n - 1); count > 1. Not a number: these are no moments of so many numbers. */
double rf_moments_deviation(const struct rf_moments *moments, uint64_t count);

/* "SUM","SQUARES" as hexadecimal digits, two's complement. */
enum rf_status rf_moments_write(const struct rf_moments *moments, struct rf_text *out, struct rf_error *err);
/* The inverse of its two texts. False: they are none. */
bool rf_moments_read(struct rf_str sum, struct rf_str squares, struct rf_moments *moments);

#endif
