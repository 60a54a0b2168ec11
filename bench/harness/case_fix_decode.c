/* FX-dec, FX-pick7, FX-filter: FIX from raw bytes, BodyLength and CheckSum of every message verified by every side.
 *
 * Sides   riffle        the stages of the pipeline, as a worker calls them: frame, index, cells
 *         plain C       one careful pass, memchr for the ends of values; by both compilers
 *         QuickFIX      FIX::Message::setString, where libquickfix-dev is installed
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "fix_cells.h"
#include "fix_index.h"
#include "fix_peer.h"

enum { PICK_SLOTS = 7, RECORD_MAX = 16 << 20, FILTER_ROWS = 8192 };
enum { PICK_SYMBOL, PICK_SIDE, PICK_QUANTITY, PICK_LAST_QUANTITY, PICK_SUM_QUANTITY, PICK_LAST_PRICE, PICK_AVERAGE };
static const uint32_t pick_tags[PICK_SLOTS] = {55, 54, 38, 32, 14, 31, 6};

enum { FILTER_TYPE, FILTER_PRICE, FILTER_SLOTS };
static const uint32_t filter_tags[FILTER_SLOTS] = {35, 31};
static const double filter_above = 200;

/* The stages of riffle on one stream. */
struct fix_stages {
    const struct data *data;
    enum rf_isa isa;
    struct rf_rows rows;
    struct rf_fix_frame frame;
    struct rf_fix_index index;
    struct rf_columns columns;
    char name[64];
};

struct fix_peer {
    const struct bench_peers *peers;
    struct bench_input input;
    char name[96];
};

static bool stages_open(struct fix_stages *stages, struct data *data, enum rf_isa isa, const uint32_t *tags,
                        uint32_t slots, uint32_t rows_max, size_t batch_bytes)
{
    struct rf_error err;
    if (!data_load(data)) {
        return false;
    }
    *stages = (struct fix_stages){.data = data, .isa = isa};
    snprintf(stages->name, sizeof stages->name, "riffle, %s", rf_isa_name(isa));
    if (rf_rows_open(&stages->rows, rows_max, &err) != RF_OK ||
        rf_fix_frame_open(&stages->frame, rows_max, RECORD_MAX, false, &err) != RF_OK ||
        rf_fix_index_open(&stages->index, rows_max, tags, slots, &err) != RF_OK ||
        rf_fix_index_reserve(&stages->index, batch_bytes, &err) != RF_OK ||
        rf_columns_open(&stages->columns, slots, rows_max, &err) != RF_OK) {
        fprintf(stderr, "riffle-bench: FIX: %s\n", err.text);
        return false;
    }
    return true;
}

static void stages_close(struct fix_stages *stages)
{
    rf_columns_close(&stages->columns);
    rf_fix_index_close(&stages->index);
    rf_fix_frame_close(&stages->frame);
    rf_rows_close(&stages->rows);
}

static bool sums_judge(const struct bench_fix_sums *sums, struct outcome *outcome, const char *name)
{
    outcome->selected = sums->messages;
    outcome->digest = bench_hash(BENCH_HASH_START, sums, sizeof *sums);
    if (sums->bad != 0) {
        fprintf(stderr, "riffle-bench: FIX: %s could not read a message behind %" PRIu64 "\n", name, sums->messages);
    }
    return sums->bad == 0;
}

/* The next round of rows over the stream; false behind the last. */
static bool stages_round(struct fix_stages *stages, struct rf_batch *batch, enum rf_fix_run run,
                         struct bench_fix_sums *sums)
{
    if (batch->cursor == batch->bytes_used) {
        return false;
    }
    rf_fix_frame_run(&stages->frame, stages->isa, batch, (struct rf_span32){batch->cursor, batch->bytes_used}, run,
                     &stages->rows);
    batch->cursor = stages->rows.cursor;
    sums->messages += stages->rows.rows;
    return true;
}

static void bad_count(const struct fix_stages *stages, struct bench_fix_sums *sums)
{
    for (uint32_t row = 0; row < stages->rows.rows; row++) {
        sums->bad += stages->rows.status[row] != RF_ROW_REJECTED;
    }
}

