#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "math_ops.h"

static void test_rf_math_round(void **state)
{
    static const double rows[][2] = {
        {1.2, 1.0},
        {-1.6, -2.0},
        {-1.4, -1.0},
        {0.5, 1.0},
        {-0.5, -1.0},
        {1.5, 2.0},
        {2.5, 3.0},
        {-2.5, -3.0},
        {0.49999999999999994, 0.0}, /* to which adding a half gives 1 */
        {4503599627370495.5, 4503599627370496.0},
        {9007199254740991.0, 9007199254740991.0},
        {1e300, 1e300},
        {INFINITY, INFINITY},
        {-INFINITY, -INFINITY},
    };
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        assert_true(rf_math_round(rows[r][0]) == rows[r][1]);
    }
    assert_true(isnan(rf_math_round((double)NAN)));
    assert_true(signbit(rf_math_round(-0.0)));
}

static void test_rf_math_sign(void **state)
{
    (void)state;
    assert_true(rf_math_sign(-32.0) == -1.0);
    assert_true(rf_math_sign(5e-324) == 1.0);
    assert_true(rf_math_sign(-5e-324) == -1.0);
    assert_true(rf_math_sign((double)INFINITY) == 1.0);
    assert_true(rf_math_sign(-(double)INFINITY) == -1.0);
    assert_true(rf_math_sign(0.0) == 0.0 && !signbit(rf_math_sign(0.0)));
    assert_true(rf_math_sign(-0.0) == 0.0 && !signbit(rf_math_sign(-0.0)));
    assert_true(isnan(rf_math_sign((double)NAN)));
}

static void test_rf_math_sign_int(void **state)
{
    (void)state;
    assert_int_equal(rf_math_sign_int(100), 1);
    assert_int_equal(rf_math_sign_int(-11), -1);
    assert_int_equal(rf_math_sign_int(0), 0);
    assert_int_equal(rf_math_sign_int(INT64_MIN), -1);
    assert_int_equal(rf_math_sign_int(INT64_MAX), 1);
}

static void test_rf_math_abs_int(void **state)
{
    int64_t out = 77;
    (void)state;
    assert_false(rf_math_abs_int(INT64_MIN, &out));
    assert_true(out == 77);
    assert_true(rf_math_abs_int(-11, &out) && out == 11);
    assert_true(rf_math_abs_int(1, &out) && out == 1);
    assert_true(rf_math_abs_int(0, &out) && out == 0);
    assert_true(rf_math_abs_int(INT64_MIN + 1, &out) && out == INT64_MAX);
    assert_true(rf_math_abs_int(INT64_MAX, &out) && out == INT64_MAX);
}

static void test_rf_math_shift_left(void **state)
{
    uint64_t out = 77;
    (void)state;
    assert_false(rf_math_shift_left(1, -1, &out));
    assert_false(rf_math_shift_left(1, INT64_MIN, &out));
    assert_true(out == 77);
    assert_true(rf_math_shift_left(1, 2, &out) && out == 4);
    assert_true(rf_math_shift_left(1, 0, &out) && out == 1);
    assert_true(rf_math_shift_left(1, 63, &out) && out == 0x8000000000000000u);
    assert_true(rf_math_shift_left(1, 64, &out) && out == 0);
    assert_true(rf_math_shift_left(1, 65, &out) && out == 0);
    assert_true(rf_math_shift_left(1, 200, &out) && out == 0);
    assert_true(rf_math_shift_left((uint64_t)-1, 200, &out) && out == 0);
    assert_true(rf_math_shift_left((uint64_t)-1, 1, &out) && (int64_t)out == -2);
    assert_true(rf_math_shift_left(1, INT64_MAX, &out) && out == 0);
}

static void test_rf_math_shift_right(void **state)
{
    uint64_t out = 77;
    (void)state;
    assert_false(rf_math_shift_right(1, -1, &out));
    assert_true(out == 77);
    assert_true(rf_math_shift_right(1024, 2, &out) && out == 256);
    assert_true(rf_math_shift_right(1024, 0, &out) && out == 1024);
    assert_true(rf_math_shift_right((uint64_t)-1024, 3, &out) && (int64_t)out == 2305843009213693824);
    assert_true(rf_math_shift_right(UINT64_MAX, 63, &out) && out == 1);
    assert_true(rf_math_shift_right(UINT64_MAX, 64, &out) && out == 0);
    assert_true(rf_math_shift_right(UINT64_MAX, 65, &out) && out == 0);
    assert_true(rf_math_shift_right(1024, 200, &out) && out == 0);
    assert_true(rf_math_shift_right(1024, INT64_MAX, &out) && out == 0);
}

