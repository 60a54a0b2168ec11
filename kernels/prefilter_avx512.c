#include <immintrin.h>
#include <string.h>

#include "prefilter_levels.h"

struct scan_probe {
    __m512i first, second;
    uint32_t distance;
};

static struct scan_probe scan_probe_make(const struct rf_prefilter_probe *probe)
{
    return (struct scan_probe){_mm512_set1_epi8((char)probe->first), _mm512_set1_epi8((char)probe->second),
                               probe->distance};
}

static inline __attribute__((always_inline)) uint64_t word_scan(const uint8_t *p, const struct scan_probe *probe,
                                                                const uint32_t probes, const bool has_slash,
                                                                uint64_t *escapes, uint64_t *line_ends)
{
    const __m512i bytes = _mm512_loadu_si512(p);
    const __m512i behind = _mm512_loadu_si512(p + 1);
    __mmask64 candidates = 0;
    for (uint32_t k = 0; k < probes; k++) {
        const __mmask64 first = _mm512_cmpeq_epi8_mask(bytes, probe[k].first);
        candidates |= _mm512_mask_cmpeq_epi8_mask(first, _mm512_loadu_si512(p + probe[k].distance), probe[k].second);
    }
    const __mmask64 backslash = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\\'));
    *escapes = _mm512_mask_cmpeq_epi8_mask(backslash, behind, _mm512_set1_epi8('u'));
    if (has_slash) {
        *escapes |= _mm512_mask_cmpeq_epi8_mask(backslash, behind, _mm512_set1_epi8('/'));
    }
    *line_ends = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\n'));
    return candidates | *escapes;
}

#define SCAN_WORDS 4

/* One branch for all: whether a word has a candidate can't be foreseen. */
static inline __attribute__((always_inline)) bool words_scan(const uint8_t *p, const struct scan_probe *probe,
                                                             const uint32_t probes, const bool has_slash,
                                                             uint64_t *count)
{
    __mmask64 any = 0;
    for (uint32_t w = 0; w < SCAN_WORDS; w++) {
        uint64_t escapes;
        uint64_t line_ends;
        any = _kor_mask64(any, word_scan(p + 64 * w, probe, probes, has_slash, &escapes, &line_ends));
        *count += (uint64_t)__builtin_popcountll(line_ends);
    }
    return any != 0;
}

/* How far a line end is looked for at once, without a branch: how far it is can't be foreseen. */
enum { NEAR_WORDS = 5, NEAR_BYTES = 64 * NEAR_WORDS };

static inline __attribute__((always_inline)) uint64_t word_lines(const uint8_t *p)
{
    return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(p), _mm512_set1_epi8('\n'));
}

static inline uint32_t line_before(const struct rf_batch *batch, uint32_t at)
{
    uint32_t found = RF_NONE;
    if (at < NEAR_BYTES) {
        return found;
    }
    for (uint32_t from = at - NEAR_BYTES; from != at; from += 64) {
        const uint64_t lines = word_lines(batch->bytes + from);
        const uint32_t behind = from + 64 - (uint32_t)_lzcnt_u64(lines);
        found = lines != 0 ? behind : found;
    }
    return found;
}

static inline uint32_t line_behind(const struct rf_batch *batch, uint32_t at)
{
    uint32_t found = RF_NONE;
    if (batch->bytes_used - at < NEAR_BYTES) {
        return found;
    }
    for (uint32_t from = at + NEAR_BYTES; from != at;) {
        from -= 64;
        const uint64_t lines = word_lines(batch->bytes + from);
        const uint32_t behind = from + (uint32_t)_tzcnt_u64(lines) + 1;
        found = lines != 0 ? behind : found;
    }
    return found;
}

#define PREFILTER_RUN rf_prefilter_run_avx512
#include "prefilter_impl.h"
