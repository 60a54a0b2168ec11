#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "measure.h"

enum { LAPS = 5 };

struct worker {
    uint64_t selected;
    uint64_t digest;
    long sleep_ns;
    int fd; /* >= 0: `text` is written there */
    const char *text;
    uint32_t runs;
    uint32_t failing_run; /* 0 = never */
};

static bool worker_run(void *context, struct outcome *outcome)
{
    struct worker *worker = context;
    const struct timespec pause = {0, worker->sleep_ns};
    nanosleep(&pause, NULL);
    if (worker->text != NULL && write(worker->fd, worker->text, strlen(worker->text)) < 0) {
        return false;
    }
    outcome->selected = worker->selected;
    outcome->digest = worker->digest;
    return ++worker->runs != worker->failing_run;
}

static struct measurement m;

static void open_pair(struct worker *a, struct worker *b)
{
    measurement_open(&m, "test", 1000, 10, LAPS);
    measurement_add(&m, "a", "first", worker_run, a);
    measurement_add(&m, "b", "second", worker_run, b);
}

static void test_measurement_run_times_every_side(void **state)
{
    (void)state;
    struct worker quick = {.selected = 3, .sleep_ns = 200000};
    struct worker slow = {.selected = 3, .sleep_ns = 5000000};
    open_pair(&quick, &slow);
    m.baseline = "b";
    measurement_add_goal(&m, "a", "b", 1.5, 2);
    measurement_add_ceiling(&m, "a", "b", 1, 0.5);
    measurement_add_goal(&m, "a", "nobody", 1, 2);
    assert_true(measurement_run(&m));
    assert_int_equal(quick.runs, LAPS + 1);
    assert_int_equal(slow.runs, LAPS + 1);
    for (int s = 0; s < 2; s++) {
        const struct side *side = &m.side[s];
        assert_true(side->best_ns <= side->low_ns && side->low_ns <= side->median_ns &&
                    side->median_ns <= side->high_ns);
    }
    assert_true(m.side[0].best_ns >= 200000);
    assert_true(m.side[1].best_ns >= 5000000);
    assert_true(m.side[0].best_ns < m.side[1].best_ns);
}

static void test_measurement_run_refuses_other_selections(void **state)
{
    (void)state;
    struct worker a = {.selected = 3, .digest = 7};
    struct worker fewer = {.selected = 2, .digest = 7};
    struct worker others = {.selected = 3, .digest = 8};
    open_pair(&a, &fewer);
    assert_false(measurement_run(&m));
    open_pair(&a, &others);
    assert_false(measurement_run(&m));
}

static void test_measurement_add_other_is_not_compared(void **state)
{
    (void)state;
    struct worker a = {.selected = 3};
    struct worker b = {.selected = 3};
    struct worker floor = {.selected = 99};
    open_pair(&a, &b);
    measurement_add_other(&m, "floor", "floor", worker_run, &floor);
    assert_true(measurement_run(&m));
}

static void test_measurement_run_ends_at_a_failure(void **state)
{
    (void)state;
    struct worker a = {.selected = 3};
    for (uint32_t run = 1; run <= LAPS + 1; run++) {
        struct worker failing = {.selected = 3, .failing_run = run};
        open_pair(&a, &failing);
        assert_false(measurement_run(&m));
    }
}

static void test_measurement_run_compares_what_was_written(void **state)
{
    (void)state;
    char name[] = "/tmp/test_measure.XXXXXX";
    const int fd = mkstemp(name);
    assert_true(fd >= 0);
    struct worker a = {.selected = 1, .fd = fd, .text = "one line, and some more bytes\n"};
    struct worker same = a;
    struct worker other = a;
    other.text = "one line, and some more bytez\n";
    open_pair(&a, &same);
    m.out_fd = fd;
    assert_true(measurement_run(&m));
    assert_true(m.side[0].outcome.digest != 0);
    open_pair(&a, &other);
    m.out_fd = fd;
    assert_false(measurement_run(&m));
    close(fd);
    unlink(name);
}

static void test_bench_hash_tells_bytes_apart(void **state)
{
    (void)state;
    const char text[] = "0123456789abcdef01234";
    const uint64_t whole = bench_hash(BENCH_HASH_START, text, sizeof(text) - 1);
    for (size_t i = 0; i < sizeof(text) - 1; i++) {
        char changed[sizeof(text)];
        memcpy(changed, text, sizeof(text));
        changed[i] ^= 1;
        assert_true(bench_hash(BENCH_HASH_START, changed, sizeof(text) - 1) != whole);
    }
    assert_true(bench_hash(BENCH_HASH_START, text, sizeof(text) - 2) != whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_measurement_run_times_every_side),
        cmocka_unit_test(test_measurement_run_refuses_other_selections),
        cmocka_unit_test(test_measurement_add_other_is_not_compared),
        cmocka_unit_test(test_measurement_run_ends_at_a_failure),
        cmocka_unit_test(test_measurement_run_compares_what_was_written),
        cmocka_unit_test(test_bench_hash_tells_bytes_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
