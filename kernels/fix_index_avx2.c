#include <immintrin.h>
#include <string.h>

#include "fix_index_levels.h"

#define LEVEL_INLINE static inline __attribute__((always_inline))

enum { LANES = 8 };

LEVEL_INLINE __m256i load(const void *at)
{
    return _mm256_loadu_si256((const __m256i *)at);
}

LEVEL_INLINE void masks_find(const uint8_t *message, uint32_t words, uint8_t separator, uint64_t *mask)
{
    const __m256i wanted = _mm256_set1_epi8((char)separator);
    for (uint32_t w = 0; w < words; w++) {
        const uint32_t low = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(load(message + 64 * w), wanted));
        const uint32_t high = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(load(message + 64 * w + 32), wanted));
        mask[w] = low | (uint64_t)high << 32;
    }
}

/* Eight are written at a time, whatever the count. */
LEVEL_INLINE uint32_t marks_write(const uint64_t *mask, uint32_t words, uint16_t *mark)
{
    uint32_t marks = 0;
    for (uint32_t w = 0; w < words; w++) {
        uint64_t bits = mask[w];
        uint16_t *out = mark + marks;
        marks += (uint32_t)__builtin_popcountll(bits);
        while (bits != 0) {
            for (uint32_t i = 0; i < 8; i++) {
                out[i] = (uint16_t)(64 * w + 1 + (uint32_t)_tzcnt_u64(bits));
                bits = _blsr_u64(bits);
            }
            out += 8;
        }
    }
    return marks;
}

/* Eight fields of a message as a layout has them. */
struct fields {
    __m256i lanes;
    __m256i other; /* not zero: a tag is not that of the layout */
    __m256i begin; /* of the values, from the message's first byte */
    __m256i length;
};

LEVEL_INLINE __m256i marks_load(const uint16_t *mark)
{
    return _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)mark));
}

LEVEL_INLINE struct fields fields_read(const struct rf_fix_layout *layout, const uint8_t *message, const uint16_t *mark,
                                       uint32_t f)
{
    struct fields fields;
    const struct rf_fix_layout_block *block = &layout->block[f / RF_FIX_BLOCK_FIELDS];
    const uint32_t b = f % RF_FIX_BLOCK_FIELDS;
    const __m256i iota = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
    const __m256i start = marks_load(mark + f);
    fields.lanes = _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(layout->fields - f)), iota);
    const __m256i text =
        _mm256_mask_i32gather_epi32(_mm256_setzero_si256(), (const int *)(const void *)message, start, fields.lanes, 1);
    fields.other = _mm256_and_si256(_mm256_xor_si256(text, load(block->text + b)), load(block->text_mask + b));
    if (__builtin_expect(layout->is_long, 0)) {
        const __m256i more = _mm256_mask_i32gather_epi32(
            _mm256_setzero_si256(), (const int *)(const void *)(message + 4), start, fields.lanes, 1);
        fields.other = _mm256_or_si256(fields.other, _mm256_and_si256(_mm256_xor_si256(more, load(block->more + b)),
                                                                      load(block->more_mask + b)));
    }
    fields.begin = _mm256_add_epi32(start, load(block->head + b));
    /* Without the separator: ~begin is -begin - 1. */
    fields.length = _mm256_add_epi32(marks_load(mark + f + 1), _mm256_xor_si256(fields.begin, _mm256_set1_epi32(-1)));
    return fields;
}

LEVEL_INLINE bool layout_fits(const struct rf_fix_layout *layout, const uint8_t *message, const uint16_t *mark,
                              bool *is_empty)
{
    __m256i other = _mm256_setzero_si256();
    __m256i empty = other;
    for (uint32_t f = 0; f < layout->fields; f += LANES) {
        const struct fields fields = fields_read(layout, message, mark, f);
        const __m256i zero = _mm256_cmpeq_epi32(fields.length, _mm256_setzero_si256());
        other = _mm256_or_si256(other, fields.other);
        empty = _mm256_or_si256(empty, _mm256_and_si256(fields.lanes, zero));
    }
    *is_empty = !_mm256_testz_si256(empty, empty);
    return _mm256_testz_si256(other, other) != 0;
}

LEVEL_INLINE bool layout_write(const struct rf_fix_layout *layout, const uint8_t *message, uint32_t message_begin,
                               const uint16_t *mark, uint32_t *tag, uint32_t *begin, uint32_t *length, bool *is_empty)
{
    const __m256i base = _mm256_set1_epi32((int)message_begin);
    __m256i other = _mm256_setzero_si256();
    __m256i empty = other;
    for (uint32_t f = 0; f < layout->fields; f += LANES) {
        const struct fields fields = fields_read(layout, message, mark, f);
        const __m256i zero = _mm256_cmpeq_epi32(fields.length, _mm256_setzero_si256());
        other = _mm256_or_si256(other, fields.other);
        empty = _mm256_or_si256(empty, _mm256_and_si256(fields.lanes, zero));
        _mm256_storeu_si256((__m256i *)(void *)(tag + f), load(layout->block[f / RF_FIX_BLOCK_FIELDS].tag + f % RF_FIX_BLOCK_FIELDS));
        _mm256_storeu_si256((__m256i *)(void *)(begin + f), _mm256_add_epi32(fields.begin, base));
        _mm256_storeu_si256((__m256i *)(void *)(length + f), fields.length);
    }
    *is_empty = !_mm256_testz_si256(empty, empty);
    return _mm256_testz_si256(other, other) != 0;
}

#include "fix_index_group.h"

void rf_fix_index_all_avx2(struct rf_fix_index *index, const struct rf_batch *batch, struct rf_rows *rows,
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

/* Whether a field is there cannot be predicted in a mixed stream. */
LEVEL_INLINE void slots_write(const struct rf_column *slot, const struct rf_fix_layouts *layouts,
                              const struct rf_fix_layout *layout, const uint16_t *mark, uint32_t message, uint32_t row)
{
    for (uint32_t s = 0; s < layouts->slots; s++) {
        const uint32_t place = layout->place[s];
        const uint32_t mask = place == RF_FIX_NOWHERE ? 0 : ~0u;
        uint32_t both;
        memcpy(&both, mark + (place & mask), sizeof both);
        const uint32_t begin = (both & 0xffff) + layouts->head[s];
        slot[s].tag[row] = (uint8_t)(RF_TAG_ABSENT + (mask & (RF_TAG_STRING_RAW - RF_TAG_ABSENT)));
        slot[s].begin[row] = (message + begin) & mask;
        slot[s].length[row] = ((both >> 16) - 1 - begin) & mask;
    }
}

void rf_fix_index_wanted_avx2(struct rf_fix_index *index, const struct rf_batch *batch, struct rf_rows *rows,
                              struct rf_fix_frame *frame, struct rf_columns *columns)
{
    struct group group;
    const struct rf_fix_layout *layouts[RF_FIX_GROUP_ROWS];
    for (uint32_t row = 0; row < rows->rows; row += group.rows) {
        group_read(index, batch, rows, frame, row, &group);
        group_look_up(index, batch, frame, row, &group, layouts);
        for (uint32_t i = 0; i < group.rows; i++) {
            if (__builtin_expect(layouts[i] != NULL, 1)) {
                slots_write(columns->slot, &index->layouts, layouts[i], index->mark + group.mark[i],
                            frame->message[row + i], row + i);
            }
        }
        group_walk(index, batch, rows, frame, row, &group, layouts, columns);
    }
}
