/* lift.h: the literals of an expression as columns, so that engines must compute what folding would know beforehand.
 *
 * Purpose    rf_lift turns literals of a resolved tree into variables (RF_NODE_BINDING) behind the declared ones; the
 *            caller binds their values, row by row, and others beside them: rf_lift_neighbours has some that are near the
 *            value, or of another type. `1 < 2` is then asked of two columns, by every engine, for many rows.
 * What stays the pattern of matches() and glob(), the text of format(), names of zones, keys that maps and lists are
 *            indexed by and keys of map literals: engines may ask that these are constants. So do constant maps and names
 *            of types. A list of literals is one literal.
 * Ownership  values, names and texts are in the arena.
 * Threads    one tree, one thread. Recursion is bounded by node->depth.
 * Bounds     RF_LIFT_MAX literals; those behind them stay.
 * Errors     RF_E_LIMIT when the arena is full.
 */
#ifndef RF_LIFT_H
#define RF_LIFT_H

#include "ast.h"

enum { RF_LIFT_MAX = 1024, RF_LIFT_NEIGHBOURS_MAX = 20 };

struct rf_lifted {          /* zero it before the first tree */
    struct rf_value *value; /* [count] what the literals are */
    uint32_t count;
    uint32_t capacity;
};

/* Literal i of all trees so far becomes variable first + i: `first` is the number of declared variables. */
enum rf_status rf_lift(struct rf_node *root, uint32_t first, struct rf_arena *arena, struct rf_lifted *lifted,
                       struct rf_error *err);

/* Values to try in the place of one, the most telling first: RF_TYPE_DYN stands for a missing one. Gives their count,
 * which is smaller when the arena is full. */
uint32_t rf_lift_neighbours(struct rf_value value, struct rf_arena *arena, struct rf_value out[RF_LIFT_NEIGHBOURS_MAX]);

#endif
