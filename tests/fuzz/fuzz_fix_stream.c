/* fuzz_fix_stream.c: arbitrary bytes as a FIX stream, cut anywhere, under small limits: fix_messages.h and memory.h hand over the
 * entries that the rule finds in all bytes at once, however the reads are cut, whatever the batches and limits are.
 *
 * The first bytes choose reads, pauses and limits. Buffers are kept from input to input, as a source keeps them. */
#include <stdio.h>
#include <stdlib.h>

#include "../unit/ingest/fix_batches.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD_BYTES = 6 };

static void show(const char *name, const struct fix_fates *fates)
{
    for (size_t i = 0; i < fates->count; i++) {
        const struct fix_fate *f = &fates->fate[i];
        fprintf(stderr, "%s %zu: %zu..%zu..%zu kind %d reason %d at %zu flags %d message %zu..%zu\n", name, i, f->begin,
                f->end, f->next, f->kind, f->reason, f->reason_at, f->flags, f->message, f->message_end);
    }
}

static void require_equal(bool is_equal, const struct fix_fates *expected, const struct fix_fates *found,
                          const char *what)
{
    if (!is_equal) {
        show("expected", expected);
        show("found", found);
        fprintf(stderr, "fuzz_fix_stream: %s: other entries\n", what);
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct fix_fates expected, found;
    static struct rf_fix_messages messages;
    static struct rf_batch batch;
    if (size < HEAD_BYTES || size > 65536) {
        return 0;
    }
    const bool has_pauses = (data[0] & 1) != 0;
    const bool has_small_limit = (data[0] & 4) != 0;
    struct chunks chunks = {.bytes = data + HEAD_BYTES,
                            .count = size - HEAD_BYTES,
                            .first = data[1],
                            .rest = data[2] % 80,
                            .pause_every = has_pauses ? data[3] % 8 : 0};
    const struct fix_limits limits = {.batch_bytes = 64 + data[4],
                                      .record_bytes_max = has_small_limit ? 1 + (size_t)data[5] * 2 : 1 << 20,
                                      .is_line_buffered = has_pauses};
    fates_stream(&expected, chunks.bytes, chunks.count, limits.record_bytes_max, chunks.count, NULL, false);
    fix_batches_view(&found, &batch, chunks.bytes, chunks.count, limits);
    require_equal(fates_equal(&found, &expected), &expected, &found, "memory");
    if (rf_codec_magic(chunks.bytes, chunks.count) >= RF_MAGIC_GZIP) {
        return 0; /* would be read as compressed */
    }
    fix_batches_read(&found, &messages, &batch, chunks, limits);
    if (chunks.pause_every == 0) {
        require_equal(fates_equal(&found, &expected), &expected, &found, "reads");
    } else if (!has_small_limit) {
        require_equal(fix_fates_refine(&found, &expected), &expected, &found, "reads with pauses");
    }
    return 0;
}
