#include "config_fixture.h"

/* Byte `offset` of the only value of the mapping stands where `marker` is found in the source, plus `behind`. */
static void place_is(const char *source, size_t offset, const char *marker, size_t behind)
{
    struct fixture_yaml *yaml = fixture_read(rf_str_of(source), NULL);
    assert_int_equal(yaml->status, RF_OK);
    const struct rf_yaml_node *node = yaml->root->first_child;
    const uint32_t at = rf_yaml_place(rf_str_of(source), node, offset);
    assert_non_null(strstr(source, marker));
    assert_int_equal(at, (size_t)(strstr(source, marker) - source) + behind);
    fixture_close(yaml);
}

static void test_rf_yaml_place_plain(void **state)
{
    (void)state;
    place_is("a: price > 5\n", 0, "price", 0);
    place_is("a: price > 5\n", 8, "5", 0);
    place_is("a: price > 5\n", 9, "5", 1);
    place_is("a: price > 5\n", 99, "5", 1);
    /* Folded: `price > 5 && q` */
    place_is("a: price\n    > 5\n\n  && q\n", 6, "> 5", 0);
    place_is("a: price\n    >\n    5 && q\n", 8, "5 &&", 0);
    place_is("a: price\n    >\n    5 && q\n", 13, "q", 0);
}

static void test_rf_yaml_place_quoted(void **state)
{
    (void)state;
    place_is("a: 'it''s x'\n", 0, "it", 0);
    place_is("a: 'it''s x'\n", 2, "''s", 0);
    place_is("a: 'it''s x'\n", 3, "s x", 0);
    place_is("a: 'it''s x'\n", 5, "x'", 0);
    place_is("a: \"b \\\"c\\\" d\"\n", 2, "\\\"c", 0);
    place_is("a: \"b \\\"c\\\" d\"\n", 3, "c", 0);
    place_is("a: \"b \\\"c\\\" d\"\n", 6, "d\"", 0);
    place_is("a: \"b \\\"c\\\" d\"\n", 7, "d\"", 1);
    place_is("a: \"\\u00e9 x\"\n", 1, "\\u00e9", 0);
    place_is("a: \"\\u00e9 x\"\n", 2, " x", 0);
    place_is("a: \"\\u00e9x\\x41y\\U0001f600z\"\n", 2, "x\\x", 0);
    place_is("a: \"\\u00e9x\\x41y\\U0001f600z\"\n", 4, "y", 0);
    place_is("a: \"\\u00e9x\\x41y\\U0001f600z\"\n", 9, "z", 0);
    place_is("a: \"b\\\n   c\"\n", 1, "c", 0);
    place_is("a: \"b\n\n   c\"\n", 2, "c", 0);
    place_is("a: \"\\Lq\\_r\"\n", 3, "q", 0);
    place_is("a: \"\\Lq\\_r\"\n", 6, "r", 0);
}

static void test_rf_yaml_place_block(void **state)
{
    (void)state;
    place_is("a: |\n  one\n  two\n", 0, "one", 0);
    place_is("a: |\n  one\n  two\n", 3, "one", 3);
    place_is("a: |\n  one\n  two\n", 4, "two", 0);
    place_is("a: |\n  one\n  two\n", 6, "two", 2);
    place_is("a: |\n  one\n    two\n", 6, "two", 0);
    /* The end is behind the last word, not on the line below. */
    place_is("a: |\n  one\n  two\nb: 1\n", 8, "two", 3);
    place_is("a: |2-\n    one\n", 2, "one", 0);
    place_is("a: >\n  one\n  two\n", 4, "two", 0);
    place_is("a: >-\n  one\n\n  two\n", 4, "two", 0);
    place_is("a: |\n  # one\n  |x\n", 6, "|x", 0);
}

static void test_rf_yaml_place_alias(void **state)
{
    const char source[] = "a: &x 'b c'\nd: *x\n";
    struct fixture_yaml *yaml = fixture_read(rf_str_of(source), NULL);
    (void)state;
    assert_int_equal(yaml->status, RF_OK);
    assert_int_equal(rf_yaml_place(rf_str_of(source), yaml->root->first_child->next, 2), 9);
    fixture_close(yaml);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_yaml_place_plain),
        cmocka_unit_test(test_rf_yaml_place_quoted),
        cmocka_unit_test(test_rf_yaml_place_block),
        cmocka_unit_test(test_rf_yaml_place_alias),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
