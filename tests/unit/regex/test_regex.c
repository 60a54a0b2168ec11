#include "regex_fixture.h"

#include <time.h>

/* Compiles, and gives how it ended. */
static enum rf_status try_compile(struct rf_str pattern, struct rf_regex **regex, size_t *error_at,
                                  struct rf_error *err)
{
    *err = (struct rf_error){0};
    return rf_regex_compile(pattern, &arena, regex, error_at, err);
}

static void test_rf_regex_compile(void **state)
{
    struct rf_regex *regex = NULL;
    struct rf_error err;
    size_t error_at = SIZE_MAX;
    (void)state;
    assert_int_equal(try_compile(RF_STR("a+"), &regex, &error_at, &err), RF_OK);
    assert_non_null(regex);
    assert_int_equal(error_at, 0);
    /* An error leaves nothing in the arena. */
    const size_t bytes_used = arena.bytes_used;
    assert_int_equal(try_compile(RF_STR("a+(b"), &regex, &error_at, &err), RF_E_EXPR);
    assert_null(regex);
    assert_int_equal(error_at, 2);
    assert_int_equal(err.status, RF_E_EXPR);
    assert_string_equal(err.text, "regular expression: missing closing )");
    assert_int_equal(arena.bytes_used, bytes_used);
}

static void test_rf_regex_compile_with(void **state)
{
    struct rf_regex *regex;
    struct rf_error err;
    size_t error_at;
    struct rf_regex_options options = {.is_nfa = true};
    (void)state;
    assert_int_equal(rf_regex_compile_with(RF_STR("a+"), &options, &arena, &regex, &error_at, &err), RF_OK);
    assert_int_equal(regex->kind, RF_REGEX_NFA);
    /* With too few states the NFA is taken: n - 1, n, n + 1 of what ^a{20}b needs. */
    for (uint32_t states_max = 22; states_max <= 24; states_max++) {
        options = (struct rf_regex_options){.states_max = states_max};
        assert_int_equal(rf_regex_compile_with(RF_STR("^a{20}b"), &options, &arena, &regex, &error_at, &err), RF_OK);
        assert_int_equal(regex->kind, states_max < 23 ? RF_REGEX_NFA : RF_REGEX_DFA);
        assert_true(rf_regex_match(regex, RF_STR("aaaaaaaaaaaaaaaaaaaab")));
        assert_false(rf_regex_match(regex, RF_STR("aaaaaaaaaaaaaaaaaaab")));
    }
}

static void assert_limit(const char *pattern, bool is_over, const char *message)
{
    struct rf_regex *regex;
    struct rf_error err;
    size_t error_at;
    const enum rf_status status = try_compile(rf_str_of(pattern), &regex, &error_at, &err);
    if (status != (is_over ? RF_E_LIMIT : RF_OK) || (is_over && strstr(err.text, message) == NULL)) {
        fail_msg("%.40s...: %s %s", pattern, rf_status_name(status), err.text);
    }
}

static void test_pattern_bytes_max(void **state)
{
    (void)state;
    for (size_t count = RF_REGEX_PATTERN_BYTES_MAX - 1; count <= RF_REGEX_PATTERN_BYTES_MAX + 1; count++) {
        /* An alternative of few nodes, as long as can be. */
        char *const pattern = repeat_text("a|", RF_REGEX_PATTERN_BYTES_MAX / 2 + 1);
        pattern[count] = '\0';
        assert_limit(pattern, count > RF_REGEX_PATTERN_BYTES_MAX, "at most 65536");
        free(pattern);
    }
}

static void test_nesting_max(void **state)
{
    (void)state;
    for (size_t depth = RF_REGEX_NESTING_MAX - 1; depth <= RF_REGEX_NESTING_MAX + 1; depth++) {
        char *const open = repeat_text("(x|", depth);
        char *const shut = repeat_text("y)*", depth);
        char *const pattern = join_texts(open, shut);
        assert_limit(pattern, depth > RF_REGEX_NESTING_MAX, "deeper than 200");
        free(open);
        free(shut);
        free(pattern);
    }
}

