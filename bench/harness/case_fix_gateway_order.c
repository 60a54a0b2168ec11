/* FX-e2e: an order from the request to the stored row, in memory. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_fix_gateway.h"
#include "clock.h"

enum { ORDERS = FIX_MESSAGES / 2, RING_BYTES = 64 * 1024 };

struct order_side {
    struct fix_path path;
    const struct fix_texts *executions;
    uint64_t sequence;
    size_t used;
    char ring[RING_BYTES]; /* the sink: messages follow each other, then it is begun anew */
};

static inline bool order_run(struct order_side *side, uint32_t i, uint64_t *sum)
{
    struct rf_str message;
    struct fix_path *const path = &side->path;
    if (!fix_path_send(path, i, side->sequence++, side->ring + side->used, &message) ||
        !fix_path_receive(path, &path->order, fix_text(side->executions, i))) {
        return false;
    }
    side->used += message.count;
    if (side->used > RING_BYTES - FIX_MESSAGE_BYTES) {
        side->used = 0;
    }
    *sum += message.count + fix_path_row_sum(path);
    return true;
}

static bool orders_run(void *context, struct outcome *outcome)
{
    struct order_side *const side = context;
    uint64_t sum = 0;
    side->sequence = 1000000; /* the same messages in each lap */
    for (uint32_t i = 0; i < ORDERS; i++) {
        if (!order_run(side, i, &sum)) {
            return false;
        }
        outcome->selected++;
    }
    outcome->digest = sum;
    return true;
}

/* Single orders, each between two looks at the clock; the sides take turns order by order. */
static bool singles_print(struct order_side *const side[], const char *const name[], uint32_t sides)
{
    enum { SIDES = 2 };
    uint64_t *const time_ns = calloc((size_t)(SIDES + 1) * FIX_MESSAGES, sizeof(time_ns[0]));
    uint64_t sum = 0;
    bool is_good = time_ns != NULL && sides == SIDES;
    for (uint32_t i = 0; is_good && i < FIX_MESSAGES; i++) {
        for (uint32_t s = 0; is_good && s < sides; s++) {
            const uint64_t begin_ns = rf_clock_ns();
            is_good = order_run(side[s], i, &sum);
            time_ns[s * FIX_MESSAGES + i] = rf_clock_ns() - begin_ns;
        }
        const uint64_t begin_ns = rf_clock_ns();
        time_ns[SIDES * FIX_MESSAGES + i] = rf_clock_ns() - begin_ns;
    }
    if (is_good) {
        printf("  single orders:\n");
        fix_times_print(name[0], time_ns, FIX_MESSAGES);
        fix_times_print(name[1], time_ns + FIX_MESSAGES, FIX_MESSAGES);
        fix_times_print("the clock alone, which is in them", time_ns + (size_t)2 * FIX_MESSAGES, FIX_MESSAGES);
        printf("\n");
    } else {
        fprintf(stderr, "riffle-bench: FX-e2e: single orders failed\n");
    }
    free(time_ns);
    return is_good;
}

static bool memory_measure(struct bench *bench, bool is_fixed, const char *title)
{
    static struct measurement m;
    static struct order_side ours, plain;
    struct order_side *const side[2] = {&ours, &plain};
    static const char *const name[2] = {"riffle", "plain C: one pass, digit by digit"};
    struct fix_orders orders = {0};
    struct fix_texts requests = {0};
    struct fix_texts executions = {0};
    bool is_good = fix_orders_open(&orders, is_fixed) && fix_requests_open(&requests, &orders) &&
                   fix_executions_open(&executions, &orders, FIX_ANSWER);
    for (uint32_t s = 0; s < 2; s++) {
        is_good = is_good && fix_path_open(&side[s]->path, &requests, s == 1);
        side[s]->executions = &executions;
    }
    if (is_good) {
        const size_t bytes = requests.begin[ORDERS] + executions.begin[ORDERS];
        measurement_open(&m, title, bytes, ORDERS, bench->laps);
        measurement_add(&m, "riffle", name[0], orders_run, &ours);
        measurement_add(&m, "plain C", name[1], orders_run, &plain);
        m.baseline = "plain C";
        is_good = measurement_run(&m) && singles_print(side, name, 2);
    }
    fix_path_close(&ours.path);
    fix_path_close(&plain.path);
    fix_texts_close(&executions);
    fix_texts_close(&requests);
    fix_orders_close(&orders);
    return is_good;
}

bool case_fix_order(struct bench *bench)
{
    const bool is_good =
        memory_measure(
            bench, false,
            "FX-e2e  binary request to NewOrderSingle in a memory sink; its ExecutionReport, both checks, to a row\n"
            "  that is summed (nothing is sent or stored); 8,192 distinct orders, one thread") &&
        memory_measure(bench, true, "FX-e2e  the same, one order again and again");
    printf("  published, another machine: a Rust gateway that sends and stores nothing either, 662 ns\n\n");
    return is_good;
}
