/* stages: what each stage costs, alone. For finding where time goes; nobody to compare with.
 *
 * Method  each batch of the first MiBs of T goes through all stages many times; the least time of each stage is taken and
 *         averaged over the batches. So the figures are those of warm caches and trained branches, below what a run over
 *         the whole stream takes, and steady from run to run also on a busy machine.
 */
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "clock.h"
#include "worker.h"

enum { STAGES = 4, STAGE_PREDICATES_MAX = 10, REPEATS = 400, STAGE_BYTES = 4 << 20 };

struct stages_plan {
    const char *name;
    bool is_prefiltered;
    uint32_t predicates;
    const char *predicate[STAGE_PREDICATES_MAX];
};

struct stages_sum {
    uint64_t ns[STAGES];
    uint64_t records;
};

static const struct stages_plan plans[] = {
    {"W1", true, 1, {"price > 410 && symbol == \"MSFT\""}},
    {"W1 --no-prefilter", false, 1, {"price > 410 && symbol == \"MSFT\""}},
    {"W1c", false, 1, {"price > 410"}},
    {"ten fields",
     false,
     10,
     {"price > 410", "symbol == \"MSFT\"", "venue.lat.ms < 4.0", "qty > 100", "venue.seq > 700", "type == \"trade\"",
      "side == \"buy\"", "acct < \"A-05000\"", "venue.mic == \"XNAS\"", "active"}},
};

/* One batch, again and again; the least time of each stage. */
static bool batch_time(struct rf_worker *worker, struct stages_sum *sum)
{
    struct rf_error err;
    uint64_t least[STAGES];
    memset(least, 0xff, sizeof(least));
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        uint64_t at[STAGES + 1];
        worker->batch.cursor = 0;
        at[0] = rf_clock_ns();
        if (rf_worker_index(worker, &err) != RF_OK) {
            return false;
        }
        at[1] = rf_clock_ns();
        rf_worker_extract(worker);
        at[2] = rf_clock_ns();
        if (rf_worker_eval(worker, &err) != RF_OK) {
            return false;
        }
        at[3] = rf_clock_ns();
        rf_worker_select(worker);
        at[4] = rf_clock_ns();
        for (int s = 0; s < STAGES; s++) {
            const uint64_t took = at[s + 1] - at[s];
            least[s] = took < least[s] ? took : least[s];
        }
    }
    for (int s = 0; s < STAGES; s++) {
        sum->ns[s] += least[s];
    }
    sum->records += worker->rows.lines;
    return true;
}

static bool plan_run(const struct stages_plan *plan, enum rf_isa isa, const struct data *data)
{
    struct rf_error err;
    struct rf_diagnostic diagnostic;
    struct rf_compiled compiled;
    struct rf_str source[STAGE_PREDICATES_MAX];
    uint32_t failed;
    for (uint32_t p = 0; p < plan->predicates; p++) {
        source[p] = rf_str_of(plan->predicate[p]);
    }
    const struct rf_compile_options compile = {0};
    if (rf_compile(source, plan->predicates, NULL, 0, compile, &compiled, &diagnostic, &failed, &err) != RF_OK) {
        return false;
    }
    const struct rf_pipeline_options options = {
        .compiled = &compiled,
        .emit = RF_EMIT_NONE,
        .backend = RF_BACKEND_CPU,
        .isa = isa,
        .threads = 1,
        .depth_max = RF_DEPTH_MAX_DEFAULT,
        .is_prefilter_allowed = plan->is_prefiltered,
        .max_count = UINT64_MAX,
    };
    struct rf_worker worker;
    struct rf_source *from = NULL;
    struct stages_sum sum = {{0}, 0};
    const size_t count = data_lines_within(data, STAGE_BYTES);
    const struct rf_source_options from_options = {0};
    bool is_good = rf_worker_open(&worker, &options, &err) == RF_OK &&
                   rf_source_open_memory(&from, data->bytes, count, "T", from_options, &err) == RF_OK;
    while (is_good && rf_source_fill(from, &worker.batch, &err) == RF_OK) {
        is_good = batch_time(&worker, &sum);
    }
    if (is_good) {
        printf("  %-18s %-7s", plan->name, rf_isa_name(isa));
        double total = 0;
        for (int s = 0; s < STAGES; s++) {
            const double each = (double)sum.ns[s] / (double)sum.records;
            total += each;
            printf(" %8.1f", each);
        }
        printf(" %8.1f\n", total);
    }
    if (from != NULL) {
        rf_source_close(from);
    }
    rf_worker_close(&worker);
    rf_compiled_close(&compiled);
    return is_good;
}

bool case_stages(struct bench *bench)
{
    if (!data_load(&bench->trades)) {
        return false;
    }
    printf("stages  least time of each, ns for each record, batches of T in cache\n");
    printf("  %-18s %-7s %8s %8s %8s %8s %8s\n", "", "level", "index", "extract", "eval", "select", "sum");
    for (size_t p = 0; p < sizeof(plans) / sizeof(plans[0]); p++) {
        for (int isa = RF_ISA_SCALAR; isa <= (int)rf_isa_best(); isa++) {
            if (!plan_run(&plans[p], (enum rf_isa)isa, &bench->trades)) {
                return false;
            }
        }
    }
    printf("\n");
    fflush(stdout);
    return true;
}
