#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "fix_read.h"

static struct rf_arena arena;
static struct rf_error error;

static int arena_open(void **state)
{
    (void)state;
    rf_arena_init(&arena, 256 << 20);
    return 0;
}

static int arena_shut(void **state)
{
    (void)state;
    rf_arena_free(&arena);
    return 0;
}

/* Reads a copy that ends where the text ends. */
static enum rf_status read_bytes(const char *text, size_t count, const struct rf_fix_dict *base,
                                 const struct rf_fix_dict **out)
{
    char *const copy = malloc(count == 0 ? 1 : count);
    assert_non_null(copy);
    memcpy(copy, text, count);
    error = (struct rf_error){.status = RF_OK};
    const enum rf_status status =
        rf_fix_dict_read(&arena, (struct rf_str){copy, count}, RF_STR("d.xml"), base, out, &error);
    free(copy);
    return status;
}

static const struct rf_fix_dict *read_good(const char *text, const struct rf_fix_dict *base)
{
    const struct rf_fix_dict *dict = NULL;
    if (read_bytes(text, strlen(text), base, &dict) != RF_OK) {
        fail_msg("refused: %s", error.text);
    }
    assert_non_null(dict);
    return dict;
}

/* The text of the error begins so. */
static void read_bad(const char *text, const struct rf_fix_dict *base, enum rf_status status, const char *head)
{
    const struct rf_fix_dict *dict;
    const enum rf_status got = read_bytes(text, strlen(text), base, &dict);
    if (got != status || !rf_str_starts(rf_str_of(error.text), rf_str_of(head))) {
        fail_msg("status %s, '%s' instead of '%s'", rf_status_name(got), got == RF_OK ? "" : error.text, head);
    }
}

static void text_is(struct rf_str text, const char *expected)
{
    if (!rf_str_equal(text, rf_str_of(expected))) {
        fail_msg("'%.*s' instead of '%s'", RF_STR_ARG(text), expected);
    }
}

static const char quickfix[] =
    "<?xml version='1.0' encoding='UTF-8'?>\n"
    "<!-- small, but with one of everything -->\n"
    "<fix type='FIX' major='4' minor='4' servicepack='0'>\n"
    " <header>\n"
    "  <field name='BeginString' required='Y'/>\n"
    "  <group name='NoHops' required='N'><field name='HopCompID' required='N'/></group>\n"
    " </header>\n"
    " <messages>\n"
    "  <message name='NewOrderSingle' msgcat='app' msgtype='D'>\n"
    "   <field name='Side' required='Y'/>\n"
    "   <component name='Parties' required='N'/>\n"
    "   <group name='NoLegs' required='N'>\n"
    "    <component name='InstrumentLeg' required='N'/>\n"
    "    <field name='LegQty' required='N'/>\n"
    "    <component name='Parties' required='N'/>\n"
    "   </group>\n"
    "  </message>\n"
    "  <message name='Heartbeat' msgcat='admin' msgtype='0'/>\n"
    " </messages>\n"
    " <trailer><field name='CheckSum' required='Y'/></trailer>\n"
    " <components>\n"
    "  <component name='Empty'/>\n"
    "  <component name='InstrumentLeg'><component name='Empty'/><field name='LegSymbol' required='N'/></component>\n"
    "  <component name='Parties'>\n"
    "   <group name='NoPartyIDs' required='N'><field name='PartyID' required='N'/><field name='PartyRole' "
    "required='N'/>\n"
    "    <group name='NoPartySubIDs' required='N'><field name='PartySubID' required='N'/></group></group>\n"
    "  </component>\n"
    " </components>\n"
    " <fields>\n"
    "  <field number='8' name='BeginString' type='STRING'/>\n"
    "  <field number='10' name='CheckSum' type='STRING'/>\n"
    "  <field number='54' name='Side' type='CHAR'><value enum='2' description='SELL'/><value enum='1' "
    "description='BUY'/>\n"
    "   <values><value enum='5' description='SELL_SHORT'/><value enum='9'/></values></field>\n"
    "  <field number='627' name='NoHops' type='NUMINGROUP'/><field number='628' name='HopCompID' type='STRING'/>\n"
    "  <field number='555' name='NoLegs' type='NUMINGROUP'/><field number='600' name='LegSymbol' type='STRING'/>\n"
    "  <field number='687' name='LegQty' type='QTY'/><field number='453' name='NoPartyIDs' type='NUMINGROUP'/>\n"
    "  <field number='448' name='PartyID' type='STRING'/><field number='452' name='PartyRole' type='INT'/>\n"
    "  <field number='802' name='NoPartySubIDs' type='NUMINGROUP'/><field number='523' name='PartySubID' "
    "type='STRING'/>\n"
    "  <field number='95' name='RawDataLength' type='LENGTH'/><field number='96' name='RawData' type='DATA'/>\n"
    "  <field number='20001' name='BlobLen' type='LENGTH'/><field number='20000' name='Blob' type='DATA'/>\n"
    "  <field number='999999999' name='Far' type='PRICE'/>\n"
    " </fields>\n"
    "</fix>\n";

