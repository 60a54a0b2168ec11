#include "regex_fixture.h"

#include "regex_dfa.h"
#include "regex_parser.h"

static bool build(const char *pattern, uint32_t states_max, struct rf_dfa *dfa)
{
    struct rf_tree_maker maker = {.arena = &arena};
    struct rf_program draft = {.arena = &arena};
    struct rf_program program;
    struct rf_tree *tree;
    struct rf_error err;
    size_t error_at;
    assert_int_equal(rf_regex_parse(rf_str_of(pattern), &maker, &tree, &error_at, &err), RF_OK);
    assert_true(rf_program_emit(&draft, tree, &maker));
    assert_true(rf_program_pack(&draft, &arena, &program));
    return rf_dfa_build(&program, states_max, &arena, dfa);
}

static bool run(const struct rf_dfa *dfa, const char *text)
{
    uint32_t at = dfa->start;
    for (; *text != '\0'; text++) {
        at = dfa->next[at * dfa->intervals + dfa->interval_of[(unsigned char)*text]];
    }
    return dfa->accepts[at] != 0;
}

static void test_rf_dfa_build(void **state)
{
    struct rf_dfa dfa;
    (void)state;
    assert_true(build("ab", 100, &dfa));
    assert_int_equal(dfa.states, 3); /* the match, nothing yet, a */
    assert_int_equal(dfa.intervals, 4);
    assert_true(dfa.accepts[RF_DFA_MATCH]);
    assert_true(run(&dfa, "xxabx"));
    assert_false(run(&dfa, "xaxb"));
    assert_true(build("a$", 100, &dfa));
    assert_true(run(&dfa, "aa"));
    assert_false(run(&dfa, "ab"));
    assert_true(build("\\ba\\b", 100, &dfa));
    assert_true(run(&dfa, "b a c"));
    assert_false(run(&dfa, "ba"));
    assert_true(build("(?m)^a$", 100, &dfa));
    assert_true(run(&dfa, "b\na\nc"));
    assert_false(run(&dfa, "b\naa"));
}

/* a{20} needs one state for each count, and one for the match. */
static void test_states_are_bounded(void **state)
{
    struct rf_dfa dfa;
    (void)state;
    assert_true(build("^a{20}b", 22 + 1, &dfa));
    const uint32_t states = dfa.states;
    assert_true(build("^a{20}b", states + 1, &dfa));
    assert_true(build("^a{20}b", states, &dfa));
    assert_false(build("^a{20}b", states - 1, &dfa));
}

/* Moore's way, the slow and obvious one: blocks are split by where their states lead until nothing changes. */
static uint32_t blocks_of_reference(const struct rf_dfa *dfa, uint16_t *block)
{
    uint32_t blocks = 0;
    for (uint32_t s = 0; s < dfa->states; s++) {
        block[s] = dfa->accepts[s];
    }
    for (uint32_t before = UINT32_MAX; blocks != before;) {
        uint16_t fresh[64];
        before = blocks;
        blocks = 0;
        for (uint32_t s = 0; s < dfa->states; s++) {
            uint32_t t = 0;
            for (; t < s; t++) {
                bool is_equal = block[s] == block[t];
                for (uint32_t k = 0; k < dfa->intervals && is_equal; k++) {
                    is_equal = block[dfa->next[s * dfa->intervals + k]] == block[dfa->next[t * dfa->intervals + k]];
                }
                if (is_equal) {
                    break;
                }
            }
            fresh[s] = t < s ? fresh[t] : (uint16_t)blocks++;
        }
        memcpy(block, fresh, dfa->states * sizeof *block);
    }
    return blocks;
}

