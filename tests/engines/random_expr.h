/* random_expr.h: expressions over the fields of random_field.def.
 *
 * Purpose    Mostly well-typed text in all of the language: every function of function.def by its signatures, macros
 *            within macros, bindings, optionals, has(), literals with computed parts, paths of every form. A few are of a
 *            wrong type on purpose, and some the compiler refuses: the caller asks for another one then.
 * Data       scope[scopes]: variables of macros around the place that is being written
 *            kept: texts written before that read no variable; they are written again, so that predicates of one program
 *            share atoms and columns
 * Ownership  borrows the choice; random_expr_close frees the texts.
 * Threads    one thread.
 * Bounds     at most BUDGET_MAX calls, macros and operators in one expression.
 */
#ifndef RF_TEST_RANDOM_EXPR_H
#define RF_TEST_RANDOM_EXPR_H

#include "random_field.h"

enum { SCOPES_MAX = 32, KEPT_MAX = 32, BUDGET_MAX = 40 };

struct variable {
    char name[24]; /* as it is written: x, cel.index(0) */
    uint32_t type;
};

struct kept {
    size_t begin;
    size_t end;
    uint32_t type;
};

struct random_expr {
    struct choice *choice;
    struct rf_text out;
    bool has_payload; /* else the fields are declared variables, and there is no msg, raw, record or now */
    bool is_wild;     /* more of what does not fit */
    bool is_in_block;
    uint32_t left; /* of the budget */
    struct variable scope[SCOPES_MAX];
    uint32_t scopes;
    struct rf_text kept_text;
    struct kept kept[KEPT_MAX];
    uint32_t kepts;
};

struct random_expr random_expr_open(struct choice *choice, bool has_payload);
void random_expr_close(struct random_expr *expr);
/* One expression into expr->out, in the place of the last one. */
void random_predicate(struct random_expr *expr);
void random_value_expr(struct random_expr *expr);

#endif
