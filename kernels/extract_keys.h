/* extract_keys.h: colons to positions: which key of which row stands before each colon. Included by extract_impl.h. */
#ifndef RF_EXTRACT_KEYS_H
#define RF_EXTRACT_KEYS_H

#include <immintrin.h>

#include "extract.h"

#define KEYS_INLINE static inline __attribute__((always_inline))

enum { KEYS_LEVELS_MAX = 16, KEYS_DEPTH_CLAMP = 256 };

/* Where the closing quote of the key before a colon stands, or RF_NONE. */
static __attribute__((noinline)) uint32_t quote_before(const struct rf_batch *batch, uint32_t colon)
{
    uint32_t at = colon;
    while (at != 0 && rf_token_is_space(batch->bytes[at - 1])) {
        at--;
    }
    return at != 0 && batch->bytes[at - 1] == '"' ? at - 1 : RF_NONE;
}

/* Follows keys through the trie. is_flat: all wanted keys are members of the record itself. */
KEYS_INLINE void keys_place(struct rf_extract *extract, const struct rf_batch *batch, const struct rf_index *index,
                            const struct rf_rows *rows, const bool is_flat)
{
    const uint8_t *bytes = batch->bytes;
    const uint32_t *row_end = rows->end;
    const uint64_t *open = index->open;
    const uint64_t *close = index->close;
    const uint16_t *depth_before = index->depth;
    const struct rf_key_table table = extract->keys;
    /* Trie node that a key at depth d is looked up in; deeper levels are dead until a key leads there. */
    uint16_t level[KEYS_DEPTH_CLAMP + 2 * KEYS_LEVELS_MAX];
    memset(level, 0xff, sizeof(level));
    level[1] = 0;
    const __m256i dead = _mm256_set1_epi16(-1);
    const uint32_t last_end = rows->rows == 0 ? 0 : row_end[rows->rows - 1];
    /* Keys that nobody wants go to a place of their own. */
    const struct rf_key_cell none = {.node = RF_NONE, .place = extract->nowhere};
    uint32_t row = 0;
    for (uint32_t k = 0; k < index->keys; k++) {
        const uint32_t colon = index->key[k];
        if (__builtin_expect(colon >= last_end, 0)) {
            break; /* of a record that the next round takes */
        }
        /* Mostly the same row or the next one: no branch for that. */
        row += colon >= row_end[row];
        while (__builtin_expect(colon >= row_end[row], 0)) {
            row++;
        }
        const uint32_t w = colon >> 6;
        const uint32_t bit = colon & 63;
        const uint32_t depth = (uint32_t)depth_before[w] + (uint32_t)__builtin_popcountll(_bzhi_u64(open[w], bit)) -
                               (uint32_t)__builtin_popcountll(_bzhi_u64(close[w], bit));
        uint32_t quote = colon - 1;
        if (__builtin_expect(colon < 9 || bytes[quote] != '"', 0)) {
            quote = quote_before(batch, colon);
            if (quote < 8 || quote == RF_NONE) {
                extract->walks[row] = 1; /* no key, or too near to the batch's first byte to look back */
                continue;
            }
        }
        /* Depth 0 and negative ones are only found in broken records; 0 must not touch level[1]. */
        const uint32_t at = depth - 1 < KEYS_DEPTH_CLAMP ? depth : KEYS_DEPTH_CLAMP;
        const uint32_t parent = is_flat ? depth - 1 : level[at];
        const struct rf_key_cell *cell = rf_key_find(&table, bytes + quote, quote, parent, &none);
        if (!is_flat) {
            _mm256_storeu_si256((__m256i *)(void *)&level[at + 1], dead);
            level[at + 1] = (uint16_t)cell->node;
        }
        uint32_t *place = cell->place + row;
        if (__builtin_expect(*place != RF_NONE, 0) && cell->node != RF_NONE) {
            extract->walks[row] = 1; /* a key twice: the last one counts, with all below it */
        }
        *place = colon;
    }
}

#endif
