/* The macros: all exists exists_one map filter transformList transformMap transformMapEntry optMap optFlatMap cel.bind
 * cel.block (CEL language definition, "Macros"; the extensions as the conformance suite has them). */
#include <assert.h>

#include "interp_state.h"

/* What a macro runs over: the elements of a list, or the entries of a map. A list in the record is run over in place. */
struct walk {
    bool is_place;
    uint32_t next_node;         /* of the tree */
    const struct rf_list *list; /* or NULL */
    const struct rf_map *map;
    size_t count;
    size_t at; /* the next one */
};

static struct rf_value error_no_range(struct rf_interp *interp, struct rf_value value)
{
    return value.type == RF_TYPE_ERROR
               ? value
               : rf_operate_error(&interp->arena, "a macro runs over a list or map, not %s", rf_type_name(value.type));
}

/* What the macro runs over is known: from here on its work counts. Each outermost macro has a bound of its own, so that its
 * value doesn't depend on what stands beside it. */
static void macro_enter(struct rf_interp *interp)
{
    if (interp->macros == 0) {
        interp->work = 0;
    }
    interp->macros++;
}

/* False: *error says why the macro cannot run over the operand. */
static bool walk_open(struct rf_interp *interp, const struct rf_node *range, struct walk *walk, struct rf_value *error)
{
    *walk = (struct walk){0};
    const struct rf_operand operand = rf_interp_operand(interp, range);
    if (operand.is_place && rf_json_type(&interp->tree, operand.node) == RF_TYPE_LIST) {
        walk->is_place = true;
        walk->next_node = operand.node + 1;
        walk->count = interp->tree.node[operand.node].count;
        macro_enter(interp);
        return true;
    }
    const struct rf_value value = rf_operand_read(interp, &operand);
    if (value.type == RF_TYPE_LIST) {
        walk->list = value.list;
        walk->count = value.list->count;
        macro_enter(interp);
        return true;
    }
    if (value.type == RF_TYPE_MAP) {
        walk->map = value.map;
        walk->count = value.map->count;
        macro_enter(interp);
        return true;
    }
    *error = rf_interp_own(range, error_no_range(interp, value));
    return false;
}

/* Sets the variables of the macro to the next element; false behind the last one. */
static bool walk_next(struct rf_interp *interp, struct walk *walk, const struct rf_node *macro)
{
    if (walk->at == walk->count) {
        return false;
    }
    struct rf_operand *local = &interp->local[macro->local];
    const size_t i = walk->at++;
    struct rf_operand key = rf_operand_value(rf_value_int((int64_t)i));
    struct rf_operand value;
    if (walk->is_place) {
        value = rf_operand_place(walk->next_node);
        walk->next_node = interp->tree.node[walk->next_node].next;
    } else if (walk->list != NULL) {
        value = rf_operand_value(walk->list->item[i]);
    } else {
        key = rf_operand_value(walk->map->entry[i].key);
        value = rf_operand_value(walk->map->entry[i].value);
    }
    if (macro->variables == 2) {
        local[0] = key;
        local[1] = value;
    } else {
        local[0] = walk->map != NULL ? key : value;
    }
    return true;
}

static const struct rf_node *macro_body(const struct rf_node *macro)
{
    return macro->arg[macro->args - 1];
}

/* Counts one run of a body; false when the outermost macro has taken too much. */
static bool step_take(struct rf_interp *interp, struct rf_value *error)
{
    interp->work += RF_WORK_STEP;
    if (interp->work > RF_WORK_MAX) {
        *error = rf_value_error(RF_ERROR_TOO_LONG);
        return false;
    }
    return true;
}

/* The body as a condition. Nothing of its evaluation is kept but the answer, or the error. */
static struct rf_value eval_condition(struct rf_interp *interp, const struct rf_node *node)
{
    const struct rf_arena_mark mark = rf_arena_mark(&interp->arena);
    const struct rf_value value = rf_interp_eval(interp, node);
    if (value.type == RF_TYPE_BOOL) {
        rf_arena_rewind(&interp->arena, mark);
        return value;
    }
    return rf_interp_no_bool(interp, node, value);
}

/* ---- all, exists, exists_one ---- */

