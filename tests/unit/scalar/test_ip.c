#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "ip.h"

static const struct rf_str nothing = {NULL, 0};

static uint32_t random_state = 1;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(random_state >> 4) * limit) >> 28);
}

static struct rf_ip ip_of(const char *text)
{
    struct rf_ip ip;
    if (rf_ip_parse(rf_str_of(text), &ip) != RF_IP_OK) {
        fail_msg("no address: %s", text);
    }
    return ip;
}

static struct rf_cidr cidr_of(const char *text)
{
    struct rf_cidr cidr;
    if (rf_cidr_parse(rf_str_of(text), &cidr) != RF_IP_OK) {
        fail_msg("no range: %s", text);
    }
    return cidr;
}

static void test_rf_ip_parse(void **state)
{
    static const struct {
        const char *text;
        bool is_v6;
        uint8_t byte[16];
    } rows[] = {
        {"192.168.0.1", false, {192, 168, 0, 1}},
        {"0.0.0.0", false, {0}},
        {"255.255.255.255", false, {255, 255, 255, 255}},
        {"::", true, {0}},
        {"::1", true, {[15] = 1}},
        {"1::", true, {[1] = 1}},
        {"2001:db8::68", true, {0x20, 0x01, 0x0d, 0xb8, [15] = 0x68}},
        {"2001:DB8::aBcD", true, {0x20, 0x01, 0x0d, 0xb8, [14] = 0xab, [15] = 0xcd}},
        {"1:2:3:4:5:6:7:8", true, {0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8}},
        {"1:2:3:4:5:6:7::", true, {0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 0}},
        {"::2:3:4:5:6:7:8", true, {0, 0, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8}},
        {"1:2::4:5:6:7:8", true, {0, 1, 0, 2, 0, 0, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8}},
        {"0001:0000:ffff::", true, {[1] = 1, [4] = 0xff, [5] = 0xff}},
        /* an IPv4 tail is an IPv6 address unless it is a mapped one */
        {"::1.2.3.4", true, {[12] = 1, 2, 3, 4}},
        {"64:ff9b::192.0.2.33", true, {0x00, 0x64, 0xff, 0x9b, [12] = 192, 0, 2, 33}},
        {"1:2:3:4:5:6:7.8.9.10", true, {0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 7, 8, 9, 10}},
        {"1:2:3:4:5::7.8.9.10", true, {0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 0, 7, 8, 9, 10}},
        /* mapped in hex digits */
        {"::ffff:c0a8:1", false, {192, 168, 0, 1}},
        {"0:0:0:0:0:FFFF:0:0", false, {0}},
        {"::ffff:0:0:0", true, {[8] = 0xff, 0xff}},
    };
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const struct rf_ip ip = ip_of(rows[r].text);
        if (ip.is_v6 != rows[r].is_v6 || memcmp(ip.byte, rows[r].byte, sizeof ip.byte) != 0) {
            fail_msg("other address: %s", rows[r].text);
        }
    }
}

