/* calc.h against operate.h: functions of addresses and networks on cells give what they give on values. */
#include "cell_fixture.h"

static struct cell_fixture fixture;

/* Texts of addresses and networks, good and bad ones, among the strings. */
static int set_up(void **state)
{
    static const char *const text[] = {"0.0.0.0",
                                       "10.0.0.1",
                                       "10.0.0.01",
                                       "010.0.0.1",
                                       "10.0.0.256",
                                       "10.0.0",
                                       "10.0.0.1.",
                                       "127.0.0.1",
                                       "::",
                                       "::1",
                                       "::0001",
                                       "::ffff:1.2.3.4",
                                       "::ffff:a:b",
                                       "fe80::1%en0",
                                       "2001:db8::68",
                                       "2001:DB8::68",
                                       "2001:db8:0:0::68",
                                       "1:2:3:4:5:6:7:8",
                                       "1:2:3:4:5:6:7:8:9",
                                       "10.0.0.0/8",
                                       "10.0.0.1/8",
                                       "10.0.0.0/08",
                                       "10.0.0.0/33",
                                       "10.0.0.0/",
                                       "::/0",
                                       "::1/128",
                                       "::1/129",
                                       "2001:db8::/32",
                                       "::ffff:a:b/100",
                                       "/8"};
    (void)state;
    cell_fixture_open(&fixture, 1);
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        cell_fixture_add_text(&fixture, RF_TYPE_STRING, rf_str_of(text[i]));
    }
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
    return rf_function_info(function)->family == RF_FAMILY_NET;
}

static void test_each_function_has_a_form(void **state)
{
    (void)state;
    uint32_t functions = 0;
    for (int f = 0; f < RF_FUNCTION_COUNT; f++) {
        const enum rf_function function = (enum rf_function)f;
        assert_int_equal(rf_calc_net_op(function) != NULL, function_is_tested(function));
        assert_true(!function_is_tested(function) || rf_function_info(function)->has_vector);
        functions += function_is_tested(function);
    }
    assert_int_equal(functions, 15);
}

/* Each function, equality, text and type of every value of the pools; with every other one behind it where it takes two. */
static void test_each_value(void **state)
{
    static const enum rf_function others[] = {RF_FN_EQ,        RF_FN_NE,   RF_FN_LT,
                                              RF_FN_TO_STRING, RF_FN_TYPE, RF_FN_OPTIONAL_OF_NON_ZERO};
    static const int second_pool[] = {RF_TYPE_STRING, RF_TYPE_IP, RF_TYPE_CIDR, RF_TYPE_NULL, CELL_MESSAGE};
    enum { OTHERS = sizeof others / sizeof others[0], POOLS = sizeof second_pool / sizeof second_pool[0] };
    (void)state;
    struct cell_counts counts = {0};
    for (int f = 0; f < RF_FUNCTION_COUNT + OTHERS; f++) {
        struct rf_calc calc = {.function = f < OTHERS ? others[f] : (enum rf_function)(f - OTHERS)};
        calc.args = rf_function_info(calc.function)->args_min;
        if (f >= OTHERS && !function_is_tested(calc.function)) {
            continue;
        }
        for (int p = 0; p < CELL_POOLS; p++) {
            for (uint32_t i = 0; i < fixture.pool[p].count; i++) {
                struct cell_pair arg[2] = {fixture.pool[p].pair[i]};
                if (calc.args == 1) {
                    cell_compare(&fixture, &calc, arg, false, &counts);
                    continue;
                }
                for (int s = 0; s < POOLS; s++) {
                    for (uint32_t k = 0; k < fixture.pool[second_pool[s]].count; k++) {
                        arg[1] = fixture.pool[second_pool[s]].pair[k];
                        cell_compare(&fixture, &calc, arg, false, &counts);
                    }
                }
            }
        }
    }
    assert_true(counts.calls > 100000 && counts.errors < counts.calls);
    assert_int_equal(counts.hosts, 0);
}

/* Texts that are cut and joined anew. */
static void test_random_texts(void **state)
{
    enum { CALLS = 20000, TEXT_MAX = 48 };
    (void)state;
    for (int f = 0; f < RF_FUNCTION_COUNT; f++) {
        struct rf_calc calc = {.function = (enum rf_function)f, .args = 1};
        struct cell_counts counts = {0};
        if (!function_is_tested(calc.function) || rf_function_info(calc.function)->signatures[0] != 's') {
            continue;
        }
        for (uint32_t i = 0; i < CALLS; i++) {
            static const char piece[][5] = {"1", "0", "25", ":", "::", ".", "/", "8", "ffff", "db8", "%", "/32", "a:b"};
            char text[TEXT_MAX];
            size_t count = 0;
            for (uint32_t pieces = cell_random(&fixture, 10); pieces != 0; pieces--) {
                const struct rf_str part = rf_str_of(piece[cell_random(&fixture, sizeof piece / sizeof piece[0])]);
                memcpy(text + count, part.data, part.count);
                count += part.count;
            }
            struct cell_pair arg = {.value =
                                        rf_value_string(cell_text_copy((struct rf_str){text, count}, &fixture.trial))};
            arg.cell = cell_of_value(arg.value, &fixture.trial);
            cell_compare(&fixture, &calc, &arg, false, &counts);
        }
        assert_int_equal(counts.calls, CALLS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_each_function_has_a_form, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_each_value, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_random_texts, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
