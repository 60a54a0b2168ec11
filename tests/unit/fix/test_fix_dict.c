#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fix_data.h"
#include "fix_dict.h"

static const struct rf_fix_dict *dict_of(const char *name)
{
    const struct rf_fix_dict *const dict = rf_fix_dict_builtin(rf_str_of(name));
    assert_non_null(dict);
    return dict;
}

static const struct rf_fix_field *field_of(const struct rf_fix_dict *dict, const char *name)
{
    const struct rf_fix_field *const field = rf_fix_field_of_name(dict, rf_str_of(name));
    if (field == NULL) {
        fail_msg("%s lacks %s", dict->name, name);
    }
    return field;
}

static void text_is(struct rf_str text, const char *expected)
{
    if (!rf_str_equal(text, rf_str_of(expected))) {
        fail_msg("'%.*s' instead of '%s'", RF_STR_ARG(text), expected);
    }
}

static void test_rf_fix_dict_builtin(void **state)
{
    (void)state;
    assert_string_equal(dict_of("FIX.4.2")->name, "FIX.4.2");
    assert_ptr_equal(dict_of("fix42"), dict_of("FIX.4.2"));
    assert_ptr_equal(dict_of("Fix.4.4"), dict_of("FIX44"));
    assert_string_equal(dict_of("fixt11")->name, "FIXT.1.1");
    assert_null(rf_fix_dict_builtin(RF_STR("FIX.4.3")));
    assert_null(rf_fix_dict_builtin(RF_STR("FIX.4.")));
    assert_null(rf_fix_dict_builtin(RF_STR("FIX.4.4x")));
    assert_null(rf_fix_dict_builtin(RF_STR("")));
}

/* Numbers that are counted in the Orchestra files. */
static void test_rf_fix_dict_counts(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t fields, codes, groups, messages;
    } rows[] = {{"FIX.4.2", 405, 629, 30, 46}, {"FIX.4.4", 912, 1726, 92, 93}, {"FIXT.1.1", 92, 74, 4, 8}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct rf_fix_dict *const dict = dict_of(rows[i].name);
        assert_int_equal(dict->fields, rows[i].fields);
        assert_int_equal(dict->codes, rows[i].codes);
        assert_int_equal(dict->groups, rows[i].groups);
        assert_int_equal(dict->messages, rows[i].messages);
    }
}

static void range_is_in(struct rf_fix_range range, uint32_t count)
{
    assert_true(range.begin <= count && range.count <= count - range.begin);
}

/* A members' table: ascending, of fields that exist; a member that counts a group counts that group. */
static void members_are_good(const struct rf_fix_dict *dict, struct rf_fix_range range)
{
    range_is_in(range, dict->members);
    for (uint32_t i = range.begin; i < range.begin + range.count; i++) {
        const struct rf_fix_member member = dict->member[i];
        assert_true(member.field < dict->fields);
        assert_true(i == range.begin || dict->member[i - 1].field < member.field);
        if (member.group != RF_FIX_NONE) {
            assert_true(member.group < dict->groups);
            assert_int_equal(dict->group[member.group].count_field, member.field);
        }
    }
}

static void items_are_good(const struct rf_fix_dict *dict, struct rf_fix_range range)
{
    range_is_in(range, dict->items);
    for (uint32_t i = range.begin; i < range.begin + range.count; i++) {
        const uint32_t counts[] = {dict->fields, dict->groups, dict->components};
        assert_true(dict->item[i].kind <= RF_FIX_ITEM_COMPONENT);
        assert_true(dict->item[i].at < counts[dict->item[i].kind]);
    }
}

