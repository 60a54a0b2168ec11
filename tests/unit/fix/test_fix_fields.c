/* test_fix_fields.c: the fields of a message against a decoder that is plainer still. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../kernels/fix_reference.h"
#include "fix_fields.h"
#include "fix_samples.h"

static uint8_t stream[STREAM_MAX];
static struct reference reference;
static struct rf_arena arena;

/* The message at an exact place in memory, so that a byte too far is seen. */
static void check_one(const uint8_t *bytes, size_t count, enum rf_fix_separator separator, bool is_cut)
{
    char *copy = malloc(count);
    struct rf_fix_fields fields;
    assert_non_null(copy);
    memcpy(copy, bytes, count);
    rf_arena_reset(&arena);
    assert_true(rf_fix_fields_read((struct rf_str){copy, count}, separator, is_cut, &arena, &fields));
    reference_decode((const uint8_t *)copy, 0, count, separator, is_cut, &reference);
    const uint8_t faults = RF_FIX_BAD_TAG | RF_FIX_BAD_DATA;
    if ((reference.flags & faults) != 0) {
        assert_int_equal(fields.reason,
                         (reference.flags & RF_FIX_BAD_TAG) != 0 ? RF_REASON_FIX_TAG : RF_REASON_FIX_DATA);
        assert_int_equal(fields.fault, reference.fault);
    } else {
        assert_int_equal(fields.reason, RF_REASON_NONE);
        assert_int_equal(fields.flags, reference.flags);
    }
    assert_int_equal(fields.fields, reference.count); /* those before a fault are there too */
    for (uint32_t f = 0; f < fields.fields; f++) {
        assert_int_equal(fields.field[f].tag, reference.tag[f]);
        assert_int_equal(fields.field[f].begin, reference.begin[f]);
        assert_int_equal(fields.field[f].count, reference.end[f] - reference.begin[f]);
        const struct rf_str text = rf_fix_field_text(&fields, &fields.field[f]);
        assert_ptr_equal(text.data, copy + reference.begin[f]);
        assert_int_equal(text.count, fields.field[f].count);
    }
    free(copy);
}

static void check(const uint8_t *bytes, size_t count, enum rf_fix_separator separator)
{
    check_one(bytes, count, separator, false);
    check_one(bytes, count, separator, true);
}

static void test_random_messages(void **state)
{
    (void)state;
    struct sample_random random = {.state = 9};
    for (uint32_t i = 0; i < 20000; i++) {
        const enum rf_fix_separator separator = (enum rf_fix_separator)sample_draw(&random, RF_FIX_SEPARATOR_COUNT);
        const size_t count = sample_random_message(&random, stream, separator, i % 2 != 0);
        check(stream, count, separator);
        if (i % 5 == 0) { /* without the last separator, as a line end leaves it */
            check(stream, count - rf_fix_separator_bytes(separator), separator);
        }
        if (i % 7 == 0) { /* anything at all */
            for (uint32_t hits = 1 + sample_draw(&random, 8); hits > 0; hits--) {
                stream[sample_draw(&random, (uint32_t)count)] =
                    (uint8_t) "\001=8|^A\\x01\n95\xff"[sample_draw(&random, 14)];
            }
            check(stream, 1 + sample_draw(&random, (uint32_t)count), separator);
        }
    }
}

#define READ(text, fields) assert_true(rf_fix_fields_read(RF_STR(text), RF_FIX_SOH, false, &arena, (fields)))

static void test_rf_fix_fields_find(void **state)
{
    (void)state;
    struct rf_fix_fields fields;
    rf_arena_reset(&arena);
    READ("8=FIX.4.4\0019=5\00158=a\00155=x\00158=b\00110=000\001", &fields);
    assert_int_equal(fields.fields, 6);
    assert_int_equal(fields.flags, RF_FIX_DUPLICATE);
    assert_ptr_equal(rf_fix_fields_find(&fields, 58, 0), &fields.field[2]);
    assert_ptr_equal(rf_fix_fields_find(&fields, 58, 2), &fields.field[2]);
    assert_ptr_equal(rf_fix_fields_find(&fields, 58, 3), &fields.field[4]);
    assert_null(rf_fix_fields_find(&fields, 58, 5));
    assert_null(rf_fix_fields_find(&fields, 58, 6));
    assert_null(rf_fix_fields_find(&fields, 1, 0));
}

/* Nine digits are the most of a tag; data is as long as the field before says, and only then. */
static void test_borders(void **state)
{
    (void)state;
    struct rf_fix_fields fields;
    READ("999999999=x\00110=000\001", &fields);
    assert_int_equal(fields.reason, RF_REASON_NONE);
    assert_int_equal(fields.field[0].tag, 999999999);
    READ("1000000000=x\00110=000\001", &fields);
    assert_int_equal(fields.reason, RF_REASON_FIX_TAG);
    READ("35=D\00195=3\00196=a\001b\00110=000\001", &fields);
    assert_int_equal(fields.fields, 4);
    assert_int_equal(fields.field[2].count, 3);
    for (int bytes = 0; bytes < 12; bytes++) { /* only one length leads to a separator that ends the data */
        char text[64];
        const int count = snprintf(text, sizeof text, "35=D\00195=%d\00196=abc\00110=000\001", bytes);
        assert_true(rf_fix_fields_read((struct rf_str){text, (size_t)count}, RF_FIX_SOH, false, &arena, &fields));
        assert_int_equal(fields.reason, bytes == 3 ? RF_REASON_NONE : RF_REASON_FIX_DATA);
        assert_int_equal(fields.fault, bytes == 3 ? 0 : bytes == 10 ? 14 + (bytes > 9) - 1 : 8);
    }
    READ("35=D\00195=3\00158=x\00196=a\00110=000\001", &fields); /* a field between: no data to measure */
    assert_int_equal(fields.reason, RF_REASON_NONE);
    assert_int_equal(fields.fields, 5);
    READ("8=FIX\001", &fields); /* no trailer */
    assert_int_equal(fields.reason, RF_REASON_FIX_DATA);
    static const char *const cut[] = {"8=FIX\001", "8=FIX", "8=FIX\00195=3\00196=abc", "8=FIX\00195=3\00196=a\001b\001",
                                      "8=FIX\00195=4\00196=abc\001", "8=FIX\00195=5\00196=abc\001"};
    for (size_t i = 0; i < sizeof cut / sizeof cut[0]; i++) { /* a line end is the last separator */
        assert_true(rf_fix_fields_read(rf_str_of(cut[i]), RF_FIX_SOH, true, &arena, &fields));
        assert_int_equal(fields.reason, i < 5 ? RF_REASON_NONE : RF_REASON_FIX_DATA);
    }
}

static void test_full_arena(void **state)
{
    (void)state;
    struct rf_arena small;
    struct rf_fix_fields fields;
    bool has_failed = false;
    bool is_good = false;
    const struct rf_str message = RF_STR("8=FIX.4.4\0019=5\00158=a\00155=x\00158=b\00110=000\001");
    for (size_t bytes = 1; bytes < 400 && !is_good; bytes++) {
        rf_arena_init(&small, bytes);
        is_good = rf_fix_fields_read(message, RF_FIX_SOH, false, &small, &fields);
        has_failed = has_failed || !is_good;
        rf_arena_free(&small);
    }
    assert_true(has_failed && is_good);
}

static int set_up(void **state)
{
    (void)state;
    rf_arena_init(&arena, 64 << 20);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    rf_arena_free(&arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_messages),
        cmocka_unit_test(test_rf_fix_fields_find),
        cmocka_unit_test(test_borders),
        cmocka_unit_test(test_full_arena),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
