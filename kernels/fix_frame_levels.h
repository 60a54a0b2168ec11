/* fix_frame_levels.h: the vector forms of framing, for fix_frame.c alone.
 *
 * Each takes entries from `at` on while they are of the usual form, appends rows, and returns where it stopped: at the end of
 * the span, with a full table, or at an entry that rf_fix_entry_next has to judge.
 */
#ifndef RF_FIX_FRAME_LEVELS_H
#define RF_FIX_FRAME_LEVELS_H

#include "fix_frame.h"

uint32_t rf_fix_frame_avx2(struct rf_fix_frame *frame, const struct rf_batch *batch, uint32_t at, uint32_t end,
                           enum rf_fix_run run, struct rf_rows *rows);
uint32_t rf_fix_frame_avx512(struct rf_fix_frame *frame, const struct rf_batch *batch, uint32_t at, uint32_t end,
                             enum rf_fix_run run, struct rf_rows *rows);

#endif
