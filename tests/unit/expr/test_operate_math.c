/* operate.h, family MATH. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "family_fixture.h"

enum { BITS = 1u << RF_TYPE_INT | 1u << RF_TYPE_UINT, DOUBLE = 1u << RF_TYPE_DOUBLE, ARGS_MAX = 32 };

static struct rf_value apply(enum rf_function function, struct rf_value a)
{
    return call_one(rf_operate_math, function, a);
}

static struct rf_value apply_two(enum rf_function function, struct rf_value a, struct rf_value b)
{
    return call_two(rf_operate_math, function, a, b);
}

static void test_greatest_and_least_of_two(void **state)
{
    (void)state;
    expect_int(apply(RF_FN_GREATEST, rf_value_int(-5)), -5);
    expect_uint(apply(RF_FN_LEAST, rf_value_uint(5)), 5);
    expect_int(apply_two(RF_FN_GREATEST, rf_value_int(-7), rf_value_int(5)), 5);
    expect_int(apply_two(RF_FN_LEAST, rf_value_int(-7), rf_value_int(5)), -7);
    expect_uint(apply_two(RF_FN_GREATEST, rf_value_int(-7), rf_value_uint(5)), 5);
    expect_double(apply_two(RF_FN_LEAST, rf_value_uint(5), rf_value_double(4.5)), 4.5, false);
    expect_double(apply_two(RF_FN_GREATEST, rf_value_int(INT64_MAX), rf_value_double(INFINITY)), INFINITY, false);
    expect_double(apply_two(RF_FN_LEAST, rf_value_double(-INFINITY), rf_value_int(INT64_MIN)), -INFINITY, false);
}

static void test_first_of_equals(void **state)
{
    (void)state;
    expect_int(apply_two(RF_FN_GREATEST, rf_value_int(1), rf_value_double(1)), 1);
    expect_double(apply_two(RF_FN_GREATEST, rf_value_double(1), rf_value_int(1)), 1, false);
    expect_uint(apply_two(RF_FN_LEAST, rf_value_uint(1), rf_value_int(1)), 1);
    expect_int(apply_two(RF_FN_LEAST, rf_value_int(1), rf_value_uint(1)), 1);
    expect_double(apply_two(RF_FN_GREATEST, rf_value_double(-0.0), rf_value_double(0)), -0.0, false);
}

/* Neighbours that are one number as doubles. */
static void test_exact_number_line(void **state)
{
    (void)state;
    const struct rf_value rounded = rf_value_double(9007199254740992.0);
    const struct rf_value exact = rf_value_int(9007199254740993);
    expect_int(apply_two(RF_FN_GREATEST, rounded, exact), 9007199254740993);
    expect_double(apply_two(RF_FN_LEAST, exact, rounded), 9007199254740992.0, false);
    expect_double(apply_two(RF_FN_GREATEST, rf_value_int(INT64_MAX), rf_value_double(0x1p63)), 0x1p63, false);
    expect_uint(apply_two(RF_FN_LEAST, rf_value_double(0x1p64), rf_value_uint(UINT64_MAX)), UINT64_MAX);
    /* A message number is given as it is: with its token and its exact value. */
    const struct rf_value id = apply_two(RF_FN_GREATEST, rounded, message("9007199254740993"));
    assert_true(id.type == RF_TYPE_DOUBLE && id.is_message && id.exact.kind == RF_NUMBER_INT);
    assert_true(rf_str_equal(id.text, RF_STR("9007199254740993")));
}

static void test_greatest_and_least_of_many(void **state)
{
    (void)state;
    struct rf_value args[ARGS_MAX];
    for (int i = 0; i < ARGS_MAX; i++) {
        args[i] = rf_value_int(i == 17 ? 1000 : i == 31 ? -1000 : i);
    }
    expect_int(rf_operate_math(RF_FN_GREATEST, args, ARGS_MAX, &arena), 1000);
    expect_int(rf_operate_math(RF_FN_LEAST, args, ARGS_MAX, &arena), -1000);
    expect_int(rf_operate_math(RF_FN_GREATEST, args, 17, &arena), 16);
    expect_int(apply(RF_FN_GREATEST, list_of(args, ARGS_MAX)), 1000);
    expect_int(apply(RF_FN_LEAST, list_of(args, ARGS_MAX)), -1000);
    expect_int(apply(RF_FN_LEAST, list_of(args, 1)), 0);
    const struct rf_value mixed[] = {rf_value_double(5.4), rf_value_int(10), rf_value_uint(3), rf_value_double(-5),
                                     message("3.5")};
    expect_int(apply(RF_FN_GREATEST, list_of(mixed, 5)), 10);
    expect_double(apply(RF_FN_LEAST, list_of(mixed, 5)), -5, false);
}

