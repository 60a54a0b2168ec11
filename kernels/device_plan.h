/* device_plan.h: a program as a device takes it (host/device/device_abi.h), made from the plan of the eval stage.
 *
 * Purpose    The device has no computed columns, and none of atoms over other constants than these atoms' own. What it does not have
 *            is said, and the program then runs on the CPU as a whole.
 * Data       column[C]: numbers of slots, those that atoms read, each once. Atoms stand in the order of their columns.
 * Ownership  everything lives in the arena given to rf_device_plan_make.
 * Threads    immutable once made.
 * Errors     RF_E_MEMORY. Not an error: why_not is set, and the device cannot run the program.
 */
#ifndef RF_DEVICE_PLAN_H
#define RF_DEVICE_PLAN_H

#include "device_abi.h"
#include "eval_plan.h"

struct rf_device_plan {
    const char *why_not; /* NULL: the device can run it */
    struct rf_device_program program;
    const uint32_t *column; /* [program.columns] slots */
};

enum rf_status rf_device_plan_make(struct rf_device_plan *out, const struct rf_program *program,
                                   const struct rf_eval_plan *plan, struct rf_arena *arena, struct rf_error *err);

#endif
