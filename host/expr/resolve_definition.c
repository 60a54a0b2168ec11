#include "env.h"
#include "resolve_state.h"
#include "substitute.h"

static uint32_t parameter_find(const struct rf_env *env, struct rf_str name)
{
    for (uint32_t i = 0; i < env->parameters; i++) {
        if (rf_str_equal(env->parameter[i].name, name)) {
            return i;
        }
    }
    return RF_NONE;
}

static const struct rf_definition *definition_find(const struct rf_env *env, struct rf_str name)
{
    uint32_t low = 0;
    uint32_t high = env->definitions;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = rf_str_compare(env->definition[middle].name, name);
        if (order == 0) {
            return &env->definition[middle];
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

bool rf_resolver_is_defined(const struct rf_resolver *r, struct rf_str name)
{
    return parameter_find(r->env, name) != RF_NONE || definition_find(r->env, name) != NULL;
}

static struct rf_node *parameter_make(struct rf_resolver *r, const struct rf_node *node, uint32_t number)
{
    struct rf_node *parameter = rf_resolver_node(r, RF_NODE_PARAMETER, node->span, 0);
    if (parameter != NULL) {
        parameter->local = number;
        parameter->name = r->env->parameter[number].name;
    }
    return parameter;
}

struct rf_node *rf_resolve_definition(struct rf_resolver *r, const struct rf_node *node)
{
    const uint32_t number = parameter_find(r->env, node->name);
    if (number != RF_NONE) {
        return parameter_make(r, node, number);
    }
    const struct rf_definition *definition = definition_find(r->env, node->name);
    if (definition->refusal != NULL) {
        RF_RESOLVER_FAIL(r, node->span, "'%.*s' %s", rf_resolver_shown(node->name), node->name.data, definition->refusal);
        return NULL;
    }
    r->copied += definition->nodes;
    const uint32_t locals = r->locals + definition->locals;
    if (r->copied > RF_NODES_MAX || locals > RF_LOCALS_MAX) {
        RF_RESOLVER_FAIL(r, node->span, "with what its names stand for the expression has more than %d parts", RF_NODES_MAX);
        return NULL;
    }
    r->locals_max = locals > r->locals_max ? locals : r->locals_max;
    struct rf_node *copy = rf_tree_copy(definition->tree, node->span, r->locals, r->arena);
    return copy == NULL ? rf_resolver_fail_full(r) : copy;
}
