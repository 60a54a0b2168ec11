/* function.h: the operators and functions of function.def by name.
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
    RF_FUNCTION_BOTH,
    RF_FUNCTION_MESSAGE,     /* Name{...}: a well-known message of protobuf that is a plain value to CEL */
    RF_FUNCTION_INTERNAL,    /* has no name that can be called */
    RF_FUNCTION_MACRO,       /* x.f(variable, ...) */
    RF_FUNCTION_MACRO_GLOBAL /* f(...) whose arguments are no values */
};

enum rf_family { /* which part of operate.h computes it */
    RF_FAMILY_CORE,
    RF_FAMILY_LOGIC, /* not strict: the evaluators themselves */
    RF_FAMILY_TEXT,
    RF_FAMILY_CONVERT,
    RF_FAMILY_TIME,
    RF_FAMILY_MATH,
    RF_FAMILY_CODE,
    RF_FAMILY_OPTIONAL,
    RF_FAMILY_NET,
    RF_FAMILY_MACRO /* the evaluators themselves */
};

struct rf_function_info {
    const char *text;
    enum rf_function_kind kind;
    enum rf_family family;
    bool has_vector;   /* a form over columns of cells, kernels/calc.h */
    uint32_t args_min; /* the receiver of a method counts, that of a macro does not */
    uint32_t args_max;
    const char *signatures; /* function.def */
    const char *meaning;
};

const struct rf_function_info *rf_function_info(enum rf_function function);
bool rf_function_is_operator(enum rf_function function);
bool rf_function_is_macro(enum rf_function function);
/* A named function, such as "size" or "math.least"; RF_FUNCTION_COUNT when there is none. */
enum rf_function rf_function_find(struct rf_str name);
/* A message by its full name. */
enum rf_function rf_function_find_message(struct rf_str name);
/* The named function that was probably meant, such as "size" for "sizs", "math.abs" for "abs"; NULL when nothing is near. */
const char *rf_function_suggest(struct rf_str name);
/* Does some function's name begin with "space."? */
bool rf_function_is_space(struct rf_str space);

#endif
