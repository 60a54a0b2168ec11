/* select_kernels.h: set bits to row numbers, once for each instruction-set level.
 *
 * Data       bits[W]; writes the numbers of the set bits, ascending, from `row` on, and may write up to 16 numbers of
 *            garbage behind them. Returns how many were set.
 * Threads    pure functions.
 */
#ifndef RF_SELECT_KERNELS_H
#define RF_SELECT_KERNELS_H

#include <stdint.h>

enum { RF_SELECT_SLACK = 16 }; /* numbers of room behind the last */

uint32_t rf_select_rows_scalar(const uint64_t *bits, uint32_t words, uint32_t *row);
uint32_t rf_select_rows_avx512(const uint64_t *bits, uint32_t words, uint32_t *row);

#endif
