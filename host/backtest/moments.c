#include "moments.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { WIDE = 6, SUM = 3, SQUARES = 5, LIMB_BITS = 64, LIMB_DIGITS = 16 };

/* 384 bits, two's complement: a count times the squares, or the square of a sum. */
struct wide {
    uint64_t limb[WIDE];
};

/* ---- Steps ---- */

bool rf_steps_of(double number, rf_steps *steps)
{
    if (!(fabs(number) < 0x1p60)) {
        return false;
    }
    *steps = (rf_steps)rint(ldexp(number, RF_STEP_BITS));
    return true;
}

double rf_steps_to_double(rf_steps steps)
{
    return ldexp((double)steps, -RF_STEP_BITS); /* from 128 bits rounded once */
}

/* ---- Integers of many limbs ---- */

static void limbs_add(uint64_t *to, const uint64_t *from, unsigned limbs)
{
    uint64_t carry = 0;
    for (unsigned i = 0; i < limbs; i++) {
        const uint64_t sum = to[i] + from[i];
        const uint64_t whole = sum + carry;
        carry = (uint64_t)(sum < from[i]) | (uint64_t)(whole < sum);
        to[i] = whole;
    }
}

static void limbs_negate(uint64_t *limb, unsigned limbs)
{
    uint64_t carry = 1;
    for (unsigned i = 0; i < limbs; i++) {
        limb[i] = ~limb[i] + carry;
        carry = carry != 0 && limb[i] == 0;
    }
}

/* a[count_a] * b[count_b], both not negative; what does not fit is 0 in the numbers that moments have. */
static struct wide multiply(const uint64_t *a, unsigned count_a, const uint64_t *b, unsigned count_b)
{
    struct wide out = {{0}};
    for (unsigned i = 0; i < count_a; i++) {
        uint64_t carry = 0;
        for (unsigned j = 0; i + j < WIDE; j++) {
            const rf_steps_magnitude part =
                (rf_steps_magnitude)a[i] * (j < count_b ? b[j] : 0) + out.limb[i + j] + carry;
            out.limb[i + j] = (uint64_t)part;
            carry = (uint64_t)(part >> LIMB_BITS);
        }
    }
    return out;
}

/* Not negative: the leading 64 bits, the last of which says whether anything follows, round as the whole does. */
static double wide_to_double(const struct wide *wide)
{
    int top = WIDE - 1;
    while (top > 0 && wide->limb[top] == 0) {
        top--;
    }
    if (top == 0) {
        return (double)wide->limb[0];
    }
    const int shift = __builtin_clzll(wide->limb[top]);
    uint64_t lead = wide->limb[top];
    uint64_t rest = wide->limb[top - 1];
    if (shift != 0) {
        lead = lead << shift | rest >> (LIMB_BITS - shift);
        rest <<= shift;
    }
    for (int i = top - 2; i >= 0; i--) {
        rest |= wide->limb[i];
    }
    return ldexp((double)(lead | (rest != 0)), top * LIMB_BITS - shift);
}

/* ---- Moments ---- */

struct rf_moments rf_moments_of(rf_steps steps)
{
    const rf_steps_magnitude magnitude = steps < 0 ? -(rf_steps_magnitude)steps : (rf_steps_magnitude)steps;
    const uint64_t limb[2] = {(uint64_t)magnitude, (uint64_t)(magnitude >> LIMB_BITS)};
    const struct wide square = multiply(limb, 2, limb, 2);
    return (struct rf_moments){.sum = steps,
                               .squares = (rf_steps_magnitude)square.limb[1] << LIMB_BITS | square.limb[0],
                               .squares_middle = (rf_steps_magnitude)square.limb[3] << LIMB_BITS | square.limb[2]};
}

void rf_moments_add(struct rf_moments *moments, const struct rf_moments *more)
{
    rf_moments_add_small(moments, more->sum, more->squares);
    moments->sum_high += more->sum_high;
    moments->squares_high += more->squares_high + __builtin_add_overflow(moments->squares_middle, more->squares_middle,
                                                                         &moments->squares_middle);
}

/* Two's complement, the lowest limb first. */
static void limbs_of(const struct rf_moments *moments, uint64_t sum[SUM], uint64_t squares[SQUARES])
{
    sum[0] = (uint64_t)moments->sum;
    sum[1] = (uint64_t)((rf_steps_magnitude)moments->sum >> LIMB_BITS);
    /* The lower part is below 0 where its highest bit is set. */
    sum[2] = moments->sum_high - (uint64_t)(moments->sum < 0);
    squares[0] = (uint64_t)moments->squares;
    squares[1] = (uint64_t)(moments->squares >> LIMB_BITS);
    squares[2] = (uint64_t)moments->squares_middle;
    squares[3] = (uint64_t)(moments->squares_middle >> LIMB_BITS);
    squares[4] = moments->squares_high;
}