static void test_rf_ip_parse_refused(void **state)
{
    static const struct {
        const char *text;
        enum rf_ip_problem problem;
    } rows[] = {
        {"", RF_IP_BAD},
        {"1", RF_IP_BAD},
        {"1.2.3", RF_IP_BAD},
        {"1.2.3.", RF_IP_BAD},
        {"1.2.3.4.", RF_IP_BAD},
        {".1.2.3.4", RF_IP_BAD},
        {"1..2.3", RF_IP_BAD},
        {"192.168.0.1.0", RF_IP_BAD},
        {"256.0.0.1", RF_IP_BAD},
        {"1.2.3.1000", RF_IP_BAD},
        {"99999999999999999999.0.0.1", RF_IP_BAD},
        {"1.2.3.04", RF_IP_BAD},
        {"1.2.3.00", RF_IP_BAD},
        {"01.2.3.4", RF_IP_BAD},
        {" 1.2.3.4", RF_IP_BAD},
        {"1.2.3.4 ", RF_IP_BAD},
        {"+1.2.3.4", RF_IP_BAD},
        {"1.2.3.a", RF_IP_BAD},
        {"1.2.3.4%eth0", RF_IP_BAD},
        {"1.2.3.4/8", RF_IP_BAD},
        {":", RF_IP_BAD},
        {":::", RF_IP_BAD},
        {":1", RF_IP_BAD},
        {"1:", RF_IP_BAD},
        {"::1:", RF_IP_BAD},
        {":::1", RF_IP_BAD},
        {"2001:db8:::68", RF_IP_BAD},
        {"1::2::3", RF_IP_BAD},
        {"1:2:3:4:5:6:7", RF_IP_BAD},
        {"1:2:3:4:5:6:7:8:", RF_IP_BAD},
        {"1:2:3:4:5:6:7:8::", RF_IP_BAD},
        {"::1:2:3:4:5:6:7:8", RF_IP_BAD},
        {"1:2:3:4::5:6:7:8", RF_IP_BAD},
        {"1:2:3:4:5:6:7:8:9", RF_IP_BAD},
        {"12345::", RF_IP_BAD},
        {"00001::", RF_IP_BAD},
        {"g::", RF_IP_BAD},
        {"`::", RF_IP_BAD},
        {"@::", RF_IP_BAD},
        {"1::2 ", RF_IP_BAD},
        {"[::1]", RF_IP_BAD},
        {"::1.2.3", RF_IP_BAD},
        {"::1.2.3.256", RF_IP_BAD},
        {"::1.2.3.04", RF_IP_BAD},
        {"::f.2.3.4", RF_IP_BAD},
        {"::1.2.3.4:5", RF_IP_BAD},
        {"1.2.3.4::", RF_IP_BAD},
        {"1:2:3:4:5:6:7:1.2.3.4", RF_IP_BAD},
        {"1::2:3:4:5:6:7:1.2.3.4", RF_IP_BAD},
        {"1::2:3:4:5:6:7:8:1.2.3.4", RF_IP_BAD},
        {"1:2:3:4:5:1.2.3.4", RF_IP_BAD},
        {"1:2:3:4:5:6::1.2.3.4", RF_IP_BAD},
        {"::.1.2.3", RF_IP_BAD},
        {"fe80::1%", RF_IP_BAD},
        {"fe80:::1%en0", RF_IP_BAD},
        {"%en0", RF_IP_BAD},
        {"%::1", RF_IP_BAD},
        {"fe80::1%en0", RF_IP_ZONE},
        {"::%1", RF_IP_ZONE},
        {"fe80::1%en0%:", RF_IP_ZONE},
        {"::ffff:1.2.3.4%en0", RF_IP_ZONE},
        {"::ffff:192.168.0.1", RF_IP_MAPPED},
        {"0:0:0:0:0:FFFF:1.2.3.4", RF_IP_MAPPED},
    };
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct rf_ip ip = {.byte = {7}, .is_v6 = true};
        if (rf_ip_parse(rf_str_of(rows[r].text), &ip) != rows[r].problem) {
            fail_msg("not problem %d: %s", (int)rows[r].problem, rows[r].text);
        }
        assert_true(ip.is_v6 && ip.byte[0] == 7);
    }
    struct rf_ip ip;
    assert_int_equal(rf_ip_parse(nothing, &ip), RF_IP_BAD);
    assert_int_equal(rf_ip_parse(RF_STR("1.2.3.4\0"), &ip), RF_IP_BAD);
    assert_int_equal(rf_ip_parse((struct rf_str){"1.2.3.45", 7}, &ip), RF_IP_OK);
    assert_int_equal(ip.byte[3], 4);
}

