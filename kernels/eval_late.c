/* eval_late.c: computed columns and their atoms, for the rows that the atoms of plain slots leave undecided. */
#include "eval_atom.h"

static void calc_step(struct rf_eval_block *block, uint32_t number)
{
    const struct rf_calc *calc = &block->program->calc[number];
    struct rf_calc_view arg[RF_CALC_ARGS_MAX];
    for (uint32_t i = 0; i < calc->args; i++) {
        arg[i] = rf_eval_block_view(block, calc->arg[i]);
    }
    struct rf_eval_terms *terms = &block->plan->terms;
    rf_eval_terms_run(terms, number, calc, arg, block->plan->calc_rows[number], block->words, &terms->scratch);
}

static void term_want(struct rf_eval_block *block, uint32_t term, const uint64_t *rows)
{
    if (term == RF_NONE || (term & RF_TERM_COMPUTED) == 0) {
        return;
    }
    uint64_t *wanted = block->plan->calc_rows[term & RF_TERM_NUMBER];
    for (uint32_t w = 0; w < block->words; w++) {
        wanted[w] |= rows[w];
    }
}

/* From the atoms that some row still needs down to what they are computed from. */
static void calc_rows_fill(struct rf_eval_block *block)
{
    struct rf_eval_plan *plan = block->plan;
    memset(plan->calc_rows, 0, block->program->calcs * sizeof(*plan->calc_rows));
    for (uint32_t v = 0; v < block->program->values; v++) {
        term_want(block, block->program->value[v], block->live);
    }
    for (uint32_t s = plan->steps; s-- > plan->late;) {
        const struct rf_eval_step *step = &plan->step[s];
        if (step->calc != RF_NONE) {
            const struct rf_calc *calc = &block->program->calc[step->calc];
            for (uint32_t i = 0; i < calc->args; i++) {
                term_want(block, calc->arg[i], plan->calc_rows[step->calc]);
            }
            continue;
        }
        for (uint32_t i = step->first; i < step->first + step->count; i++) {
            const struct rf_atom *atom = &block->program->atom[plan->order[i]];
            term_want(block, atom->slot, plan->need[plan->order[i]]);
            if (atom->kind == RF_ATOM_CMP_SLOT) {
                term_want(block, atom->other_slot, plan->need[plan->order[i]]);
            }
        }
    }
}

/* Rows that no atom of the step needs have garbage in its columns: they must not be looked at. */
static bool step_rows(const struct rf_eval_block *block, const struct rf_eval_step *step, uint64_t *rows)
{
    uint64_t any = 0;
    memset(rows, 0, RF_EVAL_BLOCK_WORDS * sizeof(rows[0]));
    for (uint32_t i = step->first; i < step->first + step->count; i++) {
        for (uint32_t w = 0; w < block->words; w++) {
            rows[w] |= block->plan->need[block->plan->order[i]][w];
            any |= rows[w];
        }
    }
    return any != 0;
}

void rf_eval_late_atoms(struct rf_eval_block *block)
{
    struct rf_eval_plan *plan = block->plan;
    uint64_t live[RF_EVAL_BLOCK_WORDS];
    memcpy(live, block->live, sizeof(live));
    calc_rows_fill(block);
    for (uint32_t s = plan->late; s < plan->steps; s++) {
        const struct rf_eval_step *step = &plan->step[s];
        if (step->calc != RF_NONE) {
            calc_step(block, step->calc);
            block->slot = RF_NONE; /* the column may have been that of another term */
        } else if (step_rows(block, step, block->live)) {
            rf_eval_step_atoms(block, step);
            for (uint32_t i = step->first; i < step->first + step->count; i++) {
                struct rf_eval_register *out = &plan->reg[plan->order[i]];
                for (uint32_t w = 0; w < block->words; w++) {
                    out->truth[w] &= block->live[w];
                    out->falsity[w] &= block->live[w];
                }
            }
        }
    }
    memcpy(block->live, live, sizeof(live));
}
