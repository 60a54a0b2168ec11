#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "chars_edit.h"

static const struct rf_str nothing = {NULL, 0};

enum { OUT_MAX = 256, UNTOUCHED = '#' };

static uint32_t random_state = 1;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(random_state >> 4) * limit) >> 28);
}

typedef size_t edit_function(struct rf_str text, char *out, size_t out_max);

/* The result with room for one byte less, just enough and one byte more: less leaves out untouched, more leaves the
 * byte behind it untouched. out is a heap block of just the room. */
static void assert_edit(edit_function *edit, struct rf_str text, struct rf_str expected)
{
    assert_int_equal(edit(text, NULL, 0), expected.count);
    for (size_t room = expected.count == 0 ? 0 : expected.count - 1; room <= expected.count + 1; room++) {
        char *const out = malloc(room + 1);
        assert_non_null(out);
        memset(out, UNTOUCHED, room + 1);
        assert_int_equal(edit(text, out + 1, room), expected.count); /* the block ends with the room */
        assert_int_equal(out[0], UNTOUCHED);
        if (room < expected.count) {
            for (size_t i = 0; i < room; i++) {
                assert_int_equal(out[1 + i], UNTOUCHED);
            }
        } else {
            if (!rf_str_equal((struct rf_str){out + 1, expected.count}, expected)) {
                fail_msg("\"%.*s\" is not \"%.*s\"", (int)expected.count, out + 1, RF_STR_ARG(expected));
            }
            assert_true(room == expected.count || out[room] == UNTOUCHED);
        }
        free(out);
    }
}

static void assert_edits(edit_function *edit, const char *text, const char *expected)
{
    assert_edit(edit, rf_str_of(text), rf_str_of(expected));
}

static void test_rf_chars_lower_ascii(void **state)
{
    (void)state;
    assert_edits(rf_chars_lower_ascii, "TacoCat", "tacocat");
    assert_edits(rf_chars_lower_ascii, "TacoCÆt Xii", "tacocÆt xii");
    assert_edits(rf_chars_lower_ascii, "@AZ[`az{", "@az[`az{");
    assert_edit(rf_chars_lower_ascii, nothing, nothing);
    for (unsigned c = 0; c < 256; c++) {
        const char from = (char)c;
        const char to = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
        assert_edit(rf_chars_lower_ascii, (struct rf_str){&from, 1}, (struct rf_str){&to, 1});
    }
}

static void test_rf_chars_upper_ascii(void **state)
{
    (void)state;
    assert_edits(rf_chars_upper_ascii, "tacoCat", "TACOCAT");
    assert_edits(rf_chars_upper_ascii, "tacoCαt Xii", "TACOCαT XII");
    assert_edits(rf_chars_upper_ascii, "@AZ[`az{", "@AZ[`AZ{");
    assert_edit(rf_chars_upper_ascii, nothing, nothing);
    for (unsigned c = 0; c < 256; c++) {
        const char from = (char)c;
        const char to = (char)(c >= 'a' && c <= 'z' ? c - 32 : c);
        assert_edit(rf_chars_upper_ascii, (struct rf_str){&from, 1}, (struct rf_str){&to, 1});
    }
}

static void test_rf_chars_reverse(void **state)
{
    (void)state;
    assert_edits(rf_chars_reverse, "gums", "smug");
    assert_edits(rf_chars_reverse, "a©€😀", "😀€©a");
    assert_edits(rf_chars_reverse, "John Smith", "htimS nhoJ");
    assert_edits(rf_chars_reverse, "α", "α");
    assert_edit(rf_chars_reverse, nothing, nothing);
    assert_edit(rf_chars_reverse, RF_STR("a\0b"), RF_STR("b\0a"));
    /* No UTF-8: all bytes are still there. */
    assert_edit(rf_chars_reverse, RF_STR("\x80\x80z\xff\xc2"), RF_STR("\xc2\xffz\x80\x80"));
}

