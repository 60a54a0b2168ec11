#include "fix_sum.h"

#include <assert.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>

enum { BLOCK = 16 };

/* Sixteen bytes as two sums. */
static inline __m128i block_sum(const char *at)
{
    return _mm_sad_epu8(_mm_loadu_si128((const __m128i *)(const void *)at), _mm_setzero_si128());
}

/* The last `count` < 16 of the 16 bytes that end at `end`. */
static inline __m128i tail_sum(const char *end, size_t count)
{
    static const uint8_t window[2 * BLOCK] = {[BLOCK] = 255, 255, 255, 255, 255, 255, 255, 255,
                                              255,           255, 255, 255, 255, 255, 255, 255};
    const __m128i mask = _mm_loadu_si128((const __m128i *)(const void *)(window + count));
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(end - BLOCK));
    return _mm_sad_epu8(_mm_and_si128(bytes, mask), _mm_setzero_si128());
}

uint32_t rf_fix_text_sum(const char *bytes, size_t count)
{
    const char *const end = bytes + count;
    if (count < BLOCK) {
        uint32_t sum = 0;
        for (; bytes < end; bytes++) {
            sum += (uint8_t)*bytes;
        }
        return sum;
    }
    __m128i even = tail_sum(end, count % BLOCK);
    __m128i odd = _mm_setzero_si128();
    for (; end - bytes >= 2 * BLOCK; bytes += 2 * BLOCK) {
        even = _mm_add_epi64(even, block_sum(bytes));
        odd = _mm_add_epi64(odd, block_sum(bytes + BLOCK));
    }
    if (end - bytes >= BLOCK) {
        odd = _mm_add_epi64(odd, block_sum(bytes));
    }
    const __m128i both = _mm_add_epi64(even, odd);
    return (uint32_t)_mm_cvtsi128_si32(_mm_add_epi64(both, _mm_unpackhi_epi64(both, both)));
}

uint8_t rf_fix_sum_as_soh(const char *bytes, size_t count, char separator)
{
    const char *const end = bytes + count;
    assert(count >= BLOCK);
    const __m128i wanted = _mm_set1_epi8(separator);
    static const uint8_t window[2 * BLOCK] = {[BLOCK] = 255, 255, 255, 255, 255, 255, 255, 255,
                                              255,           255, 255, 255, 255, 255, 255, 255};
    /* Lanes of bytes wrap, which modulo 256 does no harm. */
    const __m128i mask = _mm_loadu_si128((const __m128i *)(const void *)(window + count % BLOCK));
    const __m128i tail = _mm_and_si128(_mm_loadu_si128((const __m128i *)(const void *)(end - BLOCK)), mask);
    __m128i sum = tail;
    __m128i found = _mm_cmpeq_epi8(tail, wanted); /* one less for each separator */
    for (; end - bytes >= 4 * BLOCK;
         bytes += 4 * BLOCK) { /* each sum waits for the one before: four blocks at a time */
        const __m128i *block = (const __m128i *)(const void *)bytes;
        const __m128i a = _mm_loadu_si128(block);
        const __m128i b = _mm_loadu_si128(block + 1);
        const __m128i c = _mm_loadu_si128(block + 2);
        const __m128i d = _mm_loadu_si128(block + 3);
        sum = _mm_add_epi8(sum, _mm_add_epi8(_mm_add_epi8(a, b), _mm_add_epi8(c, d)));
        const __m128i in_ab = _mm_add_epi8(_mm_cmpeq_epi8(a, wanted), _mm_cmpeq_epi8(b, wanted));
        const __m128i in_cd = _mm_add_epi8(_mm_cmpeq_epi8(c, wanted), _mm_cmpeq_epi8(d, wanted));
        found = _mm_add_epi8(found, _mm_add_epi8(in_ab, in_cd));
    }
    for (; end - bytes >= BLOCK; bytes += BLOCK) {
        const __m128i block = _mm_loadu_si128((const __m128i *)(const void *)bytes);
        sum = _mm_add_epi8(sum, block);
        found = _mm_add_epi8(found, _mm_cmpeq_epi8(block, wanted));
    }
    const __m128i zero = _mm_setzero_si128();
    sum = _mm_sad_epu8(sum, zero);
    found = _mm_sad_epu8(found, zero);
    const uint32_t total = (uint32_t)_mm_cvtsi128_si32(_mm_add_epi64(sum, _mm_unpackhi_epi64(sum, sum)));
    const uint32_t minus = (uint32_t)_mm_cvtsi128_si32(_mm_add_epi64(found, _mm_unpackhi_epi64(found, found)));
    return (uint8_t)(total + minus * ((uint8_t)separator - 1u));
}

#else

uint8_t rf_fix_sum_as_soh(const char *bytes, size_t count, char separator)
{
    const size_t found = rf_fix_text_count(bytes, count, separator);
    return (uint8_t)(rf_fix_text_sum(bytes, count) - found * ((uint8_t)separator - 1u));
}

/* Eight bytes as four sums of 16 bits, which 128 words cannot overflow. */
uint32_t rf_fix_text_sum(const char *bytes, size_t count)
{
    enum { WORDS_MAX = 128 };
    const uint64_t low_bytes = 0x00ff00ff00ff00ffull;
    uint32_t sum = 0;
    while (count >= 8) {
        const size_t words = count / 8 < WORDS_MAX ? count / 8 : WORDS_MAX;
        uint64_t lanes = 0;
        for (size_t i = 0; i < words; i++) {
            uint64_t word;
            memcpy(&word, bytes + 8 * i, sizeof(word));
            lanes += (word & low_bytes) + (word >> 8 & low_bytes);
        }
        lanes = (lanes & 0x0000ffff0000ffffull) + (lanes >> 16 & 0x0000ffff0000ffffull);
        sum += (uint32_t)lanes + (uint32_t)(lanes >> 32);
        bytes += 8 * words;
        count -= 8 * words;
    }
    for (; count > 0; count--) {
        sum += (uint8_t)*bytes++;
    }
    return sum;
}

#endif

size_t rf_fix_text_count(const char *bytes, size_t count, char byte)
{
    enum { LANES = 32, ROUNDS = 255 };
    size_t found = 0;
    size_t at = 0;
    /* Byte-wide counters, emptied before they can overflow: the compiler makes a compare and a subtraction of it. */
    while (count - at >= LANES) {
        uint8_t lane[LANES] = {0};
        for (int round = 0; round < ROUNDS && count - at >= LANES; round++) {
            for (size_t i = 0; i < LANES; i++) {
                lane[i] = (uint8_t)(lane[i] + (bytes[at + i] == byte));
            }
            at += LANES;
        }
        for (size_t i = 0; i < LANES; i++) {
            found += lane[i];
        }
    }
    for (; at < count; at++) {
        found += bytes[at] == byte;
    }
    return found;
}
