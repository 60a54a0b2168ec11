#include "expr_fixture.h"

#include "set_plan.h"

static void test_rf_set_plan(void **state)
{
    const struct rf_value items[] = {
        rf_value_double(2.5), rf_value_string(RF_STR("b")),       rf_value_int(3),         rf_value_null(),
        rf_value_uint(3),     rf_value_double(__builtin_nan("")), rf_value_bool(true),     rf_value_string(RF_STR("a")),
        rf_value_double(3.0), rf_value_string(RF_STR("b")),       rf_value_int(INT64_MIN), rf_value_uint(UINT64_MAX),
    };
    const struct rf_list list = {sizeof items / sizeof items[0], items};
    struct rf_arena arena;
    struct rf_error err = {0};
    struct rf_set set;
    bool is_plain;
    (void)state;
    rf_arena_init(&arena, 1 << 20);
    fixture_ok(rf_set_plan(&arena, &list, &set, &is_plain, &err), &err);
    assert_true(is_plain);
    assert_true(set.has_null && set.has_true && !set.has_false);
    assert_int_equal(set.strings, 2);
    assert_true(rf_str_equal(set.string[0], RF_STR("a")));
    assert_int_equal(set.numbers, 4);
    for (uint32_t i = 1; i < set.numbers; i++) {
        assert_int_equal(rf_number_compare(set.number[i - 1], set.number[i]), RF_ORDER_LESS);
    }
    rf_arena_free(&arena);
}

static void test_not_plain(void **state)
{
    const struct rf_value items[] = {rf_value_int(1), {.type = RF_TYPE_BYTES, .text = RF_STR("x")}};
    const struct rf_list list = {2, items};
    struct rf_arena arena;
    struct rf_error err = {0};
    struct rf_set set;
    bool is_plain;
    (void)state;
    rf_arena_init(&arena, 1 << 20);
    fixture_ok(rf_set_plan(&arena, &list, &set, &is_plain, &err), &err);
    assert_false(is_plain);
    assert_int_equal(set.numbers, 0);
    rf_arena_free(&arena);
    rf_arena_init(&arena, 8);
    assert_int_equal(rf_set_plan(&arena, &list, &set, &is_plain, &err), RF_E_LIMIT);
    rf_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_set_plan),
        cmocka_unit_test(test_not_plain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
