/* FX-ins and FX-upd: the rows of a thousand orders or executions, summed as the published gateway does in place of storing
 * them, and really stored. FX-e2e-log: the whole path of an order with its row in a log. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_fix_gateway.h"
#include "fix_sum.h"

enum { BATCH = 1000, BATCHES = FIX_MESSAGES / BATCH, ROUNDS = 4, STORED = 2 };
enum row_way { ROW_RIFFLE, ROW_PLAIN, ROW_FIELDS, ROW_STORED };

struct row_side {
    enum row_way way;
    const struct fix_row *row; /* [FIX_MESSAGES] */
    uint32_t batches, rounds;
    struct fix_log *log;
    uint64_t bytes;
};

static bool row_run(struct row_side *side, const struct fix_row *row, uint64_t *sum)
{
    char out[FIX_ROW_MAX];
    if (side->way == ROW_FIELDS) {
        *sum += fix_plain_row_sum(row);
        return true;
    }
    const size_t count = fix_row_write(row, out);
    side->bytes += count;
    *sum += side->way == ROW_PLAIN ? fix_plain_sum(out, count) : rf_fix_text_sum(out, count);
    return side->way != ROW_STORED || fix_log_append(side->log, out, count);
}

static bool rows_run(void *context, struct outcome *outcome)
{
    struct row_side *const side = context;
    uint64_t sum = 0;
    side->bytes = 0;
    for (uint32_t i = 0; i < side->rounds * side->batches; i++) {
        const struct fix_row *const first = side->row + (size_t)(i % side->batches) * BATCH;
        for (uint32_t r = 0; r < BATCH; r++) {
            if (!row_run(side, first + r, &sum)) {
                return false;
            }
        }
        if (side->way == ROW_STORED && !fix_log_sync(side->log)) {
            return false;
        }
        outcome->selected += BATCH;
    }
    outcome->digest = sum;
    return true;
}

static struct fix_row order_row(const struct fix_order *order)
{
    return (struct fix_row){
        .order_id = order->id,
        .account = order->account,
        .symbol = order->symbol,
        .side = order->side,
        .quantity = (int64_t)order->quantity,
        .price = order->price,
    };
}

static bool row_fill(struct fix_row *row, const struct fix_orders *orders, const struct fix_texts *executions)
{
    for (uint32_t i = 0; i < FIX_MESSAGES; i++) {
        if (executions == NULL) {
            row[i] = order_row(&orders->order[i]);
            continue;
        }
        const struct rf_str message = fix_text(executions, i);
        struct fix_plain_report report;
        if (!fix_plain_decode(message.data, message.count, &report) || !fix_plain_row(&report, &row[i])) {
            return false;
        }
    }
    return true;
}

static bool rows_sum(struct bench *bench, const struct fix_row *row, const char *title)
{
    static struct measurement m;
    static struct row_side side[3];
    static const char *const name[3] = {"riffle: the row laid out, summed by vectors",
                                        "plain C: the row laid out, summed", "plain C: summed field by field, no row"};
    measurement_open(&m, title, 0, (uint64_t)ROUNDS * BATCHES * BATCH, bench->laps);
    for (uint32_t s = 0; s < 3; s++) {
        side[s] = (struct row_side){.way = (enum row_way)s, .row = row, .batches = BATCHES, .rounds = ROUNDS};
        measurement_add(&m, s == 0 ? "riffle" : "plain C", name[s], rows_run, &side[s]);
    }
    m.baseline = "plain C";
    const bool is_good = measurement_run(&m);
    printf("  a row has %.0f bytes\n\n", (double)side[0].bytes / (ROUNDS * BATCHES * BATCH));
    return is_good;
}

static bool rows_store(struct bench *bench, const struct fix_row *row, const char *title)
{
    static struct measurement m;
    struct fix_log log;
    if (!fix_log_open(&log, bench->folder)) {
        return false;
    }
    struct row_side stored = {.way = ROW_STORED, .row = row, .batches = STORED, .rounds = 1, .log = &log};
    measurement_open(&m, title, 0, (uint64_t)STORED * BATCH, bench->laps);
    measurement_add(&m, "riffle", "riffle: appended, one fdatasync for 1,000", rows_run, &stored);
    const bool is_good = measurement_run(&m);
    printf("  the log lies on %s\n", fix_log_system(&log));
    fix_log_close(&log);
    return is_good;
}

