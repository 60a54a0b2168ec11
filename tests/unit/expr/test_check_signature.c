#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arena_fixture.h"
#include "check_signature.h"
#include "function.h"

static struct rf_error err;

static struct rf_unifier unifier_make(void)
{
    struct rf_unifier unifier;
    err = (struct rf_error){0};
    rf_unifier_init(&unifier, &arena, &err);
    return unifier;
}

static void assert_text(const struct rf_check_type *type, const char *expected)
{
    struct rf_text out = {0};
    assert_int_equal(rf_check_type_write(&out, type, &err), RF_OK);
    assert_int_equal(rf_text_append_char(&out, '\0', &err), RF_OK);
    assert_string_equal(out.data, expected);
    rf_text_free(&out);
}

struct text_case {
    const char *text;
    const char *written; /* NULL: as it is */
};

static const struct text_case text_cases[] = {
    {"int", NULL},
    {"null_type", NULL},
    {"timestamp", NULL},
    {"list(int)", NULL},
    {"map(string, list(map(int, dyn)))", NULL},
    {"optional_type(optional_type(bool))", NULL},
    {"type", NULL},
    {"type(list(int))", NULL},
    {"wrapper(string)", NULL},
    {"net.IP", NULL},
    {"foo.Bar_2", NULL},
    {"tuple(int, tuple(uint), double)", NULL},
    {"T", NULL}, /* a name like others where parameters are written param(T) */
    {"", "dyn"},
    {"  ", "dyn"},
    {" map ( string ,int ) ", "map(string, int)"},
    {"list", "list(dyn)"},
    {"map", "map(dyn, dyn)"},
    {"optional_type", "optional_type(dyn)"},
    {"optional(int)", "optional_type(int)"},
    {"any", "dyn"},
    {"null", "null_type"},
    {"ip", "net.IP"},
    {"google.protobuf.Timestamp", "timestamp"},
    {"google.protobuf.Duration", "duration"},
    {"google.protobuf.Any", "dyn"},
    {"google.protobuf.Value", "dyn"},
    {"google.protobuf.Struct", "map(string, dyn)"},
    {"google.protobuf.ListValue", "list(dyn)"},
    {"list(google.protobuf.Int32Value)", "list(wrapper(int))"},
    {"google.protobuf.FloatValue", "wrapper(double)"},
};

struct refused_case {
    const char *text;
    const char *said; /* part of the message */
};

static const struct refused_case refused_cases[] = {
    {"list(", "the name of a type at byte 5"},
    {"list(int", "',' or ')' at byte 8"},
    {"list(int))", "the end at byte 9"},
    {"list(int, int)", "other types between the parentheses"},
    {"list()", "the name of a type at byte 5"},
    {"map(int)", "other types between the parentheses"},
    {"int(int)", "other types between the parentheses"},
    {"optional_type(int, int)", "other types between the parentheses"},
    {"type(int, int)", "other types between the parentheses"},
    {"wrapper", "other types between the parentheses"},
    {"wrapper(list(int))", "other types between the parentheses"},
    {"google.protobuf.Struct(int)", "the end at byte 22"},
    {"1", "the name of a type at byte 0"},
    {"int int", "the end at byte 4"},
    {"list(param(T))", "no type parameter"},
    {"param()", "param(NAME)"},
    {"param(T", "param(NAME)"},
    {"a(b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b)", "fewer types in a type"},
};

