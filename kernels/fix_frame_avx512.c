#include <immintrin.h>
#include <string.h>

#include "fix_frame_levels.h"
#include "prefetch.h"

#define SUM_INLINE static inline __attribute__((always_inline))

/* One vector of a message: all of it that is there is added to *sum (bytes wrap, which does no harm modulo 256). Returns where
 * its separators are. `mask`: which bytes are there. */
SUM_INLINE uint64_t vector_sum(const uint8_t *bytes, uint64_t mask, __m512i separator, __m512i *sum)
{
    const __m512i part = _mm512_maskz_loadu_epi8(mask, bytes);
    rf_prefetch_line(bytes);
    *sum = _mm512_add_epi8(*sum, part);
    return _mm512_cmpeq_epi8_mask(part, separator);
}

SUM_INLINE uint32_t less_or_none(uint32_t count, uint32_t less)
{
    return count > less ? count - less : 0;
}

/* Always five vectors, or a multiple: the length of a message cannot be predicted, and a loop of just as many rounds as it needs
 * would be mispredicted at its end every other time. */
SUM_INLINE uint8_t sum_of(const uint8_t *bytes, uint32_t count, uint8_t separator, uint64_t *mask)
{
    const __m512i wanted = _mm512_set1_epi8((char)separator);
    __m512i sum = _mm512_setzero_si512();
    uint32_t found = 0;
    if (__builtin_expect(count < 64 * RF_FIX_MASK_WORDS, 1)) {
        for (uint32_t w = 0; w < RF_FIX_MASK_WORDS; w++) {
            /* Of the count of bits the instruction takes the lowest eight, which is enough behind the first word. */
            const uint32_t left = w == 0 && count > 64 ? 64 : less_or_none(count, 64 * w);
            mask[w] = vector_sum(bytes + 64 * w, _bzhi_u64(~0ull, left), wanted, &sum);
        }
        if (__builtin_expect(separator != 1, 0)) {
            for (uint32_t w = 0; w < RF_FIX_MASK_WORDS; w++) {
                found += (uint32_t)__builtin_popcountll(mask[w]);
            }
        }
    } else {
        mask[0] = 0;
        for (uint32_t at = 0; at < count; at += 64) {
            const uint64_t there = _bzhi_u64(~0ull, count - at < 64 ? count - at : 64);
            found += (uint32_t)__builtin_popcountll(vector_sum(bytes + at, there, wanted, &sum));
        }
    }
    const __m512i sums = _mm512_sad_epu8(sum, _mm512_setzero_si512());
    return (uint8_t)((uint64_t)_mm512_reduce_add_epi64(sums) - found * (separator - 1u));
}

static inline uint32_t prefix_skip(const uint8_t *bytes, uint32_t at, uint32_t end)
{
    for (uint32_t p = at; p < end; p += 62) {
        const __m512i part = _mm512_loadu_si512(bytes + p);
        const uint64_t heads = _mm512_cmpeq_epi8_mask(part, _mm512_set1_epi8('8')) &
                               _mm512_cmpeq_epi8_mask(part, _mm512_set1_epi8('=')) >> 1 &
                               _mm512_cmpeq_epi8_mask(part, _mm512_set1_epi8('F')) >> 2;
        const uint64_t stops =
            _mm512_cmpeq_epi8_mask(part, _mm512_set1_epi8('\n')) | _mm512_cmpeq_epi8_mask(part, _mm512_set1_epi8(1));
        const uint64_t either = heads | stops;
        if (either != 0 && (uint32_t)__builtin_ctzll(either) < 62) {
            const uint32_t found = p + (uint32_t)__builtin_ctzll(either);
            const bool is_head = (heads & (either & -either)) != 0;
            return is_head && found < end && found > at && (uint8_t)(bytes[found - 1] - '0') > 9 ? found : end;
        }
    }
    return end;
}

#define FRAME_LEVEL rf_fix_frame_avx512
#include "fix_frame_impl.h"
