#include <inttypes.h>
#include <stdio.h>

#include "function.h"
#include "resolve_state.h"

/* ---- Variables ---- */

/* cel.iterVar(1, 0): the number of a constant argument, or false. */
static bool arg_is_number(const struct rf_node *node, uint32_t *number)
{
    if (node->kind != RF_NODE_LITERAL || node->literal.type != RF_TYPE_INT || node->literal.exact.as.i < 0 ||
        node->literal.exact.as.i > RF_LOCALS_MAX) {
        return false;
    }
    *number = (uint32_t)node->literal.exact.as.i;
    return true;
}

/* The name that stands for cel.iterVar(depth, number): no identifier can be equal to it. */
static bool block_variable_name(struct rf_resolver *r, const struct rf_node *node, struct rf_str *name)
{
    uint32_t depth;
    uint32_t number;
    if (!arg_is_number(node->arg[0], &depth) || !arg_is_number(node->arg[1], &number)) {
        RF_RESOLVER_FAIL(r, node->span, "cel.iterVar() takes two small constant numbers");
        return false;
    }
    char text[40];
    const int count = snprintf(text, sizeof text, "@%" PRIu32 ":%" PRIu32, depth, number);
    *name = rf_arena_copy(r->arena, (struct rf_str){text, (size_t)count});
    if (name->data == NULL) {
        rf_resolver_fail_full(r);
    }
    return name->data != NULL;
}

static bool node_is_block_variable(const struct rf_node *node)
{
    return node->kind == RF_NODE_CALL && node->function == RF_FUNCTION_COUNT && node->has_receiver && node->args == 3 &&
           node->arg[0]->kind == RF_NODE_IDENT && rf_str_equal(node->arg[0]->name, RF_STR("cel")) &&
           rf_str_equal(node->name, RF_STR("iterVar"));
}

/* The variable that an argument of a macro names. */
static bool variable_name(struct rf_resolver *r, const struct rf_node *macro, const struct rf_node *node,
                          struct rf_str *name)
{
    if (node->kind == RF_NODE_IDENT && !node->has_leading_dot) {
        *name = node->name;
        return true;
    }
    if (node_is_block_variable(node)) {
        struct rf_node call = *node;
        call.arg++;
        return block_variable_name(r, &call, name);
    }
    RF_RESOLVER_FAIL(r, node->span, "%s() takes the name of a variable here, such as %s", rf_function_info(macro->function)->text,
                     macro->function == RF_FN_BIND ? "cel.bind(x, 1, x + 1)" : "items.exists(x, x > 1)");
    return false;
}

/* ---- Macros over a list, map or optional ---- */

/* How many variables the macro has, and whether a condition stands before its body. */
static void shape_of(enum rf_function function, uint32_t given, uint32_t *variables, bool *has_condition)
{
    *variables = 1;
    *has_condition = false;
    switch (function) {
    case RF_FN_ALL:
    case RF_FN_EXISTS:
    case RF_FN_EXISTS_ONE:
        *variables = given - 1;
        break;
    case RF_FN_MAP:
        *has_condition = given == 3;
        break;
    case RF_FN_TRANSFORM_LIST:
    case RF_FN_TRANSFORM_MAP:
    case RF_FN_TRANSFORM_MAP_ENTRY:
        *variables = 2;
        *has_condition = given == 4;
        break;
    default:
        break;
    }
}

static struct rf_node *node_become_macro(struct rf_resolver *r, struct rf_node *node, const struct rf_str *name,
                                         uint32_t variables, uint32_t local)
{
    struct rf_str *names = RF_PUSH(r->arena, struct rf_str, variables);
    if (names == NULL) {
        return rf_resolver_fail_full(r);
    }
    memcpy(names, name, variables * sizeof name[0]);
    node->kind = RF_NODE_MACRO;
    node->variable = names;
    node->variables = (uint8_t)variables;
    node->local = local;
    return node;
}

/* node: CALL with the receiver first, then the variables, then condition and body. */
static struct rf_node *resolve_comprehension(struct rf_resolver *r, struct rf_node *node)
{
    uint32_t variables;
    bool has_condition;
    shape_of(node->function, node->args - 1, &variables, &has_condition);
    node->arg[0] = rf_resolve_node(r, node->arg[0], false);
    if (node->arg[0] != NULL && node->function != RF_FN_OPT_MAP && node->function != RF_FN_OPT_FLAT_MAP) {
        node->arg[0] = rf_resolve_counted(r, node->arg[0]);
    }
    if (node->arg[0] == NULL) {
        return NULL;
    }
    struct rf_str name[2] = {{0}};
    uint32_t local[2];
    for (uint32_t v = 0; v < variables; v++) {
        const struct rf_node *at = node->arg[1 + v];
        if (!variable_name(r, node, at, &name[v])) {
            return NULL;
        }
        if (v == 1 && rf_str_equal(name[0], name[1])) {
            RF_RESOLVER_FAIL(r, at->span, "both variables have the name '%.*s'", rf_resolver_shown(name[0]),
                             name[0].data);
            return NULL;
        }
    }
    for (uint32_t v = 0; v < variables; v++) {
        if (!rf_resolver_enter(r, name[v], node->arg[1 + v]->span, &local[v])) {
            return NULL;
        }
    }
    rf_resolver_set_entries(r, node->function, node->arg[0]->entries, local[0], variables);
    for (uint32_t i = 1 + variables; i < node->args; i++) {
        struct rf_node *part = rf_resolve_node(r, node->arg[i], false);
        if (part == NULL) {
            return NULL;
        }
        node->arg[i - variables] = part;
    }
    rf_resolver_leave(r, variables);
    node->args -= variables;
    return node_become_macro(r, node, name, variables, local[0]);
}

