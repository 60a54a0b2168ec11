#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "glob.h"
#include "utf8.h"

static const struct rf_str nothing = {NULL, 0};

static uint32_t random_state = 1;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(random_state >> 4) * limit) >> 28);
}

static void test_rf_glob_match(void **state)
{
    static const struct {
        const char *text, *pattern;
        bool is_match;
    } rows[] = {
        {"", "", true},
        {"a", "", false},
        {"", "a", false},
        {"", "*", true},
        {"", "**", true},
        {"", "?", false},
        {"abc", "abc", true},
        {"abc", "ab", false},
        {"ab", "abc", false},
        {"abc", "ABC", false},
        {"abc", "*", true},
        {"abc", "a*", true},
        {"abc", "*c", true},
        {"abc", "a*c", true},
        {"ac", "a*c", true},
        {"abc", "a*d", false},
        {"abc", "*b*", true},
        {"abc", "*x*", false},
        {"abcabc", "a*bc", true},
        {"abcabd", "a*bc", false},
        {"aab", "*ab", true},
        {"mississippi", "m*iss*p?", true},
        {"mississippi", "m*iss*pp", false},
        {"abc", "***a***c***", true},
        {"abc", "?*?*?", true},
        {"abc", "?*?*?*?", false},
        {"abc", "???", true},
        {"abc", "??", false},
        {"a.b/c", "a*c", true}, /* dots and slashes are nothing special */
        {".a", "*a", true},
        /* code points */
        {"©", "?", true},
        {"©", "??", false},
        {"a€b", "a?b", true},
        {"😀", "?", true},
        {"x©y", "*©*", true},
        {"x©y", "*?y", true},
        {"α©", "*?©", true},
        {"©", "*??", false},
        {"é", "[é]", true},
        {"ä", "[à-ö]", true},
        {"ß", "[à-ö]", false},
        {"€", "[!a-z]", true},
        {"€x", "[!a-z]x", true},
        {"€x", "*[!a-z]", false},
        /* classes */
        {"b", "[a-c]", true},
        {"d", "[a-c]", false},
        {"d", "[!a-c]", true},
        {"b", "[!a-c]", false},
        {"", "[!a]", false},
        {"a", "[c-a]", false},
        {"a", "[!c-a]", true},
        {"c", "[abc]", true},
        {"-", "[a-]", true},
        {"b", "[a-]", false},
        {"-", "[-a]", true},
        {"-", "[!-a]", false},
        {"-", "[+--]", true},
        {",", "[+--]", true},
        {"!", "[a!]", true},
        {"!", "[!!]", false},
        {"^", "[^a]", true}, /* only ! makes the opposite */
        {"a", "[^a]", true},
        {"b", "[^a]", false},
        {"]", "[]]", true},
        {"a", "[]a]", true},
        {"]", "[!]]", false},
        {"a", "[!]]", true},
        {"_", "[]-a]", true},
        {"[", "[[]", true},
        {"a*", "a[*]", true},
        {"ab", "a[*]", false},
        {"x7", "x[0-9]", true},
        {"x77", "x[0-9]", false},
        {"x77", "x[0-9]*", true},
        {"a1b2", "*[0-9]", true},
        {"a1bc", "*[0-9]", false},
        /* a [ without its ] */
        {"[", "[", true},
        {"a", "[", false},
        {"[a", "[a", true},
        {"a", "[a", false},
        {"[]", "[]", true},
        {"[!]", "[!]", true},
        {"x", "[!]", false},
        {"[!", "[!", true},
        {"[a", "*[a", true},
        {"a[", "a[", true},
        {"[a]", "[a\\]", true},
        {"a", "[a\\]", false},
        {"]", "]", true},
        {"[[a", "[[a", true},
        {"]a[b", "]a[b", true},
        /* escapes */
        {"*", "\\*", true},
        {"a", "\\*", false},
        {"?", "\\?", true},
        {"x", "\\?", false},
        {"[a]", "\\[a]", true},
        {"a", "\\[a]", false},
        {"a", "\\a", true},
        {"\\", "\\\\", true},
        {"\\", "\\", true},
        {"a\\", "a\\", true},
        {"a\\", "*\\", true},
        {"a*", "*\\*", true},
        {"ab", "*\\*", false},
        {"]", "[\\]]", true},
        {"\\", "[\\]]", false},
        {"\\", "[\\\\]", true},
        {"b", "[\\a-\\c]", true},
        {"-", "[a\\-c]", true},
        {"b", "[a\\-c]", false},
        {"!", "[\\!a]", true},
        {"b", "[\\!a]", false},
        {"©", "\\©", true},
        {"©", "[\\©]", true},
    };
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        if (rf_glob_match(rf_str_of(rows[r].text), rf_str_of(rows[r].pattern)) != rows[r].is_match) {
            fail_msg("text \"%s\", pattern \"%s\": expected %d", rows[r].text, rows[r].pattern, rows[r].is_match);
        }
    }
    assert_true(rf_glob_match(nothing, nothing));
    assert_true(rf_glob_match(nothing, RF_STR("*")));
    assert_false(rf_glob_match(RF_STR("a"), nothing));
    assert_true(rf_glob_match(RF_STR("a\0b"), RF_STR("a?b")));
    assert_true(rf_glob_match(RF_STR("a\0b"), RF_STR("a\0b")));
    assert_false(rf_glob_match(RF_STR("a\0b"), RF_STR("a\0c")));
}

