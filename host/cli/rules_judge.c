#include "rules_judge.h"

#include <stdio.h>
#include <stdlib.h>

#include "bitmap.h"
#include "expression.h"

enum { DEPTH_MAX = 1024, ROWS_MAX = 128 };

enum rf_status rf_rules_judge_open(struct rf_rules_judge *judge, const struct rf_rules_input *input,
                                   const struct rf_flags *flags, struct rf_error *err)
{
    *judge = (struct rf_rules_judge){.input = input};
    judge->options = (struct rf_pipeline_options){.compiled = &input->program.compiled,
                                                  .emit = RF_EMIT_NONE,
                                                  .backend = RF_BACKEND_CPU,
                                                  .threads = 1,
                                                  .rows_max = ROWS_MAX,
                                                  .depth_max = DEPTH_MAX,
                                                  .is_text = input->format == RF_FORMAT_TEXT,
                                                  .is_fix_lenient = flags->value[RF_FLAG_FIX_LENIENT].is_set,
                                                  .prefix_begin = "",
                                                  .prefix_end = "",
                                                  .max_count = UINT64_MAX,
                                                  .record_bytes_max = RF_RECORD_BYTES_DEFAULT};
    RF_TRY(rf_isa_select(&judge->options.isa, err));
    RF_TRY(rf_expression_now(flags, &judge->options.has_now, &judge->options.now, err));
    judge->hit = calloc((size_t)input->program.rules + 1, 1);
    if (judge->hit == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for %u rules", input->program.rules);
    }
    return rf_worker_open(&judge->worker, &judge->options, err);
}

void rf_rules_judge_close(struct rf_rules_judge *judge)
{
    if (judge->worker.options != NULL) {
        rf_worker_close(&judge->worker);
    }
    rf_text_free(&judge->records);
    free(judge->hit);
    *judge = (struct rf_rules_judge){0};
}

/* ---- Records ---- */

/* The records as an input; false when one cannot stand in one, and failure says why. */
static enum rf_status records_join(struct rf_rules_judge *judge, const struct rf_rules_test *test, bool *is_right,
                                   struct rf_error *err)
{
    const bool is_fix = judge->input->format == RF_FORMAT_FIX;
    *is_right = false;
    rf_text_clear(&judge->records);
    if (test->is_json && judge->input->format != RF_FORMAT_NDJSON) {
        (void)snprintf(judge->failure, sizeof judge->failure,
                       "its records are JSON, but the format is %s: use 'line' or 'lines'", is_fix ? "fix" : "text");
        return RF_OK;
    }
    for (uint32_t i = 0; i < test->records; i++) {
        const struct rf_str record = test->record[i];
        if (!is_fix && record.count > 0 && memchr(record.data, '\n', record.count) != NULL) {
            (void)snprintf(judge->failure, sizeof judge->failure, "record %u has a line end in it", i + 1);
            return RF_OK;
        }
        RF_TRY(rf_text_append(&judge->records, record, err));
        RF_TRY(rf_text_append_char(&judge->records, '\n', err));
    }
    *is_right = true;
    return RF_OK;
}

static enum rf_status batch_fill(struct rf_rules_judge *judge, struct rf_error *err)
{
    struct rf_batch *batch = &judge->worker.batch;
    RF_TRY(rf_batch_reserve(batch, judge->records.count, err));
    if (judge->records.count > 0) {
        memcpy(batch->owned, judge->records.data, judge->records.count);
    }
    batch->bytes = batch->owned;
    batch->bytes_used = (uint32_t)judge->records.count;
    batch->cursor = 0;
    batch->input_name = "test";
    batch->first_number = 1;
    rf_worker_date(&judge->worker);
    judge->worker.rows.rows = judge->worker.rows.lines_before = judge->worker.rows.cursor = 0;
    return RF_OK;
}

/* ---- Rules ---- */

static enum rf_truth truth_of(const struct rf_eval *eval, uint32_t rule, uint32_t row)
{
    if (rf_bit_get(eval->truth[rule], row)) {
        return RF_TRUTH_TRUE;
    }
    return rf_bit_get(eval->falsity[rule], row) ? RF_TRUTH_FALSE : RF_TRUTH_ERROR;
}

