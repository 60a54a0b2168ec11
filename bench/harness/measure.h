/* measure.h: several sides do the same work in turn, and their times are compared.
 *
 * Purpose    One measurement = one warm-up round and `laps` rounds; in each round every side runs once, and each round
 *            begins with another side, so that drift of the machine hits all alike.
 * Data       sample_ns[side][lap]. best, median and quartiles are taken over the laps, the warm-up left out.
 *            A group is compared by its fastest side (smallest median): "simdjson" stands for the best of its forms and
 *            compilers.
 * Verdicts   ratio = median of the other group / median of ours; `indistinguishable` when the medians differ by less
 * than the larger of the two inter-quartile ranges. Errors     a side that fails, or that selects other records than
 * the first side that is compared, makes measurement_run return false: no ratio is worth anything then. Ownership  a
 * struct measurement is plain data; contexts stay the caller's.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIDES_MAX = 16, GOALS_MAX = 8, LAPS_MAX = 256 };

struct outcome {
    uint64_t selected;
    uint64_t digest; /* of the written bytes, or of many counts; 0 where there are none */
};

/* Does the work once. false: it failed and said why on stderr. */
typedef bool side_run_fn(void *context, struct outcome *outcome);

struct side {
    const char *group;
    const char *name;
    side_run_fn *run;
    void *context;
    bool is_compared; /* does the same work as the others, so must find the same */
    struct outcome outcome;
    uint64_t sample_ns[LAPS_MAX];
    uint64_t best_ns, low_ns, median_ns, high_ns; /* low and high: quartiles */
};

struct goal {
    const char *mine; /* groups */
    const char *theirs;
    double must;
    double stretch;
    bool is_ceiling; /* our time may be at most `must` times theirs; else theirs must be at least `must` times ours */
};

struct measurement {
    const char *title;
    size_t bytes; /* read by each side; 0: GB/s has no meaning */
    uint64_t records;
    uint32_t laps;
    int out_fd;           /* >= 0: emptied before each run; the warm-up compares what was written */
    const char *baseline; /* group that the last column refers to, or NULL */
    struct side side[SIDES_MAX];
    uint32_t sides;
    struct goal goal[GOALS_MAX];
    uint32_t goals;
};

void measurement_open(struct measurement *m, const char *title, size_t bytes, uint64_t records, uint32_t laps);
void measurement_add(struct measurement *m, const char *group, const char *name, side_run_fn *run, void *context);
/* A side that does other work (a floor, a tool that looks at text only): timed, not compared. */
void measurement_add_other(struct measurement *m, const char *group, const char *name, side_run_fn *run, void *context);
void measurement_add_goal(struct measurement *m, const char *mine, const char *theirs, double must, double stretch);
void measurement_add_ceiling(struct measurement *m, const char *mine, const char *theirs, double must, double stretch);
/* Runs and prints. */
bool measurement_run(struct measurement *m);

uint64_t bench_hash(uint64_t hash, const void *bytes, size_t count);
#define BENCH_HASH_START 0xcbf29ce484222325ull

#endif
