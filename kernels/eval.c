#include "eval.h"

#include <assert.h>

#include "eval_atom.h"
#include "eval_grid.h"

/* Bitmaps of all predicates over a batch. */
static enum rf_status results_open(struct rf_eval *eval, struct rf_error *err)
{
    const size_t words = rf_bitmap_words(eval->rows_max);
    const size_t predicates = eval->program->predicates;
    eval->truth = RF_PUSH(&eval->arena, uint64_t *, predicates);
    eval->falsity = RF_PUSH(&eval->arena, uint64_t *, predicates);
    /* Not cleared: pages of rows that never come are never touched. */
    uint64_t *bits = words == 0 || 2 * predicates <= SIZE_MAX / sizeof(uint64_t) / words
                         ? rf_arena_push(&eval->arena, 2 * predicates * words, sizeof(uint64_t), 64)
                         : NULL;
    if (eval->truth == NULL || eval->falsity == NULL || bits == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for the results of %zu predicates over %u rows", predicates,
                eval->rows_max);
    }
    for (size_t p = 0; p < predicates; p++) {
        eval->truth[p] = bits + 2 * p * words;
        eval->falsity[p] = eval->truth[p] + words;
    }
    return RF_OK;
}

static enum rf_status eval_make(struct rf_eval *eval, bool is_tallied, struct rf_error *err)
{
    struct rf_eval_plan *plan = RF_PUSH(&eval->arena, struct rf_eval_plan, 1);
    if (plan == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for a program");
    }
    if (!is_tallied) {
        RF_TRY(results_open(eval, err));
    }
    eval->plan = plan;
    return rf_eval_plan_make(plan, eval->program, eval->rows_max, is_tallied, &eval->arena, err);
}

static enum rf_status eval_open(struct rf_eval *eval, const struct rf_program *program, uint32_t rows_max,
                                bool is_tallied, struct rf_error *err)
{
    *eval = (struct rf_eval){.program = program, .rows_max = rows_max};
    rf_arena_init(&eval->arena, SIZE_MAX / 4);
    const enum rf_status status = eval_make(eval, is_tallied, err);
    if (status != RF_OK) {
        rf_eval_close(eval);
    }
    return status;
}

enum rf_status rf_eval_open(struct rf_eval *eval, const struct rf_program *program, uint32_t rows_max,
                            struct rf_error *err)
{
    return eval_open(eval, program, rows_max, false, err);
}

enum rf_status rf_eval_open_tally(struct rf_eval *eval, const struct rf_program *program, uint32_t rows_max,
                                  struct rf_error *err)
{
    return eval_open(eval, program, rows_max, true, err);
}

void rf_eval_close(struct rf_eval *eval)
{
    if (eval->plan != NULL) {
        rf_eval_plan_free(eval->plan);
    }
    rf_arena_free(&eval->arena);
    *eval = (struct rf_eval){0};
}

const struct rf_eval_kernels *rf_eval_kernels_of(enum rf_isa isa)
{
#if defined(__x86_64__)
    if (isa == RF_ISA_AVX512) {
        return &rf_eval_kernels_avx512;
    }
    if (isa == RF_ISA_AVX2) {
        return &rf_eval_kernels_avx2;
    }
#endif
    (void)isa;
    return &rf_eval_kernels_scalar;
}

/* Searches whole records across their line ends, where the record table lets it. */
static bool lines_fill(const struct rf_eval *eval, const struct rf_eval_kernels *kernels, const struct rf_batch *batch,
                       const struct rf_rows *rows)
{
    if (rows->rows == 0 || rows->is_sparse || batch->is_oversize) {
        return false;
    }
    const struct rf_eval_lines lines = {.bytes = batch->bytes + rows->begin[0],
                                        .count = rows->end[rows->rows - 1] - rows->begin[0],
                                        .rows = rows->rows};
    for (uint32_t a = 0; a < eval->program->atoms; a++) {
        if (eval->plan->lines[a] != NULL &&
            !kernels->lines_contain(lines, eval->program->atom[a].string, eval->plan->lines[a])) {
            return false;
        }
    }
    return true;
}

