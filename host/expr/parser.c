#include "parser.h"

#include "parser_state.h"
#include "utf8.h"

enum { /* binding strength of the binary operators, weakest first */
       LEVEL_OR = 1,
       LEVEL_AND,
       LEVEL_RELATION,
       LEVEL_SUM,
       LEVEL_PRODUCT
};

/* The dot is taken: .name, .?name or .name(...) */
static struct rf_node *parse_member(struct rf_parser *p, struct rf_node *operand)
{
    const bool is_optional = p->token.kind == RF_TOKEN_QUESTION;
    if (is_optional && !rf_parser_take(p)) {
        return NULL;
    }
    const struct rf_token name = p->token;
    if (name.kind == RF_TOKEN_TRUE || name.kind == RF_TOKEN_FALSE || name.kind == RF_TOKEN_NULL ||
        name.kind == RF_TOKEN_IN) {
        RF_PARSER_FAIL(p, name.span, "%s is a keyword; a field of this name is written in backticks",
                       rf_token_text(name.kind));
        return NULL;
    }
    if (name.kind != RF_TOKEN_IDENT && name.kind != RF_TOKEN_RESERVED && name.kind != RF_TOKEN_BACKTICK) {
        return rf_parser_fail_expected(p, "a field name behind '.'");
    }
    if (!rf_parser_take(p)) {
        return NULL;
    }
    if (p->token.kind == RF_TOKEN_PAREN_OPEN && !is_optional) {
        return rf_parse_call(p, operand, name, false, operand->span.begin);
    }
    struct rf_node *node = rf_parser_select(p, operand, name.text, rf_span_of(operand->span.begin, name.span.end));
    if (node != NULL) {
        node->is_optional = is_optional;
        node->name_span = name.span;
        node->has_backtick = name.kind == RF_TOKEN_BACKTICK;
    }
    return node;
}

/* The bracket is taken: [key] or [?key] */
static struct rf_node *parse_index(struct rf_parser *p, struct rf_node *operand)
{
    const bool is_optional = p->token.kind == RF_TOKEN_QUESTION;
    if (is_optional && !rf_parser_take(p)) {
        return NULL;
    }
    struct rf_node *key = rf_parse_expr(p);
    if (key == NULL || !rf_parser_expect(p, RF_TOKEN_INDEX_SHUT)) {
        return NULL;
    }
    struct rf_node *node = rf_parser_node(p, RF_NODE_INDEX, rf_span_of(operand->span.begin, p->taken_end), 2);
    if (node == NULL) {
        return NULL;
    }
    node->arg[0] = operand;
    node->arg[1] = key;
    node->is_optional = is_optional;
    return rf_parser_finish(p, node);
}

/* google.protobuf.Int32Value and the like: names joined by dots. */
static bool node_is_name(const struct rf_node *node)
{
    while (node->kind == RF_NODE_SELECT && !node->is_optional && !node->has_backtick) {
        node = node->arg[0];
    }
    return node->kind == RF_NODE_IDENT;
}

static struct rf_node *parse_postfix(struct rf_parser *p, struct rf_node *node)
{
    while (node != NULL) {
        switch (p->token.kind) {
        case RF_TOKEN_DOT:
            node = rf_parser_take(p) ? parse_member(p, node) : NULL;
            break;
        case RF_TOKEN_INDEX_OPEN:
            node = rf_parser_take(p) ? parse_index(p, node) : NULL;
            break;
        case RF_TOKEN_BRACE_OPEN:
            if (!node_is_name(node)) {
                return node;
            }
            node = rf_parser_take(p) ? rf_parse_message(p, node) : NULL;
            break;
        default:
            return node;
        }
    }
    return NULL;
}

/* Hangs the operand below a chain of sign nodes, outermost first. */
static struct rf_node *signs_finish(struct rf_parser *p, struct rf_node *chain, uint32_t signs, struct rf_node *operand)
{
    if (operand == NULL || signs == 0) {
        return operand;
    }
    struct rf_node *node = chain;
    for (uint32_t left = signs; left > 0; left--) {
        node->depth = operand->depth + left;
        node->span.end = operand->span.end;
        if (left == 1) {
            node->arg[0] = operand;
        }
        node = node->arg[0];
    }
    return rf_parser_finish(p, chain);
}

/* Signs are a chain of nodes, not recursion. A minus right before a number belongs to it, so that the smallest int has
 * a literal. */
