/* first, every, changed, cooldown and count, per key, against what their names say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "rule_state.h"

#define S 1000000000LL

/* Runs `truth` (one character a record: T or F) at the times given, a second apart without them; gives what fires. */
static void check(const struct rf_rule_state *state, const char *truth, const int64_t *ns, const char *wanted)
{
    struct rf_key_memory states;
    struct rf_error err;
    assert_int_equal(rf_key_memory_open(&states, RF_RULE_STATE_BYTES_DEFAULT, &err), RF_OK);
    const struct rf_state_key key = rf_state_key_of(RF_STR("A"));
    for (size_t i = 0; truth[i] != '\0'; i++) {
        bool fires;
        assert_int_equal(rf_rule_state_apply(&states, state, 0, key, ns == NULL ? (int64_t)i * S : ns[i],
                                              truth[i] == 'T', &fires, &err),
                         RF_OK);
        if (fires != (wanted[i] == 'T')) {
            fail_msg("%s: record %zu", truth, i);
        }
    }
    rf_key_memory_close(&states);
}

static void test_kinds(void **unused)
{
    (void)unused;
    check(&(struct rf_rule_state){.is_first = true}, "FTTFT", NULL, "FTFFF");
    check(&(struct rf_rule_state){.every = 3}, "TTFTTTT", NULL, "FFFTFFT");
    check(&(struct rf_rule_state){.every = 1}, "TFT", NULL, "TFT");
    check(&(struct rf_rule_state){.is_first = true, .every = 2}, "TTTT", NULL, "FFFF"); /* only the first comes as far */
    check(&(struct rf_rule_state){.is_changed = true}, "TTFTFFTT", NULL, "TFFTFFTF");
    check(&(struct rf_rule_state){.cooldown_ns = 3 * S}, "TTTTTTT", NULL, "TFFTFFT");
    /* An earlier record does not fire; one exactly the cooldown later does. */
    const int64_t back[] = {10 * S, 5 * S, 13 * S - 1, 13 * S};
    check(&(struct rf_rule_state){.cooldown_ns = 3 * S}, "TTTT", back, "TFFT");
    const int64_t ends[] = {INT64_MIN + 1, INT64_MAX};
    check(&(struct rf_rule_state){.cooldown_ns = INT64_MAX}, "TT", ends, "TT");
}

static void test_count(void **unused)
{
    (void)unused;
    const struct rf_rule_state sliding = {
        .has_count = true, .count_more_than = 2, .count_within_ns = 10 * S, .count_window = RF_WINDOW_SLIDING};
    const int64_t times[] = {0, 4 * S, 9 * S, 10 * S, 30 * S, 31 * S, 32 * S};
    check(&sliding, "TTTTTTT", times, "FFTTFFT");
    check(&sliding, "TTFTTTT", times, "FFFFFFT");
    /* Out of order: it is the distance of the earliest from the latest that counts, not that of either from the newest. */
    const int64_t apart[] = {0, 12 * S, 9 * S, 3 * S, 4 * S};
    check(&sliding, "TTTTT", apart, "FFFTT");
    const int64_t ends[] = {INT64_MIN + 1, INT64_MAX, 0};
    check(&sliding, "TTT", ends, "FFF");
    const struct rf_rule_state none = {
        .has_count = true, .count_more_than = 0, .count_within_ns = S, .count_window = RF_WINDOW_SLIDING};
    check(&none, "TFT", NULL, "TFT");
    const struct rf_rule_state tumbling = {
        .has_count = true, .count_more_than = 1, .count_within_ns = 10 * S, .count_window = RF_WINDOW_TUMBLING};
    const int64_t windows[] = {-1, 0, 9 * S, 10 * S, 11 * S, 19 * S, 20 * S};
    check(&tumbling, "TTTTTTT", windows, "FFTFTTF");
    /* Late records count in their own window, as long as it is the newest or the one before. */
    const int64_t late[] = {0, 12 * S, 9 * S, 13 * S, 25 * S, 14 * S, 5 * S, 26 * S, 5 * S};
    check(&tumbling, "TTTTTTTTT", late, "FFTTFTFTF");
    const int64_t gap[] = {50 * S, 5 * S, 15 * S, 6 * S, 16 * S, 51 * S};
    check(&tumbling, "TTTTTT", gap, "FFFFTT");
}

/* Against looking at all records of the window anew, in any order of times. */
static void test_sliding_window(void **unused)
{
    (void)unused;
    enum { RECORDS = 3000 };
    uint64_t random = 88172645463325252u;
    for (uint32_t more_than = 0; more_than < 9; more_than++) {
        const struct rf_rule_state sliding = {
            .has_count = true, .count_more_than = more_than, .count_within_ns = 40, .count_window = RF_WINDOW_SLIDING};
        struct rf_key_memory states;
        struct rf_error err;
        static int64_t time[RECORDS];
        uint32_t passed = 0;
        assert_int_equal(rf_key_memory_open(&states, RF_RULE_STATE_BYTES_DEFAULT, &err), RF_OK);
        for (uint32_t i = 0; i < RECORDS; i++) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            time[i] = (int64_t)(5 * i + random % (more_than % 2 == 0 ? 50 : 3));
            int64_t low = time[i];
            int64_t high = time[i];
            for (uint32_t k = i > more_than ? i - more_than : 0; k < i; k++) {
                low = time[k] < low ? time[k] : low;
                high = time[k] > high ? time[k] : high;
            }
            bool fires;
            assert_int_equal(rf_rule_state_apply(&states, &sliding, 0, (struct rf_state_key){0, 0}, time[i], true, &fires, &err), RF_OK);
            assert_int_equal(fires, i >= more_than && high - low < 40);
            passed += fires;
        }
        assert_true(passed > 0);
        rf_key_memory_close(&states);
    }
}