static void live_fill(struct rf_eval_block *block, const struct rf_rows *rows)
{
    uint64_t malformed[RF_EVAL_BLOCK_WORDS];
    uint64_t blank[RF_EVAL_BLOCK_WORDS];
    block->kernels->tag_equal(rows->status + block->row, block->words, RF_ROW_MALFORMED, malformed);
    block->kernels->tag_equal(rows->status + block->row, block->words, RF_ROW_BLANK, blank);
    for (uint32_t w = 0; w < block->words; w++) {
        block->live[w] = ~(malformed[w] | blank[w]) & rf_bitmap_tail(rows->rows, block->row / 64 + w);
    }
}

static bool block_has_host(const struct rf_eval_block *block)
{
    uint64_t any = 0;
    for (uint32_t a = 0; a < block->program->atoms; a++) {
        for (uint32_t w = 0; block->plan->host[a] != NULL && w < block->words; w++) {
            any |= (*block->plan->host[a])[w];
        }
    }
    return any != 0;
}

/* Marks in need[from] the rows that `rows` wants and register `from` has not decided. */
static void need_add(struct rf_eval_plan *plan, uint32_t from, uint32_t w, uint64_t rows)
{
    plan->need[from][w] |= rows & ~(plan->reg[from].truth[w] | plan->reg[from].falsity[w]);
}

/* From the undecided rows of each predicate down to the atoms: what could still decide them. */
static void need_fill(struct rf_eval_block *block)
{
    struct rf_eval_plan *plan = block->plan;
    if (plan->registers != 0) {
        memset(plan->need, 0, plan->registers * sizeof(*plan->need));
    }
    for (uint32_t p = 0; p < block->program->predicates; p++) {
        for (uint32_t w = 0; plan->output[p] != RF_NONE && w < block->words; w++) {
            need_add(plan, plan->output[p], w, block->live[w]);
        }
    }
    for (uint32_t g = 0; plan->grids != NULL && g < plan->grids->grids; g++) {
        const uint32_t guard = plan->grids->grid[g].guard_register;
        for (uint32_t w = 0; guard != RF_NONE && w < block->words; w++) {
            need_add(plan, guard, w, block->live[w]);
        }
    }
    for (uint32_t i = plan->code_count; i-- > 0;) {
        const struct rf_eval_code *code = &plan->code[i];
        for (uint32_t w = 0; w < block->words; w++) {
            const uint64_t rows = plan->need[code->out][w];
            if (rows == 0) {
                continue;
            }
            switch (code->op) {
            case RF_BOOL_NOT:
                need_add(plan, code->a, w, rows);
                break;
            case RF_BOOL_AND:
            case RF_BOOL_OR:
                need_add(plan, code->a, w, rows);
                need_add(plan, code->b, w, rows);
                break;
            case RF_BOOL_SELECT:
                need_add(plan, code->a, w, rows);
                need_add(plan, code->b, w, rows & ~plan->reg[code->a].falsity[w]);
                need_add(plan, code->c, w, rows & ~plan->reg[code->a].truth[w]);
                break;
            case RF_BOOL_TRUE:
            case RF_BOOL_FALSE:
            case RF_BOOL_ERROR:
            case RF_BOOL_ATOM:
                break;
            }
        }
    }
}

static void host_ask(struct rf_eval *eval, const struct rf_eval_block *block, const struct rf_rows *rows,
                     const struct rf_host *host)
{
    enum { ANSWER_FALSE, ANSWER_TRUE };
    struct rf_eval_plan *plan = eval->plan;
    for (uint32_t a = 0; a < eval->program->atoms; a++) {
        if (plan->host[a] == NULL || eval->program->atom[a].host == RF_NONE) {
            continue;
        }
        for (uint32_t w = 0; w < block->words; w++) {
            uint64_t left = (*plan->host[a])[w] & plan->need[a][w];
            for (; left != 0; left &= left - 1) {
                const uint64_t bit = left & (0 - left);
                const uint32_t row = block->row + 64 * w + (uint32_t)__builtin_ctzll(left);
                const int answer = host->decide(host->context, block->batch, rows, row, eval->program->atom[a].host);
                plan->reg[a].truth[w] |= answer == ANSWER_TRUE ? bit : 0;
                plan->reg[a].falsity[w] |= answer == ANSWER_FALSE ? bit : 0;
                eval->host_rows++;
            }
        }
    }
}

