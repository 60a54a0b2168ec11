/* check.h: the static type of an expression, as CEL's type checker deduces it.
 *
 * Purpose    rf_check goes through a resolved tree (resolve.h), before it is folded, and deduces the type of each part
 *            from what is declared: variables (env.h), functions (function.def and what the caller adds). It is stricter
 *            than rf_infer (infer.h), which refuses only what no record can make succeed: 1 == 1.0 does not check.
 * Rules      What is read from the payload is dyn, which fits everything. A function's type parameters are variables of
 *            each call. Elements of a list literal, and keys and values of a map literal, get the most general of their
 *            types, or dyn when they are unlike. `[]` is list(v) until its use says what v is; what nothing says is dyn.
 *            null fits timestamps, durations, wrappers, optionals and messages. A call that more than one overload fits
 *            is dyn, unless they agree.
 * Ownership  everything is taken from `arena` and given back; `type_out` is the caller's.
 * Threads    pure: any number of calls over one tree.
 * Bounds     recursion over node->depth; sizes of types and the time to compare them: check_type.h.
 * Errors     RF_E_EXPR with *diagnostic filled: the expression does not check; RF_E_CONFIG: a declared type is none;
 *            RF_E_LIMIT; RF_E_MEMORY. type_out is unchanged then.
 * Source     CEL language definition, "Type-checking", "Gradual type checking"; cel-go's checker for what is not written
 *            down there.
 */
#ifndef RF_CHECK_H
#define RF_CHECK_H

#include "ast.h"
#include "diagnostic.h"
#include "env.h"

/* One overload of a function that function.def does not have, or does not have for these types. Texts as in env.h; the
 * type parameter T is written param(T). */
struct rf_check_overload {
    struct rf_str function; /* qualified by its container: "sort", "com.example.sort" */
    const struct rf_str *params;
    struct rf_str result;
    uint32_t params_count;
    bool is_receiver; /* x.f(y): the receiver is params[0] */
};

struct rf_check_functions {
    const struct rf_check_overload *overload; /* those of one function in the order in which they are tried */
    uint32_t overloads;
};

/* Appends the type of the expression as CEL writes it: "int", "list(int)", "map(string, dyn)", "optional_type(int)".
 * functions: NULL when nothing is declared. */
enum rf_status rf_check(const struct rf_node *root, struct rf_str source, const struct rf_env *env,
                        const struct rf_check_functions *functions, struct rf_arena *arena, struct rf_text *type_out,
                        struct rf_diagnostic *diagnostic, struct rf_error *err);

#endif