static void test_quickfix(void **state)
{
    (void)state;
    const struct rf_fix_dict *const dict = read_good(quickfix, NULL);
    const struct rf_fix_message *const order = rf_fix_message_of_name(dict, RF_STR("NewOrderSingle"));
    struct rf_str text;
    assert_ptr_equal(order, rf_fix_message_of_type(dict, RF_STR("D")));
    assert_true(rf_fix_message_has(dict, order, 453));
    assert_true(rf_fix_message_has(dict, order, 54));
    assert_false(rf_fix_message_has(dict, rf_fix_message_of_type(dict, RF_STR("0")), 54));
    const struct rf_fix_field *const side = rf_fix_field_of_tag(dict, 54);
    assert_true(rf_fix_code_value(dict, side, RF_STR("BUY"), &text));
    text_is(text, "1");
    assert_true(rf_fix_code_value(dict, side, RF_STR("SellShort"), &text));
    text_is(text, "5");
    assert_true(rf_fix_code_name(dict, side, RF_STR("9"), &text)); /* has no description */
    text_is(text, "9");
    const struct rf_fix_group *const legs = rf_fix_group_of_message(dict, order, 555);
    text_is(rf_fix_text(dict, legs->list_name), "Legs");
    assert_int_equal(rf_fix_group_delimiter(dict, legs), 600);
    assert_int_equal(legs->member.count, 3);
    const struct rf_fix_group *const parties = &dict->group[rf_fix_group_member(dict, legs, 453)->group];
    assert_ptr_equal(parties, rf_fix_group_of_message(dict, order, 453));
    assert_non_null(rf_fix_group_member(dict, parties, 802));
    text_is(rf_fix_text(dict, rf_fix_group_of_message(dict, NULL, 627)->list_name), "Hops");
    assert_int_equal(rf_fix_field_of_tag(dict, 8)->place, RF_FIX_IN_HEADER);
    assert_int_equal(rf_fix_field_of_tag(dict, 628)->place, RF_FIX_IN_HEADER);
    assert_int_equal(rf_fix_field_of_tag(dict, 10)->place, RF_FIX_IN_TRAILER);
    assert_int_equal(rf_fix_field_of_tag(dict, 96)->pair_tag, 95);
    assert_int_equal(rf_fix_field_of_tag(dict, 20000)->pair_tag, 20001);
    assert_int_equal(rf_fix_field_of_tag(dict, 20001)->pair_tag, 20000);
    assert_int_equal(rf_fix_field_of_tag(dict, 999999999)->type, RF_FIX_TYPE_PRICE);
    assert_null(rf_fix_field_of_tag(dict, 999999998));
}

static const char orchestra[] =
    "<?xml version='1.0'?>\n"
    "<x:repository xmlns:x='http://fixprotocol.io/2020/orchestra/repository' name='T' version='1'>\n"
    "<x:metadata><anything name='x'/></x:metadata>\n"
    "<x:messages><x:message name='Order' msgType='D' id='14'><x:structure>\n"
    " <x:componentRef id='1024'/><x:fieldRef id='54'/><x:groupRef id='1012'/><x:componentRef id='7'/>\n"
    " <x:componentRef id='1025'/></x:structure><x:responses><x:response><x:messageRef "
    "name='q'/></x:response></x:responses>\n"
    "</x:message></x:messages>\n"
    "<x:groups><x:group id='1012' name='Parties'><x:numInGroup id='453'/><x:fieldRef id='448'/></x:group></x:groups>\n"
    "<x:components><x:component name='StandardHeader' id='1024'><x:fieldRef id='8'/></x:component>\n"
    "<x:component name='StandardTrailer' id='1025'><x:fieldRef id='10'/></x:component>\n"
    "<x:component name='Extra' id='7'><x:fieldRef id='44'/></x:component></x:components>\n"
    "<x:fields><x:field id='8' name='BeginString' type='String'><x:annotation><x:fieldRef "
    "id='5'/></x:annotation></x:field>\n"
    "<x:field id='10' name='CheckSum' type='String'/><x:field id='44' name='Price' type='MyPrice'/>\n"
    "<x:field id='54' name='Side' type='SideCodeSet'/><x:field id='453' name='NoPartyIDs' type='NumInGroup'/>\n"
    "<x:field id='448' name='PartyID' type='String'/><x:field id='8000' name='Sig' type='data' lengthId='8001'/>\n"
    "<x:field id='8001' name='SigCount' type='Length'/></x:fields>\n"
    "<x:datatypes><x:datatype name='MyPrice' baseType='Cents'><x:mappedDatatype base='q'/></x:datatype>\n"
    "<x:datatype name='Cents' baseType='float'/></x:datatypes>\n"
    "<x:codeSets><x:codeSet name='SideCodeSet' id='54' type='char'><x:code name='Sell' id='2' value='2'/>\n"
    "<x:code name='Buy' id='1' value='1'/></x:codeSet></x:codeSets>\n"
    "</x:repository>\n";