static void block_write(struct rf_eval *eval, const struct rf_eval_block *block)
{
    const uint32_t first = block->row / 64;
    for (uint32_t p = 0; p < eval->program->predicates; p++) {
        const struct rf_eval_register *from = &eval->plan->reg[eval->plan->output[p]];
        for (uint32_t w = 0; w < block->words; w++) {
            eval->truth[p][first + w] = from->truth[w] & block->live[w];
            eval->falsity[p][first + w] = from->falsity[w] & block->live[w];
        }
    }
}

void rf_eval_run(struct rf_eval *eval, enum rf_isa isa, const struct rf_batch *batch, const struct rf_rows *rows,
                 const struct rf_columns *columns, const struct rf_host *host)
{
    rf_eval_read(eval, isa, batch, rows, columns, host, NULL);
}

struct rf_cell rf_eval_value(const struct rf_eval *eval, const struct rf_eval_block *block, uint32_t value,
                             uint32_t row)
{
    const uint32_t term = eval->program->value[value];
    if (term == RF_NONE) {
        return (struct rf_cell){.tag = RF_TAG_HOST, .text = ""};
    }
    const struct rf_calc_view view =
        rf_eval_term_view(&eval->plan->terms, block->columns, block->batch, term, block->row);
    return rf_calc_cell(&view, row);
}

/* Register of the tile's predicate number i; of one that a grid has counted it is made now. */
static const struct rf_eval_register *tile_register(const struct rf_eval_tile *tile, uint32_t i,
                                                    struct rf_eval_register *made)
{
    assert(tile->live != NULL);
    if (tile->grid == NULL) {
        return &tile->reg[tile->place[i]];
    }
    rf_eval_grid_decide(tile->grid, (uint32_t)(tile->predicate - tile->grid->predicate) + i, made);
    return made;
}

void rf_eval_tile_truth(const struct rf_eval_tile *tile, uint32_t i, uint64_t *truth)
{
    struct rf_eval_register made;
    const struct rf_eval_register *from = tile_register(tile, i, &made);
    for (uint32_t w = 0; w < tile->words; w++) {
        truth[w] = from->truth[w] & tile->live[w];
    }
}

void rf_eval_tile_falsity(const struct rf_eval_tile *tile, uint32_t i, uint64_t *falsity)
{
    struct rf_eval_register made;
    const struct rf_eval_register *from = tile_register(tile, i, &made);
    for (uint32_t w = 0; w < tile->words; w++) {
        falsity[w] = (tile->is_sure ? ~from->truth[w] : from->falsity[w]) & tile->live[w];
    }
}

/* Runs the rest of the boolean program and hands its results on. is_combined: it has run as a whole. */
static void tiles_run(const struct rf_eval_block *block, uint32_t rows, bool is_combined,
                      const struct rf_eval_reader *reader)
{
    const struct rf_eval_plan *plan = block->plan;
    struct rf_eval_hits hits[RF_EVAL_TILE_PREDICATES];
    uint64_t live[RF_EVAL_BLOCK_WORDS] = {0}; /* kernels look at whole blocks */
    memcpy(live, block->live, block->words * sizeof *live);
    struct rf_eval_tile tile = {.first = block->row,
                                .rows = rows,
                                .live = live,
                                .words = block->words,
                                .hits = hits,
                                .is_sure = !is_combined && !plan->has_error &&
                                           !block->kernels->has_errors(plan->reg, plan->order, plan->ordered, live),
                                .reg = plan->reg};
    if (!is_combined) {
        block->kernels->combine(plan->code, plan->guards_code, plan->reg);
    }
    for (uint32_t t = 0; t < plan->tiles; t++) {
        const struct rf_eval_tile_plan *part = &plan->tile[t];
        if (tile.is_sure) {
            block->kernels->combine_sure(plan->code + part->code_first, part->code_count, plan->reg, live);
        } else if (!is_combined) {
            block->kernels->combine(plan->code + part->code_first, part->code_count, plan->reg);
        }
        tile.count = part->count;
        tile.predicate = plan->emit + part->first;
        tile.place = plan->emit_place + part->first;
        block->kernels->tally(plan->reg, tile.place, tile.count, live, tile.is_sure, hits);
        reader->tally(reader->context, &tile);
    }
}

