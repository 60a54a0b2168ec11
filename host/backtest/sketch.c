#include "sketch.h"

#include <assert.h>
#include <stdlib.h>

const unsigned rf_sketch_percent[RF_SKETCH_QUANTILES] = {5, 25, 50, 75, 95};

/* Bits of a magnitude, which is not 0. */
static uint32_t length_of(rf_steps_magnitude magnitude)
{
    const uint64_t high = (uint64_t)(magnitude >> 64);
    return high != 0 ? 128 - (uint32_t)__builtin_clzll(high) : 64 - (uint32_t)__builtin_clzll((uint64_t)magnitude);
}

int32_t rf_sketch_bucket(rf_steps steps, uint32_t bits)
{
    if (steps == 0) {
        return 0;
    }
    const rf_steps_magnitude magnitude = steps < 0 ? -(rf_steps_magnitude)steps : (rf_steps_magnitude)steps;
    const uint32_t length = length_of(magnitude);
    const uint32_t octave = length <= bits ? 0 : length - bits - 1;
    const int32_t bucket = (int32_t)((octave << bits) + (uint32_t)(magnitude >> octave));
    return steps < 0 ? -bucket : bucket;
}

/* The least magnitude of bucket `bucket` > 0, and how many it has. */
static rf_steps_magnitude bucket_begin(uint32_t bucket, uint32_t bits, rf_steps_magnitude *width)
{
    const uint32_t step = UINT32_C(1) << bits;
    const uint32_t octave = bucket < step ? 0 : (bucket >> bits) - 1;
    *width = (rf_steps_magnitude)1 << octave;
    return (rf_steps_magnitude)(bucket - (octave << bits)) << octave;
}

rf_steps rf_sketch_middle(int32_t bucket, uint32_t bits)
{
    rf_steps_magnitude width;
    if (bucket == 0) {
        return 0;
    }
    const rf_steps_magnitude begin = bucket_begin((uint32_t)(bucket < 0 ? -bucket : bucket), bits, &width);
    const rf_steps middle = (rf_steps)(begin + (width - 1) / 2);
    return bucket < 0 ? -middle : middle;
}

static int32_t reach_of(uint32_t bits)
{
    return rf_sketch_bucket((rf_steps)(((rf_steps_magnitude)1 << RF_SKETCH_OCTAVES) - 1), bits);
}

static enum rf_status table_make(struct rf_sketch *sketch, uint32_t bits, struct rf_error *err)
{
    sketch->bits = bits;
    sketch->reach = reach_of(bits);
    sketch->rows = 0;
    sketch->count = calloc(2 * (size_t)sketch->reach + 1, sizeof *sketch->count);
    if (sketch->count == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for the forward values of %u rules", sketch->rules);
    }
    return RF_OK;
}

enum rf_status rf_sketch_open(struct rf_sketch *sketch, uint32_t rules, struct rf_error *err)
{
    *sketch = (struct rf_sketch){.rules = rules, .rows_max = RF_SKETCH_CELLS / (rules + 1)};
    return table_make(sketch, RF_SKETCH_BITS, err);
}

static void table_free(struct rf_sketch *sketch)
{
    for (int32_t i = 0; sketch->count != NULL && i <= 2 * sketch->reach; i++) {
        free(sketch->count[i]);
    }
    free(sketch->count);
}

void rf_sketch_close(struct rf_sketch *sketch)
{
    table_free(sketch);
    *sketch = (struct rf_sketch){0};
}

static enum rf_status row_take(struct rf_sketch *sketch, int32_t bucket, uint64_t ***row, struct rf_error *err)
{
    *row = &sketch->count[bucket + sketch->reach];
    if (**row != NULL) {
        return RF_OK;
    }
    **row = calloc((size_t)sketch->rules + 1, sizeof ***row);
    if (**row == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for the forward values of %u rules", sketch->rules);
    }
    sketch->low = sketch->rows == 0 || bucket < sketch->low ? bucket : sketch->low;
    sketch->high = sketch->rows == 0 || bucket > sketch->high ? bucket : sketch->high;
    sketch->rows++;
    return RF_OK;
}

/* Adds the rows of `from`, which has at least as many bits: each of its buckets lies within one of the sketch. */
static enum rf_status rows_add(struct rf_sketch *sketch, const struct rf_sketch *from, struct rf_error *err)
{
    for (int32_t b = from->low; b <= from->high; b++) {
        const uint64_t *source = from->count[b + from->reach];
        uint64_t **row;
        if (source == NULL) {
            continue;
        }
        RF_TRY(row_take(sketch, rf_sketch_bucket(rf_sketch_middle(b, from->bits), sketch->bits), &row, err));
        for (uint32_t r = 0; r < sketch->rules; r++) {
            (*row)[r] += source[r];
        }
    }
    return RF_OK;
}

enum rf_status rf_sketch_coarsen(struct rf_sketch *sketch, uint32_t bits, struct rf_error *err)
{
    if (bits >= sketch->bits) {
        return RF_OK;
    }
    struct rf_sketch coarse = {.rules = sketch->rules, .rows_max = sketch->rows_max};
    enum rf_status status = table_make(&coarse, bits, err);
    if (status == RF_OK) {
        status = rows_add(&coarse, sketch, err);
    }
    if (status != RF_OK) {
        rf_sketch_close(&coarse);
        return status;
    }
    table_free(sketch);
    *sketch = coarse;
    return RF_OK;
}

static enum rf_status bound_keep(struct rf_sketch *sketch, struct rf_error *err)
{
    while (sketch->rows > sketch->rows_max && sketch->bits > 0) {
        RF_TRY(rf_sketch_coarsen(sketch, sketch->bits - 1, err));
    }
    return RF_OK;
}

enum rf_status rf_sketch_at(struct rf_sketch *sketch, rf_steps steps, uint64_t **count, struct rf_error *err)
{
    uint64_t **row;
    RF_TRY(row_take(sketch, rf_sketch_bucket(steps, sketch->bits), &row, err));
    if (sketch->rows > sketch->rows_max && sketch->bits > 0) {
        RF_TRY(bound_keep(sketch, err));
        RF_TRY(row_take(sketch, rf_sketch_bucket(steps, sketch->bits), &row, err));
    }
    *count = *row;
    return RF_OK;
}

enum rf_status rf_sketch_merge(struct rf_sketch *sketch, const struct rf_sketch *from, struct rf_error *err)
{
    assert(sketch->rules == from->rules);
    RF_TRY(rf_sketch_coarsen(sketch, from->bits, err));
    RF_TRY(rows_add(sketch, from, err));
    return bound_keep(sketch, err);
}

struct rf_sketch_rule rf_sketch_rule(const struct rf_sketch *sketch, uint32_t rule)
{
    struct rf_sketch_rule out = {0};
    for (int32_t b = sketch->low; b <= sketch->high; b++) {
        const uint64_t here = rf_sketch_cell(sketch, b, rule);
        out.count += here;
        out.above += b > 0 ? here : 0;
    }
    uint64_t below = 0;
    unsigned q = 0;
    for (int32_t b = sketch->low; b <= sketch->high; b++) {
        below += rf_sketch_cell(sketch, b, rule);
        while (below != 0 && q < RF_SKETCH_QUANTILES &&
               (rf_steps_magnitude)below * 100 >= (rf_steps_magnitude)out.count * rf_sketch_percent[q]) {
            out.quantile[q++] = rf_sketch_middle(b, sketch->bits);
        }
    }
    return out;
}
