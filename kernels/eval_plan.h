/* eval_plan.h: what the eval stage prepares once for a program.
 *
 * Purpose    Constants turned into what vectors compare with, atoms ordered by slot so that a block of a column is read
 *            once, instructions with their registers resolved.
 * Data       A atoms; register[A + C]: atoms first, then the instructions of the boolean program
 *            step[S]   in the order of slots; a step is a run of atoms order[first .. first + count), or a computation
 * Ownership  everything lives in the arena given to rf_eval_plan_make.
 * Threads    registers and masks are scratch: one plan for each worker.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_EVAL_PLAN_H
#define RF_EVAL_PLAN_H

#include "arena.h"
#include "eval_kernels.h"
#include "eval_set.h"
#include "eval_term.h"

enum { RF_EVAL_SMALL_SET = 8 }; /* up to so many constants IN compares one by one */

struct rf_eval_constant {           /* of one atom */
    enum rf_compare double_compare; /* CMP_NUM over doubles and int64, exact: the operator may have become stricter */
    enum rf_compare integer_compare;
    uint64_t double_bits; /* NaN bits where no double holds */
    uint64_t integer_bits;
    uint64_t head; /* of the string, and the mask of its bytes */
    uint64_t head_mask;
    uint32_t doubles;              /* IN: constants that are doubles ... */
    uint64_t *double_of;           /* [doubles] bits, -0 as 0 */
    struct rf_eval_set number_set; /* the same, when there are many */
    struct rf_eval_set string_set;
};

struct rf_eval_lists;
struct rf_eval_texts;
struct rf_eval_needles;

struct rf_eval_step {
    uint32_t calc;  /* a computation, and no atoms; else RF_NONE */
    uint32_t slot;  /* a term; RF_NONE for ARITH and HOST */
    bool is_number; /* all are CMP_NUM, with one double_compare unless there is a rank; else count is 1 but for texts */
    struct rf_eval_rank *rank; /* of the constants, in the order of the step's atoms; NULL: they are compared one by one */
    struct rf_eval_texts *texts; /* the step's tests of texts by one search; NULL: a test by itself */
    struct rf_eval_lists *lists; /* the step's lists of numbers by one look-up; NULL: a list by itself */
    bool is_mixed;               /* with texts: some are lists with other members too */
    struct rf_eval_needles *needles; /* of the first `taken` atoms, by one search; NULL: a test by itself */
    uint32_t taken;
    uint32_t first;
    uint32_t count;
};

/* A part of the boolean program, and the predicates that are decided when it has run. */
struct rf_eval_tile_plan {
    uint32_t code_first, code_count;
    uint32_t first, count; /* of plan->emit */
};

struct rf_eval_plan {
    struct rf_eval_constant *constant; /* [A] */
    struct rf_eval_grids *grids; /* what counts predicates without deciding them; NULL: none. Only of a plan to tally */
    uint32_t *order;             /* [ordered] atoms by slot: those that some register is made of */
    uint32_t ordered;
    uint64_t *number_bits; /* [ordered] double_bits in that order */
    struct rf_eval_step *step; /* atoms of slots first, then each computation before the atoms that need it */
    uint32_t steps;
    uint32_t late; /* the first step that is a computation or a search worth as much, or steps: from there on only rows count
                      that still matter */
    uint64_t (*calc_rows)[RF_EVAL_BLOCK_WORDS]; /* [calcs] rows whose value is wanted; NULL without computations */
    struct rf_eval_terms terms;
    struct rf_calc_column *spread; /* a constant as a column of its own, for atoms; NULL when no atom has one */
    struct rf_eval_code *code;
    uint32_t code_count;
    uint32_t guards_code; /* the first of them: what decides the guards of grids, in registers that nobody else writes */
    uint32_t *output; /* [P] registers; RF_NONE: it is counted by a grid */
    uint32_t results; /* predicates that have one */
    struct rf_eval_tile_plan *tile; /* in the order of the code; all of it together. Only of a plan to tally */
    uint32_t tiles;
    bool has_error;       /* some instruction is RF_BOOL_ERROR */
    uint32_t *emit;       /* [results] predicates in the order in which they are decided */
    uint32_t *emit_place; /* [results] registers of those */
    uint32_t registers; /* to tally without asking the host: reused once nobody reads them */
    struct rf_eval_register *reg;
    uint64_t (*need)[RF_EVAL_BLOCK_WORDS];  /* [registers] rows whose value is wanted; NULL without host */
    uint64_t (**host)[RF_EVAL_BLOCK_WORDS]; /* [A] rows that only the host decides; NULL for kinds that never ask */
    uint64_t **lines;                       /* [A] CONTAINS over whole records: one bit for each row; else NULL */
};

/* Rows of such an atom may be asked from the host whatever its column is. */
static inline bool rf_eval_kind_may_ask(enum rf_atom_kind kind)
{
    return kind == RF_ATOM_HOST || kind == RF_ATOM_ARITH || kind == RF_ATOM_SIZE || kind == RF_ATOM_CMP_SLOT;
}

/* Registers that an instruction reads: a, a and b, or all three. */
uint32_t rf_eval_operands(enum rf_bool_op op);

/* is_tallied: registers of results need not outlive their tile. On failure too the plan must be given to
 * rf_eval_plan_free. */
void rf_eval_plan_free(struct rf_eval_plan *plan); /* what is not in the arena */
enum rf_status rf_eval_plan_make(struct rf_eval_plan *plan, const struct rf_program *program, uint32_t rows_max,
                                 bool is_tallied, struct rf_arena *arena, struct rf_error *err);

#endif
