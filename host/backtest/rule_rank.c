#include "rule_rank.h"

#include <stdlib.h>

static int rank_compare(const void *left, const void *right)
{
    const struct rf_rule_rank *a = left;
    const struct rf_rule_rank *b = right;
    if (a->hits != b->hits) {
        return a->hits > b->hits ? -1 : 1;
    }
    return a->rule < b->rule ? -1 : a->rule > b->rule;
}

enum rf_status rf_rule_ranks(const struct rf_outcome *outcome, struct rf_rule_rank **out, struct rf_error *err)
{
    *out = calloc((size_t)outcome->rules + 1, sizeof **out);
    if (*out == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for the order of %u rules", outcome->rules);
    }
    for (uint32_t r = 0; r < outcome->rules; r++) {
        (*out)[r] = (struct rf_rule_rank){r, rf_tally_hits(&outcome->tally, r)};
    }
    qsort(*out, outcome->rules, sizeof **out, rank_compare);
    return RF_OK;
}
