/* W6: one pair of predicates on columns that are ready, against the sum of the same bytes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bench.h"
#include "compile.h"
#include "eval.h"
#include "gen_text.h"

enum {
    W6_ROWS = 10000000,
    W6_SLOTS = 2,
    W6_ROUND_ROWS = RF_ROWS_MAX_DEFAULT, /* as the pipeline cuts its batches */
    W6_PADDED_ROWS = (W6_ROWS + 127) / 64 * 64,
};
static const double w6_above = 0.5;
static const double w6_below = 5000;

/* Message numbers as the extract stage leaves them: a tag and a payload for each slot and row, a status for each row.
 */
struct w6_columns {
    uint8_t *tag[W6_SLOTS];
    double *payload[W6_SLOTS];
    uint8_t *status;
    uint32_t *span; /* of records and tokens, which a comparison of numbers never looks at: all zero */
};

struct w6_engine {
    struct rf_compiled compiled;
    struct rf_eval eval;
    const struct w6_columns *columns;
    uint32_t slot_of[W6_SLOTS]; /* of a and of b in the program */
    enum rf_isa isa;
};

struct w6_floor {
    const struct bench_peers *peers;
    const struct w6_columns *columns;
    char name[3][96];
};

static void *pages_take(size_t bytes)
{
    enum { HUGE_PAGE_BYTES = 2 << 20 };
    bytes = (bytes + HUGE_PAGE_BYTES - 1) / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES;
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) {
        return NULL;
    }
    (void)madvise(pages, bytes, MADV_HUGEPAGE); /* a wish */
    return pages;
}

/* The process ends soon after: the pages go with it. */
static bool columns_make(struct w6_columns *columns)
{
    struct rf_gen random;
    rf_gen_open(&random, RF_GEN_TRADES, 6, 0, 0);
    columns->status = pages_take(W6_PADDED_ROWS);
    columns->span = pages_take(W6_PADDED_ROWS * sizeof(uint32_t));
    bool is_good = columns->status != NULL && columns->span != NULL;
    for (int s = 0; s < W6_SLOTS && is_good; s++) {
        columns->tag[s] = pages_take(W6_PADDED_ROWS);
        columns->payload[s] = pages_take(W6_PADDED_ROWS * sizeof(double));
        is_good = columns->tag[s] != NULL && columns->payload[s] != NULL;
    }
    if (!is_good) {
        fprintf(stderr, "riffle-bench: no memory for the columns of W6\n");
        return false;
    }
    for (uint32_t i = 0; i < W6_ROWS; i++) {
        columns->payload[0][i] = (double)gen_random32(&random) / 4294967296.0;
        columns->payload[1][i] = gen_below(&random, 10000);
    }
    for (int s = 0; s < W6_SLOTS; s++) {
        memset(columns->tag[s], RF_TAG_NUMBER, W6_PADDED_ROWS);
    }
    memset(columns->status, RF_ROW_REJECTED, W6_PADDED_ROWS);
    return true;
}

static bool engine_open(struct w6_engine *engine, const struct w6_columns *columns)
{
    const struct rf_str expression = RF_STR("a > 0.5 && b < 5000");
    struct rf_diagnostic diagnostic;
    struct rf_error err;
    uint32_t failed;
    if (rf_compile(&expression, 1, NULL, 0, (struct rf_compile_options){0}, &engine->compiled, &diagnostic, &failed,
                   &err) != RF_OK ||
        rf_eval_open(&engine->eval, &engine->compiled.program, W6_ROUND_ROWS, &err) != RF_OK) {
        fprintf(stderr, "riffle-bench: W6: %s\n", err.text);
        return false;
    }
    const struct rf_program *program = &engine->compiled.program;
    if (program->slots != W6_SLOTS || program->has_host) {
        fprintf(stderr, "riffle-bench: W6: the program has %" PRIu32 " slots instead of 2\n", program->slots);
        return false;
    }
    for (uint32_t s = 0; s < program->slots; s++) {
        const struct rf_str key = program->node[program->slot[s].node].step.key;
        engine->slot_of[rf_str_equal(key, RF_STR("a")) ? 0 : 1] = s;
    }
    engine->columns = columns;
    engine->isa = rf_isa_best();
    return true;
}

