/* fix_extract.h: framed FIX messages to the columns that a program asks for.
 *
 * Purpose    Behind rf_fix_frame_run: one pass finds the first field of every tag that some access wants (fix_index.h), then
 *            each access gets its cells, column by column.
 * Data       in   batch, rows, frame
 *            out  columns.slot[] of the slots of root RF_ROOT_BINDING: accesses of program->fix. RF_TAG_ABSENT: no such field;
 *                 RF_TAG_ERROR: no value of its type, or text that is no UTF-8; RF_TAG_HOST: the message as a map, and
 *                 lists with a value that is none of its type, which the interpreter reads. Other slots hold garbage until rf_extract_envelope.
 *                 rows.status, frame: as rf_fix_index_wanted says
 * Semantics  host/expr/fix_record.h, which is the definition.
 * Ownership  rf_fix_extract_open/close.
 * Threads    one struct for each worker.
 * Errors     rf_fix_extract_open, rf_fix_extract_reserve: RF_E_MEMORY. A run cannot fail.
 */
#ifndef RF_FIX_EXTRACT_H
#define RF_FIX_EXTRACT_H

#include "fix_lists.h"

struct rf_fix_extract {
    const struct rf_program *program;
    uint32_t *wanted; /* [program->slots] tags; 0: none */
    struct rf_fix_index index;
    struct rf_fix_lists lists;
};

enum rf_status rf_fix_extract_open(struct rf_fix_extract *extract, const struct rf_program *program, uint32_t rows_max,
                                   struct rf_error *err);
enum rf_status rf_fix_extract_reserve(struct rf_fix_extract *extract, size_t batch_bytes, struct rf_error *err);
void rf_fix_extract_close(struct rf_fix_extract *extract);

/* has_high: some byte of the batch is not ASCII. */
void rf_fix_extract_run(struct rf_fix_extract *extract, enum rf_isa isa, const struct rf_batch *batch, bool has_high,
                        struct rf_rows *rows, struct rf_fix_frame *frame, struct rf_columns *columns);

#endif
