/* fix_index_avx512.c: eight words of 64 bytes at once; the masks of a message are lanes of a register. */
#include <immintrin.h>
#include <string.h>

#include "fix_index_levels.h"

static inline __attribute__((always_inline)) bool text_equal(const uint8_t *a, const uint8_t *b, uint32_t count)
{
    uint64_t differ = 0;
    for (uint32_t at = 0; at < count; at += 64) {
        const uint32_t left = count - at;
        differ |= _mm512_cmpneq_epi8_mask(_mm512_loadu_si512(a + at), _mm512_loadu_si512(b + at)) &
                  _bzhi_u64(~0ull, left < 64 ? left : 64);
    }
    return differ == 0;
}

static inline __attribute__((always_inline)) void fields_write(const uint32_t *pair, uint32_t count, uint32_t message,
                                                               const uint32_t *tags, uint32_t *tag, uint32_t *begin,
                                                               uint32_t *length)
{
    const __m512i value = _mm512_set1_epi32((int)message + 1);
    for (uint32_t f = 0; f < count; f += 16) {
        const __m512i both = _mm512_loadu_si512(pair + f);
        const __m512i equals = _mm512_and_si512(both, _mm512_set1_epi32(0xffff));
        const __m512i bytes = _mm512_sub_epi32(_mm512_srli_epi32(both, 16), equals);
        _mm512_storeu_si512(tag + f, _mm512_loadu_si512(tags + f));
        _mm512_storeu_si512(begin + f, _mm512_add_epi32(equals, value));
        _mm512_storeu_si512(length + f, _mm512_sub_epi32(bytes, _mm512_set1_epi32(1)));
    }
}

#include "fix_index_group.h"

enum { BLOCK_WORDS = FIX_BLOCK_BYTES / 64, FEW_WORDS = 5, LANE_MARKS_MAX = 32 };

/* Most messages have five words or fewer. */
GROUP_INLINE uint32_t block_words(uint32_t left)
{
    return left <= 64 * FEW_WORDS ? FEW_WORDS : BLOCK_WORDS;
}

/* Separators and `=` of a block, bits behind the message included. */
GROUP_INLINE void block_masks(const uint8_t *bytes, uint32_t words, uint8_t separator, uint64_t *separators,
                              uint64_t *equals)
{
    const __m512i separator_bytes = _mm512_set1_epi8((char)separator);
    const __m512i equals_bytes = _mm512_set1_epi8('=');
    for (uint32_t w = 0; w < FEW_WORDS; w++) {
        const __m512i word = _mm512_loadu_si512(bytes + 64 * w);
        separators[w] = _mm512_cmpeq_epi8_mask(word, separator_bytes);
        equals[w] = _mm512_cmpeq_epi8_mask(word, equals_bytes);
    }
    for (uint32_t w = FEW_WORDS; w < words; w++) {
        const __m512i word = _mm512_loadu_si512(bytes + 64 * w);
        separators[w] = _mm512_cmpeq_epi8_mask(word, separator_bytes);
        equals[w] = _mm512_cmpeq_epi8_mask(word, equals_bytes);
    }
}

/* What goes from block to block. */
struct block_carry {
    __m512i separators; /* of the block before; only the last bit counts */
    __m512i firsts;
    uint32_t borrow;
    uint32_t marks;
    uint32_t ends;
    uint32_t text_bytes;
    uint32_t empties;
};

/* What is written for a block. */
struct block_out {
    uint64_t marks[BLOCK_WORDS];
    uint64_t text[BLOCK_WORDS];
    uint64_t before[BLOCK_WORDS]; /* marks in the words before, and in the upper half bytes of text */
};

/* The lanes of `high` moved up by one, and the last of `low` below them. */
GROUP_INLINE __m512i lanes_up(__m512i high, __m512i low)
{
    return _mm512_alignr_epi64(high, low, 7);
}

/* The first `left` bits. */
GROUP_INLINE __m512i bits_valid(uint32_t left)
{
    const __m512i base = _mm512_set_epi64(448, 384, 320, 256, 192, 128, 64, 0);
    const __m512i sixty_four = _mm512_set1_epi64(64);
    const __m512i count = _mm512_min_epi64(
        _mm512_max_epi64(_mm512_sub_epi64(_mm512_set1_epi64(left), base), _mm512_setzero_si512()), sixty_four);
    return _mm512_srlv_epi64(_mm512_set1_epi64(-1), _mm512_sub_epi64(sixty_four, count));
}

