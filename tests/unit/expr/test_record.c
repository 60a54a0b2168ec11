#include "expr_fixture.h"

#include "record.h"

static void test_rf_record_member(void **state)
{
    (void)state;
    assert_int_equal(rf_record_member(RF_STR("number"))->root, RF_ROOT_RECORD_NUMBER);
    assert_int_equal(rf_record_member(RF_STR("number"))->type, RF_TYPE_INT);
    assert_int_equal(rf_record_member(RF_STR("file"))->type, RF_TYPE_STRING);
    assert_int_equal(rf_record_member(RF_STR("headers"))->root, RF_ROOT_RECORD_ABSENT);
    assert_null(rf_record_member(RF_STR("price")));
    assert_null(rf_record_member(RF_STR("")));
}

static void test_rf_record_suggest(void **state)
{
    (void)state;
    assert_string_equal(rf_record_suggest(RF_STR("Number")), "number");
    assert_string_equal(rf_record_suggest(RF_STR("header")), "headers");
    assert_null(rf_record_suggest(RF_STR("quantity")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_record_member),
        cmocka_unit_test(test_rf_record_suggest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
