#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "instant.h"

static uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static struct rf_instant random_instant(uint64_t *state)
{
    const uint64_t span = (uint64_t)(RF_INSTANT_SECONDS_MAX - RF_INSTANT_SECONDS_MIN) + 1;
    static const uint32_t steps[] = {1, 1000, 1000000, 100000000, 1000000000};
    const uint32_t step = steps[random_next(state) % (sizeof steps / sizeof steps[0])];
    const uint32_t nanos = (uint32_t)(random_next(state) % RF_NANOSECONDS_PER_SECOND);
    return (struct rf_instant){RF_INSTANT_SECONDS_MIN + (int64_t)(random_next(state) % span), nanos - nanos % step};
}

/* Parses a copy that ends where the text ends, so that the address sanitizer sees every byte too far. */
static bool parse_copy(const char *text, size_t count, struct rf_instant *out)
{
    char *const copy = malloc(count == 0 ? 1 : count);
    assert_non_null(copy);
    memcpy(copy, text, count);
    const bool is_good = rf_instant_parse((struct rf_str){copy, count}, out);
    free(copy);
    return is_good;
}

static struct rf_instant parsed(const char *text)
{
    struct rf_instant t = {0, 0};
    if (!parse_copy(text, strlen(text), &t)) {
        fail_msg("refused: %s", text);
    }
    return t;
}

static void test_rf_instant_is_in_range(void **state)
{
    (void)state;
    assert_true(rf_instant_is_in_range((struct rf_instant){0, 0}));
    assert_true(rf_instant_is_in_range((struct rf_instant){RF_INSTANT_SECONDS_MIN, 0}));
    assert_true(rf_instant_is_in_range((struct rf_instant){RF_INSTANT_SECONDS_MAX, 999999999}));
    assert_false(rf_instant_is_in_range((struct rf_instant){RF_INSTANT_SECONDS_MIN - 1, 999999999}));
    assert_false(rf_instant_is_in_range((struct rf_instant){RF_INSTANT_SECONDS_MAX + 1, 0}));
    assert_false(rf_instant_is_in_range((struct rf_instant){0, 1000000000}));
    assert_false(rf_instant_is_in_range((struct rf_instant){INT64_MIN, UINT32_MAX}));
}

static void test_rf_instant_parse_accepts(void **state)
{
    static const struct {
        const char *text;
        int64_t seconds;
        uint32_t nanos;
    } rows[] = {
        {"1970-01-01T00:00:00Z", 0, 0},
        {"2009-02-13T23:31:30Z", 1234567890, 0},
        {"2009-02-13T23:31:20.123456789Z", 1234567880, 123456789},
        {"1969-12-31T23:59:59.5Z", -1, 500000000},
        {"0001-01-01T00:00:00Z", RF_INSTANT_SECONDS_MIN, 0},
        {"9999-12-31T23:59:59.999999999Z", RF_INSTANT_SECONDS_MAX, 999999999},
        {"2000-02-29T12:00:00Z", 951825600, 0},
        {"2024-02-29T00:00:00Z", 1709164800, 0},
        {"1600-02-29T00:00:00Z", -11670998400, 0},
        {"2023-01-01T00:00:00.1Z", 1672531200, 100000000},
        {"2023-01-01T00:00:00.12Z", 1672531200, 120000000},
        {"2023-01-01T00:00:00.000001Z", 1672531200, 1000},
        {"2023-01-01T00:00:00.000000001Z", 1672531200, 1},
        {"2023-01-01T00:00:00.0Z", 1672531200, 0},
        /* Beyond nanoseconds: cut off. */
        {"2023-01-01T00:00:00.1234567899Z", 1672531200, 123456789},
        {"2023-01-01T00:00:00.99999999999999999999999999Z", 1672531200, 999999999},
        {"2023-01-01T05:45:00+05:45", 1672531200, 0},
        {"2022-12-31T20:30:00-03:30", 1672531200, 0},
        {"2023-01-01T00:00:00+00:00", 1672531200, 0},
        {"2023-01-01T00:00:00-00:00", 1672531200, 0},
        {"2023-01-01T23:59:00+23:59", 1672531200, 0},
        {"2022-12-31T00:01:00.25-23:59", 1672531200, 250000000},
        /* At the ends of the range, where the offset leads back into it. */
        {"0001-01-01T23:59:00+23:59", RF_INSTANT_SECONDS_MIN, 0},
        {"9999-12-31T00:00:59-23:59", RF_INSTANT_SECONDS_MAX, 0},
        {"0000-12-31T23:59:59-23:59", RF_INSTANT_SECONDS_MIN + 86339, 0},
    };
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const struct rf_instant t = parsed(rows[r].text);
        if (t.seconds != rows[r].seconds || t.nanos != rows[r].nanos) {
            fail_msg("%s: %lld %u", rows[r].text, (long long)t.seconds, (unsigned)t.nanos);
        }
    }
}

