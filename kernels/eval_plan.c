#include "eval_plan.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "bitmap.h"
#include "eval_grid.h"
#include "eval_lists.h"
#include "eval_needles.h"
#include "eval_rank.h"
#include "eval_text.h"
#include "eval_tiles.h"

static uint64_t double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* x <compare> number, for every double x, as x <double_compare> a double. A constant between two doubles is replaced
 * by one of them: below it lie exactly the doubles up to the lower neighbour. */
static void constant_for_doubles(struct rf_eval_constant *constant, enum rf_compare compare, struct rf_number number)
{
    const double nearest = rf_number_to_double(number);
    const struct rf_number rounded = {.kind = RF_NUMBER_DOUBLE, .as.d = nearest};
    const enum rf_order order = rf_number_compare(rounded, number);
    constant->double_compare = compare;
    constant->double_bits = double_bits(nearest);
    if (order == RF_ORDER_LESS) { /* nearest < number: no double between */
        constant->double_compare = compare == RF_LT ? RF_LE : compare == RF_GE ? RF_GT : compare;
    } else if (order == RF_ORDER_GREATER) {
        constant->double_compare = compare == RF_LE ? RF_LT : compare == RF_GT ? RF_GE : compare;
    }
    if (order != RF_ORDER_EQUAL && compare == RF_EQ) {
        constant->double_bits = double_bits(NAN); /* equals nothing */
    }
}

/* The same for every int64 x. `always` and `never` are comparisons with the ends of the int64 range. */
static void constant_for_integers(struct rf_eval_constant *constant, enum rf_compare compare, struct rf_number number)
{
    const struct rf_number low = {.kind = RF_NUMBER_INT, .as.i = INT64_MIN};
    const struct rf_number high = {.kind = RF_NUMBER_INT, .as.i = INT64_MAX};
    const enum rf_order to_low = rf_number_compare(number, low);
    const enum rf_order to_high = rf_number_compare(number, high);
    const bool is_lower = compare == RF_LT || compare == RF_LE;
    constant->integer_compare = compare;
    if (to_low == RF_ORDER_NONE || to_low == RF_ORDER_LESS || to_high == RF_ORDER_GREATER) {
        /* Beyond the range on one side: true for all or for none. */
        const bool is_always = compare != RF_EQ && to_low != RF_ORDER_NONE && is_lower == (to_high == RF_ORDER_GREATER);
        constant->integer_compare = is_always ? RF_LE : RF_GT;
        constant->integer_bits = (uint64_t)INT64_MAX;
        return;
    }
    if (number.kind != RF_NUMBER_DOUBLE) {
        constant->integer_bits = number.as.u;
        return;
    }
    /* Within the range, so the conversion is defined (2^63 itself is beyond it). */
    const double whole = floor(number.as.d);
    constant->integer_bits = (uint64_t)(int64_t)whole;
    if (whole != number.as.d) {
        if (compare == RF_EQ) {
            constant->integer_compare = RF_GT;
            constant->integer_bits = (uint64_t)INT64_MAX;
        } else {
            constant->integer_compare = is_lower ? RF_LE : RF_GT;
        }
    }
}

static void constant_for_text(struct rf_eval_constant *constant, struct rf_str text)
{
    constant->head = rf_str_prefix(text);
    constant->head_mask = text.count >= 8 ? ~0ull : text.count == 0 ? 0 : ~0ull << (64 - 8 * text.count);
}

