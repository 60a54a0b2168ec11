#include "calc_plan.h"

#include <assert.h>

#include "function.h"
#include "resolve.h"
#include "zone.h"

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

/* Scalars; text is borrowed. */
static bool scalar_constant(struct rf_value value, struct rf_constant *constant)
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
    case RF_TYPE_IP:
    case RF_TYPE_CIDR:
        constant->kind = value.type == RF_TYPE_IP ? RF_CONSTANT_IP : RF_CONSTANT_CIDR;
        constant->net = value.net;
        return true;
    default:
        return false;
    }
}

static bool type_holds_items(enum rf_type type)
{
    return type == RF_TYPE_LIST || type == RF_TYPE_MAP || type == RF_TYPE_OPTIONAL;
}

/* Item i of a list, what an optional holds, or key (even i) or value of a map's entry i / 2. */
static struct rf_value literal_item(struct rf_value value, size_t i)
{
    if (value.type == RF_TYPE_LIST) {
        return value.list->item[i];
    }
    if (value.type == RF_TYPE_OPTIONAL) {
        return *value.inner;
    }
    const struct rf_entry *entry = &value.map->entry[i / 2];
    return i % 2 == 0 ? entry->key : entry->value;
}

static size_t literal_items(struct rf_value value)
{
    switch (value.type) {
    case RF_TYPE_LIST:
        return value.list->count;
    case RF_TYPE_MAP:
        return 2 * value.map->count;
    default:
        return value.inner != NULL;
    }
}

/* Recursion is as deep as the literal stands in a tree. */
static bool literal_is_constant(struct rf_value value)
{
    struct rf_constant constant;
    if (!type_holds_items(value.type)) {
        return scalar_constant(value, &constant);
    }
    const size_t items = literal_items(value);
    for (size_t i = 0; i < items; i++) {
        if (!literal_is_constant(literal_item(value, i))) {
            return false;
        }
    }
    return items < UINT32_MAX;
}

/* False: the arena is full. */
static bool literal_constant(struct rf_value value, struct rf_arena *arena, struct rf_constant *constant)
{
    if (!type_holds_items(value.type)) {
        return scalar_constant(value, constant);
    }
    const size_t items = literal_items(value);
    struct rf_constant *item = RF_PUSH(arena, struct rf_constant, items);
    for (size_t i = 0; item != NULL && i < items; i++) {
        if (!literal_constant(literal_item(value, i), arena, &item[i])) {
            return false;
        }
    }
    const bool is_map = value.type == RF_TYPE_MAP;
    *constant = (struct rf_constant){.kind = is_map                           ? RF_CONSTANT_MAP
                                             : value.type == RF_TYPE_OPTIONAL ? RF_CONSTANT_OPTIONAL
                                                                              : RF_CONSTANT_LIST,
                                     .item = item,
                                     .items = (uint32_t)(is_map ? items / 2 : items)};
    return item != NULL;
}

/* Declared variables, and members of what is no path, are looked into cell by cell; msg as a whole and record are not. */
static bool node_is_root(const struct rf_node *node)
{
    return node->kind == RF_NODE_IDENT && node->root != RF_IDENT_RAW;
}

static const char *args_obstacle(const struct rf_node *node)
{
    for (uint32_t i = 0; i < node->args; i++) {
        const char *why = rf_calcs_obstacle(node->arg[i]);
        if (why != NULL) {
            return why;
        }
    }
    return NULL;
}

/* How deep macros over lists stand within each other. */
static uint32_t macros_deep(const struct rf_node *node)
{
    uint32_t deepest = 0;
    for (uint32_t i = 0; i < node->args; i++) {
        const uint32_t deep = macros_deep(node->arg[i]);
        deepest = deep > deepest ? deep : deepest;
    }
    const bool is_macro = node->kind == RF_NODE_MACRO && node->function != RF_FN_BIND && node->function != RF_FN_BLOCK;
    return deepest + (is_macro ? 1 : 0);
}

/* Elements of one row that a macro runs over at most, so that the steps of all macros within each other stay far below the
 * RF_WORK_MAX. */
static uint32_t items_max(uint32_t deep)
{
    static const uint32_t table[] = {0, 1 << 14, 1 << 7, 1 << 4};
    return deep < sizeof table / sizeof table[0] ? table[deep] : 0;
}

