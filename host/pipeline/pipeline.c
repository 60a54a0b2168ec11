#include "pipeline.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "commit.h"
#include "emit.h"
#include "pause.h"
#include "trace.h"
#include "worker.h"

/* Each thread has two, so that it need not wait for its turn: while one is finished but not yet committed, the thread goes
 * on with the other. A thread that sleeps for a moment costs more than a batch on some machines. */
enum { SLOTS_EACH = 2 };

/* A worker and what has become of its batch. */
struct slot {
    struct rf_worker worker;
    enum rf_status status; /* other than RF_OK: the run ends when the batch's turn comes */
    struct rf_error err;
    bool is_parked; /* guarded by turn_lock: finished, not yet committed */
};

/* What the threads of one run share. */
struct run {
    const struct rf_pipeline_options *options;
    pthread_mutex_t source_lock; /* one fill at a time */
    pthread_mutex_t turn_lock;
    pthread_cond_t turn_moved;
    uint64_t next_sequence;  /* guarded by source_lock */
    bool is_drained;         /* guarded by source_lock: the source has ended */
    uint64_t turn;           /* guarded by turn_lock: sequence of the batch that is committed next */
    bool is_committing;      /* guarded by turn_lock: a thread holds the turn */
    struct slot **parked;    /* [slots] guarded by turn_lock: by sequence % slots */
    uint32_t slots;          /* of all threads, so that sequences under way differ in this remainder */
    atomic_bool is_over;     /* enough found, or failed */
    struct rf_commit commit; /* of the holder of the turn */
    enum rf_status status;   /* guarded by turn_lock; the first that is not RF_OK */
    struct rf_error err;
    uint64_t host_rows;             /* guarded by turn_lock, as the next */
    struct rf_device_counts device;
};

/* Ends the run: the first reason counts. With turn_lock held. */
static void run_end(struct run *run, enum rf_status status, const struct rf_error *err)
{
    if (run->status == RF_OK) {
        run->status = status;
        if (rf_status_is_error(status)) {
            run->err = *err;
        }
    }
    atomic_store(&run->is_over, true);
    rf_source_stop(run->options->source); /* a thread may wait there for a pipe */
    pthread_cond_broadcast(&run->turn_moved);
}

/* A fill from memory or the page cache takes less time than going to sleep and waking up: looks for a while first. */
static void source_lock(struct run *run)
{
    enum { LOOKS = 64, PAUSES = 32 };
    for (int look = 0; look < LOOKS; look++) {
        if (pthread_mutex_trylock(&run->source_lock) == 0) {
            return;
        }
        for (int pause = 0; pause < PAUSES; pause++) {
            rf_cpu_pause();
        }
    }
    pthread_mutex_lock(&run->source_lock);
}

/* Fills the worker's batch; RF_END when there is none left. */
static enum rf_status source_fill(struct run *run, struct rf_worker *worker, struct rf_error *err)
{
    source_lock(run);
    enum rf_status status = RF_END;
    const atomic_bool *const is_interrupted = run->options->is_interrupted;
    run->is_drained = run->is_drained || (is_interrupted != NULL && atomic_load(is_interrupted));
    if (!run->is_drained && !atomic_load(&run->is_over)) {
        rf_trace_begin(RF_TRACE_INGEST_FILL, run->next_sequence);
        status = rf_source_fill(run->options->source, &worker->batch, err);
        rf_trace_end();
        worker->batch.sequence = run->next_sequence;
        rf_worker_date(worker); /* in order, as the batches are */
        run->next_sequence += status == RF_OK;
        run->is_drained = status != RF_OK;
    }
    pthread_mutex_unlock(&run->source_lock);
    return status;
}