/* --- the slow way: pattern and text as lists, and every split of the text tried at each star --- */

enum { CHARS_MAX = 12 };

struct element {
    enum { ONE, ANY, RUN, CLASS } kind;
    uint32_t c;         /* ONE */
    uint32_t low, high; /* CLASS */
    bool is_opposite;   /* CLASS */
};

static bool slow_match(const uint32_t *text, size_t text_count, const struct element *pattern, size_t pattern_count)
{
    if (pattern_count == 0) {
        return text_count == 0;
    }
    if (pattern->kind == RUN) {
        for (size_t i = 0; i <= text_count; i++) {
            if (slow_match(text + i, text_count - i, pattern + 1, pattern_count - 1)) {
                return true;
            }
        }
        return false;
    }
    if (text_count == 0) {
        return false;
    }
    const bool is_in_class = pattern->low <= *text && *text <= pattern->high;
    if ((pattern->kind == ONE && pattern->c != *text) ||
        (pattern->kind == CLASS && is_in_class == pattern->is_opposite)) {
        return false;
    }
    return slow_match(text + 1, text_count - 1, pattern + 1, pattern_count - 1);
}

static const uint32_t chars[] = {'a', 'b', '*', '[', ']', 0xA9, 0x20AC, '\\', '-', '!'};

/* A literal is escaped when it must be, and sometimes when it need not. */
static size_t literal_write(uint32_t c, char *out)
{
    size_t count = 0;
    if (c == '*' || c == '?' || c == '[' || c == ']' || c == '\\' || c == '-' || c == '!' || random_below(8) == 0) {
        out[count++] = '\\';
    }
    return count + rf_utf8_write(c, out + count);
}

static size_t element_write(const struct element *element, char *out)
{
    size_t count = 0;
    switch (element->kind) {
    case ONE:
        return literal_write(element->c, out);
    case ANY:
        out[0] = '?';
        return 1;
    case RUN:
        out[0] = '*';
        return 1;
    case CLASS:
        break;
    }
    out[count++] = '[';
    if (element->is_opposite) {
        out[count++] = '!';
    }
    count += literal_write(element->low, out + count);
    if (element->high != element->low || random_below(4) == 0) {
        out[count++] = '-';
        count += literal_write(element->high, out + count);
    }
    out[count++] = ']';
    return count;
}

