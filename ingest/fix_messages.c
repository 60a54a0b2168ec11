#include "fix_messages.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "fix_cut.h"
#include "lines.h"
#include "source.h"

void rf_fix_messages_close(struct rf_fix_messages *messages)
{
    free(messages->carry);
    messages->carry = NULL;
    messages->carry_bytes = 0;
}

void rf_fix_messages_begin(struct rf_fix_messages *messages, struct rf_decompress *stream, struct rf_reader *reader)
{
    messages->stream = stream;
    messages->carry_begin = messages->carry_end = 0;
    messages->offset = 0;
    messages->has_lines = false;
    messages->problem.status = RF_OK;
    messages->is_ended = rf_decompress_begin(stream, reader, &messages->problem) != RF_OK;
}

/* Reads up to `room` bytes. False: nothing came, either because the input has ended or because waiting did. */
static bool messages_read(struct rf_fix_messages *messages, uint8_t *out, size_t room, int wait_ms, size_t *got)
{
    *got = 0;
    if (messages->is_ended) {
        return false;
    }
    const enum rf_status status = rf_decompress_read(messages->stream, out, room, wait_ms, got, &messages->problem);
    if (status != RF_OK && status != RF_AGAIN) {
        messages->is_ended = true;
    }
    return status == RF_OK;
}

/* Keeps what was read behind the batch; it may overlap what is kept already. */
static enum rf_status messages_carry(struct rf_fix_messages *messages, const uint8_t *bytes, size_t count,
                                     struct rf_error *err)
{
    if (count > messages->carry_bytes) {
        /* As much as a batch at once, so that later ones that carry a little more need no memory. */
        const size_t bytes_max = count > messages->batch_bytes ? count : messages->batch_bytes;
        uint8_t *grown = malloc(bytes_max);
        if (grown == NULL) {
            RF_FAIL(err, RF_E_MEMORY, "out of memory for a carry buffer of %zu bytes", bytes_max);
        }
        free(messages->carry);
        messages->carry = grown;
        messages->carry_bytes = bytes_max;
    }
    if (count != 0) {
        memcpy(messages->carry, bytes, count);
    }
    messages->carry_begin = 0;
    messages->carry_end = count;
    return RF_OK;
}

static enum rf_status batch_room(struct rf_batch *batch, size_t used, size_t bytes, struct rf_error *err)
{
    batch->bytes = batch->owned;
    batch->bytes_used = (uint32_t)used;
    return rf_batch_reserve(batch, bytes, err);
}

static void batch_set(struct rf_fix_messages *messages, struct rf_batch *batch, size_t kept, uint64_t count)
{
    batch->bytes = batch->owned;
    batch->bytes_used = (uint32_t)kept;
    batch->cursor = 0;
    batch->offset = messages->offset;
    batch->is_oversize = kept != count;
    batch->record_bytes = batch->line_bytes = kept != count ? count : 0;
    messages->offset += count;
}

/* The first entry of the buffer exceeds the limit: keeps its head and reads over the rest of it. */
static enum rf_status messages_skip(struct rf_fix_messages *messages, struct rf_batch *batch, size_t used,
                                    struct rf_error *err)
{
    uint64_t passed = 0; /* bytes behind the head, which are let go */
    const size_t head = RF_OVERSIZE_KEPT;
    size_t from = rf_fix_resync_from(0, messages->record_bytes_max);
    for (;;) {
        const enum rf_fix_run run = messages->is_ended ? RF_FIX_LAST : RF_FIX_MORE;
        const struct rf_fix_place place = rf_fix_cut_resync(batch->owned, from, used, run);
        if (place.is_found) {
            RF_TRY(messages_carry(messages, batch->owned + place.at, used - place.at, err));
            const uint64_t count = place.at + passed;
            batch_set(messages, batch, count < head ? (size_t)count : head, count);
            batch->is_oversize = true;
            batch->record_bytes = batch->line_bytes = count;
            return RF_OK;
        }
        from = place.at;
        if (from - 1 > head) { /* the byte before `from` must stay */
            const size_t gone = from - 1 - head;
            memmove(batch->owned + head, batch->owned + head + gone, used - head - gone);
            used -= gone;
            from -= gone;
            passed += gone;
        }
        RF_TRY(batch_room(batch, used, used + messages->batch_bytes, err));
        size_t got;
        (void)messages_read(messages, batch->owned + used, messages->batch_bytes, RF_WAIT_FOREVER, &got);
        used += got;
    }
}

