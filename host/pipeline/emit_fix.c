#include "emit_fix.h"

#include <stdlib.h>
#include <string.h>

#include "fix_pretty.h"
#include "worker.h"

bool rf_emit_is_fix(const struct rf_pipeline_options *options)
{
    return options->compiled->program.fix_dict != NULL && options->compiled->projections == 0 &&
           (options->emit == RF_EMIT_JSON || options->emit == RF_EMIT_PRETTY);
}

enum rf_status rf_emit_fix_open(struct rf_emit_fix *emit, const struct rf_pipeline_options *options, uint32_t rows_max,
                                struct rf_error *err)
{
    const struct rf_fix_dict *dict = options->compiled->program.fix_dict;
    emit->status = malloc(rows_max);
    if (emit->status == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for the output of %u records", rows_max);
    }
    return options->emit == RF_EMIT_JSON ? rf_fix_json_open(&emit->json, dict, options->fix_keys, err)
                                         : rf_fix_tree_open(&emit->tree, dict, err);
}

void rf_emit_fix_close(struct rf_emit_fix *emit)
{
    rf_fix_json_close(&emit->json);
    rf_fix_tree_close(&emit->tree);
    free(emit->status);
    emit->status = NULL;
}

void rf_emit_fix_round(struct rf_worker *worker)
{
    const struct rf_selection *selection = &worker->selection;
    if (selection->count == 0) {
        return; /* an oversize record, say, is no message at all */
    }
    uint8_t *status = worker->emit_fix.status;
    memset(status, RF_ROW_BLANK, worker->rows.rows);
    for (uint32_t i = 0; i < selection->count; i++) {
        status[selection->row[i]] = RF_ROW_REJECTED;
    }
    struct rf_rows rows = worker->rows;
    rows.status = status;
    rf_fix_index_all(&worker->fix_extract.index, worker->options->isa, &worker->batch, &rows, &worker->fix_frame);
}

static enum rf_status pretty_row(struct rf_worker *worker, uint32_t row, const struct rf_fix_view *view,
                                 struct rf_error *err)
{
    const struct rf_pipeline_options *options = worker->options;
    const struct rf_rows *rows = &worker->rows;
    const char *bytes = (const char *)worker->batch.bytes;
    const uint32_t begin = worker->fix_frame.message[row];
    const uint32_t end = worker->fix_frame.message_end[row];
    const uint32_t row_end = rows->end[row];
    const struct rf_fix_pretty pretty = {
        .has_color = options->is_colored,
        .input_name = options->has_file_prefix ? rf_str_of(worker->batch.input_name) : (struct rf_str){0},
        .number = rf_row_where(&worker->batch, rows, row).number,
        .before = {bytes + rows->begin[row], begin - rows->begin[row]},
        .behind = {bytes + end, row_end > end ? row_end - end : 0},
    };
    return rf_fix_pretty_write(&worker->emit_fix.tree, view, &pretty, &worker->text, err);
}

enum rf_status rf_emit_fix_row(struct rf_worker *worker, uint32_t row, struct rf_error *err)
{
    const struct rf_fix_index *index = &worker->fix_extract.index;
    const uint32_t first = index->first[row];
    const struct rf_fix_view view = {
        .bytes = worker->batch.bytes,
        .tag = index->tag + first,
        .begin = index->begin + first,
        .count = index->length + first,
        .fields = index->first[row + 1] - first,
        .flags = worker->fix_frame.flags[row],
    };
    if (worker->options->emit == RF_EMIT_PRETTY) {
        return pretty_row(worker, row, &view, err);
    }
    RF_TRY(rf_fix_json_write(&worker->emit_fix.json, &view, &worker->text, err));
    return rf_text_append_char(&worker->text, '\n', err);
}
