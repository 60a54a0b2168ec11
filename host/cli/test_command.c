/* test_command.c: riffle test: the tests of rules files, as TAP version 14. */
#include <stdlib.h>

#include "caret.h"
#include "command.h"
#include "flag.h"
#include "json_text.h"
#include "rules_judge.h"
#include "terminal.h"

enum { NAMES_SHOWN = 10, RECORDS_SHOWN = 10 };

struct run {
    const struct rf_flags *flags;
    const char *file;
    struct rf_rules_judge judge;
    const struct rf_rules_test *test; /* that runs */
    uint8_t *wanted; /* [rules] bits below */
    uint32_t at;            /* of test->at: behind those of the records judged */
    struct rf_text records; /* of the diagnostic: records that hit something else than fires_at says */
    uint32_t records_wrong;
    struct rf_text *out;
    struct rf_error *err;
    uint32_t number; /* of the test, over all files */
    uint32_t failed;
};

enum { IS_EXPECTED = 1, IS_JUDGED = 2 };

/* A description may not hold what begins a directive. */
static enum rf_status description_write(struct run *run, struct rf_str text)
{
    for (size_t i = 0; i < text.count; i++) {
        const char c = text.data[i];
        if (c == '#' || c == '\\') {
            RF_TRY(rf_text_append_char(run->out, '\\', run->err));
        }
        RF_TRY(rf_text_append_char(run->out, (unsigned char)c < 0x20 || c == 0x7f ? ' ' : c, run->err));
    }
    return RF_OK;
}

/* What is to be seen of each rule, when these are to fire. */
static void wanted_make(struct run *run, const uint32_t *fires, uint32_t count)
{
    const struct rf_rules *rules = run->judge.input->rules;
    const struct rf_rules_test *test = run->test;
    memset(run->wanted, test->only_count == 0 ? IS_JUDGED : 0, rules->rules);
    for (uint32_t i = 0; i < test->only_count; i++) {
        const struct rf_rule_source *source = &rules->source[test->only[i]];
        memset(run->wanted + source->rule_begin, IS_JUDGED, source->rule_end - source->rule_begin);
    }
    for (uint32_t i = 0; i < count; i++) {
        run->wanted[fires[i]] = IS_JUDGED | IS_EXPECTED;
    }
}

/* Rules that are judged, and are expected or not, and did the opposite. */
static bool rule_is(const struct run *run, uint32_t rule, bool is_expected, bool has_fired)
{
    const uint8_t wanted = is_expected ? IS_JUDGED | IS_EXPECTED : IS_JUDGED;
    return run->wanted[rule] == wanted && has_fired != is_expected;
}

static bool has_fired(const struct run *run, uint32_t rule, bool is_of_record)
{
    return is_of_record ? run->judge.fired[rule] != 0 : run->judge.hit[rule] != 0;
}

/* No rule did the opposite. */
static bool all_are_right(const struct run *run, bool is_of_record)
{
    bool is_right = true;
    for (uint32_t r = 0; r < run->judge.input->rules->rules && is_right; r++) {
        const bool did = has_fired(run, r, is_of_record);
        is_right = !rule_is(run, r, true, did) && !rule_is(run, r, false, did);
    }
    return is_right;
}

/* `KEY["a", "b"]` of the rules that did the opposite, or nothing without any. */
static enum rf_status names_write(struct run *run, struct rf_text *out, const char *key, bool is_expected,
                                  bool is_of_record, const char *end)
{
    const struct rf_rules *rules = run->judge.input->rules;
    uint32_t count = 0;
    for (uint32_t r = 0; r < rules->rules; r++) {
        if (!rule_is(run, r, is_expected, has_fired(run, r, is_of_record))) {
            continue;
        }
        if (count == 0) {
            RF_TRY(rf_text_printf(out, run->err, "%s[", key));
        }
        if (count < NAMES_SHOWN) {
            RF_TRY(rf_text_append(out, count == 0 ? RF_STR("") : RF_STR(", "), run->err));
            RF_TRY(rf_json_quote(out, rules->rule[r].name, run->err));
        }
        count++;
    }
    if (count > NAMES_SHOWN) {
        RF_TRY(rf_text_printf(out, run->err, ", \"and %u more\"", count - NAMES_SHOWN));
    }
    return count == 0 ? RF_OK : rf_text_printf(out, run->err, "]%s", end);
}

