/* bitmap.h: one bit for each row, 64 rows a word, least significant first; bits behind the last row are zero. */
#ifndef RF_BITMAP_H
#define RF_BITMAP_H

#include <stdbool.h>
#include <stdint.h>

static inline uint32_t rf_bitmap_words(uint32_t rows) { return (rows + 63) / 64; }
static inline bool rf_bit_get(const uint64_t *bits, uint32_t row) { return (bits[row >> 6] >> (row & 63)) & 1; }
static inline void rf_bit_set(uint64_t *bits, uint32_t row) { bits[row >> 6] |= 1ull << (row & 63); }
/* The valid bits of word w when there are `rows` rows. */
static inline uint64_t rf_bitmap_tail(uint32_t rows, uint32_t w)
{
    const uint32_t left = rows - w * 64;
    return left >= 64 ? ~0ull : (1ull << left) - 1;
}
uint64_t rf_bitmap_count(const uint64_t *bits, uint32_t rows);

#endif