static void test_rf_check_type_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof text_cases / sizeof text_cases[0]; i++) {
        struct rf_unifier unifier = unifier_make();
        const struct rf_check_type *type = rf_check_type_read(&unifier, rf_str_of(text_cases[i].text));
        if (type == NULL) {
            fail_msg("%s: %s", text_cases[i].text, err.text);
        }
        assert_text(type, text_cases[i].written != NULL ? text_cases[i].written : text_cases[i].text);
    }
    struct rf_unifier unifier = unifier_make();
    assert_int_equal(rf_check_type_read(&unifier, (struct rf_str){NULL, 0})->kind, RF_CHECK_DYN);
    for (size_t i = 0; i < sizeof refused_cases / sizeof refused_cases[0]; i++) {
        unifier = unifier_make();
        assert_null(rf_check_type_read(&unifier, rf_str_of(refused_cases[i].text)));
        assert_int_equal(unifier.status, RF_E_CONFIG);
        if (!rf_str_contains(rf_str_of(err.text), rf_str_of(refused_cases[i].said))) {
            fail_msg("%s: %s", refused_cases[i].text, err.text);
        }
    }
}

/* A text of so many levels. */
static bool depth_is_read(int levels)
{
    char text[1024];
    size_t count = 0;
    for (int i = 1; i < levels; i++) {
        memcpy(text + count, "list(", 5);
        count += 5;
    }
    memcpy(text + count, "int", 3);
    count += 3;
    for (int i = 1; i < levels; i++) {
        text[count++] = ')';
    }
    struct rf_unifier unifier = unifier_make();
    return rf_check_type_read(&unifier, (struct rf_str){text, count}) != NULL;
}

static void test_depth_of_text(void **state)
{
    (void)state;
    assert_true(depth_is_read(32));
    assert_true(depth_is_read(33));
    assert_false(depth_is_read(34));
    assert_false(depth_is_read(150));
}

/* Every cut of a text is read or refused, never passed over. */
static void test_cut_texts(void **state)
{
    (void)state;
    static const char text[] = "map(param(K), list(foo.Bar(param(V), param(K))))";
    for (size_t count = 0; count < sizeof text - 1; count++) {
        struct rf_unifier unifier = unifier_make();
        const struct rf_str cut = rf_arena_copy(&arena, (struct rf_str){text, count});
        const struct rf_signature *signature = rf_signature_declare(&unifier, NULL, 0, cut);
        assert_true((signature == NULL) == (count != 3 && count != 2 && count != 1));
    }
}

static uint32_t signatures_count(const struct rf_signature *signature)
{
    uint32_t count = 0;
    for (; signature != NULL; signature = signature->next) {
        count++;
    }
    return count;
}

/* The whole table: each function that is no macro, and can be called, has a signature for each number of arguments that it takes; but
 * math.greatest and math.least, which take any number, only for the first ones. */
static void test_function_table(void **state)
{
    (void)state;
    for (unsigned f = 0; f < RF_FUNCTION_COUNT; f++) {
        const struct rf_function_info *info = rf_function_info((enum rf_function)f);
        struct rf_unifier unifier = unifier_make();
        const struct rf_signature *first = rf_signature_read(&unifier, rf_str_of(info->signatures));
        if (unifier.status != RF_OK) {
            fail_msg("%s: %s", info->text, err.text);
        }
        if (rf_function_is_macro((enum rf_function)f) || info->kind == RF_FUNCTION_INTERNAL) {
            assert_null(first);
            continue;
        }
        for (uint32_t args = info->args_min; args <= info->args_max && args <= 3; args++) {
            const struct rf_signature *signature = first;
            while (signature != NULL && signature->args != args) {
                signature = signature->next;
            }
            if (signature == NULL && !(f == RF_FN_GREATEST || f == RF_FN_LEAST)) {
                fail_msg("%s has no signature with %u arguments", info->text, args);
            }
        }
        for (const struct rf_signature *signature = first; signature != NULL; signature = signature->next) {
            assert_in_range(signature->args, info->args_min, info->args_max);
        }
    }
}

