/* operate.h, rf_operate_text: the functions of strings, their errors, and where their results live. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "family_fixture.h"
#include "regex.h"

/* A list literal, and a call of the function with all its operands. */
#define LIST(...) list_of((const struct rf_value[]){__VA_ARGS__}, COUNT_OF(struct rf_value, __VA_ARGS__))
#define APPLY(function, ...)                                                                                           \
    rf_operate_text((function), (const struct rf_value[]){__VA_ARGS__}, COUNT_OF(struct rf_value, __VA_ARGS__), &arena)
#define COUNT_OF(type, ...) (sizeof((type[]){__VA_ARGS__}) / sizeof(type))

static void expect_list(struct rf_value value, const char *const *text, size_t count)
{
    assert_int_equal(value.type, RF_TYPE_LIST);
    assert_int_equal(value.list->count, count);
    for (size_t i = 0; i < count; i++) {
        expect_str(value.list->item[i], text[i]);
    }
}

#define EXPECT_LIST(value, ...)                                                                                        \
    expect_list((value), (const char *const[]){__VA_ARGS__}, COUNT_OF(const char *, __VA_ARGS__))

static void test_char_at(void **state)
{
    (void)state;
    expect_str(APPLY(RF_FN_CHAR_AT, str("tacocat"), rf_value_int(3)), "o");
    expect_str(APPLY(RF_FN_CHAR_AT, str("tacocat"), rf_value_int(7)), "");
    expect_str(APPLY(RF_FN_CHAR_AT, str(""), rf_value_int(0)), "");
    expect_str(APPLY(RF_FN_CHAR_AT, str("\xc2\xa9\xce\xb1T"), rf_value_int(0)), "\xc2\xa9");
    expect_str(APPLY(RF_FN_CHAR_AT, str("\xc2\xa9\xce\xb1T"), rf_value_int(2)), "T");
    expect_str(APPLY(RF_FN_CHAR_AT, str("x\xf0\x9f\x98\x80y"), rf_value_int(1)), "\xf0\x9f\x98\x80");
    expect_error(APPLY(RF_FN_CHAR_AT, str("tacocat"), rf_value_int(8)), "index out of range: 8, in a text of 7");
    expect_error(APPLY(RF_FN_CHAR_AT, str("\xc2\xa9"), rf_value_int(2)), "index out of range: 2, in a text of 1");
    expect_error(APPLY(RF_FN_CHAR_AT, str("tacocat"), rf_value_int(-1)), "index out of range: -1");
    expect_error(APPLY(RF_FN_CHAR_AT, str("x"), rf_value_int(INT64_MIN)), "index out of range: -9223372036854775808");
    expect_error(APPLY(RF_FN_CHAR_AT, str("x"), rf_value_int(INT64_MAX)), "index out of range: 9223372036854775807");
}

