#include "eval_grid.h"

#include <assert.h>

#include "eval_row.h"

/* ---- Rows into cells ---- */

/* The code of a row that is not plainly a double. */
static uint16_t code_decide(struct rf_eval_grid_column *column, uint32_t w, uint64_t bit,
                            const struct rf_eval_classes *of)
{
    const uint32_t row = 64 * w + (uint32_t)__builtin_ctzll(bit);
    struct rf_number number;
    if ((of->missing[w] & bit) != 0) {
        return (uint16_t)(column->codes + RF_EVAL_GRID_MISSING);
    }
    if (!rf_cell_number((enum rf_tag)column->tag[row], column->payload[row], &number)) {
        return (uint16_t)(column->codes + RF_EVAL_GRID_OTHER);
    }
    const double value = rf_number_to_double(number);
    if (value != value) {
        return (uint16_t)(column->codes + RF_EVAL_GRID_UNEQUAL);
    }
    if (rf_number_compare(number, (struct rf_number){.kind = RF_NUMBER_DOUBLE, .as.d = value}) != RF_ORDER_EQUAL) {
        column->exact[w] |= bit;
        return 0;
    }
    return rf_eval_rank_code(column->rank, value);
}

static void codes_fill(struct rf_eval_grid_column *column, const struct rf_eval_block *block)
{
    const struct rf_column *from = &block->columns->slot[column->slot];
    struct rf_eval_classes of;
    uint64_t ordered[RF_EVAL_BLOCK_WORDS];
    column->tag = from->tag + block->row;
    column->payload = from->payload + block->row;
    block->kernels->classes(column->tag, block->words, &of);
    block->kernels->rank_doubles(column->payload, block->words, column->rank, column->code, ordered);
    for (uint32_t w = 0; w < block->words; w++) {
        column->exact[w] = 0;
        for (uint64_t left = block->live[w] & ~(of.number[w] & ordered[w]); left != 0; left &= left - 1) {
            const uint64_t bit = left & (0 - left);
            column->code[64 * w + (uint32_t)__builtin_ctzll(left)] = code_decide(column, w, bit, &of);
        }
    }
}

/* Of an integer that is no double. */
static uint16_t class_exact(const struct rf_eval_axis *axis, const struct rf_program *program, uint32_t row)
{
    const struct rf_eval_grid_column *column = axis->column;
    struct rf_number number;
    uint32_t low = 0;
    uint32_t high = axis->sides;
    (void)rf_cell_number((enum rf_tag)column->tag[row], column->payload[row], &number);
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const struct rf_atom *atom = &program->atom[axis->atom[middle]];
        const enum rf_compare compare = axis->is_equality ? RF_LE : atom->compare;
        if (rf_order_holds(compare, rf_number_compare(number, atom->number))) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    const bool is_none =
        axis->is_equality &&
        (low == axis->sides || rf_number_compare(number, program->atom[axis->atom[low]].number) != RF_ORDER_EQUAL);
    return (uint16_t)((is_none ? axis->sides : low) + 1);
}

static uint16_t class_at(const struct rf_eval_axis *axis, const struct rf_program *program, uint32_t row)
{
    const struct rf_eval_grid_column *column = axis->column;
    const bool is_exact = (column->exact[row / 64] >> row % 64 & 1) != 0;
    return is_exact ? class_exact(axis, program, row) : axis->class_of[column->code[row]];
}

static inline void cell_add(const struct rf_eval_cells *cells, uint32_t cell, uint16_t at)
{
    cells->count[cell]++;
    cells->low[cell] = at < cells->low[cell] ? at : cells->low[cell];
    cells->high[cell] = at;
}

/* 64 rows, all of which count. */
static void word_add(const struct rf_eval_grid *grid, const uint16_t *outer_code, const uint16_t *inner_code,
                     uint32_t at)
{
    const struct rf_eval_cells cells = grid->cells;
    const uint32_t *restrict outer_of = grid->outer_of;
    const uint16_t *restrict inner_of = grid->inner->class_of;
    for (uint32_t i = 0; i < 64; i++) {
        cell_add(&cells, outer_of[outer_code[i]] + inner_of[inner_code[i]], (uint16_t)(at + i));
    }
}

static void row_add(struct rf_eval_grid *grid, uint32_t row, uint16_t at, bool is_in_doubt)
{
    const struct rf_program *program = grid->all->program;
    const uint32_t outer = grid->outer == NULL ? 1 : class_at(grid->outer, program, row);
    const uint32_t inner = class_at(grid->inner, program, row);
    const uint32_t cell = outer * grid->cells.stride + inner;
    if (is_in_doubt && outer != 0 && inner != 0) {
        grid->doubts.count[cell]++;
        grid->has_doubts = true;
        return;
    }
    cell_add(&grid->cells, cell, at);
}