static struct rf_batch data_batch(const struct data *data)
{
    return (struct rf_batch){.bytes = (const uint8_t *)data->bytes, .bytes_used = (uint32_t)data->count};
}

static bool riffle_dec_run(void *context, struct outcome *outcome)
{
    struct fix_stages *stages = context;
    struct rf_batch batch = data_batch(stages->data);
    struct bench_fix_sums sums = {0};
    while (stages_round(stages, &batch, RF_FIX_LAST, &sums)) {
        const struct rf_fix_index *index = &stages->index;
        rf_fix_index_all(&stages->index, stages->isa, &batch, &stages->rows, &stages->frame);
        const uint32_t fields = index->first[stages->rows.rows];
        for (uint32_t f = 0; f < fields; f++) {
            sums.tags += index->tag[f];
        }
        for (uint32_t f = 0; f < fields; f++) {
            sums.lengths += index->length[f];
        }
        sums.fields += fields;
        bad_count(stages, &sums);
    }
    return sums_judge(&sums, outcome, stages->name);
}

/* As bench_fix_fold, from riffle's columns. */
static void columns_fold(const struct rf_columns *columns, uint32_t rows, struct bench_fix_sums *sums)
{
    const struct rf_column *slot = columns->slot;
    uint64_t prices = 0;
    uint64_t quantities = 0;
    uint64_t texts = 0;
    for (uint32_t row = 0; row < rows; row++) {
        quantities += slot[PICK_QUANTITY].payload[row] + 3 * slot[PICK_LAST_QUANTITY].payload[row] +
                      7 * slot[PICK_SUM_QUANTITY].payload[row];
    }
    for (uint32_t row = 0; row < rows; row++) {
        texts += slot[PICK_SYMBOL].length[row] * (slot[PICK_SIDE].payload[row] >> 56);
    }
    for (uint32_t row = 0; row < rows; row++) {
        prices += slot[PICK_LAST_PRICE].payload[row] * 5 + slot[PICK_AVERAGE].payload[row];
    }
    sums->fold += quantities + texts + prices;
}

static bool riffle_pick7_run(void *context, struct outcome *outcome)
{
    struct fix_stages *stages = context;
    struct rf_batch batch = data_batch(stages->data);
    struct bench_fix_sums sums = {0};
    struct rf_column *slot = stages->columns.slot;
    while (stages_round(stages, &batch, RF_FIX_LAST, &sums)) {
        const uint32_t rows = stages->rows.rows;
        rf_fix_index_wanted(&stages->index, stages->isa, &batch, &stages->rows, &stages->frame, &stages->columns);
        for (int s = PICK_SYMBOL; s <= PICK_SIDE; s++) {
            rf_fix_cells_text(&batch, rows, &slot[s]);
        }
        for (int s = PICK_QUANTITY; s <= PICK_SUM_QUANTITY; s++) {
            rf_fix_cells_int(stages->isa, &batch, rows, &slot[s]);
        }
        for (int s = PICK_LAST_PRICE; s <= PICK_AVERAGE; s++) {
            rf_fix_cells_double(stages->isa, &batch, rows, &slot[s]);
        }
        columns_fold(&stages->columns, rows, &sums);
        bad_count(stages, &sums);
    }
    return sums_judge(&sums, outcome, stages->name);
}

/* One round of rows: their columns, and how many are selected. */
static uint64_t filter_round(struct fix_stages *stages, const struct rf_batch *batch)
{
    const struct rf_column *slot = stages->columns.slot;
    const uint32_t rows = stages->rows.rows;
    uint64_t selected = 0;
    rf_fix_index_wanted(&stages->index, stages->isa, batch, &stages->rows, &stages->frame, &stages->columns);
    rf_fix_cells_text(batch, rows, &stages->columns.slot[FILTER_TYPE]);
    rf_fix_cells_double(stages->isa, batch, rows, &stages->columns.slot[FILTER_PRICE]);
    for (uint32_t row = 0; row < rows; row++) {
        double price;
        memcpy(&price, &slot[FILTER_PRICE].payload[row], sizeof price);
        selected += (slot[FILTER_PRICE].tag[row] == RF_TAG_DOUBLE) & (price > filter_above) &
                    (slot[FILTER_TYPE].length[row] == 1) & (slot[FILTER_TYPE].payload[row] == (uint64_t)'8' << 56);
    }
    return selected;
}

