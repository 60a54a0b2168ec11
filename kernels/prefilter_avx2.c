#include <immintrin.h>
#include <string.h>

#include "prefilter_levels.h"

struct pair { /* 64 bytes */
    __m256i low, high;
};

static inline __attribute__((always_inline)) struct pair pair_equal(const uint8_t *p, char c)
{
    const __m256i wanted = _mm256_set1_epi8(c);
    return (struct pair){
        _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(const void *)p), wanted),
        _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(const void *)(p + 32)), wanted),
    };
}

static inline __attribute__((always_inline)) uint64_t pair_mask(struct pair pair)
{
    return (uint32_t)_mm256_movemask_epi8(pair.low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(pair.high) << 32;
}

static inline __attribute__((always_inline)) struct pair pair_and(struct pair a, struct pair b)
{
    return (struct pair){_mm256_and_si256(a.low, b.low), _mm256_and_si256(a.high, b.high)};
}

struct scan_probe {
    uint8_t first, second;
    uint32_t distance;
};

static struct scan_probe scan_probe_make(const struct rf_prefilter_probe *probe)
{
    return (struct scan_probe){probe->first, probe->second, probe->distance};
}

static inline __attribute__((always_inline)) uint64_t word_scan(const uint8_t *p, const struct scan_probe *probe,
                                                                const uint32_t probes, const bool has_slash,
                                                                uint64_t *escapes, uint64_t *line_ends)
{
    uint64_t candidates = 0;
    for (uint32_t k = 0; k < probes; k++) {
        candidates |= pair_mask(
            pair_and(pair_equal(p, (char)probe[k].first), pair_equal(p + probe[k].distance, (char)probe[k].second)));
    }
    const struct pair backslash = pair_equal(p, '\\');
    *escapes = pair_mask(pair_and(backslash, pair_equal(p + 1, 'u')));
    if (has_slash) {
        *escapes |= pair_mask(pair_and(backslash, pair_equal(p + 1, '/')));
    }
    *line_ends = pair_mask(pair_equal(p, '\n'));
    return candidates | *escapes;
}

#define SCAN_WORDS 0
#define PREFILTER_RUN rf_prefilter_run_avx2
#include "prefilter_impl.h"
