#include "bitmap.h"

uint64_t rf_bitmap_count(const uint64_t *bits, uint32_t rows)
{
    const uint32_t words = rf_bitmap_words(rows);
    uint64_t sum = 0;
    /* Without the POPCNT instruction level the builtin is a call; these sums of fields are inlined, and become
     * vector code. */
    for (uint32_t w = 0; w < words; w++) {
        uint64_t word = bits[w] & rf_bitmap_tail(rows, w);
        word -= (word >> 1) & 0x5555555555555555u;
        word = (word & 0x3333333333333333u) + ((word >> 2) & 0x3333333333333333u);
        word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
        sum += (word * 0x0101010101010101u) >> 56;
    }
    return sum;
}
