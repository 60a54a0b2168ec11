/* Forward changes against a loop over all pairs of records, on random streams with several keys, times out of order and without
 * values; the same however the stream is cut into blocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval_kernels.h"
#include "forward.h"

enum { ROWS = 2000, RULES = 130, WORDS = ROWS / 64 + RF_EVAL_BLOCK_WORDS, KEYS = 4 };

static uint64_t state = 88172645463325252u;

static uint32_t below(uint32_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 11) % limit;
}

struct stream {
    int64_t ns[ROWS];
    double value[ROWS];
    uint8_t kind[ROWS];
    uint8_t key[ROWS]; /* KEYS: none */
    uint8_t live[ROWS];
    uint8_t truth[RULES][ROWS];
    struct rf_state_key hash[ROWS];
    uint64_t has_key[WORDS];
    uint32_t begin[ROWS];
    bool has_keys;
};

static void stream_make(struct stream *stream, unsigned kind)
{
    int64_t now = 1000;
    memset(stream, 0, sizeof *stream);
    stream->has_keys = kind % 2 == 0;
    for (uint32_t row = 0; row < ROWS; row++) {
        now += below(3);
        stream->ns[row] = kind >= 2 && below(8) == 0 ? now - below(60) : now;
        stream->ns[row] = kind >= 4 && below(10) == 0 ? RF_TALLY_UNTIMED : stream->ns[row];
        stream->kind[row] = kind >= 3 && below(3) == 0 ? (uint8_t)(1 + below(3)) : RF_FORWARD_NUMBER;
        stream->value[row] = (double)((int32_t)below(4000) - (kind == 5 ? 2000 : -100)) / 64;
        stream->key[row] = kind >= 4 && below(12) == 0 ? KEYS : (uint8_t)below(KEYS);
        stream->live[row] = below(20) != 0;
        stream->begin[row] = row * 10;
        if (stream->key[row] != KEYS) {
            stream->has_key[row / 64] |= UINT64_C(1) << row % 64;
        }
        const char letter = (char)('a' + stream->key[row]);
        stream->hash[row] = rf_state_key_of((struct rf_str){&letter, 1});
        for (uint32_t r = 0; r < RULES; r++) {
            stream->truth[r][row] = below(r % 3 == 0 ? 2 : 40) == 0;
        }
    }
}

/* ---- The reference ---- */

/* Row of the latest value of the key among rows [0, end); ROWS: none. */
static uint32_t latest(const struct stream *stream, uint8_t key, uint32_t end)
{
    uint32_t best = ROWS;
    for (uint32_t row = 0; row < end; row++) {
        if (stream->live[row] && stream->kind[row] == RF_FORWARD_NUMBER && stream->ns[row] != RF_TALLY_UNTIMED &&
            (!stream->has_keys || (stream->key[row] == key && key != KEYS)) &&
            (best == ROWS || stream->ns[row] >= stream->ns[best])) {
            best = row;
        }
    }
    return best;
}

static int64_t newest(const struct stream *stream, uint32_t end)
{
    int64_t ns = RF_TALLY_NEVER;
    for (uint32_t row = 0; row < end; row++) {
        ns = stream->ns[row] > ns ? stream->ns[row] : ns;
    }
    return ns;
}

/* RF_FORWARD_WITHOUTS: *change holds. */
static enum rf_forward_without hit_follow(const struct stream *stream, uint32_t row, int64_t horizon, bool is_absolute,
                                          double *change)
{
    const int64_t due = stream->ns[row] + horizon;
    const bool has_own = stream->kind[row] == RF_FORWARD_NUMBER;
    const uint32_t known = latest(stream, stream->key[row], row + 1);
    if (stream->ns[row] == RF_TALLY_UNTIMED || known == ROWS || (!has_own && stream->ns[known] > stream->ns[row]) ||
        (stream->has_keys && stream->key[row] == KEYS)) {
        return RF_WITHOUT_VALUELESS;
    }
    if (newest(stream, row) > due) {
        return RF_WITHOUT_LATE;
    }
    uint32_t end = row + 1;
    while (end < ROWS && stream->ns[end] <= due) { /* no time is the least */
        end++;
    }
    if (end == ROWS && newest(stream, ROWS) < due) {
        return RF_WITHOUT_UNFINISHED;
    }
    const double now = has_own ? stream->value[row] : stream->value[known];
    const double later = stream->value[latest(stream, stream->key[row], end)];
    *change = is_absolute ? later - now : (later - now) / fabs(now);
    return isfinite(*change) ? RF_FORWARD_WITHOUTS : RF_WITHOUT_VALUELESS;
}

