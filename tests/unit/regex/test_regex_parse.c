#include "regex_fixture.h"

#include "regex_parser.h"

/* Parses a pattern; its tree is not looked at here. */
static enum rf_status parse(struct rf_str pattern, size_t *error_at, struct rf_error *err)
{
    struct rf_tree_maker maker = {.arena = &arena};
    struct rf_tree *tree = NULL;
    const enum rf_status status = rf_regex_parse(pattern, &maker, &tree, error_at, err);
    assert_true((status == RF_OK) == (tree != NULL));
    return status;
}

/* What RE2 accepts; tests/oracle/regex_re2.cc asks RE2 itself about a million others. */
static void test_rf_regex_parse(void **state)
{
    static const char *const accepted[] = {
        "",
        "a",
        "()",
        "(a|)",
        "||",
        "()*",
        "^*",
        "\\b+",
        "a*(?i)*",
        "a(?i)*",
        "(?i:)*",
        "(?)",
        "(?i-s)a",
        "(?i-s:a)",
        "(?:a)",
        "(?P<n>a)(?P<n>b)",
        "(?P<\xC3\xA9>a)",
        "(?<name_1>a)",
        "a*?",
        "a+?",
        "a??",
        "a{2}?",
        "a{,2}",
        "a{01}",
        "a{99999999999}",
        "a{2",
        "{",
        "{}",
        "{a}",
        "x{,}",
        "(a{100}){10}",
        "a{1000}",
        "a{0,1000}",
        "(?:a{0})*",
        "[a]",
        "[]a]",
        "[^]a]",
        "[a-]",
        "[-a]",
        "[a-c-e]",
        "[[:alpha:]]",
        "[[:^alpha:]]",
        "[[:alpha]",
        "[[.a.]]",
        "[\\d-z]",
        "[a[:digit:]-z]",
        "[\\pL]",
        "[\\p{^Greek}]",
        "[--a]",
        "[+--]",
        "[\\n-\\r]",
        "[:alpha:]",
        "[a-\\x{10FFFF}]",
        "\\p{Any}",
        "\\p{C}",
        "\\pZ",
        "\\P{^Lu}",
        "\\pL*",
        "(?i)\\pLu",
        "\\z",
        "\\A",
        "\\C",
        "\\Qab",
        "\\Qab\\E*",
        "\\Q\\E",
        "\\Q(\\E",
        "\\\"",
        "\\-",
        "\\ ",
        "\\_",
        "\\0",
        "\\08",
        "\\12",
        "\\400",
        "\\777",
        "\\x{D800}",
        "\\x{0000000041}",
        "\\x4a",
        "\\a\\f\\t\\n\\r\\v",
        "(?m)^$",
        "(?U)a+",
        "(?s-i:.)",
        "]",
        "}",
        "a]b}",
        "\xC3\xA9+",
    };
    (void)state;
    for (size_t i = 0; i < sizeof accepted / sizeof accepted[0]; i++) {
        struct rf_error err = {0};
        size_t error_at = SIZE_MAX;
        if (parse(rf_str_of(accepted[i]), &error_at, &err) != RF_OK) {
            fail_msg("%s: %s at %zu", accepted[i], err.text, error_at);
        }
    }
}

