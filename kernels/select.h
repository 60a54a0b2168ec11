/* select.h: truth to selected row numbers and final row statuses.
 *
 * Data       in   truth, falsity (bitmaps of one predicate), rows.status
 *            out  row[S] u32 ascending; rows.status: REJECTED | SELECTED | ERROR, MALFORMED and BLANK kept; counts
 * Cost       one bit a row; 4 bytes written for each selected row.
 */
#ifndef RF_SELECT_H
#define RF_SELECT_H

#include "bitmap.h"
#include "counts.h"
#include "isa.h"

struct rf_selection {
    uint32_t *row;
    uint32_t count;
};

enum rf_status rf_selection_open(struct rf_selection *selection, uint32_t rows_max, struct rf_error *err);
void rf_selection_close(struct rf_selection *selection);
/* is_inverted: -v, rows that are false are selected (errors stay errors). Adds this round to *counts; rows skipped by
 * the prefilter (rows.lines - rows.rows) count as rejected. The prefilter never runs together with -v. */
void rf_select_run(struct rf_selection *selection, enum rf_isa isa, struct rf_rows *rows, const uint64_t *truth,
                   const uint64_t *falsity, bool is_inverted, struct rf_counts *counts);

#endif
