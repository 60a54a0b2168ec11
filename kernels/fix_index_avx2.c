#include <immintrin.h>
#include <string.h>

#include "fix_index_levels.h"

static inline __attribute__((always_inline)) uint64_t equal_mask(__m256i low, __m256i high, char byte)
{
    const __m256i wanted = _mm256_set1_epi8(byte);
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted)) |
           (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted)) << 32;
}

static inline __attribute__((always_inline)) void masks_of(const uint8_t *p, uint8_t separator, uint64_t *separators,
                                                           uint64_t *equals)
{
    const __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)p);
    const __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));
    *separators = equal_mask(low, high, (char)separator);
    *equals = equal_mask(low, high, '=');
}

/* Eight at a time, whatever the count: few words have more, and the number of rounds is seldom mispredicted. */
static inline __attribute__((always_inline)) void places_emit(uint32_t *out, uint64_t bits, uint32_t base)
{
    while (bits != 0) {
        for (uint32_t i = 0; i < 8; i++) {
            out[i] = base + (uint32_t)_tzcnt_u64(bits);
            bits = _blsr_u64(bits);
        }
        out += 8;
    }
}

/* A run of set bits is one tag with its `=`, or a part of it at the edge of a word; most are short. */
static inline __attribute__((always_inline)) void text_emit(uint8_t *out, const uint8_t *p, uint64_t bits)
{
    while (bits != 0) {
        const uint32_t first = (uint32_t)_tzcnt_u64(bits);
        const uint32_t count = (uint32_t)_tzcnt_u64(~(bits >> first));
        uint64_t word;
        memcpy(&word, p + first, sizeof word);
        memcpy(out, &word, sizeof word);
        if (__builtin_expect(count > 8, 0)) {
            memcpy(out, p + first, count);
        }
        out += count;
        bits &= count + first < 64 ? ~0ull << (first + count) : 0;
    }
}

static inline __attribute__((always_inline)) bool text_equal(const uint8_t *a, const uint8_t *b, uint32_t count)
{
    return memcmp(a, b, count) == 0;
}

#define INDEX_ALL rf_fix_index_all_avx2
#define INDEX_WANTED rf_fix_index_wanted_avx2
#include "fix_index_impl.h"
