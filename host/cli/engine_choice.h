/* engine_choice.h: what runs a command: --backend, --strict-backend, --threads.
 *
 * Threads    the main thread.
 * Errors     RF_E_DEVICE: the engine asked for cannot run, and no other may; RF_E_USAGE: RIFFLE_ISA names no level.
 */
#ifndef RF_ENGINE_CHOICE_H
#define RF_ENGINE_CHOICE_H

#include "flag.h"
#include "pipeline.h"

/* The engine asked for, or the one that takes its place, with one line that says so. */
enum rf_status rf_backend_choose(const struct rf_flags *flags, enum rf_backend *backend, enum rf_isa *isa,
                                 struct rf_error *err);
/* As asked for; else all cores, and one for small input. */
uint32_t rf_threads_choose(const struct rf_flags *flags, const struct rf_source *source);

#endif
