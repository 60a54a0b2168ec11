#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "clock.h"
#include "reason.h"

static void test_rf_reason_text(void **state)
{
    (void)state;
    assert_string_equal(rf_reason_text(RF_REASON_NONE), "well formed");
    assert_string_equal(rf_reason_text(RF_REASON_CONTROL), "control character in a string");
    assert_string_equal(rf_reason_text(RF_REASON_COUNT), "unknown reason");
    assert_string_equal(rf_reason_text((enum rf_reason) - 1), "unknown reason");
    for (int reason = 0; reason < RF_REASON_COUNT; reason++) {
        assert_true(strlen(rf_reason_text((enum rf_reason)reason)) > 5);
    }
}

static void test_rf_clock_ns(void **state)
{
    const uint64_t begin = rf_clock_ns();
    uint64_t end = begin;
    (void)state;
    assert_true(begin > 0);
    for (int i = 0; i < 1000; i++) {
        const uint64_t now = rf_clock_ns();
        assert_true(now >= end);
        end = now;
    }
    assert_true(end > begin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_reason_text),
        cmocka_unit_test(test_rf_clock_ns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
