/* test_example.c: what is said about bad records, to people and in dead-letter files. */
#include "example.h"
#include "stages.h"

/* rf_example_make: reason and place of each kind of trouble, the same on both engines. */
struct trouble {
    const char *record;
    bool is_malformed;
    unsigned offset;    /* in the record */
    const char *reason; /* begins so */
};

static const struct trouble troubles[] = {
    {"{\"a\":", true, 5, "the record ends in the middle of a value"},
    {"{\"a\":1}}", true, 7, "more than one value in the record"},
    {"{\"a\":\"\\q\"}", true, 6, "bad escape in a string"},
    {"{\"a\":\"\xff\"}", true, 6, "invalid UTF-8"},
    {"{\"a\":01}", true, 5, "bad number"},
    {"{\"a\":tru}", true, 5, "bad literal"},
    {"{\"b\":1}", false, 0, ""},
    {"{\"a\":\"x\"}", false, 0, ""},
    {"7", false, 0, ""},
};

static void test_make(void **state)
{
    (void)state;
    char first_reason[sizeof(troubles) / sizeof(troubles[0])][RF_EXAMPLE_TEXT_MAX];
    for (int isa = -1; isa <= (int)rf_isa_best(); isa++) {
        for (size_t t = 0; t < sizeof(troubles) / sizeof(troubles[0]); t++) {
            char text[128];
            (void)snprintf(text, sizeof(text), "{\"a\":2}\n%s\n", troubles[t].record);
            struct trial trial = trial_make("a > 1", rf_str_of(text));
            trial.options.backend = isa < 0 ? RF_BACKEND_INTERP : RF_BACKEND_CPU;
            trial.options.isa = isa < 0 ? RF_ISA_SCALAR : (enum rf_isa)isa;
            struct stages stages;
            stages_open(&stages, &trial);
            assert_true(stages_fill(&stages));
            stages_run(&stages);
            assert_int_equal(stages.worker.rows.status[1], troubles[t].is_malformed ? RF_ROW_MALFORMED : RF_ROW_ERROR);
            struct rf_error err;
            struct rf_example example;
            const struct rf_where where = {"in", 2, 8};
            assert_int_equal(rf_example_make(&stages.worker, 1, where, &example, &err), RF_OK);
            assert_int_equal(example.is_malformed, troubles[t].is_malformed);
            assert_int_equal(example.where.number, 2);
            assert_string_equal(example.where.input_name, "in");
            assert_int_equal(example.offset, 8 + troubles[t].offset);
            assert_true(rf_str_starts(rf_str_of(example.reason), rf_str_of(troubles[t].reason)));
            assert_true(example.reason[0] != '\0');
            if (isa < 0) {
                memcpy(first_reason[t], example.reason, sizeof(example.reason));
            }
            assert_string_equal(example.reason, first_reason[t]);
            stages_close(&stages);
        }
    }
}

/* rf_example_write: one JSON line that holds the record's bytes exactly. */
static void test_write(void **state)
{
    (void)state;
    struct trial trial = trial_make("a > 1", RF_STR("{\"b\":\"\xc3\xa9\"}\r\n{\"b\":\xff\n"));
    struct stages stages;
    stages_open(&stages, &trial);
    assert_true(stages_fill(&stages));
    stages_run(&stages);
    struct rf_error err;
    struct rf_text text = {0};
    struct rf_example example = {.where = {"a \"file\"", 7, 100}, .offset = 103, .reason = "no \"such\" field"};
    assert_int_equal(rf_example_write(&stages.worker, 0, &example, &text, &err), RF_OK);
    assert_text(&text,
                RF_STR("{\"input\":\"a \\\"file\\\"\",\"record\":7,\"offset\":103,\"kind\":\"error\","
                       "\"reason\":\"no \\\"such\\\" field\",\"text\":\"{\\\"b\\\":\\\"\xc3\xa9\\\"}\"}\n"),
                "text");
    rf_text_clear(&text);
    example.is_malformed = true;
    assert_int_equal(rf_example_write(&stages.worker, 1, &example, &text, &err), RF_OK);
    assert_text(&text,
                RF_STR("{\"input\":\"a \\\"file\\\"\",\"record\":7,\"offset\":103,\"kind\":\"malformed\","
                       "\"reason\":\"no \\\"such\\\" field\",\"base64\":\"eyJiIjr/\"}\n"),
                "base64");
    rf_text_free(&text);
    stages_close(&stages);
}

