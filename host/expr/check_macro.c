#include "check_state.h"

#include <assert.h>

#include "function.h"

static bool require_bool(struct rf_checker *checker, const struct rf_node *node, const struct rf_check_type *type)
{
    if (rf_checker_fits(checker, type, rf_check_type_plain(RF_CHECK_BOOL))) {
        return true;
    }
    rf_checker_fail_type(checker, node->span, "expected type 'bool' but found ", type, "");
    return false;
}

static const struct rf_check_type **local_of(struct rf_checker *checker, uint32_t local)
{
    assert(local < RF_LOCALS_MAX);
    return &checker->local[local];
}

/* cel.bind and cel.block: values for variables, then the body. */
static const struct rf_check_type *check_values(struct rf_checker *checker, const struct rf_node *node)
{
    for (uint32_t i = 0; i + 1 < node->args; i++) {
        const struct rf_check_type *type = rf_check_node(checker, node->arg[i]);
        if (type == NULL) {
            return NULL;
        }
        *local_of(checker, node->local + i) = type;
    }
    return rf_check_node(checker, node->arg[node->args - 1]);
}

/* optional_type(v), v not known yet. */
static const struct rf_check_type *optional_variable(struct rf_checker *checker)
{
    const struct rf_check_type *inner = rf_unifier_variable(&checker->unifier);
    return inner == NULL ? NULL : rf_unifier_optional(&checker->unifier, inner);
}

/* The body of optFlatMap() or optional.none(): the body must be an optional. */
static const struct rf_check_type *check_flat_body(struct rf_checker *checker, const struct rf_node *node,
                                                   const struct rf_check_type *body)
{
    const struct rf_check_type *none = optional_variable(checker);
    const struct rf_check_type *either = none == NULL ? NULL : rf_unifier_variable(&checker->unifier);
    if (either == NULL) {
        return NULL;
    }
    const struct rf_check_type *const given[] = {body, none};
    const struct rf_check_type *const wanted[] = {either, either};
    if (!rf_unifier_fits(&checker->unifier, given, wanted, 2)) {
        return rf_checker_fail_type(checker, node->span, "the body of optFlatMap() is an optional_type, not ", body,
                                    "");
    }
    return rf_unifier_substitute(&checker->unifier, either);
}

/* optMap and optFlatMap. */
static const struct rf_check_type *check_optional_macro(struct rf_checker *checker, const struct rf_node *node)
{
    const struct rf_check_type *range = rf_check_node(checker, node->arg[0]);
    const struct rf_check_type *optional = range == NULL ? NULL : optional_variable(checker);
    if (optional == NULL) {
        return NULL;
    }
    if (!rf_checker_fits(checker, range, optional)) {
        return rf_checker_fail_type(checker, node->arg[0]->span, "expected an optional_type but found ", range, "");
    }
    *local_of(checker, node->local) = optional->arg[0];
    const struct rf_node *last = node->arg[node->args - 1];
    const struct rf_check_type *body = rf_check_node(checker, last);
    if (body == NULL || node->function == RF_FN_OPT_FLAT_MAP) {
        return body == NULL ? NULL : check_flat_body(checker, last, body);
    }
    return rf_unifier_optional(&checker->unifier, body);
}

/* What the variables of a macro stand for: the element of a list or the key of a map; of two, index or key and element
 * or value. */
static bool check_range(struct rf_checker *checker, const struct rf_node *node, const struct rf_check_type *part[2])
{
    const struct rf_check_type *range = rf_check_node(checker, node->arg[0]);
    range = range == NULL ? NULL : rf_checker_open(checker, range);
    if (range == NULL) {
        return false;
    }
    switch (range->kind) {
    case RF_CHECK_LIST:
        part[0] = node->variables == 1 ? range->arg[0] : rf_check_type_plain(RF_CHECK_INT);
        part[1] = range->arg[0];
        break;
    case RF_CHECK_MAP:
        part[0] = range->arg[0];
        part[1] = range->arg[1];
        break;
    case RF_CHECK_DYN:
        part[0] = part[1] = range;
        break;
    default:
        rf_checker_fail_type(checker, node->arg[0]->span, "expression of type ", range,
                             " cannot be range of a comprehension (must be list, map, or dynamic)");
        return false;
    }
    for (uint32_t v = 0; v < node->variables && v < 2; v++) {
        *local_of(checker, node->local + v) = part[v];
    }
    return true;
}

static const struct rf_check_type *check_entries(struct rf_checker *checker, const struct rf_node *node,
                                                 const struct rf_check_type *body)
{
    const struct rf_check_type *part[2] = {rf_unifier_variable(&checker->unifier),
                                           rf_unifier_variable(&checker->unifier)};
    const struct rf_check_type *map =
        part[0] == NULL || part[1] == NULL ? NULL : rf_unifier_map(&checker->unifier, part[0], part[1]);
    if (map == NULL) {
        return NULL;
    }
    if (!rf_checker_fits(checker, body, map)) {
        return rf_checker_fail_type(checker, node->span, "transformMapEntry() takes a map, not ", body, "");
    }
    return rf_unifier_substitute(&checker->unifier, map);
}

static const struct rf_check_type *check_comprehension(struct rf_checker *checker, const struct rf_node *node)
{
    const struct rf_check_type *part[2];
    if (!check_range(checker, node, part)) {
        return NULL;
    }
    for (uint32_t i = 1; i + 1 < node->args; i++) {
        const struct rf_check_type *condition = rf_check_node(checker, node->arg[i]);
        if (condition == NULL || !require_bool(checker, node->arg[i], condition)) {
            return NULL;
        }
    }
    const struct rf_node *last = node->arg[node->args - 1];
    const struct rf_check_type *body = rf_check_node(checker, last);
    if (body == NULL) {
        return NULL;
    }
    switch (node->function) {
    case RF_FN_MAP:
    case RF_FN_TRANSFORM_LIST:
        return rf_unifier_list(&checker->unifier, body);
    case RF_FN_TRANSFORM_MAP:
        return rf_unifier_map(&checker->unifier, part[0], body);
    case RF_FN_TRANSFORM_MAP_ENTRY:
        return check_entries(checker, last, body);
    case RF_FN_FILTER:
        return require_bool(checker, last, body) ? rf_unifier_list(&checker->unifier, part[0]) : NULL;
    default: /* all, exists, exists_one */
        return require_bool(checker, last, body) ? rf_check_type_plain(RF_CHECK_BOOL) : NULL;
    }
}

const struct rf_check_type *rf_check_macro(struct rf_checker *checker, const struct rf_node *node)
{
    switch (node->function) {
    case RF_FN_BIND:
    case RF_FN_BLOCK:
        return check_values(checker, node);
    case RF_FN_OPT_MAP:
    case RF_FN_OPT_FLAT_MAP:
        return check_optional_macro(checker, node);
    default:
        return check_comprehension(checker, node);
    }
}
