/* interp_state.h: what the files of the interpreter share.
 *
 * Purpose    interp.c has the entry points, interp_eval.c operators and calls, interp_path.c names and paths,
 *            interp_macro.c the macros.
 * Data       an operand is a value, or the place in the record's tree where it stands: a path is followed, and a list is
 *            run over, without making values of what is passed. An error value carries the node that gave it: the
 *            evaluation of every node ends with rf_interp_own, the innermost first, and who passes an error on passes
 *            its origin on.
 * Threads    one interpreter, one thread. Recursion is as deep as the expression (RF_EXPR_DEPTH_MAX).
 */
#ifndef RF_INTERP_STATE_H
#define RF_INTERP_STATE_H

#include "interp.h"
#include "json_tree.h"
#include "json_value.h"
#include "operate.h"

enum { RF_INTERP_ERROR_MAX = 192 };

struct rf_operand {
    bool is_place;
    uint32_t node; /* of the tree */
    struct rf_value value;
};

struct rf_interp {
    const struct rf_compiled *compiled;
    struct rf_interp_options options;
    bool uses_raw;
    struct rf_arena arena;     /* tree and values of one record */
    struct rf_arena_mark mark; /* behind the tree */
    struct rf_record record;
    struct rf_tree tree;
    uint32_t *place;          /* [program.nodes] where each path leads in the tree, RF_NONE where it ends early */
    bool has_places;          /* of the record at hand */
    struct rf_operand *local; /* [compiled->locals] variables of macros */
    uint32_t macros;          /* that are being evaluated, within each other */
    uint64_t work;            /* of the outermost of them so far (RF_WORK_MAX) */
    char error[RF_INTERP_ERROR_MAX];
    size_t error_count;
    struct rf_span error_span;
};

static inline struct rf_operand rf_operand_value(struct rf_value value)
{
    return (struct rf_operand){.value = value};
}

static inline struct rf_operand rf_operand_place(uint32_t node)
{
    return (struct rf_operand){.is_place = true, .node = node};
}

static inline enum rf_type rf_operand_type(const struct rf_interp *interp, const struct rf_operand *operand)
{
    return operand->is_place ? rf_json_type(&interp->tree, operand->node) : operand->value.type;
}

/* The value at a place. Numbers cost nothing: what parses columns reads them once. */
static inline struct rf_value rf_place_read(struct rf_interp *interp, uint32_t node)
{
    const struct rf_tree_node *at = &interp->tree.node[node];
    interp->work += at->kind == RF_TREE_SCALAR ? 0 : at->end - at->begin;
    return rf_json_value(&interp->tree, node, &interp->arena);
}

static inline struct rf_value rf_operand_read(struct rf_interp *interp, const struct rf_operand *operand)
{
    return operand->is_place ? rf_place_read(interp, operand->node) : operand->value;
}

/* An error that nobody has given so far is the node's. */
static inline struct rf_value rf_interp_own(const struct rf_node *node, struct rf_value value)
{
    if (value.type == RF_TYPE_ERROR && value.origin == NULL) {
        value.origin = node;
    }
    return value;
}

/* interp_eval.c: the value of a node; an error when it cannot be used. */
struct rf_value rf_interp_eval(struct rf_interp *interp, const struct rf_node *node);
/* A value that is only passed on, into a list, a map or the output: a number beyond range may pass as it is written. */
struct rf_value rf_interp_pass(struct rf_interp *interp, const struct rf_node *node);
/* The value of a node that should have been a bool, as an error. */
struct rf_value rf_interp_no_bool(struct rf_interp *interp, const struct rf_node *node, struct rf_value value);
/* interp_path.c */
struct rf_operand rf_interp_operand(struct rf_interp *interp, const struct rf_node *node);
struct rf_value rf_interp_has(struct rf_interp *interp, const struct rf_node *node);
/* interp_macro.c */
struct rf_value rf_interp_macro(struct rf_interp *interp, const struct rf_node *node);

#endif
