#include "expr_fixture.h"

#include "infer.h"

static enum rf_status infer(const char *source, struct rf_infer_options options, enum rf_type *type,
                            struct rf_diagnostic *diagnostic)
{
    struct rf_arena arena;
    struct rf_error err = {0};
    struct rf_node *tree = fixture_parse(&arena, source);
    const enum rf_status status = rf_infer(tree, rf_str_of(source), options, diagnostic, &err);
    *type = tree->type;
    rf_arena_free(&arena);
    return status;
}

static void type_is(const char *source, enum rf_type wanted)
{
    struct rf_diagnostic diagnostic;
    enum rf_type type;
    if (infer(source, (struct rf_infer_options){0}, &type, &diagnostic) != RF_OK) {
        fail_msg("%s: %s", source, diagnostic.text);
    }
    if (type != wanted) {
        fail_msg("%s is %s", source, rf_type_name(type));
    }
}

static void refused(const char *source, struct rf_infer_options options, const char *text)
{
    struct rf_diagnostic diagnostic;
    enum rf_type type;
    if (infer(source, options, &type, &diagnostic) != RF_E_EXPR) {
        fail_msg("accepted: %s", source);
    }
    assert_true(diagnostic.begin <= diagnostic.end && diagnostic.end <= strlen(source));
    if (strcmp(diagnostic.text, text) != 0) {
        fail_msg("%s\n  gives  %s\n  wanted %s", source, diagnostic.text, text);
    }
}

static void test_rf_infer_types(void **state)
{
    (void)state;
    type_is("1", RF_TYPE_INT);
    type_is("1u + 2u", RF_TYPE_UINT);
    type_is("1.0 / 3.0", RF_TYPE_DOUBLE);
    type_is("'a' + 'b'", RF_TYPE_STRING);
    type_is("b'a'", RF_TYPE_BYTES);
    type_is("[1] + [2]", RF_TYPE_LIST);
    type_is("{'a': price}", RF_TYPE_MAP);
    type_is("null", RF_TYPE_NULL);
    type_is("price", RF_TYPE_DYN);
    type_is("price * 2", RF_TYPE_DOUBLE);
    type_is("price + qty", RF_TYPE_DYN);
    type_is("price - qty", RF_TYPE_DOUBLE);
    type_is("price + 'x'", RF_TYPE_STRING);
    type_is("price % 2", RF_TYPE_DOUBLE);
    type_is("record.number", RF_TYPE_INT);
    type_is("record.offset + 1", RF_TYPE_INT);
    type_is("record.file", RF_TYPE_STRING);
    type_is("record.key", RF_TYPE_DYN);
    type_is("raw", RF_TYPE_STRING);
    type_is("size(a)", RF_TYPE_INT);
    type_is("a == b", RF_TYPE_BOOL);
    type_is("has(a.b)", RF_TYPE_BOOL);
    type_is("has(record.key)", RF_TYPE_BOOL);
    type_is("a ? 1 : 2", RF_TYPE_INT);
    type_is("a ? 1 : 'x'", RF_TYPE_DYN);
    type_is("-price", RF_TYPE_DOUBLE);
    type_is("[1, 'a'][0]", RF_TYPE_DYN);
    type_is("5 && a", RF_TYPE_BOOL);
}

/* What may succeed for some record is accepted. */
static void test_rf_infer_accepts(void **state)
{
    static const char *const sources[] = {
        "price > 'x'",
        "price == null",
        "'a' == 1",
        "1 < 2u",
        "1.5 >= 2",
        "a < b",
        "!a",
        "a && 'x'",
        "'x' || a",
        "x in y",
        "x in {'a': 1}",
        "null in {'a': 1}",
        "a[b]",
        "a[0]['x'].y",
        "price % 2.0 == 1",
        "record.number % 2 == 0",
        "1 + record.number > price",
        "a.b.c + 'x' == 'y'",
        "size(raw) > 3",
        "[1, 'a'] == a",
        "(a ? 1 : 'x') > 5",
        "2u * qty > 3",
        "{'a': [1]}.a[0] == 1",
        "b'a' < b'b'",
        "false < true",
    };
    (void)state;
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        struct rf_diagnostic diagnostic;
        enum rf_type type;
        if (infer(sources[i], (struct rf_infer_options){.is_predicate = true}, &type, &diagnostic) != RF_OK) {
            fail_msg("%s: %s", sources[i], diagnostic.text);
        }
    }
}

