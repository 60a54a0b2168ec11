#include <inttypes.h>
#include <stdio.h>

#include "function.h"
#include "parser_state.h"

/* ---- Names ---- */

static bool name_is(struct rf_str name, const char *text)
{
    return rf_str_equal(name, rf_str_of(text));
}

/* A bare name: a root, or a field of the message. */
static struct rf_node *parse_name(struct rf_parser *p, struct rf_token name)
{
    if (name_is(name.text, "fix") || name_is(name.text, "now")) {
        RF_PARSER_FAIL(p, name.span, "'%.*s' is not available yet (a field of this name is written msg.%.*s)",
                       RF_STR_ARG(name.text), RF_STR_ARG(name.text));
        return NULL;
    }
    const bool is_root = name_is(name.text, "msg") || name_is(name.text, "record") || name_is(name.text, "raw");
    struct rf_node *node = rf_parser_node(p, RF_NODE_IDENT, name.span, 0);
    if (node == NULL) {
        return NULL;
    }
    node->name = is_root ? name.text : RF_STR("msg");
    return is_root ? node : rf_parser_select(p, node, name.text, name.span);
}

static struct rf_node *fail_function(struct rf_parser *p, struct rf_token name)
{
    const char *later = rf_function_later(name.text);
    const char *near = rf_function_suggest(name.text);
    const int shown = rf_parser_shown(name.text);
    if (later != NULL) {
        RF_PARSER_FAIL(p, name.span, "%s '%.*s' is not available yet", later, shown, name.text.data);
    } else if (near != NULL) {
        RF_PARSER_FAIL(p, name.span, "undeclared function '%.*s' (did you mean '%s'?)", shown, name.text.data, near);
    } else {
        RF_PARSER_FAIL(p, name.span, "undeclared function '%.*s'", shown, name.text.data);
    }
    return NULL;
}

/* ---- Calls ---- */

/* After an opening bracket: expressions separated by commas, up to and including the closing one. A trailing comma is
 * allowed in lists only. */