/* Each sees what those before it let through. */
static void test_together(void **unused)
{
    (void)unused;
    check(&(struct rf_rule_state){.is_changed = true, .every = 2}, "TFTTFTFT", NULL, "FFTFFFFT");
    check(&(struct rf_rule_state){.every = 2, .cooldown_ns = 3 * S}, "TTTTTT", NULL, "FTFFFT");
}

static void test_keys(void **unused)
{
    (void)unused;
    struct rf_key_memory states;
    struct rf_error err;
    const struct rf_rule_state first = {.is_first = true};
    bool fires;
    assert_int_equal(rf_key_memory_open(&states, RF_RULE_STATE_BYTES_DEFAULT, &err), RF_OK);
    enum { KEYS = 20000 };
    for (int round = 0; round < 2; round++) {
        for (uint32_t k = 0; k < KEYS; k++) {
            const struct rf_state_key key = rf_state_key_of((struct rf_str){(const char *)&k, sizeof k});
            for (uint32_t rule = 0; rule < 2; rule++) {
                assert_int_equal(rf_rule_state_apply(&states, &first, rule, key, 0, true, &fires, &err), RF_OK);
                assert_int_equal(fires, round == 0);
            }
        }
    }
    assert_int_equal(states.entries, 2 * KEYS);
    assert_int_equal(states.evicted, 0);
    rf_key_memory_close(&states);
}

/* Room for some: the one not used for longest goes. */
static void test_eviction(void **unused)
{
    (void)unused;
    struct rf_key_memory states;
    struct rf_error err;
    const struct rf_rule_state first = {.is_first = true};
    bool fires;
    uint32_t fitting = 0;
    assert_int_equal(rf_key_memory_open(&states, 2000, &err), RF_OK);
    for (uint32_t k = 0; states.evicted == 0; k++) {
        const struct rf_state_key key = rf_state_key_of((struct rf_str){(const char *)&k, sizeof k});
        assert_int_equal(rf_rule_state_apply(&states, &first, 0, key, 0, true, &fires, &err), RF_OK);
        assert_true(fires);
        assert_true(states.bytes_used <= 2000);
        fitting = states.entries;
    }
    assert_true(fitting > 5);
    const uint32_t zero = 0;
    const uint32_t one = 1;
    const struct rf_state_key kept = rf_state_key_of((struct rf_str){(const char *)&one, sizeof one});
    const struct rf_state_key gone = rf_state_key_of((struct rf_str){(const char *)&zero, sizeof zero});
    assert_int_equal(rf_rule_state_apply(&states, &first, 0, kept, 0, true, &fires, &err), RF_OK);
    assert_false(fires);
    assert_int_equal(rf_rule_state_apply(&states, &first, 0, gone, 0, true, &fires, &err), RF_OK);
    assert_true(fires); /* forgotten: new again */
    assert_int_equal(rf_rule_state_apply(&states, &first, 0, kept, 0, true, &fires, &err), RF_OK);
    assert_false(fires); /* it had been used since */
    assert_int_equal(states.evicted, 2);
    rf_key_memory_close(&states);
}

/* What a rule goes by and a record has not is an error where it is true, and no record of the key. */
static void test_absent(void **unused)
{
    (void)unused;
    struct rf_key_memory states;
    struct rf_error err;
    enum rf_state_answer answer;
    const struct rf_rule_state timed = {.cooldown_ns = S};
    const struct rf_rule_state changed = {.is_changed = true};
    const struct rf_state_record timeless = {.is_true = true, .has_key = true};
    struct rf_state_record keyless = {.is_true = true, .has_time = true};
    assert_int_equal(rf_key_memory_open(&states, RF_RULE_STATE_BYTES_DEFAULT, &err), RF_OK);
    assert_int_equal(rf_rule_state_answer(&states, &timed, 0, &timeless, &answer, &err), RF_OK);
    assert_int_equal(answer, RF_STATE_ERROR);
    assert_int_equal(rf_rule_state_answer(&states, &timed, 0, &keyless, &answer, &err), RF_OK);
    assert_int_equal(answer, RF_STATE_ERROR);
    keyless.is_true = false;
    assert_int_equal(rf_rule_state_answer(&states, &changed, 0, &keyless, &answer, &err), RF_OK);
    assert_int_equal(answer, RF_STATE_SUPPRESSED);
    assert_int_equal(states.entries, 0);
    assert_int_equal(rf_rule_state_answer(&states, &changed, 0, &timeless, &answer, &err), RF_OK);
    assert_int_equal(answer, RF_STATE_FIRES);
    rf_key_memory_close(&states);
}

static void test_rf_rule_states_check(void **unused)
{
    (void)unused;
    struct rf_error err;
    const struct rf_rule_source source[] = {{.state = {.is_first = true}},
                                            {.name = {"late", 4}, .state = {.has_count = true}}};
    const struct rf_rules rules = {.source = source, .sources = 2};
    const struct rf_rules untimed = {.source = source, .sources = 1};
    assert_int_equal(rf_rule_states_check(&rules, true, &err), RF_OK);
    assert_int_equal(rf_rule_states_check(&untimed, false, &err), RF_OK);
    assert_int_equal(rf_rule_states_check(&rules, false, &err), RF_E_USAGE);
    assert_non_null(strstr(err.text, "rule 'late' has a cooldown or count"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds), cmocka_unit_test(test_count), cmocka_unit_test(test_sliding_window),
                                       cmocka_unit_test(test_together), cmocka_unit_test(test_keys),
                                       cmocka_unit_test(test_eviction), cmocka_unit_test(test_absent),
                                       cmocka_unit_test(test_rf_rule_states_check)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
