/* intern.h: byte keys to numbers, so that equal things are made once.
 *
 * Data       open addressing, at most half full, doubling.
 * Ownership  keys and tables live in the arena; outgrown tables stay there until it is freed.
 * Threads    one thread.
 * Errors     NULL when the arena is full.
 * Source     FNV-1a for the hash.
 */
#ifndef RF_INTERN_H
#define RF_INTERN_H

#include "arena.h"
#include "str.h"

struct rf_intern_cell {
    struct rf_str key;
    uint32_t hash;
    uint32_t value;
    bool is_used;
};

struct rf_intern {
    struct rf_arena *arena;
    struct rf_intern_cell *cell;
    uint32_t cells; /* 0 or a power of two */
    uint32_t count;
};

/* The value of a key, for reading and writing; UINT32_MAX in a key that was not there. The pointer is good until the
 * next call. */
uint32_t *rf_intern_at(struct rf_intern *intern, struct rf_str key);

/* Room for one more item in an array that grows by doubling in an arena: the array, moved when it was full; NULL when
 * the arena is full. */
void *rf_array_grow(struct rf_arena *arena, void *items, uint32_t count, uint32_t *capacity, size_t size_bytes);

#endif
