/* calc_regex.c: matches() over a block of rows, which is what rf_calc_run does for a constant pattern. */
#include <stdio.h>

#include "calc_fixture.h"

static struct rf_calc_column in;
static struct rf_calc_column out;

static struct rf_regex *compile(const char *pattern)
{
    struct rf_regex *regex = NULL;
    size_t error_at = 0;
    struct rf_error err;
    assert_int_equal(rf_regex_compile(rf_str_of(pattern), &scratch, &regex, &error_at, &err), RF_OK);
    return regex;
}

static void row_set(uint32_t row, struct rf_cell cell)
{
    in.tag[row] = (uint8_t)cell.tag;
    in.payload[row] = cell.payload;
    in.length[row] = cell.length;
    in.text[row] = cell.text;
}

static void run(const struct rf_regex *regex, const uint64_t *live, uint32_t words)
{
    const struct rf_calc calc = {.function = RF_FN_MATCHES, .args = 2, .regex = regex};
    const struct rf_cell pattern = str("not looked at");
    const uint8_t tag = (uint8_t)pattern.tag;
    const struct rf_calc_view arg[2] = {
        {.tag = in.tag, .payload = in.payload, .length = in.length, .text = in.text, .stride = 1},
        {.tag = &tag, .payload = &pattern.payload, .length = &pattern.length, .text = &pattern.text, .stride = 0}};
    memset(&out, 0xAA, sizeof out);
    rf_calc_run(&calc, arg, live, words, &scratch, &out);
}

static struct rf_cell row_get(uint32_t row)
{
    return (struct rf_cell){.tag = (enum rf_tag)out.tag[row],
                            .payload = out.payload[row],
                            .length = out.length[row],
                            .text = out.text[row]};
}

/* A text for each row, so that rows are not mistaken for each other. */
static const char *text_of(uint32_t row)
{
    static char text[RF_EVAL_BLOCK_ROWS][16];
    (void)snprintf(text[row], sizeof text[row], "%u-%s", (unsigned)row, row % 3 == 0 ? "XNAS" : "xnas");
    return text[row];
}

static void test_rows(void **state)
{
    static const char *const pattern[] = {"^[0-9]+-X", "XNAS$", "7", "", "^nobody"};
    (void)state;
    for (uint32_t row = 0; row < RF_EVAL_BLOCK_ROWS; row++) {
        row_set(row, row % 2 == 0 ? str(text_of(row)) : escaped(text_of(row)));
    }
    for (size_t p = 0; p < sizeof pattern / sizeof pattern[0]; p++) {
        const struct rf_regex *regex = compile(pattern[p]);
        uint64_t live[RF_EVAL_BLOCK_WORDS];
        memset(live, 0xff, sizeof live);
        run(regex, live, RF_EVAL_BLOCK_WORDS);
        for (uint32_t row = 0; row < RF_EVAL_BLOCK_ROWS; row++) {
            expect_bool(row_get(row), rf_regex_match(regex, rf_str_of(text_of(row))));
        }
    }
}

/* Rows that are not live are neither looked at nor written. */
static void test_live_rows(void **state)
{
    (void)state;
    uint64_t live[2] = {0, 0};
    for (uint32_t row = 0; row < 128; row++) {
        row_set(row, (struct rf_cell){.tag = RF_TAG_STRING_RAW, .length = UINT32_MAX, .text = NULL});
        if (row % 5 == 0) {
            row_set(row, str(text_of(row)));
            live[row / 64] |= UINT64_C(1) << (row % 64);
        }
    }
    run(compile("X"), live, 2);
    for (uint32_t row = 0; row < 128; row++) {
        if (row % 5 == 0) {
            expect_bool(row_get(row), row % 3 == 0);
        } else {
            assert_int_equal(out.tag[row], 0xAA);
        }
    }
    const uint64_t none = 0;
    run(compile("X"), &none, 1);
    assert_int_equal(out.tag[0], 0xAA);
}

/* What is no text is an error, and what only the interpreter can tell stays so. */
static void test_other_cells(void **state)
{
    (void)state;
    static const enum rf_tag error[] = {RF_TAG_NOPARENT, RF_TAG_ABSENT, RF_TAG_ERROR, RF_TAG_NULL,
                                        RF_TAG_TRUE,     RF_TAG_NUMBER, RF_TAG_RANGE, RF_TAG_BYTES,
                                        RF_TAG_LIST,     RF_TAG_ITEMS,  RF_TAG_IP,    RF_TAG_TYPE};
    enum { ERRORS = sizeof error / sizeof error[0] };
    const uint64_t live = (UINT64_C(1) << (ERRORS + 2)) - 1;
    for (uint32_t row = 0; row < ERRORS; row++) {
        row_set(row, (struct rf_cell){.tag = error[row], .text = "a", .length = 1});
    }
    row_set(ERRORS, (struct rf_cell){.tag = RF_TAG_HOST, .text = ""});
    row_set(ERRORS + 1, str("a"));
    run(compile("a"), &live, 1);
    for (uint32_t row = 0; row < ERRORS; row++) {
        expect_error(row_get(row));
    }
    expect_host(row_get(ERRORS));
    expect_bool(row_get(ERRORS + 1), true);
}

/* One constant text for all rows. */
static void test_constant_text(void **state)
{
    (void)state;
    const struct rf_calc calc = {.function = RF_FN_MATCHES, .args = 2, .regex = compile("b$")};
    const struct rf_cell cell = str("ab");
    const uint8_t tag = (uint8_t)cell.tag;
    const struct rf_calc_view view = {
        .tag = &tag, .payload = &cell.payload, .length = &cell.length, .text = &cell.text, .stride = 0};
    const struct rf_calc_view arg[2] = {view, view};
    const uint64_t live = 0x8001;
    rf_calc_run(&calc, arg, &live, 1, &scratch, &out);
    expect_bool(row_get(0), true);
    expect_bool(row_get(15), true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_live_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_other_cells, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_constant_text, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
