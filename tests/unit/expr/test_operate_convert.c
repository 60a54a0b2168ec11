/* operate.h, family CONVERT: each conversion, its bounds, and what is no conversion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "family_fixture.h"

enum { NUMBERS = 1u << RF_TYPE_INT | 1u << RF_TYPE_UINT | 1u << RF_TYPE_DOUBLE };

static struct rf_value apply(enum rf_function function, struct rf_value a)
{
    return call_one(rf_operate_convert, function, a);
}

static void test_bool(void **state)
{
    (void)state;
    static const char *const yes[] = {"1", "t", "true", "TRUE", "True"};
    static const char *const no[] = {"0", "f", "false", "FALSE", "False"};
    static const char *const neither[] = {"", "TrUe", "FaLsE", "T", "F", "yes", "2", "true ", " 1", "t\n", "truE"};
    for (size_t i = 0; i < 5; i++) {
        expect_bool(apply(RF_FN_TO_BOOL, str(yes[i])), true);
        expect_bool(apply(RF_FN_TO_BOOL, str(no[i])), false);
    }
    for (size_t i = 0; i < sizeof neither / sizeof neither[0]; i++) {
        expect_error(apply(RF_FN_TO_BOOL, str(neither[i])), "is no bool");
    }
    expect_bool(apply(RF_FN_TO_BOOL, rf_value_bool(true)), true);
    expect_bool(apply(RF_FN_TO_BOOL, rf_value_bool(false)), false);
    expect_overloads(rf_operate_convert, RF_FN_TO_BOOL, 1u << RF_TYPE_BOOL | 1u << RF_TYPE_STRING);
}

static void test_bytes(void **state)
{
    (void)state;
    expect_text(apply(RF_FN_TO_BYTES, str("")), RF_TYPE_BYTES, RF_STR(""));
    expect_text(apply(RF_FN_TO_BYTES, str("\xc3\xbf")), RF_TYPE_BYTES, RF_STR("\xc3\xbf"));
    expect_text(apply(RF_FN_TO_BYTES, bytes("\xff")), RF_TYPE_BYTES, RF_STR("\xff"));
    expect_overloads(rf_operate_convert, RF_FN_TO_BYTES, 1u << RF_TYPE_BYTES | 1u << RF_TYPE_STRING);
}

static void test_double(void **state)
{
    (void)state;
    expect_double(apply(RF_FN_TO_DOUBLE, rf_value_double(5.5)), 5.5, false);
    expect_double(apply(RF_FN_TO_DOUBLE, rf_value_double(NAN)), NAN, false);
    expect_double(apply(RF_FN_TO_DOUBLE, rf_value_int(-9007199254740992)), -9007199254740992.0, false);
    expect_double(apply(RF_FN_TO_DOUBLE, rf_value_int(9007199254740993)), 9007199254740992.0, false);
    expect_double(apply(RF_FN_TO_DOUBLE, rf_value_int(INT64_MIN)), -0x1p63, false);
    expect_double(apply(RF_FN_TO_DOUBLE, rf_value_uint(UINT64_MAX)), 0x1p64, false);
    expect_double(apply(RF_FN_TO_DOUBLE, str("-0.0")), -0.0, false);
    expect_double(apply(RF_FN_TO_DOUBLE, str("6.02214e23")), 6.02214e23, false);
    expect_double(apply(RF_FN_TO_DOUBLE, str("-5.43e-21")), -5.43e-21, false);
    expect_double(apply(RF_FN_TO_DOUBLE, str("NaN")), NAN, false);
    expect_double(apply(RF_FN_TO_DOUBLE, str("-Infinity")), -INFINITY, false);
    expect_error(apply(RF_FN_TO_DOUBLE, str("")), "'' is no double");
    expect_error(apply(RF_FN_TO_DOUBLE, str("1.5x")), "'1.5x' is no double");
    expect_error(apply(RF_FN_TO_DOUBLE, str("1e400")), "is no double");
    expect_overloads(rf_operate_convert, RF_FN_TO_DOUBLE, NUMBERS | 1u << RF_TYPE_STRING);
}

/* double() of a message number stays a message number, and its token is gone. */
static void test_double_of_message(void **state)
{
    (void)state;
    expect_double(apply(RF_FN_TO_DOUBLE, message("1.50")), 1.5, true);
    expect_double(apply(RF_FN_TO_DOUBLE, message("9007199254740993")), 9007199254740992.0, true);
    expect_double(apply(RF_FN_TO_DOUBLE, message("18446744073709551615")), 0x1p64, true);
}

