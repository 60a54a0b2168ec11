#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arena_fixture.h"
#include "check.h"
#include "parser.h"
#include "resolve.h"

static const struct rf_declaration declarations[] = {
    {RF_STR("a"), RF_STR("dyn")},
    {RF_STR("n"), RF_STR("int")},
    {RF_STR("m"), RF_STR("map(string, list(int))")},
    {RF_STR("w"), RF_STR("wrapper(int)")},
    {RF_STR("v"), RF_STR("foo.Message")},
    {RF_STR("ts"), RF_STR("timestamp")},
    {RF_STR("pair"), RF_STR("tuple(int, dyn)")},
    {RF_STR("com.example.q"), RF_STR("google.protobuf.Struct")},
    {RF_STR("untyped"), RF_STR("")},
    {RF_STR("wrong"), RF_STR("list(int")},
};

static const struct rf_env env = {
    .keeps_calls = true,
    .container = RF_STR("com.example"),
    .declaration = declarations,
    .declarations = sizeof declarations / sizeof declarations[0],
};

static const struct rf_str params_two[] = {RF_STR("param(T)"), RF_STR("param(U)")};
static const struct rf_str params_tuple[] = {RF_STR("tuple(param(T), param(U))")};
static const struct rf_str params_same[] = {RF_STR("tuple(param(T), param(T))")};
static const struct rf_str params_int[] = {RF_STR("int")};
static const struct rf_str params_message[] = {RF_STR("foo.Message"), RF_STR("string")};
static const struct rf_str params_wrong[] = {RF_STR("list(")};

static const struct rf_check_overload overloads[] = {
    {RF_STR("tuple"), params_two, RF_STR("tuple(param(T), param(U))"), 2, false},
    {RF_STR("sort"), params_same, RF_STR("tuple(param(T), param(T))"), 1, false},
    {RF_STR("swap"), params_tuple, RF_STR("tuple(param(U), param(T))"), 1, false},
    {RF_STR("first"), params_tuple, RF_STR("param(T)"), 1, true},
    {RF_STR("zero"), NULL, RF_STR("double"), 0, false},
    {RF_STR("size"), params_int, RF_STR("string"), 1, false},
    {RF_STR("place"), params_int, RF_STR("int"), 1, false},
    {RF_STR("com.place"), params_int, RF_STR("uint"), 1, false},
    {RF_STR("com.example.place"), params_int, RF_STR("bytes"), 1, false},
    {RF_STR("com.other.there"), params_int, RF_STR("bytes"), 1, false},
    {RF_STR("field"), params_message, RF_STR("string"), 2, true},
    {RF_STR("broken"), params_wrong, RF_STR("int"), 1, false},
};

static const struct rf_check_functions functions = {overloads, sizeof overloads / sizeof overloads[0]};

static struct rf_diagnostic diagnostic;
static struct rf_error err;

/* Checks an expression; *type gets its type with a zero byte behind it, or nothing. */
static enum rf_status check_in(const struct rf_env *in, const char *source, struct rf_text *type)
{
    struct rf_arena scratch;
    struct rf_node *tree = NULL;
    uint32_t locals = 0;
    const struct rf_str text = rf_str_of(source);
    diagnostic = (struct rf_diagnostic){0};
    err = (struct rf_error){0};
    rf_text_clear(type);
    if (rf_parse(text, &arena, &tree, &diagnostic, &err) != RF_OK ||
        rf_resolve(&tree, text, in, NULL, &arena, &locals, &diagnostic, &err) != RF_OK) {
        fail_msg("%s: %s", source, err.text);
    }
    rf_arena_init(&scratch, 16 << 20);
    const enum rf_status status = rf_check(tree, text, in, &functions, &scratch, type, &diagnostic, &err);
    assert_int_equal(scratch.bytes_used, 0); /* everything is given back */
    rf_arena_free(&scratch);
    rf_arena_reset(&arena);
    assert_true(status != RF_OK ? type->count == 0 && err.status == status : type->count != 0);
    assert_int_equal(rf_text_append_char(type, '\0', &(struct rf_error){0}), RF_OK);
    return status;
}

struct type_case {
    const char *source;
    const char *type;
};

static void assert_types(const struct rf_env *in, const struct type_case *cases, size_t count)
{
    struct rf_text type = {0};
    for (size_t i = 0; i < count; i++) {
        if (check_in(in, cases[i].source, &type) != RF_OK || strcmp(type.data, cases[i].type) != 0) {
            fail_msg("%s: %s%s, expected %s", cases[i].source, type.data, err.text, cases[i].type);
        }
    }
    rf_text_free(&type);
}

