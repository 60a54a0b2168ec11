/* operate.h: arithmetic, comparison and functions over values of every mix of types. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arena_fixture.h"
#include "operate.h"
#include "value_fixture.h"

static struct rf_value apply(enum rf_function function, struct rf_value a, struct rf_value b)
{
    const struct rf_value args[] = {a, b};
    return rf_operate(function, args, 2, false, &arena);
}

static struct rf_value strict(enum rf_function function, struct rf_value a, struct rf_value b)
{
    const struct rf_value args[] = {a, b};
    return rf_operate(function, args, 2, true, &arena);
}

static struct rf_value apply_one(enum rf_function function, struct rf_value a)
{
    return rf_operate(function, &a, 1, false, &arena);
}

static void expect_int(struct rf_value value, int64_t number)
{
    assert_int_equal(value.type, RF_TYPE_INT);
    assert_true(value.exact.as.i == number);
}

static void expect_uint(struct rf_value value, uint64_t number)
{
    assert_int_equal(value.type, RF_TYPE_UINT);
    assert_true(value.exact.as.u == number);
}

static void expect_double(struct rf_value value, double number, bool is_message)
{
    assert_int_equal(value.type, RF_TYPE_DOUBLE);
    assert_int_equal(value.exact.kind, RF_NUMBER_DOUBLE);
    assert_true(value.exact.as.d == number);
    assert_int_equal(value.is_message, is_message);
    assert_int_equal(value.text.count, 0);
}

static void expect_bool(struct rf_value value, bool truth)
{
    assert_int_equal(value.type, RF_TYPE_BOOL);
    assert_int_equal(value.boolean, truth);
}

static void expect_error(struct rf_value value)
{
    assert_int_equal(value.type, RF_TYPE_ERROR);
    assert_true(value.text.count != 0);
}

static void test_int_arithmetic(void **state)
{
    (void)state;
    expect_int(apply(RF_FN_ADD, rf_value_int(2), rf_value_int(3)), 5);
    expect_int(apply(RF_FN_SUB, rf_value_int(2), rf_value_int(3)), -1);
    expect_int(apply(RF_FN_MUL, rf_value_int(-2), rf_value_int(3)), -6);
    expect_int(apply(RF_FN_DIV, rf_value_int(-7), rf_value_int(2)), -3);
    expect_int(apply(RF_FN_MOD, rf_value_int(-7), rf_value_int(2)), -1);
    expect_int(apply(RF_FN_ADD, rf_value_int(INT64_MAX - 1), rf_value_int(1)), INT64_MAX);
    expect_error(apply(RF_FN_ADD, rf_value_int(INT64_MAX), rf_value_int(1)));
    expect_error(apply(RF_FN_SUB, rf_value_int(INT64_MIN), rf_value_int(1)));
    expect_error(apply(RF_FN_MUL, rf_value_int(INT64_MAX), rf_value_int(2)));
    expect_error(apply(RF_FN_DIV, rf_value_int(1), rf_value_int(0)));
    expect_error(apply(RF_FN_MOD, rf_value_int(1), rf_value_int(0)));
    expect_error(apply(RF_FN_DIV, rf_value_int(INT64_MIN), rf_value_int(-1)));
    expect_error(apply(RF_FN_MOD, rf_value_int(INT64_MIN), rf_value_int(-1)));
    expect_int(apply_one(RF_FN_NEG, rf_value_int(5)), -5);
    expect_error(apply_one(RF_FN_NEG, rf_value_int(INT64_MIN)));
}

static void test_uint_arithmetic(void **state)
{
    (void)state;
    expect_uint(apply(RF_FN_ADD, rf_value_uint(2), rf_value_uint(3)), 5);
    expect_uint(apply(RF_FN_SUB, rf_value_uint(3), rf_value_uint(3)), 0);
    expect_uint(apply(RF_FN_MUL, rf_value_uint(4), rf_value_uint(3)), 12);
    expect_uint(apply(RF_FN_DIV, rf_value_uint(7), rf_value_uint(2)), 3);
    expect_uint(apply(RF_FN_MOD, rf_value_uint(7), rf_value_uint(2)), 1);
    expect_error(apply(RF_FN_SUB, rf_value_uint(2), rf_value_uint(3)));
    expect_error(apply(RF_FN_ADD, rf_value_uint(UINT64_MAX), rf_value_uint(1)));
    expect_error(apply(RF_FN_MUL, rf_value_uint(UINT64_MAX), rf_value_uint(2)));
    expect_error(apply(RF_FN_DIV, rf_value_uint(1), rf_value_uint(0)));
    expect_error(apply(RF_FN_MOD, rf_value_uint(1), rf_value_uint(0)));
    expect_error(apply_one(RF_FN_NEG, rf_value_uint(1)));
}

static void test_double_arithmetic(void **state)
{
    (void)state;
    expect_double(apply(RF_FN_ADD, rf_value_double(0.5), rf_value_double(0.25)), 0.75, false);
    expect_double(apply(RF_FN_DIV, rf_value_double(15.75), rf_value_double(0)), INFINITY, false);
    expect_double(apply_one(RF_FN_NEG, rf_value_double(2)), -2, false);
    const struct rf_value nan = apply(RF_FN_DIV, rf_value_double(0), rf_value_double(0));
    assert_true(nan.type == RF_TYPE_DOUBLE && isnan(nan.exact.as.d));
    expect_error(apply(RF_FN_MOD, rf_value_double(7), rf_value_double(2)));
}

static void test_mixed_arithmetic(void **state)
{
    (void)state;
    expect_error(apply(RF_FN_ADD, rf_value_int(1), rf_value_double(1)));
    expect_error(apply(RF_FN_ADD, rf_value_int(1), rf_value_uint(1)));
    expect_error(apply(RF_FN_MUL, rf_value_uint(1), rf_value_double(1)));
    expect_error(apply(RF_FN_ADD, str("1"), rf_value_int(1)));
    expect_error(apply(RF_FN_SUB, str("1"), str("1")));
    expect_error(apply(RF_FN_ADD, rf_value_null(), rf_value_null()));
    expect_error(apply(RF_FN_ADD, rf_value_bool(true), rf_value_int(1)));
    const struct rf_value error = apply(RF_FN_ADD, rf_value_int(1), rf_value_double(1));
    assert_true(rf_str_equal(error.text, RF_STR("no such overload: int + double")));
}

static void test_message_arithmetic(void **state)
{
    (void)state;
    expect_double(apply(RF_FN_MUL, message("2.5"), rf_value_int(2)), 5, true);
    expect_double(apply(RF_FN_SUB, rf_value_int(10), message("4")), 6, true);
    expect_double(apply(RF_FN_ADD, message("1"), rf_value_uint(2)), 3, true);
    expect_double(apply(RF_FN_ADD, message("1"), message("2")), 3, true);
    expect_double(apply(RF_FN_MUL, message("3"), rf_value_double(0.5)), 1.5, true);
    /* price * qty / 100: the product is still a message number */
    const struct rf_value product = apply(RF_FN_MUL, message("12.5"), message("4"));
    expect_double(apply(RF_FN_DIV, product, rf_value_int(100)), 0.5, true);
    expect_double(apply(RF_FN_DIV, message("1"), rf_value_int(0)), INFINITY, true);
    expect_double(apply(RF_FN_DIV, message("7"), rf_value_int(2)), 3.5, true);
    /* Integers beyond 2^53 take part as the nearest double. */
    expect_double(apply(RF_FN_ADD, message("9007199254740993"), rf_value_int(0)), 9007199254740992.0, true);
    expect_double(apply_one(RF_FN_NEG, message("18446744073709551615")), -18446744073709551616.0, true);
    expect_error(apply(RF_FN_ADD, message("1"), str("1")));
    expect_error(apply(RF_FN_ADD, message("1"), rf_value_null()));
}

