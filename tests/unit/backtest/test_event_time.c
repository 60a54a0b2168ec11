/* What --time gives, as nanoseconds since 1970. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "event_time.h"

#define S 1000000000LL

static int64_t of_text(const char *text)
{
    return rf_event_time_of_text(rf_str_of(text), RF_TIME_AUTO);
}

static int64_t of_double(double value, enum rf_time_unit unit)
{
    const struct rf_cell cell = rf_cell_of_double(value, RF_TAG_NUMBER);
    const struct rf_value same = rf_value_double(value);
    const int64_t ns = rf_event_time_of_cell(&cell, unit);
    assert_int_equal(rf_event_time_of_value(&same, unit), ns);
    return ns;
}

static int64_t of_int(int64_t value, enum rf_time_unit unit)
{
    const struct rf_cell cell = rf_cell_of_int(value);
    const struct rf_value same = rf_value_int(value);
    const int64_t ns = rf_event_time_of_cell(&cell, unit);
    assert_int_equal(rf_event_time_of_value(&same, unit), ns);
    return ns;
}

static void test_texts(void **unused)
{
    (void)unused;
    const int64_t noon = 1769860800 * S; /* 2026-01-31T12:00:00Z */
    assert_int_equal(of_text("2026-01-31T12:00:00Z"), noon);
    assert_int_equal(of_text("2026-01-31 12:00:00"), noon);
    assert_int_equal(of_text("2026-01-31t12:00:00z"), noon);
    assert_int_equal(of_text("2026-01-31T12:00:00.000000001"), noon + 1);
    assert_int_equal(of_text("2026-01-31 13:00:00.5+01:00"), noon + S / 2);
    assert_int_equal(of_text("20260131-12:00:00.250"), noon + S / 4);
    assert_int_equal(of_text("1769860800"), noon);
    assert_int_equal(of_text("1769860800000"), noon);
    static const char *const none[] = {"",           "noon", "2026-01-31", "2026-02-31T12:00:00Z", "-1",
                                       "1e9",        " 1769860800", "99999999999999999999", "2026-01-31 12:00",
                                       "0001-01-01T00:00:00Z"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_true(of_text(none[i]) == RF_TALLY_UNTIMED);
    }
}

static void test_numbers(void **unused)
{
    (void)unused;
    assert_int_equal(of_int(1769860800, RF_TIME_AUTO), 1769860800 * S);
    assert_int_equal(of_int(1769860800123, RF_TIME_AUTO), 1769860800123 * (S / 1000));
    assert_int_equal(of_int(1769860800123456, RF_TIME_AUTO), 1769860800123456 * 1000);
    assert_int_equal(of_int(1769860800123456789, RF_TIME_AUTO), 1769860800123456789);
    assert_int_equal(of_int(5, RF_TIME_MS), 5000000);
    assert_int_equal(of_int(-5, RF_TIME_S), -5 * S);
    assert_true(of_int(INT64_MAX, RF_TIME_S) == RF_TALLY_UNTIMED);
    /* Where the unit changes, and around it. */
    assert_true(of_int(99999999999, RF_TIME_AUTO) == RF_TALLY_UNTIMED); /* seconds of the year 5138 */
    assert_int_equal(of_int(100000000000, RF_TIME_AUTO), 100000000000 * 1000000);
    assert_int_equal(of_double(1769860800.5, RF_TIME_AUTO), 1769860800 * S + S / 2);
    assert_int_equal(of_double(1769860800.123, RF_TIME_AUTO), 1769860800 * S + 123000000); /* no noise of the double */
    assert_int_equal(of_double(-0.5, RF_TIME_S), -S / 2);
    assert_int_equal(of_double(1769860800123.25, RF_TIME_AUTO), 1769860800123 * 1000000 + 250000);
    assert_true(of_double(1e300, RF_TIME_AUTO) == RF_TALLY_UNTIMED);
    assert_true(of_double(-1e300, RF_TIME_S) == RF_TALLY_UNTIMED);
    assert_true(of_double(0.0 / 0.0, RF_TIME_AUTO) == RF_TALLY_UNTIMED);
}

static void test_others(void **unused)
{
    (void)unused;
    const struct rf_cell nothing = {.tag = RF_TAG_ABSENT, .text = ""};
    const struct rf_cell truth = rf_cell_of_bool(true);
    const struct rf_cell instant = {.tag = RF_TAG_TIMESTAMP, .payload = 1769860800, .length = 7, .text = ""};
    assert_true(rf_event_time_of_cell(&nothing, RF_TIME_AUTO) == RF_TALLY_UNTIMED);
    assert_true(rf_event_time_of_cell(&truth, RF_TIME_AUTO) == RF_TALLY_UNTIMED);
    assert_int_equal(rf_event_time_of_cell(&instant, RF_TIME_AUTO), 1769860800 * S + 7);
    const struct rf_value error = rf_value_error("none");
    assert_true(rf_event_time_of_value(&error, RF_TIME_AUTO) == RF_TALLY_UNTIMED);
}

static void test_write(void **unused)
{
    (void)unused;
    static const int64_t times[] = {0, -1, 1, 1769860800 * S, INT64_MAX, INT64_MIN + 1};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        char text[RF_EVENT_TIME_TEXT_MAX];
        int64_t back;
        assert_true(rf_event_time_parse((struct rf_str){text, rf_event_time_write(times[i], text)}, &back));
        assert_int_equal(back, times[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_numbers),
                                       cmocka_unit_test(test_others), cmocka_unit_test(test_write)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
