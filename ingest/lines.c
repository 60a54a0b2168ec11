#include "lines.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "cut.h"
#include "source.h"

enum rf_status rf_lines_open(struct rf_lines *lines, struct rf_error *err)
{
    /* Untouched until a record is cut: pages come when they are written. */
    lines->carry = malloc(lines->batch_bytes);
    if (lines->carry == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for a carry buffer of %zu bytes", lines->batch_bytes);
    }
    return RF_OK;
}

void rf_lines_close(struct rf_lines *lines)
{
    free(lines->carry);
    lines->carry = NULL;
}

/* Reads up to `room` bytes. False: nothing came, either because the input has ended or because waiting did. */
static bool lines_read(struct rf_lines *lines, uint8_t *out, size_t room, int wait_ms, size_t *got)
{
    if (lines->is_ended) {
        return false;
    }
    const enum rf_status status = rf_decompress_read(lines->stream, out, room, wait_ms, got, &lines->problem);
    if (status != RF_OK && status != RF_AGAIN) {
        lines->is_ended = true;
    }
    return status == RF_OK;
}

enum rf_status rf_lines_begin(struct rf_lines *lines, struct rf_decompress *stream, struct rf_reader *reader,
                              struct rf_error *err)
{
    lines->stream = stream;
    lines->carry_begin = lines->carry_lines_end = lines->carry_end = 0;
    lines->offset = 0;
    lines->is_ended = false;
    lines->problem.status = RF_OK;
    if (rf_decompress_begin(stream, reader, &lines->problem) != RF_OK) {
        lines->is_ended = true;
    }
    if (lines->is_text) {
        return RF_OK;
    }
    enum rf_bom bom = RF_BOM_SHORT;
    size_t got = 0;
    while (bom == RF_BOM_SHORT &&
           lines_read(lines, lines->carry + lines->carry_end, RF_BOM_BYTES - lines->carry_end, RF_WAIT_FOREVER, &got)) {
        lines->carry_end += got;
        bom = rf_cut_bom(lines->carry, lines->carry_end);
    }
    if (bom == RF_BOM_UTF16) {
        RF_FAIL(err, RF_E_FORMAT, "UTF-16 text is not supported; convert it to UTF-8");
    }
    if (bom == RF_BOM_UTF8) {
        lines->offset = RF_BOM_BYTES;
        lines->carry_end = 0;
    }
    return RF_OK;
}

/* Keeps what was read behind the batch. */
static void lines_carry(struct rf_lines *lines, const uint8_t *bytes, size_t count)
{
    assert(count <= lines->batch_bytes);
    memcpy(lines->carry, bytes, count);
    lines->carry_begin = 0;
    lines->carry_lines_end = rf_cut_last(bytes, count);
    lines->carry_end = count;
}

static enum rf_status lines_hand_over(struct rf_lines *lines, struct rf_batch *batch, size_t count)
{
    batch->bytes = batch->owned;
    batch->bytes_used = (uint32_t)count;
    batch->cursor = 0;
    batch->offset = lines->offset;
    batch->is_oversize = false;
    batch->record_bytes = batch->line_bytes = 0;
    lines->offset += count;
    return RF_OK;
}

/* `line_bytes` is the record with its line end, content_bytes without. */
static enum rf_status lines_hand_over_oversize(struct rf_lines *lines, struct rf_batch *batch, uint64_t line_bytes,
                                               uint64_t content_bytes)
{
    batch->bytes = batch->owned;
    batch->bytes_used = content_bytes < RF_OVERSIZE_KEPT ? (uint32_t)content_bytes : RF_OVERSIZE_KEPT;
    batch->cursor = 0;
    batch->offset = lines->offset;
    batch->is_oversize = true;
    batch->record_bytes = content_bytes;
    batch->line_bytes = line_bytes;
    lines->offset += line_bytes;
    return RF_OK;
}

static enum rf_status lines_reserve(struct rf_batch *batch, size_t used, size_t bytes, struct rf_error *err)
{
    batch->bytes = batch->owned;
    batch->bytes_used = (uint32_t)used;
    return rf_batch_reserve(batch, bytes, err);
}

/* The first record of the buffer exceeds the limit: keeps its head and reads over the rest. */
static enum rf_status lines_skip(struct rf_lines *lines, struct rf_batch *batch, size_t used, struct rf_error *err)
{
    const uint8_t *end = memchr(batch->owned, '\n', used);
    if (end != NULL) {
        const size_t line = (size_t)(end - batch->owned) + 1;
        lines_carry(lines, end + 1, used - line);
        return lines_hand_over_oversize(lines, batch, line, rf_cut_content(batch->owned, line));
    }
    size_t kept = used < RF_OVERSIZE_KEPT ? used : RF_OVERSIZE_KEPT;
    uint64_t total = used;
    uint8_t last = batch->owned[used - 1];
    const size_t room = lines->batch_bytes < RF_BATCH_BYTES_DEFAULT ? lines->batch_bytes : RF_BATCH_BYTES_DEFAULT;
    RF_TRY(lines_reserve(batch, used, RF_OVERSIZE_KEPT + room, err));
    for (;;) {
        /* Read behind what is kept, so that a head still short of RF_OVERSIZE_KEPT grows in place. */
        uint8_t *chunk = batch->owned + kept;
        size_t got = 0;
        if (!lines_read(lines, chunk, room, RF_WAIT_FOREVER, &got)) {
            lines_carry(lines, chunk, 0);
            return lines_hand_over_oversize(lines, batch, total, total);
        }
        end = memchr(chunk, '\n', got);
        const size_t part = end != NULL ? (size_t)(end - chunk) : got;
        total += part;
        last = part > 0 ? chunk[part - 1] : last;
        if (end != NULL) {
            lines_carry(lines, end + 1, got - part - 1);
            return lines_hand_over_oversize(lines, batch, total + 1, total - (last == '\r'));
        }
        kept = part < RF_OVERSIZE_KEPT - kept ? kept + part : RF_OVERSIZE_KEPT;
    }
}