static void test_repeat_max(void **state)
{
    (void)state;
    assert_limit("a{999}", false, "");
    assert_limit("a{1000}", false, "");
    assert_limit("a{1001}", true, "more than 1000");
    assert_limit("(a{333}){3}", false, "");
    assert_limit("(a{100}){10}", false, "");
    assert_limit("(a{91}){11}", true, "nested repetitions");
    assert_limit("(((x{100}){100}){100})", true, "nested repetitions");
    assert_limit("a{10000000}", true, "more than 1000");
}

/* One node for each letter, and one for the match. */
static void test_nodes_max(void **state)
{
    (void)state;
    for (size_t nodes = RF_REGEX_NODES_MAX - 1; nodes <= RF_REGEX_NODES_MAX + 1; nodes++) {
        char *const pattern = repeat_text("a", nodes - 1);
        assert_limit(pattern, nodes > RF_REGEX_NODES_MAX, "at most 65535");
        free(pattern);
    }
    assert_limit("(?:abcdefghij){1000}(?:abcdefghij){1000}", false, "");
    assert_limit("(?:abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdef){1000}", true, "at most 65535");
    assert_limit("\\pL{1000}", true, "at most 65535");
}

/* States before minimisation: one for each letter, one for the match. With an a in front each state would be a set of
 * all beginnings, which is too much work. */
static void test_states_max(void **state)
{
    (void)state;
    for (size_t states = RF_REGEX_STATES_MAX - 1; states <= RF_REGEX_STATES_MAX + 1; states++) {
        char *const pattern = repeat_text("a", states - 1);
        pattern[0] = 'b';
        const struct rf_regex *const regex = compile(pattern);
        assert_int_equal(regex->kind, states > RF_REGEX_STATES_MAX ? RF_REGEX_NFA : RF_REGEX_DFA);
        assert_true(rf_regex_match(regex, rf_str_of(pattern)));
        pattern[states - 2] = '\0';
        assert_false(rf_regex_match(regex, rf_str_of(pattern)));
        free(pattern);
    }
}

static void test_full_arena(void **state)
{
    struct rf_arena small;
    struct rf_regex *regex;
    struct rf_error err;
    size_t error_at;
    uint32_t refused = 0;
    (void)state;
    for (size_t bytes_max = 0; bytes_max < 3000; bytes_max += 100) {
        rf_arena_init(&small, bytes_max);
        const enum rf_status status = rf_regex_compile(RF_STR("^foo.*bar[0-9]{3}$"), &small, &regex, &error_at, &err);
        assert_true(status == RF_OK || status == RF_E_LIMIT);
        assert_true((status == RF_OK) == (regex != NULL));
        refused += status != RF_OK;
        if (status == RF_OK) {
            assert_true(rf_regex_match(regex, RF_STR("foo  bar123")));
        }
        rf_arena_free(&small);
    }
    assert_true(refused > 2 && refused < 29);
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The best of some runs, of this thread only. */
static double seconds_of(const struct rf_regex *regex, struct rf_str text)
{
    double best = 1e9;
    for (uint32_t run = 0; run < 3; run++) {
        const double begin = seconds_now();
        assert_false(rf_regex_match(regex, text));
        const double seconds = seconds_now() - begin;
        best = seconds < best ? seconds : best;
    }
    return best;
}

/* Eight times the text takes about eight times as long, where a search that goes back would take at least 64 times. */
static void test_time_is_linear(void **state)
{
    enum { SHORT_BYTES = 1 << 17, LONG_BYTES = 1 << 20, TIMES_MAX = 30 };
    static const struct {
        const char *pattern;
        const char *text;
    } cases[] = {
        {"(a*)*b", "a"},
        {"(a|aa)+$", "aaaab" /* ends with a b */},
        {"(x+x+)+y", "x"},
        {"^(([a-z])+.)+[A-Z]([a-z])+$", "a"},
        {"(?:a|b)*a(?:a|b){20}$", "aabbb!"},
        {"foo.{20}bar", "foofoofobar"},
        {"(?:.*a){12}$", "aaaab"},
    };
    (void)state;
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        const struct rf_regex *const regex = compile_as(rf_str_of(cases[i / 2].pattern), i % 2 != 0);
        const size_t piece = strlen(cases[i / 2].text);
        char *const text = repeat_text(cases[i / 2].text, LONG_BYTES / piece);
        const double brief = seconds_of(regex, (struct rf_str){text, SHORT_BYTES / piece * piece});
        const double lengthy = seconds_of(regex, (struct rf_str){text, LONG_BYTES / piece * piece});
        /* A run of less than a millisecond says nothing, and is no fault either. */
        if (lengthy > TIMES_MAX * brief && lengthy > 0.002) {
            fail_msg("%s: %g s, then %g s", cases[i / 2].pattern, brief, lengthy);
        }
        free(text);
    }
}

