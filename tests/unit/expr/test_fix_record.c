/* test_fix_record.c: messages as the values of every form of access; malformed ones. */
#include <stdlib.h>

#include "fix_fixture.h"

#include "fix_record.h"

static void test_fields(void **state)
{
    (void)state;
    assert_fix("Symbol", "55=AAA|", "\"AAA\"");
    assert_fix("Symbol", "54=1|", "error: no such field: fix.Symbol");
    assert_fix("fix[55]", "55=|", "\"\"");
    assert_fix("Price", "44=12.50|", "12.50");
    assert_fix("Price", "44=x|", "error: fix.Price is no Price: 'x' at byte 23");
    assert_fix("Price", "58=|44=|", "error: fix.Price is no Price: '' at byte 27");
    assert_fix("fix[9702]", "9702=007|", "\"007\"");
    assert_fix("fix[9702]", "9702=\xff|", "error: fix[9702] is no UTF-8 at byte 25");
    assert_fix("fix.raw(44)", "44=0012.50|", "\"0012.50\"");
    assert_fix("has(fix.Price)", "44=x|", "true"); /* it is there, whatever it is */
    assert_fix("has(fix.Price)", "55=x|", "false");
    assert_fix("44 in fix", "44=|", "true");
    assert_fix("Symbol", "55=first|55=second|", "\"first\"");
    assert_fix("fix.all(55)", "55=first|54=1|55=second|", "[\"first\",\"second\"]");
    assert_fix("fix.all(55)", "54=1|", "[]");
    assert_fix("fix.all(44)", "44=1|44=x|", "error: fix.all(44) is no Price: 'x' at byte 28");
    assert_fix("fix.?Price.orValue(7.5)", "55=x|", "7.5");
    assert_fix("fix.?Price.orValue(7.5)", "44=1|", "1");
    assert_fix("fix.?Price.orValue(7.5)", "44=x|", "error: fix.Price is no Price: 'x' at byte 23");
}

static void test_whole(void **state)
{
    (void)state;
    assert_fix("fix", "55=AAA|44=12.50|55=BBB|",
               "{\"8\":\"FIX.4.4\",\"9\":0,\"35\":\"D\",\"55\":\"AAA\",\"44\":12.50,\"10\":\"000\"}");
    assert_fix("size(fix)", "55=AAA|55=BBB|", "5");
    assert_fix("fix[54 + 1]", "55=AAA|", "\"AAA\""); /* folded, or a look-up in the map: the same */
    assert_fix("[9, 35, 7777].map(t, t in fix)", "", "[true,true,false]");
}

static void test_groups(void **state)
{
    (void)state;
    assert_fix("PartyIDs", "453=2|448=X|447=D|452=1|448=Y|58=t|",
               "[{\"PartyID\":\"X\",\"PartyIDSource\":\"D\",\"PartyRole\":1},{\"PartyID\":\"Y\"}]");
    assert_fix("PartyIDs", "453=1|448=X|802=2|523=a|803=1|523=b|448=Y|",
               "[{\"PartyID\":\"X\",\"NoPartySubIDs\":2,\"PartySubIDs\":[{\"PartySubID\":\"a\",\"PartySubIDType\":1},"
               "{\"PartySubID\":\"b\"}]},{\"PartyID\":\"Y\"}]");
    assert_fix("PartyIDs", "453=2|448=X|58=foreign|448=Y|", "[{\"PartyID\":\"X\"}]");
    assert_fix("PartyIDs", "453=2|447=D|448=X|", "[]"); /* what comes first begins each entry */
    assert_fix("PartyIDs", "453=0|", "[]");
    assert_fix("PartyIDs", "453=|", "[]");
    assert_fix("PartyIDs", "448=X|", "[]");
    assert_fix("PartyIDs", "453=1|448=X|447=D|447=E|", "[{\"PartyID\":\"X\",\"PartyIDSource\":\"D\"}]");
    assert_fix("has(fix.PartyIDs)", "453=1|448=X|", "true");
    assert_fix("PartyIDs[1].PartyID", "453=2|448=X|448=Y|", "\"Y\"");
    assert_fix("PartyIDs[0].PartyRole", "453=1|448=X|452=role|", "error: PartyRole is no int: 'role' at byte 36");
    assert_fix("PartyIDs[0].PartyID", "453=1|448=X|452=role|", "\"X\""); /* its neighbour does no harm */
    assert_fix("PartyIDs.exists(p, p.PartyID == \"Y\")", "453=2|448=X|448=Y|", "true");
}

/* Deep nesting ends at a bound: a message of a million counts does not recurse. */
static void test_deep_groups(void **state)
{
    (void)state;
    enum { TURNS = 2000 };
    static char text[TURNS * 16 + 64];
    size_t count = (size_t)snprintf(text, sizeof text, "8=FIX.4.4|9=0|35=D|453=1|");
    for (int i = 0; i < TURNS; i++) {
        count += (size_t)snprintf(text + count, sizeof text - count, "448=X|802=1|523=y|");
        if (count > sizeof text - 64) {
            break;
        }
    }
    count += (size_t)snprintf(text + count, sizeof text - count, "10=000|");
    const char *size = fix_value_of("size(PartyIDs)", (struct rf_str){text, count});
    assert_true(atoi(size) > 500);
}

