/* ast.h: the syntax tree of one expression.
 *
 * Ownership  nodes, texts and literals live in the arena given to rf_parse; the source text is copied there too.
 * Threads    mutable only while it is compiled (rf_resolve, rf_infer, rf_fold write into it), immutable afterwards.
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
    RF_NODE_IDENT,   /* name. Parsed: any name; resolved: `root`, and a bare field is a SELECT of msg */
    RF_NODE_SELECT,  /* arg[0].name; is_optional: arg[0].?name */
    RF_NODE_INDEX,   /* arg[0][arg[1]]; is_optional: arg[0][?arg[1]] */
    RF_NODE_HAS,     /* has(arg[0].name): arg[0] is the operand, name the tested field */
    RF_NODE_CALL,    /* operator or function `function` over arg[]; a method's receiver is arg[0]. Parsed calls of names:
                        function is RF_FUNCTION_COUNT and name is what was written */
    RF_NODE_LIST,    /* arg[] */
    RF_NODE_MAP,     /* arg[]: key, value, key, value ... */
    RF_NODE_MESSAGE, /* parsed only: arg[0]{name: value, ...}; arg[0] the name as a node, then ENTRY nodes with name */
    RF_NODE_ENTRY,   /* [?arg[0]], {?key: arg[0]}: an element that is left out when the optional arg[0] holds nothing */
    RF_NODE_LOCAL,   /* variable `local` of a macro around it */
    RF_NODE_BINDING, /* declared variable `local` (env.h) */
    RF_NODE_MACRO,   /* `function` over the variables from `local` on. arg[0] is what it runs over, the last one the body; of
                        three, arg[1] says for which elements. BLOCK: arg[i] is value of variable local + i, then the
                        body */
    RF_NODE_PARAMETER, /* resolved only: parameter `local`, for which rf_tree_substitute puts a value */
    RF_NODE_FAILURE  /* an unknown name where those are errors of the evaluation: literal is the error */
};

enum rf_ident { RF_IDENT_MSG, RF_IDENT_RECORD, RF_IDENT_RAW, RF_IDENT_NOW };

struct rf_regex;
struct rf_subject_set;
struct rf_fix_entries;

struct rf_node {
    enum rf_node_kind kind;
    enum rf_function function;
    enum rf_type type;      /* inferred; RF_TYPE_DYN when known only at run time */
    enum rf_ident root;     /* IDENT */
    bool is_optional;
    bool has_receiver;      /* parsed calls: arg[0] is written before the name */
    bool has_backtick;      /* parsed selects: the name stood in backticks, so it is no part of a qualified name */
    bool has_leading_dot;   /* parsed names and calls: .name, which no variable of a macro hides */
    bool has_parameter;     /* set by rf_tree_measure: a PARAMETER stands here or below */
    uint8_t variables;      /* MACRO: 1 or 2 that each element sets */
    struct rf_span span;
    struct rf_span name_span; /* CALL of a name, SELECT: where the name stands */
    struct rf_str name;
    struct rf_value literal;
    struct rf_node **arg;
    uint32_t args;
    uint32_t local;
    const struct rf_str *variable; /* MACRO: [variables] names, for texts only */
    uint32_t slot;          /* set by the planner: this node is a path to slot; else RF_NONE. HAS: the tested field is a
                               path to slot */
    uint32_t depth;         /* of the tree below, 1 at a leaf, at most RF_EXPR_DEPTH_MAX: recursion over it is bounded */
    const struct rf_fix_entries *entries; /* of FIX groups, where the node is known to give them (resolve_entry.c); else NULL */
    const struct rf_regex *regex; /* MATCHES with a constant pattern; else NULL */
    const struct rf_subject_set *subjects; /* SUBJECT with constant patterns; else NULL */
};

#endif