static int double_compare(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return a < b ? -1 : a > b;
}

static void check_rule(const struct rf_forward_tally *tally, uint32_t rule, const uint64_t *without, double *change,
                       uint32_t count)
{
    const struct rf_forward_figures found = rf_forward_figures_of(tally, rule);
    for (int kind = 0; kind < RF_FORWARD_WITHOUTS; kind++) {
        assert_int_equal(tally->without[kind][rule], without[kind]);
    }
    assert_int_equal(found.count, count);
    if (count == 0) {
        return;
    }
    qsort(change, count, sizeof *change, double_compare);
    long double sum = 0;
    uint32_t up = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += change[i];
        up += change[i] > 0;
    }
    const long double mean = sum / count;
    long double spread = 0;
    for (uint32_t i = 0; i < count; i++) {
        spread += (change[i] - mean) * (change[i] - mean);
    }
    assert_true(fabsl(found.mean - mean) < 1e-12L * (1 + fabsl(mean)));
    assert_true(count < 2 ||
                fabsl(found.deviation - sqrtl(spread / (count - 1))) < 1e-12L * (1 + fabs(found.deviation)));
    assert_true(count > 1 || isnan(found.deviation));
    assert_true(fabs(found.least - change[0]) <= 0x1p-60 && fabs(found.most - change[count - 1]) <= 0x1p-60);
    assert_true(found.up == (double)up / count);
    for (unsigned q = 0; q < RF_SKETCH_QUANTILES; q++) {
        const double exact = change[(count * rf_sketch_percent[q] + 99) / 100 - 1];
        assert_true(fabs(found.quantile[q] - exact) <= fabs(exact) / 256 + 0x1p-60);
    }
}

static void check_all(const struct stream *stream, const struct rf_forward *forward, int64_t horizon, bool is_absolute)
{
    static enum rf_forward_without outcome[ROWS];
    static double after[ROWS];
    static double change[ROWS];
    uint64_t missing = 0;
    uint64_t wrong = 0;
    for (uint32_t row = 0; row < ROWS; row++) {
        outcome[row] = hit_follow(stream, row, horizon, is_absolute, &after[row]);
        missing += stream->live[row] && stream->kind[row] == RF_FORWARD_MISSING;
        wrong += stream->live[row] && stream->kind[row] > RF_FORWARD_MISSING;
    }
    assert_int_equal(forward->tally.values.missing, missing);
    assert_int_equal(forward->tally.values.wrong, wrong);
    for (uint32_t r = 0; r < RULES; r++) {
        uint64_t without[RF_FORWARD_WITHOUTS] = {0};
        uint32_t count = 0;
        for (uint32_t row = 0; row < ROWS; row++) {
            if (!stream->live[row] || !stream->truth[r][row]) {
                continue;
            }
            if (outcome[row] == RF_FORWARD_WITHOUTS) {
                change[count++] = after[row];
            } else {
                without[outcome[row]]++;
            }
        }
        check_rule(&forward->tally, r, without, change, count);
    }
}

/* ---- The module ---- */

static void bits_make(const uint8_t *from, const uint8_t *live, uint32_t rows, uint64_t *bits)
{
    memset(bits, 0, RF_EVAL_BLOCK_WORDS * sizeof *bits);
    for (uint32_t i = 0; i < rows; i++) {
        bits[i / 64] |= (uint64_t)(from[i] && live[i]) << (i % 64);
    }
}

