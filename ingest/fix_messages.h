/* fix_messages.h: batches of whole FIX entries from one input, as lines.h makes them of lines.
 *
 * Purpose    Reads into the batch's buffer, asks rf_fix_cut how far whole entries go, and carries what is behind them over to
 *            the next batch.
 * Data       a batch is at most batch_bytes of whole entries, or one longer entry, or the first bytes of one oversize entry.
 *            carry[carry_begin, carry_end) is what was read behind the last batch.
 * Ownership  borrows stream and reader; owns carry, kept for the next input.
 * Threads    one thread at a time.
 * Errors     a read or decoding error ends the input: what was read is handed over first, and `problem` says why.
 *            RF_E_MEMORY from the buffers is a true error.
 */
#ifndef RF_FIX_MESSAGES_H
#define RF_FIX_MESSAGES_H

#include "batch.h"
#include "decompress.h"

struct rf_fix_messages {
    struct rf_decompress *stream;
    size_t batch_bytes;
    size_t record_bytes_max;
    bool is_line_buffered;

    uint8_t *carry;
    size_t carry_begin, carry_end, carry_bytes;
    uint64_t offset;         /* in the input, of the next entry */
    uint64_t entries;        /* in the batch that was handed over last */
    bool is_ended;           /* nothing more can be read */
    bool has_lines;          /* an entry of this input ended with a line end */
    struct rf_error problem; /* why the input ended early; RF_OK: it did not */
};

void rf_fix_messages_close(struct rf_fix_messages *messages);
/* Begins an input: opens the stream over the reader. */
void rf_fix_messages_begin(struct rf_fix_messages *messages, struct rf_decompress *stream, struct rf_reader *reader);
/* Sets bytes, bytes_used, cursor, offset, is_oversize and record_bytes. RF_END behind the last entry. */
enum rf_status rf_fix_messages_fill(struct rf_fix_messages *messages, struct rf_batch *batch, struct rf_error *err);

#endif