static void test_rf_cidr_parse(void **state)
{
    static const struct {
        const char *text;
        enum rf_ip_problem problem;
    } refused[] = {
        {"", RF_IP_BAD},
        {"/", RF_IP_BAD},
        {"/24", RF_IP_BAD},
        {"192.168.0.0", RF_IP_BAD},
        {"192.168.0.0/", RF_IP_BAD},
        {"192.168.0.0/33", RF_IP_BAD},
        {"192.168.0.0/024", RF_IP_BAD},
        {"192.168.0.0/00", RF_IP_BAD},
        {"192.168.0.0/+8", RF_IP_BAD},
        {"192.168.0.0/-1", RF_IP_BAD},
        {"192.168.0.0/8 ", RF_IP_BAD},
        {"192.168.0.0/8/8", RF_IP_BAD},
        {"192.168.0.0/256", RF_IP_BAD},
        {"192.168.0.0/4294967297", RF_IP_BAD},
        {"192.168.0/24", RF_IP_BAD},
        {"::/129", RF_IP_BAD},
        {"2001:db8:::/32", RF_IP_BAD},
        {"::ffff:1.2.3.4/129", RF_IP_BAD},
        {"fe80::1%en0/24", RF_IP_ZONE},
        {"::ffff:192.168.0.1/24", RF_IP_MAPPED},
        {"::ffff:c0a8:1/120", RF_IP_MAPPED},
    };
    (void)state;
    for (size_t r = 0; r < sizeof refused / sizeof refused[0]; r++) {
        struct rf_cidr cidr = {.prefix = 77};
        if (rf_cidr_parse(rf_str_of(refused[r].text), &cidr) != refused[r].problem) {
            fail_msg("not problem %d: %s", (int)refused[r].problem, refused[r].text);
        }
        assert_int_equal(cidr.prefix, 77);
    }
    struct rf_cidr unused;
    assert_int_equal(rf_cidr_parse(nothing, &unused), RF_IP_BAD);
    assert_int_equal(cidr_of("192.168.0.1/24").prefix, 24);
    assert_true(rf_ip_equal(cidr_of("192.168.0.1/24").ip, ip_of("192.168.0.1")));
    assert_int_equal(cidr_of("1.2.3.4/0").prefix, 0);
    assert_int_equal(cidr_of("1.2.3.4/32").prefix, 32);
    assert_int_equal(cidr_of("2001:db8::/32").prefix, 32);
    assert_int_equal(cidr_of("::/0").prefix, 0);
    assert_int_equal(cidr_of("::1/128").prefix, 128);
}

static void assert_written(struct rf_ip ip, const char *expected)
{
    char text[RF_IP_TEXT_MAX];
    const size_t count = rf_ip_write(ip, text);
    if (!rf_str_equal((struct rf_str){text, count}, rf_str_of(expected))) {
        fail_msg("%.*s is not %s", (int)count, text, expected);
    }
}

static void test_rf_ip_write(void **state)
{
    static const char *const rows[][2] = {
        {"192.168.0.1", "192.168.0.1"},
        {"0.10.200.255", "0.10.200.255"},
        {"::", "::"},
        {"::1", "::1"},
        {"1::", "1::"},
        {"2001:DB8::68", "2001:db8::68"},
        {"2001:0db8:0000:0000:0001:0000:0000:0001", "2001:db8::1:0:0:1"}, /* the first of two equal runs */
        {"2001:0:0:1:0:0:0:1", "2001:0:0:1::1"},
        {"2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"}, /* a single group stays */
        {"0:1:2:3:4:5:6:7", "0:1:2:3:4:5:6:7"},
        {"1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"},
        {"::3:4:5:6:7:8", "::3:4:5:6:7:8"},
        {"1:2:3:4:5:6::", "1:2:3:4:5:6::"},
        {"0:0:1::", "0:0:1::"},
        {"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"},
        {"0100:0010:0001:1000:0a0b:00f0::", "100:10:1:1000:a0b:f0::"},
        {"::1.2.3.4", "::102:304"},
        {"::ffff:c0a8:1", "192.168.0.1"},
    };
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        assert_written(ip_of(rows[r][0]), rows[r][1]);
    }
}

static void test_rf_cidr_write(void **state)
{
    static const char *const rows[][2] = {
        {"192.168.0.0/24", "192.168.0.0/24"},
        {"127.0.0.1/8", "127.0.0.1/8"},
        {"0.0.0.0/0", "0.0.0.0/0"},
        {"2001:DB8::/32", "2001:db8::/32"},
        {"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128"},
    };
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        char text[RF_CIDR_TEXT_MAX];
        const size_t count = rf_cidr_write(cidr_of(rows[r][0]), text);
        assert_true(rf_str_equal((struct rf_str){text, count}, rf_str_of(rows[r][1])));
    }
}

