/* index_impl.h: the functions of a vector level; compiled once for each.
 *
 * The including file has included index_words.h and defines span_blocks(run), which does what can be done in larger
 * steps than words, and INDEX_JSON and INDEX_TEXT, the names of the functions made here.
 */
#include "prefetch.h"

/* The records of a span: each begins behind the end of the one before. When the span was not gone through to its end,
 * since the table is full, the next round begins behind the last record. */
static void span_finish(struct rf_rows *rows, uint32_t first, struct rf_span32 span, bool is_whole)
{
    if (rows->rows == first) {
        rows->cursor = is_whole ? span.end : span.begin;
        return;
    }
    rows->begin[first] = span.begin;
    for (uint32_t row = first + 1; row < rows->rows; row++) {
        rows->begin[row] = rows->end[row - 1] + 1;
    }
    rows->cursor = is_whole ? span.end : rows->end[rows->rows - 1] + 1;
}

void INDEX_JSON(struct rf_index *index, const struct rf_batch *batch, struct rf_span32 span, struct rf_rows *rows,
                bool *has_return)
{
    const uint32_t first = rows->rows;
    const bool is_open_ended = batch->bytes[span.end - 1] != '\n';
    const uint32_t last = span.end + (uint32_t)is_open_ended;
    struct span_run run = {
        .index = index,
        .batch = batch,
        .span = span,
        .rows = rows,
        .flow = flow_begin(),
        .probe = key_probe_make(&index->filter),
        .key = index->key + index->keys,
        .at = span.begin & ~63u,
        .is_open_ended = is_open_ended,
        .has_return = has_return,
    };
    span_blocks(&run);
    span_words(&run, last);
    index->keys = (uint32_t)(run.key - index->key);
    span_finish(rows, first, span, run.at >= last);
}

void INDEX_TEXT(struct rf_index *index, const struct rf_batch *batch, struct rf_span32 span, struct rf_rows *rows,
                bool *has_return)
{
    const uint8_t *bytes = batch->bytes;
    const uint32_t stop = span.end;
    const bool is_open_ended = bytes[stop - 1] != '\n';
    const uint32_t last = stop + (uint32_t)is_open_ended;
    const uint32_t first = rows->rows;
    bool has_high = index->has_high;
    uint32_t at = span.begin & ~63u;
    for (; at < last; at += 64) {
        if (__builtin_expect(!rows_have_room(rows), 0)) {
            break;
        }
        uint64_t line_ends;
        if (__builtin_expect((at < span.begin) | (stop - at < 64) | (at >= stop), 0)) {
            uint8_t copy[64];
            const uint32_t count = at >= stop ? 0 : (stop - at < 64 ? stop - at : 64);
            memset(copy, ' ', sizeof(copy));
            memcpy(copy, bytes + at, count);
            line_ends = word_lines(copy, &has_high, has_return);
            line_ends &= at >= stop ? 0 : span_mask(at, span.begin, stop);
            if (is_open_ended && stop - at < 64) {
                line_ends |= 1ull << (stop - at);
            }
        } else {
            rf_prefetch_line(bytes + at);
            line_ends = word_lines(bytes + at, &has_high, has_return);
        }
        word_emit(rows->end + rows->rows, line_ends, at);
        rows->rows += (uint32_t)__builtin_popcountll(line_ends);
    }
    index->has_high = has_high;
    span_finish(rows, first, span, at >= last);
}
