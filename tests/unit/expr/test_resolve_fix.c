/* test_resolve_fix.c: names in expressions over FIX: what they stand for, and what is said of those that stand for nothing. */
#include "fix_fixture.h"

static const char *refused(const char *predicate)
{
    return fixture_refused(predicate, fix_options());
}

/* The accesses of a program, one after the other: form, tag, type and name. */
static const char *accesses_of(const char *predicate)
{
    static char text[1024];
    static const char *const form[] = {
#define RF_FIX_FORM(name, form_text, meaning) #name,
#include "fix_form.def"
#undef RF_FIX_FORM
    };
    struct rf_compiled compiled;
    fixture_compile_all(&compiled, &predicate, 1, fix_options());
    size_t count = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < compiled.program.fixes; i++) {
        const struct rf_fix_access *access = &compiled.program.fix[i];
        count += (size_t)snprintf(text + count, sizeof text - count, "%s%s %u %s", count == 0 ? "" : "; ",
                                  form[access->form] + sizeof "RF_FIX_FORM_" - 1, access->tag, access->name.data);
        assert_true(count < sizeof text);
    }
    rf_compiled_close(&compiled);
    return text;
}

static void test_ways_to_a_field(void **state)
{
    (void)state;
    static const char *const ways[] = {"Price > 1", "fix.Price > 1", "fix[44] > 1", "fix[\"Price\"] > 1",
                                       "fix.Price > 1 && Price < 9 && fix[44] != 5"};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        assert_string_equal(accesses_of(ways[i]), "VALUE 44 fix.Price");
    }
    assert_string_equal(accesses_of("fix[9702] == \"x\""), "VALUE 9702 fix[9702]");
    assert_string_equal(accesses_of("has(fix.Price)"), "VALUE 44 fix.Price; HAS 44 has(fix.Price)");
    assert_string_equal(accesses_of("fix.raw(44) == \"1\" || fix.raw(\"Price\") == \"2\""), "RAW 44 fix.raw(44)");
    assert_string_equal(accesses_of("fix.all(448) == []"), "ALL 448 fix.all(448)");
    assert_string_equal(accesses_of("size(fix.PartyIDs) > 1"), "GROUP 453 fix.PartyIDs");
    assert_string_equal(accesses_of("size(PartyIDs) > 1"), "GROUP 453 fix.PartyIDs");
    assert_string_equal(accesses_of("size(fix) > 1"), "WHOLE 0 fix");
    assert_string_equal(accesses_of("prefix == \"\""), "PREFIX 0 prefix");
    assert_string_equal(accesses_of("fix.meta.bodyLengthOk"), "LENGTH_OK 0 fix.meta.bodyLengthOk");
    assert_string_equal(accesses_of("fix.meta.separator == \"|\""), "SEPARATOR 0 fix.meta.separator");
    assert_string_equal(accesses_of("raw == \"\" && record.number > 1"), "");
    /* A variable of a macro goes before a field of its name. */
    assert_string_equal(accesses_of("[1.5].exists(Price, Price > 1.0)"), "");
    assert_string_equal(accesses_of("[{\"fix\": 1}].exists(fix, fix.fix == 1)"), "");
}

static void test_types(void **state)
{
    (void)state;
    struct rf_compiled compiled;
    const char *predicate = "MsgSeqNum > 1 && Price > 1 && PossDupFlag && fix.all(38) == [1.0] && fix.raw(38) == \"\"";
    fixture_compile_all(&compiled, &predicate, 1, fix_options());
    static const enum rf_fix_type types[] = {RF_FIX_TYPE_SEQ_NUM, RF_FIX_TYPE_PRICE, RF_FIX_TYPE_BOOLEAN,
                                             RF_FIX_TYPE_QTY, RF_FIX_TYPE_STRING};
    assert_int_equal(compiled.program.fixes, 5);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(compiled.program.fix[i].type, types[i]);
    }
    rf_compiled_close(&compiled);
}

static void test_constants(void **state)
{
    (void)state;
    assert_fix("Side.BUY", "", "\"1\"");
    assert_fix("Side.Buy", "", "\"1\"");
    assert_fix("MsgType.NewOrderSingle", "", "\"D\"");
    assert_fix("MsgType.ExecutionReport == \"8\"", "", "true");
    assert_fix("OrdStatus.PartiallyFilled", "", "\"1\"");
    assert_fix("PartyRole.ExecutingFirm", "", "1"); /* an int, as the field is */
    assert_fix("PossDupFlag == PossDupFlag.YES", "43=Y|", "true");
    assert_fix("Side in [Side.BUY, Side.SELL]", "54=2|", "true");
    assert_string_equal(refused("Side == Side.BUYS"), "1:14 Side has no constant 'BUYS' (did you mean 'Buy'?)");
    assert_string_equal(refused("Side == Side.Nothing"), "1:14 Side has no constant 'Nothing'");
}

