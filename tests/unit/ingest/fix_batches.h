/* fix_batches.h: the entries of FIX batches as fix_messages.h and memory.h hand them over, and what both promise of a batch.
 * The oracle is fates_stream of fix_stream.h over all bytes at once. */
#ifndef FIX_BATCHES_H
#define FIX_BATCHES_H

#include "chunks.h"
#include "fix_messages.h"
#include "fix_stream.h"
#include "memory.h"
#include "records.h"
#include "source.h"

struct fix_limits {
    size_t batch_bytes;
    size_t record_bytes_max;
    bool is_line_buffered;
};

/* The entries of a batch; `offset`: where it must begin. Returns where the next one must. */
static inline size_t fix_batch_add(struct fix_fates *out, const struct rf_batch *batch, struct fix_limits limits,
                                   size_t offset, uint64_t entries)
{
    records_require(batch->bytes_used > 0, "a batch is never empty");
    records_require(batch->cursor == 0, "the cursor is at the beginning");
    records_require(batch->offset == offset, "batches follow each other without a gap");
    unsigned sum = 0;
    for (size_t i = 0; i < RF_BATCH_PADDING; i++) {
        sum += batch->bytes[batch->bytes_used + i];
    }
    records_require(sum <= 255u * RF_BATCH_PADDING, "the padding is readable");
    if (batch->is_oversize) {
        const uint64_t kept = batch->record_bytes < RF_OVERSIZE_KEPT ? batch->record_bytes : RF_OVERSIZE_KEPT;
        records_require(batch->bytes_used == kept, "of an oversize entry the head is kept");
        records_require(batch->line_bytes == batch->record_bytes, "an oversize entry has no line end");
        fates_oversize(out, offset, offset + (size_t)batch->record_bytes);
        return offset + (size_t)batch->record_bytes;
    }
    records_require(batch->record_bytes == 0, "record_bytes is for oversize entries");
    const size_t before = out->count;
    fates_frame(out, batch->bytes, batch->bytes_used, offset, limits.record_bytes_max);
    records_require(out->count - before == entries, "the entries are counted");
    records_require(batch->bytes_used <= limits.batch_bytes || entries == 1,
                    "a batch over batch_bytes holds one entry");
    return offset + batch->bytes_used;
}

/* Reads to the end; `carried`: messages that were used before, with their buffers. */
static inline void fix_batches_read(struct fix_fates *out, struct rf_fix_messages *messages, struct rf_batch *batch,
                                    struct chunks chunks, struct fix_limits limits)
{
    static struct rf_decompress stream;
    struct rf_error err;
    struct rf_reader reader = {0};
    size_t offset = 0;
    const size_t before = batch->owned_bytes; /* of an input with other limits */
    out->count = 0;
    messages->batch_bytes = limits.batch_bytes;
    messages->record_bytes_max = limits.record_bytes_max;
    messages->is_line_buffered = limits.is_line_buffered;
    rf_reader_open_call(&reader, chunks_read, &chunks);
    rf_fix_messages_begin(messages, &stream, &reader);
    enum rf_status status;
    while ((status = rf_fix_messages_fill(messages, batch, &err)) == RF_OK) {
        offset = fix_batch_add(out, batch, limits, offset, messages->entries);
        /* The longest entry, a batch behind it, and growth by half. */
        const size_t most = limits.record_bytes_max + 3 * limits.batch_bytes + RF_OVERSIZE_KEPT;
        records_require(batch->owned_bytes <= (before > 2 * most ? before : 2 * most), "the buffer is bounded");
    }
    records_require(status == RF_END, "an input ends with RF_END");
    records_require(messages->problem.status == RF_OK, "nothing is wrong with this input");
    records_require(offset == chunks.count, "every byte is handed over");
    rf_decompress_close(&stream);
}

static inline void fix_batches_view(struct fix_fates *out, struct rf_batch *batch, const uint8_t *bytes, size_t count,
                                    struct fix_limits limits)
{
    struct rf_error err;
    struct rf_memory memory = {.bytes = bytes,
                               .count = count,
                               .batch_bytes = limits.batch_bytes,
                               .record_bytes_max = limits.record_bytes_max,
                               .is_fix = true};
    size_t offset = 0;
    out->count = 0;
    records_require(rf_memory_begin(&memory, true, &err) == RF_OK, "memory begins");
    while (rf_memory_fill(&memory, batch, &err) == RF_OK) {
        offset = fix_batch_add(out, batch, limits, offset, memory.entries);
    }
    records_require(offset == count, "every byte is handed over");
}

/* After pauses: what follows a message in its line may come as an entry of its own. Every message and every boundary is
 * there all the same. */
static inline bool fix_fates_refine(const struct fix_fates *found, const struct fix_fates *expected)
{
    size_t f = 0;
    for (size_t i = 0; i < expected->count; i++) {
        const struct fix_fate *wanted = &expected->fate[i];
        if (f == found->count || found->fate[f].begin != wanted->begin || found->fate[f].kind != wanted->kind ||
            found->fate[f].message != wanted->message || found->fate[f].message_end != wanted->message_end ||
            found->fate[f].reason != wanted->reason || found->fate[f].flags != wanted->flags) {
            return false;
        }
        while (f < found->count && found->fate[f].next < wanted->next) {
            f++;
        }
        if (f == found->count || found->fate[f].next != wanted->next) {
            return false;
        }
        f++;
    }
    return f == found->count;
}

#endif
