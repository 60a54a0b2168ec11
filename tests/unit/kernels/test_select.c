/* Truth bitmaps to row numbers, statuses and counts, at each instruction-set level. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "select.h"

enum { ROWS_MAX = 1000 };

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return *state >> 33;
}

/* Random rows: true, false, neither, malformed, blank. density: of rows with anything but true or false, in 64ths. */
static void check_rows(enum rf_isa isa, uint32_t rows_count, uint32_t density, bool is_inverted, uint64_t seed)
{
    struct rf_error err;
    struct rf_rows rows;
    struct rf_selection selection;
    struct rf_counts counts = {.of = {1, 2, 3, 4, 5}};
    uint64_t truth[ROWS_MAX / 64 + 1] = {0};
    uint64_t falsity[ROWS_MAX / 64 + 1] = {0};
    uint8_t wanted[ROWS_MAX];
    uint64_t of[RF_ROW_STATUS_COUNT] = {1, 2, 3, 4, 5};
    assert_int_equal(rf_rows_open(&rows, ROWS_MAX, &err), RF_OK);
    assert_int_equal(rf_selection_open(&selection, ROWS_MAX, &err), RF_OK);
    rows.rows = rows_count;
    rows.lines = rows_count + 7; /* seven skipped by the prefilter */
    for (uint32_t row = 0; row < rows_count; row++) {
        const bool is_true = next_random(&seed) % 3 == 0;
        rows.status[row] = RF_ROW_REJECTED;
        wanted[row] = is_true != is_inverted ? RF_ROW_SELECTED : RF_ROW_REJECTED;
        if (next_random(&seed) % 64 < density) {
            static const uint8_t odd[] = {RF_ROW_ERROR, RF_ROW_MALFORMED, RF_ROW_BLANK};
            wanted[row] = odd[next_random(&seed) % 3];
            rows.status[row] = wanted[row] == RF_ROW_ERROR ? RF_ROW_REJECTED : wanted[row];
        } else {
            rf_bit_set(is_true ? truth : falsity, row);
        }
        of[wanted[row]]++;
    }
    of[RF_ROW_REJECTED] += 7;
    rf_select_run(&selection, isa, &rows, truth, falsity, is_inverted, &counts);
    uint32_t at = 0;
    for (uint32_t row = 0; row < rows_count; row++) {
        assert_int_equal(rows.status[row], wanted[row]);
        if (wanted[row] == RF_ROW_SELECTED) {
            assert_true(at < selection.count);
            assert_int_equal(selection.row[at++], row);
        }
    }
    assert_int_equal(at, selection.count);
    for (int s = 0; s < RF_ROW_STATUS_COUNT; s++) {
        assert_int_equal(counts.of[s], of[s]);
    }
    rf_selection_close(&selection);
    rf_rows_close(&rows);
}

static void test_select_run(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {0, 1, 2, 15, 16, 17, 63, 64, 65, 127, 128, 129, 640, 999, ROWS_MAX};
    for (int isa = 0; isa <= (int)rf_isa_best(); isa++) {
        for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
            for (uint32_t density = 0; density <= 64; density += 16) {
                check_rows((enum rf_isa)isa, sizes[i], density, false, i + density);
                check_rows((enum rf_isa)isa, sizes[i], density, true, 99 + i + density);
            }
        }
    }
}

static void test_selection_close(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_selection selection;
    assert_int_equal(rf_selection_open(&selection, 0, &err), RF_OK);
    assert_int_equal(selection.count, 0);
    rf_selection_close(&selection);
    assert_null(selection.row);
    rf_selection_close(&selection);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_select_run),
        cmocka_unit_test(test_selection_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
