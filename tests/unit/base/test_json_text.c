#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "json_text.h"

static void assert_decodes(struct rf_str text, struct rf_str expected)
{
    char *const out = malloc(text.count + 1);
    /* A heap copy of the exact size: a read behind it is caught. */
    char *const copy = malloc(text.count + 1);
    char *const exact = text.count == 0 ? copy : realloc(copy, text.count);
    size_t count = 0;
    size_t at = 0;
    assert_non_null(out);
    assert_non_null(exact);
    memcpy(exact, text.data, text.count);
    assert_int_equal(rf_json_decode((struct rf_str){exact, text.count}, out, &count, &at), RF_JSON_OK);
    assert_int_equal(count, expected.count);
    assert_memory_equal(out, expected.data, count);
    assert_int_equal(rf_json_check((struct rf_str){exact, text.count}, &at), RF_JSON_OK);
    free(exact);
    free(out);
}

static void assert_refuses(struct rf_str text, enum rf_json_verdict verdict, size_t offset)
{
    char out[256];
    char padded[256];
    /* The same at every alignment to the word steps of the fast path. */
    for (size_t pad = 0; pad < 20; pad++) {
        size_t count = 0;
        size_t at = SIZE_MAX;
        memset(padded, 'x', pad);
        memcpy(padded + pad, text.data, text.count);
        const struct rf_str shifted = {padded, pad + text.count};
        assert_int_equal(rf_json_decode(shifted, out, &count, &at), verdict);
        assert_int_equal(at, pad + offset);
        at = SIZE_MAX;
        assert_int_equal(rf_json_check(shifted, &at), verdict);
        assert_int_equal(at, pad + offset);
    }
}

static void test_rf_json_decode(void **state)
{
    (void)state;
    assert_decodes(RF_STR(""), RF_STR(""));
    assert_decodes(RF_STR("plain"), RF_STR("plain"));
    assert_decodes(RF_STR("\\\"\\\\\\/\\b\\f\\n\\r\\t"), RF_STR("\"\\/\b\f\n\r\t"));
    assert_decodes(RF_STR("\\u0041\\u00e9\\u20AC"), RF_STR("A\xc3\xa9\xe2\x82\xac"));
    assert_decodes(RF_STR("\\ud83d\\uDE00"), RF_STR("\xf0\x9f\x98\x80"));
    assert_decodes(RF_STR("\\uD800\\uDC00\\uDBFF\\uDFFF"), RF_STR("\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"));
    assert_decodes(RF_STR("a\\u0000b"), RF_STR("a\0b"));
    assert_decodes(RF_STR("a long run of plain text \\n and again \x7f"),
                   RF_STR("a long run of plain text \n and again \x7f"));
    assert_decodes(RF_STR("\xc3\xa9\xe2\x82\xac mixed \xf0\x9f\x98\x80\\t\xc3\xa9"),
                   RF_STR("\xc3\xa9\xe2\x82\xac mixed \xf0\x9f\x98\x80\t\xc3\xa9"));
}

static void test_rf_json_check(void **state)
{
    (void)state;
    assert_refuses(RF_STR("\\x"), RF_JSON_BAD_ESCAPE, 0);
    assert_refuses(RF_STR("ab\\"), RF_JSON_BAD_ESCAPE, 2);
    assert_refuses(RF_STR("\\u12"), RF_JSON_BAD_ESCAPE, 0);
    assert_refuses(RF_STR("\\u12g4"), RF_JSON_BAD_ESCAPE, 0);
    assert_refuses(RF_STR("\\U0041"), RF_JSON_BAD_ESCAPE, 0);
    assert_refuses(RF_STR("\\ud800"), RF_JSON_LONE_SURROGATE, 0);
    assert_refuses(RF_STR("\\ud800 dc00"), RF_JSON_LONE_SURROGATE, 0);
    assert_refuses(RF_STR("\\ud800\\u0041"), RF_JSON_LONE_SURROGATE, 0);
    assert_refuses(RF_STR("\\ud800\\udc0"), RF_JSON_LONE_SURROGATE, 0);
    assert_refuses(RF_STR("\\udc00\\ud800"), RF_JSON_LONE_SURROGATE, 0);
    assert_refuses(RF_STR("a\x1f"), RF_JSON_CONTROL, 1);
    assert_refuses(RF_STR("\0"), RF_JSON_CONTROL, 0);
    assert_refuses(RF_STR("12345678\t"), RF_JSON_CONTROL, 8);
    assert_refuses(RF_STR("\xff"), RF_JSON_BAD_UTF8, 0);
    assert_refuses(RF_STR("\xc3"), RF_JSON_BAD_UTF8, 0);
    assert_refuses(RF_STR("\xc3\xa9\xed\xa0\x80"), RF_JSON_BAD_UTF8, 2);
    assert_refuses(RF_STR("\xe2\x82\\n"), RF_JSON_BAD_UTF8, 0);
    /* The first problem wins. */
    assert_refuses(RF_STR("\\q\xff"), RF_JSON_BAD_ESCAPE, 0);
    assert_refuses(RF_STR("\xff\\q"), RF_JSON_BAD_UTF8, 0);
}

