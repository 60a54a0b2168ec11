#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "calendar.h"

/* The rule of Pope Gregory, said plainly. */
static bool is_leap_plainly(int32_t year)
{
    return year % 400 == 0 || (year % 4 == 0 && year % 100 != 0);
}

static void test_rf_year_is_leap(void **state)
{
    (void)state;
    for (int32_t year = -400; year <= 10400; year++) {
        assert_true(rf_year_is_leap(year) == is_leap_plainly(year));
    }
}

static int32_t month_days_plainly(int32_t year, int32_t month)
{
    static const int32_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && is_leap_plainly(year));
}

static void test_rf_month_days(void **state)
{
    (void)state;
    for (int32_t year = 1896; year <= 2004; year++) {
        for (int32_t month = 1; month <= 12; month++) {
            assert_int_equal(rf_month_days(year, month), month_days_plainly(year, month));
        }
    }
}

static void assert_date(int32_t days, struct rf_date expected)
{
    const struct rf_date date = rf_date_from_days(days);
    if (date.year != expected.year || date.month != expected.month || date.day != expected.day ||
        date.day_of_year != expected.day_of_year ||
        rf_date_to_days(expected.year, expected.month, expected.day) != days) {
        fail_msg("day %d: %d-%d-%d, day %d of the year", days, date.year, date.month, date.day, date.day_of_year);
    }
}

static void assert_part(struct rf_instant t, enum rf_time_part part, int64_t expected)
{
    const int64_t value = rf_instant_part(t, part);
    if (value != expected) {
        fail_msg("part %d of %lld: %lld", (int)part, (long long)t.seconds, (long long)value);
    }
}

/* Every day from a year before year 1 to a year after year 9999, by counting. */
static void test_every_day(void **state)
{
    struct rf_date date = {0, 1, 1, 0};
    int32_t days = -719528; /* 0000-01-01 */
    int32_t weekday = 6;    /* a Saturday */
    (void)state;
    while (date.year <= 10000) {
        const uint32_t second_of_day = (uint32_t)((uint32_t)days * 2654435761u) % RF_SECONDS_PER_DAY;
        const struct rf_instant t = {(int64_t)days * RF_SECONDS_PER_DAY + second_of_day, 987654321};
        uint32_t second;
        assert_date(days, date);
        assert_int_equal(rf_days_weekday(days), weekday);
        assert_int_equal(rf_days_from_seconds(t.seconds, &second), days);
        assert_int_equal(second, second_of_day);
        assert_part(t, RF_PART_FULL_YEAR, date.year);
        assert_part(t, RF_PART_MONTH, date.month - 1);
        assert_part(t, RF_PART_DATE, date.day);
        assert_part(t, RF_PART_DAY_OF_MONTH, date.day - 1);
        assert_part(t, RF_PART_DAY_OF_WEEK, weekday);
        assert_part(t, RF_PART_DAY_OF_YEAR, date.day_of_year);
        assert_part(t, RF_PART_HOURS, second_of_day / 3600);
        assert_part(t, RF_PART_MINUTES, second_of_day / 60 % 60);
        assert_part(t, RF_PART_SECONDS, second_of_day % 60);
        assert_part(t, RF_PART_MILLISECONDS, 987);

        days++;
        weekday = (weekday + 1) % 7;
        date.day++;
        date.day_of_year++;
        if (date.day > month_days_plainly(date.year, date.month)) {
            date.day = 1;
            date.month++;
        }
        if (date.month > 12) {
            date = (struct rf_date){date.year + 1, 1, 1, 0};
        }
    }
    /* 9999-12-31 is day 2932896, and the year 10000 has 366 days. */
    assert_int_equal(days, 2932897 + 366);
}

static void test_rf_date_from_days(void **state)
{
    (void)state;
    assert_date(0, (struct rf_date){1970, 1, 1, 0});
    assert_date(-1, (struct rf_date){1969, 12, 31, 364});
    assert_date(11016, (struct rf_date){2000, 2, 29, 59});
    assert_date(-719162, (struct rf_date){1, 1, 1, 0});
    assert_date(2932896, (struct rf_date){9999, 12, 31, 364});
}

/* Beyond all dates: anything, but in its bounds. */
static void test_rf_date_from_days_extremes(void **state)
{
    static const int32_t days[] = {INT32_MIN,  INT32_MIN + 1, -1000000000, -865566,
                                   1000000000, INT32_MAX - 1, INT32_MAX};
    (void)state;
    for (size_t i = 0; i < sizeof days / sizeof days[0]; i++) {
        const struct rf_date date = rf_date_from_days(days[i]);
        assert_in_range(date.month, 1, 12);
        assert_in_range(date.day, 1, 31);
        assert_in_range(date.day_of_year, 0, 366);
        assert_in_range(rf_days_weekday(days[i]), 0, 6);
    }
}

static void test_rf_date_to_days(void **state)
{
    (void)state;
    assert_int_equal(rf_date_to_days(1970, 1, 1), 0);
    assert_int_equal(rf_date_to_days(1, 1, 1), -719162);
    assert_int_equal(rf_date_to_days(9999, 12, 31), 2932896);
    assert_int_equal(rf_date_to_days(2000, 3, 1) - rf_date_to_days(2000, 2, 28), 2);
    assert_int_equal(rf_date_to_days(1900, 3, 1) - rf_date_to_days(1900, 2, 28), 1);
}

