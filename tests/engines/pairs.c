/* pairs [--device] SEED COUNT [FIRST]: random expressions over random rows until COUNT pairs of both were compared between the
 * interpreter and the vector engine at each level of this machine; the first difference ends it, made small.
 *
 * With --device it is compared too.
 *
 * The same seed gives the same cases on every machine. Case FIRST is where it begins: a difference names its case, so that
 * `pairs SEED 1 CASE` shows it again. Exit codes: 0 no difference, 1 one was found, 64 usage. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "device.h"
#include "function.h"
#include "lab.h"

struct sums {
    uint64_t cases;
    uint64_t refused;
    struct lab_report report;
    bool uses[RF_FUNCTION_COUNT];
};

/* What one case said is added to what all did. */
static void sums_add(struct sums *sums, const struct lab_report *report)
{
    sums->report.pairs += report->pairs;
    sums->report.host_rows += report->host_rows;
    sums->report.device_rows += report->device_rows;
    sums->report.redone_rows += report->redone_rows;
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
    if (all->device_rows != 0) {
        printf("%" PRIu64 " rows on the device, %" PRIu64 " of them left to the interpreter\n", all->device_rows, all->redone_rows);
    }
    printf("functions that no expression had:");
    for (int f = 0; f < RF_FUNCTION_COUNT; f++) {
        printf("%s%s", sums->uses[f] ? "" : " ", sums->uses[f] ? "" : rf_function_info((enum rf_function)f)->text);
    }
    printf("\n%" PRIu64 " pairs at %d levels without a difference\n", all->pairs, (int)rf_isa_best() + 1);
}

int main(int argc, char **argv)
{
    const bool has_device = argc > 1 && strcmp(argv[1], "--device") == 0;
    argc -= has_device;
    argv += has_device;
    if (has_device) {
        if (rf_device_get()->api == NULL) {
            fprintf(stderr, "no device: %s\n", rf_device_get()->why);
            return 2;
        }
        lab_use_device(rf_device_get()->api);
    }
    if (argc < 3 || argc > 4) {
        fprintf(stderr, "usage: pairs [--device] SEED COUNT [FIRST]\n");
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
        struct choice choice = choice_of_seed(seed * UINT64_C(1000003) + number);
        lab_make(&choice, &lab);
        const enum lab_verdict verdict = lab_run(&lab, &report);
        sums.refused += verdict == LAB_REFUSED ? 1 : 0;
        const uint64_t millions = sums.report.pairs / 1000000;
        sums_add(&sums, &report);
        if (sums.report.pairs / 1000000 != millions) {
            printf("%" PRIu64 " pairs, %" PRIu64 " cases\n", sums.report.pairs, sums.cases);
            (void)fflush(stdout);
        }
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