/* Batches that end anywhere; the framing of one says where the next begins. */
static bool riffle_filter_run(void *context, struct outcome *outcome)
{
    struct fix_stages *stages = context;
    const uint8_t *bytes = (const uint8_t *)stages->data->bytes;
    const size_t count = stages->data->count;
    struct bench_fix_sums sums = {0};
    uint64_t selected = 0;
    for (size_t begin = 0; begin < count;) {
        const size_t left = count - begin;
        const bool is_last = left <= RF_BATCH_BYTES_DEFAULT;
        struct rf_batch batch = {.bytes = bytes + begin,
                                 .bytes_used = is_last ? (uint32_t)left : RF_BATCH_BYTES_DEFAULT};
        while (stages_round(stages, &batch, is_last ? RF_FIX_LAST : RF_FIX_MORE, &sums)) {
            selected += filter_round(stages, &batch);
            bad_count(stages, &sums);
            if (!stages->frame.is_whole) {
                break;
            }
        }
        begin += batch.cursor;
    }
    outcome->selected = selected;
    return sums.bad == 0;
}

static bool plain_dec_run(void *context, struct outcome *outcome)
{
    const struct fix_peer *peer = context;
    const struct bench_fix_sums sums = peer->peers->fix_decode(peer->input);
    return sums_judge(&sums, outcome, peer->name);
}

static bool plain_pick7_run(void *context, struct outcome *outcome)
{
    static struct bench_fix_columns columns;
    const struct fix_peer *peer = context;
    const struct bench_fix_sums sums = peer->peers->fix_pick7(peer->input, &columns);
    return sums_judge(&sums, outcome, peer->name);
}

static bool plain_filter_run(void *context, struct outcome *outcome)
{
    const struct fix_peer *peer = context;
    const struct bench_selection selection = peer->peers->fix_filter(peer->input, filter_above);
    outcome->selected = selection.selected;
    return selection.bad == 0;
}

/* QuickFIX lies in a shared object of its own: its headers are no C++17. */
struct quickfix_peer {
    bench_fix_pick7_fn *pick7;
    struct bench_input input;
};

static bool quickfix_run(void *context, struct outcome *outcome)
{
    static struct bench_fix_columns columns;
    const struct quickfix_peer *peer = context;
    const struct bench_fix_sums sums = peer->pick7(peer->input, &columns);
    return sums_judge(&sums, outcome, "QuickFIX");
}

static void quickfix_open(const struct bench *bench, struct quickfix_peer *peer)
{
    char *path = NULL;
    if (asprintf(&path, "%s/peer_quickfix.so", bench->here) < 0) {
        return;
    }
    void *library = access(path, R_OK) == 0 ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (library != NULL) {
        *(void **)&peer->pick7 = dlsym(library, "bench_quickfix_pick7");
    } else if (access(path, R_OK) == 0) {
        fprintf(stderr, "riffle-bench: %s\n", dlerror());
    }
    free(path);
}

static void sides_add(struct measurement *m, struct bench *bench, struct fix_stages *stages, struct fix_peer *peer,
                      side_run_fn *mine, side_run_fn *theirs)
{
    measurement_add(m, "riffle", stages[0].name, mine, &stages[0]);
    measurement_add(m, "riffle avx2", stages[1].name, mine, &stages[1]);
    for (uint32_t p = 0; p < bench->peer_count; p++) {
        peer[p].peers = bench->peers[p];
        peer[p].input = data_input(stages->data);
        snprintf(peer[p].name, sizeof peer[p].name, "plain C, one pass, %s", bench_build_name(bench->peers[p]));
        measurement_add(m, "plain C", peer[p].name, theirs, &peer[p]);
    }
    m->baseline = "plain C";
}