static void test_rf_chars_quote(void **state)
{
    (void)state;
    assert_edits(rf_chars_quote, "", "\"\"");
    assert_edit(rf_chars_quote, nothing, RF_STR("\"\""));
    assert_edits(rf_chars_quote, "first\nsecond", "\"first\\nsecond\"");
    assert_edits(rf_chars_quote, "bell\a", "\"bell\\a\"");
    assert_edits(rf_chars_quote, "\bbackspace", "\"\\bbackspace\"");
    assert_edits(rf_chars_quote, "\fform feed", "\"\\fform feed\"");
    assert_edits(rf_chars_quote, "carriage \r return", "\"carriage \\r return\"");
    assert_edits(rf_chars_quote, "horizontal tab\t", "\"horizontal tab\\t\"");
    assert_edits(rf_chars_quote, "vertical \v tab", "\"vertical \\v tab\"");
    assert_edits(rf_chars_quote, "double \\\\ slash", "\"double \\\\\\\\ slash\"");
    assert_edits(rf_chars_quote, "two escape sequences \\a\\n", "\"two escape sequences \\\\a\\\\n\"");
    assert_edits(rf_chars_quote, "ends with \\", "\"ends with \\\\\"");
    assert_edits(rf_chars_quote, "printable unicode😀", "\"printable unicode😀\"");
    assert_edits(rf_chars_quote, "mid string \" quote", "\"mid string \\\" quote\"");
    assert_edits(rf_chars_quote, "size('πέντε')", "\"size('πέντε')\"");
    assert_edit(rf_chars_quote, RF_STR("\0\x06\x0e\x1f\x7f"), RF_STR("\"\0\x06\x0e\x1f\x7f\""));
}

/* --- replace --- */

static struct rf_str replace_from, replace_to;
static int64_t replace_limit;

static size_t replace_edit(struct rf_str text, char *out, size_t out_max)
{
    return rf_chars_replace(text, replace_from, replace_to, replace_limit, out, out_max);
}

static void assert_replaced(struct rf_str text, struct rf_str from, struct rf_str to, int64_t limit,
                            struct rf_str expected)
{
    replace_from = from;
    replace_to = to;
    replace_limit = limit;
    assert_edit(replace_edit, text, expected);
}

static void test_rf_chars_replace(void **state)
{
    static const struct {
        const char *text, *from, *to;
        int64_t limit;
        const char *expected;
    } rows[] = {
        {"12 days 12 hours", "{0}", "2", -1, "12 days 12 hours"},
        {"{0} days {0} hours", "{0}", "2", -1, "2 days 2 hours"},
        {"{0} days {0} hours", "{0}", "2", 1, "2 days {0} hours"},
        {"1 ©αT taco", "αT", "o©α", -1, "1 ©o©α taco"},
        {"aaaa", "aa", "a", -1, "aa"},
        {"aaaaa", "aa", "b", -1, "bba"},
        {"aaaa", "a", "bb", 0, "aaaa"},
        {"aaaa", "a", "bb", 2, "bbbbaa"},
        {"aaaa", "a", "", 3, "a"},
        {"aaaa", "a", "", -1, ""},
        {"aaaa", "a", "bb", INT64_MAX, "bbbbbbbb"},
        {"aaaa", "a", "bb", INT64_MIN, "bbbbbbbb"},
        {"abc", "abc", "", -1, ""},
        {"", "a", "b", -1, ""},
        {"", "", "b", -1, "b"},
        {"", "", "b", 0, ""},
        {"", "", "", -1, ""},
        {"banana", "", "<>", -1, "<>b<>a<>n<>a<>n<>a<>"},
        {"a©α", "", "-", -1, "-a-©-α-"},
        {"a©α", "", "-", 0, "a©α"},
        {"a©α", "", "-", 1, "-a©α"},
        {"a©α", "", "-", 2, "-a-©α"},
        {"a©α", "", "-", 3, "-a-©-α"},
        {"a©α", "", "-", 4, "-a-©-α-"},
        {"a©α", "", "-", 5, "-a-©-α-"},
    };
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        assert_replaced(rf_str_of(rows[r].text), rf_str_of(rows[r].from), rf_str_of(rows[r].to), rows[r].limit,
                        rf_str_of(rows[r].expected));
    }
    assert_replaced(nothing, nothing, nothing, -1, nothing);
    assert_replaced(nothing, RF_STR("a"), nothing, -1, nothing);
    assert_replaced(RF_STR("a\0b"), RF_STR("\0"), nothing, -1, RF_STR("ab"));
}

