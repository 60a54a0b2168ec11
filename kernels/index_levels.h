/* index_levels.h: the vector forms of the index pass, for index.c alone. One span that is not empty, rows and keys
 * appended; has_return is set when a CR outside strings (any CR in text) was seen, so that record ends must be
 * trimmed. */
#ifndef RF_INDEX_LEVELS_H
#define RF_INDEX_LEVELS_H

#include "index.h"

/* Does span s begin in the word that the one before it ends in? Their bits are merged then. */
static inline bool rf_span_shares_word(const struct rf_span32 *span, uint32_t s)
{
    return s > 0 && (span[s - 1].end - 1) / 64 == span[s].begin / 64;
}

#define INDEX_LEVEL(level)                                                                                             \
    void rf_index_json_##level(struct rf_index *index, const struct rf_batch *batch, struct rf_span32 span,            \
                               bool is_continued, struct rf_rows *rows, bool *has_return);                             \
    void rf_index_text_##level(struct rf_index *index, const struct rf_batch *batch, struct rf_span32 span,            \
                               struct rf_rows *rows, bool *has_return);
INDEX_LEVEL(avx2)
INDEX_LEVEL(avx512)
#undef INDEX_LEVEL

/* Several spans, mostly short ones; stops when the row table is full (rows->cursor then lies before a span's end). */
void rf_index_json_sparse_avx512(struct rf_index *index, const struct rf_batch *batch, const struct rf_span32 *span,
                                 uint32_t spans, struct rf_rows *rows, bool *has_return);

#endif
