/* FX-pos100: raw ExecutionReports to positions, a hundred at a time. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_fix_gateway.h"
#include "fix_position.h"

enum { BATCH = 100, BATCHES = FIX_MESSAGES / BATCH, ROUNDS = 1, BOOK_CELLS = 4096, EXEC_CELLS = 65536 };

/* ---- Plain C: tables with open addressing, 64-bit integers ---- */

struct plain_position {
    struct rf_str account, symbol; /* in the messages */
    int64_t quantity;
    int64_t cost, realised; /* millionths */
};

struct plain_book { /* as many cells as the reports need, powers of two: emptying them costs time, too */
    struct plain_position cell[BOOK_CELLS]; /* account.data NULL: free */
    struct rf_str exec[EXEC_CELLS];
    uint32_t cells, exec_cells;
    uint32_t positions, execs;
};

static uint64_t text_hash(uint64_t hash, struct rf_str text)
{
    return bench_hash(hash, text.data, text.count);
}

static struct plain_position *book_find(struct plain_book *book, struct rf_str account, struct rf_str symbol)
{
    uint64_t at = text_hash(text_hash(BENCH_HASH_START, account), symbol) & (book->cells - 1);
    for (;; at = (at + 1) & (book->cells - 1)) {
        struct plain_position *const cell = &book->cell[at];
        if (cell->account.data == NULL) {
            if (book->positions == book->cells / 2) {
                return NULL;
            }
            book->positions++;
            *cell = (struct plain_position){.account = account, .symbol = symbol};
            return cell;
        }
        if (rf_str_equal(cell->account, account) && rf_str_equal(cell->symbol, symbol)) {
            return cell;
        }
    }
}

static bool book_is_new(struct plain_book *book, struct rf_str exec_id)
{
    uint64_t at = text_hash(BENCH_HASH_START, exec_id) & (book->exec_cells - 1);
    for (; book->exec[at].data != NULL; at = (at + 1) & (book->exec_cells - 1)) {
        if (rf_str_equal(book->exec[at], exec_id)) {
            return false;
        }
    }
    book->exec[at] = exec_id;
    book->execs++; /* half of the cells at most, by reconcile_measure */
    return true;
}

static void position_trade(struct plain_position *position, int64_t quantity, int64_t price)
{
    const int64_t open = position->quantity;
    position->quantity += quantity;
    if (open == 0 || (open < 0) == (quantity < 0)) {
        position->cost += quantity * price;
    } else if ((quantity < 0 ? -quantity : quantity) <= (open < 0 ? -open : open)) {
        const int64_t left = (int64_t)((__int128)position->cost * -quantity / open);
        position->cost -= left;
        position->realised += -quantity * price - left;
    } else {
        position->realised += open * price - position->cost;
        position->cost = (open + quantity) * price;
    }
}

/* ---- Sides ---- */

struct reconcile_side {
    const struct fix_texts *executions;
    bool is_fixed;   /* the first hundred again and again, into empty positions each time */
    bool has_execs;  /* plain C: reports are told apart */
    bool is_checked; /* the first run sums the result up; those that are timed do not */
    struct fix_decoder decoder;
    struct rf_fix_positions positions;
    struct plain_book book;
};

static struct rf_str batch_text(const struct reconcile_side *side, uint32_t batch)
{
    const uint32_t first = side->is_fixed ? 0 : batch * BATCH;
    const uint32_t begin = side->executions->begin[first];
    return (struct rf_str){side->executions->bytes + begin, side->executions->begin[first + BATCH] - begin};
}

static uint64_t position_digest(struct rf_str account, struct rf_str symbol, int64_t quantity, int64_t paid)
{
    const int64_t numbers[2] = {quantity, paid};
    return bench_hash(text_hash(text_hash(BENCH_HASH_START, account), symbol), numbers, sizeof(numbers));
}

/* What was received less what was paid is exact on both sides; how it falls apart into cost and profit is rounded by each in
 * its own unit. */
