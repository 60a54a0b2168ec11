/* extract_keys.h: colons to positions: which key of which row stands before each colon. Included by extract_impl.h. */
#ifndef RF_EXTRACT_KEYS_H
#define RF_EXTRACT_KEYS_H

#include <immintrin.h>

#include "extract.h"

#define KEYS_INLINE static inline __attribute__((always_inline))

enum { KEYS_LEVELS_MAX = 16, KEYS_DEPTH_CLAMP = 256, KEYS_DEAD = 0xffff };

/* Nesting depth at a byte of the batch; a negative or huge one comes out above KEYS_DEPTH_CLAMP. */
KEYS_INLINE uint32_t depth_at(const struct rf_index *index, uint32_t at)
{
    const uint32_t w = at >> 6;
    const uint64_t below = (1ull << (at & 63)) - 1;
    return (uint32_t)index->depth[w] + (uint32_t)__builtin_popcountll(index->open[w] & below) -
           (uint32_t)__builtin_popcountll(index->close[w] & below);
}

/* The key's inside before the colon at `colon`: false when it is not plain to see. */
KEYS_INLINE bool key_span(const struct rf_batch *batch, const struct rf_index *index, uint32_t colon, uint32_t *begin,
                          uint32_t *count)
{
    uint32_t end = colon - 1;
    if (__builtin_expect(colon == 0 || batch->bytes[end] != '"', 0)) {
        while (end != 0 && end < colon && rf_token_is_space(batch->bytes[end])) {
            end--;
        }
        if (end >= colon || batch->bytes[end] != '"') {
            return false;
        }
    }
    const uint32_t w = end >> 6;
    const uint64_t here = index->quote[w] & ((1ull << (end & 63)) - 1);
    const uint64_t before = w == 0 ? 0 : index->quote[w - 1];
    const uint64_t bits = here != 0 ? here : before;
    const uint32_t base = here != 0 ? w * 64 : w * 64 - 64;
    if (__builtin_expect(bits == 0, 0)) {
        return false; /* a key of more than 64 bytes */
    }
    *begin = base + 64 - (uint32_t)__builtin_clzll(bits);
    *count = end - *begin;
    return true;
}

/* Follows keys through the trie. is_flat: all wanted keys are members of the record itself. */
KEYS_INLINE void keys_place(struct rf_extract *extract, const struct rf_batch *batch, const struct rf_index *index,
                            const struct rf_rows *rows, const bool is_flat)
{
    /* Trie node that a key at depth d is looked up in; deeper levels are dead until a key leads there. */
    uint16_t level[KEYS_DEPTH_CLAMP + 2 * KEYS_LEVELS_MAX];
    memset(level, 0xff, sizeof(level));
    level[1] = 0;
    const __m256i dead = _mm256_set1_epi16(-1);
    const uint32_t last_end = rows->rows == 0 ? 0 : rows->end[rows->rows - 1];
    uint32_t nowhere;
    uint32_t row = 0;
    for (uint32_t k = 0; k < index->keys; k++) {
        const uint32_t colon = index->key[k];
        if (__builtin_expect(colon >= last_end, 0)) {
            break; /* of a record that the next round takes */
        }
        /* Mostly the same row or the next one: no branch for that. */
        row += colon >= rows->end[row];
        while (__builtin_expect(colon >= rows->end[row], 0)) {
            row++;
        }
        uint32_t depth = depth_at(index, colon);
        /* Depth 0 is only found in broken records; it must not touch level[1]. */
        depth = depth - 1 > KEYS_DEPTH_CLAMP - 1 ? KEYS_DEPTH_CLAMP : depth;
        uint32_t begin;
        uint32_t count;
        if (__builtin_expect(!key_span(batch, index, colon, &begin, &count), 0)) {
            extract->walks[row] = 1;
            continue;
        }
        uint32_t parent = is_flat ? (depth == 1 ? 0 : KEYS_DEAD) : level[depth];
        const struct rf_key_cell *cell = rf_key_find(&extract->keys, batch->bytes + begin, count, parent);
        const uint32_t node = cell->node;
        if (!is_flat) {
            _mm256_storeu_si256((__m256i *)(void *)&level[depth + 1], dead);
            level[depth + 1] = (uint16_t)node;
        }
        uint32_t *place = node == RF_NONE ? &nowhere : &extract->position[node][row];
        if (__builtin_expect((node != RF_NONE) & (*place != RF_NONE), 0)) {
            extract->walks[row] = 1; /* a key twice: the last one counts, with all below it */
        }
        *place = colon;
    }
}

#endif
