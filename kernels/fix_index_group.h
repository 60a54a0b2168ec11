/* fix_index_group.h: usual messages by their layout (fix_layout.h); compiled once for each vector level.
 *
 * Of a message only the separators are looked for, 64 bytes at a time; their places are its marks. With them the count of fields
 * is known, and with that and the type the layout that it probably has. Field f begins behind mark f - 1, and the text of its
 * tag is compared there; when all are as the layout has them, every `=` is known too. A message that has no layout yet, or
 * another one than any that was seen, goes field by field (rf_fix_index_message), as do those with raw data, whose separators
 * cannot be told from their bytes, with a bad tag, with separators that are texts, and very long ones. Layouts are only made of
 * messages that went that way and have nothing of it.
 *
 * Rows go in groups through loops that do one thing each: in a single loop every row would wait until the marks, stored in pieces
 * of one size, can be loaded in pieces of another.
 *
 * The including file defines
 *   marks_find(message, count, separator, mark)   all marks of the message, or more of what follows it, and how many there are;
 *                  0: too dense
 *   marks_below(mark, marks, count)               how many of the marks are below count
 *   MARKS_READ                                    how many bytes marks_find reads at once
 *   layout_fits(layout, message, mark, &is_empty) are the tags those of the layout?
 *   layout_write(layout, message, begin, mark, tag, begin_out, length, &is_empty)   the same, and writes the fields
 */
#include <immintrin.h>

#include "fix_index_levels.h"

#define GROUP_INLINE static inline __attribute__((always_inline))

/* Rows from `row` on. */
struct group {
    uint32_t rows;
    uint32_t mark[RF_FIX_GROUP_ROWS];   /* where in index->mark a row's marks begin */
    uint32_t fields[RF_FIX_GROUP_ROWS]; /* 0: not usual */
    uint32_t key[RF_FIX_GROUP_ROWS];
};

GROUP_INLINE bool row_may_be_usual(const struct rf_batch *batch, const struct rf_rows *rows,
                                   const struct rf_fix_frame *frame, uint32_t row)
{
    const uint32_t message = frame->message[row];
    const uint32_t end = frame->message_end[row];
    const uint8_t separator = frame->separator[row];
    return (rows->status[row] == RF_ROW_REJECTED) & (separator <= RF_FIX_PIPE) & (end - message <= RF_FIX_SCAN_MAX) &&
           batch->bytes[end - 1] == (separator == RF_FIX_SOH ? 1 : '|') &&
           (uint64_t)message + MARKS_READ(end - message) <= (uint64_t)batch->bytes_used + RF_BATCH_PADDING;
}

/* Type and count of fields. Field 35 is the third one: framing has seen to it. */
GROUP_INLINE uint32_t layout_key(const uint8_t *message, const uint16_t *mark, uint32_t fields)
{
    uint32_t type;
    memcpy(&type, message + mark[1] + 4, sizeof type);
    const uint32_t bytes = (uint32_t)(mark[2] - mark[1]) - 4;
    return _bzhi_u32(type, bytes < sizeof type ? 8 * bytes : 32) * 31 + fields;
}

/* Marks and keys of as many rows as there is room for. */
GROUP_INLINE void group_read(struct rf_fix_index *index, const struct rf_batch *batch, const struct rf_rows *rows,
                             const struct rf_fix_frame *frame, uint32_t row, struct group *group)
{
    const uint32_t left = rows->rows - row;
    const uint32_t wanted = left < RF_FIX_GROUP_ROWS ? left : RF_FIX_GROUP_ROWS;
    uint32_t at = 0;
    uint32_t i = 0;
    for (; i < wanted; i++) {
        const uint32_t count = frame->message_end[row + i] - frame->message[row + i];
        group->fields[i] = 0;
        if (__builtin_expect(!row_may_be_usual(batch, rows, frame, row + i), 0)) {
            continue;
        }
        if (at + 1 + count > FIX_MARKS_MAX) {
            break;
        }
        const uint8_t separator = frame->separator[row + i] == RF_FIX_SOH ? 1 : '|';
        uint16_t *mark = index->mark + at + 1;
        mark[-1] = UINT16_MAX; /* the first field begins behind it */
        group->mark[i] = at + 1;
        /* Not yet how many of them are the message's: that is known only when the marks can be loaded again. */
        group->fields[i] = marks_find(batch->bytes + frame->message[row + i], count, separator, mark);
        at += group->fields[i] + 1;
    }
    group->rows = i;
    for (i = 0; i < group->rows; i++) {
        if (group->fields[i] != 0) {
            const uint32_t message = frame->message[row + i];
            const uint16_t *mark = index->mark + group->mark[i];
            group->fields[i] = marks_below(mark, group->fields[i], frame->message_end[row + i] - message);
            group->key[i] = layout_key(batch->bytes + message, mark, group->fields[i]);
        }
    }
    rf_fix_layouts_begin(&index->layouts, group->rows);
}

