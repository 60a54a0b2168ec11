/* calc_text.h: texts that functions on cells make anew.
 *
 * Ownership  texts are in the scratch of the run (calc.h).
 * Threads    as rf_calc_run.
 * Errors     a text that is longer than RF_CALC_TEXT_MAX, or finds no room, makes the cell RF_TAG_HOST: the
 *            interpreter, which has more room for one row, is asked. The bound is far below the interpreter's own, so
 *            that no cell has a text where the interpreter would have an error.
 */
#ifndef RF_CALC_TEXT_H
#define RF_CALC_TEXT_H

#include "calc.h"

enum { RF_CALC_TEXT_MAX = 1 << 20 }; /* bytes of one text */

/* Room for that many bytes; NULL when there is none, *out is then RF_TAG_HOST. */
static inline char *rf_calc_room(const struct rf_calc_run *run, size_t bytes, struct rf_cell *out)
{
    char *data = NULL;
    if (bytes <= RF_CALC_TEXT_MAX) {
        data = rf_arena_push(run->scratch, bytes, 1, 1);
    }
    if (data == NULL) {
        *out = (struct rf_cell){.tag = RF_TAG_HOST, .text = ""};
    }
    return data;
}

/* 0x80 in each byte of eight that is ASCII and at least `first`, but not above `last`. */
static inline uint64_t rf_word_between(uint64_t word, uint8_t first, uint8_t last)
{
    const uint64_t ones = 0x0101010101010101u;
    const uint64_t low_bits = word & (0x7F * ones);
    const uint64_t from_first = low_bits + (0x80u - first) * ones;
    const uint64_t above_last = low_bits + (0x80u - last - 1) * ones;
    return (from_first ^ above_last) & ~word & (0x80 * ones);
}

/* Eight bytes, the ASCII letters among them in one case. */
static inline uint64_t rf_word_lower(uint64_t word)
{
    return word | rf_word_between(word, 'A', 'Z') >> 2;
}

static inline uint64_t rf_word_upper(uint64_t word)
{
    return word & ~(rf_word_between(word, 'a', 'z') >> 2);
}

/* The + of two strings, or of two bytes: arg[2], which the caller has looked at. */
void rf_calc_concat(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out);

#endif