/* Like a chain of && or ||: the deciding answer wins over errors before and behind it; else the first error stands. */
static struct rf_value eval_quantifier(struct rf_interp *interp, const struct rf_node *macro, bool deciding)
{
    struct walk walk;
    struct rf_value result;
    if (!walk_open(interp, macro->arg[0], &walk, &result)) {
        return result;
    }
    result = rf_value_bool(!deciding);
    while (walk_next(interp, &walk, macro)) {
        struct rf_value error;
        if (!step_take(interp, &error)) {
            return error;
        }
        const struct rf_arena_mark mark = rf_arena_mark(&interp->arena);
        const struct rf_value value = eval_condition(interp, macro_body(macro));
        if (value.type == RF_TYPE_BOOL && value.boolean == deciding) {
            return value;
        }
        if (value.type == RF_TYPE_ERROR && result.type == RF_TYPE_ERROR) {
            rf_arena_rewind(&interp->arena, mark); /* only the first error is told */
        } else if (value.type == RF_TYPE_ERROR) {
            result = value;
        }
    }
    return result;
}

/* An error of any element is the error of the whole. */
static struct rf_value eval_exists_one(struct rf_interp *interp, const struct rf_node *macro)
{
    struct walk walk;
    struct rf_value error;
    if (!walk_open(interp, macro->arg[0], &walk, &error)) {
        return error;
    }
    size_t holds = 0;
    while (walk_next(interp, &walk, macro)) {
        if (!step_take(interp, &error)) {
            return error;
        }
        const struct rf_value value = eval_condition(interp, macro_body(macro));
        if (value.type == RF_TYPE_ERROR) {
            return value;
        }
        holds += value.boolean;
    }
    return rf_value_bool(holds == 1);
}

/* ---- Lists and maps ---- */

/* Whether the macro's condition, where it has one, takes the element; an error otherwise. */
static struct rf_value eval_taken(struct rf_interp *interp, const struct rf_node *macro)
{
    return macro->args == 3 ? eval_condition(interp, macro->arg[1]) : rf_value_bool(true);
}

static struct rf_value eval_list(struct rf_interp *interp, const struct rf_node *macro)
{
    const bool is_filter = macro->function == RF_FN_FILTER;
    struct walk walk;
    struct rf_value error;
    if (!walk_open(interp, macro->arg[0], &walk, &error)) {
        return error;
    }
    struct rf_list *list = RF_PUSH(&interp->arena, struct rf_list, 1);
    struct rf_value *item = list == NULL ? NULL : RF_PUSH(&interp->arena, struct rf_value, walk.count);
    if (item == NULL) {
        return rf_value_error(RF_ERROR_TOO_LARGE);
    }
    size_t count = 0;
    while (walk_next(interp, &walk, macro)) {
        if (!step_take(interp, &error)) {
            return error;
        }
        const struct rf_value taken = is_filter ? eval_condition(interp, macro_body(macro)) : eval_taken(interp, macro);
        if (taken.type == RF_TYPE_ERROR) {
            return taken;
        }
        if (!taken.boolean) {
            continue;
        }
        const struct rf_value value = is_filter ? rf_operand_read(interp, &interp->local[macro->local])
                                                : rf_interp_pass(interp, macro_body(macro));
        if (value.type == RF_TYPE_ERROR) {
            return value;
        }
        item[count++] = value;
    }
    *list = (struct rf_list){.count = count, .item = item};
    return (struct rf_value){.type = RF_TYPE_LIST, .list = list};
}

static struct rf_value map_close(struct rf_interp *interp, struct rf_entry *entry, size_t count)
{
    bool has_twins = false;
    const struct rf_map *map = rf_map_make(&interp->arena, entry, count, RF_TWINS_REFUSED, &has_twins);
    if (map == NULL) {
        return rf_value_error(has_twins ? "two entries with the same key" : RF_ERROR_TOO_LARGE);
    }
    return (struct rf_value){.type = RF_TYPE_MAP, .map = map};
}

static struct rf_value eval_transform_map(struct rf_interp *interp, const struct rf_node *macro)
{
    struct walk walk;
    struct rf_value error;
    if (!walk_open(interp, macro->arg[0], &walk, &error)) {
        return error;
    }
    struct rf_entry *entry = RF_PUSH(&interp->arena, struct rf_entry, walk.count);
    if (entry == NULL) {
        return rf_value_error(RF_ERROR_TOO_LARGE);
    }
    size_t count = 0;
    while (walk_next(interp, &walk, macro)) {
        if (!step_take(interp, &error)) {
            return error;
        }
        const struct rf_value taken = eval_taken(interp, macro);
        if (taken.type == RF_TYPE_ERROR) {
            return taken;
        }
        if (!taken.boolean) {
            continue;
        }
        const struct rf_value key = rf_operand_read(interp, &interp->local[macro->local]);
        const struct rf_value value = rf_interp_pass(interp, macro_body(macro));
        if (value.type == RF_TYPE_ERROR) {
            return value;
        }
        entry[count++] = (struct rf_entry){.key = key, .value = value};
    }
    return map_close(interp, entry, count);
}