static void test_refused_patterns(void **state)
{
    static const struct {
        const char *pattern;
        size_t at;
        enum rf_status status;
        const char *text; /* stands in the message */
    } cases[] = {
        {"ab(cd", 2, RF_E_EXPR, "missing closing )"},
        {"((a)", 0, RF_E_EXPR, "missing closing )"},
        {"a)b", 1, RF_E_EXPR, "unexpected )"},
        {"a(?P<n", 1, RF_E_EXPR, "missing >"},
        {"a(?P<>b)", 5, RF_E_EXPR, "empty"},
        {"(?P<a b>c)", 4, RF_E_EXPR, "name of a group"},
        {"(?<a-b>c)", 3, RF_E_EXPR, "name of a group"},
        {"(?P=n)", 2, RF_E_EXPR, "unknown flag"},
        {"(?P>n)", 2, RF_E_EXPR, "unknown flag"},
        {"(?i", 0, RF_E_EXPR, "missing closing ) behind flags"},
        {"ab(?", 2, RF_E_EXPR, "missing closing ) behind flags"},
        {"(?a)", 2, RF_E_EXPR, "unknown flag"},
        {"(?-)", 3, RF_E_EXPR, "unknown flag"},
        {"(?i-)", 4, RF_E_EXPR, "unknown flag"},
        {"(?i--s)", 4, RF_E_EXPR, "unknown flag"},
        {"(?#c)", 2, RF_E_EXPR, "unknown flag"},
        {"a(?=b)", 1, RF_E_EXPR, "looking ahead"},
        {"a(?!b)", 1, RF_E_EXPR, "looking ahead"},
        {"a(?<=b)", 1, RF_E_EXPR, "looking ahead"},
        {"a(?<!b)", 1, RF_E_EXPR, "looking ahead"},
        {"*", 0, RF_E_EXPR, "nothing in front"},
        {"a|*", 2, RF_E_EXPR, "nothing in front"},
        {"(+)", 1, RF_E_EXPR, "nothing in front"},
        {"(?i)?", 4, RF_E_EXPR, "nothing in front"},
        {"{2}", 0, RF_E_EXPR, "nothing in front"},
        {"\\Q\\E*", 4, RF_E_EXPR, "nothing in front"},
        {"a**", 2, RF_E_EXPR, "** repeats a repetition"},
        {"a+?*", 3, RF_E_EXPR, "repeats a repetition"},
        {"a{2}{3}", 4, RF_E_EXPR, "{2}{3} repeats"},
        {"a?+", 2, RF_E_EXPR, "repeats a repetition"},
        {"x{1001}", 1, RF_E_LIMIT, "more than 1000"},
        {"x{2,1001}", 1, RF_E_LIMIT, "more than 1000"},
        {"x{1001,}", 1, RF_E_LIMIT, "more than 1000"},
        {"x{3,2}", 1, RF_E_EXPR, "{3,2} is out of order"},
        {"(a{100}){11}", 8, RF_E_LIMIT, "nested repetitions"},
        {"((a{100})*){11}", 11, RF_E_LIMIT, "nested repetitions"},
        {"((a{0,100}){0,10}){2}", 18, RF_E_LIMIT, "nested repetitions"},
        {"((?:){500}){3}", 11, RF_E_LIMIT, "nested repetitions"},
        {"(((x{100}){100}){100})", 10, RF_E_LIMIT, "nested repetitions"},
        {"a[bc", 1, RF_E_EXPR, "missing closing ]"},
        {"[]", 0, RF_E_EXPR, "missing closing ]"},
        {"[^]", 0, RF_E_EXPR, "missing closing ]"},
        {"[a-", 0, RF_E_EXPR, "missing closing ]"},
        {"[b-a]", 1, RF_E_EXPR, "b-a is out of order"},
        {"[xa--]", 2, RF_E_EXPR, "a-- is out of order"},
        {"[[:foo:]]", 1, RF_E_EXPR, "[:foo:]"},
        {"[a-\\d]", 3, RF_E_EXPR, "\\d is no known escape"},
        {"[\\b]", 1, RF_E_EXPR, "no known escape"},
        {"[\\C]", 1, RF_E_EXPR, "no known escape"},
        {"\\p{Grek}", 0, RF_E_EXPR, "\"Grek\""},
        {"x\\p{Lu", 1, RF_E_EXPR, "missing closing }"},
        {"\\p", 0, RF_E_EXPR, "must be followed"},
        {"\\pX", 0, RF_E_EXPR, "\"X\""},
        {"\\p{^}", 0, RF_E_EXPR, "\"\""},
        {"[\\p{Foo}]", 1, RF_E_EXPR, "\"Foo\""},
        {"ab\\", 2, RF_E_EXPR, "backslash at the end"},
        {"[ab\\", 3, RF_E_EXPR, "backslash at the end"},
        {"\\8", 0, RF_E_EXPR, "backreference"},
        {"(a)\\1", 3, RF_E_EXPR, "backreference"},
        {"\\18", 0, RF_E_EXPR, "backreference"},
        {"\\Z", 0, RF_E_EXPR, "\\z is the end"},
        {"\\K", 0, RF_E_EXPR, "not part of the RE2 syntax"},
        {"\\h", 0, RF_E_EXPR, "\\h is no known escape"},
        {"\\\xC3\xA9", 0, RF_E_EXPR, "no known escape"},
        {"\\x", 0, RF_E_EXPR, "two hexadecimal digits"},
        {"\\x4", 0, RF_E_EXPR, "two hexadecimal digits"},
        {"\\x{}", 0, RF_E_EXPR, "hexadecimal digits and }"},
        {"\\x{4", 0, RF_E_EXPR, "hexadecimal digits and }"},
        {"\\x{4g}", 0, RF_E_EXPR, "hexadecimal digits and }"},
        {"\\x{110000}", 0, RF_E_EXPR, "is above"},
        {"\\x{FFFFFFFFFFFFFFFFFFFF}", 0, RF_E_EXPR, "is above"},
        {"a\xFF"
         "b",
         1, RF_E_EXPR, "not UTF-8"},
        {"ab\xC3", 2, RF_E_EXPR, "not UTF-8"},
        {"\xED\xA0\x80", 0, RF_E_EXPR, "not UTF-8"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rf_error err = {0};
        size_t error_at = SIZE_MAX;
        const enum rf_status status = parse(rf_str_of(cases[i].pattern), &error_at, &err);
        if (status != cases[i].status || error_at != cases[i].at || strstr(err.text, cases[i].text) == NULL) {
            fail_msg("%s: %s at %zu: %s", cases[i].pattern, rf_status_name(status), error_at, err.text);
        }
    }
}

/* A zero byte is a code point like others, also where the parser looks beyond the end. */
static void test_zero_bytes(void **state)
{
    struct rf_error err;
    size_t error_at;
    (void)state;
    assert_int_equal(parse(RF_STR("\0"), &error_at, &err), RF_OK);
    assert_int_equal(parse(RF_STR("a\0+[\0-\x01]"), &error_at, &err), RF_OK);
    assert_int_equal(parse(RF_STR("\\\0"), &error_at, &err), RF_OK);
    assert_int_equal(parse(RF_STR("(\0"), &error_at, &err), RF_E_EXPR);
    assert_int_equal(parse((struct rf_str){NULL, 0}, &error_at, &err), RF_OK);
}

static struct rf_parser parser_at(const char *text, size_t at, size_t *error_at, struct rf_error *err,
                                  struct rf_tree_maker *maker)
{
    return (struct rf_parser){.pattern = rf_str_of(text), .at = at, .maker = maker, .error_at = error_at, .err = err};
}

static void test_rf_parser_next(void **state)
{
    struct rf_error err;
    size_t error_at;
    struct rf_tree_maker maker = {.arena = &arena};
    struct rf_parser parser = parser_at("a\xC3\xA9\xE2\x82\xAC\xF4\x8F\xBF\xBF", 0, &error_at, &err, &maker);
    (void)state;
    assert_int_equal(rf_parser_next(&parser), 'a');
    assert_int_equal(rf_parser_next(&parser), 0xE9);
    assert_int_equal(rf_parser_next(&parser), 0x20AC);
    assert_true(rf_parser_has(&parser, 4));
    assert_false(rf_parser_has(&parser, 5));
    assert_int_equal(rf_parser_next(&parser), 0x10FFFF);
    assert_false(rf_parser_has(&parser, 1));
    assert_int_equal(rf_parser_peek(&parser, 0), 0);
}

static void test_rf_parse_escape(void **state)
{
    static const struct {
        const char *text;
        uint32_t code;
        size_t bytes;
    } cases[] = {
        {"\\n", '\n', 2},    {"\\t", '\t', 2},
        {"\\a", '\a', 2},    {"\\v", '\v', 2},
        {"\\f", '\f', 2},    {"\\r", '\r', 2},
        {"\\.", '.', 2},     {"\\0", 0, 2},
        {"\\018", 1, 3},     {"\\101x", 'A', 4},
        {"\\1234", 'S', 4},  {"\\x41g", 'A', 4},
        {"\\x{41}", 'A', 6}, {"\\x{10FFFF}", 0x10FFFF, 10},
        {"\\\\", '\\', 2},   {"\\377", 255, 4},
        {"\\777", 511, 4},   {"\\_", '_', 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rf_error err = {0};
        size_t error_at;
        uint32_t code = 0;
        struct rf_tree_maker maker = {.arena = &arena};
        struct rf_parser parser = parser_at(cases[i].text, 0, &error_at, &err, &maker);
        assert_int_equal(rf_parse_escape(&parser, &code), RF_OK);
        assert_int_equal(code, cases[i].code);
        assert_int_equal(parser.at, cases[i].bytes);
    }
}

static void test_rf_parse_class_escape(void **state)
{
    struct rf_error err;
    size_t error_at;
    bool is_class = false;
    struct rf_tree_maker maker = {.arena = &arena};
    struct rf_code_set set = {.arena = &arena};
    struct rf_parser parser = parser_at("\\D", 0, &error_at, &err, &maker);
    (void)state;
    assert_int_equal(rf_parse_class_escape(&parser, &set, &is_class), RF_OK);
    assert_true(is_class);
    assert_int_equal(set.count, 2);
    assert_int_equal(set.range[0].high, '0' - 1);
    assert_int_equal(set.range[1].low, '9' + 1);
    parser = parser_at("\\n", 0, &error_at, &err, &maker);
    assert_int_equal(rf_parse_class_escape(&parser, &set, &is_class), RF_OK);
    assert_false(is_class);
    assert_int_equal(parser.at, 0);
}

static void test_rf_parse_add_part(void **state)
{
    struct rf_error err;
    size_t error_at;
    struct rf_tree_maker maker = {.arena = &arena};
    struct rf_parser parser = parser_at("", 0, &error_at, &err, &maker);
    struct rf_code_set set = {.arena = &arena};
    struct rf_code_set part = {.arena = &arena};
    (void)state;
    assert_true(rf_code_set_add(&part, 'x', 'x'));
    parser.flags = RF_FLAG_FOLD;
    assert_int_equal(rf_parse_add_part(&parser, &set, &part, true), RF_OK);
    /* Everything but x and X. */
    assert_int_equal(set.count, 3);
    assert_int_equal(set.range[0].high, 'X' - 1);
    assert_int_equal(set.range[2].low, 'x' + 1);
}

static void test_rf_parse_bracket(void **state)
{
    struct rf_error err;
    size_t error_at;
    struct rf_tree_maker maker = {.arena = &arena};
    struct rf_code_set set = {.arena = &arena};
    struct rf_parser parser = parser_at("[]a-c[:digit:]-]z", 0, &error_at, &err, &maker);
    (void)state;
    assert_int_equal(rf_parse_bracket(&parser, &set), RF_OK);
    assert_int_equal(rf_parser_peek(&parser, 0), 'z');
    assert_int_equal(set.count, 4); /* - 0-9 ] a-c */
    assert_int_equal(set.range[0].low, '-');
    assert_int_equal(set.range[3].high, 'c');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_ARENA(test_rf_regex_parse),    WITH_ARENA(test_refused_patterns), WITH_ARENA(test_zero_bytes),
        WITH_ARENA(test_rf_parser_next),    WITH_ARENA(test_rf_parse_escape),  WITH_ARENA(test_rf_parse_class_escape),
        WITH_ARENA(test_rf_parse_add_part), WITH_ARENA(test_rf_parse_bracket),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
