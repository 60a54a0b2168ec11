#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "fix_data.h"
#include "fix_type.h"

/* Converts a copy that ends where the text ends, so that the address sanitizer sees every byte too far. */
static bool convert(enum rf_fix_type type, const char *text, size_t count, struct rf_fix_value *out)
{
    char *const copy = malloc(count == 0 ? 1 : count);
    assert_non_null(copy);
    memcpy(copy, text, count);
    const bool is_good = rf_fix_value(type, (struct rf_str){copy, count}, out);
    free(copy);
    return is_good;
}

static struct rf_fix_value good(enum rf_fix_type type, const char *text)
{
    struct rf_fix_value value;
    if (!convert(type, text, strlen(text), &value)) {
        fail_msg("refused as %s: '%s'", rf_fix_type_name(type), text);
    }
    assert_int_equal(value.kind, rf_fix_type_class(type));
    return value;
}

static void refused(enum rf_fix_type type, const char *text)
{
    struct rf_fix_value value = {.kind = RF_FIX_CLASS_TEXT, .as.integer = 4711};
    if (convert(type, text, strlen(text), &value)) {
        fail_msg("accepted as %s: '%s'", rf_fix_type_name(type), text);
    }
    assert_int_equal(value.kind, RF_FIX_CLASS_TEXT);
    assert_int_equal(value.as.integer, 4711);
}

static void test_rf_fix_type_of_name(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum rf_fix_type type;
    } rows[] = {
        {"UTCTimestamp", RF_FIX_TYPE_UTC_TIMESTAMP},
        {"UTCTIMESTAMP", RF_FIX_TYPE_UTC_TIMESTAMP},
        {"utctimestamp", RF_FIX_TYPE_UTC_TIMESTAMP},
        {"PRICE", RF_FIX_TYPE_PRICE},
        {"Price", RF_FIX_TYPE_PRICE},
        {"MULTIPLEVALUESTRING", RF_FIX_TYPE_MULTIPLE_STRING_VALUE},
        {"MultipleCharValue", RF_FIX_TYPE_MULTIPLE_CHAR_VALUE},
        {"day-of-month", RF_FIX_TYPE_DAY_OF_MONTH},
        {"UTCDATE", RF_FIX_TYPE_UTC_DATE_ONLY},
        {"data", RF_FIX_TYPE_DATA},
        {"TIME", RF_FIX_TYPE_UTC_TIMESTAMP},
        {"Reserved4000Plus", RF_FIX_TYPE_PATTERN},
    };
    enum rf_fix_type type;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_true(rf_fix_type_of_name(rf_str_of(rows[i].name), &type));
        assert_int_equal(type, rows[i].type);
    }
    for (int i = 0; i < RF_FIX_TYPE_COUNT; i++) {
        assert_true(rf_fix_type_of_name(rf_str_of(rf_fix_type_name((enum rf_fix_type)i)), &type));
        assert_int_equal(type, i);
    }
    assert_false(rf_fix_type_of_name(RF_STR(""), &type));
    assert_false(rf_fix_type_of_name(RF_STR("_"), &type));
    assert_false(rf_fix_type_of_name(RF_STR("PRICES"), &type));
    assert_false(rf_fix_type_of_name(RF_STR("a name that is much longer than those of all types together"), &type));
}

/* The table of the language: every type has the class that users are told. */
static void test_rf_fix_type_class(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"i", "INT LENGTH SEQNUM NUMINGROUP DAYOFMONTH TAGNUM"},
        {"d", "FLOAT PRICE QTY AMT PERCENTAGE PRICEOFFSET QUANTITY"},
        {"b", "BOOLEAN"},
        {"t", "UTCTIMESTAMP TZTIMESTAMP"},
        {"m", "UTCTIMEONLY LOCALMKTTIME"},
        {"s", "CHAR STRING CURRENCY EXCHANGE COUNTRY MONTHYEAR LOCALMKTDATE UTCDATEONLY UTCDATE LANGUAGE TZTIMEONLY"},
        {"l", "MULTIPLEVALUESTRING MULTIPLECHARVALUE MULTIPLESTRINGVALUE"},
        {"x", "DATA XMLDATA"},
    };
    static const enum rf_fix_class class_of[] = {
        ['i'] = RF_FIX_CLASS_INT,     ['d'] = RF_FIX_CLASS_DOUBLE,   ['b'] = RF_FIX_CLASS_BOOL,
        ['t'] = RF_FIX_CLASS_INSTANT, ['m'] = RF_FIX_CLASS_DURATION, ['s'] = RF_FIX_CLASS_TEXT,
        ['l'] = RF_FIX_CLASS_LIST,    ['x'] = RF_FIX_CLASS_BYTES,
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rf_str names = rf_str_of(rows[i][1]);
        struct rf_str name;
        while (rf_fix_list_next(&names, &name)) {
            enum rf_fix_type type;
            assert_true(rf_fix_type_of_name(name, &type));
            assert_int_equal(rf_fix_type_class(type), class_of[(unsigned char)rows[i][0][0]]);
        }
    }
}

