/* table.h: one expression over a table of values: declared variables as columns, no record behind them.
 *
 * Purpose    What a suite of cases asks of the cpu engine: projection 0 of a compiled program, for every row.
 * Data       binding[rows][C], C = declarations of the environment + literals that were lifted (lift.h); RF_TYPE_DYN: the
 *            row has no value there. out[rows]: the values, evaluation errors among them.
 * Ownership  values in out point into the arena, the bindings or the compiled program.
 * Threads    pure, apart from the arena.
 * Errors     RF_E_MEMORY; RF_E_LIMIT when the arena has no room for the variables. A value that does not fit the arena is the error RF_ERROR_TOO_LARGE of its row.
 */
#ifndef RF_TABLE_H
#define RF_TABLE_H

#include "compile.h"
#include "isa.h"

/* The program must have been compiled with plans_values. *host_rows: rows whose value the interpreter gave. */
enum rf_status rf_table_eval(const struct rf_compiled *compiled, enum rf_isa isa, const struct rf_value *binding,
                             uint32_t rows, struct rf_arena *arena, struct rf_value *out, uint64_t *host_rows,
                             struct rf_error *err);

#endif
