/* batch.h: a run of whole records, as a source hands it over.
 *
 * Data       bytes[bytes_used]   u8   records back to back with their line ends; 64 readable bytes follow
 *            bytes_used < 2^31. The record table (struct rf_rows) is found by the index stage, not by the
 *            source: finding line ends is data-parallel work that the index pass does anyway.
 * Ownership  bytes belong to the source or the batch slot (owned != NULL: rf_batch_close frees it); everything
 *            else is plain data. A batch may be a view of caller memory (owned == NULL).
 * Threads    one thread at a time; a batch travels from source to worker to sink.
 */
#ifndef RF_BATCH_H
#define RF_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"
#include "str.h"

enum {
    RF_BATCH_PADDING = 64,                 /* readable bytes behind bytes[bytes_used] */
    RF_BATCH_BYTES_DEFAULT = 256 * 1024,   /* stays in L2 with its index: docs/performance.md */
    RF_BATCH_BYTES_LIMIT = 0x7fff0000,
    RF_ROWS_MAX_DEFAULT = 64 * 1024
};

struct rf_batch {
    const uint8_t *bytes;
    uint32_t bytes_used;
    uint32_t cursor;        /* bytes before it are done; a batch with more than rows_max records takes several
                               rounds of index..sink */
    uint8_t *owned;         /* buffer of owned_bytes + RF_BATCH_PADDING bytes, or NULL */
    size_t owned_bytes;
    const char *input_name; /* "-" for stdin; lives as long as the source */
    uint32_t input;         /* number of the input, from 0 */
    bool is_oversize;       /* holds the first bytes of one record that exceeds the record limit: one malformed row */
    uint64_t record_bytes;  /* of that record, line end excluded, when is_oversize */
    uint64_t line_bytes;    /* the same with its line end */
    uint64_t offset;        /* of bytes[0] in its (decompressed) input */
    uint64_t first_number;  /* 1-based number in its input of the first record; 0 = not counted yet */
    uint64_t sequence;      /* of the batch in the run, from 0: output order */
    int64_t now_seconds; /* since 1970, and nanoseconds forward from there: the instant that `now` is for its records */
    uint32_t now_nanos;
};

/* Makes room for `bytes` bytes and padding in an owned buffer; contents are kept; a view is
 * copied. RF_E_MEMORY; RF_E_LIMIT above RF_BATCH_BYTES_LIMIT. */
enum rf_status rf_batch_reserve(struct rf_batch *batch, size_t bytes, struct rf_error *err);
void rf_batch_close(struct rf_batch *batch);

/* What a record is called in messages. */
struct rf_where {
    const char *input_name;
    uint64_t number; /* 1-based */
    uint64_t offset; /* of the record's first byte in the input */
};

#endif
