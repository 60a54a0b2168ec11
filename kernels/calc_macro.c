#include "calc_macro.h"

#include <assert.h>

#include "bitmap.h"
#include "calc_json.h"
#include "calc_list.h"
#include "eval_term.h"

/* What a row has so far. Lists and maps are filled as their elements come by. */
struct rf_gathered {
    bool has_error;
    bool has_host;
    bool is_decided;      /* all, exists: the deciding answer has come */
    uint32_t holds;       /* exists_one: how often the condition held; lists: elements taken */
    struct rf_cell *cell; /* lists and maps: room for every element */
    uint32_t capacity;    /* transformMapEntry: entries that there is room for */
};

struct rf_macro {
    const struct rf_calc *calc;
    const struct rf_child *child;
    struct rf_calc_column **input; /* [variables + captures] */
    struct rf_eval_terms terms;    /* constants and computed columns of the child */
    struct rf_gathered *gathered;  /* [RF_EVAL_BLOCK_ROWS] */
    uint16_t *parent;              /* [RF_EVAL_BLOCK_ROWS] */
    uint16_t *root;                /* [RF_EVAL_BLOCK_ROWS] */
    const uint16_t *root_of_row;   /* of the rows that it runs over; NULL: they are the outermost program's */
    uint64_t *work;                /* [RF_EVAL_BLOCK_ROWS] of the outermost program's rows */
    uint32_t filled;               /* elements in the child block */
    bool has_stopped;              /* some row has taken too much */
    /* Of the run at hand. */
    const struct rf_calc_view *arg;
    struct rf_arena *scratch;
};

static const struct rf_cell cell_error = {.tag = RF_TAG_ERROR, .text = ""};
static const struct rf_cell cell_host = {.tag = RF_TAG_HOST, .text = ""};

/* The first `count` columns of a level, made when they are not there yet. */
static enum rf_status level_reserve(struct rf_macro_level *level, uint32_t count, struct rf_arena *arena,
                                    struct rf_error *err)
{
    if (level->gathered == NULL) {
        level->gathered = RF_PUSH(arena, struct rf_gathered, RF_EVAL_BLOCK_ROWS);
        level->parent = RF_PUSH(arena, uint16_t, RF_EVAL_BLOCK_ROWS);
        level->root = RF_PUSH(arena, uint16_t, RF_EVAL_BLOCK_ROWS);
    }
    bool is_complete = level->gathered != NULL && level->parent != NULL && level->root != NULL;
    while (is_complete && level->columns < count) {
        if (level->columns == level->capacity) {
            const uint32_t capacity = level->capacity == 0 ? 8 : 2 * level->capacity;
            struct rf_calc_column **grown = RF_PUSH(arena, struct rf_calc_column *, capacity);
            if (grown == NULL) {
                break;
            }
            if (level->columns != 0) {
                memcpy(grown, level->column, level->columns * sizeof grown[0]);
            }
            level->column = grown;
            level->capacity = capacity;
        }
        level->column[level->columns] = rf_arena_push_zero(arena, 1, sizeof(struct rf_calc_column), 64);
        is_complete = level->column[level->columns] != NULL;
        level->columns += is_complete ? 1 : 0;
    }
    if (level->columns < count || !is_complete) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for the elements of a macro");
    }
    return RF_OK;
}

enum rf_status rf_macro_make(struct rf_macro **out, const struct rf_calc *calc, struct rf_macro_pool *pool,
                             uint32_t level, struct rf_arena *arena, struct rf_error *err)
{
    const struct rf_child *child = calc->child;
    const uint32_t inputs = child->variables + child->captures;
    assert(level < RF_MACRO_LEVELS_MAX);
    RF_TRY(level_reserve(&pool->level[level], inputs + child->calcs, arena, err));
    if (pool->work == NULL) {
        pool->work = RF_PUSH(arena, uint64_t, RF_EVAL_BLOCK_ROWS);
    }
    struct rf_macro *macro = RF_PUSH(arena, struct rf_macro, 1);
    struct rf_calc_column **column = RF_PUSH(arena, struct rf_calc_column *, inputs + child->calcs);
    if (macro == NULL || column == NULL || pool->work == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for a macro");
    }
    memcpy(column, pool->level[level].column, (inputs + child->calcs) * sizeof column[0]);
    *macro = (struct rf_macro){.calc = calc,
                               .child = child,
                               .input = column,
                               .gathered = pool->level[level].gathered,
                               .parent = pool->level[level].parent,
                               .root = pool->level[level].root,
                               .root_of_row = level == 0 ? NULL : pool->level[level - 1].root,
                               .work = pool->work};
    *out = macro;
    return rf_eval_terms_of_child(&macro->terms, child, column + inputs, pool, level + 1, arena, err);
}

