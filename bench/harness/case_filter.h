/* case_filter.h: W1, W1b, W1c on T and on H are one work with six plans. */
#ifndef BENCH_CASE_FILTER_H
#define BENCH_CASE_FILTER_H

#include "bench.h"
#include "engine.h"

extern const char w1_expression[];
extern const char w1c_expression[];

enum { PLAN_GOALS_MAX = 4 };

struct filter_plan {
    const char *name;
    const char *work;
    bool is_hard;    /* on H, else on T */
    bool is_w1c;     /* the number alone: nothing to search for in the bytes */
    bool is_writing; /* selected lines go to a file */
    struct goal goal[PLAN_GOALS_MAX];
    uint32_t goals;
};

bool filter_case_run(struct bench *bench, const struct filter_plan *plan);

#endif
