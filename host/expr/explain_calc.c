#include "explain_calc.h"

#include <inttypes.h>
#include <stdio.h>

#include "function.h"
#include "node_text.h"
#include "regex.h"

enum {
    ITEMS_SHOWN = 12,          /* of a constant list or map */
    SCOPES_MAX = 16,           /* macros within each other that are looked into; calc_plan.c plans fewer */
    NAME_MAX = 12 * SCOPES_MAX /* c0.0.0 */
};

/* The columns that a program has: the whole one, or that of a macro. */
struct scope {
    const struct scope *outer; /* NULL: the whole program */
    const struct rf_child *child;
    const struct rf_constant *constant;
    const struct rf_calc *calc;
    uint32_t calcs;
    uint32_t variable; /* number of its first variable */
    uint32_t depth;
    char prefix[NAME_MAX]; /* of the names of its computed columns */
};

enum rf_status rf_explain_column(struct rf_text *out, size_t line_begin, struct rf_error *err)
{
    do {
        RF_TRY(rf_text_append_char(out, ' ', err));
    } while (out->count - line_begin < RF_EXPLAIN_COLUMN);
    return RF_OK;
}

static struct scope scope_of(const struct rf_program *program)
{
    return (struct scope){.constant = program->constant, .calc = program->calc, .calcs = program->calcs, .prefix = "c"};
}

/* The program that column `number` of the scope around it runs. */
static struct scope scope_inside(const struct scope *outer, uint32_t number)
{
    const struct rf_child *child = outer->calc[number].child;
    struct scope scope = {
        .outer = outer,
        .child = child,
        .constant = child->constant,
        .calc = child->calc,
        .calcs = child->calcs,
        .variable = outer->child == NULL ? 0 : outer->variable + outer->child->variables,
        .depth = outer->depth + 1,
    };
    (void)snprintf(scope.prefix, sizeof scope.prefix, "%.*s%" PRIu32 ".", NAME_MAX - 12, outer->prefix, number);
    return scope;
}

/* ---- Terms ---- */

static enum rf_type number_type(enum rf_number_kind kind)
{
    return kind == RF_NUMBER_INT ? RF_TYPE_INT : kind == RF_NUMBER_UINT ? RF_TYPE_UINT : RF_TYPE_DOUBLE;
}

static struct rf_value constant_value(const struct rf_constant *constant)
{
    switch (constant->kind) {
    case RF_CONSTANT_BOOL:
        return rf_value_bool(constant->number.as.i != 0);
    case RF_CONSTANT_NUMBER:
        return (struct rf_value){.type = number_type(constant->number.kind), .exact = constant->number};
    case RF_CONSTANT_STRING:
        return rf_value_string(constant->text);
    case RF_CONSTANT_BYTES:
        return (struct rf_value){.type = RF_TYPE_BYTES, .text = constant->text};
    case RF_CONSTANT_TIMESTAMP:
        return rf_value_instant((struct rf_instant){constant->number.as.i, constant->nanos});
    case RF_CONSTANT_DURATION:
        return rf_value_duration(constant->number.as.i);
    case RF_CONSTANT_TYPE:
        return rf_value_type_named(constant->text);
    case RF_CONSTANT_IP:
    case RF_CONSTANT_CIDR:
        return (struct rf_value){.type = constant->kind == RF_CONSTANT_IP ? RF_TYPE_IP : RF_TYPE_CIDR,
                                 .net = constant->net};
    default:
        return rf_value_null();
    }
}

/* Recursion is as deep as the literal, which was bounded when it was folded. */
static enum rf_status constant_write(struct rf_text *out, const struct rf_constant *constant, struct rf_error *err)
{
    const bool is_map = constant->kind == RF_CONSTANT_MAP;
    if (constant->kind == RF_CONSTANT_ERROR) {
        return rf_text_append(out, RF_STR("error"), err);
    }
    if (constant->kind == RF_CONSTANT_OPTIONAL) {
        RF_TRY(rf_text_append(out, constant->items == 0 ? RF_STR("optional.none(") : RF_STR("optional.of("), err));
        for (uint32_t i = 0; i < constant->items; i++) {
            RF_TRY(constant_write(out, &constant->item[i], err));
        }
        return rf_text_append_char(out, ')', err);
    }
    if (!is_map && constant->kind != RF_CONSTANT_LIST) {
        return rf_literal_write(out, constant_value(constant), err);
    }
    RF_TRY(rf_text_append_char(out, is_map ? '{' : '[', err));
    for (uint32_t i = 0; i < constant->items && i < ITEMS_SHOWN; i++) {
        RF_TRY(rf_text_append(out, i == 0 ? RF_STR("") : RF_STR(", "), err));
        if (is_map) {
            RF_TRY(constant_write(out, &constant->item[2 * i], err));
            RF_TRY(rf_text_append(out, RF_STR(": "), err));
        }
        RF_TRY(constant_write(out, &constant->item[is_map ? 2 * i + 1 : i], err));
    }
    if (constant->items > ITEMS_SHOWN) {
        RF_TRY(rf_text_printf(out, err, ", and %" PRIu32 " more", constant->items - ITEMS_SHOWN));
    }
    return rf_text_append_char(out, is_map ? '}' : ']', err);
}

