#include "check_type.h"

#include <assert.h>

struct rf_check_variable {
    const struct rf_check_type *bound; /* NULL: not yet */
};

struct rf_check_undo {
    struct rf_check_variable *variable;
    const struct rf_check_type *before;
    struct rf_check_undo *older;
};

#define TOO_LARGE_TEXT "the types in the expression are too large to be checked: nest less deep"

static const char *const kind_name[RF_CHECK_KIND_COUNT] = {
    [RF_CHECK_DYN] = "dyn",           [RF_CHECK_NULL] = "null_type",  [RF_CHECK_BOOL] = "bool",
    [RF_CHECK_INT] = "int",           [RF_CHECK_UINT] = "uint",       [RF_CHECK_DOUBLE] = "double",
    [RF_CHECK_STRING] = "string",     [RF_CHECK_BYTES] = "bytes",     [RF_CHECK_TIMESTAMP] = "timestamp",
    [RF_CHECK_DURATION] = "duration", [RF_CHECK_TYPE] = "type",       [RF_CHECK_LIST] = "list",
    [RF_CHECK_MAP] = "map",           [RF_CHECK_WRAPPER] = "wrapper", [RF_CHECK_NAMED] = "",
    [RF_CHECK_VARIABLE] = "",         [RF_CHECK_PARAMETER] = "param",
};

void rf_unifier_init(struct rf_unifier *unifier, struct rf_arena *arena, struct rf_error *err)
{
    *unifier = (struct rf_unifier){.arena = arena, .err = err};
}

/* ---- Types ---- */

const struct rf_check_type *rf_check_type_plain(enum rf_check_kind kind)
{
    static const struct rf_check_type plain[] = {
#define PLAIN(name) [name] = {.kind = name, .nodes = 1, .depth = 1}
        PLAIN(RF_CHECK_DYN),       PLAIN(RF_CHECK_NULL),     PLAIN(RF_CHECK_BOOL),   PLAIN(RF_CHECK_INT),
        PLAIN(RF_CHECK_UINT),      PLAIN(RF_CHECK_DOUBLE),   PLAIN(RF_CHECK_STRING), PLAIN(RF_CHECK_BYTES),
        PLAIN(RF_CHECK_TIMESTAMP), PLAIN(RF_CHECK_DURATION), PLAIN(RF_CHECK_TYPE),
#undef PLAIN
    };
    assert((unsigned)kind < sizeof plain / sizeof plain[0]);
    return &plain[kind];
}

const char *rf_check_kind_name(enum rf_check_kind kind)
{
    assert((unsigned)kind < RF_CHECK_KIND_COUNT);
    return kind_name[kind];
}

bool rf_check_type_is_optional(const struct rf_check_type *type)
{
    return type->kind == RF_CHECK_NAMED && type->args == 1 && rf_str_equal(type->name, RF_STR("optional_type"));
}

static void unifier_fail_full(struct rf_unifier *unifier)
{
    unifier->status =
        rf_error_set(unifier->err, RF_E_LIMIT, __FILE__, __LINE__, "the types need more memory than the bound allows");
}

static void unifier_fail_large(struct rf_unifier *unifier)
{
    unifier->status = rf_error_set(unifier->err, RF_E_LIMIT, __FILE__, __LINE__, TOO_LARGE_TEXT);
}

/* One look at a type, `depth` levels down; false when that is one too many, now or before. */
static bool unifier_step(struct rf_unifier *unifier, uint32_t depth)
{
    if (unifier->status != RF_OK) {
        return false;
    }
    if (depth > RF_CHECK_DEPTH_MAX || unifier->steps == RF_CHECK_STEPS_MAX) {
        unifier_fail_large(unifier);
        return false;
    }
    unifier->steps++;
    return true;
}

const struct rf_check_type *rf_unifier_type(struct rf_unifier *unifier, enum rf_check_kind kind, struct rf_str name,
                                            const struct rf_check_type *const *arg, uint32_t args)
{
    /* No sum below can overflow: RF_CHECK_ARGS_MAX times RF_CHECK_NODES_MAX. */
    assert(args <= RF_CHECK_ARGS_MAX);
    struct rf_check_type made = {.kind = kind, .args = args, .nodes = 1, .depth = 1, .name = name};
    for (uint32_t i = 0; i < args; i++) {
        made.nodes += arg[i]->nodes;
        made.depth = arg[i]->depth >= made.depth ? (uint16_t)(arg[i]->depth + 1) : made.depth;
        made.has_variable = made.has_variable || arg[i]->has_variable;
        made.has_parameter = made.has_parameter || arg[i]->has_parameter;
    }
    if (made.nodes > RF_CHECK_NODES_MAX || made.depth > RF_CHECK_DEPTH_MAX) {
        unifier_fail_large(unifier);
        return NULL;
    }
    struct rf_check_type *type = RF_PUSH(unifier->arena, struct rf_check_type, 1);
    const struct rf_check_type **copy = RF_PUSH(unifier->arena, const struct rf_check_type *, args);
    if (type == NULL || copy == NULL) {
        unifier_fail_full(unifier);
        return NULL;
    }
    for (uint32_t i = 0; i < args; i++) {
        copy[i] = arg[i];
    }
    made.arg = copy;
    *type = made;
    return type;
}

