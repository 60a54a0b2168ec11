/* extract_match.h: colons to positions with eight keys compared at once, for AVX-512; included by extract_avx512.c.
 *
 * Purpose    What keys_place (extract_keys.h) does key by key: here the texts and depths of eight keys are looked at by
 *            vectors, which gives each key the one trie node that its text can mean; a short loop then follows the
 *            open path from key to key.
 * Limits     struct rf_key_match: few nodes, each with a text of its own. Else the caller goes key by key.
 * Cost       about 30 instructions a key for ten nodes with paths, half of what keys_place takes.
 */
#ifndef RF_EXTRACT_MATCH_H
#define RF_EXTRACT_MATCH_H

#include <immintrin.h>

#include "extract_keys.h"

enum { MATCH_CHUNK = 512, MATCH_GROUP = 8, MATCH_NONE = 0, MATCH_WALK = 0xff };

/* What vectors find of a chunk of keys: the node of each, or MATCH_NONE, and its depth, saturated. */
struct matched_keys {
    uint8_t node[MATCH_CHUNK];
    uint8_t depth[MATCH_CHUNK];
    bool has_walks; /* some nodes are MATCH_WALK */
};

/* The depth at each colon: that of its word, and the brackets before it in there. */
KEYS_INLINE __m512i match_depth(const struct rf_index *index, __m256i colon)
{
    const __m256i w = _mm256_srli_epi32(colon, 6);
    const __m512i bit = _mm512_and_si512(_mm512_cvtepu32_epi64(colon), _mm512_set1_epi64(63));
    const __m512i below = _mm512_sub_epi64(_mm512_sllv_epi64(_mm512_set1_epi64(1), bit), _mm512_set1_epi64(1));
    const __m512i open = _mm512_and_si512(_mm512_i32gather_epi64(w, index->open, 8), below);
    const __m512i close = _mm512_and_si512(_mm512_i32gather_epi64(w, index->close, 8), below);
    /* 32 bits each: two depths, of which the upper one is the next word's (the array has room behind its last). */
    const __m256i before = _mm256_i32gather_epi32((const int *)(const void *)index->depth, w, 2);
    const __m512i depth = _mm512_cvtepu32_epi64(_mm256_and_si256(before, _mm256_set1_epi32(0xffff)));
    return _mm512_add_epi64(depth, _mm512_sub_epi64(_mm512_popcnt_epi64(open), _mm512_popcnt_epi64(close)));
}

static bool match_is_whole(const uint8_t *bytes, struct rf_str key, uint32_t quote)
{
    return key.count < quote && bytes[quote - key.count - 1] == '"' &&
           memcmp(bytes + quote - key.count, key.data, key.count) == 0;
}

KEYS_INLINE __mmask8 match_is_tail(const struct rf_key_match *match, __m512i tail, uint32_t n)
{
    return _mm512_testn_epi64_mask(_mm512_xor_si512(tail, _mm512_set1_epi64((long long)match->tail[n])),
                                   _mm512_set1_epi64((long long)match->mask[n]));
}

/* Long keys again: of those whose last 8 bytes are right, only some are the whole key, and several nodes may end alike. */
static __attribute__((noinline)) __m512i match_long(const struct rf_key_match *match, const uint8_t *bytes,
                                                    __m256i colon, __m512i tail, __m512i node)
{
    uint32_t at[MATCH_GROUP];
    uint64_t nodes[MATCH_GROUP];
    _mm256_storeu_si256((__m256i *)(void *)at, colon);
    _mm512_storeu_si512(nodes, node);
    for (uint32_t i = 0; i < MATCH_GROUP; i++) {
        if (match->long_key[nodes[i]].count != 0) {
            nodes[i] = MATCH_NONE;
        }
    }
    for (uint32_t n = 1; n <= match->nodes; n++) {
        if (match->long_key[n].count == 0) {
            continue;
        }
        for (uint32_t left = match_is_tail(match, tail, n); left != 0; left &= left - 1) {
            const uint32_t i = (uint32_t)__builtin_ctz(left);
            if (match_is_whole(bytes, match->long_key[n], at[i] - 1)) {
                nodes[i] = n;
            }
        }
    }
    return _mm512_loadu_si512(nodes);
}

