#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "duration.h"

static const int64_t second = 1000000000;

/* Parses a copy that ends where the text ends, so that the address sanitizer sees every byte too far. */
static bool parse_copy(const char *text, size_t count, int64_t *out)
{
    char *const copy = malloc(count == 0 ? 1 : count);
    assert_non_null(copy);
    memcpy(copy, text, count);
    const bool is_good = rf_duration_parse((struct rf_str){copy, count}, out);
    free(copy);
    return is_good;
}

static void assert_parsed(const char *text, int64_t expected)
{
    int64_t nanoseconds = ~expected;
    if (!parse_copy(text, strlen(text), &nanoseconds)) {
        fail_msg("refused: %s", text);
    }
    if (nanoseconds != expected) {
        fail_msg("%s: %lld", text, (long long)nanoseconds);
    }
}

static void test_rf_duration_parse_accepts(void **state)
{
    (void)state;
    assert_parsed("0", 0);
    assert_parsed("+0", 0);
    assert_parsed("-0", 0);
    assert_parsed("0s", 0);
    assert_parsed("5s", 5 * second);
    assert_parsed("+5s", 5 * second);
    assert_parsed("-5s", -5 * second);
    assert_parsed("30m", 1800 * second);
    assert_parsed("1h30m", 5400 * second);
    assert_parsed("-1.5h", -5400 * second);
    assert_parsed("100ms", 100000000);
    assert_parsed("1us", 1000);
    assert_parsed("1\u00b5s", 1000);
    assert_parsed("1\u03bcs", 1000);
    assert_parsed("17ns", 17);
    assert_parsed(".5s", 500000000);
    assert_parsed("1.s", second);
    assert_parsed("-.5s", -500000000);
    assert_parsed("0.5us", 500);
    assert_parsed("0.9ns", 0);
    assert_parsed("-0.9ns", 0);
    assert_parsed("3h2m1s4ms5us6ns", 10921 * second + 4005006);
    assert_parsed("6ns5us4ms1s2m3h", 10921 * second + 4005006);
    assert_parsed("1m1m1m", 180 * second);
    assert_parsed("1m1ms1m", 120 * second + 1000000);
    assert_parsed("1.5h1.5m1.5s", 5400 * second + 90 * second + 1500000000);
    assert_parsed("000000000000000000000000000000001s", second);
    assert_parsed("1000000s", 1000000 * second);
    assert_parsed("123.321456789s", 123321456789);
}

/* Truncated to nanoseconds number by number, after any number of digits. */
static void test_rf_duration_parse_fractions(void **state)
{
    (void)state;
    assert_parsed("0.1234567899s", 123456789);
    assert_parsed("0.999999999999999999s", 999999999);
    assert_parsed("0.9999999999999999999999999999999999999999s", 999999999);
    assert_parsed("0.000000001s", 1);
    assert_parsed("0.0000000009s", 0);
    assert_parsed("0.3333333333333333333h", 1200 * second - 1);
    assert_parsed("0.33333333333333333334h", 1200 * second);
    /* The last digit decides, although it is beyond 64 bits of digits. */
    assert_parsed("0.000000000016666666666666666666666666666666666m", 0);
    assert_parsed("0.000000000016666666666666666666666666666666667m", 1);
    assert_parsed("0.000000000000277777777777777777777777777777777h", 0);
    assert_parsed("0.000000000000277777777777777777777777777777778h", 1);
    assert_parsed("0.6ns0.6ns", 0);
}

static void test_rf_duration_parse_limits(void **state)
{
    int64_t nanoseconds = 7;
    static const char *const beyond[] = {
        "9223372036854775808ns",
        "-9223372036854775809ns",
        "9223372036.854775808s",
        "9223372036854775.808us",
        "9223372037s",
        "-9223372036.854775809s",
        "320000000000s",
        "-320000000000s",
        "2562048h",
        "18446744073709551616ns",
        "18446744073709551617ns",
        "99999999999999999999999999999999999999ns",
        "9223372036854775807ns1ns",
        "9223372036854775808ns9223372036854775808ns",
        "-9223372036854775808ns9223372036854775808ns",
        "-9223372036854775808ns1ns",
        "153722867281m",
    };
    (void)state;
    assert_parsed("9223372036854775807ns", INT64_MAX);
    assert_parsed("-9223372036854775808ns", INT64_MIN);
    assert_parsed("9223372036.854775807s", INT64_MAX);
    assert_parsed("9223372036.8547758079s", INT64_MAX);
    assert_parsed("-9223372036.854775808s", INT64_MIN);
    assert_parsed("-9223372036854775.808us", INT64_MIN);
    assert_parsed("2562047h47m16.854775807s", INT64_MAX);
    assert_parsed("-2562047h47m16.854775808s", INT64_MIN);
    assert_parsed("9223372036854775806ns1ns", INT64_MAX);
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        if (parse_copy(beyond[i], strlen(beyond[i]), &nanoseconds)) {
            fail_msg("accepted: %s", beyond[i]);
        }
        assert_true(nanoseconds == 7);
    }
}