static enum rf_status term_write(struct rf_text *out, const struct scope *scope, uint32_t term, struct rf_error *err)
{
    const uint32_t number = term & RF_TERM_NUMBER;
    if ((term & RF_TERM_CONSTANT) != 0) {
        return constant_write(out, &scope->constant[number], err);
    }
    if ((term & RF_TERM_COMPUTED) != 0) {
        return rf_text_printf(out, err, "%s%" PRIu32, scope->prefix, number);
    }
    if (scope->child == NULL) {
        return rf_text_printf(out, err, "s%" PRIu32, number);
    }
    if (number < scope->child->variables) {
        return rf_text_printf(out, err, "v%" PRIu32, scope->variable + number);
    }
    return term_write(out, scope->outer, scope->child->capture[number - scope->child->variables], err);
}

enum rf_status rf_explain_term(struct rf_text *out, const struct rf_program *program, uint32_t term,
                               struct rf_error *err)
{
    const struct scope scope = scope_of(program);
    return term_write(out, &scope, term, err);
}

/* ---- Computations ---- */

static enum rf_status arg_write(struct rf_text *out, const struct scope *scope, const struct rf_calc *calc, uint32_t i,
                                struct rf_error *err)
{
    RF_TRY(rf_text_append(out, (calc->optional >> i & 1) != 0 ? RF_STR("?") : RF_STR(""), err));
    return term_write(out, scope, calc->arg[i], err);
}

static enum rf_status args_write(struct rf_text *out, const struct scope *scope, const struct rf_calc *calc,
                                 struct rf_error *err)
{
    for (uint32_t i = 0; i < calc->args; i++) {
        RF_TRY(rf_text_append(out, i == 0 ? RF_STR("") : RF_STR(", "), err));
        RF_TRY(arg_write(out, scope, calc, i, err));
    }
    return RF_OK;
}

/* {key: value, ?key: value}: the mark of a value stands before its key. */
static enum rf_status map_write(struct rf_text *out, const struct scope *scope, const struct rf_calc *calc,
                                struct rf_error *err)
{
    for (uint32_t i = 0; i + 1 < calc->args; i += 2) {
        RF_TRY(rf_text_append(out, i == 0 ? RF_STR("{") : RF_STR(", "), err));
        RF_TRY(rf_text_append(out, (calc->optional >> (i + 1) & 1) != 0 ? RF_STR("?") : RF_STR(""), err));
        RF_TRY(term_write(out, scope, calc->arg[i], err));
        RF_TRY(rf_text_append(out, RF_STR(": "), err));
        RF_TRY(term_write(out, scope, calc->arg[i + 1], err));
    }
    return rf_text_append(out, calc->args == 0 ? RF_STR("{}") : RF_STR("}"), err);
}

/* What is syntax in an expression and a function of columns here. */
static enum rf_status internal_write(struct rf_text *out, const struct scope *scope, const struct rf_calc *calc,
                                     struct rf_error *err)
{
    switch (calc->function) {
    case RF_FN_MAKE_LIST:
        RF_TRY(rf_text_append_char(out, '[', err));
        RF_TRY(args_write(out, scope, calc, err));
        return rf_text_append_char(out, ']', err);
    case RF_FN_MAKE_MAP:
        return map_write(out, scope, calc, err);
    case RF_FN_HAS_FIELD:
        RF_TRY(rf_text_append(out, RF_STR("has("), err));
        break;
    default:
        break;
    }
    if (calc->args == 1) { /* msg.a.?b over the slot of msg.a.b */
        RF_TRY(rf_text_append(out, RF_STR("optional("), err));
        RF_TRY(term_write(out, scope, calc->arg[0], err));
        return rf_text_append_char(out, ')', err);
    }
    RF_TRY(term_write(out, scope, calc->arg[0], err));
    RF_TRY(rf_text_append(out, calc->function == RF_FN_INDEX_OPTIONAL ? RF_STR("[?") : RF_STR("["), err));
    RF_TRY(term_write(out, scope, calc->arg[1], err));
    return rf_text_append(out, calc->function == RF_FN_HAS_FIELD ? RF_STR("])") : RF_STR("]"), err);
}

