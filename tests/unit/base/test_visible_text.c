#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "utf8.h"
#include "visible_text.h"

static void assert_visible(struct rf_str text, const char *expected)
{
    struct rf_text out = {0};
    struct rf_error err;
    assert_int_equal(rf_text_append(&out, RF_STR("<"), &err), RF_OK);
    assert_int_equal(rf_visible_append(&out, text, &err), RF_OK);
    assert_int_equal(rf_text_append_char(&out, '\0', &err), RF_OK);
    assert_string_equal(out.data + 1, expected);
    rf_text_free(&out);
}

static void test_rf_visible_append(void **state)
{
    (void)state;
    assert_visible(RF_STR(""), "");
    assert_visible(RF_STR("plain ~ text, \"quoted\" \\x01"), "plain ~ text, \"quoted\" \\x01");
    assert_visible(RF_STR("a\033[2Jb\001\t\n\r\177"), "a\\x1b[2Jb\\x01\\x09\\x0a\\x0d\\x7f");
    assert_visible(((struct rf_str){"\0", 1}), "\\x00");
    /* Letters of all lengths stay; so does what is next to the marks. */
    assert_visible(
        RF_STR("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \xc2\xa0 \xe2\x80\xa7 \xe2\x80\xaf \xe2\x81\xa5 \xe2\x81\xaa"),
        "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \xc2\xa0 \xe2\x80\xa7 \xe2\x80\xaf \xe2\x81\xa5 \xe2\x81\xaa");
    assert_visible(RF_STR("\xc2\x80\xc2\x9b\xc2\x9f"), "\\u{80}\\u{9b}\\u{9f}");
    assert_visible(
        RF_STR("\xe2\x80\xa8|\xe2\x80\xa9|\xe2\x80\xaa|\xe2\x80\xae|\xe2\x81\xa6|\xe2\x81\xa9|\xe2\x80\x8e|\xd8\x9c"),
        "\\u{2028}|\\u{2029}|\\u{202a}|\\u{202e}|\\u{2066}|\\u{2069}|\\u{200e}|\\u{61c}");
    /* No UTF-8: alone, cut off, overlong, a surrogate, beyond the last one. */
    assert_visible(RF_STR("\x9b|\xff|\xc3"), "\\x9b|\\xff|\\xc3");
    assert_visible(RF_STR("\xe2\x82"), "\\xe2\\x82");
    assert_visible(RF_STR("\xc0\x9b"), "\\xc0\\x9b");
    assert_visible(RF_STR("\xed\xa0\x80"), "\\xed\\xa0\\x80");
    assert_visible(RF_STR("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

/* Whatever comes, what goes out is UTF-8 without controls. */
static void test_any_bytes(void **state)
{
    (void)state;
    uint32_t random = 5;
    for (uint32_t round = 0; round < 20000; round++) {
        uint8_t bytes[24];
        random = random * 1664525 + 1013904223;
        const size_t count = (random >> 24) % sizeof bytes;
        for (size_t i = 0; i < count; i++) {
            static const uint8_t often[] = {0xe2, 0x80, 0xae, 0xc2, 0x9b, 0x1b, 0xf0, 0x9f, 'a'};
            random = random * 1664525 + 1013904223;
            bytes[i] = (random >> 20) % 2 == 0 ? (uint8_t)(random >> 24) : often[(random >> 24) % sizeof often];
        }
        char *const exact = malloc(count + 1);
        assert_non_null(exact);
        memcpy(exact + 1, bytes, count);
        struct rf_text out = {0};
        struct rf_error err;
        assert_int_equal(rf_visible_append(&out, (struct rf_str){exact + 1, count}, &err), RF_OK);
        assert_true(rf_utf8_is_valid(rf_text_str(&out)));
        for (size_t i = 0; i < out.count; i++) {
            const uint8_t byte = (uint8_t)out.data[i];
            assert_true(byte >= 0x20 && byte != 0x7f);
            assert_false(byte == 0xc2 && (uint8_t)out.data[i + 1] < 0xa0);
        }
        rf_text_free(&out);
        free(exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_visible_append),
        cmocka_unit_test(test_any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
