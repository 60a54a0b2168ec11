/* extract_group.h: the values of eight rows of one column at once, for AVX-512; included by extract_avx512.c.
 *
 * Purpose    A column mostly holds values of one kind. group_decode looks at the first bytes of eight values and
 *            takes the group when all are short numbers, short strings, literals or containers of a plain form; else
 *            the caller goes row by row (extract_values.h), to the same cells.
 * Cost       about 12 instructions for a number, 5 for a string of up to 7 bytes. One row at a time the same work is a
 *            chain of 90 cycles of latency that a core cannot overlap with the next: docs/performance.md, "decode".
 * Source     decimal digits by multiply-add of pairs; the classic zero-byte test for the closing quote.
 */
#ifndef RF_EXTRACT_GROUP_H
#define RF_EXTRACT_GROUP_H

#include <immintrin.h>

#include "extract.h"

#define GROUP_INLINE static inline __attribute__((always_inline))

enum { GROUP_ROWS = 8 };

/* Bytes that may stand behind a number or a literal. */
GROUP_INLINE __mmask64 group_stops(__m512i bytes)
{
    return _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(',')) | _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('}')) |
           _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(']')) |
           _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\n')) |
           _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(' ')) | _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\r'));
}

/* 16 bytes at four offsets. */
GROUP_INLINE __m512i group_load(const uint8_t *bytes, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    __m512i lanes = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)(const void *)(bytes + a)));
    lanes = _mm512_inserti32x4(lanes, _mm_loadu_si128((const __m128i *)(const void *)(bytes + b)), 1);
    lanes = _mm512_inserti32x4(lanes, _mm_loadu_si128((const __m128i *)(const void *)(bytes + c)), 2);
    return _mm512_inserti32x4(lanes, _mm_loadu_si128((const __m128i *)(const void *)(bytes + d)), 3);
}

/* 16 mask bits of each of four even rows and four odd rows, in row order, as 32-bit lanes. */
GROUP_INLINE __m256i group_masks(__mmask64 even, __mmask64 odd)
{
    return _mm256_cvtepu16_epi32(
        _mm_unpacklo_epi16(_mm_cvtsi64_si128((long long)even), _mm_cvtsi64_si128((long long)odd)));
}

/* Zeros below the lowest set bit of each lane. */
GROUP_INLINE __m256i group_trailing(__m256i lowest)
{
    return _mm256_popcnt_epi32(_mm256_add_epi32(lowest, _mm256_set1_epi32(-1)));
}

/* Up to 16 digits in each 128-bit lane, right-aligned, to the two 8-digit halves of its low 64 bits. */
GROUP_INLINE __m512i group_halves(__m512i digits)
{
    const __m512i tens = _mm512_maddubs_epi16(digits, _mm512_set1_epi16(0x010a));
    const __m512i hundreds = _mm512_madd_epi16(tens, _mm512_set1_epi32(0x00010064));
    const __m512i packed = _mm512_packus_epi32(hundreds, hundreds);
    return _mm512_madd_epi16(packed, _mm512_set1_epi32(0x00012710));
}

