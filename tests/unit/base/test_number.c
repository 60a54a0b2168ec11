#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "number.h"

static struct rf_number of_double(double d)
{
    return (struct rf_number){.kind = RF_NUMBER_DOUBLE, .as.d = d};
}

static struct rf_number of_int(int64_t i)
{
    return (struct rf_number){.kind = RF_NUMBER_INT, .as.i = i};
}

static struct rf_number of_uint(uint64_t u)
{
    return (struct rf_number){.kind = RF_NUMBER_UINT, .as.u = u};
}

static void assert_order(struct rf_number a, struct rf_number b, enum rf_order order)
{
    const enum rf_order reversed = order == RF_ORDER_LESS      ? RF_ORDER_GREATER
                                   : order == RF_ORDER_GREATER ? RF_ORDER_LESS
                                                               : order;
    assert_int_equal(rf_number_compare(a, b), order);
    assert_int_equal(rf_number_compare(b, a), reversed);
}

static void test_rf_number_compare_one_kind(void **state)
{
    (void)state;
    assert_order(of_int(-1), of_int(1), RF_ORDER_LESS);
    assert_order(of_int(INT64_MIN), of_int(INT64_MIN), RF_ORDER_EQUAL);
    assert_order(of_uint(1), of_uint(UINT64_MAX), RF_ORDER_LESS);
    assert_order(of_double(-0.0), of_double(0.0), RF_ORDER_EQUAL);
    assert_order(of_double(1.5), of_double(2.5), RF_ORDER_LESS);
    assert_order(of_double(NAN), of_double(NAN), RF_ORDER_NONE);
    assert_order(of_double(-INFINITY), of_double(INFINITY), RF_ORDER_LESS);
}

static void test_rf_number_compare_int_uint(void **state)
{
    (void)state;
    assert_order(of_int(-1), of_uint(0), RF_ORDER_LESS);
    assert_order(of_int(-1), of_uint(UINT64_MAX), RF_ORDER_LESS);
    assert_order(of_int(7), of_uint(7), RF_ORDER_EQUAL);
    assert_order(of_int(INT64_MAX), of_uint((uint64_t)INT64_MAX + 1), RF_ORDER_LESS);
    assert_order(of_int(8), of_uint(7), RF_ORDER_GREATER);
}

static void test_rf_number_compare_int_double(void **state)
{
    (void)state;
    assert_order(of_int(9007199254740993), of_double(9007199254740992.0), RF_ORDER_GREATER);
    assert_order(of_int(9007199254740992), of_double(9007199254740992.0), RF_ORDER_EQUAL);
    assert_order(of_int(-9007199254740993), of_double(-9007199254740992.0), RF_ORDER_LESS);
    assert_order(of_int(INT64_MAX), of_double(0x1p63), RF_ORDER_LESS);
    assert_order(of_int(INT64_MIN), of_double(-0x1p63), RF_ORDER_EQUAL);
    assert_order(of_int(INT64_MIN), of_double(-0x1.0000000000001p63), RF_ORDER_GREATER);
    assert_order(of_int(0), of_double(-0.0), RF_ORDER_EQUAL);
    assert_order(of_int(0), of_double(-0.5), RF_ORDER_GREATER);
    assert_order(of_int(0), of_double(5e-324), RF_ORDER_LESS);
    assert_order(of_int(-3), of_double(-3.5), RF_ORDER_GREATER);
    assert_order(of_int(3), of_double(3.5), RF_ORDER_LESS);
    assert_order(of_int(0), of_double(NAN), RF_ORDER_NONE);
    assert_order(of_int(INT64_MAX), of_double(INFINITY), RF_ORDER_LESS);
    assert_order(of_int(INT64_MIN), of_double(-INFINITY), RF_ORDER_GREATER);
}