static bool engine_run(void *context, struct outcome *outcome)
{
    struct w6_engine *engine = context;
    const struct w6_columns *from = engine->columns;
    struct rf_column column[W6_SLOTS];
    struct rf_columns columns = {.slots = W6_SLOTS, .rows_max = W6_ROUND_ROWS, .slot = column};
    struct rf_batch batch = {.bytes = (const uint8_t *)""};
    uint64_t selected = 0;
    for (uint32_t begin = 0; begin < W6_ROWS; begin += W6_ROUND_ROWS) {
        const uint32_t left = W6_ROWS - begin;
        struct rf_rows rows = {.rows = left < W6_ROUND_ROWS ? left : W6_ROUND_ROWS, .rows_max = W6_ROUND_ROWS};
        rows.lines = rows.rows;
        rows.begin = from->span;
        rows.end = from->span;
        rows.status = from->status + begin;
        for (int s = 0; s < W6_SLOTS; s++) {
            column[engine->slot_of[s]] = (struct rf_column){
                .tag = from->tag[s] + begin,
                .payload = (uint64_t *)(void *)(from->payload[s] + begin),
                .begin = from->span,
                .length = from->span,
            };
        }
        rf_eval_run(&engine->eval, engine->isa, &batch, &rows, &columns, NULL);
        selected += rf_bitmap_count(engine->eval.truth[0], rows.rows);
    }
    outcome->selected = selected;
    return true;
}

static bool compare_run(void *context, struct outcome *outcome)
{
    const struct w6_floor *floor = context;
    const struct w6_columns *columns = floor->columns;
    outcome->selected = floor->peers->w6_count(columns->payload[0], columns->payload[1], W6_ROWS, w6_above, w6_below);
    return true;
}

static bool sum_payload_run(void *context, struct outcome *outcome)
{
    const struct w6_floor *floor = context;
    for (int s = 0; s < W6_SLOTS; s++) {
        outcome->selected += floor->peers->byte_sum(floor->columns->payload[s], W6_ROWS * sizeof(double));
    }
    return true;
}

static bool sum_all_run(void *context, struct outcome *outcome)
{
    const struct w6_floor *floor = context;
    for (int s = 0; s < W6_SLOTS; s++) {
        outcome->selected += floor->peers->byte_sum(floor->columns->tag[s], W6_ROWS);
    }
    outcome->selected += floor->peers->byte_sum(floor->columns->status, W6_ROWS);
    return sum_payload_run(context, outcome);
}

bool case_w6(struct bench *bench)
{
    static struct w6_columns columns;
    static struct w6_engine engine;
    static struct w6_floor floor[PEERS_MAX];
    static struct measurement m;
    enum { PAYLOAD_BYTES = W6_SLOTS * W6_ROWS * 8, ALL_BYTES = PAYLOAD_BYTES + (W6_SLOTS + 1) * W6_ROWS };
    if (columns.status == NULL && (!columns_make(&columns) || !engine_open(&engine, &columns))) {
        return false;
    }
    measurement_open(
        &m,
        "W6  count a > 0.5 && b < 5000 on ready columns, 10 M rows, one thread\n"
        "  riffle reads 19 bytes a row: two payloads of 8, two tags, one row status; the first floor sums those\n"
        "  19, the second one the 16 of the payloads. GB/s counts 19 bytes for every side",
        ALL_BYTES, W6_ROWS, bench->laps);
    m.baseline = "sum of the same bytes";
    measurement_add(&m, "riffle", "riffle, rf_eval_run", engine_run, &engine);
    for (uint32_t p = 0; p < bench->peer_count; p++) {
        struct w6_floor *peer = &floor[p];
        const char *build = bench_build_name(bench->peers[p]);
        *peer = (struct w6_floor){.peers = bench->peers[p], .columns = &columns};
        snprintf(peer->name[0], sizeof(peer->name[0]), "plain C on bare doubles, %s", build);
        snprintf(peer->name[1], sizeof(peer->name[1]), "floor: sum of the 19 bytes, %s", build);
        snprintf(peer->name[2], sizeof(peer->name[2]), "floor: sum of the 16 bytes, %s", build);
        measurement_add(&m, "plain C", peer->name[0], compare_run, peer);
        measurement_add_other(&m, "sum of the same bytes", peer->name[1], sum_all_run, peer);
        measurement_add_other(&m, "sum of the payloads", peer->name[2], sum_payload_run, peer);
    }
    measurement_add_goal(&m, "riffle", "sum of the same bytes", 0.90, 0.97);
    return measurement_run(&m);
}