static void test_orchestra(void **state)
{
    (void)state;
    const struct rf_fix_dict *const dict = read_good(orchestra, NULL);
    const struct rf_fix_message *const order = rf_fix_message_of_type(dict, RF_STR("D"));
    struct rf_str text;
    assert_int_equal(dict->fields, 8);
    assert_int_equal(rf_fix_field_of_tag(dict, 44)->type, RF_FIX_TYPE_FLOAT);
    assert_int_equal(rf_fix_field_of_tag(dict, 54)->type, RF_FIX_TYPE_CHAR);
    assert_true(rf_fix_code_value(dict, rf_fix_field_of_tag(dict, 54), RF_STR("BUY"), &text));
    text_is(text, "1");
    assert_true(rf_fix_message_has(dict, order, 44));
    assert_false(rf_fix_message_has(dict, order, 8));
    assert_int_equal(rf_fix_group_delimiter(dict, rf_fix_group_of_message(dict, order, 453)), 448);
    assert_int_equal(rf_fix_field_of_tag(dict, 8000)->pair_tag, 8001);
    assert_int_equal(rf_fix_field_of_tag(dict, 8)->place, RF_FIX_IN_HEADER);
    assert_int_equal(rf_fix_field_of_tag(dict, 10)->place, RF_FIX_IN_TRAILER);
    assert_int_equal(dict->components, 1);
}

#define FIELDS(inside) "<fix>\n<fields>\n" inside "\n</fields></fix>"

