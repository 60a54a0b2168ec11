#include "eval_term.h"

#include "calc_list.h"
#include "calc_macro.h"

enum { SCRATCH_BYTES_MAX = 64 * 1024 * 1024 /* texts of one block; beyond it rows are asked from the interpreter */ };

static bool cell_of(const struct rf_constant *constant, struct rf_arena *arena, struct rf_eval_constant_cell *out);

/* The cells of a constant list, map or optional. */
static bool items_of(const struct rf_constant *constant, struct rf_arena *arena, struct rf_eval_constant_cell *out)
{
    const bool is_map = constant->kind == RF_CONSTANT_MAP;
    const uint32_t cells = is_map ? 2 * constant->items : constant->items;
    struct rf_cell *item = RF_PUSH(arena, struct rf_cell, cells);
    for (uint32_t i = 0; item != NULL && i < cells; i++) {
        struct rf_eval_constant_cell cell;
        if (!cell_of(&constant->item[i], arena, &cell)) {
            return false;
        }
        item[i] = (struct rf_cell){
            .tag = (enum rf_tag)cell.tag, .length = cell.length, .payload = cell.payload, .text = cell.text};
    }
    const bool is_optional = constant->kind == RF_CONSTANT_OPTIONAL;
    out->tag = (uint8_t)(is_map ? RF_TAG_ENTRIES : is_optional ? RF_TAG_OPTIONAL : RF_TAG_ITEMS);
    out->payload = is_optional && cells == 0 ? 0 : (uint64_t)(uintptr_t)item;
    out->length = constant->items;
    return item != NULL;
}

/* Recursion is as deep as the constant, which stands in a tree of bounded depth. False: no memory. */
static bool cell_of(const struct rf_constant *constant, struct rf_arena *arena, struct rf_eval_constant_cell *out)
{
    static const enum rf_tag number_tag[] = {
        [RF_NUMBER_DOUBLE] = RF_TAG_DOUBLE, [RF_NUMBER_INT] = RF_TAG_INT, [RF_NUMBER_UINT] = RF_TAG_UINT};
    struct rf_eval_constant_cell cell = {.payload = constant->number.as.u, .text = ""};
    enum rf_tag tag = RF_TAG_NULL;
    switch (constant->kind) {
    case RF_CONSTANT_ERROR:
        tag = RF_TAG_ERROR;
        break;
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
    case RF_CONSTANT_IP:
    case RF_CONSTANT_CIDR:
        tag = constant->kind == RF_CONSTANT_IP ? RF_TAG_IP : RF_TAG_CIDR;
        cell.payload = (uint64_t)(uintptr_t)constant->net;
        break;
    case RF_CONSTANT_LIST:
    case RF_CONSTANT_MAP:
    case RF_CONSTANT_OPTIONAL:
        *out = cell;
        return items_of(constant, arena, out);
    }
    cell.tag = (uint8_t)tag;
    *out = cell;
    return true;
}

/* Columns are handed from a computation whose last reader has run to the next one: two or three do for most programs,
 * and stay in the first- and second-level caches. */
static enum rf_status columns_share(struct rf_eval_terms *terms, uint32_t calcs, const uint32_t *first,
                                    const uint32_t *last, struct rf_arena *arena, struct rf_error *err)
{
    struct rf_calc_column **free_column = RF_PUSH(arena, struct rf_calc_column *, calcs);
    uint32_t *busy = RF_PUSH(arena, uint32_t, calcs); /* computations whose columns are in use */
    if (free_column == NULL || busy == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for %u computed columns", calcs);
    }
    uint32_t free_count = 0;
    uint32_t busy_count = 0;
    for (uint32_t c = 0; c < calcs; c++) {
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
        terms->column[c] = free_count != 0 ? free_column[--free_count]
                                           : rf_arena_push_zero(arena, 1, sizeof(struct rf_calc_column), 64);
        if (terms->column[c] == NULL) {
            RF_FAIL(err, RF_E_MEMORY, "no memory for %u computed columns", calcs);
        }
        busy[busy_count++] = c;
    }
    return RF_OK;
}

static enum rf_status constants_make(struct rf_eval_terms *terms, const struct rf_constant *constant,
                                     uint32_t constants, struct rf_arena *arena, struct rf_error *err)
{
    terms->cell = RF_PUSH(arena, struct rf_eval_constant_cell, constants);
    for (uint32_t i = 0; i < constants; i++) {
        if (terms->cell == NULL || !cell_of(&constant[i], arena, &terms->cell[i])) {
            RF_FAIL(err, RF_E_MEMORY, "no memory for %u constants", constants);
        }
    }
    return RF_OK;
}

static enum rf_status macros_make(struct rf_eval_terms *terms, const struct rf_calc *calc, uint32_t calcs,
                                  struct rf_macro_pool *pool, uint32_t level, struct rf_arena *arena,
                                  struct rf_error *err)
{
    terms->macro = RF_PUSH(arena, struct rf_macro *, calcs);
    if (terms->macro == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for %u computations", calcs);
    }
    for (uint32_t c = 0; c < calcs; c++) {
        if (calc[c].child != NULL) {
            RF_TRY(rf_macro_make(&terms->macro[c], &calc[c], pool, level, arena, err));
        }
    }
    return RF_OK;
}

enum rf_status rf_eval_terms_make(struct rf_eval_terms *terms, const struct rf_program *program, const uint32_t *first,
                                  const uint32_t *last, struct rf_arena *arena, struct rf_error *err)
{
    *terms = (struct rf_eval_terms){0};
    rf_arena_init(&terms->scratch, SCRATCH_BYTES_MAX);
    RF_TRY(constants_make(terms, program->constant, program->constants, arena, err));
    struct rf_macro_pool *pool = RF_PUSH(arena, struct rf_macro_pool, 1);
    terms->column = RF_PUSH(arena, struct rf_calc_column *, program->calcs);
    if (pool == NULL || terms->column == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for %u computations", program->calcs);
    }
    RF_TRY(macros_make(terms, program->calc, program->calcs, pool, 0, arena, err));
    return columns_share(terms, program->calcs, first, last, arena, err);
}

enum rf_status rf_eval_terms_of_child(struct rf_eval_terms *terms, const struct rf_child *child,
                                      struct rf_calc_column **column, struct rf_macro_pool *pool, uint32_t level,
                                      struct rf_arena *arena, struct rf_error *err)
{
    *terms = (struct rf_eval_terms){.column = column};
    RF_TRY(constants_make(terms, child->constant, child->constants, arena, err));
    return macros_make(terms, child->calc, child->calcs, pool, level, arena, err);
}

void rf_eval_terms_run(const struct rf_eval_terms *terms, uint32_t number, const struct rf_calc *calc,
                       const struct rf_calc_view *arg, const uint64_t *live, uint32_t words, struct rf_arena *scratch)
{
    if (calc->child != NULL) {
        rf_macro_run(terms->macro[number], arg, live, words, scratch, terms->column[number]);
    } else {
        rf_calc_run(calc, arg, live, words, scratch, terms->column[number]);
    }
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
    return (struct rf_calc_view){
        .tag = column->tag, .payload = column->payload, .length = column->length, .text = column->text, .stride = 1};
}
