/* eval_device.h: the eval stage on a device: columns travel, bitmaps come back.
 *
 * Purpose    Another implementation of rf_eval_run (eval.h), with the same results for every row. Extraction stays on the CPU.
 * Data       out  eval->truth[P], eval->falsity[P] as of rf_eval_run; redo[R]: rows that the device cannot decide, whose bits are
 *                 zero in both: whoever calls must decide them by the interpreter
 * Ownership  struct rf_eval_device has a slot of the device (rf_eval_device_open/close); program and eval must outlive it.
 * Threads    one for each worker; workers overlap on the device, since each has a stream of its own.
 * Errors     rf_eval_device_open: RF_E_MEMORY, and RF_E_DEVICE with the device's own sentence. rf_eval_device_run: RF_E_DEVICE;
 *            nothing is written then, and the caller runs rf_eval_run.
 */
#ifndef RF_EVAL_DEVICE_H
#define RF_EVAL_DEVICE_H

#include "device.h"
#include "device_plan.h"
#include "eval.h"

struct rf_eval_device {
    const struct rf_device_api *api; /* NULL: not open */
    struct rf_device_plan plan;
    void *program;
    void *slot;
    struct rf_device_column *column; /* [plan.program.columns] */
    uint64_t *redo;                  /* [R] */
    bool is_lost;
    uint64_t batches, rows, bytes_sent, bytes_received;
};

/* Why the program cannot run on a device, or NULL when it can. */
enum rf_status rf_eval_device_open(struct rf_eval_device *device, const struct rf_device_api *api, struct rf_eval *eval,
                                   struct rf_error *err);
void rf_eval_device_close(struct rf_eval_device *device);
enum rf_status rf_eval_device_run(struct rf_eval_device *device, struct rf_eval *eval, const struct rf_batch *batch,
                                  const struct rf_rows *rows, const struct rf_columns *columns, struct rf_error *err);

#endif