static uint64_t riffle_digest(struct rf_fix_positions *positions)
{
    const __int128 quantity_unit = 1000000000;
    const __int128 money_unit = 100000000000000; /* 10^-18 to ten-thousandths */
    const struct rf_fix_position **sorted;
    size_t count;
    struct rf_error err;
    uint64_t digest = 0;
    if (rf_fix_positions_list(positions, &sorted, &count, &err) != RF_OK) {
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        digest += position_digest(sorted[i]->account, sorted[i]->symbol, (int64_t)(sorted[i]->quantity / quantity_unit),
                                  (int64_t)((sorted[i]->realised - sorted[i]->cost) / money_unit));
    }
    return digest;
}

static uint64_t plain_digest(const struct plain_book *book)
{
    uint64_t digest = 0;
    for (uint32_t i = 0; i < book->cells; i++) {
        const struct plain_position *const cell = &book->cell[i];
        if (cell->account.data != NULL) {
            digest += position_digest(cell->account, cell->symbol, cell->quantity, (cell->realised - cell->cost) / 100);
        }
    }
    return digest;
}

static void report_take(const struct fix_decoder *decoder, uint32_t row, struct rf_fix_report *report)
{
    *report = (struct rf_fix_report){
        .sender = fix_decoder_text(decoder, FIX_WANTED_SENDER, row),
        .exec_id = fix_decoder_text(decoder, FIX_WANTED_EXEC_ID, row),
        .exec_ref_id = fix_decoder_text(decoder, FIX_WANTED_EXEC_REF_ID, row),
        .account = fix_decoder_text(decoder, FIX_WANTED_ACCOUNT, row),
        .symbol = fix_decoder_text(decoder, FIX_WANTED_SYMBOL, row),
        .last_quantity = fix_decoder_text(decoder, FIX_WANTED_LAST_QUANTITY, row),
        .last_price = fix_decoder_text(decoder, FIX_WANTED_LAST_PRICE, row),
        .exec_type = fix_first_char(fix_decoder_text(decoder, FIX_WANTED_EXEC_TYPE, row)),
        .exec_trans_type = fix_first_char(fix_decoder_text(decoder, FIX_WANTED_TRANS_TYPE, row)),
        .side = fix_first_char(fix_decoder_text(decoder, FIX_WANTED_SIDE, row)),
    };
}

static bool riffle_batch(struct reconcile_side *side, uint32_t batch)
{
    const struct fix_decoder *const decoder = &side->decoder;
    struct rf_error err;
    if (!fix_decoder_run(&side->decoder, batch_text(side, batch), BATCH)) {
        return false;
    }
    for (uint32_t row = 0; row < BATCH; row++) {
        struct rf_fix_report report;
        enum rf_fix_effect effect;
        if (fix_first_char(fix_decoder_text(decoder, FIX_WANTED_TYPE, row)) != '8') {
            continue;
        }
        report_take(decoder, row, &report);
        if (rf_fix_positions_apply(&side->positions, &report, &effect, &err) != RF_OK) {
            fprintf(stderr, "riffle-bench: %s\n", err.text);
            return false;
        }
    }
    return true;
}

static bool plain_batch(struct reconcile_side *side, uint32_t batch)
{
    struct rf_str bytes = batch_text(side, batch);
    while (bytes.count > 0) {
        struct fix_plain_report report;
        int64_t quantity;
        int64_t price;
        if (!fix_plain_decode(bytes.data, bytes.count, &report)) {
            fprintf(stderr, "riffle-bench: FX-pos100: plain C found no good message\n");
            return false;
        }
        bytes = (struct rf_str){bytes.data + report.bytes, bytes.count - report.bytes};
        if (fix_first_char(report.text[FIX_WANTED_TYPE]) != '8' ||
            fix_first_char(report.text[FIX_WANTED_EXEC_TYPE]) != 'F' ||
            (side->has_execs && !book_is_new(&side->book, report.text[FIX_WANTED_EXEC_ID]))) {
            continue;
        }
        const char direction = fix_first_char(report.text[FIX_WANTED_SIDE]);
        struct plain_position *const position =
            book_find(&side->book, report.text[FIX_WANTED_ACCOUNT], report.text[FIX_WANTED_SYMBOL]);
        if (position == NULL || !fix_plain_number(report.text[FIX_WANTED_LAST_QUANTITY], &quantity) ||
            !fix_plain_decimal(report.text[FIX_WANTED_LAST_PRICE], &price)) {
            fprintf(stderr, "riffle-bench: FX-pos100: plain C could not use a report\n");
            return false;
        }
        position_trade(position, direction == '1' ? quantity : -quantity, price * 100);
    }
    return true;
}

