/* FX-sum, FX-tag8, FX-tag10 and FX-seq: the smallest parts of a gateway, each alone. */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "case_fix_gateway.h"
#include "fix_sum.h"

enum { ROUNDS = 4, BATCH = 100, SCANNED = 80 * BATCH, INCREMENTS = 200000 };

/* ---- FX-sum ---- */

struct sum_side {
    const struct fix_texts *messages;
    uint32_t (*sum)(const char *bytes, size_t count);
};

static bool sums_run(void *context, struct outcome *outcome)
{
    const struct sum_side *const side = context;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < FIX_MESSAGES; i++) {
            const struct rf_str message = fix_text(side->messages, i);
            /* All but the trailer. */
            outcome->selected += side->sum(message.data, message.count - 7) % 256;
        }
    }
    return true;
}

static bool sum_measure(struct bench *bench, bool is_heartbeat, bool is_fixed, const char *title)
{
    static struct measurement m;
    struct fix_orders orders = {0};
    struct fix_texts messages = {0};
    bool is_good = fix_orders_open(&orders, is_fixed) && fix_order_messages_open(&messages, &orders, is_heartbeat);
    if (is_good) {
        struct sum_side ours = {&messages, rf_fix_text_sum};
        struct sum_side plain = {&messages, fix_plain_sum};
        measurement_open(&m, title, (size_t)ROUNDS * messages.begin[FIX_MESSAGES], (uint64_t)ROUNDS * FIX_MESSAGES,
                         bench->laps);
        measurement_add(&m, "riffle", "riffle: 16 bytes an instruction", sums_run, &ours);
        measurement_add(&m, "plain C", "plain C: a loop, -O3 -march=native", sums_run, &plain);
        m.baseline = "plain C";
        is_good = measurement_run(&m);
        printf("  %.0f bytes a message\n", (double)messages.begin[FIX_MESSAGES] / FIX_MESSAGES);
    }
    fix_texts_close(&messages);
    fix_orders_close(&orders);
    return is_good;
}

bool case_fix_checksum(struct bench *bench)
{
    const bool is_good = sum_measure(bench, false, false, "FX-sum  CheckSum of one NewOrderSingle, 16,384 distinct") &&
                         sum_measure(bench, false, true, "FX-sum  the same, one order again and again") &&
                         sum_measure(bench, true, false, "FX-sum  CheckSum of one Heartbeat, 16,384 distinct");
    printf("  published, another machine: a Rust gateway, 4.75 ns for a text of unknown length\n\n");
    return is_good;
}

/* ---- FX-tag8, FX-tag10 ---- */

enum tag_way { TAG_FIELDS, TAG_SEARCH, TAG_RIFFLE };

struct tag_side {
    enum tag_way way;
    const struct fix_texts *executions;
    struct rf_str head; /* SOH, tag, `=` */
    struct fix_decoder decoder;
};

static struct rf_str tag_batch(const struct tag_side *side, uint32_t first)
{
    const uint32_t begin = side->executions->begin[first];
    return (struct rf_str){side->executions->bytes + begin, side->executions->begin[first + BATCH] - begin};
}

/* The value's text and place go into the result, so that both are needed. */
static void value_count(struct rf_str value, struct outcome *outcome)
{
    outcome->selected += value.count + (uint8_t)value.data[0];
}

static bool tags_plain(struct tag_side *side, uint32_t first, struct outcome *outcome)
{
    const struct rf_str head = {side->head.data + 1, side->head.count - 1};
    for (uint32_t i = first; i < first + BATCH; i++) {
        const struct rf_str message = fix_text(side->executions, i);
        value_count(side->way == TAG_FIELDS ? fix_plain_find(message, head) : fix_plain_search(message, side->head),
                    outcome);
    }
    return true;
}

static bool tags_riffle(struct tag_side *side, uint32_t first, struct outcome *outcome)
{
    if (!fix_decoder_run(&side->decoder, tag_batch(side, first), BATCH)) {
        return false;
    }
    for (uint32_t row = 0; row < BATCH; row++) {
        value_count(fix_decoder_text(&side->decoder, 0, row), outcome);
    }
    return true;
}

