#include "regex_fixture.h"

#include "code_set.h"

static struct rf_code_set set_of(const struct rf_code_range *range, size_t count)
{
    struct rf_code_set set = {.arena = &arena};
    for (size_t i = 0; i < count; i++) {
        assert_true(rf_code_set_add(&set, range[i].low, range[i].high));
    }
    return set;
}

#define SET(...)                                                                                                       \
    set_of((const struct rf_code_range[]){__VA_ARGS__},                                                                \
           sizeof((const struct rf_code_range[]){__VA_ARGS__}) / sizeof(struct rf_code_range))

static void assert_ranges(const struct rf_code_set *set, const struct rf_code_range *range, size_t count)
{
    assert_int_equal(set->count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(set->range[i].low, range[i].low);
        assert_int_equal(set->range[i].high, range[i].high);
    }
}

#define ASSERT_SET(set, ...)                                                                                           \
    assert_ranges((set), (const struct rf_code_range[]){__VA_ARGS__},                                                  \
                  sizeof((const struct rf_code_range[]){__VA_ARGS__}) / sizeof(struct rf_code_range))

static void test_rf_code_set_add(void **state)
{
    (void)state;
    struct rf_code_set set = SET({'a', 'c'}, {'d', 'f'}, {'b', 'b'}, {'x', 'z'});
    /* What goes on where the last range ends is joined at once. */
    ASSERT_SET(&set, {'a', 'f'}, {'x', 'z'});
    struct rf_arena small;
    rf_arena_init(&small, sizeof(struct rf_code_range) * 8);
    struct rf_code_set full = {.arena = &small};
    for (uint32_t i = 0; i < 8; i++) {
        assert_true(rf_code_set_add(&full, 10 * i, 10 * i));
    }
    assert_false(rf_code_set_add(&full, 100, 100));
    rf_arena_free(&small);
}

static void test_rf_code_set_add_set(void **state)
{
    (void)state;
    struct rf_code_set set = SET({'x', 'z'});
    const struct rf_code_set other = SET({'a', 'c'}, {'m', 'm'});
    assert_true(rf_code_set_add_set(&set, &other));
    rf_code_set_tidy(&set);
    ASSERT_SET(&set, {'a', 'c'}, {'m', 'm'}, {'x', 'z'});
}

static void test_rf_code_set_tidy(void **state)
{
    (void)state;
    struct rf_code_set set = SET({50, 60}, {10, 20}, {55, 58}, {21, 22}, {24, 24}, {0, 5}, {59, 70});
    rf_code_set_tidy(&set);
    ASSERT_SET(&set, {0, 5}, {10, 22}, {24, 24}, {50, 70});
    struct rf_code_set empty = {.arena = &arena};
    rf_code_set_tidy(&empty);
    assert_int_equal(empty.count, 0);
}

static void test_rf_code_set_fold(void **state)
{
    (void)state;
    struct rf_code_set k = SET({'k', 'k'});
    assert_true(rf_code_set_fold(&k));
    ASSERT_SET(&k, {'K', 'K'}, {'k', 'k'}, {0x212A, 0x212A}); /* the sign of kelvin */
    struct rf_code_set letters = SET({'a', 'z'});
    assert_true(rf_code_set_fold(&letters));
    ASSERT_SET(&letters, {'A', 'Z'}, {'a', 'z'}, {0x17F, 0x17F}, {0x212A, 0x212A}); /* and the long s */
    struct rf_code_set theta = SET({0x3F4, 0x3F4});                                 /* a circle of four */
    assert_true(rf_code_set_fold(&theta));
    ASSERT_SET(&theta, {0x398, 0x398}, {0x3B8, 0x3B8}, {0x3D1, 0x3D1}, {0x3F4, 0x3F4});
    /* In runs of pairs, from either of a pair: U+0100 and U+0101, ... */
    struct rf_code_set pair = SET({0x101, 0x102});
    assert_true(rf_code_set_fold(&pair));
    ASSERT_SET(&pair, {0x100, 0x103});
    struct rf_code_set sharp = SET({0xDF, 0xDF}); /* simple folding: not "ss" */
    assert_true(rf_code_set_fold(&sharp));
    ASSERT_SET(&sharp, {0xDF, 0xDF}, {0x1E9E, 0x1E9E});
    struct rf_code_set digits = SET({'0', '9'}, {0x130, 0x131}); /* dotted and dotless i have no simple folding */
    assert_true(rf_code_set_fold(&digits));
    ASSERT_SET(&digits, {'0', '9'}, {0x130, 0x131});
}

/* Folding twice adds nothing, and a code point is in the folding of another when the other is in its own. */
static void test_folding_is_an_equivalence(void **state)
{
    (void)state;
    for (uint32_t code = 0; code < 0x1F000; code++) {
        const struct rf_arena_mark mark = rf_arena_mark(&arena);
        struct rf_code_set set = SET({code, code});
        assert_true(rf_code_set_fold(&set));
        if (set.count > 1 || set.range[0].low != set.range[0].high) {
            struct rf_code_set again = {.arena = &arena};
            assert_true(rf_code_set_add(&again, set.range[set.count - 1].high, set.range[set.count - 1].high));
            assert_true(rf_code_set_fold(&again));
            assert_ranges(&again, set.range, set.count);
        }
        rf_arena_rewind(&arena, mark);
    }
}

static void test_rf_code_set_negate(void **state)
{
    (void)state;
    struct rf_code_set set = SET({'a', 'c'}, {'x', 'x'});
    assert_true(rf_code_set_negate(&set));
    ASSERT_SET(&set, {0, 'a' - 1}, {'d', 'w'}, {'y', RF_CODE_MAX});
    assert_true(rf_code_set_negate(&set));
    ASSERT_SET(&set, {'a', 'c'}, {'x', 'x'});
    struct rf_code_set ends = SET({0, 5}, {RF_CODE_MAX, RF_CODE_MAX});
    assert_true(rf_code_set_negate(&ends));
    ASSERT_SET(&ends, {6, RF_CODE_MAX - 1});
    struct rf_code_set all = SET({0, RF_CODE_MAX});
    assert_true(rf_code_set_negate(&all));
    assert_int_equal(all.count, 0);
    assert_true(rf_code_set_negate(&all));
    ASSERT_SET(&all, {0, RF_CODE_MAX});
}

static void test_rf_code_set_covers(void **state)
{
    (void)state;
    const struct rf_code_set set = SET({10, 20}, {30, 40});
    assert_true(rf_code_set_covers(set.range, set.count, 10, 20));
    assert_true(rf_code_set_covers(set.range, set.count, 35, 35));
    assert_false(rf_code_set_covers(set.range, set.count, 9, 20));
    assert_false(rf_code_set_covers(set.range, set.count, 20, 30));
    assert_false(rf_code_set_covers(set.range, 0, 10, 10));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_ARENA(test_rf_code_set_add),           WITH_ARENA(test_rf_code_set_add_set),
        WITH_ARENA(test_rf_code_set_tidy),          WITH_ARENA(test_rf_code_set_fold),
        WITH_ARENA(test_rf_code_set_negate),        WITH_ARENA(test_rf_code_set_covers),
        WITH_ARENA(test_folding_is_an_equivalence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
