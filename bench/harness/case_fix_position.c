/* FX-pos: ExecutionReports that are decoded already to positions; with their decoding it is FX-pos100. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_fix.h"
#include "fix_position.h"

enum { REPORTS = 16384, BLOCK = 100, ROUNDS = 8, REPORT_TEXT = 64 };

struct report_set {
    struct rf_fix_report *report; /* [REPORTS] */
    char *text;                   /* [REPORTS][REPORT_TEXT] */
};

struct position_side {
    const struct report_set *set;
    bool has_blocks; /* a fresh table for each BLOCK reports: what the published gateway was measured with */
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

/* As many reports as BLOCK, or all. */
static bool reports_apply(const struct rf_fix_report *report, uint32_t reports, struct outcome *outcome)
{
    struct rf_fix_positions positions;
    const struct rf_fix_position **sorted;
    size_t count = 0;
    struct rf_error err;
    enum rf_status status = RF_OK;
    rf_fix_positions_open(&positions, (size_t)256 << 20);
    for (uint32_t i = 0; status == RF_OK && i < reports; i++) {
        enum rf_fix_effect effect;
        status = rf_fix_positions_apply(&positions, &report[i], &effect, &err);
    }
    if (status == RF_OK) {
        status = rf_fix_positions_list(&positions, &sorted, &count, &err);
    }
    if (status != RF_OK) {
        fprintf(stderr, "riffle-bench: %s\n", err.text);
    }
    outcome->selected += positions.count[RF_FIX_EFFECT_TRADE] + count;
    rf_fix_positions_close(&positions);
    return status == RF_OK;
}

static bool position_run(void *context, struct outcome *outcome)
{
    const struct position_side *const side = context;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const uint32_t step = side->has_blocks ? BLOCK : REPORTS;
        for (uint32_t i = 0; i + step <= REPORTS; i += step) {
            if (!reports_apply(side->set->report + i, step, outcome)) {
                return false;
            }
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
    struct position_side all = {&set, false};
    struct position_side blocks = {&set, true};
    measurement_open(
        &m, "FX-pos  reports that are decoded to positions, 16,384 distinct: table made, filled, listed by name", 0,
        (uint64_t)ROUNDS * REPORTS, bench->laps);
    measurement_add_other(&m, "riffle", "riffle, one table for all", position_run, &all);
    measurement_add_other(&m, "riffle of 100", "riffle, a table for each 100", position_run, &blocks);
    const bool is_good = measurement_run(&m);
    printf("  published, another machine, decoding included: a Rust gateway, 886 ns\n\n");
    set_close(&set);
    return is_good;
}
