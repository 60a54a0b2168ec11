#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fix_amount.h"

static void test_rf_fix_decimal_from_text(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t mantissa;
        uint32_t decimals;
    } good[] = {
        {"0", 0, 0},
        {"100", 100, 0},
        {"12.50", 125, 1},
        {"-3.25", -325, 2},
        {"00023.230000000000000000000", 2323, 2},
        {".5", 5, 1},
        {"5.", 5, 0},
        {"-0", 0, 0},
        {"0.000000001", 1, 9},
        {"0.100000001", 100000001, 9},
        {"999999999999999999", 999999999999999999, 0},
        {"000000000000000000000000000999999999999999999.0", 999999999999999999, 0},
        {"999999999.999999999", 999999999999999999, 9},
        {"100.0500", 10005, 2},
    };
    static const char *const bad[] = {"",
                                      "-",
                                      ".",
                                      "-.",
                                      "+1",
                                      "1e5",
                                      "1,5",
                                      "1.2.3",
                                      "abc",
                                      "1 ",
                                      " 1",
                                      "--1",
                                      "1-",
                                      "0x1",
                                      "NaN",
                                      "1.\n",
                                      "0.0000000001",
                                      "1.0000000001",
                                      "1000000000000000000",
                                      "9999999999.999999999",
                                      "1000000000.000000001"};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        struct rf_fix_decimal decimal;
        assert_true(rf_fix_decimal_from_text(rf_str_of(good[i].text), &decimal));
        assert_true(rf_fix_decimal_amount(decimal) ==
                    rf_fix_decimal_amount((struct rf_fix_decimal){good[i].mantissa, good[i].decimals}));
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct rf_fix_decimal decimal;
        if (rf_fix_decimal_from_text(rf_str_of(bad[i]), &decimal)) {
            fail_msg("%s is read", bad[i]);
        }
    }
    struct rf_fix_decimal decimal;
    assert_false(rf_fix_decimal_from_text((struct rf_str){0}, &decimal));
}

/* A decimal read character by character. */
static bool plain_read(const char *text, __int128 *amount)
{
    const bool is_negative = *text == '-';
    int decimals = -1;
    int digits = 0;
    *amount = 0;
    for (text += is_negative; *text != 0; text++) {
        if (*text == '.' && decimals < 0) {
            decimals = 0;
        } else if (*text >= '0' && *text <= '9') {
            *amount = *amount * 10 + (*text - '0');
            digits++;
            if (decimals >= 0 && ++decimals > RF_FIX_AMOUNT_DECIMALS) { /* zeros there say nothing */
                if (strspn(text, "0") != strlen(text)) {
                    return false;
                }
                *amount /= 10;
                decimals = RF_FIX_AMOUNT_DECIMALS;
            }
        } else {
            return false;
        }
    }
    for (int i = decimals < 0 ? 0 : decimals; i < RF_FIX_AMOUNT_DECIMALS; i++) {
        *amount *= 10;
    }
    *amount = is_negative ? -*amount : *amount;
    return digits != 0;
}

static void test_short_texts(void **state)
{
    (void)state;
    uint64_t random = 9;
    uint32_t read = 0;
    for (int i = 0; i < 1000000; i++) {
        static const char alphabet[] = "0123456789012345678901234567890123456789....-:/\x2f\xb0\x01";
        char text[24];
        random = random * 6364136223846793005u + 1442695040888963407u;
        const bool is_wide = (random >> 50 & 1) != 0; /* of which most are decimals */
        const size_t count = is_wide ? 9 + (random >> 58) % 10 : 1 + (random >> 60) % 9;
        const size_t point = is_wide ? (random >> 40) % (count + 4) : SIZE_MAX;
        char *const exact = malloc(count);
        assert_non_null(exact);
        for (size_t c = 0; c < count; c++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            const bool is_odd = !is_wide || (random >> 56) == 0;
            text[c] = is_odd ? alphabet[(random >> 32) % (sizeof(alphabet) - 1)] : "00123456789"[(random >> 32) % 11];
            text[c] = c == point ? '.' : text[c];
            exact[c] = text[c];
        }
        text[count] = 0;
        __int128 expected;
        struct rf_fix_decimal decimal;
        const bool is_read = rf_fix_decimal_from_text((struct rf_str){exact, count}, &decimal);
        assert_int_equal(is_read, plain_read(text, &expected));
        if (is_read) {
            assert_true(rf_fix_decimal_amount(decimal) == expected);
            read++;
        }
        free(exact);
    }
    assert_true(read > 300000);
}