/* The body gives maps, whose entries are those of the result. */
static struct rf_value eval_transform_entries(struct rf_interp *interp, const struct rf_node *macro)
{
    struct walk walk;
    struct rf_value error;
    if (!walk_open(interp, macro->arg[0], &walk, &error)) {
        return error;
    }
    size_t capacity = walk.count;
    size_t count = 0;
    struct rf_entry *entry = RF_PUSH(&interp->arena, struct rf_entry, capacity);
    while (entry != NULL && walk_next(interp, &walk, macro)) {
        if (!step_take(interp, &error)) {
            return error;
        }
        const struct rf_value taken = eval_taken(interp, macro);
        if (taken.type == RF_TYPE_ERROR) {
            return taken;
        }
        if (!taken.boolean) {
            continue;
        }
        const struct rf_value value = rf_interp_pass(interp, macro_body(macro));
        if (value.type != RF_TYPE_MAP) {
            return value.type == RF_TYPE_ERROR
                       ? value
                       : rf_operate_error(&interp->arena, "transformMapEntry() takes maps, not %s",
                                          rf_type_name(value.type));
        }
        const size_t more = value.map->count;
        if (more > capacity - count) {
            capacity = 2 * capacity + more;
            struct rf_entry *grown = RF_PUSH(&interp->arena, struct rf_entry, capacity);
            if (grown != NULL) {
                memcpy(grown, entry, count * sizeof entry[0]);
            }
            entry = grown;
        }
        for (size_t i = 0; entry != NULL && i < more; i++) {
            entry[count++] = value.map->entry[i];
        }
    }
    return entry == NULL ? rf_value_error(RF_ERROR_TOO_LARGE) : map_close(interp, entry, count);
}

/* ---- optMap, bind, block ---- */

static struct rf_value eval_opt_map(struct rf_interp *interp, const struct rf_node *macro)
{
    const struct rf_value optional = rf_interp_eval(interp, macro->arg[0]);
    if (optional.type != RF_TYPE_OPTIONAL) {
        return optional.type == RF_TYPE_ERROR ? optional
                                              : rf_operate_no_overload(macro->function, &optional, 1, &interp->arena);
    }
    if (optional.inner == NULL) {
        return optional;
    }
    macro_enter(interp);
    interp->local[macro->local] = rf_operand_value(*optional.inner);
    const struct rf_value value = rf_interp_eval(interp, macro_body(macro));
    if (macro->function == RF_FN_OPT_MAP) {
        return rf_operate_some(value, &interp->arena);
    }
    return value.type == RF_TYPE_OPTIONAL || value.type == RF_TYPE_ERROR
               ? value
               : rf_operate_error(&interp->arena, "optFlatMap() takes an optional, not %s", rf_type_name(value.type));
}

/* A value that nobody uses may fail: its error waits in the variable. */
static struct rf_value eval_bindings(struct rf_interp *interp, const struct rf_node *macro)
{
    for (uint32_t i = 0; i + 1 < macro->args; i++) {
        interp->local[macro->local + i] = rf_interp_operand(interp, macro->arg[i]);
    }
    return rf_interp_pass(interp, macro_body(macro));
}

static struct rf_value eval_macro(struct rf_interp *interp, const struct rf_node *node)
{
    switch (node->function) {
    case RF_FN_ALL:
        return eval_quantifier(interp, node, false);
    case RF_FN_EXISTS:
        return eval_quantifier(interp, node, true);
    case RF_FN_EXISTS_ONE:
        return eval_exists_one(interp, node);
    case RF_FN_MAP:
    case RF_FN_FILTER:
    case RF_FN_TRANSFORM_LIST:
        return eval_list(interp, node);
    case RF_FN_TRANSFORM_MAP:
        return eval_transform_map(interp, node);
    case RF_FN_TRANSFORM_MAP_ENTRY:
        return eval_transform_entries(interp, node);
    case RF_FN_OPT_MAP:
    case RF_FN_OPT_FLAT_MAP:
        return eval_opt_map(interp, node);
    default:
        assert(false);
        return rf_value_error("no macro");
    }
}

struct rf_value rf_interp_macro(struct rf_interp *interp, const struct rf_node *node)
{
    if (node->function == RF_FN_BIND || node->function == RF_FN_BLOCK) {
        return eval_bindings(interp, node);
    }
    const uint32_t around = interp->macros;
    const struct rf_value value = eval_macro(interp, node);
    interp->macros = around;
    return value;
}
