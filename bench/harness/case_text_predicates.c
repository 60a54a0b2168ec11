/* P-text: many equalities and prefixes of one column of texts, on ready columns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "compile.h"
#include "eval.h"
#include "gen_text.h"

enum { ROWS = 256 * 1024, ROUND = 16 * 1024, PREDICATES = 1000, FIRST_START = 500, ROW_BYTES = 16 };

struct text_side {
    struct rf_compiled compiled;
    struct rf_eval eval;
    struct bench_text constant[PREDICATES];
    char constant_bytes[PREDICATES][ROW_BYTES];
    uint64_t count[PREDICATES];
    /* of the rows */
    char *bytes;
    struct bench_text *text;
    uint8_t *tag, *status;
    uint64_t *payload;
    uint32_t *begin, *length;
};

/* A row in two has an account that some test asks for, its beginning or all of it. */
static bool rows_make(struct text_side *side, const char *form, uint32_t accounts)
{
    struct rf_gen random;
    rf_gen_open(&random, RF_GEN_TRADES, 9, 0, 0);
    side->bytes = calloc(ROWS + 16, ROW_BYTES);
    side->text = calloc(ROWS, sizeof *side->text);
    side->tag = aligned_alloc(64, ROWS + 128);
    side->status = aligned_alloc(64, ROWS + 128);
    side->payload = aligned_alloc(64, (ROWS + 128) * sizeof(uint64_t));
    side->begin = calloc(ROWS + 128, sizeof(uint32_t));
    side->length = calloc(ROWS + 128, sizeof(uint32_t));
    if (side->bytes == NULL || side->text == NULL || side->tag == NULL || side->status == NULL ||
        side->payload == NULL || side->begin == NULL || side->length == NULL) {
        fprintf(stderr, "riffle-bench: no memory for columns\n");
        return false;
    }
    memset(side->tag, RF_TAG_STRING_RAW, ROWS + 128);
    memset(side->status, RF_ROW_REJECTED, ROWS + 128);
    for (uint32_t r = 0; r < ROWS; r++) {
        char *at = side->bytes + (size_t)r * ROW_BYTES;
        const int count = snprintf(at, ROW_BYTES, form, gen_below(&random, accounts));
        side->text[r] = (struct bench_text){at, (size_t)count};
        side->begin[r] = r * ROW_BYTES;
        side->length[r] = (uint32_t)count;
        side->payload[r] = rf_str_prefix((struct rf_str){at, (size_t)count});
    }
    return true;
}

static bool text_side_open(struct text_side *side, const char *form, const char *start_form)
{
    static char expression_bytes[PREDICATES][64];
    static struct rf_str expression[PREDICATES];
    struct rf_diagnostic diagnostic;
    struct rf_error err;
    uint32_t failed;
    for (uint32_t p = 0; p < PREDICATES; p++) {
        const bool is_start = p >= FIRST_START;
        char *out = side->constant_bytes[p];
        const int count =
            is_start ? snprintf(out, ROW_BYTES, start_form, p - FIRST_START) : snprintf(out, ROW_BYTES, form, 7 * p);
        side->constant[p] = (struct bench_text){out, (size_t)count};
        const int written = snprintf(expression_bytes[p], sizeof expression_bytes[p],
                                     is_start ? "acct.startsWith(\"%s\")" : "acct == \"%s\"", out);
        expression[p] = (struct rf_str){expression_bytes[p], (size_t)written};
    }
    if (!rows_make(side, form, 10 * PREDICATES)) {
        return false;
    }
    if (rf_compile(expression, PREDICATES, NULL, 0, (struct rf_compile_options){0}, &side->compiled, &diagnostic,
                   &failed, &err) != RF_OK ||
        rf_eval_open_tally(&side->eval, &side->compiled.program, ROUND, &err) != RF_OK) {
        fprintf(stderr, "riffle-bench: rules: %s\n", err.text);
        return false;
    }
    return true;
}