static void test_bad(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *head;
    } rows[] = {
        {"", "d.xml:1:1: no XML: no element found"},
        {"<fix>", "d.xml:1:6: no XML: no element found"},
        {"<fix></fiz>", "d.xml:1:8: no XML: mismatched tag"},
        {"<fix a='1' a='2'/>", "d.xml:1:12: no XML: duplicate attribute"},
        {"<html/>", "d.xml:1:1: the root element is <html>"},
        {FIELDS("<field name='A' type='INT'/>"), "d.xml:3:1: number is missing here, or is 0"},
        {FIELDS("<field number='0' name='A' type='INT'/>"), "d.xml:3:1: number is missing here, or is 0"},
        {FIELDS("<field number='1x' name='A' type='INT'/>"),
         "d.xml:3:1: number must be a number up to 999999999, not '1x'"},
        {FIELDS("<field number='-1' name='A' type='INT'/>"), "d.xml:3:1: number must be a number"},
        {FIELDS("<field number='1000000000' name='A' type='INT'/>"), "d.xml:3:1: number must be a number"},
        {FIELDS("<field number='18446744073709551617' name='A' type='INT'/>"), "d.xml:3:1: number must be a number"},
        {FIELDS("<field number='1' type='INT'/>"), "d.xml:3:1: name is missing here"},
        {FIELDS("<field number='1' name='' type='INT'/>"), "d.xml:3:1: name is missing here"},
        {FIELDS("<field number='1' name='A'/>"), "d.xml:3:1: type is missing here"},
        {FIELDS("<field number='1' name='A' type='PRICEE'/>"), "d.xml:3:1: A has the unknown type PRICEE"},
        {FIELDS("<field number='1' name='A' type='Pryce'/>"),
         "d.xml:3:1: A has the unknown type Pryce; did you mean Price"},
        {FIELDS("<field number='1' name='A' type='INT'/>\n<field number='2' name='A' type='INT'/>"),
         "d.xml:4:1: A is field 2 here, and field 1 in line 3"},
        {FIELDS("<field number='1' name='A' type='INT'><value description='B'/></field>"),
         "d.xml:3:39: enum is missing here"},
        {FIELDS("<field number='1' name='A&#10;' type='INT'/>"), "d.xml:3:1: name has a control character in it"},
        {"<fix><messages>\n<message name='M' msgtype='m'><field name='Q'/></message></messages></fix>",
         "d.xml:2:31: the field Q is not defined in this file"},
        {"<fix><messages>\n<message name='M' msgtype='m'><component name='Q'/></message></messages></fix>",
         "d.xml:2:31: the component Q is not defined in this file"},
        {"<fix><messages>\n<message name='M' msgtype='m'><group name='NoQ'/></message></messages></fix>",
         "d.xml:2:31: the field NoQ is not defined in this file"},
        {"<fix><messages><message name='M'/></messages></fix>", "d.xml:1:16: msgtype is missing here"},
        {"<fix><messages><message name='M' msgtype='m'><group name='NoQ'/></message></messages>"
         "<fields><field number='1' name='NoQ' type='INT'/></fields></fix>",
         "d.xml:1:46: the group NoQ lists no field"},
        {"<fix><components><component name='A'><component name='A'/></component></components></fix>",
         "d.xml: components and groups hold each other more than 32 deep, or hold themselves: A"},
        {"<fix><components><component name='A'><component name='B'/></component><component name='B'>"
         "<group name='NoQ'><component name='A'/></group></component></components>"
         "<fields><field number='1' name='NoQ' type='INT'/></fields></fix>",
         "d.xml: components and groups hold each other more than 32 deep, or hold themselves"},
        {"<fix><components><component name='A'/><component name='B'><group name='NoQ'><component name='A'/></group>"
         "</component></components><fields><field number='1' name='NoQ' type='INT'/></fields></fix>",
         "d.xml: the group of NoQ lists no field"},
        {"<!DOCTYPE fix [<!ENTITY a 'aaaa'>]>\n<fix/>",
         "d.xml:1:27: entities are not read in dictionaries; remove the declaration"},
        {"<!DOCTYPE fix [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>\n<fix>&a;</fix>",
         "d.xml:1:54: entities are not read"},
        {"<!DOCTYPE fix [<!ENTITY % a SYSTEM 'x'> %a;]>\n<fix/>", "d.xml:1:39: entities are not read"},
        {"<!DOCTYPE fix [<!ATTLIST fix a CDATA 'x'>]>\n<fix/>", "d.xml:1:38: attribute lists are not read"},
        {"<fix>&a;</fix>", "d.xml:1:6: no XML: undefined entity"},
        {"<repository><groups><group id='1' name='G'><fieldRef id='2'/></group></groups></repository>",
         "d.xml:1:21: the group G has no numInGroup"},
        {"<repository><groups><group id='1' name='G'><numInGroup id='3'/></group></groups></repository>",
         "d.xml:1:21: the field 3 is not defined in this file"},
        {"<repository><messages><message name='M' msgType='M'><structure><groupRef id='9'/></structure></message>"
         "</messages></repository>",
         "d.xml:1:64: the group 9 is not defined in this file"},
        {"<repository><datatypes><datatype name='A' baseType='B'/><datatype name='B' baseType='A'/></datatypes>"
         "<fields><field id='1' name='F' type='A'/></fields></repository>",
         "d.xml:1:110: F has the unknown type A"},
        {"\xff\xfe<", "d.xml:1:"},
        {"<fix>\xff</fix>", "d.xml:1:6: no XML: not well-formed"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        read_bad(rows[i].text, NULL, RF_E_CONFIG, rows[i].head);
    }
    /* What is not known is passed over, whatever it holds; a document type that declares nothing is no harm. */
    read_good("<fix><extra><field/><message/></extra><messages><note/></messages></fix>", NULL);
    read_good("<!DOCTYPE fix SYSTEM 'fix.dtd'><fix/>", NULL);
    read_good("<repository/>", NULL);
}

static void read_text(char *text, enum rf_status status, const char *head)
{
    if (status == RF_OK) {
        read_good(text, NULL);
    } else {
        read_bad(text, NULL, status, head);
    }
}

