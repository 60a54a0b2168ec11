/* index_levels.h: the vector forms of the index pass, for index.c alone. One span that is not empty, rows and keys
 * appended; has_return is set when a CR outside strings (any CR in text) was seen, so that record ends must be
 * trimmed. */
#ifndef RF_INDEX_LEVELS_H
#define RF_INDEX_LEVELS_H

#include "index.h"

#define INDEX_LEVEL(level)                                                                                             \
    void rf_index_json_##level(struct rf_index *index, const struct rf_batch *batch, struct rf_span32 span,            \
                               struct rf_rows *rows, bool *has_return);                                                \
    void rf_index_text_##level(struct rf_index *index, const struct rf_batch *batch, struct rf_span32 span,            \
                               struct rf_rows *rows, bool *has_return);
INDEX_LEVEL(avx2)
INDEX_LEVEL(avx512)
#undef INDEX_LEVEL

#endif