static void test_unknown_names(void **state)
{
    (void)state;
    assert_string_equal(refused("Prce > 1"), "1:1 the FIX dictionary has no field 'Prce' (did you mean 'Price'?)");
    assert_string_equal(refused("PRCE > 1"), "1:1 the FIX dictionary has no field 'PRCE' (did you mean 'Price'?)");
    assert_string_equal(refused("OrdStatus == OrdStatus.PARTIALY_FILLED"),
                        "1:24 OrdStatus has no constant 'PARTIALY_FILLED' (did you mean 'PartiallyFilled'?)");
    assert_string_equal(refused("fix.Symbl == \"\""),
                        "1:5 the FIX dictionary has no field 'Symbl' (did you mean 'Symbol'?)");
    assert_string_equal(refused("fix[\"Symbl\"] == \"\""),
                        "1:5 the FIX dictionary has no field 'Symbl' (did you mean 'Symbol'?)");
    assert_string_equal(refused("fix.PartyID2s == []"),
                        "1:5 the FIX dictionary has no field 'PartyID2s' (did you mean 'PartyIDs'?)");
    assert_string_equal(refused("Xyzzyx == 1"), "1:1 the FIX dictionary has no field 'Xyzzyx'");
    assert_string_equal(refused("msg.a == 1"), "1:1 FIX input has no msg: write fix.Symbol, or just Symbol");
    assert_string_equal(refused("fix.meta.sumOk"),
                        "1:10 fix.meta has no 'sumOk'; it has bodyLengthOk, checksumOk, "
                        "bareEnd, duplicate, emptyValue, foreignTags, groupCountsOk, separator");
    assert_string_equal(refused("fix.raw(MsgSeqNum) == \"\""),
                        "1:1 fix.raw() takes a tag or the name of a field, as a constant: fix.raw(453)");
    assert_string_equal(refused("fix.all(0) == []"),
                        "1:1 fix.all() takes a tag or the name of a field, as a constant: fix.all(453)");
    assert_string_equal(refused("fix.all(1000000000) == []"),
                        "1:1 fix.all() takes a tag or the name of a field, as a constant: fix.all(453)");
    assert_string_equal(refused("fix.raw() == \"\""),
                        "1:1 fix.raw() takes a tag or the name of a field, as a constant: fix.raw(453)");
    assert_string_equal(refused("has(fix.meta.duplicate)"), "1:5 has() takes a field, such as has(fix.Symbol)");
}

#define IN_ENTRY(body) "PartyIDs.exists(e, " body ")"