/* Elements, groups and components within each other; names: at the bound and beyond it. */
static void test_bounds(void **state)
{
    (void)state;
    static const struct {
        int count;
        enum rf_status status;
        const char *head;
    } groups[] = {{15, RF_OK, ""},
                  {16, RF_OK, ""},
                  {17, RF_E_CONFIG, "d.xml: groups hold each other more than 16 deep: N"},
                  {60, RF_E_CONFIG, "d.xml: components and groups hold each other more than 32 deep"},
                  {61, RF_E_LIMIT, "d.xml:1:1022: elements lie within each other more than 64 deep"},
                  {4000, RF_E_LIMIT, "d.xml:1:"}};
    const size_t capacity = 1 << 20;
    char *const text = malloc(capacity);
    assert_non_null(text);
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        size_t at = (size_t)sprintf(text, "<fix><messages><message name='M' msgtype='m'>");
        for (int k = 0; k < groups[i].count; k++) {
            at += (size_t)sprintf(text + at, "<group name='N'>");
        }
        at += (size_t)sprintf(text + at, "<field name='N'/>");
        for (int k = 0; k < groups[i].count; k++) {
            at += (size_t)sprintf(text + at, "</group>");
        }
        sprintf(text + at, "</message></messages><fields><field number='1' name='N' type='INT'/></fields></fix>");
        read_text(text, groups[i].status, groups[i].head);
    }
    for (int count = 31; count <= 34; count++) {
        size_t at = (size_t)sprintf(text, "<fix><components>");
        for (int k = 0; k < count; k++) {
            at += (size_t)sprintf(text + at, "<component name='C%d'>", k);
            at += (size_t)sprintf(text + at, k + 1 < count ? "<component name='C%d'/></component>" : "</component>",
                                  k + 1);
        }
        sprintf(text + at, "</components></fix>");
        read_text(text, count <= 32 ? RF_OK : RF_E_CONFIG, "d.xml: components and groups hold each other");
    }
    for (int count = 254; count <= 256; count++) {
        sprintf(text, "<fix><fields><field number='1' type='INT' name='%0*d'/></fields></fix>", count, 7);
        read_text(text, count <= RF_FIX_TEXT_MAX ? RF_OK : RF_E_LIMIT,
                  "d.xml:1:14: name has 256 bytes; at most 255 are taken");
    }
    free(text);
}

/* Components that all list each other's successors twice would be walked 2^32 times. */
static void test_intricate(void **state)
{
    (void)state;
    char text[1 << 14];
    size_t at =
        (size_t)sprintf(text, "<fix><messages><message name='M' msgtype='m'><component name='C0'/></message></messages>"
                              "<components>");
    for (int k = 0; k < 30; k++) {
        at += (size_t)sprintf(text + at,
                              "<component name='C%d'><component name='C%d'/><component name='D%d'/></component>"
                              "<component name='D%d'><component name='C%d'/><component name='D%d'/></component>",
                              k, k + 1, k + 1, k, k + 1, k + 1);
    }
    sprintf(text + at, "<component name='C30'/><component name='D30'/></components></fix>");
    read_good(text, NULL);
}

static void test_read_file(void **state)
{
    (void)state;
    char path[] = "/tmp/riffle-dict-XXXXXX";
    const struct rf_fix_dict *dict;
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, quickfix, sizeof quickfix - 1), sizeof quickfix - 1);
    close(fd);
    assert_int_equal(rf_fix_dict_read_file(&arena, path, NULL, &dict, &error), RF_OK);
    assert_non_null(rf_fix_field_of_tag(dict, 54));
    unlink(path);
    assert_int_equal(rf_fix_dict_read_file(&arena, path, NULL, &dict, &error), RF_E_IO);
    assert_true(rf_str_starts(rf_str_of(error.text), RF_STR("cannot open /tmp/riffle-dict-")));
    assert_int_equal(rf_fix_dict_read_file(&arena, "/", NULL, &dict, &error), RF_E_IO);
}

