#include "label_tally.h"

#include <assert.h>
#include <stdlib.h>

enum rf_status rf_label_tally_open(struct rf_label_tally *tally, uint32_t rules, enum rf_isa isa, struct rf_error *err)
{
    const size_t room = rules == 0 ? 1 : rules;
    *tally = (struct rf_label_tally){.rules = rules,
                                     .kernels = rf_eval_kernels_of(isa),
                                     .hits_true = calloc(room, sizeof(uint64_t)),
                                     .hits_false = calloc(room, sizeof(uint64_t))};
    if (tally->hits_true == NULL || tally->hits_false == NULL) {
        rf_label_tally_close(tally);
        RF_FAIL(err, RF_E_MEMORY, "out of memory for the label counts of %u rules", rules);
    }
    return RF_OK;
}

void rf_label_tally_close(struct rf_label_tally *tally)
{
    free(tally->hits_true);
    free(tally->hits_false);
    *tally = (struct rf_label_tally){0};
}

void rf_label_tally_block(struct rf_label_tally *tally, const uint64_t *label_true, const uint64_t *label_false,
                          uint32_t words)
{
    tally->records_true += tally->kernels->count_both(label_true, label_true, words);
    tally->records_false += tally->kernels->count_both(label_false, label_false, words);
}

void rf_label_tally_rule(struct rf_label_tally *tally, uint32_t rule, const uint64_t *truth, const uint64_t *label_true,
                         const uint64_t *label_false, uint32_t words)
{
    tally->hits_true[rule] += tally->kernels->count_both(truth, label_true, words);
    tally->hits_false[rule] += tally->kernels->count_both(truth, label_false, words);
}

void rf_label_tally_merge(struct rf_label_tally *tally, const struct rf_label_tally *from)
{
    assert(tally->rules == from->rules);
    tally->records_true += from->records_true;
    tally->records_false += from->records_false;
    for (uint32_t r = 0; tally->hits_true != NULL && r < tally->rules; r++) {
        tally->hits_true[r] += from->hits_true[r];
        tally->hits_false[r] += from->hits_false[r];
    }
}

static bool ratio(uint64_t part, uint64_t whole, double *out)
{
    if (whole != 0) {
        *out = (double)part / (double)whole;
    }
    return whole != 0;
}

bool rf_label_precision(const struct rf_label_tally *tally, uint32_t rule, double *out)
{
    return ratio(tally->hits_true[rule], tally->hits_true[rule] + tally->hits_false[rule], out);
}

bool rf_label_recall(const struct rf_label_tally *tally, uint32_t rule, double *out)
{
    return ratio(tally->hits_true[rule], tally->records_true, out);
}
