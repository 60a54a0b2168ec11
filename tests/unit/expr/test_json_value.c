/* json_value.h: values out of the tree, all the way to text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arena_fixture.h"
#include "json_value.h"

enum { DEPTH_MAX = 64 };

static struct rf_error err;

static void read_at_depth(struct rf_tree *tree, struct rf_str text, uint32_t depth_max)
{
    struct rf_malformed malformed;
    assert_int_equal(rf_tree_read(tree, text, depth_max, &arena, &malformed, &err), RF_OK);
    assert_int_equal(malformed.reason, RF_REASON_NONE);
}

static void read_good(struct rf_tree *tree, const char *text)
{
    read_at_depth(tree, rf_str_of(text), DEPTH_MAX);
}

static void want_value(const char *text, const char *json)
{
    struct rf_tree tree;
    read_good(&tree, text);
    struct rf_text out = {0};
    assert_int_equal(rf_value_write_json(&out, rf_json_value(&tree, 0, &arena), &err), RF_OK);
    assert_true(rf_str_equal(rf_text_str(&out), rf_str_of(json)));
    rf_text_free(&out);
}

static void test_json_value(void **state)
{
    (void)state;
    want_value("null", "null");
    want_value(" 1.50 ", "1.50");
    want_value("1e400", "1e400");
    want_value("\"a\\u0041\\n\"", "\"aA\\n\"");
    want_value("[ ]", "[]");
    want_value("{ }", "{}");
    want_value("[[],[1,[2,{}]],{\"a\":[]}]", "[[],[1,[2,{}]],{\"a\":[]}]");
    want_value("{\"a\":1,\"b\":2,\"\\u0061\":{\"c\":[true,false,null]}}", "{\"a\":{\"c\":[true,false,null]},\"b\":2}");
    want_value("[1e400]", "[1e400]");
    struct rf_tree tree;
    read_good(&tree, "9007199254740993");
    const struct rf_value big = rf_json_value(&tree, 0, &arena);
    assert_true(big.type == RF_TYPE_DOUBLE && big.is_message && big.exact.kind == RF_NUMBER_INT);
    read_good(&tree, "[1,nul]");
    const struct rf_value bad = rf_json_value(&tree, 0, &arena);
    assert_non_null(rf_value_find_error(&bad));
}

static void test_json_value_depth(void **state)
{
    (void)state;
    for (uint32_t depth = RF_JSON_VALUE_DEPTH_MAX - 1; depth <= RF_JSON_VALUE_DEPTH_MAX + 1; depth++) {
        char text[2 * (RF_JSON_VALUE_DEPTH_MAX + 1)];
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        struct rf_tree tree;
        read_at_depth(&tree, (struct rf_str){text, 2 * depth}, 65536);
        const struct rf_value value = rf_json_value(&tree, 0, &arena);
        assert_int_equal(value.type, RF_TYPE_LIST);
        assert_int_equal(rf_value_find_error(&value) != NULL, depth > RF_JSON_VALUE_DEPTH_MAX);
    }
}

static void test_json_type(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum rf_type type;
    } rows[] = {{"null", RF_TYPE_NULL},   {"true", RF_TYPE_BOOL}, {"1", RF_TYPE_DOUBLE}, {"1e999", RF_TYPE_DOUBLE},
                {"\"\"", RF_TYPE_STRING}, {"[]", RF_TYPE_LIST},   {"{}", RF_TYPE_MAP},   {"x", RF_TYPE_ERROR}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rf_tree tree;
        read_good(&tree, rows[i].text);
        assert_int_equal(rf_json_type(&tree, 0), rows[i].type);
    }
}

/* Texts point into the record where they can: no copy of what has no escapes. */
static void test_json_value_borrows(void **state)
{
    (void)state;
    static const char text[] = "[\"plain\",\"esc\\u0061ped\"]";
    struct rf_tree tree;
    read_good(&tree, text);
    const struct rf_value value = rf_json_value(&tree, 0, &arena);
    assert_true(value.list->item[0].text.data == text + 2);
    assert_true(rf_str_equal(value.list->item[1].text, RF_STR("escaped")));
}

/* A full arena is an error value, whatever was being made. */
static void test_json_value_no_room(void **state)
{
    (void)state;
    struct rf_tree tree;
    read_good(&tree, "{\"a\":[1,2,3,[4,5,{\"b\":\"\\n\"}]],\"c\":{}}");
    bool was_made = false;
    for (size_t bytes = 0; bytes < 8192 && !was_made; bytes += 16) {
        struct rf_arena small;
        rf_arena_init(&small, bytes);
        const struct rf_value value = rf_json_value(&tree, 0, &small);
        was_made = value.type == RF_TYPE_MAP && rf_value_find_error(&value) == NULL;
        assert_true(was_made || rf_value_find_error(&value) != NULL);
        rf_arena_free(&small);
    }
    assert_true(was_made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_value),         cmocka_unit_test(test_json_value_depth),
        cmocka_unit_test(test_json_value_borrows), cmocka_unit_test(test_json_value_no_room),
        cmocka_unit_test(test_json_type),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