static bool tags_run(void *context, struct outcome *outcome)
{
    struct tag_side *const side = context;
    for (uint32_t first = 0; first < SCANNED; first += BATCH) {
        if (!(side->way == TAG_RIFFLE ? tags_riffle(side, first, outcome) : tags_plain(side, first, outcome))) {
            return false;
        }
    }
    return true;
}

static bool tag_measure(struct bench *bench, uint32_t tag, struct rf_str head, bool is_fixed, const char *title)
{
    static struct measurement m;
    static struct tag_side ours, fields, search;
    struct fix_orders orders = {0};
    struct fix_texts executions = {0};
    bool is_good = fix_orders_open(&orders, is_fixed) && fix_executions_open(&executions, &orders, FIX_ANSWER) &&
                   fix_decoder_open(&ours.decoder, &tag, 1, BATCH);
    if (is_good) {
        ours.way = TAG_RIFFLE;
        fields.way = TAG_FIELDS;
        search.way = TAG_SEARCH;
        ours.executions = fields.executions = search.executions = &executions;
        ours.head = fields.head = search.head = head;
        measurement_open(&m, title, executions.begin[SCANNED], SCANNED, bench->laps);
        measurement_add(&m, "riffle", "riffle: 100 at once, both checks, every tag read", tags_run, &ours);
        measurement_add(&m, "plain C", "plain C: from field to field, no check", tags_run, &fields);
        measurement_add(&m, "plain C", "plain C: memmem for SOH and tag, no check", tags_run, &search);
        m.baseline = "plain C";
        is_good = measurement_run(&m);
    }
    fix_decoder_close(&ours.decoder);
    fix_texts_close(&executions);
    fix_orders_close(&orders);
    return is_good;
}

bool case_fix_tag8(struct bench *bench)
{
    const bool is_good = tag_measure(bench, 8, RF_STR("\0018="), false,
                                     "FX-tag8  the first field of an ExecutionReport, 8,000 distinct") &&
                         tag_measure(bench, 8, RF_STR("\0018="), true, "FX-tag8  the same, one report again and again");
    printf("  published, another machine: a Rust gateway, 83 ns\n\n");
    return is_good;
}

bool case_fix_tag10(struct bench *bench)
{
    const bool is_good =
        tag_measure(bench, 10, RF_STR("\00110="), false,
                    "FX-tag10  the last field of an ExecutionReport, 8,000 distinct") &&
        tag_measure(bench, 10, RF_STR("\00110="), true, "FX-tag10  the same, one report again and again");
    printf("  published, another machine: a Rust gateway, 331 ns\n\n");
    return is_good;
}

/* ---- FX-seq ---- */

static _Atomic uint64_t sequence;

static void *increments(void *context)
{
    const uint64_t *const count = context;
    for (uint64_t i = 0; i < *count; i++) {
        atomic_fetch_add_explicit(&sequence, 1, memory_order_seq_cst);
    }
    return NULL;
}

static bool increments_alone(void *context, struct outcome *outcome)
{
    uint64_t count = INCREMENTS;
    (void)context;
    atomic_store(&sequence, 0);
    increments(&count);
    outcome->selected = atomic_load(&sequence);
    return true;
}

static bool increments_shared(void *context, struct outcome *outcome)
{
    uint64_t half = INCREMENTS / 2;
    pthread_t thread;
    (void)context;
    atomic_store(&sequence, 0);
    const int problem = pthread_create(&thread, NULL, increments, &half);
    if (problem != 0) {
        fprintf(stderr, "riffle-bench: FX-seq: a thread: %s\n", strerror(problem));
        return false;
    }
    increments(&half);
    pthread_join(thread, NULL);
    outcome->selected = atomic_load(&sequence);
    return true;
}

bool case_fix_sequence(struct bench *bench)
{
    static struct measurement m;
    measurement_open(&m, "FX-seq  one sequentially consistent atomic increment", 0, INCREMENTS, bench->laps);
    measurement_add(&m, "one thread", "one thread: no contention", increments_alone, NULL);
    measurement_add(&m, "two threads", "two threads on one counter, its start included", increments_shared, NULL);
    const bool is_good = measurement_run(&m);
    printf("  published, another machine: a Rust gateway, one thread, 4.78 ns\n\n");
    return is_good;
}
