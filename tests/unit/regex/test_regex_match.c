#include "regex_fixture.h"

#include "regex_machine.h"
#include "regex_simulate.h"
#include "utf8.h"

struct match_case {
    const char *pattern;
    struct rf_str text;
    bool is_match;
};

#define T(pattern, text)                                                                                               \
    {                                                                                                                  \
        pattern, {text, sizeof(text) - 1}, true                                                                        \
    }
#define F(pattern, text)                                                                                               \
    {                                                                                                                  \
        pattern, {text, sizeof(text) - 1}, false                                                                       \
    }

static const struct match_case cases[] = {
    /* anywhere in the text */
    T("ubb", "hubba"),
    F("ubb", "huba"),
    T("", ""),
    T("", "abc"),
    T("a*", "bbb"),
    T("abc", "xxabcxx"),
    F("abc", "ab"),
    /* ends of the text; a newline is no end */
    T("^abc", "abcd"),
    F("^abc", "xabc"),
    T("abc$", "xabc"),
    F("abc$", "abc\n"),
    T("^$", ""),
    F("^$", "a"),
    F("^b", "a\nb"),
    T("\\Aa\\z", "a"),
    F("a\\z", "a\n"),
    T("a|^b$", "b"),
    F("b^a", "ba"),
    F("a$b", "ab"),
    T("x*$", "ay"),
    T("(?:^|,)b(?:,|$)", "a,b"),
    F("(?:^|,)b(?:,|$)", "a,bb"),
    F("$^a", "a"),
    T("$^", ""),
    /* lines */
    T("(?m)^b", "a\nb"),
    T("(?m)a$", "a\nb"),
    T("(?m)^$", "a\n"),
    T("(?m)^$", "a\n\nb"),
    F("(?m)^$", "a\nb"),
    T("(?m)^\\z", "a\n"),
    F("(?m)a$", "ab\n"),
    T("(?m)^a$\\n^b$", "a\nb"),
    F("(?m)^b\\A", "a\nb"),
    T("(?m:^)b(?-m:$)", "a\nb"),
    F("(?m:^)b(?-m:$)", "a\nb\n"),
    /* dots */
    T("a.c", "abc"),
    F("a.c", "a\nc"),
    T("(?s)a.c", "a\nc"),
    T("(?s:a.)c", "a\nc"),
    F("(?s:a.).", "a\n\n"),
    T("^.$", "\xC3\xA9"),
    T("^.$", "\xE2\x82\xAC"),
    T("^.$", "\xF0\x9F\x98\x80"),
    F("^.$", "\xC3\xA9\xC3\xA9"),
    T("^..$", "\xC3\xA9\xF0\x9F\x98\x80"),
    T("^.{3}$", "a\xC3\xA9"
                "b"),
    F("^.{4}$", "a\xC3\xA9"
                "b"),
    F("^.+.{3}$", "\xF0\x9F\x98\x80"),
    T("^[^a]{2}$", "\xC3\xA9"
                   "b"),
    F("^[^a][^a]$", "\xC3\xA9"),
    T("^\\S\\S$", "\xE2\x82\xAC"
                  "x"),
    F("^\\D+\\D$", "\xE2\x82\xAC"),
    T("^.*\xC3\xA9.*$", "ab\xC3\xA9"),
    F("^.*\xC3\xA9.*$", "ab\xC3\xA8"),
    /* classes at the edges of the number of bytes */
    T("^[\\x7f-\\x{80}]$", "\x7F"),
    T("^[\\x7f-\\x{80}]$", "\xC2\x80"),
    F("^[\\x7f-\\x{80}]$", "\xC2\x81"),
    F("^[\\x7f-\\x{80}]$", "~"),
    T("^[\\x{7ff}-\\x{800}]$", "\xDF\xBF"),
    T("^[\\x{7ff}-\\x{800}]$", "\xE0\xA0\x80"),
    F("^[\\x{7ff}-\\x{800}]$", "\xE0\xA0\x81"),
    T("^[\\x{ffff}-\\x{10000}]$", "\xEF\xBF\xBF"),
    T("^[\\x{ffff}-\\x{10000}]$", "\xF0\x90\x80\x80"),
    F("^[\\x{ffff}-\\x{10000}]$", "\xEF\xBF\xBE"),
    T("\\x{10FFFF}", "a\xF4\x8F\xBF\xBF"),
    F("\\x{10FFFF}", "\xF4\x8F\xBF\xBE"),
    T("^[\\x{d7ff}-\\x{e000}]+$", "\xED\x9F\xBF\xEE\x80\x80"),
    F("[\\x{D800}-\\x{DFFF}]", "\xED\x9F\xBF"),
    F("[^\\x00-\\x{10FFFF}]", "abc"),
    T("[\\x{1f600}-\\x{1f64f}]", "x\xF0\x9F\x99\x8F"),
    T("\\0", "a\0b"),
    F("\\0", "ab"),
    T("[\\0-\\x1f]", "\x1F"),
    T("^\\C\\C$", "\xC3\xA9"),
    F("^\\C$", "\xC3\xA9"),
    /* escapes and quotes */
    T("\\x41\\101\\x{41}", "AAA"),
    T("\\Qa.b*\\E+", "a.b**"),
    F("\\Qa.b\\E", "axb"),
    T("\\a\\f\\t\\n\\r\\v", "\a\f\t\n\r\v"),
    T("\\Q\\", "\\"),
    T("a\\Q\\E*b", "aab"),
    T("\\.\\[\\(\\|", ".[(|"),
    T("\\377", "\xC3\xBF"),
    /* Perl's and POSIX's classes */
    T("^\\d+$", "0123456789"),
    F("\\d", "\xD9\xA3"),
    T("\\s", "\t"),
    F("\\s", "\v"),
    T("[[:space:]]", "\v"),
    T("^\\w+$", "aZ_09"),
    F("\\w", "\xC3\xA9"),
    T("\\W", "\xC3\xA9"),
    T("^[\\d\\s]+$", "1 2"),
    T("^[^\\d]$", "x"),
    T("[\\D]", "x"),
    F("[\\D]", "1"),
    T("^[[:alpha:][:digit:]]+$", "a1"),
    T("[[:^alpha:]]", "1"),
    F("[[:^alpha:]]", "a"),
    T("[[:word:]]", "_"),
    T("^[]a]+$", "]a"),
    T("^[^]a]$", "b"),
    T("^[a-]+$", "a-"),
    T("^[a\\-z]+$", "-"),
    F("^[a\\-z]+$", "b"),
    /* Unicode */
    T("^\\pL+$", "\xC3\x9F\xCE\xB1\xE4\xB8\xAD"),
    F("\\pL", "12 .-"),
    T("^\\p{Greek}+$", "\xCE\xB1\xCE\xA9"),
    F("\\p{Greek}", "abc"),
    T("\\P{Greek}", "a"),
    T("\\p{^Greek}", "a"),
    F("\\P{^Greek}", "a"),
    T("^\\p{Lu}\\p{Ll}$", "\xC3\x84\xC3\xA4"),
    T("[\\pN]", "\xC2\xB2"),
    T("^[^\\pL]+$", "12"),
    T("\\p{Han}", "\xE4\xB8\xAD"),
    T("^\\p{Any}$", "\n"),
    /* case */
    T("(?i)abc", "xAbCx"),
    F("(?i)abc", "ab"),
    T("(?i:a)b", "Ab"),
    F("(?i:a)b", "AB"),
    T("(?i)k", "\xE2\x84\xAA"),
    T("(?i)\xE2\x84\xAA", "k"),
    T("(?i)s", "\xC5\xBF"),
    T("(?i)stra\xC3\x9F"
      "e",
      "STRA\xE1\xBA\x9E"
      "E"),
    F("(?i)stra\xC3\x9F"
      "e",
      "STRASSE"),
    T("(?i)\xCE\xB8", "\xCF\x91"),
    T("(?i)[a-c]+$", "ABC"),
    F("(?i)[^a]", "A"),
    T("(?i)\\w", "\xC5\xBF"),
    F("(?i)\\W", "\xC5\xBF"),
    T("(?i)\\p{Lu}", "a"),
    F("(?i)\\P{Lu}", "a"),
    T("(?i)a(?-i)b", "Ab"),
    F("(?i)a(?-i)b", "AB"),
    T("((?i)a)b", "Ab"),
    F("((?i)a)b", "AB"),
    T("(?i)\xD0\x9F\xD0\xA0", "\xD0\xBF\xD1\x80"),
    T("a(?i)b|c", "C"),
    /* repetition */
    T("^a{3}$", "aaa"),
    F("^a{3}$", "aa"),
    F("^a{3}$", "aaaa"),
    T("^a{2,3}$", "aa"),
    F("^a{2,3}$", "aaaa"),
    T("^a{2,}$", "aaaaa"),
    F("^a{2,}$", "a"),
    T("^a{0}$", ""),
    F("^a{0}$", "a"),
    T("^(ab){1,2}c$", "ababc"),
    T("^a{,2}$", "a{,2}"),
    T("^a{$", "a{"),
    T("x{2}{", "xx{"),
    T("^(a+)+$", "aaa"),
    T("^(a|b)*c$", "ababc"),
    T("^(?:a?){3}a{3}$", "aaa"),
    T("^a??b$", "b"),
    T("(?U)^a+$", "aa"),
    T("^(a*)*$", ""),
    T("^(|a)+$", "aa"),
    T("(a*)+b", "b"),
    T("^(?:a{0,2}b){2,3}$", "aabbb"),
    F("^(?:a{0,2}b){2,3}$", "aaab"),
    T("foo.{0,5}bar", "foofoo12345bar"),
    F("foo.{0,5}bar", "foo123456bar"),
    F("foo.{0,5}bar", "foo12\n3bar"),
    T("foo.{5}bar", "foofoo45bar"),
    F("foo.{5}bar", "foo1234bar"),
    /* alternatives */
    T("foo|bar", "xbar"),
    F("foo|bar", "foba"),
    T("a||b", "x"),
    T("^(?:abc|abd|ab)$", "ab"),
    T("^(?:abc|abd|ab)$", "abd"),
    F("^(?:abc|abd|ab)$", "abe"),
    T("^(?:|a)$", "a"),
    T("(a|b|c|d)e", "de"),
    T("^(?:\xC3\xA9|\xC3\xA8|\xC4\xA9)$", "\xC3\xA8"),
    F("^(?:\xC3\xA9|\xC3\xA8)$", "\xC4\xA8"),
    /* edges of words */
    T("\\bfoo\\b", "a foo."),
    F("\\bfoo\\b", "afoo"),
    F("\\bfoo\\b", "foo_"),
    T("\\bfoo\\b", "foo"),
    T("foo\\B", "foox"),
    F("foo\\B", "foo"),
    T("\\b", "a"),
    F("\\b", ""),
    T("\\B", ""),
    F("\\b", " "),
    T("\\B", " "),
    F("\\B", "a"),
    T("^\\B", "\xC3\xA9"),
    T("\\bb", "\xC3\xA9"
              "b"),
    F("\\Bb", "\xC3\xA9"
              "b"),
    T("a\\b.", "a\xC3\xA9"),
    F("^.*\\B.*$", "a\xC3\xA9"
                   "a"),
    T("\\b\\b\\ba", "a"),
    F("a\\b\\B", "a"),
    T("x\\b*y", "xy"),
    T("(?:\\b|x)a", "xa"),
    T("\\ba\\b|b$", "xb"),
    /* named groups */
    T("^(?P<year>\\d{4})-(?<month>\\d\\d)$", "2024-06"),
};