static void test_index_of(void **state)
{
    (void)state;
    expect_int(APPLY(RF_FN_INDEX_OF, str("tacocat"), str("ac")), 1);
    expect_int(APPLY(RF_FN_INDEX_OF, str("tacocat"), str("")), 0);
    expect_int(APPLY(RF_FN_INDEX_OF, str("tacocat"), str("none")), -1);
    expect_int(APPLY(RF_FN_INDEX_OF, str(""), str("a")), -1);
    expect_int(APPLY(RF_FN_INDEX_OF, str(""), str("")), 0);
    expect_int(APPLY(RF_FN_INDEX_OF, str("tacocat"), str("tacocats")), -1);
    expect_int(APPLY(RF_FN_INDEX_OF, str("tacocat"), str("a"), rf_value_int(3)), 5);
    expect_int(APPLY(RF_FN_INDEX_OF, str("tacocat"), str("a"), rf_value_int(5)), 5);
    expect_int(APPLY(RF_FN_INDEX_OF, str("tacocat"), str("a"), rf_value_int(6)), -1);
    expect_int(APPLY(RF_FN_INDEX_OF, str("tacocat"), str(""), rf_value_int(3)), 3);
    expect_int(APPLY(RF_FN_INDEX_OF, str("tacocat"), str(""), rf_value_int(7)), 7);
    expect_int(APPLY(RF_FN_INDEX_OF, str("tacocat"), str("a"), rf_value_int(7)), -1);
    expect_int(APPLY(RF_FN_INDEX_OF, str("ta\xc2\xa9o\xc2\xa9\xce\xb1T"), str("\xc2\xa9"), rf_value_int(3)), 4);
    expect_int(APPLY(RF_FN_INDEX_OF, str("ta\xc2\xa9o\xc2\xa9\xce\xb1T"), str("\xc2\xa9\xce\xb1T"), rf_value_int(3)),
               4);
    expect_int(APPLY(RF_FN_INDEX_OF, str("ta\xc2\xa9o\xc2\xa9\xce\xb1T"), str("\xc2\xa9\xce\xb1"), rf_value_int(5)),
               -1);
    expect_error(APPLY(RF_FN_INDEX_OF, str("tacocat"), str("a"), rf_value_int(8)), "index out of range: 8");
    expect_error(APPLY(RF_FN_INDEX_OF, str("tacocat"), str("a"), rf_value_int(30)), "index out of range: 30");
    expect_error(APPLY(RF_FN_INDEX_OF, str("tacocat"), str("a"), rf_value_int(-1)), "index out of range: -1");
    expect_error(APPLY(RF_FN_INDEX_OF, str("tacocat"), str(""), rf_value_int(8)), "index out of range: 8");
}

static void test_last_index_of(void **state)
{
    (void)state;
    expect_int(APPLY(RF_FN_LAST_INDEX_OF, str("tacocat"), str("at")), 5);
    expect_int(APPLY(RF_FN_LAST_INDEX_OF, str("tacocat"), str("")), 7);
    expect_int(APPLY(RF_FN_LAST_INDEX_OF, str("\xc2\xa9\xce\xb1T"), str("")), 3);
    expect_int(APPLY(RF_FN_LAST_INDEX_OF, str("tacocat"), str("none")), -1);
    expect_int(APPLY(RF_FN_LAST_INDEX_OF, str(""), str("@@")), -1);
    expect_int(APPLY(RF_FN_LAST_INDEX_OF, str("tacocat"), str("a"), rf_value_int(3)), 1);
    expect_int(APPLY(RF_FN_LAST_INDEX_OF, str("tacocat"), str("a"), rf_value_int(0)), -1);
    expect_int(APPLY(RF_FN_LAST_INDEX_OF, str("tacocat"), str("at"), rf_value_int(7)), 5); /* the end is a place */
    expect_int(APPLY(RF_FN_LAST_INDEX_OF, str("tacocat"), str(""), rf_value_int(7)), 7);
    expect_error(APPLY(RF_FN_LAST_INDEX_OF, str("tacocat"), str(""), rf_value_int(8)), "index out of range: 8");
    expect_int(APPLY(RF_FN_LAST_INDEX_OF, str("tacocat"), str(""), rf_value_int(3)), 3);
    expect_int(APPLY(RF_FN_LAST_INDEX_OF, str("bananananana"), str("nana"), rf_value_int(7)), 6);
    expect_int(APPLY(RF_FN_LAST_INDEX_OF, str("ta\xc2\xa9o\xc2\xa9\xce\xb1T"), str("\xc2\xa9")), 4);
    expect_int(APPLY(RF_FN_LAST_INDEX_OF, str("ta\xc2\xa9o\xc2\xa9\xce\xb1T"), str("\xc2\xa9"), rf_value_int(3)), 2);
    expect_int(
        APPLY(RF_FN_LAST_INDEX_OF, str("ta\xc2\xa9o\xc2\xa9\xce\xb1T"), str("\xc2\xa9\xce\xb1"), rf_value_int(4)), 4);
    expect_error(APPLY(RF_FN_LAST_INDEX_OF, str("tacocat"), str("a"), rf_value_int(-1)), "index out of range: -1");
    expect_error(APPLY(RF_FN_LAST_INDEX_OF, str("tacocat"), str("a"), rf_value_int(30)), "index out of range: 30");
}