static void test_rf_number_compare_uint_double(void **state)
{
    (void)state;
    assert_order(of_uint(UINT64_MAX), of_double(0x1p64), RF_ORDER_LESS);
    assert_order(of_uint(UINT64_MAX), of_double(0x1.fffffffffffffp63), RF_ORDER_GREATER);
    assert_order(of_uint(0x8000000000000000u), of_double(0x1p63), RF_ORDER_EQUAL);
    assert_order(of_uint(0x8000000000000001u), of_double(0x1p63), RF_ORDER_GREATER);
    assert_order(of_uint(0), of_double(-0.0), RF_ORDER_EQUAL);
    assert_order(of_uint(0), of_double(-1e-300), RF_ORDER_GREATER);
    assert_order(of_uint(1), of_double(1.25), RF_ORDER_LESS);
    assert_order(of_uint(0), of_double(NAN), RF_ORDER_NONE);
}

static void test_rf_number_to_double(void **state)
{
    (void)state;
    assert_true(rf_number_to_double(of_int(-5)) == -5.0);
    assert_true(rf_number_to_double(of_int(9007199254740993)) == 9007199254740992.0); /* tie to even */
    assert_true(rf_number_to_double(of_int(9007199254740995)) == 9007199254740996.0);
    assert_true(rf_number_to_double(of_uint(UINT64_MAX)) == 0x1p64);
    assert_true(rf_number_to_double(of_double(0.1)) == 0.1);
}

static void test_rf_number_from_json_bad(void **state)
{
    static const char *const bad[] = {"",    "-",  "+1",   "01",   "007",   "-01", "1.",   ".5",  "-.5",  "1.e5",
                                      "0x1", "1e", "1e+",  "1E-",  "1e1.5", "1 ",  " 1",   "1,",  "NaN",  "inf",
                                      "--1", "1-", "1e5e", "1..2", "1.2.",  "1_0", "1f",   "0e",  "-0.",  "1e 5",
                                      "00",  "-",  "e5",   "-e5",  "1/",    "1:",  "0.1/", "1e:", "\xff", "1\xff"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct rf_number number;
        if (rf_number_from_json(rf_str_of(bad[i]), &number) != RF_NUMBER_BAD) {
            fail_msg("accepted: %s", bad[i]);
        }
        assert_false(rf_number_is_json(rf_str_of(bad[i])));
    }
    static const char *const good[] = {
        "0", "-0", "12", "-1.50", "1e5", "1E-5", "0.0e+0", "1e400", "123456789012345678901234567890"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(rf_number_is_json(rf_str_of(good[i])));
    }
    assert_false(rf_number_is_json((struct rf_str){NULL, 0}));
    struct rf_number number;
    assert_int_equal(rf_number_from_json((struct rf_str){NULL, 0}, &number), RF_NUMBER_BAD);
    assert_int_equal(rf_number_from_json((struct rf_str){"1\0", 2}, &number), RF_NUMBER_BAD);
    /* The token ends where its count says, whatever lies behind. */
    assert_int_equal(rf_number_from_json((struct rf_str){"12e5", 3}, &number), RF_NUMBER_BAD);
    assert_int_equal(rf_number_from_json((struct rf_str){"12e5", 2}, &number), RF_NUMBER_OK);
    assert_true(number.as.d == 12.0);
}

