#include "overlap.h"

#include <assert.h>
#include <stdlib.h>

static size_t pairs_of(uint32_t rules)
{
    return rules == 0 ? 0 : (size_t)rules * (rules - 1) / 2;
}

enum rf_status rf_overlap_open(struct rf_overlap *overlap, uint32_t rules, enum rf_isa isa, struct rf_error *err)
{
    *overlap = (struct rf_overlap){.rules = rules, .kernels = rf_eval_kernels_of(isa)};
    if (rules > RF_OVERLAP_RULES_MAX) {
        RF_FAIL(err, RF_E_LIMIT, "--overlap is for at most %d rules, and there are %u", RF_OVERLAP_RULES_MAX, rules);
    }
    overlap->both = calloc(pairs_of(rules) + 1, sizeof *overlap->both);
    overlap->active = calloc(rules + 1, sizeof *overlap->active);
    if (overlap->both == NULL || overlap->active == NULL) {
        rf_overlap_close(overlap);
        RF_FAIL(err, RF_E_MEMORY, "out of memory for the pairs of %u rules", rules);
    }
    return RF_OK;
}

void rf_overlap_close(struct rf_overlap *overlap)
{
    free(overlap->both);
    free(overlap->active);
    *overlap = (struct rf_overlap){0};
}

static bool has_any(const uint64_t *truth, uint32_t words)
{
    uint64_t any = 0;
    for (uint32_t w = 0; w < words; w++) {
        any |= truth[w];
    }
    return any != 0;
}

void rf_overlap_add(struct rf_overlap *overlap, const uint64_t *truth, uint32_t words)
{
    uint32_t active = 0;
    for (uint32_t r = 0; r < overlap->rules; r++) {
        if (has_any(truth + (size_t)r * RF_EVAL_BLOCK_WORDS, words)) {
            overlap->active[active++] = r;
        }
    }
    for (uint32_t i = 1; i < active; i++) {
        const uint64_t *high = truth + (size_t)overlap->active[i] * RF_EVAL_BLOCK_WORDS;
        for (uint32_t j = 0; j < i; j++) {
            const uint64_t *low = truth + (size_t)overlap->active[j] * RF_EVAL_BLOCK_WORDS;
            *rf_overlap_at(overlap, overlap->active[i], overlap->active[j]) +=
                overlap->kernels->count_both(high, low, words);
        }
    }
}

void rf_overlap_merge(struct rf_overlap *overlap, const struct rf_overlap *from)
{
    assert(overlap->rules == from->rules);
    for (size_t i = 0; i < pairs_of(overlap->rules); i++) {
        overlap->both[i] += from->both[i];
    }
}
