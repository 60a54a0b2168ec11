#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ring.h"

static void test_rf_ring_open(void **state)
{
    struct rf_ring ring;
    struct rf_error err;
    (void)state;
    assert_int_equal(rf_ring_open(&ring, 0, &err), RF_E_USAGE);
    rf_ring_close(&ring);
    assert_int_equal(rf_ring_open(&ring, 65537, &err), RF_E_USAGE);
    assert_int_equal(rf_ring_open(&ring, 65536, &err), RF_OK);
    rf_ring_close(&ring);
    assert_int_equal(rf_ring_open(&ring, 1, &err), RF_OK);
    rf_ring_close(&ring);
    rf_ring_close(&ring);
}

static void test_rf_ring_try_push(void **state)
{
    struct rf_ring ring;
    struct rf_error err;
    int items[4];
    void *item = NULL;
    (void)state;
    assert_int_equal(rf_ring_open(&ring, 3, &err), RF_OK);
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 3; i++) {
            assert_int_equal(rf_ring_try_push(&ring, &items[i]), RF_OK);
        }
        assert_int_equal(rf_ring_try_push(&ring, &items[3]), RF_AGAIN);
        assert_int_equal(rf_ring_try_pop(&ring, &item), RF_OK);
        assert_ptr_equal(item, &items[0]);
        assert_int_equal(rf_ring_try_push(&ring, &items[3]), RF_OK);
        for (int i = 1; i < 4; i++) {
            assert_int_equal(rf_ring_try_pop(&ring, &item), RF_OK);
            assert_ptr_equal(item, &items[i]);
        }
        assert_int_equal(rf_ring_try_pop(&ring, &item), RF_AGAIN);
    }
    rf_ring_close(&ring);
}

static void test_rf_ring_shut(void **state)
{
    struct rf_ring ring;
    struct rf_error err;
    int thing;
    void *item = NULL;
    (void)state;
    assert_int_equal(rf_ring_open(&ring, 2, &err), RF_OK);
    assert_int_equal(rf_ring_push(&ring, &thing), RF_OK);
    rf_ring_shut(&ring);
    assert_int_equal(rf_ring_push(&ring, &thing), RF_STOP);
    assert_int_equal(rf_ring_try_push(&ring, &thing), RF_STOP);
    /* What is inside still comes out. */
    assert_int_equal(rf_ring_pop(&ring, &item), RF_OK);
    assert_ptr_equal(item, &thing);
    assert_int_equal(rf_ring_pop(&ring, &item), RF_END);
    assert_int_equal(rf_ring_try_pop(&ring, &item), RF_END);
    rf_ring_close(&ring);
}

enum { PUSHERS = 3, POPPERS = 3, ITEMS = 20000 };

static unsigned char seen[PUSHERS * ITEMS];

struct pusher {
    struct rf_ring *ring;
    unsigned char *first;
};

static void *pusher_run(void *context)
{
    const struct pusher *const pusher = context;
    for (size_t i = 0; i < ITEMS; i++) {
        if (rf_ring_push(pusher->ring, pusher->first + i) != RF_OK) {
            return pusher->ring; /* not NULL: the join below fails */
        }
    }
    return NULL;
}

static void *popper_run(void *context)
{
    struct rf_ring *const ring = context;
    uintptr_t count = 0;
    void *item = NULL;
    while (rf_ring_pop(ring, &item) == RF_OK) {
        (*(unsigned char *)item)++; /* each item reaches one thread only: the thread checker would tell */
        count++;
    }
    return (void *)count;
}

static void test_rf_ring_threads(void **state)
{
    struct rf_ring ring;
    struct rf_error err;
    struct pusher pushers[PUSHERS];
    pthread_t push_thread[PUSHERS];
    pthread_t pop_thread[POPPERS];
    uintptr_t popped = 0;
    void *result = NULL;
    (void)state;
    assert_int_equal(rf_ring_open(&ring, 7, &err), RF_OK);
    for (size_t i = 0; i < POPPERS; i++) {
        assert_int_equal(pthread_create(&pop_thread[i], NULL, popper_run, &ring), 0);
    }
    for (size_t i = 0; i < PUSHERS; i++) {
        pushers[i] = (struct pusher){&ring, seen + i * ITEMS};
        assert_int_equal(pthread_create(&push_thread[i], NULL, pusher_run, &pushers[i]), 0);
    }
    for (size_t i = 0; i < PUSHERS; i++) {
        assert_int_equal(pthread_join(push_thread[i], &result), 0);
        assert_null(result);
    }
    rf_ring_shut(&ring);
    for (size_t i = 0; i < POPPERS; i++) {
        assert_int_equal(pthread_join(pop_thread[i], &result), 0);
        popped += (uintptr_t)result;
    }
    assert_int_equal(popped, PUSHERS * ITEMS);
    for (size_t i = 0; i < PUSHERS * ITEMS; i++) {
        assert_int_equal(seen[i], 1);
    }
    rf_ring_close(&ring);
}

static void *blocked_push(void *context)
{
    struct rf_ring *const ring = context;
    return rf_ring_push(ring, ring) == RF_STOP ? NULL : ring;
}

/* A pusher that waits for room is woken by shut. */
static void test_shut_wakes_pusher(void **state)
{
    struct rf_ring ring;
    struct rf_error err;
    pthread_t thread;
    void *result = &ring;
    (void)state;
    assert_int_equal(rf_ring_open(&ring, 1, &err), RF_OK);
    assert_int_equal(rf_ring_push(&ring, &ring), RF_OK);
    assert_int_equal(pthread_create(&thread, NULL, blocked_push, &ring), 0);
    rf_ring_shut(&ring);
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_null(result);
    rf_ring_close(&ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_ring_open),      cmocka_unit_test(test_rf_ring_try_push),
        cmocka_unit_test(test_rf_ring_shut),      cmocka_unit_test(test_rf_ring_threads),
        cmocka_unit_test(test_shut_wakes_pusher),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
