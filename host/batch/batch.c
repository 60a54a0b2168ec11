#include "batch.h"

#include <stdlib.h>

enum { BATCH_ALIGN = 64 };

enum rf_status rf_batch_reserve(struct rf_batch *batch, size_t bytes, struct rf_error *err)
{
    if (batch->owned != NULL && bytes <= batch->owned_bytes) {
        return RF_OK;
    }
    if (bytes > RF_BATCH_BYTES_LIMIT) {
        RF_FAIL(err, RF_E_LIMIT, "a batch of %zu bytes exceeds the limit of %d bytes", bytes, RF_BATCH_BYTES_LIMIT);
    }
    /* The first buffer is what was asked for; a growing one grows by half at least, so that a caller that asks
     * for a little more each time still copies each byte a bounded number of times. */
    size_t owned_bytes = bytes < batch->bytes_used ? batch->bytes_used : bytes;
    const size_t grown = batch->owned == NULL ? 0 : batch->owned_bytes + batch->owned_bytes / 2;
    if (owned_bytes < grown) {
        owned_bytes = grown < RF_BATCH_BYTES_LIMIT ? grown : RF_BATCH_BYTES_LIMIT;
    }
    void *memory = NULL;
    if (posix_memalign(&memory, BATCH_ALIGN, owned_bytes + RF_BATCH_PADDING) != 0) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for a batch of %zu bytes", owned_bytes);
    }
    if (batch->bytes_used != 0) {
        memcpy(memory, batch->bytes, batch->bytes_used);
    }
    free(batch->owned);
    batch->owned = memory;
    batch->owned_bytes = owned_bytes;
    batch->bytes = batch->owned;
    return RF_OK;
}

void rf_batch_close(struct rf_batch *batch)
{
    free(batch->owned);
    *batch = (struct rf_batch){0};
}
