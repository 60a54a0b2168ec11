/* operate.h, rf_operate_format: the clauses of format(), precision, wrong types, wrong formats, sizes. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "family_fixture.h"

static struct rf_value format_many(const char *format, const struct rf_value *value, size_t count)
{
    const struct rf_list list = {.count = count, .item = value};
    return rf_operate_format(str(format), &list, &arena);
}

static struct rf_value format_one(const char *format, struct rf_value value)
{
    return format_many(format, &value, 1);
}

#define FORMAT(format, ...)                                                                                            \
    format_many((format), (const struct rf_value[]){__VA_ARGS__},                                                      \
                sizeof((struct rf_value[]){__VA_ARGS__}) / sizeof(struct rf_value))

struct row {
    const char *format;
    struct rf_value value;
    const char *text;
};

static void expect_rows(const struct row *row, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        expect_str(format_one(row[i].format, row[i].value), row[i].text);
    }
}

#define EXPECT_ROWS(row) expect_rows((row), sizeof(row) / sizeof(row)[0])

static void test_plain_text(void **state)
{
    (void)state;
    expect_str(format_many("", NULL, 0), "");
    expect_str(format_many("no clause", NULL, 0), "no clause");
    expect_str(format_many("%%", NULL, 0), "%");
    expect_str(format_many("100 %% of %%%%", NULL, 0), "100 % of %%");
    expect_str(format_one("%%%s%%", str("text")), "%text%");
    expect_str(format_one("%s%%", str("right")), "right%");
    expect_str(format_one("h\xc3\xa9 %s \xf0\x9f\x98\x80", str("\xce\xb1")), "h\xc3\xa9 \xce\xb1 \xf0\x9f\x98\x80");
    expect_str(FORMAT("%d %d, %s %s", rf_value_int(1), rf_value_int(2), str("A"), str("%s")), "1 2, A %s");
    expect_str(FORMAT("%s", str("used"), str("left over")), "used");
    /* Zero bytes are text like all others. */
    const struct rf_list list = {.count = 1, .item = &(struct rf_value){.type = RF_TYPE_NULL}};
    const struct rf_value zero = rf_operate_format(rf_value_string((struct rf_str){"a\0%s\0", 5}), &list, &arena);
    assert_true(rf_str_equal(zero.text, (struct rf_str){"a\0null\0", 7}));
}

static void test_text_clause(void **state)
{
    (void)state;
    const struct row row[] = {
        {"%s", str("x"), "x"},
        {"%s", str(""), ""},
        {"%s", rf_value_null(), "null"},
        {"%s", rf_value_bool(true), "true"},
        {"%s", rf_value_int(-999999999999), "-999999999999"},
        {"%s", rf_value_double(2.71), "2.71"},
        {"%s", bytes("xyz"), "xyz"},
        {"%s", rf_value_type(RF_TYPE_STRING), "string"},
        {"%s", rf_value_instant((struct rf_instant){1675467080, 0}), "2023-02-03T23:31:20Z"},
        {"%s", rf_value_duration(6347000000000), "6347s"},
        {"%.3s", str("abcdef"), "abcdef"}, /* a precision is read, and means nothing here */
    };
    EXPECT_ROWS(row);
}

static void test_decimal_clause(void **state)
{
    (void)state;
    const struct row row[] = {
        {"%d", rf_value_int(0), "0"},
        {"%d", rf_value_int(-7), "-7"},
        {"%d", rf_value_int(INT64_MIN), "-9223372036854775808"},
        {"%d", rf_value_int(INT64_MAX), "9223372036854775807"},
        {"%d", rf_value_uint(UINT64_MAX), "18446744073709551615"},
        {"%d", rf_value_double(NAN), "NaN"},
        {"%d", rf_value_double(INFINITY), "Infinity"},
        {"%d", rf_value_double(-INFINITY), "-Infinity"},
        {"%d", rf_value_double(3.14), "3.14"},
        {"%d", rf_value_double(3), "3"},
        {"%d", message("5"), "5"},
        {"%d", message("5.0"), "5"},
        {"%d", message("-0"), "0"},
        {"%d", message("5.5"), "5.5"},
        {"%d", message("9007199254740993"), "9007199254740993"},
        {"%d", message("18446744073709551615"), "18446744073709551615"},
        {"%d", message("1e22"), "10000000000000000000000"},
        {"%.1d", rf_value_int(12), "12"},
    };
    EXPECT_ROWS(row);
}

