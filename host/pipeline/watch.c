#include "watch.h"

#include <string.h>

#include "trace.h"
#include "worker.h"

bool rf_watch_cell(const struct rf_watch_block *block, uint32_t projection, uint32_t row, struct rf_cell *cell,
                   struct rf_value *value)
{
    if (block->vectors != NULL) {
        *cell = rf_eval_value(&block->worker->eval, block->vectors, projection, row);
        if (cell->tag != RF_TAG_HOST) {
            return true;
        }
    }
    struct rf_malformed malformed;
    struct rf_error err;
    if (rf_worker_read_row(block->worker, block->first + row, &malformed, &err) != RF_OK ||
        malformed.reason != RF_REASON_NONE) {
        *value = rf_value_error("the record cannot be read");
    } else {
        *value = rf_interp_project(block->worker->interp, projection);
    }
    return false;
}

static void vectors_read(void *context, const struct rf_eval *eval, uint32_t first, uint32_t rows,
                         const struct rf_eval_block *vectors)
{
    struct rf_worker *worker = context;
    const struct rf_watch_block block = {.first = first, .rows = rows, .worker = worker, .vectors = vectors};
    (void)eval;
    worker->options->watch->block(worker->watched, &block);
}

static void vectors_cut(void *context, uint32_t first, uint32_t rows, const uint64_t *live, struct rf_eval_spans *spans)
{
    const struct rf_worker *worker = context;
    worker->options->watch->cut(worker->watched, first, rows, live, spans);
}

static void vectors_tally(void *context, const struct rf_eval_tile *tile)
{
    struct rf_worker *worker = context;
    worker->options->watch->tile(worker->watched, tile);
}

/* ---- The interpreter ---- */

static bool row_is_live(const struct rf_worker *worker, uint32_t row)
{
    return worker->rows.status[row] != RF_ROW_BLANK && worker->rows.status[row] != RF_ROW_MALFORMED;
}

/* One row of a block: its bit in the register of every predicate. */
static enum rf_status row_decide(struct rf_worker *worker, uint32_t row, uint32_t bit, struct rf_error *err)
{
    struct rf_malformed malformed;
    RF_TRY(rf_worker_read_row(worker, row, &malformed, err));
    if (malformed.reason != RF_REASON_NONE) {
        worker->rows.status[row] = RF_ROW_MALFORMED;
        return RF_OK;
    }
    for (uint32_t p = 0; p < worker->program->predicates; p++) {
        switch (rf_interp_predicate(worker->interp, p)) {
        case RF_TRUTH_TRUE:
            rf_bit_set(worker->watch_truth[p].truth, bit);
            break;
        case RF_TRUTH_FALSE:
            rf_bit_set(worker->watch_truth[p].falsity, bit);
            break;
        case RF_TRUTH_ERROR:
            break;
        }
    }
    return RF_OK;
}

static void tiles_give(struct rf_worker *worker, struct rf_eval_tile *tile)
{
    uint32_t number[RF_EVAL_TILE_PREDICATES];
    struct rf_eval_hits hits[RF_EVAL_TILE_PREDICATES];
    uint64_t live[RF_EVAL_BLOCK_WORDS] = {0};
    const uint32_t predicates = worker->program->predicates;
    memcpy(live, tile->live, tile->words * sizeof *live);
    for (uint32_t first = 0; first < predicates; first += RF_EVAL_TILE_PREDICATES) {
        const uint32_t left = predicates - first;
        tile->count = left < RF_EVAL_TILE_PREDICATES ? left : RF_EVAL_TILE_PREDICATES;
        for (uint32_t i = 0; i < tile->count; i++) {
            number[i] = first + i;
        }
        rf_eval_kernels_scalar.tally(tile->reg, number, tile->count, live, false, hits);
        tile->predicate = tile->place = number;
        tile->hits = hits;
        worker->options->watch->tile(worker->watched, tile);
    }
}

static enum rf_status interp_round(struct rf_worker *worker, struct rf_error *err)
{
    for (uint32_t first = 0; first < worker->rows.rows; first += RF_EVAL_BLOCK_ROWS) {
        const uint32_t left = worker->rows.rows - first;
        const uint32_t rows = left < RF_EVAL_BLOCK_ROWS ? left : RF_EVAL_BLOCK_ROWS;
        uint64_t live[RF_EVAL_BLOCK_WORDS] = {0};
        if (worker->program->predicates != 0) {
            memset(worker->watch_truth, 0, worker->program->predicates * sizeof *worker->watch_truth);
        }
        for (uint32_t row = 0; row < rows; row++) {
            if (row_is_live(worker, first + row)) {
                RF_TRY(row_decide(worker, first + row, row, err));
            }
            if (row_is_live(worker, first + row)) {
                rf_bit_set(live, row);
            }
        }
        const struct rf_watch_block block = {.first = first, .rows = rows, .worker = worker};
        worker->options->watch->block(worker->watched, &block);
        struct rf_eval_tile tile = {.first = first,
                                    .rows = rows,
                                    .live = live,
                                    .words = rf_bitmap_words(rows),
                                    .reg = worker->watch_truth};
        tiles_give(worker, &tile);
    }
    return RF_OK;
}

enum rf_status rf_watch_round(struct rf_worker *worker, struct rf_error *err)
{
    const struct rf_pipeline_options *options = worker->options;
    RF_TRY(options->watch->begin(worker->watched, worker, err));
    if (options->backend == RF_BACKEND_INTERP) {
        RF_TRY(interp_round(worker, err));
    } else {
        const struct rf_host host = {worker, rf_worker_decide};
        const struct rf_eval_reader reader = {
            .context = worker, .read = vectors_read, .cut = vectors_cut, .tally = vectors_tally};
        rf_trace_begin(RF_TRACE_PRED_EVAL, worker->batch.sequence);
        rf_eval_read(&worker->eval, options->isa, worker->view, &worker->rows, &worker->columns, &host, &reader);
        rf_trace_end();
    }
    options->watch->end(worker->watched);
    return RF_OK;
}
