/* emit.h: projections of selected rows as JSON lines or CSV.
 *
 * Purpose    rf_emit_round formats every selected row of a worker's round into worker->text; text_end[i] is where the
 *            part of selected row i ends. Runs on the worker's thread, before the batch's turn.
 * Semantics  a projection that is a plain path to nothing (absent field, no parent) gives null; any other evaluation
 *            error makes the row an error: it leaves the selection and the counts follow.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_EMIT_H
#define RF_EMIT_H

#include "worker.h"

enum rf_status rf_emit_round(struct rf_worker *worker, struct rf_error *err);
/* The value of one projection for one row of the round. A path to nothing has RF_TYPE_ERROR here. */
enum rf_status rf_emit_value(struct rf_worker *worker, uint32_t row, uint32_t projection, struct rf_value *value,
                             struct rf_error *err);
/* The value of a path that leads to nothing, rather than an evaluation error. */
bool rf_emit_is_absent(const struct rf_worker *worker, uint32_t projection, struct rf_value value);
/* The csv header line. */
enum rf_status rf_emit_header(const struct rf_pipeline_options *options, struct rf_text *out, struct rf_error *err);

#endif
