/* extract_group.h: the values of eight or sixteen rows of one column at once, for AVX-512; included by extract_avx512.c.
 *
 * Purpose    A column mostly holds values of one kind. group_decode looks at the first bytes of the values and
 *            takes them when all are short numbers, short strings, literals or containers of a plain form; else
 *            the caller goes row by row (extract_values.h), to the same cells.
 * Cost       about 23 instructions for a number, 5 for a string of up to 7 bytes. One row at a time the same work is a
 *            chain of 90 cycles of latency that a core cannot overlap with the next: docs/performance.md, "decode".
 * Source     decimal digits by multiply-add of pairs; the classic zero-byte test for the closing quote.
 */
#ifndef RF_EXTRACT_GROUP_H
#define RF_EXTRACT_GROUP_H

#include <immintrin.h>

#include "extract.h"

#define GROUP_INLINE static inline __attribute__((always_inline))

enum { GROUP_LANES = 8, GROUPS_MAX = 2 };

/* Constants that stay in memory, where an instruction takes them as an operand. gcc makes those it knows anew in each round
 * of a loop, from a general register, through the port that is the busiest here. */
struct group_constants {
    /* For the low six bits of a byte, the byte with these bits that may stand behind a number or a literal; or one with
     * other bits, which no byte that is looked up equals. */
    uint8_t stop[64];
    uint8_t zero[64], nine[64], point[64], one[64], sixteen[64], quote[64], space[64], backslash[64];
    uint8_t iota[16], reverse[16];
    uint32_t even_lane[16]; /* lane i of 32 bits to all bytes of the 128-bit lane that holds row i */
    int32_t ones, minus_one, fifteen, no_dot, hundreds, ten_thousands;
    int16_t tens;
    int64_t low_byte, first_quote, first_zero, first_brace, hundred_million, nine_wide, one_wide;
};

#define GROUP_ALL(byte) {[0 ... 63] = (byte)}

static const struct group_constants group_constants = {
    .stop = {[0x00] = 0x01, /* the others' low bits are 0 */
             [0x01 ... 0x09] = 0x40,
             [0x0a] = '\n',
             [0x0b ... 0x0c] = 0x40,
             [0x0d] = '\r',
             [0x0e ... 0x1c] = 0x40,
             [0x1d] = ']',
             [0x1e ... 0x1f] = 0x40,
             [0x20] = ' ',
             [0x21 ... 0x2b] = 0x40,
             [0x2c] = ',',
             [0x2d ... 0x3c] = 0x40,
             [0x3d] = '}',
             [0x3e ... 0x3f] = 0x40},
    .zero = GROUP_ALL('0'),
    .nine = GROUP_ALL(9),
    .point = GROUP_ALL('.'),
    .one = GROUP_ALL(1),
    .sixteen = GROUP_ALL(16),
    .quote = GROUP_ALL('"'),
    .space = GROUP_ALL(' '),
    .backslash = GROUP_ALL('\\'),
    .iota = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    .reverse = {7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8},
    .even_lane = {0, 0, 0, 0, 0x08080808, 0x08080808, 0x08080808, 0x08080808, 0x10101010, 0x10101010, 0x10101010,
                  0x10101010, 0x18181818, 0x18181818, 0x18181818, 0x18181818},
    .ones = 1,
    .minus_one = -1,
    .fifteen = 15,
    .no_dot = -128,
    .hundreds = 0x00010064,
    .ten_thousands = 0x00012710,
    .tens = 0x010a,
    .low_byte = 0xff,
    .first_quote = '"',
    .first_zero = '0',
    .first_brace = '{',
    .hundred_million = 100000000,
    .nine_wide = 9,
    .one_wide = 1,
};

GROUP_INLINE const struct group_constants *group_constants_hidden(void)
{
    const struct group_constants *constants = &group_constants;
    __asm__("" : "+r"(constants));
    return constants;
}

GROUP_INLINE __m512i group_bytes(const uint8_t all[64])
{
    return _mm512_loadu_si512(all);
}

