#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "instant.h"
#include "zone_rule.h"

static const int64_t seconds_2500 = 16725225600;

static uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static const char *const rules[] = {
    "UTC0",
    "EST5",
    "<+0530>-5:30",
    "<-00>0",
    "EST5EDT,M3.2.0,M11.1.0",
    "CET-1CEST,M3.5.0,M10.5.0/3",
    "AEST-10AEDT,M10.1.0,M4.1.0/3",
    "NZST-12NZDT,M9.5.0,M4.1.0/3",
    "IST-1GMT0,M10.5.0,M3.5.0/1",
    "<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45",
    "<-02>2<-01>,M3.5.0/-1,M10.5.0/0",
    "EET-2EEST,M3.4.4/50,M10.4.4/50",
    "EET-2EEST,M4.5.5/0,M10.5.4/24",
    "<-06>6<-05>,M9.1.6/22,M4.1.6/22",
    "IST-2IDT,M3.4.4/26,M10.5.0",
    "<+00>0<+02>-2,M3.5.0/1,M10.5.0/3",
    "AAA3BBB,J60/0,J300",
    "AAA-3:15:30BBB-4,59,300/1:30:15",
    "AAA-9BBB,M2.5.6/-100,M12.4.1/100",
};

/* The C library reads the same rules. It has them from 1970 on, and its years are those of UTC, so that rules near the
 * new year are left out. */
static void test_rf_zone_rule_offset(void **state)
{
    enum { ROUNDS = 20000 };
    uint64_t seed = 4101842887655102017u;
    (void)state;
    for (size_t r = 0; r < sizeof rules / sizeof rules[0]; r++) {
        struct rf_zone_rule rule;
        assert_true(rf_zone_rule_parse(rf_str_of(rules[r]), &rule));
        assert_int_equal(setenv("TZ", rules[r], 1), 0);
        tzset();
        for (int round = 0; round < ROUNDS; round++) {
            const time_t t = (time_t)(random_next(&seed) % (uint64_t)seconds_2500);
            struct tm parts;
            assert_non_null(localtime_r(&t, &parts));
            if (rf_zone_rule_offset(&rule, t) != parts.tm_gmtoff) {
                fail_msg("%s at %lld: %d, not %ld", rules[r], (long long)t, rf_zone_rule_offset(&rule, t),
                         parts.tm_gmtoff);
            }
        }
    }
}

struct rule_case {
    const char *date; /* an instant in UTC */
    int32_t offset;
};

static int64_t seconds_of(const char *text)
{
    struct rf_instant t = {0, 0};
    assert_true(rf_instant_parse(rf_str_of(text), &t));
    return t.seconds;
}

static void assert_rule(const char *text, const struct rule_case *cases, size_t count)
{
    struct rf_zone_rule rule;
    assert_true(rf_zone_rule_parse(rf_str_of(text), &rule));
    for (size_t c = 0; c < count; c++) {
        if (rf_zone_rule_offset(&rule, seconds_of(cases[c].date)) != cases[c].offset) {
            fail_msg("%s at %s: %d", text, cases[c].date, rf_zone_rule_offset(&rule, seconds_of(cases[c].date)));
        }
    }
}

/* Moments that lie in the year before or after the one that they are told for. */
static void test_rf_zone_rule_offset_new_year(void **state)
{
    static const struct rule_case early[] = {
        {"2023-12-31T21:59:59Z", 0},    {"2023-12-31T22:00:00Z", 3600}, {"2024-01-01T00:00:00Z", 3600},
        {"2024-04-09T22:59:59Z", 3600}, {"2024-04-09T23:00:00Z", 0},    {"2024-12-31T22:00:00Z", 3600},
    };
    static const struct rule_case late[] = {
        {"2023-06-30T23:59:59Z", 0},    {"2023-07-01T00:00:00Z", 3600}, {"2023-12-31T23:59:59Z", 3600},
        {"2024-01-01T23:59:59Z", 3600}, {"2024-01-02T00:00:00Z", 0},    {"2024-07-01T00:00:00Z", 3600},
        {"0001-01-01T12:00:00Z", 3600}, {"9999-12-31T23:59:59Z", 3600},
    };
    static const struct rule_case ends_early[] = {
        {"2023-12-31T12:59:59Z", 3600},
        {"2023-12-31T13:00:00Z", 0},
        {"2024-06-30T23:59:59Z", 0},
        {"2024-07-01T00:00:00Z", 3600},
    };
    /* New year in the east, where it is still last year in UTC. */
    static const struct rule_case east[] = {
        {"2023-12-31T09:59:59Z", 50400},
        {"2023-12-31T10:00:00Z", 54000},
        {"2024-01-31T09:59:59Z", 54000},
        {"2024-01-31T10:00:00Z", 50400},
    };
    static const struct rule_case always[] = {
        {"2023-01-01T00:00:00Z", -14400}, {"2023-01-01T04:59:59Z", -14400}, {"2023-01-01T05:00:00Z", -14400},
        {"2024-07-01T00:00:00Z", -14400}, {"2024-12-31T23:59:59Z", -14400},
    };
    (void)state;
    assert_rule("AAA0BBB,J1/-2,J100/0", early, sizeof early / sizeof early[0]);
    assert_rule("AAA0BBB,J182/0,J365/49", late, sizeof late / sizeof late[0]);
    assert_rule("AAA0BBB,J182/0,J1/-10", ends_early, sizeof ends_early / sizeof ends_early[0]);
    assert_rule("AAA-14BBB,J1/0,J32/1", east, sizeof east / sizeof east[0]);
    assert_rule("EST5EDT,0/0,J365/25", always, sizeof always / sizeof always[0]);
    /* Longer than a year: it has begun again before it ends. */
    assert_rule("EST5EDT,0/0,J365/30", always, sizeof always / sizeof always[0]);
    assert_rule("XXX3EDT4,0/0,J365/23", always, sizeof always / sizeof always[0]);
}

