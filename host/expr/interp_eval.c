/* Operators, functions and literals (interp_state.h). */
#include <assert.h>

#include "function.h"
#include "interp_state.h"
#include "regex.h"

struct rf_value rf_interp_pass(struct rf_interp *interp, const struct rf_node *node)
{
    const struct rf_operand operand = rf_interp_operand(interp, node);
    return rf_interp_own(node, rf_operand_read(interp, &operand));
}

/* ---- Logic ---- */

struct rf_value rf_interp_no_bool(struct rf_interp *interp, const struct rf_node *node, struct rf_value value)
{
    if (value.type == RF_TYPE_ERROR) {
        return value;
    }
    return rf_interp_own(node, rf_operate_error(&interp->arena, "%s where a bool is needed", rf_type_name(value.type)));
}

/* Takes one operand of && (decisive: false) or || (decisive: true) into *result; true when it decides the whole. */
static bool chain_take(struct rf_interp *interp, const struct rf_node *node, bool decisive, struct rf_value *result)
{
    const struct rf_value value = rf_interp_eval(interp, node);
    if (value.type != RF_TYPE_BOOL) {
        *result = rf_interp_no_bool(interp, node, value);
        return false;
    }
    if (value.boolean == decisive) {
        *result = value;
        return true;
    }
    return false;
}

/* The deciding value wins over errors and values of other types on either side. Chains lean to the left, so they are
 * walked from the last operand to the first, without recursion along the chain; the error that is reported is the
 * leftmost. */
static struct rf_value eval_chain(struct rf_interp *interp, const struct rf_node *node)
{
    const enum rf_function function = node->function;
    const bool decisive = function == RF_FN_OR;
    struct rf_value result = rf_value_bool(!decisive);
    for (; node->kind == RF_NODE_CALL && node->function == function; node = node->arg[0]) {
        for (uint32_t i = node->args - 1; i > 0; i--) {
            if (chain_take(interp, node->arg[i], decisive, &result)) {
                return result;
            }
        }
    }
    (void)chain_take(interp, node, decisive, &result);
    return result;
}

static struct rf_value eval_choice(struct rf_interp *interp, const struct rf_node *node)
{
    for (;;) { /* a chain of ?: leans to the right */
        const struct rf_value condition = rf_interp_eval(interp, node->arg[0]);
        if (condition.type != RF_TYPE_BOOL) {
            return rf_interp_no_bool(interp, node->arg[0], condition);
        }
        node = node->arg[condition.boolean ? 1 : 2];
        if (node->kind != RF_NODE_CALL || node->function != RF_FN_SELECT) {
            return rf_interp_eval(interp, node);
        }
    }
}

/* ---- Strict calls ---- */

static bool type_is_container(enum rf_type type)
{
    return type == RF_TYPE_LIST || type == RF_TYPE_MAP;
}

/* `x in list` compares x with the elements, and looks into it only when one of them is of its type. */
static bool list_has_type(struct rf_value list, enum rf_type type)
{
    for (size_t i = 0; list.type == RF_TYPE_LIST && i < list.list->count; i++) {
        if (list.list->item[i].type == type) {
            return true;
        }
    }
    return false;
}

/* Whether the result depends on what is in argument i, a list or map, or on its type alone. The arguments behind it
 * have been read. */
static bool call_looks_inside(enum rf_function function, uint32_t i, const enum rf_type *type,
                              const struct rf_value *value)
{
    switch (function) {
    case RF_FN_EQ:
    case RF_FN_NE:
        return type[0] == type[1];
    case RF_FN_IN:
        return i == 1 || list_has_type(value[1], type[0]);
    case RF_FN_ADD:
        return type[0] == RF_TYPE_LIST && type[1] == RF_TYPE_LIST;
    case RF_FN_SIZE:
        return true;
    default:
        return false;
    }
}

