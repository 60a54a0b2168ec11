#include "regex_fixture.h"

#include "regex_parser.h"
#include "regex_program.h"
#include "utf8.h"

static struct rf_program program_of(const char *pattern)
{
    struct rf_tree_maker maker = {.arena = &arena};
    struct rf_program draft = {.arena = &arena};
    struct rf_program program = {0};
    struct rf_tree *tree = NULL;
    struct rf_error err = {0};
    size_t error_at;
    if (rf_regex_parse(rf_str_of(pattern), &maker, &tree, &error_at, &err) != RF_OK) {
        fail_msg("%s: %s", pattern, err.text);
    }
    assert_true(rf_program_emit(&draft, tree, &maker));
    assert_true(rf_program_pack(&draft, &arena, &program));
    return program;
}

static void test_rf_program_ranges(void **state)
{
    struct rf_program program = {.arena = &arena};
    const uint32_t match = rf_program_match(&program);
    struct rf_regex_range range[] = {{'a', 'b', 0}, {'c', 'd', 0}, {'f', 'f', 0}};
    (void)state;
    assert_int_equal(match, 0);
    const uint32_t node = rf_program_ranges(&program, range, 3);
    assert_int_equal(program.node[node].count, 2); /* a-d, f */
    assert_int_equal(program.range[program.node[node].first].high, 'd');
    /* What is equal is made once. */
    struct rf_regex_range again[] = {{'a', 'd', 0}, {'f', 'f', 0}};
    assert_int_equal(rf_program_ranges(&program, again, 2), node);
    struct rf_regex_range other[] = {{'a', 'd', 0}, {'g', 'g', 0}};
    assert_int_not_equal(rf_program_ranges(&program, other, 2), node);
    const uint32_t dead = rf_program_ranges(&program, NULL, 0);
    assert_int_equal(program.node[dead].count, 0);
    assert_int_equal(rf_program_ranges(&program, NULL, 0), dead);
}

static void test_rf_program_split(void **state)
{
    struct rf_program program = {.arena = &arena};
    const uint32_t match = rf_program_match(&program);
    struct rf_regex_range range = {'a', 'a', 0};
    const uint32_t a = rf_program_ranges(&program, &range, 1);
    range.low = range.high = 'b';
    const uint32_t b = rf_program_ranges(&program, &range, 1);
    const uint32_t dead = rf_program_ranges(&program, NULL, 0);
    (void)state;
    assert_int_equal(rf_program_split(&program, a, a), a);
    assert_int_equal(rf_program_split(&program, a, dead), a);
    assert_int_equal(rf_program_split(&program, dead, b), b);
    /* A match beside something is a match. */
    assert_int_equal(rf_program_split(&program, match, a), match);
    assert_int_equal(rf_program_split(&program, a, match), match);
    const uint32_t split = rf_program_split(&program, a, b);
    assert_int_equal(program.node[split].op, RF_REGEX_SPLIT);
    assert_int_equal(rf_program_split(&program, RF_PROGRAM_NONE, a), RF_PROGRAM_NONE);
    assert_int_equal(rf_program_split(&program, a, RF_PROGRAM_NONE), RF_PROGRAM_NONE);
}

static void test_rf_program_loop(void **state)
{
    struct rf_program program = {.arena = &arena};
    const uint32_t match = rf_program_match(&program);
    const uint32_t loop = rf_program_loop(&program, match);
    struct rf_regex_range range = {'a', 'a', (uint16_t)loop};
    const uint32_t body = rf_program_ranges(&program, &range, 1);
    (void)state;
    assert_int_equal(rf_program_loop_body(&program, loop, body), loop);
    assert_int_equal(program.node[loop].first, body);
    assert_int_equal(program.node[loop].second, match);
    assert_int_equal(rf_program_loop(&program, RF_PROGRAM_NONE), RF_PROGRAM_NONE);
    assert_int_equal(rf_program_loop_body(&program, loop, RF_PROGRAM_NONE), RF_PROGRAM_NONE);
}

static void test_rf_program_assert(void **state)
{
    struct rf_program program = {.arena = &arena};
    const uint32_t match = rf_program_match(&program);
    const uint32_t edge = rf_program_assert(&program, RF_ASSERT_WORD_EDGE, match);
    (void)state;
    assert_int_equal(program.node[edge].op, RF_REGEX_ASSERT);
    assert_int_equal(program.node[edge].assertion, RF_ASSERT_WORD_EDGE);
    assert_int_equal(program.asserts, RF_ASSERT_WORD_EDGE);
    assert_int_equal(rf_program_assert(&program, RF_ASSERT_WORD_EDGE, RF_PROGRAM_NONE), RF_PROGRAM_NONE);
    assert_true(rf_program_is_match(&program, match));
    assert_false(rf_program_is_match(&program, edge));
    assert_false(rf_program_is_match(&program, RF_PROGRAM_NONE));
}

