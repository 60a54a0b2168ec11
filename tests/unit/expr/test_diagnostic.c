#include "expr_fixture.h"

static const char *printed(struct rf_str source, uint32_t begin, uint32_t end, const char *text)
{
    static char shown[1024];
    struct rf_diagnostic diagnostic;
    struct rf_error err = {0};
    struct rf_text out = {0};
    assert_int_equal(rf_diagnostic_fail(&diagnostic, source, begin, end, &err, "%s", text), RF_E_EXPR);
    fixture_ok(rf_diagnostic_print(&diagnostic, source, &out, &err), &err);
    assert_true(out.count < sizeof shown);
    memcpy(shown, out.data, out.count);
    shown[out.count] = '\0';
    rf_text_free(&out);
    return shown;
}

static void test_rf_diagnostic_fail(void **state)
{
    struct rf_diagnostic diagnostic;
    struct rf_error err = {0};
    (void)state;
    const struct rf_str source = RF_STR("a ==\n  \xc3\xa9 == x");
    assert_int_equal(rf_diagnostic_fail(&diagnostic, source, 13, 14, &err, "no %s", "x"), RF_E_EXPR);
    assert_int_equal(diagnostic.line, 2);
    assert_int_equal(diagnostic.column, 8);
    assert_string_equal(diagnostic.text, "no x");
    assert_int_equal(err.status, RF_E_EXPR);
    assert_string_equal(err.text, "2:8: no x");
    /* A span behind the source is drawn to its end. */
    rf_diagnostic_fail(&diagnostic, RF_STR("ab"), 7, 3, &err, "x");
    assert_int_equal(diagnostic.begin, 2);
    assert_int_equal(diagnostic.end, 2);
}

static void test_rf_diagnostic_place(void **state)
{
    struct rf_diagnostic diagnostic;
    (void)state;
    rf_diagnostic_place(&diagnostic, RF_STR("a ==\n  \xc3\xa9 == x"), 13, 14);
    assert_int_equal(diagnostic.line, 2);
    assert_int_equal(diagnostic.column, 8);
    assert_int_equal(diagnostic.begin, 13);
    assert_int_equal(diagnostic.end, 14);
    assert_string_equal(diagnostic.text, "");
}

static void assert_cut(const char *source, size_t room, const char *wanted)
{
    char out[16];
    memset(out, 'x', sizeof out);
    rf_diagnostic_cut(rf_str_of(source), out, room);
    assert_string_equal(out, wanted);
    for (size_t i = room; i < sizeof out; i++) {
        assert_int_equal(out[i], 'x');
    }
}

static void test_rf_diagnostic_cut(void **state)
{
    (void)state;
    assert_cut("", 8, "");
    assert_cut("a \t\r\n  b", 8, "a b");
    assert_cut("a\x1b[2J", 8, "a?[2J");
    assert_cut("1234567", 8, "1234567");
    assert_cut("12345678", 8, "1234...");
    assert_cut("1234567  ", 8, "1234...");
    assert_cut("12\xf0\x9f\x98\x80"
               "7",
               8,
               "12\xf0\x9f\x98\x80"
               "7");
    assert_cut("12\xf0\x9f\x98\x80"
               "78",
               8, "12...");
    assert_cut("\xf0\x9f\x98\x80"
               "5678",
               8, "\xf0\x9f\x98\x80...");
    assert_cut("123456 789012345", 16, "123456 78901...");
    assert_cut("123456 78901234", 16, "123456 78901234");
}

static void test_text_is_cut(void **state)
{
    struct rf_diagnostic diagnostic;
    struct rf_error err = {0};
    char text[601];
    (void)state;
    for (size_t lead = 0; lead < 3; lead++) {
        memset(text, 'a', sizeof text);
        for (size_t i = lead; i + 1 < sizeof text; i += 2) {
            memcpy(text + i, "\xc3\xa9", 2);
        }
        text[600] = '\0';
        rf_diagnostic_fail(&diagnostic, RF_STR("x"), 0, 1, &err, "%s", text);
        const size_t count = strlen(diagnostic.text);
        assert_true(count >= 250 && count < sizeof diagnostic.text);
        assert_int_equal((count - lead) % 2, 0);
    }
    rf_diagnostic_fail(&diagnostic, RF_STR("x"), 0, 1, &err, "a\nb\x1b[31m");
    assert_string_equal(diagnostic.text, "a b [31m");
}

static void test_rf_diagnostic_print(void **state)
{
    (void)state;
    assert_string_equal(printed(RF_STR("symbol.startswith(\"M\")"), 7, 17, "undeclared"),
                        "error: undeclared\n --> 1:8\n  | symbol.startswith(\"M\")\n  |        ^^^^^^^^^^\n");
    assert_string_equal(printed(RF_STR("a >"), 3, 3, "end"), "error: end\n --> 1:4\n  | a >\n  |    ^\n");
    assert_string_equal(printed(RF_STR(""), 0, 0, "empty"), "error: empty\n --> 1:1\n  | \n  | ^\n");
    assert_string_equal(printed(RF_STR("a\n\tb = c\nd"), 5, 6, "x"), "error: x\n --> 2:4\n  | \tb = c\n  | \t  ^\n");
    assert_string_equal(printed(RF_STR("'\xc3\xa9\xc3\xa9' = c"), 7, 8, "x"),
                        "error: x\n --> 1:6\n  | '\xc3\xa9\xc3\xa9' = c\n  |      ^\n");
    assert_string_equal(printed(RF_STR("a\x1b"
                                       "b"),
                                1, 2, "x"),
                        "error: x\n --> 1:2\n  | a b\n  |  ^\n");
    /* A span over several lines ends with its first one. */
    assert_string_equal(printed(RF_STR("a(\nb)"), 0, 5, "x"), "error: x\n --> 1:1\n  | a(\n  | ^^\n");
}

static void test_long_line(void **state)
{
    char source[1000];
    (void)state;
    memset(source, 'x', sizeof source);
    source[500] = '=';
    const char *shown = printed((struct rf_str){source, sizeof source}, 500, 501, "long");
    const char *line = strstr(shown, "  | ...");
    assert_non_null(line);
    const char *mark = strchr(line, '=');
    const char *caret_line = strchr(line + 1, '\n') + 1;
    assert_non_null(mark);
    assert_int_equal(mark - line, strchr(caret_line, '^') - caret_line);
    assert_true(strlen(shown) < 400);
}

static void test_not_utf8(void **state)
{
    (void)state;
    const char *shown = printed(RF_STR("a == \x9b\xff"), 5, 6, "bytes");
    for (const char *c = shown; *c != '\0'; c++) {
        assert_true((unsigned char)*c < 0x80);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_diagnostic_fail), cmocka_unit_test(test_rf_diagnostic_place),
        cmocka_unit_test(test_rf_diagnostic_cut),

        cmocka_unit_test(test_text_is_cut),        cmocka_unit_test(test_rf_diagnostic_print),
        cmocka_unit_test(test_long_line),          cmocka_unit_test(test_not_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
