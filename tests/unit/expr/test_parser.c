#include "expr_fixture.h"

#include <stdlib.h>

static void parses_to(const char *source, const char *text)
{
    struct rf_arena arena;
    const struct rf_node *tree = fixture_parse(&arena, source);
    assert_string_equal(fixture_text(tree), text);
    rf_arena_free(&arena);
}

/* Spelled-out grouping: every operand in parentheses that the tree groups. */
static void test_rf_parse_precedence(void **state)
{
    (void)state;
    parses_to("a || b && c", "msg.a || msg.b && msg.c");
    parses_to("(a || b) && c", "(msg.a || msg.b) && msg.c");
    parses_to("a == b && c != d", "msg.a == msg.b && msg.c != msg.d");
    parses_to("a < b == true", "msg.a < msg.b == true");
    parses_to("a < (b == true)", "msg.a < (msg.b == true)");
    parses_to("a + b * c - d", "msg.a + msg.b * msg.c - msg.d");
    parses_to("a - (b - c)", "msg.a - (msg.b - msg.c)");
    parses_to("(a - b) - c", "msg.a - msg.b - msg.c");
    parses_to("a / b % c", "msg.a / msg.b % msg.c");
    parses_to("(a + b) * c", "(msg.a + msg.b) * msg.c");
    parses_to("!a && -b < 1", "!msg.a && -msg.b < 1");
    parses_to("-(a + b)", "-(msg.a + msg.b)");
    parses_to("!!a", "!(!msg.a)");
    parses_to("--a", "-(-msg.a)");
    parses_to("-a.b[0]", "-msg.a.b[0]");
    parses_to("a ? b : c ? d : e", "msg.a ? msg.b : msg.c ? msg.d : msg.e");
    parses_to("(a ? b : c) ? d : e", "(msg.a ? msg.b : msg.c) ? msg.d : msg.e");
    parses_to("a ? (b ? c : d) : e", "msg.a ? (msg.b ? msg.c : msg.d) : msg.e");
    parses_to("a || b ? c || d : e || f", "msg.a || msg.b ? msg.c || msg.d : msg.e || msg.f");
    parses_to("x in [1, 2] == y", "msg.x in [1, 2] == msg.y");
}

static void test_rf_parse_names(void **state)
{
    (void)state;
    parses_to("price", "msg.price");
    parses_to("msg.price", "msg.price");
    parses_to("msg.msg", "msg.msg");
    parses_to("msg.record.raw", "msg.record.raw");
    parses_to("raw.contains('x')", "raw.contains(\"x\")");
    parses_to("record.file", "record.file");
    parses_to("a.for.while", "msg.a.for.while");
    parses_to("a.`content-type`", "msg.a[\"content-type\"]");
    parses_to("a['b'][\"c d\"][0]", "msg.a.b[\"c d\"][0]");
    parses_to("a[b]", "msg.a[msg.b]");
    parses_to("has(a.b)", "has(msg.a.b)");
    parses_to("has(a)", "has(msg.a)");
    parses_to("size(a) + a.size()", "size(msg.a) + size(msg.a)");
    parses_to("all > exists", "msg.all > msg.exists");
    parses_to("_x1", "msg._x1");
}

static void test_rf_parse_literals(void **state)
{
    (void)state;
    parses_to("-9223372036854775808", "-9223372036854775808");
    parses_to("- 5", "-5");
    parses_to("-5.5", "-5.5");
    parses_to("-(5)", "-5");
    parses_to("- -5", "-(-5)");
    parses_to("-5u == 1", "-5u == 1");
    parses_to("-0.0", "-0.0");
    parses_to("[1, 2,]", "[1, 2]");
    parses_to("[]", "[]");
    parses_to("{}", "{}");
    parses_to("{'a': 1, \"b\": [2],}", "{\"a\": 1, \"b\": [2]}");
    parses_to("{1: true, 2u: null}", "{1: true, 2u: null}");
    parses_to("b'\\x00a'", "b\"\\x00a\"");
    parses_to("'a\\n\"'", "\"a\\x0a\\\"\"");
    parses_to("[{}][0]", "[{}][0]");
}

