/* calc_number.c: operators and size() on cells. That all of it is as on values: tests/unit/pipeline/test_calc_operate.c. */
#include "calc_fixture.h"

#define EXACT (INT64_C(1) << 53) /* from here on not every integer is a double */

static void test_integers(void **state)
{
    (void)state;
    expect_int(call_two(RF_FN_ADD, rf_cell_of_int(2), rf_cell_of_int(-5)), -3);
    expect_int(call_two(RF_FN_SUB, rf_cell_of_int(2), rf_cell_of_int(-5)), 7);
    expect_int(call_two(RF_FN_MUL, rf_cell_of_int(2), rf_cell_of_int(-5)), -10);
    expect_int(call_two(RF_FN_DIV, rf_cell_of_int(-7), rf_cell_of_int(2)), -3);
    expect_int(call_two(RF_FN_MOD, rf_cell_of_int(-7), rf_cell_of_int(2)), -1);
    expect_error(call_two(RF_FN_ADD, rf_cell_of_int(INT64_MAX), rf_cell_of_int(1)));
    expect_int(call_two(RF_FN_ADD, rf_cell_of_int(INT64_MAX), rf_cell_of_int(0)), INT64_MAX);
    expect_error(call_two(RF_FN_SUB, rf_cell_of_int(INT64_MIN), rf_cell_of_int(1)));
    expect_error(call_two(RF_FN_MUL, rf_cell_of_int(INT64_MIN), rf_cell_of_int(-1)));
    expect_error(call_two(RF_FN_DIV, rf_cell_of_int(INT64_MIN), rf_cell_of_int(-1)));
    expect_error(call_two(RF_FN_MOD, rf_cell_of_int(INT64_MIN), rf_cell_of_int(-1)));
    expect_error(call_two(RF_FN_DIV, rf_cell_of_int(1), rf_cell_of_int(0)));
    expect_error(call_two(RF_FN_MOD, rf_cell_of_int(1), rf_cell_of_int(0)));
    expect_uint(call_two(RF_FN_ADD, rf_cell_of_uint(2), rf_cell_of_uint(5)), 7);
    expect_uint(call_two(RF_FN_MUL, rf_cell_of_uint(2), rf_cell_of_uint(5)), 10);
    expect_uint(call_two(RF_FN_DIV, rf_cell_of_uint(UINT64_MAX), rf_cell_of_uint(2)), INT64_MAX);
    expect_uint(call_two(RF_FN_MOD, rf_cell_of_uint(UINT64_MAX), rf_cell_of_uint(2)), 1);
    expect_error(call_two(RF_FN_SUB, rf_cell_of_uint(2), rf_cell_of_uint(5)));
    expect_error(call_two(RF_FN_ADD, rf_cell_of_uint(UINT64_MAX), rf_cell_of_uint(1)));
    expect_error(call_two(RF_FN_MUL, rf_cell_of_uint(UINT64_MAX), rf_cell_of_uint(2)));
    expect_error(call_two(RF_FN_DIV, rf_cell_of_uint(1), rf_cell_of_uint(0)));
    expect_error(call_two(RF_FN_MOD, rf_cell_of_uint(1), rf_cell_of_uint(0)));
    expect_error(call_two(RF_FN_ADD, rf_cell_of_int(1), rf_cell_of_uint(1)));
    expect_error(call_two(RF_FN_ADD, rf_cell_of_int(1), real(1)));
}

static void test_doubles(void **state)
{
    (void)state;
    expect_real(call_two(RF_FN_ADD, real(0.5), real(0.25)), 0.75);
    expect_real(call_two(RF_FN_SUB, real(0.5), real(0.25)), 0.25);
    expect_real(call_two(RF_FN_MUL, real(0.5), real(-0.0)), -0.0);
    expect_real(call_two(RF_FN_DIV, real(1), real(0)), INFINITY);
    expect_real(call_two(RF_FN_DIV, real(0), real(0)), NAN);
    expect_error(call_two(RF_FN_MOD, real(7), real(2)));
}