static void test_rf_ip_is_canonical(void **state)
{
    enum rf_ip_problem problem = RF_IP_BAD;
    (void)state;
    assert_true(rf_ip_is_canonical(RF_STR("127.0.0.1"), &problem));
    assert_int_equal(problem, RF_IP_OK);
    assert_true(rf_ip_is_canonical(RF_STR("2001:db8::68"), &problem));
    assert_true(rf_ip_is_canonical(RF_STR("::"), &problem));
    problem = RF_IP_BAD;
    assert_false(rf_ip_is_canonical(RF_STR("2001:DB8::68"), &problem));
    assert_int_equal(problem, RF_IP_OK);
    assert_false(rf_ip_is_canonical(RF_STR("2001:db8:0:0:0:0:0:1"), &problem));
    assert_false(rf_ip_is_canonical(RF_STR("::1.2.3.4"), &problem));
    assert_false(rf_ip_is_canonical(RF_STR("::ffff:c0a8:1"), &problem));
    assert_int_equal(problem, RF_IP_OK);
    assert_false(rf_ip_is_canonical(RF_STR("127.0.0.1.0"), &problem));
    assert_int_equal(problem, RF_IP_BAD);
    assert_false(rf_ip_is_canonical(RF_STR("fe80::1%en0"), &problem));
    assert_int_equal(problem, RF_IP_ZONE);
    assert_false(rf_ip_is_canonical(RF_STR("::ffff:1.2.3.4"), &problem));
    assert_int_equal(problem, RF_IP_MAPPED);
}

static void test_rf_ip_equal(void **state)
{
    (void)state;
    assert_true(rf_ip_equal(ip_of("127.0.0.1"), ip_of("127.0.0.1")));
    assert_false(rf_ip_equal(ip_of("127.0.0.1"), ip_of("10.0.0.1")));
    assert_true(rf_ip_equal(ip_of("::ffff:c0a8:1"), ip_of("192.168.0.1")));
    assert_false(rf_ip_equal(ip_of("::ffff:c0a8:1"), ip_of("192.168.10.1")));
    assert_true(rf_ip_equal(ip_of("2001:db8::1"), ip_of("2001:DB8::1")));
    assert_false(rf_ip_equal(ip_of("::"), ip_of("::ffff")));
    assert_false(rf_ip_equal(ip_of("::"), ip_of("0.0.0.0")));
    assert_false(rf_ip_equal(ip_of("1::1"), ip_of("1::2"))); /* the last byte */
}

static void test_rf_cidr_equal(void **state)
{
    (void)state;
    assert_true(rf_cidr_equal(cidr_of("127.0.0.1/24"), cidr_of("127.0.0.1/24")));
    assert_false(rf_cidr_equal(cidr_of("127.0.0.1/24"), cidr_of("127.0.0.0/24")));
    assert_false(rf_cidr_equal(cidr_of("127.0.0.1/24"), cidr_of("127.0.0.1/25")));
    assert_false(rf_cidr_equal(cidr_of("192.0.0.1/32"), cidr_of("10.0.0.1/8")));
    assert_false(rf_cidr_equal(cidr_of("2001:db8::/32"), cidr_of("10.0.0.1/32")));
    assert_false(rf_cidr_equal(cidr_of("::/0"), cidr_of("0.0.0.0/0")));
}

static void test_rf_ip_family(void **state)
{
    (void)state;
    assert_int_equal(rf_ip_family(ip_of("192.168.0.1")), 4);
    assert_int_equal(rf_ip_family(ip_of("2001:db8::68")), 6);
    assert_int_equal(rf_ip_family(ip_of("::ffff:c0a8:1")), 4);
}

/* u unspecified, l loopback, m multicast, M link-local multicast, U link-local unicast, g global unicast; the ends of
 * each range and what lies beyond them. */
