#include "select.h"

#include <stdlib.h>

#include "select_kernels.h"

enum rf_status rf_selection_open(struct rf_selection *selection, uint32_t rows_max, struct rf_error *err)
{
    *selection = (struct rf_selection){0};
    selection->row = malloc(((size_t)rows_max + RF_SELECT_SLACK) * sizeof(*selection->row));
    if (selection->row == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for the numbers of %u rows", rows_max);
    }
    return RF_OK;
}

void rf_selection_close(struct rf_selection *selection)
{
    free(selection->row);
    *selection = (struct rf_selection){0};
}

uint32_t rf_select_rows_scalar(const uint64_t *bits, uint32_t words, uint32_t *row)
{
    uint32_t count = 0;
    for (uint32_t w = 0; w < words; w++) {
        for (uint64_t left = bits[w]; left != 0; left &= left - 1) {
            row[count++] = 64 * w + (uint32_t)__builtin_ctzll(left);
        }
    }
    return count;
}

static uint32_t rows_of(enum rf_isa isa, const uint64_t *bits, uint32_t words, uint32_t *row)
{
#if defined(__x86_64__)
    if (isa == RF_ISA_AVX512) {
        return rf_select_rows_avx512(bits, words, row);
    }
#endif
    (void)isa;
    return rf_select_rows_scalar(bits, words, row);
}

/* The statuses of up to 64 rows one by one. Malformed and blank rows have no bit in either map and keep theirs. */
static void statuses_decide(uint8_t *status, uint64_t selected, uint64_t rejected, uint32_t rows, uint64_t *of)
{
    for (uint32_t i = 0; i < rows; i++) {
        const uint8_t decided = ((selected >> i) & 1) != 0   ? RF_ROW_SELECTED
                                : ((rejected >> i) & 1) != 0 ? RF_ROW_REJECTED
                                                             : RF_ROW_ERROR;
        const bool is_kept = status[i] == RF_ROW_MALFORMED || status[i] == RF_ROW_BLANK;
        status[i] = is_kept ? status[i] : decided;
        of[status[i]]++;
    }
}

_Static_assert(RF_ROW_REJECTED == 0 && RF_ROW_SELECTED == 1, "a row's truth bit is its status");

/* The statuses of 64 rows that are all true or false: each bit becomes a byte. */
static void statuses_spread(uint8_t *status, uint64_t selected)
{
    for (int i = 0; i < 8; i++) {
        const uint64_t byte = (selected >> (8 * i)) & 0xff;
        const uint64_t one_each = byte * 0x0101010101010101ull & 0x8040201008040201ull; /* bit k of byte k */
        const uint64_t statuses = ((one_each + 0x7f7f7f7f7f7f7f7full) >> 7) & 0x0101010101010101ull;
        memcpy(status + 8 * i, &statuses, sizeof(statuses));
    }
}

static void statuses_write(struct rf_rows *rows, const uint64_t *selected, const uint64_t *rejected,
                           struct rf_counts *counts)
{
    uint64_t of[RF_ROW_STATUS_COUNT] = {0};
    for (uint32_t w = 0; w < rf_bitmap_words(rows->rows); w++) {
        uint8_t *status = rows->status + 64 * (size_t)w;
        if ((selected[w] | rejected[w]) == ~0ull) {
            const uint64_t count = (uint64_t)__builtin_popcountll(selected[w]);
            statuses_spread(status, selected[w]);
            of[RF_ROW_SELECTED] += count;
            of[RF_ROW_REJECTED] += 64 - count;
        } else {
            const uint32_t left = rows->rows - 64 * w;
            statuses_decide(status, selected[w], rejected[w], left < 64 ? left : 64, of);
        }
    }
    for (int s = 0; s < RF_ROW_STATUS_COUNT; s++) {
        counts->of[s] += of[s];
    }
    counts->of[RF_ROW_REJECTED] += rows->lines - rows->rows;
}

void rf_select_run(struct rf_selection *selection, enum rf_isa isa, struct rf_rows *rows, const uint64_t *truth,
                   const uint64_t *falsity, bool is_inverted, struct rf_counts *counts)
{
    const uint64_t *selected = is_inverted ? falsity : truth;
    const uint64_t *rejected = is_inverted ? truth : falsity;
    selection->count = rows_of(isa, selected, rf_bitmap_words(rows->rows), selection->row);
    statuses_write(rows, selected, rejected, counts);
}