static void test_every_byte_alone(void **state)
{
    (void)state;
    for (int c = 0; c < 256; c++) {
        const char byte = (char)c;
        size_t at = 0;
        const enum rf_json_verdict verdict = rf_json_check((struct rf_str){&byte, 1}, &at);
        const enum rf_json_verdict expected = c < 0x20    ? RF_JSON_CONTROL
                                              : c >= 0x80 ? RF_JSON_BAD_UTF8
                                              : c == '\\' ? RF_JSON_BAD_ESCAPE
                                                          : RF_JSON_OK;
        assert_int_equal(verdict, expected);
    }
}

static void test_rf_json_quote(void **state)
{
    struct rf_text text = {0};
    struct rf_error err;
    (void)state;
    assert_int_equal(rf_json_quote(&text, RF_STR("a\"b\\c/\b\f\n\r\t\x01\x1f\x7f\xc3\xa9"), &err), RF_OK);
    assert_true(rf_str_equal(rf_text_str(&text), RF_STR("\"a\\\"b\\\\c/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\xc3\xa9\"")));
    rf_text_clear(&text);
    /* Bytes that are no UTF-8, also in front of the closing quote; what follows a sequence is looked at again. */
    assert_int_equal(rf_json_quote(&text, RF_STR("\xff\xf0\x9f\x98\x80z\xe2\x82\"\xed\xa0\x80\xc3"), &err), RF_OK);
    assert_true(rf_str_equal(
        rf_text_str(&text), RF_STR("\"\xef\xbf\xbd\xf0\x9f\x98\x80z\xef\xbf\xbd\xef\xbf\xbd\\\"\xef\xbf\xbd\xef\xbf\xbd"
                                   "\xef\xbf\xbd\xef\xbf\xbd\"")));
    rf_text_clear(&text);
    assert_int_equal(rf_json_quote(&text, RF_STR("\xc3\xa9\"\xc3\xa9\n\xe2\x82\xac\\\xf0\x9f\x98\x80\t"), &err), RF_OK);
    assert_true(
        rf_str_equal(rf_text_str(&text), RF_STR("\"\xc3\xa9\\\"\xc3\xa9\\n\xe2\x82\xac\\\\\xf0\x9f\x98\x80\\t\"")));
    rf_text_clear(&text);
    assert_int_equal(rf_json_quote(&text, (struct rf_str){NULL, 0}, &err), RF_OK);
    assert_true(rf_str_equal(rf_text_str(&text), RF_STR("\"\"")));
    rf_text_free(&text);
}

/* What is quoted decodes to itself, for every byte that UTF-8 text may hold. */
static void test_quote_then_decode(void **state)
{
    struct rf_text text = {0};
    struct rf_error err;
    char all[128];
    char out[1024];
    size_t count = 0;
    size_t at = 0;
    (void)state;
    for (int c = 0; c < 128; c++) {
        all[c] = (char)c;
    }
    assert_int_equal(rf_json_quote(&text, (struct rf_str){all, sizeof all}, &err), RF_OK);
    const struct rf_str inside = {text.data + 1, text.count - 2};
    assert_int_equal(rf_json_decode(inside, out, &count, &at), RF_JSON_OK);
    assert_int_equal(count, sizeof all);
    assert_memory_equal(out, all, sizeof all);
    rf_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_json_decode),    cmocka_unit_test(test_rf_json_check),
        cmocka_unit_test(test_every_byte_alone),  cmocka_unit_test(test_rf_json_quote),
        cmocka_unit_test(test_quote_then_decode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
