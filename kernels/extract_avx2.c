#include "extract_levels.h"

/* Rows go one by one at this level. */
static inline uint32_t column_group(const uint8_t *bytes, const uint32_t *position, const struct rf_column *column,
                                    uint32_t row, uint32_t rows, bool is_deep, uint32_t *wide_from)
{
    (void)bytes;
    (void)position;
    (void)column;
    (void)row;
    (void)rows;
    (void)is_deep;
    (void)wide_from;
    return 0;
}

static inline bool keys_group(struct rf_extract *extract, const struct rf_batch *batch, const struct rf_index *index,
                              const struct rf_rows *rows)
{
    (void)extract;
    (void)batch;
    (void)index;
    (void)rows;
    return false;
}

#define EXTRACT_JSON rf_extract_json_avx2
#include "extract_impl.h"
