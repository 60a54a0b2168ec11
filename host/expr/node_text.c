#include "node_text.h"

#include <math.h>

#include "function.h"

enum {
    STRENGTH_CHOICE = 1,
    STRENGTH_OR,
    STRENGTH_AND,
    STRENGTH_RELATION,
    STRENGTH_SUM,
    STRENGTH_PRODUCT,
    STRENGTH_UNARY,
    STRENGTH_POSTFIX
};

/* ---- Literals ---- */

static enum rf_status octets_write(struct rf_text *out, struct rf_str text, bool is_bytes, struct rf_error *err)
{
    for (size_t i = 0; i < text.count; i++) {
        const unsigned char c = (unsigned char)text.data[i];
        if (c == '"' || c == '\\') {
            RF_TRY(rf_text_printf(out, err, "\\%c", c));
        } else if (c < 0x20 || c == 0x7f || (is_bytes && c >= 0x80)) {
            RF_TRY(rf_text_printf(out, err, "\\x%02x", c));
        } else {
            RF_TRY(rf_text_append_char(out, (char)c, err));
        }
    }
    return RF_OK;
}

enum rf_status rf_quoted_write(struct rf_text *out, struct rf_str text, struct rf_error *err)
{
    RF_TRY(rf_text_append_char(out, '"', err));
    RF_TRY(octets_write(out, text, false, err));
    return rf_text_append_char(out, '"', err);
}

static enum rf_status double_write(struct rf_text *out, double value, struct rf_error *err)
{
    if (isnan(value)) {
        return rf_text_append(out, RF_STR("NaN"), err);
    }
    if (isinf(value)) {
        return rf_text_append(out, value > 0 ? RF_STR("Infinity") : RF_STR("-Infinity"), err);
    }
    char digits[RF_NUMBER_TEXT_MAX];
    const struct rf_str text = {digits, rf_double_to_text(value, digits)};
    RF_TRY(rf_text_append(out, text, err));
    for (size_t i = 0; i < text.count; i++) {
        if (digits[i] == '.' || digits[i] == 'e') {
            return RF_OK;
        }
    }
    return rf_text_append(out, RF_STR(".0"), err);
}

static enum rf_status container_write(struct rf_text *out, struct rf_value value, struct rf_error *err)
{
    const bool is_map = value.type == RF_TYPE_MAP;
    const size_t count = is_map ? value.map->count : value.list->count;
    RF_TRY(rf_text_append_char(out, is_map ? '{' : '[', err));
    for (size_t i = 0; i < count; i++) {
        if (i != 0) {
            RF_TRY(rf_text_append(out, RF_STR(", "), err));
        }
        if (is_map) {
            RF_TRY(rf_literal_write(out, value.map->entry[i].key, err));
            RF_TRY(rf_text_append(out, RF_STR(": "), err));
        }
        RF_TRY(rf_literal_write(out, is_map ? value.map->entry[i].value : value.list->item[i], err));
    }
    return rf_text_append_char(out, is_map ? '}' : ']', err);
}

/* Values without a literal: the call that makes them. */
static enum rf_status made_write(struct rf_text *out, struct rf_value value, struct rf_error *err)
{
    char text[RF_VALUE_TEXT_MAX];
    const char *function = value.type == RF_TYPE_TIMESTAMP  ? "timestamp"
                           : value.type == RF_TYPE_DURATION ? "duration"
                           : value.type == RF_TYPE_IP       ? "ip"
                                                            : "cidr";
    const size_t count = rf_value_text(value, text);
    return rf_text_printf(out, err, "%s(\"%.*s\")", function, (int)count, text);
}