/* Bytes or elements that a call looks at: of texts all, of lists and maps what the function looks into. */
static uint64_t call_work(enum rf_function function, const struct rf_value *value, uint32_t args)
{
    uint64_t work = 0;
    switch (function) {
    case RF_FN_EQ:
    case RF_FN_NE:
        return rf_value_work_of_match(&value[0], &value[1]);
    case RF_FN_IN:
        return value[1].type == RF_TYPE_LIST ? rf_value_work(&value[1]) : 0;
    case RF_FN_MATCHES: /* of a pattern that is no constant: it is compiled */
        return value[0].type == RF_TYPE_STRING && value[1].type == RF_TYPE_STRING
                   ? rf_operate_matches_work(value[0].text, value[1].text)
                   : 0;
    default:
        for (uint32_t i = 0; i < args; i++) {
            if (value[i].type == RF_TYPE_STRING || value[i].type == RF_TYPE_BYTES) {
                work += value[i].text.count;
            } else if (value[i].type == RF_TYPE_LIST && function != RF_FN_SIZE) {
                work += value[i].list->count;
            }
        }
        return work;
    }
}

static uint64_t result_work(struct rf_value result)
{
    return result.type == RF_TYPE_STRING || result.type == RF_TYPE_BYTES ? result.text.count
           : result.type == RF_TYPE_LIST                                 ? result.list->count
                                                                         : 0;
}

/* An argument may be beyond range, which nobody has minded so far: then the error is the argument's, not the call's. */
static struct rf_value operate(struct rf_interp *interp, const struct rf_node *node, const struct rf_value *value)
{
    const bool is_counted = interp->macros != 0;
    interp->work += is_counted ? call_work(node->function, value, node->args) : 0;
    const struct rf_value result =
        rf_operate(node->function, value, node->args, interp->compiled->options.is_strict_cel, &interp->arena);
    interp->work += is_counted ? result_work(result) : 0;
    for (uint32_t i = 0; result.type == RF_TYPE_ERROR && result.origin == NULL && i < node->args; i++) {
        if (rf_value_is_beyond_range(value[i])) {
            return rf_interp_own(node->arg[i], result);
        }
    }
    return result;
}

/* Operators and size() may take a list or map by its type alone; an empty one stands for one that nobody looks into, and
 * that may hold tokens nobody has checked. */
static struct rf_value eval_core(struct rf_interp *interp, const struct rf_node *node)
{
    static const struct rf_list no_list = {0};
    static const struct rf_map no_map = {0};
    enum { ARGS_MAX = 2 };
    struct rf_operand operand[ARGS_MAX];
    enum rf_type type[ARGS_MAX] = {RF_TYPE_ERROR, RF_TYPE_ERROR};
    struct rf_value value[ARGS_MAX];
    assert(node->args >= 1 && node->args <= ARGS_MAX);
    for (uint32_t i = 0; i < node->args; i++) {
        operand[i] = rf_interp_operand(interp, node->arg[i]);
        if (operand[i].is_place && !rf_tree_is_container(&interp->tree, operand[i].node)) {
            operand[i] = rf_operand_value(rf_operand_read(interp, &operand[i])); /* its type would cost the same */
        }
        type[i] = rf_operand_type(interp, &operand[i]);
    }
    for (uint32_t i = node->args; i-- > 0;) {
        if (operand[i].is_place && type_is_container(type[i]) && !call_looks_inside(node->function, i, type, value)) {
            value[i] = (struct rf_value){.type = type[i]};
            if (type[i] == RF_TYPE_LIST) {
                value[i].list = &no_list;
            } else {
                value[i].map = &no_map;
            }
        } else {
            value[i] = rf_interp_own(node->arg[i], rf_operand_read(interp, &operand[i]));
        }
    }
    return operate(interp, node, value);
}

static struct rf_value eval_strict(struct rf_interp *interp, const struct rf_node *node)
{
    struct rf_value value[RF_ARGS_MAX];
    assert(node->args <= RF_ARGS_MAX);
    for (uint32_t i = 0; i < node->args; i++) {
        value[i] = rf_interp_pass(interp, node->arg[i]);
    }
    if (node->regex != NULL && value[0].type == RF_TYPE_STRING) {
        interp->work += value[0].text.count;
        return rf_value_bool(rf_regex_match(node->regex, value[0].text));
    }
    return operate(interp, node, value);
}

