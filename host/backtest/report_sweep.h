/* report_sweep.h: rules that differ in the values of two parameters, as a grid.
 *
 * Data       column[X] and row[Y]: texts of the values, in the order in which rules have them; cell[Y][X]: 1 + rule, 0: none.
 * Ownership  the arena's; texts too.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_REPORT_SWEEP_H
#define RF_REPORT_SWEEP_H

#include "outcome.h"

struct rf_sweep_map {
    struct rf_str name;               /* of the rules, without values */
    struct rf_str parameter[2];       /* of rows and of columns */
    struct rf_str *row, *column;
    uint32_t rows, columns;
    uint32_t *cell;
    uint32_t first, end; /* rules */
};

/* The sweep of two parameters that rule `first` begins. end is behind its rules in any case; rows 0: it is no such sweep, or one
 * of more than cells_max cells. */
enum rf_status rf_sweep_map_read(const struct rf_outcome *outcome, uint32_t first, uint32_t cells_max,
                                 struct rf_arena *arena, struct rf_sweep_map *map, struct rf_error *err);

#endif
