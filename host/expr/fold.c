#include "fold.h"

#include "function.h"
#include "operate.h"
#include "record.h"

/* A literal that functions have made longer than this is left to the evaluation: replace() can blow a text up. */
enum { TEXT_MAX = 64 * 1024 };

struct fold {
    bool is_strict_cel;
    struct rf_arena *arena;
};

static bool node_is_literal(const struct rf_node *node)
{
    return node->kind == RF_NODE_LITERAL;
}

static bool node_is_bool(const struct rf_node *node, bool value)
{
    return node_is_literal(node) && node->literal.type == RF_TYPE_BOOL && node->literal.boolean == value;
}

static bool args_are_literals(const struct rf_node *node)
{
    for (uint32_t i = 0; i < node->args; i++) {
        if (!node_is_literal(node->arg[i])) {
            return false;
        }
    }
    return true;
}

static struct rf_node *node_become(struct rf_node *node, struct rf_value value)
{
    if (value.type == RF_TYPE_ERROR) {
        return node;
    }
    node->kind = RF_NODE_LITERAL;
    node->literal = value;
    node->type = value.type;
    node->args = 0;
    node->depth = 1;
    return node;
}

/* `p || false` is p, once another `||` around it asks whether p is a bool. */
static struct rf_node *logic_operand(const struct rf_node *node, struct rf_node *operand, bool deciding)
{
    if (operand->kind != RF_NODE_CALL || operand->function != node->function) {
        return operand;
    }
    if (node_is_bool(operand->arg[0], !deciding)) {
        return operand->arg[1];
    }
    return node_is_bool(operand->arg[1], !deciding) ? operand->arg[0] : operand;
}

/* && and ||: `deciding` is the value that wins over everything, an error included. */
static struct rf_node *fold_logic(struct rf_node *node, bool deciding)
{
    node->arg[0] = logic_operand(node, node->arg[0], deciding);
    node->arg[1] = logic_operand(node, node->arg[1], deciding);
    struct rf_node *a = node->arg[0];
    struct rf_node *b = node->arg[1];
    if (node_is_bool(a, deciding) || node_is_bool(b, deciding)) {
        return node_become(node, rf_value_bool(deciding));
    }
    /* The other value leaves the other side, when that can be nothing but a bool. */
    if (node_is_bool(a, !deciding) && b->type == RF_TYPE_BOOL) {
        return b;
    }
    if (node_is_bool(b, !deciding) && a->type == RF_TYPE_BOOL) {
        return a;
    }
    return node;
}

static struct rf_node *fold_call(struct fold *fold, struct rf_node *node)
{
    switch (node->function) {
    case RF_FN_AND:
        return fold_logic(node, false);
    case RF_FN_OR:
        return fold_logic(node, true);
    case RF_FN_SELECT:
        if (node_is_bool(node->arg[0], true)) {
            return node->arg[1];
        }
        return node_is_bool(node->arg[0], false) ? node->arg[2] : node;
    default:
        break;
    }
    if (node->function == RF_FUNCTION_COUNT || rf_function_info(node->function)->family == RF_FAMILY_LOGIC ||
        !args_are_literals(node)) {
        return node;
    }
    struct rf_value args[RF_ARGS_MAX];
    for (uint32_t i = 0; i < node->args; i++) {
        args[i] = node->arg[i]->literal;
    }
    const struct rf_arena_mark mark = rf_arena_mark(fold->arena);
    const struct rf_value value =
        rf_operate(node->function, args, node->args, fold->is_strict_cel, fold->arena);
    if (value.type == RF_TYPE_ERROR || fold->arena->bytes_used - mark.bytes_used > TEXT_MAX) {
        rf_arena_rewind(fold->arena, mark);
        return node;
    }
    return node_become(node, value);
}

static struct rf_node *fold_items(struct fold *fold, struct rf_node *node)
{
    if (!args_are_literals(node)) {
        return node;
    }
    struct rf_value *items = RF_PUSH(fold->arena, struct rf_value, node->args);
    if (items == NULL) {
        return node;
    }
    for (uint32_t i = 0; i < node->args; i++) {
        items[i] = node->arg[i]->literal;
    }
    return node_become(node, node->kind == RF_NODE_LIST ? rf_operate_list(items, node->args, fold->arena)
                                                        : rf_operate_map(items, node->args, fold->arena));
}

/* container[key], container.name and has(container.name) over a constant container. */
static struct rf_node *fold_member(struct fold *fold, struct rf_node *node)
{
    const struct rf_node *operand = node->arg[0];
    if (node->kind == RF_NODE_HAS && operand->kind == RF_NODE_IDENT && rf_str_equal(operand->name, RF_STR("record"))) {
        const struct rf_record_member *member = rf_record_member(node->name);
        return node_become(node, rf_value_bool(member != NULL && member->root != RF_ROOT_RECORD_ABSENT));
    }
    if (!args_are_literals(node) || node->is_optional || operand->literal.type == RF_TYPE_OPTIONAL) {
        return node;
    }
    if (node->kind == RF_NODE_HAS) {
        return node_become(node, rf_operate_has(operand->literal, node->name, fold->arena));
    }
    const struct rf_value key = node->kind == RF_NODE_INDEX ? node->arg[1]->literal : rf_value_string(node->name);
    if (node->kind == RF_NODE_SELECT && operand->literal.type != RF_TYPE_MAP) {
        return node;
    }
    return node_become(node, rf_operate_index(operand->literal, key, false, fold->arena));
}

static struct rf_node *fold_node(struct fold *fold, struct rf_node *node)
{
    for (uint32_t i = 0; i < node->args; i++) {
        node->arg[i] = fold_node(fold, node->arg[i]);
    }
    switch (node->kind) {
    case RF_NODE_CALL:
        return fold_call(fold, node);
    case RF_NODE_LIST:
    case RF_NODE_MAP:
        return fold_items(fold, node);
    case RF_NODE_SELECT:
    case RF_NODE_INDEX:
    case RF_NODE_HAS:
        return fold_member(fold, node);
    default:
        return node;
    }
}

struct rf_node *rf_fold(struct rf_node *root, bool is_strict_cel, struct rf_arena *arena)
{
    struct fold fold = {.is_strict_cel = is_strict_cel, .arena = arena};
    return fold_node(&fold, root);
}