/* A row that both engines take for a record. */
static void row_judge(struct rf_rules_judge *judge, uint32_t row, uint32_t number)
{
    static const char *const name[] = {
        [RF_TRUTH_FALSE] = "false", [RF_TRUTH_TRUE] = "true", [RF_TRUTH_ERROR] = "an error"};
    for (uint32_t r = 0; r < judge->input->program.rules; r++) {
        const enum rf_truth truth = rf_interp_predicate(judge->worker.interp, r);
        const enum rf_truth found = truth_of(&judge->worker.eval, r, row);
        if (truth != found && !judge->is_different) {
            const struct rf_str rule = judge->input->rules->rule[r].name;
            judge->is_different = true;
            (void)snprintf(judge->failure, sizeof judge->failure,
                           "the engines disagree about rule '%.*s' and record %u: cpu gives %s, interp gives %s",
                           (int)(rule.count < 100 ? rule.count : 100), rule.data, number, name[found], name[truth]);
        }
        if (truth == RF_TRUTH_ERROR && judge->failed_rule == RF_NONE) {
            const struct rf_str why = rf_interp_error(judge->worker.interp);
            judge->failed_rule = r;
            (void)snprintf(judge->error, sizeof judge->error, "%.*s", (int)(why.count < 180 ? why.count : 180), why.data);
        }
        judge->hit[r] |= truth == RF_TRUTH_TRUE;
    }
}

static enum rf_status rows_judge(struct rf_rules_judge *judge, uint32_t before, struct rf_error *err)
{
    struct rf_worker *worker = &judge->worker;
    for (uint32_t row = 0; row < worker->rows.rows; row++) {
        const uint32_t number = before + row + 1;
        const enum rf_row_status status = (enum rf_row_status)worker->rows.status[row];
        struct rf_malformed malformed = {.reason = RF_REASON_NONE};
        if (status != RF_ROW_BLANK) {
            RF_TRY(rf_worker_read_row(worker, row, &malformed, err));
        }
        const bool is_malformed = malformed.reason != RF_REASON_NONE;
        if (judge->failure[0] != '\0') {
            continue;
        }
        if (status == RF_ROW_BLANK) {
            (void)snprintf(judge->failure, sizeof judge->failure, "record %u is blank", number);
        } else if (is_malformed != (status == RF_ROW_MALFORMED)) {
            judge->is_different = true;
            (void)snprintf(judge->failure, sizeof judge->failure,
                           "the engines disagree whether record %u is malformed: to %s it is", number,
                           is_malformed ? "interp" : "cpu");
        } else if (is_malformed) {
            (void)snprintf(judge->failure, sizeof judge->failure, "record %u is malformed at byte %u: %s", number,
                           malformed.offset, rf_reason_text(malformed.reason));
        } else {
            row_judge(judge, row, number);
        }
    }
    return RF_OK;
}

enum rf_status rf_rules_judge_run(struct rf_rules_judge *judge, const struct rf_rules_test *test, struct rf_error *err)
{
    struct rf_worker *worker = &judge->worker;
    uint32_t rows = 0;
    bool is_right;
    judge->failure[0] = '\0';
    judge->is_different = false;
    judge->failed_rule = RF_NONE;
    memset(judge->hit, 0, judge->input->program.rules);
    RF_TRY(records_join(judge, test, &is_right, err));
    if (!is_right) {
        return RF_OK;
    }
    RF_TRY(batch_fill(judge, err));
    while (worker->batch.cursor < worker->batch.bytes_used) {
        RF_TRY(rf_worker_index(worker, err));
        rf_worker_extract(worker);
        RF_TRY(rf_worker_eval(worker, err));
        RF_TRY(rows_judge(judge, rows, err));
        rows += worker->rows.rows;
        worker->rows.lines_before += worker->rows.lines;
        worker->batch.cursor = worker->rows.cursor;
    }
    if (rows != test->records && judge->failure[0] == '\0') {
        (void)snprintf(judge->failure, sizeof judge->failure, "the input has %u records, not %u", rows, test->records);
    }
    return RF_OK;
}
