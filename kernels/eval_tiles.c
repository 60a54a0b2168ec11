#include "eval_tiles.h"

#include <stdlib.h>

struct emit_key {
    uint32_t ready; /* instructions of plan->code that must have run */
    uint32_t predicate;
};

static int emit_key_compare(const void *left, const void *right)
{
    const struct emit_key *a = left;
    const struct emit_key *b = right;
    if (a->ready != b->ready) {
        return a->ready < b->ready ? -1 : 1;
    }
    return a->predicate < b->predicate ? -1 : a->predicate > b->predicate;
}

struct maker {
    struct rf_eval_plan *plan;
    const struct rf_program *program;
    struct rf_arena *arena;
    struct emit_key *key; /* [results] in the order of results */
    uint32_t *writer;     /* [registers] the instruction that writes it; RF_NONE: an atom */
    uint32_t *last;       /* [code] the last tile that reads what it writes */
    uint32_t *tile_of;    /* [code] */
};

/* Results in the order in which the code decides them. */
static enum rf_status results_order(struct maker *maker, struct rf_error *err)
{
    struct rf_eval_plan *plan = maker->plan;
    const uint32_t predicates = plan->results;
    maker->key = RF_PUSH(maker->arena, struct emit_key, predicates);
    maker->writer = RF_PUSH(maker->arena, uint32_t, plan->registers);
    maker->last = RF_PUSH(maker->arena, uint32_t, plan->code_count);
    maker->tile_of = RF_PUSH(maker->arena, uint32_t, plan->code_count);
    plan->emit = RF_PUSH(maker->arena, uint32_t, predicates);
    plan->emit_place = RF_PUSH(maker->arena, uint32_t, predicates);
    plan->tile = RF_PUSH(maker->arena, struct rf_eval_tile_plan, predicates + 1);
    if (maker->key == NULL || maker->writer == NULL || maker->last == NULL || maker->tile_of == NULL ||
        plan->emit == NULL || plan->emit_place == NULL || plan->tile == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory to order the results of %u predicates", predicates);
    }
    for (uint32_t r = 0; r < plan->registers; r++) {
        maker->writer[r] = RF_NONE;
    }
    for (uint32_t i = 0; i < plan->code_count; i++) {
        /* What guards are made of is there before the first tile, as atoms are. */
        maker->writer[plan->code[i].out] = i < plan->guards_code ? RF_NONE : i;
        plan->has_error = plan->has_error || plan->code[i].op == RF_BOOL_ERROR;
    }
    for (uint32_t p = 0, used = 0; p < maker->program->predicates; p++) {
        if (plan->output[p] != RF_NONE) {
            const uint32_t writer = maker->writer[plan->output[p]];
            maker->key[used++] = (struct emit_key){writer == RF_NONE ? 0 : writer + 1, p};
        }
    }
    if (predicates != 0) {
        qsort(maker->key, predicates, sizeof *maker->key, emit_key_compare);
    }
    return RF_OK;
}

static void tiles_cut(struct maker *maker)
{
    struct rf_eval_plan *plan = maker->plan;
    const uint32_t predicates = plan->results;
    uint32_t code = plan->guards_code;
    for (uint32_t first = 0; first < predicates; first += RF_EVAL_TILE_PREDICATES) {
        const uint32_t left = predicates - first;
        const uint32_t count = left < RF_EVAL_TILE_PREDICATES ? left : RF_EVAL_TILE_PREDICATES;
        const uint32_t ready = maker->key[first + count - 1].ready > code ? maker->key[first + count - 1].ready : code;
        plan->tile[plan->tiles++] =
            (struct rf_eval_tile_plan){.code_first = code, .code_count = ready - code, .first = first, .count = count};
        code = ready;
    }
    for (uint32_t p = 0; p < predicates; p++) {
        plan->emit[p] = maker->key[p].predicate;
        plan->emit_place[p] = plan->output[maker->key[p].predicate];
    }
    /* Code behind the last result decides nothing: the planner makes none, and if it did nobody would miss it. */
    plan->code_count = code;
}

