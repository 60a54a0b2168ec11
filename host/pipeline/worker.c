#include "worker.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "trace.h"

/* Skipped records are neither looked at, passed on nor numbered: only sound where nobody asks for them. */
static bool prefilter_is_sound(const struct rf_pipeline_options *options)
{
    return options->watch == NULL && options->on_error.kind == RF_POLICY_DROP && options->on_malformed.kind == RF_POLICY_DROP &&
           !options->is_inverted && !options->is_validating && options->backend == RF_BACKEND_CPU;
}

/* A round's columns are bounded, so that a program of thousands of fields does not ask for gigabytes. A cell is a
 * tag, a payload, a span, and the place of its key that the extract stage notes, twice. */
enum { COLUMN_BYTES_MAX = 64 * 1024 * 1024, CELL_BYTES = 1 + 8 + 4 + 4 + 4 + 4, ROWS_MIN = 1024 };

static uint32_t rows_max_for(const struct rf_pipeline_options *options)
{
    if (options->rows_max != 0) {
        return options->rows_max;
    }
    const uint32_t slots = options->compiled->program.slots + 1;
    const uint32_t rows = (uint32_t)(COLUMN_BYTES_MAX / CELL_BYTES) / slots / 64 * 64;
    return rows < ROWS_MIN ? ROWS_MIN : rows > RF_ROWS_MAX_DEFAULT ? RF_ROWS_MAX_DEFAULT : rows;
}

static uint32_t record_bytes_max(const struct rf_pipeline_options *options)
{
    return options->record_bytes_max == 0 ? RF_RECORD_BYTES_DEFAULT : options->record_bytes_max;
}

static enum rf_status watch_open(struct rf_worker *worker, struct rf_error *err)
{
    const struct rf_pipeline_options *options = worker->options;
    if (options->backend == RF_BACKEND_INTERP) {
        worker->watch_truth = malloc((worker->program->predicates + 1) * sizeof(*worker->watch_truth));
        if (worker->watch_truth == NULL) {
            RF_FAIL(err, RF_E_MEMORY, "no memory for the truth of %u predicates", worker->program->predicates);
        }
    }
    return options->watch->open(options->watch->context, worker, &worker->watched, err);
}

enum rf_status rf_worker_open(struct rf_worker *worker, const struct rf_pipeline_options *options, struct rf_error *err)
{
    memset(worker, 0, sizeof(*worker));
    worker->options = options;
    worker->program = &options->compiled->program;
    worker->interp_row = RF_NONE;
    const uint32_t rows_max = rows_max_for(options);
    RF_TRY(rf_rows_open(&worker->rows, rows_max, err));
    RF_TRY(rf_columns_open(&worker->columns, worker->program->slots, rows_max, err));
    RF_TRY(rf_index_open(&worker->index, worker->program, rows_max, options->depth_max, err));
    const struct rf_walk_options walk = {options->depth_max, options->is_validating};
    RF_TRY(rf_extract_open(&worker->extract, worker->program, rows_max, walk, err));
    worker->is_fix = worker->program->fix_dict != NULL;
    if (worker->is_fix) {
        RF_TRY(rf_fix_frame_open(&worker->fix_frame, rows_max, record_bytes_max(options), options->is_fix_lenient, err));
        RF_TRY(rf_fix_extract_open(&worker->fix_extract, worker->program, rows_max, err));
        if (rf_emit_is_fix(options)) {
            RF_TRY(rf_emit_fix_open(&worker->emit_fix, options, rows_max, err));
        }
    }
    RF_TRY(options->watch == NULL ? rf_eval_open(&worker->eval, worker->program, rows_max, err)
                                  : rf_eval_open_tally(&worker->eval, worker->program, rows_max, err));
    if (options->watch == NULL) {
        RF_TRY(rf_offload_open(worker, err));
    }
    RF_TRY(rf_selection_open(&worker->selection, rows_max, err));
    rf_prefilter_make(&worker->prefilter, worker->program);
    worker->is_prefiltering =
        options->is_prefilter_allowed && !worker->is_fix && worker->prefilter.probes != 0 && prefilter_is_sound(options);
    if (worker->is_prefiltering) {
        worker->span = malloc(RF_PREFILTER_SPANS_MAX * sizeof(*worker->span));
    }
    const bool has_text = options->emit != RF_EMIT_NONE && options->emit != RF_EMIT_LINES;
    if (has_text) {
        worker->text_end = malloc(rows_max * sizeof(*worker->text_end));
    }
    if ((worker->is_prefiltering && worker->span == NULL) || (has_text && worker->text_end == NULL)) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for the scratch of a worker of %u rows", rows_max);
    }
    return options->watch == NULL ? RF_OK : watch_open(worker, err);
}

