#include <immintrin.h>
#include <string.h>

#include "fix_index_levels.h"

#define LEVEL_INLINE static inline __attribute__((always_inline))

enum { FEW_WORDS = 5, MANY_WORDS = 8, WORD_MARKS_MAX = 32, LANES = 16 };

/* Most messages have five words or fewer; how many cannot be predicted, so always five are read, or multiples of eight. */
#define MARKS_READ(count) ((count) <= 64 * FEW_WORDS ? 64u * FEW_WORDS : ((count) + 511) / 512 * 512)

/* Marks of some words in a row; false when one is too dense. */
LEVEL_INLINE bool words_mark(const uint8_t *bytes, uint32_t words, uint32_t at, __m512i separator, uint16_t *mark,
                             uint32_t *marks)
{
    const __m512i iota =
        _mm512_set_epi8(63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40,
                        39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,
                        15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i base = _mm512_set1_epi16((short)at);
    uint32_t dense = 0;
    for (uint32_t w = 0; w < words; w++) {
        const __mmask64 found = _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(bytes + 64 * w), separator);
        const __m256i packed = _mm512_castsi512_si256(_mm512_maskz_compress_epi8(found, iota));
        const __m512i from = _mm512_add_epi16(base, _mm512_set1_epi16((short)(64 * w)));
        const uint32_t count = (uint32_t)__builtin_popcountll(found);
        _mm512_storeu_si512(mark + *marks, _mm512_add_epi16(_mm512_cvtepu8_epi16(packed), from));
        *marks += count;
        dense |= count > WORD_MARKS_MAX;
    }
    return dense == 0;
}

/* How many of the marks are below count. */
LEVEL_INLINE uint32_t marks_below(const uint16_t *mark, uint32_t marks, uint32_t count)
{
    const __m512i limit = _mm512_set1_epi16((short)count);
    uint32_t below = 0;
    for (uint32_t m = 0; m < marks; m += 32) {
        const uint32_t left = marks - m;
        const uint32_t mask = _mm512_cmplt_epu16_mask(_mm512_loadu_si512(mark + m), limit);
        below += (uint32_t)__builtin_popcount(mask & _bzhi_u32(~0u, left < 32 ? left : 32));
    }
    return below;
}

/* The marks of a message and of what follows it in the last words; 0: too dense. */
LEVEL_INLINE uint32_t marks_find(const uint8_t *message, uint32_t count, uint8_t separator, uint16_t *mark)
{
    const __m512i wanted = _mm512_set1_epi8((char)separator);
    uint32_t marks = 0;
    bool is_good = true;
    if (__builtin_expect(count <= 64 * FEW_WORDS, 1)) {
        is_good = words_mark(message, FEW_WORDS, 0, wanted, mark, &marks);
    } else {
        for (uint32_t at = 0; at < count && is_good; at += 64 * MANY_WORDS) {
            is_good = words_mark(message + at, MANY_WORDS, at, wanted, mark, &marks);
        }
    }
    return __builtin_expect(is_good, 1) ? marks : 0;
}

/* Sixteen fields of a message as a layout has them. */
struct fields {
    __mmask16 lanes;
    __mmask16 other; /* tags that are not those of the layout */
    __m512i begin;   /* of the values, from the message's first byte */
    __m512i length;
};

LEVEL_INLINE struct fields fields_read(const struct rf_fix_layout *layout, const uint8_t *message, const uint16_t *mark,
                                       uint32_t f)
{
    struct fields fields;
    const uint32_t left = layout->fields - f;
    const __m512i end = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)(mark + f)));
    const __m512i last = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)(mark + f - 1)));
    /* The mark before the first one is 0xffff. */
    const __m512i start = _mm512_and_si512(_mm512_add_epi32(last, _mm512_set1_epi32(1)), _mm512_set1_epi32(0xffff));
    fields.lanes = (__mmask16)_bzhi_u32(0xffff, left);
    const __m512i text = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), fields.lanes, start, message, 1);
    fields.other = _mm512_test_epi32_mask(_mm512_xor_si512(text, _mm512_loadu_si512(layout->text + f)),
                                          _mm512_loadu_si512(layout->text_mask + f));
    if (__builtin_expect(layout->is_long, 0)) {
        const __m512i more = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), fields.lanes, start, message + 4, 1);
        fields.other |= _mm512_test_epi32_mask(_mm512_xor_si512(more, _mm512_loadu_si512(layout->more + f)),
                                               _mm512_loadu_si512(layout->more_mask + f));
    }
    fields.begin = _mm512_add_epi32(start, _mm512_loadu_si512(layout->head + f));
    fields.length = _mm512_sub_epi32(end, fields.begin);
    return fields;
}

LEVEL_INLINE bool layout_fits(const struct rf_fix_layout *layout, const uint8_t *message, const uint16_t *mark,
                              bool *is_empty)
{
    uint32_t other = 0;
    uint32_t empty = 0;
    for (uint32_t f = 0; f < layout->fields; f += LANES) {
        const struct fields fields = fields_read(layout, message, mark, f);
        other |= fields.other;
        empty |= _mm512_mask_cmpeq_epi32_mask(fields.lanes, fields.length, _mm512_setzero_si512());
    }
    *is_empty = empty != 0;
    return other == 0;
}

LEVEL_INLINE bool layout_write(const struct rf_fix_layout *layout, const uint8_t *message, uint32_t message_begin,
                               const uint16_t *mark, uint32_t *tag, uint32_t *begin, uint32_t *length, bool *is_empty)
{
    const __m512i base = _mm512_set1_epi32((int)message_begin);
    uint32_t other = 0;
    uint32_t empty = 0;
    for (uint32_t f = 0; f < layout->fields; f += LANES) {
        const struct fields fields = fields_read(layout, message, mark, f);
        other |= fields.other;
        empty |= _mm512_mask_cmpeq_epi32_mask(fields.lanes, fields.length, _mm512_setzero_si512());
        _mm512_storeu_si512(tag + f, _mm512_loadu_si512(layout->tag + f));
        _mm512_storeu_si512(begin + f, _mm512_add_epi32(fields.begin, base));
        _mm512_storeu_si512(length + f, fields.length);
    }
    *is_empty = empty != 0;
    return other == 0;
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
    const __m512i low = _mm512_set1_epi32(0xffff);
    const __m512i places = _mm512_i32gather_epi32(place_at, place, 4);
    const __mmask16 is_there = _mm512_cmpneq_epi32_mask(places, _mm512_set1_epi32((int)RF_FIX_NOWHERE));
    /* The mark before the field, and the one behind it. */
    const __m512i both =
        _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), is_there, _mm512_add_epi32(places, mark_at), mark - 1, 2);
    const __m512i start = _mm512_and_si512(_mm512_add_epi32(both, _mm512_set1_epi32(1)), low);
    const __m512i begin = _mm512_add_epi32(start, _mm512_set1_epi32((int)head));
    const __m512i end = _mm512_srli_epi32(both, 16);
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
