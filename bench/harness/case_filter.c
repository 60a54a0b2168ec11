/* W1 and its kin: one filter over JSON lines, in memory. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "case_filter.h"

const char w1_expression[] = "price > 410 && symbol == \"MSFT\"";
const char w1c_expression[] = "price > 410";

enum { PEER_SIDES_MAX = 12 };

bool peer_filter_run(void *context, struct outcome *outcome)
{
    const struct peer_filter *peer = context;
    const struct bench_selection selection = peer->run(peer->input, peer->out_fd);
    if (selection.bad != 0) {
        fprintf(stderr, "riffle-bench: %s could not read %" PRIu64 " records\n", peer->name, selection.bad);
        return false;
    }
    outcome->selected = selection.selected;
    return true;
}

struct peer_floor {
    uint64_t (*newlines)(struct bench_input input);
    uint64_t (*byte_sum)(const void *bytes, size_t count);
    struct bench_input input;
    char name[96];
};

static bool floor_newlines_run(void *context, struct outcome *outcome)
{
    const struct peer_floor *floor = context;
    outcome->selected = floor->newlines(floor->input);
    return true;
}

static bool floor_sum_run(void *context, struct outcome *outcome)
{
    const struct peer_floor *floor = context;
    outcome->selected = floor->byte_sum(floor->input.bytes, floor->input.count);
    return true;
}

/* One filter: both builds of every form of the peers, riffle with and without its prefilter, the floors. */
struct filter_case {
    const struct filter_plan *plan;
    const struct data *data;
    struct measurement measurement;
    struct peer_filter peer[PEER_SIDES_MAX];
    uint32_t peers;
    struct engine_job indexed;
    struct engine_job prefiltered;
    struct peer_floor floor[PEERS_MAX];
    int out_fd;
};

const char *bench_build_name(const struct bench_peers *peers)
{
    return strncmp(peers->compiler, "clang", 5) == 0 ? "clang++" : "g++";
}

static void add_peer(struct filter_case *work, const struct bench_peers *build, const char *group, const char *form,
                     bench_filter_fn *run)
{
    struct peer_filter *peer = &work->peer[work->peers++];
    *peer = (struct peer_filter){.run = run, .input = data_input(work->data), .out_fd = work->out_fd};
    snprintf(peer->name, sizeof(peer->name), "%s, %s", form, bench_build_name(build));
    measurement_add(&work->measurement, group, peer->name, peer_filter_run, peer);
}

static void add_peers(struct filter_case *work, const struct bench *bench)
{
    for (uint32_t p = 0; p < bench->peer_count; p++) {
        const struct bench_peers *build = bench->peers[p];
        if (work->plan->is_w1c) {
            add_peer(work, build, "simdjson", "simdjson line by line", build->w1c_line);
            add_peer(work, build, "simdjson", "simdjson iterate_many, 1 MB", build->w1c_many);
        } else {
            add_peer(work, build, "simdjson", "simdjson line by line", build->w1_line);
            add_peer(work, build, "simdjson", "simdjson iterate_many, 1 MB", build->w1_many);
            add_peer(work, build, "prefilter + simdjson", "SIMD substring prefilter + simdjson", build->w1_prefilter);
        }
    }
}

static void add_floors(struct filter_case *work, const struct bench *bench)
{
    for (uint32_t p = 0; p < bench->peer_count; p++) {
        struct peer_floor *floor = &work->floor[p];
        *floor = (struct peer_floor){bench->peers[p]->newlines, bench->peers[p]->byte_sum, data_input(work->data), ""};
        snprintf(floor->name, sizeof(floor->name), "floor: newline count, %s", bench_build_name(bench->peers[p]));
        measurement_add_other(&work->measurement, "floor", floor->name, floor_newlines_run, floor);
    }
    measurement_add_other(&work->measurement, "sum", "floor: sum of the bytes as u64", floor_sum_run, &work->floor[0]);
}

static bool add_engines(struct filter_case *work)
{
    const char *expression = work->plan->is_w1c ? w1c_expression : w1_expression;
    if (!engine_job_open(&work->indexed, expression, data_input(work->data), work->data->records) ||
        !engine_job_open(&work->prefiltered, expression, data_input(work->data), work->data->records)) {
        return false;
    }
    work->indexed.out_fd = work->out_fd;
    work->prefiltered.out_fd = work->out_fd;
    work->prefiltered.is_prefiltered = true;
    if (!work->plan->is_w1c) {
        measurement_add(&work->measurement, "riffle", "riffle", engine_filter, &work->prefiltered);
        measurement_add(&work->measurement, "riffle --no-prefilter", "riffle --no-prefilter", engine_filter,
                        &work->indexed);
    } else {
        measurement_add(&work->measurement, "riffle", "riffle", engine_filter, &work->indexed);
    }
    return true;
}