static void test_substring(void **state)
{
    (void)state;
    expect_str(APPLY(RF_FN_SUBSTRING, str("tacocat"), rf_value_int(4)), "cat");
    expect_str(APPLY(RF_FN_SUBSTRING, str("tacocat"), rf_value_int(7)), "");
    expect_str(APPLY(RF_FN_SUBSTRING, str("tacocat"), rf_value_int(0), rf_value_int(4)), "taco");
    expect_str(APPLY(RF_FN_SUBSTRING, str("tacocat"), rf_value_int(4), rf_value_int(4)), "");
    expect_str(APPLY(RF_FN_SUBSTRING, str("tacocat"), rf_value_int(0), rf_value_int(7)), "tacocat");
    expect_str(APPLY(RF_FN_SUBSTRING, str("ta\xc2\xa9o\xc2\xa9\xce\xb1T"), rf_value_int(2), rf_value_int(6)),
               "\xc2\xa9o\xc2\xa9\xce\xb1");
    expect_str(APPLY(RF_FN_SUBSTRING, str("ta\xc2\xa9o\xc2\xa9\xce\xb1T"), rf_value_int(5)), "\xce\xb1T");
    expect_error(APPLY(RF_FN_SUBSTRING, str("tacocat"), rf_value_int(8)), "index out of range: 8");
    expect_error(APPLY(RF_FN_SUBSTRING, str("tacocat"), rf_value_int(-1)), "index out of range: -1");
    expect_error(APPLY(RF_FN_SUBSTRING, str("tacocat"), rf_value_int(1), rf_value_int(8)), "index out of range: 8");
    expect_error(APPLY(RF_FN_SUBSTRING, str("tacocat"), rf_value_int(-2), rf_value_int(9)), "index out of range: -2");
    expect_error(APPLY(RF_FN_SUBSTRING, str("tacocat"), rf_value_int(49), rf_value_int(1)), "begin at 49 and end at 1");
    expect_error(APPLY(RF_FN_SUBSTRING, str("tacocat"), rf_value_int(0), rf_value_int(-1)), "begin at 0 and end at -1");
    /* Nothing is copied: a part is as long-lived as the text. */
    const struct rf_value text = str("tacocat");
    assert_ptr_equal(APPLY(RF_FN_SUBSTRING, text, rf_value_int(4)).text.data, text.text.data + 4);
}

static void test_trim(void **state)
{
    (void)state;
    expect_str(APPLY(RF_FN_TRIM, str(" \t\n\v\f\r x y \xc2\x85\xc2\xa0")), "x y");
    expect_str(APPLY(RF_FN_TRIM, str("\xe2\x80\x8atext\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaf\xe2\x81\x9f\xe3\x80\x80")),
               "text");
    expect_str(APPLY(RF_FN_TRIM, str("\xe1\xa0\x8etext\xe2\x80\x8b\xef\xbb\xbf")),
               "\xe1\xa0\x8etext\xe2\x80\x8b\xef\xbb\xbf");
    expect_str(APPLY(RF_FN_TRIM, str(" \t ")), "");
    expect_str(APPLY(RF_FN_TRIM, str("")), "");
}

static void test_case(void **state)
{
    (void)state;
    expect_str(APPLY(RF_FN_LOWER, str("TacoC\xc3\x86t Xii @[`{")), "tacoc\xc3\x86t xii @[`{");
    expect_str(APPLY(RF_FN_UPPER, str("TacoC\xc3\x86t\xc3\xa6 xii @[`{")), "TACOC\xc3\x86T\xc3\xa6 XII @[`{");
    expect_str(APPLY(RF_FN_LOWER, str("")), "");
    /* The operand stays as it was. */
    char text[] = "AbC";
    expect_str(APPLY(RF_FN_LOWER, rf_value_string((struct rf_str){text, 3})), "abc");
    expect_str(APPLY(RF_FN_UPPER, rf_value_string((struct rf_str){text, 3})), "ABC");
    assert_string_equal(text, "AbC");
}