static void test_rf_infer_refuses(void **state)
{
    const struct rf_infer_options plain = {0};
    (void)state;
    refused("\"a\" < 1", plain, "no such operator: string < int");
    refused("!5", plain, "no such operator: !int");
    refused("-'x'", plain, "no such operator: -string");
    refused("-5u", plain, "no such operator: -uint");
    refused("1 + 2.0", plain,
            "no such operator: int + double; number types do not mix in arithmetic: write 2.0 or 2u instead of 2");
    refused("1.5 % 2.0", plain, "no such operator: double % double");
    refused("price - 'x'", plain, "no such operator: dyn - string");
    refused("(price * 2) % 'x'", plain, "no such operator: message number % string; '%' works on integers");
    refused("x in 'abc'", plain, "no such operator: dyn in string");
    refused("1 && 2", plain, "no such operator: int && int");
    refused("5 ? 1 : 2", plain, "the condition of ?: must be a bool, not int");
    refused("size(5)", plain, "size() does not take (int)");
    refused("a.contains(5)", plain, "no such method: dyn.contains(int)");
    refused("5.startsWith('x')", plain, "no such method: int.startsWith(string)");
    refused("raw.field", plain, "string has no fields");
    refused("has(raw.field)", plain, "string has no fields");
    refused("raw[0]", plain, "no such operator: string[int]");
    refused("a[null]", plain, "no such operator: dyn[null_type]");
    refused("{1.5: 2}", plain, "a map key is an int, uint, bool or string, not double");
    refused("a < null", plain, "no such operator: dyn < null_type");
    refused("[1] < [2]", plain, "no such operator: list < list");
}

static void test_rf_infer_predicate(void **state)
{
    const struct rf_infer_options predicate = {.is_predicate = true};
    (void)state;
    refused("price + 1", predicate, "a predicate must be a bool, not message number: compare it with something");
    refused("'x'", predicate, "a predicate must be a bool, not string: compare it with something");
    refused("price + qty", predicate, "a predicate must be a bool, not dyn: compare it with something");
    refused("record.number", predicate, "a predicate must be a bool, not int: compare it with something");
    refused("a ? 1 : 2", predicate, "a predicate must be a bool, not int: compare it with something");
}

static void test_rf_infer_names(void **state)
{
    const struct rf_infer_options plain = {0};
    const struct rf_infer_options text = {.is_text = true};
    (void)state;
    refused("record.numbr > 1", plain, "record has no member 'numbr' (did you mean 'number'?)");
    refused("record.price > 1", plain,
            "record has no member 'price' (a field of the message is written msg.record.price)");
    refused("has(record.price)", plain,
            "record has no member 'price' (a field of the message is written msg.record.price)");
    refused("record == 1", plain, "'record' is no value: name a member, such as record.number or record.file");
    refused("record['file'] == ''", plain, "'record' is no value: name a member, such as record.number or record.file");
    refused("price > 1", text, "-f text has no fields; use raw.contains(...)");
    refused("size(msg) > 1", text, "-f text has no fields; use raw.contains(...)");
    refused("has(a.b)", text, "-f text has no fields; use raw.contains(...)");
    struct rf_diagnostic diagnostic;
    enum rf_type type;
    assert_int_equal(infer("raw.contains('x') && record.number > 1", text, &type, &diagnostic), RF_OK);
}

static void test_rf_infer_strict(void **state)
{
    const struct rf_infer_options strict = {.is_strict_cel = true};
    struct rf_diagnostic diagnostic;
    enum rf_type type;
    (void)state;
    refused("price * 2 > 1", strict,
            "no such operator: dyn * int; with --strict-cel a message number is a double: write 2.0 instead of 2");
    refused("price % 2 == 1", strict, "no such operator: dyn % int; '%' works on integers");
    assert_int_equal(infer("price * 2.0 > 1", strict, &type, &diagnostic), RF_OK);
    assert_int_equal(infer("price > 1 && qty in [1, 2]", strict, &type, &diagnostic), RF_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_infer_types),   cmocka_unit_test(test_rf_infer_accepts),
        cmocka_unit_test(test_rf_infer_refuses), cmocka_unit_test(test_rf_infer_predicate),
        cmocka_unit_test(test_rf_infer_names),   cmocka_unit_test(test_rf_infer_strict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
