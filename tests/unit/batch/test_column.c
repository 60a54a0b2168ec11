#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "column.h"

static void test_rf_columns_open(void **state)
{
    enum { SLOTS = 5, ROWS = 100, ROWS_ROUNDED = 128 };
    struct rf_columns columns;
    struct rf_error err;
    (void)state;
    assert_int_equal(rf_columns_open(&columns, SLOTS, ROWS, &err), RF_OK);
    assert_int_equal(columns.slots, SLOTS);
    assert_int_equal(columns.rows_max, ROWS);
    for (uint32_t s = 0; s < SLOTS; s++) {
        const struct rf_column *const column = &columns.slot[s];
        assert_int_equal((uintptr_t)column->tag % 64, 0);
        assert_int_equal((uintptr_t)column->payload % 64, 0);
        assert_int_equal((uintptr_t)column->begin % 64, 0);
        assert_int_equal((uintptr_t)column->length % 64, 0);
        memset(column->tag, (int)s + 1, ROWS_ROUNDED);
        memset(column->payload, (int)s + 1, ROWS_ROUNDED * sizeof *column->payload);
        memset(column->begin, (int)s + 1, ROWS_ROUNDED * sizeof *column->begin);
        memset(column->length, (int)s + 1, ROWS_ROUNDED * sizeof *column->length);
    }
    /* No array reaches into another. */
    for (uint32_t s = 0; s < SLOTS; s++) {
        const struct rf_column *const column = &columns.slot[s];
        const uint32_t four = (s + 1) * 0x01010101u;
        for (uint32_t r = 0; r < ROWS_ROUNDED; r++) {
            assert_int_equal(column->tag[r], s + 1);
            assert_true(column->payload[r] == (s + 1) * 0x0101010101010101u);
            assert_int_equal(column->begin[r], four);
            assert_int_equal(column->length[r], four);
        }
    }
    rf_columns_close(&columns);
    rf_columns_close(&columns);
}

static void test_columns_bounds(void **state)
{
    struct rf_columns columns;
    struct rf_error err;
    (void)state;
    assert_int_equal(rf_columns_open(&columns, 0, 100, &err), RF_OK);
    rf_columns_close(&columns);
    assert_int_equal(rf_columns_open(&columns, UINT32_MAX / 64, UINT32_MAX, &err), RF_E_MEMORY);
    assert_null(columns.slot);
    rf_columns_close(&columns);
}

static void test_rf_columns_reserve_side(void **state)
{
    struct rf_columns columns;
    struct rf_error err;
    (void)state;
    assert_int_equal(rf_columns_open(&columns, 1, 64, &err), RF_OK);
    assert_null(columns.side);
    assert_int_equal(rf_columns_reserve_side(&columns, 100, &err), RF_OK);
    memset(columns.side, 'x', 100);
    columns.side_used = 100;
    const uint8_t *const side = columns.side;
    assert_int_equal(rf_columns_reserve_side(&columns, 50, &err), RF_OK);
    assert_ptr_equal(columns.side, side);
    assert_int_equal(columns.side_used, 0);
    assert_int_equal(rf_columns_reserve_side(&columns, 5000, &err), RF_OK);
    assert_true(columns.side_bytes >= 5000);
    assert_int_equal(rf_columns_reserve_side(&columns, (size_t)1 << 31, &err), RF_E_LIMIT);
    assert_true(columns.side_bytes >= 5000);
    rf_columns_close(&columns);
}

static void test_rf_column_text(void **state)
{
    static const char bytes[] = "{\"a\":\"raw\"}";
    const struct rf_batch batch = {.bytes = (const uint8_t *)bytes, .bytes_used = sizeof bytes - 1};
    struct rf_columns columns;
    struct rf_error err;
    (void)state;
    assert_int_equal(rf_columns_open(&columns, 1, 2, &err), RF_OK);
    assert_int_equal(rf_columns_reserve_side(&columns, 64, &err), RF_OK);
    memcpy(columns.side, "..decoded", 9);
    columns.slot[0].begin[0] = 6;
    columns.slot[0].length[0] = 3;
    columns.slot[0].begin[1] = 2 | RF_SIDE_BIT;
    columns.slot[0].length[1] = 7;
    assert_true(rf_str_equal(rf_column_text(&columns, &batch, 0, 0), RF_STR("raw")));
    assert_true(rf_str_equal(rf_column_text(&columns, &batch, 0, 1), RF_STR("decoded")));
    rf_columns_close(&columns);
}

static void test_rf_cell_number(void **state)
{
    struct rf_number number;
    const double d = 1.5;
    uint64_t bits;
    (void)state;
    memcpy(&bits, &d, sizeof bits);
    assert_true(rf_cell_number(RF_TAG_NUMBER, bits, &number));
    assert_true(number.kind == RF_NUMBER_DOUBLE && number.as.d == 1.5);
    assert_true(rf_cell_number(RF_TAG_DOUBLE, bits, &number));
    assert_true(number.kind == RF_NUMBER_DOUBLE && number.as.d == 1.5);
    assert_true(rf_cell_number(RF_TAG_BIGINT, (uint64_t)-5, &number));
    assert_true(number.kind == RF_NUMBER_INT && number.as.i == -5);
    assert_true(rf_cell_number(RF_TAG_INT, (uint64_t)INT64_MIN, &number));
    assert_true(number.kind == RF_NUMBER_INT && number.as.i == INT64_MIN);
    assert_true(rf_cell_number(RF_TAG_BIGUINT, UINT64_MAX, &number));
    assert_true(number.kind == RF_NUMBER_UINT && number.as.u == UINT64_MAX);
    assert_true(rf_cell_number(RF_TAG_UINT, 7, &number));
    assert_true(number.kind == RF_NUMBER_UINT && number.as.u == 7);
    for (int tag = 0; tag < RF_TAG_COUNT; tag++) {
        const bool is_number = tag == RF_TAG_NUMBER || tag == RF_TAG_DOUBLE || tag == RF_TAG_BIGINT ||
                               tag == RF_TAG_INT || tag == RF_TAG_BIGUINT || tag == RF_TAG_UINT;
        assert_int_equal(rf_cell_number((enum rf_tag)tag, 0, &number), is_number);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_columns_open),         cmocka_unit_test(test_columns_bounds),
        cmocka_unit_test(test_rf_columns_reserve_side), cmocka_unit_test(test_rf_column_text),
        cmocka_unit_test(test_rf_cell_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
