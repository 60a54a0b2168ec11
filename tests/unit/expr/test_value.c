/* value.h: equality and order on one number line, maps, JSON and CSV text. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "value.h"
#include "value_fixture.h"

static struct rf_value list_of(struct rf_list *list, const struct rf_value *item, size_t count)
{
    *list = (struct rf_list){.count = count, .item = item};
    return (struct rf_value){.type = RF_TYPE_LIST, .list = list};
}

static struct rf_value map_of(struct rf_arena *arena, struct rf_entry *entry, size_t count)
{
    bool has_twins = false;
    const struct rf_map *map = rf_map_make(arena, entry, count, RF_TWINS_LAST, &has_twins);
    assert_non_null(map);
    return (struct rf_value){.type = RF_TYPE_MAP, .map = map};
}

static void expect_json(struct rf_value value, const char *text)
{
    struct rf_text out = {0};
    struct rf_error err;
    assert_int_equal(rf_value_write_json(&out, value, &err), RF_OK);
    assert_int_equal(rf_text_append_char(&out, '\0', &err), RF_OK);
    assert_string_equal(out.data, text);
    rf_text_free(&out);
}

static void expect_csv(struct rf_value value, const char *text)
{
    struct rf_text out = {0};
    struct rf_error err;
    assert_int_equal(rf_text_append(&out, RF_STR("x,"), &err), RF_OK);
    assert_int_equal(rf_value_write_csv(&out, value, &err), RF_OK);
    assert_int_equal(rf_text_append_char(&out, '\0', &err), RF_OK);
    assert_string_equal(out.data + 2, text);
    rf_text_free(&out);
}

static void test_type_name(void **state)
{
    (void)state;
    assert_string_equal(rf_type_name(RF_TYPE_NULL), "null_type");
    assert_string_equal(rf_type_name(RF_TYPE_DYN), "dyn");
    assert_string_equal(rf_type_name(RF_TYPE_MAP), "map");
}

static void test_makers(void **state)
{
    (void)state;
    assert_int_equal(rf_value_null().type, RF_TYPE_NULL);
    assert_true(rf_value_bool(true).boolean);
    assert_int_equal(rf_value_int(-7).exact.as.i, -7);
    assert_true(rf_value_uint(UINT64_MAX).exact.as.u == UINT64_MAX);
    assert_true(rf_value_double(0.5).exact.as.d == 0.5);
    assert_true(rf_str_equal(rf_value_string(RF_STR("ab")).text, RF_STR("ab")));
    assert_true(rf_str_equal(rf_value_error("why").text, RF_STR("why")));
}

static void test_value_is_number(void **state)
{
    (void)state;
    assert_true(rf_value_is_number(rf_value_int(1)));
    assert_true(rf_value_is_number(rf_value_uint(1)));
    assert_true(rf_value_is_number(rf_value_double(NAN)));
    assert_false(rf_value_is_number(str("1")));
    assert_false(rf_value_is_number(rf_value_null()));
}

static void test_value_is_beyond_range(void **state)
{
    (void)state;
    assert_true(rf_value_is_beyond_range(message("1e400")));
    assert_true(rf_value_is_beyond_range(message("-1e400")));
    assert_false(rf_value_is_beyond_range(message("1e300")));
    assert_false(rf_value_is_beyond_range(rf_value_double(INFINITY)));
    struct rf_value quotient = rf_value_double(INFINITY); /* 1/0 of message numbers: has no token */
    quotient.is_message = true;
    assert_false(rf_value_is_beyond_range(quotient));
}

static void test_equal_numbers(void **state)
{
    (void)state;
    assert_true(is_same(rf_value_int(1), rf_value_double(1)));
    assert_true(is_same(rf_value_int(1), rf_value_uint(1)));
    assert_true(is_same(rf_value_double(-0.0), rf_value_int(0)));
    assert_false(is_same(rf_value_int(-1), rf_value_uint(UINT64_MAX)));
    assert_false(is_same(rf_value_int(9007199254740993), rf_value_double(9007199254740992.0)));
    assert_true(is_same(message("9007199254740993"), rf_value_int(9007199254740993)));
    assert_false(is_same(message("9007199254740993"), message("9007199254740992.0")));
    assert_false(is_same(rf_value_double(NAN), rf_value_double(NAN)));
}

