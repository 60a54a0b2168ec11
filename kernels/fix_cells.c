#include "fix_cells.h"

#include <string.h>

#include "fix_cells_levels.h"
#include "fix_type.h"

enum { PREFIX_BYTES = 8 };

static struct rf_str cell_text(const struct rf_batch *batch, uint32_t row, const struct rf_column *column)
{
    return (struct rf_str){(const char *)batch->bytes + column->begin[row], column->length[row]};
}

void rf_fix_cell_set_int(const struct rf_batch *batch, uint32_t row, struct rf_column *column)
{
    int64_t value = 0;
    const bool is_good = rf_fix_int(cell_text(batch, row, column), &value);
    column->tag[row] = is_good ? RF_TAG_INT : RF_TAG_ERROR;
    column->payload[row] = (uint64_t)value;
}

void rf_fix_cell_set_double(const struct rf_batch *batch, uint32_t row, struct rf_column *column)
{
    double value = 0;
    const bool is_good = rf_fix_double(cell_text(batch, row, column), &value);
    column->tag[row] = is_good ? RF_TAG_DOUBLE : RF_TAG_ERROR;
    memcpy(&column->payload[row], &value, sizeof value);
}

void rf_fix_cells_text(const struct rf_batch *batch, uint32_t rows, struct rf_column *column)
{
    for (uint32_t row = 0; row < rows; row++) {
        uint64_t word;
        const uint32_t count = column->length[row];
        memcpy(&word, batch->bytes + column->begin[row], sizeof word); /* the batch has padding */
        const uint32_t unused = count < PREFIX_BYTES ? 8 * (PREFIX_BYTES - count) : 0;
        const uint64_t mask = count == 0 ? 0 : ~0ull << unused;
        column->payload[row] = __builtin_bswap64(word) & mask;
    }
}

void rf_fix_cells_int(enum rf_isa isa, const struct rf_batch *batch, uint32_t rows, struct rf_column *column)
{
#if defined(__x86_64__)
    if (isa == RF_ISA_AVX512) {
        rf_fix_cells_int_avx512(batch, rows, column);
        return;
    }
    if (isa == RF_ISA_AVX2) {
        rf_fix_cells_int_avx2(batch, rows, column);
        return;
    }
#endif
    (void)isa;
    for (uint32_t row = 0; row < rows; row++) {
        if (column->tag[row] == RF_TAG_STRING_RAW) {
            rf_fix_cell_set_int(batch, row, column);
        }
    }
}

void rf_fix_cells_double(enum rf_isa isa, const struct rf_batch *batch, uint32_t rows, struct rf_column *column)
{
#if defined(__x86_64__)
    if (isa == RF_ISA_AVX512) {
        rf_fix_cells_double_avx512(batch, rows, column);
        return;
    }
    if (isa == RF_ISA_AVX2) {
        rf_fix_cells_double_avx2(batch, rows, column);
        return;
    }
#endif
    (void)isa;
    for (uint32_t row = 0; row < rows; row++) {
        if (column->tag[row] == RF_TAG_STRING_RAW) {
            rf_fix_cell_set_double(batch, row, column);
        }
    }
}
