/* test_suite_eval.c: lines of case files to lines of results. */
#include "suite_fixture.h"

#include "suite_eval.h"

static struct rf_suite suite;

static void opens(struct rf_suite_options options)
{
    if (options.engine_name == NULL) {
        options.engine_name = options.engine == NULL ? "interp" : "cpu";
    }
    rf_suite_open(&suite, options);
}

/* The result of a line. */
static void gives(const char *line, const char *wanted)
{
    struct rf_text text = {0};
    fixture_ok(rf_suite_eval(&suite, rf_str_of(line), &text, &err));
    fixture_text_is(&text, wanted);
}

#define TAIL ",\"engine\":\"interp\",\"fallback\":false,\"lifted\":0}\n"

static void test_values(void **state)
{
    (void)state;
    opens((struct rf_suite_options){0});
    gives("{\"line\":3,\"expr\":\"1 + 2\"}", "{\"line\":3,\"ok\":{\"value\":{\"int\":\"3\"}}" TAIL);
    gives("{\"expr\":\"x.y\",\"bindings\":{\"x\":{\"value\":{\"map\":[[{\"string\":\"y\"},{\"double\":1}]]}}}}",
          "{\"line\":null,\"ok\":{\"value\":{\"double\":1.0}}" TAIL);
    gives("{\"expr\":\"y\",\"container\":\"a\",\"bindings\":{\"a.y\":{\"value\":{\"bool\":true}}}}",
          "{\"line\":null,\"ok\":{\"value\":{\"bool\":true}}" TAIL);
    gives("{\"expr\":\"[x, optional.of(2u), type(x), b'a']\",\"bindings\":{\"x\":{\"value\":{\"null\":null}}}}",
          "{\"line\":null,\"ok\":{\"value\":{\"list\":[{\"null\":null},{\"optional\":{\"uint\":\"2\"}},"
          "{\"type\":\"null_type\"},{\"bytes\":\"YQ==\"}]}}" TAIL);
    assert_int_equal(suite.counts.lines, 4);
    assert_int_equal(suite.counts.fallbacks, 0);
    rf_suite_close(&suite);
}

static void test_phases(void **state)
{
    (void)state;
    opens((struct rf_suite_options){0});
    gives("nothing", "{\"line\":null,\"ok\":{\"error\":\"no JSON: bad literal\",\"phase\":\"parse\"}" TAIL);
    gives("{\"line\":4}", "{\"line\":4,\"ok\":{\"error\":\"the line has no \\\"expr\\\"\",\"phase\":\"parse\"}" TAIL);
    gives("{\"expr\":\"1 +\"}",
          "{\"line\":null,\"ok\":{\"error\":\"1:4: expected a value, found the end of the expression\","
          "\"phase\":\"parse\"}" TAIL);
    gives("{\"expr\":\"1 + 'a'\"}", "{\"line\":null,\"ok\":{\"error\":\"1:1: no such operator: int + string\","
                                    "\"phase\":\"check\"}" TAIL);
    gives("{\"expr\":\"x\",\"type_env\":[{\"name\":\"x\",\"type\":\"int\"}]}",
          "{\"line\":null,\"ok\":{\"error\":\"no such variable: x\",\"phase\":\"eval\"}" TAIL);
    gives("{\"expr\":\"1 / 0\"}", "{\"line\":null,\"ok\":{\"error\":\"division by zero\",\"phase\":\"eval\"}" TAIL);
    rf_suite_close(&suite);
}

/* Is the phase of the error of a line that one? */
static void fails_in(const char *line, const char *phase)
{
    struct rf_text text = {0};
    fixture_ok(rf_suite_eval(&suite, rf_str_of(line), &text, &err));
    fixture_ok(rf_text_append_char(&text, '\0', &err));
    if (strstr(text.data, "{\"error\":") == NULL || strstr(text.data, phase) == NULL) {
        fail_msg("%s lacks %s", text.data, phase);
    }
    rf_text_free(&text);
}

static void test_unchecked(void **state)
{
    (void)state;
    opens((struct rf_suite_options){0});
    fails_in("{\"expr\":\"x\"}", "\"phase\":\"check\"");
    fails_in("{\"expr\":\"x\",\"disable_check\":true}", "\"phase\":\"eval\"");
    fails_in("{\"expr\":\"[1].all(e, e > 0)\",\"disable_macros\":true}", "\"phase\":\"check\"");
    gives("{\"expr\":\"x || true\",\"disable_check\":true}", "{\"line\":null,\"ok\":{\"value\":{\"bool\":true}}" TAIL);
    fails_in("{\"expr\":\"x || true\"}", "\"phase\":\"check\"");
    rf_suite_close(&suite);
    opens((struct rf_suite_options){.is_unchecked = true});
    fails_in("{\"expr\":\"x\"}", "\"phase\":\"eval\"");
    fails_in("{\"expr\":\"x\",\"check_only\":true}", "\"phase\":\"check\"");
    gives("{\"expr\":\"x || true\"}", "{\"line\":null,\"ok\":{\"value\":{\"bool\":true}}" TAIL);
    rf_suite_close(&suite);
}

