#include "expr_fixture.h"

#include "fold.h"
#include "infer.h"

static void folds_to(const char *source, bool is_strict_cel, const char *text)
{
    struct rf_arena arena;
    struct rf_diagnostic diagnostic;
    struct rf_error err = {0};
    struct rf_node *tree = fixture_parse(&arena, source);
    const struct rf_infer_options options = {.is_strict_cel = is_strict_cel};
    fixture_ok(rf_infer(tree, rf_str_of(source), options, &diagnostic, &err), &err);
    tree = rf_fold(tree, is_strict_cel, &arena);
    assert_string_equal(fixture_text(tree), text);
    rf_arena_free(&arena);
}

static void test_rf_fold_operators(void **state)
{
    (void)state;
    folds_to("1 + 2 * 3", false, "7");
    folds_to("7 / 2", false, "3");
    folds_to("7.0 / 2.0", false, "3.5");
    folds_to("0.0 / 0.0 == 1.0", false, "false");
    folds_to("'a' + 'b' == 'ab'", false, "true");
    folds_to("size('h\\u00e9')", false, "2");
    folds_to("'abc'.contains('b')", false, "true");
    folds_to("2 in [1, 2u]", false, "true");
    folds_to("[1, 2] + [3]", false, "[1, 2, 3]");
    folds_to("-(-9223372036854775807)", false, "9223372036854775807");
    folds_to("price > 400 + 10", false, "msg.price > 410");
    folds_to("price * 2 + 3", false, "msg.price * 2 + 3");
    folds_to("a['x' + 'y'] == 1", false, "msg.a.xy == 1");
    folds_to("!(1 > 2)", true, "true");
}

static void test_rf_fold_errors_stay(void **state)
{
    (void)state;
    folds_to("1 / 0 == 1", false, "1 / 0 == 1");
    folds_to("9223372036854775807 + 1", false, "9223372036854775807 + 1");
    folds_to("-(-9223372036854775808)", false, "-(-9223372036854775808)");
    folds_to("[1][5] == 1", false, "[1][5] == 1");
    folds_to("{'a': 1}.b == 1", false, "{\"a\": 1}.b == 1");
    folds_to("{'a': 1, 'a': 2}", false, "{\"a\": 1, \"a\": 2}");
}

static void test_rf_fold_logic(void **state)
{
    (void)state;
    folds_to("true || x", false, "true");
    folds_to("x || true", false, "true");
    folds_to("false && 1 / 0 == 1", false, "false");
    folds_to("x && false", false, "false");
    folds_to("true && x > 1", false, "msg.x > 1");
    folds_to("x > 1 || false", false, "msg.x > 1");
    /* x may be no bool: then `true && x` is an error, and x is none. */
    folds_to("true && x", false, "true && msg.x");
    folds_to("x || false", false, "msg.x || false");
    folds_to("5 && x", false, "5 && msg.x");
    /* A further || asks itself whether x is a bool, however the chain was put together. */
    folds_to("(x || false) || y", false, "msg.x || msg.y");
    folds_to("x || (false || y)", false, "msg.x || msg.y");
    folds_to("(x && true) && (true && 5)", false, "msg.x && 5");
    folds_to("(x || false) || false", false, "msg.x || false");
    folds_to("(x || false) && y", false, "(msg.x || false) && msg.y");
    folds_to("'' == '1' || 55 || 1 == 30 || x == 15 || 3 == 4 || 55 || y", false,
             "55 || msg.x == 15 || 55 || msg.y");
    folds_to("true ? x : 1 / 0", false, "msg.x");
    folds_to("1 > 2 ? x : y", false, "msg.y");
    folds_to("x ? 1 + 1 : 2 + 2", false, "msg.x ? 2 : 4");
}

static void test_rf_fold_members(void **state)
{
    (void)state;
    folds_to("[1, 2, 3][1]", false, "2");
    folds_to("{'a': {'b': 7}}.a.b", false, "7");
    folds_to("{'a': 7}['a']", false, "7");
    folds_to("{1: 'x'}[1.0]", false, "\"x\"");
    folds_to("has({'a': 1}.a)", false, "true");
    folds_to("has({'a': 1}.b)", false, "false");
    folds_to("has(record.file)", false, "true");
    folds_to("has(record.key)", false, "false");
    folds_to("has(record.key) && record.key == 'x'", false, "false");
    folds_to("record.number > 1", false, "record.number > 1");
    folds_to("[x, 1 + 1]", false, "[msg.x, 2]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_fold_operators),
        cmocka_unit_test(test_rf_fold_errors_stay),
        cmocka_unit_test(test_rf_fold_logic),
        cmocka_unit_test(test_rf_fold_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
