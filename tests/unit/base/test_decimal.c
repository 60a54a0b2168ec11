/* Decimal text against the C library: both must be correctly rounded, so they must agree in every bit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "number.h"

enum { RANDOM_TOKENS = 150000, RANDOM_DOUBLES = 150000, RANDOM_TIES = 60000, TOKEN_BYTES = 1200 };

static uint64_t random_state = 0x9e3779b97f4a7c15u;

static uint64_t random_next(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static uint64_t random_below(uint64_t limit)
{
    return random_next() % limit;
}

static double double_of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t bits_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* token is zero-terminated. */
static void assert_reads_like_strtod(const char *token)
{
    struct rf_number number;
    const double expected = strtod(token, NULL);
    const enum rf_number_verdict verdict = rf_number_from_json(rf_str_of(token), &number);
    if (isinf(expected)) {
        if (verdict != RF_NUMBER_RANGE) {
            fail_msg("%s: verdict %d", token, (int)verdict);
        }
        return;
    }
    if (verdict != RF_NUMBER_OK || bits_of_double(rf_number_to_double(number)) != bits_of_double(expected)) {
        fail_msg("%s: verdict %d, %a against %a", token, (int)verdict, rf_number_to_double(number), expected);
    }
}

static void test_random_tokens(void **state)
{
    char token[TOKEN_BYTES];
    (void)state;
    for (int t = 0; t < RANDOM_TOKENS; t++) {
        size_t count = 0;
        const uint64_t digits = random_below(8) == 0 ? 1 + random_below(60) : 1 + random_below(20);
        const uint64_t point = random_below(2) == 0 ? digits : random_below(digits + 1);
        if (random_below(2) == 0) {
            token[count++] = '-';
        }
        if (point == 0) {
            token[count++] = '0';
        }
        for (uint64_t d = 0; d < digits; d++) {
            if (d == point) {
                token[count++] = '.';
            }
            const bool is_first = d == 0 && point > 1;
            token[count++] = (char)('0' + (is_first ? 1 + random_below(9) : random_below(10)));
        }
        token[count] = '\0';
        if (random_below(2) == 0) {
            const int exponent = (int)random_below(700) - 350;
            snprintf(token + count, sizeof token - count, "e%d", random_below(2) == 0 ? exponent / 15 : exponent);
        }
        assert_reads_like_strtod(token);
    }
}

/* Exact decimal text of the point half way between a double and the next one, and its near neighbours. */
static void test_random_ties(void **state)
{
    char token[TOKEN_BYTES];
    (void)state;
    for (int t = 0; t < RANDOM_TIES; t++) {
        /* Exponents near 0 often (short texts that reach the table), the whole range sometimes. */
        const int exponent = random_below(4) != 0 ? (int)random_below(160) - 80 : (int)random_below(2040) - 1070;
        const uint64_t odd = ((uint64_t)1 << 53 | (random_next() >> 11)) | 1;
        /* odd has 54 bits, so it lies half way between two doubles; long double holds it exactly. */
        const long double tie = ldexpl((long double)odd, exponent - 53);
        int count = snprintf(token, sizeof token, "%.*Lf",
                             exponent > 53         ? 0
                             : 53 - exponent > 700 ? 700
                                                   : 53 - exponent,
                             tie);
        if (count >= (int)sizeof token - 2) {
            continue;
        }
        assert_reads_like_strtod(token);
        if (strchr(token, '.') == NULL) {
            token[count++] = '.';
        }
        token[count] = '1';
        token[count + 1] = '\0';
        assert_reads_like_strtod(token);
        token[count] = '\0';
        if (token[count - 1] > '0') {
            token[count - 1]--;
            assert_reads_like_strtod(token);
        }
    }
}

static void test_subnormals(void **state)
{
    char token[TOKEN_BYTES];
    (void)state;
    for (int t = 0; t < 20000; t++) {
        const double value = double_of_bits(random_next() >> (12 + random_below(52)));
        snprintf(token, sizeof token, "%.*e", (int)random_below(25), value);
        assert_reads_like_strtod(token);
    }
    /* Half of the smallest subnormal is a tie with zero. */
    assert_reads_like_strtod("2.4703282292062327208e-324");
    assert_reads_like_strtod("2.4703282292062327209e-324");
    assert_reads_like_strtod("4.9406564584124654e-324");
    assert_reads_like_strtod("2.2250738585072011e-308");
    assert_reads_like_strtod("2.2250738585072014e-308");
}