/* Each case in every form there is. */
static void test_rf_regex_match(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct rf_str pattern = rf_str_of(cases[i].pattern);
        const struct rf_regex *const regex = compile_as(pattern, false);
        const struct rf_regex *const simulated = compile_as(pattern, true);
        assert_int_equal(regex->kind, RF_REGEX_DFA);
        assert_int_equal(simulated->kind, RF_REGEX_NFA);
        if (rf_regex_match(regex, cases[i].text) != cases[i].is_match) {
            fail_msg("/%s/ with \"%.*s\", case %zu", cases[i].pattern, RF_STR_ARG(cases[i].text), i);
        }
        if (rf_regex_match(simulated, cases[i].text) != cases[i].is_match) {
            fail_msg("/%s/ with \"%.*s\", case %zu, NFA", cases[i].pattern, RF_STR_ARG(cases[i].text), i);
        }
    }
}

static void test_rf_regex_simulate(void **state)
{
    (void)state;
    const struct rf_regex *const regex = compile_as(RF_STR("a[bc]{2}d$"), true);
    assert_true(rf_regex_simulate(regex, RF_STR("xabcd")));
    assert_false(rf_regex_simulate(regex, RF_STR("abcdx")));
    assert_false(rf_regex_simulate(regex, (struct rf_str){NULL, 0}));
    assert_true(rf_regex_simulate(compile_as(RF_STR("$"), true), (struct rf_str){NULL, 0}));
    /* More nodes than one word of a set, and than one word of its words, has bits. */
    char *const long_text = repeat_text("abcdefghij", 600);
    const struct rf_regex *const wide = compile_as(rf_str_of(long_text), true);
    assert_true(wide->nodes > 64 * 64);
    assert_true(rf_regex_simulate(wide, rf_str_of(long_text)));
    long_text[5999] = 'x';
    assert_false(rf_regex_simulate(wide, rf_str_of(long_text)));
    free(long_text);
}

