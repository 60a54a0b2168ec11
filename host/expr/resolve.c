#include "resolve.h"

#include <inttypes.h>
#include <stdio.h>

#include "function.h"
#include "names.h"
#include "resolve_state.h"
#include "substitute.h"

const struct rf_env rf_env_filter = {.has_payload = true};

#define MEMORY_TEXT "the expressions need more memory than their bound allows"

/* ---- What resolve_macro.c needs too ---- */

struct rf_node *rf_resolver_fail_full(struct rf_resolver *r)
{
    r->status = rf_error_set(r->err, RF_E_LIMIT, __FILE__, __LINE__, MEMORY_TEXT);
    return NULL;
}

struct rf_node *rf_resolver_become_error(struct rf_resolver *r, struct rf_node *node, const char *text)
{
    const struct rf_str copy = rf_arena_copy(r->arena, rf_str_of(text));
    if (copy.data == NULL) {
        return rf_resolver_fail_full(r);
    }
    node->kind = RF_NODE_FAILURE;
    node->literal = (struct rf_value){.type = RF_TYPE_ERROR, .text = copy};
    node->args = 0;
    node->depth = 1;
    return node;
}

/* What is wrong with a name: an error of the evaluation where the environment says so, else of the compilation. */
static struct rf_node *fail_name(struct rf_resolver *r, struct rf_node *node, struct rf_span at, const char *text)
{
    if (r->env->is_unchecked) {
        return rf_resolver_become_error(r, node, text);
    }
    RF_RESOLVER_FAIL(r, at, "%s", text);
    return NULL;
}

/* ---- Names ---- */

static bool declared_find(const struct rf_env *env, struct rf_str name, uint32_t *number)
{
    for (uint32_t i = 0; i < env->declarations; i++) {
        if (rf_str_equal(env->declaration[i].name, name)) {
            *number = i;
            return true;
        }
    }
    return false;
}

static const char *declared_suggest(const struct rf_env *env, struct rf_str name)
{
    for (uint32_t i = 0; i < env->declarations; i++) {
        const struct rf_str known = env->declaration[i].name;
        if (rf_str_distance(name, known) <= 2 && rf_str_distance(name, known) * 2 < known.count) {
            return known.data;
        }
    }
    return NULL;
}

/* Looks for the longest beginning of a chain of names that is a declared variable or a type, in the container first and
 * then in those around it. Sets *parts and gives what it found. */
enum found { FOUND_NOTHING, FOUND_VARIABLE, FOUND_TYPE };

static enum found chain_find(const struct rf_resolver *r, const struct rf_chain *chain, bool is_type_meant,
                             uint32_t *parts, uint32_t *number)
{
    struct rf_str container = chain->node[0]->has_leading_dot ? RF_STR("") : r->env->container;
    for (;;) {
        for (uint32_t count = chain->names; count > 0; count--) {
            char text[RF_NAME_MAX];
            const struct rf_str name = rf_chain_text(chain, count, container, text);
            if (name.count == 0) {
                continue;
            }
            *parts = count;
            if (declared_find(r->env, name, number)) {
                return FOUND_VARIABLE;
            }
            const bool may_be_type = r->env->has_payload ? is_type_meant && count == chain->names : true;
            if (may_be_type && rf_type_by_name(name, number)) {
                return FOUND_TYPE;
            }
        }
        if (container.count == 0) {
            return FOUND_NOTHING;
        }
        container = rf_container_outer(container);
    }
}

/* The first name of a chain as a variable of a macro around it. */
static bool chain_is_local(const struct rf_resolver *r, const struct rf_chain *chain, uint32_t *local)
{
    return !chain->node[0]->has_leading_dot && rf_resolver_local(r, chain->node[0]->name, local);
}

/* A leading dot reaches past definitions, as it does past variables. */
static bool name_is_defined(const struct rf_resolver *r, const struct rf_node *node)
{
    return !node->has_leading_dot && rf_resolver_is_defined(r, node->name);
}

static bool root_of(struct rf_str name, enum rf_ident *root)
{
    static const struct {
        const char *name;
        enum rf_ident root;
    } table[] = {{"msg", RF_IDENT_MSG}, {"record", RF_IDENT_RECORD}, {"raw", RF_IDENT_RAW}, {"now", RF_IDENT_NOW}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (rf_str_equal(name, rf_str_of(table[i].name))) {
            *root = table[i].root;
            return true;
        }
    }
    return false;
}

