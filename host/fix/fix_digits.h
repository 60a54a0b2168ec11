/* fix_digits.h: unsigned integers as decimal digits, eight at a time.
 *
 * Purpose    The encoder writes a dozen numbers for each message; digit by digit they would cost more than all the rest.
 * Data       eight digits are one 64-bit word whose first byte in memory is the most significant digit.
 * Threads    pure functions.
 * Errors     none. The writers overwrite up to RF_FIX_DIGITS_ROOM bytes from `at`, of which the first count.
 * Cost       about 12 instructions for each eight digits, no branch but one for numbers of nine digits and more.
 * Source     halving with multiplications in place of divisions, all halves in one register: Paul Khuong, "How to print
 *            integers really fast" (2017). What lost for long numbers: pairs from a table of 200 bytes, which needs a branch
 *            for each count of digits, and those counts are what varies from message to message.
 */
#ifndef RF_FIX_DIGITS_H
#define RF_FIX_DIGITS_H

#include <stdint.h>
#include <string.h>

enum { RF_FIX_DIGITS_ROOM = 24 };

/* The eight digits of value < 10^8, each a byte 0..9. */
static inline uint64_t rf_fix_digits_of(uint32_t value)
{
    const uint64_t high = value / 10000;
    const uint64_t fours = high | (uint64_t)(value - (uint32_t)high * 10000) << 32;
    /* 10486 / 2^20 is a hundredth, 103 / 2^10 a tenth, exact for what they are used on. */
    const uint64_t hundreds = (fours * 10486) >> 20 & 0x7f0000007full;
    const uint64_t pairs = hundreds | (fours - hundreds * 100) << 16;
    const uint64_t tens = (pairs * 103) >> 10 & 0x000f000f000f000full;
    return tens | (pairs - tens * 10) << 8;
}

/* The first digit to the first byte, whatever the machine's order. */
static inline void rf_fix_word_store(char *at, uint64_t word)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(at, &word, sizeof(word));
}

#define RF_FIX_ASCII_DIGITS 0x3030303030303030ull

/* Eight digits, zeros in front. */
static inline void rf_fix_digits_pad(char *at, uint32_t value)
{
    rf_fix_word_store(at, rf_fix_digits_of(value) + RF_FIX_ASCII_DIGITS);
}

/* For value < 1000 three characters in the lowest bytes, the first lowest, and the sum of the three digits (not characters) in
 * the highest. Each heartbeat needs it four times (BodyLength, CheckSum, milliseconds, the end of the sequence number): 4 KiB
 * that stay in the cache, where computing takes 12 instructions each. */
extern const uint32_t rf_fix_three[1000];

/* value < 10^8 without zeros in front; returns where it ends. */
static inline char *rf_fix_digits_short(char *at, uint32_t value)
{
    const uint64_t digits = rf_fix_digits_of(value);
    /* The last digit stays, also of 0. */
    const unsigned zero_bits = (unsigned)__builtin_ctzll(digits | (uint64_t)1 << 56) & ~7u;
    rf_fix_word_store(at, (digits + RF_FIX_ASCII_DIGITS) >> zero_bits);
    return at + 8 - zero_bits / 8;
}

static inline char *rf_fix_digits_write(char *at, uint64_t value)
{
    enum { EIGHT_DIGITS = 100000000 };
    if (__builtin_expect(value < EIGHT_DIGITS, 1)) {
        return rf_fix_digits_short(at, (uint32_t)value);
    }
    const uint64_t high = value / EIGHT_DIGITS;
    if (high < EIGHT_DIGITS) {
        at = rf_fix_digits_short(at, (uint32_t)high);
    } else {
        at = rf_fix_digits_short(at, (uint32_t)(high / EIGHT_DIGITS));
        rf_fix_digits_pad(at, (uint32_t)(high % EIGHT_DIGITS));
        at += 8;
    }
    rf_fix_digits_pad(at, (uint32_t)(value % EIGHT_DIGITS));
    return at + 8;
}

#endif