/* One code point, all of them: what a class has is what it matches. */
static void test_all_code_points(void **state)
{
    (void)state;
    const struct rf_regex *const regex = compile("^[^\\x{80}-\\x{7FE}\\x{10001}a\\x{E000}]$");
    const struct rf_regex *const dot = compile("^.$");
    for (uint32_t code = 0; code <= 0x10FFFF; code++) {
        char text[4];
        if (code >= 0xD800 && code <= 0xDFFF) {
            continue;
        }
        const struct rf_str whole = {text, rf_utf8_write(code, text)};
        const bool is_match = !(code >= 0x80 && code <= 0x7FE) && code != 0x10001 && code != 'a' && code != 0xE000;
        assert_true(rf_regex_match(regex, whole) == is_match);
        assert_true(rf_regex_match(dot, whole) == (code != '\n'));
    }
}

/* A pattern from pieces, all of them valid in any order. */
static size_t random_pattern(struct pick *pick, char *pattern)
{
    static const char *const pieces[] = {"a",
                                         "b",
                                         "c",
                                         ".",
                                         "[ab]",
                                         "[^a]",
                                         "(a|bc)",
                                         "(?:ab)*",
                                         "a+",
                                         "b{2,3}",
                                         "\\b",
                                         "^",
                                         "$",
                                         "|",
                                         "c?",
                                         "\xC3\xA9",
                                         "[\xC3\xA0-\xC3\xBF]",
                                         "(?i:ab)",
                                         "\\w",
                                         "\\s",
                                         "(?:a|b){0,4}",
                                         ".{3}",
                                         "(?m:^)",
                                         "(?m:$)",
                                         "\\B",
                                         "\n",
                                         "(?s:.)*"};
    size_t count = 0;
    for (uint32_t left = 1 + pick_below(pick, 7); left != 0; left--) {
        const char *const piece = pieces[pick_below(pick, sizeof pieces / sizeof pieces[0])];
        memcpy(pattern + count, piece, strlen(piece));
        count += strlen(piece);
    }
    return count;
}

