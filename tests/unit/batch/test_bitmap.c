#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "bitmap.h"

static void test_rf_bitmap_words(void **state)
{
    (void)state;
    assert_int_equal(rf_bitmap_words(0), 0);
    assert_int_equal(rf_bitmap_words(1), 1);
    assert_int_equal(rf_bitmap_words(64), 1);
    assert_int_equal(rf_bitmap_words(65), 2);
}

static void test_rf_bit_set(void **state)
{
    uint64_t bits[3] = {0};
    (void)state;
    for (uint32_t row = 0; row < 192; row++) {
        assert_false(rf_bit_get(bits, row));
        rf_bit_set(bits, row);
        assert_true(rf_bit_get(bits, row));
        assert_int_equal(rf_bitmap_count(bits, 192), 1);
        bits[row / 64] = 0;
        assert_int_equal(rf_bitmap_count(bits, 192), 0);
    }
}

static void test_rf_bitmap_tail(void **state)
{
    (void)state;
    assert_true(rf_bitmap_tail(1, 0) == 1);
    assert_true(rf_bitmap_tail(63, 0) == ~0ull >> 1);
    assert_true(rf_bitmap_tail(64, 0) == ~0ull);
    assert_true(rf_bitmap_tail(65, 0) == ~0ull);
    assert_true(rf_bitmap_tail(65, 1) == 1);
}

static void test_rf_bitmap_count(void **state)
{
    const uint64_t full[4] = {~0ull, ~0ull, ~0ull, ~0ull};
    uint64_t random[64];
    uint64_t expected = 0;
    (void)state;
    for (uint32_t rows = 0; rows <= 256; rows++) {
        assert_int_equal(rf_bitmap_count(full, rows), rows);
    }
    for (uint32_t w = 0; w < 64; w++) {
        random[w] = (w + 1) * 0x9e3779b97f4a7c15u;
    }
    for (uint32_t row = 0; row < 64 * 64; row++) {
        expected += rf_bit_get(random, row);
    }
    assert_int_equal(rf_bitmap_count(random, 64 * 64), expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_bitmap_words),
        cmocka_unit_test(test_rf_bit_set),
        cmocka_unit_test(test_rf_bitmap_tail),
        cmocka_unit_test(test_rf_bitmap_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
