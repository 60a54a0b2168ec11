/* eval_atom.h: the atoms of one block of rows.
 *
 * Purpose    rf_eval_atoms fills the atoms' registers (truth, falsity) and host masks for the rows of a block.
 * Data       a block is at most RF_EVAL_BLOCK_ROWS rows from `row` on; bits of rows that are not live are garbage.
 * Threads    a block belongs to one worker.
 */
#ifndef RF_EVAL_ATOM_H
#define RF_EVAL_ATOM_H

#include "eval_plan.h"
#include "rows.h"

struct rf_eval_block {
    enum rf_isa isa;
    const struct rf_eval_kernels *kernels;
    const struct rf_program *program;
    struct rf_eval_plan *plan;
    const struct rf_batch *batch;
    const struct rf_columns *columns;
    bool has_lines; /* plan->lines[] are filled for this batch */
    uint32_t row;   /* first row, a multiple of 64 */
    uint32_t words;
    uint64_t live[RF_EVAL_BLOCK_WORDS];
    uint32_t slot; /* whose classes are below */
    struct rf_eval_classes classes;
    bool has_integers; /* some cell is an int64 or uint64 */
};

/* The atoms of slots, constants and arithmetic; those of computed columns are left neither true nor false. */
void rf_eval_atoms(struct rf_eval_block *block);
/* The atoms of one step that has some. */
void rf_eval_step_atoms(struct rf_eval_block *block, const struct rf_eval_step *step);
/* The cells of a term from the block's first row on. */
struct rf_calc_view rf_eval_block_view(const struct rf_eval_block *block, uint32_t term);
/* Computed columns and their atoms, for the rows of plan->need (program.value[]: for all). Before it block->live is that
 * of the block, as afterwards. */
void rf_eval_late_atoms(struct rf_eval_block *block);

#endif
