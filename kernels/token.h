/* token.h: small pure helpers on JSON tokens, shared by the walker and the vector extract stages.
 *
 * Purpose    One definition of token boundaries and of what a clean short string is.
 * Data       pointers into batch.bytes; functions that say so may read up to 7 bytes behind the given end, which the
 *            batch padding makes safe.
 * Threads    pure functions.
 * Source     RFC 8259; the word tests are the classic has-zero-byte and has-less-than tests.
 */
#ifndef RF_TOKEN_H
#define RF_TOKEN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "json_text.h"
#include "number.h"
#include "reason.h"
#include "str.h"

#define RF_TOKEN_ONES 0x0101010101010101ull
#define RF_TOKEN_TOPS 0x8080808080808080ull

static inline uint64_t rf_token_word(const uint8_t *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof(word));
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* The head of a text (rf_str_prefix) as its eight bytes lie in memory. */
static inline uint64_t rf_token_from_head(uint64_t head)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return head;
#else
    return __builtin_bswap64(head);
#endif
}

/* One bit for each zero byte, exact; the multiplication moves the eight bits into the top byte. */
static inline uint64_t rf_token_zero_bits(uint64_t word)
{
    const uint64_t low = ~RF_TOKEN_TOPS;
    const uint64_t zero = ~(((word & low) + low) | word | low); /* 0x80 in each zero byte */
    return ((zero >> 7) * 0x0102040810204080ull) >> 56;
}

/* Which of 64 bytes have that value. */
static inline uint64_t rf_token_equal_bits(const uint8_t *at, uint8_t value)
{
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) {
        bits |= rf_token_zero_bits(rf_token_word(at + 8 * i) ^ RF_TOKEN_ONES * value) << (8 * i);
    }
    return bits;
}

/* High bit set in each byte of word that is zero; bits above the first such byte may be wrong. */
static inline uint64_t rf_token_zero_bytes(uint64_t word)
{
    return (word - RF_TOKEN_ONES) & ~word & RF_TOKEN_TOPS;
}

static inline bool rf_token_is_space(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

/* Ends a scalar: white space, a bracket, a separator or a quote. */
static inline bool rf_token_is_end(uint8_t byte)
{
    /* One bit for each of the 128 ASCII bytes. */
    static const uint64_t ends[2] = {
        1ull << '\t' | 1ull << '\n' | 1ull << '\r' | 1ull << ' ' | 1ull << '"' | 1ull << ',' | 1ull << ':',
        1ull << ('[' - 64) | 1ull << (']' - 64) | 1ull << ('{' - 64) | 1ull << ('}' - 64),
    };
    return byte < 128 && ((ends[byte >> 6] >> (byte & 63)) & 1) != 0;
}

/* One past the scalar that begins at `at`. */
static inline uint32_t rf_token_scalar_end(const uint8_t *bytes, uint32_t at, uint32_t end)
{
    while (at < end && !rf_token_is_end(bytes[at])) {
        at++;
    }
    return at;
}

/* Offset of the closing quote of the string whose inside begins at `at`, or end. Reads up to 7 bytes behind end. */
static inline uint32_t rf_token_string_end(const uint8_t *bytes, uint32_t at, uint32_t end, bool *has_escape)
{
    while (at < end) {
        const uint64_t word = rf_token_word(bytes + at);
        const uint64_t stop =
            rf_token_zero_bytes(word ^ RF_TOKEN_ONES * '"') | rf_token_zero_bytes(word ^ RF_TOKEN_ONES * '\\');
        if (stop == 0) {
            at += 8;
            continue;
        }
        at += (uint32_t)__builtin_ctzll(stop) >> 3;
        if (at >= end || bytes[at] == '"') {
            break;
        }
        *has_escape = true;
        at += 2;
    }
    return at < end ? at : end;
}

/* The first 8 bytes as a big-endian integer, zero-padded (rf_str_prefix). Reads 8 bytes at `at` always. */
static inline uint64_t rf_token_prefix(const uint8_t *at, uint32_t count)
{
    if (count == 0) {
        return 0;
    }
    const uint64_t word = __builtin_bswap64(rf_token_word(at));
    return count >= 8 ? word : word & ~0ull << (64 - 8 * count);
}

/* True when the bytes are printable ASCII without a backslash: nothing to decode, nothing to check. Reads up to 7 bytes
 * behind the end. False says nothing. */
static inline bool rf_token_is_plain(const uint8_t *at, uint32_t count)
{
    uint64_t bad = 0;
    uint32_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const uint64_t word = rf_token_word(at + i);
        const uint64_t control = word - RF_TOKEN_ONES * 0x20;
        bad |= word | control | rf_token_zero_bytes(word ^ RF_TOKEN_ONES * '\\');
    }
    if (i < count) {
        /* Bytes behind the end become blanks. */
        const uint64_t keep = ~0ull >> (64 - 8 * (count - i));
        const uint64_t word = (rf_token_word(at + i) & keep) | (RF_TOKEN_ONES * ' ' & ~keep);
        const uint64_t control = word - RF_TOKEN_ONES * 0x20;
        bad |= word | control | rf_token_zero_bytes(word ^ RF_TOKEN_ONES * '\\');
    }
    return (bad & RF_TOKEN_TOPS) == 0;
}

static inline enum rf_reason rf_token_reason(enum rf_json_verdict verdict)
{
    switch (verdict) {
    case RF_JSON_BAD_ESCAPE:
        return RF_REASON_ESCAPE;
    case RF_JSON_LONE_SURROGATE:
        return RF_REASON_SURROGATE;
    case RF_JSON_BAD_UTF8:
        return RF_REASON_UTF8;
    case RF_JSON_CONTROL:
        return RF_REASON_CONTROL;
    case RF_JSON_OK:
        break;
    }
    return RF_REASON_NONE;
}

/* true, false or null, or RF_REASON_LITERAL. *letter is the first byte then. */
static inline bool rf_token_is_literal(struct rf_str text)
{
    return (text.count == 4 && (memcmp(text.data, "true", 4) == 0 || memcmp(text.data, "null", 4) == 0)) ||
           (text.count == 5 && memcmp(text.data, "false", 5) == 0);
}

static inline bool rf_token_begins_number(uint8_t byte)
{
    return byte == '-' || (byte >= '0' && byte <= '9');
}

/* Compares the raw inside of a key that has a backslash with a name. A key whose escapes are bad equals no name. */
bool rf_token_key_equal(struct rf_str raw, struct rf_str name);

#endif
