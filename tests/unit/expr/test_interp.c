/* interp.h: the reference engine, record by record. The language itself is in tests/cases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "interp.h"

static struct rf_error err;

struct engine {
    struct rf_compiled compiled;
    struct rf_interp *interp;
};

enum { DEPTH_MAX = 64, DEPTH_MAX_LARGE = 65536 };

static void engine_open_deep(struct engine *engine, const char *predicate, const char *projection,
                             struct rf_compile_options options, bool is_validating, uint32_t depth_max)
{
    const struct rf_str predicates[] = {rf_str_of(predicate)};
    const struct rf_str projections[] = {rf_str_of(projection == NULL ? "" : projection)};
    struct rf_diagnostic diagnostic;
    uint32_t failed = 0;
    const enum rf_status status = rf_compile(predicates, 1, projections, projection == NULL ? 0 : 1, options,
                                             &engine->compiled, &diagnostic, &failed, &err);
    if (status != RF_OK) {
        print_error("%s: %s\n", predicate, err.text);
    }
    assert_int_equal(status, RF_OK);
    const struct rf_interp_options interp_options = {.depth_max = depth_max, .is_validating = is_validating};
    assert_int_equal(rf_interp_open(&engine->interp, &engine->compiled, interp_options, &err), RF_OK);
}

static void engine_open(struct engine *engine, const char *predicate, const char *projection,
                        struct rf_compile_options options, bool is_validating)
{
    engine_open_deep(engine, predicate, projection, options, is_validating, DEPTH_MAX);
}

static void engine_close(struct engine *engine)
{
    rf_interp_close(engine->interp);
    rf_compiled_close(&engine->compiled);
}

static struct rf_malformed engine_read(struct engine *engine, struct rf_str text)
{
    const struct rf_record record = {.text = text, .file = RF_STR("in.json"), .number = 7, .offset = 99};
    struct rf_malformed malformed;
    assert_int_equal(rf_interp_read(engine->interp, &record, &malformed, &err), RF_OK);
    return malformed;
}

static enum rf_truth decide(const char *predicate, const char *text)
{
    struct engine engine;
    engine_open(&engine, predicate, NULL, (struct rf_compile_options){0}, false);
    assert_int_equal(engine_read(&engine, rf_str_of(text)).reason, RF_REASON_NONE);
    const enum rf_truth truth = rf_interp_predicate(engine.interp, 0);
    assert_int_equal(rf_interp_error(engine.interp).count != 0, truth == RF_TRUTH_ERROR);
    engine_close(&engine);
    return truth;
}

static void test_interp_predicate(void **state)
{
    (void)state;
    assert_int_equal(decide("price > 100", "{\"price\":101}"), RF_TRUTH_TRUE);
    assert_int_equal(decide("price > 100", "{\"price\":99}"), RF_TRUTH_FALSE);
    assert_int_equal(decide("price > 100", "{\"price\":\"x\"}"), RF_TRUTH_ERROR);
    assert_int_equal(decide("price > 100", "{}"), RF_TRUTH_ERROR);
    assert_int_equal(decide("a.b.c == 1 || true", "3"), RF_TRUTH_TRUE);
    assert_int_equal(decide("false && x", "{}"), RF_TRUTH_FALSE);
    assert_int_equal(decide("x ? a : b", "{\"x\":true,\"a\":false}"), RF_TRUTH_FALSE);
}

/* {"a":[0,0,...],"b":[0,0,...]} */
static struct rf_str two_lists(struct rf_text *text, uint32_t a, uint32_t b)
{
    rf_text_clear(text);
    assert_int_equal(rf_text_append(text, RF_STR("{\"a\":[0"), &err), RF_OK);
    for (uint32_t i = 1; i < a; i++) {
        assert_int_equal(rf_text_append(text, RF_STR(",0"), &err), RF_OK);
    }
    assert_int_equal(rf_text_append(text, RF_STR("],\"b\":[0"), &err), RF_OK);
    for (uint32_t i = 1; i < b; i++) {
        assert_int_equal(rf_text_append(text, RF_STR(",0"), &err), RF_OK);
    }
    assert_int_equal(rf_text_append(text, RF_STR("]}\0"), &err), RF_OK);
    return rf_text_str(text);
}

