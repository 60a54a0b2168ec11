/* Subjects: the rules of NATS one by one, and sets of patterns against them in both forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "subject.h"
#include "subject_set.h"

static bool match(const char *pattern, const char *subject)
{
    return rf_subject_match(rf_str_of(pattern), rf_str_of(subject));
}

static void test_rules(void **unused)
{
    (void)unused;
    static const struct {
        const char *pattern, *subject;
        bool is_match;
    } rule[] = {
        {"ord.eu.paid", "ord.eu.paid", true},
        {"ord.eu.paid", "ord.eu.Paid", false},
        {"ord.eu.paid", "ord.eu", false},
        {"ord.eu", "ord.eu.paid", false},
        {"ord.*.paid", "ord.eu.paid", true},
        {"ord.*.paid", "ord.eu.x.paid", false},
        {"ord.*.paid", "ord..paid", false}, /* * is one token, and not an empty one */
        {"*.*", "a.b", true},
        {"*.*", "a", false},
        {"*.*", "a.b.c", false},
        {">", "a", true},
        {">", "a.b.c", true},
        {">", "$JS.API.INFO", true}, /* no special case */
        {"*.API", "$JS.API", true},
        {"a.>", "a", false},
        {"a.>", "a.b", true},
        {"a.>", "a.b.c", true},
        {"a.>", "a.", true}, /* the rest is not looked at */
        {"a.>", "a..b", true},
        {"ord.*.*.>", "ord.a.b", false},
        {"ord.*.*.>", "ord.a.b.c", true},
        {"a.b", "a.b.", false},
        {"a", "", false},
        {">", "", true},
        {"*", "", false},
        {"*x", "*x", true}, /* literal, as is everything that is not * or > alone */
        {"*x", "ax", false},
        {"a*b.c", "a*b.c", true},
        {"a*b.c", "axb.c", false},
        {"a>b", "a>b", true},
        {"a>b", "a.b", false},
        {"foo.bar", "foo.*", false}, /* a subject is no pattern */
        {"foo.*", "foo.*", true},
        {"a..b", "a..b", false}, /* no pattern */
        {"a.>.b", "a.x.b", false},
        {"", "", false},
    };
    for (size_t i = 0; i < sizeof rule / sizeof rule[0]; i++) {
        if (match(rule[i].pattern, rule[i].subject) != rule[i].is_match) {
            fail_msg("'%s' against '%s'", rule[i].pattern, rule[i].subject);
        }
    }
}

static void test_patterns(void **unused)
{
    (void)unused;
    static const struct {
        const char *pattern;
        enum rf_subject_problem problem;
        size_t at;
    } look[] = {{"a.b", RF_SUBJECT_GOOD, 0},        {">", RF_SUBJECT_GOOD, 0},
                {"*.>", RF_SUBJECT_GOOD, 0},        {"a*b.a>b.*x.>x", RF_SUBJECT_GOOD, 0},
                {"", RF_SUBJECT_EMPTY, 0},          {".a", RF_SUBJECT_EMPTY_TOKEN, 0},
                {"a.", RF_SUBJECT_EMPTY_TOKEN, 2},  {"a..b", RF_SUBJECT_EMPTY_TOKEN, 2},
                {"a b", RF_SUBJECT_BLANK, 1},       {"a.\tb", RF_SUBJECT_BLANK, 2},
                {">.a", RF_SUBJECT_BEHIND_TAIL, 1}, {"a.>.b", RF_SUBJECT_BEHIND_TAIL, 3},
                {"a.>.", RF_SUBJECT_BEHIND_TAIL, 3}};
    for (size_t i = 0; i < sizeof look / sizeof look[0]; i++) {
        size_t at;
        const enum rf_subject_problem problem = rf_subject_pattern_check(rf_str_of(look[i].pattern), &at);
        if (problem != look[i].problem || (problem != RF_SUBJECT_GOOD && at != look[i].at)) {
            fail_msg("'%s': %s at %zu", look[i].pattern, rf_subject_problem_text(problem), at);
        }
    }
}

static uint64_t state = 88172645463325252u;

static uint32_t below(uint32_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 11) % limit;
}

enum { SHAPE_BYTES = 96 };

static struct rf_str random_dotted(char *out, bool is_pattern, uint32_t variety)
{
    size_t used = 0;
    const uint32_t tokens = 1 + below(5);
    for (uint32_t t = 0; t < tokens; t++) {
        used += t != 0 ? (size_t)snprintf(out + used, SHAPE_BYTES - used, ".") : 0;
        const uint32_t kind = below(10);
        if (is_pattern && kind < 3) {
            const bool is_tail = t + 1 == tokens && below(2) == 0;
            used += (size_t)snprintf(out + used, SHAPE_BYTES - used, "%s", is_tail ? ">" : "*");
        } else if (!is_pattern && kind == 0) { /* an empty token */
        } else if (kind == 1) {
            used += (size_t)snprintf(out + used, SHAPE_BYTES - used, "%s", below(2) == 0 ? "*x" : "a-long-token-of-its-own");
        } else {
            used += (size_t)snprintf(out + used, SHAPE_BYTES - used, "t%u", below(variety));
        }
    }
    return (struct rf_str){out, used};
}

