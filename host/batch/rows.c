#include "rows.h"

#include <stdlib.h>

enum { ROWS_ALIGN = 64, ROWS_SLACK = 64 };

static const char *const row_status_key[] = {
#define RF_ROW_STATUS(name, key, meaning) [name] = key,
#include "row_status.def"
#undef RF_ROW_STATUS
};

const char *rf_row_status_key(enum rf_row_status status)
{
    return (int)status >= 0 && (int)status < RF_ROW_STATUS_COUNT ? row_status_key[status] : "unknown";
}

static void *rows_array(uint32_t rows_max, size_t size_bytes)
{
    void *memory = NULL;
    return posix_memalign(&memory, ROWS_ALIGN, rows_max * size_bytes + ROWS_SLACK) == 0 ? memory : NULL;
}

enum rf_status rf_rows_open(struct rf_rows *rows, uint32_t rows_max, struct rf_error *err)
{
    *rows = (struct rf_rows){.rows_max = rows_max};
    rows->begin = rows_array(rows_max, sizeof *rows->begin);
    rows->end = rows_array(rows_max, sizeof *rows->end);
    rows->status = rows_array(rows_max, sizeof *rows->status);
    if (rows->begin == NULL || rows->end == NULL || rows->status == NULL) {
        rf_rows_close(rows);
        RF_FAIL(err, RF_E_MEMORY, "no memory for a table of %u rows", rows_max);
    }
    return RF_OK;
}

void rf_rows_close(struct rf_rows *rows)
{
    free(rows->begin);
    free(rows->end);
    free(rows->status);
    *rows = (struct rf_rows){0};
}

struct rf_str rf_row_line(const struct rf_batch *batch, const struct rf_rows *rows, uint32_t row)
{
    const uint32_t begin = rows->begin[row];
    uint32_t end = rows->end[row];
    /* A line end may be a record of its own: that behind a FIX message as long as the limit. */
    const uint32_t next = row + 1 < rows->rows ? rows->begin[row + 1] : rows->cursor;
    /* A CR without a line feed behind it would be part of the record, and end[] would lie behind it. */
    if (end + 1 < next && batch->bytes[end] == '\r' && batch->bytes[end + 1] == '\n') {
        end += 2;
    } else if (end < next && batch->bytes[end] == '\n') {
        end += 1;
    }
    return (struct rf_str){(const char *)batch->bytes + begin, end - begin};
}

uint64_t rf_lines_count(const uint8_t *bytes, size_t count)
{
    enum { LANES = 64, ROUNDS = 255 };
    uint64_t lines = 0;
    size_t at = 0;
    /* Byte-wide counters, emptied before they can overflow: the compiler turns the inner loop into one compare and one
     * subtract for each vector. */
    while (count - at >= LANES) {
        uint8_t lane[LANES] = {0};
        for (int round = 0; round < ROUNDS && count - at >= LANES; round++) {
            for (size_t i = 0; i < LANES; i++) {
                lane[i] = (uint8_t)(lane[i] + (bytes[at + i] == '\n'));
            }
            at += LANES;
        }
        for (size_t i = 0; i < LANES; i++) {
            lines += lane[i];
        }
    }
    for (; at < count; at++) {
        lines += bytes[at] == '\n';
    }
    return lines;
}

struct rf_where rf_row_where(const struct rf_batch *batch, const struct rf_rows *rows, uint32_t row)
{
    struct rf_where where = {.input_name = batch->input_name, .offset = batch->offset + rows->begin[row]};
    if (batch->first_number == 0) {
        return where;
    }
    where.number = batch->first_number + (rows->is_sparse ? rf_lines_count(batch->bytes, rows->begin[row])
                                                          : (uint64_t)rows->lines_before + row);
    return where;
}
