/* fix_cells_avx512.c: eight numbers at once, each of at most eight bytes and without a sign; others go one by one. */
#include <immintrin.h>
#include <string.h>

#include "fix_cells_levels.h"

#define CELLS_INLINE static inline __attribute__((always_inline))

enum { LANES = 8, CELL_BYTES = 8 };

/* The texts of eight cells, right-aligned: the last byte of a text is the highest of its lane. */
struct texts {
    __mmask8 wanted; /* there is a text */
    __mmask8 usual;  /* and it is short enough */
    __m512i length;
    __m512i keep; /* the bytes of the text */
    __m512i bytes;
};

CELLS_INLINE struct texts texts_read(const uint8_t *bytes, const struct rf_column *column, uint32_t row, uint32_t left)
{
    struct texts texts;
    uint64_t tags;
    memcpy(&tags, column->tag + row, sizeof tags); /* columns have room behind the last row */
    const __mmask8 lanes = (__mmask8)_bzhi_u32(0xff, left < LANES ? left : LANES);
    const __m512i begin =
        _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)(const void *)(column->begin + row)));
    const __m512i eight = _mm512_set1_epi64(CELL_BYTES);
    texts.length = _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)(const void *)(column->length + row)));
    texts.wanted =
        (__mmask8)(_mm_cmpeq_epi8_mask(_mm_cvtsi64_si128((long long)tags), _mm_set1_epi8(RF_TAG_STRING_RAW)) & lanes);
    const __m512i from = _mm512_sub_epi64(_mm512_add_epi64(begin, texts.length), eight);
    /* Zero less one is more than eight bytes. */
    texts.usual =
        _mm512_mask_cmplt_epu64_mask(texts.wanted, _mm512_sub_epi64(texts.length, _mm512_set1_epi64(1)), eight);
    texts.usual = _mm512_mask_cmpge_epi64_mask(texts.usual, from, _mm512_setzero_si512());
    texts.bytes = _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), texts.usual, from, bytes, 1);
    texts.keep = _mm512_sllv_epi64(_mm512_set1_epi64(-1), _mm512_slli_epi64(_mm512_sub_epi64(eight, texts.length), 3));
    return texts;
}

/* The numbers that the digits of each lane make; bytes of no digit are zero. */
CELLS_INLINE __m512i digits_sum(__m512i digits)
{
    const __m512i tens = _mm512_maddubs_epi16(digits, _mm512_set1_epi16(0x010a));
    const __m512i hundreds = _mm512_madd_epi16(tens, _mm512_set1_epi32(0x00010064));
    return _mm512_add_epi64(_mm512_mul_epu32(hundreds, _mm512_set1_epi64(10000)), _mm512_srli_epi64(hundreds, 32));
}

/* Lanes of `among` whose bytes are all below ten. */
CELLS_INLINE __mmask8 lanes_of_digits(__mmask8 among, __m512i digits)
{
    const __m512i excess = _mm512_subs_epu8(digits, _mm512_set1_epi8(9));
    return _mm512_mask_testn_epi64_mask(among, excess, excess);
}

CELLS_INLINE void tags_write(uint8_t *tag, __mmask8 lanes, uint8_t value)
{
    const __m128i old = _mm_loadl_epi64((const __m128i *)(const void *)tag);
    _mm_storel_epi64((__m128i *)(void *)tag, _mm_mask_blend_epi8(lanes, old, _mm_set1_epi8((char)value)));
}

void rf_fix_cells_int_avx512(const struct rf_batch *batch, uint32_t rows, struct rf_column *column)
{
    const struct rf_column to = *column;
    for (uint32_t row = 0; row < rows; row += LANES) {
        const struct texts texts = texts_read(batch->bytes, &to, row, rows - row);
        const __m512i digits = _mm512_and_si512(_mm512_sub_epi8(texts.bytes, _mm512_set1_epi8('0')), texts.keep);
        const __mmask8 good = lanes_of_digits(texts.usual, digits);
        _mm512_mask_storeu_epi64(to.payload + row, good, digits_sum(digits));
        tags_write(to.tag + row, good, RF_TAG_INT);
        for (uint32_t odd = texts.wanted & (uint32_t)~good; odd != 0; odd &= odd - 1) {
            rf_fix_cell_set_int(batch, row + (uint32_t)__builtin_ctz(odd), column);
        }
    }
}

void rf_fix_cells_double_avx512(const struct rf_batch *batch, uint32_t rows, struct rf_column *column)
{
    const struct rf_column to = *column;
    const __m512d powers = _mm512_set_pd(1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1e0);
    const __m512i zero = _mm512_setzero_si512();
    for (uint32_t row = 0; row < rows; row += LANES) {
        const struct texts texts = texts_read(batch->bytes, &to, row, rows - row);
        const __m512i dots =
            _mm512_and_si512(_mm512_movm_epi8(_mm512_cmpeq_epi8_mask(texts.bytes, _mm512_set1_epi8('.'))), texts.keep);
        const __mmask8 has_dot = _mm512_test_epi64_mask(dots, dots);
        /* One dot at most: its byte is then 255 times its lowest bit. */
        const __m512i lowest = _mm512_and_si512(dots, _mm512_sub_epi64(zero, dots));
        __mmask8 good =
            _mm512_mask_cmpeq_epi64_mask(texts.usual, dots, _mm512_sub_epi64(_mm512_slli_epi64(lowest, 8), lowest));
        good = _mm512_mask_cmpgt_epu64_mask(good, texts.length, _mm512_maskz_set1_epi64(has_dot, 1));
        const __m512i kept = _mm512_andnot_si512(dots, texts.keep);
        const __m512i digits = _mm512_and_si512(_mm512_sub_epi8(texts.bytes, _mm512_set1_epi8('0')), kept);
        good = lanes_of_digits(good, digits);
        /* The digits left of the dot move over it. */
        const __m512i left = _mm512_and_si512(digits, _mm512_sub_epi64(lowest, _mm512_set1_epi64(1)));
        const __m512i closed =
            _mm512_mask_add_epi64(digits, has_dot, _mm512_sub_epi64(digits, left), _mm512_slli_epi64(left, 8));
        const __m512i fraction = _mm512_maskz_srli_epi64(has_dot, _mm512_lzcnt_epi64(dots), 3);
        /* At most eight digits, and a power of ten that is exact: the division rounds once. */
        const __m512d value =
            _mm512_div_pd(_mm512_cvtepu64_pd(digits_sum(closed)), _mm512_permutexvar_pd(fraction, powers));
        _mm512_mask_storeu_pd(to.payload + row, good, value);
        tags_write(to.tag + row, good, RF_TAG_DOUBLE);
        for (uint32_t odd = texts.wanted & (uint32_t)~good; odd != 0; odd &= odd - 1) {
            rf_fix_cell_set_double(batch, row + (uint32_t)__builtin_ctz(odd), column);
        }
    }
}