enum rf_status rf_literal_write(struct rf_text *out, struct rf_value value, struct rf_error *err)
{
    char digits[RF_NUMBER_TEXT_MAX];
    switch (value.type) {
    case RF_TYPE_NULL:
        return rf_text_append(out, RF_STR("null"), err);
    case RF_TYPE_BOOL:
        return rf_text_append(out, value.boolean ? RF_STR("true") : RF_STR("false"), err);
    case RF_TYPE_INT:
        return rf_text_append(out, (struct rf_str){digits, rf_int_to_text(value.exact.as.i, digits)}, err);
    case RF_TYPE_UINT:
        RF_TRY(rf_text_append(out, (struct rf_str){digits, rf_uint_to_text(value.exact.as.u, digits)}, err));
        return rf_text_append_char(out, 'u', err);
    case RF_TYPE_DOUBLE:
        return double_write(out, rf_number_to_double(value.exact), err);
    case RF_TYPE_BYTES:
        RF_TRY(rf_text_append(out, RF_STR("b\""), err));
        RF_TRY(octets_write(out, value.text, true, err));
        return rf_text_append_char(out, '"', err);
    case RF_TYPE_STRING:
        return rf_quoted_write(out, value.text, err);
    case RF_TYPE_LIST:
    case RF_TYPE_MAP:
        return container_write(out, value, err);
    case RF_TYPE_TYPE:
        return rf_text_append(out, value.text, err);
    case RF_TYPE_TIMESTAMP:
    case RF_TYPE_DURATION:
    case RF_TYPE_IP:
    case RF_TYPE_CIDR:
        return made_write(out, value, err);
    case RF_TYPE_OPTIONAL:
        if (value.inner == NULL) {
            return rf_text_append(out, RF_STR("optional.none()"), err);
        }
        RF_TRY(rf_text_append(out, RF_STR("optional.of("), err));
        RF_TRY(rf_literal_write(out, *value.inner, err));
        return rf_text_append_char(out, ')', err);
    case RF_TYPE_ERROR:
    case RF_TYPE_DYN:
        break;
    }
    return rf_text_append(out, RF_STR("error"), err);
}

/* ---- Nodes ---- */

static bool name_is_plain(struct rf_str name)
{
    for (size_t i = 0; i < name.count; i++) {
        const char c = name.data[i];
        const bool is_letter = ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_';
        if (!is_letter && (i == 0 || c < '0' || c > '9')) {
            return false;
        }
    }
    const bool is_keyword = rf_str_equal(name, RF_STR("in")) || rf_str_equal(name, RF_STR("true")) ||
                            rf_str_equal(name, RF_STR("false")) || rf_str_equal(name, RF_STR("null"));
    return name.count != 0 && !is_keyword;
}

enum rf_status rf_member_write(struct rf_text *out, struct rf_str name, struct rf_error *err)
{
    if (name_is_plain(name)) {
        RF_TRY(rf_text_append_char(out, '.', err));
        return rf_text_append(out, name, err);
    }
    RF_TRY(rf_text_append_char(out, '[', err));
    RF_TRY(rf_quoted_write(out, name, err));
    return rf_text_append_char(out, ']', err);
}

static int function_strength(enum rf_function function)
{
    switch (function) {
    case RF_FN_SELECT:
        return STRENGTH_CHOICE;
    case RF_FN_OR:
        return STRENGTH_OR;
    case RF_FN_AND:
        return STRENGTH_AND;
    case RF_FN_ADD:
    case RF_FN_SUB:
        return STRENGTH_SUM;
    case RF_FN_MUL:
    case RF_FN_DIV:
    case RF_FN_MOD:
        return STRENGTH_PRODUCT;
    case RF_FN_NOT:
    case RF_FN_NEG:
        return STRENGTH_UNARY;
    default:
        return rf_function_is_operator(function) ? STRENGTH_RELATION : STRENGTH_POSTFIX;
    }
}

static int node_strength(const struct rf_node *node)
{
    if (node->kind == RF_NODE_CALL) {
        return function_strength(node->function);
    }
    /* -5 binds like a sign: (-5).x, not -5.x */
    const bool is_negative = node->kind == RF_NODE_LITERAL && rf_value_is_number(node->literal) &&
                             signbit(rf_number_to_double(node->literal.exact));
    return is_negative ? STRENGTH_UNARY : STRENGTH_POSTFIX;
}

