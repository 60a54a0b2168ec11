/* Keys are found again; within a bound the one that was not met for longest goes, but not while somebody holds on to it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "key_memory.h"

struct counter {
    struct rf_key_entry head;
    uint64_t met;
};

static struct rf_state_key key_of(uint32_t number)
{
    return rf_state_key_of((struct rf_str){(const char *)&number, sizeof number});
}

static struct counter *meet(struct rf_key_memory *memory, uint32_t owner, uint32_t number, bool is_made)
{
    struct rf_key_entry *head;
    struct rf_error err;
    assert_int_equal(
        rf_key_memory_at(memory, owner, key_of(number), is_made ? sizeof(struct counter) : 0, &head, &err), RF_OK);
    return (struct counter *)head;
}

static void test_found_again(void **unused)
{
    (void)unused;
    enum { KEYS = 20000, OWNERS = 2, ROUNDS = 3 };
    struct rf_key_memory memory;
    struct rf_error err;
    assert_int_equal(rf_key_memory_open(&memory, (size_t)1 << 30, &err), RF_OK);
    assert_null(meet(&memory, 0, 7, false));
    for (uint64_t round = 0; round < ROUNDS; round++) {
        for (uint32_t k = 0; k < KEYS; k++) {
            for (uint32_t owner = 0; owner < OWNERS; owner++) {
                assert_int_equal(meet(&memory, owner, k, true)->met++, round);
            }
        }
    }
    assert_non_null(meet(&memory, 0, 7, false));
    assert_int_equal(memory.entries, OWNERS * KEYS);
    assert_int_equal(memory.evicted, 0);
    rf_key_memory_close(&memory);
}

static void test_bound(void **unused)
{
    (void)unused;
    struct rf_key_memory memory;
    struct rf_error err;
    uint32_t fit = 0;
    assert_int_equal(rf_key_memory_open(&memory, 2000, &err), RF_OK);
    while (memory.evicted == 0) {
        (void)meet(&memory, 0, fit++, true);
        assert_true(memory.bytes_used <= 2000);
    }
    assert_true(fit > 5);
    assert_null(meet(&memory, 0, 0, false));
    assert_non_null(meet(&memory, 0, 1, false)); /* which makes 2 the oldest */
    (void)meet(&memory, 0, fit, true);
    assert_non_null(meet(&memory, 0, 1, false));
    assert_null(meet(&memory, 0, 2, false));
    assert_int_equal(memory.evicted, 2);
    rf_key_memory_close(&memory);
    /* One that is larger than the bound is there until the next. */
    assert_int_equal(rf_key_memory_open(&memory, 1, &err), RF_OK);
    meet(&memory, 0, 1, true)->met = 5;
    assert_int_equal(meet(&memory, 0, 1, true)->met, 5);
    (void)meet(&memory, 0, 2, true);
    assert_null(meet(&memory, 0, 1, false));
    rf_key_memory_close(&memory);
}

static void test_pins(void **unused)
{
    (void)unused;
    struct rf_key_memory memory;
    struct rf_error err;
    assert_int_equal(rf_key_memory_open(&memory, 1, &err), RF_OK);
    struct counter *held = meet(&memory, 0, 1, true);
    held->head.pins = 2;
    held->met = 3;
    (void)meet(&memory, 0, 2, true);
    assert_true(held->head.is_forgotten);
    assert_null(meet(&memory, 0, 1, false));
    assert_int_equal(meet(&memory, 0, 1, true)->met, 0); /* a new one */
    rf_key_entry_unpin(&held->head);
    assert_int_equal(held->met, 3);
    rf_key_entry_unpin(&held->head);
    rf_key_memory_close(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_found_again), cmocka_unit_test(test_bound),
                                       cmocka_unit_test(test_pins)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