const struct rf_check_type *rf_unifier_list(struct rf_unifier *unifier, const struct rf_check_type *element)
{
    return rf_unifier_type(unifier, RF_CHECK_LIST, (struct rf_str){0}, &element, 1);
}

const struct rf_check_type *rf_unifier_map(struct rf_unifier *unifier, const struct rf_check_type *key,
                                           const struct rf_check_type *value)
{
    const struct rf_check_type *const arg[] = {key, value};
    return rf_unifier_type(unifier, RF_CHECK_MAP, (struct rf_str){0}, arg, 2);
}

const struct rf_check_type *rf_unifier_optional(struct rf_unifier *unifier, const struct rf_check_type *inner)
{
    return rf_unifier_type(unifier, RF_CHECK_NAMED, RF_STR("optional_type"), &inner, 1);
}

const struct rf_check_type *rf_unifier_parameter(struct rf_unifier *unifier, uint16_t number)
{
    struct rf_check_type *type = RF_PUSH(unifier->arena, struct rf_check_type, 1);
    if (type == NULL) {
        unifier_fail_full(unifier);
        return NULL;
    }
    *type = (struct rf_check_type){
        .kind = RF_CHECK_PARAMETER, .nodes = 1, .depth = 1, .number = number, .has_parameter = true};
    return type;
}

const struct rf_check_type *rf_unifier_variable(struct rf_unifier *unifier)
{
    struct rf_check_type *type = RF_PUSH(unifier->arena, struct rf_check_type, 1);
    struct rf_check_variable *variable = RF_PUSH(unifier->arena, struct rf_check_variable, 1);
    if (type == NULL || variable == NULL) {
        unifier_fail_full(unifier);
        return NULL;
    }
    *type = (struct rf_check_type){
        .kind = RF_CHECK_VARIABLE, .nodes = 1, .depth = 1, .has_variable = true, .variable = variable};
    return type;
}

const struct rf_check_type *rf_check_type_head(const struct rf_check_type *type)
{
    /* Ends: no variable is bound to a type that leads back to it (type_holds). */
    while (type->kind == RF_CHECK_VARIABLE && type->variable->bound != NULL) {
        type = type->variable->bound;
    }
    return type;
}

/* ---- Types for types ---- */

/* variable NULL: bound variables are replaced; else parameters are. */
static const struct rf_check_type *type_replace(struct rf_unifier *unifier, const struct rf_check_type *type,
                                                const struct rf_check_type *const *variable, uint32_t depth)
{
    if (!unifier_step(unifier, depth)) {
        return NULL;
    }
    if (variable == NULL) {
        type = rf_check_type_head(type);
    } else if (type->kind == RF_CHECK_PARAMETER) {
        return variable[type->number];
    }
    if (type->args == 0 || !(variable == NULL ? type->has_variable : type->has_parameter)) {
        return type;
    }
    const struct rf_check_type *arg[RF_CHECK_ARGS_MAX];
    bool is_changed = false;
    for (uint32_t i = 0; i < type->args; i++) {
        arg[i] = type_replace(unifier, type->arg[i], variable, depth + 1);
        if (arg[i] == NULL) {
            return NULL;
        }
        is_changed = is_changed || arg[i] != type->arg[i];
    }
    return is_changed ? rf_unifier_type(unifier, type->kind, type->name, arg, type->args) : type;
}

const struct rf_check_type *rf_unifier_substitute(struct rf_unifier *unifier, const struct rf_check_type *type)
{
    return type_replace(unifier, type, NULL, 0);
}

const struct rf_check_type *rf_unifier_instantiate(struct rf_unifier *unifier, const struct rf_check_type *type,
                                                   const struct rf_check_type *const *variable)
{
    assert(variable != NULL || !type->has_parameter);
    return type->has_parameter ? type_replace(unifier, type, variable, 0) : type;
}

/* ---- Comparison ---- */

static bool type_is_same(struct rf_unifier *unifier, const struct rf_check_type *a, const struct rf_check_type *b,
                         uint32_t depth)
{
    if (!unifier_step(unifier, depth)) {
        return false;
    }
    if (a == b) {
        return true;
    }
    /* Two variables are two types, whatever they are bound to: their bindings may yet part. */
    if (a->kind != b->kind || a->args != b->args || a->kind == RF_CHECK_VARIABLE || a->number != b->number ||
        !rf_str_equal(a->name, b->name)) {
        return false;
    }
    for (uint32_t i = 0; i < a->args; i++) {
        if (!type_is_same(unifier, a->arg[i], b->arg[i], depth + 1)) {
            return false;
        }
    }
    return true;
}

