#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arena_fixture.h"
#include "check_signature.h"
#include "check_type.h"

/* A new unifier in the arena of the test. */
static struct rf_error err;

static struct rf_unifier unifier_make(void)
{
    struct rf_unifier unifier;
    err = (struct rf_error){0};
    rf_unifier_init(&unifier, &arena, &err);
    return unifier;
}

static const struct rf_check_type *type_of(struct rf_unifier *unifier, const char *text)
{
    const struct rf_check_type *type = rf_check_type_read(unifier, rf_str_of(text));
    if (type == NULL) {
        fail_msg("%s: %s", text, err.text);
    }
    return type;
}

static void assert_text(const struct rf_check_type *type, const char *expected)
{
    struct rf_text out = {0};
    assert_int_equal(rf_check_type_write(&out, type, &err), RF_OK);
    assert_int_equal(rf_text_append_char(&out, '\0', &err), RF_OK);
    assert_string_equal(out.data, expected);
    rf_text_free(&out);
}

static bool fits_one(struct rf_unifier *unifier, const struct rf_check_type *given, const struct rf_check_type *wanted)
{
    return rf_unifier_fits(unifier, &given, &wanted, 1);
}

static void test_rf_check_type_plain(void **state)
{
    (void)state;
    for (int kind = RF_CHECK_DYN; kind <= RF_CHECK_TYPE; kind++) {
        const struct rf_check_type *type = rf_check_type_plain((enum rf_check_kind)kind);
        assert_int_equal(type->kind, kind);
        assert_text(type, rf_check_kind_name((enum rf_check_kind)kind));
    }
}

static void test_rf_check_kind_name(void **state)
{
    (void)state;
    assert_string_equal(rf_check_kind_name(RF_CHECK_NULL), "null_type");
    assert_string_equal(rf_check_kind_name(RF_CHECK_TIMESTAMP), "timestamp");
    assert_string_equal(rf_check_kind_name(RF_CHECK_NAMED), "");
}

static void test_rf_check_type_is_optional(void **state)
{
    (void)state;
    struct rf_unifier unifier = unifier_make();
    assert_true(rf_check_type_is_optional(type_of(&unifier, "optional_type(int)")));
    assert_false(rf_check_type_is_optional(type_of(&unifier, "list(int)")));
    assert_false(rf_check_type_is_optional(type_of(&unifier, "tuple(int)")));
}

static void test_rf_unifier_type(void **state)
{
    (void)state;
    struct rf_unifier unifier = unifier_make();
    const struct rf_check_type *const arg[] = {type_of(&unifier, "int"), type_of(&unifier, "list(string)")};
    const struct rf_check_type *pair = rf_unifier_type(&unifier, RF_CHECK_NAMED, RF_STR("pair"), arg, 2);
    assert_text(pair, "pair(int, list(string))");
    assert_int_equal(pair->nodes, 4);
    assert_int_equal(pair->depth, 3);
    assert_text(rf_unifier_list(&unifier, pair), "list(pair(int, list(string)))");
    assert_text(rf_unifier_map(&unifier, arg[0], arg[1]), "map(int, list(string))");
    assert_text(rf_unifier_optional(&unifier, arg[1]), "optional_type(list(string))");
    assert_text(rf_unifier_parameter(&unifier, 1), "param(B)");
}

/* Depth and size at their bounds, and one beyond. */
static void test_bounds_of_types(void **state)
{
    (void)state;
    struct rf_unifier unifier = unifier_make();
    const struct rf_check_type *type = rf_check_type_plain(RF_CHECK_INT);
    for (int depth = 1; depth < RF_CHECK_DEPTH_MAX; depth++) {
        type = rf_unifier_list(&unifier, type);
        assert_non_null(type);
    }
    assert_null(rf_unifier_list(&unifier, type));
    assert_int_equal(unifier.status, RF_E_LIMIT);

    unifier = unifier_make();
    type = rf_check_type_plain(RF_CHECK_INT);
    for (int level = 1; level < 12; level++) { /* 2^12 - 1 nodes, in 11 of them */
        type = rf_unifier_map(&unifier, type, type);
    }
    assert_int_equal(type->nodes, RF_CHECK_NODES_MAX - 1);
    type = rf_unifier_list(&unifier, type);
    assert_int_equal(type->nodes, RF_CHECK_NODES_MAX);
    assert_null(rf_unifier_list(&unifier, type));
    assert_int_equal(unifier.status, RF_E_LIMIT);
    assert_int_equal(err.status, RF_E_LIMIT);
}

