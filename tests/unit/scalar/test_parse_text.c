#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "parse_text.h"

static const struct rf_str nothing = {NULL, 0};

static uint32_t random_state = 1;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(random_state >> 4) * limit) >> 28);
}

static void test_rf_text_to_int(void **state)
{
    static const char *const refused[] = {"",
                                          "-",
                                          "+",
                                          "--1",
                                          "+-1",
                                          "1.0",
                                          "1.",
                                          "0x10",
                                          "1e3",
                                          "1_000",
                                          " 1",
                                          "1 ",
                                          "a",
                                          "1a",
                                          "/",
                                          ":",
                                          "9223372036854775808",
                                          "-9223372036854775809",
                                          "18446744073709551616",
                                          "99999999999999999999999",
                                          "-99999999999999999999999"};
    int64_t out = 77;
    (void)state;
    for (size_t r = 0; r < sizeof refused / sizeof refused[0]; r++) {
        if (rf_text_to_int(rf_str_of(refused[r]), &out)) {
            fail_msg("accepted: %s", refused[r]);
        }
    }
    assert_false(rf_text_to_int(nothing, &out));
    assert_false(rf_text_to_int(RF_STR("1\0"), &out));
    assert_false(rf_text_to_int(RF_STR("\xd9\xa1"), &out)); /* an Arabic one */
    assert_true(out == 77);
    assert_true(rf_text_to_int(RF_STR("987"), &out) && out == 987);
    assert_true(rf_text_to_int(RF_STR("-987"), &out) && out == -987);
    assert_true(rf_text_to_int(RF_STR("+987"), &out) && out == 987);
    assert_true(rf_text_to_int(RF_STR("0"), &out) && out == 0);
    assert_true(rf_text_to_int(RF_STR("-0"), &out) && out == 0);
    assert_true(rf_text_to_int(RF_STR("007"), &out) && out == 7);
    assert_true(rf_text_to_int(RF_STR("0000000000000000000000000000001"), &out) && out == 1);
    assert_true(rf_text_to_int(RF_STR("9223372036854775807"), &out) && out == INT64_MAX);
    assert_true(rf_text_to_int(RF_STR("-9223372036854775807"), &out) && out == -INT64_MAX);
    assert_true(rf_text_to_int(RF_STR("-9223372036854775808"), &out) && out == INT64_MIN);
    assert_true(rf_text_to_int((struct rf_str){"123", 2}, &out) && out == 12);
}

static void test_rf_text_to_uint(void **state)
{
    static const char *const refused[] = {"",
                                          "-",
                                          "-1",
                                          "+1",
                                          "-0",
                                          "1u",
                                          "1.0",
                                          " 1",
                                          "18446744073709551616",
                                          "18446744073709551620",
                                          "28446744073709551615",
                                          "100000000000000000000"};
    uint64_t out = 77;
    (void)state;
    for (size_t r = 0; r < sizeof refused / sizeof refused[0]; r++) {
        if (rf_text_to_uint(rf_str_of(refused[r]), &out)) {
            fail_msg("accepted: %s", refused[r]);
        }
    }
    assert_false(rf_text_to_uint(nothing, &out));
    assert_true(out == 77);
    assert_true(rf_text_to_uint(RF_STR("300"), &out) && out == 300);
    assert_true(rf_text_to_uint(RF_STR("00300"), &out) && out == 300);
    assert_true(rf_text_to_uint(RF_STR("0"), &out) && out == 0);
    assert_true(rf_text_to_uint(RF_STR("18446744073709551615"), &out) && out == UINT64_MAX);
    assert_true(rf_text_to_uint(RF_STR("18446744073709551614"), &out) && out == UINT64_MAX - 1);
}

static bool is_same_double(double a, double b)
{
    return a == b && signbit(a) == signbit(b);
}

