#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cut.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t *bytes_of(const char *text)
{
    return (const uint8_t *)text;
}

static size_t oversize(const char *text, size_t record_bytes_max)
{
    return rf_cut_oversize(bytes_of(text), strlen(text), record_bytes_max);
}

static void test_rf_cut_bom(void **state)
{
    (void)state;
    assert_int_equal(rf_cut_bom(bytes_of("\xef\xbb\xbf{"), 4), RF_BOM_UTF8);
    assert_int_equal(rf_cut_bom(bytes_of("\xef\xbb\xbf"), 3), RF_BOM_UTF8);
    assert_int_equal(rf_cut_bom(bytes_of("\xef\xbb"), 2), RF_BOM_SHORT);
    assert_int_equal(rf_cut_bom(bytes_of("\xef"), 1), RF_BOM_SHORT);
    assert_int_equal(rf_cut_bom(bytes_of(""), 0), RF_BOM_SHORT);
    assert_int_equal(rf_cut_bom(bytes_of("\xef\xbb\n"), 3), RF_BOM_NONE);
    assert_int_equal(rf_cut_bom(bytes_of("\xff\xfe{"), 3), RF_BOM_UTF16);
    assert_int_equal(rf_cut_bom(bytes_of("\xfe\xff"), 2), RF_BOM_UTF16);
    assert_int_equal(rf_cut_bom(bytes_of("\xff"), 1), RF_BOM_SHORT);
    assert_int_equal(rf_cut_bom(bytes_of("\xfe\xfe"), 2), RF_BOM_NONE);
    assert_int_equal(rf_cut_bom(bytes_of("{\"a\""), 4), RF_BOM_NONE);
}

static void test_rf_cut_last(void **state)
{
    (void)state;
    assert_int_equal(rf_cut_last(bytes_of(""), 0), 0);
    assert_int_equal(rf_cut_last(bytes_of("abc"), 3), 0);
    assert_int_equal(rf_cut_last(bytes_of("\nbc"), 3), 1);
    assert_int_equal(rf_cut_last(bytes_of("a\nb\nc"), 5), 4);
    assert_int_equal(rf_cut_last(bytes_of("a\n"), 2), 2);
}

static void test_rf_cut_content(void **state)
{
    (void)state;
    assert_int_equal(rf_cut_content(bytes_of("\n"), 1), 0);
    assert_int_equal(rf_cut_content(bytes_of("\r\n"), 2), 0);
    assert_int_equal(rf_cut_content(bytes_of("a\n"), 2), 1);
    assert_int_equal(rf_cut_content(bytes_of("a\r\n"), 3), 1);
    assert_int_equal(rf_cut_content(bytes_of("a\r\r\n"), 4), 2);
}

static void test_rf_cut_oversize(void **state)
{
    (void)state;
    assert_int_equal(oversize("", 4), 0);
    assert_int_equal(oversize("abc\n", 4), 4);
    assert_int_equal(oversize("abcd\n", 4), 5);
    assert_int_equal(oversize("abcde\n", 4), 0);
    assert_int_equal(oversize("abcd\r\n", 4), 6);
    assert_int_equal(oversize("abcde\r\n", 4), 0);
    assert_int_equal(oversize("abc\r\r\n", 4), 6);
    assert_int_equal(oversize("abcd\r\r\n", 4), 0);
    /* Without a line end a CR is content. */
    assert_int_equal(oversize("abcd", 4), 4);
    assert_int_equal(oversize("abcde", 4), 0);
    assert_int_equal(oversize("abc\r", 4), 4);
    assert_int_equal(oversize("abcd\r", 4), 0);
    assert_int_equal(oversize("a\nb\nabcd\nabcde\nc\n", 4), 9);
    assert_int_equal(oversize("\n\n\n\n\n\n\n\n", 4), 8);
    assert_int_equal(oversize("\n\n\nabcde", 4), 3);
}

/* All strings over {x, CR, LF} up to 9 bytes, all small limits, against a walk byte by byte. */
static void test_rf_cut_oversize_exhaustively(void **state)
{
    (void)state;
    enum { LONGEST = 9 };
    static const uint8_t letters[3] = {'x', '\r', '\n'};
    unsigned strings = 1;
    for (size_t count = 1; count <= LONGEST; count++) {
        strings *= 3;
        for (unsigned which = 0; which < strings; which++) {
            uint8_t bytes[LONGEST];
            unsigned left = which;
            for (size_t i = 0; i < count; i++, left /= 3) {
                bytes[i] = letters[left % 3];
            }
            for (size_t limit = 1; limit <= 4; limit++) {
                size_t expected = count;
                size_t begin = 0;
                for (size_t at = 0; at < count && expected == count; at++) {
                    const int is_line = bytes[at] == '\n';
                    if (!is_line && at + 1 < count) {
                        continue;
                    }
                    size_t content = at - begin + (is_line ? 0 : 1);
                    if (is_line && content > 0 && bytes[at - 1] == '\r') {
                        content--;
                    }
                    if (content > limit) {
                        expected = begin;
                    }
                    begin = at + 1;
                }
                assert_int_equal(rf_cut_oversize(bytes, count, limit), expected);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_cut_bom),
        cmocka_unit_test(test_rf_cut_last),
        cmocka_unit_test(test_rf_cut_content),
        cmocka_unit_test(test_rf_cut_oversize),
        cmocka_unit_test(test_rf_cut_oversize_exhaustively),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