static void limbs_take(const uint64_t sum[SUM], const uint64_t squares[SQUARES], struct rf_moments *moments)
{
    moments->sum = (rf_steps)((rf_steps_magnitude)sum[1] << LIMB_BITS | sum[0]);
    moments->sum_high = sum[2] + (uint64_t)(moments->sum < 0);
    moments->squares = (rf_steps_magnitude)squares[1] << LIMB_BITS | squares[0];
    moments->squares_middle = (rf_steps_magnitude)squares[3] << LIMB_BITS | squares[2];
    moments->squares_high = squares[4];
}

/* The magnitude of a sum; true: it is below 0. */
static bool magnitude_of(const uint64_t sum[SUM], struct wide *out)
{
    const bool is_negative = sum[SUM - 1] >> (LIMB_BITS - 1) != 0;
    *out = (struct wide){{0}};
    memcpy(out->limb, sum, SUM * sizeof *sum);
    if (is_negative) {
        limbs_negate(out->limb, SUM);
    }
    return is_negative;
}

double rf_moments_mean(const struct rf_moments *moments, uint64_t count)
{
    uint64_t limb[SUM];
    uint64_t squares[SQUARES];
    struct wide sum;
    limbs_of(moments, limb, squares);
    const bool is_negative = magnitude_of(limb, &sum);
    const double mean = ldexp(wide_to_double(&sum) / (double)count, -RF_STEP_BITS);
    return is_negative ? -mean : mean;
}

double rf_moments_deviation(const struct rf_moments *moments, uint64_t count)
{
    uint64_t limb[SUM];
    uint64_t squares[SQUARES];
    struct wide sum;
    limbs_of(moments, limb, squares);
    (void)magnitude_of(limb, &sum);
    struct wide spread = multiply(squares, SQUARES, &count, 1);
    struct wide square = multiply(sum.limb, SUM, sum.limb, SUM);
    limbs_negate(square.limb, WIDE);
    limbs_add(spread.limb, square.limb, WIDE);
    if (spread.limb[WIDE - 1] >> (LIMB_BITS - 1) != 0) {
        return NAN;
    }
    return ldexp(sqrt(wide_to_double(&spread) / (double)count / (double)(count - 1)), -RF_STEP_BITS);
}

/* ---- Texts ---- */

/* As many limbs as are not their sign alone, and one at least. */
static enum rf_status limbs_write(const uint64_t *limb, unsigned limbs, struct rf_text *out, struct rf_error *err)
{
    const uint64_t sign = limb[limbs - 1] >> (LIMB_BITS - 1) != 0 ? UINT64_MAX : 0;
    unsigned used = limbs;
    while (used > 1 && limb[used - 1] == sign && (limb[used - 2] ^ sign) >> (LIMB_BITS - 1) == 0) {
        used--;
    }
    RF_TRY(rf_text_append_char(out, '"', err));
    for (unsigned i = used; i > 0; i--) {
        RF_TRY(rf_text_printf(out, err, "%016" PRIx64, limb[i - 1]));
    }
    return rf_text_append_char(out, '"', err);
}

enum rf_status rf_moments_write(const struct rf_moments *moments, struct rf_text *out, struct rf_error *err)
{
    uint64_t sum[SUM];
    uint64_t squares[SQUARES];
    limbs_of(moments, sum, squares);
    RF_TRY(limbs_write(sum, SUM, out, err));
    RF_TRY(rf_text_append_char(out, ',', err));
    return limbs_write(squares, SQUARES, out, err);
}

static bool limbs_read(struct rf_str text, uint64_t *limb, unsigned limbs)
{
    static const char digits[] = "0123456789abcdef";
    const size_t given = text.count / LIMB_DIGITS;
    if (text.count == 0 || text.count % LIMB_DIGITS != 0 || given > limbs) {
        return false;
    }
    for (size_t i = 0; i < text.count; i++) {
        const char *digit = memchr(digits, text.data[i], LIMB_DIGITS);
        if (digit == NULL) {
            return false;
        }
        const size_t at = given - 1 - i / LIMB_DIGITS;
        limb[at] = limb[at] << 4 | (uint64_t)(digit - digits);
    }
    for (size_t i = given; i < limbs; i++) {
        limb[i] = limb[given - 1] >> (LIMB_BITS - 1) != 0 ? UINT64_MAX : 0;
    }
    return true;
}

bool rf_moments_read(struct rf_str sum, struct rf_str squares, struct rf_moments *moments)
{
    uint64_t sums[SUM] = {0};
    uint64_t squared[SQUARES] = {0};
    if (!limbs_read(sum, sums, SUM) || !limbs_read(squares, squared, SQUARES) ||
        squared[SQUARES - 1] >> (LIMB_BITS - 1) != 0) {
        return false;
    }
    limbs_take(sums, squared, moments);
    return true;
}
