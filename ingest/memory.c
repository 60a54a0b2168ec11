#include "memory.h"

#include <string.h>

#include "cut.h"
#include "fix_cut.h"
#include "source.h"

enum rf_status rf_memory_begin(struct rf_memory *memory, bool is_text, struct rf_error *err)
{
    if (is_text || memory->count == 0) {
        return RF_OK;
    }
    switch (rf_cut_bom(memory->bytes, memory->count)) {
    case RF_BOM_UTF8:
        memory->cursor = RF_BOM_BYTES;
        break;
    case RF_BOM_UTF16:
        memory->cursor = memory->count;
        RF_FAIL(err, RF_E_FORMAT, "UTF-16 text is not supported; convert it to UTF-8");
    case RF_BOM_NONE:
    case RF_BOM_SHORT:
        break;
    }
    return RF_OK;
}

/* Shows `count` bytes from the cursor, as a view if the padding behind them can be read. */
static enum rf_status memory_show(const struct rf_memory *memory, struct rf_batch *batch, size_t count,
                                  struct rf_error *err)
{
    const uint8_t *bytes = memory->bytes + memory->cursor;
    if (memory->count - memory->cursor < count + RF_BATCH_PADDING) {
        batch->bytes = batch->owned;
        batch->bytes_used = 0;
        RF_TRY(rf_batch_reserve(batch, count, err));
        memcpy(batch->owned, bytes, count);
        bytes = batch->owned;
    }
    batch->bytes = bytes;
    batch->bytes_used = (uint32_t)count;
    batch->cursor = 0;
    batch->offset = memory->cursor;
    return RF_OK;
}

/* The length of the next batch: records that fit into batch_bytes, or one longer record. A record over the limit is not
 * looked for here; it may be part of the run. */
static size_t memory_batch(const struct rf_memory *memory)
{
    const uint8_t *bytes = memory->bytes + memory->cursor;
    const size_t left = memory->count - memory->cursor;
    if (left <= memory->batch_bytes) {
        return left;
    }
    const size_t count = rf_cut_last(bytes, memory->batch_bytes);
    if (count > 0) {
        return count;
    }
    const uint8_t *end = memchr(bytes + memory->batch_bytes, '\n', left - memory->batch_bytes);
    return end == NULL ? left : (size_t)(end - bytes) + 1;
}

/* The next batch of FIX: entries that fit into batch_bytes, or one longer entry. */
static enum rf_status memory_fill_fix(struct rf_memory *memory, struct rf_batch *batch, struct rf_error *err)
{
    const uint8_t *bytes = memory->bytes + memory->cursor;
    const size_t left = memory->count - memory->cursor;
    size_t window = left < memory->batch_bytes ? left : memory->batch_bytes;
    struct rf_fix_cut cut;
    for (;;) {
        cut = rf_fix_cut(bytes, 0, window, memory->batch_bytes, memory->record_bytes_max,
                         window == left ? RF_FIX_LAST : RF_FIX_MORE);
        if (cut.whole > 0 || cut.is_oversize || window == left) {
            break;
        }
        window = cut.needed > 2 * window ? cut.needed : 2 * window;
        window = window < left ? window : left;
    }
    memory->entries = cut.entries;
    if (cut.whole > 0) {
        RF_TRY(memory_show(memory, batch, cut.whole, err));
        memory->cursor += cut.whole;
        return RF_OK;
    }
    const size_t count = rf_fix_cut_resync(bytes, rf_fix_resync_from(0, memory->record_bytes_max), left, RF_FIX_LAST).at;
    batch->is_oversize = true;
    batch->record_bytes = batch->line_bytes = count;
    RF_TRY(memory_show(memory, batch, count < RF_OVERSIZE_KEPT ? count : RF_OVERSIZE_KEPT, err));
    memory->cursor += count;
    return RF_OK;
}

enum rf_status rf_memory_fill(struct rf_memory *memory, struct rf_batch *batch, struct rf_error *err)
{
    if (memory->cursor == memory->count) {
        return RF_END;
    }
    if (memory->is_fix) {
        batch->is_oversize = false;
        batch->record_bytes = batch->line_bytes = 0;
        return memory_fill_fix(memory, batch, err);
    }
    const uint8_t *bytes = memory->bytes + memory->cursor;
    const size_t count = memory_batch(memory);
    const size_t good = rf_cut_oversize(bytes, count, memory->record_bytes_max);
    batch->is_oversize = good == 0;
    batch->record_bytes = batch->line_bytes = 0;
    if (good > 0) {
        RF_TRY(memory_show(memory, batch, good, err));
        memory->cursor += good;
        return RF_OK;
    }
    const uint8_t *end = memchr(bytes, '\n', count);
    const size_t line = end != NULL ? (size_t)(end - bytes) + 1 : count;
    const size_t content = end != NULL ? rf_cut_content(bytes, line) : count;
    batch->record_bytes = content;
    batch->line_bytes = line;
    RF_TRY(memory_show(memory, batch, content < RF_OVERSIZE_KEPT ? content : RF_OVERSIZE_KEPT, err));
    memory->cursor += line;
    return RF_OK;
}
