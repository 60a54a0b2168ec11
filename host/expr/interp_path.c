/* Names and paths: what can be followed in the record's tree without making values (interp_state.h). */
#include "fix_value.h"
#include "interp_state.h"

/* ---- The envelope ---- */

static bool node_is_record(const struct rf_node *node)
{
    return node->kind == RF_NODE_IDENT && node->root == RF_IDENT_RECORD;
}

/* A field of the envelope; false when the input has no such field. */
static bool record_field(const struct rf_interp *interp, struct rf_str name, struct rf_value *value)
{
    if (rf_str_equal(name, RF_STR("number"))) {
        *value = rf_value_int((int64_t)interp->record.number);
    } else if (rf_str_equal(name, RF_STR("offset"))) {
        *value = rf_value_int((int64_t)interp->record.offset);
    } else if (rf_str_equal(name, RF_STR("file"))) {
        *value = rf_value_string(interp->record.file);
    } else {
        return false;
    }
    return true;
}

static struct rf_value record_select(struct rf_interp *interp, struct rf_str name, bool is_optional)
{
    struct rf_value value;
    if (record_field(interp, name, &value)) {
        return is_optional ? rf_operate_some(value, &interp->arena) : value;
    }
    return is_optional ? rf_value_optional(NULL)
                       : rf_operate_error(&interp->arena, "this input has no record.%.*s",
                                          (int)(name.count < 100 ? name.count : 100), name.data);
}

static struct rf_operand eval_ident(struct rf_interp *interp, const struct rf_node *node)
{
    switch (node->root) {
    case RF_IDENT_RAW:
        return rf_operand_value(rf_value_string(interp->record.text));
    case RF_IDENT_NOW:
        return rf_operand_value(rf_value_instant(interp->record.now));
    case RF_IDENT_MSG:
        if (interp->compiled->options.is_text) {
            break;
        }
        /* A record may be one bad token that no path reads: then it is the error that every path gives. */
        return rf_json_type(&interp->tree, 0) == RF_TYPE_ERROR
                   ? rf_operand_value(rf_json_value(&interp->tree, 0, &interp->arena))
                   : rf_operand_place(0);
    case RF_IDENT_RECORD:
        break;
    }
    return rf_operand_value(rf_operate_error(&interp->arena, "no such variable: %.*s",
                                             (int)(node->name.count < 100 ? node->name.count : 100), node->name.data));
}

static struct rf_operand eval_binding(struct rf_interp *interp, const struct rf_node *node)
{
    const struct rf_value *binding = interp->record.binding;
    if (binding == NULL || binding[node->local].type == RF_TYPE_DYN) {
        return rf_operand_value(rf_operate_error(
            &interp->arena, interp->compiled->program.fix_dict != NULL ? RF_NO_FIELD ": %.*s" : "no such variable: %.*s",
            (int)(node->name.count < 100 ? node->name.count : 100), node->name.data));
    }
    return rf_operand_value(binding[node->local]);
}

/* ---- Paths ---- */

/* What was found in the tree, as the operand of a plain or an optional selection. RF_NONE: nothing, for the reason that
 * `missing` is. */
static struct rf_operand place_found(struct rf_interp *interp, uint32_t node, bool is_optional, struct rf_value missing)
{
    if (node == RF_NONE) {
        return rf_operand_value(is_optional ? rf_value_optional(NULL) : missing);
    }
    if (!is_optional) {
        return rf_operand_place(node);
    }
    const struct rf_value value = rf_operate_usable(rf_place_read(interp, node), &interp->arena);
    return rf_operand_value(rf_operate_some(value, &interp->arena));
}

/* Looks through the members of an object. */
static uint32_t member_find(struct rf_interp *interp, uint32_t node, struct rf_str name)
{
    interp->work += interp->tree.node[node].count;
    return rf_tree_member(&interp->tree, node, name, &interp->arena);
}

/* known: where the member is, when that has been found already; else NULL. */
static struct rf_operand place_member(struct rf_interp *interp, uint32_t node, struct rf_str name, bool is_optional,
                                      const uint32_t *known)
{
    const enum rf_type type = rf_json_type(&interp->tree, node);
    if (type != RF_TYPE_MAP) {
        return rf_operand_value(rf_operate_no_index(type, RF_TYPE_STRING, &interp->arena));
    }
    const uint32_t member = known != NULL ? *known : member_find(interp, node, name);
    const struct rf_value missing =
        member != RF_NONE || is_optional ? rf_value_null() : rf_operate_no_key(rf_value_string(name), &interp->arena);
    return place_found(interp, member, is_optional, missing);
}

