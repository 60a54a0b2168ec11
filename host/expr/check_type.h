/* check_type.h: types as the checker has them: terms with variables, and whether one of them fits another.
 *
 * Purpose    `[]` is list(v) until something says what v is. rf_unifier_fits asks whether values of some types may stand
 *            where others are asked for, and binds variables to find out; rf_unifier_join is the type of a list's
 *            elements.
 * Data       A type is a tree of constant nodes that are shared freely: {a: a} has the type of a twice, by the same
 *            pointer. Only a variable changes: it is bound, and may be widened later (v was int, meets dyn, is dyn).
 * Ownership  types live in the unifier's arena, those of rf_check_type_plain nowhere. Names are borrowed.
 * Threads    one unifier, one thread.
 * Bounds     a type has at most RF_CHECK_NODES_MAX nodes when it is written out and RF_CHECK_DEPTH_MAX levels, and a
 *            unifier takes RF_CHECK_STEPS_MAX steps over types in its life: sharing can say in few bytes what takes
 *            years to compare.
 * Errors     NULL or false with `status` and *err set: RF_E_LIMIT. A false with status RF_OK is an answer.
 * Source     CEL language definition, "Type-checking", "Gradual type checking"; the rules of cel-go's checker for what fits
 *            what, which of two types is the more general, and null.
 */
#ifndef RF_CHECK_TYPE_H
#define RF_CHECK_TYPE_H

#include "arena.h"
#include "status.h"
#include "str.h"
#include "text.h"

enum { RF_CHECK_NODES_MAX = 4096, RF_CHECK_DEPTH_MAX = 512, RF_CHECK_STEPS_MAX = 1 << 23, RF_CHECK_ARGS_MAX = 16 };

enum rf_check_kind {
    RF_CHECK_DYN,
    RF_CHECK_NULL,
    RF_CHECK_BOOL,
    RF_CHECK_INT,
    RF_CHECK_UINT,
    RF_CHECK_DOUBLE,
    RF_CHECK_STRING,
    RF_CHECK_BYTES,
    RF_CHECK_TIMESTAMP,
    RF_CHECK_DURATION,
    RF_CHECK_TYPE,      /* type(arg[0]), or type of no known type */
    RF_CHECK_LIST,      /* list(arg[0]) */
    RF_CHECK_MAP,       /* map(arg[0], arg[1]) */
    RF_CHECK_WRAPPER,   /* arg[0] or null */
    RF_CHECK_NAMED,     /* name(arg[] ...): optional_type, messages, what the caller declares */
    RF_CHECK_VARIABLE,  /* bound or not yet */
    RF_CHECK_PARAMETER, /* of a signature: `number` of its variables, which each call makes anew */
    RF_CHECK_KIND_COUNT
};

struct rf_check_variable;

struct rf_check_type {
    enum rf_check_kind kind;
    uint32_t args;
    uint32_t nodes; /* written out, variables counted as one */
    uint16_t depth;
    uint16_t number;   /* PARAMETER */
    bool has_variable; /* it is or holds a VARIABLE */
    bool has_parameter;
    struct rf_str name; /* NAMED */
    const struct rf_check_type *const *arg;
    struct rf_check_variable *variable; /* VARIABLE */
};

struct rf_check_undo;

struct rf_unifier {
    struct rf_arena *arena;
    struct rf_error *err;
    enum rf_status status;      /* RF_OK, or what went wrong */
    uint32_t steps;             /* taken */
    struct rf_check_undo *undo; /* bindings since the last rf_unifier_fits began */
};

void rf_unifier_init(struct rf_unifier *unifier, struct rf_arena *arena, struct rf_error *err);

/* Of a kind without arguments: DYN to TYPE. */
const struct rf_check_type *rf_check_type_plain(enum rf_check_kind kind);
/* How CEL writes a kind: "list", "null_type"; "" for those that have no name of their own. */
const char *rf_check_kind_name(enum rf_check_kind kind);
bool rf_check_type_is_optional(const struct rf_check_type *type);

/* `arg` is copied; `name` is used by NAMED only. */
const struct rf_check_type *rf_unifier_type(struct rf_unifier *unifier, enum rf_check_kind kind, struct rf_str name,
                                            const struct rf_check_type *const *arg, uint32_t args);
const struct rf_check_type *rf_unifier_list(struct rf_unifier *unifier, const struct rf_check_type *element);
const struct rf_check_type *rf_unifier_map(struct rf_unifier *unifier, const struct rf_check_type *key,
                                           const struct rf_check_type *value);
const struct rf_check_type *rf_unifier_optional(struct rf_unifier *unifier, const struct rf_check_type *inner);
const struct rf_check_type *rf_unifier_parameter(struct rf_unifier *unifier, uint16_t number);
const struct rf_check_type *rf_unifier_variable(struct rf_unifier *unifier); /* a new one, not bound */

/* The type itself, or what the variable that it is stands for: a VARIABLE comes out only when it is not bound. */
const struct rf_check_type *rf_check_type_head(const struct rf_check_type *type);
/* With what its bound variables stand for now in their places. */
const struct rf_check_type *rf_unifier_substitute(struct rf_unifier *unifier, const struct rf_check_type *type);
/* With variable[number] for each parameter. */
const struct rf_check_type *rf_unifier_instantiate(struct rf_unifier *unifier, const struct rf_check_type *type,
                                                   const struct rf_check_type *const *variable);
/* Do values of the given types fit where the wanted ones are asked for? Binds variables of both sides when all of them
 * do, and leaves everything as it was when one does not. */
bool rf_unifier_fits(struct rf_unifier *unifier, const struct rf_check_type *const *given,
                     const struct rf_check_type *const *wanted, uint32_t count);
/* The type of values of both types: the more general one, or dyn when neither fits the other. a may be NULL: b. */
const struct rf_check_type *rf_unifier_join(struct rf_unifier *unifier, const struct rf_check_type *a,
                                            const struct rf_check_type *b);
/* The very same type, variables included. */
bool rf_unifier_is_same(struct rf_unifier *unifier, const struct rf_check_type *a, const struct rf_check_type *b);

/* Appends the type as CEL writes it: "map(string, list(int))". Variables that are not bound are dyn. RF_E_MEMORY,
 * RF_E_LIMIT. */
enum rf_status rf_check_type_write(struct rf_text *out, const struct rf_check_type *type, struct rf_error *err);

#endif
