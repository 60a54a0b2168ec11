/* random_part.h: what the parts of the expression generator ask of each other (random_expr.c, random_leaf.c,
 * random_macro.c, random_truth.c).
 *
 * Data       each appends to expr->out what can stand wherever an operand can.
 */
#ifndef RF_TEST_RANDOM_PART_H
#define RF_TEST_RANDOM_PART_H

#include "random_expr.h"

void put_expr(struct random_expr *expr, uint32_t type);
void put_leaf(struct random_expr *expr, uint32_t type);
void put_literal(struct random_expr *expr, uint32_t type);
/* A path that mostly holds a value of the type; false, and nothing is written, when no field does. */
bool put_path(struct random_expr *expr, uint32_t type);
void put_text_literal(struct random_expr *expr, enum flavour flavour);
/* What is written from `begin` on is put in parentheses if no method could be called on it as it stands. */
void receiver_end(struct random_expr *expr, size_t begin);
void put_macro(struct random_expr *expr, uint32_t type);   /* of a bool, list or map */
void put_binding(struct random_expr *expr, uint32_t type); /* cel.bind, cel.block */
void put_optional(struct random_expr *expr, uint32_t inner);
void put_truth(struct random_expr *expr); /* what a filter asks mostly: paths beside constants */
void put_has(struct random_expr *expr);

#endif
