/* RX: regular expressions and literals searched in one column of short texts, on ready columns: one expression, 100 of them,
 * 100 and 1,000 literals. The peer searches all of them at once too, in one call for each text. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "compile.h"
#include "eval.h"
#include "gen_text.h"

enum { ROWS = 128 * 1024, ROUND = 16 * 1024, PATTERNS_MAX = 1000, PATTERN_BYTES = 64, ROW_BYTES = 40 };

struct column {
    char *bytes;
    uint32_t bytes_used;
    struct bench_text *text;
    uint8_t *tag, *status;
    uint64_t *payload;
    uint32_t *begin, *length;
};

struct pattern_side {
    const struct column *column;
    struct rf_compiled compiled;
    struct rf_eval eval;
    uint32_t patterns;
    char pattern_bytes[PATTERNS_MAX][PATTERN_BYTES];
    struct bench_text pattern[PATTERNS_MAX];
    uint64_t count[PATTERNS_MAX];
};

static const char *const word[] = {"acme",   "atlas",  "birch",   "cobalt",  "delta",  "ember", "falcon", "garnet",
                                   "harbor", "indigo", "juniper", "kestrel", "lumen",  "maple", "nickel", "onyx",
                                   "pepper", "quartz", "raven",   "sable",   "tundra", "umber", "violet", "willow"};
static const char *const currency[] = {"EUR", "USD", "GBP", "JPY", "CHF", "SEK", "AUD", "CAD"};

enum { WORDS = sizeof word / sizeof word[0], CURRENCIES = sizeof currency / sizeof currency[0] };

/* Orders, pairs, addresses of mail and of the web: 8 to 38 bytes, 20 in the mean. */
static int row_make(struct rf_gen *random, char *out)
{
    const char *w = word[gen_below(random, WORDS)];
    switch (gen_below(random, 4)) {
    case 0:
        return snprintf(out, ROW_BYTES, "ORD-20%02u-%06u-%s", gen_below(random, 30), gen_below(random, 1000000),
                        currency[gen_below(random, CURRENCIES)]);
    case 1:
        return snprintf(out, ROW_BYTES, "%s%s.%c", currency[gen_below(random, CURRENCIES)],
                        currency[gen_below(random, CURRENCIES)], 'A' + (int)gen_below(random, 26));
    case 2:
        return snprintf(out, ROW_BYTES, "%s.%u@%s.example", w, gen_below(random, 1000), word[gen_below(random, WORDS)]);
    default:
        return snprintf(out, ROW_BYTES, "/v%u/%s/%u/fills", gen_below(random, 10), w, gen_below(random, 100000));
    }
}

static bool column_make(struct column *column)
{
    struct rf_gen random;
    rf_gen_open(&random, RF_GEN_TRADES, 31, 0, 0);
    column->bytes = calloc(ROWS + 16, ROW_BYTES);
    column->text = calloc(ROWS, sizeof *column->text);
    column->tag = aligned_alloc(64, ROWS + 128);
    column->status = aligned_alloc(64, ROWS + 128);
    column->payload = aligned_alloc(64, (ROWS + 128) * sizeof(uint64_t));
    column->begin = calloc(ROWS + 128, sizeof(uint32_t));
    column->length = calloc(ROWS + 128, sizeof(uint32_t));
    if (column->bytes == NULL || column->text == NULL || column->tag == NULL || column->status == NULL ||
        column->payload == NULL || column->begin == NULL || column->length == NULL) {
        fprintf(stderr, "riffle-bench: no memory for columns\n");
        return false;
    }
    memset(column->tag, RF_TAG_STRING_RAW, ROWS + 128);
    memset(column->status, RF_ROW_REJECTED, ROWS + 128);
    for (uint32_t r = 0; r < ROWS; r++) {
        char *at = column->bytes + column->bytes_used;
        const struct rf_str text = {at, (size_t)row_make(&random, at)};
        column->text[r] = (struct bench_text){text.data, text.count};
        column->begin[r] = column->bytes_used;
        column->length[r] = (uint32_t)text.count;
        column->payload[r] = rf_str_prefix(text);
        column->bytes_used += column->length[r];
    }
    return true;
}

/* ---- What is searched ---- */

/* Ten forms, each with numbers of its own. */
static int regex_make(uint32_t p, char *out)
{
    const uint32_t n = p / 10;
    const char *w = word[n % WORDS];
    switch (p % 10) {
    case 0:
        return snprintf(out, PATTERN_BYTES, "@%s\\.(example|test)$", w);
    case 1:
        return snprintf(out, PATTERN_BYTES, "^ORD-20%02u-[0-9]*%u-(EUR|USD)$", n % 30, n % 10);
    case 2:
        return snprintf(out, PATTERN_BYTES, "/%s/[0-9]*%u[0-9]/", w, n % 10);
    case 3:
        return snprintf(out, PATTERN_BYTES, "^%s.*\\.[A-%c]", currency[n % CURRENCIES], 'A' + (int)(n % 26));
    case 4:
        return snprintf(out, PATTERN_BYTES, "%s\\.[0-9]{%u}@", w, 1 + n % 3);
    case 5:
        return snprintf(out, PATTERN_BYTES, "[a-f]{%u}[0-9.]+%u", 1 + p % 3, n);
    case 6:
        return snprintf(out, PATTERN_BYTES, "^/v[%u-9]/[a-%c]+/", n % 9, 'k' + (int)(n % 16));
    case 7:
        return snprintf(out, PATTERN_BYTES, "%u%u+[a-z-]*[A-Z]", n, p % 4);
    case 8:
        return snprintf(out, PATTERN_BYTES, "^[a-z]+\\.[%u-9][0-9]*@.*%s", n % 9, w);
    default:
        return snprintf(out, PATTERN_BYTES, "(%s|%s)[A-Z]*\\.%c", currency[n % CURRENCIES],
                        currency[(n + 3) % CURRENCIES], 'A' + (int)(p / 4 % 26));
    }
}

