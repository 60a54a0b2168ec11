/* test_example.c: what is said about bad records, to people and in dead-letter files. */
#include "example.h"
#include "stages.h"

/* rf_example_make: reason and place of each kind of trouble, the same on both engines. */
struct trouble {
    const char *record;
    bool is_malformed;
    unsigned offset;    /* in the record */
    const char *reason; /* begins so */
    const char *place;
};

static const struct trouble troubles[] = {
    {"{\"a\":", true, 5, "the record ends in the middle of a value", ""},
    {"{\"a\":1}}", true, 7, "more than one value in the record", ""},
    {"{\"a\":\"\\q\"}", true, 6, "bad escape in a string", ""},
    {"{\"a\":\"\xff\"}", true, 6, "invalid UTF-8", ""},
    {"{\"a\":01}", true, 5, "bad number", ""},
    {"{\"a\":tru}", true, 5, "bad literal", ""},
    {"{\"b\":1}", false, 0, "no such key: a", " (1:1: a)"},
    {"{\"a\":\"x\"}", false, 0, "no such overload: string > int", " (1:1: a > 1)"},
    {"7", false, 0, "no such overload: double[string]", " (1:1: a)"},
};

static void assert_place(const struct rf_example *example, const char *wanted)
{
    struct rf_error err;
    struct rf_text text = {0};
    assert_int_equal(rf_example_write_place(example, &text, &err), RF_OK);
    assert_text(&text, rf_str_of(wanted), example->reason);
    rf_text_free(&text);
}

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
            assert_place(&example, troubles[t].place);
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

/* rf_example_write_place: line and column, whose expression it is, and a cut of the source on one line. The members of
 * the dead letter say the same. */
struct placed {
    const char *predicate, *projection[2];
    bool is_named;
    const char *place, *members;
};

static const struct placed placed[] = {
    {"false ||\n  ( \ttags [ 2 ]  ==\n 1)",
     {NULL},
     false,
     " (2:6: tags [ 2 ])",
     "\"line\":2,\"column\":6,\"part\":\"tags [ 2 ]\","},
    {"'\xc3\xa9\xf0\x9f\x98\x80' == '' || (a +\n\t  'x') == 'x'",
     {NULL},
     false,
     " (1:15: (a + 'x'))",
     "\"line\":1,\"column\":15,\"part\":\"(a + 'x')\","},
    {"true",
     {"missing", "a +\r\n 'x'"},
     true,
     " (column two, 1:1: a + 'x')",
     "\"select\":\"two\",\"line\":1,\"column\":1,\"part\":\"a + 'x'\","},
    {"true",
     {"missing", "[1, {'b': a + 'x'}]"},
     true,
     " (column two, 1:11: a + 'x')",
     "\"select\":\"two\",\"line\":1,\"column\":11,"},
    {"true", {"a + 'x'"}, true, " (column a + 'x')", "\"select\":\"a + 'x'\",\"line\":1,\"column\":1,"},
    {"true", {"a + 'x'"}, false, " (--select, 1:1: a + 'x')", "\"select\":null,\"line\":1,\"column\":1,"},
    /* 63 bytes are shown whole; longer ones are cut at a whole code point. */
    {"a + '456789.123456789.123456789.123456789.123456789.123456789.' == ''",
     {NULL},
     false,
     " (1:1: a + '456789.123456789.123456789.123456789.123456789.123456789.')",
     "\"part\":\"a + '456789."},
    {"a + '456789.123456789.123456789.123456789.123456789.123456789.1' == ''",
     {NULL},
     false,
     " (1:1: a + '456789.123456789.123456789.123456789.123456789.12345678...)",
     "89.12345678...\","},
    {"a + '456789.123456789.123456789.123456789.123456789.1234567\xf0\x9f\x98\x80.' == ''",
     {NULL},
     false,
     " (1:1: a + '456789.123456789.123456789.123456789.123456789.1234567...)",
     "89.1234567...\","},
};

static void test_write_place(void **state)
{
    (void)state;
    static const struct rf_str names[] = {{"a + 'x'", 7}, {"two", 3}};
    for (size_t i = 0; i < sizeof(placed) / sizeof(placed[0]); i++) {
        for (int backend = 0; backend < 2; backend++) {
            struct trial trial = trial_make(placed[i].predicate, RF_STR("{\"a\":1,\"tags\":[1]}\n"));
            memcpy(trial.projection, placed[i].projection, sizeof(placed[i].projection));
            trial.options.backend = backend == 0 ? RF_BACKEND_CPU : RF_BACKEND_INTERP;
            trial.options.emit = placed[i].projection[0] == NULL ? RF_EMIT_LINES : RF_EMIT_JSON;
            trial.options.column = placed[i].is_named ? names : NULL;
            trial.options.on_error.kind = RF_POLICY_FILE;
            struct outcome outcome;
            trial_run(&trial, &outcome);
            assert_int_equal(outcome.status, RF_OK);
            assert_int_equal(outcome.result.examples, 1);
            assert_place(&outcome.result.example[0], placed[i].place);
            assert_int_equal(rf_text_append_char(&outcome.errors, '\0', &outcome.err), RF_OK);
            if (strstr(outcome.errors.data, placed[i].members) == NULL) {
                fail_msg("%s: no %s", outcome.errors.data, placed[i].members);
            }
            outcome_free(&outcome);
        }
    }
}

/* --on-error stop says it too. */
static void test_stop(void **state)
{
    (void)state;
    struct trial trial = trial_make("a > 1 || b / 2 > 3", RF_STR("{\"a\":2}\n{\"a\":1,\"b\":[]}\n"));
    trial.options.on_error.kind = RF_POLICY_STOP;
    struct outcome outcome;
    trial_run(&trial, &outcome);
    assert_int_equal(outcome.status, RF_E_DATA);
    assert_string_equal(outcome.err.text, "input.0:2: error: no such overload: list / int (1:10: b / 2)");
    outcome_free(&outcome);
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
        cmocka_unit_test(test_truncated), cmocka_unit_test(test_reason), cmocka_unit_test(test_write_place),
        cmocka_unit_test(test_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
