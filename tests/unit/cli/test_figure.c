/* test_figure.c: numbers as people read them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "figure.h"

static char text[RF_FIGURE_BYTES];

static void test_exact(void **state)
{
    (void)state;
    assert_string_equal(rf_figure_exact(text, 0), "0");
    assert_string_equal(rf_figure_exact(text, 999), "999");
    assert_string_equal(rf_figure_exact(text, 1000), "1,000");
    assert_string_equal(rf_figure_exact(text, 1234567), "1,234,567");
    assert_string_equal(rf_figure_exact(text, UINT64_MAX), "18,446,744,073,709,551,615");
}

static void test_short(void **state)
{
    (void)state;
    assert_string_equal(rf_figure_short(text, 0), "0");
    assert_string_equal(rf_figure_short(text, 999), "999");
    assert_string_equal(rf_figure_short(text, 1000), "1.00k");
    assert_string_equal(rf_figure_short(text, 12345), "12.3k");
    assert_string_equal(rf_figure_short(text, 999499), "999k");
    assert_string_equal(rf_figure_short(text, 999500), "1.00M");
    assert_string_equal(rf_figure_short(text, 9.999e6), "10.0M");
    assert_string_equal(rf_figure_short(text, 1.8446744073709552e19), "18.4E");
}

static void test_bytes(void **state)
{
    (void)state;
    assert_string_equal(rf_figure_bytes(text, 0), "0 B");
    assert_string_equal(rf_figure_bytes(text, 1023), "1.02 kB");
    assert_string_equal(rf_figure_bytes(text, 2.7e9), "2.70 GB");
}

static void test_time(void **state)
{
    (void)state;
    assert_string_equal(rf_figure_time(text, -1), "0:00");
    assert_string_equal(rf_figure_time(text, 0.4), "0:00");
    assert_string_equal(rf_figure_time(text, 59.6), "1:00");
    assert_string_equal(rf_figure_time(text, 754), "12:34");
    assert_string_equal(rf_figure_time(text, 3723), "1:02:03");
    assert_string_equal(rf_figure_time(text, 99 * 3600.0), ">99 h");
    assert_string_equal(rf_figure_time(text, (double)INFINITY), ">99 h");
    assert_string_equal(rf_figure_time(text, (double)NAN), ">99 h");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_short),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_time),
    };
    return cmocka_run_group_tests_name("figure", tests, NULL, NULL);
}
