#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "str.h"

static const struct rf_str nothing = {NULL, 0};

static void test_rf_str_of(void **state)
{
    (void)state;
    assert_true(rf_str_equal(rf_str_of("abc"), RF_STR("abc")));
    assert_int_equal(rf_str_of("").count, 0);
}

static void test_rf_str_equal(void **state)
{
    (void)state;
    assert_true(rf_str_equal(nothing, nothing));
    assert_true(rf_str_equal(nothing, RF_STR("")));
    assert_false(rf_str_equal(RF_STR("a"), RF_STR("b")));
    assert_false(rf_str_equal(RF_STR("a"), RF_STR("ab")));
    assert_false(rf_str_equal(RF_STR("a\0b"), RF_STR("a\0c")));
}

static void test_rf_str_compare(void **state)
{
    (void)state;
    assert_int_equal(rf_str_compare(nothing, RF_STR("")), 0);
    assert_true(rf_str_compare(nothing, RF_STR("a")) < 0);
    assert_true(rf_str_compare(RF_STR("a"), nothing) > 0);
    assert_true(rf_str_compare(RF_STR("ab"), RF_STR("abc")) < 0);
    assert_true(rf_str_compare(RF_STR("b"), RF_STR("abc")) > 0);
    assert_true(rf_str_compare(RF_STR("\x7f"), RF_STR("\x80")) < 0); /* bytes are unsigned */
    assert_int_equal(rf_str_compare(RF_STR("x\0y"), RF_STR("x\0y")), 0);
}

static void test_rf_str_starts(void **state)
{
    (void)state;
    assert_true(rf_str_starts(RF_STR("abc"), RF_STR("ab")));
    assert_true(rf_str_starts(RF_STR("abc"), nothing));
    assert_true(rf_str_starts(nothing, nothing));
    assert_false(rf_str_starts(RF_STR("abc"), RF_STR("bc")));
    assert_false(rf_str_starts(RF_STR("ab"), RF_STR("abc")));
}

static void test_rf_str_ends(void **state)
{
    (void)state;
    assert_true(rf_str_ends(RF_STR("abc"), RF_STR("bc")));
    assert_true(rf_str_ends(RF_STR("abc"), nothing));
    assert_true(rf_str_ends(nothing, nothing));
    assert_false(rf_str_ends(RF_STR("abc"), RF_STR("ab")));
    assert_false(rf_str_ends(RF_STR("bc"), RF_STR("abc")));
}

static void test_rf_str_contains(void **state)
{
    (void)state;
    assert_true(rf_str_contains(RF_STR("abcd"), RF_STR("bc")));
    assert_true(rf_str_contains(RF_STR("abcd"), nothing));
    assert_true(rf_str_contains(nothing, nothing));
    assert_true(rf_str_contains(RF_STR("a\0b"), RF_STR("\0b")));
    assert_false(rf_str_contains(nothing, RF_STR("a")));
    assert_false(rf_str_contains(RF_STR("abcd"), RF_STR("bd")));
}

static void test_rf_str_find(void **state)
{
    static const struct {
        struct rf_str text, part;
        bool is_found;
        size_t at;
    } rows[] = {
        {{"abcbc", 5}, {"bc", 2}, true, 1},  {{"abcd", 4}, {"abcd", 4}, true, 0}, {{"abcd", 4}, {"d", 1}, true, 3},
        {{"abcd", 4}, {"", 0}, true, 0},     {{NULL, 0}, {NULL, 0}, true, 0},     {{"a\0b", 3}, {"\0b", 2}, true, 1},
        {{"abcd", 4}, {"bd", 2}, false, 77}, {{NULL, 0}, {"a", 1}, false, 77},    {{"ab", 2}, {"abc", 3}, false, 77},
        {{"abc", 2}, {"bc", 2}, false, 77}, /* the text ends where its count says */
    };
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        size_t at = 77;
        assert_int_equal(rf_str_find(rows[r].text, rows[r].part, &at), rows[r].is_found);
        assert_int_equal(at, rows[r].at);
    }
}

static void test_rf_str_prefix(void **state)
{
    static const struct rf_str rising[] = {{"", 0},
                                           {"\0", 1},
                                           {"\0\0", 2},
                                           {"a", 1},
                                           {"ab", 2},
                                           {"abcdefg", 7},
                                           {"abcdefgh", 8},
                                           {"abcdefgi", 8},
                                           {"b", 1},
                                           {"\xc3\xa9", 2},
                                           {"\xff\xff\xff\xff\xff\xff\xff\xff", 8}};
    (void)state;
    assert_true(rf_str_prefix(RF_STR("abcdefgh")) == 0x6162636465666768u);
    assert_true(rf_str_prefix(RF_STR("abcdefghijk")) == 0x6162636465666768u);
    assert_true(rf_str_prefix(RF_STR("abc")) == 0x6162630000000000u);
    assert_true(rf_str_prefix(nothing) == 0);
    for (size_t i = 1; i < sizeof rising / sizeof rising[0]; i++) {
        assert_true(rf_str_prefix(rising[i - 1]) <= rf_str_prefix(rising[i]));
    }
}

static void test_rf_str_distance(void **state)
{
    char long_text[65];
    (void)state;
    memset(long_text, 'a', sizeof long_text);
    assert_int_equal(rf_str_distance(nothing, nothing), 0);
    assert_int_equal(rf_str_distance(nothing, RF_STR("abc")), 3);
    assert_int_equal(rf_str_distance(RF_STR("abc"), nothing), 3);
    assert_int_equal(rf_str_distance(RF_STR("price"), RF_STR("price")), 0);
    assert_int_equal(rf_str_distance(RF_STR("price"), RF_STR("prize")), 1);
    assert_int_equal(rf_str_distance(RF_STR("price"), RF_STR("pirce")), 1);
    assert_int_equal(rf_str_distance(RF_STR("price"), RF_STR("rice")), 1);
    assert_int_equal(rf_str_distance(RF_STR("kitten"), RF_STR("sitting")), 3);
    /* Optimal string alignment, not Damerau: no edit between the two halves of a swap. */
    assert_int_equal(rf_str_distance(RF_STR("ca"), RF_STR("abc")), 3);
    assert_int_equal(rf_str_distance((struct rf_str){long_text, 64}, (struct rf_str){long_text, 63}), 1);
    assert_int_equal(rf_str_distance((struct rf_str){long_text, 65}, (struct rf_str){long_text, 65}), 65);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_str_of),       cmocka_unit_test(test_rf_str_equal),
        cmocka_unit_test(test_rf_str_compare),  cmocka_unit_test(test_rf_str_starts),
        cmocka_unit_test(test_rf_str_ends),     cmocka_unit_test(test_rf_str_contains),
        cmocka_unit_test(test_rf_str_find),     cmocka_unit_test(test_rf_str_prefix),
        cmocka_unit_test(test_rf_str_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