static void grid_count(struct rf_eval_grid *grid, const uint64_t *live, uint32_t words, uint32_t at)
{
    const struct rf_eval_grid_column *inner = grid->inner->column;
    const struct rf_eval_grid_column *outer = grid->outer == NULL ? inner : grid->outer->column;
    for (uint32_t w = 0; w < words; w++) {
        const uint64_t wanted = grid->guards == 0 ? live[w] : live[w] & ~grid->guard_of->falsity[w];
        const uint64_t doubt = grid->guards == 0 ? 0 : wanted & ~grid->guard_of->truth[w];
        if (wanted == ~0ull && (inner->exact[w] | outer->exact[w] | doubt) == 0) {
            word_add(grid, outer->code + 64 * (size_t)w, inner->code + 64 * (size_t)w, at + 64 * w);
            continue;
        }
        for (uint64_t left = wanted; left != 0; left &= left - 1) {
            const uint32_t row = 64 * w + (uint32_t)__builtin_ctzll(left);
            row_add(grid, row, (uint16_t)(at + row), (doubt & left & (0 - left)) != 0);
        }
    }
}

void rf_eval_grids_block(struct rf_eval_grids *grids, const struct rf_eval_block *block)
{
    grids->kernels = block->kernels;
    grids->words = block->words;
    grids->stamp++;
    for (uint32_t c = 0; c < grids->columns; c++) {
        codes_fill(&grids->column[c], block);
    }
    for (uint32_t g = 0; g < grids->grids; g++) {
        struct rf_eval_grid *grid = &grids->grid[g];
        grid->guard_of = grid->guards == 0 ? NULL : &block->plan->reg[grid->guard_register];
    }
}

/* Bits of word w that are of rows before `end`. */
static uint64_t rows_before(uint32_t end, uint32_t w)
{
    return end <= 64 * w ? 0 : rf_bitmap_tail(end, w);
}

void rf_eval_grids_count(struct rf_eval_grids *grids, const struct rf_eval_block *block, uint32_t first, uint32_t end)
{
    uint64_t live[RF_EVAL_BLOCK_WORDS];
    assert(grids->blocks < RF_EVAL_GRID_BLOCKS_MAX);
    grids->first = grids->blocks == 0 ? block->row + first : grids->first;
    grids->rows = block->row + end - grids->first;
    grids->blocks++;
    for (uint32_t w = 0; w < block->words; w++) {
        live[w] = block->live[w] & rows_before(end, w) & ~rows_before(first, w);
    }
    for (uint32_t g = 0; g < grids->grids; g++) {
        grid_count(&grids->grid[g], live, block->words, block->row - grids->first);
    }
}

/* ---- Cells into hits ---- */

/* Adds up what column 0 and row 0 hold: a predicate is undecided for the rows of those cells whose other class it is true in.
 * False: there are none. */
static bool errors_sum(struct rf_eval_grid *grid)
{
    const struct rf_eval_cells *cells = &grid->cells;
    uint32_t all = 0;
    uint32_t sum = cells->count[0];
    for (uint32_t o = 0; o < cells->rows; o++) {
        const uint32_t own = o == 0 ? 0 : cells->count[(size_t)o * cells->stride];
        all |= own;
        sum += own;
        grid->errors_outer[o] = cells->adds_rows ? sum : cells->count[0] + own;
    }
    sum = 0;
    for (uint32_t i = 0; i < cells->columns; i++) {
        const uint32_t own = i == 0 ? 0 : cells->count[i];
        all |= own;
        sum += own;
        grid->errors_inner[i] = cells->adds_columns ? sum : own;
    }
    return (all | cells->count[0]) != 0;
}

static void grid_clear(const struct rf_eval_cells *cells)
{
    const size_t bytes = (size_t)(cells->rows + 1) * cells->stride * sizeof *cells->count;
    memset(cells->count, 0, bytes);
    memset(cells->low, 0xff, bytes);
    memset(cells->high, 0, bytes);
}

