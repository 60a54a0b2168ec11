/* W2: ten fields taken from every record, a hundred predicates counted. Also what runs riffle several times: threads
 * and instruction-set levels. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "case_filter.h"
#include "engine_counts.h"
#include "w2_predicates.h"

enum { EXPRESSION_BYTES = 64, PEER_SIDES_MAX = 2 * PEERS_MAX };

static char w2_expression[BENCH_W2_PREDICATES][EXPRESSION_BYTES];

static void expression_write(char *out, enum w2_field field, int k)
{
    static const char *const path[W2_FIELDS] = {"price", "venue.lat.ms", "qty",  "venue.seq", "symbol",
                                                "type",  "side",         "acct", "venue.mic", "active"};
    switch (field) {
    case W2_PRICE:
        snprintf(out, EXPRESSION_BYTES, "%s > %.17g", path[field], w2_price(k));
        break;
    case W2_MS:
        snprintf(out, EXPRESSION_BYTES, "%s < %.17g", path[field], w2_ms(k));
        break;
    case W2_QTY:
        snprintf(out, EXPRESSION_BYTES, "%s < %" PRId64, path[field], w2_qty(k));
        break;
    case W2_SEQ:
        snprintf(out, EXPRESSION_BYTES, "%s > %" PRId64, path[field], w2_seq(k));
        break;
    case W2_ACTIVE:
        snprintf(out, EXPRESSION_BYTES, "%s == %s", path[field], w2_active(k) != 0 ? "true" : "false");
        break;
    default:
        snprintf(out, EXPRESSION_BYTES, "%s %s \"%s\"", path[field], field == W2_ACCT ? "<" : "==", w2_text(field, k));
        break;
    }
}

static void expressions_write(const char **expression)
{
    for (int p = 0; p < BENCH_W2_PREDICATES; p++) {
        expression_write(w2_expression[p], (enum w2_field)(p / W2_EACH), p % W2_EACH);
        expression[p] = w2_expression[p];
    }
}

static bool engine_w2_open(struct engine_counts *job, const struct data *data, enum rf_isa isa, uint32_t threads)
{
    const char *expression[BENCH_W2_PREDICATES];
    expressions_write(expression);
    return engine_counts_open(job, expression, BENCH_W2_PREDICATES, data_input(data), data->records, isa, threads);
}

struct peer_counts {
    bench_counts_fn *run;
    struct bench_input input;
    char name[96];
};

static bool peer_counts_run(void *context, struct outcome *outcome)
{
    const struct peer_counts *peer = context;
    uint64_t counts[BENCH_W2_PREDICATES] = {0};
    const struct bench_selection selection = peer->run(peer->input, counts);
    if (selection.bad != 0) {
        fprintf(stderr, "riffle-bench: %s could not read %" PRIu64 " records\n", peer->name, selection.bad);
        return false;
    }
    engine_counts_outcome(counts, BENCH_W2_PREDICATES, outcome);
    return true;
}

static void peers_add(struct measurement *m, const struct bench *bench, const struct data *data,
                      struct peer_counts *peer)
{
    for (uint32_t p = 0; p < bench->peer_count; p++) {
        const struct bench_peers *build = bench->peers[p];
        struct peer_counts *line = &peer[2 * p];
        struct peer_counts *many = &peer[2 * p + 1];
        *line = (struct peer_counts){build->w2_line, data_input(data), ""};
        *many = (struct peer_counts){build->w2_many, data_input(data), ""};
        snprintf(line->name, sizeof(line->name), "simdjson line by line + columns, %s", bench_build_name(build));
        snprintf(many->name, sizeof(many->name), "simdjson iterate_many + columns, %s", bench_build_name(build));
        measurement_add(m, "simdjson", line->name, peer_counts_run, line);
        measurement_add(m, "simdjson", many->name, peer_counts_run, many);
    }
}

static bool counts_case_run(struct bench *bench, const char *name, struct data *data, double must, double stretch)
{
    static struct measurement m;
    struct peer_counts peer[PEER_SIDES_MAX];
    struct engine_counts engine;
    char title[256];
    if (!data_load(data) || !engine_w2_open(&engine, data, rf_isa_best(), 1)) {
        return false;
    }
    snprintf(title, sizeof(title),
             "%s  ten fields, a hundred predicates, a count for each, on %s (%.0f MiB, %" PRIu64
             " records), one thread, in memory, %" PRIu32 " laps",
             name, data->name, (double)data->count / (1 << 20), data->records, bench->laps);
    measurement_open(&m, title, data->count, data->records, bench->laps);
    m.baseline = "simdjson";
    peers_add(&m, bench, data, peer);
    measurement_add(&m, "riffle", "riffle", engine_counts_run, &engine);
    measurement_add_goal(&m, "riffle", "simdjson", must, stretch);
    const bool is_good = measurement_run(&m);
    engine_counts_close(&engine);
    return is_good;
}

bool case_w2(struct bench *bench)
{
    return counts_case_run(bench, "W2", &bench->trades, 1.5, 2.3);
}

bool case_w2h(struct bench *bench)
{
    return counts_case_run(bench, "W2H", &bench->hard, 1.6, 2.5);
}

/* One filter with one thread and with two. */
static bool threads_filter(struct bench *bench, const char *title, bool is_prefiltered)
{
    static struct measurement m;
    struct engine_job job[2];
    static const char *const name[2] = {"1 thread", "2 threads"};
    const struct data *data = &bench->trades;
    measurement_open(&m, title, data->count, data->records, bench->laps);
    m.baseline = name[0];
    for (uint32_t t = 0; t < 2; t++) {
        if (!engine_job_open(&job[t], w1_expression, data_input(data), data->records)) {
            return false;
        }
        job[t].threads = t + 1;
        job[t].is_prefiltered = is_prefiltered;
        measurement_add(&m, name[t], name[t], engine_filter, &job[t]);
    }
    measurement_add_goal(&m, name[1], name[0], 1.8, 1.95);
    const bool is_good = measurement_run(&m);
    engine_job_close(&job[0]);
    engine_job_close(&job[1]);
    return is_good;
}