/* Bytes that may stand behind a number or a literal. */
GROUP_INLINE __mmask64 group_stops(const struct group_constants *c, __m512i bytes)
{
    return _mm512_cmpeq_epi8_mask(bytes, _mm512_permutexvar_epi8(bytes, group_bytes(c->stop)));
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
GROUP_INLINE __m256i group_trailing(const struct group_constants *c, __m256i lowest)
{
    return _mm256_popcnt_epi32(_mm256_add_epi32(lowest, _mm256_set1_epi32(c->minus_one)));
}

/* Up to 16 digits in each 128-bit lane, right-aligned, to the two 8-digit halves of its low 64 bits. */
GROUP_INLINE __m512i group_halves(const struct group_constants *c, __m512i digits)
{
    const __m512i tens = _mm512_maddubs_epi16(digits, _mm512_set1_epi16(c->tens));
    const __m512i hundreds = _mm512_madd_epi16(tens, _mm512_set1_epi32(c->hundreds));
    const __m512i packed = _mm512_packus_epi32(hundreds, hundreds);
    return _mm512_madd_epi16(packed, _mm512_set1_epi32(c->ten_thousands));
}

/* Moves the digits of each lane to its end and drops the dot: as in number_plain. */
GROUP_INLINE __m512i group_align(const struct group_constants *c, __m512i digits, __m512i end, __m512i dot)
{
    const __m512i iota = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)c->iota));
    __m512i from = _mm512_add_epi8(iota, _mm512_sub_epi8(end, group_bytes(c->sixteen)));
    const __mmask64 left = _mm512_cmpgt_epi8_mask(dot, from);
    from = _mm512_mask_sub_epi8(from, left, from, group_bytes(c->one));
    return _mm512_shuffle_epi8(digits, from);
}

/* Numbers of at most 15 digits without sign or exponent, eight to a group; begin_zero: those that begin with '0'. A group
 * is one chain of 130 cycles, and while its instructions wait for each other they fill the queue of the core: so each
 * step is done for all groups before the next. */
GROUP_INLINE bool group_numbers(const struct group_constants *c, const uint8_t *bytes, const int groups,
                                const __m256i at[GROUPS_MAX], const __mmask8 begin_zero[GROUPS_MAX],
                                __m512i payload[GROUPS_MAX], __m256i length[GROUPS_MAX])
{
    static const double power[16] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                     1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    __m512i even[GROUPS_MAX], odd[GROUPS_MAX];
    __m256i digit[GROUPS_MAX], dots[GROUPS_MAX], stops[GROUPS_MAX], whole[GROUPS_MAX], fraction[GROUPS_MAX];
    __mmask8 has_dot[GROUPS_MAX];
    uint32_t bad = 0;
    const __m512i zero = group_bytes(c->zero);
    const __m512i nine = group_bytes(c->nine);
    const __m512i point = group_bytes(c->point);
    const __m256i one = _mm256_set1_epi32(c->ones);
    for (int g = 0; g < groups; g++) {
        uint32_t offset[GROUP_LANES];
        _mm256_storeu_si256((__m256i *)(void *)offset, at[g]);
        even[g] = group_load(bytes, offset[0], offset[2], offset[4], offset[6]);
        odd[g] = group_load(bytes, offset[1], offset[3], offset[5], offset[7]);
    }
    for (int g = 0; g < groups; g++) {
        stops[g] = group_masks(group_stops(c, even[g]), group_stops(c, odd[g]));
        dots[g] = group_masks(_mm512_cmpeq_epi8_mask(even[g], point), _mm512_cmpeq_epi8_mask(odd[g], point));
        even[g] = _mm512_sub_epi8(even[g], zero);
        odd[g] = _mm512_sub_epi8(odd[g], zero);
        digit[g] = group_masks(_mm512_cmple_epu8_mask(even[g], nine), _mm512_cmple_epu8_mask(odd[g], nine));
    }
    for (int g = 0; g < groups; g++) {
        /* The lowest bit that is no digit ends the whole part; a dot there joins the fraction to it. */
        const __m256i whole_end = _mm256_andnot_si256(digit[g], _mm256_add_epi32(digit[g], one));
        whole[g] = group_trailing(c, whole_end);
        const __m256i dot = _mm256_and_si256(whole_end, dots[g]);
        has_dot[g] = _mm256_test_epi32_mask(dot, dot);
        const __m256i joined = _mm256_or_si256(digit[g], dot);
        const __m256i end_bit = _mm256_andnot_si256(joined, _mm256_add_epi32(joined, one));
        const __m256i end = group_trailing(c, end_bit);
        fraction[g] = _mm256_maskz_sub_epi32(has_dot[g], _mm256_sub_epi32(end, whole[g]), one);
        length[g] = end;
        bad |= (uint32_t)_mm256_cmpgt_epi32_mask(end, _mm256_set1_epi32(c->fifteen)) |
               _mm256_cmpeq_epi32_mask(whole[g], _mm256_setzero_si256()) |
               _mm256_mask_cmpeq_epi32_mask(has_dot[g], fraction[g], _mm256_setzero_si256()) |
               _mm256_mask_cmpgt_epi32_mask(begin_zero[g], whole[g], one) | _mm256_testn_epi32_mask(stops[g], end_bit);
    }
    if (__builtin_expect(bad != 0, 0)) {
        return false;
    }
    const __m512i even_lane = _mm512_loadu_si512(c->even_lane);
    const __m512i odd_lane = _mm512_or_si512(even_lane, _mm512_slli_epi16(group_bytes(c->one), 2));
    for (int g = 0; g < groups; g++) {
        const __m512i ends = _mm512_castsi256_si512(length[g]);
        const __m512i dot_ends =
            _mm512_castsi256_si512(_mm256_mask_add_epi32(_mm256_set1_epi32(c->no_dot), has_dot[g], whole[g], one));
        even[g] = group_align(c, even[g], _mm512_permutexvar_epi8(even_lane, ends),
                              _mm512_permutexvar_epi8(even_lane, dot_ends));
        odd[g] = group_align(c, odd[g], _mm512_permutexvar_epi8(odd_lane, ends),
                             _mm512_permutexvar_epi8(odd_lane, dot_ends));
    }
    for (int g = 0; g < groups; g++) {
        even[g] = group_halves(c, even[g]);
        odd[g] = group_halves(c, odd[g]);
    }
    for (int g = 0; g < groups; g++) {
        const __m512i halves = _mm512_unpacklo_epi64(even[g], odd[g]);
        const __m512i mantissa =
            _mm512_add_epi64(_mm512_mul_epu32(halves, _mm512_set1_epi64(c->hundred_million)), _mm512_srli_epi64(halves, 32));
        const __m512d divisor = _mm512_permutex2var_pd(_mm512_loadu_pd(power), _mm512_cvtepu32_epi64(fraction[g]),
                                                       _mm512_loadu_pd(power + 8));
        payload[g] = _mm512_castpd_si512(_mm512_div_pd(_mm512_cvtepi64_pd(mantissa), divisor));
    }
    return true;
}