static void test_reverse(void **state)
{
    (void)state;
    expect_str(APPLY(RF_FN_REVERSE, str("gums")), "smug");
    expect_str(APPLY(RF_FN_REVERSE, str("Ta\xc2\xa9oC\xce\xb1t")), "t\xce\xb1"
                                                                   "Co\xc2\xa9"
                                                                   "aT");
    expect_str(APPLY(RF_FN_REVERSE, str("\xe2\x98\xba\xf0\x9f\x98\x80")), "\xf0\x9f\x98\x80\xe2\x98\xba");
    expect_str(APPLY(RF_FN_REVERSE, str("")), "");
}

static void test_quote(void **state)
{
    (void)state;
    expect_str(APPLY(RF_FN_QUOTE, str("")), "\"\"");
    expect_str(APPLY(RF_FN_QUOTE, str("a\a\b\f\n\r\t\v\\\"'?")), "\"a\\a\\b\\f\\n\\r\\t\\v\\\\\\\"'?\"");
    expect_str(APPLY(RF_FN_QUOTE, str("\xd0\xb7\xf0\x9f\x98\x80")), "\"\xd0\xb7\xf0\x9f\x98\x80\"");
}

static void test_replace(void **state)
{
    (void)state;
    const struct rf_value days = str("{0} days {0} hours");
    expect_str(APPLY(RF_FN_REPLACE, days, str("{0}"), str("2")), "2 days 2 hours");
    expect_str(APPLY(RF_FN_REPLACE, days, str("{0}"), str("2"), rf_value_int(1)), "2 days {0} hours");
    expect_str(APPLY(RF_FN_REPLACE, days, str("{0}"), str("2"), rf_value_int(0)), "{0} days {0} hours");
    expect_str(APPLY(RF_FN_REPLACE, days, str("{0}"), str("2"), rf_value_int(-1)), "2 days 2 hours");
    expect_str(APPLY(RF_FN_REPLACE, days, str("{0}"), str("2"), rf_value_int(INT64_MAX)), "2 days 2 hours");
    expect_str(APPLY(RF_FN_REPLACE, days, str("{1}"), str("2")), "{0} days {0} hours");
    expect_str(APPLY(RF_FN_REPLACE, str("1 \xc2\xa9\xce\xb1T taco"), str("\xce\xb1T"), str("o\xc2\xa9\xce\xb1")),
               "1 \xc2\xa9o\xc2\xa9\xce\xb1 taco");
    expect_str(APPLY(RF_FN_REPLACE, str("aaa"), str("aa"), str("b")), "ba");
    expect_str(APPLY(RF_FN_REPLACE, str("a\xce\xb1"), str(""), str("-")), "-a-\xce\xb1-");
    expect_str(APPLY(RF_FN_REPLACE, str("abc"), str(""), str("-"), rf_value_int(2)), "-a-bc");
    expect_str(APPLY(RF_FN_REPLACE, str("abc"), str("abc"), str("")), "");
    expect_str(APPLY(RF_FN_REPLACE, str(""), str(""), str("x")), "x");
}

