/* env.h: what the names in an expression stand for.
 *
 * Purpose    rf_resolve (resolve.h) looks names up here. A filter has a payload: a bare name is a field of the message,
 *            and msg, record, raw and now are roots. A suite of cases has declared variables instead, in a container.
 * Ownership  borrowed by the compiled program: it must live as long.
 * Threads    immutable.
 * Source     CEL language definition, "Name Resolution".
 */
#ifndef RF_ENV_H
#define RF_ENV_H

#include "str.h"
#include "value.h"

struct rf_fix_dict;

struct rf_declaration {
    struct rf_str name; /* qualified: "x", "com.example.y" */
    struct rf_str type; /* as CEL writes it: "int", "map(string, dyn)"; "" for dyn. Used by rf_check only */
};

struct rf_node;

/* A name for a part of expressions. It hides fields of the message; variables of macros may not hide it. */
struct rf_definition {
    struct rf_str name;
    const struct rf_node *tree; /* resolved, over the same FIX accesses */
    uint32_t nodes;             /* in it */
    uint32_t locals;            /* that it needs */
    const char *refusal;        /* the name must not be used here: why; else NULL */
};

/* A name for which values are put in later, by rf_tree_substitute. It hides definitions. */
struct rf_parameter {
    struct rf_str name;
    const struct rf_value *value; /* [values] those that it will have, so that what can never hold is told; NULL: not known */
    size_t stride;                /* bytes from one to the next */
    uint32_t values;
};

struct rf_env {
    bool has_payload;          /* bare names are fields of msg; else only what is declared exists */
    bool is_unchecked;         /* unknown names and functions, and wrong numbers of arguments, are errors of the
                                  evaluation instead of the compilation */
    bool keeps_calls;              /* unknown functions stay as calls, for rf_check */
    bool has_no_macros;        /* all(), exists() ... are functions, which nobody has */
    const struct rf_fix_dict *fix; /* records are FIX messages with these names: a bare name is a field of them, and
                                      `fix` the message; else NULL. With has_payload */
    struct rf_str container;   /* "com.example": where unqualified names are looked up first */
    const struct rf_declaration *declaration; /* variable i is binding i (struct rf_record) */
    uint32_t declarations;
    const struct rf_definition *definition; /* in the byte order of their names, which are distinct */
    uint32_t definitions;
    const struct rf_parameter *parameter; /* [parameters] i is parameter i of rf_tree_substitute */
    uint32_t parameters;
};

extern const struct rf_env rf_env_filter; /* has_payload, nothing declared */

#endif