static void text_tally(void *context, const struct rf_eval_tile *tile)
{
    struct text_side *side = context;
    for (uint32_t i = 0; i < tile->count; i++) {
        side->count[tile->predicate[i]] += tile->hits[i].hits;
    }
}

static void outcome_fill(struct outcome *outcome, const uint64_t *count)
{
    for (uint32_t p = 0; p < PREDICATES; p++) {
        outcome->selected += count[p];
        outcome->digest = bench_hash(p == 0 ? BENCH_HASH_START : outcome->digest, &count[p], sizeof count[p]);
    }
}

static bool text_run(void *context, struct outcome *outcome)
{
    struct text_side *side = context;
    struct rf_column column;
    const struct rf_columns columns = {.slots = 1, .rows_max = ROUND, .slot = &column};
    const struct rf_batch batch = {.bytes = (const uint8_t *)side->bytes, .bytes_used = ROWS * ROW_BYTES};
    const struct rf_eval_reader reader = {.context = side, .tally = text_tally};
    memset(side->count, 0, sizeof side->count);
    for (uint32_t begin = 0; begin < ROWS; begin += ROUND) {
        const struct rf_rows rows = {.rows = ROUND,
                                     .rows_max = ROUND,
                                     .lines = ROUND,
                                     .begin = side->begin + begin,
                                     .end = side->begin + begin,
                                     .status = side->status + begin};
        column = (struct rf_column){.tag = side->tag + begin,
                                    .payload = side->payload + begin,
                                    .begin = side->begin + begin,
                                    .length = side->length + begin};
        rf_eval_read(&side->eval, rf_isa_best(), &batch, &rows, &columns, NULL, &reader);
    }
    outcome_fill(outcome, side->count);
    return true;
}

struct text_peer {
    const struct bench_peers *peers;
    const struct text_side *like;
    bool has_table;
    char name[96];
};

static bool peer_run(void *context, struct outcome *outcome)
{
    const struct text_peer *peer = context;
    uint64_t count[PREDICATES] = {0};
    peer->peers->texts_count(peer->like->text, ROWS, peer->like->constant, FIRST_START, PREDICATES, peer->has_table,
                             count);
    outcome_fill(outcome, count);
    return true;
}

static bool text_case(struct bench *bench, struct text_side *side, struct text_peer *peer, const char *title)
{
    static struct measurement m;
    measurement_open(&m, title, (size_t)ROWS * ROW_BYTES, ROWS, bench->laps);
    m.baseline = "one by one";
    measurement_add(&m, "riffle", "riffle, rf_eval_read with a tally", text_run, side);
    for (uint32_t p = 0; p < 2 * bench->peer_count; p++) {
        peer[p] = (struct text_peer){.peers = bench->peers[p / 2], .like = side, .has_table = p % 2 == 1};
        snprintf(peer[p].name, sizeof peer[p].name, "%s, %s",
                 peer[p].has_table ? "counts by two hash tables" : "memcmp, one by one",
                 bench_build_name(bench->peers[p / 2]));
        measurement_add(&m, peer[p].has_table ? "tables" : "one by one", peer[p].name, peer_run, &peer[p]);
    }
    measurement_add_goal(&m, "riffle", "one by one", 5, 10);
    return measurement_run(&m);
}

bool case_text_predicates(struct bench *bench)
{
    static struct text_side side[2];
    static struct text_peer peer[2][2 * PEERS_MAX];
    if (side[0].bytes == NULL && (!text_side_open(&side[0], "A%06u", "A00%03u") ||
                                  !text_side_open(&side[1], "ACCOUNT-%06u", "ACCOUNT-00%03u"))) {
        return false;
    }
    const bool is_short =
        text_case(bench, &side[0], peer[0],
                  "P-text  1,000 tests of a column of 256 Ki texts of 7 bytes: 500 equalities, 500 prefixes; a "
                  "record is a row");
    const bool is_long = text_case(bench, &side[1], peer[1],
                                   "P-text-long  the same with texts of 14 bytes, the first 8 always the same");
    return is_short && is_long;
}
