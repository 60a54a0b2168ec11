#include <inttypes.h>
#include <stdio.h>

#include "parser_state.h"

/* ---- Names and calls ---- */

static struct rf_node *parse_name(struct rf_parser *p, struct rf_token name, bool has_leading_dot, uint32_t begin)
{
    struct rf_node *node = rf_parser_node(p, RF_NODE_IDENT, rf_span_of(begin, name.span.end), 0);
    if (node != NULL) {
        node->name = name.text;
        node->has_leading_dot = has_leading_dot;
    }
    return node;
}

/* A `?` before an element or entry: it is left out when its optional holds nothing. */
static bool parse_optional_mark(struct rf_parser *p, bool *is_optional)
{
    *is_optional = p->token.kind == RF_TOKEN_QUESTION;
    return !*is_optional || rf_parser_take(p);
}

static struct rf_node *parse_entry(struct rf_parser *p, bool is_optional, uint32_t begin)
{
    struct rf_node *value = rf_parse_expr(p);
    if (value == NULL || !is_optional) {
        return value;
    }
    struct rf_node *entry = rf_parser_node(p, RF_NODE_ENTRY, rf_span_of(begin, value->span.end), 1);
    if (entry == NULL) {
        return NULL;
    }
    entry->is_optional = true;
    entry->arg[0] = value;
    return rf_parser_finish(p, entry);
}

/* After an opening bracket: expressions separated by commas, up to and including the closing one. Lists may have a
 * trailing comma and optional elements. */
static bool parse_operands(struct rf_parser *p, enum rf_token_kind shut, bool is_list, struct rf_operands *list)
{
    while (p->token.kind != shut || (list->count != 0 && !is_list)) {
        const uint32_t begin = p->token.span.begin;
        bool is_optional = false;
        if (is_list && !parse_optional_mark(p, &is_optional)) {
            return false;
        }
        if (!rf_operands_append(p, list, parse_entry(p, is_optional, begin))) {
            return false;
        }
        if (p->token.kind != RF_TOKEN_COMMA) {
            break;
        }
        if (!rf_parser_take(p)) {
            return false;
        }
    }
    if (p->token.kind != shut) {
        char wanted[16];
        snprintf(wanted, sizeof wanted, "',' or %s", rf_token_text(shut));
        rf_parser_fail_expected(p, wanted);
        return false;
    }
    return rf_parser_take(p);
}

/* name(...) or receiver.name(...): the name is taken, the parenthesis is next. */
struct rf_node *rf_parse_call(struct rf_parser *p, struct rf_node *receiver, struct rf_token name, bool has_leading_dot,
                              uint32_t begin)
{
    struct rf_operands args = {0};
    if (name.kind == RF_TOKEN_BACKTICK) {
        RF_PARSER_FAIL(p, name.span, "a name in backticks is a field, not a function");
        return NULL;
    }
    if ((receiver != NULL && !rf_operands_append(p, &args, receiver)) || !rf_parser_take(p)) {
        return NULL;
    }
    struct rf_operands more = {0};
    if (!parse_operands(p, RF_TOKEN_PAREN_SHUT, false, &more)) {
        return NULL;
    }
    for (uint32_t i = 0; i < more.count; i++) {
        if (!rf_operands_append(p, &args, more.item[i])) {
            return NULL;
        }
    }
    struct rf_node *node = rf_parser_node(p, RF_NODE_CALL, rf_span_of(begin, p->taken_end), 0);
    if (node == NULL) {
        return NULL;
    }
    node->function = RF_FUNCTION_COUNT;
    node->name = name.text;
    node->name_span = name.span;
    node->has_receiver = receiver != NULL;
    node->has_leading_dot = has_leading_dot;
    node->arg = args.item;
    node->args = args.count;
    return rf_parser_finish(p, node);
}