/* ---- The child block ---- */

static void column_set(struct rf_calc_column *column, uint32_t row, const struct rf_cell *cell)
{
    column->tag[row] = (uint8_t)cell->tag;
    column->payload[row] = cell->payload;
    column->length[row] = cell->length;
    column->text[row] = cell->text;
}

static struct rf_calc_view column_view(const struct rf_calc_column *column)
{
    return (struct rf_calc_view){
        .tag = column->tag, .payload = column->payload, .length = column->length, .text = column->text, .stride = 1};
}

static struct rf_calc_view child_view(const struct rf_macro *macro, uint32_t term)
{
    return rf_term_is_slot(term) ? column_view(macro->input[term])
                                 : rf_eval_term_view(&macro->terms, NULL, NULL, term, 0);
}

/* One element's condition and body into what its row has so far. */
static void quantifier_take(struct rf_gathered *row, const struct rf_cell *body, enum rf_tag deciding)
{
    row->is_decided = row->is_decided || body->tag == deciding;
    row->has_host = row->has_host || body->tag == RF_TAG_HOST;
    row->has_error = row->has_error || (body->tag != RF_TAG_TRUE && body->tag != RF_TAG_FALSE);
}

/* Whether the element is taken: its condition is true. */
static bool condition_take(struct rf_gathered *row, const struct rf_cell *condition)
{
    row->has_host = row->has_host || condition->tag == RF_TAG_HOST;
    row->has_error = row->has_error ||
                     (condition->tag != RF_TAG_TRUE && condition->tag != RF_TAG_FALSE && condition->tag != RF_TAG_HOST);
    return condition->tag == RF_TAG_TRUE;
}

/* A value that becomes an element: it may be beyond range, nobody uses it yet. The interpreter reads it. */
static void value_take(struct rf_macro *macro, struct rf_gathered *row, uint32_t i, const struct rf_cell *value,
                       struct rf_cell *place)
{
    macro->work[macro->root[i]] += rf_cell_work(value);
    row->has_host = row->has_host || value->tag == RF_TAG_HOST;
    row->has_error =
        row->has_error || value->tag == RF_TAG_ERROR || value->tag == RF_TAG_NOPARENT || value->tag == RF_TAG_ABSENT;
    *place = *value;
}

/* transformMapEntry: the entries of the map that the body gives. The room grows as they come. */
static void entries_take(struct rf_gathered *row, const struct rf_cell *map, struct rf_arena *scratch)
{
    const struct rf_cell *entry;
    uint32_t count;
    if (map->tag != RF_TAG_ENTRIES && map->tag != RF_TAG_OBJECT) {
        row->has_host = row->has_host || map->tag == RF_TAG_HOST;
        row->has_error = row->has_error || map->tag != RF_TAG_HOST;
        return;
    }
    if (row->has_host || !rf_cell_entries(map, scratch, &entry, &count) || count > RF_JSON_ENTRIES_MAX - row->holds) {
        row->has_host = true; /* more than can be looked through for twins */
        return;
    }
    if (count > row->capacity - row->holds) {
        const uint32_t capacity = 2 * (row->holds + count);
        struct rf_cell *grown = RF_PUSH(scratch, struct rf_cell, 2 * (size_t)capacity);
        if (grown == NULL) {
            row->has_host = true;
            return;
        }
        if (row->holds != 0) {
            memcpy(grown, row->cell, 2 * (size_t)row->holds * sizeof grown[0]);
        }
        row->cell = grown;
        row->capacity = capacity;
    }
    if (count != 0) {
        memcpy(row->cell + 2 * (size_t)row->holds, entry, 2 * (size_t)count * sizeof entry[0]);
    }
    row->holds += count;
}

