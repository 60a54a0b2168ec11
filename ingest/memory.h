/* memory.h: batches that are views of one run of bytes in memory.
 *
 * Purpose    The same batches as lines.h makes of the same bytes, without copying them.
 * Data       batch->bytes points into the caller's memory. A batch with fewer than RF_BATCH_PADDING bytes of that
 *            memory behind it is copied into batch->owned.
 * Ownership  borrows the bytes.
 * Threads    one thread at a time.
 * Errors     RF_E_MEMORY; RF_E_FORMAT from rf_memory_begin for UTF-16 text.
 */
#ifndef RF_MEMORY_H
#define RF_MEMORY_H

#include "batch.h"

struct rf_memory {
    const uint8_t *bytes;
    size_t count;
    size_t cursor; /* the next record */
    size_t batch_bytes;
    size_t record_bytes_max;
    bool is_fix;      /* records are FIX entries (fix_cut.h), not lines */
    uint64_t entries; /* is_fix: in the batch that was handed over last */
};

/* Passes over a BOM, unless is_text. */
enum rf_status rf_memory_begin(struct rf_memory *memory, bool is_text, struct rf_error *err);
/* As rf_lines_fill. */
enum rf_status rf_memory_fill(struct rf_memory *memory, struct rf_batch *batch, struct rf_error *err);

#endif
