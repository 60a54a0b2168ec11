/* test_emit.c: projections as JSON lines and CSV. */
#include "emit.h"
#include "stages.h"
#include "stream.h"

static const char records[] = "{\"id\":17,\"s\":\"a,b\",\"price\":2.50,\"qty\":3}\n"
                              "{\"id\":18,\"s\":\"say \\\"hi\\\"\\n\",\"price\":1,\"qty\":0}\n"
                              "{\"id\":19,\"s\":null,\"price\":1e2}\n"
                              "{\"id\":9007199254740993,\"s\":true,\"price\":0.1,\"qty\":4,\"l\":[1, {\"a\":null}]}\n"
                              "{\"id\":20,\"s\":\"\\u00e9\",\"price\":\"x\",\"qty\":4}\n"
                              "{\"id\":0,\"s\":\"none\"}\n";

static struct trial emit_trial(enum rf_emit emit, const char *a, const char *b, const char *c)
{
    struct trial trial = trial_make("id != 0", RF_STR(records));
    trial.options.emit = emit;
    trial.projection[0] = a;
    trial.projection[1] = b;
    trial.projection[2] = c;
    return trial;
}

/* Both engines at every level give this text. */
static void assert_emits(struct trial trial, const char *expected, uint64_t errors)
{
    for (int isa = -1; isa <= (int)rf_isa_best(); isa++) {
        trial.options.backend = isa < 0 ? RF_BACKEND_INTERP : RF_BACKEND_CPU;
        trial.options.isa = isa < 0 ? RF_ISA_SCALAR : (enum rf_isa)isa;
        for (uint32_t batch_bytes = 0; batch_bytes <= 64; batch_bytes += 64) {
            trial.source.batch_bytes = batch_bytes;
            struct outcome outcome;
            trial_run(&trial, &outcome);
            assert_int_equal(outcome.status, RF_OK);
            assert_text(&outcome.output, rf_str_of(expected), isa < 0 ? "interp" : rf_isa_name((enum rf_isa)isa));
            assert_int_equal(outcome.result.counts.of[RF_ROW_ERROR], errors);
            assert_int_equal(outcome.result.counts.of[RF_ROW_SELECTED], 5 - errors);
            outcome_free(&outcome);
        }
    }
}

static void test_json(void **state)
{
    (void)state;
    static const struct rf_str names[] = {{"id", 2}, {"a \"b\"", 5}, {"c", 1}};
    /* A path to nothing is null, also one through a value that has no fields. */
    struct trial trial = emit_trial(RF_EMIT_JSON, "id", "s", "l[1].a.b");
    trial.options.column = names;
    assert_emits(trial,
                 "{\"id\":17,\"a \\\"b\\\"\":\"a,b\",\"c\":null}\n"
                 "{\"id\":18,\"a \\\"b\\\"\":\"say \\\"hi\\\"\\n\",\"c\":null}\n"
                 "{\"id\":19,\"a \\\"b\\\"\":null,\"c\":null}\n"
                 "{\"id\":9007199254740993,\"a \\\"b\\\"\":true,\"c\":null}\n"
                 "{\"id\":20,\"a \\\"b\\\"\":\"\xc3\xa9\",\"c\":null}\n",
                 0);
    /* One projection without a name is written as it is. */
    assert_emits(emit_trial(RF_EMIT_JSON, "price", NULL, NULL), "2.50\n1\n1e2\n0.1\n\"x\"\n", 0);
    assert_emits(emit_trial(RF_EMIT_JSON, "l", NULL, NULL), "null\nnull\nnull\n[1,{\"a\":null}]\nnull\n", 0);
    /* A computed one that fails makes the record an error. */
    assert_emits(emit_trial(RF_EMIT_JSON, "price * qty", NULL, NULL), "7.5\n0\n0.4\n", 2);
    assert_emits(emit_trial(RF_EMIT_JSON, "{\"n\": id, \"p\": price * 2}", NULL, NULL),
                 "{\"n\":17,\"p\":5}\n{\"n\":18,\"p\":2}\n{\"n\":19,\"p\":200}\n"
                 "{\"n\":9007199254740993,\"p\":0.2}\n",
                 1);
}

static void test_csv(void **state)
{
    (void)state;
    static const struct rf_str names[] = {{"id", 2}, {"a \"b\"", 5}, {"x,y", 3}};
    struct trial trial = emit_trial(RF_EMIT_CSV, "id", "s", "price * qty");
    trial.options.column = names;
    assert_emits(trial,
                 "id,\"a \"\"b\"\"\",\"x,y\"\r\n"
                 "17,\"a,b\",7.5\r\n"
                 "18,\"say \"\"hi\"\"\n\",0\r\n"
                 "9007199254740993,true,0.4\r\n",
                 2);
    trial.options.column = NULL;
    trial.projection[2] = "missing";
    assert_emits(trial,
                 "value,value,value\r\n17,\"a,b\",\r\n18,\"say \"\"hi\"\"\n\",\r\n19,,\r\n"
                 "9007199254740993,true,\r\n20,\xc3\xa9,\r\n",
                 0);
}