/* Bytes to decided rows, and their output formatted: everything that can be done before the batch's turn. */
static enum rf_status round_stages(struct rf_worker *worker, struct rf_error *err)
{
    RF_TRY(rf_worker_index(worker, err)); /* bytes -> records, structural positions, suspects */
    rf_worker_extract(worker);            /* -> columns; malformed rows */
    RF_TRY(rf_worker_eval(worker, err));  /* -> true, false or error for each row */
    rf_worker_select(worker);             /* -> selected row numbers, counts */
    if (worker->text_end == NULL) {
        return RF_OK;
    }
    rf_trace_begin(RF_TRACE_OUT_FORMAT, worker->batch.sequence);
    const enum rf_status status = rf_emit_round(worker, err); /* -> json or csv text */
    rf_trace_end();
    return status;
}

static enum rf_status round_decide(struct rf_worker *worker, struct rf_error *err)
{
    rf_trace_begin(RF_TRACE_BATCH, worker->batch.sequence);
    const enum rf_status status = round_stages(worker, err);
    rf_trace_end();
    return status;
}

/* Ends the way of one batch, in its turn. One with more records than a round takes goes round again, still in its turn,
 * so the order holds. */
static enum rf_status batch_commit(struct run *run, struct slot *slot)
{
    struct rf_worker *worker = &slot->worker;
    RF_TRY(slot->status);
    for (;;) {
        rf_trace_begin(RF_TRACE_SINK_WRITE, worker->batch.sequence);
        const enum rf_status status = rf_commit_round(&run->commit, worker, &slot->err); /* policies, sink_write, in input order */
        rf_trace_end();
        RF_TRY(status);
        worker->rows.lines_before += worker->rows.lines;
        worker->batch.cursor = worker->rows.cursor;
        if (worker->batch.cursor >= worker->batch.bytes_used) {
            return RF_OK;
        }
        RF_TRY(round_decide(worker, &slot->err));
    }
}

/* Parks a finished batch, and commits all whose turn it is, this thread's and others', unless another thread is at it. */
static void batch_finish(struct run *run, struct slot *slot)
{
    pthread_mutex_lock(&run->turn_lock);
    slot->is_parked = true;
    run->parked[slot->worker.batch.sequence % run->slots] = slot;
    while (!run->is_committing && !atomic_load(&run->is_over)) {
        struct slot *next = run->parked[run->turn % run->slots];
        if (next == NULL) {
            break;
        }
        run->is_committing = true;
        pthread_mutex_unlock(&run->turn_lock);
        const enum rf_status status = batch_commit(run, next);
        pthread_mutex_lock(&run->turn_lock);
        run->is_committing = false;
        if (status != RF_OK) {
            run_end(run, status, &next->err);
        }
        run->parked[run->turn % run->slots] = NULL;
        next->is_parked = false;
        run->turn++;
        pthread_cond_broadcast(&run->turn_moved);
    }
    pthread_mutex_unlock(&run->turn_lock);
}

/* Moves one batch from its source to its sink: the whole way of a message. */
static enum rf_status pipeline_step(struct run *run, struct slot *slot)
{
    slot->status = source_fill(run, &slot->worker, &slot->err);
    if (slot->status == RF_OK) {
        slot->status = round_decide(&slot->worker, &slot->err);
    }
    if (slot->status == RF_END) {
        return RF_END;
    }
    batch_finish(run, slot); /* a failure, too, has its turn: batches before it still come out */
    return RF_OK;
}

/* Waits until one of the thread's slots is free, or all of them. */
static struct slot *slot_wait(struct run *run, struct slot *slot, uint32_t slots, bool is_for_all)
{
    struct slot *found = NULL;
    pthread_mutex_lock(&run->turn_lock);
    for (;;) {
        uint32_t free_slots = 0;
        for (uint32_t s = 0; s < slots; s++) {
            if (!slot[s].is_parked) {
                found = &slot[s];
                free_slots++;
            }
        }
        if (free_slots >= (is_for_all ? slots : 1) || atomic_load(&run->is_over)) {
            break;
        }
        pthread_cond_wait(&run->turn_moved, &run->turn_lock);
    }
    /* A slot that another thread is committing stays that thread's until it is done. */
    while (is_for_all && run->is_committing) {
        pthread_cond_wait(&run->turn_moved, &run->turn_lock);
    }
    pthread_mutex_unlock(&run->turn_lock);
    return atomic_load(&run->is_over) ? NULL : found;
}