/* Every index of every table points into its table, and every order is the one that searches rely on. */
static void test_rf_fix_dict_tables(void **state)
{
    (void)state;
    for (const struct rf_fix_dict *const *all = rf_fix_dict_builtins(); *all != NULL; all++) {
        const struct rf_fix_dict *const dict = *all;
        for (uint32_t i = 0; i < dict->fields; i++) {
            const struct rf_fix_field *const field = &dict->field[i];
            assert_true(i == 0 || dict->field[i - 1].tag < field->tag);
            assert_true(field->type < RF_FIX_TYPE_COUNT);
            assert_ptr_equal(rf_fix_field_of_tag(dict, field->tag), field);
            assert_ptr_equal(rf_fix_field_of_name(dict, rf_fix_field_name(dict, field)), field);
            assert_true(field->name + rf_fix_field_name(dict, field).count < dict->pool_bytes);
            assert_true(field->group == RF_FIX_NONE || dict->group[field->group].count_field == i);
            const struct rf_fix_range codes = rf_fix_codes(dict, field);
            range_is_in(codes, dict->codes);
            for (uint32_t c = codes.begin + 1; c < codes.begin + codes.count; c++) {
                assert_true(rf_str_compare(rf_fix_text(dict, dict->code[c - 1].value),
                                           rf_fix_text(dict, dict->code[c].value)) < 0);
            }
        }
        for (uint32_t i = 0; i < dict->groups; i++) {
            members_are_good(dict, dict->group[i].member);
            items_are_good(dict, dict->group[i].item);
            assert_non_null(rf_fix_group_member(dict, &dict->group[i], rf_fix_group_delimiter(dict, &dict->group[i])));
        }
        for (uint32_t i = 0; i < dict->components; i++) {
            items_are_good(dict, dict->component[i].item);
        }
        for (uint32_t i = 0; i < dict->messages; i++) {
            members_are_good(dict, dict->message[i].member);
            items_are_good(dict, dict->message[i].item);
            assert_ptr_equal(rf_fix_message_of_type(dict, rf_fix_text(dict, dict->message[i].type)), &dict->message[i]);
            assert_ptr_equal(rf_fix_message_of_name(dict, rf_fix_text(dict, dict->message[i].name)), &dict->message[i]);
        }
        members_are_good(dict, dict->header_member);
        members_are_good(dict, dict->trailer_member);
        items_are_good(dict, dict->header_item);
        items_are_good(dict, dict->trailer_item);
    }
}

static void test_rf_fix_field_of_tag(void **state)
{
    (void)state;
    const struct rf_fix_dict *const dict = dict_of("FIX.4.4");
    text_is(rf_fix_field_name(dict, rf_fix_field_of_tag(dict, 44)), "Price");
    text_is(rf_fix_field_name(dict, rf_fix_field_of_tag(dict, 956)), "LegInterestAccrualDate");
    assert_int_equal(rf_fix_field_of_tag(dict, 44)->type, RF_FIX_TYPE_PRICE);
    assert_int_equal(rf_fix_field_of_tag(dict, 60)->type, RF_FIX_TYPE_UTC_TIMESTAMP);
    assert_int_equal(rf_fix_field_of_tag(dict, 18)->type, RF_FIX_TYPE_MULTIPLE_STRING_VALUE);
    assert_int_equal(rf_fix_field_of_tag(dict, 43)->type, RF_FIX_TYPE_BOOLEAN);
    assert_int_equal(rf_fix_field_of_tag(dict, 8)->place, RF_FIX_IN_HEADER);
    assert_int_equal(rf_fix_field_of_tag(dict, 628)->place, RF_FIX_IN_HEADER); /* HopCompID, within NoHops */
    assert_int_equal(rf_fix_field_of_tag(dict, 10)->place, RF_FIX_IN_TRAILER);
    assert_int_equal(rf_fix_field_of_tag(dict, 44)->place, RF_FIX_IN_BODY);
    assert_null(rf_fix_field_of_tag(dict, 0));
    assert_null(rf_fix_field_of_tag(dict, 101)); /* was never given */
    assert_null(rf_fix_field_of_tag(dict, 957));
    assert_null(rf_fix_field_of_tag(dict, 9702));
    assert_null(rf_fix_field_of_tag(dict, UINT32_MAX));
}

