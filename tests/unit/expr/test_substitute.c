#include "expr_fixture.h"

#include "substitute.h"

/* The tree of a text in which p and q are parameters 0 and 1. */
static struct rf_node *parametric(struct rf_arena *arena, const char *source)
{
    static const struct rf_parameter parameter[] = {{.name = {"p", 1}}, {.name = {"q", 1}}};
    const struct rf_env env = {.has_payload = true, .parameter = parameter, .parameters = 2};
    struct rf_diagnostic diagnostic;
    struct rf_error err = {0};
    struct rf_node *tree = NULL;
    uint32_t locals;
    rf_arena_init(arena, 64 << 20);
    fixture_ok(rf_parse(rf_str_of(source), arena, &tree, &diagnostic, &err), &err);
    fixture_ok(rf_resolve(&tree, rf_str_of(source), &env, NULL, arena, &locals, &diagnostic, &err), &err);
    return tree;
}

static void becomes(const char *source, struct rf_value p, struct rf_value q, const char *wanted)
{
    struct rf_arena arena;
    struct rf_node *tree = parametric(&arena, source);
    char before[8192];
    (void)snprintf(before, sizeof before, "%s", fixture_text(tree));
    const struct rf_value value[] = {p, q};
    assert_string_equal(fixture_text(rf_tree_substitute(tree, value, &arena)), wanted);
    assert_string_equal(fixture_text(tree), before);
    rf_arena_free(&arena);
}

static void test_rf_tree_substitute(void **state)
{
    (void)state;
    becomes("price > p && qty >= q", rf_value_int(5), rf_value_double(0.5), "msg.price > 5 && msg.qty >= 0.5");
    becomes("p", rf_value_bool(true), rf_value_null(), "true");
    becomes("msg.p > p", rf_value_int(5), rf_value_null(), "msg.p > 5");
    becomes(".p > p", rf_value_int(5), rf_value_null(), "msg.p > 5");
    becomes("a.exists(x, x > p)", rf_value_int(5), rf_value_null(), "msg.a.exists(x, x > 5)");
    becomes("p.startsWith(q)", rf_value_string(RF_STR("ab")), rf_value_string(RF_STR("a")), "\"ab\".startsWith(\"a\")");
    becomes("a > 1", rf_value_int(5), rf_value_null(), "msg.a > 1");
    becomes("[p, {'k': q}]", rf_value_int(1), rf_value_int(2), "[1, {\"k\": 2}]");
}

static void test_rf_tree_substitute_shares(void **state)
{
    struct rf_arena arena;
    struct rf_node *tree = parametric(&arena, "a > 1 && b > p");
    const struct rf_value value[2] = {{.type = RF_TYPE_BOOL}};
    (void)state;
    const struct rf_node *copy = rf_tree_substitute(tree, value, &arena);
    assert_ptr_not_equal(copy, tree);
    assert_ptr_equal(copy->arg[0], tree->arg[0]);
    assert_ptr_not_equal(copy->arg[1], tree->arg[1]);
    assert_ptr_equal(copy->arg[1]->arg[0], tree->arg[1]->arg[0]);
    rf_arena_free(&arena);
    /* What a macro runs over decides the types in its body: none of it may be shared. */
    tree = parametric(&arena, "[p].exists(x, x > 1 || b)");
    copy = rf_tree_substitute(tree, value, &arena);
    assert_ptr_not_equal(copy->arg[1], tree->arg[1]);
    rf_arena_free(&arena);
    tree = parametric(&arena, "a > 1");
    assert_ptr_equal(rf_tree_substitute(tree, value, &arena), tree);
    rf_arena_free(&arena);
}

static void test_rf_tree_copy(void **state)
{
    struct rf_arena arena;
    struct rf_node *tree = fixture_parse(&arena, "a.exists(x, x > 1 && b.all(y, y == x))");
    (void)state;
    struct rf_node *copy = rf_tree_copy(tree, (struct rf_span){7, 9}, 5, &arena);
    char text[8192];
    (void)snprintf(text, sizeof text, "%s", fixture_text(tree));
    assert_string_equal(fixture_text(copy), text);
    assert_int_equal(copy->local, tree->local + 5);
    assert_int_equal(copy->span.begin, 7);
    assert_int_equal(copy->arg[1]->arg[0]->arg[0]->local, 5);
    assert_int_equal(copy->arg[1]->arg[0]->span.end, 9);
    rf_arena_free(&arena);
}

static void test_rf_tree_measure(void **state)
{
    struct rf_arena arena;
    struct rf_node *tree = parametric(&arena, "a + 1 > p || !b");
    (void)state;
    assert_int_equal(rf_tree_measure(tree), 5);
    assert_int_equal(rf_tree_count(tree), 10);
    assert_true(tree->has_parameter);
    assert_true(tree->arg[0]->has_parameter);
    assert_false(tree->arg[1]->has_parameter);
    rf_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_tree_substitute),
        cmocka_unit_test(test_rf_tree_substitute_shares),
        cmocka_unit_test(test_rf_tree_copy),
        cmocka_unit_test(test_rf_tree_measure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