static enum rf_status operand_write(struct rf_text *out, const struct rf_node *node, int strength_min,
                                    struct rf_error *err)
{
    if (node_strength(node) >= strength_min) {
        return rf_node_write(out, node, err);
    }
    RF_TRY(rf_text_append_char(out, '(', err));
    RF_TRY(rf_node_write(out, node, err));
    return rf_text_append_char(out, ')', err);
}

static enum rf_status args_write(struct rf_text *out, const struct rf_node *node, uint32_t first, struct rf_error *err)
{
    for (uint32_t i = first; i < node->args; i++) {
        if (i != first) {
            RF_TRY(rf_text_append(out, node->kind == RF_NODE_MAP && i % 2 != 0 ? RF_STR(": ") : RF_STR(", "), err));
        }
        RF_TRY(rf_node_write(out, node->arg[i], err));
    }
    return RF_OK;
}

static enum rf_status call_write(struct rf_text *out, const struct rf_node *node, struct rf_error *err)
{
    const struct rf_function_info *info = rf_function_info(node->function);
    const int strength = function_strength(node->function);
    switch (info->kind) {
    case RF_FUNCTION_UNARY:
        RF_TRY(rf_text_append(out, rf_str_of(info->text), err));
        /* - -5: two signs in a row would read as one literal. */
        return operand_write(out, node->arg[0], STRENGTH_POSTFIX, err);
    case RF_FUNCTION_BINARY: {
        /* && and || are associative; the others group to the left. */
        const bool is_chain = node->function == RF_FN_AND || node->function == RF_FN_OR;
        RF_TRY(operand_write(out, node->arg[0], strength, err));
        RF_TRY(rf_text_printf(out, err, " %s ", info->text));
        return operand_write(out, node->arg[1], is_chain ? strength : strength + 1, err);
    }
    case RF_FUNCTION_TERNARY:
        RF_TRY(operand_write(out, node->arg[0], STRENGTH_OR, err));
        RF_TRY(rf_text_append(out, RF_STR(" ? "), err));
        RF_TRY(operand_write(out, node->arg[1], STRENGTH_OR, err));
        RF_TRY(rf_text_append(out, RF_STR(" : "), err));
        return operand_write(out, node->arg[2], STRENGTH_CHOICE, err);
    case RF_FUNCTION_METHOD:
        RF_TRY(operand_write(out, node->arg[0], STRENGTH_POSTFIX, err));
        RF_TRY(rf_text_printf(out, err, ".%s(", info->text));
        RF_TRY(args_write(out, node, 1, err));
        return rf_text_append_char(out, ')', err);
    case RF_FUNCTION_GLOBAL:
    case RF_FUNCTION_BOTH:
        RF_TRY(rf_text_printf(out, err, "%s(", info->text));
        RF_TRY(args_write(out, node, 0, err));
        return rf_text_append_char(out, ')', err);
    case RF_FUNCTION_MESSAGE: {
        const char *field = info->meaning;
        RF_TRY(rf_text_printf(out, err, "%s{", info->text));
        for (uint32_t i = 0; i < node->args; i++) {
            const size_t count = strcspn(field, " ");
            RF_TRY(rf_text_printf(out, err, "%s%.*s: ", i == 0 ? "" : ", ", (int)count, field));
            RF_TRY(rf_node_write(out, node->arg[i], err));
            field += count + 1;
        }
        return rf_text_append_char(out, '}', err);
    }
    case RF_FUNCTION_INTERNAL: /* of programs, never of trees */
    case RF_FUNCTION_MACRO:
    case RF_FUNCTION_MACRO_GLOBAL:
        break;
    }
    return RF_OK;
}

/* A variable of a cel.block has no name that can be written: its place. */
static enum rf_status local_write(struct rf_text *out, const struct rf_node *node, struct rf_error *err)
{
    if (node->name.count == 0) {
        return rf_text_printf(out, err, "cel.index(@%u)", node->local);
    }
    return rf_text_append(out, node->name, err);
}

