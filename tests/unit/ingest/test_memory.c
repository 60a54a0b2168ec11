#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "memory.h"

#include "records.h"

/* The bytes stand at the end of a heap block, so that the sanitizer sees a view without padding. */
static void check(const void *bytes, size_t count, size_t batch_bytes, size_t record_bytes_max, bool is_text)
{
    struct rf_error err;
    uint8_t *copy = malloc(count > 0 ? count : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, count);
    struct rf_memory memory = {
        .bytes = copy, .count = count, .batch_bytes = batch_bytes, .record_bytes_max = record_bytes_max};
    struct rf_batch batch = {0};
    struct records out = {0};
    struct records expected = {0};
    records_expect(&expected, copy, count, record_bytes_max, is_text);
    assert_int_equal(rf_memory_begin(&memory, is_text, &err), RF_OK);
    while (rf_memory_fill(&memory, &batch, &err) == RF_OK) {
        records_add(&out, &batch, batch_bytes, record_bytes_max);
    }
    assert_int_equal(rf_memory_fill(&memory, &batch, &err), RF_END);
    assert_true(records_equal(&out, &expected));
    records_free(&out);
    records_free(&expected);
    rf_batch_close(&batch);
    free(copy);
}

static void test_rf_memory_begin(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_memory memory = {.bytes = (const uint8_t *)"\xff\xfe{\0", .count = 4};
    assert_int_equal(rf_memory_begin(&memory, false, &err), RF_E_FORMAT);
    assert_string_equal(err.text, "UTF-16 text is not supported; convert it to UTF-8");
    memory.cursor = 0;
    assert_int_equal(rf_memory_begin(&memory, true, &err), RF_OK);
    assert_int_equal(memory.cursor, 0);
    memory = (struct rf_memory){.bytes = NULL, .count = 0};
    assert_int_equal(rf_memory_begin(&memory, false, &err), RF_OK);
    memory = (struct rf_memory){.bytes = (const uint8_t *)"\xef\xbb\xbf{}", .count = 5};
    assert_int_equal(rf_memory_begin(&memory, false, &err), RF_OK);
    assert_int_equal(memory.cursor, 3);
}

static void test_rf_memory_fill(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "a", "\n", "\xef\xbb\xbf", "\xef\xbb\xbf{\r\n}", "\xef\xbb", "a\nb\n"};
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
        for (int is_text = 0; is_text < 2; is_text++) {
            check(texts[t], strlen(texts[t]), 64, 1000, is_text);
            check(texts[t], strlen(texts[t]), 64, 1, is_text);
        }
    }
    uint32_t random = 99;
    for (int round = 0; round < 300; round++) {
        uint8_t text[700];
        for (size_t i = 0; i < sizeof text; i++) {
            random = random * 1664525u + 1013904223u;
            const uint32_t die = random >> 16;
            text[i] = die % (unsigned)(2 + round % 150) == 0 ? '\n' : die % 4 == 0 ? '\r' : 'x';
        }
        static const size_t limits[] = {3, 20, 63, 64, 65, 100, 250, 5000};
        check(text, sizeof text - (size_t)(round % 140), 64 + (size_t)(round % 3) * 50, limits[round % 8], false);
    }
}

static void test_long_records(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    uint8_t *text = malloc(COUNT);
    assert_non_null(text);
    memset(text, 'a', COUNT);
    for (size_t tail = 0; tail < 130; tail += 13) {
        for (size_t limit = COUNT - 1 - tail - 1; limit <= COUNT - 1 - tail + 1; limit++) {
            text[COUNT - 1 - tail] = '\n';
            check(text, COUNT, 64, limit, false);
            text[COUNT - 2 - tail] = '\r';
            check(text, COUNT, 64, limit, false);
            text[COUNT - 2 - tail] = 'a';
            text[COUNT - 1 - tail] = 'a';
        }
    }
    check(text, COUNT, 64, COUNT, false);
    check(text, COUNT, 64, COUNT - 1, false);
    free(text);
}

/* Nothing but the end is copied. */
static void test_batches_are_views(void **state)
{
    (void)state;
    struct rf_error err;
    uint8_t text[1000];
    memset(text, '\n', sizeof text);
    struct rf_memory memory = {.bytes = text, .count = sizeof text, .batch_bytes = 100, .record_bytes_max = 10};
    struct rf_batch batch = {0};
    for (int i = 0; i < 9; i++) {
        assert_int_equal(rf_memory_fill(&memory, &batch, &err), RF_OK);
        assert_ptr_equal(batch.bytes, text + 100 * i);
        assert_null(batch.owned);
    }
    assert_int_equal(rf_memory_fill(&memory, &batch, &err), RF_OK);
    assert_ptr_equal(batch.bytes, batch.owned);
    assert_int_equal(batch.bytes_used, 100);
    assert_int_equal(rf_memory_fill(&memory, &batch, &err), RF_END);
    rf_batch_close(&batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_memory_begin),
        cmocka_unit_test(test_rf_memory_fill),
        cmocka_unit_test(test_long_records),
        cmocka_unit_test(test_batches_are_views),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
