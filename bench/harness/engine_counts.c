#include "engine_counts.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The level is chosen when the program is compiled, from the environment: there is no other way through the public API.
 */
static enum riffle_status program_open_at(struct riffle_program **program, const struct riffle_spec *spec,
                                          enum rf_isa isa, struct riffle_error *error)
{
    const char *before = getenv("RIFFLE_ISA");
    char *kept = before == NULL ? NULL : strdup(before);
    setenv("RIFFLE_ISA", rf_isa_name(isa), 1);
    const enum riffle_status status = riffle_program_open(program, spec, error);
    if (kept == NULL) {
        unsetenv("RIFFLE_ISA");
    } else {
        setenv("RIFFLE_ISA", kept, 1);
    }
    free(kept);
    return status;
}

/* Whole lines for each thread. */
static void shares_cut(struct engine_counts *job, struct bench_input input)
{
    const char *begin = input.bytes;
    const char *const input_end = input.bytes + input.count;
    for (uint32_t t = 0; t < job->threads; t++) {
        const char *end = input_end;
        if (t + 1 < job->threads) {
            const char *wanted = input.bytes + input.count / job->threads * (t + 1);
            end = (const char *)memchr(wanted, '\n', (size_t)(input_end - wanted)) + 1;
        }
        job->share[t].input = (struct bench_input){begin, (size_t)(end - begin)};
        begin = end;
    }
}

bool engine_counts_open(struct engine_counts *job, const char *const *expression, uint32_t count,
                        struct bench_input input, uint64_t records, enum rf_isa isa, uint32_t threads)
{
    assert(count <= ENGINE_COUNTS_MAX && threads >= 1 && threads <= ENGINE_THREADS_MAX);
    const struct riffle_spec spec = {.predicate = expression, .predicates = count};
    struct riffle_error error;
    memset(job, 0, sizeof(*job));
    if (program_open_at(&job->program, &spec, isa, &error) != RIFFLE_OK) {
        fprintf(stderr, "riffle-bench: %s: %s\n", expression[error.expression], error.text);
        return false;
    }
    job->predicates = count;
    job->records = records;
    job->threads = threads;
    shares_cut(job, input);
    for (uint32_t t = 0; t < threads; t++) {
        job->share[t].predicates = count;
        if (riffle_runner_open(&job->share[t].runner, job->program, &error) != RIFFLE_OK) {
            fprintf(stderr, "riffle-bench: %s\n", error.text);
            engine_counts_close(job);
            return false;
        }
    }
    return true;
}

void engine_counts_close(struct engine_counts *job)
{
    for (uint32_t t = 0; t < ENGINE_THREADS_MAX; t++) {
        riffle_runner_close(job->share[t].runner);
    }
    riffle_program_close(job->program);
}

static uint64_t bits_count(const uint64_t *bits, uint32_t words)
{
    uint64_t count = 0;
    for (uint32_t w = 0; w < words; w++) {
        count += (uint64_t)__builtin_popcountll(bits[w]);
    }
    return count;
}

static bool share_take(void *context, const struct riffle_batch *batch)
{
    struct engine_share *share = context;
    const uint32_t rows = riffle_batch_rows(batch);
    const uint32_t words = (rows + 63) / 64;
    share->records += riffle_batch_records(batch);
    for (uint32_t p = 0; p < share->predicates; p++) {
        share->counts[p] += bits_count(riffle_batch_truth(batch, p), words);
    }
    /* Every record of the streams has all ten fields: one predicate, in turn, is enough to notice errors. */
    const uint32_t probe = (uint32_t)(share->records % share->predicates);
    share->undecided += rows - bits_count(riffle_batch_truth(batch, probe), words) -
                        bits_count(riffle_batch_falsity(batch, probe), words);
    return true;
}

static void *share_run(void *context)
{
    struct engine_share *share = context;
    struct riffle_error error;
    share->records = 0;
    share->undecided = 0;
    memset(share->counts, 0, sizeof(share->counts));
    share->is_failed = riffle_runner_scan(share->runner, share->input.bytes, share->input.count, share_take, share,
                                          &error) != RIFFLE_OK;
    if (share->is_failed) {
        fprintf(stderr, "riffle-bench: riffle: %s\n", error.text);
    }
    return NULL;
}

bool engine_counts_run(void *context, struct outcome *outcome)
{
    struct engine_counts *job = context;
    pthread_t thread[ENGINE_THREADS_MAX];
    uint32_t started = 1;
    for (; started < job->threads; started++) {
        if (pthread_create(&thread[started], NULL, share_run, &job->share[started]) != 0) {
            fprintf(stderr, "riffle-bench: a thread could not be started\n");
            break;
        }
    }
    share_run(&job->share[0]);
    uint64_t counts[ENGINE_COUNTS_MAX] = {0};
    uint64_t records = 0;
    uint64_t undecided = 0;
    bool is_good = started == job->threads;
    for (uint32_t t = 0; t < started; t++) {
        const struct engine_share *share = &job->share[t];
        if (t > 0) {
            pthread_join(thread[t], NULL);
        }
        is_good = is_good && !share->is_failed;
        records += share->records;
        undecided += share->undecided;
        for (uint32_t p = 0; p < job->predicates; p++) {
            counts[p] += share->counts[p];
        }
    }
    if (is_good && (records != job->records || undecided != 0)) {
        fprintf(stderr,
                "riffle-bench: riffle: read %" PRIu64 " of %" PRIu64 " records, %" PRIu64 " undecided answers\n",
                records, job->records, undecided);
        is_good = false;
    }
    engine_counts_outcome(counts, job->predicates, outcome);
    return is_good;
}

void engine_counts_outcome(const uint64_t *counts, uint32_t count, struct outcome *outcome)
{
    for (uint32_t i = 0; i < count; i++) {
        outcome->selected += counts[i];
    }
    outcome->digest = bench_hash(BENCH_HASH_START, counts, count * sizeof(*counts));
}
