/* calc.h against operate.h: operators, conversions, mathematics and times on cells give what they give on values. */
#include "cell_fixture.h"

static struct cell_fixture fixture;

static int set_up(void **state)
{
    (void)state;
    cell_fixture_open(&fixture, 1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    cell_fixture_close(&fixture);
    return 0;
}

static bool function_is_tested(enum rf_function function)
{
    const struct rf_function_info *const info = rf_function_info(function);
    return info->has_vector && info->signatures[0] != '\0' &&
           (info->family == RF_FAMILY_CORE || info->family == RF_FAMILY_CONVERT || info->family == RF_FAMILY_TIME ||
            info->family == RF_FAMILY_MATH);
}

/* The interpreter is never asked: the scratch is large, and nothing is deep. */
static bool is_never_host(enum rf_function function, const struct cell_pair *arg, uint32_t args)
{
    (void)function;
    (void)arg;
    (void)args;
    return false;
}

static void test_each_function_has_a_form(void **state)
{
    (void)state;
    uint32_t functions = 0;
    for (int f = 0; f < RF_FUNCTION_COUNT; f++) {
        const enum rf_function function = (enum rf_function)f;
        if (function_is_tested(function)) {
            functions++;
            assert_non_null(cell_op_of(function));
        }
    }
    assert_true(functions > 50);
}

static void test_random_calls(void **state)
{
    (void)state;
    enum { CALLS = 16000 };
    uint32_t calls = 0;
    for (int f = 0; f < RF_FUNCTION_COUNT; f++) {
        const enum rf_function function = (enum rf_function)f;
        if (function_is_tested(function)) {
            const struct cell_counts counts = cell_compare_random(&fixture, function, CALLS, is_never_host);
            /* Else the calls would say little. Few pairs of numbers are the seconds and nanoseconds of one time. */
            assert_true(counts.errors < CALLS / 100 * 95);
            calls += counts.calls;
        }
    }
    assert_true(calls > 800000);
}

/* Every value of the pools alone, and with `other` behind it, for both ways to take message numbers. */
static void compare_all(enum rf_function function, const struct cell_pair *other, struct cell_counts *counts)
{
    struct rf_calc calc = {.function = function, .args = other == NULL ? 1 : 2};
    for (int p = 0; p < CELL_POOLS; p++) {
        for (uint32_t i = 0; i < fixture.pool[p].count; i++) {
            struct cell_pair arg[2] = {fixture.pool[p].pair[i]};
            if (other != NULL) {
                arg[1] = *other;
            }
            for (int is_strict = 0; is_strict < 2; is_strict++) {
                calc.is_strict_cel = is_strict != 0;
                cell_compare(&fixture, &calc, arg, false, counts);
            }
        }
    }
}

static void test_each_value(void **state)
{
    (void)state;
    struct cell_counts counts = {0};
    for (int f = 0; f < RF_FUNCTION_COUNT; f++) {
        const enum rf_function function = (enum rf_function)f;
        if (function_is_tested(function) && rf_function_info(function)->args_min == 1) {
            compare_all(function, NULL, &counts);
        }
    }
    assert_true(counts.calls > 10000);
}

/* All pairs of numbers at the edges of the number line. */
static void test_each_pair_of_numbers(void **state)
{
    (void)state;
    static const int number_pool[] = {RF_TYPE_INT, RF_TYPE_UINT, RF_TYPE_DOUBLE, CELL_MESSAGE};
    enum { POOLS = sizeof number_pool / sizeof number_pool[0] };
    struct cell_counts counts = {0};
    for (int f = 0; f < RF_FUNCTION_COUNT; f++) {
        struct rf_calc calc = {.function = (enum rf_function)f, .args = 2};
        if (!function_is_tested(calc.function) || rf_function_info(calc.function)->args_max < 2 ||
            rf_function_info(calc.function)->family == RF_FAMILY_TIME) {
            continue;
        }
        for (int p = 0; p < POOLS * POOLS; p++) {
            const struct cell_pool *const a = &fixture.pool[number_pool[p / POOLS]];
            const struct cell_pool *const b = &fixture.pool[number_pool[p % POOLS]];
            for (uint32_t i = 0; i < a->count * b->count; i++) {
                const struct cell_pair arg[2] = {a->pair[i / b->count], b->pair[i % b->count]};
                cell_compare(&fixture, &calc, arg, false, &counts);
            }
        }
    }
    assert_true(counts.calls > 100000);
    assert_true(counts.errors < counts.calls / 2);
}

/* All sums, differences and comparisons of times, and all their parts in all zones. */
static void test_each_time(void **state)
{
    (void)state;
    static const int time_pool[] = {RF_TYPE_TIMESTAMP, RF_TYPE_DURATION};
    static const enum rf_function binary[] = {RF_FN_ADD, RF_FN_SUB, RF_FN_EQ, RF_FN_NE,
                                              RF_FN_LT,  RF_FN_LE,  RF_FN_GT, RF_FN_GE};
    struct cell_counts counts = {0};
    for (size_t t = 0; t < 2; t++) {
        for (uint32_t i = 0; i < fixture.pool[time_pool[t]].count; i++) {
            for (size_t f = 0; f < sizeof binary / sizeof binary[0]; f++) {
                compare_all(binary[f], &fixture.pool[time_pool[t]].pair[i], &counts);
            }
        }
    }
    const struct cell_pool *const instants = &fixture.pool[RF_TYPE_TIMESTAMP];
    const struct cell_pool *const zones = &fixture.pool[RF_TYPE_STRING];
    for (int f = RF_FN_FULL_YEAR; f <= RF_FN_MILLISECONDS; f++) {
        const struct rf_calc calc = {.function = (enum rf_function)f, .args = 2};
        for (uint32_t i = 0; i < instants->count * zones->count; i++) {
            const struct cell_pair arg[2] = {instants->pair[i / zones->count], zones->pair[i % zones->count]};
            cell_compare(&fixture, &calc, arg, false, &counts);
        }
    }
    assert_true(counts.calls > 50000);
}

/* Equality, `in`, sizes and sums where a list, a map or an optional is among the operands. */
static void test_each_holder(void **state)
{
    (void)state;
    static const int holder_pool[] = {RF_TYPE_LIST, RF_TYPE_MAP, RF_TYPE_OPTIONAL};
    static const enum rf_function binary[] = {RF_FN_EQ, RF_FN_NE, RF_FN_ADD, RF_FN_IN, RF_FN_LT};
    struct cell_counts counts = {0};
    for (size_t t = 0; t < sizeof holder_pool / sizeof holder_pool[0]; t++) {
        const struct cell_pool *const pool = &fixture.pool[holder_pool[t]];
        assert_true(pool->count > 3);
        for (uint32_t i = 0; i < pool->count; i++) {
            for (size_t f = 0; f < sizeof binary / sizeof binary[0]; f++) {
                compare_all(binary[f], &pool->pair[i], &counts);
            }
        }
    }
    assert_true(counts.calls > 50000 && counts.errors < counts.calls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_each_function_has_a_form, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_random_calls, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_each_value, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_each_pair_of_numbers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_each_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_each_holder, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
