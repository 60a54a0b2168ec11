/* R-*: many rules over one stream: from raw JSON as riffle backtest runs them, and as predicates on ready columns. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "backtest.h"
#include "bench.h"
#include "clock.h"
#include "gen_text.h"
#include "whole_command.h"

/* ---- From raw JSON ---- */

struct rules_side {
    const struct data *data;
    struct rf_text file;
    struct rf_rules *rules;
    struct rf_rules_program program;
    char name[96];
};

enum { BATCH_BYTES = 1024 * 1024 };

static bool rules_fail(const struct rf_error *err)
{
    fprintf(stderr, "riffle-bench: rules: %s\n", err->text);
    return false;
}

static bool rules_compile(struct rules_side *side)
{
    struct rf_error err;
    struct rf_diagnostic diagnostic;
    uint32_t failed;
    const struct rf_rules_extra extra = {.projections = 0};
    const struct rf_compile_options options = {.plans_values = true};
    if (rf_rules_read(RF_STR("rules"), rf_text_str(&side->file), &side->rules, &err) != RF_OK ||
        rf_rules_compile(side->rules, &extra, options, &side->program, &diagnostic, &failed, &err) != RF_OK) {
        return rules_fail(&err);
    }
    return true;
}

/* One pass; selected: hits of all rules. */
static bool rules_run(void *context, struct outcome *outcome)
{
    static const char *const input[] = {"stream"};
    const struct rules_side *side = context;
    struct rf_error err;
    struct rf_backtest *backtest;
    struct rf_source *source;
    struct rf_outcome found;
    struct rf_pipeline_result result;
    const struct rf_source_options source_options = {.batch_bytes = BATCH_BYTES};
    const struct rf_backtest_options options = {.rules = side->rules,
                                                .program = &side->program,
                                                .time = RF_NONE,
                                                .label = RF_NONE,
                                                .value = RF_NONE,
                                                .value_per = RF_NONE,
                                                .shard_by = RF_NONE,
                                                .isa = rf_isa_best(),
                                                .state_bytes_max = 1 << 20};
    if (rf_backtest_open(&backtest, options, &err) != RF_OK ||
        rf_source_open_memory(&source, side->data->bytes, side->data->count, "stream", source_options, &err) != RF_OK) {
        return rules_fail(&err);
    }
    const struct rf_pipeline_options pipeline = {.compiled = &side->program.compiled,
                                                 .watch = rf_backtest_watch(backtest),
                                                 .source = source,
                                                 .emit = RF_EMIT_NONE,
                                                 .backend = RF_BACKEND_CPU,
                                                 .isa = rf_isa_best(),
                                                 .threads = 1,
                                                 .batch_bytes = BATCH_BYTES,
                                                 .depth_max = 1024,
                                                 .prefix_begin = "",
                                                 .prefix_end = "",
                                                 .max_count = UINT64_MAX};
    if (rf_pipeline_run(&pipeline, &result, &err) != RF_OK ||
        rf_backtest_finish(backtest, &result, input, 1, &found, &err) != RF_OK) {
        return rules_fail(&err);
    }
    for (uint32_t r = 0; r < found.rules; r++) {
        outcome->selected += rf_tally_hits(&found.tally, r);
    }
    rf_outcome_close(&found);
    rf_source_close(source);
    rf_backtest_close(backtest);
    return true;
}

