/* column.h: what the extract stage found: for each slot and row a tag, a payload and a span.
 *
 * Data       slot[F], each
 *            tag[R]      u8   enum rf_tag
 *            payload[R]  u64  see tag.def: double bits, integer, or the first 8 bytes of a string
 *            begin[R]    u32  span: offset in batch.bytes, or in side when RF_SIDE_BIT is set
 *            length[R]   u32  span bytes. For NUMBER..RANGE the span is the token as written.
 *            side[]      u8   decoded text of strings with escapes, at most batch bytes
 * Ownership  arrays belong to the struct (rf_columns_open/close); spans point into the batch.
 * Threads    one thread at a time: part of a worker's scratch.
 */
#ifndef RF_COLUMN_H
#define RF_COLUMN_H

#include "batch.h"
#include "number.h"

enum rf_tag {
#define RF_TAG(name, meaning) name,
#include "tag.def"
#undef RF_TAG
    RF_TAG_COUNT
};

#define RF_SIDE_BIT 0x80000000u

struct rf_column {
    uint8_t *tag;
    uint64_t *payload;
    uint32_t *begin;
    uint32_t *length;
};

struct rf_columns {
    uint32_t slots; /* F */
    uint32_t rows_max;
    struct rf_column *slot;
    uint8_t *side;
    size_t side_used;
    size_t side_bytes;
};

/* Arrays for slots x rows_max (rounded up to 64 rows and 64-byte aligned; memory is touched only when written).
 * The side text starts empty: rf_columns_reserve_side makes room before a batch is extracted. */
enum rf_status rf_columns_open(struct rf_columns *columns, uint32_t slots, uint32_t rows_max, struct rf_error *err);
enum rf_status rf_columns_reserve_side(struct rf_columns *columns, size_t bytes, struct rf_error *err);
void rf_columns_close(struct rf_columns *columns);

static inline struct rf_str rf_column_text(const struct rf_columns *columns, const struct rf_batch *batch,
                                           uint32_t slot, uint32_t row)
{
    const struct rf_column *column = &columns->slot[slot];
    const uint32_t begin = column->begin[row];
    const uint8_t *base = (begin & RF_SIDE_BIT) != 0 ? columns->side : batch->bytes;
    return (struct rf_str){(const char *)base + (begin & ~RF_SIDE_BIT), column->length[row]};
}

/* The number in a NUMBER, BIGINT, BIGUINT, INT, UINT or DOUBLE cell; false for every other tag. */
bool rf_cell_number(enum rf_tag tag, uint64_t payload, struct rf_number *out);

#endif
