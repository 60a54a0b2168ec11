/* json_tree.h: structure, touched values, and paths through the tree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "arena_fixture.h"
#include "json_tree.h"

enum { DEPTH_MAX = 64 };

static struct rf_error err;

static struct rf_malformed read_at_depth(struct rf_tree *tree, struct rf_str text, uint32_t depth_max)
{
    struct rf_malformed malformed;
    assert_int_equal(rf_tree_read(tree, text, depth_max, &arena, &malformed, &err), RF_OK);
    return malformed;
}

static void want_structure(struct rf_str text, enum rf_reason reason, unsigned offset)
{
    struct rf_tree tree;
    const struct rf_malformed malformed = read_at_depth(&tree, text, DEPTH_MAX);
    if (malformed.reason != reason || malformed.offset != offset) {
        print_error("%.*s: %s at %u\n", RF_STR_ARG(text), rf_reason_text(malformed.reason), malformed.offset);
    }
    assert_int_equal(malformed.reason, reason);
    assert_int_equal(malformed.offset, offset);
}

#define WANT(text, reason, offset) want_structure(RF_STR(text), reason, offset)

static void read_good(struct rf_tree *tree, const char *text)
{
    assert_int_equal(read_at_depth(tree, rf_str_of(text), DEPTH_MAX).reason, RF_REASON_NONE);
}

static void test_structure_accepts(void **state)
{
    (void)state;
    static const char *const good[] = {"1", " null ", "\t\"x\"\r", "[]", "{}", "[1,2]", "{\"a\":1,\"b\":[{}]}",
                                       "[[],[[]]]", "{\"a\":{\"a\":{}}}",
                                       /* Scalars and the inside of strings are not looked into. */
                                       "tru", "{\"a\":nul}", "[01]", "\"\\q\"", "{\"\\q\":\"\\ud800\"}", "\xff",
                                       "[\"\x01\"]", "{\"a\":1/*c*/}", "\"\\\\\"", "\"\\\"\"", "[\"]\",\"}\"]"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        want_structure(rf_str_of(good[i]), RF_REASON_NONE, 0);
    }
}

static void test_structure_refuses(void **state)
{
    (void)state;
    WANT("", RF_REASON_UNFINISHED, 0);
    WANT("  ", RF_REASON_UNFINISHED, 2);
    WANT("{", RF_REASON_UNFINISHED, 1);
    WANT("[1,", RF_REASON_UNFINISHED, 3);
    WANT("{\"a\"", RF_REASON_UNFINISHED, 4);
    WANT("{\"a\":1", RF_REASON_UNFINISHED, 6);
    WANT("{\"a\":1,}", RF_REASON_UNEXPECTED, 7);
    WANT("[1,]", RF_REASON_UNEXPECTED, 3);
    WANT("[,1]", RF_REASON_UNEXPECTED, 1);
    WANT("[1 2]", RF_REASON_UNEXPECTED, 3);
    WANT("[1:2]", RF_REASON_UNEXPECTED, 2);
    WANT("{\"a\" 1}", RF_REASON_UNEXPECTED, 5);
    WANT("{\"a\":1 \"b\":2}", RF_REASON_UNEXPECTED, 7);
    WANT("{\"a\"::1}", RF_REASON_UNEXPECTED, 5);
    WANT("{a:1}", RF_REASON_UNEXPECTED, 1);
    WANT("{1:1}", RF_REASON_UNEXPECTED, 1);
    WANT("{,\"a\":1}", RF_REASON_UNEXPECTED, 1);
    WANT("{[1]}", RF_REASON_UNEXPECTED, 1);
    WANT("{\"a\":]", RF_REASON_UNEXPECTED, 5);
    WANT("{\"a\":1]", RF_REASON_BRACKET, 6);
    WANT("[1}", RF_REASON_BRACKET, 2);
    WANT("[}", RF_REASON_BRACKET, 1);
    WANT("{]", RF_REASON_BRACKET, 1);
    WANT("]", RF_REASON_UNEXPECTED, 0);
    WANT(",", RF_REASON_UNEXPECTED, 0);
    WANT("1 2", RF_REASON_EXTRA, 2);
    WANT("{}{}", RF_REASON_EXTRA, 2);
    WANT("[]]", RF_REASON_EXTRA, 2);
    WANT("1,", RF_REASON_EXTRA, 1);
    WANT("\xef\xbb\xbf{}", RF_REASON_EXTRA, 3);
    WANT("\"abc", RF_REASON_OPEN_STRING, 0);
    WANT("[\"abc\\\"]", RF_REASON_OPEN_STRING, 1);
    WANT("{\"a\":\"}", RF_REASON_OPEN_STRING, 5);
    WANT("\"\\", RF_REASON_OPEN_STRING, 0);
    WANT("{\"a\":1}\0", RF_REASON_EXTRA, 7);
}