static void test_rf_number_from_json_integers(void **state)
{
    static const struct {
        const char *text;
        enum rf_number_kind kind;
        double d;
        int64_t i;
        uint64_t u;
    } rows[] = {
        {"0", RF_NUMBER_DOUBLE, 0.0, 0, 0},
        {"1", RF_NUMBER_DOUBLE, 1.0, 0, 0},
        {"-17", RF_NUMBER_DOUBLE, -17.0, 0, 0},
        {"9007199254740992", RF_NUMBER_DOUBLE, 9007199254740992.0, 0, 0},
        {"-9007199254740992", RF_NUMBER_DOUBLE, -9007199254740992.0, 0, 0},
        {"9007199254740993", RF_NUMBER_INT, 0, 9007199254740993, 0},
        {"-9007199254740993", RF_NUMBER_INT, 0, -9007199254740993, 0},
        {"9223372036854775807", RF_NUMBER_INT, 0, INT64_MAX, 0},
        {"-9223372036854775807", RF_NUMBER_INT, 0, -INT64_MAX, 0},
        {"-9223372036854775808", RF_NUMBER_INT, 0, INT64_MIN, 0},
        {"-9223372036854775809", RF_NUMBER_DOUBLE, -0x1p63, 0, 0},
        {"9223372036854775808", RF_NUMBER_UINT, 0, 0, (uint64_t)INT64_MAX + 1},
        {"10000000000000000000", RF_NUMBER_UINT, 0, 0, 10000000000000000000u},
        {"18446744073709551615", RF_NUMBER_UINT, 0, 0, UINT64_MAX},
        {"18446744073709551616", RF_NUMBER_DOUBLE, 0x1p64, 0, 0},
        {"19999999999999999999", RF_NUMBER_DOUBLE, 2e19, 0, 0},
        {"28446744073709551616", RF_NUMBER_DOUBLE, 28446744073709551616.0, 0, 0},
        {"99999999999999999999", RF_NUMBER_DOUBLE, 1e20, 0, 0},
        {"-18446744073709551615", RF_NUMBER_DOUBLE, -0x1p64, 0, 0},
        {"100000000000000000000", RF_NUMBER_DOUBLE, 1e20, 0, 0},
        {"9007199254740993.0", RF_NUMBER_DOUBLE, 9007199254740992.0, 0, 0},
        {"9007199254740993e0", RF_NUMBER_DOUBLE, 9007199254740992.0, 0, 0},
    };
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct rf_number number;
        assert_int_equal(rf_number_from_json(rf_str_of(rows[r].text), &number), RF_NUMBER_OK);
        assert_int_equal(number.kind, rows[r].kind);
        switch (number.kind) {
        case RF_NUMBER_INT:
            assert_true(number.as.i == rows[r].i);
            break;
        case RF_NUMBER_UINT:
            assert_true(number.as.u == rows[r].u);
            break;
        case RF_NUMBER_DOUBLE:
            assert_true(number.as.d == rows[r].d);
            break;
        }
    }
    struct rf_number zero;
    assert_int_equal(rf_number_from_json(RF_STR("-0"), &zero), RF_NUMBER_OK);
    assert_true(zero.kind == RF_NUMBER_DOUBLE && zero.as.d == 0.0 && signbit(zero.as.d));
}

static void test_rf_number_from_json_range(void **state)
{
    struct rf_number number;
    char *const nines = malloc(400);
    (void)state;
    assert_int_equal(rf_number_from_json(RF_STR("1e400"), &number), RF_NUMBER_RANGE);
    assert_int_equal(rf_number_from_json(RF_STR("-1e309"), &number), RF_NUMBER_RANGE);
    assert_int_equal(rf_number_from_json(RF_STR("1e99999999999999999999"), &number), RF_NUMBER_RANGE);
    assert_int_equal(rf_number_from_json(RF_STR("1.7976931348623157e308"), &number), RF_NUMBER_OK);
    assert_true(number.as.d == 0x1.fffffffffffffp1023);
    /* Half way between the largest double and the next power of two rounds to even, which is infinite. */
    assert_int_equal(rf_number_from_json(RF_STR("1.7976931348623158079372897140530341507993e308"), &number),
                     RF_NUMBER_OK);
    assert_int_equal(rf_number_from_json(RF_STR("1.7976931348623158079372897140530341507994e308"), &number),
                     RF_NUMBER_RANGE);
    assert_int_equal(rf_number_from_json(RF_STR("1e-400"), &number), RF_NUMBER_OK);
    assert_true(number.as.d == 0.0 && !signbit(number.as.d));
    assert_int_equal(rf_number_from_json(RF_STR("-1e-99999999999999999999"), &number), RF_NUMBER_OK);
    assert_true(number.as.d == 0.0 && signbit(number.as.d));
    assert_int_equal(rf_number_from_json(RF_STR("0e99999999999999999999"), &number), RF_NUMBER_OK);
    assert_true(number.as.d == 0.0);
    assert_non_null(nines);
    memset(nines, '9', 400);
    assert_int_equal(rf_number_from_json((struct rf_str){nines, 308}, &number), RF_NUMBER_OK);
    assert_true(number.as.d == 1e308);
    assert_int_equal(rf_number_from_json((struct rf_str){nines, 309}, &number), RF_NUMBER_RANGE);
    free(nines);
}