/* The best level and the one below it. */
static bool stages_open_both(struct fix_stages stages[2], struct data *data, const uint32_t *tags, uint32_t slots,
                             uint32_t rows_max, size_t batch_bytes)
{
    const enum rf_isa best = rf_isa_best();
    const enum rf_isa other = best == RF_ISA_AVX512 ? RF_ISA_AVX2 : RF_ISA_SCALAR;
    return stages_open(&stages[0], data, best, tags, slots, rows_max, batch_bytes) &&
           stages_open(&stages[1], data, other, tags, slots, rows_max, batch_bytes);
}

bool case_fix_dec(struct bench *bench)
{
    static struct measurement m;
    static struct fix_stages stages[2];
    static struct fix_peer peer[PEERS_MAX];
    struct data *data = &bench->fix_reports;
    if (!data_load(data) || !stages_open_both(stages, data, NULL, 0, BENCH_FIX_ROWS, data->count)) {
        return false;
    }
    measurement_open(
        &m,
        "FX-dec  ExecutionReports, all different: tag and value of every field, BodyLength and CheckSum\n"
        "  timed: from raw bytes to the table of fields (riffle: CSR of 1,024 messages; plain C: one message)",
        data->count, data->records, bench->laps);
    sides_add(&m, bench, stages, peer, riffle_dec_run, plain_dec_run);
    measurement_add_goal(&m, "riffle", "plain C", 3.5, 4.5);
    const bool is_good = measurement_run(&m);
    stages_close(&stages[0]);
    stages_close(&stages[1]);
    return is_good;
}

bool case_fix_pick7(struct bench *bench)
{
    static struct measurement m;
    static struct fix_stages stages[2];
    static struct fix_peer peer[PEERS_MAX];
    static struct quickfix_peer quickfix;
    struct data *data = &bench->fix_reports;
    if (!data_load(data) || !stages_open_both(stages, data, pick_tags, PICK_SLOTS, BENCH_FIX_ROWS, data->count)) {
        return false;
    }
    measurement_open(
        &m,
        "FX-pick7  the same messages: 2 texts, 3 integers, 2 prices to typed columns, everything verified\n"
        "  timed: from raw bytes to columns of 1,024 rows, and a sum over them",
        data->count, data->records, bench->laps);
    sides_add(&m, bench, stages, peer, riffle_pick7_run, plain_pick7_run);
    measurement_add_goal(&m, "riffle", "plain C", 3.3, 4.0);
    quickfix_open(bench, &quickfix);
    if (quickfix.pick7 != NULL) {
        quickfix.input = data_input(data);
        measurement_add(&m, "QuickFIX", "QuickFIX, FIX::Message", quickfix_run, &quickfix);
        measurement_add_goal(&m, "riffle", "QuickFIX", 10, 20);
    }
    const bool is_good = measurement_run(&m);
    stages_close(&stages[0]);
    stages_close(&stages[1]);
    return is_good;
}

bool case_fix_filter(struct bench *bench)
{
    static struct measurement m;
    static struct fix_stages stages[2];
    static struct fix_peer peer[PEERS_MAX];
    struct data *data = &bench->fix_log;
    if (!data_load(data) ||
        !stages_open_both(stages, data, filter_tags, FILTER_SLOTS, FILTER_ROWS, RF_BATCH_BYTES_DEFAULT)) {
        return false;
    }
    measurement_open(
        &m,
        "FX-filter  count MsgType == \"8\" && LastPx > 200 over a mixed log, one thread, everything verified\n"
        "  timed: from memory to the count; riffle in batches of 256 KiB",
        data->count, data->records, bench->laps);
    sides_add(&m, bench, stages, peer, riffle_filter_run, plain_filter_run);
    measurement_add_goal(&m, "riffle", "plain C", 3.3, 4.0);
    const bool is_good = measurement_run(&m);
    stages_close(&stages[0]);
    stages_close(&stages[1]);
    return is_good;
}