static void test_depth(void **state)
{
    (void)state;
    struct rf_tree tree;
    assert_int_equal(read_at_depth(&tree, RF_STR("[[1]]"), 3).reason, RF_REASON_NONE);
    assert_int_equal(read_at_depth(&tree, RF_STR("[[1]]"), 2).reason, RF_REASON_NONE);
    struct rf_malformed malformed = read_at_depth(&tree, RF_STR("[[1]]"), 1);
    assert_int_equal(malformed.reason, RF_REASON_DEEP);
    assert_int_equal(malformed.offset, 1);
    assert_int_equal(read_at_depth(&tree, RF_STR("[]"), 0).reason, RF_REASON_DEEP);
    assert_int_equal(read_at_depth(&tree, RF_STR("1"), 0).reason, RF_REASON_NONE);
    assert_int_equal(read_at_depth(&tree, RF_STR("[[],[],[]]"), 2).reason, RF_REASON_NONE);
}

/* A million opening brackets: bounded, without recursion. */
static void test_depth_hostile(void **state)
{
    (void)state;
    enum { COUNT = 1000000 };
    char *text = malloc(COUNT);
    assert_non_null(text);
    memset(text, '[', COUNT);
    struct rf_arena large;
    rf_arena_init(&large, (size_t)64 * COUNT);
    struct rf_tree tree;
    struct rf_malformed malformed;
    assert_int_equal(rf_tree_read(&tree, (struct rf_str){text, COUNT}, UINT32_MAX, &large, &malformed, &err), RF_OK);
    assert_int_equal(malformed.reason, RF_REASON_UNFINISHED);
    rf_arena_free(&large);
    rf_arena_init(&large, COUNT); /* too small for the tree */
    assert_int_equal(rf_tree_read(&tree, (struct rf_str){text, COUNT}, 5, &large, &malformed, &err), RF_E_MEMORY);
    rf_arena_free(&large);
    free(text);
}

static void test_tree_text(void **state)
{
    (void)state;
    struct rf_tree tree;
    read_good(&tree, " { \"a\" : [ 1 , \"x\" ] } ");
    assert_true(rf_str_equal(rf_tree_text(&tree, 0), RF_STR("{ \"a\" : [ 1 , \"x\" ] }")));
    assert_true(rf_str_equal(rf_tree_text(&tree, 1), RF_STR("[ 1 , \"x\" ]")));
    assert_true(rf_str_equal(rf_tree_text(&tree, 2), RF_STR("1")));
    assert_true(rf_str_equal(rf_tree_inside(&tree, 3), RF_STR("x")));
    assert_int_equal(tree.node[0].next, 4);
    assert_int_equal(tree.node[1].count, 2);
}

static void test_tree_member(void **state)
{
    (void)state;
    struct rf_tree tree;
    read_good(&tree, "{\"a\":{\"b\":1},\"b\":2,\"\\u0062\":3,\"\":4,\"\\ud800\":5,\"b\\q\":6,\"a\\nb\":7}");
    assert_true(rf_str_equal(rf_tree_text(&tree, rf_tree_member(&tree, 0, RF_STR("b"), &arena)), RF_STR("3")));
    assert_true(rf_str_equal(rf_tree_text(&tree, rf_tree_member(&tree, 0, RF_STR(""), &arena)), RF_STR("4")));
    assert_true(rf_str_equal(rf_tree_text(&tree, rf_tree_member(&tree, 0, RF_STR("a\nb"), &arena)), RF_STR("7")));
    const uint32_t a = rf_tree_member(&tree, 0, RF_STR("a"), &arena);
    assert_true(rf_str_equal(rf_tree_text(&tree, rf_tree_member(&tree, a, RF_STR("b"), &arena)), RF_STR("1")));
    assert_int_equal(rf_tree_member(&tree, 0, RF_STR("b\\q"), &arena), RF_NONE);
    assert_int_equal(rf_tree_member(&tree, 0, RF_STR("\\ud800"), &arena), RF_NONE);
    assert_int_equal(rf_tree_member(&tree, 0, RF_STR("c"), &arena), RF_NONE);
    assert_int_equal(rf_tree_member(&tree, rf_tree_member(&tree, a, RF_STR("b"), &arena), RF_STR("x"), &arena),
                     RF_NONE);
    read_good(&tree, "[1]");
    assert_int_equal(rf_tree_member(&tree, 0, RF_STR("0"), &arena), RF_NONE);
}