static enum rf_status constant_for_set(struct rf_eval_constant *constant, const struct rf_set *set,
                                       struct rf_arena *arena, struct rf_error *err)
{
    constant->double_of = RF_PUSH(arena, uint64_t, set->numbers);
    uint64_t *head = RF_PUSH(arena, uint64_t, set->strings);
    if (constant->double_of == NULL || head == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for a list of %u constants", set->numbers + set->strings);
    }
    for (uint32_t i = 0; i < set->numbers; i++) {
        const double nearest = rf_number_to_double(set->number[i]);
        const struct rf_number rounded = {.kind = RF_NUMBER_DOUBLE, .as.d = nearest};
        if (rf_number_compare(rounded, set->number[i]) == RF_ORDER_EQUAL) {
            constant->double_of[constant->doubles++] = double_bits(nearest == 0 ? 0 : nearest);
        }
    }
    for (uint32_t i = 0; i < set->strings; i++) {
        head[i] = rf_str_prefix(set->string[i]);
    }
    if (constant->doubles > RF_EVAL_SMALL_SET) {
        RF_TRY(rf_eval_set_make(&constant->number_set, constant->double_of, constant->doubles, arena, err));
    }
    if (set->strings > RF_EVAL_SMALL_SET) {
        RF_TRY(rf_eval_set_make(&constant->string_set, head, set->strings, arena, err));
        for (uint32_t i = 0; i < set->strings; i++) {
            const bool is_alone = (i == 0 || head[i - 1] != head[i]) && (i + 1 == set->strings || head[i + 1] != head[i]);
            if (is_alone && set->string[i].count <= sizeof(head[i])) {
                rf_eval_set_find(&constant->string_set, head[i])->length = (uint32_t)set->string[i].count;
            }
        }
    }
    return RF_OK;
}

/* Programmer errors of the planner: the loops trust the code. */
static void arith_assert(const struct rf_atom *atom)
{
    uint32_t top = 0;
    for (uint32_t i = 0; i < atom->code_count; i++) {
        const enum rf_arith_op op = atom->code[i].op;
        if (op == RF_ARITH_SLOT || op == RF_ARITH_CONST) {
            top++;
        } else if (op != RF_ARITH_NEG) {
            assert(top >= 2);
            top--;
        }
        assert(top >= 1 && top <= RF_ARITH_STACK_MAX);
    }
    assert(top == 2);
    (void)top;
}

static enum rf_status constants_make(struct rf_eval_plan *plan, const struct rf_program *program,
                                     struct rf_arena *arena, struct rf_error *err)
{
    for (uint32_t a = 0; a < program->atoms; a++) {
        const struct rf_atom *atom = &program->atom[a];
        struct rf_eval_constant *constant = &plan->constant[a];
        switch (atom->kind) {
        case RF_ATOM_CMP_NUM:
            constant_for_doubles(constant, atom->compare, atom->number);
            constant_for_integers(constant, atom->compare, atom->number);
            break;
        case RF_ATOM_SIZE: /* of devices (device_plan.c) */
            constant_for_integers(constant, atom->compare, atom->number);
            break;
        case RF_ATOM_CMP_STR:
        case RF_ATOM_STARTS:
        case RF_ATOM_ENDS:
        case RF_ATOM_CONTAINS:
            constant_for_text(constant, atom->string);
            break;
        case RF_ATOM_IN:
            RF_TRY(constant_for_set(constant, &atom->set, arena, err));
            break;
        case RF_ATOM_ARITH:
            arith_assert(atom);
            break;
        case RF_ATOM_TRUTH:
        case RF_ATOM_HAS:
        case RF_ATOM_EQ_NULL:
        case RF_ATOM_CMP_BOOL:
        case RF_ATOM_CMP_SLOT:
        case RF_ATOM_HOST:
            break;
        }
    }
    return RF_OK;
}

/* 0 of a slot or constant; else one more than the number of the computation. */
static uint32_t term_after(uint32_t term)
{
    return term != RF_NONE && (term & RF_TERM_COMPUTED) != 0 ? (term & RF_TERM_NUMBER) + 1 : 0;
}

static uint32_t atom_after(const struct rf_atom *atom)
{
    if (atom->kind == RF_ATOM_ARITH || atom->kind == RF_ATOM_HOST) {
        return 0;
    }
    const uint32_t own = term_after(atom->slot);
    const uint32_t other = atom->kind == RF_ATOM_CMP_SLOT ? term_after(atom->other_slot) : 0;
    return own > other ? own : other;
}

/* Behind those of one operator each; GROUP_TEXTS + its kind. */
enum { GROUP_RANK = 50, GROUP_TEXTS = 60, GROUP_OTHER = 100, GROUP_NEEDLES, GROUP_LISTS };

