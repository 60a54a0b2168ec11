/* parser_state.h: what the files of the parser share: the token to come, and how nodes are made.
 *
 * Purpose    parser.c has the operators and rf_parse, parser_value.c names, calls and literals, parser_state.c the
 *            rest.
 * Ownership  nodes live in the lexer's arena.
 * Threads    one parser, one thread.
 * Errors     functions that give a node give NULL, and those that give a bool false, when they failed: status, the
 *            lexer's diagnostic and err say how.
 */
#ifndef RF_PARSER_STATE_H
#define RF_PARSER_STATE_H

#include "lexer.h"
#include "parser.h"

struct rf_parser {
    struct rf_lexer lexer;
    struct rf_token token; /* the next one, not taken yet */
    uint32_t taken_end;    /* where the last taken token ended */
    uint32_t nesting;
    enum rf_status status;
    struct rf_error *err;
};

struct rf_operands { /* in the order written */
    struct rf_node **item;
    uint32_t count;
    uint32_t capacity;
};

#define RF_PARSER_FAIL(p, at, ...)                                                                                     \
    ((p)->status =                                                                                                     \
         rf_diagnostic_fail((p)->lexer.diagnostic, (p)->lexer.source, (at).begin, (at).end, (p)->err, __VA_ARGS__))

static inline struct rf_span rf_span_of(uint32_t begin, uint32_t end)
{
    return (struct rf_span){begin, end};
}

/* Bytes of a name that a message repeats. */
int rf_parser_shown(struct rf_str name);
/* Always NULL: the arena is full. */
struct rf_node *rf_parser_fail_full(struct rf_parser *p);
/* Always NULL: "expected ')', found ','". */
struct rf_node *rf_parser_fail_expected(struct rf_parser *p, const char *wanted);

bool rf_parser_take(struct rf_parser *p);
bool rf_parser_expect(struct rf_parser *p, enum rf_token_kind kind);

struct rf_node *rf_parser_node(struct rf_parser *p, enum rf_node_kind kind, struct rf_span span, uint32_t args);
/* Sets the depth of a node whose operands are there; fails beyond RF_EXPR_DEPTH_MAX, so that later passes may
 * recurse. */
struct rf_node *rf_parser_finish(struct rf_parser *p, struct rf_node *node);
struct rf_node *rf_parser_call(struct rf_parser *p, enum rf_function function, struct rf_span span,
                               struct rf_node *const *args, uint32_t count);
struct rf_node *rf_parser_literal_node(struct rf_parser *p, struct rf_span span, struct rf_value value);
struct rf_node *rf_parser_select(struct rf_parser *p, struct rf_node *operand, struct rf_str name, struct rf_span span);
/* false also when node is NULL. */
bool rf_operands_append(struct rf_parser *p, struct rf_operands *list, struct rf_node *node);

/* parser.c */
struct rf_node *rf_parse_expr(struct rf_parser *p);
/* parser_value.c: a value without what follows it. */
struct rf_node *rf_parse_primary(struct rf_parser *p);
/* A number or text that was just taken. is_negative: a minus sign stood before it, at begin. */
struct rf_node *rf_parse_literal(struct rf_parser *p, struct rf_token token, bool is_negative, uint32_t begin);
/* name(...) or receiver.name(...): the name is taken, the parenthesis is next. receiver: NULL for name(...). */
struct rf_node *rf_parse_call(struct rf_parser *p, struct rf_node *receiver, struct rf_token name, bool has_leading_dot,
                              uint32_t begin);
/* Name{ field: value, ... }: the brace is taken. */
struct rf_node *rf_parse_message(struct rf_parser *p, struct rf_node *type);

#endif
