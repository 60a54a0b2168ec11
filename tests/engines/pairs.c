/* pairs SEED COUNT [FIRST]: random expressions over random rows until COUNT pairs of both were compared between the
 * interpreter and the vector engine at each level of this machine; the first difference ends it, made small.
 *
 * The same seed gives the same cases on every machine. Case FIRST is where it begins: a difference names its case, so that
 * `pairs SEED 1 CASE` shows it again. Exit codes: 0 no difference, 1 one was found, 64 usage. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "function.h"
#include "lab.h"
#include "random_expr.h"
#include "random_record.h"

enum { WIDE_ROWS_MAX = 3000, TABLE_ROWS_MAX = 80, LAB_ROUND_MIN = 128 };

struct sums {
    uint64_t cases;
    uint64_t refused;
    struct lab_report report;
    bool uses[RF_FUNCTION_COUNT];
};

static void source_add(struct lab_case *lab, uint32_t i, struct random_expr *expr)
{
    rf_text_clear(&lab->source[i]);
    put_str(&lab->source[i], rf_text_str(&expr->out));
}

static void sources_make(struct choice *choice, struct lab_case *lab)
{
    struct random_expr expr = random_expr_open(choice, !lab->is_table);
    const bool has_values = lab->is_table || choose(choice, 2) == 0;
    lab->predicates = has_values ? 0 : 1 + choose(choice, 4);
    lab->projections = lab->is_table ? 1 : has_values ? 1 + choose(choice, 3) : 0;
    for (uint32_t i = 0; i < lab->predicates; i++) {
        random_predicate(&expr);
        source_add(lab, i, &expr);
    }
    for (uint32_t i = 0; i < lab->projections; i++) {
        random_value_expr(&expr);
        source_add(lab, lab->predicates + i, &expr);
    }
    random_expr_close(&expr);
}

static void records_make(struct choice *choice, struct lab_case *lab)
{
    const bool is_wide = choose_rarely(choice, 3);
    const struct record_shape shape = random_shape(choice, is_wide);
    const uint32_t rows = is_wide ? 1 + choose(choice, WIDE_ROWS_MAX) : 1 + choose(choice, 140);
    lab->rows_max = choose(choice, 2) == 0 ? LAB_ROUND_MIN : 4096;
    rf_text_clear(&lab->records);
    for (uint32_t row = 0; row < rows; row++) {
        put_record(choice, shape, &lab->records);
        put(&lab->records, choose_rarely(choice, 4) ? "\r\n" : "\n");
    }
    if (choose_rarely(choice, 32)) {
        lab->records.count--;
    }
}

static void table_make(struct choice *choice, struct lab_case *lab)
{
    lab->is_lifting = choose(choice, 2) == 0;
    lab->is_unchecked = choose_rarely(choice, 64);
    lab->rows = 1 + choose(choice, TABLE_ROWS_MAX);
    rf_arena_reset(&lab->arena);
    lab->binding = RF_PUSH(&lab->arena, struct rf_value, lab->rows * FIELDS);
    if (lab->binding == NULL) {
        abort();
    }
    for (uint32_t i = 0; i < lab->rows * FIELDS; i++) {
        lab->binding[i] = random_binding(choice, &random_field_table[i % FIELDS], &lab->arena);
    }
}

static void case_make(uint64_t seed, uint64_t number, struct lab_case *lab)
{
    struct choice choice = choice_of_seed(seed * UINT64_C(1000003) + number);
    lab->is_strict_cel = choose(&choice, 4) == 0;
    lab->is_validating = choose(&choice, 4) == 0;
    lab->is_lifting = lab->is_unchecked = false;
    lab->is_table = choose(&choice, 3) == 0;
    sources_make(&choice, lab);
    if (lab->is_table) {
        table_make(&choice, lab);
    } else {
        records_make(&choice, lab);
    }
}

/* What one case said is added to what all did. */
static void sums_add(struct sums *sums, const struct lab_report *report)
{
    sums->report.pairs += report->pairs;
    sums->report.host_rows += report->host_rows;
    for (int i = 0; i < 3; i++) {
        sums->report.of[i] += report->of[i];
    }
    if (report->slowest_ns > sums->report.slowest_ns) {
        sums->report.slowest_ns = report->slowest_ns;
    }
    for (int f = 0; f < RF_FUNCTION_COUNT; f++) {
        sums->uses[f] = sums->uses[f] || report->uses[f];
    }
}

static void sums_print(const struct sums *sums)
{
    const struct lab_report *all = &sums->report;
    printf("%" PRIu64 " cases, %" PRIu64 " refused; of the pairs %" PRIu64 " false, %" PRIu64
           " true or a value, %" PRIu64 " errors; %" PRIu64 " asked from the interpreter; the slowest took %" PRIu64
           " us\n",
           sums->cases, sums->refused, all->of[0], all->of[1], all->of[2], all->host_rows, all->slowest_ns / 1000);
    printf("functions that no expression had:");
    for (int f = 0; f < RF_FUNCTION_COUNT; f++) {
        printf("%s%s", sums->uses[f] ? "" : " ", sums->uses[f] ? "" : rf_function_info((enum rf_function)f)->text);
    }
    printf("\n%" PRIu64 " pairs at %d levels without a difference\n", all->pairs, (int)rf_isa_best() + 1);
}

int main(int argc, char **argv)
{
    if (argc < 3 || argc > 4) {
        fprintf(stderr, "usage: pairs SEED COUNT [FIRST]\n");
        return 64;
    }
    const uint64_t seed = strtoull(argv[1], NULL, 10);
    const uint64_t count = strtoull(argv[2], NULL, 10);
    const uint64_t first = argc == 4 ? strtoull(argv[3], NULL, 10) : 0;
    struct lab_case lab = {.predicates = 0};
    struct sums sums = {.cases = 0};
    int result = 0;
    rf_arena_init(&lab.arena, (size_t)64 << 20);
    while (result == 0 && sums.report.pairs < count) {
        struct lab_report report = {.source = 0};
        const uint64_t number = first + sums.cases++;
        case_make(seed, number, &lab);
        const enum lab_verdict verdict = lab_run(&lab, &report);
        sums.refused += verdict == LAB_REFUSED ? 1 : 0;
        sums_add(&sums, &report);
        if (verdict == LAB_DIFFERENT || verdict == LAB_SLOW) {
            fprintf(stderr, "seed %" PRIu64 ", case %" PRIu64 ": %s\n", seed, number, report.what);
            if (verdict == LAB_DIFFERENT) {
                lab_shrink(&lab, &report);
            }
            lab_print(&lab, &report);
            result = 1;
        }
    }
    if (result == 0) {
        sums_print(&sums);
    }
    lab_case_free(&lab);
    return result;
}
