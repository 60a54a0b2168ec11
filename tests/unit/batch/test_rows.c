#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "counts.h"
#include "rows.h"

static void test_rf_row_status_key(void **state)
{
    (void)state;
    assert_string_equal(rf_row_status_key(RF_ROW_REJECTED), "rejected");
    assert_string_equal(rf_row_status_key(RF_ROW_BLANK), "blank");
    assert_string_equal(rf_row_status_key(RF_ROW_STATUS_COUNT), "unknown");
}

static void test_rf_rows_open(void **state)
{
    static const uint32_t sizes[] = {1, 63, 64, 65, RF_ROWS_MAX_DEFAULT};
    struct rf_rows rows;
    struct rf_error err;
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        assert_int_equal(rf_rows_open(&rows, sizes[s], &err), RF_OK);
        assert_int_equal(rows.rows_max, sizes[s]);
        assert_int_equal(rows.rows, 0);
        assert_int_equal((uintptr_t)rows.begin % 64, 0);
        assert_int_equal((uintptr_t)rows.end % 64, 0);
        assert_int_equal((uintptr_t)rows.status % 64, 0);
        /* 64 bytes of slack behind the last row. */
        memset(rows.begin, 0, sizes[s] * sizeof *rows.begin + 64);
        memset(rows.end, 0, sizes[s] * sizeof *rows.end + 64);
        memset(rows.status, 0, sizes[s] + 64);
        rf_rows_close(&rows);
        assert_null(rows.begin);
    }
    rf_rows_close(&rows);
}

/* The record table of some lines, as the index stage makes it. */
static void rows_split(const struct rf_batch *batch, struct rf_rows *rows)
{
    uint32_t begin = 0;
    rows->rows = 0;
    for (uint32_t i = 0; i <= batch->bytes_used; i++) {
        if (i == batch->bytes_used ? begin < i : batch->bytes[i] == '\n') {
            rows->begin[rows->rows] = begin;
            rows->end[rows->rows] = i;
            if (i < batch->bytes_used && i > begin && batch->bytes[i - 1] == '\r') {
                rows->end[rows->rows]--;
            }
            rows->rows++;
            begin = i + 1;
        }
    }
    rows->lines = rows->rows;
    rows->cursor = batch->bytes_used;
}

static void assert_line(const struct rf_batch *batch, const struct rf_rows *rows, uint32_t row, struct rf_str text,
                        struct rf_str line)
{
    assert_true(rf_str_equal(rf_row_text(batch, rows, row), text));
    assert_true(rf_str_equal(rf_row_line(batch, rows, row), line));
}

static void test_rf_row_line(void **state)
{
    static const char bytes[] = "one\ntwo\r\n\n\r\nthree\r\r\nfour\r";
    struct rf_batch batch = {.bytes = (const uint8_t *)bytes, .bytes_used = sizeof bytes - 1};
    struct rf_rows rows;
    struct rf_error err;
    (void)state;
    assert_int_equal(rf_rows_open(&rows, 16, &err), RF_OK);
    rows_split(&batch, &rows);
    assert_int_equal(rows.rows, 6);
    assert_line(&batch, &rows, 0, RF_STR("one"), RF_STR("one\n"));
    assert_line(&batch, &rows, 1, RF_STR("two"), RF_STR("two\r\n"));
    assert_line(&batch, &rows, 2, RF_STR(""), RF_STR("\n"));
    assert_line(&batch, &rows, 3, RF_STR(""), RF_STR("\r\n"));
    assert_line(&batch, &rows, 4, RF_STR("three\r"), RF_STR("three\r\r\n"));
    assert_line(&batch, &rows, 5, RF_STR("four\r"), RF_STR("four\r"));
    /* What the next row begins with, or the next round, is not this row's. */
    rows.begin[1] = 3;
    assert_line(&batch, &rows, 0, RF_STR("one"), RF_STR("one"));
    rows.rows = 1;
    rows.cursor = 4;
    assert_line(&batch, &rows, 0, RF_STR("one"), RF_STR("one\n"));
    rows.cursor = 3;
    assert_line(&batch, &rows, 0, RF_STR("one"), RF_STR("one"));
    rf_rows_close(&rows);
}

static void test_rf_row_where(void **state)
{
    static const char bytes[] = "a\nbb\nccc\ndddd\n";
    struct rf_batch batch = {.bytes = (const uint8_t *)bytes,
                             .bytes_used = sizeof bytes - 1,
                             .input_name = "in",
                             .offset = 1000,
                             .first_number = 51};
    struct rf_rows rows;
    struct rf_error err;
    (void)state;
    assert_int_equal(rf_rows_open(&rows, 16, &err), RF_OK);
    rows_split(&batch, &rows);
    struct rf_where where = rf_row_where(&batch, &rows, 2);
    assert_string_equal(where.input_name, "in");
    assert_int_equal(where.number, 53);
    assert_int_equal(where.offset, 1005);

    /* A later round of the same batch: row 0 is its third line. */
    rows.lines_before = 2;
    rows.rows = 1;
    rows.begin[0] = 5;
    where = rf_row_where(&batch, &rows, 0);
    assert_int_equal(where.number, 53);
    assert_int_equal(where.offset, 1005);

    /* A sparse table: only the last line is in it. */
    rows.is_sparse = true;
    rows.begin[0] = 9;
    assert_int_equal(rf_row_where(&batch, &rows, 0).number, 54);

    batch.first_number = 0;
    assert_int_equal(rf_row_where(&batch, &rows, 0).number, 0); /* not counted yet */
    rf_rows_close(&rows);
}

static void test_rf_lines_count(void **state)
{
    static const uint8_t bytes[] = "\n\na\r\nb";
    (void)state;
    assert_int_equal(rf_lines_count(bytes, 0), 0);
    assert_int_equal(rf_lines_count(bytes, 1), 1);
    assert_int_equal(rf_lines_count(bytes, sizeof bytes - 1), 3);
    /* Enough line ends to overflow a byte-wide counter that is not emptied, at every remainder. */
    enum { COUNT = 64 * 600 };
    uint8_t *many = malloc(COUNT);
    assert_non_null(many);
    memset(many, '\n', COUNT);
    for (size_t count = COUNT - 130; count <= COUNT; count++) {
        assert_int_equal(rf_lines_count(many, count), count);
    }
    for (size_t i = 0; i < COUNT; i += 2) {
        many[i] = 'x';
    }
    assert_int_equal(rf_lines_count(many, COUNT), COUNT / 2);
    free(many);
}

static void test_rf_counts_read(void **state)
{
    struct rf_counts counts = {0};
    (void)state;
    assert_int_equal(rf_counts_read(&counts), 0);
    for (int s = 0; s < RF_ROW_STATUS_COUNT; s++) {
        counts.of[s] = 1ull << (8 * s);
    }
    assert_int_equal(rf_counts_read(&counts), 0x0101010101ull);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_row_status_key), cmocka_unit_test(test_rf_rows_open),
        cmocka_unit_test(test_rf_row_line),       cmocka_unit_test(test_rf_row_where),
        cmocka_unit_test(test_rf_lines_count),    cmocka_unit_test(test_rf_counts_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