#define ASSERT_TYPES(env, cases) assert_types((env), (cases), sizeof(cases) / sizeof(cases)[0])

static void test_rf_check(void **state)
{
    (void)state;
    static const struct type_case cases[] = {
        {"1", "int"},
        {"1u", "uint"},
        {"1.0", "double"},
        {"'a'", "string"},
        {"b'a'", "bytes"},
        {"true", "bool"},
        {"null", "null_type"},
        {"a", "dyn"},
        {"untyped", "dyn"},
        {"m", "map(string, list(int))"},
        {"com.example.q", "map(string, dyn)"},
        {"q", "map(string, dyn)"},
        {"v", "foo.Message"},
        {"pair", "tuple(int, dyn)"},
        {"int", "type(int)"},
        {"list", "type(list(dyn))"},
        {"type(1)", "type(int)"},
        {"type(type(m))", "type(type(map(string, list(int))))"},
        {"google.protobuf.Timestamp", "type(timestamp)"},
        {"m.x", "list(int)"},
        {"m.x[0]", "int"},
        {"m['x']", "list(int)"},
        {"a.b.c[0]['d']", "dyn"},
        {"a[n]", "dyn"},
        {"has(m.x)", "bool"},
        {"has(a.b.c)", "bool"},
        {"{'a': 1}.b", "int"},
        {"[][0].f", "dyn"},
    };
    ASSERT_TYPES(&env, cases);
}

static void test_literals_join(void **state)
{
    (void)state;
    static const struct type_case cases[] = {
        {"[]", "list(dyn)"},
        {"{}", "map(dyn, dyn)"},
        {"[1, 2]", "list(int)"},
        {"[1, 2u]", "list(dyn)"},
        {"[1, a]", "list(dyn)"},
        {"[1, null]", "list(dyn)"},
        {"[[1], [2]]", "list(list(int))"},
        {"[[1], ['a']]", "list(dyn)"},
        {"[[], [1], []]", "list(list(int))"},
        {"[[1], [a], [2]]", "list(list(dyn))"},
        {"[[], [[]], [[[]]]]", "list(list(list(list(dyn))))"},
        {"[[[[]]], [], [[]]]", "list(list(list(list(dyn))))"},
        {"[[], {}]", "list(dyn)"},
        {"{'a': 1, 'b': 2}", "map(string, int)"},
        {"{'a': 1, 2: 'b'}", "map(dyn, dyn)"},
        {"{'a': [], 'b': [1]}", "map(string, list(int))"},
        {"[{}, {'a': 1}]", "list(map(string, int))"},
        {"[ts, null]", "list(timestamp)"},
        {"[null, ts]", "list(timestamp)"},
        {"[null, duration('1s'), null]", "list(duration)"},
        {"[v, null][0]", "foo.Message"},
        {"[optional.of(1), null][0]", "optional_type(int)"},
        {"[null, optional.of(1)]", "list(optional_type(int))"},
        {"[w, 1]", "list(wrapper(int))"},
        {"[1, w]", "list(wrapper(int))"},
        {"[1, w, null]", "list(wrapper(int))"},
        {"[w, 1u]", "list(dyn)"},
        {"[int, string]", "list(type(int))"},
        {"[optional.none(), optional.of(1)]", "list(optional_type(int))"},
        {"[optional.of(a), optional.of(1)]", "list(optional_type(dyn))"},
        {"[optional.of(1), optional.of(a)]", "list(optional_type(dyn))"},
        {"[?optional.of(1), 2]", "list(int)"},
        {"[?optional.of([]), ?optional.of([1])]", "list(list(int))"},
        {"[?optional.none()]", "list(dyn)"},
        {"[?a, 1]", "list(dyn)"},
        {"[][0] == [?[][0]]", "bool"},
        {"{?'a': optional.of(1)}", "map(string, int)"},
    };
    ASSERT_TYPES(&env, cases);
}

