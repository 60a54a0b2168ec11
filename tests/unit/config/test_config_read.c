#include "config_fixture.h"

#include <stddef.h>

#include "config.h"

struct inner {
    struct rf_config_object object;
    int64_t size;
    struct rf_config_list names;
};

struct outer {
    struct rf_config_object object;
    struct rf_config_text name;
    struct rf_config_text when;
    int64_t whole;
    double real;
    bool is_on;
    int64_t wait;
    uint32_t color;
    struct rf_config_list words;
    struct rf_config_list waits;
    struct rf_config_list named;
    struct rf_config_list inners;
    const struct inner *one;
    const struct rf_yaml_node *any;
};

static const struct rf_config_field field[] = {
    {"name", RF_CONFIG_TEXT, RF_CONFIG_ANY, 0, offsetof(struct outer, name), true, false, "", 1, 5, "", ""},
    {"when", RF_CONFIG_EXPRESSION, RF_CONFIG_ANY, 0, offsetof(struct outer, when), false, false, "", 1, 100, "", ""},
    {"whole", RF_CONFIG_INTEGER, RF_CONFIG_ANY, 0, offsetof(struct outer, whole), false, false, "", -2, 10, "", ""},
    {"real", RF_CONFIG_DOUBLE, RF_CONFIG_ANY, 0, offsetof(struct outer, real), false, false, "", 0, 1, "", ""},
    {"is_on", RF_CONFIG_BOOL, RF_CONFIG_ANY, 0, offsetof(struct outer, is_on), false, false, "", 0, 0, "", ""},
    {"wait", RF_CONFIG_DURATION, RF_CONFIG_ANY, 0, offsetof(struct outer, wait), false, false, "", 1, 5000000000, "", ""},
    {"color", RF_CONFIG_CHOICE, RF_CONFIG_ANY, 0, offsetof(struct outer, color), false, false, "red|green", 0, 0, "", ""},
    {"words", RF_CONFIG_LIST, RF_CONFIG_TEXT, 0, offsetof(struct outer, words), false, false, "", 1, 3, "", ""},
    {"waits", RF_CONFIG_LIST, RF_CONFIG_DURATION, 0, offsetof(struct outer, waits), false, false, "", 0, 3, "", ""},
    {"named", RF_CONFIG_MAP, RF_CONFIG_INTEGER, 0, offsetof(struct outer, named), false, false, "", 0, 3, "", ""},
    {"inners", RF_CONFIG_LIST, RF_CONFIG_OBJECT, 1, offsetof(struct outer, inners), false, false, "", 0, 3, "", ""},
    {"one", RF_CONFIG_OBJECT, RF_CONFIG_ANY, 1, offsetof(struct outer, one), false, false, "", 0, 0, "", ""},
    {"any", RF_CONFIG_ANY, RF_CONFIG_ANY, 0, offsetof(struct outer, any), false, false, "", 0, 0, "", ""},
    {"size", RF_CONFIG_INTEGER, RF_CONFIG_ANY, 0, offsetof(struct inner, size), true, false, "", 0, 9, "", ""},
    {"names", RF_CONFIG_LIST, RF_CONFIG_TEXT, 0, offsetof(struct inner, names), false, false, "", 0, 9, "", ""},
};

static const struct rf_config_shape shape[] = {
    {"outer", "", sizeof(struct outer), _Alignof(struct outer), 0, 13},
    {"inner", "", sizeof(struct inner), _Alignof(struct inner), 13, 15},
};

static const struct rf_config_table table = {"test", "a test", shape, 2, field, sizeof field / sizeof field[0]};

static struct fixture_yaml *file_read(const char *source, struct outer *out)
{
    struct fixture_yaml *yaml = fixture_read(rf_str_of(source), NULL);
    assert_int_equal(yaml->status, RF_OK);
    memset(out, 0, sizeof *out);
    assert_int_equal(rf_config_read(&table, yaml->root, &yaml->problems, &yaml->arena, out, &yaml->err), RF_OK);
    return yaml;
}