/* The first record is longer than a batch: reads on until it ends, in a growing buffer. */
static enum rf_status lines_fill_long(struct rf_lines *lines, struct rf_batch *batch, size_t used, struct rf_error *err)
{
    const size_t line_max = lines->record_bytes_max + 2; /* with CRLF */
    while (used < line_max) {
        const size_t left = line_max - used;
        const size_t room = left < lines->batch_bytes ? left : lines->batch_bytes;
        if (room > batch->owned_bytes - used) {
            size_t bytes = batch->owned_bytes * 2 > used + room ? batch->owned_bytes * 2 : used + room;
            bytes = bytes < line_max ? bytes : line_max;
            RF_TRY(lines_reserve(batch, used, bytes, err));
        }
        size_t got = 0;
        if (!lines_read(lines, batch->owned + used, room, RF_WAIT_FOREVER, &got)) {
            if (used > lines->record_bytes_max) {
                break;
            }
            lines_carry(lines, batch->owned, 0);
            return lines_hand_over(lines, batch, used);
        }
        const uint8_t *end = memchr(batch->owned + used, '\n', got);
        used += got;
        if (end != NULL) {
            const size_t line = (size_t)(end - batch->owned) + 1;
            if (rf_cut_content(batch->owned, line) > lines->record_bytes_max) {
                break;
            }
            lines_carry(lines, end + 1, used - line);
            return lines_hand_over(lines, batch, line);
        }
    }
    return lines_skip(lines, batch, used, err);
}

/* Whole records that were read behind a long or oversize one. */
static enum rf_status lines_fill_carried(struct rf_lines *lines, struct rf_batch *batch)
{
    const uint8_t *bytes = lines->carry + lines->carry_begin;
    const size_t count = lines->carry_lines_end - lines->carry_begin;
    const size_t good = rf_cut_oversize(bytes, count, lines->record_bytes_max);
    if (good > 0) {
        memcpy(batch->owned, bytes, good);
        lines->carry_begin += good;
        return lines_hand_over(lines, batch, good);
    }
    const uint8_t *end = memchr(bytes, '\n', count);
    assert(end != NULL);
    const size_t line = (size_t)(end - bytes) + 1;
    const size_t content = rf_cut_content(bytes, line);
    memcpy(batch->owned, bytes, content < RF_OVERSIZE_KEPT ? content : RF_OVERSIZE_KEPT);
    lines->carry_begin += line;
    return lines_hand_over_oversize(lines, batch, line, content);
}

/* How long the next read may keep a whole record waiting. Nothing is handed over yet without one. */
static int lines_wait_ms(const struct rf_lines *lines, bool has_line, uint64_t *deadline_ns)
{
    if (!has_line) {
        return RF_WAIT_FOREVER;
    }
    if (lines->is_line_buffered || !lines->stream->reader->can_wait) {
        return 0;
    }
    const uint64_t now_ns = rf_clock_ns();
    if (*deadline_ns == 0) {
        *deadline_ns = now_ns + (uint64_t)RF_LINES_LINGER_MS * RF_NS_PER_MS;
    }
    return now_ns < *deadline_ns ? (int)((*deadline_ns - now_ns + RF_NS_PER_MS - 1) / RF_NS_PER_MS) : 0;
}

enum rf_status rf_lines_fill(struct rf_lines *lines, struct rf_batch *batch, struct rf_error *err)
{
    RF_TRY(lines_reserve(batch, 0, lines->batch_bytes, err));
    if (lines->carry_begin < lines->carry_lines_end) {
        return lines_fill_carried(lines, batch);
    }
    size_t used = lines->carry_end - lines->carry_begin;
    memcpy(batch->owned, lines->carry + lines->carry_begin, used);
    lines->carry_begin = lines->carry_lines_end = lines->carry_end = 0;

    /* A partial record holds no line end, but the few bytes read in search of a BOM may. */
    size_t lines_end = used <= RF_BOM_BYTES ? rf_cut_last(batch->owned, used) : 0;
    uint64_t deadline_ns = 0;
    size_t got = 0;
    while (used < lines->batch_bytes && lines_read(lines, batch->owned + used, lines->batch_bytes - used,
                                                   lines_wait_ms(lines, lines_end > 0, &deadline_ns), &got)) {
        const size_t end = rf_cut_last(batch->owned + used, got);
        lines_end = end > 0 ? used + end : lines_end;
        used += got;
    }
    if (used == 0) {
        return RF_END;
    }
    if (lines->is_ended) {
        lines_end = used;
    }
    if (lines_end == 0) {
        return lines_fill_long(lines, batch, used, err);
    }
    const size_t good = rf_cut_oversize(batch->owned, lines_end, lines->record_bytes_max);
    if (good == 0) {
        return lines_skip(lines, batch, used, err);
    }
    lines_carry(lines, batch->owned + good, used - good);
    return lines_hand_over(lines, batch, good);
}
