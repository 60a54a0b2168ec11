/* eval_term.h: the columns of terms: slots, constants, computed columns.
 *
 * Purpose    rf_eval_term_view says where the cells of a term are for the rows of a block.
 * Data       cell[constants]: one cell for each constant of the program
 *            column[calcs]: the column that computation i writes; computations whose lives do not overlap share one
 * Ownership  everything lives in the arena given to rf_eval_terms_make; scratch texts in an arena of their own.
 * Threads    one for each worker.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_EVAL_TERM_H
#define RF_EVAL_TERM_H

#include "calc.h"

struct rf_eval_constant_cell { /* one cell as a column of stride 0 */
    uint8_t tag;
    uint32_t length;
    uint64_t payload;
    const char *text;
};

struct rf_macro;
struct rf_macro_pool;

struct rf_eval_terms {
    struct rf_eval_constant_cell *cell;
    struct rf_calc_column **column; /* NULL: computed by nobody (no atom needs it) */
    struct rf_macro **macro;        /* [calcs] of macros; else NULL */
    struct rf_arena scratch;        /* of texts, reset for each block */
};

/* last[i]: number of the last step that reads computation i, RF_NONE when none does. first[i]: the step that makes it. */
enum rf_status rf_eval_terms_make(struct rf_eval_terms *terms, const struct rf_program *program, const uint32_t *first,
                                  const uint32_t *last, struct rf_arena *arena, struct rf_error *err);
/* The terms of what a macro runs; its scratch is that of the program around it. column[calcs]: for its computations;
 * level: of the macros within it. */
enum rf_status rf_eval_terms_of_child(struct rf_eval_terms *terms, const struct rf_child *child,
                                      struct rf_calc_column **column, struct rf_macro_pool *pool, uint32_t level,
                                      struct rf_arena *arena, struct rf_error *err);
/* Computation `number`, which is calc, on a block. */
void rf_eval_terms_run(const struct rf_eval_terms *terms, uint32_t number, const struct rf_calc *calc,
                       const struct rf_calc_view *arg, const uint64_t *live, uint32_t words, struct rf_arena *scratch);
void rf_eval_terms_free(struct rf_eval_terms *terms); /* the scratch */

/* row: first row of the block. */
struct rf_calc_view rf_eval_term_view(const struct rf_eval_terms *terms, const struct rf_columns *columns,
                                      const struct rf_batch *batch, uint32_t term, uint32_t row);

#endif
