#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "caret.h"

static void place_is(const char *source, uint32_t begin, uint32_t line, uint32_t column)
{
    uint32_t found_line;
    uint32_t found_column;
    rf_caret_place(rf_str_of(source), begin, &found_line, &found_column);
    assert_int_equal(found_line, line);
    assert_int_equal(found_column, column);
}

static void test_rf_caret_place(void **state)
{
    (void)state;
    place_is("", 0, 1, 1);
    place_is("abc", 2, 1, 3);
    place_is("abc", 9, 1, 4);
    place_is("a\nbc", 2, 2, 1);
    place_is("\xC3\xA9x", 2, 1, 2);
}

static void shows(const char *source, uint32_t begin, uint32_t end, const char *wanted)
{
    struct rf_text out = {0};
    struct rf_error err;
    assert_int_equal(rf_caret_append(&out, rf_str_of(source), begin, end, &err), RF_OK);
    assert_int_equal(rf_text_append_char(&out, '\0', &err), RF_OK);
    assert_string_equal(out.data, wanted);
    rf_text_free(&out);
}

static void test_rf_caret_append(void **state)
{
    (void)state;
    shows("one two\nthree", 4, 7, "  | one two\n  |     ^^^\n");
    shows("one two\nthree", 8, 8, "  | three\n  | ^\n");
    shows("one", 3, 9, "  | one\n  |    ^\n");
    shows("a\tb\x01" "c", 4, 5, "  | a\tb c\n  |  \t  ^\n");
    shows("\xC3\xA9 x", 3, 4, "  | \xC3\xA9 x\n  |   ^\n");
    shows("\xFF x", 2, 3, "  | ? x\n  |   ^\n");
    /* Of what goes on in the next line the first line is marked. */
    shows("ab\ncd", 1, 5, "  | ab\n  |  ^\n");
}

static void test_rf_caret_clean(void **state)
{
    char text[8];
    (void)state;
    (void)strcpy(text, "a\nb");
    rf_caret_clean(text, sizeof text, 3);
    assert_string_equal(text, "a b");
    /* Cut in the middle of a letter of two bytes. */
    (void)strcpy(text, "123456\xC3");
    rf_caret_clean(text, sizeof text, 20);
    assert_string_equal(text, "123456");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_caret_place),
        cmocka_unit_test(test_rf_caret_append),
        cmocka_unit_test(test_rf_caret_clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
