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

/* Constants less than the value. */
static uint32_t place_of(const struct rf_eval_rank *rank, double value)
{
    uint32_t place = 0;
    for (uint32_t step = rank->places / 2; step != 0; step /= 2) {
        place += rank->bound[place + step - 1] < value ? step : 0;
    }
    return place;
}

static struct rf_eval_code_test test_of(const struct rf_eval_rank *rank, enum rf_compare compare, double value)
{
    if (isnan(value)) {
        return (struct rf_eval_code_test){RF_EVAL_CODE_LESS, 0};
    }
    const uint16_t own = (uint16_t)(2 * place_of(rank, value) + 1);
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

enum rf_status rf_eval_rank_make(struct rf_eval_rank **out, const uint64_t *bits, const enum rf_compare *compare,
                                 uint32_t count, struct rf_arena *arena, struct rf_error *err)
{
    struct rf_eval_rank *rank = RF_PUSH(arena, struct rf_eval_rank, 1);
    uint32_t places = 1;
    while (places <= count) {
        places *= 2;
    }
    double *bound = rf_arena_push(arena, places, sizeof *bound, 64);
    struct rf_eval_code_test *test = RF_PUSH(arena, struct rf_eval_code_test, count);
    if (rank == NULL || bound == NULL || test == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory to order %u constants", count);
    }
    uint32_t bounds = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!isnan(double_of(bits[i]))) {
            bound[bounds++] = double_of(bits[i]);
        }
    }
    qsort(bound, bounds, sizeof *bound, double_compare);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < bounds; i++) {
        if (kept == 0 || bound[kept - 1] < bound[i]) {
            bound[kept++] = bound[i];
        }
    }
    while (places > 1 && places / 2 > kept) {
        places /= 2;
    }
    for (uint32_t i = kept; i < places; i++) {
        bound[i] = NAN;
    }
    *rank = (struct rf_eval_rank){.bound = bound, .places = places, .test = test};
    for (uint32_t i = 0; i < count; i++) {
        test[i] = test_of(rank, compare[i], double_of(bits[i]));
    }
    *out = rank;
    return RF_OK;
}
