/* calc_convert.c: conversions of cells. That all of it is as on values: tests/unit/pipeline/test_calc_operate.c. */
#include "calc_fixture.h"

#define EXACT (INT64_C(1) << 53) /* from here on not every integer is a double */

static void test_to_bool(void **state)
{
    (void)state;
    expect_bool(call_one(RF_FN_TO_BOOL, rf_cell_of_bool(true)), true);
    expect_bool(call_one(RF_FN_TO_BOOL, str("True")), true);
    expect_bool(call_one(RF_FN_TO_BOOL, escaped("0")), false);
    expect_error(call_one(RF_FN_TO_BOOL, str("tRUE")));
    expect_only(RF_FN_TO_BOOL, TAGS_BOOL | TAGS_STRING);
}

static void test_to_bytes(void **state)
{
    (void)state;
    const struct rf_cell text = escaped("caf\xc3\xa9");
    const struct rf_cell octets = call_one(RF_FN_TO_BYTES, text);
    expect_octets(octets, RF_TAG_BYTES, rf_cell_text(&text));
    assert_ptr_equal(octets.text, text.text);
    expect_octets(call_one(RF_FN_TO_BYTES, bytes("\xff")), RF_TAG_BYTES, RF_STR("\xff"));
    expect_only(RF_FN_TO_BYTES, TAGS_STRING | 1u << RF_TAG_BYTES);
}

static void test_to_double(void **state)
{
    (void)state;
    expect_real(call_one(RF_FN_TO_DOUBLE, rf_cell_of_int(EXACT + 1)), (double)EXACT);
    expect_real(call_one(RF_FN_TO_DOUBLE, rf_cell_of_uint(UINT64_MAX)), 0x1p64);
    expect_real(call_one(RF_FN_TO_DOUBLE, real(-0.0)), -0.0);
    expect_number(call_one(RF_FN_TO_DOUBLE, number(0.5)), 0.5);
    expect_number(call_one(RF_FN_TO_DOUBLE, big(EXACT + 1)), (double)EXACT);
    expect_real(call_one(RF_FN_TO_DOUBLE, str("-1.5e3")), -1500);
    expect_real(call_one(RF_FN_TO_DOUBLE, str("NaN")), NAN);
    expect_error(call_one(RF_FN_TO_DOUBLE, str("1.5x")));
    expect_error(call_one(RF_FN_TO_DOUBLE, str("1e400")));
    expect_only(RF_FN_TO_DOUBLE, TAGS_WHOLE | TAGS_DOUBLE | TAGS_STRING);
}

static void test_to_duration(void **state)
{
    (void)state;
    expect_duration(call_one(RF_FN_TO_DURATION, duration(-5)), -5);
    expect_duration(call_one(RF_FN_TO_DURATION, str("1h0.5s")), 3600500000000);
    expect_error(call_one(RF_FN_TO_DURATION, str("1")));
    expect_error(call_one(RF_FN_TO_DURATION, str("1d")));
    expect_only(RF_FN_TO_DURATION, 1u << RF_TAG_DURATION);
}

static void test_to_dyn(void **state)
{
    (void)state;
    struct rf_cell price = number(1.5);
    price.text = "1.50";
    price.length = 4;
    const struct rf_cell cell = call_one(RF_FN_TO_DYN, price);
    expect_number(cell, 1.5);
    assert_true(rf_str_equal(rf_cell_text(&cell), RF_STR("1.50")));
    expect_octets(call_one(RF_FN_TO_DYN, list("[1]")), RF_TAG_LIST, RF_STR("[1]"));
}