static struct rf_node *parse_unary(struct rf_parser *p)
{
    struct rf_node *chain = NULL;
    struct rf_node *innermost = NULL;
    uint32_t signs = 0;
    while (p->token.kind == RF_TOKEN_NOT || p->token.kind == RF_TOKEN_MINUS) {
        const struct rf_token sign = p->token;
        if (!rf_parser_take(p)) {
            return NULL;
        }
        const struct rf_token token = p->token;
        if (sign.kind == RF_TOKEN_MINUS && (token.kind == RF_TOKEN_INT || token.kind == RF_TOKEN_DOUBLE)) {
            struct rf_node *number = rf_parser_take(p) ? rf_parse_literal(p, token, true, sign.span.begin) : NULL;
            return signs_finish(p, chain, signs, parse_postfix(p, number));
        }
        struct rf_node *node = rf_parser_node(p, RF_NODE_CALL, sign.span, 1);
        if (node == NULL) {
            return NULL;
        }
        node->function = sign.kind == RF_TOKEN_NOT ? RF_FN_NOT : RF_FN_NEG;
        if (innermost == NULL) {
            chain = node;
        } else {
            innermost->arg[0] = node;
        }
        innermost = node;
        signs++;
    }
    return signs_finish(p, chain, signs, parse_postfix(p, rf_parse_primary(p)));
}

/* The binary operator of a token; 0 when it is none. */
static int operator_level(enum rf_token_kind kind, enum rf_function *function)
{
    static const struct {
        enum rf_token_kind kind;
        enum rf_function function;
        int level;
    } table[] = {
        {RF_TOKEN_OR, RF_FN_OR, LEVEL_OR},          {RF_TOKEN_AND, RF_FN_AND, LEVEL_AND},
        {RF_TOKEN_EQ, RF_FN_EQ, LEVEL_RELATION},    {RF_TOKEN_NE, RF_FN_NE, LEVEL_RELATION},
        {RF_TOKEN_LT, RF_FN_LT, LEVEL_RELATION},    {RF_TOKEN_LE, RF_FN_LE, LEVEL_RELATION},
        {RF_TOKEN_GT, RF_FN_GT, LEVEL_RELATION},    {RF_TOKEN_GE, RF_FN_GE, LEVEL_RELATION},
        {RF_TOKEN_IN, RF_FN_IN, LEVEL_RELATION},    {RF_TOKEN_PLUS, RF_FN_ADD, LEVEL_SUM},
        {RF_TOKEN_MINUS, RF_FN_SUB, LEVEL_SUM},     {RF_TOKEN_STAR, RF_FN_MUL, LEVEL_PRODUCT},
        {RF_TOKEN_SLASH, RF_FN_DIV, LEVEL_PRODUCT}, {RF_TOKEN_PERCENT, RF_FN_MOD, LEVEL_PRODUCT},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (table[i].kind == kind) {
            *function = table[i].function;
            return table[i].level;
        }
    }
    return 0;
}

/* && and || are associative, so a long chain becomes a balanced tree: a thousand alternatives are ten levels deep. */
static struct rf_node *operands_balance(struct rf_parser *p, enum rf_function function, struct rf_operands *list)
{
    while (list->count > 1) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i + 1 < list->count; i += 2) {
            struct rf_node *const pair[2] = {list->item[i], list->item[i + 1]};
            struct rf_node *node =
                rf_parser_call(p, function, rf_span_of(pair[0]->span.begin, pair[1]->span.end), pair, 2);
            if (node == NULL) {
                return NULL;
            }
            list->item[kept++] = node;
        }
        if (list->count % 2 != 0) {
            list->item[kept++] = list->item[list->count - 1];
        }
        list->count = kept;
    }
    return list->item[0];
}

static struct rf_node *parse_binary(struct rf_parser *p, int level_min);

/* operand && operand && ...: the first one is read, its operator is next. */
static struct rf_node *parse_chain(struct rf_parser *p, struct rf_node *first, enum rf_function function, int level)
{
    struct rf_operands list = {0};
    if (!rf_operands_append(p, &list, first)) {
        return NULL;
    }
    enum rf_function next = function;
    while (operator_level(p->token.kind, &next) == level) {
        if (!rf_parser_take(p) || !rf_operands_append(p, &list, parse_binary(p, level + 1))) {
            return NULL;
        }
    }
    return operands_balance(p, function, &list);
}

