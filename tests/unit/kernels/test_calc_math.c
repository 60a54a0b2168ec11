/* calc_math.c: CEL's math extension on cells. That all of it is as on values: tests/unit/pipeline/test_calc_operate.c. */
#include "calc_fixture.h"

#define EXACT (INT64_C(1) << 53) /* from here on not every integer is a double */

static void test_greatest_and_least(void **state)
{
    (void)state;
    const struct rf_cell many[] = {rf_cell_of_int(3), number(2.5),     rf_cell_of_uint(9), real(-7),
                                   rf_cell_of_int(0), big(-EXACT - 1), rf_cell_of_int(9),  number(4)};
    expect_uint(call_cells(RF_FN_GREATEST, false, 8, many), 9);
    expect_tag(call_cells(RF_FN_LEAST, false, 8, many), RF_TAG_BIGINT);
    expect_real(call_cells(RF_FN_LEAST, false, 5, many), -7);
    expect_int(call_cells(RF_FN_GREATEST, false, 2, many), 3);
    /* The first of equals, on the exact line. */
    expect_int(call_two(RF_FN_GREATEST, rf_cell_of_int(1), real(1)), 1);
    expect_real(call_two(RF_FN_LEAST, real(1), rf_cell_of_int(1)), 1);
    expect_int(call_two(RF_FN_GREATEST, real((double)EXACT), rf_cell_of_int(EXACT + 1)), EXACT + 1);
    expect_tag(call_two(RF_FN_GREATEST, real(0x1p63), big_uint((UINT64_C(1) << 63) + 1)), RF_TAG_BIGUINT);
    expect_real(call_one(RF_FN_GREATEST, real(NAN)), NAN);
    expect_error(call_two(RF_FN_GREATEST, real(NAN), rf_cell_of_int(1)));
    expect_error(call_two(RF_FN_LEAST, rf_cell_of_int(1), number(NAN)));
    expect_error(call_two(RF_FN_LEAST, rf_cell_of_int(1), str("0")));
    expect_error(call_two(RF_FN_LEAST, str("0"), rf_cell_of_int(1)));
    expect_error(call_two(RF_FN_GREATEST, list("[1]"), rf_cell_of_int(1)));
    expect_only(RF_FN_LEAST, TAGS_WHOLE | TAGS_DOUBLE); /* the lists are empty */
}

static void test_greatest_and_least_of_lists(void **state)
{
    (void)state;
    const struct rf_cell item[] = {rf_cell_of_int(3), number(2.5), rf_cell_of_uint(9), str("a")};
    expect_uint(call_one(RF_FN_GREATEST, items(item, 3)), 9);
    expect_number(call_one(RF_FN_LEAST, items(item, 3)), 2.5);
    expect_error(call_one(RF_FN_LEAST, items(item, 4)));
    expect_error(call_one(RF_FN_LEAST, items(item + 3, 1)));
    expect_error(call_two(RF_FN_LEAST, items(item, 3), items(item, 3)));
    expect_number(call_one(RF_FN_GREATEST, list("[1,2.5,-7]")), 2.5);
    expect_tag(call_one(RF_FN_LEAST, list("[9007199254740993]")), RF_TAG_BIGINT);
    expect_error(call_one(RF_FN_GREATEST, list("[1,1e400]")));
    expect_error(call_one(RF_FN_GREATEST, list("[1,[2]]")));
    expect_error(call_one(RF_FN_GREATEST, object("{\"a\":1}")));
    const struct rf_cell unknown[] = {rf_cell_of_int(3), {.tag = RF_TAG_HOST, .text = ""}};
    expect_host(call_one(RF_FN_GREATEST, items(unknown, 2)));
    const struct rf_cell nan[] = {real(NAN), real(1)};
    expect_real(call_one(RF_FN_GREATEST, items(nan, 1)), NAN);
    expect_error(call_one(RF_FN_GREATEST, items(nan, 2)));
    scratch.bytes_max = 0;
    expect_host(call_one(RF_FN_GREATEST, list("[1,2.5,-7]")));
}