static void test_duration(void **state)
{
    (void)state;
    expect_duration(apply(RF_FN_TO_DURATION, rf_value_duration(-5)), -5);
    expect_duration(apply(RF_FN_TO_DURATION, str("1h30m")), 5400000000000);
    expect_duration(apply(RF_FN_TO_DURATION, str("-1.5s")), -1500000000);
    expect_duration(apply(RF_FN_TO_DURATION, str("20ms3us1ns")), 20003001);
    expect_duration(apply(RF_FN_TO_DURATION, str("9223372036.854775807s")), INT64_MAX);
    expect_duration(apply(RF_FN_TO_DURATION, str("-9223372036.854775808s")), INT64_MIN);
    expect_error(apply(RF_FN_TO_DURATION, str("9223372036.854775808s")), "is no duration");
    expect_error(apply(RF_FN_TO_DURATION, str("-9223372036.854775809s")), "is no duration");
    expect_error(apply(RF_FN_TO_DURATION, str("320000000000s")), "is no duration");
    expect_error(apply(RF_FN_TO_DURATION, str("1d")), "'1d' is no duration");
    expect_error(apply(RF_FN_TO_DURATION, str("")), "is no duration");
    expect_overloads(rf_operate_convert, RF_FN_TO_DURATION, 1u << RF_TYPE_DURATION | 1u << RF_TYPE_STRING);
}

static void test_dyn(void **state)
{
    (void)state;
    expect_int(apply(RF_FN_TO_DYN, rf_value_int(7)), 7);
    const struct rf_value number = apply(RF_FN_TO_DYN, message("1.50"));
    assert_true(number.is_message && rf_str_equal(number.text, RF_STR("1.50")));
}

static void test_int(void **state)
{
    (void)state;
    expect_int(apply(RF_FN_TO_INT, rf_value_int(INT64_MIN)), INT64_MIN);
    expect_int(apply(RF_FN_TO_INT, rf_value_uint(INT64_MAX)), INT64_MAX);
    expect_error(apply(RF_FN_TO_INT, rf_value_uint((uint64_t)INT64_MAX + 1)), "int out of range");
    expect_error(apply(RF_FN_TO_INT, rf_value_uint(UINT64_MAX)), "int out of range");
    expect_int(apply(RF_FN_TO_INT, rf_value_double(-7.9)), -7);
    expect_int(apply(RF_FN_TO_INT, rf_value_double(0.99)), 0);
    expect_int(apply(RF_FN_TO_INT, rf_value_double(nextafter(0x1p63, 0))), 9223372036854774784);
    expect_error(apply(RF_FN_TO_INT, rf_value_double(0x1p63)), "int out of range");
    expect_int(apply(RF_FN_TO_INT, rf_value_double(nextafter(-0x1p63, 0))), -9223372036854774784);
    expect_error(apply(RF_FN_TO_INT, rf_value_double(-0x1p63)), "int out of range");
    expect_error(apply(RF_FN_TO_INT, rf_value_double(1e99)), "int out of range");
    expect_error(apply(RF_FN_TO_INT, rf_value_double(NAN)), "int out of range");
    expect_error(apply(RF_FN_TO_INT, rf_value_double(-INFINITY)), "int out of range");
    expect_overloads(rf_operate_convert, RF_FN_TO_INT,
                     NUMBERS | 1u << RF_TYPE_STRING | 1u << RF_TYPE_TIMESTAMP | 1u << RF_TYPE_DURATION);
}

