/* fix_trial.h: whole runs over generated FIX streams in many ways, for the tests that hold these against each other. */
#ifndef FIX_TRIAL_H
#define FIX_TRIAL_H

#include "fix_typed.h"
#include "trial.h"

enum { STREAMS = 6, MESSAGES = 220 /* more than a round of 128 */ };

/* A way to run. */
struct way {
    enum rf_backend backend;
    enum rf_isa isa;
    uint32_t threads;
    uint32_t batch_bytes;
    uint32_t rows_max;
    bool is_file;
};

static inline void trial_way(struct trial *trial, const struct way *way)
{
    trial->options.backend = way->backend;
    trial->options.isa = way->isa;
    trial->options.threads = way->threads;
    trial->options.rows_max = way->rows_max;
    trial->source.batch_bytes = way->batch_bytes;
    trial->is_file = way->is_file;
}

static inline struct trial trial_fix(const char *predicate, struct rf_str input, enum rf_emit emit)
{
    struct trial trial = trial_make(predicate, input);
    trial.is_fix = true;
    trial.options.emit = emit;
    return trial;
}

/* The stream of a seed; valid until the next one is asked for. */
static inline struct rf_str stream_of(uint64_t seed)
{
    static uint8_t bytes[STREAM_MAX + SAMPLE_MAX];
    struct sample_random random = {seed * 977 + 13};
    return (struct rf_str){(const char *)bytes, fix_typed_stream(&random, bytes, MESSAGES, seed % 2 != 0)};
}

#endif
