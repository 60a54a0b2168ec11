#include <immintrin.h>
#include <string.h>

#include "fix_frame_levels.h"
#include "prefetch.h"

enum { SUM_VECTORS = 5 };

/* Lanes are bytes and wrap, which does no harm modulo 256. Five vectors at a time: the length of a message cannot be predicted,
 * and a loop of just as many rounds as it needs would be mispredicted at its end every other time. */
static inline __attribute__((always_inline)) uint8_t sum_of(const uint8_t *bytes, uint32_t count, uint8_t separator)
{
    __m512i sum = _mm512_setzero_si512();
    uint32_t found = 0;
    for (uint32_t at = 0; at < count; at += 64 * SUM_VECTORS) {
        for (uint32_t v = 0; v < SUM_VECTORS; v++) {
            const uint32_t before = at + 64 * v;
            const uint32_t left = count > before ? count - before : 0;
            const __mmask64 mask = _bzhi_u64(~0ull, left < 64 ? left : 64);
            const __m512i part = _mm512_maskz_loadu_epi8(mask, bytes + before);
            rf_prefetch_line(bytes + before);
            sum = _mm512_add_epi8(sum, part);
            if (separator != 1) {
                found +=
                    (uint32_t)__builtin_popcountll(_mm512_cmpeq_epi8_mask(part, _mm512_set1_epi8((char)separator)));
            }
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
