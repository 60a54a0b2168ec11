/* node_text.h: syntax tree to source text.
 *
 * Purpose    Explain shows folded expressions; the planner takes the text as the identity of a sub-tree, so that equal
 *            sub-trees are tested once.
 * Data       canonical: one space around binary operators, parentheses only where precedence needs them, strings in
 *            double quotes, message fields with their root (msg.price). Two trees with equal texts have equal values.
 *            Threads pure. Recursion is bounded by node->depth and the nesting of literals, which folding bounds the
 *            same way. Errors RF_E_MEMORY.
 */
#ifndef RF_NODE_TEXT_H
#define RF_NODE_TEXT_H

#include "ast.h"

enum rf_status rf_node_write(struct rf_text *out, const struct rf_node *node, struct rf_error *err);
/* A literal as it is written in an expression: 5, 5u, 5.0, "a", b"\x00", [1, 2], {"a": 1}. */
enum rf_status rf_literal_write(struct rf_text *out, struct rf_value value, struct rf_error *err);
/* "text" with escapes, in double quotes. */
enum rf_status rf_quoted_write(struct rf_text *out, struct rf_str text, struct rf_error *err);
/* .name, or ["name"] when it is no plain identifier. */
enum rf_status rf_member_write(struct rf_text *out, struct rf_str name, struct rf_error *err);

#endif
