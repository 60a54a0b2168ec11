#include "config_fixture.h"

static struct fixture_yaml *reads(const char *source)
{
    struct fixture_yaml *yaml = fixture_read(rf_str_of(source), NULL);
    fixture_problems_are(&yaml->problems, "");
    assert_int_equal(yaml->status, RF_OK);
    return yaml;
}

static void json_is(const char *source, const char *wanted)
{
    struct fixture_yaml *yaml = reads(source);
    struct rf_text out = {0};
    assert_non_null(yaml->root);
    assert_int_equal(rf_yaml_write_json(yaml->root, &out, &yaml->err), RF_OK);
    assert_int_equal(rf_text_append_char(&out, '\0', &yaml->err), RF_OK);
    assert_string_equal(out.data, wanted);
    rf_text_free(&out);
    fixture_close(yaml);
}

static void test_rf_yaml_write_json(void **state)
{
    (void)state;
    json_is("a: 1\nb: [x, 2.50, true, null, ~, ]\nc: {d: 'e', \"f\": \"g\\n\\u00e9\"}\n",
            "{\"a\":1,\"b\":[\"x\",2.50,true,null,null],\"c\":{\"d\":\"e\",\"f\":\"g\\n\xC3\xA9\"}}");
    json_is("- |\n  x\n  y\n- >\n  x\n  y\n", "[\"x\\ny\\n\",\"x y\\n\"]");
    /* What JSON does not call a number is none; quotes and !!str make texts. */
    json_is("[007, +1, .5, 1., 0x1f, .inf, 1e400, -0, '5', !!str 6, True, yes]",
            "[\"007\",\"+1\",\".5\",\"1.\",\"0x1f\",\".inf\",1e400,-0,\"5\",\"6\",true,\"yes\"]");
    json_is("a: &x [1, &y 2]\nb: *x\nc: *y\n", "{\"a\":[1,2],\"b\":[1,2],\"c\":2}");
    json_is("a:\nb: ''\n", "{\"a\":null,\"b\":\"\"}");
    json_is("\xEF\xBB\xBF" "a: 1\r\nb: 2\r\n", "{\"a\":1,\"b\":2}");
    json_is("plain", "\"plain\"");
}

/* Each escape is a piece of its own to the parser, which takes memory for more than a few: none of it may be lost. */
static void test_rf_yaml_read_escapes(void **state)
{
    enum { ESCAPES = 1000 };
    static char source[4 * ESCAPES + 16];
    static const char *const escape[] = {"''", "\\n", "\\\""};
    static const char *const quote[] = {"'", "\"", "\""};
    static const char decoded[] = {'\'', '\n', '"'};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        size_t used = (size_t)snprintf(source, sizeof source, "a: %s", quote[i]);
        for (int k = 0; k < ESCAPES; k++) {
            used += (size_t)snprintf(source + used, sizeof source - used, "%sx", escape[i]);
        }
        (void)snprintf(source + used, sizeof source - used, "%s\n", quote[i]);
        struct fixture_yaml *yaml = reads(source);
        const struct rf_str text = yaml->root->first_child->text;
        assert_int_equal(text.count, 2 * ESCAPES);
        for (size_t k = 0; k < text.count; k++) {
            assert_int_equal(text.data[k], k % 2 == 0 ? decoded[i] : 'x');
        }
        fixture_close(yaml);
    }
}

static void test_rf_yaml_find(void **state)
{
    struct fixture_yaml *yaml = reads("a: 1\nbcd: [2, 3]\n");
    (void)state;
    const struct rf_yaml_node *node = rf_yaml_find(yaml->root, RF_STR("bcd"));
    assert_non_null(node);
    assert_int_equal(node->kind, RF_YAML_SEQUENCE);
    assert_int_equal(node->children, 2);
    assert_int_equal(node->size, 3);
    assert_int_equal(node->depth, 2);
    assert_int_equal(node->key_begin, 5);
    assert_int_equal(node->key_end, 8);
    assert_int_equal(node->begin, 10);
    assert_int_equal(node->first_child->next->begin, 14);
    assert_null(rf_yaml_find(yaml->root, RF_STR("x")));
    fixture_close(yaml);
}