static bool rows_measure(struct bench *bench, bool is_update, const char *title, const char *fixed, const char *stored)
{
    struct fix_orders orders = {0};
    struct fix_orders same = {0};
    struct fix_texts executions = {0};
    struct fix_texts same_executions = {0};
    struct fix_row *const row = calloc(FIX_MESSAGES, sizeof(row[0]));
    bool is_good = row != NULL && fix_orders_open(&orders, false) && fix_orders_open(&same, true) &&
                   fix_executions_open(&executions, &orders, FIX_ANSWER) &&
                   fix_executions_open(&same_executions, &same, FIX_ANSWER);
    is_good = is_good && row_fill(row, &same, is_update ? &same_executions : NULL) && rows_sum(bench, row, fixed);
    is_good = is_good && row_fill(row, &orders, is_update ? &executions : NULL) && rows_sum(bench, row, title) &&
              rows_store(bench, row, stored);
    fix_texts_close(&same_executions);
    fix_texts_close(&executions);
    fix_orders_close(&same);
    fix_orders_close(&orders);
    free(row);
    return is_good;
}

bool case_fix_insert(struct bench *bench)
{
    const bool is_good = rows_measure(
        bench, false, "FX-ins  sum over the row of an order, 1,000 at a time, 16,000 distinct; nothing is stored",
        "FX-ins  the same, one order again and again",
        "FX-ins  the rows really stored: summed, appended to a log, one fdatasync for 1,000 orders");
    printf("  published, another machine: a Rust gateway that sums and stores nothing, 157 ns\n\n");
    return is_good;
}

bool case_fix_update(struct bench *bench)
{
    const bool is_good = rows_measure(
        bench, true, "FX-upd  sum over the row of an execution, 1,000 at a time, 16,000 distinct; nothing is stored",
        "FX-upd  the same, one execution again and again",
        "FX-upd  the rows really stored: summed, appended to a log, one fdatasync for 1,000 executions");
    printf("  published, another machine: a Rust gateway that sums and stores nothing, 139 ns\n\n");
    return is_good;
}

/* ---- FX-e2e-log ---- */

struct durable_side {
    struct fix_path path;
    const struct fix_texts *executions;
    struct fix_log *log;
    uint32_t group; /* orders that share one fdatasync; 0: none at all */
    uint64_t sequence;
};

enum { DURABLE_ORDERS = 2000 };

static bool durable_run(void *context, struct outcome *outcome)
{
    struct durable_side *const side = context;
    char out[FIX_MESSAGE_BYTES];
    for (uint32_t i = 0; i < DURABLE_ORDERS; i++) {
        struct rf_str message;
        if (!fix_path_send(&side->path, i, side->sequence++, out, &message) ||
            !fix_path_receive(&side->path, &side->path.order, fix_text(side->executions, i)) ||
            !fix_log_append(side->log, side->path.row, side->path.row_bytes)) {
            return false;
        }
        outcome->digest += fix_path_row_sum(&side->path);
        outcome->selected++;
        if (side->group != 0 && (i + 1) % side->group == 0 && !fix_log_sync(side->log)) {
            return false;
        }
    }
    return true;
}

bool case_fix_durable(struct bench *bench)
{
    static struct measurement m;
    static struct durable_side side[4];
    static const uint32_t group[4] = {100, 1000, 100, 0};
    static const char *const name[4] = {"riffle, one fdatasync for 100 orders",
                                        "riffle, one fdatasync for 1,000 orders",
                                        "plain C, one fdatasync for 100 orders", "riffle, appended but never synced"};
    struct fix_orders orders = {0};
    struct fix_texts requests = {0};
    struct fix_texts executions = {0};
    struct fix_log log = {.fd = -1};
    bool is_good = fix_orders_open(&orders, false) && fix_requests_open(&requests, &orders) &&
                   fix_executions_open(&executions, &orders, FIX_ANSWER) && fix_log_open(&log, bench->folder);
    measurement_open(&m, "FX-e2e-log  the same path, the row appended to a log; an order counts when it is on the disk",
                     0, DURABLE_ORDERS, bench->laps);
    for (uint32_t s = 0; s < 4; s++) {
        is_good = is_good && fix_path_open(&side[s].path, &requests, s == 2);
        side[s].executions = &executions;
        side[s].log = &log;
        side[s].group = group[s];
        side[s].sequence = 1000000;
        measurement_add(&m, s == 2 ? "plain C" : name[s], name[s], durable_run, &side[s]);
    }
    m.baseline = "plain C";
    is_good = is_good && measurement_run(&m);
    if (is_good) {
        printf("  the log lies on %s\n\n", fix_log_system(&log));
    }
    for (uint32_t s = 0; s < 4; s++) {
        fix_path_close(&side[s].path);
    }
    fix_log_close(&log);
    fix_texts_close(&executions);
    fix_texts_close(&requests);
    fix_orders_close(&orders);
    return is_good;
}