static void test_split(void **state)
{
    (void)state;
    EXPECT_LIST(APPLY(RF_FN_SPLIT, str("hello world"), str(" ")), "hello", "world");
    EXPECT_LIST(APPLY(RF_FN_SPLIT, str("a b c"), str(" "), rf_value_int(2)), "a", "b c");
    EXPECT_LIST(APPLY(RF_FN_SPLIT, str("a b c"), str(" "), rf_value_int(1)), "a b c");
    EXPECT_LIST(APPLY(RF_FN_SPLIT, str("a b c"), str(" "), rf_value_int(-1)), "a", "b", "c");
    EXPECT_LIST(APPLY(RF_FN_SPLIT, str("a b c"), str(" "), rf_value_int(4)), "a", "b", "c");
    EXPECT_LIST(APPLY(RF_FN_SPLIT, str("o\xc2\xa9o\xc2\xa9"), str("\xc2\xa9")), "o", "o", "");
    EXPECT_LIST(APPLY(RF_FN_SPLIT, str("h\xc3\xa9y"), str("")), "h", "\xc3\xa9", "y");
    EXPECT_LIST(APPLY(RF_FN_SPLIT, str("h\xc3\xa9y"), str(""), rf_value_int(2)), "h", "\xc3\xa9y");
    EXPECT_LIST(APPLY(RF_FN_SPLIT, str(""), str(",")), "");
    expect_list(APPLY(RF_FN_SPLIT, str(""), str("")), NULL, 0);
    expect_list(APPLY(RF_FN_SPLIT, str("a b"), str(" "), rf_value_int(0)), NULL, 0);
}

static void test_join(void **state)
{
    (void)state;
    expect_str(APPLY(RF_FN_JOIN, LIST(str("x"), str("\xc3\xa9"))), "x\xc3\xa9");
    expect_str(APPLY(RF_FN_JOIN, LIST(str("x"), str(""), str("z")), str(", ")), "x, , z");
    expect_str(APPLY(RF_FN_JOIN, LIST(str("x")), str("-")), "x");
    expect_str(APPLY(RF_FN_JOIN, list_of(NULL, 0)), "");
    expect_str(APPLY(RF_FN_JOIN, list_of(NULL, 0), str("-")), "");
    expect_error(APPLY(RF_FN_JOIN, LIST(str("x"), rf_value_int(1))), "element 1 is of type int");
    expect_error(APPLY(RF_FN_JOIN, LIST(rf_value_null()), str("-")), "element 0 is of type null_type");
    expect_error(APPLY(RF_FN_JOIN, LIST(str("x"), message("1e400"))), "beyond the double range: 1e400");
    expect_error(APPLY(RF_FN_JOIN, LIST(rf_value_error("lost"))), "lost");
}

static void test_starts_ends_contains(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
        bool starts, ends, contains;
    } row[] = {
        {"foobar", "foo", true, false, true},
        {"foobar", "bar", false, true, true},
        {"foobar", "oba", false, false, true},
        {"foobar", "", true, true, true},
        {"", "", true, true, true},
        {"", "foo", false, false, false},
        {"foobar", "foobar", true, true, true},
        {"foobar", "foobarx", false, false, false},
        {"Stra\xc3\x9f"
         "e",
         "a\xc3\x9f", false, false, true},
        {"for\xc3\xa9", "\xc3\xa9", false, true, true},
        {"abababc", "ababc", false, true, true},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        expect_bool(APPLY(RF_FN_STARTS, str(row[i].text), str(row[i].part)), row[i].starts);
        expect_bool(APPLY(RF_FN_ENDS, str(row[i].text), str(row[i].part)), row[i].ends);
        expect_bool(APPLY(RF_FN_CONTAINS, str(row[i].text), str(row[i].part)), row[i].contains);
    }
}

static void test_iequals(void **state)
{
    (void)state;
    expect_bool(APPLY(RF_FN_IEQUALS, str("GET /\xc3\xa9"), str("get /\xc3\xa9")), true);
    expect_bool(APPLY(RF_FN_IEQUALS, str("\xc3\x89"), str("\xc3\xa9")), false); /* only ASCII has two cases */
    expect_bool(APPLY(RF_FN_IEQUALS, str("@"), str("`")), false);
    expect_bool(APPLY(RF_FN_IEQUALS, str("a"), str("ab")), false);
    expect_bool(APPLY(RF_FN_IEQUALS, str(""), str("")), true);
}

static void test_glob(void **state)
{
    (void)state;
    expect_bool(APPLY(RF_FN_GLOB, str("orders.eu.1"), str("orders.*")), true);
    expect_bool(APPLY(RF_FN_GLOB, str("orders.eu.1"), str("orders")), false);
    expect_bool(APPLY(RF_FN_GLOB, str("h\xc3\xa9"), str("h?")), true);
    expect_bool(APPLY(RF_FN_GLOB, str("h5"), str("h[0-9]")), true);
    expect_bool(APPLY(RF_FN_GLOB, str("orders.*"), str("orders.eu")), false); /* the pattern comes second */
}