/* Sets against the plain matcher, pattern by pattern. */
static void check_set(uint32_t count, uint32_t variety, uint32_t subjects)
{
    char(*text)[SHAPE_BYTES] = malloc(count * sizeof *text);
    struct rf_str *pattern = malloc(count * sizeof *pattern);
    uint32_t *found = malloc(count * sizeof *found);
    struct rf_subject_set *set;
    struct rf_arena arena;
    struct rf_error err;
    uint32_t failed;
    rf_arena_init(&arena, SIZE_MAX / 4);
    assert_true(text != NULL && pattern != NULL && found != NULL);
    for (uint32_t p = 0; p < count; p++) {
        pattern[p] = random_dotted(text[p], true, variety);
    }
    assert_int_equal(rf_subject_set_make(&set, pattern, count, &arena, &failed, &err), RF_OK);
    void *scratch = aligned_alloc(64, (rf_subject_set_scratch(set) + 63) / 64 * 64);
    assert_non_null(scratch);
    for (uint32_t s = 0; s < subjects; s++) {
        char subject_text[SHAPE_BYTES];
        const struct rf_str subject = random_dotted(subject_text, false, variety);
        const uint32_t founds = rf_subject_set_all(set, subject, scratch, found);
        uint32_t at = 0;
        for (uint32_t p = 0; p < count; p++) {
            const bool is_found = at < founds && found[at] == p;
            if (rf_subject_match(pattern[p], subject) != is_found) {
                fail_msg("%u patterns: '%.*s' against '%.*s'", count, (int)pattern[p].count, pattern[p].data,
                         (int)subject.count, subject.data);
            }
            at += is_found;
        }
        assert_int_equal(at, founds);
        assert_int_equal(rf_subject_set_any(set, subject, scratch), founds != 0);
    }
    free(scratch);
    rf_arena_free(&arena);
    free(found);
    free(pattern);
    free(text);
}

static void test_sets(void **unused)
{
    (void)unused;
    for (uint32_t round = 0; round < 100; round++) {
        check_set(1 + below(round < 50 ? 10 : 200), 2 + below(6), 200);
    }
    check_set(64, 4, 500);
    check_set(65, 4, 500);
    /* Where the form changes. */
    check_set(RF_SUBJECT_BITS_MAX - 1, 5, 200);
    check_set(RF_SUBJECT_BITS_MAX, 5, 200);
    check_set(RF_SUBJECT_BITS_MAX + 1, 5, 200);
    check_set(20000, 50, 100);
}

static void test_hostile(void **unused)
{
    (void)unused;
    enum { DOTS = 1000000 };
    struct rf_subject_set *set;
    struct rf_arena arena;
    struct rf_error err;
    uint32_t failed = 0;
    rf_arena_init(&arena, SIZE_MAX / 4);
    char *dots = malloc(DOTS);
    char wide[2 * RF_SUBJECT_TOKENS_MAX + 2];
    assert_non_null(dots);
    memset(dots, '.', DOTS);
    uint64_t scratch[RF_SUBJECT_BITS_MAX / 64];
    const struct rf_str pattern[] = {{">", 1}, {"a.>", 3}, {"*.*", 3}};
    uint32_t found[3];
    assert_int_equal(rf_subject_set_make(&set, pattern, 3, &arena, &failed, &err), RF_OK);
    assert_int_equal(rf_subject_set_all(set, (struct rf_str){dots, DOTS}, scratch, found), 1);
    assert_int_equal(rf_subject_set_all(set, (struct rf_str){NULL, 0}, scratch, found), 1);
    assert_int_equal(rf_subject_set_make(&set, NULL, 0, &arena, &failed, &err), RF_OK);
    assert_false(rf_subject_set_any(set, (struct rf_str){"a", 1}, scratch));
    const struct rf_str bad[] = {{"a", 1}, {"a..b", 4}};
    assert_int_equal(rf_subject_set_make(&set, bad, 2, &arena, &failed, &err), RF_E_EXPR);
    assert_int_equal(failed, 1);
    for (size_t i = 0; i < sizeof wide; i++) {
        wide[i] = i % 2 == 0 ? 'a' : '.';
    }
    struct rf_str most = {wide, 2 * RF_SUBJECT_TOKENS_MAX - 1};
    assert_int_equal(rf_subject_set_make(&set, &most, 1, &arena, &failed, &err), RF_OK);
    assert_true(rf_subject_set_any(set, most, scratch));
    most.count += 2;
    assert_int_equal(rf_subject_set_make(&set, &most, 1, &arena, &failed, &err), RF_E_LIMIT);
    rf_arena_free(&arena);
    free(dots);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules), cmocka_unit_test(test_patterns),
                                       cmocka_unit_test(test_sets), cmocka_unit_test(test_hostile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