/* Whether the bytes of a code point lead from a node to the match, node 0. */
static bool walk(const struct rf_program *program, uint32_t at, uint32_t code)
{
    char text[4];
    const size_t count = rf_utf8_write(code, text);
    for (size_t i = 0; i < count; i++) {
        const struct rf_regex_node node = program->node[at];
        const unsigned char byte = (unsigned char)text[i];
        bool is_taken = false;
        assert_int_equal(node.op, RF_REGEX_RANGES);
        for (uint32_t r = 0; r < node.count && !is_taken; r++) {
            const struct rf_regex_range range = program->range[node.first + r];
            if (range.low <= byte && byte <= range.high) {
                at = range.next;
                is_taken = true;
            }
        }
        if (!is_taken) {
            return false;
        }
    }
    return at == 0;
}

static void check_class(const struct rf_code_range *range, uint32_t count)
{
    struct rf_program program = {.arena = &arena};
    const uint32_t match = rf_program_match(&program);
    const uint32_t first = rf_program_class(&program, range, count, match);
    assert_int_not_equal(first, RF_PROGRAM_NONE);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t probe[] = {range[i].low - 1,
                                  range[i].low,
                                  range[i].low + 1,
                                  range[i].high - 1,
                                  range[i].high,
                                  range[i].high + 1,
                                  range[i].low + (range[i].high - range[i].low) / 2};
        for (size_t p = 0; p < sizeof probe / sizeof probe[0]; p++) {
            if (probe[p] > RF_CODE_MAX || (probe[p] >= RF_SURROGATE_FIRST && probe[p] <= RF_SURROGATE_LAST)) {
                continue;
            }
            if (walk(&program, first, probe[p]) != rf_code_set_covers(range, count, probe[p], probe[p])) {
                fail_msg("U+%04X of %u ranges, the first %X-%X", probe[p], count, range[0].low, range[0].high);
            }
        }
    }
}

static void test_rf_program_class(void **state)
{
    /* Around each place where the number of bytes or a lead byte changes. */
    static const uint32_t edges[] = {0,       1,       0x7E,    0x7F,     0x80,     0x81,     0xBF,    0xC0,
                                     0x7BF,   0x7C0,   0x7FF,   0x800,    0x801,    0xFFF,    0x1000,  0xD7BF,
                                     0xD7FF,  0xE000,  0xE03F,  0xFFBF,   0xFFFF,   0x10000,  0x10001, 0x1003F,
                                     0x3FFFF, 0x40000, 0xFFFFF, 0x100000, 0x10FFBF, 0x10FFFE, 0x10FFFF};
    enum { EDGES = sizeof edges / sizeof edges[0] };
    struct pick pick = {99};
    (void)state;
    for (size_t i = 0; i < EDGES; i++) {
        for (size_t j = i; j < EDGES; j++) {
            const struct rf_code_range range = {edges[i], edges[j]};
            check_class(&range, 1);
        }
    }
    for (uint32_t round = 0; round < 300; round++) {
        const struct rf_arena_mark mark = rf_arena_mark(&arena);
        struct rf_code_set set = {.arena = &arena};
        for (uint32_t left = 1 + pick_below(&pick, 20); left != 0; left--) {
            const uint32_t low = pick_below(&pick, 1U << (4 + pick_below(&pick, 17)));
            const uint32_t high = low + pick_below(&pick, 1U << (1 + pick_below(&pick, 12)));
            assert_true(rf_code_set_add(&set, low, high < RF_CODE_MAX ? high : RF_CODE_MAX));
        }
        rf_code_set_tidy(&set);
        check_class(set.range, set.count);
        rf_arena_rewind(&arena, mark);
    }
}

/* All code points beyond a byte: the fewest nodes there can be. */
static void test_classes_are_small(void **state)
{
    struct rf_program program = {.arena = &arena};
    const struct rf_code_range all = {0, RF_CODE_MAX};
    const struct rf_code_range surrogates = {RF_SURROGATE_FIRST, RF_SURROGATE_LAST};
    (void)state;
    const uint32_t match = rf_program_match(&program);
    rf_program_class(&program, &all, 1, match);
    /* The match, one for 1, 2 and 3 bytes to come, E0, ED, F0 and F4 each, and the first. */
    assert_int_equal(program.nodes, 1 + 3 + 4 + 1);
    const uint32_t none = rf_program_class(&program, &surrogates, 1, match);
    assert_int_equal(program.node[none].count, 0);
}