static enum rf_status macro_write(struct rf_text *out, const struct rf_node *node, struct rf_error *err)
{
    const char *name = rf_function_info(node->function)->text;
    if (node->function == RF_FN_BLOCK) {
        RF_TRY(rf_text_printf(out, err, "%s(@%u, ", name, node->local));
        RF_TRY(args_write(out, node, 0, err));
        return rf_text_append_char(out, ')', err);
    }
    if (node->function != RF_FN_BIND) {
        RF_TRY(operand_write(out, node->arg[0], STRENGTH_POSTFIX, err));
        RF_TRY(rf_text_append_char(out, '.', err));
    }
    RF_TRY(rf_text_printf(out, err, "%s(", name));
    for (uint32_t v = 0; v < node->variables; v++) {
        RF_TRY(rf_text_append(out, node->variable[v], err));
        RF_TRY(rf_text_append(out, RF_STR(", "), err));
    }
    RF_TRY(args_write(out, node, node->function == RF_FN_BIND ? 0 : 1, err));
    return rf_text_append_char(out, ')', err);
}

enum rf_status rf_node_write(struct rf_text *out, const struct rf_node *node, struct rf_error *err)
{
    switch (node->kind) {
    case RF_NODE_LITERAL:
        return rf_literal_write(out, node->literal, err);
    case RF_NODE_IDENT:
        return rf_text_append(out, node->name, err);
    case RF_NODE_LOCAL:
        return local_write(out, node, err);
    case RF_NODE_BINDING:
    case RF_NODE_PARAMETER:
        return rf_text_append(out, node->name, err);
    case RF_NODE_FAILURE:
        return rf_text_printf(out, err, "error(\"%.*s\")", RF_STR_ARG(node->literal.text));
    case RF_NODE_MACRO:
        return macro_write(out, node, err);
    case RF_NODE_ENTRY:
        RF_TRY(rf_text_append_char(out, '?', err));
        return rf_node_write(out, node->arg[0], err);
    case RF_NODE_MESSAGE:
        return rf_text_append(out, RF_STR("message"), err); /* gone when names are resolved */
    case RF_NODE_SELECT:
        RF_TRY(operand_write(out, node->arg[0], STRENGTH_POSTFIX, err));
        if (node->is_optional) {
            return rf_text_printf(out, err, ".?`%.*s`", RF_STR_ARG(node->name));
        }
        return rf_member_write(out, node->name, err);
    case RF_NODE_INDEX:
        RF_TRY(operand_write(out, node->arg[0], STRENGTH_POSTFIX, err));
        if (node->arg[1]->kind == RF_NODE_LITERAL && node->arg[1]->literal.type == RF_TYPE_STRING &&
            !node->is_optional) {
            return rf_member_write(out, node->arg[1]->literal.text, err);
        }
        RF_TRY(rf_text_append(out, node->is_optional ? RF_STR("[?") : RF_STR("["), err));
        RF_TRY(rf_node_write(out, node->arg[1], err));
        return rf_text_append_char(out, ']', err);
    case RF_NODE_HAS:
        RF_TRY(rf_text_append(out, RF_STR("has("), err));
        RF_TRY(operand_write(out, node->arg[0], STRENGTH_POSTFIX, err));
        /* has() takes no index, so an odd name is written as the source had it. */
        if (name_is_plain(node->name)) {
            return rf_text_printf(out, err, ".%.*s)", RF_STR_ARG(node->name));
        }
        return rf_text_printf(out, err, ".`%.*s`)", RF_STR_ARG(node->name));
    case RF_NODE_CALL:
        return call_write(out, node, err);
    case RF_NODE_LIST:
    case RF_NODE_MAP: {
        const bool is_map = node->kind == RF_NODE_MAP;
        RF_TRY(rf_text_append_char(out, is_map ? '{' : '[', err));
        RF_TRY(args_write(out, node, 0, err));
        return rf_text_append_char(out, is_map ? '}' : ']', err);
    }
    }
    return RF_OK;
}
