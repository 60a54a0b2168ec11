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
        {"foo.baz", "foo.ban", false},
        {"bar.>", "baz.foo", false},
        {"foo.*.z", "foo.bar.z", true},
        {"foo.*.y", "foo.bar.z", false},
        {"*.a.>", ".a.b", false}, /* an empty token before the > is looked at */
        {"*.>", "a.", true},
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

/* Patterns of which one is within another, and one that is there twice: each has its number. Behind them so many others that
 * either form is met. */
static void test_overlap(void **unused)
{
    (void)unused;
    enum { NESTED = 8, MANY = RF_SUBJECT_BITS_MAX + 8 };
    static const char *const nested[NESTED] = {"x", "x.*", "x.>", ">", "x.*.*", "x.y", "x.y", "*.y"};
    static const struct {
        const char *subject;
        uint32_t founds, found[NESTED];
    } look[] = {{"x", 2, {0, 3}},
                {"x.y", 6, {1, 2, 3, 5, 6, 7}},
                {"x.z", 3, {1, 2, 3}},
                {"x.y.z", 3, {2, 3, 4}},
                {"x.", 2, {2, 3}},
                {"z.y", 2, {3, 7}},
                {"", 1, {3}}};
    static char text[MANY][16];
    static struct rf_str pattern[MANY];
    static uint32_t found[MANY];
    for (uint32_t p = 0; p < MANY; p++) {
        (void)snprintf(text[p], sizeof text[p], "other.%u", p);
        pattern[p] = rf_str_of(p < NESTED ? nested[p] : text[p]);
    }
    for (uint32_t count = NESTED; count <= MANY; count += MANY - NESTED) {
        struct rf_subject_set *set;
        struct rf_arena arena;
        struct rf_error err;
        uint32_t failed;
        rf_arena_init(&arena, SIZE_MAX / 4);
        assert_int_equal(rf_subject_set_make(&set, pattern, count, &arena, &failed, &err), RF_OK);
        void *scratch = aligned_alloc(64, (rf_subject_set_scratch(set) + 63) / 64 * 64);
        assert_non_null(scratch);
        for (size_t i = 0; i < sizeof look / sizeof look[0]; i++) {
            assert_int_equal(rf_subject_set_all(set, rf_str_of(look[i].subject), scratch, found), look[i].founds);
            assert_memory_equal(found, look[i].found, look[i].founds * sizeof found[0]);
        }
        free(scratch);
        rf_arena_free(&arena);
    }
}

/* The hundred filters of the published benchmark. */
static void test_published(void **unused)
{
    (void)unused;
    enum { FILTERS = 100 };
    static char text[FILTERS][64];
    struct rf_str pattern[FILTERS];
    uint32_t found[FILTERS];
    uint32_t failed;
    struct rf_subject_set *set;
    struct rf_arena arena;
    struct rf_error err;
    rf_arena_init(&arena, SIZE_MAX / 4);
    for (uint32_t p = 0; p < FILTERS; p++) {
        char id[32];
        const char *token[5] = {"foo", "bar", id, "xyz", "abcdef"};
        (void)snprintf(id, sizeof id, "AbCdEfGhIjKlMnOpQrS%03u", p / 6);
        token[p % 6 == 0 ? 2 : p % 6 - 1] = p % 6 == 0 ? id : "*";
        (void)snprintf(text[p], sizeof text[p], "%s.%s.%s.%s.%s", token[0], token[1], token[2], token[3], token[4]);
        pattern[p] = rf_str_of(text[p]);
    }
    assert_int_equal(rf_subject_set_make(&set, pattern, FILTERS, &arena, &failed, &err), RF_OK);
    void *scratch = aligned_alloc(64, (rf_subject_set_scratch(set) + 63) / 64 * 64);
    assert_non_null(scratch);
    assert_false(rf_subject_set_any(set, RF_STR("foo.bar.do.not.match.any.filter.subject"), scratch));
    assert_true(rf_subject_set_any(set, RF_STR("foo.bar.12345.xyz.abcdef"), scratch));
    assert_int_equal(rf_subject_set_all(set, RF_STR("foo.bar.12345.xyz.abcdef"), scratch, found), FILTERS / 6 + 1);
    assert_int_equal(found[0], 3);
    assert_int_equal(found[1], 9);
    free(scratch);
    rf_arena_free(&arena);
}

/* Every length round the windows in which dots are looked for, with dots and tokens at every place. */
static void test_windows(void **unused)
{
    (void)unused;
    enum { LENGTH_MAX = 150, FILL = RF_SUBJECT_BITS_MAX + 1 };
    static struct rf_str pattern[FILL];
    static char pattern_text[LENGTH_MAX];
    for (size_t length = 1; length < LENGTH_MAX; length++) {
        char *text = malloc(length); /* no byte more, so that a read behind it is seen */
        assert_non_null(text);
        for (size_t dot = 0; dot < length; dot += 1 + length / 20) {
            memset(text, 'a', length);
            text[dot] = '.';
            const struct rf_str subject = {text, length};
            memcpy(pattern_text, text, length);
            pattern[0] = (struct rf_str){pattern_text, length};
            pattern[1] = RF_STR("*.*");
            pattern[2] = RF_STR("a.>");
            const uint32_t from = dot == 0 || dot + 1 == length; /* the subject is no pattern */
            for (uint32_t p = 3; p < FILL; p++) {
                pattern[p] = RF_STR("b.c");
            }
            for (uint32_t count = 3; count <= FILL; count += FILL - 3) {
                if (count == FILL && length % 8 > 1) {
                    continue;
                }
                static uint32_t found[FILL];
                struct rf_subject_set *set;
                struct rf_arena arena;
                struct rf_error err;
                uint32_t failed;
                rf_arena_init(&arena, SIZE_MAX / 4);
                assert_int_equal(rf_subject_set_make(&set, pattern + from, count - from, &arena, &failed, &err), RF_OK);
                void *scratch = aligned_alloc(64, (rf_subject_set_scratch(set) + 63) / 64 * 64);
                assert_non_null(scratch);
                const uint32_t founds = rf_subject_set_all(set, subject, scratch, found);
                uint32_t at = 0;
                for (uint32_t p = from; p < 3; p++) {
                    if (rf_subject_match(pattern[p], subject)) {
                        assert_true(at < founds);
                        assert_int_equal(found[at], p - from);
                        at++;
                    }
                }
                assert_int_equal(at, founds);
                free(scratch);
                rf_arena_free(&arena);
            }
        }
        free(text);
    }
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
    uint64_t scratch[RF_SUBJECT_BITS_MAX / 64 + 64];
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
                                       cmocka_unit_test(test_sets), cmocka_unit_test(test_overlap),
                                       cmocka_unit_test(test_published), cmocka_unit_test(test_windows),
                                       cmocka_unit_test(test_hostile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
