/* Many literals searched at once, against a search for each, at each instruction-set level. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "needles.h"

enum { NEEDLES_MAX = 2000, TEXT_MAX = 40, LONG_BYTES = 20000, ROW_WORDS = RF_PACKED_TEXTS_MAX / 64 };

static uint64_t random_state;

static uint32_t draw(uint32_t below)
{
    random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(random_state >> 33) % below;
}

/* Few letters, so that much is found and marks are alike; now and then any byte. */
static void bytes_draw(char *out, size_t count, uint32_t letters)
{
    for (size_t i = 0; i < count; i++) {
        out[i] = (char)(draw(40) == 0 ? draw(256) : 'a' + draw(letters));
    }
}

struct lab {
    struct rf_arena arena;
    struct rf_needles *set;
    struct rf_needle needle[NEEDLES_MAX];
    bool is_left[NEEDLES_MAX];
    char bytes[NEEDLES_MAX][TEXT_MAX];
    uint32_t needles;
    uint64_t bits[NEEDLES_MAX][ROW_WORDS];
    char text[RF_PACKED_TEXTS_MAX][TEXT_MAX];
    struct rf_packed_texts packed;
};

static struct lab lab;

static void lab_make(uint32_t needles, uint32_t letters)
{
    struct rf_error err;
    rf_arena_init(&lab.arena, SIZE_MAX / 4);
    lab.needles = needles;
    for (uint32_t i = 0; i < needles; i++) {
        const size_t count = RF_NEEDLE_BYTES_MIN + draw(draw(4) == 0 ? TEXT_MAX - 2 : 5);
        bytes_draw(lab.bytes[i], count, letters);
        lab.needle[i] = (struct rf_needle){.text = {lab.bytes[i], count}, .test = i, .is_at_end = draw(4) == 0};
    }
    assert_int_equal(rf_needles_make(&lab.set, lab.needle, needles, lab.is_left, &lab.arena, &err), RF_OK);
}

static bool is_found(const struct rf_needle *needle, struct rf_str text)
{
    return needle->is_at_end ? rf_str_ends(text, needle->text) : rf_str_contains(text, needle->text);
}

static void row_check(enum rf_isa isa, struct rf_str text, uint32_t row)
{
    for (uint32_t i = 0; i < lab.needles; i++) {
        const bool wanted = !lab.is_left[i] && is_found(&lab.needle[i], text);
        const bool found = (lab.bits[i][row / 64] >> row % 64 & 1) != 0;
        if (found != wanted) {
            fail_msg("%s: row %u, needle %u \"%.*s\" in \"%.*s\": %d", rf_isa_name(isa), row, i,
                     (int)lab.needle[i].text.count, lab.needle[i].text.data, (int)(text.count < 100 ? text.count : 100),
                     text.data, found);
        }
    }
}

static void test_rf_needles_find(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 2, 8, 63, 64, 65, 300, NEEDLES_MAX};
    for (uint32_t seed = 0; seed < 48; seed++) {
        random_state = seed;
        const uint32_t letters = 2 + draw(9);
        lab_make(sizes[seed % 8], letters);
        rf_packed_texts_clear(&lab.packed);
        const uint32_t rows = draw(4) == 0 ? draw(3) : 100 + draw(200);
        size_t count[RF_PACKED_TEXTS_MAX];
        for (uint32_t r = 0; r < rows; r++) {
            count[r] = draw(TEXT_MAX);
            bytes_draw(lab.text[r], count[r], letters);
            assert_true(rf_packed_texts_can(&lab.packed, count[r]));
            rf_packed_texts_add(&lab.packed, (struct rf_str){lab.text[r], count[r]}, 3 * r);
            assert_memory_equal(lab.packed.bytes + lab.packed.begin[r], lab.text[r], count[r]);
        }
        for (int isa = 0; isa <= (int)rf_isa_best(); isa++) {
            memset(lab.bits, 0, sizeof lab.bits);
            rf_needles_find(lab.set, (enum rf_isa)isa, &lab.packed, lab.bits[0], ROW_WORDS);
            for (uint32_t r = 0; r < rows; r++) {
                row_check((enum rf_isa)isa, (struct rf_str){lab.text[r], count[r]}, 3 * r);
            }
        }
        rf_arena_free(&lab.arena);
    }
}

