/* fix_index_scalar.c: a message field by field; the vector levels come here for what is rare: raw data, bad tags, separators
 * that are texts, very long messages. */
#include "fix_data.h"
#include "fix_index_levels.h"
#include "fix_walk.h"

/* One message on the way through it. */
struct walker {
    struct rf_fix_window window; /* the message alone */
    enum rf_fix_separator separator;
    uint32_t *tag;
    uint32_t *begin;
    uint32_t *length;
    uint32_t count;
    uint8_t flags;
    enum rf_reason reason;
    size_t fault;
};

static bool walker_fails(struct walker *walker, enum rf_fix_flag flag, enum rf_reason reason, size_t at)
{
    walker->flags |= (uint8_t)flag;
    walker->reason = reason;
    walker->fault = at;
    return false;
}

/* The tag at `at`, or 0. *value: behind its `=`. */
static uint32_t tag_read(const struct rf_fix_window *window, size_t at, size_t *value)
{
    size_t end = at;
    while (end < window->end && end - at <= RF_FIX_TAG_DIGITS_MAX && rf_fix_is_digit(window->bytes[end])) {
        end++;
    }
    if (end == window->end || window->bytes[end] != '=') {
        return 0;
    }
    *value = end + 1;
    return rf_fix_tag_read(window->bytes + at, end - at);
}

/* The end of a plain value; a message without its last separator ends with its last value. */
static size_t value_end(const struct walker *walker, size_t at)
{
    const char *text = rf_fix_separator_text(walker->separator);
    const size_t text_bytes = rf_fix_separator_bytes(walker->separator);
    const struct rf_fix_window *window = &walker->window;
    while (at < window->end) {
        const uint8_t *found = memchr(window->bytes + at, text[0], window->end - at);
        if (found == NULL) {
            return window->end;
        }
        at = (size_t)(found - window->bytes);
        if (rf_fix_match(window, at, text, text_bytes) == RF_FIX_YES) {
            return at;
        }
        at++;
    }
    return at;
}

/* Is the field that was read last the length of a data field with this tag? Then *end is where the data ends. */
static bool data_read(struct walker *walker, uint32_t tag, size_t value, size_t *end, bool *is_data)
{
    const uint32_t last = walker->count - 1;
    *is_data = walker->count > 0 && rf_fix_data_of(walker->tag[last]) == tag;
    if (!*is_data) {
        return true;
    }
    uint32_t count = 0;
    size_t count_end = 0;
    size_t needed = 0;
    if (rf_fix_digits(&walker->window, walker->begin[last], &count, &count_end) != RF_FIX_YES ||
        count_end != walker->begin[last] + walker->length[last] ||
        rf_fix_data_end(&walker->window, walker->separator, value, count, end, &needed) != RF_FIX_YES) {
        return walker_fails(walker, RF_FIX_BAD_DATA, RF_REASON_FIX_DATA, walker->begin[last]);
    }
    return true;
}

/* All fields; false when one of them is wrong. */
static bool walker_run(struct walker *walker)
{
    const struct rf_fix_window *window = &walker->window;
    for (size_t at = window->begin; at < window->end;) {
        size_t value = 0;
        size_t end = 0;
        bool is_data;
        const uint32_t tag = tag_read(window, at, &value);
        if (tag == 0) {
            return walker_fails(walker, RF_FIX_BAD_TAG, RF_REASON_FIX_TAG, at);
        }
        if (!data_read(walker, tag, value, &end, &is_data)) {
            return false;
        }
        end = is_data ? end : value_end(walker, value);
        walker->flags |= end == value ? RF_FIX_EMPTY : 0;
        walker->tag[walker->count] = tag;
        walker->begin[walker->count] = (uint32_t)value;
        walker->length[walker->count] = (uint32_t)(end - value);
        walker->count++;
        at = end + rf_fix_separator_bytes(walker->separator);
    }
    if (walker->tag[walker->count - 1] != 10 && !window->is_cut) { /* data that reaches over the trailer */
        return walker_fails(walker, RF_FIX_BAD_DATA, RF_REASON_FIX_DATA, walker->begin[walker->count - 1]);
    }
    return true;
}

uint32_t rf_fix_index_message(struct rf_fix_index *index, const struct rf_batch *batch, struct rf_rows *rows,
                              struct rf_fix_frame *frame, uint32_t row, uint32_t at)
{
    struct walker walker = {
        .window = {.bytes = batch->bytes,
                   .begin = frame->message[row],
                   .end = frame->message_end[row],
                   .is_cut = frame->reason[row] == RF_REASON_FIX_CUT},
        .separator = (enum rf_fix_separator)frame->separator[row],
        .tag = index->tag + at,
        .begin = index->begin + at,
        .length = index->length + at,
    };
    if (!walker_run(&walker)) {
        rows->status[row] = RF_ROW_MALFORMED;
        frame->flags[row] |= walker.flags;
        frame->reason[row] = (uint8_t)walker.reason;
        frame->fault[row] = (uint32_t)walker.fault;
        return 0;
    }
    if (rf_fix_tags_repeat(walker.tag, walker.count, index->scratch)) {
        walker.flags |= RF_FIX_DUPLICATE;
    }
    frame->flags[row] |= walker.flags;
    return walker.count;
}

void rf_fix_index_all_scalar(struct rf_fix_index *index, const struct rf_batch *batch, struct rf_rows *rows,
                             struct rf_fix_frame *frame)
{
    uint32_t at = 0;
    for (uint32_t row = 0; row < rows->rows; row++) {
        index->first[row] = at;
        if (rows->status[row] == RF_ROW_REJECTED) {
            at += rf_fix_index_message(index, batch, rows, frame, row, at);
        }
    }
    index->first[rows->rows] = at;
}

void rf_fix_index_wanted_scalar(struct rf_fix_index *index, const struct rf_batch *batch, struct rf_rows *rows,
                                struct rf_fix_frame *frame, struct rf_columns *columns)
{
    for (uint32_t row = 0; row < rows->rows; row++) {
        const uint32_t count =
            rows->status[row] == RF_ROW_REJECTED ? rf_fix_index_message(index, batch, rows, frame, row, 0) : 0;
        rf_fix_index_pick(index, count, row, columns);
    }
}