/* For each lane, the sum of those before it; *sum: of all. */
GROUP_INLINE __m512i lanes_before(__m512i counts, uint64_t *sum)
{
    const __m512i zero = _mm512_setzero_si512();
    __m512i sums = _mm512_add_epi64(counts, _mm512_alignr_epi64(counts, zero, 7));
    sums = _mm512_add_epi64(sums, _mm512_alignr_epi64(sums, zero, 6));
    sums = _mm512_add_epi64(sums, _mm512_alignr_epi64(sums, zero, 4));
    *sum = (uint64_t)_mm_cvtsi128_si64(_mm512_castsi512_si128(_mm512_alignr_epi64(zero, sums, 7)));
    return _mm512_sub_epi64(sums, counts);
}

/* Firsts and text of a block. True: some word has more than LANE_MARKS_MAX marks. */
GROUP_INLINE bool block_read(const uint64_t *separator_masks, const uint64_t *equals_masks, uint32_t left,
                             struct block_carry *carry, struct block_out *out)
{
    const __m512i valid = bits_valid(left);
    const __m512i separators = _mm512_and_si512(_mm512_loadu_si512(separator_masks), valid);
    const __m512i equals = _mm512_and_si512(_mm512_loadu_si512(equals_masks), valid);
    const __m512i start_in = _mm512_srli_epi64(lanes_up(separators, carry->separators), 63);
    const __m512i starts = _mm512_and_si512(_mm512_or_si512(_mm512_slli_epi64(separators, 1), start_in), valid);
    const __m512i difference = _mm512_sub_epi64(equals, starts);
    /* A borrow goes through lanes whose difference is zero: addition of the two eight-bit masks does that for all lanes. */
    const uint32_t makes = _mm512_cmplt_epu64_mask(equals, starts);
    const uint32_t passes = _mm512_cmpeq_epi64_mask(equals, starts);
    const uint32_t borrows = (((makes << 1) | carry->borrow) + passes) ^ passes;
    const __m512i runs = _mm512_mask_sub_epi64(difference, (__mmask8)borrows, difference, _mm512_set1_epi64(1));
    const __m512i firsts = _mm512_andnot_si512(runs, equals);
    const __m512i marks = _mm512_or_si512(firsts, separators);
    const __m512i text = _mm512_and_si512(_mm512_xor_si512(runs, equals), valid);
    const __m512i first_in = _mm512_srli_epi64(lanes_up(firsts, carry->firsts), 63);
    carry->empties |= _mm512_test_epi64_mask(_mm512_or_si512(_mm512_slli_epi64(firsts, 1), first_in), separators);
    const __m512i mark_counts = _mm512_popcnt_epi64(marks);
    uint64_t sum;
    const __m512i before =
        lanes_before(_mm512_or_si512(mark_counts, _mm512_slli_epi64(_mm512_popcnt_epi64(text), 32)), &sum);
    _mm512_storeu_si512(out->marks, marks);
    _mm512_storeu_si512(out->text, text);
    _mm512_storeu_si512(out->before, before);
    carry->separators = separators;
    carry->firsts = firsts;
    carry->borrow = borrows >> 8;
    carry->ends += (uint32_t)_mm512_reduce_add_epi64(_mm512_popcnt_epi64(separators));
    carry->marks += (uint32_t)sum;
    carry->text_bytes += (uint32_t)(sum >> 32);
    return _mm512_cmpgt_epi64_mask(mark_counts, _mm512_set1_epi64(LANE_MARKS_MAX)) != 0;
}

/* Places of the marks of one word, and the text. */
GROUP_INLINE void word_write(const uint8_t *bytes, const struct block_out *out, uint32_t w, uint32_t at, uint16_t *mark,
                             uint8_t *text, bool is_dense)
{
    const __m512i iota =
        _mm512_set_epi8(63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40,
                        39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,
                        15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const uint64_t before = out->before[w];
    const __m512i packed = _mm512_maskz_compress_epi8(out->marks[w], iota);
    const __m512i from = _mm512_set1_epi16((short)(at + 64 * w));
    uint16_t *to = mark + (uint32_t)before;
    _mm512_storeu_si512(to, _mm512_add_epi16(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(packed)), from));
    if (is_dense) {
        const __m256i more = _mm512_extracti64x4_epi64(packed, 1);
        _mm512_storeu_si512(to + LANE_MARKS_MAX, _mm512_add_epi16(_mm512_cvtepu8_epi16(more), from));
    }
    _mm512_storeu_si512(text + (before >> 32),
                        _mm512_maskz_compress_epi8(out->text[w], _mm512_loadu_si512(bytes + 64 * w)));
}