static void test_int_of_text_and_time(void **state)
{
    (void)state;
    expect_int(apply(RF_FN_TO_INT, str("987")), 987);
    expect_int(apply(RF_FN_TO_INT, str("-9223372036854775808")), INT64_MIN);
    expect_int(apply(RF_FN_TO_INT, str("9223372036854775807")), INT64_MAX);
    expect_error(apply(RF_FN_TO_INT, str("9223372036854775808")), "is no int of 64 bits");
    expect_error(apply(RF_FN_TO_INT, str("-9223372036854775809")), "is no int of 64 bits");
    expect_error(apply(RF_FN_TO_INT, str("")), "is no int");
    expect_error(apply(RF_FN_TO_INT, str("1.0")), "is no int");
    expect_error(apply(RF_FN_TO_INT, str("0x10")), "is no int");
    expect_int(apply(RF_FN_TO_INT, instant(1234567890, 999999999)), 1234567890);
    expect_int(apply(RF_FN_TO_INT, instant(-1, 500000000)), -1); /* half a second before 1970 */
    expect_int(apply(RF_FN_TO_INT, rf_value_duration(-1500000001)), -1500000001);
}

/* Message numbers beyond 2^53 are exact. */
static void test_int_and_uint_of_message(void **state)
{
    (void)state;
    expect_int(apply(RF_FN_TO_INT, message("9007199254740993")), 9007199254740993);
    expect_int(apply(RF_FN_TO_INT, message("9223372036854775807")), INT64_MAX);
    expect_int(apply(RF_FN_TO_INT, message("-9223372036854775808")), INT64_MIN);
    expect_int(apply(RF_FN_TO_INT, message("-2.9")), -2);
    expect_error(apply(RF_FN_TO_INT, message("9223372036854775808")), "int out of range");
    expect_error(apply(RF_FN_TO_INT, message("1e19")), "int out of range");
    expect_uint(apply(RF_FN_TO_UINT, message("18446744073709551615")), UINT64_MAX);
    expect_uint(apply(RF_FN_TO_UINT, message("9007199254740993")), 9007199254740993);
    expect_uint(apply(RF_FN_TO_UINT, message("2.9")), 2);
    expect_error(apply(RF_FN_TO_UINT, message("-9007199254740993")), "uint out of range");
    expect_error(apply(RF_FN_TO_UINT, message("18446744073709551616")), "uint out of range");
}

static void test_uint(void **state)
{
    (void)state;
    expect_uint(apply(RF_FN_TO_UINT, rf_value_uint(UINT64_MAX)), UINT64_MAX);
    expect_uint(apply(RF_FN_TO_UINT, rf_value_int(0)), 0);
    expect_uint(apply(RF_FN_TO_UINT, rf_value_int(INT64_MAX)), INT64_MAX);
    expect_error(apply(RF_FN_TO_UINT, rf_value_int(-1)), "uint out of range");
    expect_uint(apply(RF_FN_TO_UINT, rf_value_double(25.9)), 25);
    expect_uint(apply(RF_FN_TO_UINT, rf_value_double(-0.0)), 0);
    expect_error(apply(RF_FN_TO_UINT, rf_value_double(-0.5)), "uint out of range");
    expect_uint(apply(RF_FN_TO_UINT, rf_value_double(nextafter(0x1p64, 0))), 18446744073709549568u);
    expect_error(apply(RF_FN_TO_UINT, rf_value_double(0x1p64)), "uint out of range");
    expect_error(apply(RF_FN_TO_UINT, rf_value_double(6.022e23)), "uint out of range");
    expect_error(apply(RF_FN_TO_UINT, rf_value_double(NAN)), "uint out of range");
    expect_uint(apply(RF_FN_TO_UINT, str("300")), 300);
    expect_uint(apply(RF_FN_TO_UINT, str("18446744073709551615")), UINT64_MAX);
    expect_error(apply(RF_FN_TO_UINT, str("18446744073709551616")), "is no uint of 64 bits");
    expect_error(apply(RF_FN_TO_UINT, str("-1")), "is no uint");
    expect_error(apply(RF_FN_TO_UINT, str("")), "is no uint");
    expect_overloads(rf_operate_convert, RF_FN_TO_UINT, NUMBERS | 1u << RF_TYPE_STRING);
}

