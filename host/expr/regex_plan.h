/* regex_plan.h: constant patterns of matches(), compiled once.
 *
 * Purpose    Sets node->regex of every MATCHES with a literal pattern in a folded tree, and node->subjects of every SUBJECT
 *            with literal patterns.
 * Ownership  tables live in the arena.
 * Threads    one tree, one thread. Recursion is bounded by node->depth.
 * Errors     RF_E_EXPR with *diagnostic for a pattern that is no regular expression, at the pattern; with is_unchecked
 *            it is left to the evaluation, where it is an error value. RF_E_LIMIT.
 */
#ifndef RF_REGEX_PLAN_H
#define RF_REGEX_PLAN_H

#include "ast.h"
#include "diagnostic.h"

enum rf_status rf_regexes_compile(struct rf_node *root, struct rf_str source, bool is_unchecked,
                                  struct rf_arena *arena, struct rf_diagnostic *diagnostic, struct rf_error *err);

#endif