static void test_fixed_clause(void **state)
{
    (void)state;
    const struct row row[] = {
        {"%f", rf_value_double(2.71828), "2.718280"},
        {"%f", rf_value_int(2), "2.000000"},
        {"%f", rf_value_uint(3), "3.000000"},
        {"%f", rf_value_double(-0.0), "-0.000000"},
        {"%.3f", rf_value_double(1.2345), "1.234"}, /* the nearest double is below the half */
        {"%.0f", rf_value_double(0.5), "0"},
        {"%.0f", rf_value_double(1.5), "2"},
        {"%.0f", rf_value_double(2.5), "2"},
        {"%.0f", rf_value_double(3.4999), "3"},
        {"%.1f", rf_value_double(0.25), "0.2"},
        {"%.1f", rf_value_double(0.75), "0.8"},
        {"%.2f", rf_value_double(-1.125), "-1.12"},
        {"%.3f", rf_value_double(123.4999), "123.500"},
        {"%.3f", rf_value_double(-123.4994), "-123.499"},
        {"%.1f", rf_value_double(9.96), "10.0"},
        {"%.00003f", rf_value_double(0.5), "0.500"},
        {"%f", rf_value_double(NAN), "NaN"},
        {"%.2f", rf_value_double(INFINITY), "Infinity"},
        {"%f", rf_value_double(-INFINITY), "-Infinity"},
        {"%.1f", rf_value_int(INT64_MIN), "-9223372036854775808.0"},
        {"%.0f", rf_value_uint(UINT64_MAX), "18446744073709551616"},
        {"%.2f", message("12.345"), "12.35"}, /* 12.3450000000000006 */
        {"%.0f", message("9007199254740993"), "9007199254740992"},
    };
    EXPECT_ROWS(row);
    /* 2^-74 has 74 places, all of which can be asked for. */
    expect_str(format_one("%.75f", rf_value_double(0x1p-74)),
               "0.000000000000000000000052939559203393771191770156292477622628211975097656250");
    const struct rf_value longest = format_one("%.100f", rf_value_double(-1.7976931348623157e308));
    assert_int_equal(longest.text.count, 1 + 309 + 1 + 100);
    assert_true(rf_str_starts(longest.text, RF_STR("-17976931348623157081452742373170435679807056752584499659")));
    assert_true(rf_str_ends(longest.text, RF_STR("124858368.00000000000000000000000000000000000000000000000000"
                                                 "00000000000000000000000000000000000000000000000000")));
}

static void test_scientific_clause(void **state)
{
    (void)state;
    const struct row row[] = {
        {"%e", rf_value_double(2.71828), "2.718280e+00"},
        {"%.6e", rf_value_double(1052.032911275), "1.052033e+03"},
        {"%e", rf_value_int(2), "2.000000e+00"},
        {"%.4e", rf_value_uint(1052), "1.0520e+03"},
        {"%.0e", rf_value_double(-12345), "-1e+04"},
        {"%.1e", rf_value_double(0.000125), "1.3e-04"}, /* the nearest double is above the half */
        {"%.1e", rf_value_double(9.96), "1.0e+01"},
        {"%.3e", rf_value_double(1e300), "1.000e+300"},
        {"%.2e", rf_value_double(5e-324), "4.94e-324"},
        {"%e", rf_value_double(0), "0.000000e+00"},
        {"%e", rf_value_double(NAN), "NaN"},
        {"%e", rf_value_double(INFINITY), "Infinity"},
        {"%.1e", rf_value_double(-INFINITY), "-Infinity"},
        {"%.2e", message("12345"), "1.23e+04"},
    };
    EXPECT_ROWS(row);
}

