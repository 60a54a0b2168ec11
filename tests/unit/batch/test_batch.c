#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "batch.h"

static void test_rf_batch_reserve(void **state)
{
    struct rf_batch batch = {0};
    struct rf_error err;
    (void)state;
    assert_int_equal(rf_batch_reserve(&batch, 1000, &err), RF_OK);
    assert_ptr_equal(batch.bytes, batch.owned);
    assert_int_equal(batch.owned_bytes, 1000);
    assert_int_equal((uintptr_t)batch.owned % 64, 0);
    memset(batch.owned, 'x', 1000 + RF_BATCH_PADDING); /* the padding is there */
    batch.bytes_used = 1000;

    const uint8_t *const before = batch.owned;
    assert_int_equal(rf_batch_reserve(&batch, 500, &err), RF_OK);
    assert_ptr_equal(batch.owned, before);

    assert_int_equal(rf_batch_reserve(&batch, 1001, &err), RF_OK);
    assert_true(batch.owned_bytes >= 1500); /* grows by half at least */
    assert_int_equal(batch.bytes_used, 1000);
    for (size_t i = 0; i < 1000; i++) {
        assert_int_equal(batch.bytes[i], 'x');
    }
    rf_batch_close(&batch);
    assert_null(batch.owned);
    assert_null(batch.bytes);
    rf_batch_close(&batch);
}

static void test_view_is_copied(void **state)
{
    static const uint8_t view[] = "a view of somebody's memory";
    struct rf_batch batch = {.bytes = view, .bytes_used = sizeof view};
    struct rf_error err;
    (void)state;
    assert_int_equal(rf_batch_reserve(&batch, 5, &err), RF_OK); /* never less than what is there */
    assert_true(batch.owned_bytes >= sizeof view);
    assert_ptr_not_equal(batch.bytes, view);
    assert_memory_equal(batch.bytes, view, sizeof view);
    rf_batch_close(&batch);
}

static void test_batch_limit(void **state)
{
    struct rf_batch batch = {0};
    struct rf_error err;
    (void)state;
    assert_int_equal(rf_batch_reserve(&batch, (size_t)RF_BATCH_BYTES_LIMIT + 1, &err), RF_E_LIMIT);
    assert_int_equal(rf_batch_reserve(&batch, SIZE_MAX, &err), RF_E_LIMIT);
    assert_null(batch.owned);
    /* Not touched, so it costs address space only. */
    assert_int_equal(rf_batch_reserve(&batch, (size_t)RF_BATCH_BYTES_LIMIT - 1, &err), RF_OK);
    assert_int_equal(rf_batch_reserve(&batch, RF_BATCH_BYTES_LIMIT, &err), RF_OK);
    assert_int_equal(batch.owned_bytes, RF_BATCH_BYTES_LIMIT); /* growth by half stops at the limit */
    rf_batch_close(&batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_batch_reserve),
        cmocka_unit_test(test_view_is_copied),
        cmocka_unit_test(test_batch_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
