#include "random_part.h"

#include <stdio.h>
#include <string.h>

#include "function.h"

/* ---- Calls ---- */

void receiver_end(struct random_expr *expr, size_t begin)
{
    struct rf_text *out = &expr->out;
    if (begin == out->count) {
        return;
    }
    const char first = out->data[begin];
    if (first == '-' || first == '!' || first == '.' || (first >= '0' && first <= '9')) {
        put(out, "()");
        memmove(out->data + begin + 1, out->data + begin, out->count - begin - 2);
        out->data[begin] = '(';
        out->data[out->count - 1] = ')';
    }
}

/* What a text argument is about. */
static enum flavour argument_flavour(enum rf_function function, uint32_t i)
{
    switch (function) {
    case RF_FN_MATCHES:
        return i == 1 ? FLAVOUR_REGEX : FLAVOUR_PLAIN;
    case RF_FN_GLOB:
        return i == 1 ? FLAVOUR_GLOB : FLAVOUR_PLAIN;
    case RF_FN_FORMAT:
        return i == 0 ? FLAVOUR_FORMAT : FLAVOUR_PLAIN;
    case RF_FN_TO_BOOL:
        return FLAVOUR_BOOL;
    case RF_FN_TO_INT:
    case RF_FN_TO_UINT:
    case RF_FN_TO_DOUBLE:
        return FLAVOUR_NUMBER;
    case RF_FN_TO_TIMESTAMP:
        return FLAVOUR_TIME;
    case RF_FN_TO_DURATION:
        return FLAVOUR_SPAN;
    case RF_FN_BASE64_DECODE:
        return FLAVOUR_BASE64;
    case RF_FN_IP:
    case RF_FN_IS_IP:
    case RF_FN_IP_IS_CANONICAL:
    case RF_FN_CONTAINS_IP:
        return FLAVOUR_ADDRESS;
    case RF_FN_CIDR:
    case RF_FN_IS_CIDR:
    case RF_FN_CONTAINS_CIDR:
        return FLAVOUR_NETWORK;
    case RF_FN_INDEX_OF:
    case RF_FN_LAST_INDEX_OF:
    case RF_FN_REPLACE:
    case RF_FN_SPLIT:
    case RF_FN_JOIN:
    case RF_FN_STARTS:
    case RF_FN_ENDS:
    case RF_FN_CONTAINS:
        return i > 0 ? FLAVOUR_SEPARATOR : FLAVOUR_PLAIN;
    default:
        return rf_function_info(function)->family == RF_FAMILY_TIME ? FLAVOUR_ZONE : FLAVOUR_PLAIN;
    }
}

/* A field that mostly holds a text of that flavour, as it is or of an object. */
static void put_flavoured_path(struct random_expr *expr, enum flavour flavour)
{
    for (uint32_t f = 0; f < FIELDS; f++) {
        const struct random_field *field = &random_field_table[f];
        if (type_kind(field->type) == KIND_STRING && field->flavour == flavour && field->name[1] == '\0') {
            put(&expr->out, choose_rarely(expr->choice, 40) && expr->has_payload ? "msg.o." : "");
            put(&expr->out, field->name);
            return;
        }
    }
    put_leaf(expr, KIND_STRING);
}

static void put_argument(struct random_expr *expr, enum rf_function function, uint32_t i, uint32_t type)
{
    const enum flavour flavour = argument_flavour(function, i);
    const bool is_text = type_kind(type) == KIND_STRING && flavour != FLAVOUR_PLAIN;
    const bool is_pattern = flavour == FLAVOUR_REGEX || flavour == FLAVOUR_GLOB || flavour == FLAVOUR_FORMAT;
    const uint32_t luck = choose(expr->choice, 64);
    if (is_text && (luck < 24 || (is_pattern && luck < 61))) {
        put_text_literal(expr, flavour);
    } else if (is_text && luck < 58 && !is_pattern) {
        put_flavoured_path(expr, flavour);
    } else {
        put_expr(expr, type);
    }
}

static void put_operator(struct random_expr *expr, const struct overload *overload)
{
    const struct rf_function_info *info = rf_function_info(overload->function);
    const bool has_parentheses = !choose_rarely(expr->choice, 20) || overload->args == 3;
    put(&expr->out, has_parentheses ? "(" : "");
    if (overload->args == 1) {
        put(&expr->out, info->text);
    }
    put_argument(expr, overload->function, 0, overload->arg[0]);
    if (overload->args == 2) {
        put_format(&expr->out, " %s ", info->text);
        put_argument(expr, overload->function, 1, overload->arg[1]);
    } else if (overload->args == 3) {
        put(&expr->out, " ? ");
        put_argument(expr, overload->function, 1, overload->arg[1]);
        put(&expr->out, " : ");
        put_argument(expr, overload->function, 2, overload->arg[2]);
    }
    put(&expr->out, has_parentheses ? ")" : "");
}

