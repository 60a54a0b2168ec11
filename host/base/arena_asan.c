/* The arena's twin for AddressSanitizer: every piece is a heap block of its own, in a list from the newest to
 * the oldest, so that an overrun of one piece or a use after a rewind is reported where it happens. The header
 * of a piece lies in a block apart: in front of the piece it would hide underruns. */
#include "arena_asan.h"
#include "arena.h"

#if RF_ARENA_ASAN

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

enum { ARENA_ALIGN_MAX = 64 };

struct rf_arena_chunk {
    struct rf_arena_chunk *older;
    void *piece;
};

void rf_arena_init(struct rf_arena *arena, size_t bytes_max)
{
    *arena = (struct rf_arena){.bytes_max = bytes_max};
}

static void arena_drop_newest(struct rf_arena *arena)
{
    struct rf_arena_chunk *const chunk = arena->newest;
    arena->newest = chunk->older;
    free(chunk->piece);
    free(chunk);
}

void rf_arena_free(struct rf_arena *arena)
{
    while (arena->newest != NULL) {
        arena_drop_newest(arena);
    }
    rf_arena_init(arena, arena->bytes_max);
}

void *rf_arena_push(struct rf_arena *arena, size_t count, size_t size_bytes, size_t align_bytes)
{
    assert(align_bytes != 0 && (align_bytes & (align_bytes - 1)) == 0 && align_bytes <= ARENA_ALIGN_MAX);
    /* The owner may have lowered bytes_max meanwhile. */
    const size_t free_bytes = arena->bytes_max > arena->bytes_used ? arena->bytes_max - arena->bytes_used : 0;
    if (size_bytes != 0 && count > free_bytes / size_bytes) {
        return NULL;
    }
    const size_t bytes = count * size_bytes;
    const size_t pad_bytes = ((size_t)0 - bytes) & (align_bytes - 1);
    if (pad_bytes > free_bytes - bytes || bytes > SIZE_MAX / 2) {
        return NULL;
    }
    struct rf_arena_chunk *const chunk = malloc(sizeof *chunk);
    if (chunk == NULL) {
        return NULL;
    }
    const size_t heap_align = align_bytes < sizeof(void *) ? sizeof(void *) : align_bytes;
    if (posix_memalign(&chunk->piece, heap_align, bytes == 0 ? 1 : bytes) != 0) {
        free(chunk);
        return NULL;
    }
    chunk->older = arena->newest;
    arena->newest = chunk;
    arena->bytes_used += bytes + pad_bytes;
    return chunk->piece;
}

struct rf_arena_mark rf_arena_mark(const struct rf_arena *arena)
{
    return (struct rf_arena_mark){.chunk = arena->newest, .bytes_used = arena->bytes_used};
}

void rf_arena_rewind(struct rf_arena *arena, struct rf_arena_mark mark)
{
    while (arena->newest != mark.chunk) {
        assert(arena->newest != NULL);
        arena_drop_newest(arena);
    }
    arena->bytes_used = mark.bytes_used;
}

#endif