/* Keys with white space before their colons, one by one. */
static __attribute__((noinline)) __m512i match_loose(const struct rf_key_match *match, const struct rf_batch *batch,
                                                     __m256i colon, __mmask8 lanes, __m512i node)
{
    uint32_t at[MATCH_GROUP];
    uint64_t nodes[MATCH_GROUP];
    _mm256_storeu_si256((__m256i *)(void *)at, colon);
    _mm512_storeu_si512(nodes, node);
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(left);
        const uint32_t quote = quote_before(batch, at[i]);
        nodes[i] = MATCH_WALK; /* no key: the record is broken */
        if (quote == RF_NONE || quote < 8) {
            continue;
        }
        const uint64_t tail = rf_token_word(batch->bytes + quote - 8);
        nodes[i] = MATCH_NONE;
        for (uint32_t n = 1; n <= match->nodes; n++) {
            if (((tail ^ match->tail[n]) & match->mask[n]) == 0 &&
                (match->long_key[n].count == 0 || match_is_whole(batch->bytes, match->long_key[n], quote))) {
                nodes[i] = n;
            }
        }
    }
    return _mm512_loadu_si512(nodes);
}

/* The node that each key's text means, at some depth. is_loose: some may have white space before their colons. */
KEYS_INLINE __m512i match_nodes(const struct rf_key_match *match, const struct rf_batch *batch, __m256i colon,
                                const bool is_loose)
{
    const uint8_t *bytes = batch->bytes;
    const __m512i tail = _mm512_i32gather_epi64(_mm256_sub_epi32(colon, _mm256_set1_epi32(9)), bytes, 1);
    __m512i node = _mm512_setzero_si512();
    __m512i number = node;
    for (uint32_t n = 1; n <= match->nodes; n++) {
        number = _mm512_add_epi64(number, _mm512_set1_epi64(1));
        node = _mm512_mask_mov_epi64(node, match_is_tail(match, tail, n), number);
    }
    if (__builtin_expect(match->has_long, 0)) {
        node = match_long(match, bytes, colon, tail, node);
    }
    if (is_loose) {
        /* The byte before the colon is the lowest of four. */
        const __m256i before = _mm256_i32gather_epi32((const int *)(const void *)(bytes - 1), colon, 1);
        const __mmask8 loose =
            _mm256_cmpneq_epi32_mask(_mm256_and_si256(before, _mm256_set1_epi32(0xff)), _mm256_set1_epi32('"'));
        if (__builtin_expect(loose != 0, 0)) {
            node = match_loose(match, batch, colon, loose, node);
        }
    }
    return node;
}

/* Looks at `count` keys, a multiple of the group. */
KEYS_INLINE void match_chunk(const struct rf_extract *extract, const struct rf_batch *batch,
                             const struct rf_index *index, const uint32_t *key, uint32_t count,
                             struct matched_keys *found)
{
    for (uint32_t k = 0; k < count; k += MATCH_GROUP) {
        const __m256i colon = _mm256_loadu_si256((const __m256i *)(const void *)(key + k));
        const __m512i depth = match_depth(index, colon);
        const __m512i node = match_nodes(&extract->match, batch, colon, true);
        found->has_walks |= _mm512_cmpeq_epi64_mask(node, _mm512_set1_epi64(MATCH_WALK)) != 0;
        _mm_storel_epi64((__m128i *)(void *)(found->depth + k), _mm512_cvtusepi64_epi8(depth));
        _mm_storel_epi64((__m128i *)(void *)(found->node + k), _mm512_cvtepi64_epi8(node));
    }
}

/* Where the colons of a chunk are noted. */
struct match_run {
    struct rf_extract *extract;
    const uint32_t *row_end;
    uint32_t *place[RF_MATCH_NODES_MAX + 1];
    uint32_t row;
    uint64_t packed; /* as in keys_place */
};

/* A key twice in a record: the last one counts, with all below it. */
KEYS_INLINE void match_note(struct match_run *run, uint32_t node, uint32_t row, uint32_t colon)
{
    uint32_t *place = run->place[node] + row;
    if (__builtin_expect((*place != RF_NONE) & (node != MATCH_NONE), 0)) {
        run->extract->walks[row] = 1;
    }
    *place = colon;
}

/* Rows in which something stands before a colon that is no key: they are broken. */
static __attribute__((noinline)) void match_walks(struct match_run *run, const uint32_t *key, uint32_t count,
                                                  struct matched_keys *found)
{
    uint32_t row = run->row;
    for (uint32_t k = 0; k < count; k++) {
        if (found->node[k] != MATCH_WALK) {
            continue;
        }
        while (key[k] >= run->row_end[row]) {
            row++;
        }
        run->extract->walks[row] = 1;
        found->node[k] = MATCH_NONE;
    }
    found->has_walks = false;
}

