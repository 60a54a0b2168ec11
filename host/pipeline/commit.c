#include "commit.h"

#include <inttypes.h>
#include <string.h>

#include "clock.h"
#include "emit.h"
#include "example.h"
#include "log.h"
#include "visible_text.h"

enum { COMMIT_PROGRESS_NS = 50 * RF_NS_PER_MS };

/* Numbers of ascending rows: line ends are counted once, from row to row. */
struct numbering {
    uint32_t at; /* bytes before it are counted */
    uint64_t number;
};

static struct rf_where row_where(struct numbering *numbering, const struct rf_worker *worker, uint32_t row)
{
    const struct rf_rows *rows = &worker->rows;
    const uint32_t begin = rows->begin[row];
    if (!rows->is_sparse) {
        return rf_row_where(&worker->batch, rows, row);
    }
    numbering->number += rf_lines_count(worker->batch.bytes + numbering->at, begin - numbering->at);
    numbering->at = begin;
    return (struct rf_where){worker->batch.input_name, numbering->number, worker->batch.offset + begin};
}

enum rf_status rf_commit_begin(struct rf_commit *commit, const struct rf_pipeline_options *options,
                               struct rf_pipeline_result *result, struct rf_error *err)
{
    memset(commit, 0, sizeof(*commit));
    commit->options = options;
    commit->result = result;
    commit->next_number = 1;
    if (options->emit == RF_EMIT_CSV && options->compiled->projections != 0) {
        RF_TRY(rf_emit_header(options, &commit->line, err));
        RF_TRY(rf_sink_write(options->sink, rf_text_str(&commit->line), err));
    }
    return RF_OK;
}

void rf_commit_end(struct rf_commit *commit)
{
    rf_text_free(&commit->line);
}

/* Cuts the round behind its last wanted record: nothing after it has been read as far as anyone can see. */
static void round_cut(struct rf_worker *worker, uint32_t last)
{
    struct rf_rows *rows = &worker->rows;
    struct rf_counts *counts = &worker->counts;
    if (worker->batch.is_oversize) {
        return; /* one record: there is nothing behind it */
    }
    const uint32_t begin = worker->batch.cursor;
    const uint32_t end = rows->begin[last] + (uint32_t)rf_row_line(&worker->batch, rows, last).count;
    memset(counts, 0, sizeof(*counts));
    for (uint32_t row = 0; row <= last; row++) {
        counts->of[rows->status[row]]++;
    }
    counts->bytes = end - begin;
    rows->rows = last + 1;
    if (rows->is_sparse) {
        const uint32_t lines =
            (uint32_t)rf_lines_count(worker->batch.bytes + begin, end - begin) + (worker->batch.bytes[end - 1] != '\n');
        counts->of[RF_ROW_REJECTED] += lines - rows->rows;
        rows->lines = lines;
    } else {
        rows->lines = rows->rows;
    }
}

/* A record line with what -H and -n put before it. The last line of an input may lack its line end, and gets one; a stream of
 * FIX messages may have none at all, and goes out as it stands: only what has a prefix is a line of its own. */
static enum rf_status line_write(struct rf_commit *commit, struct rf_where where, struct rf_str line,
                                 struct rf_error *err)
{
    const struct rf_pipeline_options *options = commit->options;
    rf_text_clear(&commit->line);
    if (options->has_file_prefix) {
        RF_TRY(rf_text_printf(&commit->line, err, "%s%s%s:", options->prefix_begin, where.input_name,
                              options->prefix_end));
    }
    if (options->has_number_prefix) {
        RF_TRY(rf_text_printf(&commit->line, err, "%s%" PRIu64 "%s:", options->prefix_begin, where.number,
                              options->prefix_end));
    }
    if (commit->line.count != 0) {
        RF_TRY(rf_sink_write(options->sink, rf_text_str(&commit->line), err));
    }
    RF_TRY(rf_sink_write(options->sink, line, err));
    const bool is_line = options->compiled->program.fix_dict == NULL || commit->line.count != 0;
    if (is_line && (line.count == 0 || line.data[line.count - 1] != '\n')) {
        return rf_sink_write(options->sink, RF_STR("\n"), err);
    }
    return RF_OK;
}

