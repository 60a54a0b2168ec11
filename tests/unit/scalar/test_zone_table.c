#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "zone_file_fixture.h"
#include "zone_table.h"

static uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Reads a copy that ends where the file ends, so that the address sanitizer sees every byte too far. */
static struct rf_zone_table *table_of(const struct zone_file *file)
{
    uint8_t *const copy = malloc(file->count == 0 ? 1 : file->count);
    assert_non_null(copy);
    memcpy(copy, file->bytes, file->count);
    struct rf_zone_table *const table = rf_zone_table_read(copy, file->count);
    free(copy);
    return table;
}

static void test_rf_zone_table_offset(void **state)
{
    static const struct {
        int64_t seconds;
        int32_t offset;
    } rows[] = {{INT64_MIN, 4772}, {-1001, 4772}, {-1000, 3600}, {-1, 3600},   {0, 3600},
                {999, 3600},       {1000, 7200},  {1999, 7200},  {2000, 3600}, {INT64_MAX, 3600}};
    static const char *const footers[] = {"", "CET-1"};
    (void)state;
    for (size_t f = 0; f < 2; f++) {
        const struct zone_file file = file_sample(footers[f]);
        struct rf_zone_table *const table = table_of(&file);
        int32_t offset;
        assert_non_null(table);
        assert_int_equal(table->count, 3); /* that at 0 changes nothing */
        assert_false(rf_zone_table_is_fixed(table, &offset));
        for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
            assert_int_equal(rf_zone_table_offset(table, rows[r].seconds), rows[r].offset);
        }
        free(table);
    }
}

/* The binary search with every number of transitions from none on, each hour one. */
static void test_rf_zone_table_offset_counts(void **state)
{
    enum { COUNT_MAX = 40 };
    struct transition transitions[COUNT_MAX];
    int32_t offsets[COUNT_MAX + 1];
    (void)state;
    for (uint32_t count = 0; count <= COUNT_MAX; count++) {
        for (uint32_t t = 0; t <= count; t++) {
            offsets[t] = (int32_t)t * 60;
            if (t < count) {
                transitions[t] = (struct transition){(int64_t)t * 3600, (uint8_t)(t + 1)};
            }
        }
        const struct zone_file file = file_make(transitions, count, offsets, count + 1, "");
        struct rf_zone_table *const table = table_of(&file);
        assert_non_null(table);
        for (uint32_t t = 0; t <= count; t++) {
            assert_int_equal(rf_zone_table_offset(table, (int64_t)t * 3600 - 1), t * 60);
        }
        assert_int_equal(rf_zone_table_offset(table, INT64_MAX - 1), count * 60);
        free(table);
    }
}

static void test_rf_zone_table_is_fixed(void **state)
{
    static const int32_t offsets[] = {-3600};
    int32_t offset = 0;
    (void)state;
    static const char *const footers[] = {"", "<-01>1", "CET-1"};
    static const int32_t expected[] = {-3600, -3600, 3600};
    for (size_t f = 0; f < 3; f++) {
        const struct zone_file file = file_make(NULL, 0, offsets, 1, footers[f]);
        struct rf_zone_table *const table = table_of(&file);
        assert_non_null(table);
        assert_true(rf_zone_table_is_fixed(table, &offset));
        assert_int_equal(offset, expected[f]);
        assert_int_equal(rf_zone_table_offset(table, 0), expected[f]);
        free(table);
    }
    /* A rule that takes effect at a transition which changes nothing. */
    const struct transition last = {0, 0};
    const struct zone_file file = file_make(&last, 1, offsets, 1, "CET-1");
    struct rf_zone_table *const table = table_of(&file);
    assert_non_null(table);
    assert_false(rf_zone_table_is_fixed(table, &offset));
    assert_int_equal(rf_zone_table_offset(table, -1), -3600);
    assert_int_equal(rf_zone_table_offset(table, 0), 3600);
    free(table);
}

static void assert_refused(const struct zone_file *file, const char *what)
{
    struct rf_zone_table *const table = table_of(file);
    if (table != NULL) {
        fail_msg("accepted: %s", what);
    }
}