/* An exponent that only together with a very long run of digits is moderate. */
static void test_rf_number_from_json_long(void **state)
{
    enum { DIGITS = 10000 };
    char *const text = malloc(DIGITS + 64);
    struct rf_number number;
    (void)state;
    assert_non_null(text);

    memset(text, '0', DIGITS);
    text[1] = '.';
    int tail = snprintf(text + DIGITS, 64, "123e%d", DIGITS);
    assert_int_equal(rf_number_from_json((struct rf_str){text, DIGITS + (size_t)tail}, &number), RF_NUMBER_OK);
    assert_true(number.as.d == strtod(text, NULL));
    assert_true(number.as.d == 12.3);

    memset(text, '7', DIGITS);
    tail = snprintf(text + DIGITS, 64, "e-%d", DIGITS);
    assert_int_equal(rf_number_from_json((struct rf_str){text, DIGITS + (size_t)tail}, &number), RF_NUMBER_OK);
    assert_true(number.as.d == strtod(text, NULL));

    /* 1 + 2^-53 is half way; far behind it one more digit decides. */
    const char half[] = "1.00000000000000011102230246251565404236316680908203125";
    memset(text, '0', DIGITS);
    memcpy(text, half, sizeof half - 1);
    assert_int_equal(rf_number_from_json((struct rf_str){text, DIGITS}, &number), RF_NUMBER_OK);
    assert_true(number.as.d == 1.0);
    text[DIGITS - 1] = '1';
    assert_int_equal(rf_number_from_json((struct rf_str){text, DIGITS}, &number), RF_NUMBER_OK);
    assert_true(number.as.d == 0x1.0000000000001p0);

    memset(text, '1', DIGITS);
    assert_int_equal(rf_number_from_json((struct rf_str){text, DIGITS}, &number), RF_NUMBER_RANGE);
    free(text);
}

static void test_rf_int_to_text(void **state)
{
    char text[RF_NUMBER_TEXT_MAX];
    (void)state;
    assert_int_equal(rf_int_to_text(0, text), 1);
    assert_memory_equal(text, "0", 1);
    assert_int_equal(rf_int_to_text(INT64_MIN, text), 20);
    assert_memory_equal(text, "-9223372036854775808", 20);
    assert_int_equal(rf_int_to_text(INT64_MAX, text), 19);
    assert_memory_equal(text, "9223372036854775807", 19);
}

static void test_rf_uint_to_text(void **state)
{
    char text[RF_NUMBER_TEXT_MAX];
    (void)state;
    assert_int_equal(rf_uint_to_text(UINT64_MAX, text), 20);
    assert_memory_equal(text, "18446744073709551615", 20);
    assert_int_equal(rf_uint_to_text(7, text), 1);
    assert_memory_equal(text, "7", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_number_compare_one_kind),
        cmocka_unit_test(test_rf_number_compare_int_uint),
        cmocka_unit_test(test_rf_number_compare_int_double),
        cmocka_unit_test(test_rf_number_compare_uint_double),
        cmocka_unit_test(test_rf_number_to_double),
        cmocka_unit_test(test_rf_number_from_json_bad),
        cmocka_unit_test(test_rf_number_from_json_integers),
        cmocka_unit_test(test_rf_number_from_json_range),
        cmocka_unit_test(test_rf_number_from_json_long),
        cmocka_unit_test(test_rf_int_to_text),
        cmocka_unit_test(test_rf_uint_to_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
