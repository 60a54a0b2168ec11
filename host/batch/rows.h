/* rows.h: the record table of a batch, and one status for each record.
 *
 * Data       rows <= rows_max (R)
 *            begin[R]   u32  first byte of the record in batch.bytes
 *            end[R]     u32  one past its last byte; line end excluded, also the CR of a CRLF
 *            status[R]  u8   enum rf_row_status; RF_ROW_REJECTED until decided
 *            lines      records passed over in this round, those skipped by the prefilter included; equals rows
 *                       unless is_sparse.
 *            lines_before  records of the batch passed over in earlier rounds
 *            cursor     where the next round begins (batch.bytes_used when done)
 * Ownership  arrays belong to the struct (rf_rows_open/close).
 * Threads    one thread at a time: part of a worker's scratch.
 */
#ifndef RF_ROWS_H
#define RF_ROWS_H

#include "batch.h"
#include "reason.h"

enum rf_row_status {
#define RF_ROW_STATUS(name, key, meaning) name,
#include "row_status.def"
#undef RF_ROW_STATUS
    RF_ROW_STATUS_COUNT
};

const char *rf_row_status_key(enum rf_row_status status);

struct rf_rows {
    uint32_t rows;
    uint32_t rows_max;
    uint32_t lines;
    uint32_t lines_before; /* records of the batch that earlier rounds passed over */
    uint32_t cursor;
    bool is_sparse;
    uint32_t *begin;
    uint32_t *end;
    uint8_t *status;
};

enum rf_status rf_rows_open(struct rf_rows *rows, uint32_t rows_max, struct rf_error *err);
void rf_rows_close(struct rf_rows *rows);

static inline struct rf_str rf_row_text(const struct rf_batch *batch, const struct rf_rows *rows, uint32_t row)
{
    return (struct rf_str){(const char *)batch->bytes + rows->begin[row], rows->end[row] - rows->begin[row]};
}

/* The record with its own line end as it stands in the input; without one at the end of the input. */
struct rf_str rf_row_line(const struct rf_batch *batch, const struct rf_rows *rows, uint32_t row);

/* Line ends in a run of bytes. */
uint64_t rf_lines_count(const uint8_t *bytes, size_t count);

/* Number and offset of a row. Cheap when the table is dense, else it counts line ends before the row. */
struct rf_where rf_row_where(const struct rf_batch *batch, const struct rf_rows *rows, uint32_t row);

#endif
