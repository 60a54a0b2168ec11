#include "eval_explain.h"

#include "eval_grid.h"
#include "eval_plan.h"
#include "eval_text.h"

enum { COLUMN = 28, SLOT_SHOWN = 60, ARENA_BYTES_MAX = 1 << 30 };

enum way { /* in which atoms are evaluated */
    WAY_NUMBERS,
    WAY_RANK,
    WAY_TEXTS,
    WAY_TEXTS_ORDER,
    WAY_NEEDLES,
    WAY_LIST,
    WAY_LISTS,
    WAY_ALONE,
    WAY_HOST,
    WAY_SUBJECTS,
    WAY_COMPUTED
};

/* One and several of them. */
static const char *const way_text[][2] = {
    [WAY_NUMBERS] = {"comparison with a number, by itself", "comparisons with numbers, each by itself"},
    [WAY_RANK] = {"", "comparisons with numbers, by one search of a record's value among them all"},
    [WAY_TEXTS] = {"list of texts, by one search", "tests (==, in, startsWith), by one search of a record's text among them all"},
    [WAY_TEXTS_ORDER] = {"", "tests (< <= > >=), by one search of a record's text among them all"},
    [WAY_NEEDLES] = {"", "searches (contains, endsWith, matches), by one search of many records' texts for all of them"},
    [WAY_LIST] = {"list, by hash", "lists, each by hash"},
    [WAY_LISTS] = {"list of numbers, by one look-up", "lists of numbers, by one look-up of a record's number among the members of all"},
    [WAY_ALONE] = {"test, by itself", "tests, each by itself"},
    [WAY_HOST] = {"test, by the interpreter", "tests, each by the interpreter"},
    [WAY_SUBJECTS] = {"set of subject patterns, once for all that use it", "sets of subject patterns, each once for all that use it"},
    [WAY_COMPUTED] = {"function, once for all that use it", "functions, each once for all that use it"},
};

static enum way way_of(const struct rf_eval_plan *plan, const struct rf_program *program, const struct rf_eval_step *step)
{
    if (step->calc != RF_NONE) {
        return program->calc[step->calc].subjects != NULL ? WAY_SUBJECTS : WAY_COMPUTED;
    }
    const uint32_t number = plan->order[step->first];
    const struct rf_atom *atom = &program->atom[number];
    if (step->texts != NULL) {
        return rf_eval_texts_kind(atom) == RF_EVAL_TEXTS_ORDER ? WAY_TEXTS_ORDER : WAY_TEXTS;
    }
    if (step->needles != NULL) {
        return WAY_NEEDLES;
    }
    if (step->lists != NULL) {
        return WAY_LISTS;
    }
    if (step->is_number) {
        return step->rank != NULL ? WAY_RANK : WAY_NUMBERS;
    }
    const struct rf_eval_constant *constant = &plan->constant[number];
    return atom->kind == RF_ATOM_HOST                                                          ? WAY_HOST
           : constant->number_set.place != NULL || constant->string_set.place != NULL ? WAY_LIST
                                                                                       : WAY_ALONE;
}

static enum rf_status line_write(const struct rf_program *program, uint32_t slot, enum way way, uint32_t count,
                                 struct rf_text *out, struct rf_error *err)
{
    const struct rf_str name = slot != RF_NONE && rf_term_is_slot(slot) ? program->slot[slot].text
                               : way == WAY_ALONE && slot == RF_NONE    ? RF_STR("(arithmetic)")
                               : way == WAY_HOST                        ? RF_STR("(any)")
                                                                        : RF_STR("(computed)");
    const size_t begin = out->count;
    RF_TRY(rf_text_append(out, RF_STR("  "), err));
    RF_TRY(rf_text_append(out, (struct rf_str){name.data, name.count < SLOT_SHOWN ? name.count : SLOT_SHOWN}, err));
    do {
        RF_TRY(rf_text_append_char(out, ' ', err));
    } while (out->count - begin < COLUMN);
    return rf_text_printf(out, err, "%u %s\n", count, way_text[way][count != 1]);
}

static enum rf_status steps_write(const struct rf_eval_plan *plan, const struct rf_program *program, struct rf_text *out,
                                  struct rf_error *err)
{
    for (uint32_t s = 0; s < plan->steps;) {
        const uint32_t slot = plan->step[s].slot;
        const enum way way = way_of(plan, program, &plan->step[s]);
        uint32_t count = 0;
        if (way == WAY_NEEDLES) { /* and what is not searched for with the others */
            const struct rf_eval_step *step = &plan->step[s++];
            RF_TRY(line_write(program, slot, way, step->taken, out, err));
            RF_TRY(step->count == step->taken ? RF_OK
                                              : line_write(program, slot, WAY_ALONE, step->count - step->taken, out, err));
            continue;
        }
        for (; s < plan->steps && plan->step[s].slot == slot && way_of(plan, program, &plan->step[s]) == way; s++) {
            count += plan->step[s].calc != RF_NONE ? 1 : plan->step[s].count;
        }
        RF_TRY(line_write(program, slot, way, count, out, err));
    }
    return RF_OK;
}

/* Predicates that differ in their constants alone. */
static enum rf_status grids_write(const struct rf_eval_plan *plan, uint32_t atoms, struct rf_text *out, struct rf_error *err)
{
    uint32_t members = 0;
    const uint32_t grids = plan->grids == NULL ? 0 : plan->grids->grids;
    for (uint32_t g = 0; g < grids; g++) {
        members += plan->grids->grid[g].members;
    }
    return grids == 0 ? RF_OK
                      : rf_text_printf(out, err,
                                       "  %u predicates that differ in their constants alone are counted by %u grid%s of records, where "
                                       "counts are all that is asked; %u atoms are read there alone\n",
                                       members, grids, grids == 1 ? "" : "s", atoms - plan->ordered);
}

enum rf_status rf_eval_explain(const struct rf_program *program, struct rf_text *out, struct rf_error *err)
{
    struct rf_arena arena;
    struct rf_eval_plan plan = {0};
    rf_arena_init(&arena, ARENA_BYTES_MAX);
    enum rf_status status = rf_eval_plan_make(&plan, program, 64, true, &arena, err);
    if (status == RF_OK) {
        status = rf_text_printf(out, err,
                                "  %u field%s read, %u atom%s, each evaluated once for all that use it; then %u boolean "
                                "operation%s in %u tile%s\n",
                                program->slots, program->slots == 1 ? "" : "s", program->atoms, program->atoms == 1 ? "" : "s",
                                plan.code_count, plan.code_count == 1 ? "" : "s", plan.tiles, plan.tiles == 1 ? "" : "s");
    }
    if (status == RF_OK) {
        status = steps_write(&plan, program, out, err);
    }
    if (status == RF_OK) {
        status = grids_write(&plan, program->atoms, out, err);
    }
    rf_eval_plan_free(&plan);
    rf_arena_free(&arena);
    return status;
}