static void grid_give(struct rf_eval_grid *grid, const struct rf_eval_tile *span, const struct rf_eval_reader *reader)
{
    const struct rf_eval_cells *cells = &grid->cells;
    struct rf_eval_hits hits[RF_EVAL_TILE_PREDICATES];
    const bool has_errors = errors_sum(grid);
    grid->all->kernels->add_cells(cells);
    if (grid->has_doubts) {
        grid->all->kernels->add_cells(&grid->doubts);
    }
    struct rf_eval_tile tile = *span;
    tile.hits = hits;
    tile.grid = grid;
    for (uint32_t first = 0; first < grid->members; first += RF_EVAL_TILE_PREDICATES) {
        const uint32_t left = grid->members - first;
        const uint16_t *outer = grid->outer_class + first;
        const uint16_t *inner = grid->inner_class + first;
        tile.count = left < RF_EVAL_TILE_PREDICATES ? left : RF_EVAL_TILE_PREDICATES;
        tile.predicate = grid->predicate + first;
        for (uint32_t i = 0; i < tile.count; i++) {
            const uint32_t cell = outer[i] * cells->stride + inner[i];
            const bool has_any = cells->count[cell] != 0;
            hits[i] = (struct rf_eval_hits){
                .hits = cells->count[cell], .first = has_any ? cells->low[cell] : 0, .last = cells->high[cell]};
        }
        for (uint32_t i = 0; has_errors && i < tile.count; i++) {
            hits[i].errors = grid->errors_outer[outer[i]] + grid->errors_inner[inner[i]];
        }
        for (uint32_t i = 0; grid->has_doubts && i < tile.count; i++) {
            hits[i].errors += grid->doubts.count[outer[i] * cells->stride + inner[i]];
        }
        reader->tally(reader->context, &tile);
    }
    grid_clear(cells);
    if (grid->has_doubts) {
        grid_clear(&grid->doubts);
        grid->has_doubts = false;
    }
}

void rf_eval_grids_give(struct rf_eval_grids *grids, const uint64_t *live, const struct rf_eval_reader *reader)
{
    if (grids->blocks == 0) {
        return;
    }
    assert(live == NULL || grids->blocks == 1);
    const struct rf_eval_tile tile = {
        .first = grids->first, .rows = grids->rows, .live = live, .words = live == NULL ? 0 : grids->words};
    for (uint32_t g = 0; g < grids->grids; g++) {
        grid_give(&grids->grid[g], &tile, reader);
    }
    grids->blocks = 0;
}

/* ---- Truth, for whoever asks ---- */

static void classes_fill(struct rf_eval_axis *axis, const struct rf_eval_grids *grids)
{
    for (uint32_t w = 0; w < grids->words; w++) {
        uint64_t decided = 0;
        for (uint32_t i = 0; i < 64; i++) {
            /* Rows that are not live have any code of the rank, and their bits are masked. */
            const uint16_t class = class_at(axis, grids->program, 64 * w + i);
            axis->class[64 * w + i] = class;
            decided |= (uint64_t)(class != 0) << i;
        }
        axis->decided[w] = decided;
    }
    axis->stamp = grids->stamp;
}

static const struct rf_eval_register *side_decide(struct rf_eval_axis *axis, const struct rf_eval_grids *grids,
                                                  uint16_t class)
{
    const uint32_t side = class - 1u;
    if (axis->stamp != grids->stamp) {
        classes_fill(axis, grids);
    }
    if (axis->reg_stamp[side] != grids->stamp) {
        const struct rf_eval_code_test test = {axis->is_equality ? RF_EVAL_CODE_EQUAL : RF_EVAL_CODE_LESS,
                                               (uint16_t)(axis->is_equality ? class : class + 1)};
        grids->kernels->compare_codes(axis->class, axis->decided, axis->decided, grids->words, test, &axis->reg[side]);
        axis->reg_stamp[side] = grids->stamp;
    }
    return &axis->reg[side];
}

void rf_eval_grid_decide(struct rf_eval_grid *grid, uint32_t i, struct rf_eval_register *out)
{
    const struct rf_eval_grids *grids = grid->all;
    const struct rf_eval_register *inner = side_decide(grid->inner, grids, grid->inner_class[i]);
    const struct rf_eval_register *outer =
        grid->outer == NULL ? inner : side_decide(grid->outer, grids, grid->outer_class[i]);
    for (uint32_t w = 0; w < grids->words; w++) {
        out->truth[w] = inner->truth[w] & outer->truth[w];
        out->falsity[w] = inner->falsity[w] | outer->falsity[w];
    }
    for (uint32_t w = 0; grid->guards != 0 && w < grids->words; w++) {
        out->truth[w] &= grid->guard_of->truth[w];
        out->falsity[w] |= grid->guard_of->falsity[w];
    }
}