static void test_rf_yaml_scalars(void **state)
{
    static const struct {
        const char *source;
        const char *noun;
        bool is_null, is_bool, is_true, is_number;
    } row[] = {
        {"- ~", "nothing", true, false, false, false}, {"- null", "nothing", true, false, false, false},
        {"-", "nothing", true, false, false, false},   {"- true", "true", false, true, true, false},
        {"- FALSE", "false", false, true, false, false}, {"- -1.5e3", "a number", false, false, false, true},
        {"- '1'", "a text", false, false, false, false}, {"- 'null'", "a text", false, false, false, false},
        {"- \"true\"", "a text", false, false, false, false}, {"- []", "a list", false, false, false, false},
        {"- {}", "a mapping", false, false, false, false}, {"- |\n  1", "a text", false, false, false, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct fixture_yaml *yaml = reads(row[i].source);
        const struct rf_yaml_node *node = yaml->root->first_child;
        bool value;
        assert_string_equal(rf_yaml_noun(node), row[i].noun);
        assert_int_equal(rf_yaml_is_null(node), row[i].is_null);
        assert_int_equal(rf_yaml_bool(node, &value), row[i].is_bool);
        assert_int_equal(value, row[i].is_true);
        assert_int_equal(rf_yaml_is_number(node), row[i].is_number);
        fixture_close(yaml);
    }
}

static void refused(const char *source, const char *problems)
{
    struct fixture_yaml *yaml = fixture_read(rf_str_of(source), NULL);
    fixture_problems_are(&yaml->problems, problems);
    assert_int_equal(yaml->status, RF_E_CONFIG);
    fixture_close(yaml);
}

static void test_rf_yaml_read_refuses(void **state)
{
    (void)state;
    refused("a: 1\nb: 2\na: 3\na: 4\n", "3:1 the key 'a' is there twice: first at 1:1\n4:1 the key 'a' is there twice: first at 1:1\n");
    refused("a: 1\n---\nb: 2\n", "2:1 a second document: one file has one\n");
    refused("a: *b\n", "1:4 there is no anchor 'b' before this alias\n");
    refused("a: &b [1, *b]\n", "1:11 the alias 'b' stands inside of what it stands for\n");
    refused("? [a]\n: 1\n", "1:3 a key must be a text, not a list\n");
    refused("a: !!int 5\n", "1:10 the tag 'tag:yaml.org,2002:int' is not allowed: only !!str is; a text that begins with ! stands in quotes\n");
    refused("a: \"\xff\"\n", "1:5 the byte 0xff here is no UTF-8\n");
    refused("a: \x01\n", "1:4 the control byte 0x01 is not allowed here\n");
    refused("a: &x {b: 1}\n? *x\n: 2\n", "2:3 a key must be a text\n");
}

/* Accepted by the parser, which then has no text for it. */
static void test_rf_yaml_read_blanks(void **state)
{
    (void)state;
    refused("a: |\n     ", "2:1 this text cannot be read\n");
    json_is("a: |\n     \n", "{\"a\":\"\"}");
}

/* The texts are the parser's own; the places are what matters. */
static void test_rf_yaml_read_syntax(void **state)
{
    static const struct {
        const char *source;
        uint32_t line;
    } row[] = {{"a: [1, 2\nb: 3\n", 3}, {"a: 'x\n", 1}, {"a: b: c\n", 1}, {"a: 1\n b: 2\n", 1}, {"a: @x\n", 1}};
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct fixture_yaml *yaml = fixture_read(rf_str_of(row[i].source), NULL);
        assert_int_equal(yaml->status, RF_E_CONFIG);
        assert_null(yaml->root);
        assert_int_equal(yaml->problems.items, 1);
        if (yaml->problems.item[0].line != row[i].line) {
            fail_msg("%s: %u:%u %s", row[i].source, yaml->problems.item[0].line, yaml->problems.item[0].column,
                     yaml->problems.item[0].text);
        }
        fixture_close(yaml);
    }
}

static void test_rf_yaml_read_empty(void **state)
{
    static const char *const source[] = {"", "\n", "# nothing\n"};
    (void)state;
    for (size_t i = 0; i < sizeof source / sizeof source[0]; i++) {
        struct fixture_yaml *yaml = reads(source[i]);
        assert_null(yaml->root);
        fixture_close(yaml);
    }
}

