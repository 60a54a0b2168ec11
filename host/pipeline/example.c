#include "example.h"

#include <inttypes.h>
#include <stdio.h>

#include "base64.h"
#include "emit.h"
#include "json_text.h"
#include "utf8.h"

/* Why a malformed row is malformed, and where in it. */
static struct rf_malformed malformed_of(struct rf_worker *worker, uint32_t row)
{
    const struct rf_walk_options options = {worker->options->depth_max, worker->options->is_validating};
    const struct rf_rows *rows = &worker->rows;
    struct rf_malformed malformed = {RF_REASON_NONE, 0};
    if (worker->batch.is_oversize) {
        malformed.reason = RF_REASON_LONG;
        malformed.offset = worker->options->record_bytes_max;
        return malformed;
    }
    if (worker->is_fix) {
        struct rf_error err;
        malformed = rf_fix_frame_malformed(&worker->fix_frame, rows, row);
        const bool is_pardoned = worker->options->is_fix_lenient && rf_fix_reason_is_lenient(malformed.reason);
        if (malformed.reason == RF_REASON_NONE || is_pardoned) { /* the interpreter has looked at the fields */
            (void)rf_worker_read_row(worker, row, &malformed, &err);
        }
    } else if (!worker->options->is_text) {
        malformed = rf_walk_row(worker->program, &worker->batch, rows->begin[row], rows->end[row], options, NULL, row);
    }
    if (malformed.reason == RF_REASON_NONE) { /* then its bytes as text were asked for */
        malformed.reason = RF_REASON_UTF8;
        malformed.offset = (unsigned)rf_utf8_valid_count(rf_row_text(&worker->batch, rows, row));
    }
    return malformed;
}

/* What the interpreter says of its last evaluation, which failed, and where in source `number` that was. */
static void error_take(const struct rf_worker *worker, uint32_t number, struct rf_example *example)
{
    const struct rf_compiled *compiled = worker->options->compiled;
    const struct rf_str text = rf_interp_error(worker->interp);
    snprintf(example->reason, sizeof(example->reason), "%.*s", RF_STR_ARG(text));
    struct rf_span span;
    if (!rf_interp_error_span(worker->interp, &span)) {
        return;
    }
    struct rf_diagnostic diagnostic;
    const struct rf_str source = compiled->source[number];
    rf_diagnostic_place(&diagnostic, source, span.begin, span.end);
    struct rf_place *place = &example->place;
    place->line = diagnostic.line;
    place->column = diagnostic.column;
    rf_diagnostic_cut((struct rf_str){source.data + diagnostic.begin, diagnostic.end - diagnostic.begin}, place->part,
                      sizeof(place->part));
    const uint32_t predicates = compiled->program.predicates;
    place->is_projection = number >= predicates;
    if (place->is_projection && worker->options->column != NULL) {
        place->name = worker->options->column[number - predicates];
    }
}

/* Asks for the error again: of the predicate, or of the projection that failed on a selected row. */
static void error_find(struct rf_worker *worker, struct rf_example *example)
{
    if (rf_interp_predicate(worker->interp, 0) == RF_TRUTH_ERROR) {
        error_take(worker, 0, example);
        return;
    }
    for (uint32_t p = 0; p < worker->options->compiled->projections; p++) {
        const struct rf_value value = rf_interp_project(worker->interp, p);
        if (value.type == RF_TYPE_ERROR && !rf_emit_is_absent(worker, p, value)) {
            error_take(worker, worker->program->predicates + p, example);
            return;
        }
    }
    snprintf(example->reason, sizeof(example->reason), "evaluation error");
}

