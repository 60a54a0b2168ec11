/* regex_machine.h: the deterministic automaton as a loop over bytes needs it.
 *
 * Data       state' = next[(state << shift) + class_of[byte]], in the order of states of regex.h. Where the table is
 *            small a copy of it may hold the rows of states instead of their numbers: then shift is 0, which takes a
 *            step out of the chain from one load to the next.
 * Ownership  a machine borrows from the regex, or from the cells that the caller gives.
 * Threads    pure.
 */
#ifndef RF_REGEX_MACHINE_H
#define RF_REGEX_MACHINE_H

#include "regex.h"

enum {
    RF_MACHINE_CELLS = 4096,    /* tables up to this size are copied */
    RF_MACHINE_LONG_BYTES = 512 /* texts from here on are worth a copy, and a search for the bytes that matter */
};

struct rf_machine {
    const uint8_t *class_of;
    const uint16_t *next;
    uint32_t shift;
    size_t start, end_begin, match, dead;
};

/* cells[RF_MACHINE_CELLS] */
static inline struct rf_machine rf_machine_of(const struct rf_regex *regex, uint16_t *cells)
{
    const uint32_t shift = regex->class_shift;
    const size_t count = (size_t)regex->states << shift;
    const uint32_t scale = count <= RF_MACHINE_CELLS ? shift : 0;
    if (count <= RF_MACHINE_CELLS) {
        for (size_t i = 0; i < count; i++) {
            cells[i] = (uint16_t)(regex->next[i] << shift);
        }
    }
    return (struct rf_machine){
        .class_of = regex->class_of,
        .next = count <= RF_MACHINE_CELLS ? cells : regex->next,
        .shift = shift - scale,
        .start = (size_t)regex->start << scale,
        .end_begin = (size_t)regex->end_begin << scale,
        .match = (size_t)regex->match << scale,
        .dead = (size_t)regex->dead << scale,
    };
}

/* Whether a text that ends in this state has a match. */
static inline bool rf_machine_accepts(const struct rf_machine *machine, size_t state)
{
    return state - machine->end_begin < machine->dead - machine->end_begin;
}

#endif
