/* test_fix_names.c: keys of JSON objects to tags. */
#include "fix_view_fixture.h"

#include "fix_choice.h"
#include "fix_label.h"
#include "fix_names.h"

static struct rf_arena arena;
static struct rf_error err;

static int names_setup(void **state)
{
    (void)state;
    rf_arena_init(&arena, 64 << 20);
    return view_dict_open(state);
}

static int names_teardown(void **state)
{
    rf_arena_free(&arena);
    return view_dict_close(state);
}

static void expect(const struct rf_fix_names *names, const char *text, uint32_t tag, bool is_list)
{
    struct rf_fix_key key = {0};
    if (!rf_fix_names_find(names, rf_str_of(text), &key)) {
        fail_msg("'%s' is not known", text);
    }
    assert_int_equal(key.tag, tag);
    assert_int_equal(key.is_list, is_list);
}

static void refuse(const struct rf_fix_names *names, const char *text)
{
    struct rf_fix_key key;
    if (rf_fix_names_find(names, rf_str_of(text), &key)) {
        fail_msg("'%s' is tag %u", text, key.tag);
    }
}

static void test_rf_fix_names_find(void **state)
{
    struct rf_fix_names names;
    (void)state;
    assert_int_equal(rf_fix_names_open(&names, rf_fix_dict_builtin(RF_STR("FIX.4.4")), &arena, &err), RF_OK);
    expect(&names, "Symbol", 55, false);
    expect(&names, "NoPartyIDs", 453, false);
    expect(&names, "PartyIDs", 453, true);
    expect(&names, "55", 55, false);
    expect(&names, "9702", 9702, false);
    expect(&names, "999999999", 999999999, false);
    expect(&names, "Symbol(55)", 55, false);
    expect(&names, "PartyIDs(453)", 453, true);
    expect(&names, "House(9702)", 9702, false);
    static const char *const wrong[] = {"",        "symbol",      "Symbo",       "0",          "055",         "1000000000", "5 5",
                                        "-5",      "Symbol(54)",  "Symbol(9702)", "House(55)", "Symbol()",    "Symbol(055)", "Symbol(55",
                                        "(55)x",   "PartyIDs(55)", "Symbol(55))", ")",         "(",           "(0)",         "Symbol(1000000000)"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        refuse(&names, wrong[i]);
    }
    struct rf_fix_key key;
    assert_false(rf_fix_names_find(&names, (struct rf_str){NULL, 0}, &key));
    assert_true(rf_fix_names_find(&names, (struct rf_str){"Symbol\0", 6}, &key));
    assert_false(rf_fix_names_find(&names, (struct rf_str){"Symbol\0", 7}, &key));
}

/* Whatever is written for a field or list of a dictionary is read back as that field or list. */
static void labels_check(const struct rf_fix_dict *dict, enum rf_fix_keys keys)
{
    struct rf_fix_names names;
    struct rf_fix_labels labels;
    assert_int_equal(rf_fix_names_open(&names, dict, &arena, &err), RF_OK);
    assert_int_equal(rf_fix_labels_open(&labels, dict, keys, &err), RF_OK);
    for (uint32_t i = 0; i < dict->fields + dict->groups; i++) {
        const bool is_list = i >= dict->fields;
        const struct rf_fix_label *const label = is_list ? &labels.list[i - dict->fields] : &labels.field[i];
        const uint32_t tag =
            dict->field[is_list ? dict->group[i - dict->fields].count_field : i].tag;
        const struct rf_str text = {labels.pool.data + label->begin + 2, label->count - 4u}; /* ,"..." and a colon */
        struct rf_fix_key key = {0};
        if (memchr(text.data, '\\', text.count) != NULL) {
            continue; /* an escape, which fix_object.c takes away first */
        }
        if (!rf_fix_names_find(&names, text, &key) || key.tag != tag || key.is_list != is_list) {
            fail_msg("'%.*s' is tag %u, not %u", RF_STR_ARG(text), key.tag, tag);
        }
    }
    rf_fix_labels_close(&labels);
}

static void test_labels(void **state)
{
    const struct rf_fix_dict *standard;
    (void)state;
    assert_int_equal(rf_fix_choose(&arena, RF_STR(""), &standard, &err), RF_OK);
    for (int keys = RF_FIX_KEYS_NAME; keys <= RF_FIX_KEYS_BOTH; keys++) {
        labels_check(standard, (enum rf_fix_keys)keys);
        labels_check(view_dict, (enum rf_fix_keys)keys);
        for (const struct rf_fix_dict *const *dict = rf_fix_dict_builtins(); *dict != NULL; dict++) {
            labels_check(*dict, (enum rf_fix_keys)keys);
        }
    }
}

static void test_rf_fix_names_nearest(void **state)
{
    struct rf_fix_names names;
    (void)state;
    assert_int_equal(rf_fix_names_open(&names, rf_fix_dict_builtin(RF_STR("FIX.4.4")), &arena, &err), RF_OK);
    assert_true(rf_str_equal(rf_fix_names_nearest(&names, RF_STR("Symbl")), RF_STR("Symbol")));
    assert_true(rf_str_equal(rf_fix_names_nearest(&names, RF_STR("PartyIDz")), RF_STR("PartyID")));
    assert_true(rf_str_equal(rf_fix_names_nearest(&names, RF_STR("SecurityAltIDGrpp")), RF_STR("SecurityAltIDGrp")));
    assert_null(rf_fix_names_nearest(&names, RF_STR("Nothing like it")).data);
    assert_null(rf_fix_names_nearest(&names, (struct rf_str){NULL, 0}).data);
}

static void test_rf_fix_names_open(void **state)
{
    struct rf_fix_names names;
    struct rf_arena small;
    (void)state;
    rf_arena_init(&small, 64);
    assert_int_equal(rf_fix_names_open(&names, rf_fix_dict_builtin(RF_STR("FIX.4.4")), &small, &err), RF_E_LIMIT);
    rf_arena_free(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_fix_names_find),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_rf_fix_names_nearest),
        cmocka_unit_test(test_rf_fix_names_open),
    };
    return cmocka_run_group_tests(tests, names_setup, names_teardown);
}