static uint32_t operands(const struct rf_eval_code *code, const uint32_t *of[3])
{
    of[0] = &code->a;
    of[1] = &code->b;
    of[2] = &code->c;
    switch (code->op) {
    case RF_BOOL_SELECT:
        return 3;
    case RF_BOOL_AND:
    case RF_BOOL_OR:
        return 2;
    case RF_BOOL_NOT:
        return 1;
    case RF_BOOL_TRUE:
    case RF_BOOL_FALSE:
    case RF_BOOL_ERROR:
    case RF_BOOL_ATOM:
        break;
    }
    return 0;
}

/* The last tile in which each value is read: by code, or as a result. */
static void readers_find(struct maker *maker)
{
    struct rf_eval_plan *plan = maker->plan;
    for (uint32_t t = 0; t < plan->tiles; t++) {
        const struct rf_eval_tile_plan *tile = &plan->tile[t];
        for (uint32_t i = tile->code_first; i < tile->code_first + tile->code_count; i++) {
            const uint32_t *of[3];
            maker->tile_of[i] = maker->last[i] = t;
            for (uint32_t o = operands(&plan->code[i], of); o-- > 0;) {
                if (maker->writer[*of[o]] != RF_NONE) {
                    maker->last[maker->writer[*of[o]]] = t;
                }
            }
        }
        for (uint32_t p = tile->first; p < tile->first + tile->count; p++) {
            if (maker->writer[plan->emit_place[p]] != RF_NONE) {
                maker->last[maker->writer[plan->emit_place[p]]] = t;
            }
        }
    }
}

/* Registers are given back tile by tile: within one, those of its results must stay anyway. */
static enum rf_status places_share(struct maker *maker, struct rf_error *err)
{
    struct rf_eval_plan *plan = maker->plan;
    const uint32_t fixed = maker->program->atoms + plan->guards_code; /* registers that stay where they are */
    uint32_t *place = RF_PUSH(maker->arena, uint32_t, plan->registers);
    uint32_t *idle = RF_PUSH(maker->arena, uint32_t, plan->code_count); /* a stack */
    uint32_t *ends = RF_PUSH(maker->arena, uint32_t, plan->tiles);      /* first of a list through next */
    uint32_t *next = RF_PUSH(maker->arena, uint32_t, plan->code_count);
    if (place == NULL || idle == NULL || ends == NULL || next == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory to share %u registers", plan->registers);
    }
    uint32_t idles = 0;
    uint32_t used = fixed;
    for (uint32_t r = 0; r < fixed; r++) {
        place[r] = r;
    }
    for (uint32_t t = 0; t < plan->tiles; t++) {
        ends[t] = RF_NONE;
    }
    for (uint32_t t = 0; t < plan->tiles; t++) {
        const struct rf_eval_tile_plan *tile = &plan->tile[t];
        for (uint32_t i = tile->code_first; i < tile->code_first + tile->code_count; i++) {
            struct rf_eval_code *code = &plan->code[i];
            place[code->out] = idles != 0 ? idle[--idles] : used++;
            next[i] = ends[maker->last[i]];
            ends[maker->last[i]] = i;
            code->a = place[code->a];
            code->b = place[code->b];
            code->c = place[code->c];
            /* code->out stays the old number until the end: `place` is looked up by it. */
        }
        for (uint32_t p = tile->first; p < tile->first + tile->count; p++) {
            plan->emit_place[p] = place[plan->emit_place[p]];
        }
        for (uint32_t i = ends[t]; i != RF_NONE; i = next[i]) {
            idle[idles++] = place[plan->code[i].out];
        }
    }
    for (uint32_t i = plan->guards_code; i < plan->code_count; i++) {
        plan->code[i].out = place[plan->code[i].out];
    }
    plan->registers = used;
    return RF_OK;
}

enum rf_status rf_eval_tiles_make(struct rf_eval_plan *plan, const struct rf_program *program, struct rf_arena *arena,
                                  struct rf_error *err)
{
    struct maker maker = {.plan = plan, .program = program, .arena = arena};
    RF_TRY(results_order(&maker, err));
    tiles_cut(&maker);
    if (plan->need != NULL) {
        return RF_OK;
    }
    readers_find(&maker);
    return places_share(&maker, err);
}