static size_t random_text(struct pick *pick, char *text, uint32_t most)
{
    static const char *const pieces[] = {"a", "b", "c", "A", " ", "\n", "\xC3\xA9", "\xE2\x82\xAC", "_", "aab"};
    size_t count = 0;
    for (uint32_t left = pick_below(pick, most + 1); left != 0; left--) {
        const char *const piece = pieces[pick_below(pick, sizeof pieces / sizeof pieces[0])];
        memcpy(text + count, piece, strlen(piece));
        count += strlen(piece);
    }
    return count;
}

static void test_dfa_equals_nfa(void **state)
{
    struct pick pick = {424242};
    uint32_t matches = 0;
    (void)state;
    for (uint32_t round = 0; round < 3000; round++) {
        char pattern[128];
        const struct rf_arena_mark mark = rf_arena_mark(&arena);
        const struct rf_str whole = {pattern, random_pattern(&pick, pattern)};
        const struct rf_regex *const regex = compile_as(whole, false);
        const struct rf_regex *const simulated = compile_as(whole, true);
        for (uint32_t i = 0; i < 20; i++) {
            char bytes[128];
            const struct rf_str text = {bytes, random_text(&pick, bytes, 12)};
            matches += rf_regex_match(regex, text);
            if (rf_regex_match(regex, text) != rf_regex_match(simulated, text)) {
                fail_msg("/%.*s/ with \"%.*s\"", RF_STR_ARG(whole), RF_STR_ARG(text));
            }
        }
        rf_arena_rewind(&arena, mark);
    }
    /* The texts are of both kinds. */
    assert_true(matches > 3000 && matches < 57000);
}

