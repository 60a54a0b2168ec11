/* eval.h: columns to one truth value for each predicate and row.
 *
 * Purpose    Atoms over columns give bitmaps T and F, 64 rows a word; the boolean program combines them.
 * Data       in   program.atom[A], columns slot[F], rows (R; batch bytes for spans)
 *            out  truth[P], falsity[P]: bitmaps of R bits, zero behind R in their last word. Neither = evaluation
 *            error.
 *                 Bits of rows whose status is MALFORMED or BLANK are zero in both.
 * Computed   columns are made, and their atoms tested, for the rows that the atoms of plain slots leave undecided.
 * Host       rows that a kernel cannot decide (HOST atoms; ARITH and SIZE over other types, CMP_SLOT of two lists or
 *            two maps) are asked from `host`, once the rest of the program leaves them undecided: two or three passes
 *            over the boolean program, monotone in Kleene's logic, so a row that is decided without the host keeps its answer.
 * Tallies    opened with rf_eval_open_tally nothing is kept for the batch: a reader is given the truth of some predicates at a
 *            time, block by block, so that memory is that of the atoms and not of predicates x rows (eval_tiles.h).
 *            Predicates that differ in their constants alone are counted without being decided (eval_grid.h), for several
 *            blocks at once where the reader says so.
 * Blocks     1,024 rows go through all atoms and instructions before the next, so that atom bitmaps never leave L1
 *            and L2.
 * Ownership  struct rf_eval owns its bitmaps (rf_eval_open/close).
 * Threads    one for each worker.
 * Cost       reads 9 bytes a row and slot (tag, payload), once for all atoms of the slot; about 0.2 cycles a row and
 *            atom.
 */
#ifndef RF_EVAL_H
#define RF_EVAL_H

#include "arena.h"
#include "bitmap.h"
#include "calc.h"
#include "column.h"
#include "eval_kernels.h"
#include "isa.h"
#include "program.h"
#include "rows.h"

/* Asks the interpreter about one row: 0 false, 1 true, 2 error. */
struct rf_host {
    void *context;
    int (*decide)(void *context, const struct rf_batch *batch, const struct rf_rows *rows, uint32_t row, uint32_t host);
};

enum { RF_EVAL_SPANS_MAX = 8 };

struct rf_eval_plan;
struct rf_eval_block;
struct rf_eval_grid;
struct rf_eval;

/* How the rows of a block are counted, where counts are enough: in spans one behind the other. */
struct rf_eval_spans {
    uint32_t count; /* 0: whoever tallies asks for truth */
    uint32_t end[RF_EVAL_SPANS_MAX]; /* of the block's rows */
    bool goes_on; /* the first one goes on with the last of the blocks before, if that has not been handed over */
};

/* The results of some predicates over the rows [first, first + rows) of the batch: a block, or a span of rows of one or more. */
struct rf_eval_tile {
    uint32_t first, rows;
    const uint64_t *live; /* [words] rows of the block that are neither malformed nor blank. NULL: of a span, of which hits are
                             all that there is */
    uint32_t words;
    uint32_t count;            /* predicates, <= RF_EVAL_TILE_PREDICATES */
    const uint32_t *predicate; /* [count] their numbers, in any order; over all tiles of a block each comes once */
    const struct rf_eval_hits *hits; /* [count] */
    bool is_sure;                    /* no row is undecided: no predicate has errors */
    const struct rf_eval_register *reg; /* rf_eval_tile_truth reads them */
    const uint32_t *place;
    struct rf_eval_grid *grid; /* that reads them instead, when predicates have been counted; else NULL */
};

/* Is given each block once its values are there, to read program.value[] of its rows [first, first + rows); then, of an eval
 * that tallies, its tiles. Each may be NULL. */
struct rf_eval_reader {
    void *context;
    void (*read)(void *context, const struct rf_eval *eval, uint32_t first, uint32_t rows,
                 const struct rf_eval_block *block);
    /* Asked behind read, how the block is counted; *spans has none. NULL: by itself. */
    void (*cut)(void *context, uint32_t first, uint32_t rows, const uint64_t *live, struct rf_eval_spans *spans);
    void (*tally)(void *context, const struct rf_eval_tile *tile);
};

struct rf_eval {
    const struct rf_program *program;
    uint32_t rows_max;
    uint64_t **truth; /* [P] results; words behind the last row's are not written. NULL of one that tallies */
    uint64_t **falsity;
    uint64_t host_rows; /* rows asked from the host since open, each atom counted */
    struct rf_eval_plan *plan;
    struct rf_arena arena; /* of all of the above */
};

enum rf_status rf_eval_open(struct rf_eval *eval, const struct rf_program *program, uint32_t rows_max,
                            struct rf_error *err);
/* The same without results: rf_eval_read with a reader is all that may be called. */
enum rf_status rf_eval_open_tally(struct rf_eval *eval, const struct rf_program *program, uint32_t rows_max,
                                  struct rf_error *err);
void rf_eval_close(struct rf_eval *eval);
/* The envelope columns (RF_ROOT_RECORD_*, RF_ROOT_RAW) must be filled by the extract stage. host may be NULL: rows that
 * only the host could decide stay errors. rows->rows <= rows_max. */
void rf_eval_run(struct rf_eval *eval, enum rf_isa isa, const struct rf_batch *batch, const struct rf_rows *rows,
                 const struct rf_columns *columns, const struct rf_host *host);
/* The same, with a reader (or NULL). */
void rf_eval_read(struct rf_eval *eval, enum rf_isa isa, const struct rf_batch *batch, const struct rf_rows *rows,
                  const struct rf_columns *columns, const struct rf_host *host, const struct rf_eval_reader *reader);
/* In a reader: truth and falsity of the tile's predicate number i, [tile->words], without rows that are not live. */
void rf_eval_tile_truth(const struct rf_eval_tile *tile, uint32_t i, uint64_t *truth);
void rf_eval_tile_falsity(const struct rf_eval_tile *tile, uint32_t i, uint64_t *falsity);
/* In a reader: the cell of program.value[value] in row `row` of the block. RF_TAG_HOST: the interpreter must be asked. */
struct rf_cell rf_eval_value(const struct rf_eval *eval, const struct rf_eval_block *block, uint32_t value,
                             uint32_t row);

#endif
