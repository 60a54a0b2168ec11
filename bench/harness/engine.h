/* engine.h: riffle itself, in the harness's own process, as a side of a measurement.
 *
 * Purpose    The same path as the program: a source over the caller's memory, rf_pipeline_run, a sink. Only the start
 * of a process and the reading of a file are missing, as they are for the peers. Ownership  engine_job_open compiles;
 * engine_job_close frees.
 */
#ifndef BENCH_ENGINE_H
#define BENCH_ENGINE_H

#include "compile.h"
#include "isa.h"
#include "measure.h"
#include "peers.h"

struct engine_job {
    struct rf_compiled compiled;
    struct bench_input input;
    uint64_t records; /* that must be read, or the run fails */
    enum rf_isa isa;
    uint32_t threads;
    bool is_prefiltered;
    int out_fd; /* -1: count only */
};

bool engine_job_open(struct engine_job *job, const char *expression, struct bench_input input, uint64_t records);
void engine_job_close(struct engine_job *job);
side_run_fn engine_filter; /* context: struct engine_job */

#endif