static void element_take(struct rf_macro *macro, struct rf_gathered *row, uint32_t i, const struct rf_cell *condition,
                         const struct rf_cell *body)
{
    struct rf_calc_view key;
    struct rf_cell cell;
    switch (macro->calc->function) {
    case RF_FN_ALL:
        quantifier_take(row, body, RF_TAG_FALSE);
        return;
    case RF_FN_EXISTS:
        quantifier_take(row, body, RF_TAG_TRUE);
        return;
    case RF_FN_EXISTS_ONE:
        row->holds += condition_take(row, body) ? 1 : 0;
        return;
    case RF_FN_FILTER:
        if (condition_take(row, body)) {
            key = column_view(macro->input[0]);
            cell = rf_calc_cell(&key, i);
            value_take(macro, row, i, &cell, &row->cell[row->holds++]);
        }
        return;
    default:
        break;
    }
    if (condition != NULL && !condition_take(row, condition)) {
        return;
    }
    if (macro->calc->function == RF_FN_TRANSFORM_MAP) {
        key = column_view(macro->input[0]);
        cell = rf_calc_cell(&key, i);
        row->cell[2 * row->holds] = cell;
        value_take(macro, row, i, body, &row->cell[2 * row->holds + 1]);
        row->holds++;
    } else if (macro->calc->function == RF_FN_TRANSFORM_MAP_ENTRY) {
        entries_take(row, body, macro->scratch);
    } else {
        value_take(macro, row, i, body, &row->cell[row->holds++]);
    }
}

/* all, exists, exists_one: of their elements only a truth is kept. */
static bool function_keeps_elements(enum rf_function function)
{
    return function != RF_FN_ALL && function != RF_FN_EXISTS && function != RF_FN_EXISTS_ONE;
}

/* ---- Work ---- */

static bool work_is_done(const struct rf_macro *macro, uint32_t root)
{
    return macro->work[root] > RF_WORK_MAX;
}

/* Counts what the computation looks at in one of its arguments. */
static void argument_count(struct rf_macro *macro, const struct rf_calc *calc, const struct rf_calc_view *arg)
{
    const bool is_constant = arg->stride == 0;
    bool has_work = false;
    for (uint32_t i = 0; i < (is_constant ? 1 : macro->filled); i++) {
        has_work |= rf_tag_has_work((enum rf_tag)arg->tag[i]);
    }
    const struct rf_cell constant = rf_calc_cell(arg, 0);
    const uint64_t constant_work = is_constant && has_work ? rf_cell_work(&constant) * calc->times : 0;
    for (uint32_t i = 0; has_work && i < macro->filled; i++) {
        uint64_t *work = &macro->work[macro->root[i]];
        if (*work > RF_WORK_MAX) {
            macro->has_stopped = true;
        } else if (is_constant) {
            *work += constant_work;
        } else if (rf_tag_has_work((enum rf_tag)arg->tag[i])) {
            const struct rf_cell cell = rf_calc_cell(arg, i);
            *work += rf_cell_work(&cell) * calc->times;
        }
    }
}

/* Elements whose rows have taken too much go on as HOST cells, without more work. */
static void elements_stop(struct rf_macro *macro, uint64_t *live, struct rf_calc_column *out)
{
    for (uint32_t i = 0; macro->has_stopped && i < macro->filled; i++) {
        if (work_is_done(macro, macro->root[i])) {
            live[i / 64] &= ~((uint64_t)1 << (i % 64));
            column_set(out, i, &cell_host);
        }
    }
}

static void child_run(struct rf_macro *macro, uint32_t number, uint64_t *live, uint32_t words)
{
    const struct rf_calc *calc = &macro->child->calc[number];
    struct rf_calc_view arg[RF_CALC_ARGS_MAX];
    for (uint32_t i = 0; i < calc->args; i++) {
        arg[i] = child_view(macro, calc->arg[i]);
        argument_count(macro, calc, &arg[i]);
    }
    elements_stop(macro, live, macro->terms.column[number]);
    rf_eval_terms_run(&macro->terms, number, calc, arg, live, words, macro->scratch);
    const struct rf_calc_view out = column_view(macro->terms.column[number]);
    argument_count(macro, calc, &out);
}

static void child_flush(struct rf_macro *macro)
{
    const struct rf_child *child = macro->child;
    const struct rf_arena_mark mark = rf_arena_mark(macro->scratch);
    uint64_t live[RF_EVAL_BLOCK_WORDS] = {0};
    const uint32_t words = rf_bitmap_words(macro->filled);
    for (uint32_t w = 0; w < words; w++) {
        live[w] = rf_bitmap_tail(macro->filled, w);
    }
    for (uint32_t c = 0; c < child->calcs; c++) {
        child_run(macro, c, live, words);
    }
    const struct rf_calc_view body = child_view(macro, child->body);
    const struct rf_calc_view condition = child->condition == RF_NONE ? body : child_view(macro, child->condition);
    for (uint32_t i = 0; i < macro->filled; i++) {
        struct rf_gathered *row = &macro->gathered[macro->parent[i]];
        const struct rf_cell value = rf_calc_cell(&body, i);
        const struct rf_cell taken = rf_calc_cell(&condition, i);
        element_take(macro, row, i, child->condition == RF_NONE ? NULL : &taken, &value);
    }
    macro->filled = 0;
    if (!function_keeps_elements(macro->calc->function)) {
        rf_arena_rewind(macro->scratch, mark);
    }
}