static void test_rf_fix_field_of_name(void **state)
{
    (void)state;
    assert_int_equal(field_of(dict_of("FIX.4.2"), "Account")->tag, 1);
    assert_int_equal(field_of(dict_of("FIX.4.4"), "YieldRedemptionPriceType")->tag, 698);
    assert_int_equal(field_of(dict_of("FIXT.1.1"), "ApplVerID")->tag, 1128);
    assert_null(rf_fix_field_of_name(dict_of("FIX.4.4"), RF_STR("account")));
    assert_null(rf_fix_field_of_name(dict_of("FIX.4.4"), RF_STR("")));
    assert_null(rf_fix_field_of_name(dict_of("FIX.4.4"), RF_STR("Accoun")));
    assert_null(rf_fix_field_of_name(dict_of("FIX.4.4"), RF_STR("zzz")));
}

/* Every data field has its length and the length its data field, as in the list that holds without a dictionary. */
static void test_rf_fix_dict_pairs(void **state)
{
    (void)state;
    for (const struct rf_fix_dict *const *all = rf_fix_dict_builtins(); *all != NULL; all++) {
        for (uint32_t i = 0; i < (*all)->fields; i++) {
            const struct rf_fix_field *const field = &(*all)->field[i];
            const uint32_t known = rf_fix_length_of_data(field->tag);
            if (rf_fix_field_class(field) == RF_FIX_CLASS_BYTES) {
                assert_int_not_equal(field->pair_tag, 0);
                assert_int_equal(rf_fix_field_of_tag(*all, field->pair_tag)->pair_tag, field->tag);
            }
            if (known != 0) {
                assert_int_equal(field->pair_tag, known);
            }
        }
    }
    assert_int_equal(rf_fix_field_of_tag(dict_of("FIXT.1.1"), 1402)->pair_tag, 1401); /* EncryptedPassword */
    assert_int_equal(rf_fix_field_of_tag(dict_of("FIXT.1.1"), 2112)->pair_tag, 2111); /* EncodedAttachment */
}

static void value_is(const struct rf_fix_dict *dict, const char *field, const char *name, const char *expected)
{
    struct rf_str value;
    const bool is_found = rf_fix_code_value(dict, field_of(dict, field), rf_str_of(name), &value);
    if (is_found != (expected != NULL)) {
        fail_msg("%s.%s is %sfound", field, name, is_found ? "" : "not ");
    }
    if (is_found) {
        text_is(value, expected);
    }
}

static void test_rf_fix_code_value(void **state)
{
    (void)state;
    const struct rf_fix_dict *const fix42 = dict_of("FIX.4.2");
    const struct rf_fix_dict *const fix44 = dict_of("FIX.4.4");
    value_is(fix44, "Side", "BUY", "1");
    value_is(fix44, "Side", "Buy", "1");
    value_is(fix44, "Side", "SELL_SHORT_EXEMPT", "6");
    value_is(fix44, "OrdStatus", "PARTIALLY_FILLED", "1");
    value_is(fix44, "OrdStatus", "PartiallyFilled", "1");
    value_is(fix44, "MsgType", "NewOrderSingle", "D");
    value_is(fix44, "MsgType", "NEW_ORDER_SINGLE", "D");
    value_is(fix42, "MsgType", "NewOrderSingle", "D");
    value_is(fix44, "SettlType", "T_PLUS_2", "3");
    value_is(fix44, "SettlType", "TPlus2", "3");
    value_is(fix44, "PossDupFlag", "YES", "Y");
    value_is(fix44, "PossDupFlag", "NO", "N");
    value_is(fix44, "PossDupFlag", "PossibleDuplicate", "Y");
    value_is(fix44, "Side", "YES", NULL);
    value_is(fix44, "Side", "buy", NULL);
    value_is(fix44, "Side", "Partially_filled", NULL);
    value_is(fix44, "Side", "", NULL);
    value_is(fix44, "Side", "_", NULL);
    value_is(fix44, "Side", "BUYS", NULL);
    value_is(fix44, "Price", "BUY", NULL);
}

