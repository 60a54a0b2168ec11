/* eval_row.h: one atom, one row, plain code.
 *
 * Purpose    The definition that the vector forms must agree with, and their path for rows with rare tags.
 * Threads    pure functions over columns.
 * Source     CEL language definition, "Equality" and "Ordering"; program/op.def for each kind of atom.
 */
#ifndef RF_EVAL_ROW_H
#define RF_EVAL_ROW_H

#include "calc.h"

enum rf_answer {
    RF_ANSWER_FALSE,
    RF_ANSWER_TRUE,
    RF_ANSWER_ERROR,
    RF_ANSWER_HOST /* only the interpreter knows */
};

/* The row must be neither malformed nor blank. scratch: to compare lists in; NULL: the interpreter must be asked about
 * them. */
enum rf_answer rf_eval_row(const struct rf_atom *atom, const struct rf_columns *columns, const struct rf_batch *batch,
                           uint32_t row, struct rf_arena *scratch);

/* The same of an atom whose terms have these cells: b of CMP_SLOT only. Not of ARITH. */
enum rf_answer rf_eval_cells(const struct rf_atom *atom, const struct rf_cell *a, const struct rf_cell *b,
                             struct rf_arena *scratch);

/* Its parts, for the vector forms. */
bool rf_order_holds(enum rf_compare compare, enum rf_order order);
bool rf_set_has_number(const struct rf_set *set, struct rf_number number);
bool rf_set_has_string(const struct rf_set *set, struct rf_str text);

#endif