GROUP_INLINE void block_write(const uint8_t *bytes, const struct block_out *out, uint32_t words, uint32_t at,
                              uint16_t *mark, uint8_t *text, bool is_dense)
{
    if (__builtin_expect(is_dense, 0)) {
        for (uint32_t w = 0; w < words; w++) {
            word_write(bytes, out, w, at, mark, text, true);
        }
        return;
    }
    for (uint32_t w = 0; w < FEW_WORDS; w++) {
        word_write(bytes, out, w, at, mark, text, false);
    }
    for (uint32_t w = FEW_WORDS; w < words; w++) {
        word_write(bytes, out, w, at, mark, text, false);
    }
}

/* The pairs of a message and the text of its tags, from its masks. */
GROUP_INLINE void message_scan(const uint8_t *message, uint32_t count, uint8_t separator, const uint64_t *masks,
                               uint32_t *pair, uint8_t *text, struct scan *scan)
{
    struct block_out out;
    struct block_carry carry = {.separators = _mm512_set1_epi64(-1), .firsts = _mm512_setzero_si512()};
    uint16_t *const mark = (uint16_t *)(void *)pair;
    for (uint32_t at = 0; at < count; at += FIX_BLOCK_BYTES, masks += BLOCK_WORDS) {
        const uint32_t marks = carry.marks;
        const uint32_t text_bytes = carry.text_bytes;
        const bool is_dense = block_read(masks, masks + FIX_MASK_WORDS, count - at, &carry, &out);
        block_write(message + at, &out, block_words(count - at), at, mark + marks, text + text_bytes, is_dense);
    }
    scan->fields = carry.ends;
    scan->is_empty = carry.empties != 0;
    scan->is_usual = (carry.marks == 2 * carry.ends) & (carry.borrow == 0) & (message[count - 1] == separator);
    scan->text_bytes = scan->is_usual ? carry.text_bytes : 0;
}

/* Blocks are read whole; near the end of the batch that could be behind its padding. */
GROUP_INLINE bool row_is_inside(const struct rf_batch *batch, uint32_t message, uint32_t blocks)
{
    return (uint64_t)message + (uint64_t)blocks * FIX_BLOCK_BYTES <= (uint64_t)batch->bytes_used + RF_BATCH_PADDING;
}

/* The rows from `row` on, as many as there is room for. */
GROUP_INLINE void group_read(struct rf_fix_index *index, const struct rf_batch *batch, const struct rf_rows *rows,
                             struct rf_fix_frame *frame, uint32_t row, struct group *group)
{
    uint8_t edge[RF_FIX_GROUP_ROWS];
    uint32_t first_block[RF_FIX_GROUP_ROWS];
    uint32_t blocks = 0;
    uint32_t i = 0;
    for (; row + i < rows->rows && i < RF_FIX_GROUP_ROWS; i++) {
        const uint32_t message = frame->message[row + i];
        const uint32_t count = frame->message_end[row + i] - message;
        const uint32_t wanted = (count + FIX_BLOCK_BYTES - 1) / FIX_BLOCK_BYTES;
        const bool is_usual = row_may_be_usual(rows, frame, row + i) && row_is_inside(batch, message, wanted);
        edge[i] = !is_usual;
        first_block[i] = blocks;
        if (__builtin_expect(!is_usual, 0)) {
            continue;
        }
        if (blocks + wanted > FIX_GROUP_BLOCKS) {
            break;
        }
        for (uint32_t b = 0; b < wanted; b++, blocks++) {
            uint64_t *masks = index->mask + (size_t)blocks * BLOCK_WORDS;
            block_masks(batch->bytes + message + b * FIX_BLOCK_BYTES, block_words(count - b * FIX_BLOCK_BYTES),
                        row_separator(frame, row + i), masks, masks + FIX_MASK_WORDS);
        }
    }
    group->rows = i;
    uint32_t pairs = 0;
    uint32_t text_bytes = 0;
    for (i = 0; i < group->rows; i++) {
        struct scan *scan = &group->scan[i];
        *scan = (struct scan){.pair = pairs, .text = text_bytes};
        if (__builtin_expect(edge[i], 0)) {
            continue;
        }
        const uint32_t message = frame->message[row + i];
        message_scan(batch->bytes + message, frame->message_end[row + i] - message, row_separator(frame, row + i),
                     index->mask + (size_t)first_block[i] * BLOCK_WORDS, index->pair + pairs, index->text + text_bytes,
                     scan);
        pairs += scan->is_usual ? scan->fields : 0;
        text_bytes += scan->text_bytes;
    }
    group_look_up(index, frame, row, group);
}