static void test_rf_parse_spans(void **state)
{
    struct rf_arena arena;
    (void)state;
    const struct rf_node *tree = fixture_parse(&arena, " a.b == ( -3 ) ");
    assert_int_equal(tree->span.begin, 1);
    assert_int_equal(tree->arg[0]->span.begin, 1);
    assert_int_equal(tree->arg[0]->span.end, 4);
    /* With its parentheses, so that what is around it is a whole expression too. */
    assert_int_equal(tree->arg[1]->span.begin, 8);
    assert_int_equal(tree->arg[1]->span.end, 14);
    rf_arena_free(&arena);
    tree = fixture_parse(&arena, "-((a + b) * c)[(d)]");
    assert_int_equal(tree->span.begin, 0);
    assert_int_equal(tree->span.end, 19);
    const struct rf_node *product = tree->arg[0]->arg[0];
    assert_int_equal(product->span.begin, 1);
    assert_int_equal(product->span.end, 14);
    assert_int_equal(product->arg[0]->span.begin, 2);
    assert_int_equal(product->arg[0]->span.end, 9);
    rf_arena_free(&arena);
}

static void refused(const char *source, const char *text)
{
    const char *given = fixture_refused(source, (struct rf_compile_options){0});
    if (strcmp(given, text) != 0) {
        fail_msg("%s\n  gives  %s\n  wanted %s", source, given, text);
    }
}

static void test_syntax_errors(void **state)
{
    (void)state;
    refused("", "1:1 the expression is empty");
    refused("  // nothing", "1:1 the expression is empty");
    refused("a >", "1:4 expected a value, found the end of the expression");
    refused("a > )", "1:5 expected a value, found ')'");
    refused("(a", "1:3 expected ')', found the end of the expression");
    refused("a)", "1:2 ')' without its opening bracket");
    refused("a b", "1:3 expected an operator, found 'b'");
    refused("a and b", "1:3 expected an operator, found 'and' (did you mean '&&'?)");
    refused("a or b", "1:3 expected an operator, found 'or' (did you mean '||'?)");
    refused("a\n  == == 2", "2:6 expected a value, found '=='");
    refused("a ? b", "1:6 expected ':', found the end of the expression");
    refused("[1, 2", "1:6 expected ',' or ']', found the end of the expression");
    refused("[,]", "1:2 expected a value, found ','");
    refused("{'a' 1}", "1:6 expected ':', found an integer");
    refused("{'a': 1", "1:8 expected ',' or '}', found the end of the expression");
    refused("a[1", "1:4 expected ']', found the end of the expression");
    refused("a.", "1:3 expected a field name behind '.', found the end of the expression");
    refused("a.1", "1:2 expected an operator, found a number");
    refused("a.'b'", "1:3 expected a field name behind '.', found a string");
    refused("size(a,)", "1:8 expected a value, found ')'");
    refused("for == 1", "1:1 'for' is a reserved word; a field of this name is written msg.for");
    refused("`a b` == 1", "1:1 a name in backticks stands behind a dot: write msg.`a b`");
    refused("a.in == 1", "1:3 'in' is a keyword; a field of this name is written in backticks");
    refused("9223372036854775808 > a", "1:1 integer beyond the range of an int (64 bits)");
    refused("-(9223372036854775808) > a", "1:3 integer beyond the range of an int (64 bits)");
    refused("a == '\xff'", "1:7 the expression is no valid UTF-8 (byte 0xff)");
}

static void test_calls_refused(void **state)
{
    (void)state;
    refused("startsWith(a, 'x')", "1:1 'startsWith' is a method: write x.startsWith(...)");
    refused("a.startswith('x')", "1:3 undeclared function 'startswith' (did you mean 'startsWith'?)");
    refused("sizs(a) > 1", "1:1 undeclared function 'sizs' (did you mean 'size'?)");
    refused("hsa(a)", "1:1 undeclared function 'hsa' (did you mean 'has'?)");
    refused("frobnicate(a)", "1:1 undeclared function 'frobnicate'");
    refused("a.has(b)", "1:3 'has' is no method: write has(...)");
    refused("size(a, b) > 1", "1:1 size() takes 1 argument, not 2");
    refused("size() > 1", "1:1 size() takes 1 argument, not 0");
    refused("a.size(b) > 1", "1:3 size() takes 0 arguments behind its receiver, not 1");
    refused("a.contains()", "1:3 contains() takes 1 argument behind its receiver, not 0");
    refused("has(a, b)", "1:1 has() takes 1 argument, not 2");
    refused("has(a[0])",
            "1:5 has() takes a field, such as has(msg.price); write has(a.`b c`) instead of has(a[\"b c\"])");
    refused("has(msg)", "1:5 has() takes a field, such as has(msg.price)");
}

