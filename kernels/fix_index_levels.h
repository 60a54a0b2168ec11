/* fix_index_levels.h: one message, in the plain way and in the vector ways, for fix_index.c alone. */
#ifndef RF_FIX_INDEX_LEVELS_H
#define RF_FIX_INDEX_LEVELS_H

#include "fix_index.h"

/* Writes the fields of a row's message at tag[at], begin[at], length[at] and returns how many; sets flags, or makes the row
 * malformed and returns 0. Any separator, raw data included. */
uint32_t rf_fix_index_message(struct rf_fix_index *index, const struct rf_batch *batch, struct rf_rows *rows,
                              struct rf_fix_frame *frame, uint32_t row, uint32_t at);

/* The wanted slots of a row from the `count` fields at the head of the arrays. */
void rf_fix_index_pick(const struct rf_fix_index *index, uint32_t count, uint32_t row, struct rf_columns *columns);
void rf_fix_index_absent(const struct rf_fix_index *index, uint32_t row, struct rf_columns *columns);

/* Room for the messages of a group; whole vectors are stored. */
enum { FIX_MARKS_MAX = 2 * RF_FIX_SCAN_MAX, FIX_MARKS_SLACK = 640 };

#define FIX_INDEX_LEVEL(level)                                                                                         \
    void rf_fix_index_all_##level(struct rf_fix_index *index, const struct rf_batch *batch, struct rf_rows *rows,      \
                                  struct rf_fix_frame *frame);                                                         \
    void rf_fix_index_wanted_##level(struct rf_fix_index *index, const struct rf_batch *batch, struct rf_rows *rows,   \
                                     struct rf_fix_frame *frame, struct rf_columns *columns);
FIX_INDEX_LEVEL(scalar)
FIX_INDEX_LEVEL(avx2)
FIX_INDEX_LEVEL(avx512)
#undef FIX_INDEX_LEVEL

#endif
