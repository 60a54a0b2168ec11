#include "expr_fixture.h"

#include "resolve_state.h"
#include "substitute.h"

enum { DEFINITIONS_MAX = 40 };

struct names { /* definitions of a test, made one after the other */
    struct rf_arena arena;
    struct rf_definition definition[DEFINITIONS_MAX];
    struct rf_env env;
    struct rf_diagnostic diagnostic;
    struct rf_error err;
    uint32_t locals;
};

static void names_open(struct names *names)
{
    *names = (struct names){0};
    rf_arena_init(&names->arena, (size_t)256 << 20);
    names->env = (struct rf_env){.has_payload = true, .definition = names->definition};
}

static enum rf_status names_resolve(struct names *names, const char *source, struct rf_node **tree)
{
    fixture_ok(rf_parse(rf_str_of(source), &names->arena, tree, &names->diagnostic, &names->err), &names->err);
    return rf_resolve(tree, rf_str_of(source), &names->env, NULL, &names->arena, &names->locals, &names->diagnostic,
                      &names->err);
}

/* Names must be given in their order. */
static void names_add(struct names *names, const char *name, const char *source)
{
    struct rf_node *tree;
    fixture_ok(names_resolve(names, source, &tree), &names->err);
    names->definition[names->env.definitions++] = (struct rf_definition){
        .name = rf_str_of(name), .tree = tree, .nodes = rf_tree_count(tree), .locals = names->locals};
}

static void resolves(struct names *names, const char *source, const char *wanted)
{
    struct rf_node *tree;
    fixture_ok(names_resolve(names, source, &tree), &names->err);
    assert_string_equal(fixture_text(tree), wanted);
}

static void refused(struct names *names, const char *source, const char *wanted)
{
    struct rf_node *tree;
    assert_int_equal(names_resolve(names, source, &tree), RF_E_EXPR);
    assert_string_equal(names->err.text, wanted);
}

static void test_rf_resolve_definition(void **state)
{
    struct names names;
    (void)state;
    names_open(&names);
    names_add(&names, "big", "qty > 500");
    names_add(&names, "both", "big && price > 1");
    names_add(&names, "some", "items.exists(x, x > 1)");
    names_add(&names, "venue", "msg.market.venue");
    resolves(&names, "big", "msg.qty > 500");
    resolves(&names, "!big || both", "!(msg.qty > 500) || msg.qty > 500 && msg.price > 1");
    resolves(&names, "venue.mic == 'X'", "msg.market.venue.mic == \"X\"");
    resolves(&names, "venue['a b'] == 1", "msg.market.venue[\"a b\"] == 1");
    resolves(&names, "msg.big && .both && x.some", "msg.big && msg.both && msg.x.some");
    resolves(&names, "venue.startsWith('X')", "msg.market.venue.startsWith(\"X\")");
    resolves(&names, "has(venue.mic)", "has(msg.market.venue.mic)");
    rf_arena_free(&names.arena);
}

/* A definition with a macro inside of a macro: its variable is another one, and what it calls x is not x outside. */
static void test_rf_resolve_definition_is_hygienic(void **state)
{
    struct names names;
    struct rf_node *tree;
    (void)state;
    names_open(&names);
    names_add(&names, "free", "x > 1");
    names_add(&names, "some", "items.exists(x, x > 1)");
    fixture_ok(names_resolve(&names, "a.exists(x, x == 2 && some && free)", &tree), &names.err);
    assert_int_equal(names.locals, 2);
    const struct rf_node *body = tree->arg[1];
    const struct rf_node *some = body->arg[0]->arg[1];
    assert_int_equal(tree->local, 0);
    assert_int_equal(some->kind, RF_NODE_MACRO);
    assert_int_equal(some->local, 1);
    assert_int_equal(some->arg[1]->arg[0]->local, 1);
    assert_int_equal(body->arg[1]->arg[0]->kind, RF_NODE_SELECT); /* of free: msg.x, not the variable */
    rf_arena_free(&names.arena);
}

static void test_rf_resolver_is_defined(void **state)
{
    static const struct rf_parameter parameter[] = {{.name = {"t", 1}}};
    struct names names;
    struct rf_node *tree;
    (void)state;
    names_open(&names);
    names_add(&names, "big", "qty > 500");
    names.definition[names.env.definitions++] =
        (struct rf_definition){.name = RF_STR("later"), .refusal = "cannot be used yet"};
    names.env.parameter = parameter;
    names.env.parameters = 1;
    refused(&names, "a > 1 && later", "1:10: 'later' cannot be used yet");
    refused(&names, "a.exists(big, big > 1)", "1:10: the variable 'big' would hide what this name is defined as; rename it");
    refused(&names, "a.exists(t, t > 1)", "1:10: the variable 't' would hide what this name is defined as; rename it");
    fixture_ok(names_resolve(&names, "a > t", &tree), &names.err);
    assert_int_equal(tree->arg[1]->kind, RF_NODE_PARAMETER);
    assert_true(tree->has_parameter);
    rf_arena_free(&names.arena);
}

/* Each doubles what the one before is made of: refused at the bound, not expanded. */
static void test_rf_resolve_definition_bounds(void **state)
{
    static char name[DEFINITIONS_MAX][4];
    struct names names;
    struct rf_node *tree;
    enum rf_status status = RF_OK;
    uint32_t i = 0;
    (void)state;
    names_open(&names);
    names_add(&names, "d00", "a");
    for (i = 1; i < DEFINITIONS_MAX; i++) {
        char source[32];
        (void)snprintf(name[i], sizeof name[i], "d%02u", i);
        (void)snprintf(source, sizeof source, "d%02u && d%02u", i - 1, i - 1);
        status = names_resolve(&names, source, &tree);
        if (status != RF_OK) {
            break;
        }
        names.definition[names.env.definitions++] =
            (struct rf_definition){.name = {name[i], 3}, .tree = tree, .nodes = rf_tree_count(tree)};
    }
    /* 2 nodes for msg.a: d14 has 3 * 2^14 - 1 = 49151 nodes, and two of it are too many. */
    assert_int_equal(status, RF_E_EXPR);
    assert_int_equal(i, 15);
    assert_string_equal(names.err.text, "1:8: with what its names stand for the expression has more than 65536 parts");
    rf_arena_free(&names.arena);
}

static void deep(struct names *names, char *source, uint32_t nots)
{
    memset(source, '!', nots);
    (void)snprintf(source + nots, 8, "d00");
    (void)names;
}

static void test_rf_resolve_definition_depth(void **state)
{
    struct names names;
    struct rf_node *tree;
    char source[300];
    (void)state;
    names_open(&names);
    memset(source, '!', 100);
    (void)snprintf(source + 100, 8, "a");
    names_add(&names, "d00", source); /* 102 levels: msg.a has two */
    deep(&names, source, 153);
    fixture_ok(names_resolve(&names, source, &tree), &names.err);
    deep(&names, source, 154);
    fixture_ok(names_resolve(&names, source, &tree), &names.err);
    deep(&names, source, 155);
    refused(&names, source, "1:1: with what its names stand for the expression is nested deeper than 256 levels");
    rf_arena_free(&names.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_resolve_definition),
        cmocka_unit_test(test_rf_resolve_definition_is_hygienic),
        cmocka_unit_test(test_rf_resolver_is_defined),
        cmocka_unit_test(test_rf_resolve_definition_bounds),
        cmocka_unit_test(test_rf_resolve_definition_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
