#include <immintrin.h>

#include "select_kernels.h"

uint32_t rf_select_rows_avx512(const uint64_t *bits, uint32_t words, uint32_t *row)
{
    const __m512i step = _mm512_set1_epi32(16);
    __m512i number = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    uint32_t count = 0;
    for (uint32_t w = 0; w < words; w++) {
        const uint64_t word = bits[w];
        if (word == 0) {
            number = _mm512_add_epi32(number, _mm512_set1_epi32(64));
            continue;
        }
        for (int part = 0; part < 4; part++) {
            const __mmask16 mask = (__mmask16)(word >> (16 * part));
            /* Compressed in a register and stored whole: a compressing store is far slower on some machines. */
            _mm512_storeu_si512(row + count, _mm512_maskz_compress_epi32(mask, number));
            count += (uint32_t)__builtin_popcount(mask);
            number = _mm512_add_epi32(number, step);
        }
    }
    return count;
}
