#include "engine_choice.h"

#include <sched.h>
#include <unistd.h>

#include "log.h"

enum {
    SMALL_BYTES = 4 * 1024 * 1024, /* below it starting threads costs more than they save: bench case W7 */
    THREADS_MAX = 256
};

enum rf_status rf_backend_choose(const struct rf_flags *flags, enum rf_backend *backend, enum rf_isa *isa,
                                 struct rf_error *err)
{
    const uint64_t engine = flags->value[RF_FLAG_BACKEND].number;
    *backend = engine == RF_ENGINE_INTERP ? RF_BACKEND_INTERP : RF_BACKEND_CPU;
    RF_TRY(rf_isa_select(isa, err));
    if (engine == RF_ENGINE_CUDA) {
        if (flags->value[RF_FLAG_STRICT_BACKEND].is_set) {
            RF_FAIL(err, RF_E_DEVICE, "cuda backend is not available: built without it");
        }
        rf_log(RF_LOG_WARNING, "cuda backend is not available: built without it; using cpu");
    }
    return RF_OK;
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