bool rf_unifier_is_same(struct rf_unifier *unifier, const struct rf_check_type *a, const struct rf_check_type *b)
{
    return type_is_same(unifier, a, b, 0);
}

static bool type_is_nullable(const struct rf_check_type *type)
{
    switch (type->kind) {
    case RF_CHECK_NULL:
    case RF_CHECK_WRAPPER:
    case RF_CHECK_NAMED:
    case RF_CHECK_TIMESTAMP:
    case RF_CHECK_DURATION:
        return true;
    default:
        return false;
    }
}

static bool kind_is_open(enum rf_check_kind kind)
{
    return kind == RF_CHECK_DYN || kind == RF_CHECK_VARIABLE;
}

/* Is a as general as b, or more? Both are known to fit each other. A variable is general even when it is bound, since
 * it can still be widened. */
static bool type_is_general(struct rf_unifier *unifier, const struct rf_check_type *a, const struct rf_check_type *b,
                            uint32_t depth)
{
    if (!unifier_step(unifier, depth)) {
        return false;
    }
    if (a == b || kind_is_open(a->kind)) {
        return true;
    }
    if (kind_is_open(b->kind) || (a->kind == RF_CHECK_NULL && b->kind != RF_CHECK_NULL)) {
        return false;
    }
    if (b->kind == RF_CHECK_NULL || (a->kind == RF_CHECK_WRAPPER && b->kind != RF_CHECK_WRAPPER)) {
        return true; /* timestamp besides null; wrapper(int) besides int */
    }
    if (a->kind == RF_CHECK_TYPE && b->kind == RF_CHECK_TYPE) {
        return true;
    }
    if (a->kind != b->kind || a->args != b->args || !rf_str_equal(a->name, b->name)) {
        return false;
    }
    for (uint32_t i = 0; i < a->args; i++) {
        if (!type_is_general(unifier, a->arg[i], b->arg[i], depth + 1)) {
            return false;
        }
    }
    return true;
}

/* ---- Variables ---- */

/* Does `type` lead to the variable, directly or through bindings? */
static bool type_holds(struct rf_unifier *unifier, const struct rf_check_type *type,
                       const struct rf_check_type *variable, uint32_t depth)
{
    if (!type->has_variable) {
        return false;
    }
    for (;;) {
        if (!unifier_step(unifier, depth)) {
            return true;
        }
        if (type == variable) {
            return true;
        }
        if (type->kind != RF_CHECK_VARIABLE) {
            break;
        }
        if (type->variable->bound == NULL) {
            return false;
        }
        type = type->variable->bound;
    }
    for (uint32_t i = 0; i < type->args; i++) {
        if (type_holds(unifier, type->arg[i], variable, depth + 1)) {
            return true;
        }
    }
    return false;
}

static bool variable_bind(struct rf_unifier *unifier, const struct rf_check_type *variable,
                          const struct rf_check_type *type)
{
    struct rf_check_undo *undo = RF_PUSH(unifier->arena, struct rf_check_undo, 1);
    if (undo == NULL) {
        unifier_fail_full(unifier);
        return false;
    }
    *undo = (struct rf_check_undo){
        .variable = variable->variable, .before = variable->variable->bound, .older = unifier->undo};
    unifier->undo = undo;
    variable->variable->bound = type;
    return true;
}

enum taken {
    TAKEN,          /* the variable stands for the type, or for a more general one, from now on */
    TAKEN_NOT,      /* it stands for something else already */
    TAKEN_IN_ITSELF /* the type leads to the variable */
};

static bool type_fits(struct rf_unifier *unifier, const struct rf_check_type *given, const struct rf_check_type *wanted,
                      uint32_t depth);

static enum taken variable_take(struct rf_unifier *unifier, const struct rf_check_type *variable,
                                const struct rf_check_type *type, uint32_t depth)
{
    const struct rf_check_type *bound = variable->variable->bound;
    if (bound == NULL) {
        if (type_holds(unifier, type, variable, depth)) {
            return TAKEN_IN_ITSELF;
        }
        return variable_bind(unifier, variable, type) ? TAKEN : TAKEN_NOT;
    }
    if (type_is_same(unifier, type, bound, depth)) {
        return TAKEN;
    }
    if (!type_fits(unifier, type, bound, depth + 1)) {
        return TAKEN_NOT;
    }
    const struct rf_check_type *general = type_is_general(unifier, type, bound, depth) ? type : bound;
    if (general != bound && !type_holds(unifier, general, variable, depth) &&
        !variable_bind(unifier, variable, general)) {
        return TAKEN_NOT;
    }
    return TAKEN;
}