static void test_rf_fix_int(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
    } rows[] = {
        {"0", 0},
        {"-0", 0},
        {"7", 7},
        {"000004", 4},
        {"-000004", -4},
        {"9223372036854775807", INT64_MAX},
        {"-9223372036854775808", INT64_MIN},
        {"000000000000000000000000000000009223372036854775807", INT64_MAX},
        {"9223372036854775799", 9223372036854775799},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_true(good(RF_FIX_TYPE_SEQ_NUM, rows[i].text).as.integer == rows[i].value);
    }
    static const char *const bad[] = {"",
                                      "-",
                                      "+1",
                                      "1.0",
                                      " 1",
                                      "1 ",
                                      "1e3",
                                      "9223372036854775808",
                                      "-9223372036854775809",
                                      "18446744073709551671",
                                      "99999999999999999999",
                                      "0x1",
                                      "--1",
                                      "\xd9\xa1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        refused(RF_FIX_TYPE_INT, bad[i]);
    }
}

static void test_rf_fix_double(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0",
        "-0",
        "1",
        "12.50",
        "00023.2300",
        ".5",
        "5.",
        "-.5",
        "-5.",
        "0.1",
        "123456789012345678901234567890",
        "0.000000000000000000000000000000000000001",
        "9007199254740993",
        "9007199254740992.9999999999999999999999",
        "9007199254740993.00000000000000000000000000000000000000000000000000000000000000001",
        "179769313486231570000",
        "0.30000000000000004440892098500626",
        "2.2250738585072011",
        "100.00000000000000000000000",
        "1.7976931348623157",
        "000000000000000000000000000000000000000000000000000000001.25",
        "0000000000.0000000000000000000000000000001250000",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const double expected = strtod(texts[i], NULL);
        const double value = good(RF_FIX_TYPE_PRICE, texts[i]).as.number;
        if (memcmp(&value, &expected, sizeof value) != 0) {
            fail_msg("%s: %.17g", texts[i], value);
        }
    }
    static const char *const bad[] = {"",
                                      "-",
                                      ".",
                                      "-.",
                                      "+1",
                                      "1e5",
                                      "1E5",
                                      "1..2",
                                      "1.2.3",
                                      "1,5",
                                      "1 ",
                                      " 1",
                                      "nan",
                                      "inf",
                                      "0x1",
                                      "1-",
                                      "--1",
                                      "1_0",
                                      "\302\2401"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        refused(RF_FIX_TYPE_QTY, bad[i]);
    }
    /* The range: 309 digits fit, the largest double and half a step more round to infinity. */
    char text[400];
    memset(text, '9', sizeof text);
    text[308] = '\0';
    assert_true(good(RF_FIX_TYPE_AMT, text).as.number == 1e308);
    text[308] = '9';
    text[309] = '\0';
    refused(RF_FIX_TYPE_AMT, text);
    memset(text, '0', 350);
    text[0] = '1';
    text[309] = '\0'; /* 1e308 */
    assert_true(good(RF_FIX_TYPE_AMT, text).as.number == 1e308);
    text[309] = '0';
    text[310] = '\0';
    refused(RF_FIX_TYPE_AMT, text);
    memcpy(text, "0.", 2);
    memset(text + 2, '0', 340);
    memcpy(text + 342, "1", 2);
    assert_true(good(RF_FIX_TYPE_AMT, text).as.number == 0.0);
}

/* Random decimals against the library, which rounds correctly as well. */
static void test_rf_fix_double_random(void **state)
{
    (void)state;
    uint64_t seed = 42;
    for (int round = 0; round < 200000; round++) {
        char text[64];
        size_t count = 0;
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const uint32_t whole = (uint32_t)(seed >> 60);
        const uint32_t part = (uint32_t)(seed >> 55) % 32;
        if ((seed >> 40 & 1) != 0) {
            text[count++] = '-';
        }
        for (uint32_t i = 0; i < whole + part; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            if (i == whole) {
                text[count++] = '.';
            }
            text[count++] = (char)('0' + (seed >> 60) % 10);
        }
        if (whole + part == 0) {
            text[count++] = '7';
        }
        text[count] = '\0';
        const double expected = strtod(text, NULL);
        double value;
        assert_true(rf_fix_double((struct rf_str){text, count}, &value));
        if (memcmp(&value, &expected, sizeof value) != 0) {
            fail_msg("%s: %.17g", text, value);
        }
    }
}