static struct rf_operand place_index(struct rf_interp *interp, uint32_t node, struct rf_value key, bool is_optional,
                                     const uint32_t *known)
{
    if (key.type == RF_TYPE_ERROR) {
        return rf_operand_value(key);
    }
    if (key.type == RF_TYPE_STRING) {
        return place_member(interp, node, key.text, is_optional, known);
    }
    const enum rf_type type = rf_json_type(&interp->tree, node);
    if (type == RF_TYPE_LIST && rf_value_is_number(key)) {
        size_t i = 0;
        uint32_t element = RF_NONE;
        if (rf_operate_to_index(key, &i) && i < interp->tree.node[node].count) {
            interp->work += i;
            element = rf_tree_element(&interp->tree, node, i);
        }
        const struct rf_value missing = element != RF_NONE || is_optional
                                            ? rf_value_null()
                                            : rf_operate_no_element(interp->tree.node[node].count, &interp->arena);
        return place_found(interp, element, is_optional, missing);
    }
    if (type == RF_TYPE_MAP) {
        return place_found(interp, RF_NONE, is_optional, rf_operate_no_key(key, &interp->arena));
    }
    return rf_operand_value(rf_operate_no_index(type, key.type, &interp->arena));
}

/* Where a path leads in the tree was found when the record was read: NULL when the node is no path. RF_NONE: it ends
 * early, and the steps tell which error that is. */
static const uint32_t *path_place(const struct rf_interp *interp, const struct rf_node *node)
{
    if (!interp->has_places || node->slot == RF_NONE) {
        return NULL;
    }
    const struct rf_slot *slot = &interp->compiled->program.slot[node->slot];
    return slot->root == RF_ROOT_MSG ? &interp->place[slot->node] : NULL;
}

/* The same of a plain path that leads somewhere. */
static uint32_t path_found(const struct rf_interp *interp, const struct rf_node *node)
{
    const uint32_t *place = path_place(interp, node);
    return place == NULL || node->is_optional ? (uint32_t)RF_NONE : *place;
}

static struct rf_operand eval_select(struct rf_interp *interp, const struct rf_node *node)
{
    if (node_is_record(node->arg[0])) {
        return rf_operand_value(record_select(interp, node->name, node->is_optional));
    }
    const struct rf_operand from = rf_interp_operand(interp, node->arg[0]);
    if (from.is_place) {
        return place_member(interp, from.node, node->name, node->is_optional, path_place(interp, node));
    }
    return rf_operand_value(
        rf_operate_index(from.value, rf_value_string(node->name), node->is_optional, &interp->arena));
}

static struct rf_operand eval_index(struct rf_interp *interp, const struct rf_node *node)
{
    if (node_is_record(node->arg[0])) {
        const struct rf_value key = rf_interp_eval(interp, node->arg[1]);
        if (key.type == RF_TYPE_ERROR) {
            return rf_operand_value(key);
        }
        return rf_operand_value(key.type == RF_TYPE_STRING ? record_select(interp, key.text, node->is_optional)
                                                           : rf_operate_no_key(key, &interp->arena));
    }
    const struct rf_operand from = rf_interp_operand(interp, node->arg[0]);
    const struct rf_value key = rf_interp_eval(interp, node->arg[1]);
    if (from.is_place) {
        return place_index(interp, from.node, key, node->is_optional, path_place(interp, node));
    }
    return rf_operand_value(rf_operate_index(from.value, key, node->is_optional, &interp->arena));
}

static struct rf_operand operand_of(struct rf_interp *interp, const struct rf_node *node)
{
    const uint32_t place = path_found(interp, node);
    switch (node->kind) {
    case RF_NODE_LITERAL:
        return rf_operand_value(node->literal);
    case RF_NODE_IDENT:
        return eval_ident(interp, node);
    case RF_NODE_LOCAL:
        return interp->local[node->local];
    case RF_NODE_BINDING:
        return eval_binding(interp, node);
    case RF_NODE_SELECT:
        return place != RF_NONE ? rf_operand_place(place) : eval_select(interp, node);
    case RF_NODE_INDEX:
        return place != RF_NONE ? rf_operand_place(place) : eval_index(interp, node);
    case RF_NODE_MACRO:
        /* What a binding gives may pass as it is written; every other macro makes its value. */
        if (node->function == RF_FN_BIND || node->function == RF_FN_BLOCK) {
            return rf_operand_value(rf_interp_macro(interp, node));
        }
        return rf_operand_value(rf_interp_eval(interp, node));
    default:
        return rf_operand_value(rf_interp_eval(interp, node));
    }
}

struct rf_operand rf_interp_operand(struct rf_interp *interp, const struct rf_node *node)
{
    struct rf_operand operand = operand_of(interp, node);
    if (!operand.is_place) {
        operand.value = rf_interp_own(node, operand.value);
    }
    return operand;
}

struct rf_value rf_interp_has(struct rf_interp *interp, const struct rf_node *node)
{
    const uint32_t *known = path_place(interp, node);
    if (known != NULL && *known != RF_NONE) {
        return rf_value_bool(true);
    }
    if (node_is_record(node->arg[0])) {
        struct rf_value value;
        return rf_value_bool(record_field(interp, node->name, &value));
    }
    const struct rf_operand from = rf_interp_operand(interp, node->arg[0]);
    if (!from.is_place) {
        return rf_operate_has(from.value, node->name, &interp->arena);
    }
    const enum rf_type type = rf_json_type(&interp->tree, from.node);
    if (type != RF_TYPE_MAP) {
        return rf_operate_no_has(type, &interp->arena);
    }
    return rf_value_bool(known == NULL && member_find(interp, from.node, node->name) != RF_NONE);
}