/* The header comes once, also over several inputs, and when nothing is selected; no projection: records as they are. */
static void test_header(void **state)
{
    (void)state;
    static const struct rf_str names[] = {{"a", 1}};
    struct trial trial = trial_make("a > 1", RF_STR("{\"a\":2}\n"));
    trial.projection[0] = "a";
    trial.options.emit = RF_EMIT_CSV;
    trial.options.column = names;
    trial.input[1] = RF_STR("{\"a\":3}");
    trial.is_file = true;
    struct outcome outcome;
    trial_run(&trial, &outcome);
    assert_text(&outcome.output, RF_STR("a\r\n2\r\n3\r\n"), "two inputs");
    outcome_free(&outcome);
    trial.predicate = "a > 5";
    trial_run(&trial, &outcome);
    assert_text(&outcome.output, RF_STR("a\r\n"), "nothing selected");
    outcome_free(&outcome);
    trial.predicate = "a > 2";
    trial.projection[0] = NULL;
    trial_run(&trial, &outcome);
    assert_text(&outcome.output, RF_STR("{\"a\":3}\n"), "no projection");
    outcome_free(&outcome);
}

/* rf_emit_header */
static void test_emit_header(void **state)
{
    (void)state;
    static const struct rf_str names[] = {{"x\n", 2}, {"", 0}};
    struct trial trial = trial_make("true", RF_STR("{}"));
    trial.projection[0] = "a";
    trial.projection[1] = "b";
    trial.options.column = names;
    struct stages stages;
    stages_open(&stages, &trial);
    struct rf_error err;
    struct rf_text text = {0};
    assert_int_equal(rf_emit_header(&stages.options, &text, &err), RF_OK);
    struct rf_text expected = {0};
    assert_int_equal(rf_value_write_csv(&expected, rf_value_string(names[1]), &err), RF_OK);
    assert_true(rf_str_starts(rf_text_str(&text), RF_STR("\"x\n\",")));
    assert_true(rf_str_ends(rf_text_str(&text), RF_STR("\r\n")));
    assert_int_equal(text.count, 5 + expected.count + 2);
    rf_text_free(&text);
    rf_text_free(&expected);
    stages_close(&stages);
}

/* rf_emit_round: parts stand where text_end says; rows that fail leave the selection. */
static void test_emit_round(void **state)
{
    (void)state;
    struct trial trial = emit_trial(RF_EMIT_JSON, "price * qty", NULL, NULL);
    struct stages stages;
    stages_open(&stages, &trial);
    struct rf_worker *worker = &stages.worker;
    assert_true(stages_fill(&stages));
    stages_run(&stages);
    assert_int_equal(worker->selection.count, 5);
    struct rf_error err;
    assert_int_equal(rf_emit_round(worker, &err), RF_OK);
    assert_int_equal(worker->selection.count, 3);
    static const uint32_t row[] = {0, 1, 3};
    static const char *const text[] = {"7.5\n", "0\n", "0.4\n"};
    size_t begin = 0;
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(worker->selection.row[i], row[i]);
        const struct rf_str part = {worker->text.data + begin, worker->text_end[i] - begin};
        assert_true(rf_str_equal(part, rf_str_of(text[i])));
        begin = worker->text_end[i];
    }
    assert_int_equal(worker->text.count, begin);
    assert_int_equal(worker->rows.status[2], RF_ROW_ERROR);
    assert_int_equal(worker->rows.status[4], RF_ROW_ERROR);
    assert_int_equal(worker->counts.of[RF_ROW_ERROR], 2);
    assert_int_equal(worker->counts.of[RF_ROW_SELECTED], 3);
    assert_int_equal(rf_counts_read(&worker->counts), 6);
    stages_close(&stages);
}

