/* engine_counts.h: riffle itself, many predicates over one memory buffer, as a side of a measurement.
 *
 * Purpose    W2: one program with all predicates, one count for each. Through the public C API, as any program that
 * embeds the library would do it: one runner for each thread, each over its share of the lines. Ownership
 * engine_counts_open compiles and makes the runners; engine_counts_close frees. Threads    none is started when threads
 * == 1.
 */
#ifndef BENCH_ENGINE_COUNTS_H
#define BENCH_ENGINE_COUNTS_H

#include "isa.h"
#include "measure.h"
#include "peers.h"
#include "riffle.h"

enum { ENGINE_COUNTS_MAX = 128, ENGINE_THREADS_MAX = 2 };

struct engine_share { /* of one thread */
    struct riffle_runner *runner;
    struct bench_input input;
    uint32_t predicates;
    uint64_t records;
    uint64_t undecided; /* answers that were neither true nor false */
    uint64_t counts[ENGINE_COUNTS_MAX];
    bool is_failed;
};

struct engine_counts {
    struct riffle_program *program;
    uint32_t predicates;
    uint64_t records; /* that must be read, or the run fails */
    uint32_t threads;
    struct engine_share share[ENGINE_THREADS_MAX];
};

/* isa: the level to use; the best one is rf_isa_best(). */
bool engine_counts_open(struct engine_counts *job, const char *const *expression, uint32_t count,
                        struct bench_input input, uint64_t records, enum rf_isa isa, uint32_t threads);
void engine_counts_close(struct engine_counts *job);
side_run_fn engine_counts_run; /* context: struct engine_counts */
/* The outcome of a list of counts: their sum, and a digest that tells them apart. */
void engine_counts_outcome(const uint64_t *counts, uint32_t count, struct outcome *outcome);

#endif
