#include <immintrin.h>
#include <string.h>

#include "fix_index_levels.h"

static inline __attribute__((always_inline)) void masks_of(const uint8_t *p, uint8_t separator, uint64_t *separators,
                                                           uint64_t *equals)
{
    const __m512i bytes = _mm512_loadu_si512(p);
    *separators = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8((char)separator));
    *equals = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('='));
}

static inline __attribute__((always_inline)) void places_emit(uint32_t *out, uint64_t bits, uint32_t base)
{
    const __m512i iota =
        _mm512_set_epi8(63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40,
                        39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,
                        15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i from = _mm512_set1_epi32((int)base);
    const __m512i packed = _mm512_maskz_compress_epi8(bits, iota);
    _mm512_storeu_si512(out, _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_castsi512_si128(packed)), from));
    if (__builtin_expect(__builtin_popcountll(bits) > 16, 0)) {
        for (int part = 1; part < 4; part++) {
            const __m128i more = part == 1   ? _mm512_extracti32x4_epi32(packed, 1)
                                 : part == 2 ? _mm512_extracti32x4_epi32(packed, 2)
                                             : _mm512_extracti32x4_epi32(packed, 3);
            _mm512_storeu_si512(out + 16 * part, _mm512_add_epi32(_mm512_cvtepu8_epi32(more), from));
        }
    }
}

static inline __attribute__((always_inline)) void text_emit(uint8_t *out, const uint8_t *p, uint64_t bits)
{
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi8(bits, _mm512_loadu_si512(p)));
}

static inline __attribute__((always_inline)) bool text_equal(const uint8_t *a, const uint8_t *b, uint32_t count)
{
    uint64_t differ = 0;
    for (uint32_t at = 0; at < count; at += 64) {
        const uint32_t left = count - at;
        differ |= _mm512_cmpneq_epi8_mask(_mm512_loadu_si512(a + at), _mm512_loadu_si512(b + at)) &
                  _bzhi_u64(~0ull, left < 64 ? left : 64);
    }
    return differ == 0;
}

#define INDEX_ALL rf_fix_index_all_avx512
#define INDEX_WANTED rf_fix_index_wanted_avx512
#include "fix_index_impl.h"
