// substring_search.hpp: every place where a 4-byte constant or a \u escape may begin, 64 or 32 bytes a step.
//
// Three bytes of the constant are compared (its first, second and last): a false positive costs one parse, a miss
// is not possible. memmem would be no fair peer: glibc's is scalar.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace search
{

#if defined(__AVX512BW__)

constexpr size_t step_bytes = 64;

inline uint64_t equal(const char *at, char byte)
{
    return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(at), _mm512_set1_epi8(byte));
}

#elif defined(__AVX2__)

constexpr size_t step_bytes = 32;

inline uint64_t equal(const char *at, char byte)
{
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(at));
    return static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte))));
}

#else

constexpr size_t step_bytes = 64;

inline uint64_t equal(const char *at, char byte)
{
    uint64_t mask = 0;
    for (size_t i = 0; i < step_bytes; i++) {
        mask |= static_cast<uint64_t>(at[i] == byte) << i;
    }
    return mask;
}

#endif

} // namespace search

// Reads up to 67 bytes behind the input (BENCH_PADDING); hits behind it are not reported.
template <typename visitor> void substring_search(const char *bytes, size_t count, const char *wanted, visitor visit)
{
    constexpr size_t ahead_bytes = 8192;
    const char *const end = bytes + count;
    for (const char *at = bytes; at < end; at += search::step_bytes) {
        __builtin_prefetch(at + ahead_bytes);
        uint64_t hits =
            search::equal(at, wanted[0]) & search::equal(at + 1, wanted[1]) & search::equal(at + 3, wanted[3]);
        hits |= search::equal(at, '\\') & search::equal(at + 1, 'u');
        while (__builtin_expect(hits != 0, 0)) {
            const char *hit = at + __builtin_ctzll(hits);
            hits &= hits - 1;
            if (hit < end) {
                visit(hit);
            }
        }
    }
}
