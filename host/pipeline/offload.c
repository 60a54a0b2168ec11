#include "offload.h"

#include <stdio.h>

#include "trace.h"
#include "worker.h"

/* The CPU takes over. */
static enum rf_status take_over(struct rf_worker *worker, const struct rf_error *why, struct rf_error *err)
{
    struct rf_offload *offload = &worker->offload;
    if (worker->options->is_device_strict) {
        *err = *why;
        return RF_E_DEVICE;
    }
    if (offload->why[0] == '\0') {
        (void)snprintf(offload->why, sizeof offload->why, "%.250s", why->text);
    }
    return RF_OK;
}

enum rf_status rf_offload_open(struct rf_worker *worker, struct rf_error *err)
{
    const struct rf_pipeline_options *options = worker->options;
    if (options->device == NULL) {
        return RF_OK;
    }
    struct rf_error why;
    const enum rf_status status = rf_eval_device_open(&worker->offload.device, options->device, &worker->eval, &why);
    if (status == RF_E_DEVICE) {
        return take_over(worker, &why, err);
    }
    if (status != RF_OK) {
        *err = why;
    }
    return status;
}

void rf_offload_close(struct rf_offload *offload)
{
    rf_eval_device_close(&offload->device);
}

/* Rows that the device has left open. One that the interpreter cannot read is an error, as in rf_worker_decide. */
static enum rf_status rows_redo(struct rf_worker *worker, struct rf_error *err)
{
    struct rf_eval *eval = &worker->eval;
    for (uint32_t w = 0; w < rf_bitmap_words(worker->rows.rows); w++) {
        for (uint64_t left = worker->offload.device.redo[w]; left != 0; left &= left - 1) {
            const uint32_t row = 64 * w + (uint32_t)__builtin_ctzll(left);
            struct rf_malformed malformed;
            worker->offload.redone_rows++;
            RF_TRY(rf_worker_read_row(worker, row, &malformed, err));
            for (uint32_t p = 0; malformed.reason == RF_REASON_NONE && p < worker->program->predicates; p++) {
                const enum rf_truth truth = rf_interp_predicate(worker->interp, p);
                if (truth != RF_TRUTH_ERROR) {
                    rf_bit_set(truth == RF_TRUTH_TRUE ? eval->truth[p] : eval->falsity[p], row);
                }
            }
        }
    }
    return RF_OK;
}

enum rf_status rf_offload_eval(struct rf_worker *worker, bool *is_done, struct rf_error *err)
{
    struct rf_offload *offload = &worker->offload;
    *is_done = false;
    if (offload->device.api == NULL || offload->device.is_lost) {
        return RF_OK;
    }
    struct rf_error why;
    if (rf_eval_device_run(&offload->device, &worker->eval, worker->view, &worker->rows, &worker->columns, &why) != RF_OK) {
        offload->failed_batches++;
        return take_over(worker, &why, err);
    }
    *is_done = true;
    rf_trace_begin(RF_TRACE_PRED_REDO, worker->batch.sequence);
    const enum rf_status status = rows_redo(worker, err);
    rf_trace_end();
    return status;
}