static void put_arguments(struct random_expr *expr, const struct overload *overload, uint32_t first)
{
    put(&expr->out, "(");
    for (uint32_t i = first; i < overload->args; i++) {
        put(&expr->out, i == first ? "" : ", ");
        put_argument(expr, overload->function, i, overload->arg[i]);
    }
    put(&expr->out, ")");
}

/* Name{field: value, ...}: fields are the words of the function's meaning. */
static void put_message(struct random_expr *expr, const struct overload *overload)
{
    const struct rf_function_info *info = rf_function_info(overload->function);
    const char *field = info->meaning;
    bool is_first = true;
    put_format(&expr->out, "%s{", info->text);
    for (uint32_t i = 0; i < overload->args; i++) {
        const size_t count = strcspn(field, " ");
        if (!choose_rarely(expr->choice, 40)) {
            const bool is_optional = choose_rarely(expr->choice, 24);
            put_format(&expr->out, "%s%s%.*s: ", is_first ? "" : ", ", is_optional ? "?" : "", (int)count, field);
            is_first = false;
            if (is_optional) {
                put_optional(expr, overload->arg[i]);
            } else {
                put_expr(expr, overload->arg[i]);
            }
        }
        field += count + strspn(field + count, " ");
    }
    put(&expr->out, "}");
}

/* math.greatest and math.least take up to 32 numbers, or a list of them. */
static void put_extreme(struct random_expr *expr, enum rf_function function, uint32_t type)
{
    put_format(&expr->out, "%s(", rf_function_info(function)->text);
    if (choose(expr->choice, 3) == 0) {
        put_expr(expr, type_of(KIND_LIST, type));
    } else {
        const uint32_t count = 1 + choose(expr->choice, 4);
        for (uint32_t i = 0; i < count; i++) {
            put(&expr->out, i == 0 ? "" : ", ");
            put_expr(expr, choose(expr->choice, 2) == 0 ? type : KIND_NUMBER);
        }
    }
    put(&expr->out, ")");
}

/* Clauses of format() with values that fit them, mostly. */
static void put_clauses(struct random_expr *expr)
{
    static const struct {
        const char *clause;
        uint8_t kind;
    } table[] = {{"%d", KIND_INT},      {"%d", KIND_NUMBER}, {"%s", KIND_ANY},      {"%x", KIND_INT},
                 {"%X", KIND_STRING},   {"%x", KIND_BYTES},  {"%b", KIND_BOOL},     {"%b", KIND_UINT},
                 {"%o", KIND_INT},      {"%f", KIND_NUMBER}, {"%.2f", KIND_DOUBLE}, {"%e", KIND_NUMBER},
                 {"%.0e", KIND_DOUBLE}, {"%s", KIND_LIST},   {"%s", KIND_MAP},      {"%s", KIND_TIMESTAMP},
                 {"%X", KIND_UINT}};
    uint32_t which[4];
    const uint32_t count = 1 + choose(expr->choice, sizeof which / sizeof which[0]);
    put(&expr->out, "\"");
    for (uint32_t i = 0; i < count; i++) {
        which[i] = choose(expr->choice, sizeof table / sizeof table[0]);
        put_format(&expr->out, "%s%s", table[which[i]].clause, choose(expr->choice, 2) == 0 ? " " : "");
    }
    put(&expr->out, "\".format([");
    for (uint32_t i = 0; i < count; i++) {
        put(&expr->out, i == 0 ? "" : ", ");
        put_expr(expr, table[which[i]].kind);
    }
    put(&expr->out, "])");
}

/* google.protobuf.Value, which is no function of its own. */
static void put_any_message(struct random_expr *expr)
{
    static const struct {
        const char *field;
        uint32_t type;
    } table[] = {{"null_value", KIND_INT},
                 {"number_value", KIND_DOUBLE},
                 {"string_value", KIND_STRING},
                 {"bool_value", KIND_BOOL},
                 {"struct_value", RF_TYPE_PAIR(KIND_MAP, KIND_ANY)},
                 {"list_value", RF_TYPE_PAIR(KIND_LIST, KIND_ANY)}};
    const uint32_t which = choose(expr->choice, 1 + sizeof table / sizeof table[0]);
    put(&expr->out, "google.protobuf.Value{");
    if (which < sizeof table / sizeof table[0]) {
        put_format(&expr->out, "%s: ", table[which].field);
        put_expr(expr, table[which].type);
    }
    put(&expr->out, "}");
}

