/* calc_net.c: addresses and networks on cells. That all of it is as on values: tests/unit/pipeline/test_calc_operate_net.c.
 */
#include "calc_fixture.h"

static struct rf_cell text_of(struct rf_cell cell)
{
    return call_one(RF_FN_TO_STRING, cell);
}

static void test_make(void **state)
{
    (void)state;
    const struct rf_cell ip = call_one(RF_FN_IP, str("::FFFF"));
    expect_tag(ip, RF_TAG_IP);
    expect_str(text_of(ip), "::ffff");
    expect_tag(call_one(RF_FN_IP, escaped("10.0.0.1")), RF_TAG_IP);
    expect_error(call_one(RF_FN_IP, str("10.0.0.01")));
    expect_error(call_one(RF_FN_IP, str("10.0.0.0/8")));
    expect_error(call_one(RF_FN_IP, str("fe80::1%en0")));
    expect_error(call_one(RF_FN_IP, bytes("10.0.0.1")));
    const struct rf_cell cidr = call_one(RF_FN_CIDR, str("10.1.2.3/8"));
    expect_tag(cidr, RF_TAG_CIDR);
    expect_str(text_of(cidr), "10.1.2.3/8");
    expect_error(call_one(RF_FN_CIDR, str("10.0.0.0/33")));
    expect_error(call_one(RF_FN_CIDR, net_cell("10.0.0.1")));
    /* The address of a network. */
    expect_str(text_of(call_one(RF_FN_IP, cidr)), "10.1.2.3");
    expect_error(call_one(RF_FN_IP, ip));
}

static void test_texts(void **state)
{
    (void)state;
    expect_bool(call_one(RF_FN_IS_IP, str("::1")), true);
    expect_bool(call_one(RF_FN_IS_IP, str("::1/128")), false);
    expect_bool(call_one(RF_FN_IS_IP, str("")), false);
    expect_bool(call_one(RF_FN_IS_CIDR, str("::1/128")), true);
    expect_bool(call_one(RF_FN_IS_CIDR, str("::1")), false);
    expect_bool(call_one(RF_FN_IP_IS_CANONICAL, str("2001:db8::1")), true);
    expect_bool(call_one(RF_FN_IP_IS_CANONICAL, str("2001:DB8::1")), false);
    expect_error(call_one(RF_FN_IP_IS_CANONICAL, str("nobody")));
    expect_only(RF_FN_IS_IP, TAGS_STRING);
    expect_only(RF_FN_IS_CIDR, TAGS_STRING);
    expect_only(RF_FN_IP_IS_CANONICAL, 0); /* "1" is no address */
}

static void test_questions(void **state)
{
    static const struct {
        enum rf_function function;
        const char *yes, *no;
    } row[] = {{RF_FN_IS_UNSPECIFIED, "::", "::1"},
               {RF_FN_IS_LOOPBACK, "127.3.2.1", "128.0.0.1"},
               {RF_FN_IS_GLOBAL_UNICAST, "192.168.0.1", "224.0.0.1"},
               {RF_FN_IS_LINK_LOCAL_MULTICAST, "ff02::1", "ff05::1"},
               {RF_FN_IS_LINK_LOCAL_UNICAST, "169.254.9.9", "10.0.0.1"}};
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        expect_bool(call_one(row[i].function, net_cell(row[i].yes)), true);
        expect_bool(call_one(row[i].function, net_cell(row[i].no)), false);
        expect_only(row[i].function, 1u << RF_TAG_IP);
    }
    expect_int(call_one(RF_FN_FAMILY, net_cell("10.0.0.1")), 4);
    expect_int(call_one(RF_FN_FAMILY, net_cell("::1")), 6);
    expect_only(RF_FN_FAMILY, 1u << RF_TAG_IP);
}