struct step_key { /* orders atoms: behind their computations, by slot, number comparisons together by their operator */
    uint32_t after;
    uint32_t slot;
    uint32_t group;
    uint32_t atom;
};

static int step_key_compare(const void *left, const void *right)
{
    const struct step_key *a = left;
    const struct step_key *b = right;
    if (a->after != b->after) {
        return a->after < b->after ? -1 : 1;
    }
    if (a->slot != b->slot) {
        return a->slot < b->slot ? -1 : 1;
    }
    if (a->group != b->group) {
        return a->group < b->group ? -1 : 1;
    }
    return a->atom < b->atom ? -1 : a->atom > b->atom;
}

/* Computations that an atom, or another needed one, reads. Values asked for by the program's user are always needed. */
static void calcs_mark(const struct rf_program *program, bool *is_needed)
{
    for (uint32_t a = 0; a < program->atoms; a++) {
        const uint32_t after = atom_after(&program->atom[a]);
        if (after == 0 || rf_eval_needles_regex(program, &program->atom[a]) != NULL) {
            continue;
        }
        const uint32_t term[2] = {program->atom[a].slot, program->atom[a].other_slot};
        for (uint32_t i = 0; i < (program->atom[a].kind == RF_ATOM_CMP_SLOT ? 2u : 1u); i++) {
            if (term_after(term[i]) != 0) {
                is_needed[term_after(term[i]) - 1] = true;
            }
        }
    }
    for (uint32_t v = 0; v < program->values; v++) {
        if (term_after(program->value[v]) != 0) {
            is_needed[term_after(program->value[v]) - 1] = true;
        }
    }
    for (uint32_t c = program->calcs; c-- > 0;) {
        for (uint32_t i = 0; is_needed[c] && i < program->calc[c].args; i++) {
            if (term_after(program->calc[c].arg[i]) != 0) {
                is_needed[term_after(program->calc[c].arg[i]) - 1] = true;
            }
        }
    }
}

struct step_maker {
    struct rf_eval_plan *plan;
    const struct rf_program *program;
    bool *is_needed;  /* [calcs] */
    uint32_t *first;  /* [calcs] step that makes it */
    uint32_t *last;   /* [calcs] last step that reads it, or RF_NONE */
    uint32_t calcs;   /* behind which all needed ones below it have a step */
};

static void term_read(struct step_maker *maker, uint32_t term)
{
    if (term_after(term) != 0) {
        maker->last[term_after(term) - 1] = maker->plan->steps;
    }
}

/* Steps for the computations up to `after`. */
static void calcs_step(struct step_maker *maker, uint32_t after)
{
    for (; maker->calcs < after; maker->calcs++) {
        const uint32_t c = maker->calcs;
        if (!maker->is_needed[c]) {
            continue;
        }
        maker->first[c] = maker->plan->steps;
        maker->last[c] = maker->plan->steps;
        for (uint32_t i = 0; i < maker->program->calc[c].args; i++) {
            term_read(maker, maker->program->calc[c].arg[i]);
        }
        maker->plan->step[maker->plan->steps++] = (struct rf_eval_step){.calc = c, .slot = RF_NONE};
    }
}

/* Columns with many comparisons: these go by one group, whatever their operators. */
static void ranks_find(struct step_key *key, uint32_t keys)
{
    for (uint32_t i = 0; i < keys;) {
        uint32_t end = i;
        uint32_t numbers = 0;
        for (; end < keys && key[end].after == key[i].after && key[end].slot == key[i].slot; end++) {
            numbers += key[end].group < GROUP_RANK;
        }
        for (uint32_t k = i; numbers >= RF_EVAL_RANK_MIN && numbers <= RF_EVAL_RANK_MAX && k < end; k++) {
            key[k].group = key[k].group < GROUP_RANK ? GROUP_RANK : key[k].group;
        }
        i = end;
    }
}

