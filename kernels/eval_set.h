/* eval_set.h: a hash set of 64-bit keys, for IN atoms with many constants.
 *
 * Purpose    Doubles by their bits (-0 as 0), strings by their prefix; a string hit must still be looked up in the set.
 * Data       open addressing, at most half full; key[i] counts only where bit i of used is set.
 * Ownership  arrays live in the arena given to rf_eval_set_make.
 * Threads    immutable after it is made.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_EVAL_SET_H
#define RF_EVAL_SET_H

#include "arena.h"
#include "bitmap.h"
#include "status.h"

struct rf_eval_set {
    uint64_t *key;
    uint64_t *used;
    uint32_t mask; /* places - 1 */
};

enum rf_status rf_eval_set_make(struct rf_eval_set *set, const uint64_t *keys, uint32_t count, struct rf_arena *arena,
                                struct rf_error *err);

static inline uint32_t rf_eval_set_place(const struct rf_eval_set *set, uint64_t key)
{
    /* Fibonacci hashing: the top bits of the product depend on all bits of the key. */
    return (uint32_t)((key * 0x9e3779b97f4a7c15ull) >> 32) & set->mask;
}

static inline bool rf_eval_set_has(const struct rf_eval_set *set, uint64_t key)
{
    for (uint32_t at = rf_eval_set_place(set, key); rf_bit_get(set->used, at); at = (at + 1) & set->mask) {
        if (set->key[at] == key) {
            return true;
        }
    }
    return false;
}

#endif