static const char *text_of(__int128 value, unsigned decimals)
{
    static char text[RF_FIX_AMOUNT_TEXT_MAX + 1];
    text[rf_fix_amount_write(value, decimals, text)] = 0;
    return text;
}

static void test_rf_fix_amount_write(void **state)
{
    (void)state;
    assert_string_equal(text_of(0, 9), "0");
    assert_string_equal(text_of(1, 9), "0.000000001");
    assert_string_equal(text_of(-1, 18), "-0.000000000000000001");
    assert_string_equal(text_of(1500000000, 9), "1.5");
    assert_string_equal(text_of(1000000000, 9), "1");
    assert_string_equal(text_of(-12000000000, 9), "-12");
    assert_string_equal(text_of(1200, 0), "1200");
    const __int128 max = (__int128)(~(unsigned __int128)0 >> 1);
    assert_string_equal(text_of(max, 0), "170141183460469231731687303715884105727");
    assert_string_equal(text_of(-max - 1, 18), "-170141183460469231731.687303715884105728");
}

static void test_rf_fix_decimal_amount(void **state)
{
    (void)state;
    assert_string_equal(text_of(rf_fix_decimal_amount((struct rf_fix_decimal){125, 1}), RF_FIX_AMOUNT_DECIMALS),
                        "12.5");
    assert_string_equal(text_of(rf_fix_decimal_amount((struct rf_fix_decimal){-999999999999999999, 0}), 9),
                        "-999999999999999999");
    assert_string_equal(text_of(rf_fix_decimal_amount((struct rf_fix_decimal){7, 9}), 9), "0.000000007");
}

static void test_rf_fix_amount_multiply(void **state)
{
    (void)state;
    const __int128 one = 1;
    __int128 product;
    assert_true(rf_fix_amount_multiply(INT64_MIN, INT64_MAX, &product));
    assert_true(product == (__int128)INT64_MIN * INT64_MAX);
    assert_true(rf_fix_amount_multiply(one << 100, -(one << 25), &product));
    assert_true(product == -(one << 125));
    assert_true(rf_fix_amount_multiply((one << 126) - 1, 1, &product));
    assert_false(rf_fix_amount_multiply(one << 100, one << 26, &product));
    assert_false(rf_fix_amount_multiply(-(one << 100), one << 26, &product));
    assert_true(rf_fix_amount_multiply(one << 120, 0, &product));
    assert_true(product == 0);
}

/* value * part / whole where the product has 127 bits, in the plainest way. */
static __int128 share_plainly(__int128 value, __int128 part, __int128 whole)
{
    const __int128 product = (value < 0 ? -value : value) * part;
    __int128 quotient = product / whole;
    const __int128 twice = product % whole * 2;
    if (twice > whole || (twice == whole && quotient % 2 == 1)) {
        quotient++;
    }
    return value < 0 ? -quotient : quotient;
}

static void test_rf_fix_amount_share(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int i = 0; i < 100000; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const __int128 whole = 1 + (__int128)(random >> (24 + random % 40));
        random = random * 6364136223846793005u + 1442695040888963407u;
        const __int128 part = (__int128)(random >> 1) % (whole + 1);
        const __int128 value = (__int128)(int64_t)random * (1 << (random & 7)) / 3;
        assert_true(rf_fix_amount_share(value, part, whole) == share_plainly(value, part, whole));
        /* The same shares of much larger numbers: the other way. */
        const __int128 factor = (__int128)1 << 64;
        assert_true(rf_fix_amount_share(value, part * factor, whole * factor) == share_plainly(value, part, whole));
    }
    const __int128 huge = ((__int128)1 << 126) - 1;
    assert_true(rf_fix_amount_share(huge, huge - 1, huge) == huge - 1);
    assert_true(rf_fix_amount_share(-huge, 1, huge) == -1);
    assert_true(rf_fix_amount_share(5, 1, 2) == 2);
    assert_true(rf_fix_amount_share(7, 1, 2) == 4);
    assert_true(rf_fix_amount_share(-5, 1, 2) == -2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_texts),
        cmocka_unit_test(test_rf_fix_decimal_from_text),
        cmocka_unit_test(test_rf_fix_amount_write),
        cmocka_unit_test(test_rf_fix_decimal_amount),
        cmocka_unit_test(test_rf_fix_amount_multiply),
        cmocka_unit_test(test_rf_fix_amount_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