static void test_to_int(void **state)
{
    (void)state;
    expect_int(call_one(RF_FN_TO_INT, rf_cell_of_int(INT64_MIN)), INT64_MIN);
    expect_int(call_one(RF_FN_TO_INT, rf_cell_of_uint(INT64_MAX)), INT64_MAX);
    expect_error(call_one(RF_FN_TO_INT, rf_cell_of_uint(INT64_MAX + UINT64_C(1))));
    expect_int(call_one(RF_FN_TO_INT, real(-1.9)), -1);
    expect_int(call_one(RF_FN_TO_INT, real(0x1.fffffffffffffp62)), 9223372036854774784);
    expect_error(call_one(RF_FN_TO_INT, real(0x1p63)));
    expect_error(call_one(RF_FN_TO_INT, real(-0x1p63)));
    expect_error(call_one(RF_FN_TO_INT, number(NAN)));
    expect_int(call_one(RF_FN_TO_INT, number(2.5)), 2);
    expect_int(call_one(RF_FN_TO_INT, big(EXACT + 1)), EXACT + 1);
    expect_int(call_one(RF_FN_TO_INT, big(INT64_MIN)), INT64_MIN);
    expect_error(call_one(RF_FN_TO_INT, big_uint(UINT64_MAX)));
    expect_int(call_one(RF_FN_TO_INT, str("-0042")), -42);
    expect_error(call_one(RF_FN_TO_INT, str("9223372036854775808")));
    expect_error(call_one(RF_FN_TO_INT, str("")));
    expect_int(call_one(RF_FN_TO_INT, instant(-5, 999999999)), -5);
    expect_int(call_one(RF_FN_TO_INT, duration(-7)), -7);
    /* Above, 2^63 + 1 is the cell of BIGUINT. */
    expect_only(RF_FN_TO_INT, TAGS_WHOLE | (TAGS_DOUBLE & ~(1u << RF_TAG_BIGUINT)) | TAGS_STRING |
                                  1u << RF_TAG_TIMESTAMP | 1u << RF_TAG_DURATION);
}

static void test_to_uint(void **state)
{
    (void)state;
    expect_uint(call_one(RF_FN_TO_UINT, rf_cell_of_uint(UINT64_MAX)), UINT64_MAX);
    expect_uint(call_one(RF_FN_TO_UINT, rf_cell_of_int(INT64_MAX)), INT64_MAX);
    expect_error(call_one(RF_FN_TO_UINT, rf_cell_of_int(-1)));
    expect_uint(call_one(RF_FN_TO_UINT, real(1.9)), 1);
    expect_uint(call_one(RF_FN_TO_UINT, real(0x1p63)), UINT64_C(1) << 63);
    expect_error(call_one(RF_FN_TO_UINT, real(0x1p64)));
    expect_error(call_one(RF_FN_TO_UINT, real(-0.5)));
    expect_uint(call_one(RF_FN_TO_UINT, big_uint(UINT64_MAX)), UINT64_MAX);
    expect_error(call_one(RF_FN_TO_UINT, big(-EXACT - 1)));
    expect_uint(call_one(RF_FN_TO_UINT, str("18446744073709551615")), UINT64_MAX);
    expect_error(call_one(RF_FN_TO_UINT, str("-1")));
    expect_only(RF_FN_TO_UINT, TAGS_WHOLE | TAGS_DOUBLE | TAGS_STRING);
}

static void test_to_string(void **state)
{
    (void)state;
    const struct rf_cell text = escaped("caf\xc3\xa9");
    const struct rf_cell same = call_one(RF_FN_TO_STRING, text);
    assert_true(rf_cell_is_string(&same));
    assert_ptr_equal(same.text, text.text);
    expect_str(call_one(RF_FN_TO_STRING, bytes("caf\xc3\xa9")), "caf\xc3\xa9");
    expect_error(call_one(RF_FN_TO_STRING, bytes("caf\xc3")));
    expect_str(call_one(RF_FN_TO_STRING, rf_cell_of_bool(true)), "true");
    expect_str(call_one(RF_FN_TO_STRING, rf_cell_of_bool(false)), "false");
    expect_str(call_one(RF_FN_TO_STRING, rf_cell_of_int(INT64_MIN)), "-9223372036854775808");
    expect_str(call_one(RF_FN_TO_STRING, rf_cell_of_uint(UINT64_MAX)), "18446744073709551615");
    expect_str(call_one(RF_FN_TO_STRING, real(0.1)), "0.1");
    expect_str(call_one(RF_FN_TO_STRING, number(100)), "100");
    expect_str(call_one(RF_FN_TO_STRING, big(EXACT + 1)), "9007199254740993");
    expect_str(call_one(RF_FN_TO_STRING, big_uint(UINT64_MAX)), "18446744073709551615");
    expect_str(call_one(RF_FN_TO_STRING, real(NAN)), "NaN");
    expect_str(call_one(RF_FN_TO_STRING, real(INFINITY)), "Infinity");
    expect_str(call_one(RF_FN_TO_STRING, number(-INFINITY)), "-Infinity");
    expect_str(call_one(RF_FN_TO_STRING, instant(RF_INSTANT_SECONDS_MAX, 999999999)), "9999-12-31T23:59:59.999999999Z");
    expect_str(call_one(RF_FN_TO_STRING, duration(INT64_MIN)), "-9223372036.854775808s");
    expect_str(call_one(RF_FN_TO_STRING, net_cell("2001:DB8:0::1")), "2001:db8::1");
    expect_str(call_one(RF_FN_TO_STRING, net_cell("10.1.2.3/8")), "10.1.2.3/8");
    expect_only(RF_FN_TO_STRING, TAGS_BOOL | TAGS_WHOLE | TAGS_DOUBLE | TAGS_STRING | 1u << RF_TAG_BYTES |
                                     1u << RF_TAG_TIMESTAMP | 1u << RF_TAG_DURATION | 1u << RF_TAG_IP |
                                     1u << RF_TAG_CIDR);
}

