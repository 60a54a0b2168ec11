/* regex_dfa.h: the deterministic automaton of a program: states that are sets of nodes, and their minimisation.
 *
 * Purpose    rf_dfa_build makes the states of a search without anchors (a match state is final, a new attempt begins
 *            at each byte), rf_dfa_minimise finds which of them are equal, rf_dfa_finish writes the tables of regex.h.
 * Data       K intervals of bytes that no node tells apart, ascending: byte b is in interval_of[b].
 *            next[S * K]: plain numbers of states. State 0 is the match. accepts[S]: a match if the text ends here.
 * Ownership  everything in the given arenas.
 * Threads    one thread at a time.
 * Errors     false for a bound of regex.h or a full arena: the caller takes the NFA then.
 */
#ifndef RF_REGEX_DFA_H
#define RF_REGEX_DFA_H

#include "regex_program.h"

enum { RF_DFA_MATCH = 0 };

struct rf_dfa {
    uint32_t states, intervals;
    uint32_t start;
    uint16_t *next;
    uint8_t *accepts;
    uint8_t interval_of[256];
};

bool rf_dfa_build(const struct rf_program *program, uint32_t states_max, struct rf_arena *arena, struct rf_dfa *dfa);
/* block[S]: states with the same number are equal; *blocks are there. */
bool rf_dfa_minimise(const struct rf_dfa *dfa, struct rf_arena *arena, uint16_t *block, uint32_t *blocks);
/* Fills the DFA of a regex; its table goes to `arena`, what is needed in between to `scratch`. */
bool rf_dfa_finish(const struct rf_dfa *dfa, const uint16_t *block, uint32_t blocks, struct rf_arena *scratch,
                   struct rf_arena *arena, struct rf_regex *regex);

#endif