static void test_calls(void **state)
{
    (void)state;
    static const struct type_case cases[] = {
        {"1 + 2", "int"},
        {"1.0 * 2.0", "double"},
        {"'a' + 'b'", "string"},
        {"[1] + [2]", "list(int)"},
        {"[1] + [a]", "list(dyn)"},
        {"[] + []", "list(dyn)"},
        {"[[]] + [[1]]", "list(list(int))"},
        {"ts + duration('1s')", "timestamp"},
        {"ts - ts", "duration"},
        {"a + 1", "int"},
        {"a + a", "dyn"},
        {"a - ts", "duration"},
        {"a - duration('1s')", "dyn"}, /* a timestamp of timestamps, a duration of durations */
        {"w + 1", "int"},
        {"1 == 2", "bool"},
        {"ts == null", "bool"},
        {"w == null", "bool"},
        {"a == 1.0", "bool"},
        {"[] == [1]", "bool"},
        {"1 < 2.0", "bool"},
        {"1u >= w", "bool"},
        {"a < ts", "bool"},
        {"1 in [1]", "bool"},
        {"'a' in m", "bool"},
        {"1 in a", "bool"},
        {"a ? 1 : 2", "int"},
        {"true ? [] : [1]", "list(int)"},
        {"true ? a : 1", "dyn"},
        {"true ? optional.of(1) : optional.of(a)", "optional_type(dyn)"},
        {"true ? null : ts", "timestamp"},
        {"a && true || !a", "bool"},
        {"size(m) + m.size() + 'a'.size()", "int"},
        {"size(a)", "dyn"}, /* the declared one fits, too */
        {"size(1)", "string"},
        {"'a'.split(',')", "list(string)"},
        {"'%d'.format([1, 'a'])", "string"},
        {"string(ts)", "string"},
        {"string(a)", "string"},
        {"dyn(1)", "dyn"},
        {"math.greatest(1, 2)", "int"},
        {"math.greatest(1, 2u)", "dyn"},
        {"math.least(1.0)", "double"},
        {"math.least(1, 2, 3, 4)", "int"},
        {"math.least([1u, 2u])", "uint"},
        {"math.least([1, 2u])", "dyn"},
        {"math.least([])", "dyn"},
        {"math.least(a)", "dyn"},
        {"math.least(w, 1)", "int"},
        {"ip('127.0.0.1')", "net.IP"},
        {"cidr('10.0.0.0/8').containsIP(ip('10.0.0.1'))", "bool"},
        {"optional.of(1).value()", "int"},
        {"optional.of(1).orValue(a)", "dyn"},
        {"optional.none().orValue(1)", "int"},
        {"optional.none().or(optional.of('a'))", "optional_type(string)"},
        {"{'a': 1}.?b", "optional_type(int)"},
        {"a.?b", "optional_type(dyn)"},
        {"{'a': {'b': 1}}.?a.b", "optional_type(int)"},
        {"{'a': {'b': 1}}.?a.?b", "optional_type(int)"},
        {"{'a': 1}[?'b']", "optional_type(int)"},
        {"[1][?0]", "optional_type(int)"},
        {"{'a': [1]}.?a[0]", "optional_type(int)"},
        {"{'a': [1]}.?a[?0]", "optional_type(int)"},
    };
    ASSERT_TYPES(&env, cases);
}

static void test_declared_functions(void **state)
{
    (void)state;
    static const struct type_case cases[] = {
        {"tuple(1, 2u)", "tuple(int, uint)"},
        {"tuple([], null)", "tuple(list(dyn), null_type)"},
        {"[tuple(1, 2u), tuple(a, a)][0]", "tuple(dyn, dyn)"},
        {"[tuple(a, a), tuple(1, 2u)][0]", "tuple(dyn, dyn)"},
        {"sort(tuple(a, 2u))", "tuple(dyn, dyn)"},
        {"sort(tuple(2u, a))", "tuple(dyn, dyn)"},
        {"sort(tuple([], [1]))", "tuple(list(int), list(int))"},
        {"swap(tuple('a', 1))", "tuple(int, string)"},
        {"swap(swap(pair))", "tuple(int, dyn)"},
        {"tuple(1, 'a').first()", "int"},
        {"tuple(1, 2u) == tuple(1, a)", "bool"},
        {"tuple(tuple(1, 'a'), 2).first()", "tuple(int, string)"},
        {"zero()", "double"},
        {"place(1)", "bytes"}, /* the innermost of the container */
        {".place(1)", "int"},
        {"v.field('x')", "string"},
        {"a.field(a)", "string"},
    };
    ASSERT_TYPES(&env, cases);
}