void rf_fix_index_all_avx512(struct rf_fix_index *index, const struct rf_batch *batch, struct rf_rows *rows,
                             struct rf_fix_frame *frame)
{
    struct group group;
    uint32_t at = 0;
    for (uint32_t row = 0; row < rows->rows; row += group.rows) {
        group_read(index, batch, rows, frame, row, &group);
        at = group_write(index, batch, rows, frame, row, &group, at);
    }
    index->first[rows->rows] = at;
}

/* One slot of 16 rows: where the field is in each row's layout, then where its value is in the batch. */
GROUP_INLINE void slot_write(const struct rf_column *slot, const uint32_t *place, __m512i place_at,
                             const uint32_t *pair, __m512i pair_at, __m512i message, uint32_t row)
{
    const __m512i one = _mm512_set1_epi32(1);
    const __m512i places = _mm512_i32gather_epi32(place_at, place, 4);
    const __mmask16 is_there = _mm512_cmpneq_epi32_mask(places, _mm512_set1_epi32(-1));
    const __m512i both =
        _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), is_there, _mm512_add_epi32(places, pair_at), pair, 4);
    const __m512i equals = _mm512_and_si512(both, _mm512_set1_epi32(0xffff));
    const __m512i begin = _mm512_maskz_add_epi32(is_there, _mm512_add_epi32(message, equals), one);
    const __m512i length = _mm512_maskz_sub_epi32(is_there, _mm512_sub_epi32(_mm512_srli_epi32(both, 16), equals), one);
    const __m128i tag = _mm_mask_blend_epi8(is_there, _mm_set1_epi8(RF_TAG_ABSENT), _mm_set1_epi8(RF_TAG_STRING_RAW));
    _mm512_storeu_si512(slot->begin + row, begin);
    _mm512_storeu_si512(slot->length + row, length);
    _mm_storeu_si128((__m128i *)(void *)(slot->tag + row), tag);
}

/* Rows behind the group get absent cells, which the next group, or nobody, overwrites: columns have room for 64 rows more than
 * are asked for, or are full. */
GROUP_INLINE void group_slots(const struct rf_fix_index *index, const struct rf_fix_frame *frame, uint32_t row,
                              const struct group *group, const struct rf_columns *columns)
{
    const uint32_t slots = index->layouts.slots;
    uint32_t place_at[RF_FIX_GROUP_ROWS];
    uint32_t pair_at[RF_FIX_GROUP_ROWS];
    for (uint32_t i = 0; i < RF_FIX_GROUP_ROWS; i++) {
        const bool is_there = i < group->rows && group->layout[i] != NULL;
        place_at[i] = (is_there ? group->layout[i]->number : RF_FIX_NO_LAYOUT) * slots;
        pair_at[i] = is_there ? group->scan[i].pair : 0;
    }
    for (uint32_t i = 0; i < group->rows; i += 16) {
        const uint32_t left = group->rows - i;
        const __mmask16 mask = (__mmask16)(left < 16 ? (1u << left) - 1 : 0xffffu);
        const __m512i message = _mm512_maskz_loadu_epi32(mask, frame->message + row + i);
        const __m512i pairs = _mm512_loadu_si512(pair_at + i);
        __m512i places = _mm512_loadu_si512(place_at + i);
        for (uint32_t s = 0; s < slots; s++) {
            slot_write(&columns->slot[s], index->layouts.place, places, index->pair, pairs, message, row + i);
            places = _mm512_add_epi32(places, _mm512_set1_epi32(1));
        }
    }
}

void rf_fix_index_wanted_avx512(struct rf_fix_index *index, const struct rf_batch *batch, struct rf_rows *rows,
                                struct rf_fix_frame *frame, struct rf_columns *columns)
{
    struct group group;
    for (uint32_t row = 0; row < rows->rows; row += group.rows) {
        group_read(index, batch, rows, frame, row, &group);
        group_slots(index, frame, row, &group, columns);
        for (uint32_t i = 0; i < group.rows; i++) {
            if (__builtin_expect(group.layout[i] == NULL, 0)) {
                row_pick(index, batch, rows, frame, row + i, columns);
            }
        }
    }
}