static bool put_call(struct random_expr *expr, uint32_t type)
{
    struct overload overload;
    if (!random_overload(expr->choice, type, &overload)) {
        return false;
    }
    const struct rf_function_info *info = rf_function_info(overload.function);
    const size_t begin = expr->out.count;
    bool is_method =
        info->kind == RF_FUNCTION_METHOD || (info->kind == RF_FUNCTION_BOTH && choose(expr->choice, 2) == 0);
    if (overload.function == RF_FN_FORMAT && choose(expr->choice, 4) != 0) {
        put_clauses(expr);
        return true;
    }
    if (overload.function == RF_FN_GREATEST || overload.function == RF_FN_LEAST) {
        const enum kind kind = type_kind(type);
        put_extreme(expr, overload.function, kind >= KIND_INT && kind <= KIND_NUMBER ? type : KIND_NUMBER);
        return true;
    }
    switch (info->kind) {
    case RF_FUNCTION_UNARY:
    case RF_FUNCTION_BINARY:
    case RF_FUNCTION_TERNARY:
        put_operator(expr, &overload);
        return true;
    case RF_FUNCTION_MESSAGE:
        put_message(expr, &overload);
        return true;
    default:
        break;
    }
    if (is_method) {
        put_argument(expr, overload.function, 0, overload.arg[0]);
        receiver_end(expr, begin);
        put(&expr->out, ".");
    }
    put(&expr->out, info->text);
    put_arguments(expr, &overload, is_method ? 1 : 0);
    return true;
}

/* ---- Optionals ---- */

static void put_optional_call(struct random_expr *expr, uint32_t inner)
{
    const char *const function[] = {"optional.of", "optional.of", "optional.ofNonZeroValue"};
    put_format(&expr->out, "%s(", *CHOOSE(expr->choice, function));
    put_expr(expr, inner);
    put(&expr->out, ")");
}

void put_optional(struct random_expr *expr, uint32_t inner)
{
    const char *const key[] = {"n", "s",         "o.?n",     "o.n",   "l",     "u",
                               "v", "o[?\"a\"]", "q[?0].?n", "l[?1]", "m[?0]", "c[?\"a\"]"};
    const size_t begin = expr->out.count;
    switch (choose(expr->choice, expr->left == 0 ? 3 : 9)) {
    case 0:
        put(&expr->out, "optional.none()");
        break;
    case 1:
        if (expr->has_payload) {
            put_format(&expr->out, "msg.?%s", *CHOOSE(expr->choice, key));
        } else {
            put(&expr->out, "o.?n");
        }
        break;
    case 2:
        put(&expr->out, "optional.of(");
        put_leaf(expr, inner);
        put(&expr->out, ")");
        break;
    case 3:
        put_expr(expr, type_of(KIND_LIST, inner));
        receiver_end(expr, begin);
        put_format(&expr->out, "[?%u]", choose(expr->choice, 3));
        break;
    case 4:
        put_expr(expr, type_of(KIND_MAP, inner));
        receiver_end(expr, begin);
        put(&expr->out, choose(expr->choice, 2) == 0 ? ".?a" : "[?s]");
        break;
    case 5:
    case 6: {
        const bool is_flat = choose(expr->choice, 2) == 0;
        const uint32_t from = choose(expr->choice, 2) == 0 ? inner : random_type(expr->choice);
        put_optional(expr, from);
        receiver_end(expr, begin);
        put(&expr->out, is_flat ? ".optFlatMap(y, " : ".optMap(y, ");
        if (expr->scopes < SCOPES_MAX) {
            expr->scope[expr->scopes++] = (struct variable){"y", from};
            put_expr(expr, is_flat ? type_of(KIND_OPTIONAL, inner) : inner);
            expr->scopes--;
        } else {
            put_literal(expr, KIND_INT);
        }
        put(&expr->out, ")");
        break;
    }
    default:
        put_optional_call(expr, inner);
        break;
    }
}

/* ---- Everything ---- */

static void put_selection(struct random_expr *expr, uint32_t type)
{
    put(&expr->out, "(");
    put_expr(expr, KIND_BOOL);
    put(&expr->out, " ? ");
    put_expr(expr, type);
    put(&expr->out, " : ");
    put_expr(expr, type);
    put(&expr->out, ")");
}

/* What an optional, a list or a map holds. */
static void put_member(struct random_expr *expr, uint32_t type)
{
    const size_t begin = expr->out.count;
    switch (choose(expr->choice, 4)) {
    case 0:
        put_optional(expr, type);
        receiver_end(expr, begin);
        put(&expr->out, ".orValue(");
        put_expr(expr, type);
        put(&expr->out, ")");
        break;
    case 1:
        put_optional(expr, type);
        receiver_end(expr, begin);
        put(&expr->out, ".value()");
        break;
    case 2:
        put_expr(expr, type_of(KIND_LIST, type));
        receiver_end(expr, begin);
        put(&expr->out, "[");
        put_expr(expr, KIND_INT);
        put(&expr->out, "]");
        break;
    default:
        put_expr(expr, type_of(KIND_MAP, type));
        receiver_end(expr, begin);
        put(&expr->out, choose(expr->choice, 2) == 0 ? ".a" : "[s]");
        break;
    }
}