/* The first record of each rule that `unexpected` names, where a test has several. */
static enum rf_status places_write(struct run *run)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < run->judge.input->rules->rules && count < NAMES_SHOWN; r++) {
        if (rule_is(run, r, false, run->judge.hit[r] != 0)) {
            RF_TRY(rf_text_printf(run->out, run->err, "%s%u", count == 0 ? "  unexpected_first_at: [" : ", ",
                                  run->judge.hit[r]));
            count++;
        }
    }
    return count == 0 ? RF_OK : rf_text_append(run->out, RF_STR("]\n"), run->err);
}

/* A record has been judged: is that what fires_at says of it? */
static enum rf_status record_see(void *context, uint32_t record, struct rf_error *err)
{
    struct run *run = context;
    const struct rf_rules_test *test = run->test;
    if (run->at == test->at_count || test->at[run->at].record != record) {
        return RF_OK;
    }
    wanted_make(run, test->at[run->at].rule, test->at[run->at].rules);
    run->at++;
    if (all_are_right(run, true)) {
        return RF_OK;
    }
    if (++run->records_wrong > RECORDS_SHOWN) {
        return RF_OK;
    }
    RF_TRY(rf_text_printf(&run->records, err, "    - {record: %u", record));
    RF_TRY(names_write(run, &run->records, ", missed: ", true, true, ""));
    RF_TRY(names_write(run, &run->records, ", unexpected: ", false, true, ""));
    return rf_text_append(&run->records, RF_STR("}\n"), err);
}

static enum rf_status records_write(struct run *run)
{
    if (run->records_wrong == 0) {
        return RF_OK;
    }
    RF_TRY(rf_text_append(run->out, RF_STR("  records:\n"), run->err));
    RF_TRY(rf_text_append(run->out, rf_text_str(&run->records), run->err));
    return run->records_wrong <= RECORDS_SHOWN
               ? RF_OK
               : rf_text_printf(run->out, run->err, "    - and %u more\n", run->records_wrong - RECORDS_SHOWN);
}

static enum rf_status failure_write(struct run *run, const struct rf_rules_test *test)
{
    const struct rf_rules *rules = run->judge.input->rules;
    uint32_t line;
    uint32_t column;
    rf_caret_place(rf_text_str(&run->judge.input->text), test->begin, &line, &column);
    RF_TRY(rf_text_append(run->out, RF_STR("  ---\n  at: "), run->err));
    RF_TRY(rf_json_quote(run->out, rf_str_of(run->file), run->err));
    RF_TRY(rf_text_printf(run->out, run->err, "\n  line: %u\n", line));
    if (run->judge.failure[0] != '\0') {
        RF_TRY(rf_text_append(run->out, RF_STR("  message: "), run->err));
        RF_TRY(rf_json_quote(run->out, rf_str_of(run->judge.failure), run->err));
        return rf_text_append(run->out, RF_STR("\n  ...\n"), run->err);
    }
    if (test->has_fires) {
        RF_TRY(names_write(run, run->out, "  missed: ", true, false, "\n"));
        RF_TRY(names_write(run, run->out, "  unexpected: ", false, false, "\n"));
        RF_TRY(test->records > 1 ? places_write(run) : RF_OK);
    }
    RF_TRY(records_write(run));
    if (run->judge.failed_rule != RF_NONE) {
        RF_TRY(rf_text_append(run->out, RF_STR("  error: {rule: "), run->err));
        RF_TRY(rf_json_quote(run->out, rules->rule[run->judge.failed_rule].name, run->err));
        RF_TRY(rf_text_append(run->out, RF_STR(", reason: "), run->err));
        RF_TRY(rf_json_quote(run->out, rf_str_of(run->judge.error), run->err));
        RF_TRY(rf_text_append(run->out, RF_STR("}\n"), run->err));
    }
    return rf_text_append(run->out, RF_STR("  ...\n"), run->err);
}