/* Members of entries go by the dictionary, wherever it is known that a value is an entry. */
static void test_members(void **state)
{
    (void)state;
    static const struct {
        const char *predicate, *refused;
    } row[] = {
        {IN_ENTRY("e.PartyIDD == 'X'"), "1:22 an entry of PartyIDs has no member 'PartyIDD' (did you mean 'PartyID'?)"},
        {IN_ENTRY("e.Symbol == 'X'"), "1:22 an entry of PartyIDs has no member 'Symbol'"},
        {IN_ENTRY("e[55] == 'X'"), "1:22 an entry of PartyIDs has no member 55 (Symbol)"},
        {IN_ENTRY("e['PartyIDD'] == 'X'"),
         "1:22 an entry of PartyIDs has no member 'PartyIDD' (did you mean 'PartyID'?)"},
        {IN_ENTRY("has(e.PartyRoll)"), "1:26 an entry of PartyIDs has no member 'PartyRoll' (did you mean 'PartyRole'?)"},
        {IN_ENTRY("55 in e"), "1:20 an entry of PartyIDs has no member 55 (Symbol)"},
        {IN_ENTRY("e.?PartyIDD.hasValue()"),
         "1:23 an entry of PartyIDs has no member 'PartyIDD' (did you mean 'PartyID'?)"},
        {IN_ENTRY("e.PartySubIDs.exists(s, s.PartySubIDD == '')"),
         "1:46 an entry of PartySubIDs has no member 'PartySubIDD' (did you mean 'PartySubID'?)"},
        {IN_ENTRY("e.NoPartySubIDs.exists(s, s.PartyID == '')"),
         "1:48 an entry of PartySubIDs has no member 'PartyID'"},
        {IN_ENTRY("e.group(802)[0].PartyID == ''"),
         "1:36 an entry of PartySubIDs has no member 'PartyID'"},
        {IN_ENTRY("e.group(55)[0].PartyID == ''"), "1:28 an entry of PartyIDs has no member that counts a group by tag 55"},
        {IN_ENTRY("e.group(e)[0].PartyID == ''"),
         "1:20 group() takes a tag or the name of a field, as a constant: e.group(802)"},
        {"fix.NoPartyIDs.exists(e, e.PartyIDD == '')",
         "1:28 an entry of PartyIDs has no member 'PartyIDD' (did you mean 'PartyID'?)"},
        {"fix.group(453)[0].PartyIDD == ''", "1:19 an entry of PartyIDs has no member 'PartyIDD' (did you mean 'PartyID'?)"},
        {"fix.?PartyIDs.orValue([]).filter(e, true)[0].PartyIDD == ''",
         "1:46 an entry of PartyIDs has no member 'PartyIDD' (did you mean 'PartyID'?)"},
        {"cel.bind(p, PartyIDs[0], p.PartyIDD == '')",
         "1:28 an entry of PartyIDs has no member 'PartyIDD' (did you mean 'PartyID'?)"},
        {"[PartyIDs].exists(l, (PartyIDs + l).map(e, [e]).exists(e, e[0].PartyIDD == ''))",
         "1:64 an entry of PartyIDs has no member 'PartyIDD' (did you mean 'PartyID'?)"},
        /* Constants of another kind. */
        {IN_ENTRY("e.PartyRole == '3'"),
         "1:35 PartyRole is an int, and no comparison with string holds: a number stands without quotes"},
        {IN_ENTRY("'3' != e[452]"),
         "1:20 PartyRole is an int, and no comparison with string holds: a number stands without quotes"},
        {IN_ENTRY("e.PartyRole in [3, '4']"),
         "1:39 PartyRole is an int, and no comparison with string holds: a number stands without quotes"},
        {IN_ENTRY("e.PartyID == 3"), "1:33 PartyID is a string, and no comparison with int holds: a text stands in quotes"},
        {IN_ENTRY("e.PartyRole == Side.BUY"),
         "1:35 PartyRole is an int, and no comparison with string holds: a number stands without quotes"},
        {IN_ENTRY("e.PartyIDSource == 'PROPRIETARY'"),
         "1:39 that is the name of a constant: write PartyIDSource.PROPRIETARY, or \"D\""},
        {IN_ENTRY("e.PartyRole == PartyRole.NOBODY"), "1:45 PartyRole has no constant 'NOBODY'"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        assert_string_equal(refused(row[i].predicate), row[i].refused);
    }
}

/* What is no entry, or may be something else, is asked for whatever it has. */
static void test_no_members(void **state)
{
    (void)state;
    static const char *const accepted[] = {
        "[{'PartyIDD': 1}].exists(e, e.PartyIDD == 1 && e['PartyIDD'] == 1 && 55 in {55: 1})",
        "(PartyIDs + [{'PartyIDD': 1}]).exists(e, e.PartyIDD == 1)",
        "(has(Symbol) ? PartyIDs[0] : {'PartyIDD': 1}).PartyIDD == 1",
        "PartyIDs.map(e, e.PartyID).exists(e, e == 'A' && e.size() == 1)",
        "PartyIDs.exists(i, e, i == 0 && e.PartyID == 'A')",
        "PartyIDs.exists(e, [{'x': 'y'}].exists(e, e.x == 'y'))",
        "fix.group(9702).exists(e, e.Anything == 1 && e[1] == 'x')",
        "PartyIDs.exists(e, e[9702] == 1)",
        "PartyIDs.exists(e, e.PartyRole == null || e.PartyID < 'B' || e.PartyRole > 2.5)",
        "PartyIDs[0].exists(k, k == 'PartyIDD')",
        "NoPartyIDs == 2 && NoPartyIDs in [1, 2]",
    };
    struct rf_compiled compiled;
    for (size_t i = 0; i < sizeof accepted / sizeof accepted[0]; i++) {
        const char *predicate = accepted[i];
        fixture_compile_all(&compiled, &predicate, 1, fix_options());
        rf_compiled_close(&compiled);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ways_to_a_field),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_unknown_names),
        cmocka_unit_test(test_members),
        cmocka_unit_test(test_no_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