static void test_rf_fix_code_name(void **state)
{
    (void)state;
    const struct rf_fix_dict *const dict = dict_of("FIX.4.4");
    struct rf_str name;
    assert_true(rf_fix_code_name(dict, field_of(dict, "Side"), RF_STR("1"), &name));
    text_is(name, "Buy");
    assert_true(rf_fix_code_name(dict, field_of(dict, "MsgType"), RF_STR("AE"), &name));
    text_is(name, "TradeCaptureReport");
    assert_true(rf_fix_code_name(dict_of("FIX.4.2"), field_of(dict_of("FIX.4.2"), "SecurityType"), RF_STR("?"), &name));
    text_is(name, "Wildcard");
    assert_false(rf_fix_code_name(dict, field_of(dict, "Side"), RF_STR("Z"), &name));
    assert_false(rf_fix_code_name(dict, field_of(dict, "Side"), RF_STR(""), &name));
    assert_false(rf_fix_code_name(dict, field_of(dict, "Side"), RF_STR("11"), &name));
    assert_false(rf_fix_code_name(dict, field_of(dict, "Price"), RF_STR("1"), &name));
    assert_int_equal(rf_fix_codes(dict, field_of(dict, "Price")).count, 0);
    assert_int_equal(rf_fix_codes(dict, field_of(dict, "Side")).count, 16);
}

static void test_rf_fix_message_of(void **state)
{
    (void)state;
    const struct rf_fix_dict *const fix42 = dict_of("FIX.4.2");
    const struct rf_fix_message *const order = rf_fix_message_of_type(fix42, RF_STR("D"));
    assert_non_null(order);
    text_is(rf_fix_text(fix42, order->name), "OrderSingle");
    assert_ptr_equal(rf_fix_message_of_name(fix42, RF_STR("OrderSingle")), order);
    assert_ptr_equal(rf_fix_message_of_name(fix42, RF_STR("NewOrderSingle")), order);
    assert_null(rf_fix_message_of_type(fix42, RF_STR("AE")));
    assert_null(rf_fix_message_of_type(fix42, RF_STR("")));
    assert_null(rf_fix_message_of_name(fix42, RF_STR("NoSuchMessage")));
    const struct rf_fix_dict *const fix44 = dict_of("FIX.4.4");
    assert_ptr_equal(rf_fix_message_of_name(fix44, RF_STR("TradeCaptureReport")),
                     rf_fix_message_of_type(fix44, RF_STR("AE")));
    assert_true(rf_fix_message_of_type(fix44, RF_STR("a")) != rf_fix_message_of_type(fix44, RF_STR("A")));
}

static void test_rf_fix_message_has(void **state)
{
    (void)state;
    const struct rf_fix_dict *const dict = dict_of("FIX.4.4");
    const struct rf_fix_message *const order = rf_fix_message_of_type(dict, RF_STR("D"));
    assert_true(rf_fix_message_has(dict, order, 11));
    assert_true(rf_fix_message_has(dict, order, 55));   /* by the component Instrument */
    assert_true(rf_fix_message_has(dict, order, 453));  /* counts a group */
    assert_false(rf_fix_message_has(dict, order, 448)); /* is in that group */
    assert_false(rf_fix_message_has(dict, order, 31));
    assert_false(rf_fix_message_has(dict, order, 8)); /* header */
    assert_false(rf_fix_message_has(dict, order, 9702));
}

/* PartyIDs with PartySubIDs within, in messages that have them directly and in a group of trade reports. */
static void test_rf_fix_group_of_message(void **state)
{
    (void)state;
    static const char *const types[] = {"D", "8", "AE", "J", "R"};
    const struct rf_fix_dict *const dict = dict_of("FIX.4.4");
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        const struct rf_fix_message *const message = rf_fix_message_of_type(dict, rf_str_of(types[i]));
        assert_non_null(message);
        const struct rf_fix_group *group = rf_fix_group_of_message(dict, message, 453);
        if (i == 2) { /* its parties are those of its sides */
            const struct rf_fix_group *const sides = rf_fix_group_of_message(dict, message, 552);
            text_is(rf_fix_text(dict, sides->list_name), "Sides");
            assert_int_equal(rf_fix_group_delimiter(dict, sides), 54);
            const struct rf_fix_member *const parties = rf_fix_group_member(dict, sides, 453);
            assert_true(parties != NULL && parties->group != RF_FIX_NONE);
            group = &dict->group[parties->group];
        }
        text_is(rf_fix_text(dict, group->list_name), "PartyIDs");
        assert_int_equal(rf_fix_group_delimiter(dict, group), 448);
        assert_int_equal(rf_fix_group_member(dict, group, 447)->group, RF_FIX_NONE);
        assert_int_equal(rf_fix_group_member(dict, group, 452)->group, RF_FIX_NONE);
        assert_null(rf_fix_group_member(dict, group, 55));
        assert_null(rf_fix_group_member(dict, group, 9702));
        const struct rf_fix_member *const nested = rf_fix_group_member(dict, group, 802);
        assert_true(nested != NULL && nested->group != RF_FIX_NONE);
        const struct rf_fix_group *const subs = &dict->group[nested->group];
        text_is(rf_fix_text(dict, subs->list_name), "PartySubIDs");
        assert_int_equal(rf_fix_group_delimiter(dict, subs), 523);
        assert_int_equal(subs->member.count, 2);
        assert_non_null(rf_fix_group_member(dict, subs, 803));
    }
}

