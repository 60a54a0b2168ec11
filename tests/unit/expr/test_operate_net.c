/* operate.h, family NET. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "family_fixture.h"

enum { STRING = 1u << RF_TYPE_STRING, IP = 1u << RF_TYPE_IP, CIDR = 1u << RF_TYPE_CIDR };

static struct rf_value apply(enum rf_function function, struct rf_value a)
{
    return call_one(rf_operate_net, function, a);
}

static struct rf_value ip(const char *text)
{
    return apply(RF_FN_IP, str(text));
}

static struct rf_value cidr(const char *text)
{
    return apply(RF_FN_CIDR, str(text));
}

static struct rf_value contains(enum rf_function function, const char *outer, struct rf_value inner)
{
    return call_two(rf_operate_net, function, cidr(outer), inner);
}

/* The value as string() writes it. */
static void expect_net(struct rf_value value, enum rf_type type, const char *text)
{
    expect_type(value, type);
    expect_str(call_one(rf_operate_convert, RF_FN_TO_STRING, value), text);
}

static void test_ip(void **state)
{
    (void)state;
    expect_net(ip("192.168.0.1"), RF_TYPE_IP, "192.168.0.1");
    expect_net(ip("255.255.255.255"), RF_TYPE_IP, "255.255.255.255");
    expect_net(ip("2001:DB8::68"), RF_TYPE_IP, "2001:db8::68");
    expect_net(ip("::"), RF_TYPE_IP, "::");
    assert_true(is_same(ip("2001:db8:0:0::1"), ip("2001:db8::1")));
    assert_true(is_same(ip("::ffff:c0a8:1"), ip("192.168.0.1")));
    assert_false(is_same(ip("::"), ip("0.0.0.0")));
    expect_error(ip(""), "'' is no IP address");
    expect_error(ip("192.168.0.1.0"), "'192.168.0.1.0' is no IP address");
    expect_error(ip("192.168.0.256"), "is no IP address");
    expect_error(ip("192.168.0.01"), "is no IP address");
    expect_error(ip("192.168.0.0/24"), "is no IP address");
    expect_error(ip("2001:db8:::68"), "is no IP address");
    expect_error(ip("fe80::1%en0"), "has a zone");
    expect_error(ip("::ffff:192.168.0.1"), "IPv4-mapped");
    expect_overloads(rf_operate_net, RF_FN_IP, STRING | CIDR);
}

static void test_ip_of_cidr(void **state)
{
    (void)state;
    expect_net(apply(RF_FN_IP, cidr("192.168.1.5/24")), RF_TYPE_IP, "192.168.1.5");
    expect_net(apply(RF_FN_IP, cidr("2001:db8::7/32")), RF_TYPE_IP, "2001:db8::7");
    assert_true(is_same(apply(RF_FN_IP, cidr("192.168.0.0/24")), ip("192.168.0.0")));
}

static void test_cidr(void **state)
{
    (void)state;
    expect_net(cidr("192.168.0.0/24"), RF_TYPE_CIDR, "192.168.0.0/24");
    expect_net(cidr("0.0.0.0/0"), RF_TYPE_CIDR, "0.0.0.0/0");
    expect_net(cidr("192.168.0.1/32"), RF_TYPE_CIDR, "192.168.0.1/32");
    expect_net(cidr("2001:DB8::/128"), RF_TYPE_CIDR, "2001:db8::/128");
    assert_true(is_same(cidr("127.0.0.1/24"), cidr("127.0.0.1/24")));
    assert_false(is_same(cidr("127.0.0.1/24"), cidr("127.0.0.0/24")));
    assert_false(is_same(cidr("127.0.0.1/24"), cidr("127.0.0.1/25")));
    expect_error(cidr("192.168.0.0/"), "'192.168.0.0/' is no network");
    expect_error(cidr("192.168.0.0"), "is no network");
    expect_error(cidr("192.168.0.0/33"), "is no network");
    expect_error(cidr("2001:db8::/129"), "is no network");
    expect_error(cidr("192.168.0.0/-1"), "is no network");
    expect_error(cidr("fe80::1%en0/24"), "has a zone");
    expect_error(cidr("::ffff:192.168.0.1/24"), "IPv4-mapped");
    expect_overloads(rf_operate_net, RF_FN_CIDR, STRING);
}