static void test_kinds(void **state)
{
    static const char *const rows[][2] = {
        {"0.0.0.0", "u"},
        {"0.0.0.1", "g"},
        {"126.255.255.255", "g"},
        {"127.0.0.0", "l"},
        {"127.255.255.255", "l"},
        {"128.0.0.0", "g"},
        {"169.253.255.255", "g"},
        {"169.254.0.0", "U"},
        {"169.254.169.254", "U"},
        {"169.255.0.0", "g"},
        {"192.168.0.1", "g"},
        {"10.0.0.1", "g"},
        {"223.255.255.255", "g"},
        {"224.0.0.0", "mM"},
        {"224.0.0.255", "mM"},
        {"224.0.1.1", "m"},
        {"224.1.0.1", "m"},
        {"239.255.255.255", "m"},
        {"240.0.0.0", "g"},
        {"255.255.255.254", "g"},
        {"255.255.255.255", ""},
        {"::", "u"},
        {"::1", "l"},
        {"::2", "g"},
        {"::101", "g"},
        {"1::1", "g"},
        {"2001:db8::abcd", "g"},
        {"fd00::1", "g"},
        {"fd80::1", "g"},
        {"fe7f:ffff::", "g"},
        {"fe80::1", "U"},
        {"febf:ffff::", "U"},
        {"fec0::", "g"},
        {"feff:ffff::", "g"},
        {"ff00::1", "m"},
        {"ff01::1", "m"},
        {"ff02::1", "mM"},
        {"ff12::1", "mM"},
        {"ff03::1", "m"},
        {"ffff::1", "m"},
    };
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const struct rf_ip ip = ip_of(rows[r][0]);
        char kinds[8] = "";
        size_t count = 0;
        kinds[count] = 'u';
        count += rf_ip_is_unspecified(ip);
        kinds[count] = 'l';
        count += rf_ip_is_loopback(ip);
        kinds[count] = 'm';
        count += rf_ip_is_multicast(ip);
        kinds[count] = 'M';
        count += rf_ip_is_link_local_multicast(ip);
        kinds[count] = 'U';
        count += rf_ip_is_link_local_unicast(ip);
        kinds[count] = 'g';
        count += rf_ip_is_global_unicast(ip);
        if (!rf_str_equal((struct rf_str){kinds, count}, rf_str_of(rows[r][1]))) {
            fail_msg("%s is %.*s, not %s", rows[r][0], (int)count, kinds, rows[r][1]);
        }
    }
}

static void test_rf_cidr_contains_ip(void **state)
{
    (void)state;
    assert_true(rf_cidr_contains_ip(cidr_of("192.168.0.0/24"), ip_of("192.168.0.1")));
    assert_false(rf_cidr_contains_ip(cidr_of("192.168.0.0/24"), ip_of("192.168.1.1")));
    assert_true(rf_cidr_contains_ip(cidr_of("192.168.0.77/24"), ip_of("192.168.0.1"))); /* host bits do not count */
    assert_true(rf_cidr_contains_ip(cidr_of("0.0.0.0/0"), ip_of("255.1.2.3")));
    assert_false(rf_cidr_contains_ip(cidr_of("0.0.0.0/0"), ip_of("::")));
    assert_false(rf_cidr_contains_ip(cidr_of("::/0"), ip_of("0.0.0.0")));
    assert_true(rf_cidr_contains_ip(cidr_of("::/0"), ip_of("ffff::")));
    assert_true(rf_cidr_contains_ip(cidr_of("192.168.0.0/24"), ip_of("::ffff:c0a8:1")));
    assert_false(rf_cidr_contains_ip(cidr_of("2001:db8::/32"), ip_of("192.168.1.1")));
    assert_true(rf_cidr_contains_ip(cidr_of("2001:db8::/32"), ip_of("2001:db8::1")));
    assert_false(rf_cidr_contains_ip(cidr_of("2001:db8::/32"), ip_of("2001:db9::1")));
    assert_true(rf_cidr_contains_ip(cidr_of("10.0.0.1/32"), ip_of("10.0.0.1")));
    assert_false(rf_cidr_contains_ip(cidr_of("10.0.0.1/32"), ip_of("10.0.0.0")));
    assert_true(rf_cidr_contains_ip(cidr_of("::1/128"), ip_of("::1")));
    assert_false(rf_cidr_contains_ip(cidr_of("::1/128"), ip_of("::")));
}

static void test_rf_cidr_contains_cidr(void **state)
{
    (void)state;
    assert_true(rf_cidr_contains_cidr(cidr_of("192.168.0.0/24"), cidr_of("192.168.0.0/25")));
    assert_true(rf_cidr_contains_cidr(cidr_of("192.168.0.0/24"), cidr_of("192.168.0.1/32")));
    assert_false(rf_cidr_contains_cidr(cidr_of("192.168.0.0/24"), cidr_of("192.168.0.0/23")));
    assert_false(rf_cidr_contains_cidr(cidr_of("192.168.0.0/24"), cidr_of("192.168.1.0/25")));
    assert_true(rf_cidr_contains_cidr(cidr_of("10.0.0.0/8"), cidr_of("10.0.0.0/8")));
    assert_true(rf_cidr_contains_cidr(cidr_of("2001:db8::/32"), cidr_of("2001:db8::/33")));
    assert_false(rf_cidr_contains_cidr(cidr_of("2001:db8::/32"), cidr_of("10.0.0.0/32")));
    assert_false(rf_cidr_contains_cidr(cidr_of("0.0.0.0/0"), cidr_of("::/0")));
}

