#include "eval_set.h"

enum rf_status rf_eval_set_make(struct rf_eval_set *set, const uint64_t *keys, uint32_t count, struct rf_arena *arena,
                                struct rf_error *err)
{
    /* A lookup that ends at its first place is one that branches do not guess wrong; many keys should not fill the cache. */
    enum { FEW = 512 };
    const uint32_t each = count <= FEW ? 8 : 2;
    uint32_t places = 64;
    set->shift = 64 - 6;
    while (places < (1u << 31) && places / each < count) {
        places *= 2;
        set->shift--;
    }
    set->mask = places - 1;
    set->place = RF_PUSH(arena, struct rf_eval_place, places);
    if (set->place == NULL || places / each < count) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for a set of %u constants", count);
    }
    for (uint32_t i = 0; i < places; i++) {
        set->place[i] = (struct rf_eval_place){.index = RF_NONE, .length = RF_NONE};
    }
    for (uint32_t i = 0; i < count; i++) {
        struct rf_eval_place *place = rf_eval_set_find(set, keys[i]);
        if (place->index == RF_NONE) {
            place->key = keys[i];
            place->index = i;
        }
    }
    return RF_OK;
}