/* Moments that are in one order in some years and in the other one, or at once, in others. */
static void test_rf_zone_rule_offset_orders(void **state)
{
    static const struct rule_case mixed[] = {
        {"2023-03-27T00:00:00Z", 3600}, {"2024-01-15T00:00:00Z", 0}, {"2024-04-01T00:00:00Z", 3600},
        {"2025-01-15T00:00:00Z", 3600}, {"2025-03-29T00:00:00Z", 0},
    };
    /* In 2024, March 31 is the last Sunday of its month. */
    static const struct rule_case at_once[] = {
        {"2024-01-15T00:00:00Z", 3600},
        {"2024-04-15T00:00:00Z", 0},
        {"2025-01-15T00:00:00Z", 0},
        {"2025-04-15T00:00:00Z", 3600},
    };
    (void)state;
    assert_rule("AAA0BBB,M3.5.0/0,J88/0", mixed, sizeof mixed / sizeof mixed[0]);
    assert_rule("AAA0BBB,J90/0,M3.5.0/1", at_once, sizeof at_once / sizeof at_once[0]);
}

static void test_rf_zone_rule_parse(void **state)
{
    static const char *const bad[] = {
        "",
        "E",
        "ES5",
        "EST",
        "EST5EDT",
        "EST5EDT4",
        "EST5EDT,M3.2.0",
        "EST5EDT,M3.2.0,",
        "EST5EDT,M3.2.0,M11.1.0x",
        "EST5EDT,M3.2.0,M11.1.0,",
        "EST5,M3.2.0,M11.1.0",
        "EST5EDT,M0.2.0,M11.1.0",
        "EST5EDT,M13.2.0,M11.1.0",
        "EST5EDT,M3.0.0,M11.1.0",
        "EST5EDT,M3.6.0,M11.1.0",
        "EST5EDT,M3.2.7,M11.1.0",
        "EST5EDT,M3.2,M11.1.0",
        "EST5EDT,M.2.0,M11.1.0",
        "EST5EDT,J0,J100",
        "EST5EDT,J1,J366",
        "EST5EDT,1,366",
        "EST5EDT,M3.2.0/168,M11.1.0",
        "EST5EDT,M3.2.0/-168,M11.1.0",
        "EST5EDT,M3.2.0/,M11.1.0",
        "EST5EDT,M3.2.0/2:60,M11.1.0",
        "EST5EDT,M3.2.0/2:30:60,M11.1.0",
        "EST25",
        "EST-25",
        "EST99999999999999999999",
        "EST5:60",
        "EST5:",
        "EST+-5",
        "<EST5",
        "<+0530-5:30",
        "<+5>-5",
        "<+05_0>-5",
        "EST5<EDT,M3.2.0,M11.1.0",
        "5EST",
        " EST5",
        "EST5 ",
        ":EST5EDT",
        "Europe/Berlin",
        "EST5EDT,J,J100",
        "\xff\xff\xff\xff",
        "EST5EDT4EST,M3.2.0,M11.1.0",
    };
    struct rf_zone_rule rule;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (rf_zone_rule_parse(rf_str_of(bad[i]), &rule)) {
            fail_msg("accepted: %s", bad[i]);
        }
    }
    assert_false(rf_zone_rule_parse((struct rf_str){NULL, 0}, &rule));
    /* The text ends where its count says. */
    for (size_t count = 0; count < 22; count++) {
        assert_true(rf_zone_rule_parse((struct rf_str){"EST5EDT,M3.2.0,M11.1.0", count}, &rule) == (count == 4));
    }
    assert_true(rf_zone_rule_parse(RF_STR("AAA-24:59:59BBB,M3.2.0/+167:59:59,M11.1.0/-167:59:59"), &rule));
    assert_int_equal(rule.standard_offset, 89999);
    assert_int_equal(rule.saving_offset, 93599);
    for (int64_t seconds = INT64_MIN; seconds < INT64_MAX - ((int64_t)1 << 60); seconds += (int64_t)1 << 60) {
        assert_in_range(rf_zone_rule_offset(&rule, seconds), 89999, 93599);
    }
    assert_true(rf_zone_rule_parse(RF_STR("EST+5"), &rule));
    assert_int_equal(rf_zone_rule_offset(&rule, 0), -18000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_zone_rule_offset),
        cmocka_unit_test(test_rf_zone_rule_offset_new_year),
        cmocka_unit_test(test_rf_zone_rule_offset_orders),
        cmocka_unit_test(test_rf_zone_rule_parse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
