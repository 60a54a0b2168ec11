/* fix_index.h: framed messages to fields.
 *
 * Purpose    Where each field of each message is, its tag read and checked; or only the first field of each wanted tag, into
 *            columns. Raw data is passed over by its length.
 * Data       in   rows of status REJECTED with the messages that rf_fix_frame_run found
 *            out  rf_fix_index_all: CSR by row
 *                   first[R+1] u32              fields of row r: [first[r], first[r+1]); none when it is not REJECTED
 *                   tag[N] begin[N] length[N]   u32  tag, and the value's span in batch.bytes; a tag has no leading zero,
 *                                               so its text ends at begin - 1
 *                 rf_fix_index_wanted: columns.slot[s] for wanted[s]
 *                   tag[R] u8                   RF_TAG_STRING_RAW, or RF_TAG_ABSENT
 *                   begin[R] length[R] u32      the value of the FIRST field with that tag. Payloads are not written:
 *                                               fix_cells.h makes values of the spans
 *                 both: frame.flags[R] |= RF_FIX_DUPLICATE, RF_FIX_EMPTY. A row with a bad tag or a wrong length before a
 *                 data field becomes MALFORMED: rows.status, frame.reason, frame.fault, and flags RF_FIX_BAD_TAG or
 *                 RF_FIX_BAD_DATA; its columns are absent.
 *            A field is tag=value, split at its first `=`; a value may be empty. A tag is 1..9 and at most eight more digits.
 * Ownership  arrays belong to the struct (rf_fix_index_open/close) and grow with the batch (rf_fix_index_reserve).
 * Threads    one struct for each worker.
 * Errors     rf_fix_index_open, rf_fix_index_reserve: RF_E_MEMORY. A run cannot fail.
 * Cost       reads each byte once; all: writes 12 bytes for each field; wanted: 9 for each row and slot.
 * Source     the memory of layouts is the position hint of hffix (jamesdbrock/hffix, find_with_hint) made whole: not where one
 *            tag was last time, but the sequence of all.
 */
#ifndef RF_FIX_INDEX_H
#define RF_FIX_INDEX_H

#include "column.h"
#include "fix_frame.h"
#include "fix_layout.h"

enum {
    RF_FIX_SCAN_MAX = 16 * 1024, /* a longer message is walked through */
    RF_FIX_GROUP_ROWS = 32
};

struct rf_fix_index {
    uint32_t rows_max;
    uint32_t fields_max;
    uint32_t *first;
    uint32_t *tag;
    uint32_t *begin;
    uint32_t *length;
    uint32_t *scratch; /* for rf_fix_tags_repeat */
    uint16_t *mark;    /* of the messages of a group: where their fields begin, from each one's first byte */
    struct rf_fix_layouts layouts;
};

/* wanted[slots]: the tags of rf_fix_index_wanted; they live as long as the index. */
enum rf_status rf_fix_index_open(struct rf_fix_index *index, uint32_t rows_max, const uint32_t *wanted, uint32_t slots,
                                 struct rf_error *err);
enum rf_status rf_fix_index_reserve(struct rf_fix_index *index, size_t batch_bytes, struct rf_error *err);
void rf_fix_index_close(struct rf_fix_index *index);

void rf_fix_index_all(struct rf_fix_index *index, enum rf_isa isa, const struct rf_batch *batch, struct rf_rows *rows,
                      struct rf_fix_frame *frame);
/* columns has the slots that the index was opened with, and rows_max rows. */
void rf_fix_index_wanted(struct rf_fix_index *index, enum rf_isa isa, const struct rf_batch *batch,
                         struct rf_rows *rows, struct rf_fix_frame *frame, struct rf_columns *columns);

#endif