static void test_message_numbers(void **state)
{
    (void)state;
    expect_number(call_two(RF_FN_ADD, number(1.5), rf_cell_of_int(2)), 3.5);
    expect_number(call_two(RF_FN_MUL, rf_cell_of_uint(2), number(1.5)), 3);
    expect_number(call_two(RF_FN_SUB, number(1.5), real(2)), -0.5);
    expect_number(call_two(RF_FN_DIV, number(1), number(0)), INFINITY);
    expect_number(call_two(RF_FN_SUB, big(EXACT + 1), rf_cell_of_int(0)), (double)EXACT);
    expect_number(call_two(RF_FN_ADD, big_uint(UINT64_MAX), rf_cell_of_int(0)), 0x1p64);
    expect_number(call_two(RF_FN_MOD, number(-7), rf_cell_of_int(2)), -1);
    expect_number(call_two(RF_FN_MOD, rf_cell_of_int(EXACT), number(3)), (double)(EXACT % 3));
    expect_error(call_two(RF_FN_MOD, number(7.5), rf_cell_of_int(2)));
    expect_error(call_two(RF_FN_MOD, number(7), rf_cell_of_int(0)));
    expect_error(call_two(RF_FN_MOD, number((double)EXACT + 2), rf_cell_of_int(2)));
    expect_error(call_two(RF_FN_MOD, number(NAN), rf_cell_of_int(2)));
    expect_error(call_two(RF_FN_ADD, number(1), str("1")));
    expect_error(call_two(RF_FN_ADD, str("1"), number(1)));
    /* In strict CEL they are doubles. */
    expect_error(strict_two(RF_FN_ADD, number(1.5), rf_cell_of_int(2)));
    expect_error(strict_two(RF_FN_ADD, rf_cell_of_uint(2), big(EXACT + 1)));
    expect_error(strict_two(RF_FN_MOD, number(7), number(2)));
    expect_real(strict_two(RF_FN_ADD, number(1.5), number(2)), 3.5);
    expect_real(strict_two(RF_FN_ADD, real(1.5), big_uint(UINT64_MAX)), 0x1p64);
    expect_int(strict_two(RF_FN_ADD, rf_cell_of_int(1), rf_cell_of_int(2)), 3);
}

static void test_negation(void **state)
{
    (void)state;
    expect_int(call_one(RF_FN_NEG, rf_cell_of_int(5)), -5);
    expect_int(call_one(RF_FN_NEG, rf_cell_of_int(INT64_MAX)), -INT64_MAX);
    expect_error(call_one(RF_FN_NEG, rf_cell_of_int(INT64_MIN)));
    expect_real(call_one(RF_FN_NEG, real(0)), -0.0);
    expect_number(call_one(RF_FN_NEG, number(2.5)), -2.5);
    expect_number(strict_one(RF_FN_NEG, big_uint(UINT64_MAX)), -0x1p64);
    expect_duration(call_one(RF_FN_NEG, duration(7)), -7);
    expect_only(RF_FN_NEG, 1u << RF_TAG_INT | TAGS_DOUBLE | 1u << RF_TAG_DURATION);
}

static void test_joined_text(void **state)
{
    (void)state;
    expect_str(call_two(RF_FN_ADD, str("caf\xc3\xa9 "), escaped("au lait")), "caf\xc3\xa9 au lait");
    expect_str(call_two(RF_FN_ADD, str(""), str("")), "");
    expect_octets(call_two(RF_FN_ADD, bytes("ab"), bytes("\xff")), RF_TAG_BYTES, RF_STR("ab\xff"));
    expect_error(call_two(RF_FN_ADD, str("a"), bytes("b")));
    expect_error(call_two(RF_FN_SUB, str("ab"), str("b")));
    expect_error(call_two(RF_FN_ADD, null_cell(), str("a")));
    expect_host(call_two(RF_FN_ADD, list("[1]"), list("[2]")));
    expect_host(call_two(RF_FN_ADD, list("[1]"), items(NULL, 0)));
    expect_error(call_two(RF_FN_ADD, list("[1]"), rf_cell_of_int(2)));
    expect_error(call_two(RF_FN_ADD, object("{}"), object("{}")));
    scratch.bytes_max = 0;
    expect_host(call_two(RF_FN_ADD, str("a"), str("b")));
}

