/* engine_choice.h: what runs a command: --backend, --strict-backend, --threads.
 *
 * Threads    the main thread.
 * Errors     RF_E_DEVICE: the engine asked for cannot run, and no other may; RF_E_USAGE: RIFFLE_ISA names no level.
 */
#ifndef RF_ENGINE_CHOICE_H
#define RF_ENGINE_CHOICE_H

#include "flag.h"
#include "pipeline.h"

/* The engine asked for, or the one that takes its place, with one line that says so: backend, isa, device, is_device_strict.
 * has_device: the command has a form for devices. */
enum rf_status rf_backend_choose(const struct rf_flags *flags, bool has_device, struct rf_pipeline_options *options,
                                 struct rf_error *err);
/* --batch-bytes, or what suits the engine: a device is worth its while with large batches. */
uint32_t rf_batch_bytes_choose(const struct rf_flag_value *asked, const struct rf_pipeline_options *options);
/* As asked for; else all cores, and one for small input. */
uint32_t rf_threads_choose(const struct rf_flags *flags, const struct rf_source *source);

#endif
