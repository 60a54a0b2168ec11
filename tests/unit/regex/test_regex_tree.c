#include "regex_fixture.h"

#include "regex_parser.h"

static struct rf_tree_maker maker;

static struct rf_tree *parse(const char *pattern)
{
    struct rf_tree *tree = NULL;
    struct rf_error err = {0};
    size_t error_at;
    maker = (struct rf_tree_maker){.arena = &arena};
    if (rf_regex_parse(rf_str_of(pattern), &maker, &tree, &error_at, &err) != RF_OK) {
        fail_msg("%s: %s", pattern, err.text);
    }
    return tree;
}

/* A tree as text: classes as [..], concatenations and alternatives in parentheses. */
static size_t tree_write(const struct rf_tree *tree, char *text, size_t count)
{
    static const char *const assertion[] = {
        [RF_ASSERT_TEXT_BEGIN] = "<A>", [RF_ASSERT_TEXT_END] = "<z>",  [RF_ASSERT_LINE_BEGIN] = "<^>",
        [RF_ASSERT_LINE_END] = "<$>",   [RF_ASSERT_WORD_EDGE] = "<b>", [RF_ASSERT_WORD_INSIDE] = "<B>",
    };
    switch ((enum rf_tree_kind)tree->kind) {
    case RF_TREE_EMPTY:
        text[count++] = '-';
        break;
    case RF_TREE_CODE:
        text[count++] = (char)tree->code;
        break;
    case RF_TREE_CLASS:
        text[count++] = '[';
        for (uint32_t i = 0; i < tree->count; i++) {
            text[count++] = (char)tree->range[i].low;
            if (tree->range[i].high != tree->range[i].low) {
                text[count++] = (char)tree->range[i].high;
            }
        }
        text[count++] = ']';
        break;
    case RF_TREE_BYTE:
        text[count++] = '@';
        break;
    case RF_TREE_ASSERT:
        memcpy(text + count, assertion[tree->assertion], 3);
        count += 3;
        break;
    case RF_TREE_CONCAT:
    case RF_TREE_ALTERNATE:
        text[count++] = '(';
        for (uint32_t i = 0; i < tree->count; i++) {
            if (i != 0 && tree->kind == RF_TREE_ALTERNATE) {
                text[count++] = '|';
            }
            count = tree_write(tree->child[i], text, count);
        }
        text[count++] = ')';
        break;
    case RF_TREE_REPEAT:
        count = tree_write(tree->child[0], text, count);
        text[count++] = '{';
        text[count++] = (char)('0' + tree->min);
        text[count] = '*';
        if (tree->max != RF_TREE_ENDLESS) {
            text[count] = (char)('0' + tree->max);
        }
        count++;
        text[count++] = '}';
        break;
    }
    text[count] = '\0';
    return count;
}

static void assert_tree(const struct rf_tree *tree, const char *expected)
{
    char text[512];
    assert_non_null(tree);
    tree_write(tree, text, 0);
    assert_string_equal(text, expected);
}

static void test_rf_tree_leaves(void **state)
{
    struct rf_code_set set = {.arena = &arena};
    (void)state;
    maker = (struct rf_tree_maker){.arena = &arena};
    assert_tree(rf_tree_empty(&maker), "-");
    assert_tree(rf_tree_code(&maker, 'x'), "x");
    assert_tree(rf_tree_byte(&maker), "@");
    assert_true(maker.has_byte);
    assert_tree(rf_tree_assert(&maker, RF_ASSERT_WORD_EDGE), "<b>");
    assert_int_equal(maker.asserts, RF_ASSERT_WORD_EDGE);
    assert_tree(rf_tree_class(&maker, &set), "[]");
    assert_true(rf_code_set_add(&set, 'a', 'a'));
    assert_tree(rf_tree_class(&maker, &set), "a"); /* one code point is no class */
    assert_true(rf_code_set_add(&set, 'c', 'd'));
    assert_tree(rf_tree_class(&maker, &set), "[acd]");
}

static void test_rf_tree_concat(void **state)
{
    (void)state;
    maker = (struct rf_tree_maker){.arena = &arena};
    struct rf_tree *item[] = {rf_tree_empty(&maker), rf_tree_code(&maker, 'a'), rf_tree_empty(&maker),
                              rf_tree_code(&maker, 'b')};
    assert_tree(rf_tree_concat(&maker, item, 4), "(ab)");
    assert_ptr_equal(rf_tree_concat(&maker, item, 2), item[1]);
    assert_tree(rf_tree_concat(&maker, item, 1), "-");
    assert_tree(rf_tree_concat(&maker, item, 0), "-");
}