static enum rf_status test_run(struct run *run, const struct rf_rules_test *test)
{
    run->test = test;
    run->at = run->records_wrong = 0;
    rf_text_clear(&run->records);
    RF_TRY(rf_rules_judge_run(&run->judge, test, run->err));
    bool is_right = run->judge.failure[0] == '\0' && run->records_wrong == 0;
    if (test->has_fires) {
        wanted_make(run, test->fires, test->fire_count);
        is_right = is_right && all_are_right(run, false);
    }
    run->number++;
    RF_TRY(rf_text_printf(run->out, run->err, "%sok %u - ", is_right ? "" : "not ", run->number));
    RF_TRY(description_write(run, test->name));
    RF_TRY(rf_text_append_char(run->out, '\n', run->err));
    if (is_right) {
        return RF_OK;
    }
    run->failed++;
    return failure_write(run, test);
}

static enum rf_status tests_run(struct run *run, const struct rf_rules_input *input)
{
    RF_TRY(rf_text_append(run->out, RF_STR("# "), run->err));
    RF_TRY(description_write(run, rf_str_of(run->file)));
    RF_TRY(rf_text_printf(run->out, run->err, ": %u rule%s, %u test%s\n", input->rules->rules,
                          input->rules->rules == 1 ? "" : "s", input->rules->tests, input->rules->tests == 1 ? "" : "s"));
    if (input->rules->tests == 0) {
        return RF_OK;
    }
    RF_TRY(rf_rules_judge_open(&run->judge, input, run->flags, run->err));
    run->judge.on_record = record_see;
    run->judge.context = run;
    run->wanted = calloc((size_t)input->rules->rules + 1, 1);
    if (run->wanted == NULL) {
        RF_FAIL(run->err, RF_E_MEMORY, "out of memory for %u rules", input->rules->rules);
    }
    for (uint32_t t = 0; t < input->rules->tests; t++) {
        RF_TRY(test_run(run, &input->rules->test[t]));
    }
    return RF_OK;
}

/* Tests of one file; an exit status. */
static int file_test(struct run *run, const char *name)
{
    struct rf_rules_input input;
    struct rf_rules_extra extra = {0};
    const unsigned format = rf_rules_input_format(run->flags);
    rf_rules_input_time(run->flags, format, &extra);
    int code = rf_rules_input_open(&input, name, format, &extra, run->flags);
    run->file = name;
    if (code == RF_EXIT_DONE && tests_run(run, &input) != RF_OK) {
        code = rf_terminal_fail(run->err);
    }
    rf_rules_judge_close(&run->judge);
    free(run->wanted);
    run->wanted = NULL;
    rf_text_free(&run->records);
    rf_rules_input_close(&input);
    return code;
}

int rf_command_test(const struct rf_flags *flags)
{
    struct rf_error err;
    struct rf_text out = {0};
    struct run run = {.flags = flags, .out = &out, .err = &err};
    int code = rf_text_append(&out, RF_STR("TAP version 14\n"), &err) == RF_OK ? RF_EXIT_DONE : RF_EXIT_FAILURE;
    for (size_t i = 0; i < flags->args; i++) {
        const int one = file_test(&run, flags->arg[i]);
        code = one > code ? one : code; /* bad configuration is the largest */
    }
    if (run.failed > 0 && code == RF_EXIT_DONE) {
        code = RF_EXIT_FAILURE;
    }
    /* The plan stands at the end: how many tests there are is known when all files have been read. Of files that are wrong
     * nothing is known. */
    const enum rf_status status = code > RF_EXIT_FAILURE
                                      ? rf_text_append(&out, RF_STR("Bail out! a file could not be used\n"), &err)
                                      : rf_text_printf(&out, &err, "1..%u\n", run.number);
    const int printed = status == RF_OK ? rf_terminal_print(rf_text_str(&out)) : RF_EXIT_FAILURE;
    rf_text_free(&out);
    return printed > code ? printed : code;
}
