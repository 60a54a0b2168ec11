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

/* How the node is known that a key at some depth is looked up in. FLAT: all wanted keys are members of the record
 * itself. PACKED: one byte for each of 8 levels in a register, for tries of up to 7 levels and 254 nodes: from key to
 * key this is a chain of 8 cycles, where an array in memory makes 19. DEEP: that array. */
enum keys_form { KEYS_FLAT, KEYS_PACKED, KEYS_DEEP };
enum { PACKED_LEVELS_MAX = RF_MATCH_DEPTH_MAX, PACKED_NODES_MAX = 254, PACKED_DEAD = 0xff };

/* Finds the places of keys. */
KEYS_INLINE void keys_place(struct rf_extract *extract, const struct rf_batch *batch, const struct rf_index *index,
                            const struct rf_rows *rows, const enum keys_form form)
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
    uint64_t packed = ~0xffffull | PACKED_DEAD; /* byte d: level d; 0 at level 1 */
    const uint32_t last_end = rows->rows == 0 ? 0 : row_end[rows->rows - 1];
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
        /* Depth 0 and negative ones are only found in broken records; 0 must not touch level 1. */
        const uint32_t at = depth - 1 < KEYS_DEPTH_CLAMP ? depth : KEYS_DEPTH_CLAMP;
        bool is_tail;
        const struct rf_key_cell *cell = rf_key_guess(&table, bytes + quote, &is_tail);
        const bool is_level = depth - 1 < PACKED_LEVELS_MAX;
        const uint32_t shift = is_level ? 8 * depth : 56;
        uint32_t parent;
        if (form == KEYS_FLAT) {
            parent = depth - 1;
        } else if (form == KEYS_PACKED) {
            parent = is_level ? (uint32_t)(packed >> shift) & 0xff : (uint32_t)PACKED_DEAD;
        } else {
            parent = level[at];
        }
        /* All of the cell is loaded before it is known whether it is the key's: only a choice is left to wait for the
         * parent. */
        uint32_t node = cell->node;
        uint32_t *place = cell->place;
        if (__builtin_expect(!rf_key_is_decided(cell), 0)) {
            cell = rf_key_find(&table, bytes + quote, quote, parent);
            node = cell == NULL ? RF_NONE : cell->node;
            place = cell == NULL ? extract->nowhere : cell->place;
        } else {
            const bool is_match = is_tail & (cell->parent == parent);
            node = is_match ? node : RF_NONE;
            place = is_match ? place : extract->nowhere;
        }
        if (form == KEYS_PACKED) {
            /* The level behind the key is its node's, deeper ones are dead. */
            const uint64_t upto = _bzhi_u64(packed, shift + 8);
            const uint64_t behind = (~0xffull | (node & 0xff)) << shift;
            packed = is_level ? upto | behind << 8 : packed;
        } else if (form == KEYS_DEEP) {
            _mm256_storeu_si256((__m256i *)(void *)&level[at + 1], dead);
            level[at + 1] = (uint16_t)node;
        }
        if (__builtin_expect((place[row] != RF_NONE) & (node != RF_NONE), 0)) {
            extract->walks[row] = 1; /* a key twice: the last one counts, with all below it */
        }
        place[row] = colon;
    }
}

#endif
