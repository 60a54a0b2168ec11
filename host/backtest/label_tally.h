/* label_tally.h: how well each rule tells records with a label from those without: the counts of precision and recall.
 *
 * Purpose    Beside the tally, when records say what they are (--label).
 * Data       R rules: hits_true[R], hits_false[R]: hits where the label is true and false; where it has no value, in neither.
 *            records_true, records_false: records, whatever the rules say.
 *            precision = hits_true / (hits_true + hits_false); recall = hits_true / records_true.
 * Ownership  rf_label_tally_close frees.
 * Threads    one for each thread; rf_label_tally_merge in the end, in any order.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_LABEL_TALLY_H
#define RF_LABEL_TALLY_H

#include "eval_kernels.h"

struct rf_label_tally {
    uint32_t rules;
    uint64_t *hits_true, *hits_false; /* NULL: there is no label */
    uint64_t records_true, records_false;
    const struct rf_eval_kernels *kernels; /* that count */
};

enum rf_status rf_label_tally_open(struct rf_label_tally *tally, uint32_t rules, enum rf_isa isa, struct rf_error *err);
void rf_label_tally_close(struct rf_label_tally *tally);
/* label_true[words], label_false[words]: of a block's live rows. Counts the records. */
void rf_label_tally_block(struct rf_label_tally *tally, const uint64_t *label_true, const uint64_t *label_false,
                          uint32_t words);
void rf_label_tally_rule(struct rf_label_tally *tally, uint32_t rule, const uint64_t *truth, const uint64_t *label_true,
                         const uint64_t *label_false, uint32_t words);
void rf_label_tally_merge(struct rf_label_tally *tally, const struct rf_label_tally *from);

/* False: there is nothing to divide by. */
bool rf_label_precision(const struct rf_label_tally *tally, uint32_t rule, double *out);
bool rf_label_recall(const struct rf_label_tally *tally, uint32_t rule, double *out);

#endif