/* Those of regex_make that hold a text of at least four bytes. */
static int regex_make_literal(uint32_t p, char *out)
{
    static const uint32_t form[] = {0, 2, 4, 8};
    return p / 4 < WORDS ? regex_make(p / 4 * 10 + form[p % 4], out)
                         : snprintf(out, PATTERN_BYTES, "-[0-9]+%u-%s$", p % 10, currency[p % CURRENCIES]);
}

static int regex_search(uint32_t p, char *out)
{
    (void)p;
    return snprintf(out, PATTERN_BYTES, "%s", "[a-f][0-9.]+7[0-9]*(@|/f)");
}

static int regex_literal(uint32_t p, char *out)
{
    (void)p;
    return snprintf(out, PATTERN_BYTES, "%s", "[a-z]+\\.[0-9]{2,3}@falcon");
}

static int literal_make(uint32_t p, char *out)
{
    const uint32_t n = p / 4;
    const char *w = word[n * 7 % WORDS];
    switch (p % 4) {
    case 0:
        return snprintf(out, PATTERN_BYTES, "-%03u", p);
    case 1:
        return snprintf(out, PATTERN_BYTES, "%s/%u", w, p % 1000);
    case 2:
        return snprintf(out, PATTERN_BYTES, "%u@%s", p % 1000, w);
    default:
        return snprintf(out, PATTERN_BYTES, "%s%c%c.%c", currency[n % CURRENCIES], 'A' + (int)(n / 8 % 26),
                        'A' + (int)(n / 16 % 26), 'A' + (int)(n % 26));
    }
}

static bool pattern_side_open(struct pattern_side *side, const struct column *column, uint32_t patterns,
                              int (*make)(uint32_t p, char *out), bool is_literal)
{
    static char expression_bytes[PATTERNS_MAX][2 * PATTERN_BYTES];
    static struct rf_str expression[PATTERNS_MAX];
    struct rf_diagnostic diagnostic;
    struct rf_error err;
    uint32_t failed;
    side->column = column;
    side->patterns = patterns;
    for (uint32_t p = 0; p < patterns; p++) {
        const int count = make(p, side->pattern_bytes[p]);
        side->pattern[p] = (struct bench_text){side->pattern_bytes[p], (size_t)count};
        for (uint32_t other = 0; other < p; other++) { /* riffle would do equal ones once */
            if (strcmp(side->pattern_bytes[other], side->pattern_bytes[p]) == 0) {
                fprintf(stderr, "riffle-bench: pattern %" PRIu32 " is pattern %" PRIu32 " again: %s\n", p, other,
                        side->pattern_bytes[p]);
                return false;
            }
        }
        const int written = snprintf(expression_bytes[p], sizeof expression_bytes[p],
                                     is_literal ? "v.contains(r'%s')" : "v.matches(r'%s')", side->pattern_bytes[p]);
        expression[p] = (struct rf_str){expression_bytes[p], (size_t)written};
    }
    if (rf_compile(expression, patterns, NULL, 0, (struct rf_compile_options){0}, &side->compiled, &diagnostic, &failed,
                   &err) != RF_OK ||
        rf_eval_open_tally(&side->eval, &side->compiled.program, ROUND, &err) != RF_OK) {
        fprintf(stderr, "riffle-bench: patterns: %s\n", err.text);
        return false;
    }
    return true;
}

/* ---- The sides ---- */

static void pattern_tally(void *context, const struct rf_eval_tile *tile)
{
    struct pattern_side *side = context;
    for (uint32_t i = 0; i < tile->count; i++) {
        side->count[tile->predicate[i]] += tile->hits[i].hits;
    }
}

static void outcome_fill(struct outcome *outcome, const uint64_t *count, uint32_t patterns)
{
    for (uint32_t p = 0; p < patterns; p++) {
        outcome->selected += count[p];
        outcome->digest = bench_hash(p == 0 ? BENCH_HASH_START : outcome->digest, &count[p], sizeof count[p]);
    }
}

struct pattern_level { /* riffle, at an instruction-set level */
    struct pattern_side *side;
    enum rf_isa isa;
    char name[64];
};

