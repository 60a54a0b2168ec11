/* walk_value.h: what lies at a path, looked into.
 *
 * Purpose    The parts of rf_walk_scalar, for the walker that has found the token's kind already.
 * Data       [begin, begin + count) of the batch; columns == NULL: only checks. A cell is written only when the value
 *            is good.
 * Threads    pure, apart from the columns.
 * Errors     RF_REASON_NONE, or the problem with its offset from `begin`.
 */
#ifndef RF_WALK_VALUE_H
#define RF_WALK_VALUE_H

#include "column.h"
#include "reason.h"

static inline void rf_cell_set(struct rf_column *column, uint32_t row, enum rf_tag tag, uint64_t payload,
                               uint32_t begin, uint32_t length)
{
    column->tag[row] = (uint8_t)tag;
    column->payload[row] = payload;
    column->begin[row] = begin;
    column->length[row] = length;
}

/* The text between two quotes. has_escape: it holds a backslash, so it is decoded into the columns' side text. */
struct rf_malformed rf_walk_value_string(const struct rf_batch *batch, uint32_t begin, uint32_t count, bool has_escape,
                                         struct rf_columns *columns, uint32_t slot, uint32_t row);
/* A number or a literal. */
struct rf_malformed rf_walk_value_scalar(const struct rf_batch *batch, uint32_t begin, uint32_t count,
                                         struct rf_columns *columns, uint32_t slot, uint32_t row);
/* The list or object that begins at `begin`, in a row whose structure is right: where it ends, and whether every string and
 * scalar in it is good, keys included. False: not so, or it does not end before row_end. */
bool rf_walk_value_whole(const struct rf_batch *batch, uint32_t begin, uint32_t row_end, uint32_t *end);
/* Every string and scalar of a text whose structure is right, keys included. */
struct rf_malformed rf_walk_value_check(const struct rf_batch *batch, uint32_t begin, uint32_t end);

#endif
