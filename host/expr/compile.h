/* compile.h: several expressions to one shared program.
 *
 * Purpose    rf_compile = rf_parse, rf_resolve (names), rf_infer (types), rf_fold (constants), then the planner (slots, atoms, boolean
 *            program, prefilter). Predicates fill program.output; projections only add slots (their values are read
 *            by the interpreter from the record).
 * Ownership  struct rf_compiled owns one arena with everything in it; rf_compiled_close frees it.
 * Threads    immutable after rf_compile: any number of threads may run it.
 * Bounds     parser.h for one expression; slots.h, atoms.h and planner.h for all together: RF_E_LIMIT.
 * Errors     RF_E_EXPR: *diagnostic and *failed (which expression: predicates first, then projections) are filled.
 */
#ifndef RF_COMPILE_H
#define RF_COMPILE_H

#include "ast.h"
#include "diagnostic.h"
#include "env.h"

struct rf_compile_options {
    bool is_strict_cel; /* no promotion of int literals beside message numbers */
    bool is_text;       /* -f text: msg does not exist; only raw and record */
    bool is_lifting;    /* literals become variables behind the declared ones (lift.h) */
    bool plans_values;  /* program.value[] of the projections, for engines that compute them (table.h) */
    const struct rf_env *env; /* NULL: rf_env_filter */
};

struct rf_compiled {
    struct rf_arena arena;
    struct rf_compile_options options;
    struct rf_program program;
    struct rf_str *source;       /* [predicates + projections] what the spans of their trees are places in */
    struct rf_span *written;     /* [predicates + projections] what of the source is the expression: as compiled, all */
    struct rf_node **predicate;  /* [program.predicates] trees for interp and explain */
    struct rf_node **projection; /* [projections] */
    uint32_t projections;
    uint32_t locals;             /* variables of macros that one evaluation needs */
    const struct rf_value *lifted; /* [lifted_count] what the literals are that were lifted */
    uint32_t lifted_count;
    struct rf_node **host;       /* [hosts] trees that atoms refer to by atom.host */
    const char **host_reason;    /* [hosts] why, or for which rows */
    uint32_t hosts;
    uint32_t *host_end;          /* [program.predicates] hosts of the predicates up to and with this one */
};

enum rf_status rf_compile(const struct rf_str *predicates, uint32_t predicate_count, const struct rf_str *projections,
                          uint32_t projection_count, struct rf_compile_options options, struct rf_compiled *out,
                          struct rf_diagnostic *diagnostic, uint32_t *failed, struct rf_error *err);
void rf_compiled_close(struct rf_compiled *compiled);

/* What `riffle explain` prints: the folded expression with types, slots, atoms (vector form or host and why), the
 * boolean program and the prefilter. */
enum rf_status rf_explain(const struct rf_compiled *compiled, struct rf_text *out, struct rf_error *err);

#endif
