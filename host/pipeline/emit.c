#include "emit.h"

#include "fix_value.h"
#include "json_text.h"

/* The value of a projection that is a path, straight from its column: false when the interpreter must be asked. */
static bool cell_value(const struct rf_worker *worker, uint32_t slot, uint32_t row, struct rf_value *value)
{
    const struct rf_column *column = &worker->columns.slot[slot];
    const enum rf_tag tag = column->tag[row];
    switch (tag) {
    case RF_TAG_NOPARENT:
    case RF_TAG_ABSENT:
        *value = rf_value_error(RF_NO_FIELD);
        return true;
    case RF_TAG_NULL:
        *value = rf_value_null();
        return true;
    case RF_TAG_FALSE:
    case RF_TAG_TRUE:
        *value = rf_value_bool(tag == RF_TAG_TRUE);
        return true;
    case RF_TAG_NUMBER:
    case RF_TAG_BIGINT:
    case RF_TAG_BIGUINT:
        *value = (struct rf_value){.type = RF_TYPE_DOUBLE, .is_message = true};
        value->text = rf_column_text(&worker->columns, worker->view, slot, row);
        if (worker->is_fix) {
            value->text = rf_fix_number_text(value->text);
        }
        return rf_cell_number(tag, column->payload[row], &value->exact);
    case RF_TAG_INT:
        *value = rf_value_int((int64_t)column->payload[row]);
        return true;
    case RF_TAG_TIMESTAMP: /* now */
        *value = rf_value_instant((struct rf_instant){(int64_t)column->payload[row], column->length[row]});
        return true;
    case RF_TAG_STRING_RAW:
    case RF_TAG_STRING_ESCAPED:
        *value = rf_value_string(rf_column_text(&worker->columns, worker->view, slot, row));
        return true;
    default:
        return false;
    }
}

enum rf_status rf_emit_value(struct rf_worker *worker, uint32_t row, uint32_t projection, struct rf_value *value,
                             struct rf_error *err)
{
    const struct rf_node *node = worker->options->compiled->projection[projection];
    if (node->slot != RF_NONE && worker->options->backend == RF_BACKEND_CPU &&
        cell_value(worker, node->slot, row, value)) {
        return RF_OK;
    }
    struct rf_malformed malformed;
    RF_TRY(rf_worker_read_row(worker, row, &malformed, err));
    *value = rf_interp_project(worker->interp, projection);
    return RF_OK;
}

bool rf_emit_is_absent(const struct rf_worker *worker, uint32_t projection, struct rf_value value)
{
    /* A path into JSON has no other errors; a field of FIX may be no value of its type. */
    return value.type == RF_TYPE_ERROR && worker->options->compiled->projection[projection]->slot != RF_NONE &&
           !rf_value_is_bound_error(value) && (!worker->is_fix || rf_str_starts(value.text, RF_STR(RF_NO_FIELD)));
}

/* What is written: a path to nothing is null; is_error for every other failure. */
static enum rf_status written_value(struct rf_worker *worker, uint32_t row, uint32_t projection, struct rf_value *value,
                                    bool *is_error, struct rf_error *err)
{
    RF_TRY(rf_emit_value(worker, row, projection, value, err));
    if (value->type == RF_TYPE_ERROR) {
        *is_error = !rf_emit_is_absent(worker, projection, *value);
        *value = rf_value_null();
    }
    return RF_OK;
}

static enum rf_status json_row(struct rf_worker *worker, uint32_t row, bool *is_error, struct rf_error *err)
{
    const struct rf_pipeline_options *options = worker->options;
    const uint32_t projections = options->compiled->projections;
    const bool is_object = options->column != NULL;
    for (uint32_t p = 0; p < projections; p++) {
        if (is_object) {
            RF_TRY(rf_text_append_char(&worker->text, p == 0 ? '{' : ',', err));
            RF_TRY(rf_json_quote(&worker->text, options->column[p], err));
            RF_TRY(rf_text_append_char(&worker->text, ':', err));
        }
        struct rf_value value;
        RF_TRY(written_value(worker, row, p, &value, is_error, err));
        if (*is_error) {
            return RF_OK;
        }
        RF_TRY(rf_value_write_json(&worker->text, value, err));
    }
    if (is_object) {
        RF_TRY(rf_text_append_char(&worker->text, '}', err));
    }
    return rf_text_append_char(&worker->text, '\n', err);
}

static enum rf_status csv_row(struct rf_worker *worker, uint32_t row, bool *is_error, struct rf_error *err)
{
    const uint32_t projections = worker->options->compiled->projections;
    for (uint32_t p = 0; p < projections; p++) {
        struct rf_value value;
        RF_TRY(written_value(worker, row, p, &value, is_error, err));
        if (*is_error) {
            return RF_OK;
        }
        if (p != 0) {
            RF_TRY(rf_text_append_char(&worker->text, ',', err));
        }
        RF_TRY(rf_value_write_csv(&worker->text, value, err));
    }
    return rf_text_append(&worker->text, RF_STR("\r\n"), err);
}

/* Without projections --emit json writes the record itself, one value a line; for FIX see emit_fix.h. */
static enum rf_status record_row(struct rf_worker *worker, uint32_t row, struct rf_error *err)
{
    RF_TRY(rf_text_append(&worker->text, rf_row_text(&worker->batch, &worker->rows, row), err));
    return rf_text_append_char(&worker->text, '\n', err);
}

enum rf_status rf_emit_round(struct rf_worker *worker, struct rf_error *err)
{
    const struct rf_pipeline_options *options = worker->options;
    struct rf_selection *selection = &worker->selection;
    const bool is_fix = rf_emit_is_fix(options);
    rf_text_clear(&worker->text);
    if (is_fix) {
        rf_emit_fix_round(worker);
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < selection->count; i++) {
        const uint32_t row = selection->row[i];
        const size_t begin = worker->text.count;
        bool is_error = false;
        if (is_fix) {
            RF_TRY(rf_emit_fix_row(worker, row, err));
        } else if (options->compiled->projections == 0) {
            RF_TRY(record_row(worker, row, err));
        } else if (options->emit == RF_EMIT_JSON) {
            RF_TRY(json_row(worker, row, &is_error, err));
        } else {
            RF_TRY(csv_row(worker, row, &is_error, err));
        }
        if (is_error) {
            worker->text.count = begin;
            worker->rows.status[row] = RF_ROW_ERROR;
            worker->counts.of[RF_ROW_SELECTED]--;
            worker->counts.of[RF_ROW_ERROR]++;
            continue;
        }
        selection->row[kept] = row;
        worker->text_end[kept++] = worker->text.count;
    }
    selection->count = kept;
    return RF_OK;
}

enum rf_status rf_emit_header(const struct rf_pipeline_options *options, struct rf_text *out, struct rf_error *err)
{
    for (uint32_t p = 0; p < options->compiled->projections; p++) {
        if (p != 0) {
            RF_TRY(rf_text_append_char(out, ',', err));
        }
        const struct rf_str name = options->column == NULL ? RF_STR("value") : options->column[p];
        RF_TRY(rf_value_write_csv(out, rf_value_string(name), err));
    }
    return rf_text_append(out, RF_STR("\r\n"), err);
}