static void bounded(struct rf_str source, struct rf_yaml_limits limits, const char *problem)
{
    struct fixture_yaml *yaml = fixture_read(source, &limits);
    fixture_problems_are(&yaml->problems, problem);
    assert_int_equal(yaml->status, problem[0] == '\0' ? RF_OK : RF_E_CONFIG);
    fixture_close(yaml);
}

static void test_rf_yaml_read_bounds(void **state)
{
    const struct rf_yaml_limits few = {.bytes_max = 20, .depth_max = 3, .nodes_max = 6, .anchors_max = 2};
    (void)state;
    bounded(RF_STR("a: 34567890123456\n#"), few, "");
    bounded(RF_STR("a: 345678901234567\n#"), few, "");
    bounded(RF_STR("a: 3456789012345678\n#"), few, "1:1 the file is longer than 20 bytes\n");
    bounded(RF_STR("[[1]]"), few, "");
    bounded(RF_STR("[[[1]]]"), few, "");
    bounded(RF_STR("[[[[1]]]]"), few, "1:4 nested deeper than 3 levels\n");
    bounded(RF_STR("[1,2,3,4]"), few, "");
    bounded(RF_STR("[1,2,3,4,5]"), few, "");
    bounded(RF_STR("[1,2,3,4,5,6]"), few, "1:12 more than 6 values (an alias counts as often as what it stands for)\n");
    bounded(RF_STR("[&a 1,2]"), few, "");
    bounded(RF_STR("[&a 1,&b 2]"), few, "");
    bounded(RF_STR("[&a 1,&b 2,&c 3]"), few, "1:15 more than 2 anchors\n");
    /* An alias counts as what it stands for: 2 of the list around, 2 and 2. */
    bounded(RF_STR("[&a [1],*a]"), few, "");
    bounded(RF_STR("[&a [1],*a,*a]"), few, "1:12 more than 6 values (an alias counts as often as what it stands for)\n");
    bounded(RF_STR("[&a [[1]], [*a]]"), few, "1:13 nested deeper than 3 levels\n");
}

/* Aliases of aliases: a line doubles what the line before stands for. */
static void test_rf_yaml_read_laughs(void **state)
{
    struct rf_text source = {0};
    struct rf_error err;
    (void)state;
    assert_int_equal(rf_text_append(&source, RF_STR("a0: &a0 [1]\n"), &err), RF_OK);
    for (int i = 1; i < 30; i++) {
        assert_int_equal(rf_text_printf(&source, &err, "a%d: &a%d [*a%d,*a%d]\n", i, i, i - 1, i - 1), RF_OK);
    }
    struct fixture_yaml *yaml = fixture_read(rf_text_str(&source), NULL);
    assert_int_equal(yaml->status, RF_E_CONFIG);
    assert_int_equal(yaml->problems.items, 1);
    assert_non_null(strstr(yaml->problems.item[0].text, "more than 4194304 values"));
    fixture_close(yaml);
    rf_text_free(&source);
}

/* Brackets without end are refused at the bound, long before they could nest anything else. */
static void test_rf_yaml_read_brackets(void **state)
{
    enum { BRACKETS = 100000 };
    static const char bracket[] = {'[', '{', '-', '?'};
    char *source = malloc(2 * BRACKETS);
    (void)state;
    assert_non_null(source);
    for (size_t b = 0; b < sizeof bracket; b++) {
        for (size_t i = 0; i < BRACKETS; i++) {
            source[2 * i] = bracket[b];
            source[2 * i + 1] = ' ';
        }
        struct fixture_yaml *yaml = fixture_read((struct rf_str){source, 2 * BRACKETS}, NULL);
        assert_int_equal(yaml->status, RF_E_CONFIG);
        assert_null(yaml->root);
        fixture_close(yaml);
    }
    free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_yaml_write_json),    cmocka_unit_test(test_rf_yaml_find),
        cmocka_unit_test(test_rf_yaml_scalars),       cmocka_unit_test(test_rf_yaml_read_refuses),
        cmocka_unit_test(test_rf_yaml_read_syntax),   cmocka_unit_test(test_rf_yaml_read_empty),
        cmocka_unit_test(test_rf_yaml_read_bounds),   cmocka_unit_test(test_rf_yaml_read_laughs),
        cmocka_unit_test(test_rf_yaml_read_brackets), cmocka_unit_test(test_rf_yaml_read_escapes),
        cmocka_unit_test(test_rf_yaml_read_blanks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
