/* set_plan.h: a constant list to the set of an IN atom.
 *
 * Data       numbers and strings ascending and distinct; a NaN is left out (it equals nothing).
 * Ownership  arrays live in the arena; texts are borrowed from the list.
 * Threads    pure, apart from the arena.
 * Errors     RF_E_LIMIT when the arena is full.
 */
#ifndef RF_SET_PLAN_H
#define RF_SET_PLAN_H

#include "program.h"
#include "value.h"

/* *is_plain is false, and *set empty, when an item is no null, bool, number or string. */
enum rf_status rf_set_plan(struct rf_arena *arena, const struct rf_list *list, struct rf_set *set, bool *is_plain,
                           struct rf_error *err);

#endif