/* Moves the digits of each lane to its end and drops the dot: as in number_plain. */
GROUP_INLINE __m512i group_align(__m512i digits, __m512i end, __m512i dot)
{
    const __m512i iota = _mm512_broadcast_i32x4(_mm_set_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
    __m512i from = _mm512_add_epi8(iota, _mm512_sub_epi8(end, _mm512_set1_epi8(16)));
    const __mmask64 left = _mm512_cmpgt_epi8_mask(dot, from);
    from = _mm512_mask_sub_epi8(from, left, from, _mm512_set1_epi8(1));
    return _mm512_shuffle_epi8(digits, from);
}

/* Eight numbers of at most 15 digits without sign or exponent. */
GROUP_INLINE bool group_numbers(const uint8_t *bytes, __m256i at, __m512i *payload, __m256i *length)
{
    static const double power[16] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                     1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    uint32_t offset[GROUP_ROWS];
    _mm256_storeu_si256((__m256i *)(void *)offset, at);
    const __m512i even = group_load(bytes, offset[0], offset[2], offset[4], offset[6]);
    const __m512i odd = group_load(bytes, offset[1], offset[3], offset[5], offset[7]);
    const __m512i zero = _mm512_set1_epi8('0');
    const __m512i even_digits = _mm512_sub_epi8(even, zero);
    const __m512i odd_digits = _mm512_sub_epi8(odd, zero);
    const __m512i nine = _mm512_set1_epi8(9);
    const __m512i point = _mm512_set1_epi8('.');
    const __m256i one = _mm256_set1_epi32(1);
    const __m256i digit =
        group_masks(_mm512_cmple_epu8_mask(even_digits, nine), _mm512_cmple_epu8_mask(odd_digits, nine));
    const __m256i dots = group_masks(_mm512_cmpeq_epi8_mask(even, point), _mm512_cmpeq_epi8_mask(odd, point));
    const __m256i zeros = group_masks(_mm512_cmpeq_epi8_mask(even, zero), _mm512_cmpeq_epi8_mask(odd, zero));
    const __m256i stops = group_masks(group_stops(even), group_stops(odd));
    /* The lowest bit that is no digit ends the whole part; a dot there joins the fraction to it. */
    const __m256i whole_end = _mm256_andnot_si256(digit, _mm256_add_epi32(digit, one));
    const __m256i whole = group_trailing(whole_end);
    const __m256i dot = _mm256_and_si256(whole_end, dots);
    const __mmask8 has_dot = _mm256_test_epi32_mask(dot, dot);
    const __m256i joined = _mm256_or_si256(digit, dot);
    const __m256i end_bit = _mm256_andnot_si256(joined, _mm256_add_epi32(joined, one));
    const __m256i end = group_trailing(end_bit);
    const __m256i fraction = _mm256_maskz_sub_epi32(has_dot, _mm256_sub_epi32(end, whole), one);
    const uint32_t bad = (uint32_t)_mm256_cmpgt_epi32_mask(end, _mm256_set1_epi32(15)) |
                         _mm256_cmpeq_epi32_mask(whole, _mm256_setzero_si256()) |
                         _mm256_mask_cmpeq_epi32_mask(has_dot, fraction, _mm256_setzero_si256()) |
                         _mm256_mask_cmpgt_epi32_mask(_mm256_test_epi32_mask(zeros, one), whole, one) |
                         _mm256_testn_epi32_mask(stops, end_bit);
    if (__builtin_expect(bad != 0, 0)) {
        return false;
    }
    /* Lane i of 32 bits to all bytes of the 128-bit lane that holds row i. */
    const __m512i even_lane =
        _mm512_set_epi32(0x18181818, 0x18181818, 0x18181818, 0x18181818, 0x10101010, 0x10101010, 0x10101010, 0x10101010,
                         0x08080808, 0x08080808, 0x08080808, 0x08080808, 0, 0, 0, 0);
    const __m512i odd_lane = _mm512_or_si512(even_lane, _mm512_set1_epi8(4));
    const __m512i ends = _mm512_castsi256_si512(end);
    const __m512i dot_ends =
        _mm512_castsi256_si512(_mm256_mask_add_epi32(_mm256_set1_epi32(-128), has_dot, whole, one));
    const __m512i even_halves = group_halves(group_align(even_digits, _mm512_permutexvar_epi8(even_lane, ends),
                                                         _mm512_permutexvar_epi8(even_lane, dot_ends)));
    const __m512i odd_halves = group_halves(
        group_align(odd_digits, _mm512_permutexvar_epi8(odd_lane, ends), _mm512_permutexvar_epi8(odd_lane, dot_ends)));
    const __m512i halves = _mm512_unpacklo_epi64(even_halves, odd_halves);
    const __m512i mantissa =
        _mm512_add_epi64(_mm512_mul_epu32(halves, _mm512_set1_epi64(100000000)), _mm512_srli_epi64(halves, 32));
    const __m512d divisor =
        _mm512_permutex2var_pd(_mm512_loadu_pd(power), _mm512_cvtepu32_epi64(fraction), _mm512_loadu_pd(power + 8));
    *payload = _mm512_castpd_si512(_mm512_div_pd(_mm512_cvtepi64_pd(mantissa), divisor));
    *length = end;
    return true;
}

/* Eight strings of at most 7 bytes of printable ASCII without escapes; `inside` are the 8 bytes behind the opening
 * quote. */
GROUP_INLINE bool group_strings(__m512i inside, __m512i *payload, __m256i *length)
{
    const __m512i tops = _mm512_set1_epi8((char)0x80);
    const __m512i unequal = _mm512_xor_si512(inside, _mm512_set1_epi8('"'));
    const __m512i quotes =
        _mm512_and_si512(_mm512_andnot_si512(unequal, _mm512_sub_epi64(unequal, _mm512_set1_epi8(1))), tops);
    const __m512i lowest = _mm512_and_si512(quotes, _mm512_sub_epi64(_mm512_setzero_si512(), quotes));
    const __m512i keep = _mm512_sub_epi64(_mm512_srli_epi64(lowest, 7), _mm512_set1_epi64(1));
    /* Signed: below 0x20 are control bytes and all that is not ASCII. */
    const __mmask64 odd =
        _mm512_cmplt_epi8_mask(inside, _mm512_set1_epi8(0x20)) | _mm512_cmpeq_epi8_mask(inside, _mm512_set1_epi8('\\'));
    if (__builtin_expect(_mm512_testn_epi64_mask(quotes, quotes) != 0 || (odd & _mm512_movepi8_mask(keep)) != 0, 0)) {
        return false;
    }
    const __m512i reverse = _mm512_broadcast_i32x4(_mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
    *payload = _mm512_shuffle_epi8(_mm512_and_si512(inside, keep), reverse);
    *length = _mm512_cvtepi64_epi32(_mm512_srli_epi64(_mm512_popcnt_epi64(keep), 3));
    return true;
}

/* true, false or null in each lane; `first` are the 8 bytes at the value. */
GROUP_INLINE bool group_literals(__m512i first, uint64_t *tags, __m512i *payload, __m256i *length)
{
    const __m512i four = _mm512_and_si512(first, _mm512_set1_epi64(0xffffffff));
    const __m512i five = _mm512_and_si512(first, _mm512_set1_epi64(0xffffffffff));
    const __mmask8 is_true = _mm512_cmpeq_epi64_mask(four, _mm512_set1_epi64(0x65757274));
    const __mmask8 is_null = _mm512_cmpeq_epi64_mask(four, _mm512_set1_epi64(0x6c6c756e));
    const __mmask8 is_false = _mm512_cmpeq_epi64_mask(five, _mm512_set1_epi64(0x65736c6166));
    const __mmask64 stops = group_stops(first);
    const uint32_t behind_four = (uint32_t)_pext_u64(stops, 0x1010101010101010ull);
    const uint32_t behind_five = (uint32_t)_pext_u64(stops, 0x2020202020202020ull);
    if ((((is_true | is_null) & behind_four) | (is_false & behind_five)) != 0xff) {
        return false;
    }
    *tags = _pdep_u64(is_true, RF_TOKEN_ONES) * RF_TAG_TRUE | _pdep_u64(is_null, RF_TOKEN_ONES) * RF_TAG_NULL |
            _pdep_u64(is_false, RF_TOKEN_ONES) * RF_TAG_FALSE;
    *payload = _mm512_maskz_set1_epi64(is_true, 1);
    *length = _mm256_mask_set1_epi32(_mm256_set1_epi32(4), is_false, 5);
    return true;
}

/* Rows [row, row + 8) of a column. False leaves the cells as they were. */
GROUP_INLINE bool group_decode(const uint8_t *bytes, const uint32_t *position, const struct rf_column *column,
                               uint32_t row, bool is_deep)
{
    const __m256i colon = _mm256_loadu_si256((const __m256i *)(const void *)(position + row));
    if (__builtin_expect(_mm256_cmpeq_epi32_mask(colon, _mm256_set1_epi32(-1)) != 0, 0)) {
        return false;
    }
    __m256i at = _mm256_add_epi32(colon, _mm256_set1_epi32(1));
    __m512i first = _mm512_i32gather_epi64(at, bytes, 1);
    const __m512i low_byte = _mm512_set1_epi64(0xff);
    __mmask8 is_blank = _mm512_cmpeq_epi64_mask(_mm512_and_si512(first, low_byte), _mm512_set1_epi64(' '));
    if (__builtin_expect(is_blank != 0, 0)) {
        at = _mm256_mask_add_epi32(at, is_blank, at, _mm256_set1_epi32(1));
        first = _mm512_i32gather_epi64(at, bytes, 1);
    }
    const __m512i byte = _mm512_and_si512(first, low_byte);
    __m512i payload = _mm512_setzero_si512();
    __m256i length = _mm256_setzero_si256();
    __m256i begin = at;
    uint64_t tags;
    if (_mm512_cmpeq_epi64_mask(byte, _mm512_set1_epi64('"')) == 0xff) {
        begin = _mm256_add_epi32(at, _mm256_set1_epi32(1));
        tags = RF_TOKEN_ONES * RF_TAG_STRING_RAW;
        if (!group_strings(_mm512_i32gather_epi64(begin, bytes, 1), &payload, &length)) {
            return false;
        }
    } else if (_mm512_cmple_epu64_mask(_mm512_sub_epi64(byte, _mm512_set1_epi64('0')), _mm512_set1_epi64(9)) == 0xff) {
        tags = RF_TOKEN_ONES * RF_TAG_NUMBER;
        if (!group_numbers(bytes, at, &payload, &length)) {
            return false;
        }
    } else if (_mm512_cmpeq_epi64_mask(byte, _mm512_set1_epi64('{')) == 0xff && !is_deep) {
        tags = RF_TOKEN_ONES * RF_TAG_OBJECT;
    } else if (!group_literals(first, &tags, &payload, &length)) {
        return false;
    }
    memcpy(column->tag + row, &tags, sizeof(tags));
    _mm512_storeu_si512(column->payload + row, payload);
    _mm256_storeu_si256((__m256i *)(void *)(column->begin + row), begin);
    _mm256_storeu_si256((__m256i *)(void *)(column->length + row), length);
    return true;
}

#endif