/* Columns with few tests of texts: these go by themselves. */
static void texts_find(const struct rf_program *program, struct step_key *key, uint32_t keys)
{
    for (uint32_t i = 0; i < keys;) {
        const uint32_t group = key[i].group;
        const bool is_text = group > GROUP_TEXTS && group < GROUP_OTHER;
        uint32_t end = i;
        uint64_t cost = 0;
        for (; end < keys && key[end].slot == key[i].slot && key[end].group == group; end++) {
            cost += is_text ? rf_eval_texts_cost(&program->atom[key[end].atom]) : 0;
        }
        const uint32_t most = group == GROUP_TEXTS + RF_EVAL_TEXTS_ORDER ? RF_EVAL_TEXTS_ORDER_MAX : UINT32_MAX;
        const bool is_joined = cost >= RF_EVAL_TEXTS_MIN && end - i <= most;
        for (uint32_t k = i; is_text && !is_joined && k < end; k++) {
            key[k].group = GROUP_OTHER;
        }
        i = end;
    }
}

/* Columns with few literals: these go by themselves. Few expressions wait for rows that nothing else decides. */
/* Columns with few lists of numbers: these go by themselves. */
static void lists_find(const struct rf_program *program, struct step_key *key, uint32_t keys)
{
    for (uint32_t i = 0; i < keys;) {
        const uint32_t group = key[i].group;
        uint32_t end = i;
        uint64_t cost = 0;
        for (; end < keys && key[end].slot == key[i].slot && key[end].group == group; end++) {
            cost += group == GROUP_LISTS ? rf_eval_lists_cost(program, &program->atom[key[end].atom]) : 0;
        }
        for (uint32_t k = i; group == GROUP_LISTS && cost < RF_EVAL_LISTS_MIN && k < end; k++) {
            key[k].group = GROUP_OTHER;
        }
        i = end;
    }
}

static void needles_find(const struct rf_program *program, struct step_key *key, uint32_t keys)
{
    for (uint32_t i = 0; i < keys;) {
        const bool is_needles = key[i].group == GROUP_NEEDLES;
        uint32_t end = i;
        uint32_t regexes = 0;
        uint32_t first = UINT32_MAX;
        uint64_t cost = 0; /* of literals */
        for (; end < keys && key[end].slot == key[i].slot && key[end].group == key[i].group; end++) {
            const struct rf_atom *atom = &program->atom[key[end].atom];
            const bool is_regex = is_needles && rf_eval_needles_regex(program, atom) != NULL;
            first = is_regex && atom_after(atom) < first ? atom_after(atom) : first;
            regexes += is_regex;
            cost += is_needles && !is_regex ? rf_eval_needles_cost(program, atom) : 0;
        }
        const bool is_first = regexes >= RF_EVAL_NEEDLES_EAGER || cost >= RF_EVAL_NEEDLES_MIN;
        for (uint32_t k = i; is_needles && !is_first && k < end; k++) {
            const bool is_regex = rf_eval_needles_regex(program, &program->atom[key[k].atom]) != NULL;
            key[k].after = is_regex ? first : key[k].after;
            key[k].group = is_regex ? GROUP_NEEDLES : GROUP_OTHER;
        }
        i = end;
    }
}

static uint32_t group_of(const struct rf_program *program, const struct rf_atom *atom, const struct rf_eval_constant *constant)
{
    if (atom->kind == RF_ATOM_CMP_NUM) {
        return (uint32_t)constant->double_compare;
    }
    if (rf_eval_needles_cost(program, atom) != 0) {
        return GROUP_NEEDLES;
    }
    if (rf_eval_lists_cost(program, atom) != 0) {
        return GROUP_LISTS;
    }
    const enum rf_eval_texts_kind kind = rf_eval_texts_kind(atom);
    const bool may_ask = atom->host != RF_NONE || kind == RF_EVAL_TEXTS_NONE || !rf_term_is_slot(atom->slot) ||
                         program->slot[atom->slot].root == RF_ROOT_BINDING;
    return may_ask ? GROUP_OTHER : GROUP_TEXTS + (uint32_t)kind;
}

