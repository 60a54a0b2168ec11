/* watch.h: something that sees the truth of every predicate for every record, instead of a sink: a backtest.
 *
 * Purpose    With a watch a run selects nothing: each round its rows are decided by all predicates, and the watch is given the
 *            values of the projections and the truth, tile by tile (eval.h), by the thread that decides them; later, in input
 *            order, its turn to add up what depends on the order.
 * Data       Each worker has a state of the watch's own, made by open. Calls for one round: begin, values, question and tiles block
 *            by block, end, commit.
 * Threads    begin, block, cut and tile: the worker's thread, of several workers at once. commit: one at a time, in input order.
 *            A worker's next round begins behind the commit of its last.
 * Errors     of begin and commit end the run. block and tile keep theirs until commit.
 */
#ifndef RF_WATCH_H
#define RF_WATCH_H

#include "eval.h"
#include "value.h"

struct rf_worker;

/* Asks for projections of the rows of a block, whichever engine runs. */
struct rf_watch_block {
    uint32_t first, rows; /* of the round */
    struct rf_worker *worker;
    const struct rf_eval_block *vectors; /* NULL: the interpreter runs */
};

struct rf_watch {
    void *context;
    enum rf_status (*open)(void *context, struct rf_worker *worker, void **state, struct rf_error *err);
    enum rf_status (*begin)(void *state, struct rf_worker *worker, struct rf_error *err);
    void (*block)(void *state, const struct rf_watch_block *block);
    /* As of struct rf_eval_reader (eval.h). Not every engine asks. */
    void (*cut)(void *state, uint32_t first, uint32_t rows, const uint64_t *live, struct rf_eval_spans *spans);
    void (*tile)(void *state, const struct rf_eval_tile *tile);
    void (*end)(void *state); /* of the round's blocks; its rows are still there */
    enum rf_status (*commit)(void *context, void *state, struct rf_worker *worker, struct rf_error *err);
    void (*close)(void *context, void *state);
};

/* The cell of projection `projection` in row `row` of the block, counted from block->first. False: only *value holds it. */
bool rf_watch_cell(const struct rf_watch_block *block, uint32_t projection, uint32_t row, struct rf_cell *cell,
                   struct rf_value *value);

/* Decides the round's rows by the engine of the options and gives them to the watch. */
enum rf_status rf_watch_round(struct rf_worker *worker, struct rf_error *err);

#endif