static void test_macros_refused(void **state)
{
    (void)state;
    refused("xs.exists(1, x > 1)", "1:11 exists() takes the name of a variable here, such as items.exists(x, x > 1)");
    refused("xs.exists(x.y, x > 1)", "1:11 exists() takes the name of a variable here, such as items.exists(x, x > 1)");
    refused("xs.exists(x)", "1:4 exists() takes 2 to 3 arguments behind its receiver, not 1");
    refused("xs.exists(x, x, x > 1)", "1:14 both variables have the name 'x'");
    refused("exists(xs, x, x > 1)", "1:1 'exists' is a method: write x.exists(...)");
    refused("cel.bind(1, 2, 3)", "1:10 cel.bind() takes the name of a variable here, such as cel.bind(x, 1, x + 1)");
    refused("cel.block(1, 2)", "1:11 cel.block() takes a list of values, such as cel.block([1], cel.index(0) + 1)");
    refused("cel.index(0) == 1", "1:1 cel.index() takes the number of a value that the cel.block() around it has before");
    refused("cel.block([1], cel.index(1)) == 1",
            "1:16 cel.index() takes the number of a value that the cel.block() around it has before");
    refused("google.protobuf.Int32Value{valu: 1} == 1", "1:28 google.protobuf.Int32Value has no field 'valu'");
    refused("google.protobuf.Int32Value{value: 1, value: 2} == 1", "1:38 the field stands twice");
    refused("Foo{a: 1} == 1", "1:1 unknown message type 'Foo'; a map is written {\"key\": value}");
    refused("fix.Price > 1", "1:1 'fix' is for FIX input: -f fix (a field of this name is written msg.fix)");
    refused("a.`b`()", "1:3 a name in backticks is a field, not a function");
    refused(".1a", "1:3 expected an operator, found 'a'");
    refused(".[1]", "1:2 expected a name, found '['");
}

/* head, then part count times, then middle, then tail count times. */
static char *repeat(const char *part, size_t count, const char *middle, const char *tail)
{
    const size_t bytes = (strlen(part) + strlen(tail)) * count + strlen(middle) + 1;
    char *text = malloc(bytes);
    assert_non_null(text);
    text[0] = '\0';
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        memcpy(text + at, part, strlen(part));
        at += strlen(part);
    }
    memcpy(text + at, middle, strlen(middle));
    at += strlen(middle);
    for (size_t i = 0; i < count; i++) {
        memcpy(text + at, tail, strlen(tail));
        at += strlen(tail);
    }
    text[at] = '\0';
    return text;
}

static enum rf_status parse_status(const char *source, uint32_t *depth)
{
    struct rf_arena arena;
    struct rf_diagnostic diagnostic = {0};
    struct rf_error err = {0};
    struct rf_node *tree = NULL;
    rf_arena_init(&arena, 256 << 20);
    const enum rf_status status = rf_parse(rf_str_of(source), &arena, &tree, &diagnostic, &err);
    *depth = status == RF_OK ? tree->depth : 0;
    if (status != RF_OK) {
        assert_int_equal(status, RF_E_EXPR);
        assert_non_null(strstr(diagnostic.text, "nested deeper than 256"));
    }
    rf_arena_free(&arena);
    return status;
}

static void depth_limit(const char *part, const char *middle, const char *tail, size_t most)
{
    uint32_t depth;
    for (size_t count = most - 1; count <= most + 1; count++) {
        char *text = repeat(part, count, middle, tail);
        assert_int_equal(parse_status(text, &depth), count <= most ? RF_OK : RF_E_EXPR);
        free(text);
    }
    char *text = repeat(part, 8000, middle, tail);
    assert_int_equal(parse_status(text, &depth), RF_E_EXPR);
    free(text);
}

