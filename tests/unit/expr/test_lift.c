/* test_lift.c: which literals become columns, and what is tried in their place. */
#include "expr_fixture.h"

#include <math.h>

#include "lift.h"

static struct rf_arena arena;
static struct rf_lifted lifted;

/* Lifts the literals of a source; the tree afterwards is `text`. */
static void lifts_to(const char *source, const char *text)
{
    const struct rf_declaration declaration = {.name = RF_STR("x"), .type = RF_STR("")};
    const struct rf_env env = {.declaration = &declaration, .declarations = 1};
    struct rf_diagnostic diagnostic;
    struct rf_error err = {0};
    struct rf_node *tree = NULL;
    uint32_t locals;
    rf_arena_init(&arena, 64 << 20);
    lifted = (struct rf_lifted){0};
    fixture_ok(rf_parse(rf_str_of(source), &arena, &tree, &diagnostic, &err), &err);
    fixture_ok(rf_resolve(&tree, rf_str_of(source), &env, NULL, &arena, &locals, &diagnostic, &err), &err);
    fixture_ok(rf_lift(tree, 1, &arena, &lifted, &err), &err);
    assert_string_equal(fixture_text(tree), text);
}

/* The value of lifted literal i, as JSON. */
static void assert_value(uint32_t i, const char *json)
{
    struct rf_text out = {0};
    struct rf_error err = {0};
    assert_true(i < lifted.count);
    fixture_ok(rf_value_write_json(&out, lifted.value[i], &err), &err);
    fixture_ok(rf_text_append_char(&out, '\0', &err), &err);
    assert_string_equal(out.data, json);
    rf_text_free(&out);
}

static void test_rf_lift_scalars(void **state)
{
    (void)state;
    lifts_to("1 < -2", "literal 1 < literal 2");
    assert_int_equal(lifted.count, 2);
    assert_value(0, "1");
    assert_value(1, "-2");
    rf_arena_free(&arena);
    lifts_to(
        "x == null || 'a' + 'b' == string(b'c') && 2u > 0u && 1.5 > x && true",
        "x == literal 1 || literal 2 + literal 3 == string(literal 4) && literal 5 > literal 6 && literal 7 > x && "
        "literal 8");
    assert_int_equal(lifted.count, 8);
    assert_value(0, "null");
    assert_value(3, "\"Yw==\"");
    assert_value(7, "true");
    rf_arena_free(&arena);
    lifts_to("x", "x");
    assert_int_equal(lifted.count, 0);
    rf_arena_free(&arena);
}

static void test_rf_lift_numbers(void **state)
{
    (void)state;
    struct rf_error err = {0};
    struct rf_node node = {.kind = RF_NODE_LITERAL, .depth = 1, .literal = rf_value_int(7)};
    lifts_to("1", "literal 1");
    fixture_ok(rf_lift(&node, 5, &arena, &lifted, &err), &err);
    assert_int_equal(node.kind, RF_NODE_BINDING);
    assert_int_equal(node.local, 6); /* behind the declared ones and the literals of the tree before */
    assert_int_equal(lifted.count, 2);
    assert_value(0, "1");
    assert_value(1, "7");
    rf_arena_free(&arena);
}

static void test_rf_lift_lists(void **state)
{
    (void)state;
    lifts_to("2 in [1, 2, 3]", "literal 1 in literal 2");
    assert_value(1, "[1,2,3]");
    rf_arena_free(&arena);
    lifts_to("[[1], [], {'a': 2}]", "literal 1");
    assert_value(0, "[[1],[],{\"a\":2}]");
    rf_arena_free(&arena);
    lifts_to("[x, 1, [2]].map(e, e + 1)", "[x, literal 1, literal 2].map(e, e + literal 3)");
    assert_value(1, "[2]");
    rf_arena_free(&arena);
}

