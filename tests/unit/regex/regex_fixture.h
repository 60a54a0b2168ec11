/* regex_fixture.h: an arena for each test of a program, and patterns compiled into it. */
#ifndef REGEX_FIXTURE_H
#define REGEX_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "regex.h"

static struct rf_arena arena;

static inline int set_up(void **state)
{
    (void)state;
    rf_arena_init(&arena, 64 << 20);
    return 0;
}

static inline int tear_down(void **state)
{
    (void)state;
    rf_arena_free(&arena);
    return 0;
}

#define WITH_ARENA(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

/* A pattern that must compile; with is_nfa no DFA is made of it. */
static inline const struct rf_regex *compile_as(struct rf_str pattern, bool is_nfa)
{
    const struct rf_regex_options options = {.is_nfa = is_nfa, .states_max = RF_REGEX_STATES_MAX};
    struct rf_regex *regex = NULL;
    struct rf_error err = {0};
    size_t error_at = SIZE_MAX;
    if (rf_regex_compile_with(pattern, &options, &arena, &regex, &error_at, &err) != RF_OK) {
        fail_msg("%.*s: %s at %zu", RF_STR_ARG(pattern), err.text, error_at);
    }
    return regex;
}

static inline const struct rf_regex *compile(const char *pattern)
{
    return compile_as(rf_str_of(pattern), false);
}

struct pick { /* chance, the same in every run */
    uint64_t state;
};

static inline uint32_t pick_below(struct pick *pick, uint32_t below)
{
    pick->state ^= pick->state << 13;
    pick->state ^= pick->state >> 7;
    pick->state ^= pick->state << 17;
    return (uint32_t)((pick->state >> 11) % below);
}

/* text, `times` times over; freed by the caller. */
static inline char *repeat_text(const char *text, size_t times)
{
    const size_t count = strlen(text);
    char *const whole = malloc(count * times + 1);
    assert_non_null(whole);
    for (size_t i = 0; i < times; i++) {
        memcpy(whole + i * count, text, count);
    }
    whole[count * times] = '\0';
    return whole;
}

/* One text behind the other; freed by the caller. */
static inline char *join_texts(const char *a, const char *b)
{
    const size_t count = strlen(a);
    char *const both = malloc(count + strlen(b) + 1);
    assert_non_null(both);
    memcpy(both, a, count);
    memcpy(both + count, b, strlen(b) + 1);
    return both;
}

#endif