/* What comes through unchanged keeps its token. */
static void test_token_is_kept(void **state)
{
    (void)state;
    struct rf_cell price = number(1.5);
    price.text = "1.50";
    price.length = 4;
    const struct rf_cell greatest = call_two(RF_FN_GREATEST, rf_cell_of_int(1), price);
    expect_number(greatest, 1.5);
    assert_true(rf_str_equal(rf_cell_text(&greatest), RF_STR("1.50")));
    assert_int_equal(call_one(RF_FN_ABS, price).length, 0);
}

static void test_rounding(void **state)
{
    (void)state;
    expect_real(call_one(RF_FN_CEIL, real(1.2)), 2);
    expect_real(call_one(RF_FN_FLOOR, real(-1.2)), -2);
    expect_number(call_one(RF_FN_ROUND, number(2.5)), 3);
    expect_number(call_one(RF_FN_ROUND, number(-2.5)), -3);
    expect_real(call_one(RF_FN_ROUND, real(0.49999999999999994)), 0);
    expect_real(call_one(RF_FN_TRUNC, real(-0.7)), -0.0);
    expect_number(strict_one(RF_FN_TRUNC, big(EXACT + 1)), (double)EXACT);
    for (int f = RF_FN_CEIL; f <= RF_FN_TRUNC; f++) {
        expect_only((enum rf_function)f, TAGS_DOUBLE);
        expect_real(call_one((enum rf_function)f, real(-INFINITY)), -INFINITY);
    }
}

static void test_kinds_of_doubles(void **state)
{
    (void)state;
    static const struct {
        double value;
        bool is_nan, is_inf;
    } row[] = {{0, false, false}, {NAN, true, false}, {INFINITY, false, true}, {-INFINITY, false, true}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        expect_bool(call_one(RF_FN_IS_NAN, real(row[i].value)), row[i].is_nan);
        expect_bool(call_one(RF_FN_IS_INF, number(row[i].value)), row[i].is_inf);
        expect_bool(call_one(RF_FN_IS_FINITE, real(row[i].value)), !row[i].is_nan && !row[i].is_inf);
    }
    expect_only(RF_FN_IS_NAN, TAGS_DOUBLE);
    expect_only(RF_FN_IS_INF, TAGS_DOUBLE);
    expect_only(RF_FN_IS_FINITE, TAGS_DOUBLE);
}

static void test_abs_and_sign(void **state)
{
    (void)state;
    expect_int(call_one(RF_FN_ABS, rf_cell_of_int(-INT64_MAX)), INT64_MAX);
    expect_error(call_one(RF_FN_ABS, rf_cell_of_int(INT64_MIN)));
    expect_uint(call_one(RF_FN_ABS, rf_cell_of_uint(UINT64_MAX)), UINT64_MAX);
    expect_real(call_one(RF_FN_ABS, real(-0.0)), 0);
    expect_number(call_one(RF_FN_ABS, big(INT64_MIN)), 0x1p63);
    expect_int(call_one(RF_FN_SIGN, rf_cell_of_int(INT64_MIN)), -1);
    expect_uint(call_one(RF_FN_SIGN, rf_cell_of_uint(7)), 1);
    expect_uint(call_one(RF_FN_SIGN, rf_cell_of_uint(0)), 0);
    expect_number(call_one(RF_FN_SIGN, number(-0.5)), -1);
    expect_real(call_one(RF_FN_SIGN, real(-0.0)), 0);
    expect_real(call_one(RF_FN_SIGN, real(NAN)), NAN);
    expect_only(RF_FN_ABS, TAGS_WHOLE | TAGS_DOUBLE);
    expect_only(RF_FN_SIGN, TAGS_WHOLE | TAGS_DOUBLE);
}