static void test_rf_unifier_variable(void **state)
{
    (void)state;
    struct rf_unifier unifier = unifier_make();
    const struct rf_check_type *v = rf_unifier_variable(&unifier);
    const struct rf_check_type *list = rf_unifier_list(&unifier, v);
    assert_text(list, "list(dyn)");
    assert_true(fits_one(&unifier, list, type_of(&unifier, "list(int)")));
    assert_text(list, "list(int)");
    /* What is known is widened, not replaced. */
    assert_false(fits_one(&unifier, list, type_of(&unifier, "list(string)")));
    assert_text(list, "list(int)");
    assert_true(fits_one(&unifier, list, type_of(&unifier, "list(dyn)")));
    assert_text(list, "list(dyn)");
    assert_int_equal(unifier.status, RF_OK);
}

static void test_rf_check_type_head(void **state)
{
    (void)state;
    struct rf_unifier unifier = unifier_make();
    const struct rf_check_type *a = rf_unifier_variable(&unifier);
    const struct rf_check_type *b = rf_unifier_variable(&unifier);
    assert_ptr_equal(rf_check_type_head(a), a);
    assert_true(fits_one(&unifier, a, b));
    assert_ptr_equal(rf_check_type_head(a), rf_check_type_head(b));
    assert_true(fits_one(&unifier, b, rf_check_type_plain(RF_CHECK_INT)));
    assert_int_equal(rf_check_type_head(a)->kind, RF_CHECK_INT);
    assert_int_equal(rf_check_type_head(b)->kind, RF_CHECK_INT);
}

static void test_rf_unifier_substitute(void **state)
{
    (void)state;
    struct rf_unifier unifier = unifier_make();
    const struct rf_check_type *v = rf_unifier_variable(&unifier);
    const struct rf_check_type *open = rf_unifier_variable(&unifier);
    const struct rf_check_type *map = rf_unifier_map(&unifier, v, open);
    assert_ptr_equal(rf_unifier_substitute(&unifier, map), map);
    assert_true(fits_one(&unifier, v, rf_check_type_plain(RF_CHECK_INT)));
    const struct rf_check_type *made = rf_unifier_substitute(&unifier, map);
    assert_text(made, "map(int, dyn)");
    assert_ptr_equal(made->arg[1], open);
    /* A type is what it was when it was made. */
    assert_true(fits_one(&unifier, v, rf_check_type_plain(RF_CHECK_DYN)));
    assert_text(map, "map(dyn, dyn)");
    assert_text(made, "map(int, dyn)");
    const struct rf_check_type *closed = type_of(&unifier, "list(map(int, string))");
    assert_ptr_equal(rf_unifier_substitute(&unifier, closed), closed);
}

static void test_rf_unifier_instantiate(void **state)
{
    (void)state;
    struct rf_unifier unifier = unifier_make();
    const struct rf_check_type *map =
        rf_unifier_map(&unifier, rf_unifier_parameter(&unifier, 0), rf_unifier_parameter(&unifier, 1));
    const struct rf_check_type *const variable[] = {rf_unifier_variable(&unifier), rf_check_type_plain(RF_CHECK_INT)};
    const struct rf_check_type *made = rf_unifier_instantiate(&unifier, map, variable);
    assert_ptr_equal(made->arg[0], variable[0]);
    assert_ptr_equal(made->arg[1], variable[1]);
    assert_false(made->has_parameter);
    const struct rf_check_type *closed = type_of(&unifier, "list(int)");
    assert_ptr_equal(rf_unifier_instantiate(&unifier, closed, NULL), closed);
}

struct pair_case {
    const char *a;
    const char *b;
    const char *joined; /* a before b; NULL: neither fits the other */
};

/* What fits what is symmetric; which of two types is the more general one is not asked for by their order either. */
static const struct pair_case pair_cases[] = {
    {"int", "int", "int"},
    {"int", "uint", NULL},
    {"int", "double", NULL},
    {"int", "dyn", "dyn"},
    {"int", "null_type", NULL},
    {"string", "bytes", NULL},
    {"null_type", "null_type", "null_type"},
    {"timestamp", "null_type", "timestamp"},
    {"duration", "null_type", "duration"},
    {"optional_type(int)", "null_type", "optional_type(int)"},
    {"foo.Message", "null_type", "foo.Message"},
    {"wrapper(int)", "null_type", "wrapper(int)"},
    {"wrapper(int)", "int", "wrapper(int)"},
    {"wrapper(int)", "uint", NULL},
    {"wrapper(int)", "wrapper(uint)", NULL},
    {"wrapper(int)", "dyn", "dyn"},
    {"list(int)", "list(int)", "list(int)"},
    {"list(int)", "list(dyn)", "list(dyn)"},
    {"list(int)", "list(string)", NULL},
    {"list(int)", "null_type", NULL},
    {"list(int)", "map(int, int)", NULL},
    {"list(wrapper(int))", "list(int)", "list(wrapper(int))"},
    {"map(string, int)", "map(string, dyn)", "map(string, dyn)"},
    {"map(dyn, int)", "map(string, int)", "map(dyn, int)"},
    {"map(string, int)", "map(int, int)", NULL},
    {"optional_type(int)", "optional_type(dyn)", "optional_type(dyn)"},
    {"optional_type(int)", "optional_type(string)", NULL},
    {"optional_type(int)", "tuple(int)", NULL},
    {"tuple(int)", "tuple(int, int)", NULL},
    {"tuple(int, uint)", "tuple(dyn, dyn)", "tuple(dyn, dyn)"},
    {"foo.Message", "foo.Other", NULL},
    {"type(int)", "type", "type(int)"},
    {"timestamp", "duration", NULL},
};