static void test_rf_tree_repeat(void **state)
{
    (void)state;
    assert_tree(parse("a*"), "a{0*}");
    assert_tree(parse("a+?"), "a{1*}");
    assert_tree(parse("a{2,5}"), "a{25}");
    assert_tree(parse("a{1}"), "a");
    assert_tree(parse("a{0}"), "-");
    assert_tree(parse("(?:)*"), "-");
    /* Any two of * + ? are one of them. */
    assert_tree(parse("(a*)*"), "a{0*}");
    assert_tree(parse("(a*)+"), "a{0*}");
    assert_tree(parse("(a+)+"), "a{1*}");
    assert_tree(parse("(a+)?"), "a{0*}");
    assert_tree(parse("(a?)?"), "a{01}");
    assert_tree(parse("(a?)+"), "a{0*}");
    assert_tree(parse("(((a+)?)+)*"), "a{0*}");
    assert_tree(parse("(a{2})*"), "a{22}{0*}");
}

static void test_rf_tree_counted(void **state)
{
    (void)state;
    assert_int_equal(parse("a")->repeats, 1);
    assert_int_equal(parse("(a{3}){5}")->repeats, 15);
    assert_int_equal(parse("(a{3}b{7}){0,5}")->repeats, 35);
    assert_int_equal(parse("(a{3,}|b{2}){2,}")->repeats, 6);
    /* What is simplified away counts. */
    assert_int_equal(parse("(?:){3}")->repeats, 3);
    assert_int_equal(parse("a(?:){3}")->repeats, 3);
    assert_int_equal(parse("(?:a(?:){3}|a){5}")->repeats, 15);
    assert_int_equal(parse("(?:|(?:){3})")->repeats, 3);
    maker = (struct rf_tree_maker){.arena = &arena};
    struct rf_tree *const tree = rf_tree_code(&maker, 'a');
    assert_ptr_equal(rf_tree_counted(&maker, tree, 1), tree);
    assert_int_equal(rf_tree_counted(&maker, tree, 9)->repeats, 9);
    assert_int_equal(tree->repeats, 1);
}

static void test_rf_tree_alternate(void **state)
{
    (void)state;
    assert_tree(parse("abc|abd"), "(ab[cd])");
    assert_tree(parse("abc|ab"), "(ab(-|c))");
    assert_tree(parse("a|b|[0-5]|c"), "[05ac]");
    assert_tree(parse("a|a"), "a");
    assert_tree(parse("ab|ab"), "(ab)");
    assert_tree(parse("|"), "-");
    assert_tree(parse("a|"), "(-|a)");
    assert_tree(parse("foo|bar|foobar|fob"), "((bar)|(fo(b|(o(-|(bar))))))");
    assert_tree(parse("(?i)ab|ac"), "([Aa][BCbc])");
    assert_tree(parse("^ab|^ac"), "(<A>a[bc])");
    /* Parts that are equal but made twice are not compared. */
    assert_tree(parse("a*b|a*c"), "((a{0*}b)|(a{0*}c))");
}

static void test_rf_tree_choice(void **state)
{
    (void)state;
    maker = (struct rf_tree_maker){.arena = &arena};
    struct rf_tree *branch[] = {rf_tree_code(&maker, 'a'), rf_tree_code(&maker, 'a')};
    assert_tree(rf_tree_choice(&maker, branch, 2), "(a|a)");
    assert_ptr_equal(rf_tree_choice(&maker, branch, 1), branch[0]);
}

/* Deeper than the bound there is no tree. */
static void test_depth_is_bounded(void **state)
{
    (void)state;
    maker = (struct rf_tree_maker){.arena = &arena};
    struct rf_tree *tree = rf_tree_code(&maker, 'a');
    struct rf_tree *other = rf_tree_code(&maker, 'b');
    for (uint32_t depth = 1; depth < RF_TREE_DEPTH_MAX; depth++) {
        struct rf_tree *item[] = {tree, other};
        tree = rf_tree_concat(&maker, item, 2);
        assert_non_null(tree);
        assert_int_equal(tree->depth, depth + 1);
    }
    struct rf_tree *item[] = {tree, other};
    assert_null(rf_tree_concat(&maker, item, 2));
    assert_null(rf_tree_choice(&maker, item, 2));
    assert_null(rf_tree_repeat(&maker, tree, 0, 5));
}

/* a|aa|aaa|...: each head is taken out of the one before, until that would be too deep. */
static void test_factoring_is_bounded(void **state)
{
    char pattern[50000];
    size_t count = 0;
    (void)state;
    for (size_t length = 1; length < 300; length++) {
        memset(pattern + count, 'a', length);
        count += length;
        pattern[count++] = '|';
    }
    pattern[count - 1] = '\0';
    const struct rf_tree *const tree = parse(pattern);
    assert_true(tree->depth > RF_TREE_FACTOR_DEPTH_MAX / 2);
    assert_true(tree->depth <= RF_TREE_FACTOR_DEPTH_MAX + 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_ARENA(test_rf_tree_leaves),   WITH_ARENA(test_rf_tree_concat),       WITH_ARENA(test_rf_tree_repeat),
        WITH_ARENA(test_rf_tree_counted),  WITH_ARENA(test_rf_tree_alternate),    WITH_ARENA(test_rf_tree_choice),
        WITH_ARENA(test_depth_is_bounded), WITH_ARENA(test_factoring_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