/* How long the next read may keep whole entries waiting. */
static int wait_ms(const struct rf_fix_messages *messages, bool has_bytes, uint64_t *deadline_ns)
{
    if (!has_bytes || !messages->stream->reader->can_wait) {
        return RF_WAIT_FOREVER;
    }
    if (messages->is_line_buffered) {
        return 0;
    }
    const uint64_t now_ns = rf_clock_ns();
    if (*deadline_ns == 0) {
        *deadline_ns = now_ns + (uint64_t)RF_LINES_LINGER_MS * RF_NS_PER_MS;
    }
    return now_ns < *deadline_ns ? (int)((*deadline_ns - now_ns + RF_NS_PER_MS - 1) / RF_NS_PER_MS) : 0;
}

/* Whether a message at the end of what was read may go when nothing follows for a while: only in a stream without line ends,
 * in which a message begins the entry. In a log its line end, or more of its line, is still to come. */
static enum rf_fix_run pause_run(const struct rf_fix_messages *messages, const uint8_t *entry, size_t count)
{
    enum { HEAD_BYTES = 5, SOH = 1 };
    size_t at = HEAD_BYTES;
    if (messages->has_lines || count < HEAD_BYTES || memcmp(entry, "8=FIX", HEAD_BYTES) != 0) {
        return RF_FIX_MORE;
    }
    while (at < count && at < HEAD_BYTES + RF_FIX_VERSION_MAX && entry[at] != SOH && entry[at] != '|' &&
           entry[at] != '^' && entry[at] != '\\') {
        at++;
    }
    return at < count && entry[at] == SOH ? RF_FIX_PAUSE : RF_FIX_MORE;
}

/* Reads until the buffer holds a batch of whole entries, one entry that is longer, or nothing more comes for now. */
static enum rf_status buffer_fill(struct rf_fix_messages *messages, struct rf_batch *batch, size_t *used,
                                  struct rf_fix_cut *cut, struct rf_error *err)
{
    uint64_t deadline_ns = 0;
    bool is_paused = false;
    messages->entries = 0;
    for (;;) {
        const enum rf_fix_run run = messages->is_ended ? RF_FIX_LAST
                                    : is_paused ? pause_run(messages, batch->owned + cut->whole, *used - cut->whole)
                                                : RF_FIX_MORE;
        if (*used > 0 && (*used >= cut->needed || run != RF_FIX_MORE)) {
            *cut = rf_fix_cut(batch->owned, cut->whole, *used, messages->batch_bytes, messages->record_bytes_max, run);
            messages->entries += cut->entries;
            messages->has_lines =
                messages->has_lines || (cut->whole > 0 && batch->owned[cut->whole - 1] == '\n');
        }
        const bool is_full = *used >= messages->batch_bytes;
        if (messages->is_ended || (cut->is_oversize && cut->whole == 0) ||
            (cut->whole > 0 && (is_full || is_paused || cut->is_oversize))) {
            return RF_OK;
        }
        size_t room = is_full ? messages->batch_bytes : messages->batch_bytes - *used;
        if (is_full) { /* one entry is longer than a batch */
            room = cut->needed > *used + room ? cut->needed - *used : room;
            const size_t most = messages->record_bytes_max + messages->batch_bytes;
            room = *used + room > most && most > *used ? most - *used : room;
            RF_TRY(batch_room(batch, *used, *used + room, err)); /* it grows by half at least, and only when it must */
        }
        size_t got;
        const bool has_read = messages_read(messages, batch->owned + *used, room,
                                            wait_ms(messages, *used > 0 && !is_paused, &deadline_ns), &got);
        is_paused = !has_read && !messages->is_ended;
        *used += got;
    }
}

enum rf_status rf_fix_messages_fill(struct rf_fix_messages *messages, struct rf_batch *batch, struct rf_error *err)
{
    size_t used = messages->carry_end - messages->carry_begin;
    const size_t room = used > messages->batch_bytes ? used : messages->batch_bytes;
    RF_TRY(batch_room(batch, 0, room, err));
    if (used > 0) {
        memcpy(batch->owned, messages->carry + messages->carry_begin, used);
    }
    messages->carry_begin = messages->carry_end = 0;
    struct rf_fix_cut cut = {0};
    RF_TRY(buffer_fill(messages, batch, &used, &cut, err));
    if (used == 0) {
        return RF_END;
    }
    if (cut.whole == 0) {
        return messages_skip(messages, batch, used, err);
    }
    RF_TRY(messages_carry(messages, batch->owned + cut.whole, used - cut.whole, err));
    batch_set(messages, batch, cut.whole, cut.whole);
    return RF_OK;
}