static void test_rf_unifier_fits(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pair_cases / sizeof pair_cases[0]; i++) {
        struct rf_unifier unifier = unifier_make();
        const struct rf_check_type *a = type_of(&unifier, pair_cases[i].a);
        const struct rf_check_type *b = type_of(&unifier, pair_cases[i].b);
        const bool is_fitting = pair_cases[i].joined != NULL;
        if (fits_one(&unifier, a, b) != is_fitting || fits_one(&unifier, b, a) != is_fitting) {
            fail_msg("%s and %s", pair_cases[i].a, pair_cases[i].b);
        }
        assert_int_equal(unifier.status, RF_OK);
    }
}

static void test_rf_unifier_join(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pair_cases / sizeof pair_cases[0]; i++) {
        struct rf_unifier unifier = unifier_make();
        const struct rf_check_type *a = type_of(&unifier, pair_cases[i].a);
        const struct rf_check_type *b = type_of(&unifier, pair_cases[i].b);
        const char *joined = pair_cases[i].joined != NULL ? pair_cases[i].joined : "dyn";
        assert_text(rf_unifier_join(&unifier, a, b), joined);
        if (a->kind != RF_CHECK_TYPE) { /* any type is as general as any other: the first one stays */
            assert_text(rf_unifier_join(&unifier, b, a), joined);
        }
        assert_ptr_equal(rf_unifier_join(&unifier, NULL, a), a);
    }
}

/* All or nothing: the first pair binds, the second fails, and nothing was bound. */
static void test_fits_undoes(void **state)
{
    (void)state;
    struct rf_unifier unifier = unifier_make();
    const struct rf_check_type *v = rf_unifier_variable(&unifier);
    const struct rf_check_type *w = rf_unifier_variable(&unifier);
    const struct rf_check_type *given[] = {v, rf_check_type_plain(RF_CHECK_STRING)};
    const struct rf_check_type *wanted[] = {rf_check_type_plain(RF_CHECK_INT), rf_check_type_plain(RF_CHECK_INT)};
    assert_false(rf_unifier_fits(&unifier, given, wanted, 2));
    assert_ptr_equal(rf_check_type_head(v), v);
    /* A binding that was there before comes back. */
    assert_true(fits_one(&unifier, w, rf_check_type_plain(RF_CHECK_STRING)));
    given[0] = w;
    wanted[0] = rf_check_type_plain(RF_CHECK_DYN);
    assert_false(rf_unifier_fits(&unifier, given, wanted, 2));
    assert_int_equal(rf_check_type_head(w)->kind, RF_CHECK_STRING);
    assert_true(rf_unifier_fits(&unifier, given, wanted, 0));
}

/* v is no list of v, neither directly nor through other variables. */
static void test_fits_ends(void **state)
{
    (void)state;
    struct rf_unifier unifier = unifier_make();
    const struct rf_check_type *v = rf_unifier_variable(&unifier);
    const struct rf_check_type *w = rf_unifier_variable(&unifier);
    const struct rf_check_type *list_v = rf_unifier_list(&unifier, v);
    const struct rf_check_type *list_w = rf_unifier_list(&unifier, w);
    assert_true(fits_one(&unifier, v, v));
    assert_false(fits_one(&unifier, v, list_v));
    assert_false(fits_one(&unifier, list_v, v));
    assert_true(fits_one(&unifier, w, list_v));
    assert_false(fits_one(&unifier, v, list_w));
    assert_text(w, "list(dyn)");
    assert_int_equal(unifier.status, RF_OK);
}