static void test_rf_cidr_masked(void **state)
{
    (void)state;
    assert_true(rf_cidr_equal(rf_cidr_masked(cidr_of("192.168.0.1/24")), cidr_of("192.168.0.0/24")));
    assert_true(rf_cidr_equal(rf_cidr_masked(cidr_of("255.255.255.255/0")), cidr_of("0.0.0.0/0")));
    assert_true(rf_cidr_equal(rf_cidr_masked(cidr_of("255.255.255.255/32")), cidr_of("255.255.255.255/32")));
    assert_true(rf_cidr_equal(rf_cidr_masked(cidr_of("255.255.255.255/19")), cidr_of("255.255.224.0/19")));
    assert_true(rf_cidr_equal(rf_cidr_masked(cidr_of("ffff::ffff/127")), cidr_of("ffff::fffe/127")));
    assert_true(rf_cidr_equal(rf_cidr_masked(cidr_of("ffff::ffff/128")), cidr_of("ffff::ffff/128")));
    assert_true(rf_cidr_equal(rf_cidr_masked(cidr_of("ffff::ffff/3")), cidr_of("e000::/3")));
    assert_true(rf_cidr_equal(rf_cidr_masked(cidr_of("ffff::ffff/0")), cidr_of("::/0")));
}

static bool bit_of(struct rf_ip ip, unsigned bit)
{
    return (ip.byte[bit / 8] >> (7 - bit % 8) & 1) != 0;
}

static struct rf_ip random_ip(bool is_v6)
{
    struct rf_ip ip = {.is_v6 = is_v6};
    for (size_t i = 0; i < (is_v6 ? 16u : 4u); i++) {
        ip.byte[i] = (uint8_t)(random_below(3) != 0 ? random_below(256) : random_below(2) * 255);
    }
    return ip;
}

/* Prefixes of every length, bit by bit. */
static void test_random_ranges(void **state)
{
    (void)state;
    for (int round = 0; round < 20000; round++) {
        const bool is_v6 = round % 2 == 0;
        const unsigned bits = is_v6 ? 128 : 32;
        const struct rf_cidr cidr = {.ip = random_ip(is_v6), .prefix = (uint8_t)random_below(bits + 1)};
        const struct rf_cidr masked = rf_cidr_masked(cidr);
        struct rf_ip ip = cidr.ip;
        const unsigned flipped = random_below(bits);
        ip.byte[flipped / 8] = (uint8_t)(ip.byte[flipped / 8] ^ 0x80u >> flipped % 8);
        assert_int_equal(masked.prefix, cidr.prefix);
        for (unsigned bit = 0; bit < bits; bit++) {
            assert_int_equal(bit_of(masked.ip, bit), bit < cidr.prefix && bit_of(cidr.ip, bit));
        }
        assert_true(rf_cidr_contains_ip(cidr, cidr.ip));
        assert_int_equal(rf_cidr_contains_ip(cidr, ip), flipped >= cidr.prefix);
        assert_true(rf_cidr_contains_cidr(masked, cidr));
        const struct rf_cidr other = {.ip = ip, .prefix = (uint8_t)random_below(bits + 1)};
        assert_int_equal(rf_cidr_contains_cidr(cidr, other), cidr.prefix <= other.prefix && flipped >= cidr.prefix);
    }
}

static bool is_mapped(const uint8_t byte[16])
{
    static const uint8_t head[12] = {[10] = 0xff, [11] = 0xff};
    return memcmp(byte, head, sizeof head) == 0;
}

/* What the C library accepts is the same, byte for byte, but for mapped addresses. */
static void assert_as_library(struct rf_str text)
{
    char terminated[64];
    uint8_t byte[16] = {0};
    struct rf_ip ip;
    memcpy(terminated, text.data, text.count);
    terminated[text.count] = '\0';
    const bool is_v6 = strchr(terminated, ':') != NULL;
    const bool is_address = inet_pton(is_v6 ? AF_INET6 : AF_INET, terminated, byte) == 1;
    const enum rf_ip_problem problem = rf_ip_parse(text, &ip);
    if (is_address && is_v6 && is_mapped(byte)) {
        assert_int_equal(problem, strchr(terminated, '.') != NULL ? RF_IP_MAPPED : RF_IP_OK);
        assert_true(problem == RF_IP_MAPPED || (!ip.is_v6 && memcmp(ip.byte, byte + 12, 4) == 0));
        return;
    }
    if (problem != (is_address ? RF_IP_OK : RF_IP_BAD)) {
        fail_msg("problem %d: %s", (int)problem, terminated);
    }
    assert_true(!is_address || (ip.is_v6 == is_v6 && memcmp(ip.byte, byte, sizeof byte) == 0));
}