void rf_worker_close(struct rf_worker *worker)
{
    if (worker->watched != NULL) {
        worker->options->watch->close(worker->options->watch->context, worker->watched);
    }
    free(worker->watch_truth);
    if (worker->interp != NULL) {
        rf_interp_close(worker->interp);
    }
    rf_text_free(&worker->text);
    free(worker->text_end);
    free(worker->span);
    rf_selection_close(&worker->selection);
    rf_offload_close(&worker->offload);
    rf_eval_close(&worker->eval);
    rf_emit_fix_close(&worker->emit_fix);
    rf_fix_extract_close(&worker->fix_extract);
    rf_fix_frame_close(&worker->fix_frame);
    rf_extract_close(&worker->extract);
    rf_index_close(&worker->index);
    rf_columns_close(&worker->columns);
    rf_rows_close(&worker->rows);
    rf_batch_close(&worker->sieved);
    rf_batch_close(&worker->batch);
}

void rf_worker_date(struct rf_worker *worker)
{
    struct rf_instant now = worker->options->now;
    if (!worker->options->has_now) {
        struct timespec clock = {0};
        (void)clock_gettime(CLOCK_REALTIME, &clock);
        now = (struct rf_instant){clock.tv_sec, (uint32_t)clock.tv_nsec};
    }
    worker->batch.now_seconds = now.seconds;
    worker->batch.now_nanos = now.nanos;
}

/* One record that is longer than the limit: a row that is malformed by definition. */
static void index_oversize(struct rf_worker *worker)
{
    struct rf_rows *rows = &worker->rows;
    rows->rows = rows->lines = 1;
    rows->is_sparse = false;
    rows->begin[0] = 0;
    rows->end[0] = worker->batch.bytes_used;
    rows->status[0] = RF_ROW_MALFORMED;
    rows->cursor = worker->batch.bytes_used;
}

/* Scratch for the batch at hand. Full batches differ by a part of a record, so the first of them makes room for all;
 * a small input gets small tables. */
static enum rf_status scratch_reserve(struct rf_worker *worker, struct rf_error *err)
{
    const struct rf_batch *batch = &worker->batch;
    const size_t full = worker->options->batch_bytes == 0 ? RF_BATCH_BYTES_DEFAULT : worker->options->batch_bytes;
    const size_t bytes = batch->bytes_used > full / 2 && batch->bytes_used < full ? full : batch->bytes_used;
    if (worker->is_fix) {
        RF_TRY(rf_fix_extract_reserve(&worker->fix_extract, bytes, err));
    } else {
        RF_TRY(rf_index_reserve(&worker->index, bytes, err));
    }
    if (worker->is_prefiltering) {
        worker->sieved.bytes_used = 0;
        RF_TRY(rf_batch_reserve(&worker->sieved, bytes / 2 + 1, err));
    }
    if (worker->text_end != NULL) { /* most output is shorter than its input */
        rf_text_clear(&worker->text);
        RF_TRY(rf_text_reserve(&worker->text, rf_emit_is_fix(worker->options) ? RF_EMIT_FIX_GROWTH * bytes : bytes, err));
    }
    /* Twice: a string may be decoded once by the vector stage and once more by the walk. */
    const size_t side = bytes > RF_EXTRACT_VECTOR_BYTES_MAX ? bytes : 2 * bytes;
    return rf_columns_reserve_side(&worker->columns, side + strlen(batch->input_name) + 64, err);
}

/* The stages go on with what the prefilter has left. */
static struct rf_span32 batch_sieve(struct rf_worker *worker)
{
    struct rf_batch *sieved = &worker->sieved;
    sieved->bytes = sieved->owned;
    sieved->bytes_used = 0;
    sieved->input_name = worker->batch.input_name;
    sieved->now_seconds = worker->batch.now_seconds;
    sieved->now_nanos = worker->batch.now_nanos;
    for (uint32_t s = 0; s < worker->spans; s++) {
        sieved->bytes_used += worker->span[s].end - worker->span[s].begin;
    }
    worker->view = worker->records = sieved;
    worker->was_prefiltered = true;
    return (struct rf_span32){0, sieved->bytes_used};
}

