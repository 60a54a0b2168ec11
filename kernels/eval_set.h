/* eval_set.h: a hash set of 64-bit keys, for IN atoms with many constants.
 *
 * Purpose    Doubles by their bits (-0 as 0), strings by their prefix; a string that is found must still be compared.
 * Data       open addressing, at most half full, an eighth where keys are few; a place has a key with its index among the keys, the first one of equal
 *            keys, or is free.
 * Ownership  arrays live in the arena given to rf_eval_set_make.
 * Threads    immutable after it is made.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_EVAL_SET_H
#define RF_EVAL_SET_H

#include "arena.h"
#include "program.h"
#include "status.h"

struct rf_eval_place {
    uint64_t key;
    uint32_t index;  /* RF_NONE: free */
    uint32_t length; /* of the only string with this prefix, when that is all of it; else RF_NONE */
};

struct rf_eval_set {
    struct rf_eval_place *place;
    uint32_t mask;  /* places - 1 */
    uint32_t shift; /* 64 - log2(places) */
};

enum rf_status rf_eval_set_make(struct rf_eval_set *set, const uint64_t *keys, uint32_t count, struct rf_arena *arena,
                                struct rf_error *err);

static inline uint32_t rf_eval_set_place(const struct rf_eval_set *set, uint64_t key)
{
    /* Fibonacci hashing: the top bits of the product depend on all bits of the key. Bits from the middle would not do:
     * short strings have zeros in the lower half, and bench case expr (in-100) took 43 ns for a row in place of 9. */
    return (uint32_t)((key * 0x9e3779b97f4a7c15ull) >> set->shift);
}

/* The place of the key, or the free one where it would be. */
static inline struct rf_eval_place *rf_eval_set_find(const struct rf_eval_set *set, uint64_t key)
{
    uint32_t at = rf_eval_set_place(set, key);
    while (set->place[at].index != RF_NONE && set->place[at].key != key) {
        at = (at + 1) & set->mask;
    }
    return &set->place[at];
}

static inline bool rf_eval_set_has(const struct rf_eval_set *set, uint64_t key)
{
    return rf_eval_set_find(set, key)->index != RF_NONE;
}

#endif