static void follow(struct rf_forward *forward, const struct stream *stream, struct rf_forward_settings settings,
                   size_t bytes_max)
{
    static uint64_t truth[RULES][RF_EVAL_BLOCK_WORDS];
    struct rf_error err;
    assert_int_equal(rf_forward_open(forward, settings, RULES, bytes_max, &err), RF_OK);
    for (uint32_t first = 0; first < ROWS;) {
        const uint32_t most = 64 * (1 + below(RF_EVAL_BLOCK_WORDS));
        const uint32_t rows = ROWS - first < most ? ROWS - first : most;
        uint64_t live[RF_EVAL_BLOCK_WORDS];
        bits_make(stream->live + first, stream->live + first, rows, live);
        for (uint32_t r = 0; r < RULES; r++) {
            bits_make(stream->truth[r] + first, stream->live + first, rows, truth[r]);
        }
        const struct rf_forward_rows block = {.first = first,
                                              .rows = rows,
                                              .time_ns = stream->ns,
                                              .value = stream->value,
                                              .kind = stream->kind,
                                              .key = stream->has_keys ? stream->hash : NULL,
                                              .has_key = stream->has_key,
                                              .live = live,
                                              .truth = truth[0],
                                              .begin = stream->begin,
                                              .offset = 1000,
                                              .input = 1};
        assert_int_equal(rf_forward_block(forward, &block, &err), RF_OK);
        first += rows;
    }
    assert_int_equal(rf_forward_finish(forward, &err), RF_OK);
    assert_int_equal(forward->wait_bytes, 0);
}

static void check_equal(const struct rf_forward_tally *a, const struct rf_forward_tally *b)
{
    assert_memory_equal(a->moments, b->moments, RULES * sizeof *a->moments);
    assert_memory_equal(a->least, b->least, RULES * sizeof *a->least);
    assert_memory_equal(a->most, b->most, RULES * sizeof *a->most);
    for (int kind = 0; kind < RF_FORWARD_WITHOUTS; kind++) {
        assert_memory_equal(a->without[kind], b->without[kind], RULES * sizeof(uint64_t));
    }
    for (int32_t at = -a->sketch.reach; at <= a->sketch.reach; at++) {
        for (uint32_t r = 0; r < RULES; r++) {
            assert_int_equal(rf_sketch_cell(&a->sketch, at, r), rf_sketch_cell(&b->sketch, at, r));
        }
    }
}

static void test_reference(void **unused)
{
    (void)unused;
    static struct stream stream;
    for (unsigned round = 0; round < 24; round++) {
        static const int64_t horizons[] = {1, 7, 50, 100000};
        const struct rf_forward_settings settings = {.horizon_ns = horizons[round % 4], .is_absolute = round % 3 == 0};
        struct rf_forward first;
        struct rf_forward second;
        stream_make(&stream, round % 6);
        follow(&first, &stream, settings, 1 << 24);
        check_all(&stream, &first, settings.horizon_ns, settings.is_absolute);
        follow(&second, &stream, settings, 1 << 24); /* other blocks */
        check_equal(&first.tally, &second.tally);
        rf_forward_close(&first);
        rf_forward_close(&second);
    }
}

/* Each key's records alone, the times of all: parts by key add up. */
static void test_parts(void **unused)
{
    (void)unused;
    static struct stream stream;
    static struct stream part;
    for (unsigned round = 0; round < 6; round++) {
        const struct rf_forward_settings settings = {.horizon_ns = 20};
        struct rf_forward whole;
        struct rf_forward sum;
        struct rf_forward other;
        struct rf_error err;
        stream_make(&stream, round);
        stream.has_keys = true;
        follow(&whole, &stream, settings, 1 << 24);
        for (uint32_t shard = 0; shard < 2; shard++) {
            part = stream;
            for (uint32_t row = 0; row < ROWS; row++) {
                part.live[row] = part.live[row] && part.key[row] % 2 == shard;
            }
            follow(shard == 0 ? &sum : &other, &part, settings, 1 << 24);
        }
        assert_int_equal(rf_forward_tally_merge(&sum.tally, &other.tally, &err), RF_OK);
        assert_int_equal(sum.tally.values.wrong, whole.tally.values.wrong);
        check_equal(&whole.tally, &sum.tally);
        rf_forward_close(&whole);
        rf_forward_close(&sum);
        rf_forward_close(&other);
    }
}