static void test_message_remainder(void **state)
{
    (void)state;
    expect_double(apply(RF_FN_MOD, message("7"), rf_value_int(2)), 1, true);
    expect_double(apply(RF_FN_MOD, message("-7"), rf_value_int(2)), -1, true);
    expect_double(apply(RF_FN_MOD, rf_value_int(7), message("-2.0")), 1, true);
    expect_double(apply(RF_FN_MOD, message("9007199254740992"), rf_value_int(10)), 2, true);
    expect_error(apply(RF_FN_MOD, message("9007199254740994"), rf_value_int(10)));
    expect_error(apply(RF_FN_MOD, message("1"), rf_value_int(9007199254740994)));
    expect_error(apply(RF_FN_MOD, message("7.5"), rf_value_int(2)));
    expect_error(apply(RF_FN_MOD, message("7"), rf_value_int(0)));
    expect_error(apply(RF_FN_MOD, message("7"), message("-0")));
    expect_double(apply(RF_FN_MOD, message("7"), rf_value_double(2)), 1, true);
    expect_error(apply(RF_FN_MOD, message("7"), rf_value_double(2.5)));
}

static void test_strict_cel(void **state)
{
    (void)state;
    expect_error(strict(RF_FN_MUL, message("2.5"), rf_value_int(2)));
    expect_error(strict(RF_FN_MOD, message("7"), message("2")));
    expect_error(strict(RF_FN_MOD, message("7"), rf_value_int(2)));
    expect_double(strict(RF_FN_MUL, message("2.5"), rf_value_double(2)), 5, false);
    expect_double(strict(RF_FN_ADD, message("1"), message("2")), 3, false);
    expect_bool(strict(RF_FN_EQ, message("2"), rf_value_int(2)), true);
}