enum rf_status rf_example_make(struct rf_worker *worker, uint32_t row, struct rf_where where,
                               struct rf_example *example, struct rf_error *err)
{
    *example = (struct rf_example){.where = where, .offset = where.offset};
    example->is_malformed = worker->rows.status[row] == RF_ROW_MALFORMED;
    if (example->is_malformed) {
        const struct rf_malformed malformed = malformed_of(worker, row);
        example->offset += malformed.offset;
        example->holds_fix =
            !worker->is_fix && rf_str_contains(rf_row_text(&worker->batch, &worker->rows, row), RF_STR("8=FIX"));
        snprintf(example->reason, sizeof(example->reason), "%s", rf_reason_text(malformed.reason));
        return RF_OK;
    }
    struct rf_malformed malformed;
    RF_TRY(rf_worker_read_row(worker, row, &malformed, err));
    error_find(worker, example);
    return RF_OK;
}

/* A column may have any name: a whole expression, even one over several lines. */
static enum rf_status name_write(struct rf_str name, struct rf_text *out, struct rf_error *err)
{
    char text[RF_EXAMPLE_PART_MAX];
    rf_diagnostic_cut(name, text, sizeof(text));
    return rf_text_append(out, rf_str_of(text), err);
}

enum rf_status rf_example_write_place(const struct rf_example *example, struct rf_text *out, struct rf_error *err)
{
    const struct rf_place *place = &example->place;
    if (place->line == 0) {
        return RF_OK;
    }
    RF_TRY(rf_text_append(out, RF_STR(" ("), err));
    if (place->is_projection && place->name.count == 0) {
        RF_TRY(rf_text_append(out, RF_STR("--select, "), err));
    } else if (place->is_projection) {
        RF_TRY(rf_text_append(out, RF_STR("column "), err));
        RF_TRY(name_write(place->name, out, err));
        if (rf_str_equal(place->name,
                         rf_str_of(place->part))) { /* an expression is its own name, and failed as a whole */
            return rf_text_append_char(out, ')', err);
        }
        RF_TRY(rf_text_append(out, RF_STR(", "), err));
    }
    return rf_text_printf(out, err, "%" PRIu32 ":%" PRIu32 ": %s)", place->line, place->column, place->part);
}

/* The place of an evaluation error, as further members. */
static enum rf_status place_members(const struct rf_place *place, struct rf_text *out, struct rf_error *err)
{
    if (place->line == 0) {
        return RF_OK;
    }
    if (place->is_projection) {
        RF_TRY(rf_text_append(out, RF_STR(",\"select\":"), err));
        RF_TRY(place->name.count == 0 ? rf_text_append(out, RF_STR("null"), err)
                                      : rf_json_quote(out, place->name, err));
    }
    RF_TRY(
        rf_text_printf(out, err, ",\"line\":%" PRIu32 ",\"column\":%" PRIu32 ",\"part\":", place->line, place->column));
    return rf_json_quote(out, rf_str_of(place->part), err);
}

enum rf_status rf_example_write_members(const struct rf_example *example, struct rf_text *out, struct rf_error *err)
{
    RF_TRY(rf_text_append(out, RF_STR("\"input\":"), err));
    RF_TRY(rf_json_quote(out, rf_str_of(example->where.input_name), err));
    RF_TRY(rf_text_printf(out, err, ",\"record\":%" PRIu64 ",\"offset\":%" PRIu64 ",\"kind\":\"%s\",\"reason\":",
                          example->where.number, example->offset, example->is_malformed ? "malformed" : "error"));
    RF_TRY(rf_json_quote(out, rf_str_of(example->reason), err));
    return place_members(&example->place, out, err);
}

enum rf_status rf_example_write(const struct rf_worker *worker, uint32_t row, const struct rf_example *example,
                                struct rf_text *out, struct rf_error *err)
{
    return rf_example_write_line(example, rf_row_text(&worker->batch, &worker->rows, row), worker->batch.is_oversize, out,
                                 err);
}

enum rf_status rf_example_write_line(const struct rf_example *example, struct rf_str record, bool is_truncated,
                                     struct rf_text *out, struct rf_error *err)
{
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
    if (is_truncated) {
        RF_TRY(rf_text_append(out, RF_STR(",\"truncated\":true"), err));
    }
    return rf_text_append(out, RF_STR("}\n"), err);
}
