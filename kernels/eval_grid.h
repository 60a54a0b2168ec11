/* eval_grid.h: predicates that differ in their constants alone, counted together.
 *
 * Purpose    `a > t && b < q` for many t and q: each row falls into one cell of a grid, by its place among the t and among the q;
 *            the hits of a predicate are the sum of a rectangle of cells that begins in the corner. So counting costs a few
 *            instructions a row and as many a cell and a predicate, where bitmaps cost some for each 64 rows and predicate.
 * Data       axis     comparisons of one slot with numbers, all < <=, all > >= or all ==: N sides, the hardest first, so that a
 *                     value for which one is true makes all behind it true
 *            class    of a row on an axis: 0 where they are undecided, else 1 + the number of sides that are false (of ==: 1 +
 *                     the number of the side that is true, or N + 1). Side k is true in the classes 1 .. k + 1.
 *            cell     [outer class][inner class]: rows of the span, and the first and last of them, counted from its beginning. Those
 *                     in row 0 and column 0 are undecided for some predicates and false for the others: `errors`.
 *            guard    what is the same in all predicates of the grid: rows for which it is false are in no cell. Those for which it is
 *                     undecided are in cells of their own, `doubts`: undecided for the predicates that they would be hits of.
 *            span     blocks of rows that are counted together, at most RF_EVAL_GRID_BLOCKS_MAX
 * Form       a predicate is counted when it is a conjunction with comparisons of one or two axes over slots that never ask the
 *            host (of more, two are chosen) and anything else that does not ask, and its grid has enough of them for its size. Integers that are doubles go among the doubles; the others
 *            are compared exactly, one by one.
 * Ownership  the arena's.
 * Threads    one worker's.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_EVAL_GRID_H
#define RF_EVAL_GRID_H

#include "eval.h"
#include "eval_atom.h"

enum {
    RF_EVAL_GRID_BLOCKS_MAX = 63, /* rows of a span fit 16 bits */
    RF_EVAL_GRID_CELLS_MAX = 2 * 1024 * 1024 /* 12 bytes each */
};

/* A column of numbers by the places of its values among the constants of all axes over it. */
struct rf_eval_grid_column {
    uint32_t slot;
    const struct rf_eval_rank *rank;
    uint32_t codes;                      /* of the rank; behind them those of enum rf_eval_grid_code */
    uint16_t code[RF_EVAL_BLOCK_ROWS];   /* of the block */
    uint64_t exact[RF_EVAL_BLOCK_WORDS]; /* integers that are no doubles: their code means nothing */
    const uint8_t *tag;                  /* of the block's rows */
    const uint64_t *payload;
};

/* Behind a column's codes. */
enum rf_eval_grid_code {
    RF_EVAL_GRID_UNEQUAL, /* NaN: every comparison is false */
    RF_EVAL_GRID_OTHER,   /* no number: == is false */
    RF_EVAL_GRID_MISSING, /* all are undecided */
    RF_EVAL_GRID_CODES
};

struct rf_eval_axis {
    struct rf_eval_grid_column *column;
    bool is_equality;
    uint32_t sides;
    const uint32_t *atom; /* [sides] */
    uint16_t *class_of;   /* [codes + RF_EVAL_GRID_CODES] */
    /* For whoever asks for truth, of the block whose stamp they bear: */
    uint64_t stamp;
    uint16_t class[RF_EVAL_BLOCK_ROWS];
    uint64_t decided[RF_EVAL_BLOCK_WORDS];
    struct rf_eval_register *reg; /* [sides] */
    uint64_t *reg_stamp;          /* [sides] */
};

struct rf_eval_grid {
    struct rf_eval_grids *all;
    struct rf_eval_axis *outer; /* NULL: there is one axis */
    struct rf_eval_axis *inner;
    struct rf_eval_cells cells;
    uint32_t *guard; /* [guards] registers of the program, all of which must be true */
    uint32_t guards;
    uint32_t guard_register;                 /* of the plan: their conjunction; RF_NONE: there are none */
    const struct rf_eval_register *guard_of; /* that, of the block */
    struct rf_eval_cells doubts;
    bool has_doubts;    /* in the span */
    uint32_t *outer_of; /* [codes] of the outer column: class x stride; without one, of the inner column: stride */
    uint32_t *errors_outer, *errors_inner; /* [classes] what column 0 and row 0 add up to */
    uint32_t members;
    uint32_t *predicate;                 /* [members] ascending */
    uint16_t *outer_class, *inner_class; /* [members] the last class in which the predicate is true */
};

struct rf_eval_grids {
    const struct rf_program *program;
    struct rf_eval_grid_column *column;
    uint32_t columns;
    struct rf_eval_grid *grid;
    uint32_t grids;
    bool *is_counted;                      /* [P] */
    uint32_t first, rows, blocks;          /* of the span */
    uint64_t stamp;                        /* number of the block */
    const struct rf_eval_kernels *kernels; /* of the block */
    uint32_t words;
};

/* *out is NULL when no predicate is worth it. constant[A] as in eval_plan.h. */
enum rf_status rf_eval_grids_make(struct rf_eval_grids **out, const struct rf_program *program,
                                  const struct rf_eval_constant *constant, struct rf_arena *arena,
                                  struct rf_error *err);
/* A block begins: finds the places of its values. Guards have been decided. */
void rf_eval_grids_block(struct rf_eval_grids *grids, const struct rf_eval_block *block);
/* Adds its rows [first, end) to the span. */
void rf_eval_grids_count(struct rf_eval_grids *grids, const struct rf_eval_block *block, uint32_t first, uint32_t end);
/* Hands the span over as tiles, and begins a new one. live: it is one whole block, whose truth can be asked for; NULL: only counts. */
void rf_eval_grids_give(struct rf_eval_grids *grids, const uint64_t *live, const struct rf_eval_reader *reader);
/* Truth and falsity of member number i of a grid in the span's only block. */
void rf_eval_grid_decide(struct rf_eval_grid *grid, uint32_t i, struct rf_eval_register *out);

#endif
