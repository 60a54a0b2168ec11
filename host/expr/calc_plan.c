#include "calc_plan.h"

#include <assert.h>

#include "function.h"
#include "resolve.h"

#define MEMORY_TEXT "the expressions need more memory than their bound allows"

void rf_calcs_open(struct rf_calcs *calcs, struct rf_arena *arena, bool is_strict_cel)
{
    *calcs = (struct rf_calcs){.arena = arena, .is_strict_cel = is_strict_cel, .known = {.arena = arena}};
}

void rf_calcs_close(struct rf_calcs *calcs)
{
    rf_text_free(&calcs->key);
}

/* ---- What has a form ---- */

static bool literal_constant(struct rf_value value, struct rf_constant *constant)
{
    *constant = (struct rf_constant){.number = value.exact, .nanos = value.nanos, .text = value.text};
    switch (value.type) {
    case RF_TYPE_NULL:
        constant->kind = RF_CONSTANT_NULL;
        return true;
    case RF_TYPE_BOOL:
        constant->kind = RF_CONSTANT_BOOL;
        constant->number = (struct rf_number){.kind = RF_NUMBER_INT, .as.i = value.boolean};
        return true;
    case RF_TYPE_INT:
    case RF_TYPE_UINT:
    case RF_TYPE_DOUBLE:
        constant->kind = RF_CONSTANT_NUMBER;
        return !value.is_message;
    case RF_TYPE_STRING:
        constant->kind = RF_CONSTANT_STRING;
        return value.text.count < UINT32_MAX;
    case RF_TYPE_BYTES:
        constant->kind = RF_CONSTANT_BYTES;
        return value.text.count < UINT32_MAX;
    case RF_TYPE_TIMESTAMP:
        constant->kind = RF_CONSTANT_TIMESTAMP;
        return true;
    case RF_TYPE_DURATION:
        constant->kind = RF_CONSTANT_DURATION;
        return true;
    case RF_TYPE_TYPE:
        constant->kind = RF_CONSTANT_TYPE;
        return true;
    default:
        return false;
    }
}

/* a.?b, a[?k]: an optional whose only optional step is the last one, so that the cell of a.b tells all about it. */
static bool node_is_optional_step(const struct rf_node *node)
{
    return (node->kind == RF_NODE_SELECT || node->kind == RF_NODE_INDEX) && node->is_optional &&
           rf_slots_is_way(node) && (node->arg[0]->kind == RF_NODE_IDENT || rf_slots_is_path(node->arg[0]));
}

static const char *args_obstacle(const struct rf_node *node, uint32_t first)
{
    for (uint32_t i = first; i < node->args; i++) {
        const char *why = rf_calcs_obstacle(node->arg[i]);
        if (why != NULL) {
            return why;
        }
    }
    return NULL;
}

static const char *call_obstacle(const struct rf_node *node)
{
    if (node->function == RF_FUNCTION_COUNT || !rf_function_info(node->function)->has_vector) {
        return "a function without a vector form";
    }
    if (node->args > RF_CALC_ARGS_MAX) {
        return "more arguments than a vector form takes";
    }
    switch (node->function) {
    case RF_FN_IN:
        return "looks into a list or map that is no constant list";
    case RF_FN_MATCHES:
        if (node->regex == NULL) {
            return "the pattern is no constant";
        }
        break;
    case RF_FN_HAS_VALUE:
    case RF_FN_OR_VALUE:
        if (!node_is_optional_step(node->arg[0])) {
            return "an optional that is no field or element of the message";
        }
        return args_obstacle(node, 1);
    default:
        break;
    }
    return args_obstacle(node, 0);
}

const char *rf_calcs_obstacle(const struct rf_node *node)
{
    struct rf_constant constant;
    switch (node->kind) {
    case RF_NODE_LITERAL:
        return literal_constant(node->literal, &constant) ? NULL : "a constant that is a list, map or address";
    case RF_NODE_BINDING:
        return NULL;
    case RF_NODE_SELECT:
    case RF_NODE_INDEX:
    case RF_NODE_IDENT:
    case RF_NODE_HAS:
        return rf_slots_is_path(node) ? NULL : "a key or index is computed, or of a computed value";
    case RF_NODE_LOCAL:
        return NULL; /* of a bind or block: every other macro is an obstacle itself */
    case RF_NODE_MACRO:
        return node->function == RF_FN_BIND || node->function == RF_FN_BLOCK ? args_obstacle(node, 0)
                                                                             : "a macro over a list or map";
    case RF_NODE_CALL:
        return call_obstacle(node);
    case RF_NODE_LIST:
    case RF_NODE_MAP:
        return "a list or map is made";
    default:
        return "no vector form";
    }
}

/* ---- Terms ---- */