static void test_greatest_and_least_of_nan(void **state)
{
    (void)state;
    const struct rf_value nan = rf_value_double(NAN);
    expect_double(apply(RF_FN_GREATEST, nan), NAN, false);
    expect_double(apply(RF_FN_LEAST, list_of(&nan, 1)), NAN, false);
    expect_error(apply_two(RF_FN_GREATEST, nan, rf_value_int(1)), "math.greatest: NaN cannot be ordered");
    expect_error(apply_two(RF_FN_LEAST, rf_value_int(1), nan), "math.least: NaN cannot be ordered");
    const struct rf_value item[] = {rf_value_int(1), rf_value_int(2), nan};
    expect_error(apply(RF_FN_LEAST, list_of(item, 3)), "NaN cannot be ordered");
    expect_error(rf_operate_math(RF_FN_GREATEST, item, 3, &arena), "NaN cannot be ordered");
}

static void test_greatest_and_least_of_others(void **state)
{
    (void)state;
    const struct rf_value item[] = {rf_value_int(1), rf_value_int(2), str("3")};
    expect_error(apply(RF_FN_GREATEST, list_of(NULL, 0)), "math.greatest of an empty list");
    expect_error(apply(RF_FN_LEAST, list_of(NULL, 0)), "math.least of an empty list");
    expect_error(apply(RF_FN_GREATEST, list_of(item, 3)), "no such overload: math.greatest");
    expect_error(apply(RF_FN_GREATEST, list_of(item + 2, 1)), "no such overload");
    expect_error(rf_operate_math(RF_FN_LEAST, item, 3, &arena), "no such overload: math.least");
    expect_error(apply_two(RF_FN_LEAST, list_of(item, 2), rf_value_int(1)), "no such overload");
    expect_error(apply_two(RF_FN_LEAST, rf_value_int(1), list_of(item, 2)), "no such overload");
    const struct rf_value huge[] = {rf_value_int(1), message("1e400")};
    expect_error(apply(RF_FN_GREATEST, list_of(huge, 2)), "beyond the double range");
    const struct rf_value failed[] = {rf_value_error("broken"), rf_value_int(1)};
    expect_error(apply(RF_FN_GREATEST, list_of(failed, 2)), "broken");
    /* The list of the other values is empty, which is an error of another text. */
    expect_overloads(rf_operate_math, RF_FN_GREATEST, BITS | DOUBLE | 1u << RF_TYPE_LIST);
    expect_overloads(rf_operate_math, RF_FN_LEAST, BITS | DOUBLE | 1u << RF_TYPE_LIST);
}

static void test_rounding(void **state)
{
    (void)state;
    const struct {
        double of, ceil, floor, round, trunc;
    } row[] = {
        {1.2, 2, 1, 1, 1},
        {-1.2, -1, -2, -1, -1},
        {1.5, 2, 1, 2, 1},
        {-1.5, -1, -2, -2, -1},
        {2.5, 3, 2, 3, 2},
        {0.49999999999999994, 1, 0, 0, 0},
        {-0.2, -0.0, -1, -0.0, -0.0},
        {-0.0, -0.0, -0.0, -0.0, -0.0},
        {2251799813685249.5, 2251799813685250, 2251799813685249, 2251799813685250, 2251799813685249},
        {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY},
        {NAN, NAN, NAN, NAN, NAN},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const struct rf_value of = rf_value_double(row[i].of);
        expect_double(apply(RF_FN_CEIL, of), row[i].ceil, false);
        expect_double(apply(RF_FN_FLOOR, of), row[i].floor, false);
        expect_double(apply(RF_FN_ROUND, of), row[i].round, false);
        expect_double(apply(RF_FN_TRUNC, of), row[i].trunc, false);
    }
    expect_double(apply(RF_FN_CEIL, message("1.2")), 2, true);
    expect_double(apply(RF_FN_FLOOR, message("-1.2")), -2, true);
    expect_double(apply(RF_FN_ROUND, message("2.5")), 3, true);
    expect_double(apply(RF_FN_TRUNC, message("9007199254740993")), 9007199254740992.0, true);
    for (int function = RF_FN_CEIL; function <= RF_FN_TRUNC; function++) {
        expect_overloads(rf_operate_math, (enum rf_function)function, DOUBLE);
    }
}