static void text_is(struct rf_str text, const char *wanted)
{
    assert_true(rf_str_equal(text, rf_str_of(wanted)));
}

static void test_rf_config_read(void **state)
{
    struct outer out;
    struct fixture_yaml *yaml = file_read("name: abcde\nwhen: a > 1\nwhole: -2\nreal: 0.5\nis_on: true\nwait: 5s\ncolor: green\n"
                                          "words: [x, 5, true]\nwaits: [1ms, 1h]\nnamed: {p: 1, q: 2}\n"
                                          "inners: [{size: 1}, {size: 2, names: [n]}]\none: {size: 3}\nany: [1]\n",
                                          &out);
    (void)state;
    fixture_problems_are(&yaml->problems, "");
    text_is(out.name.text, "abcde");
    assert_int_equal(out.name.node->begin, 6);
    text_is(out.when.text, "a > 1");
    assert_int_equal(out.whole, -2);
    assert_true(out.real == 0.5);
    assert_true(out.is_on);
    assert_int_equal(out.wait, 5000000000);
    assert_int_equal(out.color, 1);
    const struct rf_config_text *word = out.words.item;
    assert_int_equal(out.words.count, 3);
    text_is(word[1].text, "5");
    text_is(word[2].text, "true");
    const int64_t *wait = out.waits.item;
    assert_int_equal(wait[1], 3600000000000);
    const int64_t *number = out.named.item;
    assert_int_equal(out.named.count, 2);
    assert_int_equal(number[1], 2);
    text_is(out.named.node[1]->key, "q");
    const struct inner *inner = out.inners.item;
    assert_int_equal(out.inners.count, 2);
    assert_int_equal(inner[1].size, 2);
    assert_int_equal(inner[1].names.count, 1);
    assert_int_equal(out.one->size, 3);
    assert_int_equal(out.any->kind, RF_YAML_SEQUENCE);
    assert_int_equal(out.object.given, 0x1fff);
    fixture_close(yaml);
}

static void problems_are(const char *source, const char *wanted)
{
    struct outer out;
    struct fixture_yaml *yaml = file_read(source, &out);
    fixture_problems_are(&yaml->problems, wanted);
    fixture_close(yaml);
}

static void test_rf_config_read_keys(void **state)
{
    (void)state;
    problems_are("nam: x\n", "1:1 unknown key 'nam' of an outer (did you mean 'name'?)\n1:1 an outer needs 'name'\n");
    problems_are("name: x\nzzzzz: 1\n", "2:1 unknown key 'zzzzz' of an outer, which has: name, when, whole, real, is_on, wait, "
                                        "color, words, waits, named, inners, one, any\n");
    problems_are("name: x\none: {siz: 1}\n", "2:7 unknown key 'siz' of an inner (did you mean 'size'?)\n2:6 an inner needs 'size'\n");
    problems_are("name: x\none: 5\ninners: [6]\n", "2:6 an inner is a mapping, not a number\n3:10 an inner is a mapping, not a number\n");
    problems_are("[1]\n", "1:1 an outer is a mapping, not a list\n");
    problems_are("# nothing\n", "1:1 the file is empty: an outer is a mapping\n");
    /* A key without a value is as good as none. */
    problems_are("name: x\nwords:\nwhole: ~\none:\n", "");
    problems_are("name:\n", "1:1 an outer needs 'name'\n");
}