static uint16_t row_root(const struct rf_macro *macro, uint32_t row)
{
    return macro->root_of_row == NULL ? (uint16_t)row : macro->root_of_row[row];
}

static void child_append(struct rf_macro *macro, uint32_t row, const struct rf_cell *first,
                         const struct rf_cell *second)
{
    const struct rf_child *child = macro->child;
    const uint32_t i = macro->filled++;
    macro->parent[i] = (uint16_t)row;
    macro->root[i] = row_root(macro, row);
    macro->work[macro->root[i]] += RF_WORK_STEP;
    column_set(macro->input[0], i, first);
    if (child->variables == 2) {
        column_set(macro->input[1], i, second);
    }
    for (uint32_t c = 0; c < child->captures; c++) {
        const struct rf_cell cell = rf_calc_cell(&macro->arg[1 + c], row);
        column_set(macro->input[child->variables + c], i, &cell);
    }
    if (macro->filled == RF_EVAL_BLOCK_ROWS) {
        child_flush(macro);
    }
}

/* ---- The rows ---- */

/* The elements of a row's range: cells, or key and value cells of a map. False: *result says what the row gives. */
struct range {
    const struct rf_cell *cell;
    uint32_t count;
    bool is_map;
};

static bool range_open(struct rf_macro *macro, const struct rf_cell *cell, struct range *range, struct rf_cell *result)
{
    bool is_known = true;
    *result = cell_error;
    switch (cell->tag) {
    case RF_TAG_ITEMS:
    case RF_TAG_LIST:
        is_known = rf_cell_items(cell, macro->scratch, &range->cell, &range->count);
        range->is_map = false;
        break;
    case RF_TAG_ENTRIES:
    case RF_TAG_OBJECT:
        is_known = rf_cell_entries(cell, macro->scratch, &range->cell, &range->count);
        range->is_map = true;
        break;
    case RF_TAG_HOST:
        is_known = false;
        break;
    default:
        return false;
    }
    if (!is_known || range->count > macro->child->items_max) {
        *result = cell_host;
        return false;
    }
    return true;
}

/* As many as there are elements, at most. */
static bool function_makes_cells(enum rf_function function)
{
    return function_keeps_elements(function) && function != RF_FN_TRANSFORM_MAP_ENTRY;
}

static struct rf_cell row_result(const struct rf_macro *macro, const struct rf_gathered *row)
{
    const enum rf_function function = macro->calc->function;
    if (function == RF_FN_ALL || function == RF_FN_EXISTS) {
        if (row->is_decided) {
            return rf_cell_of_bool(function == RF_FN_EXISTS);
        }
        return row->has_host ? cell_host : row->has_error ? cell_error : rf_cell_of_bool(function == RF_FN_ALL);
    }
    if (row->has_error) {
        return cell_error;
    }
    if (row->has_host) {
        return cell_host;
    }
    switch (function) {
    case RF_FN_EXISTS_ONE:
        return rf_cell_of_bool(row->holds == 1);
    case RF_FN_TRANSFORM_MAP:
        return rf_cell_of_items(row->cell, row->holds, RF_TAG_ENTRIES);
    case RF_FN_TRANSFORM_MAP_ENTRY:
        return rf_cell_entries_are_distinct(row->cell, row->holds)
                   ? rf_cell_of_items(row->cell, row->holds, RF_TAG_ENTRIES)
                   : cell_error;
    default:
        return rf_cell_of_items(row->cell, row->holds, RF_TAG_ITEMS);
    }
}

/* transformMap over a list has its indexes as keys: they are distinct, as those of a map are. */
static bool row_begin(struct rf_macro *macro, uint32_t row, const struct range *range)
{
    struct rf_gathered *gathered = &macro->gathered[row];
    *gathered = (struct rf_gathered){0};
    if (function_makes_cells(macro->calc->function)) {
        const size_t each = macro->calc->function == RF_FN_TRANSFORM_MAP ? 2 : 1;
        gathered->cell = RF_PUSH(macro->scratch, struct rf_cell, each * range->count);
        return gathered->cell != NULL;
    }
    return true;
}