static void test_meta(void **state)
{
    (void)state;
    assert_fix("[fix.meta.bodyLengthOk, fix.meta.checksumOk]", "", "[false,false]");
    assert_fix("[fix.meta.duplicate, fix.meta.emptyValue]", "55=A|", "[false,false]");
    assert_fix("[fix.meta.duplicate, fix.meta.emptyValue]", "55=|55=A|", "[true,true]");
    assert_fix("fix.meta.separator", "", "\"|\"");
    assert_string_equal(fix_value_of("prefix", RF_STR("10:00 IN " FIX_MESSAGE(""))), "\"10:00 IN \"");
    assert_string_equal(fix_value_of("prefix", RF_STR("\xff" FIX_MESSAGE(""))), "error: prefix is no UTF-8");
    assert_string_equal(fix_value_of("raw.size()", RF_STR("10:00 IN " FIX_MESSAGE("") " tail")), "40");
    assert_string_equal(fix_value_of("[record.number, record.offset]", RF_STR(FIX_MESSAGE(""))), "[3,100]");
    /* 35=0 alone: length 5, and the sum of all of it. */
    const struct rf_str good = RF_STR("8=FIX.4.4\0019=5\00135=0\00110=163\001");
    assert_string_equal(fix_value_of("[fix.meta.bodyLengthOk, fix.meta.checksumOk]", good), "[true,true]");
}

static void test_malformed(void **state)
{
    (void)state;
    assert_string_equal(fix_value_of("Symbol", RF_STR("")), "malformed: no FIX message in the line at 0");
    assert_string_equal(fix_value_of("Symbol", RF_STR("no message")), "malformed: no FIX message in the line at 0");
    assert_string_equal(fix_value_of("Symbol", RF_STR(FIX_MESSAGE("055=x|"))),
                        "malformed: a field does not begin with a tag from 1 to 999999999 at 19");
    assert_string_equal(fix_value_of("Symbol", RF_STR("in: " FIX_MESSAGE("95=9|96=a|"))),
                        "malformed: the length before a data field is wrong at 26");
    assert_string_equal(fix_value_of("Symbol", RF_STR("8=FIX.4.4|9=0|35=D|55=A|")),
                        "malformed: the message ends without its CheckSum at 24");
}

/* rf_fix_record_read: a line end may be the last separator, the end of the text may not; leniency pardons sums. */
static void test_rf_fix_record_read(void **state)
{
    (void)state;
    struct rf_compiled compiled;
    struct rf_error err = {0};
    struct rf_malformed malformed = {.reason = RF_REASON_NONE};
    struct rf_arena arena;
    struct rf_value value[2];
    const struct rf_str line = RF_STR("8=FIX.4.4|9=5|35=0|10=163\r\n");
    rf_arena_init(&arena, 1 << 20);
    fix_compile(&compiled, "fix.meta.bareEnd", "MsgType");
    assert_int_equal(compiled.program.fixes, 2);
    for (size_t line_end_bytes = 0; line_end_bytes <= 2; line_end_bytes++) {
        const struct rf_str text = {line.data, line.count - 2};
        malformed.reason = RF_REASON_NONE;
        fixture_ok(rf_fix_record_read(&compiled.program, text, line_end_bytes, false, &arena, value, &malformed, &err),
                   &err);
        assert_int_equal(malformed.reason, line_end_bytes < 2 ? RF_REASON_FIX_TRAILER : RF_REASON_NONE);
    }
    assert_int_equal(value[0].type, RF_TYPE_BOOL);
    assert_true(value[0].boolean);
    assert_true(rf_str_equal(value[1].text, RF_STR("0")));
    for (int is_lenient = 0; is_lenient < 2; is_lenient++) {
        malformed.reason = RF_REASON_NONE;
        fixture_ok(rf_fix_record_read(&compiled.program, RF_STR("8=FIX.4.4|9=5|35=0|10=164|"), 0, is_lenient != 0,
                                      &arena, value, &malformed, &err),
                   &err);
        assert_int_equal(malformed.reason, is_lenient ? RF_REASON_NONE : RF_REASON_FIX_SUM);
    }
    rf_arena_free(&arena);
    rf_arena_init(&arena, 16);
    assert_int_equal(rf_fix_record_read(&compiled.program, RF_STR("8=FIX.4.4|9=5|35=0|10=163|"), 0, false, &arena,
                                        value, &malformed, &err),
                     RF_E_MEMORY);
    rf_arena_free(&arena);
    rf_compiled_close(&compiled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_deep_groups),
        cmocka_unit_test(test_meta),
        cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_rf_fix_record_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
