/* compiler.h: compile.h taken apart, for callers that make trees of their own: one text to many predicates.
 *
 * Purpose    rf_compiler_parse gives the resolved tree of a text, which may be used in definitions (env.h) and copied with
 *            parameters filled in (substitute.h); rf_compiler_predicate and _projection take a tree each, at most once, in
 *            order, and rf_compiler_finish makes the program. rf_compile is this, text by text.
 * Ownership  everything is in out->arena. After an error: rf_compiler_close, then rf_compiled_close(out).
 * Threads    one compiler, one thread.
 * Bounds     the arena's; those of compile.h.
 * Errors     as compile.h: with RF_E_EXPR nothing has been added, and one may go on with another tree.
 */
#ifndef RF_COMPILER_H
#define RF_COMPILER_H

#include "compile.h"
#include "fix_access.h"
#include "lift.h"
#include "planner.h"

enum { RF_PROJECTIONS_MAX = RF_PREDICATES_MAX };

struct rf_compiler {
    struct rf_compiled *out;
    struct rf_planner planner;
    struct rf_lifted lifted;
    struct rf_fix_accesses accesses;
    struct rf_diagnostic *diagnostic;
    struct rf_error *err;
    uint32_t predicates_max, projections_max;
    uint32_t predicates, projections; /* so far */
};

struct rf_parsed { /* an expression, resolved */
    struct rf_str source; /* a copy in the arena */
    struct rf_node *tree;
    uint32_t locals;
};

/* Exactly so many predicates will be added, and at most so many projections. */
enum rf_status rf_compiler_open(struct rf_compiler *compiler, uint32_t predicates, uint32_t projections,
                                size_t arena_bytes, struct rf_compile_options options, struct rf_compiled *out,
                                struct rf_diagnostic *diagnostic, struct rf_error *err);
/* env: NULL for that of the options; another one differs from it in its definitions alone. */
enum rf_status rf_compiler_parse(struct rf_compiler *compiler, struct rf_str source, const struct rf_env *env,
                                 struct rf_parsed *parsed);
/* Types and constants, without adding anything: whether the tree can be used. *tree may become another one. */
enum rf_status rf_compiler_check(struct rf_compiler *compiler, const struct rf_parsed *parsed, bool is_predicate,
                                 struct rf_node **tree);
/* tree: parsed->tree, or a copy of it. */
enum rf_status rf_compiler_predicate(struct rf_compiler *compiler, const struct rf_parsed *parsed, struct rf_node *tree);
enum rf_status rf_compiler_projection(struct rf_compiler *compiler, const struct rf_parsed *parsed,
                                      struct rf_node *tree);
enum rf_status rf_compiler_finish(struct rf_compiler *compiler);
void rf_compiler_close(struct rf_compiler *compiler); /* scratch only */

#endif