static void test_matches(void **state)
{
    (void)state;
    expect_bool(APPLY(RF_FN_MATCHES, str("cows"), str("")), true);
    expect_bool(APPLY(RF_FN_MATCHES, str("abcd"), str("bc")), true);
    expect_bool(APPLY(RF_FN_MATCHES, str("abcd"), str("^bc")), false);
    expect_bool(APPLY(RF_FN_MATCHES, str("grey"), str("^gr(a|e)y$")), true);
    expect_bool(APPLY(RF_FN_MATCHES,
                      str("ma\xc3\xb1"
                          "ana"),
                      str("a+\xc3\xb1+a+")),
                true);
    expect_bool(
        APPLY(RF_FN_MATCHES, str("\xf0\x9f\x90\xb1\xf0\x9f\x98\x80\xf0\x9f\x98\x80"), str("(a|\xf0\x9f\x98\x80){2}")),
        true);
    expect_error(APPLY(RF_FN_MATCHES, str("x"), str("ab(c")), "missing closing ), at byte 2");
    expect_error(APPLY(RF_FN_MATCHES, str("x"), str("ab[z-a]")), "the range z-a is out of order, at byte 3");
    expect_error(APPLY(RF_FN_MATCHES, str("x"), str("(x)\\1")), "at byte 3");
    /* Long texts are matched in another way than short ones. */
    char text[3000];
    memset(text, 'q', sizeof text);
    text[2999] = '7';
    for (size_t begin = 0; begin < sizeof text; begin++) {
        const struct rf_value tail = rf_value_string((struct rf_str){text + begin, sizeof text - begin});
        if (begin % 97 == 0 || (begin > 1970 && begin < 1982)) {
            expect_bool(APPLY(RF_FN_MATCHES, tail, str("^q+[0-9]$")), true);
            expect_bool(APPLY(RF_FN_MATCHES, tail, str("q[^q7]")), false);
        }
    }
    char pattern[RF_REGEX_PATTERN_BYTES_MAX + 2];
    memset(pattern, 'x', sizeof pattern);
    const struct rf_value large = rf_value_string((struct rf_str){pattern, RF_REGEX_PATTERN_BYTES_MAX + 1});
    expect_error(APPLY(RF_FN_MATCHES, str("x"), large), RF_ERROR_TOO_LARGE);
}

/* Each call gives back what its pattern took: a macro over many elements doesn't fill the arena. */
static void test_matches_keeps_nothing(void **state)
{
    (void)state;
    expect_bool(APPLY(RF_FN_MATCHES, str("ab12"), str("[a-z]+[0-9]{2}")), true);
    const size_t bytes_used = arena.bytes_used;
    for (int i = 0; i < 100; i++) {
        expect_bool(APPLY(RF_FN_MATCHES, str("ab12"), str("[a-z]+[0-9]{2}")), true);
    }
    assert_int_equal(arena.bytes_used, bytes_used);
}

static void test_format(void **state)
{
    (void)state;
    expect_str(APPLY(RF_FN_FORMAT, str("%s=%d"), LIST(str("x"), rf_value_int(1))), "x=1");
    expect_error(APPLY(RF_FN_FORMAT, str("%s"), list_of(NULL, 0)), "has no value");
    expect_error(APPLY(RF_FN_FORMAT, str("%s"), str("x")), "no such overload");
}

