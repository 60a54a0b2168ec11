#include "expr_fixture.h"

#include "function.h"

static void test_rf_function_info(void **state)
{
    (void)state;
    assert_string_equal(rf_function_info(RF_FN_AND)->text, "&&");
    assert_int_equal(rf_function_info(RF_FN_SELECT)->args_max, 3);
    for (int f = 0; f < RF_FUNCTION_COUNT; f++) {
        const struct rf_function_info *info = rf_function_info((enum rf_function)f);
        assert_true(info->args_min <= info->args_max);
    }
}

static void test_rf_function_is_operator(void **state)
{
    (void)state;
    assert_true(rf_function_is_operator(RF_FN_IN));
    assert_true(rf_function_is_operator(RF_FN_NOT));
    assert_false(rf_function_is_operator(RF_FN_SIZE));
}

static void test_rf_function_find(void **state)
{
    (void)state;
    assert_int_equal(rf_function_find(RF_STR("size")), RF_FN_SIZE);
    assert_int_equal(rf_function_find(RF_STR("contains")), RF_FN_CONTAINS);
    assert_int_equal(rf_function_find(RF_STR("in")), RF_FUNCTION_COUNT);
    assert_int_equal(rf_function_find(RF_STR("Size")), RF_FUNCTION_COUNT);
}

static void test_rf_function_suggest(void **state)
{
    (void)state;
    assert_string_equal(rf_function_suggest(RF_STR("Size")), "size");
    assert_string_equal(rf_function_suggest(RF_STR("startswith")), "startsWith");
    assert_string_equal(rf_function_suggest(RF_STR("contain")), "contains");
    assert_string_equal(rf_function_suggest(RF_STR("haz")), "has");
    assert_string_equal(rf_function_suggest(RF_STR("abs")), "math.abs");
    assert_string_equal(rf_function_suggest(RF_STR("quote")), "strings.quote");
    assert_true(rf_function_is_space(RF_STR("math")));
    assert_false(rf_function_is_space(RF_STR("mat")));
    assert_false(rf_function_is_space(RF_STR("math.abs")));
    assert_null(rf_function_suggest(RF_STR("frobnicate")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_function_info),  cmocka_unit_test(test_rf_function_is_operator),
        cmocka_unit_test(test_rf_function_find),  cmocka_unit_test(test_rf_function_suggest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
