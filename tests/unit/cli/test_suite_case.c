/* test_suite_case.c: lines of case files, good and bad. */
#include "suite_fixture.h"

#include <stdio.h>

#include "suite_case.h"

static struct rf_suite_case input;

static void reads(const char *line)
{
    fixture_arena();
    fixture_ok(rf_suite_case_read(&input, rf_str_of(line), &arena, &err));
}

static void refused(const char *line, enum rf_status status, const char *part)
{
    fixture_arena();
    assert_int_equal(rf_suite_case_read(&input, rf_str_of(line), &arena, &err), status);
    fixture_error_has(part);
}

static void assert_str(struct rf_str text, const char *wanted)
{
    assert_true(rf_str_equal(text, rf_str_of(wanted)));
}

static void test_least(void **state)
{
    (void)state;
    reads("{\"expr\":\"1\"}");
    assert_str(input.source, "1");
    assert_str(input.number, "null");
    assert_str(input.env.container, "");
    assert_false(input.env.has_payload || input.env.is_unchecked || input.env.has_no_macros);
    assert_false(input.is_check_only || input.wants_type || input.has_rows);
    assert_int_equal(input.env.declarations, 0);
    assert_int_equal(input.functions.overloads, 0);
    assert_int_equal(input.rows, 1);
    reads("{\"expr\":\"\",\"container\":null,\"bindings\":null,\"rows\":null,\"check_only\":null,\"line\":null}");
    assert_str(input.source, "");
    assert_int_equal(input.rows, 1);
}

static void test_all_members(void **state)
{
    (void)state;
    reads("{\"line\":17,\"expr\":\"f(x)\",\"container\":\"a.b\",\"disable_check\":true,\"disable_macros\":true,"
          "\"check_only\":true,\"want_type\":true,\"expect\":[\"anything\"],"
          "\"type_env\":[{\"name\":\"x\",\"type\":\"list(int)\"},{\"name\":\"f\",\"overloads\":["
          "{\"id\":\"f_T\",\"params\":[\"param(T)\",\"int\"],\"result\":\"param(T)\",\"receiver\":true},"
          "{\"params\":[],\"result\":\"int\"}]}],"
          "\"bindings\":{\"y\":{\"value\":{\"int\":\"1\"}},\"x\":{\"list\":[]}}}");
    assert_str(input.number, "17");
    assert_str(input.env.container, "a.b");
    assert_true(input.env.is_unchecked && input.env.has_no_macros && input.is_check_only && input.wants_type);
    assert_int_equal(input.env.declarations, 2); /* functions are no variables */
    assert_str(input.env.declaration[0].name, "x");
    assert_str(input.env.declaration[0].type, "list(int)");
    assert_str(input.env.declaration[1].name, "y");
    assert_str(input.env.declaration[1].type, "");
    assert_int_equal(input.binding[0].type, RF_TYPE_LIST);
    assert_int_equal(input.binding[1].type, RF_TYPE_INT);
    assert_int_equal(input.functions.overloads, 2);
    assert_str(input.functions.overload[0].function, "f");
    assert_int_equal(input.functions.overload[0].params_count, 2);
    assert_str(input.functions.overload[0].params[0], "param(T)");
    assert_str(input.functions.overload[0].result, "param(T)");
    assert_true(input.functions.overload[0].is_receiver);
    assert_false(input.functions.overload[1].is_receiver);
}

static void test_numbers_of_lines(void **state)
{
    (void)state;
    reads("{\"expr\":\"1\",\"line\":1e400}"); /* a number all the same: it comes back as it is */
    assert_str(input.number, "1e400");
    reads("{\"expr\":\"1\",\"line\":\"7\"}");
    assert_str(input.number, "null");
    refused("{\"line\":8}", RF_E_FORMAT, "no \"expr\"");
    assert_str(input.number, "8");
}

static void test_rows(void **state)
{
    (void)state;
    reads("{\"expr\":\"x\",\"rows\":[{\"x\":{\"value\":{\"int\":\"1\"}}},{},{\"y\":{\"value\":{\"null\":null}},"
          "\"x\":{\"value\":{\"bool\":true}}}]}");
    assert_true(input.has_rows);
    assert_int_equal(input.rows, 3);
    assert_int_equal(input.env.declarations, 2);
    const enum rf_type wanted[6] = {RF_TYPE_INT, RF_TYPE_DYN, RF_TYPE_DYN, RF_TYPE_DYN, RF_TYPE_BOOL, RF_TYPE_NULL};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(input.binding[i].type, wanted[i]);
    }
    reads("{\"expr\":\"x\",\"rows\":[]}");
    assert_true(input.has_rows);
    assert_int_equal(input.rows, 0);
    /* Rows take the place of bindings, whose names stay declared. */
    reads("{\"expr\":\"x\",\"rows\":[{}],\"bindings\":{\"x\":{\"value\":{\"int\":\"1\"}}}}");
    assert_int_equal(input.env.declarations, 1);
    assert_int_equal(input.binding[0].type, RF_TYPE_DYN);
}

