/* resolve.h: names of a parsed tree to what they mean: roots, fields, variables, functions, macros, types.
 *
 * Purpose    rf_parse gives names as written; rf_resolve turns them into the resolved node kinds of ast.h, checks
 *            numbers of arguments, expands has() and the macros, and message constructors into calls and literals.
 * Data       *root may become another node. accesses: what is read of FIX messages, where env->fix is set; else NULL. *locals: variables that macros need at once, at most RF_LOCALS_MAX.
 * Ownership  nodes it makes live in the arena.
 * Threads    one tree, one thread. Recursion is bounded by node->depth.
 * Errors     RF_E_EXPR with *diagnostic filled; RF_E_LIMIT when the arena is full.
 * Source     CEL language definition, "Name Resolution", "Macros"; docs/expressions.md.
 */
#ifndef RF_RESOLVE_H
#define RF_RESOLVE_H

#include "ast.h"
#include "diagnostic.h"
#include "env.h"
#include "fix_access.h"

enum { RF_LOCALS_MAX = 4096 };

enum rf_status rf_resolve(struct rf_node **root, struct rf_str source, const struct rf_env *env,
                          struct rf_fix_accesses *accesses, struct rf_arena *arena, uint32_t *locals,
                          struct rf_diagnostic *diagnostic, struct rf_error *err);

#endif
