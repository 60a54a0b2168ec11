/* test_fix_value.c: texts of fields as values, at the borders of their types. */
#include "expr_fixture.h"

#include "arena_fixture.h"
#include "fix_value.h"
#include "value.h"

static struct rf_value value_of(enum rf_fix_type type, struct rf_str text)
{
    rf_arena_reset(&arena);
    return rf_fix_text_value(type, text, RF_STR("fix.Name"), &arena);
}

static const char *json_of(enum rf_fix_type type, struct rf_str text)
{
    static char json[1024];
    struct rf_text out = {0};
    struct rf_error err = {0};
    const struct rf_value value = value_of(type, text);
    if (value.type == RF_TYPE_ERROR) {
        (void)snprintf(json, sizeof json, "error: %.*s", RF_STR_ARG(value.text));
        return json;
    }
    fixture_ok(rf_value_write_json(&out, value, &err), &err);
    (void)snprintf(json, sizeof json, "%.*s", RF_STR_ARG(rf_text_str(&out)));
    rf_text_free(&out);
    return json;
}

#define assert_json(type, text, expected) assert_string_equal(json_of(RF_FIX_TYPE_##type, RF_STR(text)), (expected))

static void test_classes(void **state)
{
    (void)state;
    assert_json(INT, "000004", "4");
    assert_json(INT, "-9223372036854775808", "-9223372036854775808");
    assert_json(INT, "9223372036854775808", "error: fix.Name is no int: '9223372036854775808'");
    assert_json(LENGTH, "", "error: fix.Name is no Length: ''");
    assert_json(SEQ_NUM, "1.0", "error: fix.Name is no SeqNum: '1.0'");
    assert_json(PRICE, "102.00", "102.00"); /* as it stands */
    assert_json(PRICE, "007", "7");         /* JSON could not have it */
    assert_json(PRICE, ".5", "0.5");
    assert_json(QTY, "5.", "5");
    assert_json(QTY, "1e5", "error: fix.Name is no Qty: '1e5'");
    assert_json(BOOLEAN, "Y", "true");
    assert_json(BOOLEAN, "N", "false");
    assert_json(BOOLEAN, "y", "error: fix.Name is no Boolean: 'y'");
    assert_json(UTC_TIMESTAMP, "20260102-10:00:00.250", "\"2026-01-02T10:00:00.25Z\"");
    assert_json(UTC_TIMESTAMP, "20260230-10:00:00", "error: fix.Name is no UTCTimestamp: '20260230-10:00:00'");
    assert_json(TZ_TIMESTAMP, "20260102-10:00+01", "\"2026-01-02T09:00:00Z\"");
    assert_json(UTC_TIME_ONLY, "00:00:01.5", "\"1.5s\"");
    assert_json(UTC_DATE_ONLY, "20260230", "\"20260230\""); /* dates are text */
    assert_json(STRING, "", "\"\"");
    assert_json(STRING, "f\xc3\xa9", "\"f\xc3\xa9\"");
    assert_json(STRING, "f\xe9", "error: fix.Name is no UTF-8");
    assert_json(MULTIPLE_CHAR_VALUE, " 1  6 ", "[\"1\",\"6\"]");
    assert_json(MULTIPLE_STRING_VALUE, "", "[]");
    assert_json(MULTIPLE_STRING_VALUE, "a \xff", "error: fix.Name is no UTF-8");
    assert_json(DATA, "\xff\xfe", "\"//4=\"");
}

/* An int literal beside a price is promoted, as beside a number of JSON; an int of FIX is an int of CEL. */
static void test_message_numbers(void **state)
{
    (void)state;
    assert_true(value_of(RF_FIX_TYPE_PRICE, RF_STR("1.5")).is_message);
    assert_false(value_of(RF_FIX_TYPE_INT, RF_STR("15")).is_message);
    assert_int_equal(value_of(RF_FIX_TYPE_INT, RF_STR("15")).type, RF_TYPE_INT);
    assert_int_equal(value_of(RF_FIX_TYPE_PRICE, RF_STR("1.5")).type, RF_TYPE_DOUBLE);
}

static void test_rf_fix_number_text(void **state)
{
    (void)state;
    static const char *const as_it_stands[] = {"0", "-0", "1", "-12.50", "100.00", "0.1"};
    static const char *const others[] = {"", "-", ".5", "5.", "007", "-.5", "00", "x"};
    for (size_t i = 0; i < sizeof as_it_stands / sizeof as_it_stands[0]; i++) {
        const struct rf_str text = rf_str_of(as_it_stands[i]);
        assert_true(rf_str_equal(rf_fix_number_text(text), text));
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_int_equal(rf_fix_number_text(rf_str_of(others[i])).count, 0);
    }
}

static void test_rf_fix_raw_value(void **state)
{
    (void)state;
    struct rf_value value = rf_fix_raw_value(RF_STR("12.50"), RF_STR("fix.raw(44)"), &arena);
    assert_int_equal(value.type, RF_TYPE_STRING);
    assert_true(rf_str_equal(value.text, RF_STR("12.50")));
    value = rf_fix_raw_value(RF_STR("\xc3"), RF_STR("fix.raw(44)"), &arena);
    assert_int_equal(value.type, RF_TYPE_ERROR);
    assert_true(rf_str_equal(value.text, RF_STR("fix.raw(44) is no UTF-8")));
}

/* A name and a text of any length make no long error, and a full arena is one. */
static void test_bounds(void **state)
{
    (void)state;
    static char long_text[500];
    memset(long_text, '9', sizeof long_text);
    const struct rf_str text = {long_text, sizeof long_text};
    const struct rf_value value = rf_fix_text_value(RF_FIX_TYPE_INT, text, text, &arena);
    assert_int_equal(value.type, RF_TYPE_ERROR);
    assert_true(value.text.count < 200);
    struct rf_arena none;
    rf_arena_init(&none, 0);
    assert_int_equal(rf_fix_text_value(RF_FIX_TYPE_MULTIPLE_CHAR_VALUE, RF_STR("1 2"), RF_STR("x"), &none).type,
                     RF_TYPE_ERROR);
    assert_int_equal(rf_fix_text_value(RF_FIX_TYPE_INT, RF_STR("x"), RF_STR("x"), &none).type, RF_TYPE_ERROR);
    rf_arena_free(&none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_message_numbers),
        cmocka_unit_test(test_rf_fix_number_text),
        cmocka_unit_test(test_rf_fix_raw_value),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
