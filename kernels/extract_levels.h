/* extract_levels.h: the vector forms of the extract stage, for extract.c alone. Fills cells and extract->walks. */
#ifndef RF_EXTRACT_LEVELS_H
#define RF_EXTRACT_LEVELS_H

#include "extract.h"

void rf_extract_json_avx2(struct rf_extract *extract, const struct rf_batch *batch, const struct rf_index *index,
                          const struct rf_rows *rows, struct rf_columns *columns);
void rf_extract_json_avx512(struct rf_extract *extract, const struct rf_batch *batch, const struct rf_index *index,
                            const struct rf_rows *rows, struct rf_columns *columns);

#endif
