/* test_table.c: expressions over tables of values: every row as the interpreter has it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "table.h"

enum { ROWS_MAX = 16 };

static struct rf_error err;
static struct rf_compiled compiled;
static struct rf_arena arena;
static struct rf_value out[ROWS_MAX];
static struct rf_env env;

static void fixture_ok(enum rf_status status)
{
    if (status != RF_OK) {
        fail_msg("%s: %s", rf_status_name(status), err.text);
    }
}

/* x and y are declared. */
static void compile(const char *source, bool is_lifting)
{
    static struct rf_declaration declaration[2];
    struct rf_diagnostic diagnostic;
    uint32_t failed;
    const struct rf_str text = rf_str_of(source);
    declaration[0].name = RF_STR("x");
    declaration[1].name = RF_STR("y");
    env = (struct rf_env){.declaration = declaration, .declarations = 2};
    const struct rf_compile_options options = {.env = &env, .is_lifting = is_lifting, .plans_values = true};
    fixture_ok(rf_compile(NULL, 0, &text, 1, options, &compiled, &diagnostic, &failed, &err));
}

static void eval(const struct rf_value *binding, uint32_t rows, size_t arena_bytes)
{
    uint64_t host_rows = UINT64_MAX;
    assert_true(rows <= ROWS_MAX);
    rf_arena_init(&arena, arena_bytes);
    fixture_ok(rf_table_eval(&compiled, rf_isa_best(), binding, rows, &arena, out, &host_rows, &err));
    assert_true(host_rows <= rows);
    rf_compiled_close(&compiled); /* values must not be the interpreter's */
}

static void assert_out(uint32_t row, const char *json)
{
    struct rf_text text = {0};
    fixture_ok(rf_value_write_json(&text, out[row], &err));
    fixture_ok(rf_text_append_char(&text, '\0', &err));
    assert_string_equal(text.data, json);
    rf_text_free(&text);
}

static void assert_out_error(uint32_t row, const char *text)
{
    assert_int_equal(out[row].type, RF_TYPE_ERROR);
    assert_true(rf_str_equal(out[row].text, rf_str_of(text)));
}

static void test_rows(void **state)
{
    (void)state;
    const struct rf_value missing = {.type = RF_TYPE_DYN};
    const struct rf_value binding[8] = {
        rf_value_int(1), rf_value_int(2), rf_value_double(1), rf_value_double(2.5),
        rf_value_int(1), missing,         rf_value_int(1),    rf_value_string(RF_STR("a"))};
    compile("x + y", false);
    eval(binding, 4, 1 << 20);
    assert_out(0, "3");
    assert_out(1, "3.5");
    assert_out_error(2, "no such variable: y");
    assert_out_error(3, "no such overload: int + string");
    rf_arena_free(&arena);
    compile("x == 1 || y > 2", false);
    eval(binding, 4, 1 << 20);
    for (uint32_t row = 0; row < 4; row++) {
        assert_out(row, "true");
    }
    rf_arena_free(&arena);
    compile("1", false);
    eval(NULL, 0, 1 << 20);
    rf_arena_free(&arena);
}

static void test_lifted(void **state)
{
    (void)state;
    const struct rf_value missing = {.type = RF_TYPE_DYN};
    const struct rf_value binding[8] = {missing, missing, rf_value_int(1), rf_value_int(2),
                                        missing, missing, rf_value_int(5), rf_value_int(2)};
    compile("1 < 2", true);
    assert_int_equal(compiled.lifted_count, 2);
    eval(binding, 2, 1 << 20);
    assert_out(0, "true");
    assert_out(1, "false");
    rf_arena_free(&arena);
}