static void test_equality(void **state)
{
    (void)state;
    expect_bool(call_two(RF_FN_EQ, rf_cell_of_int(1), rf_cell_of_uint(1)), true);
    expect_bool(call_two(RF_FN_EQ, real(1), number(1)), true);
    expect_bool(call_two(RF_FN_EQ, real((double)EXACT), rf_cell_of_int(EXACT + 1)), false);
    expect_bool(call_two(RF_FN_EQ, big(EXACT + 1), rf_cell_of_int(EXACT + 1)), true);
    expect_bool(call_two(RF_FN_NE, big(EXACT + 1), number((double)EXACT)), true);
    expect_bool(call_two(RF_FN_EQ, real(0), number(-0.0)), true);
    expect_bool(call_two(RF_FN_EQ, real(NAN), real(NAN)), false);
    expect_bool(call_two(RF_FN_NE, real(NAN), real(NAN)), true);
    expect_bool(call_two(RF_FN_EQ, null_cell(), null_cell()), true);
    expect_bool(call_two(RF_FN_EQ, rf_cell_of_bool(true), rf_cell_of_bool(false)), false);
    expect_bool(call_two(RF_FN_EQ, str("abcdefgh1"), escaped("abcdefgh1")), true);
    expect_bool(call_two(RF_FN_EQ, str("abcdefgh1"), str("abcdefgh2")), false);
    expect_bool(call_two(RF_FN_EQ, str("a"), bytes("a")), false);
    expect_bool(call_two(RF_FN_EQ, bytes("a"), bytes("a")), true);
    expect_bool(call_two(RF_FN_EQ, type_cell("int"), type_cell("int")), true);
    expect_bool(call_two(RF_FN_NE, type_cell("int"), type_cell("uint")), true);
    expect_bool(call_two(RF_FN_EQ, instant(5, 1), instant(5, 1)), true);
    expect_bool(call_two(RF_FN_EQ, instant(5, 1), instant(5, 2)), false);
    expect_bool(call_two(RF_FN_EQ, duration(5), duration(5)), true);
    expect_bool(call_two(RF_FN_EQ, duration(5), rf_cell_of_int(5)), false);
    expect_host(call_two(RF_FN_EQ, list("[1]"), list("[1.0]")));
    expect_host(call_two(RF_FN_EQ, items(NULL, 0), list("[1.0]")));
    expect_host(call_two(RF_FN_NE, object("{}"), object("{}")));
    expect_host(call_two(RF_FN_NE, object("{}"), entries(NULL, 0)));
    expect_host(call_two(RF_FN_EQ, optional(NULL), optional(NULL)));
    expect_bool(call_two(RF_FN_EQ, list("[]"), object("{}")), false);
    expect_bool(call_two(RF_FN_EQ, items(NULL, 0), optional(NULL)), false);
    expect_bool(call_two(RF_FN_NE, list("[]"), null_cell()), true);
}

static void expect_order(struct rf_cell a, struct rf_cell b, enum rf_order order)
{
    expect_bool(call_two(RF_FN_LT, a, b), order == RF_ORDER_LESS);
    expect_bool(call_two(RF_FN_LE, a, b), order == RF_ORDER_LESS || order == RF_ORDER_EQUAL);
    expect_bool(call_two(RF_FN_GT, a, b), order == RF_ORDER_GREATER);
    expect_bool(call_two(RF_FN_GE, a, b), order == RF_ORDER_GREATER || order == RF_ORDER_EQUAL);
}

