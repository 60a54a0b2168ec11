#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gen.h"

enum { MIB = 1 << 20 };

/* FNV-1a, 64 bits. */
static uint64_t hash_of(const char *bytes, size_t count)
{
    uint64_t hash = 0xcbf29ce484222325ull;
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ (uint8_t)bytes[i]) * 0x100000001b3ull;
    }
    return hash;
}

static char *filled(enum rf_gen_kind kind, uint64_t seed, double shuffle, double traps, size_t *bytes,
                    uint64_t *records)
{
    char *text = malloc(MIB + 1);
    assert_non_null(text);
    struct rf_gen gen;
    rf_gen_open(&gen, kind, seed, shuffle, traps);
    *bytes = rf_gen_fill(&gen, text, MIB, records);
    assert_true(*bytes <= MIB);
    text[*bytes] = 0;
    return text;
}

static void check_stream(enum rf_gen_kind kind, uint64_t seed, double shuffle, double traps, uint64_t hash,
                         uint64_t records_wanted)
{
    size_t bytes;
    uint64_t records;
    char *text = filled(kind, seed, shuffle, traps, &bytes, &records);
    if (hash_of(text, bytes) != hash || records != records_wanted) {
        fail_msg("%s: hash 0x%016llx, %llu records", rf_gen_kind_name(kind), (unsigned long long)hash_of(text, bytes),
                 (unsigned long long)records);
    }
    assert_int_equal(text[bytes - 1], '\n');
    free(text);
}

/* Figures of the documentation, the demo and the benchmarks rest on these bytes. */
static void test_rf_gen_fill_gives_the_same_bytes_everywhere(void **state)
{
    (void)state;
    check_stream(RF_GEN_TRADES, 1, 0.02, 0.01, 0x565c1da5add1aac8ull, 4230);
    check_stream(RF_GEN_TRADES, 7, 1, 0.1, 0x68329217591e2207ull, 4196);
    check_stream(RF_GEN_ORDERS, 1, 0.02, 0, 0x1343a42177c82082ull, 2649);
    check_stream(RF_GEN_WORDS, 1, 0, 0, 0x100a623ed1a8292eull, 100000);
}

static uint64_t lines_with(const char *text, const char *part)
{
    uint64_t count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

static void test_rf_gen_fill_makes_every_trap(void **state)
{
    (void)state;
    static const char *const trap[5] = {"\"hedge\":{\"symbol\":\"MSFT\"", "\"raw\":\"{\\\"symbol\\\":\\\"MSFT\\\"",
                                        "\"symbol\":\"M\\u0053FT\"", "\"symbol\" : \"", "\"price\":4."};
    size_t bytes;
    uint64_t records;
    char *text = filled(RF_GEN_TRADES, 7, 1, 0.1, &bytes, &records);
    for (int i = 0; i < 5; i++) {
        assert_true(lines_with(text, trap[i]) > records / 400);
    }
    assert_true(lines_with(text, "\xc3\xaf") > 0);
    assert_true(lines_with(text, "caf\\u00e9") > 0);
    free(text);

    text = filled(RF_GEN_TRADES, 7, 0, 0, &bytes, &records);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(lines_with(text, trap[i]), 0);
    }
    assert_int_equal(lines_with(text, "{\"id\":"), records);
    free(text);
}

static void test_rf_gen_next_ends_after_the_last_word(void **state)
{
    (void)state;
    struct rf_gen gen;
    char out[RF_GEN_RECORD_MAX];
    rf_gen_open(&gen, RF_GEN_WORDS, 1, 0, 0);
    for (int i = 0; i < RF_GEN_WORDS_COUNT; i++) {
        const size_t bytes = rf_gen_next(&gen, out);
        assert_in_range(bytes, 3, 20);
        assert_int_equal(out[bytes - 1], '\n');
    }
    assert_int_equal(rf_gen_next(&gen, out), 0);
    assert_int_equal(rf_gen_next(&gen, out), 0);
}

static void test_rf_gen_fill_stops_before_the_limit(void **state)
{
    (void)state;
    struct rf_gen gen;
    char out[RF_GEN_RECORD_MAX];
    char all[RF_GEN_RECORD_MAX];
    rf_gen_open(&gen, RF_GEN_TRADES, 3, 0, 0);
    const size_t first = rf_gen_next(&gen, all);
    const size_t limit[3] = {first - 1, first, first + 1};
    const size_t wanted[3] = {0, first, first};
    for (int i = 0; i < 3; i++) {
        rf_gen_open(&gen, RF_GEN_TRADES, 3, 0, 0);
        assert_int_equal(rf_gen_fill(&gen, out, limit[i], NULL), wanted[i]);
    }
    assert_memory_equal(out, all, first);
}

static void test_rf_gen_open_takes_every_seed(void **state)
{
    (void)state;
    static const uint64_t seed[4] = {0, 1, 2, UINT64_MAX};
    uint64_t hash[4];
    for (int i = 0; i < 4; i++) {
        size_t bytes;
        char *text = filled(RF_GEN_TRADES, seed[i], 0.5, 0.5, &bytes, NULL);
        hash[i] = hash_of(text, bytes);
        for (int k = 0; k < i; k++) {
            assert_true(hash[k] != hash[i]);
        }
        free(text);
    }
}

/* BodyLength and CheckSum of every message. */
static void check_fix(enum rf_gen_kind kind)
{
    struct rf_gen gen;
    char out[RF_GEN_RECORD_MAX];
    rf_gen_open(&gen, kind, 1, 0, 0);
    for (int i = 0; i < 5000; i++) {
        const size_t bytes = rf_gen_next(&gen, out);
        const size_t end = bytes - (out[bytes - 1] == '\n');
        const char *begin = memmem(out, bytes, "8=FIX.4.4\0019=", 12);
        assert_non_null(begin);
        assert_memory_equal(out + end - 7, "10=", 3);
        char *body;
        const unsigned long length = strtoul(begin + 12, &body, 10);
        assert_ptr_equal(body + 1 + length, out + end - 7);
        unsigned sum = 0;
        for (const char *at = begin; at < out + end - 7; at++) {
            sum += (unsigned char)*at;
        }
        assert_int_equal(sum % 256, strtoul(out + end - 4, NULL, 10));
    }
}

static void test_rf_gen_next_frames_fix(void **state)
{
    (void)state;
    check_fix(RF_GEN_FIX_REPORTS);
    check_fix(RF_GEN_FIX_LOG);
}

static void test_rf_gen_kind_name(void **state)
{
    (void)state;
    assert_string_equal(rf_gen_kind_name(RF_GEN_TRADES), "trades");
    assert_string_equal(rf_gen_kind_name(RF_GEN_WORDS), "words");
    assert_string_equal(rf_gen_kind_name(RF_GEN_ORDERS), "orders");
    assert_string_equal(rf_gen_kind_name(RF_GEN_FIX_REPORTS), "fix-reports");
    assert_string_equal(rf_gen_kind_name(RF_GEN_FIX_LOG), "fix-log");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_gen_fill_gives_the_same_bytes_everywhere),
        cmocka_unit_test(test_rf_gen_fill_makes_every_trap),
        cmocka_unit_test(test_rf_gen_next_ends_after_the_last_word),
        cmocka_unit_test(test_rf_gen_fill_stops_before_the_limit),
        cmocka_unit_test(test_rf_gen_open_takes_every_seed),
        cmocka_unit_test(test_rf_gen_next_frames_fix),
        cmocka_unit_test(test_rf_gen_kind_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