static void test_equal_types(void **state)
{
    (void)state;
    assert_true(is_same(rf_value_null(), rf_value_null()));
    assert_false(is_same(rf_value_null(), rf_value_bool(false)));
    assert_false(is_same(rf_value_bool(true), rf_value_int(1)));
    assert_false(is_same(str("1"), rf_value_int(1)));
    assert_false(is_same(str("a"), bytes("a")));
    assert_true(is_same(bytes("a"), bytes("a")));
}

static void test_match_containers(void **state)
{
    (void)state;
    struct rf_arena arena;
    rf_arena_init(&arena, 1 << 20);
    struct rf_list l[4];
    const struct rf_value one[] = {rf_value_int(1), str("x")};
    const struct rf_value same[] = {rf_value_double(1.0), str("x")};
    const struct rf_value other[] = {rf_value_int(1), str("y")};
    const struct rf_value huge[] = {rf_value_int(1), message("1e400")};
    const struct rf_value a = list_of(&l[0], one, 2);
    assert_true(is_same(a, list_of(&l[1], same, 2)));
    assert_false(is_same(a, list_of(&l[1], other, 2)));
    assert_false(is_same(a, list_of(&l[1], same, 1)));
    assert_int_equal(rf_value_match(a, list_of(&l[1], huge, 2)), RF_EQUALITY_ERROR);
    assert_int_equal(rf_value_match(a, rf_value_null()), RF_EQUALITY_DIFFERENT);
    assert_int_equal(rf_value_match(rf_value_error("x"), rf_value_null()), RF_EQUALITY_ERROR);

    struct rf_entry e1[] = {{str("k"), rf_value_int(1)}, {str("l"), a}};
    struct rf_entry e2[] = {{str("l"), list_of(&l[2], same, 2)}, {str("k"), rf_value_uint(1)}};
    struct rf_entry e3[] = {{str("k"), rf_value_int(1)}, {str("m"), a}};
    const struct rf_value map = map_of(&arena, e1, 2);
    assert_true(is_same(map, map_of(&arena, e2, 2)));
    assert_false(is_same(map, map_of(&arena, e3, 2)));
    assert_false(is_same(map, a));
    assert_true(is_same(list_of(&l[3], NULL, 0), list_of(&l[1], NULL, 0)));
    rf_arena_free(&arena);
}

/* Lists in lists: `depth` of them around nothing. */
static struct rf_value nest(struct rf_arena *arena, size_t depth)
{
    struct rf_value value = rf_value_null();
    for (size_t i = 0; i < depth; i++) {
        struct rf_value *item = RF_PUSH(arena, struct rf_value, 1);
        struct rf_list *list = RF_PUSH(arena, struct rf_list, 1);
        assert_true(item != NULL && list != NULL);
        *item = value;
        value = list_of(list, item, 1);
    }
    return value;
}

static void test_depth_bound(void **state)
{
    (void)state;
    struct rf_arena arena;
    rf_arena_init(&arena, 16 << 20);
    struct rf_text out = {0};
    struct rf_error err;
    for (size_t depth = RF_VALUE_DEPTH_MAX - 1; depth <= RF_VALUE_DEPTH_MAX; depth++) {
        const struct rf_value deep = nest(&arena, depth);
        assert_int_equal(rf_value_match(deep, nest(&arena, depth)), RF_EQUALITY_SAME);
        assert_null(rf_value_find_error(&deep));
        rf_text_clear(&out);
        assert_int_equal(rf_value_write_json(&out, deep, &err), RF_OK);
        assert_int_equal(out.count, 2 * depth + 4);
    }
    const struct rf_value deeper = nest(&arena, RF_VALUE_DEPTH_MAX + 1);
    assert_int_equal(rf_value_match(deeper, deeper), RF_EQUALITY_ERROR);
    assert_int_equal(rf_value_write_json(&out, deeper, &err), RF_E_LIMIT);
    rf_text_free(&out);
    rf_arena_free(&arena);
}