static void test_based_clauses(void **state)
{
    (void)state;
    const struct row row[] = {
        {"%b", rf_value_int(5), "101"},
        {"%b", rf_value_int(-5), "-101"},
        {"%b", rf_value_int(0), "0"},
        {"%b", rf_value_uint(64), "1000000"},
        {"%b", rf_value_bool(true), "1"},
        {"%b", rf_value_bool(false), "0"},
        {"%b", message("6"), "110"},
        {"%b", rf_value_int(INT64_MIN), "-1000000000000000000000000000000000000000000000000000000000000000"},
        {"%b", rf_value_uint(UINT64_MAX), "1111111111111111111111111111111111111111111111111111111111111111"},
        {"%o", rf_value_int(11), "13"},
        {"%o", rf_value_int(-11), "-13"},
        {"%o", rf_value_uint(65535), "177777"},
        {"%o", message("-8.0"), "-10"},
        {"%x", rf_value_int(30), "1e"},
        {"%X", rf_value_int(30), "1E"},
        {"%x", rf_value_int(-30), "-1e"},
        {"%X", rf_value_uint(6000), "1770"},
        {"%x", rf_value_int(INT64_MIN), "-8000000000000000"},
        {"%X", rf_value_uint(UINT64_MAX), "FFFFFFFFFFFFFFFF"},
        {"%x", message("18446744073709551615"), "ffffffffffffffff"},
        {"%x", message("255"), "ff"},
        {"%.9x", rf_value_int(255), "ff"},
        {"%x", str("Hello world!"), "48656c6c6f20776f726c6421"},
        {"%X", str("J\xc3\xa9"), "4AC3A9"},
        {"%x", str(""), ""},
        {"%X", bytes("byte string"), "6279746520737472696E67"},
        {"%x", bytes("\x01\xff"), "01ff"},
    };
    EXPECT_ROWS(row);
}

/* Every clause with every type: it takes the ones named, and refuses all others. */
static void test_wrong_types(void **state)
{
    (void)state;
    const struct rf_value inner = rf_value_int(1);
    const struct rf_list list = {.count = 0, .item = NULL};
    const struct {
        const char *type;
        struct rf_value value;
        const char *taken_by;
    } row[] = {
        {"null_type", rf_value_null(), "s"},
        {"bool", rf_value_bool(true), "sb"},
        {"int", rf_value_int(1), "sdfebxXo"},
        {"uint", rf_value_uint(1), "sdfebxXo"},
        {"double", rf_value_double(0.5), "sdfe"},
        {"double", rf_value_double(1), "sdfe"}, /* whole, but of no message */
        {"double", message("0.5"), "sdfe"},
        {"double", message("1"), "sdfebxXo"},
        {"string", str("x"), "sxX"},
        {"bytes", bytes("x"), "sxX"},
        {"list", {.type = RF_TYPE_LIST, .list = &list}, "s"},
        {"map", rf_operate_map(NULL, 0, &arena), "s"},
        {"google.protobuf.Timestamp", rf_value_instant((struct rf_instant){0, 0}), "s"},
        {"google.protobuf.Duration", rf_value_duration(1), "s"},
        {"type", rf_value_type(RF_TYPE_INT), "s"},
        {"optional_type", rf_value_optional(&inner), ""},
    };
    static const char letter[] = "sdfebxXo";
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        for (size_t j = 0; letter[j] != '\0'; j++) {
            const char format[] = {'<', '%', letter[j], '>', '\0'};
            const struct rf_value value = format_one(format, row[i].value);
            if (strchr(row[i].taken_by, letter[j]) != NULL) {
                assert_int_equal(value.type, RF_TYPE_STRING);
            } else {
                expect_error(value, row[i].type);
                expect_error(value, (const char[]){'%', letter[j], ' ', '\0'});
            }
        }
    }
}

