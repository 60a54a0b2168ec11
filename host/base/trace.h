/* trace.h: ranges for profilers, by NVTX: domain "riffle", names and colours of trace.def, the batch's number as payload.
 *
 * Purpose    Nsight Systems shows where the time of a run goes. Without such a tool a range costs two calls that find nothing to do;
 *            built without NVTX's headers (they come with the CUDA toolkit) it costs nothing.
 * Threads    Ranges nest within their thread. Any thread.
 * Source     NVTX 3, header-only: the tool is a library that NVTX_INJECTION64_PATH names (tests/nvtx).
 */
#ifndef RF_TRACE_H
#define RF_TRACE_H

#include <stdint.h>

enum rf_trace {
#define RF_TRACE(name, text, category, colour) name,
#include "trace.def"
#undef RF_TRACE
    RF_TRACE_COUNT
};

#if defined(RF_HAS_NVTX)
/* id: of the batch. */
void rf_trace_begin(enum rf_trace range, uint64_t id);
void rf_trace_end(void);
/* Names the calling thread. */
void rf_trace_thread(const char *name);
#else
static inline void rf_trace_begin(enum rf_trace range, uint64_t id)
{
    (void)range;
    (void)id;
}
static inline void rf_trace_end(void)
{
}
static inline void rf_trace_thread(const char *name)
{
    (void)name;
}
#endif

#endif