static void test_macros(void **state)
{
    (void)state;
    static const struct type_case cases[] = {
        {"[1].all(x, x > 0)", "bool"},
        {"[1].exists(i, x, i == x)", "bool"},
        {"m.exists_one(k, k == 'a')", "bool"},
        {"m.all(k, x, k == 'a' && x == [1])", "bool"},
        {"a.all(x, x)", "bool"},
        {"[1].map(x, string(x))", "list(string)"},
        {"[1].map(x, x > 0, [x])", "list(list(int))"},
        {"m.map(k, k)", "list(string)"},
        {"a.map(x, x)", "list(dyn)"},
        {"[].map(x, x + 1)", "list(int)"},
        {"[1].filter(x, x > 0)", "list(int)"},
        {"m.filter(k, true)", "list(string)"},
        {"[1].map(x, [2u].map(y, {x: y}))", "list(list(map(int, uint)))"},
        {"['a'].transformList(i, x, x + string(i))", "list(string)"},
        {"m.transformList(k, x, k == 'a', x[0])", "list(int)"},
        {"['a'].transformMap(i, x, x)", "map(int, string)"},
        {"m.transformMap(k, x, size(x) > 1, x[0])", "map(string, int)"},
        {"m.transformMapEntry(k, x, {x[0]: k})", "map(int, string)"},
        {"m.transformMapEntry(k, x, a)", "map(dyn, dyn)"},
        {"optional.of([1]).optMap(x, x[0])", "optional_type(int)"},
        {"optional.none().optMap(x, x)", "optional_type(dyn)"},
        {"a.optMap(x, 1)", "optional_type(int)"},
        {"optional.of(1).optFlatMap(x, optional.of([x]))", "optional_type(list(int))"},
        {"optional.of(1).optFlatMap(x, optional.none())", "optional_type(dyn)"},
        {"optional.of(1).optFlatMap(x, a)", "dyn"},
        {"cel.bind(x, [1], x + x)", "list(int)"},
        {"cel.bind(x, [], x + ['a'])", "list(string)"},
        {"cel.bind(x, 1, cel.bind(y, [x], {x: y}))", "map(int, list(int))"},
        {"cel.block([1, [cel.index(0)]], {cel.index(0): cel.index(1)})", "map(int, list(int))"},
    };
    ASSERT_TYPES(&env, cases);
}

/* A filter: bare names are fields of the payload, of which nothing is known. */
static void test_payload(void **state)
{
    (void)state;
    static const struct type_case cases[] = {
        {"msg", "dyn"},
        {"price > 410 && symbol == 'MSFT'", "bool"},
        {"price * 2.0", "double"},
        {"orders[0].qty", "dyn"},
        {"orders.exists(o, o.qty > 1)", "bool"},
        {"raw", "string"},
        {"now - timestamp(time)", "duration"},
        {"now - ts0 < duration('1h')", "bool"},
        {"record.number", "int"},
        {"record.file.startsWith('a')", "bool"},
        {"record.key", "dyn"},
        {"has(record.key)", "bool"},
        {"record.?offset", "optional_type(int)"},
        {"has(price)", "bool"},
    };
    struct rf_env filter = rf_env_filter;
    ASSERT_TYPES(&filter, cases);
    /* Names that are errors of the evaluation have no type. */
    static const struct type_case unchecked_cases[] = {
        {"nobody || true", "bool"},
        {"nobody", "dyn"},
    };
    const struct rf_env unchecked = {.is_unchecked = true};
    ASSERT_TYPES(&unchecked, unchecked_cases);
}

struct refused_case {
    const char *source;
    const char *said;
    uint32_t begin;
    uint32_t end;
};

