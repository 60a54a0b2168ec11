#include "parser_state.h"

enum { NAME_SHOWN = 48 };

int rf_parser_shown(struct rf_str name)
{
    size_t count = name.count <= NAME_SHOWN ? name.count : NAME_SHOWN;
    while (count > 0 && count < name.count && ((unsigned char)name.data[count] & 0xc0) == 0x80) {
        count--;
    }
    return (int)count;
}

struct rf_node *rf_parser_fail_full(struct rf_parser *p)
{
    p->status =
        rf_error_set(p->err, RF_E_LIMIT, __FILE__, __LINE__, "the expression needs more memory than its bound allows");
    return NULL;
}

/* "expected ')', found ','": the commonest syntax error. */
struct rf_node *rf_parser_fail_expected(struct rf_parser *p, const char *wanted)
{
    const struct rf_token *token = &p->token;
    switch (token->kind) {
    case RF_TOKEN_IDENT:
    case RF_TOKEN_RESERVED:
        RF_PARSER_FAIL(p, token->span, "expected %s, found '%.*s'", wanted, rf_parser_shown(token->text),
                       token->text.data);
        break;
    default:
        RF_PARSER_FAIL(p, token->span, "expected %s, found %s", wanted, rf_token_text(token->kind));
        break;
    }
    return NULL;
}

/* ---- Tokens ---- */

bool rf_parser_take(struct rf_parser *p)
{
    p->taken_end = p->token.span.end;
    p->status = rf_lexer_next(&p->lexer, &p->token, p->err);
    return p->status == RF_OK;
}

bool rf_parser_expect(struct rf_parser *p, enum rf_token_kind kind)
{
    if (p->token.kind != kind) {
        rf_parser_fail_expected(p, rf_token_text(kind));
        return false;
    }
    return rf_parser_take(p);
}

/* ---- Nodes ---- */

struct rf_node *rf_parser_node(struct rf_parser *p, enum rf_node_kind kind, struct rf_span span, uint32_t args)
{
    struct rf_node *node = RF_PUSH(p->lexer.arena, struct rf_node, 1);
    struct rf_node **arg = args == 0 ? NULL : RF_PUSH(p->lexer.arena, struct rf_node *, args);
    if (node == NULL || (args != 0 && arg == NULL)) {
        return rf_parser_fail_full(p);
    }
    *node = (struct rf_node){
        .kind = kind, .type = RF_TYPE_DYN, .span = span, .arg = arg, .args = args, .slot = RF_NONE, .depth = 1};
    return node;
}

/* Every tree is at most RF_EXPR_DEPTH_MAX deep, so that later passes may recurse over it. */
struct rf_node *rf_parser_finish(struct rf_parser *p, struct rf_node *node)
{
    for (uint32_t i = 0; i < node->args; i++) {
        if (node->arg[i]->depth >= node->depth) {
            node->depth = node->arg[i]->depth + 1;
        }
    }
    if (node->depth > RF_EXPR_DEPTH_MAX) {
        RF_PARSER_FAIL(p, node->span, "the expression is nested deeper than %d levels", RF_EXPR_DEPTH_MAX);
        return NULL;
    }
    return node;
}

struct rf_node *rf_parser_call(struct rf_parser *p, enum rf_function function, struct rf_span span,
                               struct rf_node *const *args, uint32_t count)
{
    struct rf_node *node = rf_parser_node(p, RF_NODE_CALL, span, count);
    if (node == NULL) {
        return NULL;
    }
    node->function = function;
    for (uint32_t i = 0; i < count; i++) {
        node->arg[i] = args[i];
    }
    return rf_parser_finish(p, node);
}

struct rf_node *rf_parser_literal_node(struct rf_parser *p, struct rf_span span, struct rf_value value)
{
    struct rf_node *node = rf_parser_node(p, RF_NODE_LITERAL, span, 0);
    if (node != NULL) {
        node->literal = value;
        node->type = value.type;
    }
    return node;
}

struct rf_node *rf_parser_select(struct rf_parser *p, struct rf_node *operand, struct rf_str name, struct rf_span span)
{
    struct rf_node *node = rf_parser_node(p, RF_NODE_SELECT, span, 1);
    if (node == NULL) {
        return NULL;
    }
    node->arg[0] = operand;
    node->name = name;
    return rf_parser_finish(p, node);
}

bool rf_operands_append(struct rf_parser *p, struct rf_operands *list, struct rf_node *node)
{
    if (node == NULL) {
        return false;
    }
    if (list->count == list->capacity) {
        const uint32_t capacity = list->capacity == 0 ? 8 : list->capacity * 2;
        struct rf_node **item = RF_PUSH(p->lexer.arena, struct rf_node *, capacity);
        if (item == NULL) {
            rf_parser_fail_full(p);
            return false;
        }
        if (list->count != 0) {
            memcpy(item, list->item, list->count * sizeof list->item[0]);
        }
        list->item = item;
        list->capacity = capacity;
    }
    list->item[list->count++] = node;
    return true;
}