/* Within any bound each hit is counted once, with a change or without. */
static void test_bounds(void **unused)
{
    (void)unused;
    static struct stream stream;
    for (unsigned round = 0; round < 12; round++) {
        const struct rf_forward_settings settings = {.horizon_ns = 300};
        const size_t bytes_max = (size_t)100 << round;
        struct rf_forward forward;
        uint64_t no_room = 0;
        stream_make(&stream, round % 6);
        follow(&forward, &stream, settings, bytes_max);
        for (uint32_t r = 0; r < RULES; r++) {
            uint64_t hits = 0;
            uint64_t sum = rf_forward_figures_of(&forward.tally, r).count;
            for (uint32_t row = 0; row < ROWS; row++) {
                hits += stream.live[row] && stream.truth[r][row];
            }
            for (int kind = 0; kind < RF_FORWARD_WITHOUTS; kind++) {
                sum += forward.tally.without[kind][r];
            }
            assert_int_equal(sum, hits);
            no_room += forward.tally.without[RF_WITHOUT_NO_ROOM][r];
        }
        assert_true(forward.keys.bytes_used <= bytes_max || forward.keys.entries == 1);
        assert_true(round > 2 || no_room != 0);
        rf_forward_close(&forward);
    }
}

/* One key, one rule, values worth a look: the edges of a horizon. */
static void edge(const int64_t *ns, const double *value, uint32_t rows, double wanted, bool is_absolute)
{
    static const uint8_t kind[8] = {0};
    static const uint32_t begin[8] = {0};
    const uint64_t live[RF_EVAL_BLOCK_WORDS] = {(UINT64_C(1) << rows) - 1};
    const uint64_t truth[RF_EVAL_BLOCK_WORDS] = {1}; /* the first record */
    struct rf_forward forward;
    struct rf_error err;
    const struct rf_forward_rows block = {
        .rows = rows, .time_ns = ns, .value = value, .kind = kind, .live = live, .truth = truth, .begin = begin};
    assert_int_equal(rf_forward_open(&forward,
                                     (struct rf_forward_settings){.horizon_ns = 10, .is_absolute = is_absolute}, 1,
                                     1 << 20, &err),
                     RF_OK);
    assert_int_equal(rf_forward_block(&forward, &block, &err), RF_OK);
    assert_int_equal(rf_forward_finish(&forward, &err), RF_OK);
    const struct rf_forward_figures found = rf_forward_figures_of(&forward.tally, 0);
    if (isnan(wanted)) {
        assert_int_equal(found.count, 0);
    } else {
        assert_int_equal(found.count, 1);
        assert_true(found.mean == wanted && found.quantile[2] == wanted);
    }
    rf_forward_close(&forward);
}

static void test_edges(void **unused)
{
    (void)unused;
    edge((const int64_t[]){0, 9, 10, 11}, (const double[]){100, 101, 102, 103}, 4, 2, true); /* at the horizon counts */
    edge((const int64_t[]){0, 9, 11}, (const double[]){100, 101, 103}, 3, 1, true);
    edge((const int64_t[]){0, 10}, (const double[]){100, 102}, 2, 0.02, false); /* the stream ends at the horizon */
    edge((const int64_t[]){0, 9}, (const double[]){100, 102}, 2, NAN, false);   /* and before it */
    edge((const int64_t[]){0, 11}, (const double[]){100, 102}, 2, 0, false);    /* nothing new within it */
    edge((const int64_t[]){0, 10, 10, 11}, (const double[]){100, 101, 102, 103}, 4, 2, true); /* the last of one time */
    edge((const int64_t[]){0, 8, 7, 11}, (const double[]){100, 101, 102, 103}, 4, 1,
         true);                                                                      /* an older one changes nothing */
    edge((const int64_t[]){0, 11, 10}, (const double[]){100, 101, 102}, 3, 0, true); /* nor does one behind the end */
    edge((const int64_t[]){0, 11}, (const double[]){0, 0}, 2, NAN, false);           /* relative to nothing */
    edge((const int64_t[]){0, 11}, (const double[]){0, 0}, 2, 0, true);
    edge((const int64_t[]){0, 5, 11}, (const double[]){-100, -50, 1}, 3, 0.5, false); /* up is up, below 0 too */
    edge((const int64_t[]){0, 5, 11}, (const double[]){-1e308, 1e308, 1}, 3, NAN, true);
    edge((const int64_t[]){INT64_MAX - 5, INT64_MAX}, (const double[]){1, 2}, 2, 1, true); /* as far as times go */
    edge((const int64_t[]){INT64_MIN + 1, INT64_MAX}, (const double[]){1, 2}, 2, 0, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference), cmocka_unit_test(test_parts),
                                       cmocka_unit_test(test_bounds), cmocka_unit_test(test_edges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
