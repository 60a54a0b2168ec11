#include <immintrin.h>
#include <string.h>

#include "fix_frame_levels.h"
#include "prefetch.h"

#define SUM_INLINE static inline __attribute__((always_inline))

struct sums {
    __m256i wanted;
    __m256i bytes; /* lanes wrap, which does no harm modulo 256 */
    __m256i found; /* one less for each separator, likewise */
};

SUM_INLINE uint32_t half_sum(struct sums *sums, __m256i part)
{
    const __m256i found = _mm256_cmpeq_epi8(part, sums->wanted);
    sums->bytes = _mm256_add_epi8(sums->bytes, part);
    sums->found = _mm256_add_epi8(sums->found, found);
    return (uint32_t)_mm256_movemask_epi8(found);
}

SUM_INLINE uint64_t word_sum(struct sums *sums, __m256i low, __m256i high)
{
    const uint32_t first = half_sum(sums, low);
    return first | (uint64_t)half_sum(sums, high) << 32;
}

SUM_INLINE __m256i load(const void *at)
{
    return _mm256_loadu_si256((const __m256i *)at);
}

SUM_INLINE uint64_t lanes_sum(__m256i bytes)
{
    const __m256i sums = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
    const __m128i two = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    return (uint64_t)_mm_cvtsi128_si64(two) + (uint64_t)_mm_extract_epi64(two, 1);
}

SUM_INLINE uint8_t sum_of(const uint8_t *bytes, uint32_t count, uint8_t separator, uint64_t *mask)
{
    static const uint8_t ones[128] = {
#define ONES 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff
        ONES, ONES, ONES, ONES, ONES, ONES, ONES, ONES,
#undef ONES
    };
    const bool is_long = count >= 64 * RF_FIX_MASK_WORDS;
    struct sums sums = {_mm256_set1_epi8((char)separator), _mm256_setzero_si256(), _mm256_setzero_si256()};
    uint64_t none; /* of a long message nobody asks for the masks */
    uint64_t *out = is_long ? &none : mask;
    uint32_t at = 0;
    memset(mask, 0, RF_FIX_MASK_WORDS * sizeof *mask);
    for (; count - at >= 64; at += 64, out += is_long ? 0 : 1) {
        rf_prefetch_line(bytes + at);
        *out = word_sum(&sums, load(bytes + at), load(bytes + at + 32));
    }
    const uint8_t *there = ones + 64 - (count - at);
    rf_prefetch_line(bytes + at);
    *out = word_sum(&sums, _mm256_and_si256(load(there), load(bytes + at)),
                    _mm256_and_si256(load(there + 32), load(bytes + at + 32)));
    return (uint8_t)(lanes_sum(sums.bytes) + lanes_sum(sums.found) * (separator - 1u));
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