/* The row that holds an offset. */
static uint32_t match_row_of(const struct rf_rows *rows, uint32_t offset)
{
    uint32_t low = 0;
    uint32_t high = rows->rows - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (offset >= rows->end[middle]) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* One node's places, ascending, to the rows they are in. Mostly each row has one, so that eight places are those of
 * eight rows. */
KEYS_INLINE void match_align(struct rf_extract *extract, const struct rf_rows *rows, uint32_t node, uint32_t count)
{
    const uint32_t *list = extract->list[node];
    uint32_t *position = extract->position[node];
    uint32_t next = 0;
    for (uint32_t row = 0; row < rows->rows;) {
        if (row + MATCH_GROUP <= rows->rows && next + MATCH_GROUP <= count) {
            const __m256i places = _mm256_loadu_si256((const __m256i *)(const void *)(list + next));
            const __m256i begin = _mm256_loadu_si256((const __m256i *)(const void *)(rows->begin + row));
            const __m256i end = _mm256_loadu_si256((const __m256i *)(const void *)(rows->end + row));
            const uint32_t outside =
                (uint32_t)_mm256_cmplt_epu32_mask(places, begin) | (uint32_t)_mm256_cmpge_epu32_mask(places, end);
            /* The last of these rows may have its key twice. */
            const bool is_more =
                next + MATCH_GROUP < count && list[next + MATCH_GROUP] < rows->end[row + MATCH_GROUP - 1];
            if (__builtin_expect((outside == 0) & !is_more, 1)) {
                _mm256_storeu_si256((__m256i *)(void *)(position + row), places);
                row += MATCH_GROUP;
                next += MATCH_GROUP;
                continue;
            }
        }
        const uint32_t upto = row + MATCH_GROUP < rows->rows ? row + MATCH_GROUP : rows->rows;
        for (; row < upto; row++) {
            uint32_t place = RF_NONE;
            while (next < count && list[next] < rows->end[row]) {
                /* A key twice: the last one counts, with all below it. */
                extract->walks[row] |= place != RF_NONE;
                place = list[next++];
            }
            position[row] = place;
        }
    }
}

/* Members of the records themselves: a list of places for each node, then rows. False when a list is full, which takes
 * more keys than there are rows. */
KEYS_INLINE bool match_flat(struct rf_extract *extract, const struct rf_batch *batch, const struct rf_index *index,
                            const struct rf_rows *rows, const uint32_t *key, uint32_t keys, const bool is_loose)
{
    const uint32_t nodes = extract->match.nodes;
    uint32_t counts[RF_MATCH_NODES_MAX + 1] = {0};
    for (uint32_t k = 0; k < keys; k += MATCH_GROUP) {
        /* Cells behind the last key hold whatever was there: copies of the last one. */
        const __mmask8 lanes = (__mmask8)_bzhi_u32(0xff, keys - k < MATCH_GROUP ? keys - k : (uint32_t)MATCH_GROUP);
        const __m256i colon = _mm256_mask_loadu_epi32(_mm256_set1_epi32((int)key[keys - 1]), lanes, key + k);
        __m512i node = match_nodes(&extract->match, batch, colon, is_loose);
        const __m512i depth = match_depth(index, colon);
        if (is_loose && __builtin_expect(_mm512_cmpeq_epi64_mask(node, _mm512_set1_epi64(MATCH_WALK)) != 0, 0)) {
            for (uint32_t left = lanes & _mm512_cmpeq_epi64_mask(node, _mm512_set1_epi64(MATCH_WALK)); left != 0;
                 left &= left - 1) {
                extract->walks[match_row_of(rows, key[k + (uint32_t)__builtin_ctz(left)])] = 1;
            }
        }
        const __mmask8 is_member = _mm512_mask_cmpeq_epi64_mask(lanes, depth, _mm512_set1_epi64(1));
        __m512i number = _mm512_setzero_si512();
        for (uint32_t n = 1; n <= nodes; n++) {
            number = _mm512_add_epi64(number, _mm512_set1_epi64(1));
            const __mmask8 is_here = _mm512_mask_cmpeq_epi64_mask(is_member, node, number);
            if (__builtin_expect(counts[n] > extract->rows_max, 0)) {
                return false;
            }
            _mm256_storeu_si256((__m256i *)(void *)(extract->list[n] + counts[n]),
                                _mm256_maskz_compress_epi32(is_here, colon));
            counts[n] += (uint32_t)__builtin_popcount(is_here);
        }
    }
    for (uint32_t n = 1; n <= nodes; n++) {
        match_align(extract, rows, n, counts[n]);
    }
    return true;
}

/* Which row each key is in: row by row, 16 keys compared with its end. Up to 15 cells behind row_of[count] are scribbled,
 * and as many keys behind the last are read. */
KEYS_INLINE void match_rows(struct match_run *run, const uint32_t *key, uint32_t count, uint32_t *row_of)
{
    enum { LANES = 16 };
    uint32_t row = run->row;
    uint32_t k = 0;
    for (;;) {
        const __mmask16 is_in =
            _mm512_cmplt_epu32_mask(_mm512_loadu_si512(key + k), _mm512_set1_epi32((int)run->row_end[row]));
        /* Behind the last key stands anything: only the lanes up to the first that is not in count. */
        const uint32_t within = (uint32_t)__builtin_ctz(~(uint32_t)is_in);
        _mm512_storeu_si512(row_of + k, _mm512_set1_epi32((int)row));
        k += within;
        if (k >= count) {
            break;
        }
        row += within != LANES;
    }
    run->row = row;
}

/* Follows the open path, and notes the members of objects on it. */
KEYS_INLINE void match_paths(struct match_run *run, const uint32_t *key, uint32_t count,
                             const struct matched_keys *found)
{
    const struct rf_key_match *match = &run->extract->match;
    uint32_t row_of[MATCH_CHUNK + 16];
    match_rows(run, key, count, row_of);
    uint64_t packed = run->packed;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t depth = found->depth[k];
        const uint32_t node = found->node[k];
        if (__builtin_expect(depth - 1 >= PACKED_LEVELS_MAX, 0)) {
            continue;
        }
        const uint32_t parent = (uint32_t)(packed >> (8 * depth)) & 0xff;
        packed = _bzhi_u64(packed, 8 * depth + 8);
        /* A branch on purpose: a guess lets the next key go on before the path is known, a choice would wait for it. */
        if (match->parent[node] == parent) {
            packed |= match->opened[node];
            match_note(run, node, row_of[k], key[k]);
        } else {
            packed |= ~0xffull << (8 * depth);
        }
    }
    run->packed = packed;
}