static void test_no_overload(void **state)
{
    (void)state;
    static const enum rf_function unary[] = {RF_FN_LOWER,   RF_FN_UPPER, RF_FN_TRIM,
                                             RF_FN_REVERSE, RF_FN_QUOTE, RF_FN_JOIN};
    for (size_t i = 0; i < sizeof unary / sizeof unary[0]; i++) {
        expect_error(APPLY(unary[i], rf_value_int(1)), "no such overload");
        expect_error(APPLY(unary[i], bytes("x")), "no such overload");
        expect_error(APPLY(unary[i], rf_value_null()), "no such overload");
    }
    static const enum rf_function binary[] = {RF_FN_STARTS,  RF_FN_ENDS,     RF_FN_CONTAINS,
                                              RF_FN_MATCHES, RF_FN_IEQUALS,  RF_FN_GLOB,
                                              RF_FN_SPLIT,   RF_FN_INDEX_OF, RF_FN_LAST_INDEX_OF};
    for (size_t i = 0; i < sizeof binary / sizeof binary[0]; i++) {
        expect_error(APPLY(binary[i], str("x"), rf_value_int(1)), "no such overload");
        expect_error(APPLY(binary[i], rf_value_int(1), str("x")), "no such overload");
        expect_error(APPLY(binary[i], bytes("x"), bytes("x")), "no such overload");
        expect_error(APPLY(binary[i], str("x"), rf_value_null()), "no such overload");
    }
    const struct rf_value x = str("x");
    const struct rf_value one = rf_value_int(1);
    const struct rf_value yes = rf_value_bool(true);
    expect_error(APPLY(RF_FN_CHAR_AT, x, yes), "no such overload");
    expect_error(APPLY(RF_FN_CHAR_AT, x, rf_value_uint(0)), "no such overload");
    expect_error(APPLY(RF_FN_CHAR_AT, x, rf_value_double(0)), "no such overload");
    expect_error(APPLY(RF_FN_INDEX_OF, x, x, yes), "no such overload");
    expect_error(APPLY(RF_FN_INDEX_OF, x, x, one, one), "no such overload");
    expect_error(APPLY(RF_FN_LAST_INDEX_OF, x, x, x), "no such overload");
    expect_error(APPLY(RF_FN_SUBSTRING, one, yes, one), "no such overload");
    expect_error(APPLY(RF_FN_SUBSTRING, x, one, yes), "no such overload");
    expect_error(APPLY(RF_FN_SUBSTRING, x), "no such overload");
    expect_error(APPLY(RF_FN_REPLACE, x, one, one), "no such overload");
    expect_error(APPLY(RF_FN_REPLACE, x, x, one), "no such overload");
    expect_error(APPLY(RF_FN_REPLACE, x, x, x, x), "no such overload");
    expect_error(APPLY(RF_FN_REPLACE, x, x, x, one, one), "no such overload");
    expect_error(APPLY(RF_FN_SPLIT, x, x, x), "no such overload");
    expect_error(APPLY(RF_FN_SPLIT, x, one, one), "no such overload");
    expect_error(APPLY(RF_FN_JOIN, LIST(x), one), "no such overload");
    expect_error(APPLY(RF_FN_JOIN, x), "no such overload");
}

/* Every function that makes something new, in an arena of so many bytes. */
static struct rf_value apply_within(size_t bytes_max, enum rf_function function, uint32_t count,
                                    const struct rf_value *args)
{
    struct rf_arena small;
    rf_arena_init(&small, bytes_max);
    struct rf_value result = rf_operate_text(function, args, count, &small);
    if (result.type == RF_TYPE_STRING) {
        result.text = rf_arena_copy(&arena, result.text);
    }
    rf_arena_free(&small);
    return result;
}