static void test_string_without_room(void **state)
{
    (void)state;
    scratch.bytes_max = 1;
    expect_host(call_one(RF_FN_TO_STRING, rf_cell_of_int(12)));
    expect_host(call_one(RF_FN_TO_STRING, instant(0, 0)));
    expect_str(call_one(RF_FN_TO_STRING, rf_cell_of_int(1)), "1");
    expect_str(call_one(RF_FN_TO_STRING, rf_cell_of_bool(true)), "true");
    expect_error(call_one(RF_FN_TO_STRING, null_cell()));
}

static void test_to_timestamp(void **state)
{
    (void)state;
    expect_instant(call_one(RF_FN_TO_TIMESTAMP, instant(5, 6)), 5, 6);
    expect_instant(call_one(RF_FN_TO_TIMESTAMP, str("1970-01-01T00:00:00.5+00:01")), -60, 500000000);
    expect_error(call_one(RF_FN_TO_TIMESTAMP, str("1970-01-01")));
    expect_instant(call_one(RF_FN_TO_TIMESTAMP, rf_cell_of_int(RF_INSTANT_SECONDS_MAX)), RF_INSTANT_SECONDS_MAX, 0);
    expect_error(call_one(RF_FN_TO_TIMESTAMP, rf_cell_of_int(RF_INSTANT_SECONDS_MAX + 1)));
    expect_error(call_one(RF_FN_TO_TIMESTAMP, rf_cell_of_int(RF_INSTANT_SECONDS_MIN - 1)));
    expect_instant(call_one(RF_FN_TO_TIMESTAMP, number(1700000000)), 1700000000, 0);
    expect_error(call_one(RF_FN_TO_TIMESTAMP, number(0.5)));
    expect_error(strict_one(RF_FN_TO_TIMESTAMP, number(1700000000)));
    expect_instant(strict_one(RF_FN_TO_TIMESTAMP, rf_cell_of_int(1700000000)), 1700000000, 0);
    expect_only(RF_FN_TO_TIMESTAMP, 1u << RF_TAG_INT | 1u << RF_TAG_NUMBER | 1u << RF_TAG_TIMESTAMP);
}

static void test_type(void **state)
{
    (void)state;
    const struct {
        struct rf_cell cell;
        const char *name;
    } row[] = {{null_cell(), "null_type"},
               {rf_cell_of_bool(true), "bool"},
               {rf_cell_of_bool(false), "bool"},
               {rf_cell_of_int(1), "int"},
               {rf_cell_of_uint(1), "uint"},
               {real(1), "double"},
               {number(1), "double"},
               {big(EXACT + 1), "double"},
               {big_uint(UINT64_MAX), "double"},
               {str("a"), "string"},
               {escaped("a"), "string"},
               {bytes("a"), "bytes"},
               {list("[]"), "list"},
               {object("{}"), "map"},
               {items(NULL, 0), "list"},
               {entries(NULL, 0), "map"},
               {optional(NULL), "optional_type"},
               {instant(0, 0), "google.protobuf.Timestamp"},
               {duration(0), "google.protobuf.Duration"},
               {type_cell("int"), "type"},
               {net_cell("::1"), "net.IP"},
               {net_cell("10.0.0.0/8"), "net.CIDR"}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        expect_octets(call_one(RF_FN_TYPE, row[i].cell), RF_TAG_TYPE, rf_str_of(row[i].name));
    }
}

