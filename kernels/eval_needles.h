/* eval_needles.h: contains, endsWith and matches of one column, all by one search.
 *
 * Purpose    Literals of all tests are searched at once (needles.h); a literal that an expression cannot match without leaves
 *            few texts for its automaton; what has none goes over 64 texts at a time where it is small (regex_lanes.h), else
 *            over some by turns (regex.h).
 * Data       tests: numbers of atoms on one slot. Those that no group holds come last: they are evaluated by themselves.
 * Ownership  the arena's, scratch for texts included; texts and expressions are the program's.
 * Threads    scratch: one for each worker.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_EVAL_NEEDLES_H
#define RF_EVAL_NEEDLES_H

#include "eval_atom.h"

enum {
    /* What one search costs, in tests by themselves (rf_eval_needles_cost). Four contains take 3 ns by themselves on texts of
     * 7 bytes and 35 ns on those of 20, where the search takes 6 and 11. */
    RF_EVAL_NEEDLES_MIN = 16,
    RF_EVAL_NEEDLES_EAGER = 8 /* so many expressions are searched before anything else is known about a row */
};

struct rf_eval_needles;

/* The computation of an atom that asks whether a constant expression has a match in a slot's text; else NULL. */
const struct rf_calc *rf_eval_needles_regex(const struct rf_program *program, const struct rf_atom *atom);
/* What the atom costs by itself, in the unit of RF_EVAL_NEEDLES_MIN; 0: it cannot be joined with others. */
uint32_t rf_eval_needles_cost(const struct rf_program *program, const struct rf_atom *atom);

/* atom[count]: numbers of atoms of one slot whose cost is not 0; put in another order. *taken: how many of them, the first
 * ones, the search decides. */
enum rf_status rf_eval_needles_make(struct rf_eval_needles **out, const struct rf_program *program, uint32_t *atom,
                                    uint32_t count, uint32_t *taken, struct rf_arena *arena, struct rf_error *err);
/* Fills the registers of these atoms. in: the slot's cells from the block's first row on; block->classes are its. */
void rf_eval_needles_run(struct rf_eval_needles *needles, const struct rf_eval_block *block,
                         const struct rf_calc_view *in);

#endif