static void test_contains(void **state)
{
    (void)state;
    const struct rf_cell ten = net_cell("10.0.0.0/8");
    expect_bool(call_two(RF_FN_CONTAINS_IP, ten, net_cell("10.255.0.1")), true);
    expect_bool(call_two(RF_FN_CONTAINS_IP, ten, net_cell("11.0.0.1")), false);
    expect_bool(call_two(RF_FN_CONTAINS_IP, ten, str("10.0.0.1")), true);
    expect_bool(call_two(RF_FN_CONTAINS_IP, ten, escaped("::1")), false);
    expect_error(call_two(RF_FN_CONTAINS_IP, ten, str("10.0.0.0/8")));
    expect_error(call_two(RF_FN_CONTAINS_IP, ten, ten));
    expect_error(call_two(RF_FN_CONTAINS_IP, net_cell("10.0.0.1"), str("10.0.0.1")));
    expect_error(call_two(RF_FN_CONTAINS_IP, str("10.0.0.0/8"), str("10.0.0.1")));
    expect_bool(call_two(RF_FN_CONTAINS_CIDR, ten, net_cell("10.1.0.0/16")), true);
    expect_bool(call_two(RF_FN_CONTAINS_CIDR, ten, ten), true);
    expect_bool(call_two(RF_FN_CONTAINS_CIDR, ten, str("10.0.0.0/7")), false);
    expect_error(call_two(RF_FN_CONTAINS_CIDR, ten, net_cell("10.0.0.1")));
    expect_error(call_two(RF_FN_CONTAINS_CIDR, ten, rf_cell_of_int(1)));
}

static void test_parts(void **state)
{
    (void)state;
    expect_int(call_one(RF_FN_PREFIX_LENGTH, net_cell("::/0")), 0);
    expect_int(call_one(RF_FN_PREFIX_LENGTH, net_cell("::1/128")), 128);
    expect_str(text_of(call_one(RF_FN_MASKED, net_cell("10.1.2.3/8"))), "10.0.0.0/8");
    expect_only(RF_FN_PREFIX_LENGTH, 1u << RF_TAG_CIDR);
    expect_only(RF_FN_MASKED, 1u << RF_TAG_CIDR);
}

/* The prefix that an address may have had does not count; host bits do. */
static void test_equality(void **state)
{
    (void)state;
    const struct rf_cell of_network = call_one(RF_FN_IP, net_cell("10.0.0.1/8"));
    expect_bool(call_two(RF_FN_EQ, of_network, net_cell("10.0.0.1")), true);
    expect_bool(call_two(RF_FN_NE, of_network, net_cell("10.0.0.1")), false);
    expect_bool(call_two(RF_FN_EQ, net_cell("10.0.0.1"), net_cell("10.0.0.2")), false);
    expect_bool(call_two(RF_FN_EQ, net_cell("10.0.0.1/8"), net_cell("10.0.0.1/8")), true);
    expect_bool(call_two(RF_FN_EQ, net_cell("10.0.0.1/8"), net_cell("10.0.0.0/8")), false);
    expect_bool(call_two(RF_FN_EQ, net_cell("10.0.0.1/8"), of_network), false);
    expect_bool(call_two(RF_FN_EQ, net_cell("10.0.0.1"), str("10.0.0.1")), false);
    expect_error(call_two(RF_FN_LT, net_cell("10.0.0.1"), net_cell("10.0.0.2")));
}

/* Without room the interpreter is asked; what needs none goes on. */
static void test_without_room(void **state)
{
    (void)state;
    const struct rf_cell cidr = net_cell("10.1.2.3/8");
    rf_arena_reset(&scratch);
    struct rf_cidr kept = {.ip = {.byte = {10, 1, 2, 3}}, .prefix = 8};
    const struct rf_cell cell = rf_cell_of_net(&kept, cidr.tag);
    scratch.bytes_max = sizeof kept - 1;
    expect_host(call_one(RF_FN_IP, str("10.0.0.1")));
    expect_host(call_one(RF_FN_CIDR, str("10.0.0.0/8")));
    expect_host(call_one(RF_FN_MASKED, cell));
    expect_error(call_one(RF_FN_IP, str("nobody")));
    expect_tag(call_one(RF_FN_IP, cell), RF_TAG_IP);
    expect_int(call_one(RF_FN_PREFIX_LENGTH, cell), 8);
}

static void test_functions_of_others(void **state)
{
    (void)state;
    assert_null(rf_calc_net_op(RF_FN_EQ));
    assert_null(rf_calc_net_op(RF_FN_TO_STRING));
    assert_null(rf_calc_net_op(RF_FN_CONTAINS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_make, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_texts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_questions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_contains, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_parts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_equality, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_without_room, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_functions_of_others, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
