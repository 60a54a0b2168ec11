#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arena.h"

static void test_rf_arena_push(void **state)
{
    struct rf_arena arena;
    (void)state;
    rf_arena_init(&arena, 1 << 20);
    assert_int_equal(arena.bytes_used, 0);
    for (size_t align = 1; align <= 64; align *= 2) {
        for (size_t count = 0; count < 40; count++) {
            unsigned char *const piece = rf_arena_push(&arena, count, 3, align);
            assert_non_null(piece);
            assert_int_equal((uintptr_t)piece % align, 0);
            memset(piece, 0xAA, count * 3);
        }
    }
    rf_arena_free(&arena);
    assert_int_equal(arena.bytes_used, 0);
    assert_non_null(rf_arena_push(&arena, 1, 1, 1)); /* still usable */
    rf_arena_free(&arena);
}

/* Pieces do not overlap, over many chunks. */
static void test_pieces_are_apart(void **state)
{
    enum { PIECES = 2000 };
    static uint32_t *pieces[PIECES];
    struct rf_arena arena;
    (void)state;
    rf_arena_init(&arena, SIZE_MAX);
    for (uint32_t i = 0; i < PIECES; i++) {
        pieces[i] = RF_PUSH(&arena, uint32_t, i % 97 + 1);
        assert_non_null(pieces[i]);
        for (uint32_t j = 0; j <= i % 97; j++) {
            assert_int_equal(pieces[i][j], 0);
            pieces[i][j] = i;
        }
    }
    for (uint32_t i = 0; i < PIECES; i++) {
        for (uint32_t j = 0; j <= i % 97; j++) {
            assert_int_equal(pieces[i][j], i);
        }
    }
    rf_arena_free(&arena);
}

static void test_rf_arena_bound(void **state)
{
    struct rf_arena arena;
    (void)state;
    for (size_t bytes_max = 99; bytes_max <= 101; bytes_max++) {
        rf_arena_init(&arena, bytes_max);
        void *const piece = rf_arena_push(&arena, 100, 1, 1);
        assert_true((piece != NULL) == (bytes_max >= 100));
        assert_true(arena.bytes_used <= arena.bytes_max);
        rf_arena_free(&arena);
    }
    rf_arena_init(&arena, SIZE_MAX);
    assert_null(rf_arena_push(&arena, SIZE_MAX, 2, 1));
    assert_null(rf_arena_push(&arena, SIZE_MAX / 2 + 1, 2, 1));
    assert_null(rf_arena_push(&arena, SIZE_MAX, 1, 64));
    assert_null(rf_arena_push(&arena, SIZE_MAX - 8, 1, 1));
    assert_non_null(rf_arena_push(&arena, 8, 1, 1)); /* a refusal harms nothing */
    rf_arena_free(&arena);
    rf_arena_init(&arena, 0);
    assert_null(rf_arena_push(&arena, 1, 1, 1));
    arena.bytes_max = 100; /* the owner may move the bound, also below what is taken */
    assert_non_null(rf_arena_push(&arena, 50, 1, 1));
    arena.bytes_max = 10;
    assert_null(rf_arena_push(&arena, 1, 1, 1));
    rf_arena_free(&arena);
}

static void test_rf_arena_push_zero(void **state)
{
    struct rf_arena arena;
    (void)state;
    rf_arena_init(&arena, 1 << 16);
    const struct rf_arena_mark mark = rf_arena_mark(&arena);
    memset(rf_arena_push(&arena, 1000, 1, 8), 0xFF, 1000);
    rf_arena_rewind(&arena, mark);
    const unsigned char *const piece = rf_arena_push_zero(&arena, 250, 4, 4);
    assert_non_null(piece);
    for (size_t i = 0; i < 1000; i++) {
        assert_int_equal(piece[i], 0);
    }
    assert_non_null(rf_arena_push_zero(&arena, 0, 4, 4));
    assert_null(rf_arena_push_zero(&arena, 1 << 20, 4, 4));
    rf_arena_free(&arena);
}

static void test_rf_arena_copy(void **state)
{
    struct rf_arena arena;
    (void)state;
    rf_arena_init(&arena, 16);
    const struct rf_str copy = rf_arena_copy(&arena, RF_STR("text"));
    assert_true(rf_str_equal(copy, RF_STR("text")));
    assert_int_equal(copy.data[4], '\0');
    const struct rf_str empty = rf_arena_copy(&arena, (struct rf_str){NULL, 0});
    assert_non_null(empty.data);
    assert_int_equal(empty.count, 0);
    assert_null(rf_arena_copy(&arena, RF_STR("a text that is too long")).data);
    rf_arena_free(&arena);
}

static void test_rf_arena_rewind(void **state)
{
    struct rf_arena arena;
    (void)state;
    rf_arena_init(&arena, 1 << 24);
    const struct rf_arena_mark before_all = rf_arena_mark(&arena);
    char *const first = rf_arena_push(&arena, 10, 1, 1);
    memset(first, 'a', 10);
    const struct rf_arena_mark mark = rf_arena_mark(&arena);
    const size_t used = arena.bytes_used;
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < 50; i++) {
            char *const piece = rf_arena_push(&arena, 5000, 1, 8);
            assert_non_null(piece);
            memset(piece, 'b', 5000);
        }
        rf_arena_rewind(&arena, mark);
        assert_int_equal(arena.bytes_used, used);
    }
    assert_memory_equal(first, "aaaaaaaaaa", 10);
    rf_arena_rewind(&arena, before_all);
    assert_int_equal(arena.bytes_used, 0);
    rf_arena_free(&arena);
}

static void test_rf_arena_reset(void **state)
{
    struct rf_arena arena;
    (void)state;
    rf_arena_init(&arena, 1 << 24);
    rf_arena_reset(&arena); /* of an arena without a chunk */
    for (size_t round = 0; round < 20; round++) {
        /* Sizes differ from round to round, so that spare chunks of every size are met. */
        for (size_t i = 0; i < 30; i++) {
            unsigned char *const piece = rf_arena_push(&arena, 1 + (i * 7919 + round * 104729) % 20000, 1, 16);
            assert_non_null(piece);
            piece[0] = 1;
        }
        rf_arena_reset(&arena);
        assert_int_equal(arena.bytes_used, 0);
    }
    rf_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_arena_push),  cmocka_unit_test(test_pieces_are_apart),
        cmocka_unit_test(test_rf_arena_bound), cmocka_unit_test(test_rf_arena_push_zero),
        cmocka_unit_test(test_rf_arena_copy),  cmocka_unit_test(test_rf_arena_rewind),
        cmocka_unit_test(test_rf_arena_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
