/* format_text.h: numbers, octets and clauses, templates, the order of keys, and texts that do not fit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "format_text.h"

enum { DATA_MAX = 4096 };
static char data[DATA_MAX];

static struct rf_format_text begin(void)
{
    return (struct rf_format_text){.data = data, .max = sizeof data, .count_max = SIZE_MAX};
}

static void expect(const struct rf_format_text *out, const char *expected)
{
    const struct rf_str text = {out->data, out->count};
    if (!rf_str_equal(text, rf_str_of(expected))) {
        fail_msg("\"%.*s\" instead of \"%s\"", RF_STR_ARG(text), expected);
    }
}

static struct rf_number of_int(int64_t value)
{
    return (struct rf_number){.kind = RF_NUMBER_INT, .as.i = value};
}

static struct rf_number of_uint(uint64_t value)
{
    return (struct rf_number){.kind = RF_NUMBER_UINT, .as.u = value};
}

static struct rf_number of_double(double value)
{
    return (struct rf_number){.kind = RF_NUMBER_DOUBLE, .as.d = value};
}

static void test_rf_format_append(void **state)
{
    (void)state;
    char small[4];
    struct rf_format_text out = {.data = small, .max = sizeof small, .count_max = SIZE_MAX};
    assert_true(rf_format_append(&out, RF_STR("abc")));
    assert_true(rf_format_append(&out, (struct rf_str){NULL, 0}));
    assert_true(rf_format_append(&out, RF_STR("d")));
    assert_memory_equal(small, "abcd", 4);
    /* Beyond max only the count goes on. */
    assert_true(rf_format_append(&out, RF_STR("efg")));
    assert_true(rf_format_append(&out, RF_STR("")));
    assert_int_equal(out.count, 7);
    assert_memory_equal(small, "abcd", 4);
    /* A part is written whole or not at all. */
    out.count = 2;
    assert_true(rf_format_append(&out, RF_STR("xyz")));
    assert_int_equal(out.count, 5);
    assert_memory_equal(small, "abcd", 4);
}

static void test_append_beyond_the_bound(void **state)
{
    (void)state;
    struct rf_format_text out = begin();
    out.count_max = 5;
    assert_true(rf_format_append(&out, RF_STR("abcd")));
    assert_true(rf_format_append(&out, RF_STR("e")));
    assert_false(rf_format_append(&out, RF_STR("f")));
    assert_int_equal(out.count, 5);
    out.count_max = 3;
    assert_false(rf_format_append(&out, RF_STR("")));
    out.count_max = SIZE_MAX;
    static volatile size_t beyond_all = SIZE_MAX; /* volatile: compilers warn of what they see coming */
    assert_false(rf_format_append(&out, (struct rf_str){"x", beyond_all}));
}

static void test_rf_format_double_name(void **state)
{
    (void)state;
    assert_string_equal(rf_format_double_name((double)NAN), "NaN");
    assert_string_equal(rf_format_double_name(-(double)NAN), "NaN");
    assert_string_equal(rf_format_double_name((double)INFINITY), "Infinity");
    assert_string_equal(rf_format_double_name(-(double)INFINITY), "-Infinity");
    assert_null(rf_format_double_name(0));
    assert_null(rf_format_double_name(1.7976931348623157e308));
}