static void test_string_of_numbers(void **state)
{
    (void)state;
    expect_str(apply(RF_FN_TO_STRING, rf_value_int(INT64_MIN)), "-9223372036854775808");
    expect_str(apply(RF_FN_TO_STRING, rf_value_int(0)), "0");
    expect_str(apply(RF_FN_TO_STRING, rf_value_uint(UINT64_MAX)), "18446744073709551615");
    expect_str(apply(RF_FN_TO_STRING, rf_value_double(123.456)), "123.456");
    expect_str(apply(RF_FN_TO_STRING, rf_value_double(-4.5e-3)), "-0.0045");
    expect_str(apply(RF_FN_TO_STRING, rf_value_double(100)), "100");
    expect_str(apply(RF_FN_TO_STRING, rf_value_double(-0.0)), "-0");
    expect_str(apply(RF_FN_TO_STRING, rf_value_double(1e300)), "1e+300");
    expect_str(apply(RF_FN_TO_STRING, rf_value_double(NAN)), "NaN");
    expect_str(apply(RF_FN_TO_STRING, rf_value_double(-NAN)), "NaN");
    expect_str(apply(RF_FN_TO_STRING, rf_value_double(INFINITY)), "Infinity");
    expect_str(apply(RF_FN_TO_STRING, rf_value_double(-INFINITY)), "-Infinity");
    /* Of the number, not the token. */
    expect_str(apply(RF_FN_TO_STRING, message("100.0")), "100");
    expect_str(apply(RF_FN_TO_STRING, message("1.50e1")), "15");
    expect_str(apply(RF_FN_TO_STRING, message("9007199254740993")), "9007199254740993");
    expect_str(apply(RF_FN_TO_STRING, message("-9007199254740993")), "-9007199254740993");
    expect_str(apply(RF_FN_TO_STRING, message("18446744073709551615")), "18446744073709551615");
}

static void test_double_reads_its_text(void **state)
{
    (void)state;
    const double number[] = {0.1,      -0.0,     5e-324, 1.7976931348623157e308, 1e23, 123456789012345680.0,
                             INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++) {
        const struct rf_value text = apply(RF_FN_TO_STRING, rf_value_double(number[i]));
        expect_double(apply(RF_FN_TO_DOUBLE, text), number[i], false);
    }
    expect_double(apply(RF_FN_TO_DOUBLE, apply(RF_FN_TO_STRING, rf_value_double(NAN))), NAN, false);
}

