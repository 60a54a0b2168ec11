/* Buckets of event time: the width at the end and the counts do not depend on the order or on how the stream was cut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "timeline.h"

#define S 1000000000LL

static uint64_t state = 88172645463325252u;

static uint64_t random_next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void add(struct rf_timeline *timeline, int64_t ns, uint32_t column, uint64_t hits)
{
    struct rf_error err;
    uint64_t *count;
    assert_int_equal(rf_timeline_at(timeline, ns, &count, &err), RF_OK);
    count[column] += hits;
}

static uint64_t sum(const struct rf_timeline *timeline, uint32_t column)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < timeline->buckets; i++) {
        total += timeline->count[i] != NULL ? timeline->count[i][column] : 0;
    }
    return total;
}

static void test_buckets(void **unused)
{
    (void)unused;
    struct rf_timeline timeline;
    rf_timeline_open(&timeline, 2, 60 * S, 100);
    add(&timeline, 0, 0, 1);
    add(&timeline, 59 * S, 0, 1);
    add(&timeline, 60 * S, 1, 5);
    add(&timeline, -1, 0, 7); /* the bucket before 1970 */
    assert_int_equal(timeline.first, -1);
    assert_int_equal(timeline.buckets, 3);
    assert_int_equal(timeline.count[0][0], 7);
    assert_int_equal(timeline.count[1][0], 2);
    assert_int_equal(timeline.count[2][1], 5);
    assert_int_equal(rf_timeline_begin(&timeline, 0), -60 * S);
    rf_timeline_close(&timeline);
}

static void test_width(void **unused)
{
    (void)unused;
    assert_int_equal(rf_timeline_next_width(S / 1000), S / 100);
    assert_int_equal(rf_timeline_next_width(S), 10 * S);
    assert_int_equal(rf_timeline_next_width(600 * S), 3600 * S);
    assert_int_equal(rf_timeline_next_width(15 * S), 60 * S); /* 10 s is no multiple */
    assert_int_equal(rf_timeline_next_width(7 * S), 70 * S);
    assert_int_equal(rf_timeline_next_width(INT64_MAX / 2), 0);
    struct rf_timeline timeline;
    rf_timeline_open(&timeline, 1, S, 10);
    for (int i = 0; i < 10; i++) { /* n - 1 and n */
        add(&timeline, i * S, 0, 1);
    }
    assert_int_equal(timeline.width_ns, S);
    add(&timeline, 10 * S, 0, 1); /* n + 1 */
    assert_int_equal(timeline.width_ns, 10 * S);
    assert_int_equal(timeline.buckets, 2);
    assert_int_equal(timeline.count[0][0], 10);
    assert_int_equal(timeline.count[1][0], 1);
    rf_timeline_close(&timeline);
}

/* The ends of what 64 bits can name. */
static void test_extremes(void **unused)
{
    (void)unused;
    struct rf_timeline timeline;
    rf_timeline_open(&timeline, 1, 0, 256);
    add(&timeline, INT64_MIN + 1, 0, 1);
    add(&timeline, INT64_MAX, 0, 1);
    add(&timeline, 0, 0, 1);
    assert_int_equal(sum(&timeline, 0), 3);
    assert_true(timeline.buckets <= 256);
    struct rf_timeline copy;
    struct rf_error err;
    rf_timeline_open(&copy, 1, 0, 256);
    assert_int_equal(rf_timeline_merge(&copy, &timeline, &err), RF_OK);
    assert_int_equal(copy.width_ns, timeline.width_ns);
    assert_int_equal(sum(&copy, 0), 3);
    rf_timeline_close(&copy);
    rf_timeline_close(&timeline);
}

/* Whole = parts merged, for random times and cuts. */
static void test_merge(void **unused)
{
    (void)unused;
    enum { COLUMNS = 3, PARTS = 4 };
    for (int round = 0; round < 300; round++) {
        struct rf_timeline whole;
        struct rf_timeline part[PARTS];
        struct rf_timeline merged;
        struct rf_error err;
        const int64_t width = round % 3 == 0 ? 0 : round % 3 == 1 ? S : 7 * S;
        const uint32_t buckets_max = 2 + (uint32_t)(random_next() % 60);
        const uint64_t reach = 1ull << (random_next() % 62);
        rf_timeline_open(&whole, COLUMNS, width, buckets_max);
        rf_timeline_open(&merged, COLUMNS, width, buckets_max);
        for (int p = 0; p < PARTS; p++) {
            rf_timeline_open(&part[p], COLUMNS, width, buckets_max);
        }
        for (int i = 0; i < 200; i++) {
            const int64_t ns = (int64_t)(random_next() % reach) - (int64_t)(reach / 3);
            const uint32_t column = (uint32_t)(random_next() % COLUMNS);
            add(&whole, ns, column, 1);
            add(&part[random_next() % PARTS], ns, column, 1);
        }
        for (int p = PARTS - 1; p >= 0; p--) {
            assert_int_equal(rf_timeline_merge(&merged, &part[p], &err), RF_OK);
            rf_timeline_close(&part[p]);
        }
        assert_int_equal(whole.width_ns, merged.width_ns);
        assert_int_equal(whole.first, merged.first);
        assert_int_equal(whole.buckets, merged.buckets);
        for (uint32_t b = 0; b < whole.buckets; b++) {
            assert_int_equal(whole.count[b] == NULL, merged.count[b] == NULL);
            if (whole.count[b] != NULL) {
                assert_memory_equal(whole.count[b], merged.count[b], COLUMNS * sizeof(uint64_t));
            }
        }
        rf_timeline_close(&whole);
        rf_timeline_close(&merged);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_buckets), cmocka_unit_test(test_width),
                                       cmocka_unit_test(test_extremes), cmocka_unit_test(test_merge)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