static enum rf_status constant_term(struct rf_calcs *calcs, const struct rf_constant *constant, uint32_t *term,
                                    struct rf_error *err)
{
    rf_text_clear(&calcs->key);
    RF_TRY(rf_text_printf(&calcs->key, err, "k %d %d %llx %u ", (int)constant->kind, (int)constant->number.kind,
                          (unsigned long long)constant->number.as.u, constant->nanos));
    RF_TRY(rf_text_append(&calcs->key, constant->text, err));
    uint32_t *known = rf_intern_at(&calcs->known, rf_text_str(&calcs->key));
    if (known == NULL) {
        RF_FAIL(err, RF_E_LIMIT, MEMORY_TEXT);
    }
    if (*known == RF_NONE) {
        if (calcs->constants == RF_CONSTANTS_MAX) {
            RF_FAIL(err, RF_E_LIMIT, "the expressions have more than %d different constants", RF_CONSTANTS_MAX);
        }
        struct rf_constant *grown = rf_array_grow(calcs->arena, calcs->constant, calcs->constants,
                                                  &calcs->constants_capacity, sizeof calcs->constant[0]);
        if (grown == NULL) {
            RF_FAIL(err, RF_E_LIMIT, MEMORY_TEXT);
        }
        calcs->constant = grown;
        calcs->constant[calcs->constants] = *constant;
        *known = RF_TERM_CONSTANT | calcs->constants++;
    }
    *term = *known;
    return RF_OK;
}

static enum rf_status calc_term(struct rf_calcs *calcs, const struct rf_calc *calc, uint32_t *term,
                                struct rf_error *err)
{
    uint32_t key[2 + RF_CALC_ARGS_MAX] = {(uint32_t)calc->function, calc->args};
    for (uint32_t i = 0; i < calc->args; i++) {
        key[2 + i] = calc->arg[i];
    }
    uint32_t *known = rf_intern_at(&calcs->known, (struct rf_str){(const char *)key, sizeof key});
    if (known == NULL) {
        RF_FAIL(err, RF_E_LIMIT, MEMORY_TEXT);
    }
    if (*known == RF_NONE) {
        if (calcs->calcs == RF_CALCS_MAX) {
            RF_FAIL(err, RF_E_LIMIT, "the expressions have more than %d different computations", RF_CALCS_MAX);
        }
        struct rf_calc *grown = rf_array_grow(calcs->arena, calcs->calc, calcs->calcs, &calcs->calcs_capacity,
                                              sizeof calcs->calc[0]);
        if (grown == NULL) {
            RF_FAIL(err, RF_E_LIMIT, MEMORY_TEXT);
        }
        calcs->calc = grown;
        calcs->calc[calcs->calcs] = *calc;
        *known = RF_TERM_COMPUTED | calcs->calcs++;
    }
    *term = *known;
    return RF_OK;
}

static enum rf_status call_plan(struct rf_calcs *calcs, const struct rf_node *node, uint32_t *term,
                                struct rf_error *err)
{
    struct rf_calc calc = {.function = node->function,
                           .is_strict_cel = calcs->is_strict_cel,
                           .args = node->args,
                           .regex = node->regex};
    for (uint32_t i = 0; i < node->args; i++) {
        if (node->arg[i]->slot != RF_NONE && node->arg[i]->kind != RF_NODE_HAS) {
            calc.arg[i] = node->arg[i]->slot; /* an optional step too: the function knows (calc.c) */
        } else {
            RF_TRY(rf_calcs_plan(calcs, node->arg[i], &calc.arg[i], err));
        }
    }
    return calc_term(calcs, &calc, term, err);
}

/* The values first, in order; each variable stands for its term from then on. */
static enum rf_status bind_plan(struct rf_calcs *calcs, const struct rf_node *node, uint32_t *term,
                                struct rf_error *err)
{
    if (calcs->bound == NULL) {
        calcs->bound = RF_PUSH(calcs->arena, uint32_t, RF_LOCALS_MAX);
        if (calcs->bound == NULL) {
            RF_FAIL(err, RF_E_LIMIT, MEMORY_TEXT);
        }
    }
    for (uint32_t i = 0; i + 1 < node->args; i++) {
        RF_TRY(rf_calcs_plan(calcs, node->arg[i], &calcs->bound[node->local + i], err));
    }
    return rf_calcs_plan(calcs, node->arg[node->args - 1], term, err);
}

enum rf_status rf_calcs_plan(struct rf_calcs *calcs, const struct rf_node *node, uint32_t *term, struct rf_error *err)
{
    struct rf_constant constant;
    struct rf_calc calc = {.function = RF_FN_HAS, .args = 1, .arg = {node->slot}};
    switch (node->kind) {
    case RF_NODE_LITERAL: {
        const bool is_constant = literal_constant(node->literal, &constant);
        assert(is_constant);
        (void)is_constant;
        return constant_term(calcs, &constant, term, err);
    }
    case RF_NODE_HAS:
        assert(node->slot != RF_NONE);
        return calc_term(calcs, &calc, term, err);
    case RF_NODE_LOCAL:
        assert(calcs->bound != NULL);
        *term = calcs->bound[node->local];
        return RF_OK;
    case RF_NODE_MACRO:
        return bind_plan(calcs, node, term, err);
    case RF_NODE_CALL:
        return call_plan(calcs, node, term, err);
    default:
        assert(node->slot != RF_NONE);
        *term = node->slot;
        return RF_OK;
    }
}