/* Every count around a block and a group of lanes, texts of very different lengths, both forms. */
static void test_rf_regex_match_many(void **state)
{
    enum { TEXTS = 700, BYTES_MAX = 3000 };
    static const char *const patterns[] = {
        "abc|b{2}",     "^a", "c$",        "\\bab\\b", "a.{3}b",      "",     "[^\\x00-\\x{10FFFF}]",
        "\xC3\xA9.*\n", "^$", "b[ac]{40}", "(?i)aab_", "a[^b]{30}_$", ".{90}"};
    static const uint32_t counts[] = {0,   1,   3,   4,   5,   63,  64,  65,  67,  127,  128,
                                      255, 256, 257, 259, 260, 320, 511, 512, 513, TEXTS};
    struct pick pick = {777};
    char *const bytes = malloc((size_t)TEXTS * BYTES_MAX);
    struct rf_str text[TEXTS];
    (void)state;
    assert_non_null(bytes);
    for (uint32_t i = 0; i < TEXTS; i++) {
        const uint32_t pieces = pick_below(&pick, 30) == 0 ? 900 : pick_below(&pick, 8) == 0 ? 120 : 25;
        text[i] =
            (struct rf_str){bytes + (size_t)i * BYTES_MAX, random_text(&pick, bytes + (size_t)i * BYTES_MAX, pieces)};
    }
    text[17] = (struct rf_str){NULL, 0};
    for (size_t p = 0; p < 2 * sizeof patterns / sizeof patterns[0]; p++) {
        const struct rf_regex *const regex = compile_as(rf_str_of(patterns[p / 2]), p % 2 != 0);
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            uint64_t bits[TEXTS / 64 + 2];
            const uint32_t words = (counts[c] + 63) / 64;
            memset(bits, 0xA5, sizeof bits);
            rf_regex_match_many(regex, text, counts[c], bits);
            for (uint32_t i = 0; i < words * 64; i++) {
                const bool is_match = i < counts[c] && rf_regex_match(regex, text[i]);
                if ((bits[i / 64] >> i % 64 & 1) != is_match) {
                    fail_msg("/%s/, text %u of %u", patterns[p / 2], i, counts[c]);
                }
            }
            assert_int_equal(bits[words], UINT64_C(0xA5A5A5A5A5A5A5A5));
        }
    }
    free(bytes);
}

/* The machine of a small table has rows for states, that of a large one their numbers; both go the same way. */
static void test_rf_machine_of(void **state)
{
    static const char *const patterns[] = {"ab+c$", "^[ab]{1000}[cd]{500}e", ""};
    uint16_t cells[RF_MACHINE_CELLS];
    (void)state;
    for (size_t p = 0; p < sizeof patterns / sizeof patterns[0]; p++) {
        const struct rf_regex *const regex = compile(patterns[p]);
        const struct rf_machine machine = rf_machine_of(regex, cells);
        const bool is_small = regex->states << regex->class_shift <= RF_MACHINE_CELLS;
        const uint32_t scale = is_small ? regex->class_shift : 0;
        assert_int_equal(is_small, p != 1);
        assert_int_equal(machine.shift, regex->class_shift - scale);
        assert_int_equal(machine.start, (size_t)regex->start << scale);
        for (size_t s = 0; s < regex->states; s++) {
            for (uint32_t byte = 0; byte < 256; byte++) {
                const size_t next = machine.next[(s << scale << machine.shift) + machine.class_of[byte]];
                assert_int_equal(next, (size_t)regex->next[(s << regex->class_shift) + regex->class_of[byte]] << scale);
            }
        }
    }
}

static void test_rf_machine_accepts(void **state)
{
    uint16_t cells[RF_MACHINE_CELLS];
    (void)state;
    const struct rf_machine machine = rf_machine_of(compile("^ab?$"), cells);
    assert_false(rf_machine_accepts(&machine, machine.start));
    assert_false(rf_machine_accepts(&machine, machine.dead));
    assert_true(rf_machine_accepts(&machine, machine.match));
    assert_true(rf_machine_accepts(&machine, machine.end_begin));
}