static void assert_refused(const struct rf_env *in, const struct refused_case *cases, size_t count)
{
    struct rf_text type = {0};
    for (size_t i = 0; i < count; i++) {
        if (check_in(in, cases[i].source, &type) != RF_E_EXPR || strcmp(diagnostic.text, cases[i].said) != 0 ||
            diagnostic.begin != cases[i].begin || diagnostic.end != cases[i].end) {
            fail_msg("%s: %u to %u: %s%s", cases[i].source, diagnostic.begin, diagnostic.end, err.text, type.data);
        }
    }
    rf_text_free(&type);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct refused_case cases[] = {
        {"1 + 'a'", "found no matching overload for '+' applied to '(int, string)'", 0, 7},
        {"1 + 2.0", "found no matching overload for '+' applied to '(int, double)'", 0, 7},
        {"true || 1 == 1.0", "found no matching overload for '==' applied to '(int, double)'", 8, 16},
        {"1 == null", "found no matching overload for '==' applied to '(int, null_type)'", 0, 9},
        {"[1] == ['a']", "found no matching overload for '==' applied to '(list(int), list(string))'", 0, 12},
        {"'a' < 1", "found no matching overload for '<' applied to '(string, int)'", 0, 7},
        {"1 in ['a']", "found no matching overload for 'in' applied to '(int, list(string))'", 0, 10},
        {"-1u", "found no matching overload for '-' applied to '(uint)'", 0, 3},
        {"'a' && true", "found no matching overload for '&&' applied to '(string, bool)'", 0, 11},
        {"true ? 1 : 'a'", "found no matching overload for '?:' applied to '(bool, int, string)'", 0, 14},
        {"'a'.startsWith(1)", "found no matching overload for 'startsWith' applied to 'string.(int)'", 0, 17},
        {"size(true)", "found no matching overload for 'size' applied to '(bool)'", 0, 10},
        {"math.least('a')", "found no matching overload for 'math.least' applied to '(string)'", 0, 15},
        {"math.least(1, 'a')", "found no matching overload for 'math.least' applied to '(int, string)'", 0, 18},
        {"[1]['a']", "found no matching overload for '[]' applied to '(list(int), string)'", 0, 8},
        {"m[?1]", "found no matching overload for '[?]' applied to '(map(string, list(int)), int)'", 0, 5},
        {"optional.of(1).or(1)", "found no matching overload for 'or' applied to 'optional_type(int).(int)'", 0, 20},
        {"sort(tuple(1, 2u))", "found no matching overload for 'sort' applied to '(tuple(int, uint))'", 0, 18},
        {"sort(1, 2)", "found no matching overload for 'sort' applied to '(int, int)'", 0, 10},
        {"first(tuple(1, 2))", "found no matching overload for 'first' applied to '(tuple(int, int))'", 0, 18},
        {"zero(1)", "found no matching overload for 'zero' applied to '(int)'", 0, 7},
        {"[nobody(1)]", "undeclared function 'nobody'", 1, 10},
        {"n.nobody()", "undeclared function 'nobody'", 0, 10},
        {"there(1)", "undeclared function 'there'", 0, 8},
        {"n.f", "type 'int' does not support field selection", 0, 3},
        {"v.f", "type 'foo.Message' does not support field selection", 0, 3},
        {"has(n.f)", "type 'int' does not support field selection", 0, 8},
        {"optional.of(1).f", "type 'int' does not support field selection", 0, 16},
        {"[?1]", "an optional element takes an optional_type, not 'int'", 1, 3},
        {"[1].all(x, x)", "expected type 'bool' but found 'int'", 11, 12},
        {"[1].map(x, x, x)", "expected type 'bool' but found 'int'", 11, 12},
        {"[1].filter(x, 'a')", "expected type 'bool' but found 'string'", 14, 17},
        {"n.exists(x, true)",
         "expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)", 0, 1},
        {"n.optMap(x, x)", "expected an optional_type but found 'int'", 0, 1},
        {"optional.of(1).optFlatMap(x, x)", "the body of optFlatMap() is an optional_type, not 'int'", 29, 30},
        {"[1].transformMapEntry(i, x, x)", "transformMapEntry() takes a map, not 'int'", 28, 29},
    };
    assert_refused(&env, cases, sizeof cases / sizeof cases[0]);
    static const struct refused_case filter_cases[] = {
        {"record.numbr > 1", "record has no member 'numbr'", 0, 12},
        {"record.number == 'a'", "found no matching overload for '==' applied to '(int, string)'", 0, 20},
        {"raw > 1", "found no matching overload for '>' applied to '(string, int)'", 0, 7},
    };
    assert_refused(&rf_env_filter, filter_cases, sizeof filter_cases / sizeof filter_cases[0]);
}

/* Types that are declared in a way that nobody can read; only when they are used. */
static void test_declared_wrongly(void **state)
{
    (void)state;
    struct rf_text type = {0};
    assert_int_equal(check_in(&env, "wrong", &type), RF_E_CONFIG);
    assert_int_equal(check_in(&env, "broken(1)", &type), RF_E_CONFIG);
    assert_int_equal(check_in(&env, "[broken(1), wrong]", &type), RF_E_CONFIG);
    assert_int_equal(check_in(&env, "true", &type), RF_OK);
    rf_text_free(&type);
}

/* `count` times the text. */
static void append_times(struct rf_text *text, const char *part, int count)
{
    for (int i = 0; i < count; i++) {
        assert_int_equal(rf_text_append(text, rf_str_of(part), &err), RF_OK);
    }
}

static const char *text_end(struct rf_text *text)
{
    assert_int_equal(rf_text_append_char(text, '\0', &err), RF_OK);
    return text->data;
}