static void test_copies(void **state)
{
    (void)state;
    const struct rf_value binding[6] = {rf_value_string(RF_STR("a")),
                                        rf_value_int(1),
                                        rf_value_string(RF_STR("")),
                                        rf_value_int(2),
                                        rf_value_null(),
                                        rf_value_int(3)};
    compile("[{'k' + string(y): [x, optional.of([y]), optional.none()]}, ip('::1'), cidr('10.0.0.0/8'), b'a', "
            "type(x), duration('1s')]",
            false);
    eval(binding, 3, 1 << 20);
    assert_out(0, "[{\"k1\":[\"a\",[1],null]},\"::1\",\"10.0.0.0/8\",\"YQ==\",\"string\",\"1s\"]");
    assert_out(1, "[{\"k2\":[\"\",[2],null]},\"::1\",\"10.0.0.0/8\",\"YQ==\",\"string\",\"1s\"]");
    assert_out(2, "[{\"k3\":[null,[3],null]},\"::1\",\"10.0.0.0/8\",\"YQ==\",\"null_type\",\"1s\"]");
    rf_arena_free(&arena);
    /* A map that is searched by an index. */
    compile("[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].transformMap(i, e, e + y)", false);
    eval(binding, 2, 1 << 20);
    const struct rf_entry *entry = rf_map_find(out[1].map, rf_value_int(9));
    assert_non_null(entry);
    assert_int_equal(entry->value.exact.as.i, 11);
    rf_arena_free(&arena);
    compile("{'a': y, 'b': y, 'c': y, 'd': y, 'e': y, 'f': y, 'g': y, 'h': y, 'i': y, 'j': y}", false);
    eval(binding, 2, 1 << 20);
    entry = rf_map_find(out[1].map, rf_value_string(RF_STR("g")));
    assert_non_null(entry);
    assert_int_equal(entry->value.exact.as.i, 2);
    rf_arena_free(&arena);
}

/* Entries of the maps that a body gives: the same keys twice are an error, and so is a body that gives no map. */
static void test_entries(void **state)
{
    (void)state;
    static const struct rf_value item[] = {{.type = RF_TYPE_STRING, .text = {"a", 1}},
                                           {.type = RF_TYPE_STRING, .text = {"b", 1}},
                                           {.type = RF_TYPE_STRING, .text = {"a", 1}},
                                           {.type = RF_TYPE_NULL}};
    static const struct rf_list list[] = {{2, item}, {3, item}, {0, item}, {2, item + 2}, {1, item}};
    struct rf_value binding[10];
    for (size_t i = 0; i < 5; i++) {
        binding[2 * i] = (struct rf_value){.type = RF_TYPE_LIST, .list = &list[i]};
        binding[2 * i + 1] = rf_value_int((int64_t)i);
    }
    compile("x.transformMapEntry(i, v, {v: i, v + string(y): y})", false);
    eval(binding, 5, 1 << 20);
    assert_out(0, "{\"a\":0,\"a0\":0,\"b\":1,\"b0\":0}");
    assert_out_error(1, "two entries with the same key");
    assert_out(2, "{}");
    assert_int_equal(out[3].type, RF_TYPE_ERROR); /* null + "3" */
    assert_out(4, "{\"a\":0,\"a4\":4}");
    rf_arena_free(&arena);
    compile("x.transformMapEntry(i, v, v == 'b', y == 1 ? {v: 1} : {})", false);
    eval(binding, 3, 1 << 20);
    assert_out(0, "{}");
    assert_out(1, "{\"b\":1}");
    rf_arena_free(&arena);
    compile("x.transformMapEntry(i, v, y == 0 ? {v: 1} : v)", false);
    eval(binding, 3, 1 << 20);
    assert_out(0, "{\"a\":1,\"b\":1}");
    assert_out_error(1, "transformMapEntry() takes maps, not string");
    assert_out(2, "{}");
    rf_arena_free(&arena);
    compile("{'k': x, 'l': [y]}.transformMapEntry(k, v, {k + k: size(v)})", false);
    eval(binding, 1, 1 << 20);
    assert_out(0, "{\"kk\":2,\"ll\":1}");
    rf_arena_free(&arena);
}

