#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "status.h"
#include "str.h"

static void test_rf_status_name(void **state)
{
    (void)state;
    assert_string_equal(rf_status_name(RF_OK), "RF_OK");
    assert_string_equal(rf_status_name(RF_E_DEVICE), "RF_E_DEVICE");
    assert_string_equal(rf_status_name((enum rf_status)99), "RF_UNKNOWN");
    assert_string_equal(rf_status_name((enum rf_status) - 1), "RF_UNKNOWN");
}

static void test_rf_status_sentence(void **state)
{
    (void)state;
    assert_string_equal(rf_status_sentence(RF_OK), "done");
    assert_string_equal(rf_status_sentence(RF_E_MEMORY), "out of memory");
    assert_string_equal(rf_status_sentence((enum rf_status)99), "unknown status");
}

static void test_rf_status_is_error(void **state)
{
    (void)state;
    assert_false(rf_status_is_error(RF_OK));
    assert_false(rf_status_is_error(RF_END));
    assert_false(rf_status_is_error(RF_STOP));
    assert_false(rf_status_is_error(RF_AGAIN));
    assert_true(rf_status_is_error(RF_E_USAGE));
    assert_true(rf_status_is_error(RF_E_DEVICE));
    assert_true(rf_status_is_error((enum rf_status)99));
}

static enum rf_status fails(struct rf_error *err)
{
    RF_FAIL(err, RF_E_LIMIT, "%d bytes exceed %s", 7, "the limit");
}

static enum rf_status forwards(enum rf_status inner, struct rf_error *err)
{
    RF_TRY(inner);
    RF_FAIL(err, RF_E_USAGE, "not forwarded");
}

static void test_rf_error_set(void **state)
{
    struct rf_error err = {0};
    char text[2000];
    (void)state;
    assert_int_equal(fails(&err), RF_E_LIMIT);
    assert_int_equal(err.status, RF_E_LIMIT);
    assert_string_equal(err.text, "7 bytes exceed the limit");
    assert_true(rf_str_ends(rf_str_of(err.file), RF_STR("test_status.c")));
    assert_true(err.line > 0);

    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_int_equal(rf_error_set(&err, RF_E_IO, "file", 3, "%s", text), RF_E_IO);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
}

static void test_rf_try(void **state)
{
    struct rf_error err = {0};
    (void)state;
    assert_int_equal(forwards(RF_AGAIN, &err), RF_AGAIN);
    assert_int_equal(forwards(RF_END, &err), RF_END);
    assert_int_equal(forwards(RF_E_IO, &err), RF_E_IO);
    assert_int_equal(forwards(RF_OK, &err), RF_E_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_status_name),
        cmocka_unit_test(test_rf_status_sentence),
        cmocka_unit_test(test_rf_status_is_error),
        cmocka_unit_test(test_rf_error_set),
        cmocka_unit_test(test_rf_try),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
