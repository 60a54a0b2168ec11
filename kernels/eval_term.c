#include "eval_term.h"

enum { SCRATCH_BYTES_MAX = 64 * 1024 * 1024 /* texts of one block; beyond it rows are asked from the interpreter */ };

static struct rf_eval_constant_cell cell_of(const struct rf_constant *constant)
{
    static const enum rf_tag number_tag[] = {
        [RF_NUMBER_DOUBLE] = RF_TAG_DOUBLE, [RF_NUMBER_INT] = RF_TAG_INT, [RF_NUMBER_UINT] = RF_TAG_UINT};
    struct rf_eval_constant_cell cell = {.payload = constant->number.as.u, .text = ""};
    enum rf_tag tag = RF_TAG_NULL;
    switch (constant->kind) {
    case RF_CONSTANT_NULL:
        break;
    case RF_CONSTANT_BOOL:
        tag = constant->number.as.i != 0 ? RF_TAG_TRUE : RF_TAG_FALSE;
        break;
    case RF_CONSTANT_NUMBER:
        tag = number_tag[constant->number.kind];
        break;
    case RF_CONSTANT_TIMESTAMP:
        tag = RF_TAG_TIMESTAMP;
        cell.length = constant->nanos;
        break;
    case RF_CONSTANT_DURATION:
        tag = RF_TAG_DURATION;
        break;
    case RF_CONSTANT_STRING:
    case RF_CONSTANT_BYTES:
    case RF_CONSTANT_TYPE:
        tag = constant->kind == RF_CONSTANT_STRING  ? RF_TAG_STRING_RAW
              : constant->kind == RF_CONSTANT_BYTES ? RF_TAG_BYTES
                                                    : RF_TAG_TYPE;
        cell.text = constant->text.count == 0 ? "" : constant->text.data;
        cell.length = (uint32_t)constant->text.count;
        cell.payload = rf_str_prefix(constant->text);
        break;
    }
    cell.tag = (uint8_t)tag;
    return cell;
}

/* Columns are handed from a computation whose last reader has run to the next one: two or three do for most programs,
 * and stay in the first- and second-level caches. */
static enum rf_status columns_share(struct rf_eval_terms *terms, const struct rf_program *program, const uint32_t *first,
                                    const uint32_t *last, struct rf_arena *arena, struct rf_error *err)
{
    struct rf_calc_column **free_column = RF_PUSH(arena, struct rf_calc_column *, program->calcs);
    uint32_t *busy = RF_PUSH(arena, uint32_t, program->calcs); /* computations whose columns are in use */
    if (free_column == NULL || busy == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for %u computed columns", program->calcs);
    }
    uint32_t free_count = 0;
    uint32_t busy_count = 0;
    for (uint32_t c = 0; c < program->calcs; c++) {
        if (last[c] == RF_NONE) {
            continue;
        }
        uint32_t kept = 0;
        for (uint32_t b = 0; b < busy_count; b++) {
            if (last[busy[b]] < first[c]) {
                free_column[free_count++] = terms->column[busy[b]];
            } else {
                busy[kept++] = busy[b];
            }
        }
        busy_count = kept;
        terms->column[c] = free_count != 0
                               ? free_column[--free_count]
                               : rf_arena_push_zero(arena, 1, sizeof(struct rf_calc_column), 64);
        if (terms->column[c] == NULL) {
            RF_FAIL(err, RF_E_MEMORY, "no memory for %u computed columns", program->calcs);
        }
        busy[busy_count++] = c;
    }
    return RF_OK;
}

enum rf_status rf_eval_terms_make(struct rf_eval_terms *terms, const struct rf_program *program, const uint32_t *first,
                                  const uint32_t *last, struct rf_arena *arena, struct rf_error *err)
{
    *terms = (struct rf_eval_terms){.cell = RF_PUSH(arena, struct rf_eval_constant_cell, program->constants),
                                    .column = RF_PUSH(arena, struct rf_calc_column *, program->calcs)};
    rf_arena_init(&terms->scratch, SCRATCH_BYTES_MAX);
    if (terms->cell == NULL || terms->column == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for %u constants", program->constants);
    }
    for (uint32_t i = 0; i < program->constants; i++) {
        terms->cell[i] = cell_of(&program->constant[i]);
    }
    return columns_share(terms, program, first, last, arena, err);
}

void rf_eval_terms_free(struct rf_eval_terms *terms)
{
    rf_arena_free(&terms->scratch);
}

struct rf_calc_view rf_eval_term_view(const struct rf_eval_terms *terms, const struct rf_columns *columns,
                                      const struct rf_batch *batch, uint32_t term, uint32_t row)
{
    if (rf_term_is_slot(term)) {
        const struct rf_column *column = &columns->slot[term];
        return (struct rf_calc_view){.tag = column->tag + row,
                                     .payload = column->payload + row,
                                     .length = column->length + row,
                                     .begin = column->begin + row,
                                     .bytes = batch->bytes,
                                     .side = columns->side,
                                     .stride = 1};
    }
    const uint32_t number = term & RF_TERM_NUMBER;
    if ((term & RF_TERM_CONSTANT) != 0) {
        const struct rf_eval_constant_cell *cell = &terms->cell[number];
        return (struct rf_calc_view){
            .tag = &cell->tag, .payload = &cell->payload, .length = &cell->length, .text = &cell->text, .stride = 0};
    }
    const struct rf_calc_column *column = terms->column[number];
    return (struct rf_calc_view){.tag = column->tag,
                                 .payload = column->payload,
                                 .length = column->length,
                                 .text = column->text,
                                 .stride = 1};
}