/* More entries than are looked through for twins are the interpreter's. */
static void test_many_entries(void **state)
{
    (void)state;
    enum { MANY = 300 };
    static struct rf_value item[MANY];
    for (int i = 0; i < MANY; i++) {
        item[i] = rf_value_int(i);
    }
    static const struct rf_list list[] = {{256, item}, {257, item}, {MANY, item}};
    const struct rf_value binding[6] = {{.type = RF_TYPE_LIST, .list = &list[0]}, rf_value_int(0),
                                        {.type = RF_TYPE_LIST, .list = &list[1]}, rf_value_int(0),
                                        {.type = RF_TYPE_LIST, .list = &list[2]}, rf_value_int(0)};
    uint64_t host_rows = 0;
    compile("x.transformMapEntry(i, v, {v: i + y})", false);
    rf_arena_init(&arena, 1 << 22);
    fixture_ok(rf_table_eval(&compiled, rf_isa_best(), binding, 3, &arena, out, &host_rows, &err));
    assert_int_equal(host_rows, 2);
    for (uint32_t row = 0; row < 3; row++) {
        assert_int_equal(out[row].map->count, list[row].count);
        for (size_t i = 0; i < list[row].count; i++) {
            assert_int_equal(out[row].map->entry[i].key.exact.as.i, i);
            assert_int_equal(out[row].map->entry[i].value.exact.as.i, i);
        }
    }
    rf_compiled_close(&compiled);
    rf_arena_free(&arena);
}

/* Addresses, optionals and errors that are constant. */
static void test_constants(void **state)
{
    (void)state;
    const struct rf_value binding[4] = {rf_value_string(RF_STR("10.0.0.1")), rf_value_int(1),
                                        rf_value_string(RF_STR("10.0.0")), rf_value_int(2)};
    compile("[ip(x) == ip('10.0.0.1'), ip(x) in [ip('::1'), ip('10.0.0.1')], cidr('10.0.0.0/8').containsIP(x)]", false);
    eval(binding, 2, 1 << 20);
    assert_out(0, "[true,true,true]");
    assert_out_error(1, "'10.0.0' is no IP address such as 10.0.0.1 or 2001:db8::1");
    rf_arena_free(&arena);
    compile("[y == 1 ? ip('10.0.0.2') : ip('::2'), optional.of(ip('::3')).value(), cidr('10.0.0.0/8')]", false);
    eval(binding, 2, 1 << 20);
    assert_out(0, "[\"10.0.0.2\",\"::3\",\"10.0.0.0/8\"]");
    assert_out(1, "[\"::2\",\"::3\",\"10.0.0.0/8\"]");
    rf_arena_free(&arena);
    compile("[optional.none().or(optional.of(y)).value(), optional.of([1]).orValue([y]), optional.none() == "
            "optional.of(y)]",
            false);
    eval(binding, 2, 1 << 20);
    assert_out(0, "[1,[1],false]");
    assert_out(1, "[2,[1],false]");
    rf_arena_free(&arena);
}

/* A value that does not fit is its row's error; the others are as they would be. */
static void test_bounds(void **state)
{
    (void)state;
    enum { LONG = 12000, ARENA_BYTES = 20000 };
    static char text[LONG];
    memset(text, 'a', LONG);
    const struct rf_value binding[4] = {rf_value_string((struct rf_str){text, LONG}), rf_value_int(1), rf_value_int(7),
                                        rf_value_int(2)};
    compile("type(x) == string ? x + x : string(x)", false);
    eval(binding, 2, ARENA_BYTES);
    assert_out_error(0, RF_ERROR_TOO_LARGE);
    assert_out(1, "\"7\"");
    rf_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),    cmocka_unit_test(test_lifted),       cmocka_unit_test(test_copies),
        cmocka_unit_test(test_entries), cmocka_unit_test(test_many_entries), cmocka_unit_test(test_constants),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
