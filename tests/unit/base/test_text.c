#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "text.h"

static void test_rf_text_append(void **state)
{
    struct rf_text text = {0};
    struct rf_error err;
    (void)state;
    assert_int_equal(rf_text_append(&text, (struct rf_str){NULL, 0}, &err), RF_OK);
    assert_int_equal(text.count, 0);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(rf_text_append(&text, RF_STR("abc"), &err), RF_OK);
    }
    assert_int_equal(text.count, 3000);
    assert_memory_equal(text.data + 2997, "abc", 3);
    rf_text_free(&text);
    assert_null(text.data);
    rf_text_free(&text);
}

static void test_rf_text_append_char(void **state)
{
    struct rf_text text = {0};
    struct rf_error err;
    (void)state;
    for (int i = 0; i < 200; i++) {
        assert_int_equal(rf_text_append_char(&text, (char)('a' + i % 26), &err), RF_OK);
    }
    assert_int_equal(text.count, 200);
    assert_int_equal(text.data[27], 'b');
    rf_text_free(&text);
}

static void test_rf_text_clear(void **state)
{
    struct rf_text text = {0};
    struct rf_error err;
    (void)state;
    assert_int_equal(rf_text_append(&text, RF_STR("some text"), &err), RF_OK);
    const char *const data = text.data;
    rf_text_clear(&text);
    assert_int_equal(rf_text_str(&text).count, 0);
    assert_int_equal(rf_text_append(&text, RF_STR("other"), &err), RF_OK);
    assert_ptr_equal(text.data, data); /* memory is kept */
    assert_true(rf_str_equal(rf_text_str(&text), RF_STR("other")));
    rf_text_free(&text);
}

static void test_rf_text_reserve(void **state)
{
    struct rf_text text = {0};
    struct rf_error err;
    (void)state;
    assert_int_equal(rf_text_append(&text, RF_STR("x"), &err), RF_OK);
    assert_int_equal(rf_text_reserve(&text, 5000, &err), RF_OK);
    assert_true(text.capacity - text.count >= 5000);
    assert_int_equal(rf_text_reserve(&text, SIZE_MAX, &err), RF_E_MEMORY);
    assert_int_equal(err.status, RF_E_MEMORY);
    assert_int_equal(rf_text_reserve(&text, SIZE_MAX / 2, &err), RF_E_MEMORY);
    assert_true(rf_str_equal(rf_text_str(&text), RF_STR("x")));
    rf_text_free(&text);
}

static void test_rf_text_append_number(void **state)
{
    static const uint64_t numbers[] = {0, 9, 10, 999999999, 1000000000, UINT64_MAX};
    struct rf_text text = {0};
    struct rf_error err;
    (void)state;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        assert_int_equal(rf_text_append_number(&text, numbers[i], &err), RF_OK);
        assert_int_equal(rf_text_append_char(&text, ' ', &err), RF_OK);
    }
    assert_true(rf_str_equal(rf_text_str(&text), RF_STR("0 9 10 999999999 1000000000 18446744073709551615 ")));
    rf_text_free(&text);
}

static void test_rf_text_printf(void **state)
{
    struct rf_text text = {0};
    struct rf_error err;
    (void)state;
    assert_int_equal(rf_text_printf(&text, &err, "%s=%d", "a", 1), RF_OK);
    assert_int_equal(rf_text_printf(&text, &err, "%s", ""), RF_OK);
    assert_int_equal(rf_text_printf(&text, &err, "%200d", 2), RF_OK);
    assert_int_equal(text.count, 203);
    assert_memory_equal(text.data, "a=1   ", 6);
    assert_int_equal(text.data[202], '2');
    rf_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_text_append), cmocka_unit_test(test_rf_text_append_char),
        cmocka_unit_test(test_rf_text_clear),  cmocka_unit_test(test_rf_text_reserve),
        cmocka_unit_test(test_rf_text_printf), cmocka_unit_test(test_rf_text_append_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
