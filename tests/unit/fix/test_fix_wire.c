/* test_fix_wire.c: messages of texts, with each separator, against framing and a summing loop. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fix_entry.h"
#include "fix_wire.h"

static struct rf_fix_wire wire;
static struct rf_text out;
static struct rf_error err;

static int suite_teardown(void **state)
{
    (void)state;
    rf_fix_wire_close(&wire);
    rf_text_free(&out);
    return 0;
}

static const char *put(uint32_t tag, struct rf_str value, bool is_data)
{
    const char *problem = "unset";
    assert_int_equal(rf_fix_wire_put(&wire, tag, value, is_data, &problem, &err), RF_OK);
    return problem;
}

static const char *end(const char *begin_string)
{
    const char *problem = "unset";
    rf_text_clear(&out);
    assert_int_equal(rf_fix_wire_end(&wire, rf_str_of(begin_string), &out, &problem, &err), RF_OK);
    return problem;
}

static void assert_out(const char *text)
{
    if (!rf_str_equal(rf_text_str(&out), rf_str_of(text))) {
        fail_msg("'%.*s' is not '%s'", RF_STR_ARG(rf_text_str(&out)), text);
    }
}

/* The message is one entry without fault. */
static void assert_framed(void)
{
    struct rf_fix_entry entry;
    size_t needed = 0;
    assert_int_equal(rf_fix_entry_next((const uint8_t *)out.data, 0, out.count, 1 << 24, RF_FIX_LAST, &entry, &needed),
                     RF_FIX_ENTRY);
    assert_int_equal(entry.kind, RF_FIX_MESSAGE);
    assert_int_equal(entry.reason, RF_REASON_NONE);
    assert_int_equal(entry.separator, wire.separator);
    assert_int_equal(entry.message, 0);
    assert_int_equal(entry.message_end, out.count);
    assert_int_equal(entry.flags, 0);
}

static void test_rf_fix_wire_end(void **state)
{
    (void)state;
    static const char *const expected[] = {
        [RF_FIX_SOH] = "8=FIX.4.4\0019=25\00135=D\00155=AUD/USD\00158=caf\xc3\xa9\00110=199\001",
        [RF_FIX_PIPE] = "8=FIX.4.4|9=25|35=D|55=AUD/USD|58=caf\xc3\xa9|10=199|",
        [RF_FIX_CARET] = "8=FIX.4.4^A9=25^A35=D^A55=AUD/USD^A58=caf\xc3\xa9^A10=199^A",
        [RF_FIX_HEX] = "8=FIX.4.4\\x019=25\\x0135=D\\x0155=AUD/USD\\x0158=caf\xc3\xa9\\x0110=199\\x01"};
    uint32_t sum = 0;
    for (const char *at = expected[RF_FIX_SOH]; strncmp(at, "10=", 3) != 0; at++) {
        sum += (unsigned char)*at;
    }
    assert_int_equal(sum % 256, 199);
    for (int s = RF_FIX_SOH; s <= RF_FIX_HEX; s++) {
        rf_fix_wire_begin(&wire, (enum rf_fix_separator)s);
        assert_null(put(35, RF_STR("D"), false));
        assert_null(put(55, RF_STR("AUD/USD"), false));
        assert_null(put(58, RF_STR("caf\xc3\xa9"), false));
        assert_null(end("FIX.4.4"));
        assert_out(expected[s]);
        assert_framed();
    }
}

static void test_begin_string(void **state)
{
    (void)state;
    static const char *const right[] = {"FIX.4.2", "FIXT.1.1", "FIX", "FIX.123456789ab"};
    static const char *const wrong[] = {"", "FI", "fix.4.4", "FIX.123456789abc", "FIX 4.4", "FIX=4", "FIX.4.4\001"};
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        rf_fix_wire_begin(&wire, RF_FIX_SOH);
        assert_null(put(35, RF_STR("0"), false));
        assert_null(end(right[i]));
        assert_framed();
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        rf_fix_wire_begin(&wire, RF_FIX_SOH);
        assert_null(put(35, RF_STR("0"), false));
        assert_non_null(end(wrong[i]));
        assert_int_equal(out.count, 0);
    }
}

static void test_rf_fix_wire_put(void **state)
{
    (void)state;
    rf_fix_wire_begin(&wire, RF_FIX_SOH);
    assert_non_null(put(58, RF_STR(""), false));
    assert_non_null(put(96, RF_STR(""), true));
    assert_non_null(put(58, RF_STR("a\001b"), false));
    assert_null(put(58, RF_STR("a|b^A"), false));
    assert_null(put(96, RF_STR("a\001b|"), true));
    rf_fix_wire_begin(&wire, RF_FIX_PIPE);
    assert_non_null(put(58, RF_STR("a|b"), false));
    assert_null(put(58, RF_STR("a^Ab"), false));
    assert_null(put(96, RF_STR("a|b"), true));
    assert_non_null(put(96, RF_STR("a\001b"), true)); /* which would be a | too */
    rf_fix_wire_begin(&wire, RF_FIX_PIPE);
    assert_null(put(96, RF_STR("a\001b"), true));
    assert_non_null(put(96, RF_STR("a|b"), true));
    rf_fix_wire_begin(&wire, RF_FIX_CARET);
    assert_non_null(put(58, RF_STR("a^Ab"), false));
    assert_non_null(put(96, RF_STR("a^Ab"), true));
    assert_null(put(96, RF_STR("a\001b"), true));
    assert_null(put(58, RF_STR("a^"), false)); /* the separator follows: a^^A */
    assert_null(put(58, RF_STR("A|"), false));
}

/* Data as logs print it is read as it was. */
static void test_data(void **state)
{
    (void)state;
    static const struct rf_str data[] = {{"\001", 1}, {"a\001b", 3}, {"\00110=000\001", 8}, {"x\0018=FIX.4.4\0019=5\001", 15}};
    for (size_t i = 0; i < sizeof data / sizeof data[0]; i++) {
        for (int s = RF_FIX_SOH; s <= RF_FIX_CARET; s++) {
            char count[8];
            (void)snprintf(count, sizeof count, "%zu", data[i].count);
            rf_fix_wire_begin(&wire, (enum rf_fix_separator)s);
            assert_null(put(35, RF_STR("B"), false));
            assert_null(put(95, rf_str_of(count), false));
            assert_null(put(96, data[i], true));
            assert_null(put(58, RF_STR("behind"), false));
            assert_null(end("FIX.4.4"));
            assert_framed();
        }
    }
}

/* BodyLength around the places where it gets a digit more. */
static void test_lengths(void **state)
{
    (void)state;
    static const size_t borders[] = {9, 10, 99, 100, 999, 1000, 9999, 10000};
    char *const text = malloc(10000);
    assert_non_null(text);
    memset(text, 'x', 10000);
    for (size_t i = 0; i < sizeof borders / sizeof borders[0]; i++) {
        char head[32];
        rf_fix_wire_begin(&wire, RF_FIX_SOH);
        assert_null(put(35, (struct rf_str){text, borders[i] - 4}, false));
        assert_null(end("FIX.4.4"));
        const int count = snprintf(head, sizeof head, "8=FIX.4.4\0019=%zu\001", borders[i]);
        assert_memory_equal(out.data, head, (size_t)count);
        assert_framed();
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_fix_wire_end), cmocka_unit_test(test_begin_string),
        cmocka_unit_test(test_rf_fix_wire_put), cmocka_unit_test(test_data),
        cmocka_unit_test(test_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, suite_teardown);
}
