/* test_explain_calc.c: computed columns as text. */
#include "explain_calc.h"
#include "expr_fixture.h"

static struct rf_text out;
static struct rf_error err;

static const char *content(void)
{
    fixture_ok(rf_text_append_char(&out, '\0', &err), &err);
    return out.data;
}

static void assert_calcs(const char *predicate, const char *wanted)
{
    struct rf_compiled compiled;
    fixture_compile(&compiled, predicate);
    rf_text_clear(&out);
    fixture_ok(rf_explain_calcs(&out, &compiled.program, &err), &err);
    assert_string_equal(content(), wanted);
    rf_compiled_close(&compiled);
}

static void test_rf_explain_column(void **state)
{
    (void)state;
    static const struct {
        size_t count, wanted;
    } cases[] = {{0, 36}, {34, 36}, {35, 36}, {36, 37}, {50, 51}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rf_text_clear(&out);
        fixture_ok(rf_text_append(&out, RF_STR("before\n"), &err), &err);
        const size_t begin = out.count;
        for (size_t c = 0; c < cases[i].count; c++) {
            fixture_ok(rf_text_append_char(&out, 'x', &err), &err);
        }
        fixture_ok(rf_explain_column(&out, begin, &err), &err);
        assert_int_equal(out.count - begin, cases[i].wanted);
        assert_int_equal(out.data[out.count - 1], ' ');
    }
}

static void test_rf_explain_term(void **state)
{
    (void)state;
    static const struct rf_constant item[] = {{.kind = RF_CONSTANT_STRING, .text = {"a\"b", 3}},
                                              {.kind = RF_CONSTANT_NULL},
                                              {.kind = RF_CONSTANT_BOOL, .number = {.as.i = 1}},
                                              {.kind = RF_CONSTANT_BYTES, .text = {"\0x", 2}},
                                              {.kind = RF_CONSTANT_NULL},
                                              {.kind = RF_CONSTANT_NULL},
                                              {.kind = RF_CONSTANT_NULL},
                                              {.kind = RF_CONSTANT_NULL},
                                              {.kind = RF_CONSTANT_NULL},
                                              {.kind = RF_CONSTANT_NULL},
                                              {.kind = RF_CONSTANT_NULL},
                                              {.kind = RF_CONSTANT_NULL},
                                              {.kind = RF_CONSTANT_NULL}};
    static const struct rf_cidr net = {.ip = {.byte = {10, 0, 0, 1}}, .prefix = 8};
    struct rf_constant constant[] = {
        {.kind = RF_CONSTANT_NUMBER, .number = {.kind = RF_NUMBER_INT, .as.i = -5}},
        {.kind = RF_CONSTANT_NUMBER, .number = {.kind = RF_NUMBER_UINT, .as.u = 5}},
        {.kind = RF_CONSTANT_NUMBER, .number = {.kind = RF_NUMBER_DOUBLE, .as.d = 5}},
        {.kind = RF_CONSTANT_TIMESTAMP, .number = {.kind = RF_NUMBER_INT, .as.i = 1}, .nanos = 500000000},
        {.kind = RF_CONSTANT_DURATION, .number = {.kind = RF_NUMBER_INT, .as.i = 1500000000}},
        {.kind = RF_CONSTANT_TYPE, .text = {"int", 3}},
        {.kind = RF_CONSTANT_MAP, .item = item, .items = 2},
        {.kind = RF_CONSTANT_LIST, .item = item, .items = 13},
        {.kind = RF_CONSTANT_LIST, .items = 0},
        {.kind = RF_CONSTANT_IP, .net = &net},
        {.kind = RF_CONSTANT_CIDR, .net = &net},
        {.kind = RF_CONSTANT_OPTIONAL, .items = 0},
        {.kind = RF_CONSTANT_OPTIONAL, .item = item, .items = 1},
        {.kind = RF_CONSTANT_ERROR},
    };
    static const char *const wanted[] = {
        "-5",
        "5u",
        "5.0",
        "timestamp(\"1970-01-01T00:00:01.5Z\")",
        "duration(\"1.5s\")",
        "int",
        "{\"a\\\"b\": null, true: b\"\\x00x\"}",
        "[\"a\\\"b\", null, true, b\"\\x00x\", null, null, null, null, null, null, null, null, and 1 more]",
        "[]",
        "ip(\"10.0.0.1\")",
        "cidr(\"10.0.0.1/8\")",
        "optional.none()",
        "optional.of(\"a\\\"b\")",
        "error",
    };
    const struct rf_program program = {.constant = constant, .constants = sizeof constant / sizeof constant[0]};
    for (uint32_t i = 0; i < program.constants; i++) {
        rf_text_clear(&out);
        fixture_ok(rf_explain_term(&out, &program, RF_TERM_CONSTANT | i, &err), &err);
        assert_string_equal(content(), wanted[i]);
    }
    rf_text_clear(&out);
    fixture_ok(rf_explain_term(&out, &program, 17, &err), &err);
    fixture_ok(rf_explain_term(&out, &program, RF_TERM_COMPUTED | 4000, &err), &err);
    assert_string_equal(content(), "s17c4000");
}

