/* Sums that do not depend on their order, against 128-bit integers and the formulas. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "moments.h"

static uint64_t state = 88172645463325252u;

static uint64_t random_next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void test_steps(void **unused)
{
    (void)unused;
    static const double fit[] = {0,   1, -1, 0.1, -0.1, 0x1p-60, 0x1.8p-59, 0x1.fffffffffffffp59, -0x1.fffffffffffffp59,
                                 1e-3};
    rf_steps steps;
    for (size_t i = 0; i < sizeof fit / sizeof fit[0]; i++) {
        assert_true(rf_steps_of(fit[i], &steps));
        assert_true(rf_steps_to_double(steps) == fit[i]);
    }
    assert_true(rf_steps_of(0x1p-61, &steps) && steps == 0); /* half: to even */
    assert_true(rf_steps_of(-0x1.8p-60, &steps) && steps == -2);
    assert_true(rf_steps_of(1e-300, &steps) && steps == 0);
    static const double beyond[] = {0x1p60, -0x1p60, 1e300, INFINITY, -INFINITY, NAN};
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        assert_false(rf_steps_of(beyond[i], &steps));
    }
}

static struct rf_moments of(double number)
{
    rf_steps steps = 0;
    assert_true(rf_steps_of(number, &steps));
    return rf_moments_of(steps);
}

static void test_known(void **unused)
{
    (void)unused;
    static const double number[] = {2, 4, 4, 4, 5, 5, 7, 9};
    struct rf_moments sum = {.sum = 0};
    for (int sign = 1; sign >= -1; sign -= 2) {
        memset(&sum, 0, sizeof sum);
        for (size_t i = 0; i < 8; i++) {
            const struct rf_moments one = of(sign * number[i]);
            rf_moments_add(&sum, &one);
        }
        assert_true(rf_moments_mean(&sum, 8) == sign * 5.0);
        assert_true(rf_moments_deviation(&sum, 8) == sqrt(32.0 / 7));
    }
    /* What is alike does not deviate, however far from 0. */
    memset(&sum, 0, sizeof sum);
    const struct rf_moments one = of(123456789.1);
    for (int i = 0; i < 1000; i++) {
        rf_moments_add(&sum, &one);
    }
    assert_true(rf_moments_deviation(&sum, 1000) == 0);
    assert_true(rf_moments_mean(&sum, 1000) == 123456789.1);
    /* And what nearly is deviates by what is left. */
    const struct rf_moments other = of(123456789.1 + 0x1p-26);
    rf_moments_add(&sum, &other);
    assert_true(fabs(rf_moments_deviation(&sum, 1001) / (0x1p-26 / sqrt(1001)) - 1) < 1e-12);
}

/* What is written is read back. */
static void check_text(const struct rf_moments *moments)
{
    struct rf_text text = {0};
    struct rf_error err;
    struct rf_moments back;
    assert_int_equal(rf_moments_write(moments, &text, &err), RF_OK);
    const struct rf_str all = rf_text_str(&text);
    const size_t comma = (size_t)((const char *)memchr(all.data, ',', all.count) - all.data);
    assert_true(rf_moments_read((struct rf_str){all.data + 1, comma - 2},
                                (struct rf_str){all.data + comma + 2, all.count - comma - 3}, &back));
    assert_memory_equal(moments, &back, sizeof back);
    rf_text_free(&text);
}

/* The largest there are, many of them, both ways. */
static void test_bounds(void **unused)
{
    (void)unused;
    const struct rf_moments high = of(0x1.fffffffffffffp59);
    const struct rf_moments low = of(-0x1.fffffffffffffp59);
    struct rf_moments sum = {.sum = 0};
    rf_moments_add(&sum, &low);
    for (int i = 0; i < 40; i++) { /* 2^40 of them */
        const struct rf_moments same = sum;
        rf_moments_add(&sum, &same);
        check_text(&sum);
    }
    assert_true(rf_moments_mean(&sum, UINT64_C(1) << 40) == -0x1.fffffffffffffp59);
    assert_true(rf_moments_deviation(&sum, UINT64_C(1) << 40) == 0);
    struct rf_moments both = high;
    rf_moments_add(&both, &low);
    assert_true(rf_moments_mean(&both, 2) == 0);
    assert_true(fabs(rf_moments_deviation(&both, 2) / (0x1p60 * sqrt(2)) - 1) < 1e-15);
}

static void test_order(void **unused)
{
    (void)unused;
    enum { NUMBERS = 1000 };
    static struct rf_moments one[NUMBERS];
    struct rf_moments forth = {.sum = 0};
    struct rf_moments back = {.sum = 0};
    rf_steps sum = 0;
    for (int i = 0; i < NUMBERS; i++) {
        const double number = ldexp((double)(int64_t)random_next(), -(int)(random_next() % 100) - 10);
        rf_steps steps = 0;
        assert_true(rf_steps_of(number, &steps));
        one[i] = rf_moments_of(steps);
        sum += steps;
        rf_moments_add(&forth, &one[i]);
    }
    for (int i = NUMBERS; i > 0; i--) {
        rf_moments_add(&back, &one[i - 1]);
    }
    assert_memory_equal(&forth, &back, sizeof forth);
    assert_true(rf_moments_mean(&forth, 1) == rf_steps_to_double(sum));
}

static void test_texts(void **unused)
{
    (void)unused;
    static const double number[] = {
        0, 1, -1, 1e-15, -1e17, 16, -16, 0x1p3, -0x1p3, 0x1p4, 0x1.fffffffffffffp59, -0x1.fffffffffffffp59};
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++) {
        const struct rf_moments one = of(number[i]);
        check_text(&one);
    }
    struct rf_moments back;
    const struct rf_str good = RF_STR("0000000000000001");
    assert_true(rf_moments_read(good, good, &back));
    assert_false(rf_moments_read(RF_STR(""), good, &back));
    assert_false(rf_moments_read(RF_STR("1"), good, &back));
    assert_false(rf_moments_read(RF_STR("000000000000000G"), good, &back));
    assert_false(rf_moments_read(good, RF_STR("ffffffffffffffff"), &back)); /* squares are not below 0 */
    assert_false(
        rf_moments_read(RF_STR("0000000000000001000000000000000100000000000000010000000000000001"), good, &back));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps), cmocka_unit_test(test_known),
                                       cmocka_unit_test(test_bounds), cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
