#include "expr_fixture.h"

#include "lexer.h"

/* Lexes a whole text; the kinds of all tokens but the last (END). */
struct lexed {
    struct rf_arena arena;
    struct rf_diagnostic diagnostic;
    struct rf_token token[64];
    size_t count;
    enum rf_status status;
};

static void lex(struct lexed *lexed, struct rf_str source)
{
    struct rf_error err = {0};
    *lexed = (struct lexed){0};
    rf_arena_init(&lexed->arena, 1 << 20);
    struct rf_lexer lexer = {.source = source, .arena = &lexed->arena, .diagnostic = &lexed->diagnostic};
    do {
        assert_true(lexed->count < 64);
        lexed->status = rf_lexer_next(&lexer, &lexed->token[lexed->count], &err);
        if (lexed->status == RF_OK) {
            const struct rf_span span = lexed->token[lexed->count].span;
            assert_true(span.begin <= span.end && span.end <= source.count);
        }
    } while (lexed->status == RF_OK && lexed->token[lexed->count++].kind != RF_TOKEN_END);
}

static void test_rf_lexer_next(void **state)
{
    static const enum rf_token_kind expected[] = {
        RF_TOKEN_IDENT, RF_TOKEN_DOT,        RF_TOKEN_RESERVED, RF_TOKEN_DOT,        RF_TOKEN_BACKTICK,
        RF_TOKEN_GE,    RF_TOKEN_INT,        RF_TOKEN_AND,      RF_TOKEN_NOT,        RF_TOKEN_IDENT,
        RF_TOKEN_IN,    RF_TOKEN_INDEX_OPEN, RF_TOKEN_STRING,   RF_TOKEN_INDEX_SHUT, RF_TOKEN_OR,
        RF_TOKEN_TRUE,  RF_TOKEN_NE,         RF_TOKEN_NULL,     RF_TOKEN_QUESTION,   RF_TOKEN_UINT,
        RF_TOKEN_COLON, RF_TOKEN_BYTES,      RF_TOKEN_END};
    struct lexed lexed;
    (void)state;
    lex(&lexed, RF_STR("a.for.`b c` >= 1 // comment && \n\f\t&& !x in ['y'] || true != null ? 3u : b'z'"));
    assert_int_equal(lexed.status, RF_OK);
    assert_int_equal(lexed.count, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < lexed.count; i++) {
        assert_int_equal(lexed.token[i].kind, expected[i]);
    }
    assert_true(rf_str_equal(lexed.token[4].text, RF_STR("b c")));
    assert_int_equal(lexed.token[4].span.begin, 6);
    assert_int_equal(lexed.token[4].span.end, 11);
    rf_arena_free(&lexed.arena);
}

static void test_rf_token_text(void **state)
{
    (void)state;
    assert_string_equal(rf_token_text(RF_TOKEN_AND), "'&&'");
    for (int kind = 0; kind < RF_TOKEN_COUNT; kind++) {
        assert_non_null(rf_token_text((enum rf_token_kind)kind));
    }
}

static void number_is(const char *source, enum rf_token_kind kind, uint64_t integer, double number)
{
    struct lexed lexed;
    lex(&lexed, rf_str_of(source));
    assert_int_equal(lexed.status, RF_OK);
    assert_int_equal(lexed.count, 2);
    assert_int_equal(lexed.token[0].kind, kind);
    assert_true(lexed.token[0].integer == integer);
    assert_memory_equal(&lexed.token[0].number, &number, sizeof number);
    rf_arena_free(&lexed.arena);
}

static void test_rf_literal_number(void **state)
{
    (void)state;
    number_is("0", RF_TOKEN_INT, 0, 0);
    number_is("007", RF_TOKEN_INT, 7, 0);
    number_is("9223372036854775807", RF_TOKEN_INT, INT64_MAX, 0);
    number_is("9223372036854775808", RF_TOKEN_INT, (uint64_t)1 << 63, 0);
    number_is("0xFf", RF_TOKEN_INT, 255, 0);
    number_is("0x8000000000000000", RF_TOKEN_INT, (uint64_t)1 << 63, 0);
    number_is("18446744073709551615u", RF_TOKEN_UINT, UINT64_MAX, 0);
    number_is("0xffffffffffffffffU", RF_TOKEN_UINT, UINT64_MAX, 0);
    number_is("1.5", RF_TOKEN_DOUBLE, 0, 1.5);
    number_is(".5", RF_TOKEN_DOUBLE, 0, 0.5);
    number_is("0.1", RF_TOKEN_DOUBLE, 0, 0.1);
    number_is("1e3", RF_TOKEN_DOUBLE, 0, 1000);
    number_is("1E-3", RF_TOKEN_DOUBLE, 0, 1e-3);
    number_is("6.02e+23", RF_TOKEN_DOUBLE, 0, 6.02e23);
    number_is("00000000000000000000001.25", RF_TOKEN_DOUBLE, 0, 1.25);
    number_is("0.000000000000000000000000123", RF_TOKEN_DOUBLE, 0, 0.000000000000000000000000123);
    number_is("123456789012345678901234567890.0", RF_TOKEN_DOUBLE, 0, 123456789012345678901234567890.0);
    number_is("9007199254740993.0", RF_TOKEN_DOUBLE, 0, 9007199254740993.0);
    number_is("2.2250738585072011e-308", RF_TOKEN_DOUBLE, 0, 2.2250738585072011e-308);
    number_is("1e-999999999999999999999", RF_TOKEN_DOUBLE, 0, 0);
    number_is("0e999999999999999999999", RF_TOKEN_DOUBLE, 0, 0);
}

