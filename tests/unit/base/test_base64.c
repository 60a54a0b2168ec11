#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base64.h"

static void assert_written(struct rf_str bytes, const char *expected)
{
    struct rf_text text = {0};
    struct rf_error err;
    assert_int_equal(rf_text_append(&text, RF_STR("before:"), &err), RF_OK);
    assert_int_equal(rf_base64_append(&text, bytes, &err), RF_OK);
    const struct rf_str written = {text.data + 7, text.count - 7};
    assert_true(rf_str_equal(written, rf_str_of(expected)));
    rf_text_free(&text);
}

/* The examples of RFC 4648 section 10, and bytes with every bit. */
static void test_rf_base64_append(void **state)
{
    (void)state;
    assert_written((struct rf_str){NULL, 0}, "");
    assert_written(RF_STR("f"), "Zg==");
    assert_written(RF_STR("fo"), "Zm8=");
    assert_written(RF_STR("foo"), "Zm9v");
    assert_written(RF_STR("foob"), "Zm9vYg==");
    assert_written(RF_STR("fooba"), "Zm9vYmE=");
    assert_written(RF_STR("foobar"), "Zm9vYmFy");
    assert_written(RF_STR("\0\0\0"), "AAAA");
    assert_written(RF_STR("\xff\xff\xff\xfb\xf0"), "////+/A=");
}

/* out is a heap block of just the room that the header asks for. */
static void assert_decoded(struct rf_str text, bool is_base64, struct rf_str expected)
{
    size_t count = 77;
    char *const out = malloc(3 * (text.count / 4 + 1));
    assert_non_null(out);
    if (rf_base64_decode(text, out, &count) != is_base64) {
        fail_msg("%.*s", RF_STR_ARG(text));
    }
    assert_int_equal(count, is_base64 ? expected.count : 77);
    assert_true(!is_base64 || rf_str_equal((struct rf_str){out, count}, expected));
    free(out);
}

static void test_rf_base64_decode(void **state)
{
    static const struct {
        const char *text;
        struct rf_str bytes;
    } rows[] = {
        {"", {"", 0}},
        {"Zg==", {"f", 1}},
        {"Zg", {"f", 1}},
        {"Zh==", {"f", 1}}, /* bits that no byte has */
        {"Z/", {"g", 1}},
        {"Zm8=", {"fo", 2}},
        {"Zm8", {"fo", 2}},
        {"Zm9=", {"fo", 2}},
        {"Zm9v", {"foo", 3}},
        {"Zm9vYg==", {"foob", 4}},
        {"Zm9vYmE", {"fooba", 5}},
        {"Zm9vYmFy", {"foobar", 6}},
        {"aGVsbG8=", {"hello", 5}},
        {"aGVsbG8", {"hello", 5}},
        {"AAAA", {"\0\0\0", 3}},
        {"////+/A=", {"\xff\xff\xff\xfb\xf0", 5}},
    };
    static const char *const refused[] = {
        "Z",        "=",        "==",    "====",  "A===", "Zg=",      "Zg===",    "Zm8==",
        "Zm9v=",    "Zm9v====", "Zm9vZ", "Z=g=",  "=Zg=", "Zg==Zg==", "Zm8=Zm8=", "Zm9v\n",
        "Zm9v\r\n", "Zm\n9v",   " Zg==", "Zg== ", "Zg-_", "Zm9-",     "Zm9,",     "\xff\xff\xff\xff"};
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        assert_decoded(rf_str_of(rows[r].text), true, rows[r].bytes);
    }
    for (size_t r = 0; r < sizeof refused / sizeof refused[0]; r++) {
        assert_decoded(rf_str_of(refused[r]), false, RF_STR(""));
    }
    assert_decoded((struct rf_str){NULL, 0}, true, RF_STR(""));
    assert_decoded(RF_STR("Zm9\0"), false, RF_STR(""));
}

/* Each byte in each place of a group: 64 of 256 are symbols. */
static void test_every_symbol(void **state)
{
    size_t symbols = 0;
    (void)state;
    for (unsigned c = 0; c < 256; c++) {
        for (size_t place = 0; place < 4; place++) {
            char text[8] = {'A', 'A', 'A', 'A', 'A', 'A', 'A', 'A'}; /* the last group may be padded, the first not */
            char out[9];
            size_t count;
            text[place] = (char)c;
            symbols += rf_base64_decode((struct rf_str){text, sizeof text}, out, &count);
        }
    }
    assert_int_equal(symbols, 4 * 64);
}

/* What was written is read again, with and without its padding, at every length. */
static void test_round_trip(void **state)
{
    uint32_t random_state = 1;
    char bytes[100];
    (void)state;
    for (int round = 0; round < 20; round++) {
        for (size_t count = 0; count <= sizeof bytes; count++) {
            struct rf_text text = {0};
            struct rf_error err;
            for (size_t i = 0; i < count; i++) {
                random_state = random_state * 1664525u + 1013904223u;
                bytes[i] = (char)(random_state >> 24);
            }
            const struct rf_str expected = {bytes, count};
            assert_int_equal(rf_base64_append(&text, expected, &err), RF_OK);
            struct rf_str written = {text.data, text.count};
            assert_decoded(written, true, expected);
            while (written.count != 0 && written.data[written.count - 1] == '=') {
                written.count--;
            }
            assert_decoded(written, true, expected);
            rf_text_free(&text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_base64_append),
        cmocka_unit_test(test_rf_base64_decode),
        cmocka_unit_test(test_every_symbol),
        cmocka_unit_test(test_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