/* optional.or(other), optional.orValue(other): the other one matters only when the optional holds nothing. */
static struct rf_value eval_or(struct rf_interp *interp, const struct rf_node *node)
{
    const struct rf_value optional = rf_interp_eval(interp, node->arg[0]);
    if (optional.type == RF_TYPE_ERROR) {
        return optional;
    }
    if (optional.type == RF_TYPE_OPTIONAL && optional.inner != NULL) {
        return node->function == RF_FN_OR_VALUE ? *optional.inner : optional;
    }
    const struct rf_value value[2] = {optional, rf_interp_eval(interp, node->arg[1])};
    if (value[1].type == RF_TYPE_ERROR) {
        return value[1];
    }
    if (optional.type != RF_TYPE_OPTIONAL ||
        (node->function == RF_FN_OPTIONAL_OR && value[1].type != RF_TYPE_OPTIONAL)) {
        return rf_operate_no_overload(node->function, value, 2, &interp->arena);
    }
    return value[1];
}

/* ---- Lists and maps ---- */

/* An element [?x]: false when the optional x holds nothing. A value that is no optional is an error. */
static bool entry_unwrap(struct rf_interp *interp, const struct rf_node *node, struct rf_value *value)
{
    *value = rf_interp_pass(interp, node->kind == RF_NODE_ENTRY ? node->arg[0] : node);
    if (node->kind != RF_NODE_ENTRY || value->type == RF_TYPE_ERROR) {
        return true;
    }
    if (value->type != RF_TYPE_OPTIONAL) {
        *value = rf_operate_error(&interp->arena, "an element marked with ? is an optional, not %s",
                                  rf_type_name(value->type));
        return true;
    }
    if (value->inner == NULL) {
        return false;
    }
    *value = *value->inner;
    return true;
}

static struct rf_value eval_list_literal(struct rf_interp *interp, const struct rf_node *node)
{
    struct rf_value *value = RF_PUSH(&interp->arena, struct rf_value, node->args);
    if (value == NULL) {
        return rf_value_error(RF_ERROR_TOO_LARGE);
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < node->args; i++) {
        if (entry_unwrap(interp, node->arg[i], &value[count])) {
            count++;
        }
    }
    return rf_operate_list(value, count, &interp->arena);
}

static struct rf_value eval_map_literal(struct rf_interp *interp, const struct rf_node *node)
{
    struct rf_value *value = RF_PUSH(&interp->arena, struct rf_value, node->args);
    if (value == NULL) {
        return rf_value_error(RF_ERROR_TOO_LARGE);
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i + 1 < node->args; i += 2) {
        value[count] = rf_interp_eval(interp, node->arg[i]);
        if (entry_unwrap(interp, node->arg[i + 1], &value[count + 1]) || value[count].type == RF_TYPE_ERROR) {
            count += 2;
        }
    }
    return rf_operate_map(value, count, &interp->arena);
}

static struct rf_value eval_node(struct rf_interp *interp, const struct rf_node *node)
{
    switch (node->kind) {
    case RF_NODE_LITERAL:
    case RF_NODE_FAILURE:
        return node->literal;
    case RF_NODE_IDENT:
    case RF_NODE_LOCAL:
    case RF_NODE_BINDING:
    case RF_NODE_SELECT:
    case RF_NODE_INDEX:
        return rf_operate_usable(rf_interp_pass(interp, node), &interp->arena);
    case RF_NODE_HAS:
        return rf_interp_has(interp, node);
    case RF_NODE_LIST:
        return eval_list_literal(interp, node);
    case RF_NODE_MAP:
        return eval_map_literal(interp, node);
    case RF_NODE_MACRO:
        return rf_operate_usable(rf_interp_macro(interp, node), &interp->arena);
    case RF_NODE_CALL:
        break;
    case RF_NODE_MESSAGE:   /* gone when names are resolved */
    case RF_NODE_PARAMETER: /* gone in every variant */
    case RF_NODE_ENTRY:   /* read by the list or map that it stands in */
        return rf_value_error("not a value");
    }
    switch (node->function) {
    case RF_FN_AND:
    case RF_FN_OR:
        return eval_chain(interp, node);
    case RF_FN_SELECT:
        return eval_choice(interp, node);
    case RF_FN_OPTIONAL_OR:
    case RF_FN_OR_VALUE:
        return eval_or(interp, node);
    default:
        return rf_function_info(node->function)->family == RF_FAMILY_CORE ? eval_core(interp, node)
                                                                          : eval_strict(interp, node);
    }
}

struct rf_value rf_interp_eval(struct rf_interp *interp, const struct rf_node *node)
{
    return rf_interp_own(node, eval_node(interp, node));
}