static void test_rf_lift_what_stays(void **state)
{
    (void)state;
    lifts_to("'abc'.matches('a' + '.')", "matches(literal 1, \"a\" + \".\")");
    rf_arena_free(&arena);
    lifts_to("glob('abc', 'a*')", "glob(literal 1, \"a*\")");
    rf_arena_free(&arena);
    lifts_to("'%d'.format([1])", "\"%d\".format(literal 1)");
    assert_value(0, "[1]");
    rf_arena_free(&arena);
    lifts_to("timestamp('2020-01-01T00:00:00Z').getHours('UTC')", "timestamp(literal 1).getHours(\"UTC\")");
    rf_arena_free(&arena);
    lifts_to("[1, 2][0] == x['a'] && x[x[1] + 1] == 3", "literal 1[0] == x.a && x[x[1] + literal 2] == literal 3");
    rf_arena_free(&arena);
    lifts_to("{'a': 1}.a == {'b': x, 'c': 2}.c", "{\"a\": 1}.a == {\"b\": x, \"c\": literal 1}.c");
    rf_arena_free(&arena);
    lifts_to("type(1) == int", "type(literal 1) == int");
    rf_arena_free(&arena);
    /* Equal keys are an error of the evaluation. */
    lifts_to("{'a': 1, 'a': 2}", "{\"a\": literal 1, \"a\": literal 2}");
    rf_arena_free(&arena);
}

static void test_rf_lift_bound(void **state)
{
    (void)state;
    struct rf_text source = {0};
    struct rf_error err = {0};
    struct rf_diagnostic diagnostic;
    struct rf_node *tree = NULL;
    fixture_ok(rf_text_append_char(&source, '[', &err), &err);
    for (int i = 0; i < RF_LIFT_MAX; i++) {
        fixture_ok(rf_text_append(&source, RF_STR("1 + "), &err), &err);
        fixture_ok(rf_text_append(&source, i % 100 == 99 ? RF_STR("2, ") : RF_STR(""), &err), &err);
    }
    fixture_ok(rf_text_append(&source, RF_STR("2]"), &err), &err);
    rf_arena_init(&arena, 64 << 20);
    lifted = (struct rf_lifted){0};
    fixture_ok(rf_parse(rf_text_str(&source), &arena, &tree, &diagnostic, &err), &err);
    fixture_ok(rf_lift(tree, 0, &arena, &lifted, &err), &err);
    assert_int_equal(lifted.count, RF_LIFT_MAX);
    rf_arena_free(&arena);
    /* And when memory ends. */
    struct rf_arena small;
    struct rf_node node = {.kind = RF_NODE_LITERAL, .depth = 1, .literal = rf_value_int(7)};
    rf_arena_init(&small, 8);
    lifted = (struct rf_lifted){0};
    assert_int_equal(rf_lift(&node, 0, &small, &lifted, &err), RF_E_LIMIT);
    rf_arena_free(&small);
    rf_text_free(&source);
}

/* ---- Neighbours ---- */

static bool has_type(const struct rf_value *value, uint32_t count, enum rf_type type)
{
    for (uint32_t i = 0; i < count; i++) {
        if (value[i].type == type) {
            return true;
        }
    }
    return false;
}

static bool has_value(const struct rf_value *value, uint32_t count, struct rf_value wanted)
{
    for (uint32_t i = 0; i < count; i++) {
        if (value[i].type == wanted.type && rf_value_match(value[i], wanted) == RF_EQUALITY_SAME) {
            return true;
        }
    }
    return false;
}

static struct rf_value list_of(struct rf_value *item, size_t count)
{
    static struct rf_list list;
    list = (struct rf_list){.count = count, .item = item};
    return (struct rf_value){.type = RF_TYPE_LIST, .list = &list};
}