static void test_kinds_of_double(void **state)
{
    (void)state;
    const struct {
        double of;
        bool is_nan, is_inf, is_finite;
    } row[] = {
        {0, false, false, true},        {-1.5, false, false, true},      {1.7976931348623157e308, false, false, true},
        {INFINITY, false, true, false}, {-INFINITY, false, true, false}, {NAN, true, false, false}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        expect_bool(apply(RF_FN_IS_NAN, rf_value_double(row[i].of)), row[i].is_nan);
        expect_bool(apply(RF_FN_IS_INF, rf_value_double(row[i].of)), row[i].is_inf);
        expect_bool(apply(RF_FN_IS_FINITE, rf_value_double(row[i].of)), row[i].is_finite);
    }
    expect_bool(apply(RF_FN_IS_FINITE, message("18446744073709551615")), true);
    expect_overloads(rf_operate_math, RF_FN_IS_NAN, DOUBLE);
    expect_overloads(rf_operate_math, RF_FN_IS_INF, DOUBLE);
    expect_overloads(rf_operate_math, RF_FN_IS_FINITE, DOUBLE);
}

static void test_sqrt(void **state)
{
    (void)state;
    expect_double(apply(RF_FN_SQRT, rf_value_double(2.25)), 1.5, false);
    expect_double(apply(RF_FN_SQRT, rf_value_int(49)), 7, false);
    expect_double(apply(RF_FN_SQRT, rf_value_uint(UINT64_MAX)), 4294967296.0, false);
    expect_double(apply(RF_FN_SQRT, rf_value_double(-0.0)), -0.0, false);
    expect_double(apply(RF_FN_SQRT, rf_value_int(-1)), NAN, false);
    expect_double(apply(RF_FN_SQRT, rf_value_double(NAN)), NAN, false);
    expect_double(apply(RF_FN_SQRT, message("81")), 9, true);
    expect_overloads(rf_operate_math, RF_FN_SQRT, BITS | DOUBLE);
}

static void test_abs(void **state)
{
    (void)state;
    expect_int(apply(RF_FN_ABS, rf_value_int(-11)), 11);
    expect_int(apply(RF_FN_ABS, rf_value_int(INT64_MAX)), INT64_MAX);
    expect_int(apply(RF_FN_ABS, rf_value_int(INT64_MIN + 1)), INT64_MAX);
    expect_error(apply(RF_FN_ABS, rf_value_int(INT64_MIN)), "int overflow");
    expect_uint(apply(RF_FN_ABS, rf_value_uint(UINT64_MAX)), UINT64_MAX);
    expect_double(apply(RF_FN_ABS, rf_value_double(-11.5)), 11.5, false);
    expect_double(apply(RF_FN_ABS, rf_value_double(-0.0)), 0.0, false);
    expect_double(apply(RF_FN_ABS, rf_value_double(-INFINITY)), INFINITY, false);
    expect_double(apply(RF_FN_ABS, rf_value_double(NAN)), NAN, false);
    expect_double(apply(RF_FN_ABS, message("-2.5")), 2.5, true);
    expect_double(apply(RF_FN_ABS, message("-9223372036854775808")), 0x1p63, true);
    expect_overloads(rf_operate_math, RF_FN_ABS, BITS | DOUBLE);
}

static void test_sign(void **state)
{
    (void)state;
    expect_int(apply(RF_FN_SIGN, rf_value_int(INT64_MIN)), -1);
    expect_int(apply(RF_FN_SIGN, rf_value_int(0)), 0);
    expect_int(apply(RF_FN_SIGN, rf_value_int(100)), 1);
    expect_uint(apply(RF_FN_SIGN, rf_value_uint(0)), 0);
    expect_uint(apply(RF_FN_SIGN, rf_value_uint(UINT64_MAX)), 1);
    expect_double(apply(RF_FN_SIGN, rf_value_double(-5e-324)), -1, false);
    expect_double(apply(RF_FN_SIGN, rf_value_double(-0.0)), 0.0, false);
    expect_double(apply(RF_FN_SIGN, rf_value_double(INFINITY)), 1, false);
    expect_double(apply(RF_FN_SIGN, rf_value_double(NAN)), NAN, false);
    expect_double(apply(RF_FN_SIGN, message("-9007199254740993")), -1, true);
    expect_overloads(rf_operate_math, RF_FN_SIGN, BITS | DOUBLE);
}