/* Texts of the right letters, of which many are addresses. */
static void test_random_texts(void **state)
{
    (void)state;
    for (int round = 0; round < 200000; round++) {
        static const char *const part[] = {":",  ":",   ":",  "::",      "0",     "1", "ffff",
                                           "FF", "a0b", "00", "1.2.3.4", "12345", "."};
        static const char *const number[] = {"0", "1", "99", "255", "256", "01", "300", "", "a"};
        char text[64];
        size_t count = 0;
        if (round % 4 == 0) {
            for (size_t i = 0; i < 4; i++) {
                const uint32_t kind = random_below(5) != 0 ? random_below(4) : random_below(9);
                count += (size_t)snprintf(text + count, sizeof text - count, "%s%s", i == 0 ? "" : ".", number[kind]);
            }
        } else if (round % 4 == 1) {
            /* Groups with colons between them, one of which may be double. */
            const uint32_t groups = 5 + random_below(5);
            const uint32_t gap = random_below(12);
            for (uint32_t i = 0; i < groups; i++) {
                count += (size_t)snprintf(text + count, sizeof text - count, "%s%x",
                                          i == 0     ? ""
                                          : i == gap ? "::"
                                                     : ":",
                                          random_below(3) == 0 ? 0xffffu : random_below(3));
            }
        } else {
            for (uint32_t i = random_below(12); i > 0 && count < sizeof text - 9; i--) {
                const char *const piece = part[random_below(sizeof part / sizeof part[0])];
                memcpy(text + count, piece, strlen(piece));
                count += strlen(piece);
            }
        }
        char *const exact = malloc(count + 1);
        assert_non_null(exact);
        memcpy(exact + 1, text, count); /* the text ends with the block */
        assert_as_library((struct rf_str){exact + 1, count});
        free(exact);
    }
}

/* Written and read again; and as the C library writes it, which differs for the IPv4-compatible addresses that RFC 4291
 * section 2.5.5.1 deprecates. */
static void test_random_addresses(void **state)
{
    static const uint8_t zero[12];
    (void)state;
    for (int round = 0; round < 50000; round++) {
        struct rf_ip ip = random_ip(round % 2 == 0);
        for (size_t i = 0; ip.is_v6 && i < 8; i++) {
            if (random_below(2) == 0) {
                ip.byte[2 * i] = 0;
                ip.byte[2 * i + 1] = 0;
            }
        }
        if (ip.is_v6 && is_mapped(ip.byte)) {
            continue;
        }
        char text[RF_IP_TEXT_MAX];
        char expected[INET6_ADDRSTRLEN];
        enum rf_ip_problem problem;
        const struct rf_str written = {text, rf_ip_write(ip, text)};
        struct rf_ip read;
        assert_int_equal(rf_ip_parse(written, &read), RF_IP_OK);
        assert_true(rf_ip_equal(read, ip));
        assert_true(rf_ip_is_canonical(written, &problem));
        if (!ip.is_v6 || memcmp(ip.byte, zero, sizeof zero) != 0) {
            assert_non_null(inet_ntop(ip.is_v6 ? AF_INET6 : AF_INET, ip.byte, expected, sizeof expected));
            assert_true(rf_str_equal(written, rf_str_of(expected)));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_ip_parse),         cmocka_unit_test(test_rf_ip_parse_refused),
        cmocka_unit_test(test_rf_cidr_parse),       cmocka_unit_test(test_rf_ip_write),
        cmocka_unit_test(test_rf_cidr_write),       cmocka_unit_test(test_rf_ip_is_canonical),
        cmocka_unit_test(test_rf_ip_equal),         cmocka_unit_test(test_rf_cidr_equal),
        cmocka_unit_test(test_rf_ip_family),        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_rf_cidr_contains_ip), cmocka_unit_test(test_rf_cidr_contains_cidr),
        cmocka_unit_test(test_rf_cidr_masked),      cmocka_unit_test(test_random_ranges),
        cmocka_unit_test(test_random_texts),        cmocka_unit_test(test_random_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