/* What a worker has counted of its rows. */
static void worker_count(struct run *run, const struct rf_worker *worker)
{
    const struct rf_offload *offload = &worker->offload;
    struct rf_device_counts *device = &run->device;
    run->host_rows += worker->eval.host_rows;
    device->batches += offload->device.batches;
    device->rows += offload->device.rows;
    device->redone_rows += offload->redone_rows;
    device->failed_batches += offload->failed_batches;
    device->bytes_sent += offload->device.bytes_sent;
    device->bytes_received += offload->device.bytes_received;
    if (device->why[0] == '\0') {
        memcpy(device->why, offload->why, sizeof device->why);
    }
}

static void *thread_main(void *context)
{
    struct run *run = context;
    const uint32_t slots = run->options->threads == 1 ? 1 : SLOTS_EACH;
    struct slot slot[SLOTS_EACH];
    struct rf_error err;
    rf_trace_thread("riffle worker");
    enum rf_status status = RF_OK;
    memset(slot, 0, sizeof(slot));
    for (uint32_t s = 0; s < slots && status == RF_OK; s++) {
        status = rf_worker_open(&slot[s].worker, run->options, &err);
    }
    if (status != RF_OK) {
        pthread_mutex_lock(&run->turn_lock);
        run_end(run, status, &err);
        pthread_mutex_unlock(&run->turn_lock);
    }
    struct slot *next = slot;
    while (status == RF_OK && next != NULL) {
        status = pipeline_step(run, next);
        next = slot_wait(run, slot, slots, false);
    }
    (void)slot_wait(run, slot, slots, true);
    for (uint32_t s = 0; s < slots; s++) {
        pthread_mutex_lock(&run->turn_lock);
        worker_count(run, &slot[s].worker);
        pthread_mutex_unlock(&run->turn_lock);
        rf_worker_close(&slot[s].worker);
    }
    return NULL;
}

/* The caller's thread works too; others are started beside it. Fewer threads than wanted is no failure. */
static void run_threads(struct run *run)
{
    const uint32_t others = run->options->threads - 1;
    pthread_t *thread = others == 0 ? NULL : calloc(others, sizeof(*thread));
    uint32_t started = 0;
    while (thread != NULL && started < others && pthread_create(&thread[started], NULL, thread_main, run) == 0) {
        started++;
    }
    thread_main(run);
    for (uint32_t t = 0; t < started; t++) {
        pthread_join(thread[t], NULL);
    }
    free(thread);
}

enum rf_status rf_pipeline_run(const struct rf_pipeline_options *options, struct rf_pipeline_result *result,
                               struct rf_error *err)
{
    memset(result, 0, sizeof(*result));
    struct run run = {.options = options, .slots = options->threads * SLOTS_EACH, .status = RF_OK};
    run.parked = calloc(run.slots, sizeof(struct slot *));
    if (run.parked == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for the batches of %u threads", options->threads);
    }
    pthread_mutex_init(&run.source_lock, NULL);
    pthread_mutex_init(&run.turn_lock, NULL);
    pthread_cond_init(&run.turn_moved, NULL);
    enum rf_status status = rf_commit_begin(&run.commit, options, result, err);
    if (status == RF_OK && options->max_count != 0) {
        run_threads(&run);
        status = run.status;
        *err = run.err;
        result->host_rows = run.host_rows;
        result->device = run.device;
        if (status == RF_STOP) {
            status = RF_OK;
        }
    }
    rf_commit_end(&run.commit);
    pthread_cond_destroy(&run.turn_moved);
    pthread_mutex_destroy(&run.turn_lock);
    pthread_mutex_destroy(&run.source_lock);
    free(run.parked);
    return status;
}