static void test_rf_zone_table_read_refuses(void **state)
{
    static const struct {
        const char *what;
        size_t at;
        const char *bytes;
        size_t count;
    } damages[] = {
        {"magic", 0, "TZIF", 4},
        {"version 1", 4, "\0", 1},
        {"version", 4, "x", 1},
        {"second magic", SECOND_HEADER, "ZTif", 4},
        {"second version 1", SECOND_HEADER + 4, "\0", 1},
        {"first count huge", 32, "\xff\xff\xff\xff", 4},
        {"all first counts huge", 20,
         "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 20},
        {"first count one too many", 36, "\0\0\0\2", 4},
        {"universal indicators", SECOND_HEADER + 20, "\0\0\0\1", 4},
        {"standard indicators", SECOND_HEADER + 24, "\0\0\0\1", 4},
        {"leap seconds", SECOND_HEADER + 28, "\0\0\0\1", 4},
        {"transitions huge", SECOND_HEADER + 32, "\xff\xff\xff\xff", 4},
        {"one transition more", SECOND_HEADER + 32, "\0\0\0\5", 4},
        {"one transition less", SECOND_HEADER + 32, "\0\0\0\3", 4},
        {"no types", SECOND_HEADER + 36, "\0\0\0\0", 4},
        {"types huge", SECOND_HEADER + 36, "\x7f\xff\xff\xff", 4},
        {"no designations", SECOND_HEADER + 40, "\0\0\0\0", 4},
        {"designations huge", SECOND_HEADER + 40, "\xff\xff\xff\xff", 4},
        {"times descend", SECOND_BLOCK, "\0\0\0\0\0\0\0\1", 8},
        {"times are equal", SECOND_BLOCK + 8, "\xff\xff\xff\xff\xff\xff\xfc\x18", 8},
        {"no such type", SECOND_BLOCK + 32, "\4", 1},
        {"an offset too far east", SECOND_BLOCK + 36, "\0\1\x6d\xa0", 4},
        {"an offset too far west", SECOND_BLOCK + 36, "\xff\xfe\xa0\x70", 4},
        {"an offset of all bits", SECOND_BLOCK + 36, "\x80\0\0\0", 4},
        {"neither standard nor saving", SECOND_BLOCK + 40, "\2", 1},
        {"no such designation", SECOND_BLOCK + 41, "\4", 1},
        {"footer without newline", SECOND_BLOCK + 64, "X", 1},
        {"footer without its end", SECOND_BLOCK + 70, "X", 1},
        {"footer is no rule", SECOND_BLOCK + 65, "?", 1},
        {"footer with zero byte", SECOND_BLOCK + 65, "\0", 1},
    };
    const struct zone_file good = file_sample("CET-1");
    (void)state;
    assert_int_equal(good.count, SECOND_BLOCK + 71);
    for (size_t d = 0; d < sizeof damages / sizeof damages[0]; d++) {
        struct zone_file file = good;
        assert_memory_not_equal(file.bytes + damages[d].at, damages[d].bytes, damages[d].count);
        memcpy(file.bytes + damages[d].at, damages[d].bytes, damages[d].count);
        assert_refused(&file, damages[d].what);
    }
    for (size_t count = 0; count < good.count; count++) {
        struct zone_file file = good;
        file.count = count;
        assert_refused(&file, "a part of a file");
    }
    /* The offsets that are just in bounds. */
    static const int32_t extremes[] = {-89999, 93599};
    const struct transition t = {0, 1};
    const struct zone_file file = file_make(&t, 1, extremes, 2, "");
    struct rf_zone_table *const table = table_of(&file);
    assert_non_null(table);
    assert_int_equal(rf_zone_table_offset(table, -1), -89999);
    assert_int_equal(rf_zone_table_offset(table, 0), 93599);
    free(table);
}

/* Random bytes in a real file: nothing reads too far, and what is accepted gives offsets in their bounds. */
static void test_rf_zone_table_read_random(void **state)
{
    enum { ROUNDS = 20000 };
    uint64_t seed = 88172645463325252u;
    int accepted = 0;
    (void)state;
    const struct zone_file good = file_sample("CET-1CEST,M3.5.0,M10.5.0/3");
    for (int round = 0; round < ROUNDS; round++) {
        struct zone_file file = good;
        for (uint64_t changes = random_next(&seed) % 3 + 1; changes > 0; changes--) {
            const size_t at = (size_t)(random_next(&seed) % file.count);
            file.bytes[at] = (uint8_t)(random_next(&seed) >> (random_next(&seed) % 60));
        }
        struct rf_zone_table *const table = table_of(&file);
        if (table != NULL) {
            accepted++;
            for (int i = 0; i < 50; i++) {
                const int64_t seconds = (int64_t)random_next(&seed) >> (random_next(&seed) % 60);
                assert_in_range(rf_zone_table_offset(table, seconds) + 89999, 0, 89999 + 93599);
            }
        }
        free(table);
    }
    assert_in_range(accepted, ROUNDS / 20, ROUNDS - ROUNDS / 20);
}

static void test_rf_zone_table_load(void **state)
{
    char path[] = "/tmp/riffle_zone_table_XXXXXX";
    const struct zone_file file = file_sample("CET-1");
    bool is_settled = false;
    (void)state;
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_null(rf_zone_table_load(path, &is_settled)); /* empty */
    assert_true(is_settled);
    assert_int_equal(write(fd, file.bytes, file.count), file.count);
    is_settled = false;
    struct rf_zone_table *const table = rf_zone_table_load(path, &is_settled);
    assert_non_null(table);
    assert_true(is_settled);
    assert_int_equal(rf_zone_table_offset(table, 1500), 7200);
    free(table);
    assert_int_equal(close(fd), 0);
    assert_int_equal(unlink(path), 0);
    is_settled = false;
    assert_null(rf_zone_table_load(path, &is_settled));
    assert_true(is_settled);
    assert_null(rf_zone_table_load("/tmp", &is_settled));
    assert_true(is_settled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_zone_table_offset),      cmocka_unit_test(test_rf_zone_table_offset_counts),
        cmocka_unit_test(test_rf_zone_table_is_fixed),    cmocka_unit_test(test_rf_zone_table_read_refuses),
        cmocka_unit_test(test_rf_zone_table_read_random), cmocka_unit_test(test_rf_zone_table_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
