#include "planner.h"

#include <assert.h>

#include "prefilter_plan.h"

#define MEMORY_TEXT "the expressions need more memory than their bound allows"

enum rf_status rf_planner_open(struct rf_planner *planner, struct rf_arena *arena, uint32_t predicates_max,
                               bool is_strict_cel, struct rf_error *err)
{
    *planner = (struct rf_planner){.arena = arena, .known = {.arena = arena}};
    rf_atoms_open(&planner->atoms, arena, &planner->slots, is_strict_cel);
    planner->output = RF_PUSH(arena, uint32_t, predicates_max);
    if (planner->output == NULL) {
        RF_FAIL(err, RF_E_LIMIT, MEMORY_TEXT);
    }
    return rf_slots_open(&planner->slots, arena, err);
}

void rf_planner_close(struct rf_planner *planner)
{
    rf_atoms_close(&planner->atoms);
}

/* ---- Instructions ---- */

/* The register of an instruction, made when no equal one exists. */
static enum rf_status code_at(struct rf_planner *planner, enum rf_bool_op op, uint32_t a, uint32_t b, uint32_t c,
                              uint32_t *reg, struct rf_error *err)
{
    const uint32_t key[4] = {(uint32_t)op, a, b, c};
    uint32_t *known = rf_intern_at(&planner->known, (struct rf_str){(const char *)key, sizeof key});
    if (known == NULL) {
        RF_FAIL(err, RF_E_LIMIT, MEMORY_TEXT);
    }
    if (*known == RF_NONE) {
        if (planner->code_count == RF_CODE_MAX) {
            RF_FAIL(err, RF_E_LIMIT, "the expressions have more than %d different boolean parts", RF_CODE_MAX);
        }
        struct rf_bool *grown = rf_array_grow(planner->arena, planner->code, planner->code_count,
                                              &planner->code_capacity, sizeof planner->code[0]);
        if (grown == NULL) {
            RF_FAIL(err, RF_E_LIMIT, MEMORY_TEXT);
        }
        planner->code = grown;
        planner->code[planner->code_count] = (struct rf_bool){.op = op, .a = a, .b = b, .c = c};
        *known = planner->code_count++;
    }
    *reg = *known;
    return RF_OK;
}

static enum rf_status code_constant(struct rf_planner *planner, enum rf_bool_op op, uint32_t *reg, struct rf_error *err)
{
    return code_at(planner, op, RF_NONE, RF_NONE, RF_NONE, reg, err);
}

static enum rf_bool_op reg_op(const struct rf_planner *planner, uint32_t reg)
{
    return planner->code[reg].op;
}

static enum rf_status code_not(struct rf_planner *planner, uint32_t a, uint32_t *reg, struct rf_error *err)
{
    switch (reg_op(planner, a)) {
    case RF_BOOL_TRUE:
        return code_constant(planner, RF_BOOL_FALSE, reg, err);
    case RF_BOOL_FALSE:
        return code_constant(planner, RF_BOOL_TRUE, reg, err);
    case RF_BOOL_ERROR:
        *reg = a;
        return RF_OK;
    case RF_BOOL_NOT:
        *reg = planner->code[a].a;
        return RF_OK;
    default:
        return code_at(planner, RF_BOOL_NOT, a, RF_NONE, RF_NONE, reg, err);
    }
}

/* && and ||: a register holds nothing but true, false or error, so the neutral constant leaves the other side. */
static enum rf_status code_logic(struct rf_planner *planner, enum rf_bool_op op, uint32_t a, uint32_t b, uint32_t *reg,
                                 struct rf_error *err)
{
    const enum rf_bool_op neutral = op == RF_BOOL_AND ? RF_BOOL_TRUE : RF_BOOL_FALSE;
    const enum rf_bool_op deciding = op == RF_BOOL_AND ? RF_BOOL_FALSE : RF_BOOL_TRUE;
    if (a == b || reg_op(planner, b) == neutral || reg_op(planner, a) == deciding) {
        *reg = a;
        return RF_OK;
    }
    if (reg_op(planner, a) == neutral || reg_op(planner, b) == deciding) {
        *reg = b;
        return RF_OK;
    }
    return code_at(planner, op, a < b ? a : b, a < b ? b : a, RF_NONE, reg, err);
}

static enum rf_status code_select(struct rf_planner *planner, uint32_t a, uint32_t b, uint32_t c, uint32_t *reg,
                                  struct rf_error *err)
{
    switch (reg_op(planner, a)) {
    case RF_BOOL_TRUE:
        *reg = b;
        return RF_OK;
    case RF_BOOL_FALSE:
        *reg = c;
        return RF_OK;
    case RF_BOOL_ERROR:
        *reg = a;
        return RF_OK;
    default:
        return code_at(planner, RF_BOOL_SELECT, a, b, c, reg, err);
    }
}

