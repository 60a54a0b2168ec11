/* The cases of tests/engines/pairs.c, chosen by the input's bytes instead of a seed: expressions of the whole language
 * over random records or values of declared variables, one or many at once. The interpreter and the vector engine at each
 * level must give the same truth and the same values, to the bottom. */
#include <stdio.h>
#include <stdlib.h>

#include "lab.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct lab_case lab;
    struct lab_report report = {.source = 0};
    struct choice choice = choice_of_bytes(data, size);
    lab.arena.bytes_max = (size_t)64 << 20;
    lab_make(&choice, &lab);
    const enum lab_verdict verdict = lab_run(&lab, &report);
    if (verdict == LAB_DIFFERENT) {
        lab_shrink(&lab, &report);
    }
    if (verdict == LAB_DIFFERENT || verdict == LAB_SLOW) {
        fprintf(stderr, "fuzz_pairs: %s\n", report.what);
        lab_print(&lab, &report);
        abort();
    }
    return verdict == LAB_REFUSED ? -1 : 0; /* the types cannot match: try another one */
}
