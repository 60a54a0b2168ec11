/* prefilter_plan.h: which bytes a record must hold to be selected.
 *
 * Purpose    Fills program.group from the boolean program of the only predicate: each group is a condition without
 *            which the predicate is not true. A comparison with a constant string gives a group of one literal, a list
 *            of strings one of several; && keeps the groups of both sides, || joins one group of each side; nothing
 *            else gives a group. Data literals are 2 to RF_LITERAL_BYTES_MAX bytes without quotes, backslashes,
 *            control bytes and DEL, so that a JSON writer leaves them as they are unless it escapes on purpose. Groups
 *            with the longest literals come first.
 * Bounds     RF_GROUPS_MAX groups of RF_LITERALS_MAX literals.
 * Ownership  groups live in the arena; literals are borrowed from the atoms.
 * Threads    one thread.
 * Errors     RF_E_LIMIT when the arena is full.
 */
#ifndef RF_PREFILTER_PLAN_H
#define RF_PREFILTER_PLAN_H

#include "arena.h"
#include "program.h"
#include "status.h"

enum { RF_GROUPS_MAX = 8, RF_LITERALS_MAX = 16, RF_LITERAL_BYTES_MIN = 2, RF_LITERAL_BYTES_MAX = 64 };

enum rf_status rf_prefilter_plan(struct rf_arena *arena, struct rf_program *program, struct rf_error *err);

#endif
