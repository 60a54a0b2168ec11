#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fix_sum.h"

static void test_rf_fix_text_sum(void **state)
{
    (void)state;
    uint32_t random = 7;
    for (size_t count = 0; count < 600; count++) {
        /* Of exactly this size, so that a byte read outside is found. */
        char *const bytes = malloc(count + 1);
        assert_non_null(bytes);
        char *const end = bytes + 1 + count;
        uint32_t expected = 0;
        for (char *at = bytes + 1; at < end; at++) {
            random = random * 1664525 + 1013904223;
            *at = (char)(count % 3 == 0 ? 0xff : random >> 24);
            expected += (uint8_t)*at;
        }
        bytes[0] = 77;
        assert_int_equal(rf_fix_text_sum(bytes + 1, count), expected);
        free(bytes);
    }
}

static void test_rf_fix_sum_of_many(void **state)
{
    (void)state;
    enum { MANY = 1 << 20 };
    char *const bytes = malloc(MANY);
    assert_non_null(bytes);
    memset(bytes, 0xff, MANY);
    assert_int_equal(rf_fix_text_sum(bytes, MANY), 255u * MANY);
    free(bytes);
}

static void test_rf_fix_text_count(void **state)
{
    (void)state;
    static char bytes[20000];
    uint32_t random = 1;
    for (size_t i = 0; i < sizeof(bytes); i++) {
        random = random * 1664525 + 1013904223;
        bytes[i] = (char)(random >> 28 == 0 ? 0x7c : random >> 24);
    }
    for (size_t count = 0; count < sizeof(bytes); count += count < 300 ? 1 : 1237) {
        size_t expected = 0;
        for (size_t i = 0; i < count; i++) {
            expected += bytes[1 + i] == 0x7c;
        }
        assert_int_equal(rf_fix_text_count(bytes + 1, count, 0x7c), expected);
        if (count >= 16) {
            const uint32_t sum = rf_fix_text_sum(bytes + 1, count) - (uint32_t)expected * (0x7c - 1);
            assert_int_equal(rf_fix_sum_as_soh(bytes + 1, count, 0x7c), (uint8_t)sum);
            assert_int_equal(rf_fix_sum_as_soh(bytes + 1, count, 1), (uint8_t)rf_fix_text_sum(bytes + 1, count));
        }
    }
    memset(bytes, 0x7c, sizeof(bytes));
    assert_int_equal(rf_fix_text_count(bytes, sizeof(bytes), 0x7c), sizeof(bytes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_fix_text_sum),
        cmocka_unit_test(test_rf_fix_sum_of_many),
        cmocka_unit_test(test_rf_fix_text_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