static enum rf_status groups_make(struct rf_eval_plan *plan, const struct rf_program *program, const struct step_key *key,
                                  struct rf_arena *arena, struct rf_error *err)
{
    for (uint32_t s = 0; s < plan->steps; s++) {
        struct rf_eval_step *step = &plan->step[s];
        const uint32_t group = step->calc == RF_NONE ? key[step->first].group : GROUP_OTHER;
        if (group > GROUP_TEXTS && group < GROUP_OTHER) {
            for (uint32_t i = step->first; i < step->first + step->count; i++) {
                const struct rf_atom *atom = &program->atom[plan->order[i]];
                step->is_mixed = step->is_mixed || (atom->kind == RF_ATOM_IN && rf_set_is_mixed(&atom->set));
            }
            RF_TRY(rf_eval_texts_make(&step->texts, (enum rf_eval_texts_kind)(group - GROUP_TEXTS), program,
                                      plan->order + step->first, step->count, arena, err));
        }
        if (group == GROUP_NEEDLES) {
            RF_TRY(rf_eval_needles_make(&step->needles, program, plan->order + step->first, step->count, &step->taken,
                                        arena, err));
        }
        if (group == GROUP_LISTS) {
            RF_TRY(rf_eval_lists_make(&step->lists, plan->constant, plan->order + step->first, step->count, arena, err));
        }
        if (group != GROUP_RANK) {
            continue;
        }
        enum rf_compare *compare = RF_PUSH(arena, enum rf_compare, step->count);
        if (compare == NULL) {
            RF_FAIL(err, RF_E_MEMORY, "no memory to order %u constants", step->count);
        }
        for (uint32_t i = 0; i < step->count; i++) {
            compare[i] = plan->constant[plan->order[step->first + i]].double_compare;
        }
        RF_TRY(rf_eval_rank_make(&step->rank, plan->number_bits + step->first, compare, step->count, arena, err));
    }
    return RF_OK;
}

static void atoms_step(struct step_maker *maker, const struct step_key *key)
{
    struct rf_eval_plan *plan = maker->plan;
    const struct rf_program *program = maker->program;
    for (uint32_t i = 0; i < plan->ordered; i++) {
        calcs_step(maker, key[i].after);
        const bool is_number = key[i].group <= GROUP_RANK;
        const bool is_same = i != 0 && key[i].group != GROUP_OTHER && key[i].after == key[i - 1].after &&
                             key[i].slot == key[i - 1].slot && key[i].group == key[i - 1].group;
        plan->order[i] = key[i].atom;
        plan->number_bits[i] = plan->constant[key[i].atom].double_bits;
        if (is_same) {
            plan->step[plan->steps - 1].count++;
            continue;
        }
        const struct rf_atom *atom = &program->atom[key[i].atom];
        term_read(maker, key[i].slot);
        if (atom->kind == RF_ATOM_CMP_SLOT) {
            term_read(maker, atom->other_slot);
        }
        plan->step[plan->steps++] = (struct rf_eval_step){
            .calc = RF_NONE, .slot = key[i].slot, .is_number = is_number, .first = i, .count = 1};
    }
    calcs_step(maker, program->calcs);
    for (uint32_t v = 0; v < program->values; v++) {
        term_read(maker, program->value[v]);
    }
}