static void test_rf_dfa_minimise(void **state)
{
    struct pick pick = {12345};
    (void)state;
    for (uint32_t round = 0; round < 3000; round++) {
        const struct rf_arena_mark mark = rf_arena_mark(&arena);
        uint16_t next[64 * 5];
        uint8_t accepts[64];
        uint16_t block[64];
        uint16_t expected[64];
        uint32_t blocks;
        struct rf_dfa dfa = {.states = 1 + pick_below(&pick, 60), .intervals = 1 + pick_below(&pick, 5)};
        dfa.next = next;
        dfa.accepts = accepts;
        /* Few targets make many equal states. */
        const uint32_t targets = 1 + pick_below(&pick, dfa.states);
        const uint32_t accepting = 1 + pick_below(&pick, 6);
        for (uint32_t s = 0; s < dfa.states; s++) {
            accepts[s] = pick_below(&pick, accepting) == 0;
            for (uint32_t k = 0; k < dfa.intervals; k++) {
                next[s * dfa.intervals + k] =
                    (uint16_t)(pick_below(&pick, 3) == 0 ? pick_below(&pick, dfa.states) : pick_below(&pick, targets));
            }
        }
        assert_true(rf_dfa_minimise(&dfa, &arena, block, &blocks));
        assert_int_equal(blocks, blocks_of_reference(&dfa, expected));
        for (uint32_t s = 0; s < dfa.states; s++) {
            for (uint32_t t = 0; t < s; t++) {
                assert_int_equal(block[s] == block[t], expected[s] == expected[t]);
            }
        }
        rf_arena_rewind(&arena, mark);
    }
}

/* States, classes and their order in the finished table. */
static void test_rf_dfa_finish(void **state)
{
    static const struct {
        const char *pattern;
        uint32_t states, classes;
    } cases[] = {
        {"abc", 5, 4}, /* 0 1 2 letters, match, dead */
        {"", 2, 1},    /* match and dead */
        {"[^\\x00-\\x{10FFFF}]", 2, 1},
        {"[ab][ab]", 4, 2},
        {"(?i)a", 3, 2}, /* A and a are one class, though they are no neighbours */
        {"^a", 3, 2},
        {"a$", 4, 2},
        {"(a*)*b", 3, 2},
        {"(x+x+)+y", 5, 3},
        {"foo|bar", 7, 6},
        {"(?s)^a.*$", 3, 2}, /* nothing but the a matters */
        {"(?:a|b)*a(?:a|b){3}", 6, 3},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct rf_regex *const regex = compile(cases[i].pattern);
        if (regex->states != cases[i].states || regex->classes != cases[i].classes) {
            fail_msg("%s: %u states, %u classes", cases[i].pattern, regex->states, regex->classes);
        }
    }
    static const char *const patterns[] = {"abc", "a$", "", "^x{3,5}$", "\\bfoo\\b|bar$", "\\pL+", "[^a]$"};
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        const struct rf_regex *const regex = compile(patterns[i]);
        const uint32_t row = 1U << regex->class_shift;
        assert_int_equal(regex->kind, RF_REGEX_DFA);
        assert_true(regex->classes <= row && (row == 1 || regex->classes > row / 2));
        assert_int_equal(regex->dead, regex->match + 1);
        assert_int_equal(regex->states, regex->dead + 1);
        assert_true(regex->end_begin <= regex->match && regex->start < regex->states);
        assert_int_equal((uintptr_t)regex->next % 64, 0);
        for (uint32_t class = 0; class < regex->classes; class ++) {
            assert_int_equal(regex->next[regex->match * row + class], regex->match);
            assert_int_equal(regex->next[regex->dead * row + class], regex->dead);
            for (uint32_t s = 0; s < regex->states; s++) {
                assert_true(regex->next[s * row + class] < regex->states);
            }
        }
    }
}

static void test_skip_bytes(void **state)
{
    (void)state;
    assert_int_equal(compile("foo")->skip_bytes, 1);
    assert_int_equal(compile("foo")->skip_byte[0], 'f');
    assert_int_equal(compile("(?i)foo")->skip_bytes, 2);
    assert_int_equal(compile("[abc]x")->skip_bytes, 3);
    assert_int_equal(compile("[a-d]x")->skip_bytes, 0);
    assert_int_equal(compile("^foo")->skip_bytes, 0);
    assert_int_equal(compile("")->skip_bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_ARENA(test_rf_dfa_build),  WITH_ARENA(test_states_are_bounded), WITH_ARENA(test_rf_dfa_minimise),
        WITH_ARENA(test_rf_dfa_finish), WITH_ARENA(test_skip_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
