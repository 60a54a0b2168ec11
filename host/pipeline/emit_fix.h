/* emit_fix.h: whole FIX messages as JSON or for people, for rf_emit_round.
 *
 * Purpose    The selected rows of a round are indexed once more, all of their fields this time, with the index that the extract
 *            stage has done with; then each is written. The interpreter is never asked, whatever the backend.
 * Data       status[R]: the round's statuses as the index reads them, REJECTED for the selected rows alone
 * Ownership  rf_emit_fix_open/close, part of a worker.
 * Threads    as the worker.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_EMIT_FIX_H
#define RF_EMIT_FIX_H

#include "fix_index.h"
#include "fix_json.h"
#include "pipeline.h"

struct rf_worker;

/* Names make messages longer: JSON two to three times, and lines for people four to six. */
enum { RF_EMIT_FIX_GROWTH = 8 };

struct rf_emit_fix {
    uint8_t *status;
    struct rf_fix_json json;
    struct rf_fix_tree tree; /* RF_EMIT_PRETTY */
};

/* Whether the options ask for it. */
bool rf_emit_is_fix(const struct rf_pipeline_options *options);

enum rf_status rf_emit_fix_open(struct rf_emit_fix *emit, const struct rf_pipeline_options *options, uint32_t rows_max,
                                struct rf_error *err);
void rf_emit_fix_close(struct rf_emit_fix *emit);

/* Before the rows of a round. */
void rf_emit_fix_round(struct rf_worker *worker);
/* Appends one to worker->text. */
enum rf_status rf_emit_fix_row(struct rf_worker *worker, uint32_t row, struct rf_error *err);

#endif
