#include "engine_choice.h"

#include <sched.h>
#include <unistd.h>

#include "device.h"
#include "log.h"

enum {
    SMALL_BYTES = 4 * 1024 * 1024, /* below it starting threads costs more than they save: bench case W7 */
    DEVICE_BATCH_BYTES = 16 * 1024 * 1024, /* a copy of it takes 0.3 ms, starting kernels some 0.02 ms: docs/gpu.md */
    THREADS_MAX = 256
};

enum rf_status rf_backend_choose(const struct rf_flags *flags, bool has_device, struct rf_pipeline_options *options,
                                 struct rf_error *err)
{
    const uint64_t engine = flags->value[RF_FLAG_BACKEND].number;
    options->backend = engine == RF_ENGINE_INTERP ? RF_BACKEND_INTERP : RF_BACKEND_CPU;
    options->is_device_strict = flags->value[RF_FLAG_STRICT_BACKEND].is_set;
    RF_TRY(rf_isa_select(&options->isa, err));
    if (engine != RF_ENGINE_CUDA) {
        return RF_OK;
    }
    const struct rf_device *device = has_device ? rf_device_get() : NULL;
    options->device = device == NULL ? NULL : device->api;
    if (options->device != NULL) {
        return RF_OK;
    }
    const char *why = device == NULL ? "this command has no form for devices" : device->why;
    if (options->is_device_strict) {
        RF_FAIL(err, RF_E_DEVICE, "cuda backend is not available: %s", why);
    }
    rf_log(RF_LOG_WARNING, "cuda backend is not available: %s; using cpu", why);
    return RF_OK;
}

uint32_t rf_batch_bytes_choose(const struct rf_flag_value *asked, const struct rf_pipeline_options *options)
{
    return options->device != NULL && !asked->is_set ? (uint32_t)DEVICE_BATCH_BYTES : (uint32_t)asked->number;
}

static uint32_t cores_count(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        const long online = sysconf(_SC_NPROCESSORS_ONLN);
        return online < 1 ? 1 : online > THREADS_MAX ? THREADS_MAX : (uint32_t)online;
    }
    const int count = CPU_COUNT(&set);
    return count < 1 ? 1 : count > THREADS_MAX ? THREADS_MAX : (uint32_t)count;
}

uint32_t rf_threads_choose(const struct rf_flags *flags, const struct rf_source *source)
{
    if (flags->value[RF_FLAG_THREADS].is_set) {
        return (uint32_t)flags->value[RF_FLAG_THREADS].number;
    }
    return rf_source_bytes_total(source) < SMALL_BYTES ? 1 : cores_count();
}