static bool line_add(struct rf_text *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool line_add(struct rf_text *file, const char *format, ...)
{
    char line[1024];
    struct rf_error err;
    va_list args;
    va_start(args, format);
    const int count = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    return rf_text_append(file, (struct rf_str){line, (size_t)count}, &err) == RF_OK;
}

/* A test of one of the ten fields, which all have their share. */
static size_t atom_write(struct rf_gen *random, char *out, size_t room)
{
    static const char *const order[] = {"<", "<=", ">", ">="};
    static const char *const symbol[] = {"MSFT", "XOM", "AAPL", "IBM", "GOOG", "AMZN", "TSLA", "JPM"};
    static const char *const mic[] = {"BATS", "XNAS", "XNYS", "ARCX"};
    const char *compare = order[gen_below(random, 4)];
    switch (gen_below(random, 12)) {
    case 0:
    case 1:
    case 2:
        return (size_t)snprintf(out, room, "price %s %" PRIu32 ".%02" PRIu32, compare, 1 + gen_below(random, 600),
                                gen_below(random, 100));
    case 3:
    case 4:
        return (size_t)snprintf(out, room, "qty %s %" PRIu32, compare, 1 + gen_below(random, 1000));
    case 5:
        return (size_t)snprintf(out, room, "symbol == \"%s\"", symbol[gen_below(random, 8)]);
    case 6:
        return (size_t)snprintf(out, room, "acct.startsWith(\"A-%" PRIu32 "\")", gen_below(random, 300));
    case 7:
        return (size_t)snprintf(out, room, "venue.mic == \"%s\"", mic[gen_below(random, 4)]);
    case 8:
        return (size_t)snprintf(out, room, "venue.lat.ms > 0.%03" PRIu32, gen_below(random, 1000));
    case 9:
        return (size_t)snprintf(out, room, gen_below(random, 2) == 0 ? "side == \"buy\"" : "active");
    case 10:
        return (size_t)snprintf(out, room, "id > %" PRIu32, 900000000 + gen_below(random, 1000000));
    default:
        return (size_t)snprintf(out, room, "venue.seq < %" PRIu32, 1 + gen_below(random, 1000));
    }
}

static bool mixed_make(struct rf_text *file, uint32_t rules)
{
    struct rf_gen random;
    rf_gen_open(&random, RF_GEN_TRADES, 11, 0, 0);
    bool is_good = line_add(file, "rules:\n");
    for (uint32_t r = 0; r < rules && is_good; r++) {
        char when[512];
        size_t used = atom_write(&random, when, sizeof when);
        for (uint32_t a = 1 + gen_below(&random, 3); a > 0; a--) {
            used += (size_t)snprintf(when + used, sizeof when - used, gen_below(&random, 2) == 0 ? " && " : " || ");
            used += atom_write(&random, when + used, sizeof when - used);
        }
        is_good = line_add(file, "  - {name: r%" PRIu32 ", when: '%s'}\n", r, when);
    }
    return is_good;
}

static bool json_case(struct bench *bench, struct rules_side *side, const char *title, const char *one,
                      const char *many, double must)
{
    static struct measurement m;
    if (!data_load(&bench->trades)) {
        return false;
    }
    for (int s = 0; s < 2; s++) {
        side[s].data = &bench->trades;
        if (side[s].rules == NULL && !rules_compile(&side[s])) {
            return false;
        }
    }
    measurement_open(&m, title, bench->trades.count, bench->trades.records, bench->laps);
    m.baseline = "one";
    measurement_add_other(&m, "one", one, rules_run, &side[0]);
    measurement_add(&m, "many", many, rules_run, &side[1]);
    measurement_add_ceiling(&m, "many", "one", must, must * 0.8);
    return measurement_run(&m);
}

bool case_rules_mixed(struct bench *bench)
{
    static struct rules_side side[2];
    if (side[0].file.count == 0 &&
        (!line_add(&side[0].file,
                   "rules:\n  - {name: one, when: 'price > 1.0 && qty > 1 && symbol != \"\" && acct.startsWith(\"A\") && "
                   "venue.mic != \"\" && venue.lat.ms >= 0.0 && side != \"\" && id > 0 && venue.seq >= 0 && active'}\n") ||
         !mixed_make(&side[1].file, 1000))) {
        return false;
    }
    return json_case(bench, side,
                     "R-1000  1,000 rules of two to four tests (thresholds, equalities, prefixes) over ten fields, raw JSON\n"
                     "  one thread; against one rule that reads the same ten fields",
                     "one rule of ten fields", "1,000 rules", 2.0);
}

static const char sweep_of_two[] = "rules:\n  - name: s\n    when: price > t && qty >= q\n"
                                   "    sweep: {t: {from: 1, to: 595, step: 6}, q: {from: 1, to: 991, step: 10}}\n";

bool case_rules_sweep(struct bench *bench)
{
    static struct rules_side side[2];
    if (side[0].file.count == 0 &&
        (!line_add(&side[0].file, "rules:\n  - {name: one, when: 'price > 100 && qty >= 50'}\n") ||
         !line_add(&side[1].file, "%s", sweep_of_two))) {
        return false;
    }
    return json_case(bench, side,
                     "R-sweep  10,000 rules: a sweep of two parameters over two fields, raw JSON, one thread\n"
                     "  against one rule of the same two fields",
                     "one rule of two fields", "10,000 rules", 3.0);
}

/* ---- Peak memory ---- */

/* Hits of all rules, from what --emit csv has written; false when the file is not there. */
static bool hits_sum(const char *path, uint64_t *hits)
{
    char line[512];
    FILE *file = fopen(path, "r");
    *hits = 0;
    if (file == NULL) {
        return false;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        const char *end = strstr(line, "}\","); /* of the name, which has a comma and is quoted */
        *hits += end == NULL ? 0 : strtoull(end + 3, NULL, 10);
    }
    return fclose(file) == 0;
}

static bool text_write(const char *folder, const char *path, const char *text)
{
    (void)mkdir(folder, 0777); /* fopen tells when it is not there */
    FILE *file = fopen(path, "w");
    bool is_written = file != NULL && fputs(text, file) >= 0;
    is_written = file != NULL && fclose(file) == 0 && is_written;
    if (!is_written) {
        fprintf(stderr, "riffle-bench: %s: %s\n", path, strerror(errno));
    }
    return is_written;
}

bool case_rules_memory(struct bench *bench)
{
    enum { GOAL_MIB = 512, PATH_BYTES = 4096 };
    static struct rules_side side;
    static char rules[PATH_BYTES];
    static char found[PATH_BYTES];
    const struct data *data = &bench->trades;
    struct outcome outcome = {0};
    struct outcome one = {0};
    uint64_t peak_kib = 0;
    uint64_t hits = 0;
    if (!command_is_there(bench->riffle) || !data_load(&bench->trades)) {
        fprintf(stderr, "riffle-bench: %s is not there: build it, or name it with --riffle\n", bench->riffle);
        return false;
    }
    (void)snprintf(rules, sizeof rules, "%s/R-memory.yaml", bench->folder);
    (void)snprintf(found, sizeof found, "%s/R-memory.csv", bench->folder);
    side.data = data;
    if (!text_write(bench->folder, rules, sweep_of_two) ||
        (side.rules == NULL && (!line_add(&side.file, "%s", sweep_of_two) || !rules_compile(&side)))) {
        return false;
    }
    const struct command riffle = {
        {bench->riffle, "backtest", "--time", "ts", "--emit", "csv", "-o", found, rules, "-"}, 0};
    /* Whole copies of the stream, so that the number found is known. */
    const uint64_t copies = ((uint64_t)bench->memory_gib << 30) / data->count;
    const uint64_t begin_ns = rf_clock_ns();
    if (!command_feed(&riffle, data->bytes, data->count, copies * data->count, &peak_kib, &outcome)) {
        return false;
    }
    const double seconds = (double)(rf_clock_ns() - begin_ns) / 1e9;
    const double gib = (double)(copies * data->count) / (1 << 30);
    printf("R-memory: riffle backtest --time ts, 10,000 rules, on %.1f GiB through a pipe\n"
           "  %.2f GiB/s, peak resident memory %.1f MiB (must < %d): %s\n",
           gib, gib / seconds, (double)peak_kib / 1024, GOAL_MIB,
           peak_kib < GOAL_MIB * 1024 ? "must met" : "MUST MISSED");
    if (!rules_run(&side, &one) || !hits_sum(found, &hits) || one.selected * copies != hits) {
        printf("  DIFFERENT: %" PRIu64 " hits, and %" PRIu64 " in each of the %" PRIu64 " copies\n\n", hits, one.selected, copies);
        return false;
    }
    printf("  %" PRIu64 " hits, as in one copy times %" PRIu64 "\n\n", hits, copies);
    return true;
}

/* ---- On ready columns ---- */

enum { COLUMN_ROWS = 1024 * 1024, PREDICATES_MAX = 1000, ROUND_ROWS = 64 * 1024 };

struct columns_side {
    struct rf_compiled compiled;
    struct rf_eval eval;
    uint32_t slot_of[2];
    uint32_t predicates;
    bool is_single; /* a > c alone */
    double above[PREDICATES_MAX], below[PREDICATES_MAX];
    uint64_t count[PREDICATES_MAX];
};

static struct {
    double *value[2];
    uint8_t *tag;
    uint8_t *status;
    uint32_t *span;
} column_data;

static bool column_data_make(void)
{
    struct rf_gen random;
    const size_t rows = COLUMN_ROWS + 128;
    if (column_data.tag != NULL) {
        return true;
    }
    rf_gen_open(&random, RF_GEN_TRADES, 6, 0, 0);
    for (int c = 0; c < 2; c++) {
        column_data.value[c] = aligned_alloc(64, rows * sizeof(double));
    }
    column_data.tag = aligned_alloc(64, rows);
    column_data.status = aligned_alloc(64, rows);
    column_data.span = calloc(rows, sizeof(uint32_t));
    if (column_data.value[0] == NULL || column_data.value[1] == NULL || column_data.tag == NULL ||
        column_data.status == NULL || column_data.span == NULL) {
        fprintf(stderr, "riffle-bench: no memory for columns\n");
        return false;
    }
    memset(column_data.tag, RF_TAG_NUMBER, rows);
    memset(column_data.status, RF_ROW_REJECTED, rows);
    for (size_t i = 0; i < rows; i++) {
        column_data.value[0][i] = (double)gen_random32(&random) / 4294967296.0;
        column_data.value[1][i] = gen_below(&random, 1000000);
    }
    return true;
}

static void columns_tally(void *context, const struct rf_eval_tile *tile)
{
    struct columns_side *side = context;
    for (uint32_t i = 0; i < tile->count; i++) {
        side->count[tile->predicate[i]] += tile->hits[i].hits;
    }
}

/* As a backtest without times: counts are enough. */
static void columns_cut(void *context, uint32_t first, uint32_t rows, const uint64_t *live, struct rf_eval_spans *spans)
{
    (void)context;
    (void)first;
    (void)live;
    *spans = (struct rf_eval_spans){.count = 1, .end = {rows}, .goes_on = true};
}

static bool columns_open(struct columns_side *side, uint32_t predicates, bool is_single)
{
    static struct rf_str expression[PREDICATES_MAX];
    static char text[PREDICATES_MAX][96];
    struct rf_gen random;
    struct rf_error err;
    struct rf_diagnostic diagnostic;
    uint32_t failed;
    rf_gen_open(&random, RF_GEN_TRADES, 8, 0, 0);
    side->predicates = predicates;
    side->is_single = is_single;
    for (uint32_t p = 0; p < predicates; p++) {
        side->above[p] = (gen_below(&random, 1000000) + 0.5) / 1000000;
        side->below[p] = gen_below(&random, 1000000);
        const int count = is_single ? snprintf(text[p], sizeof text[p], "a > %.7f", side->above[p])
                                    : snprintf(text[p], sizeof text[p], "a > %.7f && b < %.0f", side->above[p],
                                               side->below[p]);
        expression[p] = (struct rf_str){text[p], (size_t)count};
    }
    if (rf_compile(expression, predicates, NULL, 0, (struct rf_compile_options){0}, &side->compiled, &diagnostic, &failed,
                   &err) != RF_OK ||
        rf_eval_open_tally(&side->eval, &side->compiled.program, ROUND_ROWS, &err) != RF_OK) {
        return rules_fail(&err);
    }
    const struct rf_program *program = &side->compiled.program;
    for (uint32_t s = 0; s < program->slots; s++) {
        const struct rf_str key = program->node[program->slot[s].node].step.key;
        side->slot_of[rf_str_equal(key, RF_STR("a")) ? 0 : 1] = s;
    }
    return true;
}

static bool columns_run(void *context, struct outcome *outcome)
{
    struct columns_side *side = context;
    struct rf_column column[2];
    struct rf_columns columns = {
        .slots = side->compiled.program.slots, .rows_max = ROUND_ROWS, .slot = column};
    const struct rf_batch batch = {.bytes = (const uint8_t *)""};
    const struct rf_eval_reader reader = {.context = side, .cut = columns_cut, .tally = columns_tally};
    memset(side->count, 0, sizeof side->count);
    for (uint32_t begin = 0; begin < COLUMN_ROWS; begin += ROUND_ROWS) {
        const struct rf_rows rows = {.rows = ROUND_ROWS,
                                     .rows_max = ROUND_ROWS,
                                     .lines = ROUND_ROWS,
                                     .begin = column_data.span,
                                     .end = column_data.span,
                                     .status = column_data.status + begin};
        for (uint32_t c = 0; c < columns.slots; c++) {
            column[side->slot_of[c]] = (struct rf_column){.tag = column_data.tag + begin,
                                                          .payload = (uint64_t *)(void *)(column_data.value[c] + begin),
                                                          .begin = column_data.span,
                                                          .length = column_data.span};
        }
        rf_eval_read(&side->eval, rf_isa_best(), &batch, &rows, &columns, NULL, &reader);
    }
    for (uint32_t p = 0; p < side->predicates; p++) {
        outcome->selected += side->count[p];
        outcome->digest = bench_hash(p == 0 ? BENCH_HASH_START : outcome->digest, &side->count[p], sizeof(uint64_t));
    }
    return true;
}

struct plain_side {
    const struct bench_peers *peers;
    const struct columns_side *like;
    char name[96];
};

static bool plain_run(void *context, struct outcome *outcome)
{
    const struct plain_side *plain = context;
    const struct columns_side *like = plain->like;
    static uint64_t count[PREDICATES_MAX];
    memset(count, 0, sizeof count);
    plain->peers->predicates_count(column_data.value[0], like->is_single ? NULL : column_data.value[1], COLUMN_ROWS,
                                   like->above, like->below, like->predicates, count);
    for (uint32_t p = 0; p < like->predicates; p++) {
        outcome->selected += count[p];
        outcome->digest = bench_hash(p == 0 ? BENCH_HASH_START : outcome->digest, &count[p], sizeof(uint64_t));
    }
    return true;
}

static bool columns_case(struct bench *bench, struct columns_side *side, struct plain_side *plain, const char *title,
                         double must)
{
    static struct measurement m;
    measurement_open(&m, title, (size_t)COLUMN_ROWS * 8 * (side->is_single ? 1 : 2),
                     (uint64_t)COLUMN_ROWS * side->predicates, bench->laps);
    m.baseline = "plain C";
    measurement_add(&m, "riffle", "riffle, rf_eval_read with a tally", columns_run, side);
    for (uint32_t p = 0; p < bench->peer_count; p++) {
        plain[p].peers = bench->peers[p];
        plain[p].like = side;
        snprintf(plain[p].name, sizeof plain[p].name, "plain C in blocks that stay in cache, %s",
                 bench_build_name(bench->peers[p]));
        measurement_add(&m, "plain C", plain[p].name, plain_run, &plain[p]);
    }
    measurement_add_goal(&m, "riffle", "plain C", must, must * 1.5);
    return measurement_run(&m);
}

bool case_predicates(struct bench *bench)
{
    static struct columns_side side[3];
    static struct plain_side plain[3][PEERS_MAX];
    if (!column_data_make()) {
        return false;
    }
    if (side[0].predicates == 0 && (!columns_open(&side[0], 64, false) || !columns_open(&side[1], PREDICATES_MAX, false) ||
                                    !columns_open(&side[2], PREDICATES_MAX, true))) {
        return false;
    }
    const bool is_good[3] = {
        columns_case(bench, &side[0], plain[0],
                     "P-64  64 predicates a > c && b < d on ready columns, 1 Mi rows, one thread; a record is a predicate of a row",
                     1.15),
        columns_case(bench, &side[1], plain[1], "P-1000  1,000 such predicates", 1.15),
        columns_case(bench, &side[2], plain[2], "P-rank  1,000 thresholds a > c on one column", 5.75)};
    return is_good[0] && is_good[1] && is_good[2];
}