static void test_rf_program_emit(void **state)
{
    (void)state;
    assert_int_equal(program_of("abc").nodes, 4);
    assert_int_equal(program_of("foo|bar").nodes, 6); /* one node for f and b */
    assert_int_equal(program_of("a{3}").nodes, 4);
    assert_int_equal(program_of("ab{0,2}").nodes, 2); /* what may be missing before the match is left out */
    assert_int_equal(program_of("ab*").nodes, 2);
    assert_int_equal(program_of("a*b").nodes, 4);
    assert_int_equal(program_of("a?b").nodes, 4);
    assert_int_equal(program_of("").nodes, 1);
    assert_int_equal(program_of("[^\\x00-\\x{10FFFF}]a").nodes, 1);
    assert_int_equal(program_of("^a").asserts, RF_ASSERT_TEXT_BEGIN);
    /* Loose classes, but not beside \B or \C. */
    assert_int_equal(program_of("a.b").nodes, 6);
    assert_true(program_of("a.b\\B").nodes > 10);
    assert_true(program_of("a.b\\C").nodes > 10);
    assert_int_equal(program_of("a.*b").nodes, 5);
}

static void test_rf_program_pack(void **state)
{
    struct rf_program draft = {.arena = &arena};
    struct rf_program packed;
    struct rf_regex_range range = {'a', 'a', 0};
    (void)state;
    const uint32_t match = rf_program_match(&draft);
    rf_program_assert(&draft, RF_ASSERT_TEXT_END, match); /* nobody leads there */
    draft.first = rf_program_ranges(&draft, &range, 1);
    assert_true(rf_program_pack(&draft, &arena, &packed));
    assert_int_equal(packed.nodes, 2);
    assert_int_equal(packed.first, 0);
    assert_int_equal(packed.node[0].op, RF_REGEX_RANGES);
    assert_int_equal(packed.range[packed.node[0].first].next, 1);
    assert_int_equal(packed.node[1].op, RF_REGEX_MATCH);
}

static uint32_t ranked_nodes(const char *pattern)
{
    const struct rf_program program = program_of(pattern);
    uint32_t count = 0;
    for (uint32_t i = 0; i < program.nodes; i++) {
        count += program.role[i].group != 0;
    }
    return count;
}

static void test_rf_program_rank_copies(void **state)
{
    (void)state;
    assert_int_equal(ranked_nodes("a{5}b"), 0); /* from none of the five more is matched than from another */
    assert_int_equal(ranked_nodes("a{0,5}b"), 5);
    assert_int_equal(ranked_nodes("a{5}"), 5); /* anything may follow */
    assert_int_equal(ranked_nodes("a{5,}b"), 5);
    assert_int_equal(ranked_nodes("a{2,5}b"), 3);
    assert_int_equal(ranked_nodes("(ab){0,4}c"), 8);
    assert_int_equal(ranked_nodes("(a|b*c){0,4}d"), 20);
    /* Ranks of two repetitions are never compared. */
    const struct rf_program program = program_of("(?:a{3}b{4}){2}");
    for (uint32_t i = 0; i < program.nodes; i++) {
        for (uint32_t j = 0; j < program.nodes; j++) {
            assert_true(program.role[i].group == 0 || program.role[i].group != program.role[j].group ||
                        program.role[i].chain == program.role[j].chain);
        }
    }
}

static void test_rf_program_first_bytes(void **state)
{
    uint64_t first[4];
    (void)state;
    struct rf_program program = program_of("(?:^ab|\\bc)[x-z]");
    assert_true(rf_program_first_bytes(&program, first));
    assert_int_equal(first[1], UINT64_C(1) << ('a' - 64) | UINT64_C(1) << ('c' - 64));
    assert_int_equal(first[0] | first[2] | first[3], 0);
    program = program_of("\\b");
    assert_false(rf_program_first_bytes(&program, first));
    program = program_of("a*$");
    assert_false(rf_program_first_bytes(&program, first));
    program = program_of("\xC3\xA9");
    assert_true(rf_program_first_bytes(&program, first));
    assert_int_equal(first[3], UINT64_C(1) << (0xC3 - 192));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_ARENA(test_rf_program_ranges),      WITH_ARENA(test_rf_program_split),
        WITH_ARENA(test_rf_program_loop),        WITH_ARENA(test_rf_program_assert),
        WITH_ARENA(test_rf_program_class),       WITH_ARENA(test_classes_are_small),
        WITH_ARENA(test_rf_program_emit),        WITH_ARENA(test_rf_program_pack),
        WITH_ARENA(test_rf_program_rank_copies), WITH_ARENA(test_rf_program_first_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
