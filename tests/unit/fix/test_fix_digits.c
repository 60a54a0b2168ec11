#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fix_digits.h"

static void check_written(uint64_t value)
{
    char expected[32];
    char text[RF_FIX_DIGITS_ROOM + 1];
    text[RF_FIX_DIGITS_ROOM] = '#';
    const int count = snprintf(expected, sizeof(expected), "%" PRIu64, value);
    assert_ptr_equal(rf_fix_digits_write(text, value), text + count);
    assert_memory_equal(text, expected, (size_t)count);
    assert_int_equal(text[RF_FIX_DIGITS_ROOM], '#');
}

static void test_rf_fix_digits_write(void **state)
{
    (void)state;
    for (uint64_t value = 0; value < 200000; value++) {
        check_written(value);
    }
    for (uint64_t power = 10; power <= 1000000000000000000u; power *= 10) {
        for (uint64_t near = power - 3; near <= power + 3; near++) {
            check_written(near);
            check_written(near * 9);
        }
    }
    uint64_t random = 1;
    for (int i = 0; i < 200000; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        check_written(random);
        check_written(random >> (random >> 58));
    }
    check_written(UINT64_MAX);
    check_written(10000000000000000000u);
}

static void test_rf_fix_digits_pad(void **state)
{
    (void)state;
    for (uint32_t value = 0; value < 100000000; value += value < 20000 ? 1 : 9973) {
        char expected[32];
        char text[8];
        snprintf(expected, sizeof(expected), "%08" PRIu32, value);
        rf_fix_digits_pad(text, value);
        assert_memory_equal(text, expected, 8);
    }
}

static void test_rf_fix_three(void **state)
{
    (void)state;
    for (uint32_t value = 0; value < 1000; value++) {
        char expected[8];
        char text[8];
        snprintf(expected, sizeof(expected), "%03" PRIu32, value);
        rf_fix_word_store(text, rf_fix_three[value]);
        assert_memory_equal(text, expected, 3);
        assert_int_equal(text[3], expected[0] + expected[1] + expected[2] - 3 * '0');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_fix_digits_write),
        cmocka_unit_test(test_rf_fix_digits_pad),
        cmocka_unit_test(test_rf_fix_three),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