/* A bare name where there is a payload: a root, or a field of the message. */
static struct rf_node *payload_name(struct rf_resolver *r, struct rf_node *node)
{
    if (root_of(node->name, &node->root)) {
        return node;
    }
    if (rf_str_equal(node->name, RF_STR("fix"))) {
        RF_RESOLVER_FAIL(r, node->span, "'fix' is for FIX input: -f fix (a field of this name is written msg.fix)");
        return NULL;
    }
    struct rf_node *field = rf_resolver_node(r, RF_NODE_SELECT, node->span, 1);
    if (field == NULL) {
        return NULL;
    }
    field->name = node->name;
    field->name_span = node->span;
    field->arg[0] = node;
    field->depth = 2;
    node->root = RF_IDENT_MSG;
    node->name = RF_STR("msg");
    return field;
}

static struct rf_node *unknown_name(struct rf_resolver *r, struct rf_node *node)
{
    char text[256];
    const char *near = declared_suggest(r->env, node->name);
    const int shown = rf_resolver_shown(node->name);
    if (near != NULL) {
        snprintf(text, sizeof text, "undeclared reference to '%.*s' (did you mean '%s'?)", shown, node->name.data, near);
    } else if (r->env->container.count == 0) {
        snprintf(text, sizeof text, "undeclared reference to '%.*s'", shown, node->name.data);
    } else {
        snprintf(text, sizeof text, "undeclared reference to '%.*s' (in container '%.*s')", shown, node->name.data,
                 rf_resolver_shown(r->env->container), r->env->container.data);
    }
    return fail_name(r, node, node->span, text);
}

/* e.PartySubIDs: the names of a chain from the first on, all but the last, which rf_resolve_node looks at. */
static struct rf_node *chain_entries(struct rf_resolver *r, const struct rf_chain *chain)
{
    for (uint32_t i = 0; i + 1 < chain->names; i++) {
        if (rf_resolve_entry(r, chain->node[i]) == NULL) {
            return NULL;
        }
    }
    return chain->node[chain->names - 1];
}

/* node: the last of a chain a.b.c of names that are joined by dots. */
static struct rf_node *resolve_chain(struct rf_resolver *r, struct rf_node *node, const struct rf_chain *chain,
                                     bool is_type_meant)
{
    uint32_t number = 0;
    uint32_t parts = 1;
    enum rf_node_kind kind = RF_NODE_LOCAL;
    struct rf_node *head = chain->node[0];
    if (!chain_is_local(r, chain, &number)) {
        if (name_is_defined(r, head)) {
            head = rf_resolve_definition(r, head);
            if (head == NULL || chain->names == 1) {
                return head;
            }
            chain->node[1]->arg[0] = head;
            return node;
        }
        switch (chain_find(r, chain, is_type_meant, &parts, &number)) {
        case FOUND_VARIABLE:
            kind = RF_NODE_BINDING;
            break;
        case FOUND_TYPE:
            kind = RF_NODE_LITERAL;
            break;
        case FOUND_NOTHING:
            kind = RF_NODE_IDENT;
            break;
        }
    }
    struct rf_node *last = chain->node[parts - 1];
    enum rf_ident root;
    if (kind == RF_NODE_IDENT && r->env->fix != NULL && (!root_of(head->name, &root) || root == RF_IDENT_MSG)) {
        return rf_resolve_fix_chain(r, node, chain) == NULL ? NULL : chain_entries(r, chain);
    }
    if (kind == RF_NODE_IDENT) {
        head = r->env->has_payload ? payload_name(r, head) : unknown_name(r, head);
        if (head == NULL) {
            return NULL;
        }
        if (chain->names > 1) {
            chain->node[1]->arg[0] = head;
            return node;
        }
        return head;
    }
    last->kind = kind;
    last->args = 0;
    last->depth = 1;
    last->local = number;
    if (kind == RF_NODE_BINDING) {
        last->name = r->env->declaration[number].name;
    }
    if (kind == RF_NODE_LITERAL) {
        last->literal = rf_type_value(number);
        last->type = last->literal.type;
    }
    return r->env->fix == NULL ? node : chain_entries(r, chain);
}

/* a.b.c: the chain that ends in this node; false when there is a computed part in it. */
static bool chain_of(struct rf_node *node, struct rf_chain *chain)
{
    uint32_t names = 1;
    const struct rf_node *at = node;
    for (; at->kind == RF_NODE_SELECT && !at->is_optional && !at->has_backtick; at = at->arg[0]) {
        names++;
    }
    if (at->kind != RF_NODE_IDENT || names > RF_CHAIN_MAX) {
        return false;
    }
    chain->names = names;
    for (; names > 0; names--) {
        chain->node[names - 1] = node;
        node = names > 1 ? node->arg[0] : node;
    }
    return true;
}

/* ---- Calls ---- */