/* Name{ field: value, ... }: the brace is taken. */
struct rf_node *rf_parse_message(struct rf_parser *p, struct rf_node *type)
{
    struct rf_operands items = {0};
    if (!rf_operands_append(p, &items, type)) {
        return NULL;
    }
    while (p->token.kind != RF_TOKEN_BRACE_SHUT) {
        const uint32_t begin = p->token.span.begin;
        bool is_optional;
        if (!parse_optional_mark(p, &is_optional)) {
            return NULL;
        }
        const struct rf_token name = p->token;
        if (name.kind != RF_TOKEN_IDENT && name.kind != RF_TOKEN_RESERVED && name.kind != RF_TOKEN_BACKTICK) {
            return rf_parser_fail_expected(p, "a field name");
        }
        if (!rf_parser_take(p) || !rf_parser_expect(p, RF_TOKEN_COLON)) {
            return NULL;
        }
        struct rf_node *value = rf_parse_expr(p);
        struct rf_node *entry = value == NULL
                                    ? NULL
                                    : rf_parser_node(p, RF_NODE_ENTRY, rf_span_of(begin, value->span.end), 1);
        if (entry == NULL) {
            return NULL;
        }
        entry->name = name.text;
        entry->name_span = name.span;
        entry->is_optional = is_optional;
        entry->arg[0] = value;
        if (!rf_operands_append(p, &items, rf_parser_finish(p, entry))) {
            return NULL;
        }
        if (p->token.kind != RF_TOKEN_COMMA) {
            break;
        }
        if (!rf_parser_take(p)) {
            return NULL;
        }
    }
    if (p->token.kind != RF_TOKEN_BRACE_SHUT) {
        return rf_parser_fail_expected(p, "',' or '}'");
    }
    if (!rf_parser_take(p)) {
        return NULL;
    }
    struct rf_node *node = rf_parser_node(p, RF_NODE_MESSAGE, rf_span_of(type->span.begin, p->taken_end), 0);
    if (node == NULL) {
        return NULL;
    }
    node->arg = items.item;
    node->args = items.count;
    return rf_parser_finish(p, node);
}

/* ---- Primaries ---- */

static struct rf_node *parse_list(struct rf_parser *p, uint32_t begin)
{
    struct rf_operands items = {0};
    if (!parse_operands(p, RF_TOKEN_INDEX_SHUT, true, &items)) {
        return NULL;
    }
    struct rf_node *node = rf_parser_node(p, RF_NODE_LIST, rf_span_of(begin, p->taken_end), 0);
    if (node == NULL) {
        return NULL;
    }
    node->arg = items.item;
    node->args = items.count;
    return rf_parser_finish(p, node);
}

/* key: value, ... } with a trailing comma allowed. */
static struct rf_node *parse_map(struct rf_parser *p, uint32_t begin)
{
    struct rf_operands items = {0};
    while (p->token.kind != RF_TOKEN_BRACE_SHUT) {
        const uint32_t entry_begin = p->token.span.begin;
        bool is_optional;
        if (!parse_optional_mark(p, &is_optional) || !rf_operands_append(p, &items, rf_parse_expr(p)) ||
            !rf_parser_expect(p, RF_TOKEN_COLON) ||
            !rf_operands_append(p, &items, parse_entry(p, is_optional, entry_begin))) {
            return NULL;
        }
        if (p->token.kind != RF_TOKEN_COMMA) {
            break;
        }
        if (!rf_parser_take(p)) {
            return NULL;
        }
    }
    if (p->token.kind != RF_TOKEN_BRACE_SHUT) {
        return rf_parser_fail_expected(p, "',' or '}'");
    }
    if (!rf_parser_take(p)) {
        return NULL;
    }
    struct rf_node *node = rf_parser_node(p, RF_NODE_MAP, rf_span_of(begin, p->taken_end), 0);
    if (node == NULL) {
        return NULL;
    }
    node->arg = items.item;
    node->args = items.count;
    return rf_parser_finish(p, node);
}