/* s0.map(v0, condition, body) */
static enum rf_status macro_write(struct rf_text *out, const struct scope *scope, const struct rf_calc *calc,
                                  uint32_t number, struct rf_error *err)
{
    const struct scope inside = scope_inside(scope, number);
    RF_TRY(term_write(out, scope, calc->arg[0], err));
    RF_TRY(rf_text_printf(out, err, ".%s(", rf_function_info(calc->function)->text));
    for (uint32_t v = 0; v < calc->child->variables; v++) {
        RF_TRY(rf_text_printf(out, err, "v%" PRIu32 ", ", inside.variable + v));
    }
    if (calc->child->condition != RF_NONE) {
        RF_TRY(term_write(out, &inside, calc->child->condition, err));
        RF_TRY(rf_text_append(out, RF_STR(", "), err));
    }
    RF_TRY(term_write(out, &inside, calc->child->body, err));
    return rf_text_append_char(out, ')', err);
}

static enum rf_status calc_write(struct rf_text *out, const struct scope *scope, uint32_t number, struct rf_error *err)
{
    const struct rf_calc *calc = &scope->calc[number];
    const struct rf_function_info *info = rf_function_info(calc->function);
    if (calc->child != NULL) {
        return macro_write(out, scope, calc, number, err);
    }
    switch (info->kind) {
    case RF_FUNCTION_UNARY:
        RF_TRY(rf_text_append(out, rf_str_of(info->text), err));
        return term_write(out, scope, calc->arg[0], err);
    case RF_FUNCTION_BINARY:
        RF_TRY(term_write(out, scope, calc->arg[0], err));
        RF_TRY(rf_text_printf(out, err, " %s ", info->text));
        return term_write(out, scope, calc->arg[1], err);
    case RF_FUNCTION_TERNARY:
        RF_TRY(term_write(out, scope, calc->arg[0], err));
        RF_TRY(rf_text_append(out, RF_STR(" ? "), err));
        RF_TRY(term_write(out, scope, calc->arg[1], err));
        RF_TRY(rf_text_append(out, RF_STR(" : "), err));
        return term_write(out, scope, calc->arg[2], err);
    case RF_FUNCTION_INTERNAL:
        return internal_write(out, scope, calc, err);
    default:
        RF_TRY(rf_text_printf(out, err, "%s(", info->text));
        RF_TRY(args_write(out, scope, calc, err));
        return rf_text_append_char(out, ')', err);
    }
}

/* ---- How it runs ---- */

static enum rf_status regex_write(struct rf_text *out, const struct rf_regex *regex, struct rf_error *err)
{
    if (regex->kind == RF_REGEX_NFA) {
        return rf_text_printf(out, err, " (NFA of %" PRIu32 " nodes: its DFA is over the bound)", regex->nodes);
    }
    return rf_text_printf(out, err, " (DFA of %" PRIu32 " states over %" PRIu32 " class%s of bytes)", regex->states,
                          regex->classes, regex->classes == 1 ? "" : "es");
}

static enum rf_status how_write(struct rf_text *out, const struct rf_calc *calc, struct rf_error *err)
{
    RF_TRY(rf_text_append(out, RF_STR("vector"), err));
    if (calc->regex != NULL) {
        return regex_write(out, calc->regex, err);
    }
    if (calc->child == NULL || calc->function == RF_FN_OPT_MAP || calc->function == RF_FN_OPT_FLAT_MAP) {
        return RF_OK;
    }
    return rf_text_printf(out, err, " (host: records with more than %" PRIu32 " elements or too much work)",
                          calc->child->items_max);
}

/* The columns of a macro stand before its own line. */
static enum rf_status scope_write(struct rf_text *out, const struct scope *scope, struct rf_error *err)
{
    for (uint32_t i = 0; i < scope->calcs; i++) {
        if (scope->calc[i].child != NULL && scope->depth < SCOPES_MAX) {
            const struct scope inside = scope_inside(scope, i);
            RF_TRY(scope_write(out, &inside, err));
        }
        const size_t line_begin = out->count;
        char name[NAME_MAX + 12];
        (void)snprintf(name, sizeof name, "%s%" PRIu32, scope->prefix, i);
        RF_TRY(rf_text_printf(out, err, "  %-4s ", name));
        RF_TRY(calc_write(out, scope, i, err));
        RF_TRY(rf_explain_column(out, line_begin, err));
        RF_TRY(how_write(out, &scope->calc[i], err));
        RF_TRY(rf_text_append_char(out, '\n', err));
    }
    return RF_OK;
}

enum rf_status rf_explain_calcs(struct rf_text *out, const struct rf_program *program, struct rf_error *err)
{
    const struct scope scope = scope_of(program);
    return scope_write(out, &scope, err);
}
