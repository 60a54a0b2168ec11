/* check_state.h: what the files of the checker share.
 *
 * Purpose    check.c has names, calls and literals, check_macro.c the macros.
 * Threads    one checker, one thread.
 * Errors     functions that give a type give NULL when they failed: unifier.status, the diagnostic and err say how.
 */
#ifndef RF_CHECK_STATE_H
#define RF_CHECK_STATE_H

#include "check.h"
#include "check_signature.h"
#include "resolve.h"

struct rf_checker {
    struct rf_unifier unifier; /* its status is that of the whole */
    struct rf_str source;
    const struct rf_env *env;
    const struct rf_check_functions *functions;
    struct rf_diagnostic *diagnostic;
    /* Read when they are first needed; NULL before. */
    const struct rf_signature *signatures[RF_FUNCTION_COUNT];
    const struct rf_signature *index_signatures[2];   /* a[b], a[?b] */
    const struct rf_signature **function_signature;   /* [functions->overloads] */
    const struct rf_check_type **binding;             /* [env->declarations] */
    const struct rf_check_type *local[RF_LOCALS_MAX]; /* of the macros around the node */
};

/* check.c */
const struct rf_check_type *rf_check_node(struct rf_checker *checker, const struct rf_node *node);
bool rf_checker_fits(struct rf_checker *checker, const struct rf_check_type *given, const struct rf_check_type *wanted);
/* The head of a type that something is to be read from. What is not known yet becomes dyn, so that nothing said later
 * can contradict what was read. */
const struct rf_check_type *rf_checker_open(struct rf_checker *checker, const struct rf_check_type *type);
/* Both always NULL. The first says `before 'type'after`. */
const struct rf_check_type *rf_checker_fail_type(struct rf_checker *checker, struct rf_span at, const char *before,
                                                 const struct rf_check_type *type, const char *after);
const struct rf_check_type *rf_checker_fail_overload(struct rf_checker *checker, const struct rf_node *node,
                                                     struct rf_str name, bool is_method,
                                                     const struct rf_check_type *const *given, uint32_t count);
/* check_macro.c: a MACRO node. */
const struct rf_check_type *rf_check_macro(struct rf_checker *checker, const struct rf_node *node);

#endif