/* A vendor's additions in the dialect of QuickFIX, over the built-in FIX 4.4, which comes from Orchestra. */
static void test_overlay(void **state)
{
    (void)state;
    static const char overlay[] =
        "<fix><messages>"
        "<message name='NewOrderSingle' msgtype='D'><field name='Desk'/>"
        " <group name='NoAllocs'><field name='AllocDesk'/></group></message>"
        "<message name='Ping' msgtype='U1'><field name='Desk'/><component name='Instrument'/><component "
        "name='Parties'/>"
        " <group name='NoPings'><field name='PingID'/><field name='Price'/></group></message>"
        "</messages><components>"
        "<component name='InstrumentLeg'><field name='LegDesk'/></component>"
        "<component name='Parties'><group name='NoPartyIDs'><field name='PartyDesk'/></group></component>"
        "</components><fields>"
        "<field number='5001' name='Desk' type='INT'/><field number='5002' name='AllocDesk' type='STRING'/>"
        "<field number='5003' name='NoPings' type='NUMINGROUP'/><field number='5004' name='PingID' type='STRING'/>"
        "<field number='5005' name='LegDesk' type='STRING'/><field number='5006' name='PartyDesk' type='STRING'/>"
        "<field number='54' name='Side' type='CHAR'><value enum='1' description='BID'/><value enum='Z' "
        "description='SWAP'/></field>"
        "<field number='58' name='FreeText' type='STRING'/>"
        "</fields></fix>";
    const struct rf_fix_dict *const base = rf_fix_dict_builtin(RF_STR("FIX.4.4"));
    const struct rf_fix_dict *const dict = read_good(overlay, base);
    const struct rf_fix_message *const order = rf_fix_message_of_type(dict, RF_STR("D"));
    const struct rf_fix_message *const ping = rf_fix_message_of_name(dict, RF_STR("Ping"));
    struct rf_str text;
    assert_int_equal(dict->fields, base->fields + 6);
    assert_int_equal(dict->messages, base->messages + 1);
    assert_int_equal(rf_fix_field_of_tag(dict, 5001)->type, RF_FIX_TYPE_INT);

    /* Constants: a new one, a new name for a value, the others untouched. */
    const struct rf_fix_field *const side = rf_fix_field_of_tag(dict, 54);
    assert_true(rf_fix_code_value(dict, side, RF_STR("SWAP"), &text));
    text_is(text, "Z");
    assert_true(rf_fix_code_name(dict, side, RF_STR("1"), &text));
    text_is(text, "BID");
    assert_false(rf_fix_code_value(dict, side, RF_STR("BUY"), &text));
    assert_true(rf_fix_code_value(dict, side, RF_STR("SELL"), &text));
    /* Another name for a tag. */
    assert_int_equal(rf_fix_field_of_name(dict, RF_STR("FreeText"))->tag, 58);
    assert_null(rf_fix_field_of_name(dict, RF_STR("Text")));

    /* A group that is extended in one message: its first field stays, other messages have what they had. */
    assert_true(rf_fix_message_has(dict, order, 5001));
    assert_true(rf_fix_message_has(dict, order, 55));
    const struct rf_fix_group *const allocs = rf_fix_group_of_message(dict, order, 78);
    assert_int_equal(rf_fix_group_delimiter(dict, allocs), 79);
    assert_non_null(rf_fix_group_member(dict, allocs, 5002));
    assert_non_null(rf_fix_group_member(dict, allocs, 80));
    const struct rf_fix_group *const others =
        rf_fix_group_of_message(dict, rf_fix_message_of_type(dict, RF_STR("J")), 78);
    assert_null(rf_fix_group_member(dict, others, 5002));

    /* A definition with a name is extended wherever it is used, also within groups. */
    const struct rf_fix_group *const parties = rf_fix_group_of_message(dict, order, 453);
    assert_int_equal(rf_fix_group_delimiter(dict, parties), 448);
    assert_non_null(rf_fix_group_member(dict, parties, 5006));
    assert_non_null(rf_fix_group_member(dict, parties, 802));
    const struct rf_fix_group *const legs =
        rf_fix_group_of_message(dict, rf_fix_message_of_type(dict, RF_STR("AB")), 555);
    assert_int_equal(rf_fix_group_delimiter(dict, legs), 600);
    assert_non_null(rf_fix_group_member(dict, legs, 5005));

    /* A new message with a component and a field of the base. */
    assert_true(rf_fix_message_has(dict, ping, 5001));
    assert_true(rf_fix_message_has(dict, ping, 55));
    assert_ptr_equal(rf_fix_group_of_message(dict, ping, 453), parties);
    assert_int_equal(rf_fix_group_delimiter(dict, rf_fix_group_of_message(dict, ping, 5003)), 5004);
    assert_non_null(rf_fix_group_member(dict, rf_fix_group_of_message(dict, ping, 5003), 44));
    text_is(rf_fix_text(dict, rf_fix_group_of_message(dict, ping, 5003)->list_name), "Pings");

    read_bad(
        "<fix><header><field name='Nope'/></header></fix>", base, RF_E_CONFIG,
        "d.xml:1:14: the field Nope is not defined in this file, nor in the dictionary that this one is laid over");
}

