/* rule_rank.h: the rules of an outcome, those with the most hits first; of equal ones in the order of the file.
 *
 * Ownership  the caller frees.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_RULE_RANK_H
#define RF_RULE_RANK_H

#include "outcome.h"

struct rf_rule_rank {
    uint32_t rule;
    uint64_t hits;
};

/* *out: [outcome->rules] */
enum rf_status rf_rule_ranks(const struct rf_outcome *outcome, struct rf_rule_rank **out, struct rf_error *err);

#endif
