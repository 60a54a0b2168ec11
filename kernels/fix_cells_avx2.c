/* fix_cells_avx2.c: numbers of at most 16 bytes, without a branch that depends on what they are, or on whether they are there:
 * in a mixed stream nobody could predict it. The payload of a cell that is not there is whatever comes out. */
#include <immintrin.h>
#include <string.h>

#include "extract_values.h"
#include "fix_cells_levels.h"

enum { CELL_BYTES = 16, CELL_DIGITS_MAX = 15 };

/* 1 for a minus. Not by a comparison: gcc 12 makes it a `sete` into a register whose old value is the result of the row before,
 * and each row then waits for that one's division: 25 ns a cell in place of 8. */
static inline uint32_t sign_of(uint8_t byte)
{
    return (((uint32_t)byte ^ '-') - 1u) >> 31;
}

/* Both, and as one condition: as two, which the compiler would make of it, the second could not be predicted. */
static inline uint32_t both_of(bool a, bool b)
{
    uint32_t both = (uint32_t)a & (uint32_t)b;
    __asm__("" : "+r"(both));
    return both;
}

/* The last `count` bytes of the register come from [at, at + count); the others are negative, which a shuffle makes zero. */
static inline __m128i shuffle_right(uint32_t count)
{
    const __m128i iota = _mm_set_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    return _mm_add_epi8(iota, _mm_set1_epi8((char)((int)count - CELL_BYTES)));
}

/* The digits of 16 bytes as values, and which they are. */
static inline __m128i digits_of(const uint8_t *at, uint32_t *is_digit)
{
    static const uint8_t nines[CELL_BYTES] = {9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};
    static const char zeros[CELL_BYTES] = {'0', '0', '0', '0', '0', '0', '0', '0',
                                           '0', '0', '0', '0', '0', '0', '0', '0'};
    const __m128i nine = _mm_loadu_si128((const __m128i *)(const void *)nines);
    const __m128i digits = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(const void *)at),
                                        _mm_loadu_si128((const __m128i *)(const void *)zeros));
    *is_digit = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(digits, nine), digits));
    return digits;
}

void rf_fix_cells_int_avx2(const struct rf_batch *batch, uint32_t rows, struct rf_column *column)
{
    const struct rf_column to = *column; /* what is written through it might otherwise change it */
    const uint8_t *const bytes = batch->bytes;
    for (uint32_t row = 0; row < rows; row++) {
        const uint8_t *at = bytes + to.begin[row];
        const uint32_t sign = sign_of(*at);
        const uint32_t count = to.length[row] - sign;
        uint32_t is_digit;
        const __m128i digits = digits_of(at + sign, &is_digit);
        const uint32_t wanted = _bzhi_u32(~0u, count);
        const bool is_there = to.tag[row] == RF_TAG_STRING_RAW;
        const bool is_odd = (count - 1 > CELL_BYTES - 1) | ((is_digit & wanted) != wanted);
        if (__builtin_expect(both_of(is_there, is_odd), 0)) {
            rf_fix_cell_set_int(batch, row, column);
            continue;
        }
        const uint64_t value = digits_value(_mm_shuffle_epi8(digits, shuffle_right(count)));
        const uint64_t signed_value = (value ^ (0 - (uint64_t)sign)) + sign;
        to.payload[row] = signed_value;
        to.tag[row] = (uint8_t)(to.tag[row] + (uint32_t)is_there * (uint8_t)(RF_TAG_INT - RF_TAG_STRING_RAW));
    }
}

void rf_fix_cells_double_avx2(const struct rf_batch *batch, uint32_t rows, struct rf_column *column)
{
    const struct rf_column to = *column; /* what is written through it might otherwise change it */
    const uint8_t *const bytes = batch->bytes;
    static const double power[CELL_BYTES] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                             1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    for (uint32_t row = 0; row < rows; row++) {
        const uint8_t *at = bytes + to.begin[row];
        const uint32_t sign = sign_of(*at);
        const uint32_t count = to.length[row] - sign;
        uint32_t is_digit;
        const __m128i digits = digits_of(at + sign, &is_digit);
        const uint32_t wanted = _bzhi_u32(~0u, count);
        const uint32_t others = wanted & ~is_digit; /* at most one, a dot */
        const uint32_t dot = (uint32_t)_tzcnt_u32(others | 1u << CELL_BYTES);
        const uint32_t has_dot = others != 0;
        const uint32_t fraction = has_dot ? count - dot - 1 : 0;
        const bool is_there = to.tag[row] == RF_TAG_STRING_RAW;
        const bool is_plain = (count - 1 < CELL_BYTES) & ((others & (others - 1)) == 0) &
                              ((has_dot == 0) | (at[sign + (dot & 15)] == '.')) &
                              (count - has_dot - 1 < CELL_DIGITS_MAX);
        if (__builtin_expect(both_of(is_there, !is_plain), 0)) {
            rf_fix_cell_set_double(batch, row, column);
            continue;
        }
        /* Left of the dot bytes come from one further left. */
        __m128i from = shuffle_right(count);
        const __m128i limit = _mm_set1_epi8(has_dot ? (char)(dot + 1) : (char)-128);
        from = _mm_add_epi8(from, _mm_cmpgt_epi8(limit, from));
        const uint64_t value = digits_value(_mm_shuffle_epi8(digits, from));
        const double magnitude = (double)(int64_t)value / power[fraction & 15];
        uint64_t bits;
        memcpy(&bits, &magnitude, sizeof bits);
        bits |= (uint64_t)sign << 63;
        to.payload[row] = bits;
        to.tag[row] = (uint8_t)(to.tag[row] + (uint32_t)is_there * (uint8_t)(RF_TAG_DOUBLE - RF_TAG_STRING_RAW));
    }
}
