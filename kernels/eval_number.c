#include "eval_number.h"

/* Where all numbers are doubles this is all there is to do; else atom_run brings in the integers. */
static void numbers_rank(const struct rf_eval_block *block, const struct rf_eval_step *step, const uint64_t *payload)
{
    const struct rf_eval_plan *plan = block->plan;
    const struct rf_eval_classes *classes = &block->classes;
    uint16_t code[RF_EVAL_BLOCK_ROWS];
    uint64_t among[RF_EVAL_BLOCK_WORDS];
    uint64_t present[RF_EVAL_BLOCK_WORDS]; /* what can be unequal to a number */
    block->kernels->rank_doubles(payload, block->words, step->rank, code, among);
    for (uint32_t w = 0; w < block->words; w++) {
        among[w] &= classes->number[w];
        present[w] = ~classes->missing[w];
    }
    for (uint32_t i = 0; i < step->count; i++) {
        const uint32_t atom = plan->order[step->first + i];
        const bool is_equality = block->program->atom[atom].compare == RF_EQ;
        block->kernels->compare_codes(code, among, is_equality ? present : classes->number, block->words,
                                      step->rank->test[i], &plan->reg[atom]);
    }
}

void rf_eval_numbers(const struct rf_eval_block *block, const struct rf_eval_step *step, const uint64_t *payload)
{
    enum { GROUP = 64 };
    const struct rf_eval_plan *plan = block->plan;
    if (step->rank != NULL) {
        numbers_rank(block, step, payload);
        return;
    }
    const enum rf_compare compare = plan->constant[plan->order[step->first]].double_compare;
    for (uint32_t i = 0; i < step->count; i += GROUP) {
        const uint32_t count = step->count - i < GROUP ? step->count - i : GROUP;
        uint64_t *out[GROUP];
        for (uint32_t k = 0; k < count; k++) {
            out[k] = plan->reg[plan->order[step->first + i + k]].truth;
        }
        block->kernels->compare_double(payload, block->words, compare, plan->number_bits + step->first + i, count, out);
    }
}