static void test_string_of_others(void **state)
{
    (void)state;
    expect_str(apply(RF_FN_TO_STRING, str("hello")), "hello");
    expect_str(apply(RF_FN_TO_STRING, rf_value_bool(true)), "true");
    expect_str(apply(RF_FN_TO_STRING, rf_value_bool(false)), "false");
    expect_str(apply(RF_FN_TO_STRING, bytes("\xc3\xbf")), "\xc3\xbf");
    expect_str(apply(RF_FN_TO_STRING, bytes("")), "");
    expect_error(apply(RF_FN_TO_STRING, bytes("a\xff")), "not UTF-8 from byte 1 on");
    expect_error(apply(RF_FN_TO_STRING, bytes("ab\xc3")), "not UTF-8 from byte 2 on");
    expect_str(apply(RF_FN_TO_STRING, instant(1234567890, 0)), "2009-02-13T23:31:30Z");
    expect_str(apply(RF_FN_TO_STRING, instant(RF_INSTANT_SECONDS_MAX, 999999999)), "9999-12-31T23:59:59.999999999Z");
    expect_str(apply(RF_FN_TO_STRING, instant(RF_INSTANT_SECONDS_MIN, 0)), "0001-01-01T00:00:00Z");
    expect_str(apply(RF_FN_TO_STRING, rf_value_duration(1000000000000000)), "1000000s");
    expect_str(apply(RF_FN_TO_STRING, rf_value_duration(-1500000000)), "-1.5s");
    expect_str(apply(RF_FN_TO_STRING, rf_value_duration(INT64_MIN)), "-9223372036.854775808s");
    struct rf_cidr cidr;
    assert_int_equal(rf_cidr_parse(RF_STR("192.168.0.1/24"), &cidr), RF_IP_OK);
    expect_str(apply(RF_FN_TO_STRING, net_of(RF_TYPE_IP, cidr)), "192.168.0.1");
    expect_str(apply(RF_FN_TO_STRING, net_of(RF_TYPE_CIDR, cidr)), "192.168.0.1/24");
    assert_int_equal(rf_cidr_parse(RF_STR("1111:2222:3333:4444:5555:6666:7777:8888/128"), &cidr), RF_IP_OK);
    expect_str(apply(RF_FN_TO_STRING, net_of(RF_TYPE_IP, cidr)), "1111:2222:3333:4444:5555:6666:7777:8888");
    expect_str(apply(RF_FN_TO_STRING, net_of(RF_TYPE_CIDR, cidr)), "1111:2222:3333:4444:5555:6666:7777:8888/128");
    expect_overloads(rf_operate_convert, RF_FN_TO_STRING,
                     NUMBERS | 1u << RF_TYPE_STRING | 1u << RF_TYPE_BOOL | 1u << RF_TYPE_BYTES |
                         1u << RF_TYPE_TIMESTAMP | 1u << RF_TYPE_DURATION | 1u << RF_TYPE_IP | 1u << RF_TYPE_CIDR);
}

static void test_string_without_room(void **state)
{
    (void)state;
    struct rf_arena small;
    rf_arena_init(&small, 8);
    const struct rf_value fits = rf_value_int(1234567);
    expect_str(rf_operate_convert(RF_FN_TO_STRING, &fits, 1, &small), "1234567");
    const struct rf_value large = rf_value_int(12345678);
    assert_true(rf_value_is_bound_error(rf_operate_convert(RF_FN_TO_STRING, &large, 1, &small)));
    rf_arena_free(&small);
}

static void test_timestamp(void **state)
{
    (void)state;
    expect_instant(apply(RF_FN_TO_TIMESTAMP, instant(5, 6)), 5, 6);
    expect_instant(apply(RF_FN_TO_TIMESTAMP, str("2009-02-13T23:31:30Z")), 1234567890, 0);
    expect_instant(apply(RF_FN_TO_TIMESTAMP, str("2009-02-14T05:16:30.5+05:45")), 1234567890, 500000000);
    expect_instant(apply(RF_FN_TO_TIMESTAMP, str("9999-12-31T23:59:59.999999999Z")), RF_INSTANT_SECONDS_MAX, 999999999);
    expect_error(apply(RF_FN_TO_TIMESTAMP, str("0000-01-01T00:00:00Z")), "is no timestamp");
    expect_error(apply(RF_FN_TO_TIMESTAMP, str("9999-12-31T23:59:59-00:01")), "is no timestamp");
    expect_error(apply(RF_FN_TO_TIMESTAMP, str("10000-01-01T00:00:00Z")), "is no timestamp");
    expect_error(apply(RF_FN_TO_TIMESTAMP, str("2009-02-13")), "'2009-02-13' is no timestamp");
    expect_error(apply(RF_FN_TO_TIMESTAMP, str("")), "is no timestamp");
    expect_instant(apply(RF_FN_TO_TIMESTAMP, rf_value_int(1000000000)), 1000000000, 0);
    expect_instant(apply(RF_FN_TO_TIMESTAMP, rf_value_int(-62135596800)), -62135596800, 0);
    expect_error(apply(RF_FN_TO_TIMESTAMP, rf_value_int(-62135596801)), "timestamp out of range");
    expect_instant(apply(RF_FN_TO_TIMESTAMP, rf_value_int(253402300799)), 253402300799, 0);
    expect_error(apply(RF_FN_TO_TIMESTAMP, rf_value_int(253402300800)), "timestamp out of range");
    expect_error(apply(RF_FN_TO_TIMESTAMP, rf_value_int(INT64_MIN)), "timestamp out of range");
    expect_overloads(rf_operate_convert, RF_FN_TO_TIMESTAMP,
                     1u << RF_TYPE_TIMESTAMP | 1u << RF_TYPE_STRING | 1u << RF_TYPE_INT);
}

