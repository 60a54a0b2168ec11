/* calc_typed.h: computed columns 64 rows at a time, where their cells are of the usual kinds.
 *
 * Purpose    What rf_calc_run would do cell by cell (calc.h), in plain loops over the payloads: arithmetic and comparison of
 *            doubles and ints, comparison of strings by their first bytes, the logic of bools, ?:, int(), double(), size() and
 *            the case of short strings. What it does not take (another kind, an error, an overflow, a long text) is left to
 *            the functions on cells, which are the definition.
 * Data       as rf_calc_run; left[words]: the rows of `live` that are not done
 * Ownership  texts of changed case are in the scratch.
 * Threads    pure, apart from the scratch.
 * Cost       0.5 to 4 ns a row where a function on cells takes 8 to 25 (bench case expr).
 */
#ifndef RF_CALC_TYPED_H
#define RF_CALC_TYPED_H

#include "calc.h"

void rf_calc_typed_run(const struct rf_calc *calc, const struct rf_calc_view *arg, const uint64_t *live, uint32_t words,
                       struct rf_arena *scratch, struct rf_calc_column *out, uint64_t *left);

#endif
