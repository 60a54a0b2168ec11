#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_base64_append),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