static void test_tree_element(void **state)
{
    (void)state;
    struct rf_tree tree;
    read_good(&tree, "[7,[8,9],10]");
    assert_true(rf_str_equal(rf_tree_text(&tree, rf_tree_element(&tree, 0, 0)), RF_STR("7")));
    assert_true(rf_str_equal(rf_tree_text(&tree, rf_tree_element(&tree, 0, 2)), RF_STR("10")));
    assert_int_equal(rf_tree_element(&tree, 0, 3), RF_NONE);
    assert_int_equal(rf_tree_element(&tree, 0, SIZE_MAX), RF_NONE);
    assert_int_equal(rf_tree_element(&tree, 1, 0), RF_NONE);
    read_good(&tree, "{\"0\":1}");
    assert_int_equal(rf_tree_element(&tree, 0, 0), RF_NONE);
}

static void want_check(const char *text, bool is_deep, enum rf_reason reason, unsigned offset)
{
    struct rf_tree tree;
    read_good(&tree, text);
    struct rf_malformed malformed = {.reason = RF_REASON_NONE};
    rf_tree_check(&tree, 0, is_deep, &malformed);
    if (malformed.reason != reason || malformed.offset != offset) {
        print_error("%s: %s at %u\n", text, rf_reason_text(malformed.reason), malformed.offset);
    }
    assert_int_equal(malformed.reason, reason);
    assert_int_equal(malformed.offset, offset);
}

static void test_tree_check(void **state)
{
    (void)state;
    want_check("true", true, RF_REASON_NONE, 0);
    want_check("-0.5e+3", true, RF_REASON_NONE, 0);
    want_check("1e400", true, RF_REASON_NONE, 0);
    want_check("tru", false, RF_REASON_LITERAL, 0);
    want_check("+1", false, RF_REASON_LITERAL, 0);
    want_check(" 007", false, RF_REASON_NUMBER, 1);
    want_check("-", false, RF_REASON_NUMBER, 0);
    want_check("\"ab\\q\"", false, RF_REASON_ESCAPE, 3);
    want_check("\"\\ud800\"", false, RF_REASON_SURROGATE, 1);
    want_check("\"a\x01\"", false, RF_REASON_CONTROL, 2);
    want_check("\"ab\xff\"", false, RF_REASON_UTF8, 3);
    want_check("[nul]", false, RF_REASON_NONE, 0);
    want_check("[nul]", true, RF_REASON_LITERAL, 1);
    want_check("{\"a\\q\":1}", false, RF_REASON_NONE, 0);
    want_check("{\"a\\q\":1}", true, RF_REASON_ESCAPE, 3);
    want_check("[1,{\"a\":[\"\\u12\"]},x]", true, RF_REASON_ESCAPE, 10);
    want_check("\xc3\xa9", true, RF_REASON_LITERAL, 0);
}

static struct rf_trie_node path(uint32_t parent, struct rf_str key, uint32_t slot)
{
    return (struct rf_trie_node){.parent = parent, .step = {.key = key}, .slot = slot};
}

static void want_paths(const struct rf_program *program, const char *text, enum rf_reason reason, unsigned offset)
{
    struct rf_tree tree;
    read_good(&tree, text);
    struct rf_malformed malformed = {.reason = RF_REASON_NONE};
    assert_int_equal(rf_tree_check_paths(&tree, program, &arena, &malformed, &err), RF_OK);
    assert_int_equal(malformed.reason, reason);
    assert_int_equal(malformed.offset, offset);
}

