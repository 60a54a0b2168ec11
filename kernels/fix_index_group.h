/* fix_index_group.h: usual messages by their layout (fix_layout.h); compiled once for each vector level.
 *
 * Of a message only the separators are looked for, as masks of 64 bytes, which framing has left behind already (fix_frame.h).
 * With them the count of fields is known, and with that and the type the layout that it probably has. Made to numbers they are
 * the marks: where each field begins. The text of its tag is compared there; when all are as the layout has them, every `=` is
 * known too. A message that has no layout yet, or another one than any that was seen, goes field by field
 * (rf_fix_index_message), as do those with raw data, whose separators cannot be told from their bytes, with a bad tag, with
 * separators that are texts, and very long ones. Layouts are only made of messages that went that way and have nothing of it.
 *
 * Rows go in groups through loops that do one thing each: in a single loop every row would wait until the marks, stored in pieces
 * of one size, can be loaded in pieces of another.
 *
 * The including file defines
 *   masks_find(message, words, separator, mask)   the masks of a message that framing had none for; reads whole words
 *   marks_write(mask, words, mark)                one past each separator; how many, or 0: too dense
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

enum { WORD_BYTES = 64, WORDS_MAX = RF_FIX_SCAN_MAX / WORD_BYTES };

GROUP_INLINE bool row_may_be_usual(const struct rf_batch *batch, const struct rf_rows *rows,
                                   const struct rf_fix_frame *frame, uint32_t row)
{
    const uint32_t message = frame->message[row];
    const uint32_t end = frame->message_end[row];
    const uint8_t separator = frame->separator[row];
    /* The status first: a row that is no message has no end. */
    return (rows->status[row] == RF_ROW_REJECTED) & (separator <= RF_FIX_PIPE) & (end - message <= RF_FIX_SCAN_MAX) &&
           batch->bytes[end - 1] == (separator == RF_FIX_SOH ? 1 : '|');
}

/* The masks of a row, and how many words; NULL: it is not usual. `room` is for those that framing did not leave. */
static __attribute__((noinline)) const uint64_t *row_masks(const struct rf_batch *batch, const struct rf_rows *rows,
                                                           const struct rf_fix_frame *frame, uint32_t row,
                                                           uint64_t *room, uint32_t *words)
{
    const uint32_t message = frame->message[row];
    const uint32_t count = frame->message_end[row] - message;
    if (!row_may_be_usual(batch, rows, frame, row)) {
        return NULL;
    }
    *words = (count + WORD_BYTES - 1) / WORD_BYTES;
    masks_find(batch->bytes + message, *words, frame->separator[row] == RF_FIX_SOH ? 1 : '|', room);
    room[*words - 1] &= ~0ull >> (WORD_BYTES * *words - count);
    return room;
}

/* Type and count of fields; 0: the type is not within the first word. Field 35 is the third one: framing has seen to it. */
GROUP_INLINE uint32_t layout_key(const uint8_t *message, uint64_t mask, uint32_t fields)
{
    const uint64_t second = _blsr_u64(mask);
    const uint64_t third = _blsr_u64(second);
    const uint32_t begin = (uint32_t)_tzcnt_u64(second) + 4; /* behind `35=` */
    const uint32_t bytes = (uint32_t)_tzcnt_u64(third) - begin;
    uint32_t type;
    memcpy(&type, message + begin, sizeof type);
    return third == 0 ? 0 : (_bzhi_u32(type, bytes < sizeof type ? 8 * bytes : 32) * 31 + fields) | 1u << 31;
}

/* Marks and keys of as many rows as there is room for. */
GROUP_INLINE void group_read(struct rf_fix_index *index, const struct rf_batch *batch, const struct rf_rows *rows,
                             const struct rf_fix_frame *frame, uint32_t row, struct group *group)
{
    const uint32_t left = rows->rows - row;
    const uint32_t wanted = left < RF_FIX_GROUP_ROWS ? left : RF_FIX_GROUP_ROWS;
    uint64_t room[WORDS_MAX];
    uint32_t at = 0;
    uint32_t i = 0;
    for (; i < wanted; i++) {
        const uint8_t *message = batch->bytes + frame->message[row + i];
        const uint64_t *mask = frame->mask + (size_t)(row + i) * RF_FIX_MASK_WORDS;
        uint16_t *mark = index->mark + at;
        uint32_t fields;
        group->fields[i] = 0;
        mark[0] = 0; /* the first field */
        if (__builtin_expect((mask[0] != 0) & (rows->status[row + i] == RF_ROW_REJECTED), 1)) {
            if (at + 1 + WORD_BYTES * RF_FIX_MASK_WORDS > FIX_MARKS_MAX) {
                break;
            }
            fields = marks_write(mask, RF_FIX_MASK_WORDS, mark + 1);
        } else {
            uint32_t words = 0;
            mask = row_masks(batch, rows, frame, row + i, room, &words);
            if (mask == NULL) {
                continue;
            }
            if (at + 1 + WORD_BYTES * words > FIX_MARKS_MAX) {
                break;
            }
            fields = marks_write(mask, words, mark + 1);
        }
        group->mark[i] = at;
        group->key[i] = layout_key(message, mask[0], fields);
        group->fields[i] = group->key[i] == 0 ? 0 : fields;
        at += fields + 1;
    }
    group->rows = i;
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