/* A record that a policy passes on among messages for people: as it is, but so that a terminal does not obey it. */
static enum rf_status visible_write(struct rf_commit *commit, struct rf_worker *worker, uint32_t row,
                                    struct rf_where where, struct rf_error *err)
{
    struct rf_text *visible = &worker->text; /* its parts are written in order: what is behind them is free */
    const size_t begin = visible->count;
    RF_TRY(rf_visible_append(visible, rf_row_text(&worker->batch, &worker->rows, row), err));
    RF_TRY(rf_text_append_char(visible, '\n', err));
    const enum rf_status status =
        line_write(commit, where, (struct rf_str){visible->data + begin, visible->count - begin}, err);
    visible->count = begin;
    return status;
}

static enum rf_status row_write(struct rf_commit *commit, struct rf_worker *worker, uint32_t row, uint32_t selected,
                                struct rf_where where, struct rf_error *err)
{
    if (commit->options->emit == RF_EMIT_PRETTY && selected == RF_NONE) {
        return visible_write(commit, worker, row, where, err);
    }
    if (commit->options->emit == RF_EMIT_LINES || selected == RF_NONE) {
        return line_write(commit, where, rf_row_line(&worker->batch, &worker->rows, row), err);
    }
    const size_t begin = selected == 0 ? 0 : worker->text_end[selected - 1];
    const struct rf_str part = {worker->text.data + begin, worker->text_end[selected] - begin};
    return rf_sink_write(commit->options->sink, part, err);
}

/* Selected lines without prefixes: neighbours go out as one run. */
static enum rf_status runs_write(struct rf_commit *commit, struct rf_worker *worker, struct rf_error *err)
{
    const struct rf_selection *selection = &worker->selection;
    uint32_t i = 0;
    while (i < selection->count) {
        const struct rf_str first = rf_row_line(&worker->batch, &worker->rows, selection->row[i]);
        const char *end = first.data + first.count;
        for (i++; i < selection->count; i++) {
            const struct rf_str next = rf_row_line(&worker->batch, &worker->rows, selection->row[i]);
            if (next.data != end) {
                break;
            }
            end = next.data + next.count;
        }
        const struct rf_where nowhere = {0};
        RF_TRY(line_write(commit, nowhere, (struct rf_str){first.data, (size_t)(end - first.data)}, err));
    }
    return RF_OK;
}

static bool is_bad(uint8_t status)
{
    return status == RF_ROW_ERROR || status == RF_ROW_MALFORMED;
}

/* A record that is malformed or failed to evaluate: example, dead letter, stop. */
static enum rf_status bad_row(struct rf_commit *commit, struct rf_worker *worker, uint32_t row, struct rf_where where,
                              const struct rf_policy *policy, struct rf_error *err)
{
    struct rf_pipeline_result *result = commit->result;
    if (result->examples == RF_EXAMPLES_MAX && policy->kind != RF_POLICY_FILE && policy->kind != RF_POLICY_STOP) {
        return RF_OK;
    }
    struct rf_example example;
    RF_TRY(rf_example_make(worker, row, where, &example, err));
    if (result->examples < RF_EXAMPLES_MAX) {
        result->example[result->examples++] = example;
    }
    if (policy->kind == RF_POLICY_FILE) {
        rf_text_clear(&commit->line);
        RF_TRY(rf_example_write(worker, row, &example, &commit->line, err));
        RF_TRY(rf_sink_write(policy->file, rf_text_str(&commit->line), err));
    }
    if (policy->kind == RF_POLICY_STOP) {
        round_cut(worker, row);
        if (!example.is_malformed) {
            rf_text_clear(&commit->line);
            RF_TRY(rf_example_write_place(&example, &commit->line, err));
            RF_FAIL(err, RF_E_DATA, "%s:%" PRIu64 ": error: %s%.*s", where.input_name, where.number, example.reason,
                    RF_STR_ARG(rf_text_str(&commit->line)));
        }
        RF_FAIL(err, RF_E_DATA, "%s:%" PRIu64 ": malformed at byte %" PRIu64 ": %s", where.input_name, where.number,
                example.offset - where.offset + 1, example.reason);
    }
    return RF_OK;
}