/* A table too large to be copied, and one that is just small enough. */
static void test_large_tables(void **state)
{
    static const char *const patterns[] = {"^[ab]{1000}c", "x(?:ab|ba){100}$", "\\pL{3}\\pN"};
    enum { TEXTS = 128 };
    struct pick pick = {5};
    (void)state;
    for (size_t p = 0; p < sizeof patterns / sizeof patterns[0]; p++) {
        const struct rf_regex *const regex = compile(patterns[p]);
        const struct rf_regex *const simulated = compile_as(rf_str_of(patterns[p]), true);
        struct rf_str text[TEXTS];
        uint64_t bits[TEXTS / 64];
        char bytes[TEXTS][64];
        assert_true(regex->states << regex->class_shift > 1000);
        for (uint32_t i = 0; i < TEXTS; i++) {
            text[i] = (struct rf_str){bytes[i], random_text(&pick, bytes[i], 15)};
        }
        rf_regex_match_many(regex, text, TEXTS, bits);
        for (uint32_t i = 0; i < TEXTS; i++) {
            assert_true((bits[i / 64] >> i % 64 & 1) == rf_regex_match(simulated, text[i]));
        }
    }
}

/* Matches at every place around where long texts are handled otherwise and around blocks that are skipped. */
static void test_long_texts(void **state)
{
    static const char *const patterns[] = {"foo", "(?i)foo", "[efg]oo", "foo$", "oo\\b", "[a-f]oo", "f.{2}", "^x*foo"};
    enum { BYTES = 1200 };
    char bytes[BYTES];
    (void)state;
    for (size_t p = 0; p < sizeof patterns / sizeof patterns[0]; p++) {
        const struct rf_regex *const regex = compile(patterns[p]);
        const struct rf_regex *const simulated = compile_as(rf_str_of(patterns[p]), true);
        for (size_t count = RF_MACHINE_LONG_BYTES - 2; count <= BYTES;
             count += count < RF_MACHINE_LONG_BYTES + 2 ? 1 : 331) {
            const struct rf_str text = {bytes, count};
            memset(bytes, 'x', sizeof bytes);
            assert_false(rf_regex_match(regex, text));
            for (size_t at = 0; at + 3 <= count; at += at < 40 || at + 40 > count || (at > 230 && at < 300) ? 1 : 7) {
                memcpy(bytes + at, "foo", 3);
                /* Beginnings that are none, so that skipping has something to do. */
                bytes[at / 2] = 'f';
                if (rf_regex_match(regex, text) != rf_regex_match(simulated, text)) {
                    fail_msg("/%s/ with foo at %zu of %zu", patterns[p], at, count);
                }
                memset(bytes, 'x', at + 3);
            }
        }
    }
}

/* Any bytes may be looked at; there is only no promise of what they match. */
static void test_broken_texts(void **state)
{
    static const char *const patterns[] = {".",       "^.*$",    "[^a]+b",          "\\pL+",
                                           "\\bx\\B", "\\C\\C$", "a.{0,3}\xC3\xA9", "(?i)k+$"};
    struct pick pick = {31337};
    (void)state;
    for (size_t p = 0; p < 2 * sizeof patterns / sizeof patterns[0]; p++) {
        const struct rf_regex *const regex = compile_as(rf_str_of(patterns[p / 2]), p % 2 != 0);
        for (uint32_t round = 0; round < 200; round++) {
            unsigned char bytes[64 * 16];
            struct rf_str text[64];
            uint64_t bits;
            for (uint32_t i = 0; i < 64; i++) {
                text[i] = (struct rf_str){(const char *)bytes + (size_t)16 * i, pick_below(&pick, 17)};
                for (uint32_t b = 0; b < 16; b++) {
                    bytes[16 * i + b] = (unsigned char)pick_below(&pick, 256);
                }
            }
            rf_regex_match_many(regex, text, 64, &bits);
            for (uint32_t i = 0; i < 64; i++) {
                assert_true((bits >> i & 1) == rf_regex_match(regex, text[i]));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_ARENA(test_rf_regex_match), WITH_ARENA(test_rf_regex_simulate),   WITH_ARENA(test_all_code_points),
        WITH_ARENA(test_dfa_equals_nfa), WITH_ARENA(test_rf_regex_match_many), WITH_ARENA(test_large_tables),
        WITH_ARENA(test_rf_machine_of),  WITH_ARENA(test_rf_machine_accepts),  WITH_ARENA(test_long_texts),
        WITH_ARENA(test_broken_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
