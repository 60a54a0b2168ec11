#include "rules_judge.h"

#include <stdio.h>
#include <stdlib.h>

#include "bitmap.h"
#include "expression.h"
#include "record_key.h"

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
    judge->time_unit = (enum rf_time_unit)flags->value[RF_FLAG_TIME_UNIT].number;
    RF_TRY(rf_isa_select(&judge->options.isa, err));
    RF_TRY(rf_expression_now(flags, &judge->options.has_now, &judge->options.now, err));
    RF_TRY(rf_rule_states_check(input->rules, input->program.time != RF_NONE, err));
    judge->hit = calloc((size_t)input->program.rules + 1, sizeof *judge->hit);
    judge->fired = calloc((size_t)input->program.rules + 1, 1);
    judge->key = calloc((size_t)input->program.keys + 1, sizeof *judge->key);
    judge->has_key = calloc((size_t)input->program.keys + 1, sizeof *judge->has_key);
    if (judge->hit == NULL || judge->fired == NULL || judge->key == NULL || judge->has_key == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for %u rules", input->program.rules);
    }
    return rf_worker_open(&judge->worker, &judge->options, err);
}

void rf_rules_judge_close(struct rf_rules_judge *judge)
{
    if (judge->worker.options != NULL) {
        rf_worker_close(&judge->worker);
    }
    rf_key_memory_close(&judge->states);
    rf_text_free(&judge->records);
    rf_text_free(&judge->scratch);
    free(judge->hit);
    free(judge->fired);
    free(judge->key);
    free(judge->has_key);
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

/* Truth by both engines, of the row that the interpreter has read. */
static enum rf_truth rule_truth(struct rf_rules_judge *judge, uint32_t rule, uint32_t row, uint32_t number)
{
    static const char *const name[] = {
        [RF_TRUTH_FALSE] = "false", [RF_TRUTH_TRUE] = "true", [RF_TRUTH_ERROR] = "an error"};
    const enum rf_truth truth = rf_interp_predicate(judge->worker.interp, rule);
    const enum rf_truth found = truth_of(&judge->worker.eval, rule, row);
    if (truth != found && !judge->is_different) {
        const struct rf_str shown = judge->input->rules->rule[rule].name;
        judge->is_different = true;
        (void)snprintf(judge->failure, sizeof judge->failure,
                       "the engines disagree about rule '%.*s' and record %u: cpu gives %s, interp gives %s",
                       (int)(shown.count < 100 ? shown.count : 100), shown.data, number, name[found], name[truth]);
    }
    return truth;
}

/* The first error of a test is told. */
static void error_keep(struct rf_rules_judge *judge, uint32_t rule, struct rf_str why)
{
    if (judge->failed_rule == RF_NONE) {
        judge->failed_rule = rule;
        (void)snprintf(judge->error, sizeof judge->error, "%.*s", (int)(why.count < 180 ? why.count : 180), why.data);
    }
}

/* Event time and keys of a row: what state goes by. */
static struct rf_state_record record_read(struct rf_rules_judge *judge, uint32_t row)
{
    const struct rf_rules_program *program = &judge->input->program;
    const struct rf_watch_block block = {.first = row, .rows = 1, .worker = &judge->worker};
    for (uint32_t k = 0; k < program->keys; k++) {
        judge->has_key[k] = rf_record_key(&block, program->key_begin + k, 0, &judge->scratch, &judge->key[k]);
    }
    const int64_t ns =
        program->time == RF_NONE ? RF_TALLY_UNTIMED : rf_record_time(&block, program->time, 0, judge->time_unit);
    return (struct rf_state_record){.has_time = ns != RF_TALLY_UNTIMED, .ns = ns};
}

/* What the state of a rule makes of its truth. */
static enum rf_status rule_decide(struct rf_rules_judge *judge, uint32_t rule, struct rf_state_record record,
                                  bool *fires, struct rf_error *err)
{
    const struct rf_rules *rules = judge->input->rules;
    const struct rf_rule_state *state = &rules->source[rules->rule[rule].source].state;
    const uint32_t per = judge->input->program.per[rule];
    *fires = record.is_true;
    if (rf_rule_state_is_none(state) || (!record.is_true && !state->is_changed)) {
        return RF_OK;
    }
    record.has_key = per == RF_NONE || judge->has_key[per - judge->input->program.key_begin];
    if (per != RF_NONE) {
        record.key = judge->key[per - judge->input->program.key_begin];
    }
    enum rf_state_answer answer;
    RF_TRY(rf_rule_state_answer(&judge->states, state, rule, &record, &answer, err));
    if (answer == RF_STATE_ERROR) {
        error_keep(judge, rule, record.has_key ? RF_STR("the record has no time") : RF_STR("'per' has no value"));
    }
    *fires = answer == RF_STATE_FIRES;
    return RF_OK;
}

/* A row that both engines take for a record. */
static enum rf_status row_judge(struct rf_rules_judge *judge, uint32_t row, uint32_t number, struct rf_error *err)
{
    const struct rf_state_record record = judge->input->rules->needs_state ? record_read(judge, row) : (struct rf_state_record){0};
    for (uint32_t r = 0; r < judge->input->program.rules; r++) {
        struct rf_state_record own = record;
        const enum rf_truth truth = rule_truth(judge, r, row, number);
        bool fires;
        own.is_true = truth == RF_TRUTH_TRUE;
        if (truth == RF_TRUTH_ERROR) {
            error_keep(judge, r, rf_interp_error(judge->worker.interp));
        }
        RF_TRY(rule_decide(judge, r, own, &fires, err));
        judge->fired[r] = fires;
        judge->hit[r] = fires && judge->hit[r] == 0 ? number : judge->hit[r];
    }
    if (judge->states.evicted != 0 && judge->failure[0] == '\0') {
        (void)snprintf(judge->failure, sizeof judge->failure, "the state of the rules needs more than %zu MiB",
                       RF_RULE_STATE_BYTES_DEFAULT >> 20);
    }
    return judge->on_record == NULL || judge->failure[0] != '\0' ? RF_OK : judge->on_record(judge->context, number, err);
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
            RF_TRY(row_judge(judge, row, number, err));
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
    memset(judge->hit, 0, judge->input->program.rules * sizeof *judge->hit);
    rf_key_memory_close(&judge->states);
    RF_TRY(rf_key_memory_open(&judge->states, RF_RULE_STATE_BYTES_DEFAULT, err));
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
