#include <immintrin.h>
#include <string.h>

#include "fix_index_levels.h"

#define LEVEL_INLINE static inline __attribute__((always_inline))

enum { WORD_MARKS_MAX = 32, LANES = 16, HALF_LANES = 8 };

LEVEL_INLINE void masks_find(const uint8_t *message, uint32_t words, uint8_t separator, uint64_t *mask)
{
    const __m512i wanted = _mm512_set1_epi8((char)separator);
    for (uint32_t w = 0; w < words; w++) {
        mask[w] = _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(message + 64 * w), wanted);
    }
}

LEVEL_INLINE uint32_t marks_write(const uint64_t *mask, uint32_t words, uint16_t *mark)
{
    const __m512i iota =
        _mm512_set_epi8(63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40,
                        39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,
                        15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    uint32_t marks = 0;
    uint32_t dense = 0;
    for (uint32_t w = 0; w < words; w++) {
        const __m256i packed = _mm512_castsi512_si256(_mm512_maskz_compress_epi8(mask[w], iota));
        const __m512i from = _mm512_set1_epi16((short)(64 * w + 1));
        const uint32_t count = (uint32_t)__builtin_popcountll(mask[w]);
        _mm512_storeu_si512(mark + marks, _mm512_add_epi16(_mm512_cvtepu8_epi16(packed), from));
        marks += count;
        dense |= count > WORD_MARKS_MAX;
    }
    return __builtin_expect(dense == 0, 1) ? marks : 0;
}

/* What the fields of a message are, seen against a layout. */
struct fit {
    __m512i other;    /* not zero: a tag is not that of the layout */
    __m512i shortest; /* length of a value */
};

LEVEL_INLINE struct fit fit_begin(void)
{
    return (struct fit){_mm512_setzero_si512(), _mm512_set1_epi32(-1)};
}

LEVEL_INLINE bool fit_is_good(const struct fit *fit, bool *is_empty)
{
    *is_empty = _mm512_testn_epi32_mask(fit->shortest, fit->shortest) != 0;
    return _mm512_test_epi32_mask(fit->other, fit->other) == 0;
}

/* Where the values of some fields are: sixteen, or at the end of a message eight, since a gather takes as long as it has lanes,
 * wanted or not, and is the longest single step of the index. */
struct values {
    __m512i begin; /* from the message's first byte */
    __m512i length;
};

/* (a ^ b) & c */
enum { DIFFERENCE_AMONG = 0x28 };

LEVEL_INLINE __m512i marks_load(const uint16_t *mark)
{
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)mark));
}

LEVEL_INLINE __m512i texts_other(__mmask16 lanes, __m512i start, const uint8_t *message, const uint32_t *text,
                                 const uint32_t *text_mask)
{
    const __m512i found = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), lanes, start, message, 1);
    return _mm512_ternarylogic_epi32(found, _mm512_loadu_si512(text), _mm512_loadu_si512(text_mask), DIFFERENCE_AMONG);
}

LEVEL_INLINE __m512i texts_other_half(__mmask16 lanes, __m512i start, const uint8_t *message, const uint32_t *text,
                                      const uint32_t *text_mask)
{
    const __m256i found = _mm256_mmask_i32gather_epi32(_mm256_setzero_si256(), (__mmask8)lanes,
                                                       _mm512_castsi512_si256(start), message, 1);
    return _mm512_zextsi256_si512(_mm256_ternarylogic_epi32(found, _mm256_loadu_si256((const __m256i *)(const void *)text),
                                                            _mm256_loadu_si256((const __m256i *)(const void *)text_mask),
                                                            DIFFERENCE_AMONG));
}

LEVEL_INLINE struct values fields_read(const struct rf_fix_layout_block *block, bool is_long, uint32_t fields,
                                       const uint8_t *message, const uint16_t *mark, struct fit *fit)
{
    const __mmask16 lanes = (__mmask16)_bzhi_u32(0xffff, fields);
    const __m512i start = marks_load(mark);
    const __m512i other = fields <= HALF_LANES ? texts_other_half(lanes, start, message, block->text, block->text_mask)
                                               : texts_other(lanes, start, message, block->text, block->text_mask);
    fit->other = _mm512_or_si512(fit->other, other);
    if (__builtin_expect(is_long, 0)) {
        fit->other =
            _mm512_or_si512(fit->other, texts_other(lanes, start, message + 4, block->more, block->more_mask));
    }
    struct values values;
    values.begin = _mm512_add_epi32(start, _mm512_loadu_si512(block->head));
    /* Without the separator: ~begin is -begin - 1. */
    values.length = _mm512_add_epi32(marks_load(mark + 1), _mm512_xor_si512(values.begin, _mm512_set1_epi32(-1)));
    fit->shortest = _mm512_mask_min_epu32(fit->shortest, lanes, fit->shortest, values.length);
    return values;
}

