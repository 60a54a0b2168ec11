#include "fix_frame.h"

#include <stdlib.h>
#include <string.h>

#include "fix_frame_levels.h"

enum { FRAME_ALIGN = 64 };

static void *frame_array(uint32_t rows_max, size_t size_bytes)
{
    void *memory = NULL;
    return posix_memalign(&memory, FRAME_ALIGN, (size_t)rows_max * size_bytes + FRAME_ALIGN) == 0 ? memory : NULL;
}

enum rf_status rf_fix_frame_open(struct rf_fix_frame *frame, uint32_t rows_max, uint32_t record_bytes_max,
                                 bool is_lenient, struct rf_error *err)
{
    *frame =
        (struct rf_fix_frame){.rows_max = rows_max, .record_bytes_max = record_bytes_max, .is_lenient = is_lenient};
    frame->message = frame_array(rows_max, sizeof *frame->message);
    frame->message_end = frame_array(rows_max, sizeof *frame->message_end);
    frame->fault = frame_array(rows_max, sizeof *frame->fault);
    frame->separator = frame_array(rows_max, sizeof *frame->separator);
    frame->flags = frame_array(rows_max, sizeof *frame->flags);
    frame->reason = frame_array(rows_max, sizeof *frame->reason);
    frame->mask = frame_array(rows_max, RF_FIX_MASK_WORDS * sizeof *frame->mask);
    if (frame->mask == NULL || frame->message == NULL || frame->message_end == NULL || frame->fault == NULL || frame->separator == NULL ||
        frame->flags == NULL || frame->reason == NULL) {
        rf_fix_frame_close(frame);
        RF_FAIL(err, RF_E_MEMORY, "no memory for the messages of %u rows", rows_max);
    }
    return RF_OK;
}

void rf_fix_frame_close(struct rf_fix_frame *frame)
{
    free(frame->message);
    free(frame->message_end);
    free(frame->fault);
    free(frame->separator);
    free(frame->flags);
    free(frame->reason);
    free(frame->mask);
    *frame = (struct rf_fix_frame){0};
}

static enum rf_row_status entry_status(const struct rf_fix_frame *frame, const struct rf_fix_entry *entry)
{
    if (entry->kind == RF_FIX_BLANK) {
        return RF_ROW_BLANK;
    }
    const bool is_pardoned = frame->is_lenient && rf_fix_reason_is_lenient(entry->reason);
    return entry->reason == RF_REASON_NONE || is_pardoned ? RF_ROW_REJECTED : RF_ROW_MALFORMED;
}

static void row_append(struct rf_fix_frame *frame, struct rf_rows *rows, uint32_t begin,
                       const struct rf_fix_entry *entry)
{
    const uint32_t row = rows->rows++;
    rows->begin[row] = begin;
    rows->end[row] = (uint32_t)entry->end;
    rows->status[row] = (uint8_t)entry_status(frame, entry);
    frame->message[row] = (uint32_t)entry->message;
    frame->message_end[row] = (uint32_t)entry->message_end;
    frame->fault[row] = (uint32_t)entry->reason_at;
    frame->separator[row] = (uint8_t)entry->separator;
    frame->flags[row] = entry->flags;
    frame->reason[row] = (uint8_t)entry->reason;
    frame->mask[(size_t)row * RF_FIX_MASK_WORDS] = 0;
}

/* One entry by the rule itself; false: it needs more bytes than there are. */
static bool frame_entry(struct rf_fix_frame *frame, const struct rf_batch *batch, uint32_t *at, uint32_t end,
                        enum rf_fix_run run, struct rf_rows *rows)
{
    struct rf_fix_entry entry;
    const enum rf_fix_step step =
        rf_fix_entry_next(batch->bytes, *at, end, frame->record_bytes_max, run, &entry, &frame->needed);
    if (step == RF_FIX_NEED_MORE || (step == RF_FIX_OVERSIZE && run != RF_FIX_LAST)) {
        frame->is_whole = false;
        frame->is_oversize = step == RF_FIX_OVERSIZE;
        return false;
    }
    if (step == RF_FIX_OVERSIZE) {
        /* Only when the batch was cut with another limit. */
        size_t next;
        (void)rf_fix_resync(batch->bytes, rf_fix_resync_from(*at, frame->record_bytes_max), end, RF_FIX_LAST, &next);
        entry.end = entry.next = next;
    }
    row_append(frame, rows, *at, &entry);
    *at = (uint32_t)entry.next;
    return true;
}

static uint32_t frame_usual(struct rf_fix_frame *frame, enum rf_isa isa, const struct rf_batch *batch, uint32_t at,
                            uint32_t end, enum rf_fix_run run, struct rf_rows *rows)
{
    switch (isa) {
#if defined(__x86_64__)
    case RF_ISA_AVX512:
        return rf_fix_frame_avx512(frame, batch, at, end, run, rows);
    case RF_ISA_AVX2:
        return rf_fix_frame_avx2(frame, batch, at, end, run, rows);
#endif
    default:
        return at;
    }
}

void rf_fix_frame_run(struct rf_fix_frame *frame, enum rf_isa isa, const struct rf_batch *batch, struct rf_span32 span,
                      enum rf_fix_run run, struct rf_rows *rows)
{
    uint32_t at = span.begin;
    rows->rows = 0;
    rows->is_sparse = false;
    frame->is_whole = true;
    frame->is_oversize = false;
    while (at < span.end && rows->rows < rows->rows_max && frame->is_whole) {
        at = frame_usual(frame, isa, batch, at, span.end, run, rows);
        if (at < span.end && rows->rows < rows->rows_max) {
            (void)frame_entry(frame, batch, &at, span.end, run, rows);
        }
    }
    rows->cursor = at;
    rows->lines = rows->rows;
}

struct rf_malformed rf_fix_frame_malformed(const struct rf_fix_frame *frame, const struct rf_rows *rows, uint32_t row)
{
    return (struct rf_malformed){(enum rf_reason)frame->reason[row], frame->fault[row] - rows->begin[row]};
}