/* rf_example_write_members: the part that needs no record. */
static void test_write_members(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_text text = {0};
    const struct rf_example example = {
        .where = {"f", 3, 40}, .is_malformed = true, .offset = 44, .reason = "bad \"x\""};
    assert_int_equal(rf_example_write_members(&example, &text, &err), RF_OK);
    assert_text(&text,
                RF_STR("\"input\":\"f\",\"record\":3,\"offset\":44,\"kind\":\"malformed\","
                       "\"reason\":\"bad \\\"x\\\"\""),
                "members");
    rf_text_free(&text);
}

/* Of an oversize record the head is kept, and the line says that it is cut. */
static void test_truncated(void **state)
{
    (void)state;
    char line[RF_OVERSIZE_KEPT + 200];
    memset(line, 'x', sizeof(line));
    struct trial trial = trial_make("a > 1", (struct rf_str){line, sizeof(line)});
    trial.source.record_bytes_max = trial.options.record_bytes_max = RF_OVERSIZE_KEPT + 100;
    trial.options.on_malformed.kind = RF_POLICY_FILE;
    struct outcome outcome;
    trial_run(&trial, &outcome);
    assert_int_equal(outcome.status, RF_OK);
    const struct rf_str letter = rf_text_str(&outcome.malformed);
    assert_true(
        rf_str_starts(letter, RF_STR("{\"input\":\"input.0\",\"record\":1,\"offset\":4196,\"kind\":\"malformed\","
                                     "\"reason\":\"longer than --max-record\",\"text\":\"xxx")));
    assert_true(rf_str_ends(letter, RF_STR("xxx\",\"truncated\":true}\n")));
    assert_true(letter.count > RF_OVERSIZE_KEPT && letter.count < RF_OVERSIZE_KEPT + 150);
    outcome_free(&outcome);
}

/* The reason is the predicate's, or of the projection that failed, and never too long for its place. */
static void test_reason(void **state)
{
    (void)state;
    struct outcome outcome;
    struct trial trial = trial_make("true", RF_STR("{\"a\":\"x\"}\n"));
    trial.projection[0] = "missing";
    trial.projection[1] = "a * 2";
    trial.options.emit = RF_EMIT_JSON;
    trial.options.on_error.kind = RF_POLICY_FILE;
    trial_run(&trial, &outcome);
    assert_int_equal(outcome.result.examples, 1);
    assert_false(outcome.result.example[0].is_malformed);
    assert_null(strstr(outcome.result.example[0].reason, "no such field"));
    assert_string_not_equal(outcome.result.example[0].reason, "evaluation error");
    assert_non_null(strstr(outcome.errors.data, outcome.result.example[0].reason));
    outcome_free(&outcome);

    char predicate[700] = "msg.";
    memset(predicate + 4, 'k', 600);
    (void)snprintf(predicate + 604, sizeof(predicate) - 604, " > 1");
    trial = trial_make(predicate, RF_STR("{\"a\":\"x\"}\n"));
    trial_run(&trial, &outcome);
    assert_int_equal(outcome.result.examples, 1);
    assert_true(strlen(outcome.result.example[0].reason) < RF_EXAMPLE_TEXT_MAX);
    outcome_free(&outcome);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_make),      cmocka_unit_test(test_write),  cmocka_unit_test(test_write_members),
        cmocka_unit_test(test_truncated), cmocka_unit_test(test_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
