#include "code_set.h"

#include <stdlib.h>

#include "unicode_tables.h"

enum { SET_RANGES_MIN = 8, ORBIT_STEPS = 3 };

bool rf_code_set_add(struct rf_code_set *set, uint32_t low, uint32_t high)
{
    /* Most ranges come in order: the last one grows then. */
    if (set->count != 0) {
        struct rf_code_range *const last = &set->range[set->count - 1];
        if (low >= last->low && low <= last->high + 1) {
            last->high = high > last->high ? high : last->high;
            return true;
        }
    }
    if (set->count == set->capacity) {
        if (set->capacity > UINT32_MAX / 2) {
            return false;
        }
        const uint32_t capacity = set->capacity == 0 ? SET_RANGES_MIN : set->capacity * 2;
        struct rf_code_range *const range = RF_PUSH(set->arena, struct rf_code_range, capacity);
        if (range == NULL) {
            return false;
        }
        if (set->count != 0) {
            memcpy(range, set->range, set->count * sizeof *range);
        }
        set->range = range;
        set->capacity = capacity;
    }
    set->range[set->count++] = (struct rf_code_range){low, high};
    return true;
}

bool rf_code_set_add_set(struct rf_code_set *set, const struct rf_code_set *other)
{
    for (uint32_t i = 0; i < other->count; i++) {
        if (!rf_code_set_add(set, other->range[i].low, other->range[i].high)) {
            return false;
        }
    }
    return true;
}

static int range_compare(const void *a, const void *b)
{
    const struct rf_code_range *const left = a;
    const struct rf_code_range *const right = b;
    return (left->low > right->low) - (left->low < right->low);
}

void rf_code_set_tidy(struct rf_code_set *set)
{
    bool is_ascending = true;
    for (uint32_t i = 1; i < set->count; i++) {
        is_ascending = is_ascending && set->range[i - 1].low <= set->range[i].low;
    }
    if (!is_ascending) {
        qsort(set->range, set->count, sizeof *set->range, range_compare);
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        const struct rf_code_range range = set->range[i];
        if (kept != 0 && range.low <= set->range[kept - 1].high + 1) {
            if (range.high > set->range[kept - 1].high) {
                set->range[kept - 1].high = range.high;
            }
        } else {
            set->range[kept++] = range;
        }
    }
    set->count = kept;
}

/* The first run of foldings that ends at code or behind it. */
static uint32_t fold_find(uint32_t code)
{
    uint32_t low = 0;
    uint32_t high = rf_unicode_fold_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (rf_unicode_folds[middle].last < code) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Adds, for each code point of a range, the next one of its circle. Of circles of two the whole pair is added. */
static bool set_add_next(struct rf_code_set *set, struct rf_code_range range)
{
    for (uint32_t i = fold_find(range.low); i < rf_unicode_fold_count && rf_unicode_folds[i].first <= range.high; i++) {
        const struct rf_unicode_fold fold = rf_unicode_folds[i];
        uint32_t low = range.low > fold.first ? range.low : fold.first;
        uint32_t high = range.high < fold.last ? range.high : fold.last;
        if (fold.step == 0) {
            low -= (low - fold.first) & 1;
            high += (high - fold.first + 1) & 1;
        } else {
            low += (uint32_t)fold.step;
            high += (uint32_t)fold.step;
        }
        if (!rf_code_set_add(set, low, high)) {
            return false;
        }
    }
    return true;
}

bool rf_code_set_fold(struct rf_code_set *set)
{
    rf_code_set_tidy(set);
    /* No circle has more than four members, so that three steps get from each to all others; later steps look only at
     * what the step before brought. */
    struct rf_code_set fresh = *set;
    for (uint32_t step = 0; step < ORBIT_STEPS && fresh.count != 0; step++) {
        struct rf_code_set next = {.arena = set->arena};
        for (uint32_t i = 0; i < fresh.count; i++) {
            if (!set_add_next(&next, fresh.range[i])) {
                return false;
            }
        }
        rf_code_set_tidy(&next);
        if (!rf_code_set_add_set(set, &next)) {
            return false;
        }
        fresh = next;
    }
    rf_code_set_tidy(set);
    return true;
}

bool rf_code_set_negate(struct rf_code_set *set)
{
    struct rf_code_set rest = {.arena = set->arena};
    uint32_t low = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        if (set->range[i].low > low && !rf_code_set_add(&rest, low, set->range[i].low - 1)) {
            return false;
        }
        low = set->range[i].high + 1;
    }
    if (low <= RF_CODE_MAX && !rf_code_set_add(&rest, low, RF_CODE_MAX)) {
        return false;
    }
    *set = rest;
    return true;
}

bool rf_code_set_covers(const struct rf_code_range *range, uint32_t count, uint32_t low, uint32_t high)
{
    for (uint32_t i = 0; i < count; i++) {
        if (range[i].low <= low && range[i].high >= high) {
            return true;
        }
    }
    return false;
}