static void test_value_order(void **state)
{
    (void)state;
    bool is_comparable = false;
    assert_int_equal(rf_value_order(rf_value_int(1), rf_value_double(1.5), &is_comparable), RF_ORDER_LESS);
    assert_true(is_comparable);
    assert_int_equal(rf_value_order(rf_value_uint(UINT64_MAX), rf_value_int(-1), &is_comparable), RF_ORDER_GREATER);
    assert_int_equal(rf_value_order(rf_value_double(NAN), rf_value_int(1), &is_comparable), RF_ORDER_NONE);
    assert_true(is_comparable);
    assert_int_equal(rf_value_order(str("a"), str("ab"), &is_comparable), RF_ORDER_LESS);
    assert_int_equal(rf_value_order(str("\xc3\xa9"), str("z"), &is_comparable), RF_ORDER_GREATER);
    assert_int_equal(rf_value_order(bytes("b"), bytes("a"), &is_comparable), RF_ORDER_GREATER);
    assert_int_equal(rf_value_order(rf_value_bool(false), rf_value_bool(true), &is_comparable), RF_ORDER_LESS);
    assert_true(is_comparable);
    (void)rf_value_order(str("1"), rf_value_int(1), &is_comparable);
    assert_false(is_comparable);
    (void)rf_value_order(rf_value_null(), rf_value_null(), &is_comparable);
    assert_false(is_comparable);
}

static void test_map_make_twins(void **state)
{
    (void)state;
    struct rf_arena arena;
    rf_arena_init(&arena, 1 << 20);
    bool has_twins = false;
    struct rf_entry few[] = {{str("a"), rf_value_int(1)}, {str("b"), rf_value_int(2)}, {str("a"), rf_value_int(3)}};
    const struct rf_map *map = rf_map_make(&arena, few, 3, RF_TWINS_LAST, &has_twins);
    assert_non_null(map);
    assert_true(has_twins);
    assert_int_equal(map->count, 2);
    assert_true(rf_str_equal(map->entry[0].key.text, RF_STR("a")));
    assert_int_equal(map->entry[0].value.exact.as.i, 3);
    struct rf_entry mixed[] = {{rf_value_int(1), rf_value_null()}, {rf_value_uint(1), rf_value_null()}};
    assert_null(rf_map_make(&arena, mixed, 2, RF_TWINS_REFUSED, &has_twins));
    assert_true(has_twins);
    rf_arena_free(&arena);
}

/* Large maps are sorted: the answers must be those of a plain search. */
static void test_map_find(void **state)
{
    (void)state;
    struct rf_arena arena;
    rf_arena_init(&arena, 16 << 20);
    enum { COUNT = 300 };
    struct rf_entry entry[COUNT];
    char text[COUNT][8];
    for (int i = 0; i < COUNT; i++) { /* 200 names, the first 100 of them twice */
        const int name = i * 7 % 200;
        (void)snprintf(text[i], sizeof text[i], "k%d", name);
        entry[i] = (struct rf_entry){str(text[i]), rf_value_int(i)};
    }
    bool has_twins = false;
    const struct rf_map *map = rf_map_make(&arena, entry, COUNT, RF_TWINS_LAST, &has_twins);
    assert_non_null(map);
    assert_true(has_twins);
    assert_int_equal(map->count, 200);
    for (int i = 0; i < 200; i++) {
        char name[8];
        (void)snprintf(name, sizeof name, "k%d", i * 7 % 200);
        const struct rf_entry *found = rf_map_find(map, str(name));
        assert_non_null(found);
        assert_int_equal(found->value.exact.as.i, i < 100 ? i + 200 : i);
        assert_true(rf_str_equal(map->entry[i].key.text, rf_str_of(name))); /* the order written */
    }
    assert_null(rf_map_find(map, str("k")));
    assert_null(rf_map_find(map, str("k999")));
    assert_null(rf_map_find(map, rf_value_int(1)));
    struct rf_entry numbers[] = {{rf_value_int(1), str("one")}, {rf_value_bool(true), str("yes")}};
    map = rf_map_make(&arena, numbers, 2, RF_TWINS_LAST, &has_twins);
    assert_non_null(rf_map_find(map, rf_value_double(1.0)));
    assert_null(rf_map_find(map, rf_value_double(1.5)));
    assert_true(rf_str_equal(rf_map_find(map, rf_value_bool(true))->value.text, RF_STR("yes")));
    assert_null(rf_map_find(map, rf_value_null()));
    rf_arena_free(&arena);
}