/* ---- has, bind, block ---- */

/* has(a.b): the select becomes the test. Where there is a payload a bare name is a select too. */
static struct rf_node *resolve_has(struct rf_resolver *r, struct rf_node *node)
{
    struct rf_node *field = node->arg[0];
    if (r->env->fix != NULL) {
        field = rf_resolve_node(r, field, false);
        if (field == NULL) {
            return NULL;
        }
        if (field->kind == RF_NODE_BINDING) {
            return rf_resolve_fix_has(r, field);
        }
    } else if (field->kind == RF_NODE_IDENT && r->env->has_payload) {
        field = rf_resolve_node(r, field, false);
        if (field == NULL) {
            return NULL;
        }
    } else if (field->kind == RF_NODE_SELECT) {
        field->arg[0] = rf_resolve_node(r, field->arg[0], false);
        if (field->arg[0] == NULL) {
            return NULL;
        }
    }
    if (field->kind != RF_NODE_SELECT) {
        RF_RESOLVER_FAIL(r, field->span, "has() takes a field, such as has(msg.price)%s",
                         field->kind == RF_NODE_INDEX ? "; write has(a.`b c`) instead of has(a[\"b c\"])" : "");
        return NULL;
    }
    field->kind = RF_NODE_HAS;
    field->span = node->span;
    return field;
}

static struct rf_node *resolve_bind(struct rf_resolver *r, struct rf_node *node)
{
    struct rf_str name;
    uint32_t local;
    if (!variable_name(r, node, node->arg[0], &name)) {
        return NULL;
    }
    struct rf_node *value = rf_resolve_node(r, node->arg[1], false);
    if (value == NULL || !rf_resolver_enter(r, name, node->arg[0]->span, &local)) {
        return NULL;
    }
    rf_resolver_set_entries(r, RF_FN_BIND, value->entries, local, 1);
    struct rf_node *body = rf_resolve_node(r, node->arg[2], false);
    rf_resolver_leave(r, 1);
    if (body == NULL) {
        return NULL;
    }
    node->arg[0] = value;
    node->arg[1] = body;
    node->args = 2;
    return node_become_macro(r, node, &name, 1, local);
}

/* Value i of a block is computed with the values before it in scope. */
static struct rf_node *resolve_block(struct rf_resolver *r, struct rf_node *node)
{
    struct rf_node *list = node->arg[0];
    if (list->kind != RF_NODE_LIST) {
        RF_RESOLVER_FAIL(r, list->span, "cel.block() takes a list of values, such as cel.block([1], cel.index(0) + 1)");
        return NULL;
    }
    const struct rf_resolver outer = *r;
    struct rf_node *block = rf_resolver_node(r, RF_NODE_MACRO, node->span, list->args + 1);
    if (block == NULL) {
        return NULL;
    }
    block->function = RF_FN_BLOCK;
    block->depth = node->depth;
    block->local = r->locals;
    r->is_in_block = true;
    r->block_first = r->locals;
    r->block_count = 0;
    for (uint32_t i = 0; i < list->args; i++) {
        uint32_t local;
        block->arg[i] = rf_resolve_node(r, list->arg[i], false);
        if (block->arg[i] == NULL || !rf_resolver_enter(r, RF_STR(""), list->arg[i]->span, &local)) {
            return NULL;
        }
        rf_resolver_set_entries(r, RF_FN_BLOCK, block->arg[i]->entries, local, 1);
        r->block_count++;
    }
    block->arg[list->args] = rf_resolve_node(r, node->arg[1], false);
    rf_resolver_leave(r, list->args);
    r->is_in_block = outer.is_in_block;
    r->block_first = outer.block_first;
    r->block_count = outer.block_count;
    return block->arg[list->args] == NULL ? NULL : block;
}

static struct rf_node *node_become_local(struct rf_node *node, uint32_t local)
{
    node->kind = RF_NODE_LOCAL;
    node->local = local;
    node->args = 0;
    node->depth = 1;
    return node;
}

static struct rf_node *resolve_block_index(struct rf_resolver *r, struct rf_node *node)
{
    uint32_t number;
    if (!r->is_in_block || !arg_is_number(node->arg[0], &number) || number >= r->block_count) {
        RF_RESOLVER_FAIL(r, node->span, "cel.index() takes the number of a value that the cel.block() around it has before");
        return NULL;
    }
    return node_become_local(node, r->block_first + number);
}

static struct rf_node *resolve_block_variable(struct rf_resolver *r, struct rf_node *node)
{
    struct rf_str name;
    uint32_t local;
    if (!block_variable_name(r, node, &name)) {
        return NULL;
    }
    if (!rf_resolver_local(r, name, &local)) {
        RF_RESOLVER_FAIL(r, node->span, "no macro around it has this variable");
        return NULL;
    }
    return node_become_local(node, local);
}

struct rf_node *rf_resolve_macro(struct rf_resolver *r, struct rf_node *node)
{
    switch (node->function) {
    case RF_FN_HAS:
        return resolve_has(r, node);
    case RF_FN_BIND:
        return resolve_bind(r, node);
    case RF_FN_BLOCK:
        return resolve_block(r, node);
    case RF_FN_BLOCK_INDEX:
        return resolve_block_index(r, node);
    case RF_FN_BLOCK_VARIABLE:
        return resolve_block_variable(r, node);
    case RF_FN_EXISTS_ONE_2:
        node->function = RF_FN_EXISTS_ONE;
        return resolve_comprehension(r, node);
    default:
        return resolve_comprehension(r, node);
    }
}