static void test_rf_days_from_seconds(void **state)
{
    uint32_t second;
    (void)state;
    assert_int_equal(rf_days_from_seconds(0, &second), 0);
    assert_int_equal(second, 0);
    assert_int_equal(rf_days_from_seconds(-1, &second), -1);
    assert_int_equal(second, 86399);
    assert_int_equal(rf_days_from_seconds(86400, &second), 1);
    assert_int_equal(second, 0);
    (void)rf_days_from_seconds(INT64_MIN, &second);
    assert_true(second < RF_SECONDS_PER_DAY);
    (void)rf_days_from_seconds(INT64_MAX, &second);
    assert_true(second < RF_SECONDS_PER_DAY);
}

static void test_rf_days_weekday(void **state)
{
    (void)state;
    assert_int_equal(rf_days_weekday(0), 4);
    assert_int_equal(rf_days_weekday(-1), 3);
    assert_int_equal(rf_days_weekday(3), 0);
}

/* The instant of the conformance suite of CEL: Friday, 2009-02-13T23:31:30Z. */
static void test_rf_instant_part(void **state)
{
    const struct rf_instant t = {1234567890, 123456789};
    const struct rf_instant before = {-1, 999999999};
    (void)state;
    assert_part(t, RF_PART_FULL_YEAR, 2009);
    assert_part(t, RF_PART_MONTH, 1);
    assert_part(t, RF_PART_DATE, 13);
    assert_part(t, RF_PART_DAY_OF_MONTH, 12);
    assert_part(t, RF_PART_DAY_OF_WEEK, 5);
    assert_part(t, RF_PART_DAY_OF_YEAR, 43);
    assert_part(t, RF_PART_HOURS, 23);
    assert_part(t, RF_PART_MINUTES, 31);
    assert_part(t, RF_PART_SECONDS, 30);
    assert_part(t, RF_PART_MILLISECONDS, 123);
    assert_part(before, RF_PART_FULL_YEAR, 1969);
    assert_part(before, RF_PART_DAY_OF_YEAR, 364);
    assert_part(before, RF_PART_SECONDS, 59);
    assert_part(before, RF_PART_MILLISECONDS, 999);
    /* Local times beyond the range. */
    assert_part((struct rf_instant){RF_INSTANT_SECONDS_MIN - 86400, 0}, RF_PART_FULL_YEAR, 0);
    assert_part((struct rf_instant){RF_INSTANT_SECONDS_MIN - 86400, 0}, RF_PART_DAY_OF_YEAR, 365);
    assert_part((struct rf_instant){RF_INSTANT_SECONDS_MAX + 86400, 0}, RF_PART_FULL_YEAR, 10000);
    assert_part((struct rf_instant){RF_INSTANT_SECONDS_MAX + 86400, 0}, RF_PART_HOURS, 23);
    for (int part = RF_PART_FULL_YEAR; part <= RF_PART_MILLISECONDS; part++) {
        (void)rf_instant_part((struct rf_instant){INT64_MIN, UINT32_MAX}, (enum rf_time_part)part);
        (void)rf_instant_part((struct rf_instant){INT64_MAX, UINT32_MAX}, (enum rf_time_part)part);
    }
}

static void test_rf_duration_part(void **state)
{
    const int64_t second = RF_NANOSECONDS_PER_SECOND;
    (void)state;
    assert_int_equal(rf_duration_part(10000 * second, RF_PART_HOURS), 2);
    assert_int_equal(rf_duration_part(3730 * second, RF_PART_MINUTES), 62);
    assert_int_equal(rf_duration_part(3730 * second, RF_PART_SECONDS), 3730);
    assert_int_equal(rf_duration_part(123321456789, RF_PART_MILLISECONDS), 321);
    assert_int_equal(rf_duration_part(-10000 * second, RF_PART_HOURS), -2);
    assert_int_equal(rf_duration_part(-119 * second, RF_PART_MINUTES), -1);
    assert_int_equal(rf_duration_part(-1999999999, RF_PART_SECONDS), -1);
    assert_int_equal(rf_duration_part(-123321456789, RF_PART_MILLISECONDS), -321);
    assert_int_equal(rf_duration_part(-999999, RF_PART_MILLISECONDS), 0);
    assert_int_equal(rf_duration_part(INT64_MAX, RF_PART_HOURS), 2562047);
    assert_int_equal(rf_duration_part(INT64_MIN, RF_PART_HOURS), -2562047);
    assert_int_equal(rf_duration_part(INT64_MIN, RF_PART_SECONDS), -9223372036);
    assert_int_equal(rf_duration_part(INT64_MIN, RF_PART_MILLISECONDS), -854);
    assert_int_equal(rf_duration_part(0, RF_PART_MINUTES), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_year_is_leap),
        cmocka_unit_test(test_rf_month_days),
        cmocka_unit_test(test_every_day),
        cmocka_unit_test(test_rf_date_from_days),
        cmocka_unit_test(test_rf_date_from_days_extremes),
        cmocka_unit_test(test_rf_date_to_days),
        cmocka_unit_test(test_rf_days_from_seconds),
        cmocka_unit_test(test_rf_days_weekday),
        cmocka_unit_test(test_rf_instant_part),
        cmocka_unit_test(test_rf_duration_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
