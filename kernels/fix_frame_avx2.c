#include <immintrin.h>
#include <string.h>

#include "fix_frame_levels.h"
#include "prefetch.h"

static inline __attribute__((always_inline)) uint8_t sum_of(const uint8_t *bytes, uint32_t count, uint8_t separator)
{
    static const uint8_t ones[64] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    const __m256i wanted = _mm256_set1_epi8((char)separator);
    __m256i sum = _mm256_setzero_si256();
    __m256i found = sum; /* one less for each separator, modulo 256 */
    uint32_t at = 0;
    for (; count - at >= 32; at += 32) {
        const __m256i part = _mm256_loadu_si256((const __m256i *)(const void *)(bytes + at));
        rf_prefetch_line(bytes + at);
        sum = _mm256_add_epi8(sum, part);
        found = _mm256_add_epi8(found, _mm256_cmpeq_epi8(part, wanted));
    }
    const __m256i mask = _mm256_loadu_si256((const __m256i *)(const void *)(ones + 32 - (count - at)));
    const __m256i part = _mm256_and_si256(mask, _mm256_loadu_si256((const __m256i *)(const void *)(bytes + at)));
    sum = _mm256_add_epi8(sum, part);
    found = _mm256_add_epi8(found, _mm256_cmpeq_epi8(part, wanted));
    const __m256i zero = _mm256_setzero_si256();
    const __m256i sums = _mm256_sad_epu8(sum, zero);
    const __m256i founds = _mm256_sad_epu8(found, zero);
    const uint64_t total = (uint64_t)_mm256_extract_epi64(sums, 0) + (uint64_t)_mm256_extract_epi64(sums, 1) +
                           (uint64_t)_mm256_extract_epi64(sums, 2) + (uint64_t)_mm256_extract_epi64(sums, 3);
    const uint64_t minus = (uint64_t)_mm256_extract_epi64(founds, 0) + (uint64_t)_mm256_extract_epi64(founds, 1) +
                           (uint64_t)_mm256_extract_epi64(founds, 2) + (uint64_t)_mm256_extract_epi64(founds, 3);
    return (uint8_t)(total + minus * (separator - 1u));
}

static inline uint32_t prefix_skip(const uint8_t *bytes, uint32_t at, uint32_t end)
{
    for (uint32_t p = at; p < end; p += 30) {
        const __m256i part = _mm256_loadu_si256((const __m256i *)(const void *)(bytes + p));
        const uint32_t heads = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(part, _mm256_set1_epi8('8'))) &
                               (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(part, _mm256_set1_epi8('='))) >> 1 &
                               (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(part, _mm256_set1_epi8('F'))) >> 2;
        const uint32_t stops = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(part, _mm256_set1_epi8('\n'))) |
                               (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(part, _mm256_set1_epi8(1)));
        const uint32_t either = heads | stops;
        if (either != 0 && __builtin_ctz(either) < 30) {
            const uint32_t found = p + (uint32_t)__builtin_ctz(either);
            const bool is_head = (heads & (either & -either)) != 0;
            return is_head && found < end && found > at && (uint8_t)(bytes[found - 1] - '0') > 9 ? found : end;
        }
    }
    return end;
}

#define FRAME_LEVEL rf_fix_frame_avx2
#include "fix_frame_impl.h"
