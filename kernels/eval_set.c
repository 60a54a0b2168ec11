#include "eval_set.h"

enum rf_status rf_eval_set_make(struct rf_eval_set *set, const uint64_t *keys, uint32_t count, struct rf_arena *arena,
                                struct rf_error *err)
{
    uint32_t places = 64;
    while (places < (1u << 31) && places / 2 < count) {
        places *= 2;
    }
    set->mask = places - 1;
    set->key = RF_PUSH(arena, uint64_t, places);
    set->used = RF_PUSH(arena, uint64_t, places / 64);
    if (set->key == NULL || set->used == NULL || places / 2 < count) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for a set of %u constants", count);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (rf_eval_set_has(set, keys[i])) {
            continue;
        }
        uint32_t at = rf_eval_set_place(set, keys[i]);
        while (rf_bit_get(set->used, at)) {
            at = (at + 1) & set->mask;
        }
        set->key[at] = keys[i];
        rf_bit_set(set->used, at);
    }
    return RF_OK;
}