/* rf_emit_value: the same value from the column as from the interpreter. */
static void test_emit_value(void **state)
{
    (void)state;
    static const char values[] =
        "{\"v\":1}\n{\"v\":-0.0}\n{\"v\":1e400}\n{\"v\":\"\"}\n{\"v\":\"\\u0041\"}\n{\"v\":null}\n"
        "{\"v\":true}\n{\"v\":false}\n{\"v\":[ 1]}\n{\"v\":{\"a\" :1}}\n{}\n5\n"
        "{\"v\":18446744073709551615}\n{\"v\":-9223372036854775808}\n{\"v\":1,\"v\":2}\n";
    struct rf_text text[2] = {{0}, {0}};
    struct rf_error err;
    for (int e = 0; e < 2; e++) {
        struct trial trial = trial_make("true", RF_STR(values));
        trial.projection[0] = "v";
        trial.projection[1] = "record.number";
        trial.options.backend = e == 0 ? RF_BACKEND_CPU : RF_BACKEND_INTERP;
        struct stages stages;
        stages_open(&stages, &trial);
        assert_true(stages_fill(&stages));
        stages_run(&stages);
        assert_int_equal(stages.worker.rows.rows, 15);
        for (uint32_t row = 0; row < 15; row++) {
            for (uint32_t projection = 0; projection < 2; projection++) {
                struct rf_value value;
                assert_int_equal(rf_emit_value(&stages.worker, row, projection, &value, &err), RF_OK);
                if (value.type == RF_TYPE_ERROR) {
                    assert_int_equal(projection, 0);
                    assert_true(row == 2 || row == 10 || row == 11);
                    continue;
                }
                assert_int_equal(rf_text_printf(&text[e], &err, "%u:", row), RF_OK);
                assert_int_equal(rf_value_write_json(&text[e], value, &err), RF_OK);
            }
        }
        stages_close(&stages);
    }
    assert_text(&text[0], rf_text_str(&text[1]), "cpu against interp");
    rf_text_free(&text[0]);
    rf_text_free(&text[1]);
}

/* rf_emit_is_absent: what a path does not find, and nothing else. */
static void test_emit_is_absent(void **state)
{
    (void)state;
    struct trial trial = trial_make("true", RF_STR("{\"v\":1}\n"));
    trial.projection[0] = "w";
    trial.projection[1] = "w * 2";
    struct stages stages;
    stages_open(&stages, &trial);
    assert_true(stages_fill(&stages));
    stages_run(&stages);
    for (uint32_t projection = 0; projection < 2; projection++) {
        struct rf_value value;
        struct rf_error err;
        assert_int_equal(rf_emit_value(&stages.worker, 0, projection, &value, &err), RF_OK);
        assert_int_equal(value.type, RF_TYPE_ERROR);
        assert_int_equal(rf_emit_is_absent(&stages.worker, projection, value), projection == 0);
    }
    /* A path to something that is too large has found it. */
    assert_false(rf_emit_is_absent(&stages.worker, 0, rf_value_error(RF_ERROR_TOO_LARGE)));
    assert_false(rf_emit_is_absent(&stages.worker, 0, rf_value_null()));
    stages_close(&stages);
}

/* Policies and limits over projections that fail, on every engine, thread count and batch size. */
static void test_policies(void **state)
{
    (void)state;
    struct stream stream;
    stream_make(&stream, 600, "SSRRREMB", 9, false);
    static const struct rf_str names[] = {{"id", 2}, {"n", 1}};
    for (int emit = RF_EMIT_JSON; emit <= RF_EMIT_CSV; emit++) {
        for (int policy = RF_POLICY_DROP; policy <= RF_POLICY_FILE; policy++) {
            struct trial trial = trial_make("has(tag)", rf_text_str(&stream.text));
            trial.projection[0] = "id";
            trial.projection[1] = "price * qty";
            trial.options.emit = (enum rf_emit)emit;
            trial.options.column = names;
            trial.options.max_count = policy == RF_POLICY_PASS ? 100 : UINT64_MAX;
            trial.options.on_error.kind = trial.options.on_malformed.kind = (enum rf_policy_kind)policy;
            trial.options.backend = RF_BACKEND_INTERP;
            struct outcome reference;
            trial_run(&trial, &reference);
            assert_int_equal(reference.status, policy == RF_POLICY_STOP ? RF_E_DATA : RF_OK);
            assert_true(reference.output.count > 0);
            trial.options.backend = RF_BACKEND_CPU;
            for (uint32_t threads = 1; threads <= 4; threads *= 2) {
                for (uint32_t batch_bytes = 64; batch_bytes <= 4096; batch_bytes *= 8) {
                    trial.options.threads = threads;
                    trial.source.batch_bytes = batch_bytes;
                    struct outcome outcome;
                    trial_run(&trial, &outcome);
                    assert_int_equal(outcome.status, reference.status);
                    assert_text(&outcome.output, rf_text_str(&reference.output), "output");
                    assert_text(&outcome.errors, rf_text_str(&reference.errors), "errors");
                    assert_text(&outcome.malformed, rf_text_str(&reference.malformed), "malformed");
                    assert_memory_equal(&outcome.result.counts, &reference.result.counts, sizeof(struct rf_counts));
                    outcome_free(&outcome);
                }
            }
            outcome_free(&reference);
        }
    }
    stream_free(&stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json),           cmocka_unit_test(test_csv),        cmocka_unit_test(test_header),
        cmocka_unit_test(test_emit_header),    cmocka_unit_test(test_emit_round), cmocka_unit_test(test_emit_value),
        cmocka_unit_test(test_emit_is_absent), cmocka_unit_test(test_policies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
