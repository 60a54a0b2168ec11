#include "regex_fixture.h"

#include "regex_literal.h"
#include "utf8.h"

static void test_rf_regex_required_literal(void **state)
{
    static const struct {
        const char *pattern;
        const char *literal; /* NULL: none */
    } cases[] = {
        {"abc", "abc"},
        {"foo.*bars", "bars"},
        {"foods.*bar", "foods"},
        {"(abc|abd)", "ab"},
        {"(?i)abc", NULL},
        {"(?i)123", "123"},
        {"(?i:x)abc", "abc"},
        {"a{3}", "aaa"},
        {"a{3,}", "aaa"},
        {"a{3,5}b", "aaab"},
        {"a{0,5}bc", "bc"},
        {"(?:ab){2}c", "ababc"},
        {"(?:ab)+c", "abc"},
        {"(?:ab)+", "ab"},
        {"x(?:ab)*y", NULL},
        {"a?bcd?", "bc"},
        {"^abc$", "abc"},
        {"\\babc\\b", "abc"},
        {"[0-9]+://[a-z]", "://"},
        {"https?://", "http"},
        {"a|b", NULL},
        {"", NULL},
        {"a", NULL},
        {"a.", NULL},
        {".*", NULL},
        {"[a]b", "ab"},
        {"(?:foobar|xfoobary)z", "foobar"},
        {"(?:one|two) tree", " tree"},
        {"(?:x1yy|x2yy)z", "yyz"},
        {"ab|", NULL},
        {"\\x{D800}ab", "ab"},
        {"(?:abc.def|abc.dex)", "abc"},
        /* Parts of code points are left out: both begin with C3. */
        {"(?:\xC3\xA9|\xC3\xA8)", NULL},
        {"ab\xC3\xA9|ab\xC3\xA8", "ab"},
        {"\xC3\xA9", "\xC3\xA9"},
        {"(?:x\xC3\xA9"
         "ab|y\xC2\xA9"
         "ab)",
         "ab"},
        {"ab\\Ccd", "ab"},
        {"(?:abc){1000}", "abcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabca"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rf_str literal;
        const bool is_there = rf_regex_required_literal(compile(cases[i].pattern), &literal);
        if (is_there != (cases[i].literal != NULL) ||
            (is_there && !rf_str_equal(literal, rf_str_of(cases[i].literal)))) {
            fail_msg("%s: %.*s", cases[i].pattern, RF_STR_ARG(literal));
        }
    }
}

/* At the most bytes, and a code point across them. */
static void test_literal_bytes_max(void **state)
{
    (void)state;
    for (size_t count = RF_REGEX_LITERAL_BYTES_MAX - 1; count <= RF_REGEX_LITERAL_BYTES_MAX + 1; count++) {
        char *const text = repeat_text("x", count);
        struct rf_str literal;
        assert_true(rf_regex_required_literal(compile(text), &literal));
        assert_int_equal(literal.count, count < RF_REGEX_LITERAL_BYTES_MAX ? count : RF_REGEX_LITERAL_BYTES_MAX);
        memcpy(text + count - 2, "\xC3\xA9", 2);
        assert_true(rf_regex_required_literal(compile(text), &literal));
        assert_true(rf_utf8_is_valid(literal));
        assert_int_equal(literal.count, count <= RF_REGEX_LITERAL_BYTES_MAX ? count : RF_REGEX_LITERAL_BYTES_MAX - 1);
        free(text);
    }
}

static void test_rf_regex_is_literal(void **state)
{
    static const struct {
        const char *pattern;
        const char *text; /* NULL: none */
        bool is_at_begin, is_at_end;
    } cases[] = {
        {"abc", "abc", false, false},
        {"^abc", "abc", true, false},
        {"abc$", "abc", false, true},
        {"^abc$", "abc", true, true},
        {"\\Aabc\\z", "abc", true, true},
        {"^^abc$$", "abc", true, true},
        {"", "", false, false},
        {"^", "", true, false},
        {"^$", "", true, true},
        {"a.c", NULL, false, false},
        {"a\\.c", "a.c", false, false},
        {"\\Qa.c\\E", "a.c", false, false},
        {"(a)(?:b)c", "abc", false, false},
        {"(?P<n>^ab)c", "abc", true, false},
        {"a{3}b", "aaab", false, false},
        {"(?:ab){2}", "abab", false, false},
        {"a{2,3}", NULL, false, false},
        {"a*", NULL, false, false},
        {"(?:^a)*", NULL, false, false},
        {"a|b", NULL, false, false},
        {"a|a", "a", false, false},
        {"[a]", "a", false, false},
        {"[ab]", NULL, false, false},
        {"(?i)abc", NULL, false, false},
        {"(?i)1-2", "1-2", false, false},
        {"a^b", NULL, false, false},
        {"a$b", NULL, false, false},
        {"$^", NULL, false, false},
        {"$a", NULL, false, false},
        {"(?m)^a", NULL, false, false},
        {"\\bab", NULL, false, false},
        {"\xC3\xA9\\x{20AC}", "\xC3\xA9\xE2\x82\xAC", false, false},
        {"\\x{D800}", NULL, false, false},
        {"a\\C", NULL, false, false},
        {"a(?:)b", "ab", false, false},
        {"x{0}y", "y", false, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rf_regex_literal literal;
        const bool is_literal = rf_regex_is_literal(compile(cases[i].pattern), &literal);
        if (is_literal != (cases[i].text != NULL) ||
            (is_literal && (!rf_str_equal(literal.text, rf_str_of(cases[i].text)) ||
                            literal.is_at_begin != cases[i].is_at_begin || literal.is_at_end != cases[i].is_at_end))) {
            fail_msg("%s: %.*s", cases[i].pattern, RF_STR_ARG(literal.text));
        }
    }
}

/* The tree is deeper than any stack of pieces should be. */
static void test_rf_regex_find_literals(void **state)
{
    struct rf_regex regex = {0};
    struct rf_arena scratch;
    struct rf_tree_maker maker = {.arena = &arena};
    (void)state;
    rf_arena_init(&scratch, 8 << 20);
    struct rf_tree *tree = rf_tree_code(&maker, 'a');
    struct rf_tree *const other = rf_tree_code(&maker, 'b');
    for (uint32_t i = 1; i < RF_TREE_DEPTH_MAX; i++) {
        struct rf_tree *item[] = {tree, other};
        tree = rf_tree_concat(&maker, item, 2);
    }
    assert_true(rf_regex_find_literals(tree, &scratch, &arena, &regex));
    assert_int_equal(regex.literal.text.count, RF_TREE_DEPTH_MAX);
    assert_int_equal(regex.required.count, RF_REGEX_LITERAL_BYTES_MAX);
    assert_memory_equal(regex.required.data, "abb", 3);
    rf_arena_free(&scratch);
    rf_arena_init(&scratch, 100);
    assert_false(rf_regex_find_literals(tree, &scratch, &arena, &regex));
    rf_arena_free(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_ARENA(test_rf_regex_required_literal),
        WITH_ARENA(test_literal_bytes_max),
        WITH_ARENA(test_rf_regex_is_literal),
        WITH_ARENA(test_rf_regex_find_literals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