static void test_order(void **state)
{
    (void)state;
    expect_order(rf_cell_of_int(-1), rf_cell_of_uint(0), RF_ORDER_LESS);
    expect_order(big(EXACT + 1), real((double)EXACT), RF_ORDER_GREATER);
    expect_order(big_uint(UINT64_MAX), real(0x1p64), RF_ORDER_LESS);
    expect_order(number(2), rf_cell_of_int(2), RF_ORDER_EQUAL);
    expect_order(real(NAN), rf_cell_of_int(2), RF_ORDER_NONE);
    expect_order(rf_cell_of_bool(false), rf_cell_of_bool(true), RF_ORDER_LESS);
    expect_order(rf_cell_of_bool(true), rf_cell_of_bool(true), RF_ORDER_EQUAL);
    expect_order(str("abcdefgh"), str("abcdefghi"), RF_ORDER_LESS);
    expect_order(str("z"), str("\xc3\xa9"), RF_ORDER_LESS);
    expect_order(escaped("abcdefghi"), str("abcdefghi"), RF_ORDER_EQUAL);
    /* Heads are filled up with zeros: a zero behind the text is not seen in them. */
    expect_order(rf_cell_of_text(RF_STR("a\0"), RF_TAG_STRING_RAW), str("a"), RF_ORDER_GREATER);
    expect_order(bytes("b"), bytes("a"), RF_ORDER_GREATER);
    expect_order(instant(-1, 5), instant(0, 0), RF_ORDER_LESS);
    expect_order(instant(7, 5), instant(7, 4), RF_ORDER_GREATER);
    expect_order(duration(-1), duration(1), RF_ORDER_LESS);
    expect_order(duration(INT64_MAX), duration(INT64_MIN), RF_ORDER_GREATER);
    for (int f = RF_FN_LT; f <= RF_FN_GE; f++) {
        const enum rf_function function = (enum rf_function)f;
        expect_error(call_two(function, null_cell(), null_cell()));
        expect_error(call_two(function, type_cell("int"), type_cell("int")));
        expect_error(call_two(function, list("[]"), list("[]")));
        expect_error(call_two(function, object("{}"), object("{}")));
        expect_error(call_two(function, items(NULL, 0), items(NULL, 0)));
        expect_error(call_two(function, optional(NULL), optional(NULL)));
        expect_error(call_two(function, str("1"), rf_cell_of_int(1)));
        expect_error(call_two(function, str("1"), bytes("1")));
        expect_error(call_two(function, instant(0, 0), duration(0)));
    }
}

static void test_not(void **state)
{
    (void)state;
    expect_bool(call_one(RF_FN_NOT, rf_cell_of_bool(true)), false);
    expect_bool(call_one(RF_FN_NOT, rf_cell_of_bool(false)), true);
    expect_only(RF_FN_NOT, TAGS_BOOL);
}

static void test_size(void **state)
{
    (void)state;
    expect_int(call_one(RF_FN_SIZE, str("caf\xc3\xa9")), 4);
    expect_int(call_one(RF_FN_SIZE, escaped("")), 0);
    expect_int(call_one(RF_FN_SIZE, bytes("caf\xc3\xa9")), 5);
    expect_host(call_one(RF_FN_SIZE, list("[1]")));
    expect_host(call_one(RF_FN_SIZE, object("{}")));
    expect_only(RF_FN_SIZE, TAGS_STRING | 1u << RF_TAG_BYTES | TAGS_LIST | TAGS_MAP);
}

static void test_functions_of_others(void **state)
{
    (void)state;
    assert_null(rf_calc_number_op(RF_FN_IN));
    assert_null(rf_calc_number_op(RF_FN_CONTAINS));
    assert_null(rf_calc_number_op(RF_FN_TO_INT));
    assert_null(rf_calc_number_op(RF_FN_HOURS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_integers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_doubles, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_message_numbers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_negation, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_joined_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_equality, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_not, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_size, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_functions_of_others, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