/* A number or text that was just taken. is_negative: a minus sign stood before it, at begin. */
struct rf_node *rf_parse_literal(struct rf_parser *p, struct rf_token token, bool is_negative, uint32_t begin)
{
    const struct rf_span span = rf_span_of(begin, token.span.end);
    const uint64_t limit = (uint64_t)INT64_MAX + (is_negative ? 1 : 0);
    switch (token.kind) {
    case RF_TOKEN_INT:
        if (token.integer > limit) {
            RF_PARSER_FAIL(p, span, "integer beyond the range of an int (64 bits)");
            return NULL;
        }
        return rf_parser_literal_node(
            p, span, rf_value_int(is_negative ? (int64_t)(0 - token.integer) : (int64_t)token.integer));
    case RF_TOKEN_UINT:
        return rf_parser_literal_node(p, span, rf_value_uint(token.integer));
    case RF_TOKEN_DOUBLE:
        return rf_parser_literal_node(p, span, rf_value_double(is_negative ? -token.number : token.number));
    case RF_TOKEN_BYTES:
        return rf_parser_literal_node(p, span, (struct rf_value){.type = RF_TYPE_BYTES, .text = token.text});
    default:
        return rf_parser_literal_node(p, span, rf_value_string(token.text));
    }
}

/* The parentheses belong to what they hold, so that every span of source is a whole expression. */
static struct rf_node *parse_paren(struct rf_parser *p, uint32_t begin)
{
    struct rf_node *node = rf_parse_expr(p);
    if (node == NULL || !rf_parser_expect(p, RF_TOKEN_PAREN_SHUT)) {
        return NULL;
    }
    node->span = rf_span_of(begin, p->taken_end);
    return node;
}

static struct rf_node *fail_primary(struct rf_parser *p, const struct rf_token *token)
{
    switch (token->kind) {
    case RF_TOKEN_BACKTICK:
        RF_PARSER_FAIL(p, token->span, "a name in backticks stands behind a dot: write msg.`%.*s`",
                       rf_parser_shown(token->text), token->text.data);
        return NULL;
    case RF_TOKEN_RESERVED:
        RF_PARSER_FAIL(p, token->span, "'%.*s' is a reserved word; a field of this name is written msg.%.*s",
                       RF_STR_ARG(token->text), RF_STR_ARG(token->text));
        return NULL;
    default:
        return rf_parser_fail_expected(p, "a value");
    }
}

/* A name without what follows it; begin: where its leading dot stands, if it has one. */
static struct rf_node *parse_word(struct rf_parser *p, bool has_leading_dot, uint32_t begin)
{
    const struct rf_token token = p->token;
    if (token.kind != RF_TOKEN_IDENT) {
        return token.kind == RF_TOKEN_RESERVED ? fail_primary(p, &token) : rf_parser_fail_expected(p, "a name");
    }
    if (!rf_parser_take(p)) {
        return NULL;
    }
    return p->token.kind == RF_TOKEN_PAREN_OPEN ? rf_parse_call(p, NULL, token, has_leading_dot, begin)
                                                : parse_name(p, token, has_leading_dot, begin);
}

struct rf_node *rf_parse_primary(struct rf_parser *p)
{
    const struct rf_token token = p->token;
    switch (token.kind) {
    case RF_TOKEN_BACKTICK:
    case RF_TOKEN_RESERVED:
        return fail_primary(p, &token);
    case RF_TOKEN_DOT:
        return rf_parser_take(p) ? parse_word(p, true, token.span.begin) : NULL;
    case RF_TOKEN_IDENT:
        return parse_word(p, false, token.span.begin);
    case RF_TOKEN_TRUE:
    case RF_TOKEN_FALSE:
        return rf_parser_take(p) ? rf_parser_literal_node(p, token.span, rf_value_bool(token.kind == RF_TOKEN_TRUE))
                                 : NULL;
    case RF_TOKEN_NULL:
        return rf_parser_take(p) ? rf_parser_literal_node(p, token.span, rf_value_null()) : NULL;
    case RF_TOKEN_INT:
    case RF_TOKEN_UINT:
    case RF_TOKEN_DOUBLE:
    case RF_TOKEN_STRING:
    case RF_TOKEN_BYTES:
        return rf_parser_take(p) ? rf_parse_literal(p, token, false, token.span.begin) : NULL;
    case RF_TOKEN_PAREN_OPEN:
        return rf_parser_take(p) ? parse_paren(p, token.span.begin) : NULL;
    case RF_TOKEN_INDEX_OPEN:
        return rf_parser_take(p) ? parse_list(p, token.span.begin) : NULL;
    case RF_TOKEN_BRACE_OPEN:
        return rf_parser_take(p) ? parse_map(p, token.span.begin) : NULL;
    default:
        return fail_primary(p, &token);
    }
}
