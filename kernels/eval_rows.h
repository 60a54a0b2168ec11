/* eval_rows.h: what is told of a block's rows: how many, and which words of 64 hold any. */
#ifndef RF_EVAL_ROWS_H
#define RF_EVAL_ROWS_H

#include "eval_kernels.h"

struct rows_summary {
    uint32_t count;
    uint32_t words; /* bit w: some row of word w */
};

/* For levels that count words one by one. */
static inline struct rows_summary rows_summarise_words(const uint64_t *rows, const uint64_t *live)
{
    struct rows_summary sum = {0, 0};
    for (int w = 0; w < RF_EVAL_BLOCK_WORDS; w++) {
        const uint64_t bits = rows[w] & live[w];
        sum.count += (uint32_t)__builtin_popcountll(bits);
        sum.words |= (uint32_t)(bits != 0) << w;
    }
    return sum;
}

#endif