/* One count, several groups: which one depends on the message. */
static void test_rf_fix_group_by_message(void **state)
{
    (void)state;
    static const char *const names[] = {"FIX.4.2", "FIX.4.4"};
    for (size_t i = 0; i < 2; i++) {
        const struct rf_fix_dict *const dict = dict_of(names[i]);
        const struct rf_fix_group *const full =
            rf_fix_group_of_message(dict, rf_fix_message_of_type(dict, RF_STR("W")), 268);
        const struct rf_fix_group *const changes =
            rf_fix_group_of_message(dict, rf_fix_message_of_type(dict, RF_STR("X")), 268);
        assert_int_equal(rf_fix_group_delimiter(dict, full), 269);
        assert_int_equal(rf_fix_group_delimiter(dict, changes), 279);
        /* A message that does not list it, and one that nobody knows, have the largest of both. */
        assert_ptr_equal(rf_fix_group_of_message(dict, NULL, 268), changes);
        assert_ptr_equal(rf_fix_group_of_message(dict, rf_fix_message_of_type(dict, RF_STR("D")), 268), changes);
        assert_null(rf_fix_group_of_message(dict, NULL, 44));
        assert_null(rf_fix_group_of_message(dict, NULL, 9702));
        assert_null(rf_fix_group_of_message(dict, NULL, 0));
    }
    const struct rf_fix_dict *const dict = dict_of("FIX.4.4");
    const struct rf_fix_message *const logon = rf_fix_message_of_type(dict, RF_STR("A"));
    text_is(rf_fix_text(dict, rf_fix_group_of_message(dict, logon, 627)->list_name), "Hops"); /* of the header */
    /* The first field of a component that comes first. */
    assert_int_equal(
        rf_fix_group_delimiter(dict, rf_fix_group_of_message(dict, rf_fix_message_of_type(dict, RF_STR("AB")), 555)),
        600);
    /* Names that fields have already. */
    text_is(rf_fix_text(dict, rf_fix_group_of_message(dict, NULL, 454)->list_name), "SecurityAltIDGrp");
    text_is(rf_fix_text(dict, rf_fix_group_of_message(dict, NULL, 33)->list_name), "LinesOfText");
    const struct rf_fix_dict *const fix42 = dict_of("FIX.4.2");
    text_is(rf_fix_text(fix42, rf_fix_group_of_message(fix42, NULL, 33)->list_name), "LinesOfTextGrp");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_fix_dict_builtin),     cmocka_unit_test(test_rf_fix_dict_counts),
        cmocka_unit_test(test_rf_fix_dict_tables),      cmocka_unit_test(test_rf_fix_field_of_tag),
        cmocka_unit_test(test_rf_fix_field_of_name),    cmocka_unit_test(test_rf_fix_dict_pairs),
        cmocka_unit_test(test_rf_fix_code_value),       cmocka_unit_test(test_rf_fix_code_name),
        cmocka_unit_test(test_rf_fix_message_of),       cmocka_unit_test(test_rf_fix_message_has),
        cmocka_unit_test(test_rf_fix_group_of_message), cmocka_unit_test(test_rf_fix_group_by_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
