#include "expr_fixture.h"

#include "prefilter_plan.h"

/* Groups as text: literals joined by |, groups by &. */
static void groups_are(const char *predicate, const char *wanted)
{
    struct rf_compiled compiled;
    char text[2048];
    size_t at = 0;
    fixture_compile(&compiled, predicate);
    text[0] = '\0';
    for (uint32_t g = 0; g < compiled.program.groups; g++) {
        const struct rf_prefilter_group *group = &compiled.program.group[g];
        for (uint32_t i = 0; i < group->literals; i++) {
            const char *before = i != 0 ? "|" : g != 0 ? "&" : "";
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%.*s", before, RF_STR_ARG(group->literal[i]));
            assert_true(at < sizeof text);
        }
    }
    if (strcmp(text, wanted) != 0) {
        fail_msg("%s\n  gives  %s\n  wanted %s", predicate, text, wanted);
    }
    rf_compiled_close(&compiled);
}

static void test_rf_prefilter_plan(void **state)
{
    (void)state;
    groups_are("price > 410 && symbol == 'MSFT'", "MSFT");
    groups_are("symbol in ['MSFT', 'AAPL']", "AAPL|MSFT");
    groups_are("s.startsWith('ab') && t.endsWith('cdef') && u.contains('xyz')", "cdef&xyz&ab");
    groups_are("raw.contains('needle')", "needle");
    groups_are("s == 'ab' || s == 'cd'", "ab|cd");
    groups_are("s == 'ab' || s == 'ab' && t == 'zz'", "ab");
    groups_are("s == 'ab' || price > 1", "");
    groups_are("(s == 'ab' && t == 'longer') || u == 'xy'", "longer|xy");
    groups_are("s == 'aa' && t == 'aa'", "aa");
    groups_are("true", "");
    groups_are("(s == 'ab') == true", "ab");
    groups_are("s.matches('^abc[0-9]+def$')", "abc");
    groups_are("s.matches('(abcd|abce)x') && t == 'zz'", "abc&zz");
}

/* What may be true without the text. */
static void test_unsound_forms(void **state)
{
    (void)state;
    groups_are("s != 'abc'", "");
    groups_are("s.matches('(?i)abc')", "");
    groups_are("s.matches('abc|d')", "");
    groups_are("!s.matches('abc')", "");
    groups_are("s.lowerAscii() == 'abc'", "");
    groups_are("s.lowerAscii().matches('abc')", "");
    groups_are("(a ? s : t) == 'abc'", "");
    groups_are("xs.exists(x, x == 'abc')", "");
    groups_are("record.file.matches('abc')", "");
    groups_are("!(s == 'abc')", "");
    groups_are("s < 'abc'", "");
    groups_are("x in ['abc', 1]", "");
    groups_are("x in ['abc', null]", "");
    groups_are("x in ['abc', true]", "");
    groups_are("x in []", "");
    groups_are("a ? s == 'abc' : s == 'abc'", "");
    groups_are("record.file == 'abc'", "");
    groups_are("a[b] == 'abc'", "");
    groups_are("s == ''", "");
    groups_are("s == 'a'", "");
    groups_are("x in ['abc', 'd']", "");
    groups_are("s == 'a\"b'", "");
    groups_are("s == 'a\\\\b'", "");
    groups_are("s == 'a\\nb'", "");
    groups_are("s == 'a\\x7fb'", "");
    groups_are("s == 'h\\u00e9'", "h\xc3\xa9");
    groups_are("!!(s == 'abc')", "abc");
}

static void test_has_slash(void **state)
{
    struct rf_compiled compiled;
    (void)state;
    fixture_compile(&compiled, "s == 'AUD/USD' && t == 'plain'");
    assert_int_equal(compiled.program.groups, 2);
    assert_true(compiled.program.group[0].has_slash);
    assert_false(compiled.program.group[1].has_slash);
    rf_compiled_close(&compiled);
}

static void test_bounds(void **state)
{
    (void)state;
    for (uint32_t count = RF_LITERALS_MAX - 1; count <= RF_LITERALS_MAX + 1; count++) {
        struct rf_compiled compiled;
        char text[512] = "x in [";
        for (uint32_t i = 0; i < count; i++) {
            char item[24];
            snprintf(item, sizeof item, "'lit%02u',", i);
            strcat(text, item);
        }
        strcat(text, "]");
        fixture_compile(&compiled, text);
        assert_int_equal(compiled.program.groups, count <= RF_LITERALS_MAX ? 1 : 0);
        rf_compiled_close(&compiled);
    }
    for (uint32_t count = RF_LITERAL_BYTES_MAX - 1; count <= RF_LITERAL_BYTES_MAX + 1; count++) {
        struct rf_compiled compiled;
        char text[256];
        snprintf(text, sizeof text, "s == '%0*d'", (int)count, 7);
        fixture_compile(&compiled, text);
        assert_int_equal(compiled.program.groups, 1);
        assert_int_equal(compiled.program.group[0].literal[0].count,
                         count < RF_LITERAL_BYTES_MAX ? count : RF_LITERAL_BYTES_MAX);
        rf_compiled_close(&compiled);
    }
    for (uint32_t count = RF_GROUPS_MAX - 1; count <= RF_GROUPS_MAX + 1; count++) {
        struct rf_compiled compiled;
        char text[512] = "true";
        for (uint32_t i = 0; i < count; i++) {
            char part[32];
            snprintf(part, sizeof part, " && s.contains('lit%02u')", i);
            strcat(text, part);
        }
        fixture_compile(&compiled, text);
        assert_int_equal(compiled.program.groups, count < RF_GROUPS_MAX ? count : RF_GROUPS_MAX);
        rf_compiled_close(&compiled);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_prefilter_plan),
        cmocka_unit_test(test_unsound_forms),
        cmocka_unit_test(test_has_slash),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