static void test_rf_instant_parse_refuses(void **state)
{
    static const char *const bad[] = {
        "",
        "Z",
        "2009-02-13",
        "2009-02-13T23:31:30",   /* no offset */
        "2009-02-13T23:31:30.5", /* likewise */
        "2009-02-13t23:31:30Z",  /* lower case, as in Go */
        "2009-02-13T23:31:30z",
        "2009-02-13 23:31:30Z",
        "2009-02-13T23:31:30 Z",
        " 2009-02-13T23:31:30Z",
        "2009-02-13T23:31:30Z ",
        "2009-02-13T23:31:30ZZ",
        "2009-02-13T23:31:30.Z",
        "2009-02-13T23:31:30,5Z",
        "2009-02-13T23:31:30..5Z",
        "2009-02-13T23:31:30.5.5Z",
        "2009-02-13T23:31:30.-5Z",
        "2009-02-13T23:31Z",
        "2009-2-13T23:31:30Z",
        "2009-02-13T3:31:30Z",
        "209-02-13T23:31:30Z",
        "10000-01-01T00:00:00Z",
        "+2009-02-13T23:31:30Z",
        "-009-02-13T23:31:30Z",
        "2009/02/13T23:31:30Z",
        "2009-02-13T23.31.30Z",
        "2009-00-13T23:31:30Z",
        "2009-13-13T23:31:30Z",
        "2009-02-00T23:31:30Z",
        "2009-02-29T23:31:30Z",
        "2009-04-31T23:31:30Z",
        "2009-06-31T23:31:30Z",
        "2009-09-31T23:31:30Z",
        "2009-11-31T23:31:30Z",
        "2009-12-32T23:31:30Z",
        "2024-02-30T00:00:00Z",
        "1900-02-29T00:00:00Z",
        "2100-02-29T00:00:00Z",
        "2009-02-13T24:00:00Z",
        "2009-02-13T23:60:00Z",
        "2016-12-31T23:59:60Z", /* a leap second that there was */
        "0000-01-01T00:00:00Z",
        "0000-12-31T23:59:59Z",
        "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
        "2009-02-13T23:31:30+24:00",
        "2009-02-13T23:31:30+05:60",
        "2009-02-13T23:31:30+0530",
        "2009-02-13T23:31:30+05",
        "2009-02-13T23:31:30+5:30",
        "2009-02-13T23:31:30+05:3",
        "2009-02-13T23:31:30+05:300",
        "2009-02-13T23:31:30*05:30",
        "2009-02-13T23:31:30+05-30",
        "2009-02-13T23:31:30+05:30Z",
        "2009-02-13T23:31:30Z+05:30",
        "2009-02-13T23:31:\xb2\xb2Z",
        "\xff\xff\xff\xff-\xff\xff-\xff\xffT\xff\xff:\xff\xff:\xff\xffZ",
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct rf_instant t = {7, 7};
        if (parse_copy(bad[i], strlen(bad[i]), &t)) {
            fail_msg("accepted: %s", bad[i]);
        }
        assert_true(t.seconds == 7 && t.nanos == 7);
    }
    struct rf_instant t;
    assert_false(rf_instant_parse((struct rf_str){NULL, 0}, &t));
    assert_false(parse_copy("2009-02-13T23:31:30\0", 20, &t));
    assert_false(parse_copy("2009-02-13T23:31:30Z\0", 21, &t));
}

/* Whatever single byte is changed in a good text: what is accepted is another good text, written as it was read. */
static void test_rf_instant_parse_changed_bytes(void **state)
{
    const char good[] = "2009-02-13T23:31:30Z";
    (void)state;
    for (size_t i = 0; i < sizeof good - 1; i++) {
        int accepted = 0;
        for (int byte = 0; byte < 256; byte++) {
            char text[sizeof good];
            char again[RF_INSTANT_TEXT_MAX];
            struct rf_instant t;
            memcpy(text, good, sizeof good);
            text[i] = (char)byte;
            if (parse_copy(text, sizeof good - 1, &t)) {
                accepted++;
                assert_int_equal(rf_instant_write(t, again), sizeof good - 1);
                assert_memory_equal(again, text, sizeof good - 1);
            }
        }
        /* Years 0009 to 9009, 2009 to 2909 and so on; months 02 and 12; days 03, 13 and 23; 10 to 18; and so on. */
        static const int expected[] = {10, 10, 10, 10, 1, 2, 9, 1, 3, 10, 1, 3, 4, 1, 6, 10, 1, 6, 10, 1};
        assert_int_equal(accepted, expected[i]);
    }
}