/* Eight strings of at most 7 bytes of printable ASCII without escapes; `inside` are the 8 bytes behind the opening
 * quote. */
GROUP_INLINE bool group_strings(const struct group_constants *c, __m512i inside, __m512i *payload, __m256i *length)
{
    const __m512i tops = _mm512_set1_epi8((char)0x80);
    const __m512i unequal = _mm512_xor_si512(inside, group_bytes(c->quote));
    const __m512i quotes =
        _mm512_and_si512(_mm512_andnot_si512(unequal, _mm512_sub_epi64(unequal, group_bytes(c->one))), tops);
    const __m512i lowest = _mm512_and_si512(quotes, _mm512_sub_epi64(_mm512_setzero_si512(), quotes));
    const __m512i keep = _mm512_sub_epi64(_mm512_srli_epi64(lowest, 7), _mm512_set1_epi64(c->one_wide));
    /* Signed: below 0x20 are control bytes and all that is not ASCII. */
    const __mmask64 odd =
        _mm512_cmplt_epi8_mask(inside, group_bytes(c->space)) |
                          _mm512_cmpeq_epi8_mask(inside, group_bytes(c->backslash));
    if (__builtin_expect(_mm512_testn_epi64_mask(quotes, quotes) != 0 || (odd & _mm512_movepi8_mask(keep)) != 0, 0)) {
        return false;
    }
    const __m512i reverse = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)c->reverse));
    *payload = _mm512_shuffle_epi8(_mm512_and_si512(inside, keep), reverse);
    *length = _mm512_cvtepi64_epi32(_mm512_srli_epi64(_mm512_popcnt_epi64(keep), 3));
    return true;
}

