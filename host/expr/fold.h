/* fold.h: constant sub-trees to literals.
 *
 * Purpose    A node whose operands are all literals becomes the literal that rf_operate gives, unless that is an
 *            error: the error stays where it is, for the rows that reach it. `false && x`, `true || x` and `true ? x :
 *            y` are decided whatever x is. has(record.x) is known before the first record.
 * Ownership  new texts and lists live in the arena of the tree; nodes are rewritten in place.
 * Threads    one tree, one thread. Recursion is bounded by node->depth.
 * Errors     none: what does not fold stays.
 */
#ifndef RF_FOLD_H
#define RF_FOLD_H

#include "ast.h"

/* The tree must have passed rf_infer. Returns its root, which may be another node than before. */
struct rf_node *rf_fold(struct rf_node *root, bool is_strict_cel, struct rf_arena *arena);

#endif