/* A text that was written before, from which its own kind of trouble comes: columns that predicates share. */
static bool put_kept(struct random_expr *expr, uint32_t type)
{
    for (uint32_t tries = 0; expr->kepts != 0 && tries < 4; tries++) {
        const struct kept *kept = &expr->kept[choose(expr->choice, expr->kepts)];
        if (kept->type == type) {
            put_str(&expr->out, (struct rf_str){expr->kept_text.data + kept->begin, kept->end - kept->begin});
            return true;
        }
    }
    return false;
}

static void keep(struct random_expr *expr, size_t begin, uint32_t type)
{
    if (expr->scopes != 0 || expr->is_in_block || expr->kepts == KEPT_MAX || expr->out.count - begin > 200) {
        return;
    }
    struct kept *kept = &expr->kept[expr->kepts++];
    *kept = (struct kept){.begin = expr->kept_text.count, .type = type};
    put_str(&expr->kept_text, (struct rf_str){expr->out.data + begin, expr->out.count - begin});
    kept->end = expr->kept_text.count;
}

static void put_composite(struct random_expr *expr, uint32_t type)
{
    const enum kind kind = type_kind(type);
    const bool has_macro = kind == KIND_BOOL || kind == KIND_LIST || kind == KIND_MAP;
    const uint32_t luck = choose(expr->choice, 64);
    if (kind == KIND_OPTIONAL && luck < 40) {
        put_optional(expr, type_inner(type));
    } else if (kind == KIND_BOOL && luck < 26) {
        put_truth(expr);
    } else if (has_macro && luck < 38) {
        put_macro(expr, type);
    } else if (luck < 56 && put_call(expr, type)) {
        return;
    } else if (luck < 58) {
        put_selection(expr, type);
    } else if (luck < 60) {
        put_binding(expr, type);
    } else if (luck < 63) {
        put_member(expr, type);
    } else {
        put(&expr->out, "dyn(");
        put_expr(expr, type);
        put(&expr->out, ")");
    }
}

void put_expr(struct random_expr *expr, uint32_t type)
{
    if (choose_rarely(expr->choice, expr->is_wild ? 12 : 3)) { /* of a wrong type, hidden from the checks or not */
        const bool is_hidden = choose(expr->choice, 4) != 0;
        put(&expr->out, is_hidden ? "dyn(" : "");
        put_leaf(expr, random_type(expr->choice));
        put(&expr->out, is_hidden ? ")" : "");
        return;
    }
    if (type_kind(type) == KIND_ANY) {
        type = random_type(expr->choice);
        if (choose_rarely(expr->choice, 2) && expr->left > 0) {
            expr->left--;
            put_any_message(expr);
            return;
        }
    }
    const size_t begin = expr->out.count;
    if (choose_rarely(expr->choice, 10) && put_kept(expr, type)) {
        return;
    }
    if (expr->left == 0 || choose_rarely(expr->choice, 90)) {
        put_leaf(expr, type);
        return;
    }
    expr->left--;
    put_composite(expr, type);
    if (choose_rarely(expr->choice, 40)) {
        keep(expr, begin, type);
    }
}

struct random_expr random_expr_open(struct choice *choice, bool has_payload)
{
    overloads_open();
    return (struct random_expr){.choice = choice, .has_payload = has_payload, .is_wild = choose_rarely(choice, 32)};
}

void random_expr_close(struct random_expr *expr)
{
    rf_text_free(&expr->out);
    rf_text_free(&expr->kept_text);
}

static void begin(struct random_expr *expr)
{
    rf_text_clear(&expr->out);
    expr->left = 1 + choose(expr->choice, choose_rarely(expr->choice, 64) ? BUDGET_MAX : 12);
    expr->scopes = 0;
    expr->is_in_block = false;
}

void random_predicate(struct random_expr *expr)
{
    begin(expr);
    if (choose(expr->choice, 4) == 0) {
        put_truth(expr);
        for (uint32_t more = choose(expr->choice, 3); more > 0; more--) {
            put(&expr->out, choose(expr->choice, 2) == 0 ? " && " : " || ");
            put_truth(expr);
        }
    } else {
        put_composite(expr, KIND_BOOL);
    }
}

void random_value_expr(struct random_expr *expr)
{
    begin(expr);
    put_composite(expr, random_type(expr->choice));
}