/* ---- Trees ---- */

static enum rf_status plan_node(struct rf_planner *planner, struct rf_node *node, uint32_t *reg, struct rf_error *err);

static enum rf_status plan_leaf(struct rf_planner *planner, struct rf_node *node, uint32_t *reg, struct rf_error *err)
{
    uint32_t atom;
    RF_TRY(rf_atoms_add(&planner->atoms, node, &atom, err));
    if (atom == RF_NONE) {
        return code_constant(planner, RF_BOOL_ERROR, reg, err);
    }
    return code_at(planner, RF_BOOL_ATOM, atom, RF_NONE, RF_NONE, reg, err);
}

/* a != b is !(a == b), errors included; the == is a node of its own, so that `!=` and `==` share an atom. */
static enum rf_status plan_unequal(struct rf_planner *planner, struct rf_node *node, uint32_t *reg,
                                   struct rf_error *err)
{
    struct rf_node *equal = RF_PUSH(planner->arena, struct rf_node, 1);
    if (equal == NULL) {
        RF_FAIL(err, RF_E_LIMIT, MEMORY_TEXT);
    }
    *equal = *node;
    equal->function = RF_FN_EQ;
    uint32_t inner;
    RF_TRY(plan_node(planner, equal, &inner, err));
    return code_not(planner, inner, reg, err);
}

/* `(a > 1) == true`: the boolean side itself, or its opposite. */
static bool equality_is_boolean(const struct rf_node *node, uint32_t *side)
{
    for (uint32_t i = 0; i < 2; i++) {
        const struct rf_node *constant = node->arg[1 - i];
        const struct rf_node *other = node->arg[i];
        if (constant->kind == RF_NODE_LITERAL && constant->literal.type == RF_TYPE_BOOL &&
            other->type == RF_TYPE_BOOL && other->kind != RF_NODE_LITERAL) {
            *side = i;
            return true;
        }
    }
    return false;
}

static enum rf_status plan_call(struct rf_planner *planner, struct rf_node *node, uint32_t *reg, struct rf_error *err)
{
    uint32_t side;
    uint32_t operand[3] = {0};
    switch (node->function) {
    case RF_FN_NE:
        return plan_unequal(planner, node, reg, err);
    case RF_FN_EQ:
        if (!equality_is_boolean(node, &side)) {
            return plan_leaf(planner, node, reg, err);
        }
        RF_TRY(plan_node(planner, node->arg[side], &operand[0], err));
        if (node->arg[1 - side]->literal.boolean) {
            *reg = operand[0];
            return RF_OK;
        }
        return code_not(planner, operand[0], reg, err);
    case RF_FN_NOT:
    case RF_FN_AND:
    case RF_FN_OR:
    case RF_FN_SELECT:
        break;
    default:
        return plan_leaf(planner, node, reg, err);
    }
    for (uint32_t i = 0; i < node->args; i++) {
        RF_TRY(plan_node(planner, node->arg[i], &operand[i], err));
    }
    switch (node->function) {
    case RF_FN_NOT:
        return code_not(planner, operand[0], reg, err);
    case RF_FN_SELECT:
        return code_select(planner, operand[0], operand[1], operand[2], reg, err);
    default:
        return code_logic(planner, node->function == RF_FN_AND ? RF_BOOL_AND : RF_BOOL_OR, operand[0], operand[1], reg,
                          err);
    }
}

/* The register of a node as a boolean: a value of another type is an error. */
static enum rf_status plan_node(struct rf_planner *planner, struct rf_node *node, uint32_t *reg, struct rf_error *err)
{
    switch (node->kind) {
    case RF_NODE_LITERAL:
        if (node->literal.type != RF_TYPE_BOOL) {
            return code_constant(planner, RF_BOOL_ERROR, reg, err);
        }
        return code_constant(planner, node->literal.boolean ? RF_BOOL_TRUE : RF_BOOL_FALSE, reg, err);
    case RF_NODE_LIST:
    case RF_NODE_MAP:
        RF_TRY(rf_atoms_use_tree(&planner->atoms, node, err));
        return code_constant(planner, RF_BOOL_ERROR, reg, err);
    case RF_NODE_CALL:
        return plan_call(planner, node, reg, err);
    case RF_NODE_FAILURE:
        return code_constant(planner, RF_BOOL_ERROR, reg, err);
    default:
        break;
    }
    return plan_leaf(planner, node, reg, err);
}

enum rf_status rf_planner_predicate(struct rf_planner *planner, struct rf_node *tree, struct rf_error *err)
{
    uint32_t reg;
    RF_TRY(plan_node(planner, tree, &reg, err));
    planner->output[planner->predicates++] = reg;
    return RF_OK;
}

