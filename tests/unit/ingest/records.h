/* records.h: what records a run of bytes holds, as one text that can be compared.
 *
 * Purpose    records_expect splits naively, byte by byte, and is the oracle; records_add takes batches apart. Both
 *            write one entry for each record: its offset, content length, its bytes (line end included; of an
 *            oversize record the first RF_OVERSIZE_KEPT content bytes).
 * Ownership  the caller frees the text.
 */
#ifndef RECORDS_H
#define RECORDS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source.h"

struct records {
    char *data;
    size_t count, capacity;
    uint64_t records;
};

/* A test helper has nobody to return an error to. */
static inline void records_require(bool is_true, const char *what)
{
    if (!is_true) {
        fprintf(stderr, "broken promise: %s\n", what);
        abort();
    }
}

static inline void records_put(struct records *out, const void *bytes, size_t count)
{
    if (count > out->capacity - out->count) {
        out->capacity = (out->capacity + count) * 2 + 64;
        out->data = realloc(out->data, out->capacity);
        records_require(out->data != NULL, "memory");
    }
    memcpy(out->data + out->count, bytes, count);
    out->count += count;
}

static inline void records_free(struct records *out)
{
    free(out->data);
    *out = (struct records){0};
}

static inline void records_entry(struct records *out, uint64_t offset, uint64_t content, bool is_oversize,
                                 const uint8_t *bytes, size_t count)
{
    char head[96];
    const int head_count = snprintf(head, sizeof head, "<%llu +%llu%s>", (unsigned long long)offset,
                                    (unsigned long long)content, is_oversize ? " oversize" : "");
    records_put(out, head, (size_t)head_count);
    records_put(out, bytes, count);
    out->records++;
}

static inline uint64_t records_content(const uint8_t *bytes, uint64_t count)
{
    if (count > 0 && bytes[count - 1] == '\n') {
        count--;
        if (count > 0 && bytes[count - 1] == '\r') {
            count--;
        }
    }
    return count;
}

/* One input, from its first byte; a BOM is passed over unless is_text. */
static inline void records_expect(struct records *out, const uint8_t *bytes, size_t count, size_t record_bytes_max,
                                  bool is_text)
{
    size_t begin = !is_text && count >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    for (size_t at = begin; at < count; at++) {
        if (bytes[at] != '\n' && at + 1 < count) {
            continue;
        }
        const size_t line = at + 1 - begin;
        const uint64_t content = records_content(bytes + begin, line);
        if (content > record_bytes_max) {
            records_entry(out, begin, content, true, bytes + begin,
                          content < RF_OVERSIZE_KEPT ? (size_t)content : RF_OVERSIZE_KEPT);
        } else {
            records_entry(out, begin, content, false, bytes + begin, line);
        }
        begin = at + 1;
    }
}

/* The records of a batch; also checks what source.h promises of every batch. */
static inline void records_add(struct records *out, const struct rf_batch *batch, size_t batch_bytes,
                               size_t record_bytes_max)
{
    records_require(batch->bytes_used > 0, "a batch is never empty");
    records_require(batch->cursor == 0, "the cursor is at the beginning");
    unsigned sum = 0;
    for (size_t i = 0; i < RF_BATCH_PADDING; i++) {
        sum += batch->bytes[batch->bytes_used + i];
    }
    records_require(sum <= 255u * RF_BATCH_PADDING, "the padding is readable");
    if (batch->is_oversize) {
        const uint64_t kept = batch->record_bytes < RF_OVERSIZE_KEPT ? batch->record_bytes : RF_OVERSIZE_KEPT;
        records_require(batch->bytes_used == kept, "of an oversize record the head is kept");
        records_require(batch->record_bytes > record_bytes_max, "only a record over the limit is oversize");
        records_entry(out, batch->offset, batch->record_bytes, true, batch->bytes, batch->bytes_used);
        return;
    }
    records_require(batch->record_bytes == 0, "record_bytes is for oversize records");
    const uint64_t before = out->records;
    size_t begin = 0;
    for (size_t at = 0; at < batch->bytes_used; at++) {
        if (batch->bytes[at] != '\n' && at + 1 < batch->bytes_used) {
            continue;
        }
        const size_t line = at + 1 - begin;
        const uint64_t content = records_content(batch->bytes + begin, line);
        records_require(content <= record_bytes_max, "no record over the limit in a batch");
        records_entry(out, batch->offset + begin, content, false, batch->bytes + begin, line);
        begin = at + 1;
    }
    records_require(batch->bytes_used <= batch_bytes || out->records == before + 1,
                    "a batch over batch_bytes holds one record");
}

static inline bool records_equal(const struct records *a, const struct records *b)
{
    return a->records == b->records && a->count == b->count &&
           (a->count == 0 || memcmp(a->data, b->data, a->count) == 0);
}

#endif