static void test_sqrt(void **state)
{
    (void)state;
    expect_real(call_one(RF_FN_SQRT, rf_cell_of_int(81)), 9);
    expect_real(call_one(RF_FN_SQRT, rf_cell_of_uint(81)), 9);
    expect_number(call_one(RF_FN_SQRT, number(2.25)), 1.5);
    expect_real(call_one(RF_FN_SQRT, real(-1)), NAN);
    expect_only(RF_FN_SQRT, TAGS_WHOLE | TAGS_DOUBLE);
}

static void test_bits(void **state)
{
    (void)state;
    expect_int(call_two(RF_FN_BIT_AND, rf_cell_of_int(-1), rf_cell_of_int(6)), 6);
    expect_int(call_two(RF_FN_BIT_OR, rf_cell_of_int(9), rf_cell_of_int(6)), 15);
    expect_uint(call_two(RF_FN_BIT_XOR, rf_cell_of_uint(5), rf_cell_of_uint(6)), 3);
    expect_int(call_one(RF_FN_BIT_NOT, rf_cell_of_int(0)), -1);
    expect_uint(call_one(RF_FN_BIT_NOT, rf_cell_of_uint(0)), UINT64_MAX);
    expect_error(call_two(RF_FN_BIT_AND, rf_cell_of_int(1), rf_cell_of_uint(1)));
    expect_error(call_two(RF_FN_BIT_AND, rf_cell_of_int(1), real(1)));
    /* Whole message numbers are the ints and uints that they are. */
    expect_int(call_two(RF_FN_BIT_AND, number(-2), rf_cell_of_int(7)), 6);
    expect_int(call_two(RF_FN_BIT_OR, rf_cell_of_int(1), big(EXACT + 2)), EXACT + 3);
    expect_uint(call_two(RF_FN_BIT_AND, big_uint(UINT64_MAX), rf_cell_of_uint(1)), 1);
    expect_error(call_two(RF_FN_BIT_AND, big_uint(UINT64_MAX), rf_cell_of_int(1)));
    expect_error(call_two(RF_FN_BIT_AND, number(2.5), rf_cell_of_int(1)));
    expect_error(call_two(RF_FN_BIT_AND, rf_cell_of_int(1), number((double)EXACT * 2)));
    expect_error(strict_two(RF_FN_BIT_AND, number(2), rf_cell_of_int(1)));
    expect_error(strict_one(RF_FN_BIT_NOT, number(2)));
    expect_only(RF_FN_BIT_NOT, TAGS_WHOLE | TAGS_MESSAGE);
}

static void test_shifts(void **state)
{
    (void)state;
    expect_int(call_two(RF_FN_SHIFT_LEFT, rf_cell_of_int(1), rf_cell_of_int(63)), INT64_MIN);
    expect_int(call_two(RF_FN_SHIFT_LEFT, rf_cell_of_int(1), rf_cell_of_int(64)), 0);
    expect_int(call_two(RF_FN_SHIFT_RIGHT, rf_cell_of_int(-1), rf_cell_of_int(63)), 1);
    expect_uint(call_two(RF_FN_SHIFT_RIGHT, rf_cell_of_uint(8), number(2)), 2);
    expect_int(call_two(RF_FN_SHIFT_LEFT, number(3), number(1)), 6);
    expect_error(call_two(RF_FN_SHIFT_LEFT, rf_cell_of_int(1), rf_cell_of_int(-1)));
    expect_error(call_two(RF_FN_SHIFT_RIGHT, rf_cell_of_int(1), rf_cell_of_int(-1)));
    expect_error(call_two(RF_FN_SHIFT_LEFT, rf_cell_of_int(1), rf_cell_of_uint(1)));
    expect_error(call_two(RF_FN_SHIFT_LEFT, rf_cell_of_int(1), big_uint(UINT64_MAX)));
    expect_error(call_two(RF_FN_SHIFT_LEFT, real(1), rf_cell_of_int(1)));
    expect_error(strict_two(RF_FN_SHIFT_LEFT, rf_cell_of_int(1), number(1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_greatest_and_least, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_greatest_and_least_of_lists, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_token_is_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rounding, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_kinds_of_doubles, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_abs_and_sign, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sqrt, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_shifts, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