static void test_types(void **state)
{
    (void)state;
    opens((struct rf_suite_options){0});
    gives("{\"expr\":\"[1]\",\"check_only\":true}", "{\"line\":null,\"ok\":{\"type\":\"list(int)\"}" TAIL);
    gives("{\"expr\":\"{'a': 1}\",\"want_type\":true}",
          "{\"line\":null,\"ok\":{\"value\":{\"map\":[[{\"string\":\"a\"},{\"int\":\"1\"}]]},"
          "\"type\":\"map(string, int)\"}" TAIL);
    gives("{\"expr\":\"f(1)\",\"check_only\":true,\"type_env\":[{\"name\":\"f\",\"overloads\":[{\"params\":[\"int\"],"
          "\"result\":\"bool\"}]}]}",
          "{\"line\":null,\"ok\":{\"type\":\"bool\"}" TAIL);
    fails_in("{\"expr\":\"f(1)\",\"check_only\":true}", "\"phase\":\"check\"");
    fails_in("{\"expr\":\"1 == 1.0\",\"check_only\":true}", "\"phase\":\"check\"");
    /* Checking never changes a value, and there is no type then. */
    gives("{\"expr\":\"1 == 1.0\",\"want_type\":true}", "{\"line\":null,\"ok\":{\"value\":{\"bool\":true}}" TAIL);
    gives("{\"expr\":\"x + 1\",\"want_type\":true,\"type_env\":[{\"name\":\"x\",\"type\":\"int\"}],"
          "\"rows\":[{\"x\":{\"value\":{\"int\":\"1\"}}},{}]}",
          "{\"line\":null,\"ok\":{\"rows\":[{\"value\":{\"int\":\"2\"},\"type\":\"int\"},"
          "{\"error\":\"no such variable: x\",\"phase\":\"eval\"}]}" TAIL);
    rf_suite_close(&suite);
}

static void test_rows(void **state)
{
    (void)state;
    static const char rows[] = "{\"expr\":\"x * 2\",\"rows\":[{\"x\":{\"value\":{\"int\":\"1\"}}},"
                               "{\"x\":{\"value\":{\"string\":\"a\"}}},{},{\"x\":{\"value\":{\"int\":\"4\"}}}]}";
    static const char wanted[] = "{\"line\":null,\"ok\":{\"rows\":[{\"value\":{\"int\":\"2\"}},"
                                 "{\"error\":\"no such overload: string * int\",\"phase\":\"eval\"},"
                                 "{\"error\":\"no such variable: x\",\"phase\":\"eval\"},{\"value\":{\"int\":\"8\"}}]}";
    struct rf_text text = {0};
    opens((struct rf_suite_options){0});
    gives("{\"expr\":\"1\",\"rows\":[]}", "{\"line\":null,\"ok\":{\"rows\":[]}" TAIL);
    gives("{\"expr\":\"1\",\"rows\":[{}]}", "{\"line\":null,\"ok\":{\"rows\":[{\"value\":{\"int\":\"1\"}}]}" TAIL);
    fixture_ok(rf_suite_eval(&suite, rf_str_of(rows), &text, &err));
    assert_true(rf_str_starts(rf_text_str(&text), rf_str_of(wanted)));
    rf_suite_close(&suite);
    /* The other engine, lifted or not. */
    for (int is_lifting = 0; is_lifting < 2; is_lifting++) {
        opens((struct rf_suite_options){.engine = rf_table_eval, .is_lifting = is_lifting == 1});
        rf_text_clear(&text);
        fixture_ok(rf_suite_eval(&suite, rf_str_of(rows), &text, &err));
        assert_true(rf_str_starts(rf_text_str(&text), rf_str_of(wanted)));
        assert_int_equal(suite.counts.lifted, is_lifting);
        assert_int_equal(suite.counts.disagreements, 0);
        rf_suite_close(&suite);
    }
    rf_text_free(&text);
}

/* ---- Engines ---- */

static uint32_t lie_rows; /* that the lying engine was given */
static uint32_t lie_row;  /* in which it lies */
static uint64_t lie_host_rows;
static enum rf_status lie_status; /* what it ends with, in the place of RF_OK */
static struct rf_value lie;

