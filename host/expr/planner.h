/* planner.h: folded trees to the program that every engine runs.
 *
 * Purpose    rf_planner_predicate takes the boolean structure of a tree apart into instructions over registers; equal
 *            sub-expressions share a register over all predicates. rf_planner_projection only gives slots.
 * Data       see program.h.
 * Bounds     RF_CODE_MAX instructions; slots.h and atoms.h have their own.
 * Ownership  the program lives in the arena.
 * Threads    one thread.
 * Errors     RF_E_LIMIT when a bound is met or the arena is full; RF_E_MEMORY.
 */
#ifndef RF_PLANNER_H
#define RF_PLANNER_H

#include "atoms.h"

enum { RF_CODE_MAX = 4 * 1024 * 1024, RF_PREDICATES_MAX = 1024 * 1024 };

struct rf_planner {
    struct rf_arena *arena;
    struct rf_slots slots;
    struct rf_atoms atoms;
    struct rf_bool *code;
    uint32_t code_count;
    uint32_t code_capacity;
    struct rf_intern known; /* instruction to register */
    uint32_t *output;
    uint32_t predicates;
};

/* predicates_max: how many rf_planner_predicate calls follow at most. */
enum rf_status rf_planner_open(struct rf_planner *planner, struct rf_arena *arena, uint32_t predicates_max,
                               bool is_strict_cel, struct rf_error *err);
void rf_planner_close(struct rf_planner *planner); /* scratch only; the program stays */
enum rf_status rf_planner_predicate(struct rf_planner *planner, struct rf_node *tree, struct rf_error *err);
enum rf_status rf_planner_projection(struct rf_planner *planner, struct rf_node *tree, struct rf_error *err);
/* The term that holds the tree's value, for program.value[]; RF_NONE: only the interpreter has it. */
enum rf_status rf_planner_value(struct rf_planner *planner, struct rf_node *tree, uint32_t *term, struct rf_error *err);
/* The whole program, prefilter included. */
enum rf_status rf_planner_finish(struct rf_planner *planner, struct rf_program *program, struct rf_error *err);

#endif
