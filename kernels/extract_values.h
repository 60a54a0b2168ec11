/* extract_values.h: decodes the value behind a colon into a cell. Included by extract_impl.h.
 *
 * Each function gives true when the value was of its plain form; all else goes through rf_walk_scalar, which decides
 * what is right and what is not.
 */
#ifndef RF_EXTRACT_VALUES_H
#define RF_EXTRACT_VALUES_H

#include <immintrin.h>

#include "extract.h"

#define VALUES_INLINE static inline __attribute__((always_inline))

/* Up to 16 digits, right-aligned in the register with zeros before them. */
VALUES_INLINE uint64_t digits_value(__m128i digits)
{
    const __m128i tens =
        _mm_maddubs_epi16(digits, _mm_set_epi8(1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10));
    const __m128i hundreds = _mm_madd_epi16(tens, _mm_set_epi16(1, 100, 1, 100, 1, 100, 1, 100));
    const __m128i packed = _mm_packus_epi32(hundreds, hundreds);
    const __m128i halves = _mm_madd_epi16(packed, _mm_set_epi16(1, 10000, 1, 10000, 1, 10000, 1, 10000));
    const uint64_t both = (uint64_t)_mm_cvtsi128_si64(halves);
    return (both & 0xffffffff) * 100000000 + (both >> 32);
}

/* A number of at most 15 digits without exponent, followed by a separator. Below 10^15 both the integer and the
 * power of ten are exact doubles, so that one division rounds once. *bits: the double. */
VALUES_INLINE bool number_plain(const uint8_t *at, uint64_t *bits, uint32_t *count)
{
    static const bool number_stop[256] = {
        [','] = true, ['}'] = true, [']'] = true, ['\n'] = true, [' '] = true, ['\r'] = true};
    static const double power[16] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                     1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const uint32_t sign = *at == '-';
    const uint8_t *first = at + sign;
    const __m128i digits = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(const void *)first), _mm_set1_epi8('0'));
    const uint32_t is_digit =
        (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits));
    const uint32_t whole = (uint32_t)__builtin_ctz(~is_digit);
    if (__builtin_expect(whole > 15, 0)) {
        return false;
    }
    const uint32_t has_dot = first[whole] == '.';
    const uint32_t fraction = has_dot ? (uint32_t)__builtin_ctz(~(is_digit >> (whole + 1))) : 0;
    const uint32_t end = whole + has_dot + fraction;
    const bool is_plain = (end < 16) & (whole != 0) & (fraction >= has_dot) & ((first[0] != '0') | (whole == 1)) &
                          number_stop[first[end]];
    if (__builtin_expect(!is_plain, 0)) {
        return false;
    }
    /* Byte j of the result comes from byte j + end - 16; left of the dot from one further left. */
    const __m128i iota = _mm_set_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    __m128i from = _mm_add_epi8(iota, _mm_set1_epi8((char)((int)end - 16)));
    const __m128i dot = _mm_set1_epi8(has_dot ? (char)(whole + 1) : (char)-128);
    from = _mm_add_epi8(from, _mm_cmpgt_epi8(dot, from));
    const double magnitude = (double)(int64_t)digits_value(_mm_shuffle_epi8(digits, from)) / power[fraction];
    memcpy(bits, &magnitude, sizeof(magnitude));
    *bits |= (uint64_t)sign << 63;
    *count = end + sign;
    return true;
}

/* A string of at most 31 bytes of printable ASCII without escapes; `at` is behind the opening quote. */
VALUES_INLINE bool string_plain(const uint8_t *at, uint32_t *count)
{
    const __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)at);
    const uint32_t quotes = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('"')));
    /* Signed compare: below 0x20 are control bytes and everything that is not ASCII. */
    const uint32_t odd = (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(
        _mm256_cmpgt_epi8(_mm256_set1_epi8(0x20), bytes), _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\\'))));
    *count = (uint32_t)__builtin_ctzll(quotes | 1ull << 32);
    return (quotes != 0) & ((odd & (quotes - 1) & ~quotes) == 0);
}

#endif