/* ---- What fits ---- */

static bool types_fit(struct rf_unifier *unifier, const struct rf_check_type *const *given,
                      const struct rf_check_type *const *wanted, uint32_t count, uint32_t depth)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!type_fits(unifier, given[i], wanted[i], depth)) {
            return false;
        }
    }
    return true;
}

static bool type_fits(struct rf_unifier *unifier, const struct rf_check_type *given, const struct rf_check_type *wanted,
                      uint32_t depth)
{
    if (!unifier_step(unifier, depth)) {
        return false;
    }
    if (given == wanted) {
        return true;
    }
    if (wanted->kind == RF_CHECK_VARIABLE) {
        const enum taken taken = variable_take(unifier, wanted, given, depth);
        if (taken != TAKEN_IN_ITSELF) {
            return taken == TAKEN;
        }
    }
    if (given->kind == RF_CHECK_VARIABLE) {
        return variable_take(unifier, given, wanted, depth) == TAKEN;
    }
    /* dyn gives way to everything, and everything to dyn: the check happens at run time. */
    if (given->kind == RF_CHECK_DYN || wanted->kind == RF_CHECK_DYN) {
        return true;
    }
    if (given->kind == RF_CHECK_NULL || wanted->kind == RF_CHECK_NULL) {
        return type_is_nullable(given) && type_is_nullable(wanted);
    }
    /* A wrapper and what it wraps stand for each other. */
    if (given->kind == RF_CHECK_WRAPPER && wanted->kind != RF_CHECK_WRAPPER) {
        given = given->arg[0];
    } else if (wanted->kind == RF_CHECK_WRAPPER && given->kind != RF_CHECK_WRAPPER) {
        wanted = wanted->arg[0];
    }
    if (given->kind != wanted->kind) {
        return false;
    }
    /* type(int) where type(string) is asked for: which type a type is decides no overload. */
    if (given->kind == RF_CHECK_TYPE) {
        return true;
    }
    return given->args == wanted->args && rf_str_equal(given->name, wanted->name) &&
           types_fit(unifier, given->arg, wanted->arg, given->args, depth + 1);
}

bool rf_unifier_fits(struct rf_unifier *unifier, const struct rf_check_type *const *given,
                     const struct rf_check_type *const *wanted, uint32_t count)
{
    unifier->undo = NULL;
    if (types_fit(unifier, given, wanted, count, 0) && unifier->status == RF_OK) {
        return true;
    }
    for (const struct rf_check_undo *undo = unifier->undo; undo != NULL; undo = undo->older) {
        undo->variable->bound = undo->before;
    }
    return false;
}

const struct rf_check_type *rf_unifier_join(struct rf_unifier *unifier, const struct rf_check_type *a,
                                            const struct rf_check_type *b)
{
    if (a == NULL || a == b) {
        return b;
    }
    const struct rf_check_type *joined = rf_check_type_plain(RF_CHECK_DYN);
    if (rf_unifier_fits(unifier, &a, &b, 1)) {
        joined = type_is_general(unifier, a, b, 0) ? a : b;
    }
    return unifier->status == RF_OK ? joined : NULL;
}

/* ---- Text ---- */

static enum rf_status type_write(struct rf_text *out, const struct rf_check_type *type, uint32_t depth, uint32_t *nodes,
                                 struct rf_error *err)
{
    type = rf_check_type_head(type);
    if (depth > RF_CHECK_DEPTH_MAX || *nodes == RF_CHECK_NODES_MAX) {
        RF_FAIL(err, RF_E_LIMIT, TOO_LARGE_TEXT);
    }
    ++*nodes;
    if (type->kind == RF_CHECK_VARIABLE) {
        return rf_text_append(out, RF_STR("dyn"), err);
    }
    RF_TRY(rf_text_append(out, type->kind == RF_CHECK_NAMED ? type->name : rf_str_of(kind_name[type->kind]), err));
    if (type->kind == RF_CHECK_PARAMETER) {
        return rf_text_printf(out, err, "(%c)", 'A' + type->number);
    }
    for (uint32_t i = 0; i < type->args; i++) {
        RF_TRY(rf_text_append(out, i == 0 ? RF_STR("(") : RF_STR(", "), err));
        RF_TRY(type_write(out, type->arg[i], depth + 1, nodes, err));
    }
    return type->args == 0 ? RF_OK : rf_text_append_char(out, ')', err);
}

enum rf_status rf_check_type_write(struct rf_text *out, const struct rf_check_type *type, struct rf_error *err)
{
    const size_t count = out->count;
    uint32_t nodes = 0;
    const enum rf_status status = type_write(out, type, 0, &nodes, err);
    if (status != RF_OK) {
        out->count = count;
    }
    return status;
}
