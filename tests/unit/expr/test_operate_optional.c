/* operate.h, family OPTIONAL. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "family_fixture.h"

static struct rf_value apply(enum rf_function function, struct rf_value a)
{
    return call_one(rf_operate_optional, function, a);
}

static void expect_holds(struct rf_value optional, struct rf_value inner)
{
    expect_type(optional, RF_TYPE_OPTIONAL);
    assert_non_null(optional.inner);
    assert_int_equal(optional.inner->type, inner.type);
    assert_true(is_same(*optional.inner, inner));
}

static void expect_none(struct rf_value optional)
{
    expect_type(optional, RF_TYPE_OPTIONAL);
    assert_null(optional.inner);
}

static void test_of(void **state)
{
    (void)state;
    expect_holds(apply(RF_FN_OPTIONAL_OF, rf_value_int(7)), rf_value_int(7));
    expect_holds(apply(RF_FN_OPTIONAL_OF, rf_value_null()), rf_value_null());
    expect_holds(apply(RF_FN_OPTIONAL_OF, str("")), str(""));
    const struct rf_value one = apply(RF_FN_OPTIONAL_OF, rf_value_int(1));
    expect_holds(apply(RF_FN_OPTIONAL_OF, one), one);
    expect_holds(apply(RF_FN_OPTIONAL_OF, rf_value_optional(NULL)), rf_value_optional(NULL));
}

/* What an optional holds does not change with the operand that it was made of. */
static void test_of_copies(void **state)
{
    (void)state;
    struct rf_value operand = rf_value_int(7);
    const struct rf_value optional = rf_operate_optional(RF_FN_OPTIONAL_OF, &operand, 1, &arena);
    operand = rf_value_int(8);
    expect_holds(optional, rf_value_int(7));
}

static void test_none(void **state)
{
    (void)state;
    expect_none(rf_operate_optional(RF_FN_OPTIONAL_NONE, NULL, 0, &arena));
}

static void test_of_non_zero_value(void **state)
{
    (void)state;
    const struct rf_value zero[] = {
        rf_value_null(),       rf_value_bool(false), rf_value_int(0),      rf_value_uint(0), rf_value_double(0),
        rf_value_double(-0.0), message("0"),         message("-0.0"),      str(""),          bytes(""),
        list_of(NULL, 0),      map_of(NULL, 0),      rf_value_duration(0), instant(0, 0),
    };
    for (size_t i = 0; i < sizeof zero / sizeof zero[0]; i++) {
        expect_none(apply(RF_FN_OPTIONAL_OF_NON_ZERO, zero[i]));
    }
    const struct rf_value item = rf_value_null();
    const struct rf_entry entry = {.key = str(""), .value = rf_value_null()};
    const struct rf_value other[] = {
        rf_value_bool(true),
        rf_value_int(INT64_MIN),
        rf_value_uint(UINT64_MAX),
        rf_value_double(5e-324),
        message("0.5"),
        message("18446744073709551615"),
        str("0"),
        bytes("0"),
        list_of(&item, 1),
        map_of(&entry, 1),
        rf_value_duration(-1),
        instant(0, 1),
        instant(RF_INSTANT_SECONDS_MIN, 0),
        rf_value_type(RF_TYPE_NULL),
        rf_value_optional(NULL),
        net_of(RF_TYPE_IP, (struct rf_cidr){.prefix = 0}),
        net_of(RF_TYPE_CIDR, (struct rf_cidr){.prefix = 0}),
    };
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        expect_holds(apply(RF_FN_OPTIONAL_OF_NON_ZERO, other[i]), other[i]);
    }
    const struct rf_value nan = apply(RF_FN_OPTIONAL_OF_NON_ZERO, rf_value_double(NAN));
    expect_type(nan, RF_TYPE_OPTIONAL);
    expect_double(*nan.inner, NAN, false);
}

static void test_has_value(void **state)
{
    (void)state;
    expect_bool(apply(RF_FN_HAS_VALUE, rf_value_optional(NULL)), false);
    expect_bool(apply(RF_FN_HAS_VALUE, apply(RF_FN_OPTIONAL_OF, rf_value_null())), true);
    expect_overloads(rf_operate_optional, RF_FN_HAS_VALUE, 1u << RF_TYPE_OPTIONAL);
}

static void test_value(void **state)
{
    (void)state;
    expect_int(apply(RF_FN_VALUE, apply(RF_FN_OPTIONAL_OF, rf_value_int(7))), 7);
    expect_type(apply(RF_FN_VALUE, apply(RF_FN_OPTIONAL_OF, rf_value_null())), RF_TYPE_NULL);
    expect_error(apply(RF_FN_VALUE, rf_value_optional(NULL)), "optional.none() dereference");
    /* A number of a message that no double holds: it may be held, but not be used. */
    const struct rf_value huge = message("1e400");
    expect_error(apply(RF_FN_VALUE, rf_value_optional(&huge)), "beyond the double range");
    expect_overloads(rf_operate_optional, RF_FN_VALUE, 1u << RF_TYPE_OPTIONAL);
}

static void test_without_room(void **state)
{
    (void)state;
    struct rf_arena small;
    rf_arena_init(&small, 8);
    const struct rf_value operand = rf_value_int(7);
    const struct rf_value result = rf_operate_optional(RF_FN_OPTIONAL_OF, &operand, 1, &small);
    assert_true(rf_value_is_bound_error(result));
    rf_arena_free(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_of),           cmocka_unit_test(test_of_copies),
        cmocka_unit_test(test_none),         cmocka_unit_test(test_of_non_zero_value),
        cmocka_unit_test(test_has_value),    cmocka_unit_test(test_value),
        cmocka_unit_test(test_without_room),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
