/* fix_cells.h: spans of FIX values to typed cells.
 *
 * Purpose    One column after the other: a loop over rows that does one thing is not mispredicted as one over the fields of a
 *            row is.
 * Data       in   column.tag[R] RF_TAG_STRING_RAW with begin[R] length[R] in batch.bytes; other tags are left as they are, their payload is not
 *            out  text    RF_TAG_STRING_RAW, payload = rf_str_prefix
 *                 int     RF_TAG_INT, payload = the int64: an optional `-` and digits, zeros in front allowed
 *                 double  RF_TAG_DOUBLE, payload = bits of the correctly rounded double: an optional `-`, digits, a dot among
 *                         or around them allowed, no exponent
 *                 What is no value of the type becomes RF_TAG_ERROR; the span stays.
 * Threads    pure functions on the caller's column.
 * Cost       AVX-512: eight cells at once, about 2 ns a cell; AVX2: one by one, three times that.
 * Source     FIX data types int and float, (c) FIX Protocol Ltd. At most 15 digits are an exact double, and so is a power of ten
 *            up to 10^22: one division rounds once (Clinger 1990). The rest goes to rf_double_from_decimal.
 */
#ifndef RF_FIX_CELLS_H
#define RF_FIX_CELLS_H

#include "column.h"
#include "isa.h"

void rf_fix_cells_text(const struct rf_batch *batch, uint32_t rows, struct rf_column *column);
void rf_fix_cells_int(enum rf_isa isa, const struct rf_batch *batch, uint32_t rows, struct rf_column *column);
void rf_fix_cells_double(enum rf_isa isa, const struct rf_batch *batch, uint32_t rows, struct rf_column *column);

/* One value by the rule; false: none. */
bool rf_fix_cell_int(struct rf_str text, int64_t *value);
bool rf_fix_cell_double(struct rf_str text, double *value);

#endif