static void test_type(void **state)
{
    (void)state;
    const struct {
        struct rf_value value;
        const char *type;
    } row[] = {
        {rf_value_null(), "null_type"},
        {rf_value_bool(true), "bool"},
        {rf_value_int(1), "int"},
        {rf_value_uint(1), "uint"},
        {rf_value_double(1), "double"},
        {message("9007199254740993"), "double"},
        {str(""), "string"},
        {bytes(""), "bytes"},
        {list_of(NULL, 0), "list"},
        {map_of(NULL, 0), "map"},
        {instant(0, 0), "google.protobuf.Timestamp"},
        {rf_value_duration(0), "google.protobuf.Duration"},
        {rf_value_type(RF_TYPE_INT), "type"},
        {rf_value_optional(NULL), "optional_type"},
        {net_of(RF_TYPE_IP, (struct rf_cidr){.prefix = 0}), "net.IP"},
        {net_of(RF_TYPE_CIDR, (struct rf_cidr){.prefix = 0}), "net.CIDR"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const struct rf_value type = apply(RF_FN_TYPE, row[i].value);
        expect_text(type, RF_TYPE_TYPE, rf_str_of(row[i].type));
        expect_text(apply(RF_FN_TYPE, type), RF_TYPE_TYPE, RF_STR("type"));
    }
}

static struct rf_value message_two(enum rf_function function, struct rf_value a, struct rf_value b)
{
    return call_two(rf_operate_convert, function, a, b);
}

static void test_message_wrappers(void **state)
{
    (void)state;
    expect_bool(apply(RF_FN_MSG_BOOL, rf_value_bool(true)), true);
    expect_text(apply(RF_FN_MSG_BYTES, bytes("a")), RF_TYPE_BYTES, RF_STR("a"));
    expect_str(apply(RF_FN_MSG_STRING, str("a")), "a");
    expect_int(apply(RF_FN_MSG_INT64, rf_value_int(INT64_MIN)), INT64_MIN);
    expect_uint(apply(RF_FN_MSG_UINT64, rf_value_uint(UINT64_MAX)), UINT64_MAX);
    expect_int(apply(RF_FN_MSG_INT32, rf_value_int(INT32_MAX)), INT32_MAX);
    expect_error(apply(RF_FN_MSG_INT32, rf_value_int((int64_t)INT32_MAX + 1)), "int out of range");
    expect_int(apply(RF_FN_MSG_INT32, rf_value_int(INT32_MIN)), INT32_MIN);
    expect_error(apply(RF_FN_MSG_INT32, rf_value_int((int64_t)INT32_MIN - 1)), "int out of range");
    expect_uint(apply(RF_FN_MSG_UINT32, rf_value_uint(UINT32_MAX)), UINT32_MAX);
    expect_error(apply(RF_FN_MSG_UINT32, rf_value_uint((uint64_t)UINT32_MAX + 1)), "uint out of range");
    expect_double(apply(RF_FN_MSG_DOUBLE, rf_value_double(0.1)), 0.1, false);
    expect_double(apply(RF_FN_MSG_DOUBLE, rf_value_int(-3)), -3, false);
    expect_double(apply(RF_FN_MSG_DOUBLE, message("9007199254740993")), 9007199254740992.0, true);
    expect_overloads(rf_operate_convert, RF_FN_MSG_BOOL, 1u << RF_TYPE_BOOL);
    expect_overloads(rf_operate_convert, RF_FN_MSG_BYTES, 1u << RF_TYPE_BYTES);
    expect_overloads(rf_operate_convert, RF_FN_MSG_STRING, 1u << RF_TYPE_STRING);
    expect_overloads(rf_operate_convert, RF_FN_MSG_INT32, 1u << RF_TYPE_INT);
    expect_overloads(rf_operate_convert, RF_FN_MSG_INT64, 1u << RF_TYPE_INT);
    expect_overloads(rf_operate_convert, RF_FN_MSG_UINT32, 1u << RF_TYPE_UINT);
    expect_overloads(rf_operate_convert, RF_FN_MSG_UINT64, 1u << RF_TYPE_UINT);
    expect_overloads(rf_operate_convert, RF_FN_MSG_DOUBLE, NUMBERS);
    expect_overloads(rf_operate_convert, RF_FN_MSG_FLOAT, NUMBERS);
    expect_overloads(rf_operate_convert, RF_FN_MSG_STRUCT, 1u << RF_TYPE_MAP);
    expect_overloads(rf_operate_convert, RF_FN_MSG_LIST, 1u << RF_TYPE_LIST);
}

/* A FloatValue has the precision and the range of a float. */
static void test_message_float(void **state)
{
    (void)state;
    expect_double(apply(RF_FN_MSG_FLOAT, rf_value_double(1.5)), 1.5, false);
    expect_double(apply(RF_FN_MSG_FLOAT, rf_value_double(0.1)), 0x1.99999ap-4, false);
    expect_double(apply(RF_FN_MSG_FLOAT, message("0.1")), 0x1.99999ap-4, true);
    expect_double(apply(RF_FN_MSG_FLOAT, rf_value_int(16777217)), 16777216, false);
    expect_double(apply(RF_FN_MSG_FLOAT, rf_value_double(-1e-60)), -0.0, false);
    expect_double(apply(RF_FN_MSG_FLOAT, rf_value_double(0x1.fffffep127)), 0x1.fffffep127, false);
    expect_double(apply(RF_FN_MSG_FLOAT, rf_value_double(-0x1.fffffefffffffp127)), -0x1.fffffep127, false);
    expect_double(apply(RF_FN_MSG_FLOAT, rf_value_double(0x1.ffffffp127)), INFINITY, false);
    expect_double(apply(RF_FN_MSG_FLOAT, rf_value_double(-1.4e55)), -INFINITY, false);
    expect_double(apply(RF_FN_MSG_FLOAT, rf_value_double(INFINITY)), INFINITY, false);
    expect_double(apply(RF_FN_MSG_FLOAT, rf_value_double(NAN)), NAN, false);
}

static void test_message_times(void **state)
{
    (void)state;
    const enum rf_function duration = RF_FN_MSG_DURATION;
    const enum rf_function timestamp = RF_FN_MSG_TIMESTAMP;
    const struct rf_value zero = rf_value_int(0);
    expect_duration(message_two(duration, rf_value_int(123), rf_value_int(321456789)), 123321456789);
    expect_duration(message_two(duration, rf_value_int(-1), rf_value_int(-999999999)), -1999999999);
    expect_duration(message_two(duration, zero, rf_value_int(-5)), -5);
    expect_duration(message_two(duration, rf_value_int(9223372036), rf_value_int(854775807)), INT64_MAX);
    expect_duration(message_two(duration, rf_value_int(-9223372036), rf_value_int(-854775808)), INT64_MIN);
    expect_error(message_two(duration, rf_value_int(9223372036), rf_value_int(854775808)), "Duration out of range");
    expect_error(message_two(duration, rf_value_int(-9223372036), rf_value_int(-854775809)), "Duration out of range");
    expect_error(message_two(duration, rf_value_int(INT64_MAX), zero), "Duration out of range");
    expect_error(message_two(duration, zero, rf_value_int(1000000000)), "Duration out of range");
    expect_error(message_two(duration, zero, rf_value_int(-1000000000)), "Duration out of range");
    expect_error(message_two(duration, rf_value_int(1), rf_value_int(-1)), "Duration out of range");
    expect_error(message_two(duration, rf_value_int(-1), rf_value_int(1)), "Duration out of range");
    expect_instant(message_two(timestamp, rf_value_int(-1), rf_value_int(999999999)), -1, 999999999);
    expect_instant(message_two(timestamp, rf_value_int(RF_INSTANT_SECONDS_MAX), zero), RF_INSTANT_SECONDS_MAX, 0);
    expect_error(message_two(timestamp, rf_value_int(RF_INSTANT_SECONDS_MAX + 1), zero), "Timestamp out of range");
    expect_error(message_two(timestamp, rf_value_int(RF_INSTANT_SECONDS_MIN - 1), zero), "Timestamp out of range");
    expect_error(message_two(timestamp, zero, rf_value_int(-1)), "Timestamp out of range");
    expect_error(message_two(timestamp, zero, rf_value_int(1000000000)), "Timestamp out of range");
    expect_error(message_two(timestamp, zero, rf_value_int((int64_t)1 << 32)), "Timestamp out of range");
    expect_error(message_two(timestamp, zero, rf_value_uint(0)), "no such overload");
    expect_error(message_two(duration, rf_value_double(1), zero), "no such overload");
}

static void test_message_containers(void **state)
{
    (void)state;
    const struct rf_value item[] = {rf_value_int(1), str("a")};
    assert_int_equal(apply(RF_FN_MSG_LIST, list_of(item, 2)).list->count, 2);
    const struct rf_entry good[] = {{str("a"), rf_value_int(1)}, {str("b"), rf_value_null()}};
    assert_int_equal(apply(RF_FN_MSG_STRUCT, map_of(good, 2)).map->count, 2);
    const struct rf_entry bad[] = {{str("a"), rf_value_int(1)}, {rf_value_int(1), rf_value_null()}};
    expect_error(apply(RF_FN_MSG_STRUCT, map_of(bad, 2)), "string keys, not int");
    /* test_any_value.c has the rest. */
    expect_int(message_two(RF_FN_MSG_ANY, str("x/google.protobuf.Int64Value"), bytes("\x08\x07")), 7);
    expect_error(message_two(RF_FN_MSG_ANY, str("google.protobuf.Int64Value"), str("\x08\x07")), "no such overload");
    expect_error(message_two(RF_FN_MSG_ANY, bytes("google.protobuf.Int64Value"), bytes("")), "no such overload");
}

/* What a message says is shown in part, whole characters of it. */
static void test_long_text_in_an_error(void **state)
{
    (void)state;
    char text[3 + 3 * 100 + 1] = "xxx";
    for (size_t skip = 0; skip < 3; skip++) {
        for (size_t i = 0; i < 100; i++) {
            memcpy(text + skip + 3 * i, "\xe2\x82\xac", 4);
        }
        const struct rf_value error = apply(RF_FN_TO_INT, str(text));
        expect_error(error, "\xe2\x82\xac' is no int");
        assert_true(error.text.count > 50 && error.text.count < 100);
        memset(text, 'x', 3);
    }
    /* A text of no bytes may have no place either. */
    expect_error(apply(RF_FN_TO_INT, rf_value_string((struct rf_str){NULL, 0})), "'' is no int");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bool),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_double),
        cmocka_unit_test(test_double_of_message),
        cmocka_unit_test(test_duration),
        cmocka_unit_test(test_dyn),
        cmocka_unit_test(test_int),
        cmocka_unit_test(test_int_of_text_and_time),
        cmocka_unit_test(test_int_and_uint_of_message),
        cmocka_unit_test(test_uint),
        cmocka_unit_test(test_string_of_numbers),
        cmocka_unit_test(test_double_reads_its_text),
        cmocka_unit_test(test_string_of_others),
        cmocka_unit_test(test_string_without_room),
        cmocka_unit_test(test_timestamp),
        cmocka_unit_test(test_type),
        cmocka_unit_test(test_message_wrappers),
        cmocka_unit_test(test_message_float),
        cmocka_unit_test(test_message_times),
        cmocka_unit_test(test_message_containers),
        cmocka_unit_test(test_long_text_in_an_error),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