static void test_rf_fix_bool(void **state)
{
    (void)state;
    assert_true(good(RF_FIX_TYPE_BOOLEAN, "Y").as.truth);
    assert_false(good(RF_FIX_TYPE_BOOLEAN, "N").as.truth);
    static const char *const bad[] = {"", "y", "n", "YES", "Y ", "1", "true"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        refused(RF_FIX_TYPE_BOOLEAN, bad[i]);
    }
}

static void instant_is(enum rf_fix_type type, const char *text, int64_t seconds, uint32_t nanos)
{
    const struct rf_fix_value value = good(type, text);
    if (value.as.instant.seconds != seconds || value.as.instant.nanos != nanos) {
        fail_msg("%s: %lld s, %u ns", text, (long long)value.as.instant.seconds, value.as.instant.nanos);
    }
}

static void test_rf_fix_utc_timestamp(void **state)
{
    (void)state;
    const enum rf_fix_type type = RF_FIX_TYPE_UTC_TIMESTAMP;
    instant_is(type, "19700101-00:00:00", 0, 0);
    instant_is(type, "20260102-10:00:00.000", 1767348000, 0);
    instant_is(type, "20260102-10:00:00.123", 1767348000, 123000000);
    instant_is(type, "20260102-10:00:00.123456", 1767348000, 123456000);
    instant_is(type, "20260102-10:00:00.123456789", 1767348000, 123456789);
    instant_is(type, "20260102-10:00:00.123456789012", 1767348000, 123456789);
    instant_is(type, "20260102-10:00:00.5", 1767348000, 500000000);
    instant_is(type, "20240229-23:59:59.999999999", 1709251199, 999999999);
    instant_is(type, "20000229-00:00:00", 951782400, 0);
    instant_is(type, "00010101-00:00:00", RF_INSTANT_SECONDS_MIN, 0);
    instant_is(type, "99991231-23:59:59.999999999", RF_INSTANT_SECONDS_MAX, 999999999);
    /* 2016 ended with a leap second. */
    instant_is(type, "20161231-23:59:60", 1483228800, 0);
    instant_is(type, "20161231-23:59:60.500", 1483228800, 500000000);
    static const char *const bad[] = {
        "",
        "20260102",
        "20260102-",
        "20260102-10:00",
        "20260102-10:00:0",
        "20260102-10:00:00.",
        "20260102-10:00:00Z",
        "20260102-10:00:00.1234567890123",
        "20260102 10:00:00",
        "2026-01-02-10:00:00",
        "20260102-24:00:00",
        "20260102-10:60:00",
        "20260102-10:00:60",
        "20260102-10:00:61",
        "20260102-23:58:60",
        "20260229-00:00:00",
        "19000229-00:00:00",
        "20260431-00:00:00",
        "20260001-00:00:00",
        "20261301-00:00:00",
        "20260100-00:00:00",
        "20260132-00:00:00",
        "00000101-00:00:00",
        "99991231-23:59:60",
        "2026010a-10:00:00",
        "20260102-1a:00:00",
        "20260102-10:00:00.12a",
        "20260102-10:00:00,123",
        "20260102T10:00:00",
        " 20260102-10:00:00",
        "20260102-10:00:00 ",
        "20260102-10-00:00",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        refused(type, bad[i]);
    }
}

static void test_rf_fix_tz_timestamp(void **state)
{
    (void)state;
    const enum rf_fix_type type = RF_FIX_TYPE_TZ_TIMESTAMP;
    /* The examples of the standard, all of 2006-09-01 07:39 UTC. */
    instant_is(type, "20060901-07:39Z", 1157096340, 0);
    instant_is(type, "20060901-02:39-05", 1157096340, 0);
    instant_is(type, "20060901-15:39+08", 1157096340, 0);
    instant_is(type, "20060901-13:09+05:30", 1157096340, 0);
    instant_is(type, "20060901-13:09:07.123+05:30", 1157096347, 123000000);
    instant_is(type, "20060901-07:39:07Z", 1157096347, 0);
    instant_is(type, "20170101-00:59:60+01", 1483228800, 0);
    instant_is(type, "20170101-05:29:60.25+05:30", 1483228800, 250000000);
    instant_is(type, "00010101-00:00-01", RF_INSTANT_SECONDS_MIN + 3600, 0);
    static const char *const bad[] = {
        "20060901-07:39",
        "20060901-07:39:00",
        "20060901-07:39.5Z",
        "20060901-07:39z",
        "20060901-07:39+5",
        "20060901-07:39+05:3",
        "20060901-07:39+0530",
        "20060901-07:39+24",
        "20060901-07:39+05:60",
        "20060901-07:39+",
        "20060901-07:39ZZ",
        "20060901-07:39Z+01",
        "20161231-23:59:60+01",
        "00010101-00:00+00:01",
        "20060901-07:3Z",
        "20060901-0739Z",
        "20060901-07:39:0Z",
        "",
        "20060901Z",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        refused(type, bad[i]);
    }
}

