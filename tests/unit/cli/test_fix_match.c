/* test_fix_match.c: criteria of --fix-match as expressions, and where wrong ones are wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fix_match.h"

static struct rf_error err;
static struct rf_diagnostic diagnostic;

static void lowers(const char *criteria, const char *expression)
{
    struct rf_text out = {0};
    assert_int_equal(rf_fix_match_lower(rf_str_of(criteria), &out, &diagnostic, &err), RF_OK);
    if (!rf_str_equal(rf_text_str(&out), rf_str_of(expression))) {
        fail_msg("%.*s is not %s", RF_STR_ARG(rf_text_str(&out)), expression);
    }
    rf_text_free(&out);
}

static void fails(const char *criteria, uint32_t begin, uint32_t end)
{
    struct rf_text out = {0};
    assert_int_equal(rf_fix_match_lower(rf_str_of(criteria), &out, &diagnostic, &err), RF_E_EXPR);
    assert_int_equal(diagnostic.begin, begin);
    assert_int_equal(diagnostic.end, end);
    rf_text_free(&out);
}

static void test_rf_fix_match_lower(void **state)
{
    (void)state;
    lowers("35=D", "fix.raw(35) == \"D\"");
    lowers("35=D&&55=AUD/USD", "fix.raw(35) == \"D\" && has(fix[55]) && fix.raw(55) == \"AUD/USD\"");
    lowers(" 35=D &&\t8=FIX.4.4 ", "fix.raw(35) == \"D\" && fix.raw(8) == \"FIX.4.4\"");
    lowers("58=a=b", "has(fix[58]) && fix.raw(58) == \"a=b\"");
    lowers("58=a & b", "has(fix[58]) && fix.raw(58) == \"a & b\"");
    lowers("58=say \"x\" \\ \x01\x7f", "has(fix[58]) && fix.raw(58) == \"say \\\"x\\\" \\\\ \\u0001\\u007f\"");
    lowers("58=", "has(fix[58]) && fix.raw(58) == \"\"");
    lowers("999999999=caf\xc3\xa9", "has(fix[999999999]) && fix.raw(999999999) == \"caf\xc3\xa9\"");
}

static void test_mistakes(void **state)
{
    (void)state;
    fails("", 0, 0);
    fails("Symbol=IBM", 0, 10);
    fails("035=D", 0, 5);
    fails("1234567890=x", 0, 12);
    fails("35=D&&", 6, 6);
    fails("35=D&&55", 8, 8);
    fails("35=D&&55:IBM", 8, 9);
    fails("35=D&&&&55=IBM", 6, 7);
    fails("58=a\xff", 4, 5);
    fails("35=D&55=IBM", 4, 5);
    fails("35=D||35=8", 4, 5);
    fails("35=D, 55=IBM", 4, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_fix_match_lower),
        cmocka_unit_test(test_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