/* ---- optMap, optFlatMap: the one value that an optional holds, if any ---- */

static bool function_is_optional(enum rf_function function)
{
    return function == RF_FN_OPT_MAP || function == RF_FN_OPT_FLAT_MAP;
}

static bool optional_open(const struct rf_cell *cell, struct range *range, struct rf_cell *result)
{
    *result = cell->tag == RF_TAG_HOST ? cell_host : cell_error;
    if (cell->tag != RF_TAG_OPTIONAL) {
        return false;
    }
    *range = (struct range){.cell = rf_cell_inner(cell), .count = 1};
    *result = *cell;
    return range->cell != NULL;
}

static struct rf_cell optional_result(const struct rf_macro *macro, const struct rf_gathered *row)
{
    if (row->has_error || row->has_host) {
        return row->has_error ? cell_error : cell_host;
    }
    const struct rf_cell *value = row->cell;
    if (macro->calc->function == RF_FN_OPT_MAP) {
        return value->tag == RF_TAG_RANGE ? cell_error : rf_cell_of_optional(value);
    }
    return value->tag == RF_TAG_OPTIONAL ? *value : cell_error;
}

enum { ELEMENTS_BYTES_MAX = 16 << 20 }; /* of rows whose elements have come by, before they are let go */

static void elements_drop(struct rf_macro *macro, struct rf_arena_mark mark)
{
    if (macro->filled != 0) {
        child_flush(macro);
    }
    rf_arena_rewind(macro->scratch, mark);
}

void rf_macro_run(struct rf_macro *macro, const struct rf_calc_view *arg, const uint64_t *live, uint32_t words,
                  struct rf_arena *scratch, struct rf_calc_column *out)
{
    const bool is_optional = function_is_optional(macro->calc->function);
    uint64_t open[RF_EVAL_BLOCK_WORDS] = {0}; /* rows whose elements run through the child */
    macro->arg = arg;
    macro->scratch = scratch;
    macro->filled = 0;
    macro->has_stopped = false;
    if (macro->root_of_row == NULL) {
        memset(macro->work, 0, RF_EVAL_BLOCK_ROWS * sizeof macro->work[0]);
    }
    const struct rf_arena_mark mark = rf_arena_mark(scratch);
    const bool is_kept = function_keeps_elements(macro->calc->function);
    for (uint32_t w = 0; w < words; w++) {
        for (uint64_t left = live[w]; left != 0; left &= left - 1) {
            const uint32_t row = 64 * w + (uint32_t)__builtin_ctzll(left);
            const struct rf_cell cell = rf_calc_cell(&arg[0], row);
            if (!is_kept && scratch->bytes_used - mark.bytes_used > ELEMENTS_BYTES_MAX) {
                elements_drop(macro, mark);
            }
            struct range range = {0};
            struct rf_cell result;
            const bool is_open =
                is_optional ? optional_open(&cell, &range, &result) : range_open(macro, &cell, &range, &result);
            if (is_open && !row_begin(macro, row, &range)) {
                result = cell_host;
            } else if (is_open) {
                open[w] |= left & (0 - left);
                for (uint32_t i = 0; i < range.count && !work_is_done(macro, row_root(macro, row)); i++) {
                    const struct rf_cell index = rf_cell_of_int(i);
                    const struct rf_cell *key = range.is_map ? &range.cell[2 * i] : &index;
                    const struct rf_cell *value = range.is_map ? &range.cell[2 * i + 1] : &range.cell[i];
                    child_append(macro, row, macro->child->variables == 2 || range.is_map ? key : value, value);
                }
                continue;
            }
            column_set(out, row, &result);
        }
    }
    if (!is_kept) {
        elements_drop(macro, mark);
    } else if (macro->filled != 0) {
        child_flush(macro);
    }
    for (uint32_t w = 0; w < words; w++) {
        for (uint64_t left = open[w]; left != 0; left &= left - 1) {
            const uint32_t row = 64 * w + (uint32_t)__builtin_ctzll(left);
            const struct rf_gathered *gathered = &macro->gathered[row];
            const struct rf_cell result = work_is_done(macro, row_root(macro, row)) ? cell_host
                                          : is_optional                             ? optional_result(macro, gathered)
                                                                                    : row_result(macro, gathered);
            column_set(out, row, &result);
        }
    }
}
