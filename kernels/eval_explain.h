/* eval_explain.h: how the eval stage goes about the atoms of a program, as text.
 *
 * Purpose    Says which atoms are evaluated together, and by what: read off the plan that a run makes (eval_plan.h).
 * Data       a line for each run of steps of one kind on one slot
 * Threads    pure.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_EVAL_EXPLAIN_H
#define RF_EVAL_EXPLAIN_H

#include "program.h"
#include "status.h"
#include "text.h"

enum rf_status rf_eval_explain(const struct rf_program *program, struct rf_text *out, struct rf_error *err);

#endif
