/* gen_text.h: random numbers and text, for the record makers of gen.h and for the columns of the benchmark W6.
 *
 * Data       struct gen_text appends to a buffer that its maker knows to be large enough (RF_GEN_RECORD_MAX).
 */
#ifndef RF_GEN_TEXT_H
#define RF_GEN_TEXT_H

#include <string.h>

#include "gen.h"

size_t gen_trade(struct rf_gen *gen, char *out);
size_t gen_order(struct rf_gen *gen, char *out);
size_t gen_word(struct rf_gen *gen, char *out);
size_t gen_fix_report(struct rf_gen *gen, char *out);
size_t gen_fix_log(struct rf_gen *gen, char *out);
/* One of the texts of a "note" member, JSON escapes included. */
const char *gen_note(struct rf_gen *gen);

static inline uint64_t gen_random(struct rf_gen *gen)
{
    uint64_t z = gen->random += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

static inline uint32_t gen_random32(struct rf_gen *gen)
{
    return (uint32_t)(gen_random(gen) >> 32);
}

/* 0 .. limit - 1. */
static inline uint32_t gen_below(struct rf_gen *gen, uint32_t limit)
{
    return (uint32_t)(((uint64_t)gen_random32(gen) * limit) >> 32);
}

/* 0 .. limit - 1, small ones more often: the product of two even draws. */
static inline uint32_t gen_skewed(struct rf_gen *gen, uint32_t limit)
{
    const uint64_t a = gen_random32(gen);
    return (uint32_t)((((a * gen_random32(gen)) >> 32) * limit) >> 32);
}

struct gen_text {
    char *at;
};

static inline void text_bytes(struct gen_text *text, const char *bytes, size_t count)
{
    memcpy(text->at, bytes, count);
    text->at += count;
}

static inline void text_string(struct gen_text *text, const char *string)
{
    text_bytes(text, string, strlen(string));
}

/* Decimal with leading zeros up to `width` digits. */
static inline void text_padded(struct gen_text *text, uint64_t value, int width)
{
    for (int i = width - 1; i >= 0; i--) {
        text->at[i] = (char)('0' + value % 10);
        value /= 10;
    }
    text->at += width;
}

static inline void text_number(struct gen_text *text, uint64_t value)
{
    int width = 1;
    for (uint64_t rest = value; rest >= 10; rest /= 10) {
        width++;
    }
    text_padded(text, value, width);
}

/* value in units of 10^-decimals. */
static inline void text_fixed(struct gen_text *text, uint64_t value, int decimals)
{
    uint64_t unit = 1;
    for (int i = 0; i < decimals; i++) {
        unit *= 10;
    }
    text_number(text, value / unit);
    text_bytes(text, ".", 1);
    text_padded(text, value % unit, decimals);
}

#endif