GROUP_INLINE const struct rf_fix_layout *layout_next(const struct rf_fix_layouts *layouts,
                                                     const struct rf_fix_layout *layout)
{
    return layout->next == 0 ? NULL : &layouts->layout[layout->next - 1];
}

/* A row that is not usual: its fields at `at` of the arrays; what it can teach is remembered. */
static __attribute__((noinline)) uint32_t row_walk(struct rf_fix_index *index, const struct rf_batch *batch,
                                                   struct rf_rows *rows, struct rf_fix_frame *frame, uint32_t row,
                                                   const struct group *group, uint32_t i, uint32_t at)
{
    if (rows->status[row] != RF_ROW_REJECTED) {
        return 0;
    }
    const uint32_t fields = rf_fix_index_message(index, batch, rows, frame, row, at);
    if (fields != 0 && fields == group->fields[i]) {
        rf_fix_layout_make(&index->layouts, group->key[i], index->tag + at, fields,
                           (frame->flags[row] & RF_FIX_DUPLICATE) != 0);
    }
    return fields;
}

/* All fields of the rows of a group from `at` on; returns where the next group's begin. */
GROUP_INLINE uint32_t group_write(struct rf_fix_index *index, const struct rf_batch *batch, struct rf_rows *rows,
                                  struct rf_fix_frame *frame, uint32_t row, const struct group *group, uint32_t at)
{
    for (uint32_t i = 0; i < group->rows; i++) {
        const uint32_t message = frame->message[row + i];
        bool is_empty = false;
        const struct rf_fix_layout *layout =
            group->fields[i] == 0 ? NULL : rf_fix_layout_first(&index->layouts, group->key[i]);
        while (layout != NULL &&
               __builtin_expect(layout->key != group->key[i] || layout->fields != group->fields[i] ||
                                    !layout_write(layout, batch->bytes + message, message, index->mark + group->mark[i],
                                                  index->tag + at, index->begin + at, index->length + at, &is_empty),
                                0)) {
            layout = layout_next(&index->layouts, layout);
        }
        index->first[row + i] = at;
        if (__builtin_expect(layout == NULL, 0)) {
            at += row_walk(index, batch, rows, frame, row + i, group, i, at);
        } else {
            frame->flags[row + i] |= (uint8_t)(layout->flags | (uint32_t)is_empty * RF_FIX_EMPTY);
            at += layout->fields;
        }
    }
    return at;
}

/* The layouts of the rows of a group; NULL: the row has been walked and its columns are written. */
GROUP_INLINE void group_look_up(const struct rf_fix_index *index, const struct rf_batch *batch,
                                struct rf_fix_frame *frame, uint32_t row, const struct group *group,
                                const struct rf_fix_layout *layouts[RF_FIX_GROUP_ROWS])
{
    for (uint32_t i = 0; i < group->rows; i++) {
        const uint8_t *message = batch->bytes + frame->message[row + i];
        bool is_empty = false;
        const struct rf_fix_layout *layout =
            group->fields[i] == 0 ? NULL : rf_fix_layout_first(&index->layouts, group->key[i]);
        while (layout != NULL &&
               __builtin_expect(layout->key != group->key[i] || layout->fields != group->fields[i] ||
                                    !layout_fits(layout, message, index->mark + group->mark[i], &is_empty),
                                0)) {
            layout = layout_next(&index->layouts, layout);
        }
        layouts[i] = layout;
        frame->flags[row + i] |= (uint8_t)(layout == NULL ? 0 : layout->flags | (uint32_t)is_empty * RF_FIX_EMPTY);
    }
}

/* The rows of a group that have no layout. */
GROUP_INLINE void group_walk(struct rf_fix_index *index, const struct rf_batch *batch, struct rf_rows *rows,
                             struct rf_fix_frame *frame, uint32_t row, const struct group *group,
                             const struct rf_fix_layout *const layouts[RF_FIX_GROUP_ROWS], struct rf_columns *columns)
{
    for (uint32_t i = 0; i < group->rows; i++) {
        if (__builtin_expect(layouts[i] == NULL, 0)) {
            const uint32_t fields = row_walk(index, batch, rows, frame, row + i, group, i, 0);
            rf_fix_index_pick(index, fields, row + i, columns);
        }
    }
}
