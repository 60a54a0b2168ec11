/* overlap.h: how often each two rules are true of the same record.
 *
 * Purpose    Which rules say the same thing.
 * Data       both[i (i - 1) / 2 + j], j < i: records that rules i and j hit. Exact for all pairs, so that parts add up.
 * Bounds     RF_OVERLAP_RULES_MAX rules: pairs grow with the square.
 * Ownership  rf_overlap_close frees.
 * Threads    one at a time.
 * Errors     RF_E_LIMIT, RF_E_MEMORY.
 * Cost       of a block: for each two rules that have hits in it, 16 words.
 */
#ifndef RF_OVERLAP_H
#define RF_OVERLAP_H

#include "eval_kernels.h"
#include "status.h"

enum { RF_OVERLAP_RULES_MAX = 2048 };

struct rf_overlap {
    uint32_t rules;
    uint64_t *both;
    uint32_t *active; /* scratch */
    const struct rf_eval_kernels *kernels;
};

enum rf_status rf_overlap_open(struct rf_overlap *overlap, uint32_t rules, enum rf_isa isa, struct rf_error *err);
void rf_overlap_close(struct rf_overlap *overlap);
/* truth[rules][RF_EVAL_BLOCK_WORDS], of which `words` hold rows. */
void rf_overlap_add(struct rf_overlap *overlap, const uint64_t *truth, uint32_t words);
void rf_overlap_merge(struct rf_overlap *overlap, const struct rf_overlap *from);

static inline uint64_t *rf_overlap_at(const struct rf_overlap *overlap, uint32_t a, uint32_t b)
{
    const size_t high = a > b ? a : b;
    return &overlap->both[high * (high - 1) / 2 + (a > b ? b : a)];
}

#endif
