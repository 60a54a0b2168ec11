#include "example.h"

#include <inttypes.h>
#include <stdio.h>

#include "base64.h"
#include "emit.h"
#include "json_text.h"
#include "utf8.h"

/* Why a malformed row is malformed, and where in it. */
static struct rf_malformed malformed_of(const struct rf_worker *worker, uint32_t row)
{
    const struct rf_walk_options options = {worker->options->depth_max, worker->options->is_validating};
    const struct rf_rows *rows = &worker->rows;
    struct rf_malformed malformed = {RF_REASON_NONE, 0};
    if (worker->batch.is_oversize) {
        malformed.reason = RF_REASON_LONG;
        malformed.offset = worker->options->record_bytes_max;
        return malformed;
    }
    if (!worker->options->is_text) {
        malformed = rf_walk_row(worker->program, &worker->batch, rows->begin[row], rows->end[row], options, NULL, row);
    }
    if (malformed.reason == RF_REASON_NONE) { /* then its bytes as text were asked for */
        malformed.reason = RF_REASON_UTF8;
        malformed.offset = (unsigned)rf_utf8_valid_count(rf_row_text(&worker->batch, rows, row));
    }
    return malformed;
}

/* The text of an evaluation error: of the predicate, or of the projection that failed on a selected row. */
static struct rf_str error_of(struct rf_worker *worker)
{
    if (rf_interp_predicate(worker->interp, 0) == RF_TRUTH_ERROR) {
        return rf_interp_error(worker->interp);
    }
    for (uint32_t p = 0; p < worker->options->compiled->projections; p++) {
        const struct rf_value value = rf_interp_project(worker->interp, p);
        if (value.type == RF_TYPE_ERROR && !rf_emit_is_absent(worker, p, value)) {
            return rf_interp_error(worker->interp);
        }
    }
    return RF_STR("evaluation error");
}

enum rf_status rf_example_make(struct rf_worker *worker, uint32_t row, struct rf_where where,
                               struct rf_example *example, struct rf_error *err)
{
    example->where = where;
    example->offset = where.offset;
    example->is_malformed = worker->rows.status[row] == RF_ROW_MALFORMED;
    if (example->is_malformed) {
        const struct rf_malformed malformed = malformed_of(worker, row);
        example->offset += malformed.offset;
        snprintf(example->reason, sizeof(example->reason), "%s", rf_reason_text(malformed.reason));
        return RF_OK;
    }
    struct rf_malformed malformed;
    RF_TRY(rf_worker_read_row(worker, row, &malformed, err));
    const struct rf_str text = error_of(worker);
    snprintf(example->reason, sizeof(example->reason), "%.*s", RF_STR_ARG(text));
    return RF_OK;
}

enum rf_status rf_example_write_members(const struct rf_example *example, struct rf_text *out, struct rf_error *err)
{
    RF_TRY(rf_text_append(out, RF_STR("\"input\":"), err));
    RF_TRY(rf_json_quote(out, rf_str_of(example->where.input_name), err));
    RF_TRY(rf_text_printf(out, err, ",\"record\":%" PRIu64 ",\"offset\":%" PRIu64 ",\"kind\":\"%s\",\"reason\":",
                          example->where.number, example->offset, example->is_malformed ? "malformed" : "error"));
    return rf_json_quote(out, rf_str_of(example->reason), err);
}

enum rf_status rf_example_write(const struct rf_worker *worker, uint32_t row, const struct rf_example *example,
                                struct rf_text *out, struct rf_error *err)
{
    const struct rf_str record = rf_row_text(&worker->batch, &worker->rows, row);
    RF_TRY(rf_text_append_char(out, '{', err));
    RF_TRY(rf_example_write_members(example, out, err));
    if (rf_utf8_is_valid(record)) {
        RF_TRY(rf_text_append(out, RF_STR(",\"text\":"), err));
        RF_TRY(rf_json_quote(out, record, err));
    } else {
        RF_TRY(rf_text_append(out, RF_STR(",\"base64\":\""), err));
        RF_TRY(rf_base64_append(out, record, err));
        RF_TRY(rf_text_append_char(out, '"', err));
    }
    if (worker->batch.is_oversize) {
        RF_TRY(rf_text_append(out, RF_STR(",\"truncated\":true"), err));
    }
    return rf_text_append(out, RF_STR("}\n"), err);
}
