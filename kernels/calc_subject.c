/* subjectMatches() of constant patterns over the rows of a block (calc.h).
 *
 * Source     host/expr/operate_text.c, which is the definition. */
#include "calc.h"
#include "subject_set.h"

static struct rf_cell subject_answer(const struct rf_calc *calc, const struct rf_cell *cell, void *room)
{
    if (cell->tag == RF_TAG_HOST || room == NULL) {
        return (struct rf_cell){.tag = RF_TAG_HOST, .text = ""};
    }
    if (!rf_cell_is_string(cell)) {
        return (struct rf_cell){.tag = RF_TAG_ERROR, .text = ""};
    }
    return rf_cell_of_bool(rf_subject_set_any(calc->subjects, rf_cell_text(cell), room));
}

void rf_calc_run_subject(const struct rf_calc *calc, const struct rf_calc_view *arg, const uint64_t *live,
                         uint32_t words, struct rf_arena *scratch, struct rf_calc_column *out)
{
    const struct rf_arena_mark mark = scratch == NULL ? (struct rf_arena_mark){0} : rf_arena_mark(scratch);
    void *room = scratch == NULL ? NULL : rf_arena_push(scratch, rf_subject_set_scratch(calc->subjects), 1, 64);
    for (uint32_t w = 0; w < words; w++) {
        for (uint64_t left = live[w]; left != 0; left &= left - 1) {
            const uint32_t row = 64 * w + (uint32_t)__builtin_ctzll(left);
            const struct rf_cell cell = rf_calc_cell(&arg[0], row);
            const struct rf_cell answer = subject_answer(calc, &cell, room);
            out->tag[row] = (uint8_t)answer.tag;
            out->payload[row] = answer.payload;
            out->length[row] = 0;
            out->text[row] = "";
        }
    }
    if (scratch != NULL) {
        rf_arena_rewind(scratch, mark);
    }
}
