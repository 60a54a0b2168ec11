/* explain_calc.h: computed columns as text.
 *
 * Purpose    The part of rf_explain (compile.h) that tells what functions make of columns: rf_explain_calcs writes a
 *            line for each computed column, rf_explain_term what an atom or a column reads.
 * Data       s0 is slot 0, c0 computed column 0; constants are written as literals. A macro has columns of its own,
 *            c0.0 c0.1 ..., over its variables v0 v1 ... and what it takes from around it.
 * Threads    pure.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_EXPLAIN_CALC_H
#define RF_EXPLAIN_CALC_H

#include "program.h"
#include "status.h"
#include "text.h"

enum { RF_EXPLAIN_COLUMN = 36 }; /* width of the first column */

/* Fills the line with spaces up to the second column. */
enum rf_status rf_explain_column(struct rf_text *out, size_t line_begin, struct rf_error *err);
enum rf_status rf_explain_term(struct rf_text *out, const struct rf_program *program, uint32_t term,
                               struct rf_error *err);
/* A line for each, those of a macro before the macro. */
enum rf_status rf_explain_calcs(struct rf_text *out, const struct rf_program *program, struct rf_error *err);

#endif