static void test_join(void **state)
{
    (void)state;
    assert_true(is_same(apply(RF_FN_ADD, str("ab"), str("c")), str("abc")));
    assert_true(is_same(apply(RF_FN_ADD, str(""), str("")), str("")));
    assert_true(is_same(apply(RF_FN_ADD, bytes("ab"), bytes("c")), bytes("abc")));
    expect_error(apply(RF_FN_ADD, str("a"), bytes("b")));
    const struct rf_value item[] = {rf_value_int(1), str("x")};
    const struct rf_value list = rf_operate_list(item, 2, &arena);
    const struct rf_value both = apply(RF_FN_ADD, list, rf_operate_list(item, 1, &arena));
    assert_int_equal(both.list->count, 3);
    expect_int(both.list->item[2], 1);
    expect_error(apply(RF_FN_ADD, list, rf_value_int(1)));
}

static void test_join_without_room(void **state)
{
    (void)state;
    struct rf_arena small;
    rf_arena_init(&small, 64);
    char text[64];
    memset(text, 'x', sizeof text);
    const struct rf_value args[] = {rf_value_string((struct rf_str){text, 64}), str("y")};
    expect_error(rf_operate(RF_FN_ADD, args, 2, false, &small));
    const struct rf_value bad[] = {str("y"), rf_value_null()};
    expect_error(rf_operate(RF_FN_LT, bad, 2, false, &small)); /* the text has no room either: still an error */
    rf_arena_free(&small);
}

static void test_equality(void **state)
{
    (void)state;
    expect_bool(apply(RF_FN_EQ, rf_value_int(1), rf_value_double(1)), true);
    expect_bool(apply(RF_FN_NE, rf_value_int(1), rf_value_double(1)), false);
    expect_bool(apply(RF_FN_EQ, str("1"), rf_value_int(1)), false);
    expect_bool(apply(RF_FN_NE, str("1"), rf_value_int(1)), true);
    expect_bool(apply(RF_FN_EQ, rf_value_null(), rf_value_null()), true);
    expect_bool(apply(RF_FN_NE, rf_value_double(NAN), rf_value_double(NAN)), true);
    expect_error(apply(RF_FN_EQ, message("1e400"), rf_value_int(1)));
    expect_error(apply(RF_FN_EQ, rf_value_error("x"), rf_value_int(1)));
}

static void test_order(void **state)
{
    (void)state;
    expect_bool(apply(RF_FN_LT, rf_value_int(1), rf_value_double(1.5)), true);
    expect_bool(apply(RF_FN_LE, str("a"), str("a")), true);
    expect_bool(apply(RF_FN_GT, str("b"), str("ab")), true);
    expect_bool(apply(RF_FN_GE, rf_value_bool(false), rf_value_bool(true)), false);
    expect_bool(apply(RF_FN_LT, rf_value_double(NAN), rf_value_int(1)), false);
    expect_bool(apply(RF_FN_GE, rf_value_double(NAN), rf_value_int(1)), false);
    expect_bool(apply(RF_FN_GT, message("9007199254740993"), rf_value_double(9007199254740992.0)), true);
    expect_error(apply(RF_FN_LT, str("1"), rf_value_int(1)));
    expect_error(apply(RF_FN_LT, rf_value_null(), rf_value_null()));
    expect_error(apply(RF_FN_GE, rf_operate_list(NULL, 0, &arena), rf_operate_list(NULL, 0, &arena)));
}