/* math.max(1, 2): no function of the family that the receiver names. */
static bool name_in_space(const struct rf_node *node, char text[RF_NAME_MAX], struct rf_str *name)
{
    struct rf_chain chain;
    if (!node->has_receiver || !chain_of(node->arg[0], &chain)) {
        return false;
    }
    const struct rf_str space = rf_chain_text(&chain, chain.names, RF_STR(""), text);
    if (!rf_function_is_space(space) || space.count + 1 + node->name.count > RF_NAME_MAX) {
        return false;
    }
    text[space.count] = '.';
    memcpy(text + space.count + 1, node->name.data, node->name.count);
    *name = (struct rf_str){text, space.count + 1 + node->name.count};
    return true;
}

static struct rf_node *unknown_function(struct rf_resolver *r, struct rf_node *node)
{
    char text[256];
    char qualified[RF_NAME_MAX];
    struct rf_str name = node->name;
    if (name_in_space(node, qualified, &name)) {
        const char *meant = rf_function_suggest(name);
        snprintf(text, sizeof text, "undeclared function '%.*s'%s%s%s", rf_resolver_shown(name), name.data,
                 meant != NULL ? " (did you mean '" : "", meant != NULL ? meant : "", meant != NULL ? "'?)" : "");
        return fail_name(r, node, node->name_span, text);
    }
    const int shown = rf_resolver_shown(node->name);
    const char *near = rf_function_suggest(node->name);
    const enum rf_function function = rf_function_find(node->name);
    if (function != RF_FUNCTION_COUNT && node->has_receiver) {
        snprintf(text, sizeof text, "'%.*s' is no method: write %.*s(...)", shown, node->name.data, shown,
                 node->name.data);
    } else if (function != RF_FUNCTION_COUNT) {
        snprintf(text, sizeof text, "'%.*s' is a method: write x.%.*s(...)", shown, node->name.data, shown,
                 node->name.data);
    } else if (near != NULL) {
        snprintf(text, sizeof text, "undeclared function '%.*s' (did you mean '%s'?)", shown, node->name.data, near);
    } else {
        snprintf(text, sizeof text, "undeclared function '%.*s'", shown, node->name.data);
    }
    return fail_name(r, node, node->name_span, text);
}

static bool function_fits(const struct rf_resolver *r, enum rf_function function, bool is_method)
{
    if (function == RF_FUNCTION_COUNT) {
        return false;
    }
    switch (rf_function_info(function)->kind) {
    case RF_FUNCTION_BOTH:
        return true;
    case RF_FUNCTION_METHOD:
        return is_method;
    case RF_FUNCTION_GLOBAL:
        return !is_method;
    case RF_FUNCTION_MACRO:
        return is_method && !r->env->has_no_macros;
    case RF_FUNCTION_MACRO_GLOBAL:
        return !is_method && !r->env->has_no_macros;
    default:
        return false;
    }
}

/* math.least(1, 2): the receiver is the beginning of the function's name, unless it names a variable. */
static enum rf_function function_qualified(const struct rf_resolver *r, const struct rf_node *node)
{
    struct rf_chain chain;
    uint32_t parts;
    uint32_t number;
    if (!node->has_receiver || !chain_of(node->arg[0], &chain) || chain_is_local(r, &chain, &number) ||
        name_is_defined(r, chain.node[0]) ||
        chain_find(r, &chain, false, &parts, &number) == FOUND_VARIABLE) {
        return RF_FUNCTION_COUNT;
    }
    char text[RF_NAME_MAX];
    const struct rf_str space = rf_chain_text(&chain, chain.names, RF_STR(""), text);
    if (space.count == 0 || space.count + 1 + node->name.count > sizeof text) {
        return RF_FUNCTION_COUNT;
    }
    text[space.count] = '.';
    memcpy(text + space.count + 1, node->name.data, node->name.count);
    const enum rf_function function = rf_function_find((struct rf_str){text, space.count + 1 + node->name.count});
    return function_fits(r, function, false) ? function : RF_FUNCTION_COUNT;
}

static struct rf_node *fail_arguments(struct rf_resolver *r, struct rf_node *node)
{
    const struct rf_function_info *info = rf_function_info(node->function);
    const uint32_t receiver = node->has_receiver && info->kind != RF_FUNCTION_MACRO ? 1 : 0;
    const uint32_t given = node->args - (node->has_receiver ? 1 : 0);
    const uint32_t low = info->args_min - receiver;
    const uint32_t high = info->args_max - receiver;
    char wanted[48];
    if (low == high) {
        snprintf(wanted, sizeof wanted, "%" PRIu32 " argument%s", low, low == 1 ? "" : "s");
    } else {
        snprintf(wanted, sizeof wanted, "%" PRIu32 " to %" PRIu32 " arguments", low, high);
    }
    char text[256];
    snprintf(text, sizeof text, "%s() takes %s%s, not %" PRIu32, info->text, wanted,
             node->has_receiver ? " behind its receiver" : "", given);
    return fail_name(r, node, rf_resolver_span(node->name_span.begin, node->span.end), text);
}

