#include "substitute.h"

/* ---- Copies ---- */

static struct rf_node *node_copy(const struct rf_node *node, struct rf_arena *arena)
{
    struct rf_node *copy = rf_arena_push(arena, 1, sizeof *copy, _Alignof(struct rf_node));
    struct rf_node **arg =
        node->args == 0 ? NULL : rf_arena_push(arena, node->args, sizeof *arg, _Alignof(struct rf_node *));
    if (copy == NULL || (node->args != 0 && arg == NULL)) {
        return NULL;
    }
    *copy = *node;
    copy->arg = arg;
    return copy;
}

struct rf_node *rf_tree_copy(const struct rf_node *root, struct rf_span span, uint32_t locals, struct rf_arena *arena)
{
    struct rf_node *copy = node_copy(root, arena);
    if (copy == NULL) {
        return NULL;
    }
    copy->span = span;
    copy->name_span = span;
    if (copy->kind == RF_NODE_LOCAL || copy->kind == RF_NODE_MACRO) {
        copy->local += locals;
    }
    for (uint32_t i = 0; i < root->args; i++) {
        copy->arg[i] = rf_tree_copy(root->arg[i], span, locals, arena);
        if (copy->arg[i] == NULL) {
            return NULL;
        }
    }
    return copy;
}

/* ---- Measures ---- */

static void node_count(const struct rf_node *node, uint32_t *count)
{
    ++*count;
    for (uint32_t i = 0; i < node->args && *count <= RF_NODES_MAX; i++) {
        node_count(node->arg[i], count);
    }
}

uint32_t rf_tree_count(const struct rf_node *root)
{
    uint32_t count = 0;
    node_count(root, &count);
    return count;
}

/* Of a macro that has a parameter anywhere, no part is shared: the types of its variables may differ with the value. */
static void mark_all(struct rf_node *node)
{
    node->has_parameter = true;
    for (uint32_t i = 0; i < node->args; i++) {
        mark_all(node->arg[i]);
    }
}

uint32_t rf_tree_measure(struct rf_node *root)
{
    root->depth = 1;
    root->has_parameter = root->kind == RF_NODE_PARAMETER;
    for (uint32_t i = 0; i < root->args; i++) {
        const uint32_t depth = rf_tree_measure(root->arg[i]) + 1;
        root->depth = depth > root->depth ? depth : root->depth;
        root->has_parameter = root->has_parameter || root->arg[i]->has_parameter;
    }
    if (root->has_parameter && root->kind == RF_NODE_MACRO) {
        mark_all(root);
    }
    return root->depth;
}

/* ---- Parameters ---- */

struct rf_node *rf_tree_substitute(struct rf_node *root, const struct rf_value *value, struct rf_arena *arena)
{
    if (!root->has_parameter) {
        return root;
    }
    struct rf_node *copy = node_copy(root, arena);
    if (copy == NULL) {
        return NULL;
    }
    if (root->kind == RF_NODE_PARAMETER) {
        copy->kind = RF_NODE_LITERAL;
        copy->literal = value[root->local];
        copy->type = copy->literal.type;
        return copy;
    }
    for (uint32_t i = 0; i < root->args; i++) {
        copy->arg[i] = rf_tree_substitute(root->arg[i], value, arena);
        if (copy->arg[i] == NULL) {
            return NULL;
        }
    }
    return copy;
}
