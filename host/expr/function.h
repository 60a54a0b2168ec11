/* function.h: the operators and functions of function.def by name, and the names of CEL that riffle does not have yet.
 *
 * Threads    constant tables: any thread.
 */
#ifndef RF_FUNCTION_H
#define RF_FUNCTION_H

#include "ast.h"

enum rf_function_kind {
    RF_FUNCTION_UNARY,
    RF_FUNCTION_BINARY,
    RF_FUNCTION_TERNARY,
    RF_FUNCTION_GLOBAL,
    RF_FUNCTION_METHOD,
    RF_FUNCTION_BOTH
};

struct rf_function_info {
    const char *text;
    enum rf_function_kind kind;
    uint32_t args_min; /* the receiver of a method counts */
    uint32_t args_max;
};

const struct rf_function_info *rf_function_info(enum rf_function function);
bool rf_function_is_operator(enum rf_function function);
/* A named function (no operator); RF_FUNCTION_COUNT when there is none. */
enum rf_function rf_function_find(struct rf_str name);
/* The named function or `has` that was probably meant; NULL when nothing is near. */
const char *rf_function_suggest(struct rf_str name);
/* "macro", "conversion" ... for a name that CEL has and riffle has not yet; NULL for every other name. */
const char *rf_function_later(struct rf_str name);

#endif
