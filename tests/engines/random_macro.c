/* random_macro.c: macros over lists and maps, cel.bind and cel.block. */
#include <stdio.h>

#include "random_part.h"

static void scope_push(struct random_expr *expr, const char *name, uint32_t type)
{
    if (expr->scopes < SCOPES_MAX) {
        struct variable *variable = &expr->scope[expr->scopes++];
        (void)snprintf(variable->name, sizeof variable->name, "%s", name);
        variable->type = type;
    }
}

/* ---- Macros ---- */

/* What a macro runs over. Gives the type of its elements. */
static uint32_t put_range(struct random_expr *expr, bool *is_map)
{
    const size_t begin = expr->out.count;
    const uint32_t element = choose(expr->choice, 3) == 0   ? random_type(expr->choice)
                             : choose(expr->choice, 3) == 0 ? type_of(KIND_MAP, KIND_ANY)
                                                            : KIND_NUMBER;
    *is_map = choose(expr->choice, 5) == 0;
    const uint32_t type = type_of(*is_map ? KIND_MAP : KIND_LIST, element);
    if (choose_rarely(expr->choice, 150)) {
        put_leaf(expr, type);
    } else {
        put_expr(expr, type);
    }
    receiver_end(expr, begin);
    return element;
}

/* A name that may hide a field, or a variable around it. */
static const char *random_name(struct random_expr *expr)
{
    static const char *const table[] = {"x", "y", "k", "e", "x2", "n", "o", "elem"};
    if (expr->is_in_block && choose_rarely(expr->choice, 64)) {
        return choose(expr->choice, 2) == 0 ? "cel.iterVar(0, 0)" : "cel.iterVar(1, 0)";
    }
    return *CHOOSE(expr->choice, table);
}

/* The names, which must differ, into scope. */
static void put_variables(struct random_expr *expr, uint32_t variables, uint32_t element, bool is_map)
{
    const uint32_t key = is_map ? KIND_STRING : KIND_INT;
    const char *name = random_name(expr);
    if (variables == 1) {
        put_format(&expr->out, "%s, ", name);
        scope_push(expr, name, is_map ? key : element);
        return;
    }
    const char *second = strcmp(name, "e") == 0 ? "x" : "e";
    put_format(&expr->out, "%s, %s, ", name, second);
    scope_push(expr, name, key);
    scope_push(expr, second, element);
}

/* {key: value} of one entry, mostly. */
static void put_entry(struct random_expr *expr, uint32_t inner)
{
    if (choose_rarely(expr->choice, 32)) {
        put_expr(expr, type_of(KIND_MAP, inner));
        return;
    }
    put(&expr->out, "{");
    put_expr(expr, choose(expr->choice, 3) == 0 ? KIND_INT : KIND_STRING);
    put(&expr->out, ": ");
    put_expr(expr, inner);
    put(&expr->out, "}");
}

void put_macro(struct random_expr *expr, uint32_t type)
{
    static const char *const quantifier[] = {"all", "exists", "exists_one", "exists", "all", "existsOne"};
    const uint32_t scopes = expr->scopes;
    const uint32_t inner = type_inner(type);
    bool is_map;
    if (expr->scopes + 2 > SCOPES_MAX) {
        put_literal(expr, type);
        return;
    }
    const uint32_t element = put_range(expr, &is_map);
    const bool has_condition = choose(expr->choice, 3) == 0;
    switch (type_kind(type)) {
    case KIND_BOOL:
        put_format(&expr->out, ".%s(", *CHOOSE(expr->choice, quantifier));
        put_variables(expr, 1 + choose(expr->choice, 4) / 3, element, is_map);
        put_expr(expr, KIND_BOOL);
        break;
    case KIND_LIST: {
        const uint32_t which = choose(expr->choice, 3);
        put(&expr->out, which == 0 ? ".filter(" : which == 1 ? ".map(" : ".transformList(");
        put_variables(expr, which == 2 ? 2 : 1, element, is_map);
        if (which != 0 && has_condition) {
            put_expr(expr, KIND_BOOL);
            put(&expr->out, ", ");
        }
        put_expr(expr, which == 0 ? KIND_BOOL : inner);
        break;
    }
    default: {
        const bool is_entry = choose(expr->choice, 2) == 0;
        put(&expr->out, is_entry ? ".transformMapEntry(" : ".transformMap(");
        put_variables(expr, 2, element, is_map);
        if (has_condition) {
            put_expr(expr, KIND_BOOL);
            put(&expr->out, ", ");
        }
        if (is_entry) {
            put_entry(expr, inner);
        } else {
            put_expr(expr, inner);
        }
        break;
    }
    }
    put(&expr->out, ")");
    expr->scopes = scopes;
}

/* ---- Names for values ---- */

static void put_block(struct random_expr *expr, uint32_t type)
{
    const uint32_t scopes = expr->scopes;
    const uint32_t count = 1 + choose(expr->choice, 3);
    expr->is_in_block = true;
    put(&expr->out, "cel.block([");
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t value = random_type(expr->choice);
        char name[24];
        put(&expr->out, i == 0 ? "" : ", ");
        put_expr(expr, value);
        (void)snprintf(name, sizeof name, "cel.index(%u)", i);
        scope_push(expr, name, value);
    }
    put(&expr->out, "], ");
    put_expr(expr, type);
    put(&expr->out, ")");
    expr->is_in_block = false;
    expr->scopes = scopes;
}

void put_binding(struct random_expr *expr, uint32_t type)
{
    const uint32_t scopes = expr->scopes;
    if (!expr->is_in_block && expr->scopes == 0 && choose(expr->choice, 3) == 0) {
        put_block(expr, type);
        return;
    }
    const uint32_t value = choose(expr->choice, 2) == 0 ? type : random_type(expr->choice);
    const char *name = random_name(expr);
    put_format(&expr->out, "cel.bind(%s, ", name);
    put_expr(expr, value);
    put(&expr->out, ", ");
    scope_push(expr, name, value);
    put_expr(expr, type);
    put(&expr->out, ")");
    expr->scopes = scopes;
}