/* OUTER runs of the outer body, each with INNER of the inner one, are as much as there may be. */
static void test_interp_work(void **state)
{
    (void)state;
    enum { RUNS = RF_WORK_MAX / RF_WORK_STEP, OUTER = 2048, INNER = RUNS / OUTER - 1 };
    _Static_assert(OUTER * (INNER + 1) == RUNS, "the bound is met exactly");
    static const char both[] = "a.all(x, b.all(y, x == y))";
    struct rf_text text = {0};
    assert_int_equal(decide(both, two_lists(&text, OUTER, INNER).data), RF_TRUTH_TRUE);
    assert_int_equal(decide(both, two_lists(&text, OUTER, INNER + 1).data), RF_TRUTH_ERROR);
    assert_int_equal(decide(both, two_lists(&text, OUTER + 1, INNER).data), RF_TRUTH_ERROR);
    /* What stands beside each other has its own bound each; so has what is bound around a macro. */
    const char *same = two_lists(&text, OUTER, INNER).data;
    assert_int_equal(decide("a.all(x, b.all(y, x == y)) && a.all(x, b.all(y, x <= y))", same), RF_TRUTH_TRUE);
    assert_int_equal(decide("cel.bind(z, a.all(x, b.all(y, x == y)), a.all(x, z))", same), RF_TRUTH_TRUE);
    assert_int_equal(decide("a.filter(x, b.all(y, x == y)).all(x, x == 0)", same), RF_TRUTH_TRUE);
    /* A body that looks into a list takes what is in it. */
    assert_int_equal(decide("a.all(x, x in b)", two_lists(&text, 3000, 3000).data), RF_TRUTH_TRUE);
    assert_int_equal(decide("a.all(x, x in b)", two_lists(&text, 8000, 8000).data), RF_TRUTH_ERROR);
    rf_text_free(&text);
}

static void test_interp_read(void **state)
{
    (void)state;
    struct engine engine;
    engine_open(&engine, "a == 1", NULL, (struct rf_compile_options){0}, false);
    assert_int_equal(engine_read(&engine, RF_STR("{\"b\":nul}")).reason, RF_REASON_NONE);
    const struct rf_malformed touched = engine_read(&engine, RF_STR("{\"a\":nul}"));
    assert_int_equal(touched.reason, RF_REASON_LITERAL);
    assert_int_equal(touched.offset, 5);
    assert_int_equal(engine_read(&engine, RF_STR("{\"a\":1")).reason, RF_REASON_UNFINISHED);
    /* A malformed record leaves nothing behind for the next one. */
    assert_int_equal(engine_read(&engine, RF_STR("{\"a\":1}")).reason, RF_REASON_NONE);
    assert_int_equal(rf_interp_predicate(engine.interp, 0), RF_TRUTH_TRUE);
    engine_close(&engine);
    engine_open(&engine, "a == 1", NULL, (struct rf_compile_options){0}, true);
    assert_int_equal(engine_read(&engine, RF_STR("{\"b\":nul}")).reason, RF_REASON_LITERAL);
    assert_int_equal(engine_read(&engine, RF_STR("{\"b\\q\":1}")).reason, RF_REASON_ESCAPE);
    engine_close(&engine);
}

static void test_interp_open(void **state)
{
    (void)state;
    struct engine engine; /* bounded nesting: at the bound and above it */
    engine_open(&engine, "true", NULL, (struct rf_compile_options){0}, false);
    char text[2 * 65];
    memset(text, '[', 65);
    memset(text + 65, ']', 65);
    assert_int_equal(engine_read(&engine, (struct rf_str){text + 1, 128}).reason, RF_REASON_NONE);
    assert_int_equal(engine_read(&engine, (struct rf_str){text, 130}).reason, RF_REASON_DEEP);
    engine_close(&engine);
}