/* true, false or null in each lane; `first` are the 8 bytes at the value. */
GROUP_INLINE bool group_literals(const struct group_constants *c, __m512i first, uint64_t *tags, __m512i *payload, __m256i *length)
{
    const __m512i four = _mm512_and_si512(first, _mm512_set1_epi64(0xffffffff));
    const __m512i five = _mm512_and_si512(first, _mm512_set1_epi64(0xffffffffff));
    const __mmask8 is_true = _mm512_cmpeq_epi64_mask(four, _mm512_set1_epi64(0x65757274));
    const __mmask8 is_null = _mm512_cmpeq_epi64_mask(four, _mm512_set1_epi64(0x6c6c756e));
    const __mmask8 is_false = _mm512_cmpeq_epi64_mask(five, _mm512_set1_epi64(0x65736c6166));
    const __mmask64 stops = group_stops(c, first);
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

/* Values of one kind for `groups` groups of rows from `row` on. False leaves the cells as they were. */
GROUP_INLINE bool group_decode(const uint8_t *bytes, const uint32_t *position, const struct rf_column *column,
                               uint32_t row, bool is_deep, const int groups)
{
    const struct group_constants *c = group_constants_hidden();
    __m256i begin[GROUPS_MAX], length[GROUPS_MAX];
    __m512i first[GROUPS_MAX], payload[GROUPS_MAX];
    __mmask8 begin_zero[GROUPS_MAX];
    uint64_t tags[GROUPS_MAX];
    uint32_t missing = 0;
    for (int g = 0; g < groups; g++) {
        const __m256i colon = _mm256_loadu_si256((const __m256i *)(const void *)(position + row + GROUP_LANES * g));
        missing |= _mm256_cmpeq_epi32_mask(colon, _mm256_set1_epi32(c->minus_one));
        begin[g] = _mm256_add_epi32(colon, _mm256_set1_epi32(c->ones));
        payload[g] = _mm512_setzero_si512();
        length[g] = _mm256_setzero_si256();
    }
    if (__builtin_expect(missing != 0, 0)) {
        return false;
    }
    uint32_t quotes = 0xff;
    uint32_t digits = 0xff;
    uint32_t braces = 0xff;
    for (int g = 0; g < groups; g++) {
        const __m512i low_byte = _mm512_set1_epi64(c->low_byte);
        first[g] = _mm512_i32gather_epi64(begin[g], bytes, 1);
        const __mmask8 is_blank =
            _mm512_cmpeq_epi64_mask(_mm512_and_si512(first[g], low_byte), _mm512_set1_epi64(' '));
        if (__builtin_expect(is_blank != 0, 0)) {
            begin[g] = _mm256_mask_add_epi32(begin[g], is_blank, begin[g], _mm256_set1_epi32(1));
            first[g] = _mm512_i32gather_epi64(begin[g], bytes, 1);
        }
        const __m512i byte = _mm512_and_si512(first[g], low_byte);
        quotes &= _mm512_cmpeq_epi64_mask(byte, _mm512_set1_epi64(c->first_quote));
        digits &= _mm512_cmple_epu64_mask(_mm512_sub_epi64(byte, _mm512_set1_epi64(c->first_zero)),
                                          _mm512_set1_epi64(c->nine_wide));
        braces &= _mm512_cmpeq_epi64_mask(byte, _mm512_set1_epi64(c->first_brace));
        begin_zero[g] = _mm512_cmpeq_epi64_mask(byte, _mm512_set1_epi64(c->first_zero));
    }
    uint64_t tag = 0;
    bool is_good = true;
    if (quotes == 0xff) {
        tag = RF_TAG_STRING_RAW;
        for (int g = 0; g < groups; g++) {
            begin[g] = _mm256_add_epi32(begin[g], _mm256_set1_epi32(c->ones));
            is_good &= group_strings(c, _mm512_i32gather_epi64(begin[g], bytes, 1), &payload[g], &length[g]);
        }
    } else if (digits == 0xff) {
        tag = RF_TAG_NUMBER;
        is_good = group_numbers(c, bytes, groups, begin, begin_zero, payload, length);
    } else if (braces == 0xff && !is_deep) {
        tag = RF_TAG_OBJECT;
    } else {
        for (int g = 0; g < groups; g++) {
            is_good &= group_literals(c, first[g], &tags[g], &payload[g], &length[g]);
        }
    }
    if (__builtin_expect(!is_good, 0)) {
        return false;
    }
    for (int g = 0; g < groups; g++) {
        const uint32_t at = row + (uint32_t)(GROUP_LANES * g);
        tags[g] = tag == 0 ? tags[g] : RF_TOKEN_ONES * tag;
        memcpy(column->tag + at, &tags[g], sizeof(tags[g]));
        _mm512_storeu_si512(column->payload + at, payload[g]);
        _mm256_storeu_si256((__m256i *)(void *)(column->begin + at), begin[g]);
        _mm256_storeu_si256((__m256i *)(void *)(column->length + at), length[g]);
    }
    return true;
}

/* As many rows from `row` on as are alike; 0: the next ones must go one by one. Where sixteen were not, they are not tried
 * again before *wide_from. */
static inline uint32_t group_rows(const uint8_t *bytes, const uint32_t *position, const struct rf_column *column,
                                  uint32_t row, uint32_t rows, bool is_deep, uint32_t *wide_from)
{
    enum { NARROW_ROWS = 64 };
    if (row >= *wide_from && rows - row >= 2 * GROUP_LANES) {
        if (__builtin_expect(group_decode(bytes, position, column, row, is_deep, 2), 1)) {
            return 2 * GROUP_LANES;
        }
        *wide_from = row + NARROW_ROWS;
    }
    return rows - row >= GROUP_LANES && group_decode(bytes, position, column, row, is_deep, 1) ? GROUP_LANES : 0;
}

#endif