bool filter_case_run(struct bench *bench, const struct filter_plan *plan)
{
    struct data *data = plan->is_hard ? &bench->hard : &bench->trades;
    char title[256];
    char *out_path = NULL;
    if (!data_load(data)) {
        return false;
    }
    struct filter_case *work = calloc(1, sizeof(*work));
    if (work == NULL) {
        fprintf(stderr, "riffle-bench: out of memory\n");
        return false;
    }
    work->plan = plan;
    work->data = data;
    work->out_fd = -1;
    snprintf(title, sizeof(title),
             "%s  %s on %s (%.0f MiB, %" PRIu64 " records), one thread, in memory, %" PRIu32 " laps", plan->name,
             plan->work, data->name, (double)data->count / (1 << 20), data->records, bench->laps);
    measurement_open(&work->measurement, title, data->count, data->records, bench->laps);
    work->measurement.baseline = "simdjson";
    bool is_good = true;
    if (plan->is_writing) {
        /* The folder exists once a stream was written into it. */
        is_good = data_write(data, bench->folder, "selected.ndjson", 0, &out_path);
        work->out_fd = is_good ? open(out_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
        is_good = is_good && work->out_fd >= 0;
        work->measurement.out_fd = work->out_fd;
    }
    if (is_good) {
        add_peers(work, bench);
        is_good = add_engines(work);
    }
    if (is_good && !plan->is_writing) {
        add_floors(work, bench);
    }
    for (uint32_t g = 0; g < plan->goals; g++) {
        measurement_add_goal(&work->measurement, plan->goal[g].mine, plan->goal[g].theirs, plan->goal[g].must,
                             plan->goal[g].stretch);
    }
    is_good = is_good && measurement_run(&work->measurement);
    if (work->out_fd >= 0) {
        close(work->out_fd);
        unlink(out_path);
    }
    free(out_path);
    engine_job_close(&work->indexed);
    engine_job_close(&work->prefiltered);
    free(work);
    return is_good;
}

#define W1_WORK "count price > 410 && symbol == \"MSFT\""

bool case_w1(struct bench *bench)
{
    static const struct filter_plan plan = {
        .name = "W1",
        .work = W1_WORK,
        .goal = {{"riffle", "simdjson", 3.5, 4.5, false},
                 {"riffle", "prefilter + simdjson", 1.15, 1.4, false},
                 {"riffle --no-prefilter", "simdjson", 2.0, 2.5, false}},
        .goals = 3,
    };
    return filter_case_run(bench, &plan);
}

bool case_w1b(struct bench *bench)
{
    static const struct filter_plan plan = {
        .name = "W1b",
        .work = "write the lines with price > 410 && symbol == \"MSFT\"",
        .is_writing = true,
        .goal = {{"riffle", "simdjson", 2.8, 3.5, false}, {"riffle --no-prefilter", "simdjson", 2.0, 3.5, false}},
        .goals = 2,
    };
    return filter_case_run(bench, &plan);
}

bool case_w1c(struct bench *bench)
{
    static const struct filter_plan plan = {
        .name = "W1c",
        .work = "count price > 410",
        .is_w1c = true,
        .goal = {{"riffle", "simdjson", 2.0, 2.5, false}},
        .goals = 1,
    };
    return filter_case_run(bench, &plan);
}

bool case_w1h(struct bench *bench)
{
    static const struct filter_plan plan = {
        .name = "W1H",
        .work = W1_WORK,
        .is_hard = true,
        .goal = {{"riffle", "simdjson", 2.5, 5.0, false}, {"riffle --no-prefilter", "simdjson", 2.5, 5.0, false}},
        .goals = 2,
    };
    return filter_case_run(bench, &plan);
}

bool case_w1ch(struct bench *bench)
{
    static const struct filter_plan plan = {
        .name = "W1cH",
        .work = "count price > 410",
        .is_hard = true,
        .is_w1c = true,
        .goal = {{"riffle", "simdjson", 2.8, 5.0, false}},
        .goals = 1,
    };
    return filter_case_run(bench, &plan);
}
