/* FX-pos: ExecutionReports that are decoded already to positions; with their decoding it is FX-pos100. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_fix.h"
#include "fix_position.h"

enum { REPORTS = 16384, ROUNDS = 8, REPORT_TEXT = 64 };

struct report_set {
    struct rf_fix_report *report; /* [REPORTS] */
    char *text;                   /* [REPORTS][REPORT_TEXT] */
};

struct position_side {
    const struct report_set *set;
    struct rf_fix_positions positions;
    bool is_whole; /* memory is taken, filled, all positions are listed by name, and memory given back */
};

static uint64_t random_next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static struct rf_str text_write(char **at, const char *format, uint64_t number, uint64_t more)
{
    const int count = snprintf(*at, 20, format, (unsigned)number, (unsigned)more);
    const struct rf_str text = {*at, (size_t)count};
    *at += count;
    return text;
}

/* 20 accounts and 50 symbols; one report in fifty cancels or corrects an earlier one. */
static void report_make(struct rf_fix_report *out, char *text, uint64_t number, uint64_t *random,
                        const struct rf_fix_report *first)
{
    const uint64_t kind = number == 0 ? 99 : random_next(random) % 100;
    const struct rf_fix_report *const before = number == 0 ? first : &first[random_next(random) % number];
    *out = (struct rf_fix_report){.sender = RF_STR("BROKER"), .exec_type = kind == 0 ? 'H' : kind == 1 ? 'G' : 'F'};
    out->exec_id = text_write(&text, "EXEC%06u", number, 0);
    out->last_quantity = text_write(&text, "%u", 1 + random_next(random) % 5000, 0);
    out->last_price = text_write(&text, "%u.%04u", 10 + random_next(random) % 900, random_next(random) % 10000);
    if (kind <= 1) {
        out->account = before->account;
        out->symbol = before->symbol;
        out->side = before->side;
        out->exec_ref_id = before->exec_id;
        return;
    }
    out->account = text_write(&text, "ACCT%03u", random_next(random) % 20, 0);
    out->symbol = text_write(&text, "SYM%02u", random_next(random) % 50, 0);
    out->side = (char)('1' + random_next(random) % 2);
}

static void set_close(struct report_set *set)
{
    free(set->report);
    free(set->text);
}

static bool set_open(struct report_set *set)
{
    uint64_t random = 1;
    set->report = calloc(REPORTS, sizeof(set->report[0]));
    set->text = calloc(REPORTS, REPORT_TEXT);
    if (set->report == NULL || set->text == NULL) {
        fprintf(stderr, "riffle-bench: no memory for reports\n");
        set_close(set);
        return false;
    }
    for (uint64_t i = 0; i < REPORTS; i++) {
        report_make(&set->report[i], set->text + i * REPORT_TEXT, i, &random, set->report);
    }
    return true;
}

static bool reports_apply(struct position_side *side, struct outcome *outcome)
{
    const struct rf_fix_position **sorted;
    size_t count = 0;
    struct rf_error err;
    enum rf_status status = RF_OK;
    for (uint32_t i = 0; status == RF_OK && i < REPORTS; i++) {
        enum rf_fix_effect effect;
        status = rf_fix_positions_apply(&side->positions, &side->set->report[i], &effect, &err);
    }
    if (status == RF_OK && side->is_whole) {
        status = rf_fix_positions_list(&side->positions, &sorted, &count, &err);
    }
    if (status != RF_OK) {
        fprintf(stderr, "riffle-bench: %s\n", err.text);
    }
    outcome->selected += side->positions.count[RF_FIX_EFFECT_TRADE];
    return status == RF_OK;
}

static bool position_run(void *context, struct outcome *outcome)
{
    struct position_side *const side = context;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        if (side->is_whole) {
            rf_fix_positions_open(&side->positions, (size_t)256 << 20);
        } else {
            rf_fix_positions_reset(&side->positions);
        }
        const bool is_good = reports_apply(side, outcome);
        if (side->is_whole) {
            rf_fix_positions_close(&side->positions);
        }
        if (!is_good) {
            return false;
        }
    }
    return true;
}

bool case_fix_position(struct bench *bench)
{
    static struct measurement m;
    struct report_set set;
    if (!set_open(&set)) {
        return false;
    }
    struct position_side steady = {.set = &set};
    struct position_side whole = {.set = &set, .is_whole = true};
    rf_fix_positions_open(&steady.positions, (size_t)256 << 20);
    measurement_open(&m, "FX-pos  decoded reports to positions, 16,384 distinct, 1,000 positions; goal 100 ns", 0,
                     (uint64_t)ROUNDS * REPORTS, bench->laps);
    measurement_add(&m, "riffle", "riffle, memory kept", position_run, &steady);
    measurement_add(&m, "riffle whole", "riffle, from an empty table to a sorted list", position_run, &whole);
    const bool is_good = measurement_run(&m);
    printf("  published, another machine, decoding included: a Rust gateway, 886 ns\n\n");
    rf_fix_positions_close(&steady.positions);
    set_close(&set);
    return is_good;
}