static void test_in(void **state)
{
    (void)state;
    const struct rf_value item[] = {rf_value_int(1), str("x"), rf_value_null()};
    const struct rf_value list = rf_operate_list(item, 3, &arena);
    expect_bool(apply(RF_FN_IN, message("1.0"), list), true);
    expect_bool(apply(RF_FN_IN, str("y"), list), false);
    expect_bool(apply(RF_FN_IN, rf_value_null(), list), true);
    const struct rf_value key[] = {str("k"), rf_value_int(1), rf_value_int(2), rf_value_int(2)};
    const struct rf_value map = rf_operate_map(key, 4, &arena);
    expect_bool(apply(RF_FN_IN, str("k"), map), true);
    expect_bool(apply(RF_FN_IN, rf_value_double(2), map), true);
    expect_bool(apply(RF_FN_IN, rf_value_null(), map), false);
    expect_error(apply(RF_FN_IN, str("k"), str("key")));
    /* An element that cannot be compared: only when no other one decides. */
    struct rf_value with_huge[] = {message("1e400"), rf_value_int(1)};
    const struct rf_list huge = {.count = 2, .item = with_huge};
    const struct rf_value value = {.type = RF_TYPE_LIST, .list = &huge};
    expect_bool(apply(RF_FN_IN, rf_value_int(1), value), true);
    expect_error(apply(RF_FN_IN, rf_value_int(2), value));
}

static void test_text(void **state)
{
    (void)state;
    expect_int(apply_one(RF_FN_SIZE, str("h\xc3\xa9\xf0\x9f\x9a\x80")), 3);
    expect_int(apply_one(RF_FN_SIZE, bytes("h\xc3\xa9")), 3);
    expect_int(apply_one(RF_FN_SIZE, rf_operate_list(NULL, 0, &arena)), 0);
    expect_int(apply_one(RF_FN_SIZE, rf_operate_map(NULL, 0, &arena)), 0);
    expect_error(apply_one(RF_FN_SIZE, rf_value_int(3)));
    expect_bool(apply(RF_FN_STARTS, str("abc"), str("ab")), true);
    expect_bool(apply(RF_FN_STARTS, str("abc"), str("")), true);
    expect_bool(apply(RF_FN_ENDS, str("abc"), str("bc")), true);
    expect_bool(apply(RF_FN_CONTAINS, str("abc"), str("d")), false);
    expect_error(apply(RF_FN_CONTAINS, bytes("abc"), bytes("b")));
    expect_error(apply(RF_FN_STARTS, str("abc"), rf_value_int(1)));
    expect_bool(apply_one(RF_FN_NOT, rf_value_bool(false)), true);
    expect_error(apply_one(RF_FN_NOT, rf_value_int(0)));
    expect_error(apply_one(RF_FN_NEG, str("x")));
}

static void test_first_error_wins(void **state)
{
    (void)state;
    const struct rf_value error = apply(RF_FN_ADD, rf_value_error("left"), rf_value_error("right"));
    assert_true(rf_str_equal(error.text, RF_STR("left")));
    expect_error(apply(RF_FN_AND, rf_value_bool(true), rf_value_bool(true))); /* not strict: not here */
}

static void test_operate_index(void **state)
{
    (void)state;
    const struct rf_value item[] = {rf_value_int(7), rf_value_int(8)};
    const struct rf_value list = rf_operate_list(item, 2, &arena);
    expect_int(rf_operate_index(list, rf_value_int(1), false, &arena), 8);
    expect_int(rf_operate_index(list, rf_value_uint(0), false, &arena), 7);
    expect_int(rf_operate_index(list, rf_value_double(1), false, &arena), 8);
    expect_int(rf_operate_index(list, message("0"), false, &arena), 7);
    expect_error(rf_operate_index(list, rf_value_double(0.5), false, &arena));
    expect_error(rf_operate_index(list, rf_value_int(2), false, &arena));
    expect_error(rf_operate_index(list, rf_value_int(-1), false, &arena));
    expect_error(rf_operate_index(list, rf_value_double(NAN), false, &arena));
    expect_error(rf_operate_index(list, rf_value_double(1e300), false, &arena));
    expect_error(rf_operate_index(list, str("0"), false, &arena));
    const struct rf_value key[] = {str("k"), rf_value_int(1), rf_value_int(2), str("two")};
    const struct rf_value map = rf_operate_map(key, 4, &arena);
    expect_int(rf_operate_index(map, str("k"), false, &arena), 1);
    assert_true(is_same(rf_operate_index(map, rf_value_double(2), false, &arena), str("two")));
    const struct rf_value missing = rf_operate_index(map, str("nope"), false, &arena);
    assert_true(rf_str_equal(missing.text, RF_STR("no such key: nope")));
    expect_error(rf_operate_index(map, rf_value_null(), false, &arena));
    expect_error(rf_operate_index(str("abc"), rf_value_int(0), false, &arena));
    expect_error(rf_operate_index(rf_value_error("x"), rf_value_int(0), false, &arena));
}

