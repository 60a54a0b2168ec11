/* lines.h: batches of whole lines from one input.
 *
 * Purpose    Reads straight into the batch's buffer, finds the last line end with one backward search, and carries the
 *            partial record behind it over to the next batch. No work per record.
 * Data       a batch is [0, batch_bytes) of whole records, or one longer record, or the first bytes of one oversize
 *            record. carry[carry_begin, carry_end) is what was read behind the last batch: whole records up to
 *            carry_lines_end (only behind a long or oversize record), then one partial record. It never holds more than
 *            batch_bytes, because nothing is read further ahead than that.
 * Ownership  borrows stream and reader; owns carry, kept for the next input.
 * Threads    one thread at a time.
 * Errors     a read or decoding error ends the input: what was read is handed over first, and `problem` says why.
 *            RF_E_MEMORY from the batch's buffer is a true error.
 */
#ifndef RF_LINES_H
#define RF_LINES_H

#include "batch.h"
#include "decompress.h"

enum { RF_LINES_BATCH_BYTES_MIN = 64, RF_LINES_LINGER_MS = 50 };

struct rf_lines {
    struct rf_decompress *stream;
    size_t batch_bytes; /* at least RF_LINES_BATCH_BYTES_MIN */
    size_t record_bytes_max;
    bool is_line_buffered;
    bool is_text;

    uint8_t *carry;
    size_t carry_begin, carry_lines_end, carry_end;
    uint64_t offset;         /* in the input, of the next record */
    bool is_ended;           /* nothing more can be read */
    struct rf_error problem; /* why the input ended early; RF_OK: it did not */
};

/* Makes the carry buffer; the limits are set by the caller before. */
enum rf_status rf_lines_open(struct rf_lines *lines, struct rf_error *err);
void rf_lines_close(struct rf_lines *lines);

/* Begins an input: opens the stream over the reader and looks for a BOM. RF_E_FORMAT: the input is refused. */
enum rf_status rf_lines_begin(struct rf_lines *lines, struct rf_decompress *stream, struct rf_reader *reader,
                              struct rf_error *err);
/* Sets bytes, bytes_used, cursor, offset, is_oversize and record_bytes. RF_END behind the last record. */
enum rf_status rf_lines_fill(struct rf_lines *lines, struct rf_batch *batch, struct rf_error *err);

#endif