/* google.protobuf.DoubleValue and FloatValue. */
static void test_message_numbers(void **state)
{
    (void)state;
    expect_real(call_one(RF_FN_MSG_DOUBLE, rf_cell_of_int(3)), 3);
    expect_real(call_one(RF_FN_MSG_DOUBLE, rf_cell_of_uint(3)), 3);
    expect_real(call_one(RF_FN_MSG_DOUBLE, real(0.1)), 0.1);
    expect_number(call_one(RF_FN_MSG_DOUBLE, number(0.1)), 0.1);
    expect_number(call_one(RF_FN_MSG_DOUBLE, big(EXACT + 1)), 0x1p53);
    expect_real(call_one(RF_FN_MSG_FLOAT, real(0.1)), (double)0.1f);
    expect_real(call_one(RF_FN_MSG_FLOAT, real(1e39)), INFINITY);
    expect_real(call_one(RF_FN_MSG_FLOAT, real(-0x1.fffffefffffffp127)), -0x1.fffffep127);
    expect_number(call_one(RF_FN_MSG_FLOAT, number(1.1)), (double)1.1f);
    expect_only(RF_FN_MSG_DOUBLE, TAGS_WHOLE | TAGS_DOUBLE);
    expect_only(RF_FN_MSG_FLOAT, TAGS_WHOLE | TAGS_DOUBLE);
}

static void test_message_integers(void **state)
{
    (void)state;
    expect_int(call_one(RF_FN_MSG_INT32, rf_cell_of_int(INT32_MIN)), INT32_MIN);
    expect_int(call_one(RF_FN_MSG_INT32, rf_cell_of_int(INT32_MAX)), INT32_MAX);
    expect_error(call_one(RF_FN_MSG_INT32, rf_cell_of_int((int64_t)INT32_MAX + 1)));
    expect_error(call_one(RF_FN_MSG_INT32, rf_cell_of_int((int64_t)INT32_MIN - 1)));
    expect_int(call_one(RF_FN_MSG_INT64, rf_cell_of_int(INT64_MIN)), INT64_MIN);
    expect_uint(call_one(RF_FN_MSG_UINT32, rf_cell_of_uint(UINT32_MAX)), UINT32_MAX);
    expect_error(call_one(RF_FN_MSG_UINT32, rf_cell_of_uint((uint64_t)UINT32_MAX + 1)));
    expect_uint(call_one(RF_FN_MSG_UINT64, rf_cell_of_uint(UINT64_MAX)), UINT64_MAX);
    /* A whole number of the message is an int, or a uint above the ints. */
    expect_int(call_one(RF_FN_MSG_INT32, number(7)), 7);
    expect_error(call_one(RF_FN_MSG_INT32, number(7.5)));
    expect_error(strict_one(RF_FN_MSG_INT32, number(7)));
    expect_error(call_one(RF_FN_MSG_UINT64, number(7)));
    expect_uint(call_one(RF_FN_MSG_UINT64, big_uint(UINT64_MAX)), UINT64_MAX);
    expect_only(RF_FN_MSG_INT32, 1u << RF_TAG_INT | 1u << RF_TAG_NUMBER);
    expect_only(RF_FN_MSG_INT64, 1u << RF_TAG_INT | 1u << RF_TAG_NUMBER | 1u << RF_TAG_BIGINT);
    expect_only(RF_FN_MSG_UINT32, 1u << RF_TAG_UINT);
    expect_only(RF_FN_MSG_UINT64, 1u << RF_TAG_UINT | 1u << RF_TAG_BIGUINT);
}

