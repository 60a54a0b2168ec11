/* stages.h: a worker over a text in memory, taken by hand from stage to stage. */
#ifndef RF_TEST_STAGES_H
#define RF_TEST_STAGES_H

#include "trial.h"
#include "worker.h"

struct stages {
    struct rf_compiled compiled;
    struct rf_source *source;
    struct rf_pipeline_options options;
    struct rf_worker worker;
};

static inline void stages_open(struct stages *stages, const struct trial *trial)
{
    struct rf_error err;
    trial_compile(trial, &stages->compiled);
    struct rf_source_options source_options = trial->source;
    source_options.counts_records = stages->compiled.program.needs_number;
    source_options.is_text = trial->options.is_text;
    source_options.is_fix = trial->is_fix;
    assert_int_equal(rf_source_open_memory(&stages->source, trial->input[0].data, trial->input[0].count, "input.0",
                                           source_options, &err),
                     RF_OK);
    stages->options = trial->options;
    stages->options.compiled = &stages->compiled;
    stages->options.source = stages->source;
    stages->options.batch_bytes = trial->source.batch_bytes;
    assert_int_equal(rf_worker_open(&stages->worker, &stages->options, &err), RF_OK);
}

static inline void stages_close(struct stages *stages)
{
    rf_worker_close(&stages->worker);
    rf_source_close(stages->source);
    rf_compiled_close(&stages->compiled);
}

static inline bool stages_fill(struct stages *stages)
{
    struct rf_error err;
    const enum rf_status status = rf_source_fill(stages->source, &stages->worker.batch, &err);
    assert_true(status == RF_OK || status == RF_END);
    if (status == RF_OK) {
        rf_worker_date(&stages->worker);
    }
    return status == RF_OK;
}

/* One round, up to the selected rows. */
static inline void stages_run(struct stages *stages)
{
    struct rf_error err;
    assert_int_equal(rf_worker_index(&stages->worker, &err), RF_OK);
    rf_worker_extract(&stages->worker);
    assert_int_equal(rf_worker_eval(&stages->worker, &err), RF_OK);
    rf_worker_select(&stages->worker);
}

/* To the next round of the batch; false when there is none. */
static inline bool stages_move(struct stages *stages)
{
    struct rf_worker *worker = &stages->worker;
    worker->rows.lines_before += worker->rows.lines;
    worker->batch.cursor = worker->rows.cursor;
    return worker->batch.cursor < worker->batch.bytes_used;
}

#endif