static void test_refused(void **state)
{
    (void)state;
    refused("", RF_E_FORMAT, "no JSON");
    refused("{\"expr\":", RF_E_FORMAT, "no JSON");
    refused("{} {}", RF_E_FORMAT, "no JSON");
    refused("{\"\\ud800\":1}", RF_E_FORMAT, "no JSON");
    refused("[]", RF_E_FORMAT, "no object");
    refused("{\"expr\":1}", RF_E_FORMAT, "\"expr\" is no string");
    refused("{\"expr\":null}", RF_E_FORMAT, "no \"expr\"");
    refused("{\"expr\":\"1\",\"container\":[]}", RF_E_FORMAT, "\"container\" is no string");
    refused("{\"expr\":\"1\",\"check_only\":1}", RF_E_FORMAT, "\"check_only\" is neither");
    refused("{\"expr\":\"1\",\"type_env\":{}}", RF_E_FORMAT, "\"type_env\" is no list");
    refused("{\"expr\":\"1\",\"type_env\":[1]}", RF_E_FORMAT, "is no object");
    refused("{\"expr\":\"1\",\"type_env\":[{\"type\":\"int\"}]}", RF_E_FORMAT, "has no name");
    refused("{\"expr\":\"1\",\"type_env\":[{\"name\":\"f\",\"overloads\":[{\"params\":[1]}]}]}", RF_E_FORMAT,
            "a parameter");
    refused("{\"expr\":\"1\",\"bindings\":[]}", RF_E_FORMAT, "a set of bindings is no object");
    refused("{\"expr\":\"1\",\"bindings\":{\"x\":1}}", RF_E_FORMAT, "binding 'x': a value is");
    refused("{\"expr\":\"1\",\"rows\":{}}", RF_E_FORMAT, "\"rows\" is no list");
    refused("{\"expr\":\"1\",\"rows\":[1]}", RF_E_FORMAT, "a set of bindings is no object");
}

/* A line with that many variables, or that many rows of two. */
static char *line_of(struct rf_text *text, int names, int rows)
{
    rf_text_clear(text);
    fixture_ok(rf_text_append(text, RF_STR("{\"expr\":\"1\",\"bindings\":{"), &err));
    for (int i = 0; i < names; i++) {
        fixture_ok(rf_text_printf(text, &err, "%s\"n%d\":{\"null\":null}", i > 0 ? "," : "", i));
    }
    fixture_ok(rf_text_append(text, RF_STR("}"), &err));
    for (int i = 0; i < rows; i++) {
        fixture_ok(rf_text_append(text, i > 0 ? RF_STR(",{}") : RF_STR(",\"rows\":[{}"), &err));
    }
    fixture_ok(rf_text_append(text, rows > 0 ? RF_STR("]}") : RF_STR("}"), &err));
    fixture_ok(rf_text_append_char(text, '\0', &err));
    return text->data;
}

static void test_bounds(void **state)
{
    (void)state;
    struct rf_text text = {0};
    reads(line_of(&text, RF_SUITE_NAMES_MAX, 0));
    assert_int_equal(input.env.declarations, RF_SUITE_NAMES_MAX);
    refused(line_of(&text, RF_SUITE_NAMES_MAX + 1, 0), RF_E_LIMIT, "variables");
    reads(line_of(&text, 2, RF_SUITE_CELLS_MAX / 2));
    assert_int_equal(input.rows, RF_SUITE_CELLS_MAX / 2);
    refused(line_of(&text, 2, RF_SUITE_CELLS_MAX / 2 + 1), RF_E_LIMIT, "rows");
    refused(line_of(&text, 0, RF_SUITE_CELLS_MAX + 1), RF_E_LIMIT, "rows");
    rf_text_free(&text);
    rf_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_least), cmocka_unit_test(test_all_members), cmocka_unit_test(test_numbers_of_lines),
        cmocka_unit_test(test_rows),  cmocka_unit_test(test_refused),     cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