static void test_rf_config_read_types(void **state)
{
    (void)state;
    problems_are("name: [x]\n", "1:7 'name' is a text, not a list\n");
    problems_are("name: x\nwhen: {a: 1}\n", "2:7 'when' is an expression, not a mapping\n");
    problems_are("name: x\nwhole: 1.5\n", "2:8 'whole' is a whole number, not '1.5'\n");
    problems_are("name: x\nwhole: '5'\n", "2:9 'whole' is a whole number, not '5'\n");
    problems_are("name: x\nwhole: 1e300\n", "2:8 'whole' is a whole number, not '1e300'\n");
    problems_are("name: x\nreal: abc\n", "2:7 'real' is a number, not 'abc'\n");
    problems_are("name: x\nis_on: 1\n", "2:8 'is_on' is true or false, not '1'\n");
    problems_are("name: x\nwait: 5\n", "2:7 'wait' is a duration such as 5s, 10ms or 1h30m, not '5'\n");
    problems_are("name: x\nwait: [5s]\n", "2:7 'wait' is a duration such as 5s, 10ms or 1h30m, not a list\n");
    problems_are("name: x\ncolor: gren\n", "2:8 'color' is one of red|green, not 'gren' (did you mean 'green'?)\n");
    problems_are("name: x\ncolor: [red]\n", "2:8 'color' is one of red|green, not a list\n");
    problems_are("name: x\nwords: x\n", "2:8 'words' is a list, not 'x'\n");
    problems_are("name: x\nwords: [[x]]\n", "2:9 each entry of 'words' is a text, not a list\n");
    problems_are("name: x\nnamed: [1]\n", "2:8 'named' is a mapping, not a list\n");
    problems_are("name: x\nnamed: {p: x}\n", "2:12 'p' of 'named' is a whole number, not 'x'\n");
}

static void test_rf_config_read_bounds(void **state)
{
    (void)state;
    problems_are("name: ''\n", "1:8 'name' is empty\n");
    problems_are("name: abcdef\n", "1:7 'name' is longer than 5 bytes\n");
    problems_are("name: x\nwhole: -3\n", "2:8 'whole' must be -2 to 10, not -3\n");
    problems_are("name: x\nwhole: 10\n", "");
    problems_are("name: x\nwhole: 11\n", "2:8 'whole' must be -2 to 10, not 11\n");
    problems_are("name: x\nwhole: 9223372036854775807\n", "2:8 'whole' must be -2 to 10, not 9223372036854775807\n");
    problems_are("name: x\nreal: 1\n", "");
    problems_are("name: x\nreal: 1.5\n", "2:7 'real' must be 0 to 1, not 1.5\n");
    problems_are("name: x\nwait: 0s\n", "2:7 'wait' must be 0.000000001s to 5s, not 0s\n");
    problems_are("name: x\nwait: 5s1ns\n", "2:7 'wait' must be 0.000000001s to 5s, not 5s1ns\n");
    problems_are("name: x\nwords: []\n", "2:8 'words' has 0 entries: 1 to 3 are allowed\n");
    problems_are("name: x\nwords: [a, b, c]\n", "");
    problems_are("name: x\nwords: [a, b, c, d]\n", "2:8 'words' has 4 entries: 1 to 3 are allowed\n");
}

/* Several problems in one run, and the rest is read all the same. */
static void test_rf_config_read_several(void **state)
{
    struct outer out;
    struct fixture_yaml *yaml = file_read("name: [x]\nwhole: 5\nwait: x\ninners: [{size: 1}, {size: x}, {}]\n", &out);
    (void)state;
    fixture_problems_are(&yaml->problems, "1:7 'name' is a text, not a list\n"
                                          "3:7 'wait' is a duration such as 5s, 10ms or 1h30m, not 'x'\n"
                                          "4:28 'size' is a whole number, not 'x'\n"
                                          "4:32 an inner needs 'size'\n");
    assert_int_equal(out.whole, 5);
    assert_int_equal(((const struct inner *)out.inners.item)[0].size, 1);
    fixture_close(yaml);
}

static void test_rf_config_nearest(void **state)
{
    static const char *const known[] = {"when", "where", "name"};
    (void)state;
    assert_string_equal(rf_config_nearest(RF_STR("whn"), known, 3), "when");
    assert_string_equal(rf_config_nearest(RF_STR("wheres"), known, 3), "where");
    assert_null(rf_config_nearest(RF_STR("xyz"), known, 3));
    assert_null(rf_config_nearest(RF_STR(""), known, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_config_read),        cmocka_unit_test(test_rf_config_read_keys),
        cmocka_unit_test(test_rf_config_read_types),  cmocka_unit_test(test_rf_config_read_bounds),
        cmocka_unit_test(test_rf_config_read_several), cmocka_unit_test(test_rf_config_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
