/* offload.h: the eval stage of a worker on a device, and on the CPU where the device cannot.
 *
 * Purpose    Whatever happens to a device, every row is decided: a program that it cannot run, rows that it leaves open, a batch that
 *            failed there, a device that is lost. What was done where is counted.
 * Ownership  struct rf_offload belongs to the worker (rf_offload_open/close).
 * Threads    one for each worker.
 * Errors     With options->is_device_strict RF_E_DEVICE, where else the CPU takes over. RF_E_MEMORY.
 */
#ifndef RF_OFFLOAD_H
#define RF_OFFLOAD_H

#include "eval_device.h"

struct rf_worker;

struct rf_offload {
    struct rf_eval_device device;
    uint64_t failed_batches;
    uint64_t redone_rows;
    char why[RF_DEVICE_WHY]; /* the first time that the CPU took over; empty: it never did */
};

/* worker->eval is open. Without a device nothing is done. */
enum rf_status rf_offload_open(struct rf_worker *worker, struct rf_error *err);
void rf_offload_close(struct rf_offload *offload);
/* False: the device has no part in this round, which is still to be evaluated. */
enum rf_status rf_offload_eval(struct rf_worker *worker, bool *is_done, struct rf_error *err);

#endif