static void test_envelope(void **state)
{
    (void)state;
    assert_int_equal(decide("record.number == 7 && record.offset == 99", "1"), RF_TRUTH_TRUE);
    assert_int_equal(decide("record.file.endsWith(\".json\")", "1"), RF_TRUTH_TRUE);
    assert_int_equal(decide("has(record.key)", "1"), RF_TRUTH_FALSE);
    assert_int_equal(decide("has(record.number)", "1"), RF_TRUTH_TRUE);
    assert_int_equal(decide("record.key == \"x\"", "1"), RF_TRUTH_ERROR);
    assert_int_equal(decide("raw == \"[1, 2]\"", "[1, 2]"), RF_TRUTH_TRUE);
}

static void test_text_mode(void **state)
{
    (void)state;
    struct engine engine;
    engine_open(&engine, "raw.contains(\"{\")", NULL, (struct rf_compile_options){.is_text = true}, false);
    assert_int_equal(engine_read(&engine, RF_STR("a { b")).reason, RF_REASON_NONE);
    assert_int_equal(rf_interp_predicate(engine.interp, 0), RF_TRUTH_TRUE);
    const struct rf_malformed malformed = engine_read(&engine, RF_STR("ab\xff"));
    assert_int_equal(malformed.reason, RF_REASON_UTF8);
    assert_int_equal(malformed.offset, 2);
    engine_close(&engine);
}

static void test_strict_cel(void **state)
{
    (void)state;
    struct engine engine;
    engine_open(&engine, "a * b == 6.0", NULL, (struct rf_compile_options){.is_strict_cel = true}, false);
    assert_int_equal(engine_read(&engine, RF_STR("{\"a\":2,\"b\":3}")).reason, RF_REASON_NONE);
    assert_int_equal(rf_interp_predicate(engine.interp, 0), RF_TRUTH_TRUE);
    engine_close(&engine);
}

static void project(const char *projection, const char *text, const char *json)
{
    struct engine engine;
    engine_open(&engine, "true", projection, (struct rf_compile_options){0}, false);
    assert_int_equal(engine_read(&engine, rf_str_of(text)).reason, RF_REASON_NONE);
    const struct rf_value value = rf_interp_project(engine.interp, 0);
    if (json == NULL) {
        assert_int_equal(value.type, RF_TYPE_ERROR);
        assert_true(rf_interp_error(engine.interp).count != 0);
    } else {
        struct rf_text out = {0};
        assert_int_not_equal(value.type, RF_TYPE_ERROR);
        assert_int_equal(rf_value_write_json(&out, value, &err), RF_OK);
        if (!rf_str_equal(rf_text_str(&out), rf_str_of(json))) {
            print_error("%s: %.*s\n", projection, (int)out.count, out.data);
        }
        assert_true(rf_str_equal(rf_text_str(&out), rf_str_of(json)));
        rf_text_free(&out);
    }
    engine_close(&engine);
}

static void test_interp_project(void **state)
{
    (void)state;
    project("{\"id\": id, \"n\": price * qty}", "{\"id\":9007199254740993,\"price\":2.5,\"qty\":4}",
            "{\"id\":9007199254740993,\"n\":10}");
    project("[a, b[1]]", "{\"a\":{\"x\":[ 1 ]},\"b\":[1,\"\\u00e9\"]}", "[{\"x\":[1]},\"\xc3\xa9\"]");
    project("msg", "{\"a\":1e400,\"a\":1.0}", "{\"a\":1.0}");
    project("a", "{\"a\":1e400}", "1e400");
    project("{\"a\": a}", "{\"a\":1e400}", "{\"a\":1e400}");
    project("a + 1", "{\"a\":1e400}", NULL);
    project("missing", "{}", NULL);
    project("{\"a\": missing}", "{}", NULL);
}

/* A value nested deeper than values may be is an error where it is used whole, and nowhere else. */
static void test_deep_value(void **state)
{
    (void)state;
    enum { NESTED = 2 * DEPTH_MAX_LARGE };
    char *text = malloc(NESTED);
    assert_non_null(text);
    memset(text, '[', NESTED / 2);
    memset(text + NESTED / 2, ']', NESTED / 2);
    struct engine engine;
    engine_open_deep(&engine, "msg != null && size(msg) == 1", "msg", (struct rf_compile_options){0}, true,
                     DEPTH_MAX_LARGE);
    assert_int_equal(engine_read(&engine, (struct rf_str){text, NESTED}).reason, RF_REASON_NONE);
    assert_int_equal(rf_interp_predicate(engine.interp, 0), RF_TRUTH_TRUE);
    assert_int_equal(rf_interp_project(engine.interp, 0).type, RF_TYPE_ERROR);
    engine_close(&engine);
    engine_open_deep(&engine, "msg == msg", NULL, (struct rf_compile_options){0}, false, DEPTH_MAX_LARGE);
    assert_int_equal(engine_read(&engine, (struct rf_str){text, NESTED}).reason, RF_REASON_NONE);
    assert_int_equal(rf_interp_predicate(engine.interp, 0), RF_TRUTH_ERROR);
    engine_close(&engine);
    free(text);
}

