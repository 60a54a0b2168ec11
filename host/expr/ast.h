/* ast.h: the syntax tree of one expression.
 *
 * Ownership  nodes, texts and literals live in the arena given to rf_parse; the source text is copied there too.
 * Threads    mutable only while it is compiled (rf_infer, rf_fold write into it), immutable afterwards.
 */
#ifndef RF_AST_H
#define RF_AST_H

#include "program.h"
#include "value.h"

struct rf_span { /* bytes of the source text */
    uint32_t begin;
    uint32_t end;
};

enum rf_node_kind {
    RF_NODE_LITERAL, /* literal */
    RF_NODE_IDENT,   /* name: a root (msg, record, raw); a bare field is a SELECT of msg */
    RF_NODE_SELECT,  /* arg[0].name */
    RF_NODE_INDEX,   /* arg[0][arg[1]] */
    RF_NODE_HAS,     /* has(arg[0].name): arg[0] is the operand, name the tested field */
    RF_NODE_CALL,    /* operator or function `function` over arg[]; a method's receiver is arg[0] */
    RF_NODE_LIST,    /* arg[] */
    RF_NODE_MAP      /* arg[]: key, value, key, value ... */
};

enum rf_function {
#define RF_FUNCTION(name, text, kind, args_min, args_max, meaning) name,
#include "function.def"
#undef RF_FUNCTION
    RF_FUNCTION_COUNT
};

struct rf_node {
    enum rf_node_kind kind;
    enum rf_function function;
    enum rf_type type;      /* inferred; RF_TYPE_DYN when known only at run time */
    struct rf_span span;
    struct rf_str name;
    struct rf_value literal;
    struct rf_node **arg;
    uint32_t args;
    uint32_t slot;          /* set by the planner: this node is a path to slot; else RF_NONE. HAS: the tested field is a
                               path to slot */
    uint32_t depth;         /* of the tree below, 1 at a leaf, at most RF_EXPR_DEPTH_MAX: recursion over it is bounded */
};

#endif