static void test_bits(void **state)
{
    (void)state;
    expect_int(apply_two(RF_FN_BIT_AND, rf_value_int(-2), rf_value_int(7)), 6);
    expect_uint(apply_two(RF_FN_BIT_AND, rf_value_uint(UINT64_MAX), rf_value_uint(3)), 3);
    expect_int(apply_two(RF_FN_BIT_OR, rf_value_int(4), rf_value_int(-2)), -2);
    expect_uint(apply_two(RF_FN_BIT_OR, rf_value_uint(1), rf_value_uint(4)), 5);
    expect_int(apply_two(RF_FN_BIT_XOR, rf_value_int(4), rf_value_int(-2)), -6);
    expect_uint(apply_two(RF_FN_BIT_XOR, rf_value_uint(1), rf_value_uint(3)), 2);
    expect_int(apply(RF_FN_BIT_NOT, rf_value_int(INT64_MIN)), INT64_MAX);
    expect_int(apply(RF_FN_BIT_NOT, rf_value_int(-1)), 0);
    expect_uint(apply(RF_FN_BIT_NOT, rf_value_uint(0)), UINT64_MAX);
    for (int function = RF_FN_BIT_AND; function <= RF_FN_BIT_XOR; function++) {
        const enum rf_function f = (enum rf_function)function;
        expect_error(apply_two(f, rf_value_int(1), rf_value_uint(1)), "no such overload");
        expect_error(apply_two(f, rf_value_uint(1), rf_value_int(1)), "no such overload");
        expect_error(apply_two(f, rf_value_double(1), rf_value_double(1)), "no such overload");
        expect_error(apply_two(f, rf_value_int(1), rf_value_double(1)), "no such overload");
        expect_error(apply_two(f, rf_value_uint(2), str("")), "no such overload");
        expect_error(apply_two(f, list_of(NULL, 0), list_of(NULL, 0)), "no such overload");
    }
    expect_overloads(rf_operate_math, RF_FN_BIT_NOT, BITS);
}

static void test_shifts(void **state)
{
    (void)state;
    expect_int(apply_two(RF_FN_SHIFT_LEFT, rf_value_int(1), rf_value_int(0)), 1);
    expect_int(apply_two(RF_FN_SHIFT_LEFT, rf_value_int(1), rf_value_int(63)), INT64_MIN);
    expect_int(apply_two(RF_FN_SHIFT_LEFT, rf_value_int(1), rf_value_int(64)), 0);
    expect_int(apply_two(RF_FN_SHIFT_LEFT, rf_value_int(-1), rf_value_int(INT64_MAX)), 0);
    expect_uint(apply_two(RF_FN_SHIFT_LEFT, rf_value_uint(3), rf_value_int(63)), 0x8000000000000000u);
    expect_int(apply_two(RF_FN_SHIFT_RIGHT, rf_value_int(-1024), rf_value_int(3)), 2305843009213693824);
    expect_int(apply_two(RF_FN_SHIFT_RIGHT, rf_value_int(-1), rf_value_int(63)), 1);
    expect_int(apply_two(RF_FN_SHIFT_RIGHT, rf_value_int(-1), rf_value_int(64)), 0);
    expect_int(apply_two(RF_FN_SHIFT_RIGHT, rf_value_int(-1), rf_value_int(0)), -1);
    expect_uint(apply_two(RF_FN_SHIFT_RIGHT, rf_value_uint(1024), rf_value_int(2)), 256);
    expect_uint(apply_two(RF_FN_SHIFT_RIGHT, rf_value_uint(UINT64_MAX), rf_value_int(200)), 0);
    expect_error(apply_two(RF_FN_SHIFT_LEFT, rf_value_int(1), rf_value_int(-1)),
                 "math.bitShiftLeft by a negative offset: -1");
    expect_error(apply_two(RF_FN_SHIFT_RIGHT, rf_value_uint(1), rf_value_int(INT64_MIN)),
                 "math.bitShiftRight by a negative offset: -9223372036854775808");
    for (int function = RF_FN_SHIFT_LEFT; function <= RF_FN_SHIFT_RIGHT; function++) {
        const enum rf_function f = (enum rf_function)function;
        expect_error(apply_two(f, rf_value_double(4.3), rf_value_int(1)), "no such overload");
        expect_error(apply_two(f, rf_value_int(4), rf_value_uint(1)), "no such overload");
        expect_error(apply_two(f, rf_value_int(4), rf_value_double(1)), "no such overload");
        expect_error(apply_two(f, str("4"), rf_value_int(1)), "no such overload");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_greatest_and_least_of_two),
        cmocka_unit_test(test_first_of_equals),
        cmocka_unit_test(test_exact_number_line),
        cmocka_unit_test(test_greatest_and_least_of_many),
        cmocka_unit_test(test_greatest_and_least_of_nan),
        cmocka_unit_test(test_greatest_and_least_of_others),
        cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_kinds_of_double),
        cmocka_unit_test(test_sqrt),
        cmocka_unit_test(test_abs),
        cmocka_unit_test(test_sign),
        cmocka_unit_test(test_bits),
        cmocka_unit_test(test_shifts),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