/* The same in the dialect of Orchestra, where what the base has is named by number. */
static void test_overlay_orchestra(void **state)
{
    (void)state;
    static const char overlay[] =
        "<r:repository xmlns:r='x'><r:fields><r:field id='5001' name='Desk' type='int'/></r:fields>"
        "<r:groups><r:group id='1012' name='Parties'><r:numInGroup id='453'/><r:fieldRef "
        "id='5001'/></r:group></r:groups>"
        "<r:components><r:component id='1003' name='Instrument'><r:fieldRef id='5001'/></r:component></r:components>"
        "<r:messages><r:message name='Ping' msgType='U1'><r:structure><r:componentRef id='1024'/>"
        "<r:componentRef id='1003'/><r:componentRef id='1006'/><r:groupRef "
        "id='1012'/></r:structure></r:message></r:messages>"
        "</r:repository>";
    const struct rf_fix_dict *const base = rf_fix_dict_builtin(RF_STR("FIX.4.4"));
    const struct rf_fix_dict *const dict = read_good(overlay, base);
    const struct rf_fix_message *const ping = rf_fix_message_of_type(dict, RF_STR("U1"));
    assert_true(rf_fix_message_has(dict, ping, 5001));
    assert_true(rf_fix_message_has(dict, ping, 55));
    assert_true(rf_fix_message_has(dict, rf_fix_message_of_type(dict, RF_STR("8")), 5001));
    const struct rf_fix_group *const parties =
        rf_fix_group_of_message(dict, rf_fix_message_of_type(dict, RF_STR("8")), 453);
    assert_non_null(rf_fix_group_member(dict, parties, 5001));
    assert_int_equal(rf_fix_group_delimiter(dict, parties), 448);
    assert_int_equal(dict->groups, base->groups);
    assert_int_equal(dict->components, base->components);
}

/* Where the overlay lists the whole group, its order counts, and so its first field. */
static void test_overlay_order(void **state)
{
    (void)state;
    static const char overlay[] =
        "<fix><messages><message name='Order' msgtype='D'><group name='NoAllocs'>"
        "<field name='AllocQty'/><field name='AllocAccount'/></group></message></messages></fix>";
    const struct rf_fix_dict *const base = rf_fix_dict_builtin(RF_STR("FIX.4.4"));
    const struct rf_fix_dict *const dict = read_good(overlay, base);
    const struct rf_fix_message *const order = rf_fix_message_of_type(dict, RF_STR("D"));
    text_is(rf_fix_text(dict, order->name), "Order");
    const struct rf_fix_group *const allocs = rf_fix_group_of_message(dict, order, 78);
    assert_int_equal(rf_fix_group_delimiter(dict, allocs), 80);
    assert_int_equal(allocs->member.count,
                     rf_fix_group_of_message(base, rf_fix_message_of_type(base, RF_STR("D")), 78)->member.count);
    assert_non_null(rf_fix_group_member(dict, allocs, 539));
}

/* Everything of one dictionary that can be asked for is in the other. */
static void covers(const struct rf_fix_dict *dict, const struct rf_fix_dict *part)
{
    for (uint32_t i = 0; i < part->fields; i++) {
        const struct rf_fix_field *const field = rf_fix_field_of_tag(dict, part->field[i].tag);
        assert_non_null(field);
        assert_int_equal(field->type, part->field[i].type);
        text_is(rf_fix_field_name(dict, field), rf_arena_copy(&arena, rf_fix_field_name(part, &part->field[i])).data);
        const struct rf_fix_range codes = rf_fix_codes(part, &part->field[i]);
        for (uint32_t c = codes.begin; c < codes.begin + codes.count; c++) {
            struct rf_str name;
            assert_true(rf_fix_code_name(dict, field, rf_fix_text(part, part->code[c].value), &name));
            assert_true(rf_str_equal(name, rf_fix_text(part, part->code[c].name)));
        }
    }
    for (uint32_t i = 0; i < part->messages; i++) {
        const struct rf_fix_message *const message =
            rf_fix_message_of_type(dict, rf_fix_text(part, part->message[i].type));
        assert_non_null(message);
        const struct rf_fix_range members = part->message[i].member;
        for (uint32_t k = members.begin; k < members.begin + members.count; k++) {
            const uint32_t tag = part->field[part->member[k].field].tag;
            assert_true(rf_fix_message_has(dict, message, tag));
            if (part->member[k].group != RF_FIX_NONE) {
                const struct rf_fix_group *const from = &part->group[part->member[k].group];
                const struct rf_fix_group *const group = rf_fix_group_of_message(dict, message, tag);
                assert_int_equal(rf_fix_group_delimiter(dict, group), rf_fix_group_delimiter(part, from));
                for (uint32_t m = from->member.begin; m < from->member.begin + from->member.count; m++) {
                    assert_non_null(rf_fix_group_member(dict, group, part->field[part->member[m].field].tag));
                }
            }
        }
    }
}

