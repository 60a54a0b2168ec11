/* row_fates.h: what becomes of every row of an input, before the sink, on one engine; for the fuzz targets that compare engines
 * row by row. */
#ifndef ROW_FATES_H
#define ROW_FATES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "example.h"
#include "worker.h"

enum { ROWS_MAX = 128 /* of a round */ };

struct engine {
    const char *name;
    enum rf_backend backend;
    enum rf_isa isa;
    uint32_t batch_bytes;
    bool is_prefiltering; /* then only selected rows are compared: others may be passed over */
};

struct fate { /* of one row */
    uint64_t offset;
    uint64_t number;
    uint64_t bad_offset;
    uint32_t line_bytes;
    uint8_t status;
    char reason[RF_EXAMPLE_TEXT_MAX];
};

struct fates {
    struct fate *row;
    uint32_t rows;
    struct rf_counts counts;
    struct rf_text output;
};

static inline void fates_require(enum rf_status status, const struct rf_error *err)
{
    if (status != RF_OK) {
        fprintf(stderr, "%s\n", err->text);
        abort();
    }
}

/* Once; an input of so many bytes has no more rows. */
static inline void fates_open(struct fates *fates, size_t bytes_max)
{
    fates->row = fates->row == NULL ? calloc(bytes_max + 1, sizeof(*fates->row)) : fates->row;
    if (fates->row == NULL) {
        abort();
    }
}

/* Rows of a round; numbers as commit gives them. */
static inline void fates_take(struct fates *fates, struct rf_worker *worker)
{
    struct rf_error err;
    if (worker->options->emit == RF_EMIT_JSON) {
        fates_require(rf_emit_round(worker, &err), &err);
        fates_require(rf_text_append(&fates->output, rf_text_str(&worker->text), &err), &err);
    }
    for (uint32_t row = 0; row < worker->rows.rows; row++) {
        struct fate *fate = &fates->row[fates->rows++];
        const struct rf_where where = rf_row_where(&worker->batch, &worker->rows, row);
        memset(fate, 0, sizeof(*fate));
        fate->offset = where.offset;
        fate->number = where.number;
        fate->line_bytes = (uint32_t)rf_row_line(&worker->batch, &worker->rows, row).count;
        fate->status = worker->rows.status[row];
        if (fate->status == RF_ROW_MALFORMED || fate->status == RF_ROW_ERROR) {
            struct rf_example example;
            fates_require(rf_example_make(worker, row, where, &example, &err), &err);
            fate->bad_offset = example.offset;
            (void)snprintf(fate->reason, sizeof(fate->reason), "%s", example.reason);
        }
    }
    for (int s = 0; s < RF_ROW_STATUS_COUNT; s++) {
        fates->counts.of[s] += worker->counts.of[s];
    }
    fates->counts.bytes += worker->counts.bytes;
}

/* options: what does not depend on the engine. */
static inline void fates_run(struct fates *fates, const struct engine *engine, struct rf_str input, bool is_fix,
                             struct rf_pipeline_options options)
{
    struct rf_error err;
    struct rf_source *source = NULL;
    struct rf_worker worker;
    fates->rows = 0;
    rf_text_clear(&fates->output);
    memset(&fates->counts, 0, sizeof(fates->counts));
    const struct rf_source_options source_options = {.batch_bytes = engine->batch_bytes,
                                                     .record_bytes_max = options.record_bytes_max,
                                                     .is_fix = is_fix,
                                                     .counts_records = true};
    options.backend = engine->backend;
    options.isa = engine->isa;
    options.threads = 1;
    options.batch_bytes = engine->batch_bytes;
    options.rows_max = ROWS_MAX;
    options.max_count = UINT64_MAX;
    fates_require(
        rf_source_open_memory(&source, (const uint8_t *)input.data, input.count, "input", source_options, &err), &err);
    fates_require(rf_worker_open(&worker, &options, &err), &err);
    while (rf_source_fill(source, &worker.batch, &err) == RF_OK) {
        do {
            fates_require(rf_worker_index(&worker, &err), &err);
            rf_worker_extract(&worker);
            fates_require(rf_worker_eval(&worker, &err), &err);
            rf_worker_select(&worker);
            fates_take(fates, &worker);
            worker.rows.lines_before += worker.rows.lines;
            worker.batch.cursor = worker.rows.cursor;
        } while (worker.batch.cursor < worker.batch.bytes_used);
    }
    rf_worker_close(&worker);
    rf_source_close(source);
}

static inline void fate_print(const char *name, const struct fate *fate)
{
    fprintf(stderr, "  %s: row %llu at %llu, %u bytes: %s, %s at %llu\n", name, (unsigned long long)fate->number,
            (unsigned long long)fate->offset, fate->line_bytes, rf_row_status_key((enum rf_row_status)fate->status),
            fate->reason, (unsigned long long)fate->bad_offset);
}

#endif
