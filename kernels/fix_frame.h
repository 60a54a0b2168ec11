/* fix_frame.h: bytes of FIX to entries: where each message is, and whether its frame is right.
 *
 * Purpose    The record table of a batch of FIX, as index.h makes it for lines. What an entry is says fix_entry.h; here is
 *            the fast way to the same answers: BodyLength leads to the end of a message, whose bytes are summed 64 at a time.
 * Data       in   batch.bytes in the given span, which begins at an entry; at most rows.rows_max of them are taken,
 *                 rows.cursor says where the next round begins. RF_FIX_LAST: the span holds whole entries (rf_fix_cut has
 *                 cut it, or the input ends). RF_FIX_MORE and RF_FIX_PAUSE: it may end in the middle of one; a round that
 *                 stops there leaves is_whole false, and bytes from rows.cursor on belong to the next batch. So a source
 *                 that can wait for the framing of a batch needs no rf_fix_cut, which costs as much again.
 *            out  rows.begin/end/status, rows.lines, rows.cursor. A row is an entry without its line end: prefix, message
 *                 and what follows in the line; every byte of the span is in one row or its line end. Status: REJECTED for
 *                 a message that can be read, MALFORMED, or BLANK.
 *                 message[R] message_end[R] u32  the message in batch.bytes, its last separator included; empty: none.
 *                                                The prefix is [rows.begin, message)
 *                 separator[R] u8  enum rf_fix_separator
 *                 flags[R] u8      enum rf_fix_flag
 *                 reason[R] u8     enum rf_reason of a MALFORMED row; in lenient mode also of a REJECTED one
 *                 fault[R] u32     where, in batch.bytes
 *                 mask[R][RF_FIX_MASK_WORDS] u64   bit b of word w: byte 64 w + b of the message is a separator. Only of messages
 *                                  that the fast way has found and that are shorter than all words; else the first word is 0.
 *                                  Framing has the bytes in its registers, so that the index need not load them again.
 * Ownership  arrays belong to the struct (rf_fix_frame_open/close).
 * Threads    one struct for each worker.
 * Errors     rf_fix_frame_open: RF_E_MEMORY. A run cannot fail.
 * Cost       reads each byte once, and from one message to the next waits for little more than the load of BodyLength; about a
 *            third of the bench case FX-dec.
 * Source     fix_entry.h; the head of FIX messages: FIX session layer, (c) FIX Protocol Ltd.
 */
#ifndef RF_FIX_FRAME_H
#define RF_FIX_FRAME_H

#include "fix_entry.h"
#include "index.h"
#include "isa.h"
#include "rows.h"

enum { RF_FIX_MASK_WORDS = 5 };

struct rf_fix_frame {
    uint32_t rows_max;
    uint32_t record_bytes_max; /* the limit that the batches were cut with */
    bool is_lenient;           /* a wrong BodyLength or CheckSum is a flag only */
    bool is_whole;             /* the last round did not stop at an entry that needs more bytes */
    bool is_oversize;          /* if it did: that entry is longer than the limit; rf_fix_resync finds what follows */
    size_t needed;             /* or else: with fewer bytes in batch.bytes it stays undecided */
    uint32_t *message;
    uint32_t *message_end;
    uint32_t *fault;
    uint8_t *separator;
    uint8_t *flags;
    uint8_t *reason;
    uint64_t *mask;
};

enum rf_status rf_fix_frame_open(struct rf_fix_frame *frame, uint32_t rows_max, uint32_t record_bytes_max,
                                 bool is_lenient, struct rf_error *err);
void rf_fix_frame_close(struct rf_fix_frame *frame);

/* rows.rows_max <= frame->rows_max. */
void rf_fix_frame_run(struct rf_fix_frame *frame, enum rf_isa isa, const struct rf_batch *batch, struct rf_span32 span,
                      enum rf_fix_run run, struct rf_rows *rows);

/* The first problem of a row, for messages to the user; offsets count from the row's first byte. */
struct rf_malformed rf_fix_frame_malformed(const struct rf_fix_frame *frame, const struct rf_rows *rows, uint32_t row);

#endif