/* msg.a (hidden), msg.a.b, msg.c (deep), msg.c[1] */
static void test_tree_check_paths(void **state)
{
    (void)state;
    struct rf_slot slot[] = {{.is_hidden = true}, {0}, {.is_deep = true}, {0}};
    struct rf_trie_node node[] = {path(RF_NONE, RF_STR(""), RF_NONE),
                                  path(0, RF_STR("a"), 0),
                                  path(1, RF_STR("b"), 1),
                                  path(0, RF_STR("c"), 2),
                                  {.parent = 3, .step = {.is_index = true, .index = 1}, .slot = 3}};
    const struct rf_program program = {.slot = slot, .slots = 4, .node = node, .nodes = 5};
    want_paths(&program, "{\"a\":{\"b\":1}}", RF_REASON_NONE, 0);
    want_paths(&program, "{\"z\":nul}", RF_REASON_NONE, 0);
    want_paths(&program, "tru", RF_REASON_NONE, 0);
    want_paths(&program, "{\"a\":nul}", RF_REASON_LITERAL, 5);
    want_paths(&program, "{\"a\":{\"b\":01,\"x\":02}}", RF_REASON_NUMBER, 10);
    want_paths(&program, "{\"a\":{\"x\":02}}", RF_REASON_NONE, 0);
    want_paths(&program, "{\"c\":[{\"x\":02}]}", RF_REASON_NUMBER, 11);
    /* Of equal keys only the last is looked into. */
    want_paths(&program, "{\"a\":{\"b\":01},\"a\":{}}", RF_REASON_NONE, 0);
    want_paths(&program, "{\"a\":{\"b\":01,\"b\":2}}", RF_REASON_NONE, 0);
    /* The first problem in byte order, whatever the order of the paths. */
    want_paths(&program, "{\"c\":x,\"a\":y}", RF_REASON_LITERAL, 5);
    want_paths(&program, "{\"a\":x,\"c\":y}", RF_REASON_LITERAL, 5);
}

/* Where the same paths lead: the last of equal keys, also of those written with escapes. */
static void test_tree_place_paths(void **state)
{
    (void)state;
    struct rf_slot slot[] = {{.is_hidden = true}, {0}, {0}};
    struct rf_trie_node node[] = {path(RF_NONE, RF_STR(""), RF_NONE),
                                  path(0, RF_STR("a"), 0),
                                  path(1, RF_STR("b"), 1),
                                  {.parent = 1, .step = {.is_index = true, .index = 1}, .slot = 2}};
    const struct rf_program program = {.slot = slot, .slots = 3, .node = node, .nodes = 4};
    static const struct {
        const char *text;
        uint32_t place[3]; /* of a, a.b, a[1] */
    } cases[] = {
        {"{\"a\":{\"b\":1}}", {1, 2, RF_NONE}},
        {"{\"a\":{\"b\":1,\"c\":2,\"\\u0062\":3}}", {1, 4, RF_NONE}},
        {"{\"b\":0,\"\\u0061\":[5,[6],7]}", {2, RF_NONE, 4}},
        {"{\"a\":1,\"a\\q\":2}", {1, RF_NONE, RF_NONE}},
        {"{\"b\":{\"a\":1}}", {RF_NONE, RF_NONE, RF_NONE}},
        {"7", {RF_NONE, RF_NONE, RF_NONE}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rf_tree tree;
        uint32_t place[4];
        struct rf_malformed malformed = {.reason = RF_REASON_NONE};
        read_good(&tree, cases[i].text);
        rf_tree_place_paths(&tree, &program, place, &arena, &malformed);
        assert_int_equal(malformed.reason, RF_REASON_NONE);
        assert_int_equal(place[0], 0);
        assert_memory_equal(place + 1, cases[i].place, sizeof cases[i].place);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_structure_accepts),
        cmocka_unit_test(test_structure_refuses),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_depth_hostile),
        cmocka_unit_test(test_tree_text),
        cmocka_unit_test(test_tree_member),
        cmocka_unit_test(test_tree_element),
        cmocka_unit_test(test_tree_check),
        cmocka_unit_test(test_tree_check_paths),
        cmocka_unit_test(test_tree_place_paths),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