static void test_random_patterns(void **state)
{
    size_t matches = 0;
    (void)state;
    for (int round = 0; round < 200000; round++) {
        uint32_t text[CHARS_MAX];
        struct element pattern[CHARS_MAX];
        char text_bytes[CHARS_MAX * 4], pattern_bytes[CHARS_MAX * 16];
        size_t text_at = 0;
        size_t pattern_at = 0;
        const uint32_t kinds = 2 + random_below(sizeof chars / sizeof chars[0] - 1);
        const size_t text_count = random_below(CHARS_MAX);
        const size_t pattern_count = random_below(CHARS_MAX - 4);
        for (size_t i = 0; i < text_count; i++) {
            text[i] = chars[random_below(kinds)];
            text_at += rf_utf8_write(text[i], text_bytes + text_at);
        }
        for (size_t i = 0; i < pattern_count; i++) {
            const uint32_t kind = random_below(8);
            pattern[i] = (struct element){.kind = kind < 4   ? ONE
                                                  : kind < 5 ? ANY
                                                  : kind < 7 ? RUN
                                                             : CLASS,
                                          .c = chars[random_below(kinds)],
                                          .low = chars[random_below(kinds)],
                                          .high = chars[random_below(kinds)],
                                          .is_opposite = random_below(2) == 0};
            pattern_at += element_write(&pattern[i], pattern_bytes + pattern_at);
        }
        const bool expected = slow_match(text, text_count, pattern, pattern_count);
        if (rf_glob_match((struct rf_str){text_bytes, text_at}, (struct rf_str){pattern_bytes, pattern_at}) !=
            expected) {
            fail_msg("text \"%.*s\", pattern \"%.*s\": expected %d", (int)text_at, text_bytes, (int)pattern_at,
                     pattern_bytes, expected);
        }
        matches += expected;
    }
    assert_in_range(matches, 10000, 190000);
}

/* Trying every split would never end, and nor would looking for the ] of each [ again. */
static void test_hostile_patterns(void **state)
{
    enum { TEXT_BYTES = 20000, PATTERN_BYTES = 2000 };
    static char text[TEXT_BYTES], pattern[PATTERN_BYTES + 2];
    (void)state;
    memset(text, 'a', sizeof text);
    const struct rf_str text_str = {text, sizeof text};
    for (size_t i = 0; i < PATTERN_BYTES; i += 2) {
        memcpy(pattern + i, "*a", 2);
    }
    assert_true(rf_glob_match(text_str, (struct rf_str){pattern, PATTERN_BYTES}));
    pattern[PATTERN_BYTES] = 'b';
    assert_false(rf_glob_match(text_str, (struct rf_str){pattern, PATTERN_BYTES + 1}));
    memset(pattern, '?', PATTERN_BYTES);
    pattern[0] = '*';
    pattern[PATTERN_BYTES] = 'b';
    assert_false(rf_glob_match(text_str, (struct rf_str){pattern, PATTERN_BYTES + 1}));
    memset(text, '[', sizeof text);
    memset(pattern, '[', PATTERN_BYTES);
    pattern[0] = '*';
    assert_true(rf_glob_match(text_str, (struct rf_str){pattern, PATTERN_BYTES}));
    assert_false(rf_glob_match(text_str, (struct rf_str){pattern, PATTERN_BYTES + 1}));
}

/* Bytes that are no UTF-8 must not be read beyond their end; the sanitizers look. */
static void test_any_bytes(void **state)
{
    static const char edges[] = "\x80\xc2\xe2\xf0\xff**[[]]!-\\a?";
    (void)state;
    for (int round = 0; round < 200000; round++) {
        const size_t text_count = random_below(8);
        const size_t pattern_count = random_below(10);
        char *const bytes = malloc(text_count + 1);
        char *const pattern = malloc(pattern_count + 1);
        assert_non_null(bytes);
        assert_non_null(pattern);
        for (size_t i = 0; i < text_count; i++) {
            bytes[i + 1] = edges[random_below(sizeof edges - 1)];
        }
        for (size_t i = 0; i < pattern_count; i++) {
            pattern[i + 1] = edges[random_below(sizeof edges - 1)];
        }
        /* Both end with their blocks. */
        const struct rf_str text_str = {bytes + 1, text_count};
        const struct rf_str pattern_str = {pattern + 1, pattern_count};
        const bool is_match = rf_glob_match(text_str, pattern_str);
        /* What matches still matches with a star more. */
        char longer[16];
        memcpy(longer, pattern + 1, pattern_count);
        longer[pattern_count] = '*';
        const bool is_escape = pattern_count != 0 && pattern[pattern_count] == '\\';
        assert_true(!is_match || is_escape || rf_glob_match(text_str, (struct rf_str){longer, pattern_count + 1}));
        free(pattern);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_glob_match),
        cmocka_unit_test(test_random_patterns),
        cmocka_unit_test(test_hostile_patterns),
        cmocka_unit_test(test_any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