static void test_rf_signature_read(void **state)
{
    (void)state;
    struct rf_unifier unifier = unifier_make();
    const struct rf_signature *signature =
        rf_signature_read(&unifier, RF_STR("A,list(A)>bool; A,map(A,B)>optional(B); >list(A)"));
    assert_int_equal(signatures_count(signature), 3);
    assert_int_equal(signature->args, 2);
    assert_int_equal(signature->variables, 1);
    assert_text(signature->arg[1], "list(param(A))");
    assert_text(signature->result, "bool");
    assert_int_equal(signature->next->variables, 2);
    assert_text(signature->next->arg[1], "map(param(A), param(B))");
    assert_text(signature->next->result, "optional_type(param(B))");
    assert_int_equal(signature->next->next->args, 0);

    /* number: each of the three for each of the two, those of one type first. */
    signature = rf_signature_read(&unifier, RF_STR("number,number>bool; string>int"));
    assert_int_equal(signatures_count(signature), 10);
    assert_text(signature->arg[0], "int");
    assert_text(signature->arg[1], "int");
    assert_text(signature->next->arg[0], "uint");
    assert_text(signature->next->arg[1], "int");

    assert_null(rf_signature_read(&unifier, RF_STR("")));
    assert_int_equal(unifier.status, RF_OK);
    static const char *const refused[] = {
        "int",       "int>",       "int,>int", "int int>int",           "int>int int",
        "int>int;>", "A(int)>int", ",int>int", "A,B,C,D,E,F,G,H,I>int", "number,number,number,number,number>int"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        unifier = unifier_make();
        if (rf_signature_read(&unifier, rf_str_of(refused[i])) != NULL) {
            fail_msg("%s", refused[i]);
        }
        assert_int_equal(unifier.status, RF_E_CONFIG);
    }
}

static void test_rf_signature_declare(void **state)
{
    (void)state;
    struct rf_unifier unifier = unifier_make();
    const struct rf_str arg[] = {RF_STR("param(T)"), RF_STR("tuple(param(U), param(T))")};
    const struct rf_signature *signature = rf_signature_declare(&unifier, arg, 2, RF_STR("map(param(T), param(U))"));
    assert_int_equal(signature->args, 2);
    assert_int_equal(signature->variables, 2);
    assert_text(signature->arg[1], "tuple(param(B), param(A))");
    assert_text(signature->result, "map(param(A), param(B))");
    assert_null(signature->next);

    struct rf_str many[RF_SIGNATURE_ARGS_MAX + 1];
    for (size_t i = 0; i < RF_SIGNATURE_ARGS_MAX + 1; i++) {
        many[i] = RF_STR("int");
    }
    assert_non_null(rf_signature_declare(&unifier, many, RF_SIGNATURE_ARGS_MAX - 1, RF_STR("int")));
    assert_non_null(rf_signature_declare(&unifier, many, RF_SIGNATURE_ARGS_MAX, RF_STR("int")));
    assert_null(rf_signature_declare(&unifier, many, RF_SIGNATURE_ARGS_MAX + 1, RF_STR("int")));
    assert_int_equal(unifier.status, RF_E_CONFIG);

    unifier = unifier_make();
    assert_null(rf_signature_declare(&unifier, arg, 2, RF_STR("int>")));
    assert_int_equal(unifier.status, RF_E_CONFIG);
    unifier = unifier_make();
    assert_null(rf_signature_declare(&unifier, NULL, 0, RF_STR("")));
    assert_int_equal(unifier.status, RF_E_CONFIG);
}

static void test_full_arena(void **state)
{
    (void)state;
    arena.bytes_max = arena.bytes_used;
    struct rf_unifier unifier = unifier_make();
    assert_null(rf_check_type_read(&unifier, RF_STR("list(int)")));
    assert_int_equal(unifier.status, RF_E_LIMIT);
    unifier = unifier_make();
    assert_null(rf_signature_read(&unifier, RF_STR("int>int")));
    assert_int_equal(unifier.status, RF_E_LIMIT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_rf_check_type_read), TEST(test_depth_of_text),     TEST(test_cut_texts),
        TEST(test_function_table),     TEST(test_rf_signature_read), TEST(test_rf_signature_declare),
        TEST(test_full_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