static void test_rf_explain_calcs(void **state)
{
    (void)state;
    assert_calcs("a == 1", "");
    assert_calcs("a.lowerAscii() == 'abc' && (b + 'x').lowerAscii() < c && a.lowerAscii().size() > 2 && -d < 3 && "
                 "(e ? d : -d) == 1",
                 "  c0   lowerAscii(s0)               vector\n"
                 "  c1   s1 + \"x\"                     vector\n"
                 "  c2   lowerAscii(c1)               vector\n"
                 "  c3   size(c0)                     vector\n"
                 "  c4   -s3                          vector\n"
                 "  c5   s4 ? s3 : c4                 vector\n");
}

/* What is syntax in an expression, and optionals. */
static void test_syntax(void **state)
{
    (void)state;
    assert_calcs("a.?b.hasValue() && {'k': a, ?'l': a.?c}.size() > 1 && [?a.?b, ?optional.of(x)][0] == 1 && "
                 "has({'a': x}.b) && {'a': x}[?a].hasValue() && x in ['a', {'b': null}]",
                 "  c0   optional(s1)                 vector\n"
                 "  c1   hasValue(c0)                 vector\n"
                 "  c2   optional(s2)                 vector\n"
                 "  c3   {\"k\": s0, ?\"l\": c2}          vector\n"
                 "  c4   size(c3)                     vector\n"
                 "  c5   optional.of(s3)              vector\n"
                 "  c6   [?c0, ?c5]                   vector\n"
                 "  c7   c6[0]                        vector\n"
                 "  c8   {\"a\": s3}                    vector\n"
                 "  c9   has(c8[\"b\"])                 vector\n"
                 "  c10  c8[?s0]                      vector\n"
                 "  c11  hasValue(c10)                vector\n"
                 "  c12  s3 in [\"a\", {\"b\": null}]     vector\n");
}

/* The columns of a macro stand before it; its variables are counted through the macros around it; what it takes from
 * around it has the name that it has there. */
static void test_macros(void **state)
{
    (void)state;
    assert_calcs(
        "a.exists(x, x > 3 && b.all(k, v, k + v > x + c)) && d.map(y, y > 1, y) == [1] && "
        "e.?f.optMap(z, z + 1).hasValue()",
        "  c0.0 v0 > 3                       vector\n"
        "  c0.1.0 v1 + v2                    vector\n"
        "  c0.1.1 v0 + s2                    vector\n"
        "  c0.1.2 c0.1.0 > c0.1.1            vector\n"
        "  c0.1 s1.all(v1, v2, c0.1.2)       vector (host: records with more than 16384 elements or too much work)\n"
        "  c0.2 c0.0 && c0.1                 vector\n"
        "  c0   s0.exists(v0, c0.2)          vector (host: records with more than 128 elements or too much work)\n"
        "  c1.0 v0 > 1                       vector\n"
        "  c1   s3.map(v0, c1.0, v0)         vector (host: records with more than 16384 elements or too much work)\n"
        "  c2   optional(s5)                 vector\n"
        "  c3.0 v0 + 1                       vector\n"
        "  c3   c2.optMap(v0, c3.0)          vector\n"
        "  c4   hasValue(c3)                 vector\n");
}

static void test_regex(void **state)
{
    (void)state;
    assert_calcs("a.matches('') && a.matches('a+b') && a.matches('a[ab]{20}c')",
                 "  c0   matches(s0, \"\")              vector (DFA of 2 states over 1 class of bytes)\n"
                 "  c1   matches(s0, \"a+b\")           vector (DFA of 4 states over 3 classes of bytes)\n"
                 "  c2   matches(s0, \"a[ab]{20}c\")    vector (NFA of 23 nodes: its DFA is over the bound)\n");
}

static int suite_close(void **state)
{
    (void)state;
    rf_text_free(&out);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_explain_column),
        cmocka_unit_test(test_rf_explain_term),
        cmocka_unit_test(test_rf_explain_calcs),
        cmocka_unit_test(test_syntax),
        cmocka_unit_test(test_macros),
        cmocka_unit_test(test_regex),
    };
    return cmocka_run_group_tests_name("explain_calc", tests, NULL, suite_close);
}
