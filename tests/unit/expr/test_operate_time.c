/* operate.h, family TIME: parts, sums and differences of timestamps and durations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "family_fixture.h"

static const int64_t second = RF_NANOSECONDS_PER_SECOND;

static struct rf_value apply(enum rf_function function, struct rf_value a, struct rf_value b)
{
    return call_two(rf_operate_time, function, a, b);
}

static struct rf_value part_of(enum rf_function function, struct rf_value a)
{
    return call_one(rf_operate_time, function, a);
}

static void test_add_to_timestamp(void **state)
{
    (void)state;
    expect_instant(apply(RF_FN_ADD, instant(100, 999999999), rf_value_duration(1)), 101, 0);
    expect_instant(apply(RF_FN_ADD, rf_value_duration(second), instant(100, 5)), 101, 5);
    expect_instant(apply(RF_FN_ADD, instant(0, 0), rf_value_duration(-1)), -1, 999999999);
    /* 0001-01-01T00:00:01.000000001Z - 999999999 ns */
    expect_instant(apply(RF_FN_ADD, instant(RF_INSTANT_SECONDS_MIN + 1, 1), rf_value_duration(-999999999)),
                   RF_INSTANT_SECONDS_MIN, 2);
}

static void test_add_at_the_bounds(void **state)
{
    (void)state;
    const struct rf_value first = instant(RF_INSTANT_SECONDS_MIN, 0);
    const struct rf_value last = instant(RF_INSTANT_SECONDS_MAX, 999999999);
    expect_instant(apply(RF_FN_ADD, instant(RF_INSTANT_SECONDS_MAX, 999999998), rf_value_duration(1)),
                   RF_INSTANT_SECONDS_MAX, 999999999);
    expect_error(apply(RF_FN_ADD, last, rf_value_duration(1)), "timestamp out of range");
    expect_error(apply(RF_FN_ADD, rf_value_duration(1), last), "timestamp out of range");
    expect_instant(apply(RF_FN_ADD, instant(RF_INSTANT_SECONDS_MIN, 1), rf_value_duration(-1)), RF_INSTANT_SECONDS_MIN,
                   0);
    expect_error(apply(RF_FN_ADD, first, rf_value_duration(-1)), "timestamp out of range");
    expect_instant(apply(RF_FN_SUB, last, rf_value_duration(0)), RF_INSTANT_SECONDS_MAX, 999999999);
    expect_error(apply(RF_FN_SUB, last, rf_value_duration(-1)), "timestamp out of range");
    expect_error(apply(RF_FN_SUB, first, rf_value_duration(1)), "timestamp out of range");
}

/* The durations whose negatives are at or beyond the range. */
static void test_subtract_extreme_durations(void **state)
{
    (void)state;
    expect_instant(apply(RF_FN_SUB, instant(0, 0), rf_value_duration(INT64_MAX)), -9223372037, 145224193);
    expect_instant(apply(RF_FN_SUB, instant(0, 0), rf_value_duration(INT64_MIN + 1)), 9223372036, 854775807);
    expect_instant(apply(RF_FN_SUB, instant(0, 0), rf_value_duration(INT64_MIN)), 9223372036, 854775808);
    /* The last instant from which 2^63 ns on there still is one, and the nanosecond after it. */
    const int64_t from = RF_INSTANT_SECONDS_MAX - 9223372036;
    expect_instant(apply(RF_FN_SUB, instant(from, 999999999 - 854775808), rf_value_duration(INT64_MIN)),
                   RF_INSTANT_SECONDS_MAX, 999999999);
    expect_error(apply(RF_FN_SUB, instant(from, 999999999 - 854775808 + 1), rf_value_duration(INT64_MIN)),
                 "timestamp out of range");
    expect_error(apply(RF_FN_SUB, instant(RF_INSTANT_SECONDS_MAX, 0), rf_value_duration(INT64_MIN)),
                 "timestamp out of range");
}

static void test_subtract_timestamps(void **state)
{
    (void)state;
    expect_duration(apply(RF_FN_SUB, instant(100, 0), instant(40, 0)), 60 * second);
    expect_duration(apply(RF_FN_SUB, instant(40, 1), instant(100, 0)), -60 * second + 1);
    expect_duration(apply(RF_FN_SUB, instant(9223372036, 854775807), instant(0, 0)), INT64_MAX);
    expect_error(apply(RF_FN_SUB, instant(9223372036, 854775808), instant(0, 0)), "duration out of range");
    expect_duration(apply(RF_FN_SUB, instant(0, 0), instant(9223372036, 854775808)), INT64_MIN);
    expect_error(apply(RF_FN_SUB, instant(0, 0), instant(9223372036, 854775809)), "duration out of range");
    expect_error(apply(RF_FN_SUB, instant(RF_INSTANT_SECONDS_MAX, 0), instant(RF_INSTANT_SECONDS_MIN, 0)),
                 "duration out of range");
}