LEVEL_INLINE bool layout_fits(const struct rf_fix_layout *layout, const uint8_t *message, const uint16_t *mark,
                              bool *is_empty)
{
    const struct rf_fix_layout_block *block = layout->block;
    struct fit fit = fit_begin();
    for (uint32_t left = layout->fields;; left -= LANES, mark += LANES, block++) {
        (void)fields_read(block, layout->is_long, left, message, mark, &fit);
        if (left <= LANES) {
            return fit_is_good(&fit, is_empty);
        }
    }
}

LEVEL_INLINE bool layout_write(const struct rf_fix_layout *layout, const uint8_t *message, uint32_t message_begin,
                               const uint16_t *mark, uint32_t *tag, uint32_t *begin, uint32_t *length, bool *is_empty)
{
    const __m512i base = _mm512_set1_epi32((int)message_begin);
    const struct rf_fix_layout_block *block = layout->block;
    struct fit fit = fit_begin();
    size_t f = 0;
    for (uint32_t left = layout->fields;; left -= LANES, f += LANES, block++) {
        const struct values values = fields_read(block, layout->is_long, left, message, mark + f, &fit);
        _mm512_storeu_si512(tag + f, _mm512_loadu_si512(block->tag));
        _mm512_storeu_si512(begin + f, _mm512_add_epi32(values.begin, base));
        _mm512_storeu_si512(length + f, values.length);
        if (left <= LANES) {
            return fit_is_good(&fit, is_empty);
        }
    }
}

#include "fix_index_group.h"

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
LEVEL_INLINE void slot_write(const struct rf_column *slot, const uint32_t *place, __m512i place_at, uint32_t head,
                             const uint16_t *mark, __m512i mark_at, __m512i message, uint32_t row)
{
    const __m512i places = _mm512_i32gather_epi32(place_at, place, 4);
    const __mmask16 is_there = _mm512_cmpneq_epi32_mask(places, _mm512_set1_epi32((int)RF_FIX_NOWHERE));
    /* The mark of the field, and that of the next one. */
    const __m512i both =
        _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), is_there, _mm512_add_epi32(places, mark_at), mark, 2);
    const __m512i start = _mm512_and_si512(both, _mm512_set1_epi32(0xffff));
    const __m512i begin = _mm512_add_epi32(start, _mm512_set1_epi32((int)head));
    const __m512i end = _mm512_sub_epi32(_mm512_srli_epi32(both, 16), _mm512_set1_epi32(1));
    const __m128i tag = _mm_mask_blend_epi8(is_there, _mm_set1_epi8(RF_TAG_ABSENT), _mm_set1_epi8(RF_TAG_STRING_RAW));
    _mm512_storeu_si512(slot->begin + row, _mm512_maskz_add_epi32(is_there, message, begin));
    _mm512_storeu_si512(slot->length + row, _mm512_maskz_sub_epi32(is_there, end, begin));
    _mm_storeu_si128((__m128i *)(void *)(slot->tag + row), tag);
}

/* Cells of up to 15 rows behind the group are written too; the next group writes over them, and at the end the columns have
 * room for them. */
LEVEL_INLINE void group_slots(const struct rf_fix_index *index, const struct rf_fix_frame *frame, uint32_t row,
                              const struct group *group, const struct rf_fix_layout *const layouts[RF_FIX_GROUP_ROWS],
                              const struct rf_columns *columns)
{
    const uint32_t slots = index->layouts.slots;
    uint32_t place_at[RF_FIX_GROUP_ROWS];
    uint32_t mark_at[RF_FIX_GROUP_ROWS];
    for (uint32_t i = 0; i < RF_FIX_GROUP_ROWS; i++) {
        const bool is_there = i < group->rows && layouts[i] != NULL;
        place_at[i] = (is_there ? layouts[i]->number : RF_FIX_NO_LAYOUT) * slots;
        mark_at[i] = is_there ? group->mark[i] : 0;
    }
    for (uint32_t i = 0; i < group->rows; i += LANES) {
        const __mmask16 lanes = (__mmask16)_bzhi_u32(0xffff, group->rows - i);
        const __m512i message = _mm512_maskz_loadu_epi32(lanes, frame->message + row + i);
        const __m512i marks = _mm512_loadu_si512(mark_at + i);
        __m512i places = _mm512_loadu_si512(place_at + i);
        for (uint32_t s = 0; s < slots; s++) {
            slot_write(&columns->slot[s], index->layouts.place, places, index->layouts.head[s], index->mark, marks,
                       message, row + i);
            places = _mm512_add_epi32(places, _mm512_set1_epi32(1));
        }
    }
}

void rf_fix_index_wanted_avx512(struct rf_fix_index *index, const struct rf_batch *batch, struct rf_rows *rows,
                                struct rf_fix_frame *frame, struct rf_columns *columns)
{
    struct group group;
    const struct rf_fix_layout *layouts[RF_FIX_GROUP_ROWS];
    for (uint32_t row = 0; row < rows->rows; row += group.rows) {
        group_read(index, batch, rows, frame, row, &group);
        group_look_up(index, batch, frame, row, &group, layouts);
        group_slots(index, frame, row, &group, layouts, columns);
        group_walk(index, batch, rows, frame, row, &group, layouts, columns);
    }
}