/* Byte by byte, the obvious way. */
static size_t replace_slowly(struct rf_str text, struct rf_str from, struct rf_str to, int64_t limit, char *out)
{
    size_t count = 0;
    size_t at = 0;
    while (at <= text.count) {
        const bool is_boundary = at == text.count || ((unsigned char)text.data[at] & 0xC0) != 0x80;
        const bool is_place = from.count == 0
                                  ? is_boundary
                                  : text.count - at >= from.count && memcmp(text.data + at, from.data, from.count) == 0;
        if (is_place && limit != 0) {
            limit--;
            memcpy(out + count, to.data, to.count);
            count += to.count;
            at += from.count;
            if (from.count != 0) {
                continue;
            }
        }
        if (at < text.count) {
            out[count++] = text.data[at];
        }
        at++;
    }
    return count;
}

static struct rf_str random_text(char *out, uint32_t chars_max, uint32_t kinds)
{
    static const char *const kind[] = {"a", "b", "\xc2\xa9", "\xe2\x82\xac"};
    size_t count = 0;
    for (uint32_t left = random_below(chars_max + 1); left > 0; left--) {
        const char *const c = kind[random_below(kinds)];
        memcpy(out + count, c, strlen(c));
        count += strlen(c);
    }
    return (struct rf_str){out, count};
}

static void test_replace_in_random_texts(void **state)
{
    (void)state;
    for (int round = 0; round < 30000; round++) {
        char text[36], from[9], to[12], expected[OUT_MAX * 2];
        const uint32_t kinds = 1 + random_below(4);
        const struct rf_str text_str = random_text(text, 12, kinds);
        const struct rf_str from_str = random_text(from, 3, kinds);
        const struct rf_str to_str = random_text(to, 4, 3);
        const int64_t limit = (int64_t)random_below(8) - 2;
        const size_t count = replace_slowly(text_str, from_str, to_str, limit, expected);
        assert_replaced(text_str, from_str, to_str, limit, (struct rf_str){expected, count});
    }
}

/* A size beyond what 64 bits hold: `to` is never read, so it need not be there. */
static void test_replace_saturates(void **state)
{
    char out[1];
    const struct rf_str huge = {out, SIZE_MAX / 2};
    (void)state;
    assert_true(rf_chars_replace(RF_STR("aa"), RF_STR("a"), huge, -1, out, sizeof out) == SIZE_MAX - 1);
    assert_true(rf_chars_replace(RF_STR("aab"), RF_STR("a"), huge, -1, out, sizeof out) == SIZE_MAX);
    assert_true(rf_chars_replace(RF_STR("aabb"), RF_STR("a"), huge, -1, out, sizeof out) == SIZE_MAX);
    assert_true(rf_chars_replace(RF_STR("aaaa"), RF_STR("a"), huge, -1, out, sizeof out) == SIZE_MAX);
    assert_true(rf_chars_replace(RF_STR("aaa"), nothing, huge, -1, out, sizeof out) == SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_chars_lower_ascii), cmocka_unit_test(test_rf_chars_upper_ascii),
        cmocka_unit_test(test_rf_chars_reverse),     cmocka_unit_test(test_rf_chars_quote),
        cmocka_unit_test(test_rf_chars_replace),     cmocka_unit_test(test_replace_in_random_texts),
        cmocka_unit_test(test_replace_saturates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