static void test_rf_instant_write(void **state)
{
    static const struct {
        int64_t seconds;
        uint32_t nanos;
        const char *text;
    } rows[] = {
        {1234567890, 0, "2009-02-13T23:31:30Z"},
        {RF_INSTANT_SECONDS_MAX, 999999999, "9999-12-31T23:59:59.999999999Z"},
        {RF_INSTANT_SECONDS_MIN, 0, "0001-01-01T00:00:00Z"},
        {RF_INSTANT_SECONDS_MIN, 1, "0001-01-01T00:00:00.000000001Z"},
        {1672531200, 500000000, "2023-01-01T00:00:00.5Z"},
        {1672531200, 120000000, "2023-01-01T00:00:00.12Z"},
        {1672531200, 7000000, "2023-01-01T00:00:00.007Z"},
        {1672531200, 10, "2023-01-01T00:00:00.00000001Z"},
        {-1, 100000, "1969-12-31T23:59:59.0001Z"},
    };
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        char text[RF_INSTANT_TEXT_MAX];
        const size_t count = rf_instant_write((struct rf_instant){rows[r].seconds, rows[r].nanos}, text);
        assert_int_equal(count, strlen(rows[r].text));
        assert_memory_equal(text, rows[r].text, count);
    }
}

/* Against the calendar of the C library, and back. */
static void test_rf_instant_write_and_parse(void **state)
{
    enum { ROUNDS = 200000 };
    uint64_t seed = 88172645463325252u;
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const struct rf_instant t = random_instant(&seed);
        char text[RF_INSTANT_TEXT_MAX];
        char expected[64];
        struct rf_instant back;
        struct tm parts;
        const size_t count = rf_instant_write(t, text);
        const time_t seconds = (time_t)t.seconds;
        assert_non_null(gmtime_r(&seconds, &parts));
        int expected_count =
            snprintf(expected, sizeof expected, "%04d-%02d-%02dT%02d:%02d:%02d.%09u", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, (unsigned)t.nanos);
        while (expected[expected_count - 1] == '0' && expected_count > 19) {
            expected_count--;
        }
        expected_count -= expected[expected_count - 1] == '.';
        expected[expected_count++] = 'Z';
        assert_int_equal(count, expected_count);
        assert_memory_equal(text, expected, count);
        assert_true(rf_instant_parse((struct rf_str){text, count}, &back));
        assert_true(back.seconds == t.seconds && back.nanos == t.nanos);
    }
}

/* One instant in every offset that can be written. */
static void test_rf_instant_parse_offsets(void **state)
{
    (void)state;
    for (int minutes = -1439; minutes <= 1439; minutes++) {
        const time_t local = (time_t)1234567890 + minutes * 60;
        const int magnitude = abs(minutes);
        struct tm parts;
        char text[64];
        assert_non_null(gmtime_r(&local, &parts));
        const size_t head = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
        snprintf(text + head, sizeof text - head, ".25%c%02d:%02d", minutes < 0 ? '-' : '+', magnitude / 60,
                 magnitude % 60);
        const struct rf_instant t = parsed(text);
        assert_true(t.seconds == 1234567890 && t.nanos == 250000000);
    }
}

static void assert_sum(const char *text, int64_t nanoseconds, const char *expected)
{
    struct rf_instant sum = {7, 7};
    const bool is_good = rf_instant_add(parsed(text), nanoseconds, &sum);
    assert_true(is_good == (expected != NULL));
    if (expected != NULL) {
        assert_int_equal(rf_instant_compare(sum, parsed(expected)), 0);
    } else {
        assert_true(sum.seconds == 7 && sum.nanos == 7);
    }
}

static void test_rf_instant_add(void **state)
{
    struct rf_instant sum;
    (void)state;
    assert_sum("2009-02-13T23:00:00Z", 240000000000, "2009-02-13T23:04:00Z");
    assert_sum("0001-01-01T00:00:01.000000001Z", -999999999, "0001-01-01T00:00:00.000000002Z");
    assert_sum("0001-01-01T00:00:01.999999999Z", 999999999, "0001-01-01T00:00:02.999999998Z");
    assert_sum("1970-01-01T00:00:00Z", -1, "1969-12-31T23:59:59.999999999Z");
    assert_sum("1970-01-01T00:00:00.5Z", -500000000, "1970-01-01T00:00:00Z");
    assert_sum("1970-01-01T00:00:00Z", INT64_MAX, "2262-04-11T23:47:16.854775807Z");
    assert_sum("1970-01-01T00:00:00Z", INT64_MIN, "1677-09-21T00:12:43.145224192Z");
    assert_sum("0001-01-01T00:00:00Z", 0, "0001-01-01T00:00:00Z");
    assert_sum("0001-01-01T00:00:00Z", -1, NULL);
    assert_sum("0001-01-01T00:00:00Z", -1000000000, NULL);
    assert_sum("9999-12-31T23:59:59Z", 999999999, "9999-12-31T23:59:59.999999999Z");
    assert_sum("9999-12-31T23:59:59Z", 1000000000, NULL);
    assert_sum("9999-12-31T23:59:59.999999999Z", 1, NULL);
    assert_sum("9999-12-31T23:59:59.999999999Z", INT64_MAX, NULL);
    assert_sum("0001-01-01T00:00:00Z", INT64_MIN, NULL);
    /* What is no instant adds up to none, whatever its bits. */
    assert_false(rf_instant_add((struct rf_instant){INT64_MAX, UINT32_MAX}, INT64_MAX, &sum));
    assert_false(rf_instant_add((struct rf_instant){INT64_MIN, UINT32_MAX}, INT64_MIN, &sum));
}

