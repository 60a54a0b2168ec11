/* eval_tiles.h: the boolean program of many predicates, cut into tiles that leave nothing behind.
 *
 * Purpose    Thousands of predicates have more registers than the caches hold. Whoever only tallies reads each result once, so
 *            the program is cut where RF_EVAL_TILE_PREDICATES of them are decided, and the register of a value is taken again
 *            once its last reader has run: what stays is the atoms, and what tiles have in common.
 * Data       plan->tile, plan->emit, plan->emit_place; plan->code is rewritten to the shared registers, plan->registers
 *            becomes how many there are. A plan whose rows may be asked from the host keeps all its registers, since what is
 *            still needed is found from the results back to the atoms (eval.c); its tiles only order the results.
 * Ownership  the arena's.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_EVAL_TILES_H
#define RF_EVAL_TILES_H

#include "eval_plan.h"

enum rf_status rf_eval_tiles_make(struct rf_eval_plan *plan, const struct rf_program *program, struct rf_arena *arena,
                                  struct rf_error *err);

#endif
