/* fix_cells_levels.h: the vector forms of the typed cells, for fix_cells.c alone. */
#ifndef RF_FIX_CELLS_LEVELS_H
#define RF_FIX_CELLS_LEVELS_H

#include "fix_cells.h"

void rf_fix_cells_int_avx2(const struct rf_batch *batch, uint32_t rows, struct rf_column *column);
void rf_fix_cells_double_avx2(const struct rf_batch *batch, uint32_t rows, struct rf_column *column);
void rf_fix_cells_int_avx512(const struct rf_batch *batch, uint32_t rows, struct rf_column *column);
void rf_fix_cells_double_avx512(const struct rf_batch *batch, uint32_t rows, struct rf_column *column);

/* One cell by the rule. */
void rf_fix_cell_set_int(const struct rf_batch *batch, uint32_t row, struct rf_column *column);
void rf_fix_cell_set_double(const struct rf_batch *batch, uint32_t row, struct rf_column *column);

#endif
