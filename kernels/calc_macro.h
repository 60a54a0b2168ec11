/* calc_macro.h: macros over the lists of many rows at once.
 *
 * Purpose    The elements of all rows of a block go, RF_EVAL_BLOCK_ROWS at a time, through the macro's own program
 *            (struct rf_child) like rows through the outer one; what its body gives is then gathered by row: any, all,
 *            one of them, or a list of them. Macros within macros are children of children.
 * Data       child columns: the variables, what is captured from the row, computed columns
 *            parent[i]   row of the block that element i belongs to
 *            root[i]     row of the outermost program's block that it belongs to
 *            work[R]     of that row in the outermost macro (RF_WORK_MAX), counted at least as the interpreter does
 * Semantics  interp_macro.c's, which is the definition. Rows with more than items_max elements, or that take more work
 *            than the bound, are RF_TAG_HOST: the interpreter counts its own.
 * Ownership  struct rf_macro, and what the pool holds, live in the arena given to rf_macro_make; results in the scratch.
 * Threads    one for each worker.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_CALC_MACRO_H
#define RF_CALC_MACRO_H

#include "calc.h"

struct rf_macro;

/* Columns and tables that the macros of a program share: those that stand side by side run one after the other, only
 * those within each other at once. */
struct rf_macro_level {
    struct rf_calc_column **column;
    uint32_t columns;
    uint32_t capacity;
    struct rf_gathered *gathered; /* [RF_EVAL_BLOCK_ROWS] */
    uint16_t *parent;             /* [RF_EVAL_BLOCK_ROWS] */
    uint16_t *root;               /* [RF_EVAL_BLOCK_ROWS] */
};

enum { RF_MACRO_LEVELS_MAX = 4 };

struct rf_macro_pool {
    struct rf_macro_level level[RF_MACRO_LEVELS_MAX];
    uint64_t *work; /* [RF_EVAL_BLOCK_ROWS] */
};

/* level: macros around it. */
enum rf_status rf_macro_make(struct rf_macro **out, const struct rf_calc *calc, struct rf_macro_pool *pool,
                             uint32_t level, struct rf_arena *arena, struct rf_error *err);
/* arg: the range, then the captures. */
void rf_macro_run(struct rf_macro *macro, const struct rf_calc_view *arg, const uint64_t *live, uint32_t words,
                  struct rf_arena *scratch, struct rf_calc_column *out);

#endif