static void test_rf_lift_neighbours(void **state)
{
    (void)state;
    static const struct rf_map no_map = {0};
    struct rf_value one[1] = {rf_value_int(1)};
    const struct rf_value samples[] = {
        rf_value_null(),
        rf_value_bool(true),
        rf_value_int(0),
        rf_value_int(INT64_MAX),
        rf_value_int(INT64_MIN),
        rf_value_uint(0),
        rf_value_uint(UINT64_MAX),
        rf_value_double(1.5),
        rf_value_double((double)NAN),
        rf_value_double((double)INFINITY),
        rf_value_string(RF_STR("")),
        rf_value_string(RF_STR("caf\xC3\xA9")),
        {.type = RF_TYPE_BYTES, .text = RF_STR("\xFF")},
        list_of(one, 1),
        {.type = RF_TYPE_MAP, .map = &no_map},
        rf_value_instant((struct rf_instant){RF_INSTANT_SECONDS_MAX, 999999999}),
        rf_value_duration(INT64_MAX),
        rf_value_type(RF_TYPE_INT),
        {.type = RF_TYPE_DYN},
    };
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        struct rf_value near[RF_LIFT_NEIGHBOURS_MAX];
        rf_arena_init(&arena, 1 << 20);
        const uint32_t count = rf_lift_neighbours(samples[i], &arena, near);
        assert_in_range(count, 5, RF_LIFT_NEIGHBOURS_MAX);
        assert_true(has_type(near, count, RF_TYPE_DYN)); /* a missing one */
        assert_false(has_type(near, count, RF_TYPE_ERROR));
        bool has_other = false;
        for (uint32_t k = 0; k < count; k++) {
            has_other = has_other || (near[k].type != samples[i].type && near[k].type != RF_TYPE_DYN);
        }
        assert_true(has_other);
        rf_arena_free(&arena);
        /* The same again with next to no memory: fewer, but no failure. */
        rf_arena_init(&arena, 64);
        assert_in_range(rf_lift_neighbours(samples[i], &arena, near), 1, RF_LIFT_NEIGHBOURS_MAX);
        rf_arena_free(&arena);
    }
}

static void test_rf_lift_neighbours_near(void **state)
{
    (void)state;
    struct rf_value near[RF_LIFT_NEIGHBOURS_MAX];
    rf_arena_init(&arena, 1 << 20);
    uint32_t count = rf_lift_neighbours(rf_value_int(5), &arena, near);
    assert_true(has_value(near, count, rf_value_int(6)));
    assert_true(has_value(near, count, rf_value_int(4)));
    assert_true(has_value(near, count, rf_value_int(-5)));
    assert_true(has_value(near, count, rf_value_double(5)));
    assert_true(has_value(near, count, rf_value_uint(5)));
    count = rf_lift_neighbours(rf_value_string(RF_STR("caf\xC3\xA9")), &arena, near);
    assert_true(has_value(near, count, rf_value_string(RF_STR("caf"))));
    assert_true(has_value(near, count, rf_value_string(RF_STR("CAF\xC3\xA9"))));
    assert_true(has_value(near, count, rf_value_string(RF_STR(""))));
    struct rf_value item[2] = {rf_value_int(1), rf_value_int(2)};
    count = rf_lift_neighbours(list_of(item, 2), &arena, near);
    assert_true(has_value(near, count, list_of(item, 1)));
    assert_true(has_value(near, count, list_of(item, 0)));
    rf_arena_free(&arena);
}

/* ---- In rf_compile ---- */

static void test_rf_compile_lifts(void **state)
{
    (void)state;
    const struct rf_str source = RF_STR("price > 1 + 2");
    struct rf_compiled compiled;
    struct rf_diagnostic diagnostic;
    struct rf_error err = {0};
    uint32_t failed;
    const struct rf_compile_options options = {.is_lifting = true};
    fixture_ok(rf_compile(NULL, 0, &source, 1, options, &compiled, &diagnostic, &failed, &err), &err);
    assert_int_equal(compiled.lifted_count, 2);
    assert_int_equal(compiled.lifted[1].exact.as.i, 2);
    assert_string_equal(fixture_text(compiled.projection[0]), "msg.price > literal 1 + literal 2");
    rf_compiled_close(&compiled);
    fixture_compile(&compiled, "price > 1 + 2");
    assert_int_equal(compiled.lifted_count, 0);
    rf_compiled_close(&compiled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_lift_scalars),         cmocka_unit_test(test_rf_lift_numbers),
        cmocka_unit_test(test_rf_lift_lists),           cmocka_unit_test(test_rf_lift_what_stays),
        cmocka_unit_test(test_rf_lift_bound),           cmocka_unit_test(test_rf_lift_neighbours),
        cmocka_unit_test(test_rf_lift_neighbours_near), cmocka_unit_test(test_rf_compile_lifts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