static void test_rf_text_to_double(void **state)
{
    static const struct {
        const char *text;
        double value;
    } rows[] = {
        {"0", 0.0},
        {"0.0", 0.0},
        {"-0.0", -0.0},
        {"-0", -0.0},
        {"+0", 0.0},
        {"1", 1.0},
        {"+1", 1.0},
        {"-987.654", -987.654},
        {"6.02214e23", 6.02214e23},
        {"1.38e-23", 1.38e-23},
        {"-84.32e7", -84.32e7},
        {"-5.43e-21", -5.43e-21},
        {"1.", 1.0},
        {".5", 0.5},
        {"-.5", -0.5},
        {"+.5e1", 5.0},
        {"1.e2", 100.0},
        {"1E2", 100.0},
        {"1e+2", 100.0},
        {"1e-2", 0.01},
        {"1e002", 100.0},
        {"007", 7.0},
        {"0.1", 0.1},
        {"1.7976931348623157e308", 1.7976931348623157e308},
        {"1.7976931348623158e308", 1.7976931348623157e308}, /* rounds down */
        {"4.9e-324", 5e-324},
        {"2.5e-324", 5e-324},
        {"2.4e-324", 0.0},
        {"1e-400", 0.0},
        {"-1e-400", -0.0},
        {"1e-99999999999999999999999999", 0.0},
        {"0e99999999999999999999999999", 0.0},
        {"9007199254740993", 9007199254740992.0},
        {"9007199254740993.00000000000000000000000000000000001", 9007199254740994.0},
        {"0.000000000000000000000000000000000000000000000000000000001e57", 1.0},
        {"100000000000000000000000000000000000000000e-41", 1.0},
        {"inf", INFINITY},
        {"+inf", INFINITY},
        {"-inf", -INFINITY},
        {"INF", INFINITY},
        {"Infinity", INFINITY},
        {"-iNfInItY", -INFINITY},
    };
    static const char *const refused[] = {"",
                                          "+",
                                          "-",
                                          ".",
                                          "-.",
                                          "e5",
                                          ".e5",
                                          "1e",
                                          "1e+",
                                          "1e-",
                                          "1e1.5",
                                          "1..2",
                                          "1.2.3",
                                          "--1",
                                          "+-1",
                                          " 1",
                                          "1 ",
                                          "1,5",
                                          "1_000",
                                          "0x1",
                                          "0x1p4",
                                          "0X1P4",
                                          "1f",
                                          "1d",
                                          "in",
                                          "infi",
                                          "infinit",
                                          "infinityy",
                                          "inf1",
                                          "--inf",
                                          "na",
                                          "nann",
                                          "+nan",
                                          "-nan",
                                          "nan(1)",
                                          "1e400",
                                          "-1e400",
                                          "1e99999999999999999999",
                                          "1.7976931348623159e308",
                                          "17976931348623159e292",
                                          "\u00a01"};
    double out = 77.0;
    (void)state;
    for (size_t r = 0; r < sizeof refused / sizeof refused[0]; r++) {
        if (rf_text_to_double(rf_str_of(refused[r]), &out)) {
            fail_msg("accepted: %s", refused[r]);
        }
    }
    assert_false(rf_text_to_double(nothing, &out));
    assert_false(rf_text_to_double(RF_STR("1\0"), &out));
    assert_true(out == 77.0);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        if (!rf_text_to_double(rf_str_of(rows[r].text), &out) || !is_same_double(out, rows[r].value)) {
            fail_msg("%s gives %.17g", rows[r].text, out);
        }
    }
    assert_true(rf_text_to_double(RF_STR("NaN"), &out) && isnan(out));
    out = 0.0;
    assert_true(rf_text_to_double(RF_STR("nAN"), &out) && isnan(out));
    assert_true(rf_text_to_double((struct rf_str){"12e5", 2}, &out) && out == 12.0);
}