/* Precedence climbing: operators that bind at least as strongly as level_min; at most five calls deep. */
static struct rf_node *parse_binary(struct rf_parser *p, int level_min)
{
    struct rf_node *left = parse_unary(p);
    while (left != NULL) {
        enum rf_function function = RF_FUNCTION_COUNT;
        const int level = operator_level(p->token.kind, &function);
        if (level == 0 || level < level_min) {
            return left;
        }
        if (level <= LEVEL_AND) {
            left = parse_chain(p, left, function, level);
            continue;
        }
        if (!rf_parser_take(p)) {
            return NULL;
        }
        struct rf_node *right = parse_binary(p, level + 1);
        if (right == NULL) {
            return NULL;
        }
        struct rf_node *const pair[2] = {left, right};
        left = rf_parser_call(p, function, rf_span_of(left->span.begin, right->span.end), pair, 2);
    }
    return NULL;
}

static struct rf_node *parse_choice(struct rf_parser *p)
{
    struct rf_node *condition = parse_binary(p, LEVEL_OR);
    if (condition == NULL || p->token.kind != RF_TOKEN_QUESTION) {
        return condition;
    }
    if (!rf_parser_take(p)) {
        return NULL;
    }
    struct rf_node *yes = parse_binary(p, LEVEL_OR);
    if (yes == NULL || !rf_parser_expect(p, RF_TOKEN_COLON)) {
        return NULL;
    }
    struct rf_node *no = rf_parse_expr(p);
    if (no == NULL) {
        return NULL;
    }
    struct rf_node *const args[3] = {condition, yes, no};
    return rf_parser_call(p, RF_FN_SELECT, rf_span_of(condition->span.begin, no->span.end), args, 3);
}

struct rf_node *rf_parse_expr(struct rf_parser *p)
{
    if (p->nesting == RF_EXPR_DEPTH_MAX) {
        RF_PARSER_FAIL(p, p->token.span, "the expression is nested deeper than %d levels", RF_EXPR_DEPTH_MAX);
        return NULL;
    }
    p->nesting++;
    struct rf_node *node = parse_choice(p);
    p->nesting--;
    return node;
}

/* What stands behind a whole expression. */
static void fail_trailing(struct rf_parser *p)
{
    if (p->token.kind == RF_TOKEN_PAREN_SHUT || p->token.kind == RF_TOKEN_INDEX_SHUT ||
        p->token.kind == RF_TOKEN_BRACE_SHUT) {
        RF_PARSER_FAIL(p, p->token.span, "%s without its opening bracket", rf_token_text(p->token.kind));
    } else if (p->token.kind == RF_TOKEN_IDENT && rf_str_equal(p->token.text, RF_STR("and"))) {
        RF_PARSER_FAIL(p, p->token.span, "expected an operator, found 'and' (did you mean '&&'?)");
    } else if (p->token.kind == RF_TOKEN_IDENT && rf_str_equal(p->token.text, RF_STR("or"))) {
        RF_PARSER_FAIL(p, p->token.span, "expected an operator, found 'or' (did you mean '||'?)");
    } else {
        rf_parser_fail_expected(p, "an operator");
    }
}

enum rf_status rf_parse(struct rf_str source, struct rf_arena *arena, struct rf_node **out,
                        struct rf_diagnostic *diagnostic, struct rf_error *err)
{
    *out = NULL;
    if (source.count > RF_EXPR_BYTES_MAX) {
        return rf_diagnostic_fail(diagnostic, source, 0, 0, err, "the expression has %zu bytes; at most %d are read",
                                  source.count, RF_EXPR_BYTES_MAX);
    }
    const size_t valid = rf_utf8_valid_count(source);
    if (valid != source.count) {
        return rf_diagnostic_fail(diagnostic, source, (uint32_t)valid, (uint32_t)valid + 1, err,
                                  "the expression is no valid UTF-8 (byte 0x%02x)",
                                  (unsigned)(unsigned char)source.data[valid]);
    }
    const struct rf_str copy = rf_arena_copy(arena, source);
    struct rf_parser p = {.lexer = {.source = copy, .arena = arena, .diagnostic = diagnostic}, .err = err};
    if (copy.data == NULL) {
        rf_parser_fail_full(&p);
        return p.status;
    }
    if (!rf_parser_take(&p)) {
        return p.status;
    }
    if (p.token.kind == RF_TOKEN_END) {
        return rf_diagnostic_fail(diagnostic, copy, 0, 0, err, "the expression is empty");
    }
    struct rf_node *node = rf_parse_expr(&p);
    if (node != NULL && p.token.kind != RF_TOKEN_END) {
        fail_trailing(&p);
    }
    if (p.status == RF_OK) {
        *out = node;
    }
    return p.status;
}