static void test_without_room(void **state)
{
    (void)state;
    static const enum rf_function edit[] = {RF_FN_LOWER, RF_FN_UPPER, RF_FN_REVERSE};
    for (size_t i = 0; i < sizeof edit / sizeof edit[0]; i++) {
        const struct rf_value text = str("aaaaaaaaaa");
        expect_error(apply_within(9, edit[i], 1, &text), RF_ERROR_TOO_LARGE);
        assert_int_equal(apply_within(10, edit[i], 1, &text).text.count, 10);
    }
    const struct rf_value quoted = str("a\n");
    expect_error(apply_within(4, RF_FN_QUOTE, 1, &quoted), RF_ERROR_TOO_LARGE);
    expect_str(apply_within(5, RF_FN_QUOTE, 1, &quoted), "\"a\\n\"");
    const struct rf_value replace[] = {str("aaaa"), str("a"), str("bcd")};
    expect_error(apply_within(11, RF_FN_REPLACE, 3, replace), RF_ERROR_TOO_LARGE);
    expect_str(apply_within(12, RF_FN_REPLACE, 3, replace), "bcdbcdbcdbcd");
    const struct rf_value join[] = {LIST(str("aa"), str("bb"), str("cc")), str("--")};
    expect_error(apply_within(9, RF_FN_JOIN, 2, join), RF_ERROR_TOO_LARGE);
    expect_str(apply_within(10, RF_FN_JOIN, 2, join), "aa--bb--cc");
    const struct rf_value split[] = {str("a,b,c"), str(",")};
    const size_t split_bytes = sizeof(struct rf_list) + 3 * sizeof(struct rf_value);
    expect_error(apply_within(0, RF_FN_SPLIT, 2, split), RF_ERROR_TOO_LARGE);
    expect_error(apply_within(sizeof(struct rf_list), RF_FN_SPLIT, 2, split), RF_ERROR_TOO_LARGE);
    expect_error(apply_within(split_bytes - 1, RF_FN_SPLIT, 2, split), RF_ERROR_TOO_LARGE);
    assert_int_equal(apply_within(split_bytes, RF_FN_SPLIT, 2, split).type, RF_TYPE_LIST);
    const struct rf_value matches[] = {str("abc"), str("a(b|c)+[0-9]*")};
    expect_error(apply_within(16, RF_FN_MATCHES, 2, matches), RF_ERROR_TOO_LARGE);
    /* Not even the text of an error has room. */
    const struct rf_value char_at[] = {str("abc"), rf_value_int(9)};
    expect_error(apply_within(8, RF_FN_CHAR_AT, 2, char_at), RF_ERROR_NO_ROOM);
}

/* Sizes that no memory holds are noticed before anything is taken. */
static void test_sizes_beyond_memory(void **state)
{
    (void)state;
    enum { BYTES = 1 << 16, ITEMS = 3 };
    char *big = rf_arena_push(&arena, BYTES, 1, 1);
    memset(big, 'a', BYTES);
    const struct rf_value text = rf_value_string((struct rf_str){big, BYTES});
    expect_error(APPLY(RF_FN_REPLACE, text, str("a"), text), RF_ERROR_TOO_LARGE); /* 2^32 bytes */
    expect_error(APPLY(RF_FN_REPLACE, text, str(""), text), RF_ERROR_TOO_LARGE);
    /* A sum beyond SIZE_MAX: the texts are only measured, never read. */
    const struct rf_value huge = rf_value_string((struct rf_str){big, SIZE_MAX / 2});
    expect_error(APPLY(RF_FN_JOIN, LIST(huge, huge, huge)), RF_ERROR_TOO_LARGE);
    expect_error(APPLY(RF_FN_JOIN, LIST(str("a"), huge), huge), RF_ERROR_TOO_LARGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_char_at),       cmocka_unit_test(test_index_of),
        cmocka_unit_test(test_last_index_of), cmocka_unit_test(test_substring),
        cmocka_unit_test(test_trim),          cmocka_unit_test(test_case),
        cmocka_unit_test(test_reverse),       cmocka_unit_test(test_quote),
        cmocka_unit_test(test_replace),       cmocka_unit_test(test_split),
        cmocka_unit_test(test_join),          cmocka_unit_test(test_starts_ends_contains),
        cmocka_unit_test(test_iequals),       cmocka_unit_test(test_glob),
        cmocka_unit_test(test_matches),       cmocka_unit_test(test_matches_keeps_nothing),
        cmocka_unit_test(test_format),        cmocka_unit_test(test_no_overload),
        cmocka_unit_test(test_without_room),  cmocka_unit_test(test_sizes_beyond_memory),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