/* is_read[A]: atoms that some register is made of. */
static enum rf_status steps_make(struct rf_eval_plan *plan, const struct rf_program *program, const bool *is_read,
                                 struct rf_arena *arena, struct rf_error *err)
{
    struct step_key *key = RF_PUSH(arena, struct step_key, program->atoms);
    struct step_maker maker = {.plan = plan,
                               .program = program,
                               .is_needed = RF_PUSH(arena, bool, program->calcs),
                               .first = RF_PUSH(arena, uint32_t, program->calcs),
                               .last = RF_PUSH(arena, uint32_t, program->calcs)};
    if (key == NULL || maker.is_needed == NULL || maker.first == NULL || maker.last == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory to order %u atoms", program->atoms);
    }
    for (uint32_t a = 0; a < program->atoms; a++) {
        const struct rf_atom *atom = &program->atom[a];
        const bool has_slot = atom->kind != RF_ATOM_ARITH && atom->kind != RF_ATOM_HOST;
        if (is_read[a]) {
            const struct rf_calc *regex = rf_eval_needles_regex(program, atom);
            key[plan->ordered++] = (struct step_key){.after = regex != NULL ? 0 : atom_after(atom),
                                                     .slot = regex != NULL ? regex->arg[0]
                                                             : has_slot    ? atom->slot
                                                                           : RF_NONE,
                                                     .group = group_of(program, atom, &plan->constant[a]),
                                                     .atom = a};
        }
    }
    if (plan->ordered != 0) {
        qsort(key, plan->ordered, sizeof(*key), step_key_compare);
        ranks_find(key, plan->ordered);
        texts_find(program, key, plan->ordered);
        needles_find(program, key, plan->ordered);
        lists_find(program, key, plan->ordered);
        qsort(key, plan->ordered, sizeof(*key), step_key_compare);
    }
    for (uint32_t c = 0; c < program->calcs; c++) {
        maker.last[c] = RF_NONE;
    }
    calcs_mark(program, maker.is_needed);
    atoms_step(&maker, key);
    RF_TRY(groups_make(plan, program, key, arena, err));
    for (uint32_t a = 0; a < plan->ordered && plan->spread == NULL; a++) {
        if (key[a].slot != RF_NONE && (key[a].slot & (RF_TERM_CONSTANT | RF_TERM_COMPUTED)) == RF_TERM_CONSTANT) {
            plan->spread = rf_arena_push_zero(arena, 1, sizeof(*plan->spread), 64);
            if (plan->spread == NULL) {
                RF_FAIL(err, RF_E_MEMORY, "no memory for a constant column");
            }
        }
    }
    while (plan->late < plan->steps && plan->step[plan->late].calc == RF_NONE &&
           key[plan->step[plan->late].first].after == 0) {
        plan->late++;
    }
    if (program->calcs != 0) {
        plan->calc_rows = rf_arena_push_zero(arena, program->calcs, sizeof(*plan->calc_rows), 64);
        if (plan->calc_rows == NULL) {
            RF_FAIL(err, RF_E_MEMORY, "no memory for the masks of %u computations", program->calcs);
        }
    }
    return rf_eval_terms_make(&plan->terms, program, maker.first, maker.last, arena, err);
}

uint32_t rf_eval_operands(enum rf_bool_op op)
{
    static const uint32_t operands_of[] = {
#define RF_ATOM(name, text, constants, meaning)
#define RF_BOOL_OP(name, text, operands) [name] = operands,
#define RF_ARITH_OP(name, text, operands)
#include "op.def"
#undef RF_ATOM
#undef RF_BOOL_OP
#undef RF_ARITH_OP
    };
    return operands_of[op];
}

static bool predicate_is_counted(const struct rf_eval_plan *plan, uint32_t predicate)
{
    return plan->grids != NULL && plan->grids->is_counted[predicate];
}

/* What an instruction is for. */
enum purpose { FOR_NOTHING, FOR_RESULTS, FOR_GUARDS };

static uint32_t grids_of(const struct rf_eval_plan *plan)
{
    return plan->grids == NULL ? 0 : plan->grids->grids;
}

/* purpose[code], is_read[A]. What both need is made for the guards, which come first. */
static void purposes_find(const struct rf_eval_plan *plan, const struct rf_program *program, uint8_t *purpose, bool *is_read)
{
    for (uint32_t p = 0; p < program->predicates; p++) {
        if (!predicate_is_counted(plan, p)) {
            purpose[program->output[p]] = FOR_RESULTS;
        }
    }
    for (uint32_t g = 0; g < grids_of(plan); g++) {
        for (uint32_t i = 0; i < plan->grids->grid[g].guards; i++) {
            purpose[plan->grids->grid[g].guard[i]] = FOR_GUARDS;
        }
    }
    for (uint32_t i = program->code_count; i-- > 0;) {
        const struct rf_bool *code = &program->code[i];
        if (purpose[i] == FOR_NOTHING) {
            continue;
        }
        if (code->op == RF_BOOL_ATOM) {
            is_read[code->a] = true;
            continue;
        }
        const uint32_t of[] = {code->a, code->b, code->c};
        for (uint32_t o = 0; o < rf_eval_operands(code->op); o++) {
            purpose[of[o]] = purpose[of[o]] > purpose[i] ? purpose[of[o]] : purpose[i];
        }
    }
}

