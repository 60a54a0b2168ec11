/* eval_number.h: all comparisons of a step with numbers, on few loads of the payloads.
 *
 * Purpose    Fills the truth of the step's registers by comparing payloads as doubles; with a rank (eval_rank.h) falsity too, which
 *            is all there is to do where every number is a double. Else eval_atom.c brings in the integers.
 * Threads    a block belongs to one worker.
 */
#ifndef RF_EVAL_NUMBER_H
#define RF_EVAL_NUMBER_H

#include "eval_atom.h"

/* payload: of the block's first row. block->classes are those of the step's slot. */
void rf_eval_numbers(const struct rf_eval_block *block, const struct rf_eval_step *step, const uint64_t *payload);

#endif