static void test_rf_format_append_number(void **state)
{
    (void)state;
    const struct {
        struct rf_number number;
        const char *text;
    } row[] = {
        {of_int(INT64_MIN), "-9223372036854775808"},
        {of_uint(UINT64_MAX), "18446744073709551615"},
        {of_double(0), "0"},
        {of_double(-0.0), "-0"},
        {of_double(3), "3"},
        {of_double(-2.71828), "-2.71828"},
        {of_double(0.1), "0.1"},
        {of_double(0.000000002), "0.000000002"},
        {of_double(-1.25e-7), "-0.000000125"},
        {of_double(9007199254740992), "9007199254740992"},
        {of_double(1e21), "1000000000000000000000"},
        {of_double(-1.5e22), "-15000000000000000000000"},
        {of_double(1.2345678901234567e20), "123456789012345670000"},
        {of_double(1234567890123456.8), "1234567890123456.8"},
        {of_double((double)NAN), "NaN"},
        {of_double(-(double)INFINITY), "-Infinity"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct rf_format_text out = begin();
        assert_true(rf_format_append_number(&out, row[i].number));
        expect(&out, row[i].text);
    }
}

/* Doubles of all sizes come back from their texts, which have neither an exponent nor a digit too many at an end. */
static void test_plain_doubles_round_trip(void **state)
{
    (void)state;
    uint64_t seed = 0x9E3779B97F4A7C15u;
    for (int i = 0; i < 20000; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        double value;
        memcpy(&value, &seed, sizeof value);
        if (!isfinite(value)) {
            continue;
        }
        struct rf_format_text out = begin();
        assert_true(rf_format_append_number(&out, of_double(value)));
        data[out.count] = '\0';
        assert_true(strtod(data, NULL) == value);
        assert_int_equal(strspn(data, "-.0123456789"), out.count);
        const char *digits = data[0] == '-' ? data + 1 : data;
        assert_true(digits[0] != '0' || digits[1] == '.' || digits[1] == '\0');
        assert_true(strchr(data, '.') == NULL || (data[out.count - 1] != '0' && data[out.count - 1] != '.'));
    }
    struct rf_format_text out = begin();
    assert_true(rf_format_append_number(&out, of_double(-5e-324)));
    assert_int_equal(out.count, 3 + 323 + 1);
    out = begin();
    assert_true(rf_format_append_number(&out, of_double(-2.2250738585072014e-308)));
    assert_int_equal(out.count, 3 + 307 + 17);
}

static void test_rf_format_append_bytes(void **state)
{
    static const struct {
        const char *bytes, *text;
    } row[] = {
        {"", ""},
        {"h\xc3\xa9", "h\xc3\xa9"},
        {"\xff", "\xef\xbf\xbd"},
        {"\xff\xfe\xc3", "\xef\xbf\xbd"}, /* neighbours become one */
        {"a\xff\xfe(", "a\xef\xbf\xbd("},
        {"\xed\xa0\x80\xce\xb1\xf0\x9f", "\xef\xbf\xbd\xce\xb1\xef\xbf\xbd"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct rf_format_text out = begin();
        assert_true(rf_format_append_bytes(&out, rf_str_of(row[i].bytes)));
        expect(&out, row[i].text);
        /* Wherever the bound is met, the call says so. */
        for (size_t bound = 0; bound < strlen(row[i].text); bound++) {
            out = begin();
            out.count_max = bound;
            assert_false(rf_format_append_bytes(&out, rf_str_of(row[i].bytes)));
            assert_true(out.count <= bound);
        }
    }
}

/* rf_format_append_instant, rf_format_append_duration */
static void test_times(void **state)
{
    (void)state;
    struct rf_format_text out = begin();
    assert_true(rf_format_append_instant(&out, (struct rf_instant){-1, 500000000}));
    assert_true(rf_format_append(&out, RF_STR(" ")));
    assert_true(rf_format_append_duration(&out, -1500000000));
    expect(&out, "1969-12-31T23:59:59.5Z -1.5s");
}

/* Each clause is written as its letter, precision and place. */
static enum rf_format_step walk(struct rf_format_text *out, const char *template, size_t *at)
{
    struct rf_format_clause clause = {0};
    enum rf_format_step step;
    *at = 0;
    while ((step = rf_format_step(out, rf_str_of(template), at, &clause)) == RF_FORMAT_CLAUSE) {
        assert_int_equal(template[clause.at], clause.letter);
        assert_int_equal(*at, clause.at + 1);
        assert_true(rf_format_append(out, RF_STR("<")));
        assert_true(rf_format_append(out, (struct rf_str){&clause.letter, 1}));
        assert_true(rf_format_append_number(out, of_uint(clause.precision)));
        assert_true(rf_format_append(out, RF_STR(">")));
    }
    *at = step == RF_FORMAT_NO_CLAUSE ? clause.at : *at;
    return step;
}

static void test_rf_format_step(void **state)
{
    static const struct {
        const char *template, *text;
        enum rf_format_step step;
        size_t at;
    } row[] = {
        {"", "", RF_FORMAT_END, 0},
        {"plain", "plain", RF_FORMAT_END, 5},
        {"%s", "<s6>", RF_FORMAT_END, 2},
        {"%d%f%e%b%o%x%X", "<d6><f6><e6><b6><o6><x6><X6>", RF_FORMAT_END, 14},
        {"a%.3fb%.0ec%.100f", "a<f3>b<e0>c<f100>", RF_FORMAT_END, 17},
        {"%%", "%", RF_FORMAT_END, 2},
        {"%%s%%%d%%", "%s%<d6>%", RF_FORMAT_END, 9},
        {"100%", "100", RF_FORMAT_CUT, 3},
        {"a%%%", "a%", RF_FORMAT_CUT, 3},
        {"x%.", "x", RF_FORMAT_NO_DIGITS, 1},
        {"x%.f", "x", RF_FORMAT_NO_DIGITS, 1},
        {"x%.3", "x", RF_FORMAT_CUT, 1},
        {"x%.101f", "x", RF_FORMAT_PRECISION, 1},
        {"x%.99999999999999999999f", "x", RF_FORMAT_PRECISION, 1},
        {"%d %q", "<d6> ", RF_FORMAT_NO_CLAUSE, 4},
        {"%.2 f", "", RF_FORMAT_NO_CLAUSE, 3},
        {"% d", "", RF_FORMAT_NO_CLAUSE, 1},
        {"%.2%", "", RF_FORMAT_NO_CLAUSE, 3},
    };
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct rf_format_text out = begin();
        size_t at;
        assert_int_equal(walk(&out, row[i].template, &at), row[i].step);
        expect(&out, row[i].text);
        assert_int_equal(at, row[i].at);
    }
    struct rf_format_text out = begin();
    struct rf_format_clause clause;
    size_t at = 0;
    assert_int_equal(rf_format_step(&out, (struct rf_str){"%\0", 2}, &at, &clause), RF_FORMAT_NO_CLAUSE);
    out.count_max = 2;
    at = 0;
    assert_int_equal(rf_format_step(&out, RF_STR("abc%s"), &at, &clause), RF_FORMAT_TOO_LONG);
}

static void expect_rounded(char letter, unsigned precision, double value, const char *text)
{
    struct rf_format_text out = begin();
    const struct rf_format_clause clause = {.letter = letter, .precision = precision};
    assert_true(rf_format_append_rounded(&out, &clause, value));
    expect(&out, text);
}

static void test_rf_format_append_rounded(void **state)
{
    (void)state;
    expect_rounded('f', 6, 1.5, "1.500000");
    expect_rounded('f', 0, 2.5, "2"); /* half to even */
    expect_rounded('f', 0, 3.5, "4");
    expect_rounded('f', 2, -0.001, "-0.00");
    expect_rounded('f', 3, 123456789.0625, "123456789.062");
    expect_rounded('e', 6, 1052.032911275, "1.052033e+03");
    expect_rounded('e', 0, 1052.032911275, "1e+03");
    expect_rounded('e', 3, -1e-300, "-1.000e-300");
    expect_rounded('f', 3, (double)NAN, "NaN");
    expect_rounded('e', 3, -(double)INFINITY, "-Infinity");
    struct rf_format_text out = begin();
    const struct rf_format_clause longest = {.letter = 'f', .precision = RF_FORMAT_PRECISION_MAX};
    assert_true(rf_format_append_rounded(&out, &longest, -1.7976931348623157e308));
    assert_int_equal(out.count, 1 + 309 + 1 + RF_FORMAT_PRECISION_MAX);
}

static void test_rf_format_append_based(void **state)
{
    static const struct {
        char letter;
        const char *least, *most;
    } row[] = {
        {'d', "-9223372036854775808", "18446744073709551615"},
        {'b', "-1000000000000000000000000000000000000000000000000000000000000000",
         "1111111111111111111111111111111111111111111111111111111111111111"},
        {'o', "-1000000000000000000000", "1777777777777777777777"},
        {'x', "-8000000000000000", "ffffffffffffffff"},
        {'X', "-8000000000000000", "FFFFFFFFFFFFFFFF"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct rf_format_text out = begin();
        assert_true(rf_format_append_based(&out, row[i].letter, of_int(INT64_MIN)));
        expect(&out, row[i].least);
        out = begin();
        assert_true(rf_format_append_based(&out, row[i].letter, of_uint(UINT64_MAX)));
        expect(&out, row[i].most);
        out = begin();
        assert_true(rf_format_append_based(&out, row[i].letter, of_int(0)));
        expect(&out, "0");
    }
}

static void test_rf_format_append_octets(void **state)
{
    (void)state;
    struct rf_format_text out = begin();
    assert_true(rf_format_append_octets(&out, 'x', (struct rf_str){"a\0\xef", 3}));
    assert_true(rf_format_append_octets(&out, 'X', RF_STR("\xef")));
    expect(&out, "6100efEF");
    out.count_max = 9;
    assert_false(rf_format_append_octets(&out, 'x', RF_STR("a")));
}

static bool key_is_behind(const void *context, uint32_t a, uint32_t b)
{
    const char *key = context;
    return key[a] > key[b];
}

/* rf_format_order: ascending, equal ones as they stood, for every count. */
static void test_rf_format_order(void **state)
{
    enum { KEYS_MAX = 70 };
    (void)state;
    uint64_t seed = 1;
    for (size_t count = 0; count <= KEYS_MAX; count++) {
        char key[KEYS_MAX] = {0};
        uint32_t order[KEYS_MAX];
        uint32_t spare[KEYS_MAX];
        for (size_t i = 0; i < count; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            key[i] = (char)('a' + (seed >> 33) % 20);
        }
        const uint32_t *sorted = rf_format_order(count, key_is_behind, key, order, spare);
        bool is_there[KEYS_MAX] = {false};
        for (size_t i = 0; i < count; i++) {
            assert_true(sorted[i] < count && !is_there[sorted[i]]);
            is_there[sorted[i]] = true;
            if (i != 0) {
                assert_true(key[sorted[i - 1]] < key[sorted[i]] ||
                            (key[sorted[i - 1]] == key[sorted[i]] && sorted[i - 1] < sorted[i]));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_format_append),
        cmocka_unit_test(test_append_beyond_the_bound),
        cmocka_unit_test(test_rf_format_double_name),
        cmocka_unit_test(test_rf_format_append_number),
        cmocka_unit_test(test_plain_doubles_round_trip),
        cmocka_unit_test(test_rf_format_append_bytes),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_rf_format_step),
        cmocka_unit_test(test_rf_format_append_rounded),
        cmocka_unit_test(test_rf_format_append_based),
        cmocka_unit_test(test_rf_format_append_octets),
        cmocka_unit_test(test_rf_format_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
