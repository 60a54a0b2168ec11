/* test_riffle_fix.c: the public encoder, each function by name, seen from a program that knows nothing but riffle_fix.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "riffle_fix.h"

static struct riffle_fix_template order;
static struct riffle_fix_encoder encoder;
static struct riffle_error error;
static char buffer[1024];
static size_t count;

static int prepare(void **state)
{
    (void)state;
    const struct riffle_fix_field header[] = {{49, "SENDER", 6}, {56, "TARGET", 6}};
    riffle_fix_encoder_init(&encoder);
    return riffle_fix_template_init(&order, "FIX.4.4", "D", header, 2, &error) == RIFFLE_OK ? 0 : -1;
}

/* '|' stands for SOH; length and sum are made here. */
static void expect(const char *body)
{
    char expected[1024];
    unsigned sum = 0;
    int at = snprintf(expected, sizeof(expected), "8=FIX.4.4|9=%zu|%s", strlen(body), body);
    for (int i = 0; i < at; i++) {
        expected[i] = expected[i] == '|' ? '\1' : expected[i];
        sum += (unsigned char)expected[i];
    }
    at += snprintf(expected + at, sizeof(expected) - (size_t)at, "10=%03u\1", sum % 256);
    if (riffle_fix_end(&encoder, &count, &error) != RIFFLE_OK) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(error.status, RIFFLE_OK);
    assert_int_equal(count, at);
    assert_memory_equal(buffer, expected, count);
}

static void test_riffle_fix_template_init(void **state)
{
    (void)state;
    struct riffle_fix_template other;
    struct riffle_fix_field many[100];
    const struct riffle_fix_field wrong = {35, "D", 1};
    for (size_t i = 0; i < 100; i++) {
        many[i] = (struct riffle_fix_field){1, "x", 1};
    }
    assert_int_equal(riffle_fix_template_init(&other, "FIX.4.4", "D", &wrong, 1, &error), RIFFLE_E_USAGE);
    assert_true(error.text[0] != 0);
    assert_int_equal(riffle_fix_template_init(&other, "FIX.4.4", "", NULL, 0, &error), RIFFLE_E_USAGE);
    assert_int_equal(riffle_fix_template_init(&other, "FIX.4.4", "D", many, 60, &error), RIFFLE_OK);
    assert_int_equal(riffle_fix_template_init(&other, "FIX.4.4", "D", many, 64, &error), RIFFLE_E_LIMIT);
    assert_int_equal(riffle_fix_template_init(&other, "FIX.4.4", "D", many, 65, &error), RIFFLE_E_LIMIT);
}

static void test_riffle_fix_begin(void **state)
{
    (void)state;
    riffle_fix_begin(&encoder, &order, buffer, sizeof(buffer));
    riffle_fix_put_text(&encoder, 58, "forgotten", 9);
    riffle_fix_begin(&encoder, &order, buffer, sizeof(buffer));
    expect("35=D|49=SENDER|56=TARGET|");
}

static void test_riffle_fix_end(void **state)
{
    (void)state;
    riffle_fix_begin(&encoder, &order, buffer, sizeof(buffer));
    expect("35=D|49=SENDER|56=TARGET|");
    const size_t needed = count;
    for (size_t bytes = needed - 1; bytes <= needed + 1; bytes++) {
        riffle_fix_begin(&encoder, &order, buffer, bytes);
        const enum riffle_status status = riffle_fix_end(&encoder, &count, &error);
        assert_int_equal(status, bytes < needed ? RIFFLE_E_LIMIT : RIFFLE_OK);
        assert_int_equal(error.status, status);
        assert_int_equal(count, bytes < needed ? 0 : needed);
    }
    assert_int_equal(riffle_fix_end(&encoder, &count, &error), RIFFLE_E_USAGE); /* it is ended already */
    riffle_fix_begin(&encoder, &order, buffer, sizeof(buffer));
    riffle_fix_put_text(&encoder, 58, "a\1b", 3);
    riffle_fix_put_text(&encoder, 0, "", 0);
    assert_int_equal(riffle_fix_end(&encoder, &count, &error), RIFFLE_E_USAGE);
    assert_non_null(strstr(error.text, "58"));
}

static void test_riffle_fix_put(void **state)
{
    (void)state;
    riffle_fix_begin(&encoder, &order, buffer, sizeof(buffer));
    riffle_fix_put_header(&encoder, 12345, 1767348000123456789, RIFFLE_FIX_MILLISECONDS);
    riffle_fix_put_text(&encoder, 55, "AUD/USD", 7);
    riffle_fix_put_char(&encoder, 54, '1');
    riffle_fix_put_bool(&encoder, 43, true);
    riffle_fix_put_int(&encoder, 5001, -17);
    riffle_fix_put_uint(&encoder, 38, UINT64_MAX);
    riffle_fix_put_double(&encoder, 6, 0.1);
    riffle_fix_put_decimal(&encoder, 44, 1250, -2);
    riffle_fix_put_time(&encoder, 60, 1767348000123456789, RIFFLE_FIX_NANOSECONDS);
    riffle_fix_put_time(&encoder, 60, 1767348000123456789, RIFFLE_FIX_MICROSECONDS);
    riffle_fix_put_time(&encoder, 60, 1767348000123456789, RIFFLE_FIX_SECONDS);
    riffle_fix_put_data(&encoder, 95, 96, "a\1=b", 4);
    expect("35=D|49=SENDER|56=TARGET|34=12345|52=20260102-10:00:00.123|55=AUD/USD|54=1|43=Y|5001=-17|"
           "38=18446744073709551615|6=0.1|44=12.50|60=20260102-10:00:00.123456789|60=20260102-10:00:00.123456|"
           "60=20260102-10:00:00|95=4|96=a|=b|");
}

static void test_riffle_fix_group(void **state)
{
    (void)state;
    riffle_fix_begin(&encoder, &order, buffer, sizeof(buffer));
    riffle_fix_group_open(&encoder, 453);
    for (unsigned i = 0; i < 12; i++) {
        riffle_fix_group_next(&encoder);
        riffle_fix_put_uint(&encoder, 448, i);
    }
    riffle_fix_group_shut(&encoder);
    riffle_fix_group_open(&encoder, 78);
    riffle_fix_group_shut(&encoder);
    expect(
        "35=D|49=SENDER|56=TARGET|453=12|448=0|448=1|448=2|448=3|448=4|448=5|448=6|448=7|448=8|448=9|448=10|448=11|");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_riffle_fix_template_init, prepare),
        cmocka_unit_test_setup(test_riffle_fix_begin, prepare),
        cmocka_unit_test_setup(test_riffle_fix_end, prepare),
        cmocka_unit_test_setup(test_riffle_fix_put, prepare),
        cmocka_unit_test_setup(test_riffle_fix_group, prepare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