static void test_rf_unifier_is_same(void **state)
{
    (void)state;
    struct rf_unifier unifier = unifier_make();
    assert_true(rf_unifier_is_same(&unifier, type_of(&unifier, "map(int, list(dyn))"),
                                   type_of(&unifier, "map(int, list(dyn))")));
    assert_false(rf_unifier_is_same(&unifier, type_of(&unifier, "list(int)"), type_of(&unifier, "list(dyn)")));
    assert_false(rf_unifier_is_same(&unifier, type_of(&unifier, "a(int)"), type_of(&unifier, "b(int)")));
    const struct rf_check_type *v = rf_unifier_variable(&unifier);
    assert_true(rf_unifier_is_same(&unifier, v, v));
    assert_false(rf_unifier_is_same(&unifier, v, rf_unifier_variable(&unifier)));
}

/* A tower of variables, each bound to a map of the one below twice: a level doubles what there is to look at. */
static const struct rf_check_type *tower_grow(struct rf_unifier *unifier, const struct rf_check_type *below, int levels)
{
    for (int level = 0; level < levels; level++) {
        const struct rf_check_type *above = rf_unifier_variable(unifier);
        if (!fits_one(unifier, rf_unifier_map(unifier, below, below), above)) {
            return NULL;
        }
        below = above;
    }
    return below;
}

static void test_steps_are_bounded(void **state)
{
    (void)state;
    struct rf_unifier unifier = unifier_make();
    const struct rf_check_type *low = tower_grow(&unifier, rf_unifier_variable(&unifier), 11);
    assert_non_null(low);
    struct rf_text out = {0};
    assert_int_equal(rf_check_type_write(&out, low, &err), RF_OK); /* 2^12 - 1 nodes */
    const size_t count = out.count;
    assert_true(count > RF_CHECK_NODES_MAX);
    const struct rf_check_type *high = tower_grow(&unifier, low, 1);
    assert_non_null(high);
    assert_int_equal(rf_check_type_write(&out, high, &err), RF_E_LIMIT);
    assert_int_equal(out.count, count);
    rf_text_free(&out);
    assert_null(rf_unifier_substitute(&unifier, high));
    assert_int_equal(unifier.status, RF_E_LIMIT);

    unifier = unifier_make();
    assert_null(tower_grow(&unifier, rf_unifier_variable(&unifier), 40));
    assert_int_equal(unifier.status, RF_E_LIMIT);
    assert_int_equal(unifier.steps, RF_CHECK_STEPS_MAX);
}

/* A chain of variables is followed as deep as a type may be. */
static void test_chains_are_bounded(void **state)
{
    (void)state;
    struct rf_unifier unifier = unifier_make();
    const struct rf_check_type *last = rf_unifier_variable(&unifier);
    const struct rf_check_type *const first = last;
    for (int i = 0; i < 2 * RF_CHECK_DEPTH_MAX; i++) {
        const struct rf_check_type *next = rf_unifier_variable(&unifier);
        assert_true(fits_one(&unifier, last, next));
        last = next;
    }
    assert_ptr_equal(rf_check_type_head(last), first);
    assert_false(fits_one(&unifier, rf_check_type_plain(RF_CHECK_INT), last));
    assert_int_equal(unifier.status, RF_E_LIMIT);
    assert_ptr_equal(rf_check_type_head(last), first);
}

static void test_full_arena(void **state)
{
    (void)state;
    struct rf_unifier unifier = unifier_make();
    const struct rf_check_type *v = rf_unifier_variable(&unifier);
    arena.bytes_max = arena.bytes_used;
    assert_null(rf_unifier_list(&unifier, v));
    assert_int_equal(unifier.status, RF_E_LIMIT);
    unifier = unifier_make();
    assert_null(rf_unifier_variable(&unifier));
    assert_int_equal(unifier.status, RF_E_LIMIT);
    unifier = unifier_make();
    assert_null(rf_unifier_parameter(&unifier, 0));
    unifier = unifier_make();
    assert_false(fits_one(&unifier, v, rf_check_type_plain(RF_CHECK_INT)));
    assert_int_equal(unifier.status, RF_E_LIMIT);
    assert_ptr_equal(rf_check_type_head(v), v);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_rf_check_type_plain),
        TEST(test_rf_check_kind_name),
        TEST(test_rf_check_type_is_optional),
        TEST(test_rf_unifier_type),
        TEST(test_bounds_of_types),
        TEST(test_rf_unifier_variable),
        TEST(test_rf_check_type_head),
        TEST(test_rf_unifier_substitute),
        TEST(test_rf_unifier_instantiate),
        TEST(test_rf_unifier_fits),
        TEST(test_rf_unifier_join),
        TEST(test_fits_undoes),
        TEST(test_fits_ends),
        TEST(test_rf_unifier_is_same),
        TEST(test_steps_are_bounded),
        TEST(test_chains_are_bounded),
        TEST(test_full_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
