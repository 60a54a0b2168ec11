#include "arena.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "arena_asan.h"

#if !RF_ARENA_ASAN

enum { ARENA_CHUNK_BYTES_MIN = 4096, ARENA_ALIGN_MAX = 64 };

/* Chunks form one list from the oldest to the newest; arena->newest is the one in use, and those behind it
 * (newer) are spare ones that a rewind left. A spare chunk's `used` is stale until it is entered. */
struct rf_arena_chunk {
    struct rf_arena_chunk *older;
    struct rf_arena_chunk *newer;
    size_t bytes;
    size_t used;
    _Alignas(ARENA_ALIGN_MAX) unsigned char piece[];
};

void rf_arena_init(struct rf_arena *arena, size_t bytes_max)
{
    *arena = (struct rf_arena){.bytes_max = bytes_max};
}

static struct rf_arena_chunk *chunk_oldest(struct rf_arena_chunk *chunk)
{
    while (chunk != NULL && chunk->older != NULL) {
        chunk = chunk->older;
    }
    return chunk;
}

void rf_arena_free(struct rf_arena *arena)
{
    struct rf_arena_chunk *chunk = chunk_oldest(arena->newest);
    while (chunk != NULL) {
        struct rf_arena_chunk *const newer = chunk->newer;
        free(chunk);
        chunk = newer;
    }
    rf_arena_init(arena, arena->bytes_max);
}

/* Enters a chunk with room for `bytes`: a spare one, else a new one behind the last. */
static struct rf_arena_chunk *arena_grow(struct rf_arena *arena, size_t bytes)
{
    struct rf_arena_chunk *last = arena->newest;
    while (last != NULL && last->newer != NULL) {
        last = last->newer;
        last->used = 0;
        if (last->bytes >= bytes) {
            arena->newest = last;
            return last;
        }
    }
    size_t chunk_bytes = ARENA_CHUNK_BYTES_MIN;
    if (last != NULL && last->bytes <= arena->bytes_max / 2) {
        chunk_bytes = last->bytes * 2;
    } else if (last != NULL) {
        chunk_bytes = last->bytes;
    }
    if (chunk_bytes < bytes) {
        chunk_bytes = bytes;
    }
    if (chunk_bytes > SIZE_MAX - sizeof(struct rf_arena_chunk) - ARENA_ALIGN_MAX) {
        return NULL;
    }
    void *memory = NULL;
    if (posix_memalign(&memory, ARENA_ALIGN_MAX, sizeof(struct rf_arena_chunk) + chunk_bytes) != 0) {
        return NULL;
    }
    struct rf_arena_chunk *const chunk = memory;
    chunk->older = last;
    chunk->newer = NULL;
    chunk->bytes = chunk_bytes;
    chunk->used = 0;
    if (last != NULL) {
        last->newer = chunk;
    }
    arena->newest = chunk;
    return chunk;
}

void *rf_arena_push(struct rf_arena *arena, size_t count, size_t size_bytes, size_t align_bytes)
{
    assert(align_bytes != 0 && (align_bytes & (align_bytes - 1)) == 0 && align_bytes <= ARENA_ALIGN_MAX);
    /* The owner may have lowered bytes_max meanwhile. */
    const size_t free_bytes = arena->bytes_max > arena->bytes_used ? arena->bytes_max - arena->bytes_used : 0;
    size_t bytes;
    if (__builtin_mul_overflow(count, size_bytes, &bytes) || bytes > free_bytes) { /* a division takes longer than the rest */
        return NULL;
    }
    struct rf_arena_chunk *chunk = arena->newest;
    size_t pad_bytes = 0;
    if (chunk != NULL) {
        pad_bytes = ((size_t)0 - chunk->used) & (align_bytes - 1);
    }
    if (chunk == NULL || pad_bytes > chunk->bytes - chunk->used || bytes > chunk->bytes - chunk->used - pad_bytes) {
        pad_bytes = 0;
        chunk = arena_grow(arena, bytes);
        if (chunk == NULL) {
            return NULL;
        }
    }
    if (pad_bytes > free_bytes - bytes) {
        return NULL;
    }
    unsigned char *const piece = chunk->piece + chunk->used + pad_bytes;
    chunk->used += pad_bytes + bytes;
    arena->bytes_used += pad_bytes + bytes;
    return piece;
}

struct rf_arena_mark rf_arena_mark(const struct rf_arena *arena)
{
    return (struct rf_arena_mark){
        .chunk = arena->newest,
        .chunk_used = arena->newest == NULL ? 0 : arena->newest->used,
        .bytes_used = arena->bytes_used,
    };
}

void rf_arena_rewind(struct rf_arena *arena, struct rf_arena_mark mark)
{
    assert(mark.bytes_used <= arena->bytes_used);
    /* A mark of an arena that had no chunk yet means its very beginning. */
    arena->newest = mark.chunk != NULL ? mark.chunk : chunk_oldest(arena->newest);
    if (arena->newest != NULL) {
        arena->newest->used = mark.chunk_used;
    }
    arena->bytes_used = mark.bytes_used;
}

#endif

void *rf_arena_push_zero(struct rf_arena *arena, size_t count, size_t size_bytes, size_t align_bytes)
{
    void *const piece = rf_arena_push(arena, count, size_bytes, align_bytes);
    if (piece != NULL && count != 0 && size_bytes != 0) {
        memset(piece, 0, count * size_bytes);
    }
    return piece;
}

struct rf_str rf_arena_copy(struct rf_arena *arena, struct rf_str text)
{
    if (text.count == SIZE_MAX) {
        return (struct rf_str){NULL, 0};
    }
    char *const data = rf_arena_push(arena, text.count + 1, 1, 1);
    if (data == NULL) {
        return (struct rf_str){NULL, 0};
    }
    if (text.count != 0) {
        memcpy(data, text.data, text.count);
    }
    data[text.count] = '\0';
    return (struct rf_str){data, text.count};
}

void rf_arena_reset(struct rf_arena *arena)
{
    rf_arena_rewind(arena, (struct rf_arena_mark){0});
}