/* The deepest expression there may be: recursion is bounded by the parser. */
static void test_deep_expression(void **state)
{
    (void)state;
    char text[2048];
    size_t count = (size_t)sprintf(text, "a == ");
    enum { LEVELS = 240 };
    memset(text + count, '[', LEVELS);
    count += LEVELS;
    count += (size_t)sprintf(text + count, "b + 1");
    memset(text + count, ']', LEVELS);
    text[count + LEVELS] = '\0';
    assert_int_equal(decide(text, "{\"a\":[],\"b\":1}"), RF_TRUTH_FALSE);
    assert_int_equal(decide(text, "{\"a\":[],\"b\":\"x\"}"), RF_TRUTH_ERROR);
}

/* Sub-trees that the planner leaves to the host must say what the interpreter says of the whole. */
static void test_interp_host(void **state)
{
    (void)state;
    struct engine engine;
    engine_open(&engine, "size(list) == 2", NULL, (struct rf_compile_options){0}, false);
    assert_true(engine.compiled.hosts >= 1);
    assert_int_equal(engine_read(&engine, RF_STR("{\"list\":[1,2]}")).reason, RF_REASON_NONE);
    assert_int_equal(rf_interp_host(engine.interp, 0), RF_TRUTH_TRUE);
    assert_int_equal(engine_read(&engine, RF_STR("{\"list\":[1]}")).reason, RF_REASON_NONE);
    assert_int_equal(rf_interp_host(engine.interp, 0), RF_TRUTH_FALSE);
    assert_int_equal(engine_read(&engine, RF_STR("{\"list\":1}")).reason, RF_REASON_NONE);
    assert_int_equal(rf_interp_host(engine.interp, 0), RF_TRUTH_ERROR);
    engine_close(&engine);
}

static void test_interp_error(void **state)
{
    (void)state;
    struct engine engine;
    engine_open(&engine, "price > 1", NULL, (struct rf_compile_options){0}, false);
    assert_int_equal(engine_read(&engine, RF_STR("{}")).reason, RF_REASON_NONE);
    assert_int_equal(rf_interp_predicate(engine.interp, 0), RF_TRUTH_ERROR);
    assert_true(rf_str_equal(rf_interp_error(engine.interp), RF_STR("no such key: price")));
    assert_int_equal(engine_read(&engine, RF_STR("{\"price\":2}")).reason, RF_REASON_NONE);
    assert_int_equal(rf_interp_error(engine.interp).count, 0);
    engine_close(&engine);
}

/* The innermost part that failed, whatever the error passed through; `null` for evaluations that do not fail. */
struct failure {
    const char *source, *record, *part;
    unsigned nth; /* occurrence of the part in the source, from 0 */
};