static void test_bounds(void **state)
{
    (void)state;
    struct rf_text source = {0};
    struct rf_text type = {0};

    /* Nesting, as deep as it can be written. */
    append_times(&source, "[", RF_EXPR_DEPTH_MAX - 1);
    append_times(&source, "]", RF_EXPR_DEPTH_MAX - 1);
    assert_int_equal(check_in(&env, text_end(&source), &type), RF_OK);
    assert_int_equal(type.count, (size_t)(RF_EXPR_DEPTH_MAX - 1) * strlen("list()") + strlen("dyn") + 1);

    /* Many of them beside each other. */
    rf_text_clear(&source);
    append_times(&source, "[", 1);
    for (int i = 0; i < 600; i++) {
        append_times(&source, "[", i % 100);
        append_times(&source, "]", i % 100);
        append_times(&source, i % 100 == 0 ? "" : ",", 1);
    }
    append_times(&source, "]", 1);
    assert_int_equal(check_in(&env, text_end(&source), &type), RF_OK);
    assert_int_equal(type.count, 100 * strlen("list()") + strlen("dyn") + 1);

    /* Each bind doubles a type that is shared. */
    for (int levels = 10; levels <= 100; levels += 90) {
        rf_text_clear(&source);
        append_times(&source, "cel.bind(x, {1: 1}, ", 1);
        append_times(&source, "cel.bind(x, {x: x}, ", levels);
        append_times(&source, "x", 1);
        append_times(&source, ")", levels + 1);
        assert_int_equal(check_in(&env, text_end(&source), &type), levels == 10 ? RF_OK : RF_E_LIMIT);
    }

    /* Each bind nests a type deeper than an expression can be. */
    rf_text_clear(&source);
    append_times(&source, "cel.bind(x, 1, ", 1);
    for (int i = 0; i < 60; i++) {
        append_times(&source, "cel.bind(x, ", 1);
        append_times(&source, "[", 20);
        append_times(&source, "x", 1);
        append_times(&source, "]", 20);
        append_times(&source, ", ", 1);
    }
    append_times(&source, "x", 1);
    append_times(&source, ")", 61);
    assert_int_equal(check_in(&env, text_end(&source), &type), RF_E_LIMIT);

    /* A message has room for some types only. */
    rf_text_clear(&source);
    append_times(&source, "sort(", 1);
    append_times(&source, "m, ", 100);
    append_times(&source, "m)", 1);
    assert_int_equal(check_in(&env, text_end(&source), &type), RF_E_EXPR);
    assert_non_null(strstr(diagnostic.text, "list(int)), map(string, list(int))"));
    assert_non_null(strstr(diagnostic.text, "...'"));
    rf_text_free(&source);
    rf_text_free(&type);
}

/* Wherever the arena ends, the answer is RF_E_LIMIT or the type. */
static void test_full_arena(void **state)
{
    (void)state;
    const struct rf_str source =
        RF_STR("cel.bind(x, {'a': [?optional.of(n)]}, sort(tuple(x.a, [].map(y, m.b[0] + 1))))");
    struct rf_node *tree = NULL;
    uint32_t locals = 0;
    assert_int_equal(rf_parse(source, &arena, &tree, &diagnostic, &err), RF_OK);
    assert_int_equal(rf_resolve(&tree, source, &env, NULL, &arena, &locals, &diagnostic, &err), RF_OK);
    bool is_checked = false;
    uint32_t refusals = 0;
    for (size_t bytes = 0; !is_checked; bytes += 16) {
        struct rf_arena scratch;
        struct rf_text type = {0};
        rf_arena_init(&scratch, bytes < 32 ? bytes : bytes + RF_LOCALS_MAX * sizeof(void *));
        const enum rf_status status = rf_check(tree, source, &env, &functions, &scratch, &type, &diagnostic, &err);
        is_checked = status == RF_OK;
        if (is_checked) {
            assert_true(rf_str_equal(rf_text_str(&type), RF_STR("tuple(list(int), list(int))")));
        } else {
            assert_int_equal(status, RF_E_LIMIT);
            assert_int_equal(type.count, 0);
            refusals++;
        }
        rf_text_free(&type);
        rf_arena_free(&scratch);
    }
    assert_true(refusals > 100);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_rf_check), TEST(test_literals_join), TEST(test_calls),   TEST(test_declared_functions),
        TEST(test_macros),   TEST(test_payload),       TEST(test_refused), TEST(test_declared_wrongly),
        TEST(test_bounds),   TEST(test_full_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