static bool riffle_run(void *context, struct outcome *outcome)
{
    const struct pattern_level *level = context;
    struct pattern_side *side = level->side;
    const struct column *from = side->column;
    struct rf_column column;
    const struct rf_columns columns = {.slots = 1, .rows_max = ROUND, .slot = &column};
    const struct rf_batch batch = {.bytes = (const uint8_t *)from->bytes, .bytes_used = from->bytes_used};
    const struct rf_eval_reader reader = {.context = side, .tally = pattern_tally};
    memset(side->count, 0, sizeof side->count);
    for (uint32_t begin = 0; begin < ROWS; begin += ROUND) {
        const struct rf_rows rows = {.rows = ROUND,
                                     .rows_max = ROUND,
                                     .lines = ROUND,
                                     .begin = from->begin + begin,
                                     .end = from->begin + begin,
                                     .status = from->status + begin};
        column = (struct rf_column){.tag = from->tag + begin,
                                    .payload = from->payload + begin,
                                    .begin = from->begin + begin,
                                    .length = from->length + begin};
        rf_eval_read(&side->eval, level->isa, &batch, &rows, &columns, NULL, &reader);
    }
    outcome_fill(outcome, side->count, side->patterns);
    return true;
}

struct pattern_peer {
    const struct bench_peers *peers;
    const struct pattern_side *like;
    void *search;
};

static bool peer_run(void *context, struct outcome *outcome)
{
    static uint64_t count[PATTERNS_MAX];
    const struct pattern_peer *peer = context;
    memset(count, 0, sizeof count);
    peer->peers->vectorscan_count(peer->search, peer->like->column->text, ROWS, count);
    outcome_fill(outcome, count, peer->like->patterns);
    return true;
}

static bool pattern_case(struct bench *bench, const struct column *column, const char *title, uint32_t patterns,
                         int (*make)(uint32_t p, char *out), bool is_literal, double must, double stretch)
{
    static struct measurement m;
    struct pattern_side *side = calloc(1, sizeof *side);
    struct pattern_peer peer = {.like = side};
    struct pattern_level level[RF_ISA_COUNT];
    if (side == NULL || !pattern_side_open(side, column, patterns, make, is_literal)) {
        return false;
    }
    measurement_open(&m, title, column->bytes_used, ROWS, bench->laps);
    for (int isa = (int)rf_isa_best(); isa >= 0; isa--) {
        level[isa] = (struct pattern_level){.side = side, .isa = (enum rf_isa)isa};
        (void)snprintf(level[isa].name, sizeof level[isa].name, "riffle, rf_eval_read with a tally, %s",
                       rf_isa_name((enum rf_isa)isa));
        measurement_add(&m, isa == (int)rf_isa_best() ? "riffle" : rf_isa_name((enum rf_isa)isa), level[isa].name,
                        riffle_run, &level[isa]);
    }
    /* The library does the work: which compiler calls it makes no difference. */
    for (uint32_t p = 0; p < bench->peer_count && peer.search == NULL; p++) {
        peer.peers = bench->peers[p];
        peer.search = peer.peers->vectorscan_open == NULL
                          ? NULL
                          : peer.peers->vectorscan_open(side->pattern, patterns, is_literal);
    }
    if (peer.search != NULL) {
        m.baseline = "Vectorscan";
        measurement_add(&m, "Vectorscan", "Vectorscan, one call a value", peer_run, &peer);
        measurement_add_goal(&m, "riffle", "Vectorscan", must, stretch);
    }
    const bool is_good = measurement_run(&m);
    if (peer.search != NULL) {
        peer.peers->vectorscan_close(peer.search);
    }
    rf_eval_close(&side->eval);
    rf_compiled_close(&side->compiled);
    free(side);
    return is_good;
}

static const struct column *shared_column(void)
{
    static struct column column;
    return column.bytes != NULL || column_make(&column) ? &column : NULL;
}

bool case_regex(struct bench *bench)
{
    const struct column *column = shared_column();
    const bool is_good =
        column != NULL &&
        pattern_case(bench, column, "RX-1  a regular expression without a literal, 128 Ki texts of 8 to 38 bytes", 1,
                     regex_search, false, 4, 10);
    return column != NULL &&
           pattern_case(bench, column, "RX-1-literal  one that holds a literal", 1, regex_literal, false, 4, 10) &&
           is_good;
}

bool case_regexes(struct bench *bench)
{
    const struct column *column = shared_column();
    const bool is_good =
        column != NULL && pattern_case(bench, column, "RX-100  100 regular expressions, 40 of them without a literal", 100,
                                       regex_make, false, 1.2, 1.8);
    return column != NULL &&
           pattern_case(bench, column, "RX-100-literal  100 that hold a literal", 100, regex_make_literal, false, 1.2,
                        1.8) &&
           is_good;
}

bool case_literals(struct bench *bench)
{
    const struct column *column = shared_column();
    const bool is_good = column != NULL && pattern_case(bench, column, "RX-lit-100  contains of 100 literals", 100,
                                                        literal_make, true, 1.2, 1.8);
    return column != NULL &&
           pattern_case(bench, column, "RX-lit-1000  contains of 1,000 literals", 1000, literal_make, true, 1.2, 1.8) &&
           is_good;
}
