/* eval_rows.h: parts of the eval loops for levels that go row by row or word by word. */
#ifndef RF_EVAL_ROWS_H
#define RF_EVAL_ROWS_H

#include <string.h>

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

/* For levels without gathers: 64 rows, one after the other. The value of row i is a double. */
static inline uint64_t rank_word_rows(const uint64_t *payload, const struct rf_eval_rank *rank, uint16_t *code)
{
    uint64_t ordered = 0;
    for (uint32_t i = 0; i < 64; i++) {
        double value;
        memcpy(&value, &payload[i], sizeof value);
        code[i] = rf_eval_rank_code(rank, value);
        ordered |= (uint64_t)(value == value) << i;
    }
    return ordered;
}

#endif
