/* check_signature.h: types and signatures from their texts.
 *
 * Purpose    reads the signatures of function.def, and the types that a caller declares variables and functions with.
 * Data       type      = name | name "(" type { "," type } ")"
 *            signature = [ type { "," type } ] ">" type, several of them with ";" between
 *            Names are those of CEL: int, list(T), map(K, V), optional_type(T), timestamp, wrapper(int) ...; also those
 *            of protocol buffers for the types that CEL knows: google.protobuf.Int64Value is wrapper(int). Others stand
 *            for themselves. list, map and optional_type alone hold dyn. param(T) is the type parameter T; in
 *            function.def a single capital letter is one, and `number` is each of int, uint and double.
 * Ownership  what is read lives in the unifier's arena and borrows names from the text.
 * Threads    as the unifier.
 * Errors     RF_E_CONFIG: the text is no type, with its place; RF_E_LIMIT: the arena is full. All with the unifier's
 *            status set, too.
 * Source     CEL language definition, "Type-checking"; the names of cel-go's type formatter.
 */
#ifndef RF_CHECK_SIGNATURE_H
#define RF_CHECK_SIGNATURE_H

#include "check_type.h"

enum { RF_SIGNATURE_ARGS_MAX = 32, RF_SIGNATURE_VARIABLES_MAX = 8 };

struct rf_signature {                /* one overload */
    const struct rf_signature *next; /* in the order of the text; NULL at the last */
    const struct rf_check_type *const *arg;
    const struct rf_check_type *result;
    uint32_t args;
    uint32_t variables; /* type parameters: each call has its own variables for them */
};

/* A type without parameters, as variables are declared with; an empty text is dyn. */
const struct rf_check_type *rf_check_type_read(struct rf_unifier *unifier, struct rf_str text);
/* The signatures of a function of function.def, one for each `number` it may have; NULL for an empty text, too. */
const struct rf_signature *rf_signature_read(struct rf_unifier *unifier, struct rf_str text);
/* One overload of a declared function from the texts of its parts. */
const struct rf_signature *rf_signature_declare(struct rf_unifier *unifier, const struct rf_str *arg, uint32_t args,
                                                struct rf_str result);

#endif
