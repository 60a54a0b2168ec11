/* Buckets ascend, lie within each other, and say each number to the error that they promise; parts add up to the whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "sketch.h"

static uint64_t state = 88172645463325252u;

static uint64_t random_next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static rf_steps random_steps(unsigned octaves)
{
    const rf_steps_magnitude all = (rf_steps_magnitude)random_next() << 64 | random_next();
    const rf_steps magnitude = (rf_steps)(all >> (128 - 1 - random_next() % octaves));
    return random_next() % 2 == 0 ? magnitude : -magnitude;
}

static void test_buckets(void **unused)
{
    (void)unused;
    for (uint32_t bits = 0; bits <= RF_SKETCH_BITS; bits++) {
        rf_steps before = 0;
        for (int32_t b = 1; b <= rf_sketch_bucket(((rf_steps)1 << RF_SKETCH_OCTAVES) - 1, bits); b++) {
            const rf_steps middle = rf_sketch_middle(b, bits);
            assert_true(middle > before);
            assert_int_equal(rf_sketch_bucket(middle, bits), b);
            assert_int_equal(rf_sketch_bucket(-middle, bits), -b);
            assert_true(rf_sketch_middle(-b, bits) == -middle);
            before = middle;
        }
        assert_int_equal(rf_sketch_bucket(0, bits), 0);
        assert_true(rf_sketch_middle(0, bits) == 0);
    }
    for (int i = 0; i < 100000; i++) {
        const rf_steps steps = random_steps(RF_SKETCH_OCTAVES);
        for (uint32_t bits = 0; bits <= RF_SKETCH_BITS; bits++) {
            const int32_t bucket = rf_sketch_bucket(steps, bits);
            const double exact = rf_steps_to_double(steps);
            const double error = fabs(rf_steps_to_double(rf_sketch_middle(bucket, bits)) - exact);
            assert_true(error <= fabs(exact) * ldexp(1.0000001, -(int)bits - 1));
            if (bits > 0) { /* a coarser bucket has the whole of a finer one */
                assert_int_equal(rf_sketch_bucket(rf_sketch_middle(bucket, bits), bits - 1),
                                 rf_sketch_bucket(steps, bits - 1));
            }
        }
    }
}

static int steps_compare(const void *left, const void *right)
{
    const rf_steps a = *(const rf_steps *)left;
    const rf_steps b = *(const rf_steps *)right;
    return a < b ? -1 : a > b;
}

static void add(struct rf_sketch *sketch, uint32_t rule, rf_steps steps)
{
    uint64_t *count;
    struct rf_error err;
    assert_int_equal(rf_sketch_at(sketch, steps, &count, &err), RF_OK);
    count[rule]++;
}

static void test_quantiles(void **unused)
{
    (void)unused;
    enum { MOST = 2000 };
    static rf_steps number[MOST];
    for (unsigned round = 0; round < 60; round++) {
        const uint32_t count = round < 25 ? round : (uint32_t)(random_next() % MOST);
        struct rf_sketch sketch;
        struct rf_error err;
        uint64_t above = 0;
        assert_int_equal(rf_sketch_open(&sketch, 3, &err), RF_OK);
        for (uint32_t i = 0; i < count; i++) {
            number[i] = random_steps(1 + round * 2);
            above += number[i] > 0;
            add(&sketch, 1, number[i]);
            add(&sketch, 2, -number[i]);
        }
        qsort(number, count, sizeof number[0], steps_compare);
        const struct rf_sketch_rule rule = rf_sketch_rule(&sketch, 1);
        assert_int_equal(rule.count, count);
        assert_int_equal(rule.above, above);
        assert_int_equal(sketch.bits, RF_SKETCH_BITS);
        for (unsigned q = 0; q < RF_SKETCH_QUANTILES && count != 0; q++) {
            const rf_steps exact = number[(count * rf_sketch_percent[q] + 99) / 100 - 1];
            assert_int_equal(rf_sketch_bucket(rule.quantile[q], sketch.bits), rf_sketch_bucket(exact, sketch.bits));
        }
        assert_int_equal(rf_sketch_rule(&sketch, 0).count, 0);
        rf_sketch_close(&sketch);
    }
}

static void check_same(const struct rf_sketch *a, const struct rf_sketch *b)
{
    assert_int_equal(a->bits, b->bits);
    assert_int_equal(a->rows, b->rows);
    for (int32_t at = -a->reach; at <= a->reach; at++) {
        for (uint32_t r = 0; r < a->rules; r++) {
            assert_int_equal(rf_sketch_cell(a, at, r), rf_sketch_cell(b, at, r));
        }
    }
}

/* With room for few rows bits are given up: as many as all numbers together ask for, whoever saw which first. */
static void test_merge(void **unused)
{
    (void)unused;
    for (unsigned round = 0; round < 60; round++) {
        struct rf_sketch whole;
        struct rf_sketch part[3];
        struct rf_error err;
        const unsigned octaves = 1 + (unsigned)(random_next() % RF_SKETCH_OCTAVES);
        const uint32_t rows_max = 20 + (uint32_t)(random_next() % 2000);
        assert_int_equal(rf_sketch_open(&whole, 2, &err), RF_OK);
        whole.rows_max = rows_max;
        for (int p = 0; p < 3; p++) {
            assert_int_equal(rf_sketch_open(&part[p], 2, &err), RF_OK);
            part[p].rows_max = rows_max;
        }
        for (uint32_t i = 0; i < 2000; i++) {
            const rf_steps steps = random_steps(octaves);
            add(&whole, i % 2, steps);
            add(&part[random_next() % 3], i % 2, steps);
        }
        assert_true(whole.rows <= rows_max || whole.bits == 0);
        assert_int_equal(rf_sketch_merge(&part[1], &part[2], &err), RF_OK);
        assert_int_equal(rf_sketch_merge(&part[0], &part[1], &err), RF_OK);
        check_same(&whole, &part[0]);
        rf_sketch_close(&whole);
        for (int p = 0; p < 3; p++) {
            rf_sketch_close(&part[p]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_buckets), cmocka_unit_test(test_quantiles),
                                       cmocka_unit_test(test_merge)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