static enum rf_status lying_engine(const struct rf_compiled *compiled, enum rf_isa isa, const struct rf_value *binding,
                                   uint32_t rows, struct rf_arena *memory, struct rf_value *out, uint64_t *host_rows,
                                   struct rf_error *problem)
{
    const enum rf_status status = rf_table_eval(compiled, isa, binding, rows, memory, out, host_rows, problem);
    lie_rows = rows;
    *host_rows = lie_host_rows;
    if (lie_row < rows) {
        out[lie_row] = lie;
    }
    if (lie_status != RF_OK) {
        RF_FAIL(problem, lie_status, "too many");
    }
    return status;
}

#define LIFTED(fallback, count) ",\"engine\":\"other\",\"fallback\":" fallback ",\"lifted\":" count "}\n"

static void test_lifting(void **state)
{
    (void)state;
    opens((struct rf_suite_options){.engine = lying_engine, .engine_name = "other", .is_lifting = true});
    lie_row = UINT32_MAX;
    gives("{\"expr\":\"1 < 2\"}", "{\"line\":null,\"ok\":{\"value\":{\"bool\":true}}" LIFTED("false", "2"));
    assert_in_range(lie_rows, 20, 1 + RF_SUITE_NEAR_ROWS_MAX);
    gives("{\"expr\":\"1 + 'a'\"}", "{\"line\":null,\"ok\":{\"error\":\"no such overload: int + string\","
                                    "\"phase\":\"eval\"}" LIFTED("false", "2"));
    gives("{\"expr\":\"x\",\"bindings\":{\"x\":{\"value\":{\"int\":\"1\"}}}}",
          "{\"line\":null,\"ok\":{\"value\":{\"int\":\"1\"}}" LIFTED("false", "0"));
    assert_true(lie_rows > 1); /* what is bound has neighbours, too */
    gives("{\"expr\":\"{}\"}", "{\"line\":null,\"ok\":{\"value\":{\"map\":[]}}" LIFTED("false", "0"));
    assert_int_equal(lie_rows, 1);
    gives("{\"expr\":\"1\",\"rows\":[]}", "{\"line\":null,\"ok\":{\"rows\":[]}" LIFTED("false", "1"));
    assert_int_equal(lie_rows, 0);
    assert_int_equal(suite.counts.lifted, 5);
    assert_int_equal(suite.counts.disagreements, 0);
    rf_suite_close(&suite);
}

static void test_disagreements(void **state)
{
    (void)state;
    opens((struct rf_suite_options){.engine = lying_engine, .engine_name = "other", .is_lifting = true});
    lie_row = 0;
    lie = rf_value_double(3);
    gives(
        "{\"expr\":\"1 + 2\"}",
        "{\"line\":null,\"ok\":{\"error\":\"engines disagree in row 0: other gives {\\\"double\\\":3.0}, interp gives "
        "{\\\"int\\\":\\\"3\\\"}\",\"phase\":\"eval\"}" LIFTED("false", "2"));
    lie = rf_value_error("nothing");
    gives("{\"expr\":\"1 + 2\"}",
          "{\"line\":null,\"ok\":{\"error\":\"engines disagree in row 0: other gives the error \\\"nothing\\\", interp "
          "gives {\\\"int\\\":\\\"3\\\"}\",\"phase\":\"eval\"}" LIFTED("false", "2"));
    lie = rf_value_double(-0.0);
    fails_in("{\"expr\":\"0.0\"}", "engines disagree in row 0");
    lie_row = 5; /* one of the neighbours */
    lie = rf_value_string(RF_STR("a lie"));
    fails_in("{\"expr\":\"1 + 2\"}", "engines disagree in row 5");
    assert_int_equal(suite.counts.disagreements, 4);
    /* Two errors agree, whatever they say; so do two NaN. */
    lie_row = 0;
    lie = rf_value_error("another");
    gives("{\"expr\":\"1 / 0\"}",
          "{\"line\":null,\"ok\":{\"error\":\"another\",\"phase\":\"eval\"}" LIFTED("false", "2"));
    lie = rf_value_double(0.0 / 0.0);
    gives("{\"expr\":\"-(0.0 / 0.0)\"}", "{\"line\":null,\"ok\":{\"value\":{\"double\":\"NaN\"}}" LIFTED("false", "2"));
    /* Bounds may be met at different places. */
    lie = rf_value_error(RF_ERROR_TOO_LARGE);
    gives("{\"expr\":\"1\"}",
          "{\"line\":null,\"ok\":{\"error\":\"the value is too large\",\"phase\":\"eval\"}" LIFTED("false", "1"));
    assert_int_equal(suite.counts.disagreements, 4);
    rf_suite_close(&suite);
    /* Without lifting nothing is compared: the result is the engine's. */
    opens((struct rf_suite_options){.engine = lying_engine, .engine_name = "other"});
    lie = rf_value_int(4);
    gives("{\"expr\":\"1 + 2\"}", "{\"line\":null,\"ok\":{\"value\":{\"int\":\"4\"}}" LIFTED("false", "0"));
    rf_suite_close(&suite);
}