static void test_rf_fix_dict_merge(void **state)
{
    (void)state;
    const struct rf_fix_dict *dict;
    const struct rf_fix_dict *again;
    const struct rf_fix_dict *const fix42 = rf_fix_dict_builtin(RF_STR("FIX.4.2"));
    const struct rf_fix_dict *const fix44 = rf_fix_dict_builtin(RF_STR("FIX.4.4"));
    const struct rf_fix_dict *const fixt = rf_fix_dict_builtin(RF_STR("FIXT.1.1"));
    assert_int_equal(rf_fix_dict_merge(&arena, fix44, fixt, &dict, &error), RF_OK);
    assert_string_equal(dict->name, "FIX.4.4");
    covers(dict, fixt);
    assert_non_null(rf_fix_field_of_name(dict, RF_STR("ApplVerID")));
    assert_non_null(rf_fix_field_of_name(dict, RF_STR("Symbol")));
    assert_int_equal(rf_fix_field_of_tag(dict, 1128)->place, RF_FIX_IN_HEADER);
    /* Laid over itself a dictionary stays what it is. */
    assert_int_equal(rf_fix_dict_merge(&arena, fix44, fix44, &again, &error), RF_OK);
    covers(again, fix44);
    covers(fix44, again);
    assert_int_equal(again->groups, fix44->groups);
    assert_int_equal(again->members, fix44->members);
    /* Other names of the same numbers. */
    assert_int_equal(rf_fix_dict_merge(&arena, fix42, fix44, &again, &error), RF_OK);
    assert_int_equal(rf_fix_field_of_name(again, RF_STR("LastQty"))->tag, 32);
    assert_null(rf_fix_field_of_name(again, RF_STR("LastShares")));
    /* One of QuickFIX over itself: groups without a name. */
    const struct rf_fix_dict *const small = read_good(quickfix, NULL);
    const struct rf_fix_dict *const twice = read_good(quickfix, small);
    covers(twice, small);
    covers(small, twice);
}

/* The base has A within B, the overlay B within A. */
static void test_merge_circle(void **state)
{
    (void)state;
    const struct rf_fix_dict *const base = read_good("<fix><components><component name='A'/><component "
                                                     "name='B'><component name='A'/></component></components></fix>",
                                                     NULL);
    read_bad("<fix><messages><message name='M' msgtype='m'><component name='A'/></message></messages>"
             "<components><component name='A'><component name='B'/></component></components></fix>",
             base, RF_E_CONFIG, "d.xml: components and groups hold each other more than 32 deep, or hold themselves");
}

/* The result that does not fit its arena is refused, whatever runs out. */
static void test_memory(void **state)
{
    (void)state;
    for (size_t bytes_max = 0; bytes_max < 8192; bytes_max += 64) {
        struct rf_arena tight;
        const struct rf_fix_dict *dict;
        rf_arena_init(&tight, bytes_max);
        const enum rf_status status =
            rf_fix_dict_read(&tight, rf_str_of(quickfix), RF_STR("d.xml"), NULL, &dict, &error);
        assert_true(status == RF_OK || status == RF_E_LIMIT);
        assert_true(status != RF_OK || bytes_max > 1024);
        rf_arena_free(&tight);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_quickfix, arena_open, arena_shut),
        cmocka_unit_test_setup_teardown(test_orchestra, arena_open, arena_shut),
        cmocka_unit_test_setup_teardown(test_bad, arena_open, arena_shut),
        cmocka_unit_test_setup_teardown(test_bounds, arena_open, arena_shut),
        cmocka_unit_test_setup_teardown(test_intricate, arena_open, arena_shut),
        cmocka_unit_test_setup_teardown(test_read_file, arena_open, arena_shut),
        cmocka_unit_test_setup_teardown(test_overlay, arena_open, arena_shut),
        cmocka_unit_test_setup_teardown(test_overlay_orchestra, arena_open, arena_shut),
        cmocka_unit_test_setup_teardown(test_overlay_order, arena_open, arena_shut),
        cmocka_unit_test_setup_teardown(test_rf_fix_dict_merge, arena_open, arena_shut),
        cmocka_unit_test_setup_teardown(test_merge_circle, arena_open, arena_shut),
        cmocka_unit_test_setup_teardown(test_memory, arena_open, arena_shut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
