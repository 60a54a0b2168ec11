#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "intern.h"

static void test_rf_intern_at(void **state)
{
    struct rf_arena arena;
    char key[16];
    (void)state;
    rf_arena_init(&arena, 16 << 20);
    struct rf_intern intern = {.arena = &arena};
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 5000; i++) {
            const struct rf_str text = {key, (size_t)snprintf(key, sizeof key, "k%u", i)};
            uint32_t *value = rf_intern_at(&intern, text);
            assert_non_null(value);
            assert_int_equal(*value, round == 0 ? UINT32_MAX : i);
            *value = i;
        }
    }
    assert_int_equal(intern.count, 5000);
    assert_int_equal(*rf_intern_at(&intern, RF_STR("")), UINT32_MAX);
    rf_arena_free(&arena);
}

static void test_arena_full(void **state)
{
    struct rf_arena arena;
    (void)state;
    rf_arena_init(&arena, 8192);
    struct rf_intern intern = {.arena = &arena};
    char key[16];
    bool is_full = false;
    for (uint32_t i = 0; i < 1000 && !is_full; i++) {
        is_full = rf_intern_at(&intern, (struct rf_str){key, (size_t)snprintf(key, sizeof key, "k%u", i)}) == NULL;
    }
    assert_true(is_full);
    rf_arena_free(&arena);
}

static void test_rf_array_grow(void **state)
{
    struct rf_arena arena;
    uint32_t *items = NULL;
    uint32_t capacity = 0;
    (void)state;
    rf_arena_init(&arena, 1 << 20);
    for (uint32_t i = 0; i < 1000; i++) {
        items = rf_array_grow(&arena, items, i, &capacity, sizeof items[0]);
        assert_non_null(items);
        assert_true(capacity > i);
        items[i] = i;
    }
    for (uint32_t i = 0; i < 1000; i++) {
        assert_int_equal(items[i], i);
    }
    capacity = 0;
    rf_arena_free(&arena);
    rf_arena_init(&arena, 8);
    assert_null(rf_array_grow(&arena, NULL, 0, &capacity, sizeof items[0]));
    assert_int_equal(capacity, 0);
    rf_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_intern_at),
        cmocka_unit_test(test_arena_full),
        cmocka_unit_test(test_rf_array_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
