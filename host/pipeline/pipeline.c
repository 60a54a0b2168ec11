#include "pipeline.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "commit.h"
#include "emit.h"
#include "worker.h"

/* What the workers of one run share. */
struct run {
    const struct rf_pipeline_options *options;
    pthread_mutex_t source_lock; /* one fill at a time */
    pthread_mutex_t turn_lock;
    pthread_cond_t turn_moved;
    uint64_t turn;           /* sequence of the batch that may commit */
    uint64_t next_sequence;  /* guarded by source_lock */
    bool is_drained;         /* guarded by source_lock: the source has ended */
    atomic_bool is_over;     /* enough found, or failed */
    struct rf_commit commit; /* of the holder of the turn */
    enum rf_status status;   /* guarded by turn_lock; the first that is not RF_OK */
    struct rf_error err;
    _Atomic uint64_t host_rows;
};

/* Ends the run: the first reason counts. */
static void run_end(struct run *run, enum rf_status status, const struct rf_error *err)
{
    pthread_mutex_lock(&run->turn_lock);
    if (run->status == RF_OK) {
        run->status = status;
        if (rf_status_is_error(status)) {
            run->err = *err;
        }
    }
    atomic_store(&run->is_over, true);
    pthread_cond_broadcast(&run->turn_moved);
    pthread_mutex_unlock(&run->turn_lock);
}

/* Fills the worker's batch; RF_END when there is none left. */
static enum rf_status source_fill(struct run *run, struct rf_worker *worker, struct rf_error *err)
{
    pthread_mutex_lock(&run->source_lock);
    enum rf_status status = RF_END;
    if (!run->is_drained && !atomic_load(&run->is_over)) {
        status = rf_source_fill(run->options->source, &worker->batch, err);
        worker->batch.sequence = run->next_sequence;
        run->next_sequence += status == RF_OK;
        run->is_drained = status != RF_OK;
    }
    pthread_mutex_unlock(&run->source_lock);
    return status;
}

/* Waits until all earlier batches are committed; RF_STOP when the run is over. */
static enum rf_status turn_take(struct run *run, uint64_t sequence)
{
    pthread_mutex_lock(&run->turn_lock);
    while (run->turn != sequence && !atomic_load(&run->is_over)) {
        pthread_cond_wait(&run->turn_moved, &run->turn_lock);
    }
    pthread_mutex_unlock(&run->turn_lock);
    return atomic_load(&run->is_over) ? RF_STOP : RF_OK;
}

static void turn_pass(struct run *run)
{
    pthread_mutex_lock(&run->turn_lock);
    run->turn++;
    pthread_cond_broadcast(&run->turn_moved);
    pthread_mutex_unlock(&run->turn_lock);
}

/* Bytes to decided rows, and their output formatted: everything that can be done before the batch's turn. */
static enum rf_status round_decide(struct rf_worker *worker, struct rf_error *err)
{
    RF_TRY(rf_worker_index(worker, err)); /* bytes -> records, structural positions, suspects */
    rf_worker_extract(worker);            /* -> columns; malformed rows */
    RF_TRY(rf_worker_eval(worker, err));  /* -> true, false or error for each row */
    rf_worker_select(worker);             /* -> selected row numbers, counts */
    if (worker->text_end != NULL) {
        RF_TRY(rf_emit_round(worker, err)); /* -> json or csv text */
    }
    return RF_OK;
}

/* Moves one batch from its source to its sink: the whole way of a message. A batch with more records than a round
 * takes goes round again; its turn is kept from the first commit to the last, so the order holds. */
static enum rf_status pipeline_step(struct run *run, struct rf_worker *worker, struct rf_error *err)
{
    const enum rf_status filled = source_fill(run, worker, err);
    if (rf_status_is_error(filled)) {
        RF_TRY(turn_take(run, worker->batch.sequence)); /* batches before it still come out */
    }
    RF_TRY(filled);
    do {
        const enum rf_status decided = round_decide(worker, err);
        if (worker->batch.cursor == 0) {
            RF_TRY(turn_take(run, worker->batch.sequence)); /* also before a failure ends the run: batches
                                                               before it still come out */
        }
        RF_TRY(decided);
        RF_TRY(rf_commit_round(&run->commit, worker, err)); /* policies, sink_write, in input order */
        worker->rows.lines_before += worker->rows.lines;
        worker->batch.cursor = worker->rows.cursor;
    } while (worker->batch.cursor < worker->batch.bytes_used);
    turn_pass(run);
    return RF_OK;
}

static void *worker_main(void *context)
{
    struct run *run = context;
    struct rf_worker worker;
    struct rf_error err;
    enum rf_status status = rf_worker_open(&worker, run->options, &err);
    while (status == RF_OK) {
        status = pipeline_step(run, &worker, &err);
    }
    if (status != RF_END) {
        run_end(run, status, &err);
    }
    atomic_fetch_add(&run->host_rows, worker.eval.host_rows);
    rf_worker_close(&worker);
    return NULL;
}

/* The caller's thread works too; others are started beside it. Fewer threads than wanted is no failure. */
static void run_workers(struct run *run)
{
    const uint32_t others = run->options->threads - 1;
    pthread_t *thread = others == 0 ? NULL : calloc(others, sizeof(*thread));
    uint32_t started = 0;
    while (thread != NULL && started < others && pthread_create(&thread[started], NULL, worker_main, run) == 0) {
        started++;
    }
    worker_main(run);
    for (uint32_t t = 0; t < started; t++) {
        pthread_join(thread[t], NULL);
    }
    free(thread);
}

enum rf_status rf_pipeline_run(const struct rf_pipeline_options *options, struct rf_pipeline_result *result,
                               struct rf_error *err)
{
    memset(result, 0, sizeof(*result));
    struct run run = {.options = options, .status = RF_OK};
    pthread_mutex_init(&run.source_lock, NULL);
    pthread_mutex_init(&run.turn_lock, NULL);
    pthread_cond_init(&run.turn_moved, NULL);
    enum rf_status status = rf_commit_begin(&run.commit, options, result, err);
    if (status == RF_OK && options->max_count != 0) {
        run_workers(&run);
        status = run.status;
        *err = run.err;
        result->host_rows = atomic_load(&run.host_rows);
        if (status == RF_STOP) {
            status = RF_OK;
        }
    }
    rf_commit_end(&run.commit);
    pthread_cond_destroy(&run.turn_moved);
    pthread_mutex_destroy(&run.turn_lock);
    pthread_mutex_destroy(&run.source_lock);
    return status;
}