/* Many nodes at once: text x nodes steps, not more. */
static void test_large_nfa_is_linear(void **state)
{
    (void)state;
    char *const part = repeat_text("(?:a|b)*a(?:a|b){9}c|(?:ab?){0,9}d|", 30);
    char *const pattern = join_texts(part, "e$");
    const struct rf_regex *const regex = compile_as(rf_str_of(pattern), true);
    char *const text = repeat_text("ab", 1 << 15);
    assert_true(regex->nodes > 500);
    const double brief = seconds_of(regex, (struct rf_str){text, 1 << 13});
    const double lengthy = seconds_of(regex, (struct rf_str){text, 1 << 16});
    assert_true(lengthy < 30 * brief);
    free(text);
    free(part);
    free(pattern);
}

/* Patterns made to be costly: each is compiled or refused with bounded work. The bound here is what an unlucky machine
 * with sanitizers may take; without a bound in the code most of these would take hours. */
static void test_compiling_is_bounded(void **state)
{
    static const struct {
        const char *part;
        size_t times;
        const char *tail;
    } cases[] = {
        {"\\pL", 20000, ""},
        {"(?i)\\PL", 8000, ""},
        {"a?", 20000, "aaaaaaaaaaaaaaaaaaaa"},
        {".*a", 8000, ""},
        {"(?:a|b)*a(?:a|b){20}$|", 1, "c"},
        {"(?:[a-z]x|[b-y]y)", 3000, ""},
        {"(?i)[^a]", 8000, ""},
        {"\\b\\B", 10000, ""},
        {"(|", 190, "a"},
        {"(?:a{500}|b{500})", 60, ""},
        {"x{1000}|", 60, "(?:y{31}z?){31}"},
        {"(?:a{0,30}b){0,30}", 40, ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rf_regex *regex;
        struct rf_error err;
        size_t error_at;
        char *const part = repeat_text(cases[i].part, cases[i].times);
        char *const pattern = join_texts(part, cases[i].tail);
        const double begin = seconds_now();
        const enum rf_status status = try_compile(rf_str_of(pattern), &regex, &error_at, &err);
        assert_true(status == RF_OK || status == RF_E_LIMIT || status == RF_E_EXPR);
        if (seconds_now() - begin > 20) {
            fail_msg("%s, %zu times: %g s", cases[i].part, cases[i].times, seconds_now() - begin);
        }
        free(part);
        free(pattern);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_ARENA(test_rf_regex_compile),     WITH_ARENA(test_rf_regex_compile_with),
        WITH_ARENA(test_pattern_bytes_max),    WITH_ARENA(test_nesting_max),
        WITH_ARENA(test_repeat_max),           WITH_ARENA(test_nodes_max),
        WITH_ARENA(test_states_max),           WITH_ARENA(test_full_arena),
        WITH_ARENA(test_time_is_linear),       WITH_ARENA(test_large_nfa_is_linear),
        WITH_ARENA(test_compiling_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
