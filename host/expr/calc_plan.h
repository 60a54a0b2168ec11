/* calc_plan.h: trees to computed columns: lower(symbol), timestamp(ts) + duration("5m"), c ? a : b ...
 *
 * Purpose    rf_calcs_can says whether a tree has a form over columns of cells; rf_calcs_plan makes it: constants and
 *            computations of program.h, equal ones once over all predicates. Part of the planner.
 * Data       a term (program.h) for every node of such a tree.
 * Bounds     RF_CALCS_MAX computations, RF_CONSTANTS_MAX constants.
 * Ownership  everything lives in the arena; trees are borrowed.
 * Threads    one thread. Recursion is bounded by node->depth.
 * Errors     RF_E_LIMIT: a bound is met or the arena is full.
 */
#ifndef RF_CALC_PLAN_H
#define RF_CALC_PLAN_H

#include "intern.h"
#include "slots.h"

enum { RF_CALCS_MAX = 65536, RF_CONSTANTS_MAX = 65536 };

struct rf_calcs {
    struct rf_arena *arena;
    bool is_strict_cel;
    struct rf_constant *constant;
    uint32_t constants;
    uint32_t constants_capacity;
    struct rf_calc *calc;
    uint32_t calcs;
    uint32_t calcs_capacity;
    struct rf_intern known;  /* constant or computation to term */
    struct rf_text key;      /* scratch */
    struct rf_bound {
        uint32_t local;
        uint32_t term;
    } *bound; /* [bounds] variables that cel.bind and cel.block name here; of one that is named again the last counts */
    uint32_t bounds;
    uint32_t bounds_capacity;
    /* Of the program that a macro runs; zero in the outermost one. */
    struct rf_calcs *outer;
    uint32_t local;          /* first of its variables */
    uint32_t variables;
    uint32_t *capture;       /* [captures] terms of outer */
    uint32_t captures;
    uint32_t captures_capacity;
};

void rf_calcs_open(struct rf_calcs *calcs, struct rf_arena *arena, bool is_strict_cel);
void rf_calcs_close(struct rf_calcs *calcs); /* the scratch only */
/* NULL when the tree has such a form; else why it has none. Variables are taken as known: ask of whole leaves only. */
const char *rf_calcs_obstacle(const struct rf_node *node);
/* Of a tree that has none: the innermost node that is an obstacle; rf_calcs_obstacle of it is the reason. */
const struct rf_node *rf_calcs_obstacle_node(const struct rf_node *node);
static inline bool rf_calcs_can(const struct rf_node *node)
{
    return rf_calcs_obstacle(node) == NULL;
}
/* Of a tree that can; its paths have their slots (rf_atoms_use_tree). */
enum rf_status rf_calcs_plan(struct rf_calcs *calcs, const struct rf_node *node, uint32_t *term, struct rf_error *err);

#endif
