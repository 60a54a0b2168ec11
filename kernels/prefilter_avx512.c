#include <immintrin.h>
#include <string.h>

#include "prefilter_levels.h"

static inline __attribute__((always_inline)) uint64_t word_candidates(const uint8_t *p,
                                                                      const struct rf_prefilter *prefilter,
                                                                      uint64_t *escapes, uint64_t *line_ends)
{
    const __m512i bytes = _mm512_loadu_si512(p);
    const __m512i behind = _mm512_loadu_si512(p + 1);
    __mmask64 candidates = 0;
    for (uint32_t k = 0; k < prefilter->probes; k++) {
        const struct rf_prefilter_probe *probe = &prefilter->probe[k];
        const __mmask64 first = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8((char)probe->first));
        candidates |= _mm512_mask_cmpeq_epi8_mask(first, _mm512_loadu_si512(p + probe->distance),
                                                  _mm512_set1_epi8((char)probe->second));
    }
    const __mmask64 backslash = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\\'));
    *escapes = _mm512_mask_cmpeq_epi8_mask(backslash, behind, _mm512_set1_epi8('u'));
    if (prefilter->has_slash) {
        *escapes |= _mm512_mask_cmpeq_epi8_mask(backslash, behind, _mm512_set1_epi8('/'));
    }
    *line_ends = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\n'));
    return candidates;
}

#define PREFILTER_RUN rf_prefilter_run_avx512
#include "prefilter_impl.h"