static void test_depth_bound(void **state)
{
    (void)state;
    depth_limit("(", "1", ")", 255);
    depth_limit("[", "", "]", 256);
    depth_limit("!", "raw", "", 255);
    depth_limit("-", "raw", "", 255);
    depth_limit("", "raw", ".a", 255);
    depth_limit("", "raw", "+1", 255);
    depth_limit("true?1:", "1", "", 255);
}

/* What every implementation of CEL must take: the numbers are those of the language definition. */
static void test_least_capacities(void **state)
{
    static const struct {
        const char *part;
        size_t count;
        const char *middle;
        const char *tail;
    } forms[] = {
        {"a||", 31, "a", ""}, {"a&&", 31, "a", ""},    {"true?a:", 24, "a", ""}, {"1+", 24, "a==1", ""},
        {"a<", 24, "a", ""},  {"", 12, "a", ".b"},     {"", 12, "a", "[0]"},     {"size([", 12, "", "])"},
        {"[", 12, "", "]"},   {"{'a':", 12, "1", "}"}, {"!", 12, "a", ""},       {"", 1, "a in [", "1]"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        uint32_t depth;
        char *text = repeat(forms[i].part, forms[i].count, forms[i].middle, forms[i].tail);
        assert_int_equal(parse_status(text, &depth), RF_OK);
        free(text);
    }
    char *entries = repeat("1,", 31, "1", "");
    char list[128];
    uint32_t depth;
    snprintf(list, sizeof list, "a in [%s]", entries);
    assert_int_equal(parse_status(list, &depth), RF_OK);
    free(entries);
}

/* Chains of && and || are balanced: their length is bounded by the source alone. */
static void test_long_chains(void **state)
{
    uint32_t depth;
    (void)state;
    char *text = repeat("a==1||", 5000, "b", "");
    assert_int_equal(parse_status(text, &depth), RF_OK);
    assert_true(depth < 20);
    free(text);
    text = repeat("a&&b||", 5000, "b", "");
    assert_int_equal(parse_status(text, &depth), RF_OK);
    assert_true(depth < 20);
    free(text);
}

static void test_source_bound(void **state)
{
    struct rf_arena arena;
    struct rf_diagnostic diagnostic;
    struct rf_error err = {0};
    struct rf_node *tree;
    (void)state;
    char *text = malloc(RF_EXPR_BYTES_MAX + 2);
    assert_non_null(text);
    memset(text, ' ', RF_EXPR_BYTES_MAX + 1);
    text[0] = 'a';
    for (size_t count = RF_EXPR_BYTES_MAX - 1; count <= RF_EXPR_BYTES_MAX + 1; count++) {
        rf_arena_init(&arena, 1 << 20);
        assert_int_equal(rf_parse((struct rf_str){text, count}, &arena, &tree, &diagnostic, &err),
                         count <= RF_EXPR_BYTES_MAX ? RF_OK : RF_E_EXPR);
        rf_arena_free(&arena);
    }
    free(text);
}

static void test_arena_full(void **state)
{
    (void)state;
    const struct rf_str source = RF_STR("size([1, 2, {'a': b.c}]) > 3 && x in ['aaaaaaaa', 'bbbbbbbb'] || !y");
    enum rf_status status = RF_E_LIMIT;
    for (size_t bytes = 0; bytes < 64 * 1024 && status != RF_OK; bytes += 64) {
        struct rf_arena arena;
        struct rf_diagnostic diagnostic;
        struct rf_error err = {0};
        struct rf_node *tree;
        rf_arena_init(&arena, bytes);
        status = rf_parse(source, &arena, &tree, &diagnostic, &err);
        assert_true(status == RF_OK || status == RF_E_LIMIT);
        rf_arena_free(&arena);
    }
    assert_int_equal(status, RF_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_parse_precedence), cmocka_unit_test(test_rf_parse_names),
        cmocka_unit_test(test_rf_parse_literals),   cmocka_unit_test(test_rf_parse_spans),
        cmocka_unit_test(test_syntax_errors),       cmocka_unit_test(test_calls_refused),
        cmocka_unit_test(test_macros_refused),       cmocka_unit_test(test_depth_bound),
        cmocka_unit_test(test_long_chains),         cmocka_unit_test(test_least_capacities),
        cmocka_unit_test(test_source_bound),
        cmocka_unit_test(test_arena_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
