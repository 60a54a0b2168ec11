/* calc_time.c: parts and arithmetic of times on cells. That all of it is as on values:
 * tests/unit/pipeline/test_calc_operate.c. */
#include "calc_fixture.h"
#include "zone.h"

enum { SECOND = 1000000000 };

static void test_sums(void **state)
{
    (void)state;
    expect_instant(call_two(RF_FN_ADD, instant(10, 999999999), duration(2)), 11, 1);
    expect_instant(call_two(RF_FN_ADD, duration(-1), instant(10, 0)), 9, 999999999);
    expect_duration(call_two(RF_FN_ADD, duration(-1), duration(5)), 4);
    expect_error(call_two(RF_FN_ADD, duration(INT64_MAX), duration(1)));
    expect_error(call_two(RF_FN_ADD, instant(RF_INSTANT_SECONDS_MAX, 999999999), duration(1)));
    expect_error(call_two(RF_FN_ADD, instant(0, 0), instant(0, 0)));
    expect_error(call_two(RF_FN_ADD, instant(0, 0), rf_cell_of_int(1)));
    expect_error(call_two(RF_FN_ADD, rf_cell_of_int(1), instant(0, 0)));
    expect_error(call_two(RF_FN_MUL, duration(1), rf_cell_of_int(2)));
    expect_error(call_two(RF_FN_DIV, duration(4), duration(2)));
}

static void test_differences(void **state)
{
    (void)state;
    expect_duration(call_two(RF_FN_SUB, instant(10, 1), instant(9, 2)), SECOND - 1);
    expect_error(call_two(RF_FN_SUB, instant(RF_INSTANT_SECONDS_MAX, 0), instant(RF_INSTANT_SECONDS_MIN, 0)));
    expect_instant(call_two(RF_FN_SUB, instant(10, 0), duration(1)), 9, 999999999);
    expect_instant(call_two(RF_FN_SUB, instant(0, 0), duration(INT64_MIN)), 9223372036, 854775808);
    expect_error(call_two(RF_FN_SUB, instant(RF_INSTANT_SECONDS_MIN, 0), duration(1)));
    expect_error(call_two(RF_FN_SUB, instant(RF_INSTANT_SECONDS_MAX, 0), duration(INT64_MIN)));
    expect_duration(call_two(RF_FN_SUB, duration(INT64_MIN), duration(-1)), INT64_MIN + 1);
    expect_error(call_two(RF_FN_SUB, duration(INT64_MIN), duration(1)));
    expect_error(call_two(RF_FN_SUB, duration(1), instant(0, 0)));
}

static void test_negation(void **state)
{
    (void)state;
    expect_duration(call_one(RF_FN_NEG, duration(INT64_MAX)), -INT64_MAX);
    expect_error(call_one(RF_FN_NEG, duration(INT64_MIN)));
    expect_error(call_one(RF_FN_NEG, instant(0, 0)));
}

/* 2000-02-29T15:04:05.678Z, a Tuesday. */
static void test_parts(void **state)
{
    (void)state;
    static const struct {
        enum rf_function function;
        int64_t part;
    } row[] = {{RF_FN_FULL_YEAR, 2000}, {RF_FN_MONTH, 1},         {RF_FN_DATE, 29},  {RF_FN_DAY_OF_MONTH, 28},
               {RF_FN_DAY_OF_WEEK, 2},  {RF_FN_DAY_OF_YEAR, 59},  {RF_FN_HOURS, 15}, {RF_FN_MINUTES, 4},
               {RF_FN_SECONDS, 5},      {RF_FN_MILLISECONDS, 678}};
    const struct rf_cell leap_day = instant(951836645, 678000000);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        expect_int(call_one(row[i].function, leap_day), row[i].part);
        expect_int(call_two(row[i].function, leap_day, str("UTC")), row[i].part);
        expect_int(call_two(row[i].function, leap_day, str("")), row[i].part);
        const bool is_counted = row[i].function >= RF_FN_HOURS;
        expect_only(row[i].function, 1u << RF_TAG_TIMESTAMP | (is_counted ? 1u << RF_TAG_DURATION : 0));
        expect_error(call_two(row[i].function, leap_day, rf_cell_of_int(1)));
        expect_error(call_two(row[i].function, duration(1), str("UTC")));
    }
}

static void test_zones(void **state)
{
    (void)state;
    const struct rf_cell evening = instant(951865445, 0); /* 2000-02-29T23:04:05Z */
    expect_int(call_two(RF_FN_DATE, evening, str("+05:30")), 1);
    expect_int(call_two(RF_FN_MONTH, evening, escaped("+05:30")), 2);
    expect_int(call_two(RF_FN_HOURS, evening, str("-23:59")), 23);
    expect_int(call_two(RF_FN_MINUTES, evening, str("05:30")), 34);
    expect_error(call_two(RF_FN_HOURS, evening, str("24:00")));
    expect_error(call_two(RF_FN_HOURS, evening, str("Nowhere/Land")));
    expect_error(call_two(RF_FN_HOURS, evening, str("../etc/localtime")));
    expect_error(call_two(RF_FN_HOURS, evening, bytes("UTC")));
    /* Local time may leave the years of a timestamp. */
    expect_int(call_two(RF_FN_FULL_YEAR, instant(RF_INSTANT_SECONDS_MAX, 0), str("+00:01")), 10000);
    expect_int(call_two(RF_FN_FULL_YEAR, instant(RF_INSTANT_SECONDS_MIN, 0), str("-00:01")), 0);
}

/* A zone that was looked up before stands for the name. */
static void test_constant_zone(void **state)
{
    (void)state;
    const struct rf_zone zone = {.offset_seconds = 5400};
    const struct rf_calc calc = {.function = RF_FN_HOURS, .args = 2, .zone = &zone};
    const struct rf_calc_run run = {.calc = &calc, .scratch = &scratch};
    const struct rf_cell noon[2] = {instant(12 * 3600, 0), str("the name is not looked at")};
    const struct rf_cell span[2] = {duration(1), str("UTC")};
    struct rf_cell out = {.tag = RF_TAG_ERROR, .text = ""};
    rf_calc_time_op(RF_FN_HOURS)(&run, noon, &out);
    expect_int(out, 13);
    out = (struct rf_cell){.tag = RF_TAG_ERROR, .text = ""};
    rf_calc_time_op(RF_FN_HOURS)(&run, span, &out);
    expect_error(out);
}

static void test_parts_of_durations(void **state)
{
    (void)state;
    const struct rf_cell span = duration(-(INT64_C(3723) * SECOND + 321456789)); /* -1h2m3.321456789s */
    expect_int(call_one(RF_FN_HOURS, span), -1);
    expect_int(call_one(RF_FN_MINUTES, span), -62);
    expect_int(call_one(RF_FN_SECONDS, span), -3723);
    expect_int(call_one(RF_FN_MILLISECONDS, span), -321);
}

static void test_functions_of_others(void **state)
{
    (void)state;
    assert_null(rf_calc_time_op(RF_FN_MUL));
    assert_null(rf_calc_time_op(RF_FN_TO_TIMESTAMP));
    assert_null(rf_calc_time_op(RF_FN_CHAR_AT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_sums, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_differences, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_negation, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_parts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_zones, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_constant_zone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_parts_of_durations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_functions_of_others, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