/* What a macro takes from around it are at most so many different values. */
static uint32_t leaves_count(const struct rf_node *node)
{
    uint32_t count = node->args == 0 ? 1 : 0;
    for (uint32_t i = 0; i < node->args; i++) {
        count += leaves_count(node->arg[i]);
    }
    return count;
}

static const char *macro_obstacle(const struct rf_node *node)
{
    if (!rf_function_info(node->function)->has_vector && node->function != RF_FN_BIND &&
        node->function != RF_FN_BLOCK) {
        return "a macro without a vector form";
    }
    if (leaves_count(node) >= RF_CALC_ARGS_MAX) {
        return "a large macro";
    }
    return items_max(macros_deep(node)) == 0 && macros_deep(node) != 0 ? "macros stand too deep within each other"
                                                                       : args_obstacle(node);
}

static const char *call_obstacle(const struct rf_node *node)
{
    if (node->function == RF_FUNCTION_COUNT || !rf_function_info(node->function)->has_vector) {
        return "a function without a vector form";
    }
    if (node->args > RF_CALC_ARGS_MAX) {
        return "more arguments than a vector form takes";
    }
    if (node->function == RF_FN_MATCHES && node->regex == NULL) {
        return "the pattern is no constant";
    }
    if (node->function == RF_FN_SUBJECT && node->subjects == NULL) {
        return "the patterns are no constants";
    }
    return args_obstacle(node);
}

const char *rf_calcs_obstacle(const struct rf_node *node)
{
    switch (node->kind) {
    case RF_NODE_LITERAL:
        return literal_is_constant(node->literal) ? NULL : "a constant that has no cell";
    case RF_NODE_BINDING:
    case RF_NODE_FAILURE:
    case RF_NODE_LOCAL: /* its macro is asked about too */
        return NULL;
    case RF_NODE_IDENT:
        return rf_slots_is_path(node) ? NULL : "record as a whole";
    case RF_NODE_SELECT:
    case RF_NODE_INDEX:
    case RF_NODE_HAS:
        if (rf_slots_is_path(node) || rf_slots_is_optional_step(node)) {
            return NULL;
        }
        return node_is_root(node->arg[0]) && node->arg[0]->root == RF_IDENT_RECORD ? "a computed member of record"
                                                                                   : args_obstacle(node);
    case RF_NODE_MACRO:
        return macro_obstacle(node);
    case RF_NODE_CALL:
        return call_obstacle(node);
    case RF_NODE_LIST:
    case RF_NODE_MAP:
        return node->args > RF_CALC_ARGS_MAX ? "a list or map of many elements" : args_obstacle(node);
    case RF_NODE_ENTRY:
        return args_obstacle(node);
    default:
        return "no vector form";
    }
}

const struct rf_node *rf_calcs_obstacle_node(const struct rf_node *node)
{
    for (uint32_t i = 0; i < node->args;) {
        if (rf_calcs_obstacle(node->arg[i]) == NULL) {
            i++;
            continue;
        }
        node = node->arg[i];
        i = 0;
    }
    return node;
}

/* ---- Terms ---- */

static enum rf_status constant_key(struct rf_text *key, const struct rf_constant *constant, struct rf_error *err)
{
    const uint32_t items = constant->kind == RF_CONSTANT_MAP ? 2 * constant->items : constant->items;
    RF_TRY(rf_text_printf(key, err, "k %d %d %llx %u %u %zu ", (int)constant->kind, (int)constant->number.kind,
                          (unsigned long long)constant->number.as.u, constant->nanos, items, constant->text.count));
    RF_TRY(rf_text_append(key, constant->text, err));
    if (constant->net != NULL) { /* no bytes between or behind the members */
        _Static_assert(sizeof(struct rf_cidr) == sizeof constant->net->ip.byte + 2,
                       "an address is all that is in a key");
        RF_TRY(rf_text_append(key, (struct rf_str){(const char *)constant->net, sizeof *constant->net}, err));
    }
    for (uint32_t i = 0; i < items; i++) {
        RF_TRY(constant_key(key, &constant->item[i], err));
    }
    return RF_OK;
}

