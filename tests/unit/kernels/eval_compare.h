/* eval_compare.h: predicates that are one atom each, against rf_eval_row, row by row. */
#ifndef RF_TEST_EVAL_COMPARE_H
#define RF_TEST_EVAL_COMPARE_H

#include "eval_fixture.h"
#include "eval_row.h"

static inline void fixture_rows_compare(const struct eval_fixture *fixture, const struct rf_eval *eval, enum rf_isa isa)
{
    struct rf_arena scratch;
    rf_arena_init(&scratch, 1 << 20);
    for (uint32_t row = 0; row < fixture->rows.rows; row++) {
        const bool is_live = fixture->rows.status[row] == RF_ROW_REJECTED;
        for (uint32_t a = 0; a < fixture->program.atoms; a++) {
            const struct rf_atom *atom = &fixture->program.atom[a];
            const enum rf_answer wanted =
                is_live ? rf_eval_row(atom, &fixture->columns, &fixture->batch, row, &scratch) : RF_ANSWER_ERROR;
            const bool is_true = rf_bit_get(eval->truth[a], row);
            const bool is_false = rf_bit_get(eval->falsity[a], row);
            if (is_true != (wanted == RF_ANSWER_TRUE) || is_false != (wanted == RF_ANSWER_FALSE)) {
                fail_msg("%s: row %u of %u, atom %u of %u, kind %d, compare %d: true %d, false %d, wanted %d",
                         rf_isa_name(isa), row, fixture->rows.rows, a, fixture->program.atoms, (int)atom->kind,
                         (int)atom->compare, is_true, is_false, (int)wanted);
            }
        }
    }
    rf_arena_free(&scratch);
}

#endif