static void test_questions_about_text(void **state)
{
    (void)state;
    expect_bool(apply(RF_FN_IS_IP, str("192.168.0.1")), true);
    expect_bool(apply(RF_FN_IS_IP, str("2001:DB8::1")), true);
    expect_bool(apply(RF_FN_IS_IP, str("192.168.0.1/24")), false);
    expect_bool(apply(RF_FN_IS_IP, str("fe80::1%en0")), false);
    expect_bool(apply(RF_FN_IS_IP, str("::ffff:192.168.0.1")), false);
    expect_bool(apply(RF_FN_IS_CIDR, str("192.168.0.0/24")), true);
    expect_bool(apply(RF_FN_IS_CIDR, str("192.168.0.0/33")), false);
    expect_bool(apply(RF_FN_IS_CIDR, str("192.168.0.0")), false);
    expect_bool(apply(RF_FN_IP_IS_CANONICAL, str("127.0.0.1")), true);
    expect_bool(apply(RF_FN_IP_IS_CANONICAL, str("2001:db8::1")), true);
    expect_bool(apply(RF_FN_IP_IS_CANONICAL, str("2001:DB8::1")), false);
    expect_bool(apply(RF_FN_IP_IS_CANONICAL, str("2001:db8:0:0:0:0:0:1")), false);
    expect_error(apply(RF_FN_IP_IS_CANONICAL, str("127.0.0.1.0")), "is no IP address");
    expect_error(apply(RF_FN_IP_IS_CANONICAL, str("fe80::1%en0")), "has a zone");
    expect_overloads(rf_operate_net, RF_FN_IS_IP, STRING);
    expect_overloads(rf_operate_net, RF_FN_IS_CIDR, STRING);
    expect_overloads(rf_operate_net, RF_FN_IP_IS_CANONICAL, STRING);
}

static void test_questions_about_ip(void **state)
{
    (void)state;
    const struct {
        const char *text;
        int family;
        bool is_unspecified, is_loopback, is_global, is_local_multicast, is_local;
    } row[] = {
        {"192.168.0.1", 4, false, false, true, false, false},
        {"0.0.0.0", 4, true, false, false, false, false},
        {"127.255.0.1", 4, false, true, false, false, false},
        {"255.255.255.255", 4, false, false, false, false, false},
        {"224.0.0.1", 4, false, false, false, true, false},
        {"224.0.1.1", 4, false, false, false, false, false},
        {"169.254.169.254", 4, false, false, false, false, true},
        {"2001:db8::abcd", 6, false, false, true, false, false},
        {"::", 6, true, false, false, false, false},
        {"::1", 6, false, true, false, false, false},
        {"ff02::1", 6, false, false, false, true, false},
        {"ff05::1", 6, false, false, false, false, false},
        {"fe80::1", 6, false, false, false, false, true},
        {"fd80::1", 6, false, false, true, false, false},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const struct rf_value value = ip(row[i].text);
        expect_int(apply(RF_FN_FAMILY, value), row[i].family);
        expect_bool(apply(RF_FN_IS_UNSPECIFIED, value), row[i].is_unspecified);
        expect_bool(apply(RF_FN_IS_LOOPBACK, value), row[i].is_loopback);
        expect_bool(apply(RF_FN_IS_GLOBAL_UNICAST, value), row[i].is_global);
        expect_bool(apply(RF_FN_IS_LINK_LOCAL_MULTICAST, value), row[i].is_local_multicast);
        expect_bool(apply(RF_FN_IS_LINK_LOCAL_UNICAST, value), row[i].is_local);
    }
    for (int function = RF_FN_FAMILY; function <= RF_FN_IS_LINK_LOCAL_UNICAST; function++) {
        expect_overloads(rf_operate_net, (enum rf_function)function, IP);
    }
}

static void test_contains_ip(void **state)
{
    (void)state;
    expect_bool(contains(RF_FN_CONTAINS_IP, "192.168.0.0/24", ip("192.168.0.0")), true);
    expect_bool(contains(RF_FN_CONTAINS_IP, "192.168.0.0/24", ip("192.168.0.255")), true);
    expect_bool(contains(RF_FN_CONTAINS_IP, "192.168.0.0/24", ip("192.168.1.0")), false);
    expect_bool(contains(RF_FN_CONTAINS_IP, "192.168.0.9/24", str("192.168.0.1")), true);
    expect_bool(contains(RF_FN_CONTAINS_IP, "192.168.0.0/24", str("192.167.255.255")), false);
    expect_bool(contains(RF_FN_CONTAINS_IP, "0.0.0.0/0", str("::1")), false);
    expect_bool(contains(RF_FN_CONTAINS_IP, "2001:db8::/32", ip("2001:db8:ffff::1")), true);
    expect_error(contains(RF_FN_CONTAINS_IP, "192.168.0.0/24", str("192.168.0.1.0")), "is no IP address");
    expect_error(contains(RF_FN_CONTAINS_IP, "192.168.0.0/24", str("::ffff:192.168.0.1")), "IPv4-mapped");
    expect_error(contains(RF_FN_CONTAINS_IP, "192.168.0.0/24", cidr("192.168.0.0/24")), "no such overload");
    expect_error(contains(RF_FN_CONTAINS_IP, "192.168.0.0/24", rf_value_int(1)), "no such overload");
    expect_error(call_two(rf_operate_net, RF_FN_CONTAINS_IP, ip("10.0.0.1"), ip("10.0.0.1")), "no such overload");
    expect_error(call_two(rf_operate_net, RF_FN_CONTAINS_IP, str("10.0.0.1"), str("10.0.0.1")), "no such overload");
}