static void test_wrong_formats(void **state)
{
    (void)state;
    const struct rf_value one = rf_value_int(1);
    expect_error(format_one("%a", one), "byte 0: there is no clause %a");
    expect_error(format_one("double is %E", one), "byte 10: there is no clause %E");
    expect_error(format_one("%5d", one), "no clause %5");
    expect_error(format_one("%-d", one), "no clause %-");
    expect_error(format_one("% d", one), "no clause % ");
    expect_error(format_one("%\xc3\xa9", one), "no clause %\xc3\xa9");
    expect_error(format_one("%", one), "the text ends within a clause");
    expect_error(format_one("x %", one), "byte 2: the text ends");
    expect_error(format_one("%%%", one), "byte 2: the text ends");
    expect_error(format_one("%.", one), "a precision has digits");
    expect_error(format_one("%.f", one), "a precision has digits");
    expect_error(format_one("%.-1f", one), "a precision has digits");
    expect_error(format_one("%.34", one), "the text ends within a clause");
    expect_error(format_one("%.3%", one), "no clause %%");
    expect_error(format_one("%.101f", one), "a precision is at most 100");
    expect_error(format_one("%.101s", one), "a precision is at most 100");
    expect_error(format_one("%.99999999999999999999999999f", one), "a precision is at most 100");
    expect_str(
        format_one("%.100f", rf_value_int(1)),
        "1.0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000");
    expect_error(FORMAT("%d %d %d", rf_value_int(0), rf_value_int(1)), "clause 3 has no value, there are only 2");
    expect_error(format_many("%s", NULL, 0), "clause 1 has no value");
    const struct rf_list list = {.count = 1, .item = &one};
    expect_error(rf_operate_format(rf_value_string((struct rf_str){"%\0", 2}), &list, &arena), "there is no clause");
    /* A byte that is no character of its own: the text of the error stays UTF-8. */
    expect_error(format_one("%\xa9\xa9\xa9", one), "there is no clause %");
}

/* What cannot be used is an error for each clause that comes to it, and for no other. */
static void test_values_beyond_use(void **state)
{
    (void)state;
    static const char letter[] = "sdfebxXo";
    for (size_t i = 0; letter[i] != '\0'; i++) {
        const char format[] = {'%', letter[i], '\0'};
        expect_error(format_one(format, message("1e400")), "beyond the double range: 1e400");
        expect_error(format_one(format, rf_value_error("lost")), "lost");
    }
    expect_str(FORMAT("%s", rf_value_int(1), message("1e400")), "1");
    const struct rf_value item[] = {rf_value_int(1), message("-1e999")};
    expect_error(format_one("%s", rf_operate_list(item, 2, &arena)), "beyond the double range: -1e999");
}

/* Texts that fit on the stack, just so, and not: the second run gives the same. */
static void test_sizes(void **state)
{
    (void)state;
    char long_text[1500];
    memset(long_text, 'x', sizeof long_text);
    const struct rf_value key[] = {str("b"), rf_value_int(1), str("a"), rf_value_int(2)};
    const struct rf_value map = rf_operate_map(key, 4, &arena);
    for (size_t count = 480; count < 530; count++) {
        const struct rf_value value[] = {rf_value_string((struct rf_str){long_text, count}), map};
        const struct rf_value text = format_many("%s%s!", value, 2);
        assert_int_equal(text.type, RF_TYPE_STRING);
        assert_int_equal(text.text.count, count + 13);
        assert_memory_equal(text.text.data, long_text, count);
        assert_memory_equal(text.text.data + count, "{a: 2, b: 1}!", 13);
    }
    const struct rf_value value[] = {rf_value_string((struct rf_str){long_text, sizeof long_text}), rf_value_int(7)};
    const struct rf_value text = format_many("%s%d", value, 2);
    assert_int_equal(text.text.count, sizeof long_text + 1);
    assert_int_equal(text.text.data[sizeof long_text], '7');
}

static struct rf_value format_within(size_t bytes_max, const char *format, struct rf_value value)
{
    struct rf_arena small;
    rf_arena_init(&small, bytes_max);
    const struct rf_list list = {.count = 1, .item = &value};
    struct rf_value result = rf_operate_format(str(format), &list, &small);
    result.text = rf_arena_copy(&arena, result.text);
    rf_arena_free(&small);
    return result;
}

