/* substitute.h: copies of resolved trees: definitions where they are used, parameters as literals.
 *
 * Purpose    A rules file names parts of expressions once and uses them often, and writes a rule with parameters once for
 *            thousands of values. The text is parsed and resolved once; after that trees are copied.
 * Ownership  copies live in the arena; texts, literals and parts without parameters are shared with the original.
 * Threads    one tree, one thread. Recursion is bounded by the depth of trees, twice RF_EXPR_DEPTH_MAX at most here.
 * Bounds     RF_NODES_MAX nodes in a tree with its definitions in it: definitions of definitions may double what they are
 *            made of each time.
 * Errors     NULL when the arena is full.
 */
#ifndef RF_SUBSTITUTE_H
#define RF_SUBSTITUTE_H

#include "ast.h"
#include "parser.h"

enum { RF_NODES_MAX = RF_EXPR_BYTES_MAX }; /* as many as a text without definitions can have */

/* A copy that stands at `span` of another source, below macros whose variables are numbered up to `locals`. */
struct rf_node *rf_tree_copy(const struct rf_node *root, struct rf_span span, uint32_t locals, struct rf_arena *arena);
/* Nodes in the tree, counted up to RF_NODES_MAX + 1. */
uint32_t rf_tree_count(const struct rf_node *root);
/* Sets depth and has_parameter of every node anew; gives the depth. */
uint32_t rf_tree_measure(struct rf_node *root);
/* The tree with value[i] in the place of parameter i. Parts without parameters are the original's: what works in place on
 * the copy (rf_infer, rf_fold, the planner) does to them what it did before. */
struct rf_node *rf_tree_substitute(struct rf_node *root, const struct rf_value *value, struct rf_arena *arena);

#endif
