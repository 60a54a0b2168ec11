/* regex_lanes.h: a small automaton on many short texts at once, one in each byte of a vector.
 *
 * Purpose    The transitions of an automaton with few states and classes fit vector registers, where one shuffle of bytes
 *            does the step of 64 texts. The texts are turned over first: byte p of all of them together.
 * Data       rf_text_lanes: byte[p][r] is byte p of text r, RF_LANES_END behind its end. Texts with other bytes than ASCII,
 *            with RF_LANES_END itself or of more than RF_LANES_BYTES are odd: they look empty, and are for the caller.
 *            rf_regex_lanes: the automaton of a regex (regex.h) for ASCII alone: of[b] is the class of byte b, next[state +
 *            class] the next state, where a state is its number times the classes. RF_LANES_END has a class of its own, that
 *            keeps the state. States are in the order of regex.h.
 * Ownership  plain data.
 * Threads    immutable once made.
 * Cost       some 6 cycles a text to turn over, and 3 to 7 for each place of 64 texts and automaton.
 * Source     the shuffle for a transition: Mytkowicz, Musuvathi and Schulte, Data-Parallel Finite-State Machines, 2014.
 */
#ifndef RF_REGEX_LANES_H
#define RF_REGEX_LANES_H

#include "isa.h"
#include "regex.h"

enum {
    RF_LANES = 64,
    RF_LANES_GROUPS = 2, /* of so many texts, by turns: a step waits for the one before */
    RF_LANES_BYTES = 64,
    RF_LANES_END = 0x7f,
    RF_LANES_CELLS_MAX = 256 /* states x classes */
};

struct rf_text_lanes {
    uint8_t byte[RF_LANES_BYTES][RF_LANES];
    uint32_t places; /* that some text of some group has */
    uint64_t odd;    /* bit r */
};

struct rf_regex_lanes {
    uint8_t of[128];
    uint8_t next[RF_LANES_CELLS_MAX];
    uint32_t cells;
    uint8_t start;
    /* A text has a match when its last state lies between the two; from `final` on nothing changes any more. */
    uint8_t accept_low, accept_high;
    uint8_t final;
    bool has_accept, has_final;
};

/* False: it is too large, or no DFA. */
bool rf_regex_lanes_make(struct rf_regex_lanes *lanes, const struct rf_regex *regex);

/* texts[RF_LANES_GROUPS], of one number of places; text[RF_LANES_GROUPS * RF_LANES]. */
typedef void rf_text_lanes_fn(struct rf_text_lanes *texts, const struct rf_str *text);
/* texts[RF_LANES_GROUPS]; bit r of match[g]: text r of group g has a match; of odd ones garbage. */
typedef void rf_regex_lanes_fn(const struct rf_regex_lanes *lanes, const struct rf_text_lanes *texts, uint64_t *match);

struct rf_lanes_kernels {
    rf_text_lanes_fn *fill;
    rf_regex_lanes_fn *match;
};

/* NULL where there are no such shuffles: one text after the other is faster there. */
const struct rf_lanes_kernels *rf_lanes_kernels_of(enum rf_isa isa);

extern const struct rf_lanes_kernels rf_lanes_kernels_avx512;

#endif