static void test_contains_cidr(void **state)
{
    (void)state;
    expect_bool(contains(RF_FN_CONTAINS_CIDR, "192.168.0.0/24", cidr("192.168.0.0/24")), true);
    expect_bool(contains(RF_FN_CONTAINS_CIDR, "192.168.0.0/24", cidr("192.168.0.128/25")), true);
    expect_bool(contains(RF_FN_CONTAINS_CIDR, "192.168.0.0/24", cidr("192.168.0.0/23")), false);
    expect_bool(contains(RF_FN_CONTAINS_CIDR, "192.168.0.0/24", str("192.168.1.0/25")), false);
    expect_bool(contains(RF_FN_CONTAINS_CIDR, "10.0.0.0/8", str("10.1.0.0/16")), true);
    expect_bool(contains(RF_FN_CONTAINS_CIDR, "2001:db8::/32", cidr("2001:db8::/33")), true);
    expect_bool(contains(RF_FN_CONTAINS_CIDR, "::/0", cidr("10.0.0.0/8")), false);
    expect_error(contains(RF_FN_CONTAINS_CIDR, "10.0.0.0/8", str("10.0.0.0")), "is no network");
    expect_error(contains(RF_FN_CONTAINS_CIDR, "10.0.0.0/8", ip("10.0.0.0")), "no such overload");
    expect_error(call_two(rf_operate_net, RF_FN_CONTAINS_CIDR, ip("10.0.0.0"), cidr("10.0.0.0/8")), "no such overload");
}

static void test_masked_and_prefix_length(void **state)
{
    (void)state;
    expect_net(apply(RF_FN_MASKED, cidr("192.168.1.5/24")), RF_TYPE_CIDR, "192.168.1.0/24");
    expect_net(apply(RF_FN_MASKED, cidr("192.168.1.5/0")), RF_TYPE_CIDR, "0.0.0.0/0");
    expect_net(apply(RF_FN_MASKED, cidr("192.168.1.5/32")), RF_TYPE_CIDR, "192.168.1.5/32");
    expect_net(apply(RF_FN_MASKED, cidr("2001:db8::ffff/113")), RF_TYPE_CIDR, "2001:db8::8000/113");
    expect_int(apply(RF_FN_PREFIX_LENGTH, cidr("192.168.0.0/24")), 24);
    expect_int(apply(RF_FN_PREFIX_LENGTH, cidr("::/0")), 0);
    expect_int(apply(RF_FN_PREFIX_LENGTH, cidr("::1/128")), 128);
    expect_overloads(rf_operate_net, RF_FN_MASKED, CIDR);
    expect_overloads(rf_operate_net, RF_FN_PREFIX_LENGTH, CIDR);
}

static void test_long_text_in_an_error(void **state)
{
    (void)state;
    char text[3 + 3 * 100 + 1] = "xxx";
    for (size_t skip = 0; skip < 3; skip++) {
        for (size_t i = 0; i < 100; i++) {
            memcpy(text + skip + 3 * i, "\xe2\x82\xac", 4);
        }
        expect_error(ip(text), "\xe2\x82\xac' is no IP address");
        memset(text, 'x', 3);
    }
}

static void test_without_room(void **state)
{
    (void)state;
    struct rf_arena small;
    rf_arena_init(&small, 8);
    const struct rf_value text = str("10.0.0.1");
    assert_true(rf_value_is_bound_error(rf_operate_net(RF_FN_IP, &text, 1, &small)));
    const struct rf_value net = cidr("10.0.0.1/8");
    assert_true(rf_value_is_bound_error(rf_operate_net(RF_FN_MASKED, &net, 1, &small)));
    rf_arena_free(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ip),
        cmocka_unit_test(test_ip_of_cidr),
        cmocka_unit_test(test_cidr),
        cmocka_unit_test(test_questions_about_text),
        cmocka_unit_test(test_questions_about_ip),
        cmocka_unit_test(test_contains_ip),
        cmocka_unit_test(test_contains_cidr),
        cmocka_unit_test(test_masked_and_prefix_length),
        cmocka_unit_test(test_long_text_in_an_error),
        cmocka_unit_test(test_without_room),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
