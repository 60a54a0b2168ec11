/* fix_index_group.h: what the vector levels of fix_index share: rows in groups, and the look-up of their layouts.
 *
 * Of each 64 bytes there are two masks, of separators and of `=`. A field starts behind each separator; subtracting the starts
 * from the `=` lets a borrow run from each start to the first `=` behind it, so that
 *
 *     bytes     8=FIX.4.4|58=a=b|
 *     starts    1.........1......
 *     equals    .1..........1.1..
 *     runs      1.........11..1..   equals - starts
 *     firsts    .1..........1....   equals & ~runs: the `=` between tag and value
 *     text      11........111....   runs ^ equals: tags with their `=`
 *
 * with a borrow into the next 64 bytes where a tag lies across. When there are as many firsts as separators, every field has
 * its own, and firsts and separators take turns: their places, written one behind the other, are one pair for each field. The
 * text of the tags is looked up (fix_layout.h); where raw data or a bad tag shows in it, where separators are texts, and in very
 * long messages, rf_fix_index_message does the work.
 *
 * Rows go in groups through loops that do one thing each: a single loop would wait in every row until what was stored in small
 * pieces can be loaded again in large ones.
 *
 * The including file defines
 *   text_equal(a, b, count): 64 bytes behind either may be read
 *   fields_write(pair, count, message, tags, tag, begin, length): the fields of a message; vectors are read and written whole
 */
#include <immintrin.h>

#include "fix_index_levels.h"

#define GROUP_INLINE static inline __attribute__((always_inline))

/* A message that was scanned. */
struct scan {
    uint32_t pair; /* where its pairs begin */
    uint32_t text;
    uint32_t fields;
    uint32_t text_bytes;
    bool is_usual;
    bool is_empty; /* a value is */
};

struct group {
    uint32_t rows;
    struct scan scan[RF_FIX_GROUP_ROWS];
    const struct rf_fix_layout *layout[RF_FIX_GROUP_ROWS]; /* NULL: not usual */
};

GROUP_INLINE bool row_may_be_usual(const struct rf_rows *rows, const struct rf_fix_frame *frame, uint32_t row)
{
    return (rows->status[row] == RF_ROW_REJECTED) & (frame->separator[row] <= RF_FIX_PIPE) &
           (frame->message_end[row] - frame->message[row] <= RF_FIX_SCAN_MAX);
}

GROUP_INLINE uint8_t row_separator(const struct rf_fix_frame *frame, uint32_t row)
{
    return frame->separator[row] == RF_FIX_SOH ? 1 : '|';
}

GROUP_INLINE uint64_t text_word(const uint8_t *text)
{
    uint64_t word;
    memcpy(&word, text, sizeof word);
    return word;
}

/* Some words of it; the head is nearly always the same, and texts that differ elsewhere only are told apart by comparison. */
GROUP_INLINE uint32_t text_hash(const uint8_t *text, uint32_t count)
{
    if (__builtin_expect(count < 32, 0)) {
        return count < 8 ? count : (uint32_t)_mm_crc32_u64(count, text_word(text + count - 8));
    }
    uint64_t hash = _mm_crc32_u64(count, text_word(text + count / 2));
    const uint64_t other = _mm_crc32_u64(count, text_word(text + 20));
    hash = _mm_crc32_u64(hash, text_word(text + count - 24));
    hash = _mm_crc32_u64(hash, text_word(text + count - 16) ^ other);
    return (uint32_t)_mm_crc32_u64(hash, text_word(text + count - 8));
}

GROUP_INLINE const struct rf_fix_layout *layout_find(struct rf_fix_layouts *layouts, const uint8_t *text,
                                                     uint32_t text_bytes, uint32_t fields)
{
    const uint32_t hash = text_hash(text, text_bytes);
    for (uint32_t at = hash % RF_FIX_LAYOUT_BUCKETS; layouts->bucket[at] != 0; at = (at + 1) % RF_FIX_LAYOUT_BUCKETS) {
        const struct rf_fix_layout *layout = &layouts->layout[layouts->bucket[at] - 1];
        if (__builtin_expect(layout->text_bytes == text_bytes && text_equal(layout->text, text, text_bytes), 1)) {
            return layout;
        }
    }
    return rf_fix_layout_make(layouts, hash, text, text_bytes, fields);
}

/* Layouts and flags of the rows from `row` on. */
GROUP_INLINE void group_look_up(struct rf_fix_index *index, struct rf_fix_frame *frame, uint32_t row,
                                struct group *group)
{
    rf_fix_layouts_reserve(&index->layouts, RF_FIX_GROUP_ROWS);
    for (uint32_t i = 0; i < group->rows; i++) {
        const struct scan *scan = &group->scan[i];
        group->layout[i] = NULL;
        if (__builtin_expect(scan->is_usual, 1)) {
            const struct rf_fix_layout *layout =
                layout_find(&index->layouts, index->text + scan->text, scan->text_bytes, scan->fields);
            if (__builtin_expect(layout != NULL && layout->is_plain, 1)) {
                group->layout[i] = layout;
                frame->flags[row + i] |= (uint8_t)(layout->flags | (uint32_t)scan->is_empty * RF_FIX_EMPTY);
            }
        }
    }
}

/* All fields of the rows of a group; returns where the next group's begin. */
GROUP_INLINE uint32_t group_write(struct rf_fix_index *index, const struct rf_batch *batch, struct rf_rows *rows,
                                  struct rf_fix_frame *frame, uint32_t row, const struct group *group, uint32_t at)
{
    for (uint32_t i = 0; i < group->rows; i++) {
        const struct rf_fix_layout *layout = group->layout[i];
        index->first[row + i] = at;
        if (__builtin_expect(layout != NULL, 1)) {
            fields_write(index->pair + group->scan[i].pair, layout->fields, frame->message[row + i], layout->tag,
                         index->tag + at, index->begin + at, index->length + at);
            at += layout->fields;
        } else if (rows->status[row + i] == RF_ROW_REJECTED) {
            at += rf_fix_index_message(index, batch, rows, frame, row + i, at);
        }
    }
    return at;
}

/* The wanted fields of a row that is not usual. */
GROUP_INLINE void row_pick(struct rf_fix_index *index, const struct rf_batch *batch, struct rf_rows *rows,
                           struct rf_fix_frame *frame, uint32_t row, struct rf_columns *columns)
{
    const uint32_t fields =
        rows->status[row] == RF_ROW_REJECTED ? rf_fix_index_message(index, batch, rows, frame, row, 0) : 0;
    rf_fix_index_pick(index, fields, row, columns);
}