static void test_rf_duration_parse_refuses(void **state)
{
    static const char *const bad[] = {
        "",     "+",      "-",    "s",    ".",     ".s",        "-.s",       "1",          "1.5",    "00",
        "0.0",  "1.5.5s", "--1s", "+-1s", "-+1s",  "1s-1s",     "1s+1s",     "1h 1m",      " 1s",    "1s ",
        "1 s",  "1d",     "1w",   "1y",   "1S",    "1H",        "1M",        "1Ms",        "1sec",   "1hour",
        "1min", "1msec",  "1u",   "1n",   "1k",    "1ss",       "1s1",       "1s.",        "1e3s",   "0x1s",
        "1_0s", "1,5s",   "inf",  "NaN",  "1\xc2", "1\xc2\xb5", "1\xce\xbc", "1\xc2\xb5m", "1\xb5s", "1\xce\xbcns",
        "1h-",  "P1D",    "PT1S", "1:30", "\xff",  "1\xffs",
    };
    int64_t nanoseconds = 7;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (parse_copy(bad[i], strlen(bad[i]), &nanoseconds)) {
            fail_msg("accepted: %s", bad[i]);
        }
        assert_true(nanoseconds == 7);
    }
    assert_false(rf_duration_parse((struct rf_str){NULL, 0}, &nanoseconds));
    assert_false(parse_copy("1s\0", 3, &nanoseconds));
    assert_false(parse_copy("1\0s", 3, &nanoseconds));
}

static void assert_written(int64_t nanoseconds, const char *expected)
{
    char text[RF_DURATION_TEXT_MAX];
    const size_t count = rf_duration_write(nanoseconds, text);
    assert_int_equal(count, strlen(expected));
    assert_memory_equal(text, expected, count);
}

static void test_rf_duration_write(void **state)
{
    (void)state;
    assert_written(0, "0s");
    assert_written(1000000 * second, "1000000s");
    assert_written(1500000000, "1.5s");
    assert_written(-1500000000, "-1.5s");
    assert_written(-1, "-0.000000001s");
    assert_written(1, "0.000000001s");
    assert_written(100, "0.0000001s");
    assert_written(10 * second, "10s");
    assert_written(1010000000, "1.01s");
    assert_written(123321456789, "123.321456789s");
    assert_written(INT64_MAX, "9223372036.854775807s");
    assert_written(INT64_MIN, "-9223372036.854775808s");
}

static void test_rf_duration_write_and_parse(void **state)
{
    enum { ROUNDS = 200000 };
    uint64_t random = 88172645463325252u;
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        char text[RF_DURATION_TEXT_MAX];
        char expected[64];
        int64_t back;
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        int64_t nanoseconds = (int64_t)random >> (random % 61);
        /* Round ones as well: their zeros are not written. */
        nanoseconds -= round % 3 == 0 ? nanoseconds % 1000000 : 0;
        const size_t count = rf_duration_write(nanoseconds, text);
        int expected_count =
            snprintf(expected, sizeof expected, "%s%lld.%09lld", nanoseconds < 0 ? "-" : "",
                     llabs((long long)(nanoseconds / second)), llabs((long long)(nanoseconds % second)));
        while (expected[expected_count - 1] == '0') {
            expected_count--;
        }
        expected_count -= expected[expected_count - 1] == '.';
        expected[expected_count++] = 's';
        assert_int_equal(count, expected_count);
        assert_memory_equal(text, expected, count);
        assert_true(rf_duration_parse((struct rf_str){text, count}, &back));
        assert_true(back == nanoseconds);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_duration_parse_accepts), cmocka_unit_test(test_rf_duration_parse_fractions),
        cmocka_unit_test(test_rf_duration_parse_limits),  cmocka_unit_test(test_rf_duration_parse_refuses),
        cmocka_unit_test(test_rf_duration_write),         cmocka_unit_test(test_rf_duration_write_and_parse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
