/* arena.h: memory that is taken piece by piece and given back all at once.
 *
 * Purpose    Three lifetimes: process, batch slot, scratch. No piece is freed alone.
 * Data       chunks of at least 4 KiB, doubling; the sum of pieces is bounded by bytes_max.
 * Ownership  the owner of the struct calls rf_arena_free; pieces die with it.
 * Threads    one thread at a time.
 * Errors     a request that does not fit, or whose size overflows, gives NULL; nothing else fails.
 * Twin       built with AddressSanitizer every piece is a heap block of its own, so that overruns
 *            and uses after a rewind are caught (arena_asan.c).
 */
#ifndef RF_ARENA_H
#define RF_ARENA_H

#include <stddef.h>

#include "str.h"

struct rf_arena_chunk;

struct rf_arena {
    struct rf_arena_chunk *newest; /* the chunk pieces are taken from; older ones are linked behind */
    size_t bytes_used;             /* sum of pieces, padding included */
    size_t bytes_max;              /* the owner may change it at any time */
};

struct rf_arena_mark { /* a savepoint */
    struct rf_arena_chunk *chunk;
    size_t chunk_used;
    size_t bytes_used;
};

void rf_arena_init(struct rf_arena *arena, size_t bytes_max); /* takes no memory yet */
void rf_arena_free(struct rf_arena *arena);                   /* leaves an empty, usable arena */
/* Uninitialised memory for count pieces of size_bytes, aligned; NULL when it does not fit. count 0 gives a
 * non-NULL pointer that must not be read. align_bytes: a power of two up to 64. */
void *rf_arena_push(struct rf_arena *arena, size_t count, size_t size_bytes, size_t align_bytes);
void *rf_arena_push_zero(struct rf_arena *arena, size_t count, size_t size_bytes, size_t align_bytes);
/* A copy of the text with a zero byte behind it; .data is NULL when it does not fit. */
struct rf_str rf_arena_copy(struct rf_arena *arena, struct rf_str text);
struct rf_arena_mark rf_arena_mark(const struct rf_arena *arena);
/* Gives back everything taken since the mark. Chunks are kept for reuse: no malloc in a steady state. */
void rf_arena_rewind(struct rf_arena *arena, struct rf_arena_mark mark);
void rf_arena_reset(struct rf_arena *arena); /* rewind to empty, chunks kept */

#define RF_PUSH(arena, type, count) \
    ((type *)rf_arena_push_zero((arena), (count), sizeof(type), _Alignof(type)))

#endif