static void test_every_power_of_ten(void **state)
{
    static const char *const mantissa[] = {"1",
                                           "3",
                                           "9007199254740993",
                                           "1234567890123456789",
                                           "18446744073709551615",
                                           "99999999999999999999999",
                                           "5.5",
                                           "8.9884656743115795386"};
    char token[64];
    (void)state;
    for (int exponent = -400; exponent <= 400; exponent++) {
        for (size_t m = 0; m < sizeof mantissa / sizeof mantissa[0]; m++) {
            snprintf(token, sizeof token, "%se%d", mantissa[m], exponent);
            assert_reads_like_strtod(token);
        }
    }
}

static void test_rf_double_from_decimal(void **state)
{
    const struct rf_str none = {NULL, 0};
    (void)state;
    assert_true(rf_double_from_decimal(0, 300, false, none) == 0.0);
    assert_true(rf_double_from_decimal(1, 0, false, none) == 1.0);
    assert_true(rf_double_from_decimal(12345, -2, false, none) == 123.45);
    assert_true(isinf(rf_double_from_decimal(UINT64_MAX, 400, false, none)));
    assert_true(rf_double_from_decimal(UINT64_MAX, -400, false, none) == 0.0);
    assert_true(rf_double_from_decimal(UINT64_MAX, 0, false, none) == 0x1p64);
    assert_true(rf_double_from_decimal(1, INT64_MAX, false, none) == HUGE_VAL);
    assert_true(rf_double_from_decimal(1, INT64_MIN, false, none) == 0.0);
    /* The sign of the token is not part of the magnitude. */
    assert_true(rf_double_from_decimal(9007199254740993000u, -3, true, RF_STR("-9007199254740993.0001")) ==
                9007199254740994.0);
    assert_true(rf_double_from_decimal(9007199254740993000u, -3, true, RF_STR("9007199254740993.0000000")) ==
                9007199254740992.0);
}

static void assert_text(double value, const char *expected)
{
    char text[RF_NUMBER_TEXT_MAX];
    const size_t count = rf_double_to_text(value, text);
    if (count != strlen(expected) || memcmp(text, expected, count) != 0) {
        fail_msg("%a is written as %.*s, not %s", value, (int)count, text, expected);
    }
}

static void test_rf_double_to_text_known(void **state)
{
    (void)state;
    assert_text(0.0, "0");
    assert_text(-0.0, "-0");
    assert_text(0.1, "0.1");
    assert_text(-0.1, "-0.1");
    assert_text(100.0, "100");
    assert_text(410.25, "410.25");
    assert_text(0.1 + 0.2, "0.30000000000000004");
    assert_text(1e300, "1e+300");
    assert_text(1e15, "1000000000000000");
    assert_text(9007199254740991.0, "9007199254740991");
    assert_text(1e22, "1e+22");
    assert_text(0.0001, "0.0001");
    assert_text(0.00001, "1e-05");
    assert_text(1.0 / 3.0, "0.3333333333333333");
    assert_text(5e-324, "5e-324");
    assert_text(-2.5e-320, "-2.5e-320");
    assert_text(1.7976931348623157e308, "1.7976931348623157e+308");
    assert_text(123456.00000001, "123456.00000001");
}

static void test_rf_double_to_text_round_trip(void **state)
{
    (void)state;
    for (int t = 0; t < RANDOM_DOUBLES; t++) {
        double value = double_of_bits(random_next());
        if (t % 2 == 0) {
            /* Prices: few digits behind the point. */
            value = (double)(int64_t)(random_next() >> (20 + random_below(40))) / pow(10.0, (double)random_below(9));
        }
        if (!isfinite(value)) {
            continue;
        }
        char text[RF_NUMBER_TEXT_MAX];
        char terminated[RF_NUMBER_TEXT_MAX + 1];
        char shortest[64];
        const size_t count = rf_double_to_text(value, text);
        assert_true(count < RF_NUMBER_TEXT_MAX);
        memcpy(terminated, text, count);
        terminated[count] = '\0';
        assert_true(bits_of_double(strtod(terminated, NULL)) == bits_of_double(value));
        if (fabs(value) >= 9007199254740992.0 || value != floor(value)) {
            for (int precision = fabs(value) < 0x1p-1022 ? 1 : 15; precision <= 17; precision++) {
                snprintf(shortest, sizeof shortest, "%.*g", precision, value);
                if (strtod(shortest, NULL) == value) {
                    break;
                }
            }
            assert_string_equal(terminated, shortest);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_tokens),
        cmocka_unit_test(test_random_ties),
        cmocka_unit_test(test_subnormals),
        cmocka_unit_test(test_every_power_of_ten),
        cmocka_unit_test(test_rf_double_from_decimal),
        cmocka_unit_test(test_rf_double_to_text_known),
        cmocka_unit_test(test_rf_double_to_text_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