static void test_message_times(void **state)
{
    enum { SECOND = 1000000000 };
    const struct rf_cell zero = rf_cell_of_int(0);
    (void)state;
    expect_instant(call_two(RF_FN_MSG_TIMESTAMP, rf_cell_of_int(-1), rf_cell_of_int(SECOND - 1)), -1, SECOND - 1);
    expect_instant(call_two(RF_FN_MSG_TIMESTAMP, number(5), rf_cell_of_int(0)), 5, 0);
    expect_error(call_two(RF_FN_MSG_TIMESTAMP, zero, rf_cell_of_int(SECOND)));
    expect_error(call_two(RF_FN_MSG_TIMESTAMP, zero, rf_cell_of_int(-1)));
    expect_error(call_two(RF_FN_MSG_TIMESTAMP, zero, rf_cell_of_int((int64_t)1 << 32)));
    expect_error(call_two(RF_FN_MSG_TIMESTAMP, rf_cell_of_int(RF_INSTANT_SECONDS_MAX + 1), zero));
    expect_duration(call_two(RF_FN_MSG_DURATION, rf_cell_of_int(1), rf_cell_of_int(5)), SECOND + 5);
    expect_duration(call_two(RF_FN_MSG_DURATION, rf_cell_of_int(-1), rf_cell_of_int(-5)), -SECOND - 5);
    expect_duration(call_two(RF_FN_MSG_DURATION, zero, rf_cell_of_int(1 - SECOND)), 1 - SECOND);
    expect_error(call_two(RF_FN_MSG_DURATION, rf_cell_of_int(1), rf_cell_of_int(-1)));
    expect_error(call_two(RF_FN_MSG_DURATION, rf_cell_of_int(-1), rf_cell_of_int(1)));
    expect_error(call_two(RF_FN_MSG_DURATION, zero, rf_cell_of_int(SECOND)));
    expect_error(call_two(RF_FN_MSG_DURATION, zero, rf_cell_of_int(-SECOND)));
    expect_duration(call_two(RF_FN_MSG_DURATION, rf_cell_of_int(9223372036), rf_cell_of_int(854775807)), INT64_MAX);
    expect_error(call_two(RF_FN_MSG_DURATION, rf_cell_of_int(9223372036), rf_cell_of_int(854775808)));
    expect_error(call_two(RF_FN_MSG_DURATION, rf_cell_of_int(INT64_MAX), zero));
    expect_error(call_two(RF_FN_MSG_DURATION, zero, rf_cell_of_uint(0)));
    expect_error(strict_two(RF_FN_MSG_DURATION, number(1), zero));
}

static void test_message_holders(void **state)
{
    (void)state;
    const struct rf_cell named[2] = {str("a"), rf_cell_of_int(1)};
    const struct rf_cell numbered[4] = {str("a"), rf_cell_of_int(1), rf_cell_of_int(1), rf_cell_of_int(1)};
    const struct rf_cell map = entries(named, 1);
    const struct rf_cell taken = call_one(RF_FN_MSG_STRUCT, map);
    expect_tag(taken, RF_TAG_ENTRIES);
    assert_ptr_equal(rf_cell_inner(&taken), named);
    expect_tag(call_one(RF_FN_MSG_STRUCT, object("{\"a\":1}")), RF_TAG_OBJECT);
    expect_error(call_one(RF_FN_MSG_STRUCT, entries(numbered, 2)));
    expect_only(RF_FN_MSG_STRUCT, TAGS_MAP);
    expect_only(RF_FN_MSG_LIST, TAGS_LIST);
    expect_only(RF_FN_MSG_BOOL, TAGS_BOOL);
    expect_only(RF_FN_MSG_BYTES, 1u << RF_TAG_BYTES);
    expect_only(RF_FN_MSG_STRING, TAGS_STRING);
    expect_str(call_one(RF_FN_MSG_STRING, str("x")), "x");
}

static void test_functions_of_others(void **state)
{
    (void)state;
    assert_null(rf_calc_convert_op(RF_FN_ADD));
    assert_null(rf_calc_convert_op(RF_FN_MSG_ANY));
    assert_null(rf_calc_convert_op(RF_FN_FULL_YEAR));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_to_bool, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_to_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_to_double, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_to_duration, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_to_dyn, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_to_int, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_to_uint, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_to_string, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_string_without_room, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_to_timestamp, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_type, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_message_numbers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_message_integers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_message_times, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_message_holders, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_functions_of_others, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