static void book_empty(struct plain_book *book, bool has_execs)
{
    memset(book->cell, 0, book->cells * sizeof(book->cell[0]));
    if (has_execs) {
        memset(book->exec, 0, book->exec_cells * sizeof(book->exec[0]));
    }
    book->positions = book->execs = 0;
}

static bool riffle_run(void *context, struct outcome *outcome)
{
    struct reconcile_side *const side = context;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        rf_fix_positions_reset(&side->positions);
        for (uint32_t batch = 0; batch < BATCHES; batch++) {
            if (side->is_fixed) {
                rf_fix_positions_reset(&side->positions);
            }
            if (!riffle_batch(side, batch)) {
                return false;
            }
            outcome->selected += BATCH;
        }
    }
    outcome->digest = side->is_checked ? 0 : riffle_digest(&side->positions);
    side->is_checked = true;
    return true;
}

static bool plain_run(void *context, struct outcome *outcome)
{
    struct reconcile_side *const side = context;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        book_empty(&side->book, side->has_execs);
        for (uint32_t batch = 0; batch < BATCHES; batch++) {
            if (side->is_fixed) {
                book_empty(&side->book, side->has_execs);
            }
            if (!plain_batch(side, batch)) {
                return false;
            }
            outcome->selected += BATCH;
        }
    }
    outcome->digest = side->is_checked ? 0 : plain_digest(&side->book);
    side->is_checked = true;
    return true;
}

static bool reconcile_measure(struct bench *bench, bool is_fixed, const char *title)
{
    static struct measurement m;
    static struct reconcile_side ours, plain, light;
    struct fix_orders orders = {0};
    struct fix_texts executions = {0};
    bool is_good = fix_orders_open(&orders, false) && fix_executions_open(&executions, &orders, FIX_BOOKED) &&
                   fix_decoder_open(&ours.decoder, fix_wanted_tag, FIX_WANTED, BATCH);
    rf_fix_positions_open(&ours.positions, (size_t)256 << 20);
    ours.executions = plain.executions = light.executions = &executions;
    ours.is_fixed = plain.is_fixed = light.is_fixed = is_fixed;
    plain.book.cells = light.book.cells = is_fixed ? 256 : BOOK_CELLS;
    plain.book.exec_cells = is_fixed ? 256 : EXEC_CELLS;
    ours.is_checked = plain.is_checked = light.is_checked = false;
    plain.has_execs = true;
    if (is_good) {
        const size_t bytes = is_fixed ? (size_t)BATCHES * executions.begin[BATCH] : executions.begin[BATCHES * BATCH];
        measurement_open(&m, title, ROUNDS * bytes, (uint64_t)ROUNDS * BATCHES * BATCH, bench->laps);
        measurement_add(&m, "riffle", "riffle: ExecIDs, trades kept, 128-bit decimals", riffle_run, &ours);
        measurement_add(&m, "plain C", "plain C: ExecIDs, 64-bit integers", plain_run, &plain);
        measurement_add(&m, "light", "plain C without ExecIDs: a repeated report counts", plain_run, &light);
        m.baseline = "plain C";
        is_good = measurement_run(&m);
    }
    rf_fix_positions_close(&ours.positions);
    fix_decoder_close(&ours.decoder);
    fix_texts_close(&executions);
    fix_orders_close(&orders);
    return is_good;
}

bool case_fix_reconcile(struct bench *bench)
{
    const bool is_good =
        reconcile_measure(
            bench, false,
            "FX-pos100  100 raw ExecutionReports: frame, both checks, wanted tags, positions by account and "
            "symbol;\n  16,300 distinct reports of 1,000 positions, from an empty table; goal 150 ns") &&
        reconcile_measure(bench, true,
                          "FX-pos100  the same 100 reports again and again, from an empty table each time");
    printf("  published, another machine: a Rust gateway, 886 ns\n\n");
    return is_good;
}