static void test_rf_math_to_int(void **state)
{
    static const double refused[] = {9223372036854775807.0, -9223372036854775808.0, 1e99, -1e99, 0x1p63, -0x1p63};
    int64_t out = 77;
    (void)state;
    for (size_t r = 0; r < sizeof refused / sizeof refused[0]; r++) {
        assert_false(rf_math_to_int(refused[r], &out));
    }
    assert_false(rf_math_to_int((double)NAN, &out));
    assert_false(rf_math_to_int((double)INFINITY, &out));
    assert_false(rf_math_to_int(-(double)INFINITY, &out));
    assert_true(out == 77);
    assert_true(rf_math_to_int(-7.9, &out) && out == -7);
    assert_true(rf_math_to_int(11.5, &out) && out == 11);
    assert_true(rf_math_to_int(-3.5, &out) && out == -3);
    assert_true(rf_math_to_int(-0.9, &out) && out == 0);
    assert_true(rf_math_to_int(-0.0, &out) && out == 0);
    assert_true(rf_math_to_int(0x1.fffffffffffffp62, &out) && out == 9223372036854774784);
    assert_true(rf_math_to_int(-0x1.fffffffffffffp62, &out) && out == -9223372036854774784);
}

static void test_rf_math_to_uint(void **state)
{
    static const double refused[] = {18446744073709551615.0, 0x1p64, 6.022e23, -0.5, -5e-324, -1.0, -1e99};
    uint64_t out = 77;
    (void)state;
    for (size_t r = 0; r < sizeof refused / sizeof refused[0]; r++) {
        assert_false(rf_math_to_uint(refused[r], &out));
    }
    assert_false(rf_math_to_uint((double)NAN, &out));
    assert_false(rf_math_to_uint((double)INFINITY, &out));
    assert_false(rf_math_to_uint(-(double)INFINITY, &out));
    assert_true(out == 77);
    assert_true(rf_math_to_uint(3.14159265, &out) && out == 3);
    assert_true(rf_math_to_uint(25.5, &out) && out == 25);
    assert_true(rf_math_to_uint(0.9, &out) && out == 0);
    assert_true(rf_math_to_uint(-0.0, &out) && out == 0);
    assert_true(rf_math_to_uint(0x1p63, &out) && out == 0x8000000000000000u);
    assert_true(rf_math_to_uint(0x1.fffffffffffffp63, &out) && out == 18446744073709549568u);
    assert_true(rf_math_to_uint(36028797018963969.0, &out) && out == 36028797018963968u);
}

static void test_rf_math_to_float(void **state)
{
    (void)state;
    assert_true(rf_math_to_float(0.1) == (double)0.1f);
    assert_true(rf_math_to_float(-1.5) == -1.5);
    assert_true(signbit(rf_math_to_float(-0.0)) != 0 && rf_math_to_float(-0.0) == 0);
    assert_true(rf_math_to_float(1e-50) == 0);
    assert_true(rf_math_to_float(0x1.fffffep127) == 0x1.fffffep127);
    assert_true(rf_math_to_float(0x1.fffffefffffffp127) == 0x1.fffffep127); /* below half way to 2^128 */
    assert_true(rf_math_to_float(-0x1.fffffefffffffp127) == -0x1.fffffep127);
    assert_true(rf_math_to_float(0x1.ffffffp127) == (double)INFINITY);
    assert_true(rf_math_to_float(-1e300) == -(double)INFINITY);
    assert_true(rf_math_to_float((double)INFINITY) == (double)INFINITY);
    assert_true(isnan(rf_math_to_float((double)NAN)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_math_round),      cmocka_unit_test(test_rf_math_sign),
        cmocka_unit_test(test_rf_math_sign_int),   cmocka_unit_test(test_rf_math_abs_int),
        cmocka_unit_test(test_rf_math_shift_left), cmocka_unit_test(test_rf_math_shift_right),
        cmocka_unit_test(test_rf_math_to_int),     cmocka_unit_test(test_rf_math_to_uint),
        cmocka_unit_test(test_rf_math_to_float),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