/* Members of objects inside the records, too. */
KEYS_INLINE void match_nested(struct rf_extract *extract, const struct rf_batch *batch, const struct rf_index *index,
                              const struct rf_rows *rows, const uint32_t *key, uint32_t keys)
{
    struct match_run run = {.extract = extract, .row_end = rows->end, .packed = ~0xffffull | PACKED_DEAD};
    struct matched_keys found;
    found.has_walks = false;
    run.place[MATCH_NONE] = extract->nowhere;
    for (uint32_t n = 1; n <= extract->match.nodes; n++) {
        run.place[n] = extract->position[n];
    }
    for (uint32_t k = 0; k < keys;) {
        const uint32_t left = keys - k;
        const uint32_t count = left < MATCH_CHUNK ? left : (uint32_t)MATCH_CHUNK;
        const uint32_t whole = count / MATCH_GROUP * MATCH_GROUP;
        match_chunk(extract, batch, index, key + k, whole, &found);
        if (whole != count) {
            /* Cells behind the last key hold whatever was there, so the last group is made of copies. */
            uint32_t tail[MATCH_GROUP];
            for (uint32_t i = 0; i < MATCH_GROUP; i++) {
                tail[i] = key[k + (whole + i < count ? whole + i : count - 1)];
            }
            struct matched_keys rest;
            rest.has_walks = false;
            match_chunk(extract, batch, index, tail, MATCH_GROUP, &rest);
            memcpy(found.node + whole, rest.node, count - whole);
            memcpy(found.depth + whole, rest.depth, count - whole);
            found.has_walks |= rest.has_walks;
        }
        if (found.has_walks) {
            match_walks(&run, key + k, count, &found);
        }
        match_paths(&run, key + k, count, &found);
        k += count;
    }
}

/* False when the keys must be placed one by one. */
KEYS_INLINE bool keys_match(struct rf_extract *extract, const struct rf_batch *batch, const struct rf_index *index,
                            const struct rf_rows *rows)
{
    /* Gathers take signed offsets. */
    if (extract->match.nodes == 0 || batch->bytes_used > INT32_MAX - RF_BATCH_PADDING) {
        return false;
    }
    const uint32_t last_end = rows->rows == 0 ? 0 : rows->end[rows->rows - 1];
    const uint32_t *key = index->key;
    uint32_t keys = index->keys;
    while (keys != 0 && key[keys - 1] >= last_end) {
        keys--; /* of a record that the next round takes */
    }
    for (; keys != 0 && key[0] < 9; key++, keys--) {
        extract->walks[match_row_of(rows, key[0])] = 1; /* too near to the batch's first byte to look back */
    }
    if (keys == 0) {
        return true;
    }
    if (extract->program->depth_max > 1) {
        match_nested(extract, batch, index, rows, key, keys);
        return true;
    }
    return index->has_loose_colon ? match_flat(extract, batch, index, rows, key, keys, true)
                                  : match_flat(extract, batch, index, rows, key, keys, false);
}

#endif