/* The instructions that serve the purpose. place[code]: registers. */
static void code_add(struct rf_eval_plan *plan, const struct rf_program *program, const uint8_t *purpose,
                     enum purpose wanted, uint32_t *place)
{
    for (uint32_t i = 0; i < program->code_count; i++) {
        const struct rf_bool *from = &program->code[i];
        if (from->op == RF_BOOL_ATOM) {
            assert(from->a < program->atoms);
            place[i] = from->a;
            continue;
        }
        if (purpose[i] != (uint8_t)wanted) {
            continue;
        }
        place[i] = program->atoms + plan->code_count;
        const uint32_t operands = rf_eval_operands(from->op);
        struct rf_eval_code *to = &plan->code[plan->code_count++];
        assert((operands < 1 || from->a < i) && (operands < 2 || from->b < i) && (operands < 3 || from->c < i));
        to->op = from->op;
        to->out = place[i];
        to->a = operands >= 1 ? place[from->a] : 0;
        to->b = operands >= 2 ? place[from->b] : 0;
        to->c = operands >= 3 ? place[from->c] : 0;
    }
}

/* Conjunctions of what guards are made of, which the program need not have. */
static void guards_add(struct rf_eval_plan *plan, const struct rf_program *program, const uint32_t *place)
{
    for (uint32_t g = 0; g < grids_of(plan); g++) {
        struct rf_eval_grid *grid = &plan->grids->grid[g];
        for (uint32_t i = 0; i < grid->guards; i++) {
            if (i == 0) {
                grid->guard_register = place[grid->guard[0]];
                continue;
            }
            const uint32_t out = program->atoms + plan->code_count;
            plan->code[plan->code_count++] = (struct rf_eval_code){
                .op = RF_BOOL_AND, .out = out, .a = grid->guard_register, .b = place[grid->guard[i]]};
            grid->guard_register = out;
        }
    }
}

static enum rf_status code_make(struct rf_eval_plan *plan, const struct rf_program *program, const uint8_t *purpose,
                                struct rf_arena *arena, struct rf_error *err)
{
    size_t room = program->code_count;
    for (uint32_t g = 0; g < grids_of(plan); g++) {
        room += plan->grids->grid[g].guards;
    }
    uint32_t *place = RF_PUSH(arena, uint32_t, program->code_count);
    plan->code = RF_PUSH(arena, struct rf_eval_code, room);
    if (place == NULL || plan->code == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for %u instructions", program->code_count);
    }
    code_add(plan, program, purpose, FOR_GUARDS, place);
    guards_add(plan, program, place);
    plan->guards_code = plan->code_count;
    code_add(plan, program, purpose, FOR_RESULTS, place);
    plan->registers = program->atoms + plan->code_count;
    for (uint32_t p = 0; p < program->predicates; p++) {
        assert(program->output[p] < program->code_count);
        const bool is_counted = predicate_is_counted(plan, p);
        plan->output[p] = is_counted ? RF_NONE : place[program->output[p]];
        plan->results += !is_counted;
    }
    return RF_OK;
}

/* Whole records can be searched across their line ends when the text has none. */
static bool atom_fits_lines(const struct rf_atom *atom, const struct rf_program *program)
{
    return program->fix_dict == NULL && atom->kind == RF_ATOM_CONTAINS && rf_term_is_slot(atom->slot) &&
           program->slot[atom->slot].root == RF_ROOT_RAW && atom->string.count != 0 &&
           memchr(atom->string.data, '\n', atom->string.count) == NULL &&
           memchr(atom->string.data, '\r', atom->string.count) == NULL;
}