static const struct failure failures[] = {
    {"qty * 2 > 5", "{}", "qty", 0},
    {"qty * 2 > 5", "{\"qty\":\"x\"}", "qty * 2", 0},
    {"(qty * 2) > b", "{\"qty\":1,\"b\":\"x\"}", "(qty * 2) > b", 0},
    {"a.b.c == 1", "{\"a\":{}}", "a.b", 0},
    {"a.b.c == 1", "{\"a\":{\"b\":3}}", "a.b.c", 0},
    {"has(a.b.c)", "{\"a\":{}}", "a.b", 0},
    {"has(a.b.c)", "{\"a\":{\"b\":3}}", "has(a.b.c)", 0},
    {"a[b + 'x'] == 1", "{\"a\":{},\"b\":2}", "b + 'x'", 0},
    {"a[b] == 1", "{\"a\":[],\"b\":2}", "a[b]", 0},
    /* The same text of an error twice: only the one that is left counts. */
    {"(1 / a.size() == 1 || true) && 2 / b.size() == 1", "{\"a\":\"\",\"b\":\"\"}", "2 / b.size()", 0},
    {"1 / a.size() == 1 || 1 / a.size() == 2", "{\"a\":\"\"}", "1 / a.size()", 0},
    {"a && b && c", "{\"a\":true,\"b\":1,\"c\":\"x\"}", "b", 0},
    {"a || (b ? c : d)", "{\"a\":false,\"b\":1}", "b", 0},
    {"a ? b : c ? d : e", "{\"a\":false,\"c\":true,\"d\":[]}", "a ? b : c ? d : e", 0},
    {"a", "{\"a\":1}", "a", 0},
    {"!a", "{\"a\":1}", "!a", 0},
    {"b == 1 || a < 2", "{\"a\":1e400,\"b\":2}", "a", 0},
    {"[a][0] < 2", "{\"a\":1e400}", "[a][0]", 0},
    {"matches(a, b)", "{\"a\":\"x\",\"b\":\"(\"}", "matches(a, b)", 0},
    {"matches(a, 'x+')", "{\"a\":7}", "matches(a, 'x+')", 0},
    {"a.startsWith(b.c)", "{\"a\":\"x\",\"b\":1}", "b.c", 0},
    {"timestamp(a) < timestamp('2024-01-01T00:00:00Z')", "{\"a\":\"x\"}", "timestamp(a)", 0},
    {"a.all(x, x.y > 1)", "{\"a\":[{\"y\":2},{}]}", "x.y", 0},
    {"a.all(x, x)", "{\"a\":[1]}", "x", 1},
    {"a.b.exists(x, x > 1)", "{\"a\":{\"b\":7}}", "a.b", 0},
    {"a.exists_one(x, x.y == 1)", "{\"a\":[2]}", "x.y", 0},
    {"a.map(x, x + 'y') == []", "{\"a\":[2]}", "x + 'y'", 0},
    {"a.filter(x, x) == []", "{\"a\":[2]}", "x", 1},
    {"{'k': a + 1}.k == 1", "{\"a\":\"x\"}", "a + 1", 0},
    {"{a: 1}.size() == 1", "{\"a\":[1]}", "{a: 1}", 0},
    {"[1, a.b] == [1]", "{\"a\":1}", "a.b", 0},
    {"cel.bind(x, a.b, x + 1 > 0)", "{\"a\":{}}", "a.b", 0},
    {"a.?b.orValue(c.d) == 1", "{\"a\":{},\"c\":{}}", "c.d", 0},
    {"a.?b.value() == 1", "{\"a\":{}}", "a.?b.value()", 0},
    {"record.number + a > 1", "{\"a\":\"x\"}", "record.number + a", 0},
    {"record.key == 'x'", "{}", "record.key", 0},
    {"qty * 2 > 5", "{\"qty\":3}", NULL, 0},
    {"false && qty", "{}", NULL, 0},
};

static void assert_span(const struct failure *failure, struct rf_span span)
{
    const char *at = strstr(failure->source, failure->part);
    for (unsigned i = 0; i < failure->nth && at != NULL; i++) {
        at = strstr(at + 1, failure->part);
    }
    assert_non_null(at);
    if (span.begin != at - failure->source || span.end - span.begin != strlen(failure->part)) {
        fail_msg("%s of %s: %.*s at %u, wanted %s", failure->source, failure->record, (int)(span.end - span.begin),
                 failure->source + span.begin, span.begin, failure->part);
    }
}