enum rf_status rf_planner_projection(struct rf_planner *planner, struct rf_node *tree, struct rf_error *err)
{
    RF_TRY(rf_atoms_use_tree(&planner->atoms, tree, err));
    /* The slot of a projection means that its value is the slot's cell. Of has() the cell is what is tested, not the
     * answer, and no answer is an error rather than a null. */
    if (!rf_slots_is_path(tree) || tree->kind == RF_NODE_HAS) {
        tree->slot = RF_NONE;
    }
    return RF_OK;
}

enum rf_status rf_planner_value(struct rf_planner *planner, struct rf_node *tree, uint32_t *term, struct rf_error *err)
{
    RF_TRY(rf_atoms_use_tree(&planner->atoms, tree, err));
    *term = RF_NONE;
    return rf_calcs_can(tree) ? rf_calcs_plan(&planner->atoms.calcs, tree, term, err) : RF_OK;
}

/* ---- The program ---- */

/* Simplified parts may have left instructions and atoms that no output needs: engines must not pay for them. */
static enum rf_status program_prune(struct rf_planner *planner, struct rf_program *program, struct rf_error *err)
{
    uint32_t *code_new = RF_PUSH(planner->arena, uint32_t, planner->code_count);
    uint32_t *atom_new = RF_PUSH(planner->arena, uint32_t, planner->atoms.atoms);
    if (code_new == NULL || atom_new == NULL) {
        RF_FAIL(err, RF_E_LIMIT, MEMORY_TEXT);
    }
    for (uint32_t p = 0; p < planner->predicates; p++) {
        code_new[planner->output[p]] = 1;
    }
    for (uint32_t i = planner->code_count; i-- > 0;) {
        const struct rf_bool *code = &planner->code[i];
        if (code_new[i] == 0) {
            continue;
        }
        if (code->op == RF_BOOL_ATOM) {
            atom_new[code->a] = 1;
            continue;
        }
        const uint32_t operand[3] = {code->a, code->b, code->c};
        for (unsigned k = 0; k < 3; k++) {
            if (operand[k] != RF_NONE) {
                code_new[operand[k]] = 1;
            }
        }
    }
    for (uint32_t a = 0; a < planner->atoms.atoms; a++) {
        if (atom_new[a] != 0) {
            atom_new[a] = program->atoms;
            planner->atoms.atom[program->atoms++] = planner->atoms.atom[a];
        }
    }
    for (uint32_t i = 0; i < planner->code_count; i++) {
        if (code_new[i] == 0) {
            continue;
        }
        struct rf_bool code = planner->code[i];
        if (code.op == RF_BOOL_ATOM) {
            code.a = atom_new[code.a];
        } else {
            code.a = code.a == RF_NONE ? RF_NONE : code_new[code.a];
            code.b = code.b == RF_NONE ? RF_NONE : code_new[code.b];
            code.c = code.c == RF_NONE ? RF_NONE : code_new[code.c];
        }
        code_new[i] = program->code_count;
        planner->code[program->code_count++] = code;
    }
    for (uint32_t p = 0; p < planner->predicates; p++) {
        planner->output[p] = code_new[planner->output[p]];
    }
    planner->code_count = program->code_count;
    planner->atoms.atoms = program->atoms;
    return RF_OK;
}

enum rf_status rf_planner_finish(struct rf_planner *planner, struct rf_program *program, struct rf_error *err)
{
    *program = (struct rf_program){0};
    RF_TRY(program_prune(planner, program, err));
    program->slot = planner->slots.slot;
    program->slots = planner->slots.slots;
    program->node = planner->slots.node;
    program->nodes = planner->slots.nodes;
    program->depth_max = planner->slots.depth_max;
    program->atom = planner->atoms.atom;
    program->constant = planner->atoms.calcs.constant;
    program->constants = planner->atoms.calcs.constants;
    program->calc = planner->atoms.calcs.calc;
    program->calcs = planner->atoms.calcs.calcs;
    program->code = planner->code;
    program->output = planner->output;
    program->predicates = planner->predicates;
    for (uint32_t a = 0; a < program->atoms; a++) {
        program->has_host = program->has_host || program->atom[a].host != RF_NONE;
    }
    for (uint32_t s = 0; s < program->slots; s++) {
        const enum rf_root root = program->slot[s].root;
        program->needs_message = program->needs_message || root == RF_ROOT_MSG;
        program->needs_number = program->needs_number || root == RF_ROOT_RECORD_NUMBER;
        program->needs_place = program->needs_place || program->needs_number || root == RF_ROOT_RECORD_OFFSET;
    }
    return program->needs_place ? RF_OK : rf_prefilter_plan(planner->arena, program, err);
}