static void test_duration_arithmetic(void **state)
{
    (void)state;
    expect_duration(apply(RF_FN_ADD, rf_value_duration(600 * second), rf_value_duration(-50)), 600 * second - 50);
    expect_duration(apply(RF_FN_SUB, rf_value_duration(900), rf_value_duration(42)), 858);
    expect_duration(apply(RF_FN_ADD, rf_value_duration(INT64_MAX - 1), rf_value_duration(1)), INT64_MAX);
    expect_error(apply(RF_FN_ADD, rf_value_duration(INT64_MAX), rf_value_duration(1)), "duration out of range");
    expect_error(apply(RF_FN_ADD, rf_value_duration(INT64_MIN), rf_value_duration(-1)), "duration out of range");
    expect_duration(apply(RF_FN_SUB, rf_value_duration(-1), rf_value_duration(INT64_MIN)), INT64_MAX);
    expect_error(apply(RF_FN_SUB, rf_value_duration(0), rf_value_duration(INT64_MIN)), "duration out of range");
    expect_duration(part_of(RF_FN_NEG, rf_value_duration(5)), -5);
    expect_duration(part_of(RF_FN_NEG, rf_value_duration(INT64_MAX)), INT64_MIN + 1);
    expect_duration(part_of(RF_FN_NEG, rf_value_duration(INT64_MIN + 1)), INT64_MAX);
    expect_error(part_of(RF_FN_NEG, rf_value_duration(INT64_MIN)), "duration out of range");
}

static void test_arithmetic_of_other_types(void **state)
{
    (void)state;
    const struct rf_value duration = rf_value_duration(1);
    const struct rf_value time = instant(0, 0);
    expect_error(apply(RF_FN_ADD, time, time), "no such overload: google.protobuf.Timestamp +");
    expect_error(apply(RF_FN_ADD, time, rf_value_int(1)), "no such overload");
    expect_error(apply(RF_FN_ADD, rf_value_int(1), duration), "no such overload");
    expect_error(apply(RF_FN_ADD, duration, str("1s")), "no such overload");
    expect_error(apply(RF_FN_SUB, duration, time), "no such overload");
    expect_error(apply(RF_FN_SUB, time, rf_value_int(1)), "no such overload");
    expect_error(apply(RF_FN_SUB, duration, message("1")), "no such overload");
    expect_overloads(rf_operate_time, RF_FN_NEG, 1u << RF_TYPE_DURATION);
}

/* 2009-02-13T23:31:30.123456789Z, a Friday. */
static void test_timestamp_parts(void **state)
{
    (void)state;
    static const int64_t wanted[] = {2009, 1, 13, 12, 5, 43, 23, 31, 30, 123};
    for (int i = 0; i < 10; i++) {
        const enum rf_function function = (enum rf_function)(RF_FN_FULL_YEAR + i);
        expect_int(part_of(function, instant(1234567890, 123456789)), wanted[i]);
        expect_int(apply(function, instant(1234567890, 123456789), str("UTC")), wanted[i]);
        expect_int(apply(function, instant(1234567890, 123456789), str("")), wanted[i]);
    }
    /* A nanosecond before 1970, and both ends of the range. */
    static const int64_t before[] = {1969, 11, 31, 30, 3, 364, 23, 59, 59, 999};
    static const int64_t first[] = {1, 0, 1, 0, 1, 0, 0, 0, 0, 0};
    static const int64_t last[] = {9999, 11, 31, 30, 5, 364, 23, 59, 59, 999};
    for (int i = 0; i < 10; i++) {
        const enum rf_function function = (enum rf_function)(RF_FN_FULL_YEAR + i);
        expect_int(part_of(function, instant(-1, 999999999)), before[i]);
        expect_int(part_of(function, instant(RF_INSTANT_SECONDS_MIN, 0)), first[i]);
        expect_int(part_of(function, instant(RF_INSTANT_SECONDS_MAX, 999999999)), last[i]);
    }
    expect_int(part_of(RF_FN_DAY_OF_YEAR, instant(1230724800, 0)), 365); /* 2008-12-31 */
}