static void test_interp_error_span(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        const struct failure *failure = &failures[i];
        struct engine engine;
        struct rf_span span = {77, 77};
        engine_open(&engine, failure->source, failure->source, (struct rf_compile_options){0}, false);
        assert_false(rf_interp_error_span(engine.interp, &span));
        assert_int_equal(engine_read(&engine, rf_str_of(failure->record)).reason, RF_REASON_NONE);
        assert_false(rf_interp_error_span(engine.interp, &span));
        const bool is_error = rf_interp_predicate(engine.interp, 0) == RF_TRUTH_ERROR;
        assert_int_equal(rf_interp_error_span(engine.interp, &span), is_error);
        if (failure->part == NULL) {
            assert_false(is_error);
            assert_int_equal(span.begin, 77);
        } else {
            assert_true(is_error);
            assert_span(failure, span);
        }
        const struct rf_value value = rf_interp_project(engine.interp, 0);
        assert_int_equal(rf_interp_error_span(engine.interp, &span), value.type == RF_TYPE_ERROR);
        if (value.type == RF_TYPE_ERROR) {
            assert_span(failure, span);
            assert_null(value.origin);
        }
        engine_close(&engine);
    }
}

/* An error inside a list or map that a projection makes. */
static void test_project_error_span(void **state)
{
    (void)state;
    static const struct failure projected[] = {
        {"[1, {'k': a + 'x'}]", "{\"a\":1}", "a + 'x'", 0},
        {"optional.of(a)", "{}", "a", 1},
        {"a.transformMap(k, v, v + 1)", "{\"a\":{\"x\":\"y\"}}", "v + 1", 0},
        {"a.map(x, [x.b])", "{\"a\":[{}]}", "x.b", 0},
    };
    for (size_t i = 0; i < sizeof projected / sizeof projected[0]; i++) {
        struct engine engine;
        struct rf_span span;
        engine_open(&engine, "true", projected[i].source, (struct rf_compile_options){0}, false);
        assert_int_equal(engine_read(&engine, rf_str_of(projected[i].record)).reason, RF_REASON_NONE);
        assert_int_equal(rf_interp_project(engine.interp, 0).type, RF_TYPE_ERROR);
        assert_true(rf_interp_error_span(engine.interp, &span));
        assert_span(&projected[i], span);
        engine_close(&engine);
    }
}

/* A long chain of operands, and a large record used as a whole, twice. */
static void test_large(void **state)
{
    (void)state;
    enum { OPERANDS = 5000, ELEMENTS = 200000 };
    char *text = malloc(OPERANDS * 8 + ELEMENTS * 2 + 64);
    assert_non_null(text);
    size_t count = 0;
    for (int i = 0; i < OPERANDS; i++) {
        count += (size_t)sprintf(text + count, "%sa == %d", i == 0 ? "" : "||", i % 10);
    }
    struct engine engine;
    engine_open(&engine, text, NULL, (struct rf_compile_options){0}, false);
    assert_int_equal(engine_read(&engine, RF_STR("{\"a\":9}")).reason, RF_REASON_NONE);
    assert_int_equal(rf_interp_predicate(engine.interp, 0), RF_TRUTH_TRUE);
    assert_int_equal(engine_read(&engine, RF_STR("{\"a\":10}")).reason, RF_REASON_NONE);
    assert_int_equal(rf_interp_predicate(engine.interp, 0), RF_TRUTH_FALSE);
    engine_close(&engine);

    count = (size_t)sprintf(text, "{\"l\":[0");
    for (int i = 1; i < ELEMENTS; i++) {
        memcpy(text + count, ",1", 2);
        count += 2;
    }
    count += (size_t)sprintf(text + count, "]}");
    engine_open(&engine, "l == l && size(l) == 200000 && !(2 in l)", NULL, (struct rf_compile_options){0}, false);
    assert_int_equal(engine_read(&engine, (struct rf_str){text, count}).reason, RF_REASON_NONE);
    assert_int_equal(rf_interp_predicate(engine.interp, 0), RF_TRUTH_TRUE);
    engine_close(&engine);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interp_open),
        cmocka_unit_test(test_interp_read),
        cmocka_unit_test(test_interp_work),
        cmocka_unit_test(test_interp_predicate),
        cmocka_unit_test(test_interp_host),
        cmocka_unit_test(test_interp_project),
        cmocka_unit_test(test_interp_error),
        cmocka_unit_test(test_interp_error_span),
        cmocka_unit_test(test_project_error_span),
        cmocka_unit_test(test_envelope),
        cmocka_unit_test(test_text_mode),
        cmocka_unit_test(test_strict_cel),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_deep_value),
        cmocka_unit_test(test_deep_expression),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