static enum rf_status constant_term(struct rf_calcs *calcs, const struct rf_constant *constant, uint32_t *term,
                                    struct rf_error *err)
{
    rf_text_clear(&calcs->key);
    RF_TRY(constant_key(&calcs->key, constant, err));
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

/* arg: borrowed. An equal computation is made once; macros are not compared. */
static enum rf_status calc_term(struct rf_calcs *calcs, struct rf_calc calc, const uint32_t *arg, uint32_t *term,
                                struct rf_error *err)
{
    uint32_t key[4 + RF_CALC_ARGS_MAX] = {(uint32_t)calc.function, calc.args, (uint32_t)calc.optional,
                                          (uint32_t)(calc.optional >> 32)};
    assert(calc.args <= RF_CALC_ARGS_MAX);
    for (uint32_t i = 0; i < calc.args; i++) {
        key[4 + i] = arg[i];
    }
    uint32_t none = RF_NONE;
    uint32_t *known = &none;
    if (calc.child == NULL) {
        known = rf_intern_at(&calcs->known, (struct rf_str){(const char *)key, (4 + calc.args) * sizeof key[0]});
    }
    if (known == NULL) {
        RF_FAIL(err, RF_E_LIMIT, MEMORY_TEXT);
    }
    if (*known != RF_NONE) {
        *term = *known;
        calcs->calc[*known & RF_TERM_NUMBER].times++;
        return RF_OK;
    }
    if (calcs->calcs == RF_CALCS_MAX) {
        RF_FAIL(err, RF_E_LIMIT, "the expressions have more than %d different computations", RF_CALCS_MAX);
    }
    uint32_t *kept = RF_PUSH(calcs->arena, uint32_t, calc.args);
    struct rf_calc *grown =
        rf_array_grow(calcs->arena, calcs->calc, calcs->calcs, &calcs->calcs_capacity, sizeof calcs->calc[0]);
    if (grown == NULL || kept == NULL) {
        RF_FAIL(err, RF_E_LIMIT, MEMORY_TEXT);
    }
    if (calc.args != 0) {
        memcpy(kept, arg, calc.args * sizeof arg[0]);
    }
    calc.is_strict_cel = calcs->is_strict_cel;
    calc.times = 1;
    calc.arg = kept;
    calcs->calc = grown;
    calcs->calc[calcs->calcs] = calc;
    *term = *known = RF_TERM_COMPUTED | calcs->calcs++;
    return RF_OK;
}

/* ---- Variables and what is taken from around a macro ---- */

static enum rf_status capture_term(struct rf_calcs *calcs, uint32_t outer, uint32_t *term, struct rf_error *err)
{
    uint32_t i = 0;
    while (i < calcs->captures && calcs->capture[i] != outer) {
        i++;
    }
    if (i == calcs->captures) {
        if (calcs->captures + 1 == RF_CALC_ARGS_MAX) {
            RF_FAIL(err, RF_E_LIMIT, "a macro uses more than %d values from around it", RF_CALC_ARGS_MAX - 1);
        }
        uint32_t *grown = rf_array_grow(calcs->arena, calcs->capture, calcs->captures, &calcs->captures_capacity,
                                        sizeof calcs->capture[0]);
        if (grown == NULL) {
            RF_FAIL(err, RF_E_LIMIT, MEMORY_TEXT);
        }
        calcs->capture = grown;
        calcs->capture[calcs->captures++] = outer;
    }
    *term = calcs->variables + i;
    return RF_OK;
}

/* Is this something that stands around the macro: a variable of another one, or a column? It is taken from there. What is
 * computed of such is computed for each element, as the interpreter does it: an answer must not depend on who takes less
 * work for it, and cel.bind says what is to be computed once. */
static bool node_is_around(const struct rf_calcs *calcs, const struct rf_node *node)
{
    return node->kind == RF_NODE_LOCAL ? node->local < calcs->local
                                       : node->kind == RF_NODE_BINDING || rf_slots_is_path(node);
}

static uint32_t local_term(const struct rf_calcs *calcs, const struct rf_node *node)
{
    for (uint32_t i = calcs->bounds; i-- > 0;) {
        if (calcs->bound[i].local == node->local) {
            return calcs->bound[i].term;
        }
    }
    assert(calcs->outer != NULL && node->local >= calcs->local && node->local < calcs->local + calcs->variables);
    return node->local - calcs->local;
}

/* The values first, in order; each variable stands for its term from then on. */
static enum rf_status bind_plan(struct rf_calcs *calcs, const struct rf_node *node, uint32_t *term,
                                struct rf_error *err)
{
    const uint32_t bounds = calcs->bounds;
    for (uint32_t i = 0; i + 1 < node->args; i++) {
        struct rf_bound bound = {.local = node->local + i};
        RF_TRY(rf_calcs_plan(calcs, node->arg[i], &bound.term, err));
        struct rf_bound *grown =
            rf_array_grow(calcs->arena, calcs->bound, calcs->bounds, &calcs->bounds_capacity, sizeof calcs->bound[0]);
        if (grown == NULL) {
            RF_FAIL(err, RF_E_LIMIT, MEMORY_TEXT);
        }
        calcs->bound = grown;
        calcs->bound[calcs->bounds++] = bound;
    }
    RF_TRY(rf_calcs_plan(calcs, node->arg[node->args - 1], term, err));
    calcs->bounds = bounds;
    return RF_OK;
}

/* ---- Macros ---- */

static enum rf_status child_plan(struct rf_calcs *inner, const struct rf_node *node, struct rf_child *child,
                                 struct rf_error *err)
{
    child->condition = RF_NONE;
    if (node->args == 3) {
        RF_TRY(rf_calcs_plan(inner, node->arg[1], &child->condition, err));
    }
    RF_TRY(rf_calcs_plan(inner, node->arg[node->args - 1], &child->body, err));
    child->variables = inner->variables;
    child->captures = inner->captures;
    child->capture = inner->capture;
    child->constant = inner->constant;
    child->constants = inner->constants;
    child->calc = inner->calc;
    child->calcs = inner->calcs;
    child->items_max = items_max(macros_deep(node));
    return RF_OK;
}

static enum rf_status macro_plan(struct rf_calcs *calcs, const struct rf_node *node, uint32_t *term,
                                 struct rf_error *err)
{
    struct rf_child *child = RF_PUSH(calcs->arena, struct rf_child, 1);
    if (child == NULL) {
        RF_FAIL(err, RF_E_LIMIT, MEMORY_TEXT);
    }
    uint32_t arg[RF_CALC_ARGS_MAX];
    RF_TRY(rf_calcs_plan(calcs, node->arg[0], &arg[0], err));
    struct rf_calcs inner = {.arena = calcs->arena,
                             .is_strict_cel = calcs->is_strict_cel,
                             .known = {.arena = calcs->arena},
                             .outer = calcs,
                             .local = node->local,
                             .variables = node->variables};
    const enum rf_status status = child_plan(&inner, node, child, err);
    rf_calcs_close(&inner);
    RF_TRY(status);
    for (uint32_t i = 0; i < child->captures; i++) {
        arg[1 + i] = child->capture[i];
    }
    const struct rf_calc calc = {.function = node->function, .args = 1 + child->captures, .child = child};
    return calc_term(calcs, calc, arg, term, err);
}

/* ---- Nodes ---- */

/* The zone that a constant name stands for, so that no row looks for it; NULL when it is none, or unknown: then each row
 * finds so. */
static enum rf_status zone_plan(struct rf_calcs *calcs, const struct rf_node *node, const struct rf_zone **out,
                                struct rf_error *err)
{
    struct rf_zone zone;
    *out = NULL;
    if (node->kind != RF_NODE_CALL || rf_function_info(node->function)->family != RF_FAMILY_TIME || node->args != 2 ||
        node->arg[1]->kind != RF_NODE_LITERAL || node->arg[1]->literal.type != RF_TYPE_STRING ||
        !rf_zone_find(node->arg[1]->literal.text, &zone)) {
        return RF_OK;
    }
    struct rf_zone *kept = RF_PUSH(calcs->arena, struct rf_zone, 1);
    if (kept == NULL) {
        RF_FAIL(err, RF_E_LIMIT, MEMORY_TEXT);
    }
    *kept = zone;
    *out = kept;
    return RF_OK;
}

static enum rf_status call_plan(struct rf_calcs *calcs, const struct rf_node *node, enum rf_function function,
                                uint32_t *term, struct rf_error *err)
{
    struct rf_calc calc = {.function = function, .args = node->args, .regex = node->regex, .subjects = node->subjects};
    uint32_t arg[RF_CALC_ARGS_MAX];
    for (uint32_t i = 0; i < node->args; i++) {
        const struct rf_node *part = node->arg[i];
        if (part->kind == RF_NODE_ENTRY) {
            calc.optional |= (uint64_t)1 << i;
            part = part->arg[0];
        }
        RF_TRY(rf_calcs_plan(calcs, part, &arg[i], err));
    }
    RF_TRY(zone_plan(calcs, node, &calc.zone, err));
    return calc_term(calcs, calc, arg, term, err);
}

/* container.name and has(container.name) of a container that is no path. */
static enum rf_status member_plan(struct rf_calcs *calcs, const struct rf_node *node, uint32_t *term,
                                  struct rf_error *err)
{
    const struct rf_constant key = {.kind = RF_CONSTANT_STRING, .text = node->name};
    uint32_t arg[2];
    RF_TRY(rf_calcs_plan(calcs, node->arg[0], &arg[0], err));
    RF_TRY(constant_term(calcs, &key, &arg[1], err));
    const struct rf_calc calc = {.function = node->kind == RF_NODE_HAS ? RF_FN_HAS_FIELD
                                             : node->is_optional       ? RF_FN_INDEX_OPTIONAL
                                                                       : RF_FN_INDEX,
                                 .args = 2};
    return calc_term(calcs, calc, arg, term, err);
}

/* A slot's cells, seen from within macros. */
static enum rf_status slot_term(struct rf_calcs *calcs, uint32_t slot, uint32_t *term, struct rf_error *err)
{
    if (calcs->outer == NULL) {
        *term = slot;
        return RF_OK;
    }
    uint32_t outer;
    RF_TRY(slot_term(calcs->outer, slot, &outer, err));
    return capture_term(calcs, outer, term, err);
}

/* A node whose cells are those of a slot. */
static enum rf_status slot_plan(struct rf_calcs *calcs, const struct rf_node *node, uint32_t *term,
                                struct rf_error *err)
{
    assert(node->slot != RF_NONE);
    struct rf_calc calc = {.args = 1};
    if (node->kind == RF_NODE_HAS) {
        calc.function = RF_FN_HAS;
        return calc_term(calcs, calc, &node->slot, term, err);
    }
    if (rf_slots_is_optional_step(node)) {
        uint32_t slot;
        RF_TRY(slot_term(calcs, node->slot, &slot, err));
        calc.function = RF_FN_INDEX_OPTIONAL;
        return calc_term(calcs, calc, &slot, term, err);
    }
    *term = node->slot;
    return RF_OK;
}

enum rf_status rf_calcs_plan(struct rf_calcs *calcs, const struct rf_node *node, uint32_t *term, struct rf_error *err)
{
    struct rf_constant constant;
    if (node->kind == RF_NODE_LITERAL) {
        if (!literal_constant(node->literal, calcs->arena, &constant)) {
            RF_FAIL(err, RF_E_LIMIT, MEMORY_TEXT);
        }
        return constant_term(calcs, &constant, term, err);
    }
    if (node->kind == RF_NODE_FAILURE) {
        constant = (struct rf_constant){.kind = RF_CONSTANT_ERROR};
        return constant_term(calcs, &constant, term, err);
    }
    if (calcs->outer != NULL && node_is_around(calcs, node)) {
        uint32_t outer;
        RF_TRY(rf_calcs_plan(calcs->outer, node, &outer, err));
        return capture_term(calcs, outer, term, err);
    }
    switch (node->kind) {
    case RF_NODE_LOCAL:
        *term = local_term(calcs, node);
        return RF_OK;
    case RF_NODE_MACRO:
        return node->function == RF_FN_BIND || node->function == RF_FN_BLOCK ? bind_plan(calcs, node, term, err)
                                                                             : macro_plan(calcs, node, term, err);
    case RF_NODE_CALL:
        return call_plan(calcs, node, node->function, term, err);
    case RF_NODE_LIST:
        return call_plan(calcs, node, RF_FN_MAKE_LIST, term, err);
    case RF_NODE_MAP:
        return call_plan(calcs, node, RF_FN_MAKE_MAP, term, err);
    case RF_NODE_INDEX:
        if (!rf_slots_is_path(node) && !rf_slots_is_optional_step(node)) {
            return call_plan(calcs, node, node->is_optional ? RF_FN_INDEX_OPTIONAL : RF_FN_INDEX, term, err);
        }
        break;
    case RF_NODE_SELECT:
    case RF_NODE_HAS:
        if (!rf_slots_is_path(node) && !rf_slots_is_optional_step(node)) {
            return member_plan(calcs, node, term, err);
        }
        break;
    default:
        break;
    }
    return slot_plan(calcs, node, term, err);
}
