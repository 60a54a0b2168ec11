#include "eval_rank.h"

#include <math.h>
#include <stdlib.h>

static int double_compare(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return a < b ? -1 : a > b;
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

struct rf_eval_code_test rf_eval_code_test_make(enum rf_compare compare, uint32_t place)
{
    const uint16_t own = (uint16_t)(2 * place + 1);
    switch (compare) {
    case RF_EQ:
        return (struct rf_eval_code_test){RF_EVAL_CODE_EQUAL, own};
    case RF_LT:
        return (struct rf_eval_code_test){RF_EVAL_CODE_LESS, own};
    case RF_LE:
        return (struct rf_eval_code_test){RF_EVAL_CODE_LESS, (uint16_t)(own + 1)};
    case RF_GT:
        return (struct rf_eval_code_test){RF_EVAL_CODE_NOT_LESS, (uint16_t)(own + 1)};
    case RF_GE:
        break;
    }
    return (struct rf_eval_code_test){RF_EVAL_CODE_NOT_LESS, own};
}

/* Nothing is true of NaN: no code is below 0. */
static struct rf_eval_code_test test_of(const struct rf_eval_rank *rank, enum rf_compare compare, double value)
{
    return isnan(value) ? (struct rf_eval_code_test){RF_EVAL_CODE_LESS, 0}
                        : rf_eval_code_test_make(compare, rf_eval_rank_code(rank, value) / 2);
}

/* Distinct constants, ascending; NaN is none. */
static uint32_t bounds_make(double *bound, const uint64_t *bits, uint32_t count)
{
    uint32_t bounds = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!isnan(double_of(bits[i]))) {
            bound[bounds++] = double_of(bits[i]);
        }
    }
    qsort(bound, bounds, sizeof *bound, double_compare);
    for (uint32_t i = 0; i < bounds; i++) {
        if (kept == 0 || bound[kept - 1] < bound[i]) {
            bound[kept++] = bound[i];
        }
    }
    return kept;
}

/* Fills start and span for `buckets` buckets. */
static void buckets_make(struct rf_eval_rank *rank, uint32_t *start, uint32_t buckets, uint32_t bounds)
{
    const double width = bounds == 0 ? 0 : rank->bound[bounds - 1] - rank->bound[0];
    const double scale = (double)buckets / width;
    const bool is_cut = isfinite(width) && width > 0 && isfinite(scale);
    uint32_t most = 0;
    rank->low = is_cut ? rank->bound[0] : 0;
    rank->scale = is_cut ? scale : 0;
    rank->last = buckets - 1;
    for (uint32_t i = 0; i < bounds; i++) {
        start[rf_eval_rank_bucket(rank, rank->bound[i])]++;
    }
    for (uint32_t b = 0, before = 0; b < buckets; b++) {
        const uint32_t count = start[b];
        start[b] = before;
        before += count;
        most = count > most ? count : most;
    }
    rank->span = 1;
    while (rank->span <= most) {
        rank->span *= 2;
    }
}

enum rf_status rf_eval_rank_make(struct rf_eval_rank **out, const uint64_t *bits, const enum rf_compare *compare,
                                 uint32_t count, struct rf_arena *arena, struct rf_error *err)
{
    enum { SPAN_MAX = 2 }; /* times count: the span of a single bucket */
    struct rf_eval_rank *rank = RF_PUSH(arena, struct rf_eval_rank, 1);
    const uint32_t buckets = 2 * count;
    const uint32_t room = count + SPAN_MAX * count + 2;
    double *bound = rf_arena_push(arena, room, sizeof *bound, 64);
    uint32_t *start = rf_arena_push_zero(arena, buckets, sizeof *start, 64);
    struct rf_eval_code_test *test = RF_PUSH(arena, struct rf_eval_code_test, count);
    if (rank == NULL || bound == NULL || start == NULL || test == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory to order %u constants", count);
    }
    const uint32_t bounds = bounds_make(bound, bits, count);
    for (uint32_t i = bounds; i < room; i++) {
        bound[i] = NAN;
    }
    *rank = (struct rf_eval_rank){.bound = bound, .start = start, .test = test};
    buckets_make(rank, start, buckets, bounds);
    for (uint32_t i = 0; i < count; i++) {
        test[i] = test_of(rank, compare[i], double_of(bits[i]));
    }
    *out = rank;
    return RF_OK;
}