static void test_rf_needles_find_in(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 3, 63, 64, 4095, 4096, 4097, 4098, 4099, 4100, LONG_BYTES};
    for (uint32_t seed = 0; seed < 52; seed++) {
        random_state = seed;
        lab_make(seed % 2 == 0 ? 40 : 400, 20);
        /* To the byte: reading on would be an error that a sanitizer sees. */
        const size_t count = sizes[seed % 13];
        char *text = malloc(count + (count == 0));
        assert_non_null(text);
        bytes_draw(text, count, 20);
        for (uint32_t i = 0; i < lab.needles && count > 4200; i++) { /* some across the chunks' ends */
            const struct rf_str of = lab.needle[i].text;
            const size_t at = (draw(3) == 0 ? 4096 * (1 + draw(2)) - draw(TEXT_MAX) : draw(12000));
            memcpy(text + at, of.data, of.count);
        }
        for (int isa = 0; isa <= (int)rf_isa_best(); isa++) {
            memset(lab.bits, 0, sizeof lab.bits);
            rf_needles_find_in(lab.set, (enum rf_isa)isa, (struct rf_str){text, count}, 70, lab.bits[0], ROW_WORDS);
            row_check((enum rf_isa)isa, (struct rf_str){text, count}, 70);
        }
        free(text);
        rf_arena_free(&lab.arena);
    }
}

/* Literals that have but one place for a mark, all the same: so many and one more. */
static void test_rf_needles_make(void **state)
{
    (void)state;
    struct rf_error err;
    for (uint32_t count = RF_NEEDLES_ALIKE_MAX - 1; count <= RF_NEEDLES_ALIKE_MAX + 1; count++) {
        uint32_t left = 0;
        rf_arena_init(&lab.arena, SIZE_MAX / 4);
        for (uint32_t i = 0; i < count; i++) {
            lab.needle[i] = (struct rf_needle){.text = RF_STR("abcd"), .test = i, .is_at_end = i % 2 == 1};
        }
        assert_int_equal(rf_needles_make(&lab.set, lab.needle, count, lab.is_left, &lab.arena, &err), RF_OK);
        for (uint32_t i = 0; i < count; i++) {
            left += lab.is_left[i];
        }
        assert_int_equal(left, count > RF_NEEDLES_ALIKE_MAX ? count - RF_NEEDLES_ALIKE_MAX : 0);
        rf_arena_free(&lab.arena);
    }
    /* No memory is an error, not a crash. */
    rf_arena_init(&lab.arena, 64);
    assert_int_equal(rf_needles_make(&lab.set, lab.needle, 2, lab.is_left, &lab.arena, &err), RF_E_MEMORY);
    rf_arena_free(&lab.arena);
}

/* Account numbers differ in their last bytes: none is left although their first ones are the same. */
static void test_marks_where_they_differ(void **state)
{
    (void)state;
    struct rf_error err;
    rf_arena_init(&lab.arena, SIZE_MAX / 4);
    for (uint32_t i = 0; i < NEEDLES_MAX; i++) {
        const int count = snprintf(lab.bytes[i], TEXT_MAX, "ACCOUNT-%04u", i);
        lab.needle[i] = (struct rf_needle){.text = {lab.bytes[i], (size_t)count}, .test = i};
    }
    assert_int_equal(rf_needles_make(&lab.set, lab.needle, NEEDLES_MAX, lab.is_left, &lab.arena, &err), RF_OK);
    for (uint32_t i = 0; i < NEEDLES_MAX; i++) {
        assert_false(lab.is_left[i]);
    }
    rf_arena_free(&lab.arena);
}

static void test_rf_packed_texts_can(void **state)
{
    (void)state;
    static char text[RF_PACKED_BYTES];
    rf_packed_texts_clear(&lab.packed);
    assert_true(rf_packed_texts_can(&lab.packed, RF_PACKED_BYTES));
    assert_false(rf_packed_texts_can(&lab.packed, RF_PACKED_BYTES + 1));
    rf_packed_texts_add(&lab.packed, (struct rf_str){text, RF_PACKED_BYTES}, 0);
    assert_true(rf_packed_texts_can(&lab.packed, 0));
    assert_false(rf_packed_texts_can(&lab.packed, 1));
    rf_packed_texts_clear(&lab.packed);
    for (uint32_t i = 0; i < RF_PACKED_TEXTS_MAX; i++) {
        assert_true(rf_packed_texts_can(&lab.packed, 1));
        rf_packed_texts_add(&lab.packed, (struct rf_str){text, 1}, i);
    }
    assert_false(rf_packed_texts_can(&lab.packed, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_needles_make),     cmocka_unit_test(test_marks_where_they_differ),
        cmocka_unit_test(test_rf_packed_texts_can), cmocka_unit_test(test_rf_needles_find),
        cmocka_unit_test(test_rf_needles_find_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