static bool threads_counts(struct bench *bench)
{
    static struct measurement m;
    struct engine_counts job[2];
    static const char *const name[2] = {"1 thread", "2 threads"};
    const struct data *data = &bench->trades;
    measurement_open(&m, "threads: W2", data->count, data->records, bench->laps);
    m.baseline = name[0];
    for (uint32_t t = 0; t < 2; t++) {
        if (!engine_w2_open(&job[t], data, rf_isa_best(), t + 1)) {
            return false;
        }
        measurement_add(&m, name[t], name[t], engine_counts_run, &job[t]);
    }
    measurement_add_goal(&m, name[1], name[0], 1.8, 1.95);
    const bool is_good = measurement_run(&m);
    engine_counts_close(&job[0]);
    engine_counts_close(&job[1]);
    return is_good;
}

bool case_threads(struct bench *bench)
{
    return data_load(&bench->trades) && threads_filter(bench, "threads: W1 with --no-prefilter", false) &&
           threads_filter(bench, "threads: W1 (with the prefilter, memory bandwidth sets the limit)", true) &&
           threads_counts(bench);
}

/* W1 and W1c are compared with the line-by-line form, which is the faster one there, W2 with both. */
struct isa_plan {
    const char *title;
    const char *expression; /* NULL: W2 */
    bool is_prefiltered;
};

static bool isa_case_run(struct bench *bench, const struct isa_plan *plan)
{
    static struct measurement m;
    struct engine_job job[RF_ISA_COUNT];
    struct engine_counts counts[RF_ISA_COUNT];
    struct peer_filter filter[PEERS_MAX];
    struct peer_counts peer[PEER_SIDES_MAX];
    char name[RF_ISA_COUNT][32];
    const struct data *data = &bench->trades;
    const uint32_t levels = (uint32_t)rf_isa_best() + 1;
    bool is_good = true;
    measurement_open(&m, plan->title, data->count, data->records, bench->laps);
    m.baseline = "simdjson";
    for (uint32_t p = 0; p < bench->peer_count && plan->expression != NULL; p++) {
        bench_filter_fn *run =
            plan->expression == w1c_expression ? bench->peers[p]->w1c_line : bench->peers[p]->w1_line;
        filter[p] = (struct peer_filter){.run = run, .input = data_input(data), .out_fd = -1};
        snprintf(filter[p].name, sizeof(filter[p].name), "simdjson line by line, %s",
                 bench_build_name(bench->peers[p]));
        measurement_add(&m, "simdjson", filter[p].name, peer_filter_run, &filter[p]);
    }
    if (plan->expression == NULL) {
        peers_add(&m, bench, data, peer);
    }
    uint32_t open = 0;
    for (; open < levels && is_good; open++) {
        const enum rf_isa isa = (enum rf_isa)open;
        snprintf(name[open], sizeof(name[open]), "riffle, %s", rf_isa_name(isa));
        if (plan->expression == NULL) {
            is_good = engine_w2_open(&counts[open], data, isa, 1);
            measurement_add(&m, name[open], name[open], engine_counts_run, &counts[open]);
        } else {
            is_good = engine_job_open(&job[open], plan->expression, data_input(data), data->records);
            job[open].isa = isa;
            job[open].is_prefiltered = plan->is_prefiltered;
            measurement_add(&m, name[open], name[open], engine_filter, &job[open]);
        }
    }
    is_good = is_good && measurement_run(&m);
    for (uint32_t i = 0; i < open; i++) {
        if (plan->expression == NULL) {
            engine_counts_close(&counts[i]);
        } else {
            engine_job_close(&job[i]);
        }
    }
    return is_good;
}

bool case_isa(struct bench *bench)
{
    static const struct isa_plan plan[] = {
        {"levels: W1", w1_expression, true},
        {"levels: W1 with --no-prefilter", w1_expression, false},
        {"levels: W1c", w1c_expression, false},
        {"levels: W2", NULL, false},
    };
    if (!data_load(&bench->trades)) {
        return false;
    }
    for (size_t i = 0; i < sizeof(plan) / sizeof(plan[0]); i++) {
        if (!isa_case_run(bench, &plan[i])) {
            return false;
        }
    }
    return true;
}
