#include "fix_cells.h"

#include <string.h>

#include "fix_cells_levels.h"
#include "number.h"

enum { MANTISSA_DIGITS_MAX = 19, PREFIX_BYTES = 8 };

static bool is_digit(char c)
{
    return (uint8_t)(c - '0') < 10;
}

bool rf_fix_cell_int(struct rf_str text, int64_t *value)
{
    const bool is_negative = text.count > 0 && text.data[0] == '-';
    uint64_t sum = 0;
    size_t at = is_negative;
    const uint64_t max = (uint64_t)INT64_MAX + is_negative;
    if (at == text.count) {
        return false;
    }
    for (; at < text.count; at++) {
        const uint64_t digit = (uint64_t)(uint8_t)(text.data[at] - '0');
        if (digit > 9 || sum > (max - digit) / 10) {
            return false;
        }
        sum = sum * 10 + digit;
    }
    *value = is_negative ? (int64_t)(0 - sum) : (int64_t)sum;
    return true;
}

bool rf_fix_cell_double(struct rf_str text, double *value)
{
    const bool is_negative = text.count > 0 && text.data[0] == '-';
    uint64_t mantissa = 0;
    int64_t exponent = 0;
    uint32_t kept = 0;
    size_t digits = 0;
    bool has_dot = false;
    bool is_truncated = false;
    for (size_t at = is_negative; at < text.count; at++) {
        const char c = text.data[at];
        if (c == '.' && !has_dot) {
            has_dot = true;
            continue;
        }
        if (!is_digit(c)) {
            return false;
        }
        digits++;
        if (kept == MANTISSA_DIGITS_MAX) {
            is_truncated = true;
            exponent += !has_dot;
            continue;
        }
        mantissa = mantissa * 10 + (uint64_t)(c - '0');
        kept += mantissa != 0;
        exponent -= has_dot;
    }
    if (digits == 0) {
        return false;
    }
    const double magnitude = rf_double_from_decimal(mantissa, exponent, is_truncated, text);
    *value = is_negative ? -magnitude : magnitude;
    return magnitude < __builtin_inf();
}

static struct rf_str cell_text(const struct rf_batch *batch, uint32_t row, const struct rf_column *column)
{
    return (struct rf_str){(const char *)batch->bytes + column->begin[row], column->length[row]};
}

void rf_fix_cell_set_int(const struct rf_batch *batch, uint32_t row, struct rf_column *column)
{
    int64_t value = 0;
    const bool is_good = rf_fix_cell_int(cell_text(batch, row, column), &value);
    column->tag[row] = is_good ? RF_TAG_INT : RF_TAG_ERROR;
    column->payload[row] = (uint64_t)value;
}

void rf_fix_cell_set_double(const struct rf_batch *batch, uint32_t row, struct rf_column *column)
{
    double value = 0;
    const bool is_good = rf_fix_cell_double(cell_text(batch, row, column), &value);
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
