/* eval_lists.h: many `in` with lists of numbers over one column, by one look-up for each row.
 *
 * Purpose    All members of all lists in one hash table tell which lists have the row's number: the cost of a list is that of clearing
 *            its bits, and of those that it sets.
 * Data       V distinct doubles, -0 as 0; those of value v are in the lists atom[begin[v] .. begin[v + 1]). Members that no double
 *            holds, and rows that are integers, are the caller's, as are null, false and true.
 * Ownership  the arena's.
 * Threads    immutable once made.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_EVAL_LISTS_H
#define RF_EVAL_LISTS_H

#include "eval_atom.h"

enum { RF_EVAL_LISTS_MIN = 128 }; /* what the look-up costs, in comparisons with a number by itself */

struct rf_eval_lists;

/* What the atom costs by itself; 0: it is no list of numbers, or may ask the host. */
uint32_t rf_eval_lists_cost(const struct rf_program *program, const struct rf_atom *atom);
/* atom[count]: numbers of atoms that cost something, on one slot; constant[A] as in eval_plan.h. */
enum rf_status rf_eval_lists_make(struct rf_eval_lists **out, const struct rf_eval_constant *constant, const uint32_t *atom,
                                  uint32_t count, struct rf_arena *arena, struct rf_error *err);
/* Fills the truth of these atoms for rows whose number is a double. payload: from the block's first row on; block->classes are of the
 * slot. */
void rf_eval_lists_run(const struct rf_eval_lists *lists, const struct rf_eval_block *block, const uint64_t *payload);

#endif