/* Against strtod, which glibc rounds correctly, for every shape of digits, point and exponent. */
static void test_random_doubles(void **state)
{
    (void)state;
    for (int round = 0; round < 200000; round++) {
        char text[80];
        size_t count = 0;
        const uint32_t whole = random_below(random_below(4) == 0 ? 30 : 4);
        const uint32_t fraction = random_below(random_below(4) == 0 ? 30 : 4);
        const uint32_t digit_kinds = random_below(4) == 0 ? 2 : 10;
        if (random_below(3) == 0) {
            text[count++] = random_below(2) == 0 ? '-' : '+';
        }
        for (uint32_t i = 0; i < whole; i++) {
            text[count++] = (char)('0' + random_below(digit_kinds));
        }
        if (fraction != 0 || random_below(4) == 0) {
            text[count++] = '.';
        }
        for (uint32_t i = 0; i < fraction; i++) {
            text[count++] = (char)('0' + random_below(digit_kinds));
        }
        if (random_below(2) == 0) {
            const int exponent = (int)random_below(700) - 350;
            count += (size_t)snprintf(text + count, sizeof text - count, random_below(2) == 0 ? "e%d" : "E%+d",
                                      random_below(2) == 0 ? exponent : exponent / 16);
        }
        text[count] = '\0';
        char *end;
        const double expected = strtod(text, &end);
        const bool is_number = whole + fraction != 0 && end == text + count;
        double out = 77.0;
        char *const exact = malloc(count + 1);
        assert_non_null(exact);
        memcpy(exact + 1, text, count); /* the text ends with the block */
        const bool is_taken = rf_text_to_double((struct rf_str){exact + 1, count}, &out);
        free(exact);
        if (is_taken != (is_number && isfinite(expected)) || (is_taken && !is_same_double(out, expected))) {
            fail_msg("%s gives %.17g", text, out);
        }
    }
}

/* Half way between two doubles, with many digits behind: only the last one decides. */
static void test_long_doubles(void **state)
{
    enum { ZEROS = 100000 };
    static char text[ZEROS + 64];
    double out;
    (void)state;
    const int head = snprintf(text, sizeof text, "9007199254740993.");
    memset(text + head, '0', ZEROS);
    assert_true(rf_text_to_double((struct rf_str){text, (size_t)head + ZEROS}, &out));
    assert_true(out == 9007199254740992.0);
    text[head + ZEROS] = '1';
    assert_true(rf_text_to_double((struct rf_str){text, (size_t)head + ZEROS + 1}, &out));
    assert_true(out == 9007199254740994.0);
    /* Digits and exponent that cancel out, far beyond the range of either alone. */
    memset(text, '0', ZEROS);
    text[0] = '1';
    const int tail = snprintf(text + ZEROS, 32, "e-%d", ZEROS - 1);
    assert_true(rf_text_to_double((struct rf_str){text, ZEROS + (size_t)tail}, &out));
    assert_true(out == 1.0);
}

static void test_rf_text_to_bool(void **state)
{
    static const char *const truths[] = {"1", "t", "true", "TRUE", "True"};
    static const char *const lies[] = {"0", "f", "false", "FALSE", "False"};
    static const char *const refused[] = {"",      "T",     "F",   "TrUe", "FaLsE", "tru",
                                          "truee", " true", "yes", "2",    "-1",    "01"};
    bool out;
    (void)state;
    for (size_t r = 0; r < sizeof truths / sizeof truths[0]; r++) {
        out = false;
        assert_true(rf_text_to_bool(rf_str_of(truths[r]), &out) && out);
        out = true;
        assert_true(rf_text_to_bool(rf_str_of(lies[r]), &out) && !out);
    }
    for (size_t r = 0; r < sizeof refused / sizeof refused[0]; r++) {
        out = r % 2 == 0;
        assert_false(rf_text_to_bool(rf_str_of(refused[r]), &out));
        assert_int_equal(out, r % 2 == 0);
    }
    assert_false(rf_text_to_bool(nothing, &out));
    assert_false(rf_text_to_bool(RF_STR("t\0"), &out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_text_to_int),    cmocka_unit_test(test_rf_text_to_uint),
        cmocka_unit_test(test_rf_text_to_double), cmocka_unit_test(test_random_doubles),
        cmocka_unit_test(test_long_doubles),      cmocka_unit_test(test_rf_text_to_bool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
