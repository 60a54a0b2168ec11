/* Small automata on 64 texts at a time, against one text after the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "regex_lanes.h"

enum { ROWS = RF_LANES_GROUPS * RF_LANES };

static uint64_t random_state;

static uint32_t draw(uint32_t below)
{
    random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(random_state >> 33) % below;
}

static struct rf_regex *compile(const char *pattern, struct rf_arena *arena)
{
    struct rf_regex *regex = NULL;
    size_t error_at = 0;
    struct rf_error err;
    if (rf_regex_compile(rf_str_of(pattern), arena, &regex, &error_at, &err) != RF_OK) {
        fail_msg("%s: %s", pattern, err.text);
    }
    return regex;
}

static const char *const pattern_of[] = {"a",
                                         "^a",
                                         "b$",
                                         "^ab$",
                                         "",
                                         "^$",
                                         "[ab]+c",
                                         "(ab|ba)+c?$",
                                         "^[a-c]{2}",
                                         "a.b",
                                         "a.*b",
                                         "^.*$",
                                         "\\ba",
                                         "b\\b",
                                         "\\Ba\\B",
                                         "a|b|cd",
                                         "(?i)AB",
                                         "[^a]$",
                                         "^(a|b)*c$",
                                         "a{2,3}b",
                                         "c[ab]*c",
                                         "(?m)^a",
                                         "(?m)b$",
                                         "(?s)a.b",
                                         "\\d+a",
                                         "\\x00",
                                         "^\\x7f|a",
                                         "x",
                                         "[^\\x00-\\x7f]",
                                         "\xc3\xa9",
                                         "^a*b*c*$",
                                         "(a|b)(b|c)(c|a)$"};

/* Bytes from a few letters, now and then others: a newline, a zero, the mark of the end, two bytes of UTF-8. */
static size_t text_draw(char *out, size_t bytes_max)
{
    static const char *const odd[] = {"\n", "\t", "7", " ", "_", "\x7f", "\xc3\xa9", "\xe2\x82\xac"};
    const size_t wanted = draw((uint32_t)bytes_max + 1);
    size_t count = 0;
    while (count < wanted) {
        const char *part = odd[draw(8)];
        const bool is_odd = draw(60) == 0 && count + strlen(part) <= wanted;
        if (is_odd) {
            memcpy(out + count, part, strlen(part));
            count += strlen(part);
        } else {
            out[count++] = (char)(draw(50) == 0 ? 0 : 'a' + draw(4));
        }
    }
    return count;
}

static bool is_odd_text(struct rf_str text)
{
    bool is_odd = text.count > RF_LANES_BYTES;
    for (size_t i = 0; i < text.count; i++) {
        is_odd = is_odd || (unsigned char)text.data[i] >= RF_LANES_END;
    }
    return is_odd;
}

static void texts_check(const struct rf_lanes_kernels *kernels, const struct rf_regex *const *regex,
                        const struct rf_regex_lanes *lanes, const bool *is_small, const struct rf_str *text)
{
    struct rf_text_lanes texts[RF_LANES_GROUPS];
    memset(texts, 0x55, sizeof texts); /* what is not filled is not looked at */
    kernels->fill(texts, text);
    for (uint32_t r = 0; r < ROWS; r++) {
        assert_int_equal(texts[r / 64].odd >> r % 64 & 1, is_odd_text(text[r]));
    }
    for (size_t p = 0; p < sizeof pattern_of / sizeof pattern_of[0]; p++) {
        if (!is_small[p]) {
            continue;
        }
        uint64_t found[RF_LANES_GROUPS];
        kernels->match(&lanes[p], texts, found);
        for (uint32_t r = 0; r < ROWS; r++) {
            const bool is_match = (found[r / 64] >> r % 64 & 1) != 0;
            if ((texts[r / 64].odd >> r % 64 & 1) == 0 && is_match != rf_regex_match(regex[p], text[r])) {
                fail_msg("%s in \"%.*s\": %d", pattern_of[p], (int)text[r].count, text[r].data, is_match);
            }
        }
    }
}

static void test_lanes(void **state)
{
    (void)state;
    enum { PATTERNS = sizeof pattern_of / sizeof pattern_of[0] };
    static char bytes[ROWS][80];
    const struct rf_regex *regex[PATTERNS];
    struct rf_regex_lanes lanes[PATTERNS];
    bool is_small[PATTERNS];
    struct rf_str text[ROWS];
    struct rf_arena arena;
    uint32_t smalls = 0;
    const struct rf_lanes_kernels *kernels = rf_lanes_kernels_of(rf_isa_best());
    rf_arena_init(&arena, (size_t)64 << 20);
    for (size_t p = 0; p < PATTERNS; p++) {
        regex[p] = compile(pattern_of[p], &arena);
        is_small[p] = rf_regex_lanes_make(&lanes[p], regex[p]);
        smalls += is_small[p];
    }
    assert_int_equal(smalls, PATTERNS);
    for (uint32_t seed = 0; kernels != NULL && seed < 400; seed++) {
        static const size_t most[] = {0, 3, 15, 16, 17, 31, 33, 64, 65, 79};
        random_state = seed;
        for (uint32_t r = 0; r < ROWS; r++) {
            text[r] = (struct rf_str){bytes[r], text_draw(bytes[r], most[(seed + r / RF_LANES * (seed / 10)) % 10])};
        }
        texts_check(kernels, regex, lanes, is_small, text);
    }
    rf_arena_free(&arena);
}

static void test_rf_lanes_kernels_of(void **state)
{
    (void)state;
    assert_null(rf_lanes_kernels_of(RF_ISA_SCALAR));
    assert_null(rf_lanes_kernels_of(RF_ISA_AVX2));
}

/* n states of three classes: with the end's 4 cells each. */
static void test_rf_regex_lanes_make(void **state)
{
    (void)state;
    struct rf_arena arena;
    struct rf_regex_lanes lanes;
    struct rf_regex *regex = NULL;
    struct rf_error err;
    size_t error_at = 0;
    const struct rf_regex_options nfa = {.is_nfa = true};
    rf_arena_init(&arena, (size_t)64 << 20);
    /* Start, one after each letter but the last, match, dead; classes a, others, end. */
    assert_true(rf_regex_lanes_make(&lanes, compile("^a{83}", &arena)));
    assert_int_equal(lanes.cells, 85 * 3);
    assert_false(rf_regex_lanes_make(&lanes, compile("^a{84}", &arena)));
    assert_int_equal(rf_regex_compile_with(RF_STR("a"), &nfa, &arena, &regex, &error_at, &err), RF_OK);
    assert_false(rf_regex_lanes_make(&lanes, regex));
    rf_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_regex_lanes_make),
        cmocka_unit_test(test_rf_lanes_kernels_of),
        cmocka_unit_test(test_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
