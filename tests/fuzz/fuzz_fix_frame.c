/* Arbitrary bytes as a stream of FIX: however it is cut into reads and batches, and at every level, the entries are the same,
 * and each byte lies in one. The first byte chooses the limit of an entry, the second the sizes of reads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/ingest/fix_stream.h"
#include "fix_frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BYTES_MAX = 1 << 16, ROWS_MAX = 64, LIMIT_LARGE = 1 << 20 };

static void require(bool is_good, const char *what)
{
    if (!is_good) {
        fprintf(stderr, "fuzz_fix_frame: %s\n", what);
        abort();
    }
}

/* The rows of a level, in small rounds, as fates. */
static void level_run(enum rf_isa isa, const struct rf_batch *batch, uint32_t limit, struct fix_fates *fates)
{
    static struct rf_rows rows;
    static struct rf_fix_frame frame;
    struct rf_error err;
    struct rf_span32 span = {0, batch->bytes_used};
    if (rows.begin == NULL) {
        require(rf_rows_open(&rows, ROWS_MAX, &err) == RF_OK &&
                    rf_fix_frame_open(&frame, ROWS_MAX, limit, false, &err) == RF_OK,
                "no memory");
    }
    frame.record_bytes_max = limit;
    fates->count = 0;
    while (span.begin < span.end) {
        rf_fix_frame_run(&frame, isa, batch, span, RF_FIX_LAST, &rows);
        for (uint32_t row = 0; row < rows.rows; row++) {
            const uint32_t next = row + 1 < rows.rows ? rows.begin[row + 1] : rows.cursor;
            const bool is_oversize = frame.reason[row] == RF_REASON_LONG;
            const int kind = rows.status[row] == RF_ROW_BLANK              ? RF_FIX_BLANK
                             : frame.message_end[row] > frame.message[row] ? RF_FIX_MESSAGE
                                                                           : RF_FIX_DEBRIS;
            const struct fix_fate fate = {.begin = rows.begin[row],
                                          .end = rows.end[row],
                                          .next = next,
                                          .message = frame.message[row],
                                          .message_end = frame.message_end[row],
                                          .kind = kind,
                                          .separator = frame.separator[row],
                                          .flags = frame.flags[row],
                                          .reason = frame.reason[row],
                                          .reason_at = frame.reason[row] == RF_REASON_NONE ? 0 : frame.fault[row]};
            const struct fix_fate oversize = {.begin = rows.begin[row], .end = next, .next = next, .kind = -1};
            fates_add(fates, is_oversize ? oversize : fate);
        }
        require(rows.rows > 0 && frame.is_whole, "no progress");
        span.begin = rows.cursor;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct fix_fates expected, found;
    if (size < 3 || size > BYTES_MAX) {
        return 0;
    }
    const uint32_t limit = data[0] % 4 == 0 ? 16 + data[0] * 8u : LIMIT_LARGE;
    const size_t piece = 1 + data[1];
    uint64_t random = data[1];
    data += 2;
    size -= 2;
    uint8_t *bytes = malloc(size + RF_BATCH_PADDING);
    require(bytes != NULL, "no memory");
    memcpy(bytes, data, size);
    memset(bytes + size, data[0], RF_BATCH_PADDING);
    const struct rf_batch batch = {.bytes = bytes, .bytes_used = (uint32_t)size};

    fates_stream(&expected, bytes, size, limit, size, NULL, false);
    size_t at = 0;
    for (size_t i = 0; i < expected.count; i++) {
        require(expected.fate[i].begin == at && expected.fate[i].next > at, "a gap between entries");
        require(expected.fate[i].reason_at <= expected.fate[i].next, "a fault outside of its entry");
        at = expected.fate[i].next;
    }
    require(at == size, "bytes are lost");
    fates_stream(&found, bytes, size, limit, piece, NULL, true);
    require(fates_equal(&expected, &found), "reads of one size give other entries");
    fates_stream(&found, bytes, size, limit, piece, &random, false);
    require(fates_equal(&expected, &found), "reads of any size give other entries");
    for (int isa = RF_ISA_SCALAR; isa <= (int)rf_isa_best(); isa++) {
        level_run((enum rf_isa)isa, &batch, limit, &found);
        require(fates_equal(&expected, &found), rf_isa_name((enum rf_isa)isa));
    }
    free(bytes);
    return 0;
}