static void refused(struct rf_str source, const char *text)
{
    struct lexed lexed;
    lex(&lexed, source);
    assert_int_equal(lexed.status, RF_E_EXPR);
    if (strstr(lexed.diagnostic.text, text) == NULL) {
        fail_msg("'%.*s': %s", RF_STR_ARG(source), lexed.diagnostic.text);
    }
    rf_arena_free(&lexed.arena);
}

static void test_number_refused(void **state)
{
    (void)state;
    refused(RF_STR("9223372036854775809"), "range of an int");
    refused(RF_STR("18446744073709551616u"), "range of a uint");
    refused(RF_STR("0x10000000000000000"), "range of an int");
    refused(RF_STR("1e309"), "range of a double");
    refused(RF_STR("1.0e99999999999"), "range of a double");
}

static void string_is(const char *source, enum rf_token_kind kind, struct rf_str text)
{
    struct lexed lexed;
    lex(&lexed, rf_str_of(source));
    if (lexed.status != RF_OK) {
        fail_msg("%s: %s", source, lexed.diagnostic.text);
    }
    assert_int_equal(lexed.count, 2);
    assert_int_equal(lexed.token[0].kind, kind);
    assert_int_equal(lexed.token[0].text.count, text.count);
    assert_memory_equal(lexed.token[0].text.data, text.data, text.count);
    assert_int_equal(lexed.token[0].span.begin, 0);
    assert_int_equal(lexed.token[0].span.end, strlen(source));
    rf_arena_free(&lexed.arena);
}

static void test_rf_literal_string(void **state)
{
    (void)state;
    string_is("''", RF_TOKEN_STRING, RF_STR(""));
    string_is("\"a'b\"", RF_TOKEN_STRING, RF_STR("a'b"));
    string_is("'\\a\\b\\f\\n\\r\\t\\v\\\\\\'\\\"\\?\\`'", RF_TOKEN_STRING, RF_STR("\a\b\f\n\r\t\v\\'\"?`"));
    string_is("'\\x41\\101\\u0041\\U00000041'", RF_TOKEN_STRING, RF_STR("AAAA"));
    string_is("'\\xe9\\351\\u20ac\\U0001f600'", RF_TOKEN_STRING,
              RF_STR("\xc3\xa9\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"));
    string_is("'\\000'", RF_TOKEN_STRING, RF_STR("\0"));
    string_is("b'\\xe9\\377'", RF_TOKEN_BYTES, RF_STR("\xe9\xff"));
    string_is("b'\xc3\xa9'", RF_TOKEN_BYTES, RF_STR("\xc3\xa9"));
    string_is("r'\\n'", RF_TOKEN_STRING, RF_STR("\\n"));
    string_is("R\"\\\"", RF_TOKEN_STRING, RF_STR("\\"));
    string_is("rb'\\x'", RF_TOKEN_BYTES, RF_STR("\\x"));
    string_is("Br'\\x'", RF_TOKEN_BYTES, RF_STR("\\x"));
    string_is("'''a\n'b''c'''", RF_TOKEN_STRING, RF_STR("a\n'b''c"));
    string_is("\"\"\"\"\"\"", RF_TOKEN_STRING, RF_STR(""));
    string_is("r'''\\\n'''", RF_TOKEN_STRING, RF_STR("\\\n"));
}

static void test_string_refused(void **state)
{
    (void)state;
    refused(RF_STR("'a"), "closing quote");
    refused(RF_STR("'a\nb'"), "closing quote");
    refused(RF_STR("'a\\'"), "closing quote");
    refused(RF_STR("'''a''"), "three quotes");
    refused(RF_STR("'\\z'"), "unknown escape");
    refused(RF_STR("'\\400'"), "octal escapes go up to");
    refused(RF_STR("'\\18 '"), "unfinished escape");
    refused(RF_STR("'\\x4'"), "unfinished escape");
    refused(RF_STR("'\\u004'"), "unfinished escape");
    refused(RF_STR("'\\ud800'"), "no Unicode code point");
    refused(RF_STR("'\\udfff'"), "no Unicode code point");
    refused(RF_STR("'\\U00110000'"), "no Unicode code point");
    refused(RF_STR("b'\\u0041'"), "octets");
    refused(RF_STR("b'\\U00000041'"), "octets");
}

static void test_marks_refused(void **state)
{
    (void)state;
    refused(RF_STR("a & b"), "'&&'");
    refused(RF_STR("a | b"), "'||'");
    refused(RF_STR("a = b"), "'=='");
    refused(RF_STR("$a"), "a field is written by its name");
    refused(RF_STR("a # b"), "unexpected character '#'");
    refused(RF_STR("a \0 b"), "byte 0x00");
    refused(RF_STR("\xc2\xa0"), "byte 0xc2");
    refused(RF_STR("a.`b"), "closing backtick");
    refused(RF_STR("a.``"), "empty name");
}

static void test_arena_full(void **state)
{
    struct rf_arena arena;
    struct rf_diagnostic diagnostic;
    struct rf_error err = {0};
    struct rf_token token;
    (void)state;
    rf_arena_init(&arena, 16);
    struct rf_lexer lexer = {.source = RF_STR("'0123456789abcdef'"), .arena = &arena, .diagnostic = &diagnostic};
    assert_int_equal(rf_lexer_next(&lexer, &token, &err), RF_E_LIMIT);
    rf_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_lexer_next),     cmocka_unit_test(test_rf_token_text),
        cmocka_unit_test(test_rf_literal_number), cmocka_unit_test(test_number_refused),
        cmocka_unit_test(test_rf_literal_string), cmocka_unit_test(test_string_refused),
        cmocka_unit_test(test_marks_refused),     cmocka_unit_test(test_arena_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