/* Rows that need a look each: bad ones, and lines with prefixes. */
static enum rf_status rows_write(struct rf_commit *commit, struct rf_worker *worker, bool has_output,
                                 struct rf_error *err)
{
    const struct rf_pipeline_options *options = commit->options;
    const struct rf_selection *selection = &worker->selection;
    struct numbering numbering = {0, worker->batch.first_number};
    uint32_t next = 0;
    for (uint32_t row = 0; row < worker->rows.rows; row++) {
        const uint8_t status = worker->rows.status[row];
        const bool is_selected = next < selection->count && selection->row[next] == row;
        if (!is_selected && !is_bad(status)) {
            continue;
        }
        const struct rf_where where = row_where(&numbering, worker, row);
        if (is_selected) {
            if (has_output) {
                RF_TRY(row_write(commit, worker, row, next, where, err));
            }
            next++;
            continue;
        }
        const struct rf_policy *policy = status == RF_ROW_ERROR ? &options->on_error : &options->on_malformed;
        RF_TRY(bad_row(commit, worker, row, where, policy, err));
        if (policy->kind == RF_POLICY_PASS && has_output && worker->batch.is_oversize) {
            rf_log(RF_LOG_WARNING,
                   "%s:%" PRIu64 ": a record of %" PRIu64 " bytes is over --max-record and cannot be passed on",
                   where.input_name, where.number, worker->batch.record_bytes);
        } else if (policy->kind == RF_POLICY_PASS && has_output) {
            RF_TRY(row_write(commit, worker, row, RF_NONE, where, err));
        }
    }
    return RF_OK;
}

/* Bad rows whose number is all that is left to know: no need to look at each row. */
static bool bad_rows_are_known(const struct rf_commit *commit)
{
    return commit->result->examples == RF_EXAMPLES_MAX && commit->options->on_error.kind == RF_POLICY_DROP &&
           commit->options->on_malformed.kind == RF_POLICY_DROP;
}

/* Everything that leaves the round, in order. */
static enum rf_status round_write(struct rf_commit *commit, struct rf_worker *worker, struct rf_error *err)
{
    const struct rf_pipeline_options *options = commit->options;
    const bool has_output = options->emit != RF_EMIT_NONE;
    const bool has_bad = worker->counts.of[RF_ROW_ERROR] + worker->counts.of[RF_ROW_MALFORMED] != 0;
    if ((has_bad && !bad_rows_are_known(commit)) ||
        (has_output && (options->has_file_prefix || options->has_number_prefix))) {
        return rows_write(commit, worker, has_output, err);
    }
    if (options->emit == RF_EMIT_LINES) {
        return runs_write(commit, worker, err);
    }
    if (has_output && worker->selection.count != 0) {
        const size_t count = worker->text_end[worker->selection.count - 1];
        return rf_sink_write(options->sink, (struct rf_str){worker->text.data, count}, err);
    }
    return RF_OK;
}

/* The batch's place in its input. */
static void batch_number(struct rf_commit *commit, struct rf_batch *batch)
{
    if (batch->input != commit->input) {
        commit->next_number = 1;
    }
    commit->input = batch->input;
    if (batch->first_number == 0) {
        batch->first_number = commit->next_number;
    }
    commit->next_number = batch->first_number;
}

enum rf_status rf_commit_round(struct rf_commit *commit, struct rf_worker *worker, struct rf_error *err)
{
    const struct rf_pipeline_options *options = commit->options;
    struct rf_pipeline_result *result = commit->result;
    if (worker->batch.cursor == 0) {
        batch_number(commit, &worker->batch);
    }
    const uint64_t wanted = options->max_count - result->counts.of[RF_ROW_SELECTED]; /* at least 1 */
    const bool is_last = worker->selection.count >= wanted;
    if (is_last) {
        worker->selection.count = (uint32_t)wanted;
        round_cut(worker, worker->selection.row[wanted - 1]);
    }
    enum rf_status status = round_write(commit, worker, err);
    if (status == RF_OK && options->watch != NULL) {
        status = options->watch->commit(options->watch->context, worker->watched, worker, err);
    }
    if (status != RF_OK && status != RF_E_DATA) {
        return status;
    }
    /* Also where a policy stopped the run: what went out before is counted, and the record that was the reason. */
    for (int s = 0; s < RF_ROW_STATUS_COUNT; s++) {
        result->counts.of[s] += worker->counts.of[s];
    }
    result->counts.bytes += worker->counts.bytes;
    result->was_prefiltered |= worker->was_prefiltered;
    commit->next_number += worker->rows.lines;
    RF_TRY(status);
    if (options->on_progress != NULL) {
        const uint64_t now = rf_clock_ns();
        if (now - commit->progress_ns >= COMMIT_PROGRESS_NS) {
            commit->progress_ns = now;
            options->on_progress(options->context, &result->counts);
        }
    }
    if (is_last) {
        result->was_stopped = true;
        return RF_STOP;
    }
    return RF_OK;
}