static enum rf_status masks_make(struct rf_eval_plan *plan, const struct rf_program *program, const bool *is_read,
                                 uint32_t rows_max, struct rf_arena *arena, struct rf_error *err)
{
    bool has_host = false;
    bool *is_searched = RF_PUSH(arena, bool, program->atoms);
    bool is_complete = is_searched != NULL;
    for (uint32_t s = 0; is_complete && s < plan->steps; s++) {
        for (uint32_t i = 0; plan->step[s].needles != NULL && i < plan->step[s].taken; i++) {
            is_searched[plan->order[plan->step[s].first + i]] = true;
        }
    }
    for (uint32_t a = 0; is_complete && a < program->atoms; a++) {
        const struct rf_atom *atom = &program->atom[a];
        if (!is_read[a] || is_searched[a]) {
            continue;
        }
        if (rf_eval_kind_may_ask(atom->kind) || atom->host != RF_NONE || atom_after(atom) != 0) {
            has_host = true;
            plan->host[a] = rf_arena_push_zero(arena, 1, sizeof(*plan->host[a]), 64);
            is_complete = is_complete && plan->host[a] != NULL;
        }
        if (atom_fits_lines(atom, program)) {
            plan->lines[a] = rf_arena_push(arena, rf_bitmap_words(rows_max), sizeof(uint64_t), 64);
            is_complete = is_complete && plan->lines[a] != NULL;
        }
    }
    if (has_host || plan->late != plan->steps) {
        plan->need = rf_arena_push_zero(arena, plan->registers, sizeof(*plan->need), 64);
        is_complete = is_complete && plan->need != NULL;
    }
    if (!is_complete) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for the masks of %u atoms", program->atoms);
    }
    return RF_OK;
}

enum rf_status rf_eval_plan_make(struct rf_eval_plan *plan, const struct rf_program *program, uint32_t rows_max,
                                 bool is_tallied, struct rf_arena *arena, struct rf_error *err)
{
    const uint32_t atoms = program->atoms;
    *plan = (struct rf_eval_plan){0};
    plan->constant = RF_PUSH(arena, struct rf_eval_constant, atoms);
    plan->order = RF_PUSH(arena, uint32_t, atoms);
    plan->number_bits = RF_PUSH(arena, uint64_t, atoms);
    plan->step = RF_PUSH(arena, struct rf_eval_step, atoms + program->calcs);
    plan->output = RF_PUSH(arena, uint32_t, program->predicates);
    plan->host = rf_arena_push_zero(arena, atoms, sizeof(*plan->host), _Alignof(void *));
    plan->lines = RF_PUSH(arena, uint64_t *, atoms);
    uint8_t *purpose = rf_arena_push_zero(arena, program->code_count, sizeof *purpose, 1);
    bool *is_read = rf_arena_push_zero(arena, atoms, sizeof *is_read, 1);
    if (purpose == NULL || is_read == NULL || plan->constant == NULL || plan->order == NULL ||
        plan->number_bits == NULL || plan->step == NULL || plan->output == NULL || plan->host == NULL ||
        plan->lines == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for a program of %u atoms and %u instructions", atoms,
                program->code_count);
    }
    RF_TRY(constants_make(plan, program, arena, err));
    if (is_tallied) {
        RF_TRY(rf_eval_grids_make(&plan->grids, program, plan->constant, arena, err));
    }
    purposes_find(plan, program, purpose, is_read);
    RF_TRY(steps_make(plan, program, is_read, arena, err));
    RF_TRY(code_make(plan, program, purpose, arena, err));
    RF_TRY(masks_make(plan, program, is_read, rows_max, arena, err));
    if (is_tallied) {
        RF_TRY(rf_eval_tiles_make(plan, program, arena, err));
    }
    plan->reg = rf_arena_push_zero(arena, plan->registers, sizeof(*plan->reg), 64);
    if (plan->reg == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for %u registers", plan->registers);
    }
    return RF_OK;
}

void rf_eval_plan_free(struct rf_eval_plan *plan)
{
    rf_eval_terms_free(&plan->terms);
}