static void assert_difference(const char *a, const char *b, bool is_good, int64_t expected)
{
    int64_t nanoseconds = 7;
    assert_true(rf_instant_subtract(parsed(a), parsed(b), &nanoseconds) == is_good);
    assert_true(nanoseconds == (is_good ? expected : 7));
}

static void test_rf_instant_subtract(void **state)
{
    int64_t nanoseconds;
    (void)state;
    assert_difference("2009-02-13T23:31:00Z", "2009-02-13T23:29:00Z", true, 120000000000);
    assert_difference("2009-02-13T23:29:00Z", "2009-02-13T23:31:00Z", true, -120000000000);
    assert_difference("1970-01-01T00:00:00.25Z", "1970-01-01T00:00:01Z", true, -750000000);
    assert_difference("2262-04-11T23:47:16.854775807Z", "1970-01-01T00:00:00Z", true, INT64_MAX);
    assert_difference("2262-04-11T23:47:16.854775808Z", "1970-01-01T00:00:00Z", false, 0);
    assert_difference("1677-09-21T00:12:43.145224192Z", "1970-01-01T00:00:00Z", true, INT64_MIN);
    assert_difference("1677-09-21T00:12:43.145224191Z", "1970-01-01T00:00:00Z", false, 0);
    assert_difference("9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", false, 0);
    assert_difference("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", false, 0);
    assert_false(rf_instant_subtract((struct rf_instant){INT64_MAX, UINT32_MAX}, (struct rf_instant){INT64_MIN, 0},
                                     &nanoseconds));
}

static void test_rf_instant_add_and_subtract(void **state)
{
    enum { ROUNDS = 200000 };
    uint64_t seed = 4101842887655102017u;
    int in_range = 0;
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const struct rf_instant t = random_instant(&seed);
        const int64_t step = (int64_t)random_next(&seed) >> (random_next(&seed) % 60);
        struct rf_instant sum;
        int64_t back;
        if (rf_instant_add(t, step, &sum)) {
            in_range++;
            assert_true(rf_instant_is_in_range(sum));
            assert_true(rf_instant_subtract(sum, t, &back));
            assert_true(back == step);
            assert_int_equal(rf_instant_compare(sum, t), step < 0 ? -1 : step > 0);
        }
    }
    assert_true(in_range > ROUNDS / 2 && in_range < ROUNDS);
}

static void test_rf_instant_compare(void **state)
{
    static const struct rf_instant ascending[] = {
        {INT64_MIN, 0}, {RF_INSTANT_SECONDS_MIN, 0}, {-1, 0}, {-1, 999999999}, {0, 0}, {0, 1}, {0, 999999999},
        {1, 0},         {INT64_MAX, UINT32_MAX},
    };
    enum { COUNT = sizeof ascending / sizeof ascending[0] };
    (void)state;
    for (size_t a = 0; a < COUNT; a++) {
        for (size_t b = 0; b < COUNT; b++) {
            const int order = rf_instant_compare(ascending[a], ascending[b]);
            assert_true(a < b ? order < 0 : a > b ? order > 0 : order == 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_instant_is_in_range),     cmocka_unit_test(test_rf_instant_parse_accepts),
        cmocka_unit_test(test_rf_instant_parse_refuses),   cmocka_unit_test(test_rf_instant_parse_changed_bytes),
        cmocka_unit_test(test_rf_instant_parse_offsets),   cmocka_unit_test(test_rf_instant_write),
        cmocka_unit_test(test_rf_instant_write_and_parse), cmocka_unit_test(test_rf_instant_add),
        cmocka_unit_test(test_rf_instant_subtract),        cmocka_unit_test(test_rf_instant_add_and_subtract),
        cmocka_unit_test(test_rf_instant_compare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