/* Rows of what is left become rows of the batch, with those between them passed over. */
static void rows_restore(struct rf_worker *worker)
{
    const struct rf_batch *batch = &worker->batch;
    struct rf_rows *rows = &worker->rows;
    uint32_t s = 0;
    uint32_t upto = 0;  /* of the sieved bytes: where span s ends */
    uint32_t shift = 0; /* from sieved bytes to those of span s */
    for (uint32_t row = 0; row <= rows->rows; row++) {
        /* Behind the last row the place where the next round begins. */
        const uint32_t begin = row < rows->rows ? rows->begin[row] : rows->cursor;
        for (; begin >= upto && s < worker->spans; s++) {
            shift = worker->span[s].begin - upto;
            upto += worker->span[s].end - worker->span[s].begin;
        }
        if (row < rows->rows) {
            rows->begin[row] += shift;
            rows->end[row] += shift;
        } else if (begin < worker->sieved.bytes_used) { /* the record table was full */
            rows->cursor = begin + shift;
            rows->lines = (uint32_t)rf_lines_count(batch->bytes + batch->cursor, rows->cursor - batch->cursor);
        } else {
            rows->cursor = batch->bytes_used;
            rows->lines = worker->lines;
        }
    }
    rows->is_sparse = true;
    worker->records = batch;
}

enum rf_status rf_worker_index(struct rf_worker *worker, struct rf_error *err)
{
    const struct rf_pipeline_options *options = worker->options;
    struct rf_batch *batch = &worker->batch;
    struct rf_rows *rows = &worker->rows;
    worker->interp_row = RF_NONE;
    if (batch->cursor == 0) {
        rows->lines_before = 0;
        RF_TRY(scratch_reserve(worker, err));
    }
    worker->view = worker->records = batch;
    if (batch->is_oversize) {
        index_oversize(worker);
        return RF_OK;
    }
    struct rf_span32 span = {batch->cursor, batch->bytes_used};
    if (worker->is_prefiltering) {
        worker->spans = rf_prefilter_run(&worker->prefilter, options->isa, batch, batch->cursor, worker->span,
                                         worker->sieved.owned, &worker->lines);
        if (worker->spans != RF_NONE) {
            span = batch_sieve(worker);
        }
    }
    rows->cursor = span.end;
    rf_trace_begin(worker->is_fix     ? RF_TRACE_FIX_FRAME
                   : options->is_text ? RF_TRACE_TEXT_INDEX
                                      : RF_TRACE_JSON_INDEX,
                   batch->sequence);
    if (worker->is_fix) {
        rf_fix_frame_run(&worker->fix_frame, options->isa, batch, span, RF_FIX_LAST, rows);
    } else if (options->is_text) {
        rf_index_text(&worker->index, options->isa, worker->view, span, rows);
    } else {
        rf_index_json(&worker->index, options->isa, worker->view, span, rows);
    }
    rf_trace_end();
    return RF_OK;
}

/* Some byte is not ASCII. The compiler makes vectors of it. */
static bool bytes_have_high(const uint8_t *bytes, size_t count)
{
    uint8_t all = 0;
    for (size_t i = 0; i < count; i++) {
        all |= bytes[i];
    }
    return (all & 0x80) != 0;
}

static void extract_fix(struct rf_worker *worker)
{
    const struct rf_batch *batch = &worker->batch;
    const bool has_high =
        bytes_have_high(batch->bytes + batch->cursor, worker->rows.cursor - batch->cursor);
    worker->columns.side_used = 0;
    rf_fix_extract_run(&worker->fix_extract, worker->options->isa, batch, has_high, &worker->rows, &worker->fix_frame,
                       &worker->columns);
    rf_extract_envelope(&worker->extract, batch, has_high, &worker->rows, &worker->columns);
}

static void columns_extract(struct rf_worker *worker)
{
    if (worker->batch.is_oversize || worker->options->backend == RF_BACKEND_INTERP) {
        return; /* the interpreter reads records itself */
    }
    if (worker->is_fix) {
        extract_fix(worker);
    } else if (worker->options->is_text) {
        rf_extract_text(&worker->extract, worker->view, &worker->index, &worker->rows, &worker->columns);
    } else {
        rf_extract_json(&worker->extract, worker->options->isa, worker->view, &worker->index, &worker->rows,
                        &worker->columns);
    }
}

void rf_worker_extract(struct rf_worker *worker)
{
    rf_trace_begin(worker->is_fix ? RF_TRACE_FIX_TOKEN : RF_TRACE_JSON_WALK, worker->batch.sequence);
    columns_extract(worker);
    rf_trace_end();
}