static void test_timestamp_parts_in_a_zone(void **state)
{
    (void)state;
    const struct rf_value time = instant(1234567890, 123456789);
    expect_int(apply(RF_FN_DATE, time, str("+11:00")), 14);
    expect_int(apply(RF_FN_DAY_OF_MONTH, time, str("+11:00")), 13);
    expect_int(apply(RF_FN_DAY_OF_WEEK, time, str("+11:00")), 6);
    expect_int(apply(RF_FN_HOURS, time, str("02:00")), 1);
    expect_int(apply(RF_FN_HOURS, time, str("-02:00")), 21);
    expect_int(apply(RF_FN_MINUTES, time, str("-00:32")), 59);
    expect_int(apply(RF_FN_SECONDS, time, str("-00:00")), 30);
    expect_int(apply(RF_FN_MILLISECONDS, time, str("+05:45")), 123);
    expect_int(apply(RF_FN_MINUTES, time, str("Asia/Kathmandu")), 16);
    expect_int(apply(RF_FN_HOURS, time, str("America/New_York")), 18);
    expect_int(apply(RF_FN_HOURS, instant(1246406400, 0), str("America/New_York")), 20); /* 2009-07-01: summer */
    /* Local time may leave the range of years. */
    expect_int(apply(RF_FN_FULL_YEAR, instant(RF_INSTANT_SECONDS_MIN, 0), str("-00:01")), 0);
    expect_int(apply(RF_FN_FULL_YEAR, instant(RF_INSTANT_SECONDS_MAX, 0), str("+00:01")), 10000);
}

static void test_unknown_zone(void **state)
{
    (void)state;
    const struct rf_value time = instant(0, 0);
    expect_error(apply(RF_FN_HOURS, time, str("Mars/Olympus")), "unknown time zone 'Mars/Olympus'");
    expect_error(apply(RF_FN_HOURS, time, str("+24:00")), "unknown time zone '+24:00'");
    expect_error(apply(RF_FN_HOURS, time, str("../etc/passwd")), "unknown time zone");
    /* A long name is cut between characters. */
    char name[3 + 3 * 100 + 1] = "xxx";
    for (size_t skip = 0; skip < 3; skip++) {
        for (size_t i = 0; i < 100; i++) {
            memcpy(name + skip + 3 * i, "\xe2\x82\xac", 4);
        }
        expect_error(apply(RF_FN_HOURS, time, str(name)), "\xe2\x82\xac': names are such as");
        memset(name, 'x', 3);
    }
}

static void test_duration_parts(void **state)
{
    (void)state;
    const struct rf_value duration = rf_value_duration(10000 * second + 321456789);
    expect_int(part_of(RF_FN_HOURS, duration), 2);
    expect_int(part_of(RF_FN_MINUTES, duration), 166);
    expect_int(part_of(RF_FN_SECONDS, duration), 10000);
    expect_int(part_of(RF_FN_MILLISECONDS, duration), 321);
    const struct rf_value negative = rf_value_duration(-3730 * second - 5000000);
    expect_int(part_of(RF_FN_HOURS, negative), -1);
    expect_int(part_of(RF_FN_MINUTES, negative), -62);
    expect_int(part_of(RF_FN_SECONDS, negative), -3730);
    expect_int(part_of(RF_FN_MILLISECONDS, negative), -5);
    expect_int(part_of(RF_FN_HOURS, rf_value_duration(INT64_MIN)), -2562047);
    expect_int(part_of(RF_FN_SECONDS, rf_value_duration(INT64_MAX)), 9223372036);
}

static void test_parts_of_other_types(void **state)
{
    (void)state;
    for (int i = 0; i < 10; i++) {
        const enum rf_function function = (enum rf_function)(RF_FN_FULL_YEAR + i);
        const uint32_t duration = function >= RF_FN_HOURS ? 1u << RF_TYPE_DURATION : 0;
        expect_overloads(rf_operate_time, function, duration | 1u << RF_TYPE_TIMESTAMP);
        expect_error(apply(function, instant(0, 0), rf_value_int(1)), "no such overload");
        expect_error(apply(function, instant(0, 0), bytes("UTC")), "no such overload");
        expect_error(apply(function, rf_value_duration(0), str("UTC")), "no such overload");
        expect_error(apply(function, str("UTC"), instant(0, 0)), "no such overload");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add_to_timestamp),
        cmocka_unit_test(test_add_at_the_bounds),
        cmocka_unit_test(test_subtract_extreme_durations),
        cmocka_unit_test(test_subtract_timestamps),
        cmocka_unit_test(test_duration_arithmetic),
        cmocka_unit_test(test_arithmetic_of_other_types),
        cmocka_unit_test(test_timestamp_parts),
        cmocka_unit_test(test_timestamp_parts_in_a_zone),
        cmocka_unit_test(test_unknown_zone),
        cmocka_unit_test(test_duration_parts),
        cmocka_unit_test(test_parts_of_other_types),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
