/* sketch.h: how numbers are spread, for many rules at once: quantiles with a bounded relative error.
 *
 * Purpose    Histograms with a fixed layout of buckets, so that those of parts of a stream add up to that of the whole, to the
 *            last count.
 * Data       R rules. Numbers are steps (moments.h). With B bits a bucket holds magnitudes that have the same leading B + 1 bits:
 *            its middle is off by 2^-(B + 1) of the number at most; those below 2^B steps have a bucket each. Bucket numbers
 *            ascend with the numbers: negative ones below 0, 0 is 0 alone. count[bucket] is u64[R], NULL while nobody hit it.
 * Bounds     RF_SKETCH_CELLS counts in all, rows of R counts: when more rows would be needed bits are given up, one after the
 *            other, and buckets become neighbours' sums. What B ends with depends on the numbers alone, whatever the order or the
 *            parts. At 0 bits there are at most 241 rows, whatever R is.
 * Ownership  rf_sketch_close frees.
 * Threads    one at a time.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_SKETCH_H
#define RF_SKETCH_H

#include "moments.h"

enum { RF_SKETCH_BITS = 7, RF_SKETCH_CELLS = 16 * 1024 * 1024, RF_SKETCH_OCTAVES = 2 * RF_STEP_BITS };
enum { RF_SKETCH_QUANTILES = 5 };
extern const unsigned rf_sketch_percent[RF_SKETCH_QUANTILES]; /* ascending */

struct rf_sketch {
    uint32_t rules;
    uint32_t bits;
    uint32_t rows, rows_max;
    int32_t reach;     /* buckets are -reach .. reach */
    int32_t low, high; /* outside of which no bucket has a row */
    uint64_t **count;  /* [2 reach + 1], bucket b at b + reach */
};

enum rf_status rf_sketch_open(struct rf_sketch *sketch, uint32_t rules, struct rf_error *err);
void rf_sketch_close(struct rf_sketch *sketch);

int32_t rf_sketch_bucket(rf_steps steps, uint32_t bits);
/* The number that stands for all of a bucket: its middle. */
rf_steps rf_sketch_middle(int32_t bucket, uint32_t bits);

/* Counters of the bucket of a number, by rule; good until the next call. */
enum rf_status rf_sketch_at(struct rf_sketch *sketch, rf_steps steps, uint64_t **count, struct rf_error *err);
/* At most as many bits. */
enum rf_status rf_sketch_coarsen(struct rf_sketch *sketch, uint32_t bits, struct rf_error *err);
enum rf_status rf_sketch_merge(struct rf_sketch *sketch, const struct rf_sketch *from, struct rf_error *err);

struct rf_sketch_rule {
    uint64_t count, above; /* numbers, and those of them above 0 */
    rf_steps quantile[RF_SKETCH_QUANTILES];
};
/* Quantile q is the number at rank ceil(percent[q] / 100 * count), from 1 up. Without a number all is 0. */
struct rf_sketch_rule rf_sketch_rule(const struct rf_sketch *sketch, uint32_t rule);

static inline uint64_t rf_sketch_cell(const struct rf_sketch *sketch, int32_t bucket, uint32_t rule)
{
    const uint64_t *count = sketch->count[bucket + sketch->reach];
    return count == NULL ? 0 : count[rule];
}

#endif