enum rf_status rf_worker_read_row(struct rf_worker *worker, uint32_t row, struct rf_malformed *malformed,
                                  struct rf_error *err)
{
    if (worker->interp == NULL) {
        const struct rf_interp_options options = {worker->options->depth_max, worker->options->is_validating,
                                                   worker->options->is_fix_lenient};
        RF_TRY(rf_interp_open(&worker->interp, worker->options->compiled, options, err));
    }
    malformed->reason = RF_REASON_NONE;
    malformed->offset = 0;
    if (worker->interp_row == row) {
        return RF_OK;
    }
    struct rf_record record = {
        .text = rf_row_text(worker->records, &worker->rows, row),
        .file = rf_str_of(worker->batch.input_name),
        .offset = worker->records->offset + worker->rows.begin[row],
        .now = {worker->batch.now_seconds, worker->batch.now_nanos},
    };
    if (worker->is_fix) {
        record.line_end_bytes = rf_row_line(worker->records, &worker->rows, row).count - record.text.count;
    }
    if (worker->program->needs_number) {
        record.number = rf_row_where(&worker->batch, &worker->rows, row).number;
    }
    RF_TRY(rf_interp_read(worker->interp, &record, malformed, err));
    worker->interp_row = malformed->reason == RF_REASON_NONE ? row : RF_NONE;
    return RF_OK;
}

int rf_worker_decide(void *context, const struct rf_batch *batch, const struct rf_rows *rows, uint32_t row,
                     uint32_t host)
{
    struct rf_worker *worker = context;
    struct rf_malformed malformed;
    struct rf_error err;
    (void)batch;
    (void)rows;
    if (rf_worker_read_row(worker, row, &malformed, &err) != RF_OK || malformed.reason != RF_REASON_NONE) {
        return RF_TRUTH_ERROR;
    }
    return (int)rf_interp_host(worker->interp, host);
}

/* The reference engine: every row, every predicate, one at a time. */
static enum rf_status eval_interp(struct rf_worker *worker, struct rf_error *err)
{
    struct rf_rows *rows = &worker->rows;
    struct rf_eval *eval = &worker->eval;
    const uint32_t words = rf_bitmap_words(rows->rows);
    for (uint32_t p = 0; p < worker->program->predicates; p++) {
        memset(eval->truth[p], 0, words * sizeof(uint64_t));
        memset(eval->falsity[p], 0, words * sizeof(uint64_t));
    }
    for (uint32_t row = 0; row < rows->rows; row++) {
        if (rows->status[row] == RF_ROW_BLANK || rows->status[row] == RF_ROW_MALFORMED) {
            continue;
        }
        struct rf_malformed malformed;
        RF_TRY(rf_worker_read_row(worker, row, &malformed, err));
        if (malformed.reason != RF_REASON_NONE) {
            rows->status[row] = RF_ROW_MALFORMED;
            continue;
        }
        for (uint32_t p = 0; p < worker->program->predicates; p++) {
            switch (rf_interp_predicate(worker->interp, p)) {
            case RF_TRUTH_TRUE:
                rf_bit_set(eval->truth[p], row);
                break;
            case RF_TRUTH_FALSE:
                rf_bit_set(eval->falsity[p], row);
                break;
            case RF_TRUTH_ERROR:
                break;
            }
        }
    }
    return RF_OK;
}

enum rf_status rf_worker_eval(struct rf_worker *worker, struct rf_error *err)
{
    if (worker->options->watch != NULL) {
        return rf_watch_round(worker, err);
    }
    if (worker->options->backend == RF_BACKEND_INTERP) {
        return eval_interp(worker, err);
    }
    bool is_done;
    RF_TRY(rf_offload_eval(worker, &is_done, err));
    if (!is_done) {
        const struct rf_host host = {worker, rf_worker_decide};
        rf_trace_begin(RF_TRACE_PRED_EVAL, worker->batch.sequence);
        rf_eval_run(&worker->eval, worker->options->isa, worker->view, &worker->rows, &worker->columns, &host);
        rf_trace_end();
    }
    if (worker->view != &worker->batch) {
        rows_restore(worker);
    }
    return RF_OK;
}

void rf_worker_select(struct rf_worker *worker)
{
    memset(&worker->counts, 0, sizeof(worker->counts));
    worker->counts.bytes =
        worker->batch.is_oversize ? worker->batch.line_bytes : worker->rows.cursor - worker->batch.cursor;
    if (worker->options->watch != NULL) { /* nothing is selected, nothing rejected: rows keep the status they have */
        for (uint32_t row = 0; row < worker->rows.rows; row++) {
            worker->counts.of[worker->rows.status[row]]++;
        }
        return;
    }
    rf_trace_begin(RF_TRACE_OUT_COMPACT, worker->batch.sequence);
    rf_select_run(&worker->selection, worker->options->isa, &worker->rows, worker->eval.truth[0],
                  worker->eval.falsity[0], worker->options->is_inverted, &worker->counts);
    rf_trace_end();
}
