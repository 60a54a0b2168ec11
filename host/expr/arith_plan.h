/* arith_plan.h: a comparison of arithmetic over message numbers to postfix code.
 *
 * Purpose    `price * qty / 100 > limit` becomes one ARITH atom. Every operation must have a message path below it:
 *            that makes it an operation on doubles. An operation on constants alone is left to the host (it is an
 *            error, else it would have been folded), and so is one on typed integers.
 * Bounds     RF_ARITH_STACK_MAX values at once, RF_ARITH_CODE_MAX instructions; beyond them there is no plan.
 * Ownership  code lives in the arena of the slots.
 * Threads    one thread.
 * Errors     as rf_slots_use.
 */
#ifndef RF_ARITH_PLAN_H
#define RF_ARITH_PLAN_H

#include "slots.h"

enum { RF_ARITH_CODE_MAX = 256 };

/* Is the comparison left ? right of this form? */
bool rf_arith_is_plannable(const struct rf_node *left, const struct rf_node *right);
/* Fills code and code_count of a plannable comparison, and uses its slots. */
enum rf_status rf_arith_plan(struct rf_slots *slots, struct rf_node *left, struct rf_node *right, struct rf_atom *atom,
                             struct rf_error *err);

#endif