static void test_operate_to_index(void **state)
{
    (void)state;
    size_t i = 0;
    assert_true(rf_operate_to_index(rf_value_uint(5), &i));
    assert_int_equal(i, 5);
    assert_true(rf_operate_to_index(rf_value_double(-0.0), &i));
    assert_int_equal(i, 0);
    assert_false(rf_operate_to_index(rf_value_int(-1), &i));
    assert_false(rf_operate_to_index(str("1"), &i));
}

static void test_operate_has(void **state)
{
    (void)state;
    const struct rf_value key[] = {str("k"), rf_value_null()};
    const struct rf_value map = rf_operate_map(key, 2, &arena);
    expect_bool(rf_operate_has(map, RF_STR("k"), &arena), true);
    expect_bool(rf_operate_has(map, RF_STR("l"), &arena), false);
    expect_error(rf_operate_has(str("k"), RF_STR("k"), &arena));
    expect_error(rf_operate_has(rf_value_error("x"), RF_STR("k"), &arena));
}

static void test_operate_list(void **state)
{
    (void)state;
    const struct rf_value item[] = {rf_value_int(7), rf_value_error("bad")};
    assert_int_equal(rf_operate_list(item, 1, &arena).list->count, 1);
    expect_error(rf_operate_list(item, 2, &arena));
}

static void test_operate_map(void **state)
{
    (void)state;
    const struct rf_value twins[] = {rf_value_int(1), str("a"), rf_value_uint(1), str("b")};
    expect_error(rf_operate_map(twins, 4, &arena));
    const struct rf_value bad_key[] = {rf_value_double(1), str("a")};
    expect_error(rf_operate_map(bad_key, 2, &arena));
    const struct rf_value null_key[] = {rf_value_null(), str("a")};
    expect_error(rf_operate_map(null_key, 2, &arena));
    const struct rf_value good[] = {rf_value_bool(true), str("a"), str("true"), str("b")};
    assert_int_equal(rf_operate_map(good, 4, &arena).map->count, 2);
}

static void test_operate_usable(void **state)
{
    (void)state;
    expect_error(rf_operate_usable(message("1e400"), &arena));
    assert_int_equal(rf_operate_usable(message("1e4"), &arena).type, RF_TYPE_DOUBLE);
}

/* A cut never leaves half a character. */
static void test_operate_error(void **state)
{
    (void)state;
    char name[400];
    for (size_t i = 0; i + 2 < sizeof name; i += 2) {
        memcpy(name + i, "\xc3\xa9", 3);
    }
    name[sizeof name - 1] = '\0';
    for (int skip = 0; skip < 2; skip++) {
        const struct rf_value error = rf_operate_error(&arena, "%s%s", skip == 0 ? "" : "x", name);
        assert_int_equal(error.type, RF_TYPE_ERROR);
        assert_true(error.text.count >= 150);
        assert_int_equal((error.text.count - (size_t)skip) % 2, 0);
    }
    expect_error(rf_operate_no_key(rf_value_int(1), &arena));
    expect_error(rf_operate_no_element(3, &arena));
    expect_error(rf_operate_no_index(RF_TYPE_STRING, RF_TYPE_INT, &arena));
    expect_error(rf_operate_no_has(RF_TYPE_LIST, &arena));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_int_arithmetic),
        cmocka_unit_test(test_uint_arithmetic),
        cmocka_unit_test(test_double_arithmetic),
        cmocka_unit_test(test_mixed_arithmetic),
        cmocka_unit_test(test_message_arithmetic),
        cmocka_unit_test(test_message_remainder),
        cmocka_unit_test(test_strict_cel),
        cmocka_unit_test(test_join),
        cmocka_unit_test(test_join_without_room),
        cmocka_unit_test(test_equality),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_in),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_first_error_wins),
        cmocka_unit_test(test_operate_index),
        cmocka_unit_test(test_operate_to_index),
        cmocka_unit_test(test_operate_has),
        cmocka_unit_test(test_operate_list),
        cmocka_unit_test(test_operate_map),
        cmocka_unit_test(test_operate_usable),
        cmocka_unit_test(test_operate_error),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