static void test_rf_fix_time_of_day(void **state)
{
    (void)state;
    const enum rf_fix_type type = RF_FIX_TYPE_UTC_TIME_ONLY;
    assert_true(good(type, "00:00:00").as.nanoseconds == 0);
    assert_true(good(type, "10:01:02.003").as.nanoseconds == 36062003000000);
    assert_true(good(type, "23:59:59.999999999").as.nanoseconds == 86399999999999);
    assert_true(good(type, "23:59:60").as.nanoseconds == 86400000000000);
    static const char *const bad[] = {"",          "10:00",   "10:00:60",  "24:00:00",
                                      "10:00:00Z", "1:00:00", "10:00:00.", "-1:00:00"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        refused(type, bad[i]);
    }
}

/* Every day of 300 years against the C library, and one second to each side of the day. */
static void test_rf_fix_utc_timestamp_days(void **state)
{
    (void)state;
    for (int64_t day = -50000; day < 60000; day++) {
        const time_t seconds = (time_t)(day * 86400 + (day * 7919 % 86400 + 86400) % 86400);
        struct tm parts;
        char text[64];
        struct rf_instant instant;
        assert_non_null(gmtime_r(&seconds, &parts));
        assert_int_equal(strftime(text, sizeof text, "%Y%m%d-%H:%M:%S", &parts), 17);
        assert_true(rf_fix_utc_timestamp(rf_str_of(text), &instant));
        assert_true(instant.seconds == seconds && instant.nanos == 0);
    }
}

static void test_rf_fix_list_next(void **state)
{
    (void)state;
    struct rf_str rest = RF_STR("  A bc  d ");
    struct rf_str item;
    assert_true(rf_fix_list_next(&rest, &item) && rf_str_equal(item, RF_STR("A")));
    assert_true(rf_fix_list_next(&rest, &item) && rf_str_equal(item, RF_STR("bc")));
    assert_true(rf_fix_list_next(&rest, &item) && rf_str_equal(item, RF_STR("d")));
    assert_false(rf_fix_list_next(&rest, &item));
    rest = RF_STR("");
    assert_false(rf_fix_list_next(&rest, &item));
    rest = good(RF_FIX_TYPE_MULTIPLE_CHAR_VALUE, "1 G").as.text;
    (void)rest;
}

static void test_rf_fix_value_text(void **state)
{
    (void)state;
    static const enum rf_fix_type types[] = {RF_FIX_TYPE_STRING, RF_FIX_TYPE_CHAR, RF_FIX_TYPE_LOCAL_MKT_DATE,
                                             RF_FIX_TYPE_DATA, RF_FIX_TYPE_MULTIPLE_STRING_VALUE};
    static const char *const texts[] = {"", "a=b=c", "\xff\x01", "20260102"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
            struct rf_fix_value value;
            const struct rf_str text = rf_str_of(texts[k]);
            assert_true(rf_fix_value(types[i], text, &value));
            assert_true(value.as.text.data == text.data && value.as.text.count == text.count);
        }
    }
}

static void test_rf_fix_data(void **state)
{
    (void)state;
    assert_int_equal(rf_fix_data_of(93), 89); /* the one pair whose data comes before its length */
    assert_int_equal(rf_fix_length_of_data(89), 93);
    assert_int_equal(rf_fix_data_of(95), 96);
    assert_int_equal(rf_fix_length_of_data(622), 621);
    assert_int_equal(rf_fix_data_of(96), 0);
    assert_int_equal(rf_fix_length_of_data(95), 0);
    int pairs = 0;
    for (uint32_t tag = 0; tag < 2000; tag++) {
        const uint32_t data = rf_fix_data_of(tag);
        if (data != 0) {
            assert_int_equal(rf_fix_length_of_data(data), tag);
            pairs++;
        }
    }
    assert_int_equal(pairs, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_fix_type_of_name),  cmocka_unit_test(test_rf_fix_type_class),
        cmocka_unit_test(test_rf_fix_int),           cmocka_unit_test(test_rf_fix_double),
        cmocka_unit_test(test_rf_fix_double_random), cmocka_unit_test(test_rf_fix_bool),
        cmocka_unit_test(test_rf_fix_utc_timestamp), cmocka_unit_test(test_rf_fix_tz_timestamp),
        cmocka_unit_test(test_rf_fix_time_of_day),   cmocka_unit_test(test_rf_fix_utc_timestamp_days),
        cmocka_unit_test(test_rf_fix_list_next),     cmocka_unit_test(test_rf_fix_value_text),
        cmocka_unit_test(test_rf_fix_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
