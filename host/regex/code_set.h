/* code_set.h: a set of code points, as ranges.
 *
 * Data       range[count]: both ends inclusive. Any order and overlap while a set is being filled; rf_code_set_tidy
 *            makes the ranges ascending and leaves a gap between each two, which negation and readers ask for.
 * Ownership  the ranges lie in the arena of the caller; outgrown ones stay there until it is freed.
 * Threads    one thread at a time.
 * Errors     false when the arena is full.
 * Source     Unicode 15.0, simple case folding (CaseFolding.txt, status C and S).
 */
#ifndef RF_CODE_SET_H
#define RF_CODE_SET_H

#include "arena.h"

enum { RF_CODE_MAX = 0x10FFFF, RF_SURROGATE_FIRST = 0xD800, RF_SURROGATE_LAST = 0xDFFF };

struct rf_code_range {
    uint32_t low, high;
};

struct rf_code_set {
    struct rf_arena *arena;
    struct rf_code_range *range;
    uint32_t count, capacity;
};

bool rf_code_set_add(struct rf_code_set *set, uint32_t low, uint32_t high);
bool rf_code_set_add_set(struct rf_code_set *set, const struct rf_code_set *other);
void rf_code_set_tidy(struct rf_code_set *set);
/* Each code point that folds like one of the set comes in. The set is tidy afterwards. */
bool rf_code_set_fold(struct rf_code_set *set);
/* Of a tidy set; the result is tidy. Surrogates are treated like code points. */
bool rf_code_set_negate(struct rf_code_set *set);
/* Of a tidy set: whether it has every code point from low to high. */
bool rf_code_set_covers(const struct rf_code_range *range, uint32_t count, uint32_t low, uint32_t high);

#endif