static void test_value_find_error(void **state)
{
    (void)state;
    struct rf_list inner, outer;
    const struct rf_value bad[] = {rf_value_int(1), rf_value_error("deep")};
    const struct rf_value item[] = {rf_value_null(), list_of(&inner, bad, 2)};
    const struct rf_value list = list_of(&outer, item, 2);
    assert_true(rf_value_find_error(&list) == &bad[1]);
    const struct rf_value good = list_of(&inner, bad, 1);
    assert_null(rf_value_find_error(&good));
    const struct rf_value error = rf_value_error("x");
    assert_true(rf_value_find_error(&error) == &error);
}

static void test_write_json(void **state)
{
    (void)state;
    struct rf_arena arena;
    rf_arena_init(&arena, 1 << 20);
    expect_json(rf_value_null(), "null");
    expect_json(rf_value_bool(true), "true");
    expect_json(rf_value_int(INT64_MIN), "-9223372036854775808");
    expect_json(rf_value_uint(UINT64_MAX), "18446744073709551615");
    expect_json(rf_value_double(20), "20");
    expect_json(rf_value_double(0.1), "0.1");
    expect_json(rf_value_double(NAN), "\"NaN\"");
    expect_json(rf_value_double(-INFINITY), "\"-Infinity\"");
    expect_json(message("1.10"), "1.10");
    expect_json(message("123456789012345678901"), "123456789012345678901");
    expect_json(message("1e400"), "1e400");
    expect_json(str("a\"b\n"), "\"a\\\"b\\n\"");
    expect_json(bytes(""), "\"\"");
    expect_json(bytes("f"), "\"Zg==\"");
    expect_json(bytes("fo"), "\"Zm8=\"");
    expect_json(bytes("foobar"), "\"Zm9vYmFy\"");
    expect_json(bytes("\xff\xfe\xfb"), "\"//77\"");
    struct rf_list empty, list;
    const struct rf_value item[] = {rf_value_int(1), list_of(&empty, NULL, 0), str("x")};
    struct rf_entry entry[] = {
        {str("l"), list_of(&list, item, 3)}, {rf_value_int(2), rf_value_null()}, {rf_value_bool(false), str("")}};
    expect_json(map_of(&arena, entry, 3), "{\"l\":[1,[],\"x\"],\"2\":null,\"false\":\"\"}");
    expect_json(map_of(&arena, NULL, 0), "{}");
    rf_arena_free(&arena);
}

static void test_write_csv(void **state)
{
    (void)state;
    expect_csv(rf_value_null(), "");
    expect_csv(str(""), "\"\"");
    expect_csv(str("plain text"), "plain text");
    expect_csv(str("a,b"), "\"a,b\"");
    expect_csv(str("say \"x\""), "\"say \"\"x\"\"\"");
    expect_csv(str("two\nlines"), "\"two\nlines\"");
    expect_csv(rf_value_double(NAN), "NaN");
    expect_csv(message("1.50"), "1.50");
    expect_csv(rf_value_bool(false), "false");
    expect_csv(bytes("f"), "Zg==");
    struct rf_list list;
    const struct rf_value item[] = {rf_value_int(1), str("x")};
    expect_csv(list_of(&list, item, 2), "\"[1,\"\"x\"\"]\"");
    expect_csv(list_of(&list, item, 1), "[1]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_type_name),        cmocka_unit_test(test_makers),
        cmocka_unit_test(test_value_is_number),  cmocka_unit_test(test_value_is_beyond_range),
        cmocka_unit_test(test_equal_numbers),    cmocka_unit_test(test_equal_types),
        cmocka_unit_test(test_match_containers), cmocka_unit_test(test_depth_bound),
        cmocka_unit_test(test_value_order),      cmocka_unit_test(test_map_make_twins),
        cmocka_unit_test(test_map_find),         cmocka_unit_test(test_value_find_error),
        cmocka_unit_test(test_write_json),       cmocka_unit_test(test_write_csv),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
