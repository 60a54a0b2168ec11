/* expression.h: the expressions on a command line, compiled.
 *
 * Purpose    EXPR becomes predicate 0, the --select expressions the projections. A map literal among them is taken
 *            apart: each member is a projection with the key as its name.
 * Ownership  rf_expression_close frees; texts of argv must outlive it.
 * Threads    the main thread; afterwards immutable.
 * Errors     told on standard error; the result is an exit status.
 */
#ifndef RF_EXPRESSION_H
#define RF_EXPRESSION_H

#include "ahead.h"
#include "compile.h"
#include "flag.h"

struct rf_expression {
    struct rf_compiled compiled;
    const struct rf_str *column; /* [compiled.projections] names; NULL: the only one is written without a name */
    unsigned form;               /* RF_FORM_*: --emit as --select decides it */
    unsigned format;             /* RF_FORMAT_*, not AUTO */
    struct rf_text lowered;      /* --fix-match, and EXPR with it, as one expression */
    struct rf_arena arena;       /* of the dictionary */
    struct rf_env env;           /* of FIX */
    struct rf_ahead ahead;       /* what was read of standard input to find the format; for the source */
};

/* RF_EXIT_DONE, or RF_EXIT_EXPRESSION, RF_EXIT_USAGE, RF_EXIT_FAILURE after the message; then there is nothing to
 * close. */
int rf_expression_open(struct rf_expression *expression, const struct rf_flags *flags);
void rf_expression_close(struct rf_expression *expression);

/* The instant of --now; false when it is not given. RF_E_USAGE: it is none. */
enum rf_status rf_expression_now(const struct rf_flags *flags, bool *has_now, struct rf_instant *now,
                                 struct rf_error *err);

/* What is wrong with an expression, and where, on standard error; in colour as --color says. */
void rf_expression_tell(const struct rf_diagnostic *diagnostic, struct rf_str source, const struct rf_flags *flags);

#endif