/* `type(x) == string`: beside type(...) a bare type name is the type, not a field. */
static bool node_is_type_call(const struct rf_node *node)
{
    return node->kind == RF_NODE_CALL && node->function == RF_FUNCTION_COUNT && !node->has_receiver &&
           rf_str_equal(node->name, RF_STR("type"));
}

static bool call_means_types(const struct rf_node *node)
{
    if (node->function != RF_FN_EQ && node->function != RF_FN_NE && node->function != RF_FN_IN) {
        return false;
    }
    return node_is_type_call(node->arg[0]) || node_is_type_call(node->arg[1]);
}

static bool resolve_args(struct rf_resolver *r, struct rf_node *node, bool is_type_meant)
{
    for (uint32_t i = 0; i < node->args; i++) {
        node->arg[i] = rf_resolve_node(r, node->arg[i], is_type_meant);
        if (node->arg[i] == NULL) {
            return false;
        }
    }
    return true;
}

static struct rf_node *resolve_call(struct rf_resolver *r, struct rf_node *node)
{
    struct rf_node *access;
    if (rf_resolve_fix_call(r, node, &access)) {
        return access;
    }
    if (node->function != RF_FUNCTION_COUNT) { /* an operator */
        if (!resolve_args(r, node, call_means_types(node))) {
            return NULL;
        }
        return r->env->fix == NULL ? node : rf_resolve_fix_compare(r, node);
    }
    enum rf_function function = function_qualified(r, node);
    if (function != RF_FUNCTION_COUNT) {
        node->arg++;
        node->args--;
        node->has_receiver = false;
    } else {
        function = rf_function_find(node->name);
        if (!function_fits(r, function, node->has_receiver)) {
            if (r->env->keeps_calls) {
                return resolve_args(r, node, false) ? node : NULL;
            }
            return unknown_function(r, node);
        }
    }
    const struct rf_function_info *info = rf_function_info(function);
    node->function = function;
    const uint32_t given = node->args - (node->has_receiver && info->kind == RF_FUNCTION_MACRO ? 1 : 0);
    if (given < info->args_min || given > info->args_max) {
        return fail_arguments(r, node);
    }
    if (rf_function_is_macro(function)) {
        return rf_resolve_macro(r, node);
    }
    return resolve_args(r, node, false) ? node : NULL;
}

/* ---- The walk ---- */

static struct rf_node *resolve_any(struct rf_resolver *r, struct rf_node *node, bool is_type_meant)
{
    struct rf_chain chain;
    struct rf_node *access;
    switch (node->kind) {
    case RF_NODE_IDENT:
    case RF_NODE_SELECT:
        if (chain_of(node, &chain)) {
            return resolve_chain(r, node, &chain, is_type_meant);
        }
        if (rf_resolve_fix_step(r, node, &access)) {
            return access;
        }
        return resolve_args(r, node, false) ? node : NULL;
    case RF_NODE_CALL:
        return resolve_call(r, node);
    case RF_NODE_MESSAGE:
        return rf_resolve_message(r, node);
    case RF_NODE_LIST:
        return resolve_args(r, node, is_type_meant) ? node : NULL;
    case RF_NODE_INDEX:
        if (rf_resolve_fix_step(r, node, &access)) {
            return access;
        }
        return resolve_args(r, node, false) ? node : NULL;
    case RF_NODE_MAP:
    case RF_NODE_ENTRY:
        return resolve_args(r, node, false) ? node : NULL;
    default:
        return node;
    }
}

struct rf_node *rf_resolve_node(struct rf_resolver *r, struct rf_node *node, bool is_type_meant)
{
    struct rf_node *resolved = resolve_any(r, node, is_type_meant);
    return resolved == NULL || r->env->fix == NULL ? resolved : rf_resolve_entry(r, resolved);
}

enum rf_status rf_resolve(struct rf_node **root, struct rf_str source, const struct rf_env *env,
                          struct rf_fix_accesses *accesses, struct rf_arena *arena, uint32_t *locals,
                          struct rf_diagnostic *diagnostic, struct rf_error *err)
{
    struct rf_resolver r = {
        .source = source, .env = env, .arena = arena, .accesses = accesses, .diagnostic = diagnostic, .err = err};
    struct rf_node *node = rf_resolve_node(&r, *root, false);
    if (node == NULL) {
        return r.status;
    }
    if (env->definitions + env->parameters > 0 && rf_tree_measure(node) > RF_EXPR_DEPTH_MAX) {
        RF_RESOLVER_FAIL(&r, node->span, "with what its names stand for the expression is nested deeper than %d levels",
                         RF_EXPR_DEPTH_MAX);
        return r.status;
    }
    *root = node;
    *locals = r.locals_max;
    return RF_OK;
}