static bool parse_operands(struct rf_parser *p, enum rf_token_kind shut, bool is_trailing_allowed,
                           struct rf_operands *list)
{
    while (p->token.kind != shut || (list->count != 0 && !is_trailing_allowed)) {
        if (p->token.kind == RF_TOKEN_QUESTION) {
            RF_PARSER_FAIL(p, p->token.span, "optional elements are not available yet");
            return false;
        }
        if (!rf_operands_append(p, list, rf_parse_expr(p))) {
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

static struct rf_node *parse_has(struct rf_parser *p, struct rf_token name, const struct rf_operands *args)
{
    const struct rf_span span = rf_span_of(name.span.begin, p->taken_end);
    if (args->count != 1) {
        RF_PARSER_FAIL(p, span, "has() takes 1 argument, not %" PRIu32, args->count);
        return NULL;
    }
    struct rf_node *field = args->item[0];
    if (field->kind != RF_NODE_SELECT) {
        RF_PARSER_FAIL(p, field->span, "has() takes a field, such as has(msg.price)%s",
                       field->kind == RF_NODE_INDEX ? "; write has(a.`b c`) instead of has(a[\"b c\"])" : "");
        return NULL;
    }
    field->kind = RF_NODE_HAS;
    field->span = span;
    return field;
}

/* name(...): the name is taken, the parenthesis is next. */
static struct rf_node *parse_global_call(struct rf_parser *p, struct rf_token name)
{
    const bool is_has = name_is(name.text, "has");
    const enum rf_function function = rf_function_find(name.text);
    if (!is_has && function == RF_FUNCTION_COUNT) {
        return fail_function(p, name);
    }
    if (!is_has && rf_function_info(function)->kind == RF_FUNCTION_METHOD) {
        RF_PARSER_FAIL(p, name.span, "'%.*s' is a method: write x.%.*s(...)", RF_STR_ARG(name.text),
                       RF_STR_ARG(name.text));
        return NULL;
    }
    struct rf_operands args = {0};
    if (!rf_parser_take(p) || !parse_operands(p, RF_TOKEN_PAREN_SHUT, false, &args)) {
        return NULL;
    }
    if (is_has) {
        return parse_has(p, name, &args);
    }
    const struct rf_function_info *info = rf_function_info(function);
    const struct rf_span span = rf_span_of(name.span.begin, p->taken_end);
    if (args.count < info->args_min || args.count > info->args_max) {
        RF_PARSER_FAIL(p, span, "%s() takes %" PRIu32 " argument%s, not %" PRIu32, info->text, info->args_min,
                       info->args_min == 1 ? "" : "s", args.count);
        return NULL;
    }
    return rf_parser_call(p, function, span, args.item, args.count);
}

/* receiver.name(...): the name is taken, the parenthesis is next. */
struct rf_node *rf_parse_method_call(struct rf_parser *p, struct rf_node *receiver, struct rf_token name)
{
    if (name_is(name.text, "has")) {
        RF_PARSER_FAIL(p, name.span, "'has' is no method: write has(msg.field)");
        return NULL;
    }
    const enum rf_function function = rf_function_find(name.text);
    if (name.kind == RF_TOKEN_BACKTICK || function == RF_FUNCTION_COUNT) {
        return fail_function(p, name);
    }
    struct rf_operands args = {0};
    if (!rf_operands_append(p, &args, receiver) || !rf_parser_take(p)) {
        return NULL;
    }
    struct rf_operands more = {0};
    if (!parse_operands(p, RF_TOKEN_PAREN_SHUT, false, &more)) {
        return NULL;
    }
    const struct rf_function_info *info = rf_function_info(function);
    const struct rf_span span = rf_span_of(receiver->span.begin, p->taken_end);
    if (more.count + 1 < info->args_min || more.count + 1 > info->args_max) {
        RF_PARSER_FAIL(p, rf_span_of(name.span.begin, p->taken_end),
                       "%s() takes %" PRIu32 " argument%s behind its receiver, not %" PRIu32, info->text,
                       info->args_min - 1, info->args_min == 2 ? "" : "s", more.count);
        return NULL;
    }
    for (uint32_t i = 0; i < more.count; i++) {
        if (!rf_operands_append(p, &args, more.item[i])) {
            return NULL;
        }
    }
    return rf_parser_call(p, function, span, args.item, args.count);
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
        if (p->token.kind == RF_TOKEN_QUESTION) {
            RF_PARSER_FAIL(p, p->token.span, "optional entries are not available yet");
            return NULL;
        }
        if (!rf_operands_append(p, &items, rf_parse_expr(p)) || !rf_parser_expect(p, RF_TOKEN_COLON) ||
            !rf_operands_append(p, &items, rf_parse_expr(p))) {
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

static struct rf_node *parse_paren(struct rf_parser *p)
{
    struct rf_node *node = rf_parse_expr(p);
    return node != NULL && rf_parser_expect(p, RF_TOKEN_PAREN_SHUT) ? node : NULL;
}

static struct rf_node *fail_primary(struct rf_parser *p, const struct rf_token *token)
{
    switch (token->kind) {
    case RF_TOKEN_DOT:
        RF_PARSER_FAIL(p, token->span, "a leading dot is not available yet");
        return NULL;
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

struct rf_node *rf_parse_primary(struct rf_parser *p)
{
    const struct rf_token token = p->token;
    switch (token.kind) {
    case RF_TOKEN_DOT:
    case RF_TOKEN_BACKTICK:
    case RF_TOKEN_RESERVED:
        return fail_primary(p, &token);
    case RF_TOKEN_IDENT:
        if (!rf_parser_take(p)) {
            return NULL;
        }
        return p->token.kind == RF_TOKEN_PAREN_OPEN ? parse_global_call(p, token) : parse_name(p, token);
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
        return rf_parser_take(p) ? parse_paren(p) : NULL;
    case RF_TOKEN_INDEX_OPEN:
        return rf_parser_take(p) ? parse_list(p, token.span.begin) : NULL;
    case RF_TOKEN_BRACE_OPEN:
        return rf_parser_take(p) ? parse_map(p, token.span.begin) : NULL;
    default:
        return fail_primary(p, &token);
    }
}
