/* infer.h: which types an expression can have, and whether it can succeed at all.
 *
 * Purpose    rf_infer fills node->type from the leaves up and refuses what no record can make succeed: `"a" < 1`,
 *            `!5`, a predicate that is a number. What may succeed for some record is accepted, so checking never
 *            changes a result. It also checks names: members of `record`, and -f text, which has no message.
 * Data       the types an expression may have are a set of bits (1 << enum rf_type); RF_TYPE_DYN stands for a message
 *            number, which differs from a double by its promotion rule. node->type is the one member of the set, or
 *            RF_TYPE_DYN.
 * Ownership  writes into the tree only.
 * Threads    one tree, one thread. Recursion is bounded by node->depth.
 * Errors     RF_E_EXPR with *diagnostic filled.
 * Source     CEL language definition, "Type-checking", "Standard definitions".
 */
#ifndef RF_INFER_H
#define RF_INFER_H

#include "ast.h"
#include "diagnostic.h"

struct rf_infer_options {
    bool is_strict_cel;
    bool is_text;
    bool is_predicate; /* must be able to give a bool */
    bool is_unchecked; /* nothing is refused: what cannot succeed is an error of the evaluation */
};

enum rf_status rf_infer(struct rf_node *root, struct rf_str source, struct rf_infer_options options,
                        struct rf_diagnostic *diagnostic, struct rf_error *err);

#endif
