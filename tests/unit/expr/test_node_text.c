#include <stdlib.h>

#include "expr_fixture.h"

/* A text that the parser reads back as the same text: the planner takes it as an identity. */
static void test_rf_node_write(void **state)
{
    static const char *const sources[] = {
        "a - (b - c) * -d % 2",
        "-(-5) + - -x",
        "(a ? b : c) ? d : e ? f : g",
        "(a || b) && !(c && d) || e",
        "((a == b) == c) != (d < (e < f))",
        "x in [1, 2u, 3.0, 1e300, -0.0, 'a\"\\\\\\n', b'\\xff', null, true, {'k': [v]}]",
        "has(a.`b c`) && a['in'].x[0][i + 1].size() > size('x')",
        "(a + b).startsWith('x') && (-5).b.endsWith(c)",
        "{1: 'a', 'b': {}}[k]",
        "[a][0].b",
        "record.file == raw",
    };
    (void)state;
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        struct rf_arena arena;
        struct rf_arena again;
        char *first = strdup(fixture_text(fixture_parse(&arena, sources[i])));
        assert_non_null(first);
        assert_string_equal(fixture_text(fixture_parse(&again, first)), first);
        free(first);
        rf_arena_free(&arena);
        rf_arena_free(&again);
    }
}

static const char *literal_text(struct rf_value value)
{
    static char text[128];
    struct rf_text out = {0};
    struct rf_error err = {0};
    fixture_ok(rf_literal_write(&out, value, &err), &err);
    assert_true(out.count < sizeof text);
    memcpy(text, out.data, out.count);
    text[out.count] = '\0';
    rf_text_free(&out);
    return text;
}

static void test_rf_literal_write(void **state)
{
    (void)state;
    assert_string_equal(literal_text(rf_value_int(INT64_MIN)), "-9223372036854775808");
    assert_string_equal(literal_text(rf_value_uint(UINT64_MAX)), "18446744073709551615u");
    assert_string_equal(literal_text(rf_value_double(5)), "5.0");
    assert_string_equal(literal_text(rf_value_double(-0.0)), "-0.0");
    assert_string_equal(literal_text(rf_value_double(0.1)), "0.1");
    assert_string_equal(literal_text(rf_value_double(1e300)), "1e+300");
    assert_string_equal(literal_text(rf_value_double(__builtin_nan(""))), "NaN");
    assert_string_equal(literal_text(rf_value_double(-__builtin_inf())), "-Infinity");
    assert_string_equal(literal_text(rf_value_null()), "null");
    assert_string_equal(literal_text(rf_value_bool(true)), "true");
    assert_string_equal(literal_text(rf_value_string(RF_STR("a\"\n"))), "\"a\\\"\\x0a\"");
}

static void test_rf_quoted_write(void **state)
{
    struct rf_text out = {0};
    struct rf_error err = {0};
    (void)state;
    fixture_ok(rf_quoted_write(&out, RF_STR("\\\x7f\xc3\xa9"), &err), &err);
    assert_true(rf_str_equal(rf_text_str(&out), RF_STR("\"\\\\\\x7f\xc3\xa9\"")));
    rf_text_free(&out);
}

static void test_rf_member_write(void **state)
{
    static const char *const names[][2] = {{"a1_", ".a1_"},    {"for", ".for"}, {"in", "[\"in\"]"},
                                           {"1a", "[\"1a\"]"}, {"", "[\"\"]"},  {"a b", "[\"a b\"]"}};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct rf_text out = {0};
        struct rf_error err = {0};
        fixture_ok(rf_member_write(&out, rf_str_of(names[i][0]), &err), &err);
        assert_true(rf_str_equal(rf_text_str(&out), rf_str_of(names[i][1])));
        rf_text_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_node_write),
        cmocka_unit_test(test_rf_literal_write),
        cmocka_unit_test(test_rf_quoted_write),
        cmocka_unit_test(test_rf_member_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
