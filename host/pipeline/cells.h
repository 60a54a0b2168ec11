/* cells.h: values of the interpreter as cells of the vector engine, and back.
 *
 * Purpose    Declared variables become columns of cells (table.h); what a program computes for them becomes values again.
 * Data       list, map, optional: cells that point to cells (tag.def). A value of RF_TYPE_DYN (none) is RF_TAG_ABSENT.
 * Ownership  cells of lists and maps, and all of a value made from a cell, are in the arena; texts and addresses of cells
 *            are borrowed from the value.
 * Threads    pure, apart from the arena. Recursion is at most RF_CELLS_DEPTH_MAX deep; deeper cells are RF_TAG_HOST.
 * Errors     false: the arena is full, or the cell is nested too deep, or it is one that the interpreter must be asked for.
 */
#ifndef RF_CELLS_H
#define RF_CELLS_H

#include "calc.h"
#include "value.h"

enum { RF_CELLS_DEPTH_MAX = 64 };

bool rf_cell_from_value(struct rf_value value, struct rf_arena *arena, struct rf_cell *out);
bool rf_cell_to_value(const struct rf_cell *cell, struct rf_arena *arena, struct rf_value *out);

#endif