static void test_without_room(void **state)
{
    (void)state;
    expect_error(format_within(9, "%s", str("0123456789")), RF_ERROR_TOO_LARGE);
    expect_str(format_within(10, "%s", str("0123456789")), "0123456789");
    expect_error(format_within(0, "x", str("")), RF_ERROR_TOO_LARGE);
    expect_str(format_within(0, "%s", str("")), "");
    expect_error(format_within(2, "%%%%%%", str("")), RF_ERROR_TOO_LARGE);
    expect_error(format_within(3, "%x", str("ab")), RF_ERROR_TOO_LARGE);
    expect_str(format_within(4, "%x", str("ab")), "6162");
    expect_error(format_within(3, "%.2f", rf_value_double(1)), RF_ERROR_TOO_LARGE);
    expect_error(format_within(0, "%b", rf_value_bool(true)), RF_ERROR_TOO_LARGE);
    expect_error(format_within(8, "%d", str("x")), RF_ERROR_NO_ROOM);
    /* Beyond what fits on the stack. */
    char long_text[2001];
    memset(long_text, 'x', sizeof long_text);
    long_text[2000] = '\0';
    expect_error(format_within(1999, "%s", str(long_text)), RF_ERROR_TOO_LARGE);
    expect_str(format_within(2000, "%s", str(long_text)), long_text);
}

/* The text alone would fit, but not beside what is in the arena already. */
static void test_room_taken_by_others(void **state)
{
    (void)state;
    struct rf_arena small;
    rf_arena_init(&small, 12);
    assert_non_null(rf_arena_push(&small, 3, 1, 1));
    const struct rf_list list = {.count = 0, .item = NULL};
    expect_error(rf_operate_format(str("0123456789"), &list, &small), RF_ERROR_TOO_LARGE);
    expect_str(rf_operate_format(str("012345678"), &list, &small), "012345678");
    rf_arena_free(&small);
}

/* The order of a map's keys has room in the first run, but not beside the text in the second. */
static void test_second_run_without_room(void **state)
{
    (void)state;
    enum { ENTRIES = 600 };
    struct rf_entry *entry = RF_PUSH(&arena, struct rf_entry, ENTRIES);
    for (int i = 0; i < ENTRIES; i++) {
        entry[i] = (struct rf_entry){.key = rf_value_int(i), .value = rf_value_int(0)};
    }
    const struct rf_map map = {.count = ENTRIES, .entry = entry};
    const struct rf_value value = {.type = RF_TYPE_MAP, .map = &map};
    const struct rf_value whole = format_one("%s", value);
    assert_int_equal(whole.type, RF_TYPE_STRING);
    const size_t bytes = whole.text.count;
    const size_t order_bytes = 2 * ENTRIES * sizeof(uint32_t);
    expect_error(format_within(bytes + order_bytes / 2, "%s", value), RF_ERROR_TOO_LARGE);
    const struct rf_value same = format_within(bytes + order_bytes + 64, "%s", value);
    assert_true(is_same(same, whole));
}

/* A comma for a point, as half of Europe has it, must not come through. The locale is made here: which ones a machine has
 * is chance (localedef, with the sources of the package locales). */
static void test_locale(void **state)
{
    (void)state;
    char folder[] = "/tmp/riffle-locale-XXXXXX";
    char command[256];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(command, sizeof command, "localedef --no-archive -i de_DE -f UTF-8 %s/de_DE.UTF-8", folder);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): a fixed command */
    assert_int_equal(setenv("LOCPATH", folder, 1), 0);
    const bool is_set = setlocale(LC_NUMERIC, "de_DE.UTF-8") != NULL && localeconv()->decimal_point[0] == ',';
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): a fixed command */
    assert_true(is_set);
    const struct rf_value fixed = format_one("%.3f", rf_value_double(-1234.5));
    const struct rf_value scientific = format_one("%e", rf_value_double(0.5));
    const struct rf_value whole = format_one("%.0f", rf_value_double(7));
    setlocale(LC_NUMERIC, "C");
    expect_str(fixed, "-1234.500");
    expect_str(scientific, "5.000000e-01");
    expect_str(whole, "7");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_text),
        cmocka_unit_test(test_text_clause),
        cmocka_unit_test(test_decimal_clause),
        cmocka_unit_test(test_fixed_clause),
        cmocka_unit_test(test_scientific_clause),
        cmocka_unit_test(test_based_clauses),
        cmocka_unit_test(test_wrong_types),
        cmocka_unit_test(test_wrong_formats),
        cmocka_unit_test(test_values_beyond_use),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_without_room),
        cmocka_unit_test(test_room_taken_by_others),
        cmocka_unit_test(test_second_run_without_room),
        cmocka_unit_test(test_locale),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