static void test_fallback(void **state)
{
    (void)state;
    opens((struct rf_suite_options){.engine = lying_engine, .engine_name = "other"});
    lie_row = UINT32_MAX;
    lie_host_rows = 0;
    gives("{\"expr\":\"1\"}", "{\"line\":null,\"ok\":{\"value\":{\"int\":\"1\"}}" LIFTED("false", "0"));
    lie_host_rows = 1;
    gives("{\"expr\":\"1\"}", "{\"line\":null,\"ok\":{\"value\":{\"int\":\"1\"}}" LIFTED("true", "0"));
    assert_int_equal(suite.counts.fallbacks, 1);
    fails_in("{\"expr\":\"1 +\"}", "\"fallback\":false");
    fails_in("{\"expr\":\"f(1)\",\"check_only\":true}", "\"fallback\":false");
    assert_int_equal(suite.counts.fallbacks, 1);
    lie_host_rows = 0;
    rf_suite_close(&suite);
}

/* Bounds of the engine are an outcome of the line, a lack of memory ends the run. */
static void test_engine_fails(void **state)
{
    (void)state;
    struct rf_text text = {0};
    opens((struct rf_suite_options){.engine = lying_engine, .engine_name = "other"});
    lie_status = RF_E_LIMIT;
    gives("{\"expr\":\"1\"}", "{\"line\":null,\"ok\":{\"error\":\"too many\",\"phase\":\"eval\"}" LIFTED("false", "0"));
    lie_status = RF_E_MEMORY;
    assert_int_equal(rf_suite_eval(&suite, RF_STR("{\"expr\":\"1\"}"), &text, &err), RF_E_MEMORY);
    rf_text_free(&text);
    lie_status = RF_OK;
    rf_suite_close(&suite);
}

/* ---- Bounds ---- */

static void test_bounds(void **state)
{
    (void)state;
    struct rf_text line = {0};
    opens((struct rf_suite_options){.engine = rf_table_eval, .is_lifting = true});
    /* Five columns of more rows than the table may hold; the same rows with four are fine. */
    fixture_ok(rf_text_append(&line, RF_STR("{\"expr\":\"1 + 1 + 1 + 1 + 1\",\"rows\":[{}"), &err));
    const int rows = RF_SUITE_TABLE_CELLS_MAX / 5 + 1;
    for (int i = 1; i < rows; i++) {
        fixture_ok(rf_text_append(&line, RF_STR(",{}"), &err));
    }
    fixture_ok(rf_text_append(&line, RF_STR("]}"), &err));
    fixture_ok(rf_text_append_char(&line, '\0', &err));
    fails_in(line.data, "more than 1048576 values");
    rf_text_free(&line);
    /* A value that is small, but long as text: each list holds the one before it twice. */
    enum { LISTS = 18 };
    fixture_ok(rf_text_printf(&line, &err, "{\"expr\":\"cel.bind(a, '%0400d', ", 0));
    for (int i = 0; i < LISTS; i++) {
        fixture_ok(rf_text_append(&line, RF_STR("cel.bind(a, [a, a], "), &err));
    }
    fixture_ok(rf_text_append_char(&line, 'a', &err));
    for (int i = 0; i <= LISTS; i++) {
        fixture_ok(rf_text_append_char(&line, ')', &err));
    }
    fixture_ok(rf_text_append(&line, RF_STR("\"}"), &err));
    fixture_ok(rf_text_append_char(&line, '\0', &err));
    rf_suite_close(&suite);
    opens((struct rf_suite_options){0});
    fails_in(line.data, RF_ERROR_TOO_LARGE);
    rf_text_free(&line);
    rf_suite_close(&suite);
}

static void test_rf_suite_refuse(void **state)
{
    (void)state;
    struct rf_text text = {0};
    opens((struct rf_suite_options){0});
    fixture_ok(rf_suite_refuse(&suite, "too long", &text, &err));
    fixture_text_is(&text, "{\"line\":null,\"ok\":{\"error\":\"too long\",\"phase\":\"parse\"}" TAIL);
    assert_int_equal(suite.counts.lines, 1);
    rf_suite_close(&suite);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_phases),
        cmocka_unit_test(test_unchecked),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_lifting),
        cmocka_unit_test(test_disagreements),
        cmocka_unit_test(test_fallback),
        cmocka_unit_test(test_engine_fails),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_rf_suite_refuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