/* The predicates that grids count, by the spans of the block or of it as a whole. */
static void grids_run(const struct rf_eval_block *block, uint32_t rows, const struct rf_eval_spans *spans,
                      const struct rf_eval_reader *reader)
{
    struct rf_eval_grids *grids = block->plan->grids;
    rf_eval_grids_block(grids, block);
    for (uint32_t s = 0, first = 0; s < spans->count; first = spans->end[s++]) {
        if (s != 0 || grids->blocks == RF_EVAL_GRID_BLOCKS_MAX) {
            rf_eval_grids_give(grids, NULL, reader);
        }
        rf_eval_grids_count(grids, block, first, spans->end[s]);
    }
    if (spans->count == 0) {
        rf_eval_grids_count(grids, block, 0, rows);
        rf_eval_grids_give(grids, block->live, reader);
    }
}

static void block_tally(const struct rf_eval_block *block, uint32_t rows, bool is_combined,
                        const struct rf_eval_reader *reader)
{
    struct rf_eval_grids *grids = block->plan->grids;
    struct rf_eval_spans spans = {0};
    if (reader->cut != NULL) {
        reader->cut(reader->context, block->row, rows, block->live, &spans);
    }
    if (grids != NULL && (spans.count == 0 || !spans.goes_on)) {
        rf_eval_grids_give(grids, NULL, reader);
    }
    tiles_run(block, rows, is_combined, reader);
    if (grids != NULL) {
        grids_run(block, rows, &spans, reader);
    }
}

void rf_eval_read(struct rf_eval *eval, enum rf_isa isa, const struct rf_batch *batch, const struct rf_rows *rows,
                  const struct rf_columns *columns, const struct rf_host *host, const struct rf_eval_reader *reader)
{
    assert(rows->rows <= eval->rows_max);
    const struct rf_eval_kernels *kernels = rf_eval_kernels_of(isa);
    struct rf_eval_plan *plan = eval->plan;
    struct rf_eval_block block = {
        .isa = isa, .kernels = kernels, .program = eval->program, .plan = plan, .batch = batch, .columns = columns};
    block.has_lines = lines_fill(eval, kernels, batch, rows);
    for (uint32_t row = 0; row < rows->rows; row += RF_EVAL_BLOCK_ROWS) {
        const uint32_t left = rf_bitmap_words(rows->rows - row);
        block.row = row;
        block.words = left < RF_EVAL_BLOCK_WORDS ? left : RF_EVAL_BLOCK_WORDS;
        live_fill(&block, rows);
        rf_arena_reset(&plan->terms.scratch);
        rf_eval_atoms(&block);
        /* Tiles run the program themselves, unless it must be looked at as a whole. */
        const bool is_tiled = eval->truth == NULL && plan->need == NULL;
        if (!is_tiled) {
            kernels->combine(plan->code, plan->code_count, plan->reg);
        }
        if (plan->late != plan->steps) {
            need_fill(&block);
            rf_eval_late_atoms(&block);
            kernels->combine(plan->code, plan->code_count, plan->reg);
        }
        /* Answers only ever decide undecided rows, and Kleene's logic is monotone: what the first pass decided stays.
         */
        if (host != NULL && plan->need != NULL && block_has_host(&block)) {
            need_fill(&block);
            host_ask(eval, &block, rows, host);
            kernels->combine(plan->code, plan->code_count, plan->reg);
        }
        const uint32_t left_rows = rows->rows - row;
        const uint32_t block_rows = left_rows < RF_EVAL_BLOCK_ROWS ? left_rows : RF_EVAL_BLOCK_ROWS;
        if (eval->truth != NULL) {
            block_write(eval, &block);
        }
        if (reader != NULL && reader->read != NULL) {
            reader->read(reader->context, eval, row, block_rows, &block);
        }
        if (eval->truth == NULL && reader != NULL && reader->tally != NULL) {
            block_tally(&block, block_rows, !is_tiled, reader);
        }
    }
    if (plan->grids != NULL && reader != NULL && reader->tally != NULL) {
        rf_eval_grids_give(plan->grids, NULL, reader);
    }
}
