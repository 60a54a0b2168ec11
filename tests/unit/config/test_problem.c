#include "config_fixture.h"

static void printed(const struct rf_problems *problems, const char *wanted)
{
    struct rf_text out = {0};
    struct rf_error err;
    assert_int_equal(rf_problems_print(problems, &out, &err), RF_OK);
    assert_int_equal(rf_text_append_char(&out, '\0', &err), RF_OK);
    assert_string_equal(out.data, wanted);
    rf_text_free(&out);
}

static void test_rf_problems_print(void **state)
{
    static struct rf_problems problems;
    (void)state;
    rf_problems_open(&problems, RF_STR("a\033.yaml"), RF_STR("one: 1\ntwo: 2\n"));
    assert_true(rf_problems_none(&problems));
    rf_problem_add(&problems, 7, 10, "second %d", 2);
    rf_problem_add(&problems, 0, 3, "first");
    rf_problem_add(&problems, 7, 8, "third");
    assert_false(rf_problems_none(&problems));
    printed(&problems, "error: first\n --> a\\x1b.yaml:1:1\n  | one: 1\n  | ^^^\n"
                       "error: second 2\n --> a\\x1b.yaml:2:1\n  | two: 2\n  | ^^^\n"
                       "error: third\n --> a\\x1b.yaml:2:1\n  | two: 2\n  | ^\n");
}

static void test_rf_problems_status(void **state)
{
    static struct rf_problems problems;
    struct rf_error err;
    (void)state;
    rf_problems_open(&problems, RF_STR("f"), RF_STR("abc"));
    assert_int_equal(rf_problems_status(&problems, &err), RF_OK);
    rf_problem_add(&problems, 2, 3, "late");
    assert_int_equal(rf_problems_status(&problems, &err), RF_E_CONFIG);
    assert_string_equal(err.text, "f:1:3: late");
    rf_problem_add(&problems, 0, 3, "early");
    assert_int_equal(rf_problems_status(&problems, &err), RF_E_CONFIG);
    assert_string_equal(err.text, "f:1:1: early (and 1 more)");
}

static void test_rf_problem_add_bound(void **state)
{
    static struct rf_problems problems;
    struct rf_text out = {0};
    struct rf_error err;
    (void)state;
    rf_problems_open(&problems, RF_STR("f"), RF_STR("abc"));
    for (uint32_t i = 0; i < RF_PROBLEMS_MAX; i++) {
        rf_problem_add(&problems, 0, 1, "%u", i);
    }
    assert_int_equal(problems.more, 0);
    rf_problem_add(&problems, 0, 1, "not kept");
    rf_problem_add(&problems, 9, 5, "neither");
    assert_int_equal(problems.items, RF_PROBLEMS_MAX);
    assert_int_equal(problems.more, 2);
    assert_int_equal(rf_problems_print(&problems, &out, &err), RF_OK);
    assert_true(rf_str_ends(rf_text_str(&out), RF_STR("  | ^\nand 2 more\n")));
    rf_text_free(&out);
}

/* A place behind the end is the end, a long text is cut, and what is no text for a terminal is escaped. */
static void test_rf_problem_add_hostile(void **state)
{
    static struct rf_problems problems;
    static char text[2 * RF_PROBLEM_BYTES];
    (void)state;
    rf_problems_open(&problems, RF_STR("f"), RF_STR("abc"));
    memset(text, 'x', sizeof text - 1);
    rf_problem_add(&problems, 99, 7, "%s", text);
    assert_int_equal(problems.item[0].begin, 3);
    assert_int_equal(problems.item[0].end, 3);
    assert_int_equal(strlen(problems.item[0].text), RF_PROBLEM_BYTES - 1);
    rf_problems_open(&problems, RF_STR("f"), RF_STR("abc"));
    rf_problem_add(&problems, 1, 2, "a\x1b[2Jb");
    printed(&problems, "error: a [2Jb\n --> f:1:2\n  | abc\n  |  ^\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_problems_print),
        cmocka_unit_test(test_rf_problems_status),
        cmocka_unit_test(test_rf_problem_add_bound),
        cmocka_unit_test(test_rf_problem_add_hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
