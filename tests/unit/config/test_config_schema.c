#include "config_fixture.h"

#include <stddef.h>

#include "config.h"

struct part {
    struct rf_config_object object;
    struct rf_config_list values;
    uint32_t color;
};

struct whole {
    struct rf_config_object object;
    struct rf_config_text name;
    int64_t wait;
    struct rf_config_list parts;
    const struct rf_yaml_node *any;
};

static const struct rf_config_field field[] = {
    {"name", RF_CONFIG_TEXT, RF_CONFIG_ANY, 0, offsetof(struct whole, name), true, false, "", 1, 5, "", "A \"name\"."},
    {"wait", RF_CONFIG_DURATION, RF_CONFIG_ANY, 0, offsetof(struct whole, wait), false, false, "", 1, 5000000000, "1s", "How long."},
    {"parts", RF_CONFIG_MAP, RF_CONFIG_OBJECT, 1, offsetof(struct whole, parts), false, false, "", 0, 3, "", "Parts."},
    {"any", RF_CONFIG_ANY, RF_CONFIG_ANY, 0, offsetof(struct whole, any), false, false, "", 0, 0, "", "Anything."},
    {"values", RF_CONFIG_LIST, RF_CONFIG_INTEGER, 0, offsetof(struct part, values), false, true, "", 1, 9, "", "Values."},
    {"color", RF_CONFIG_CHOICE, RF_CONFIG_ANY, 0, offsetof(struct part, color), false, false, "red|green", 0, 0, "red", "a|b"},
};

static const struct rf_config_shape shape[] = {
    {"whole", "All of it.", sizeof(struct whole), _Alignof(struct whole), 0, 4},
    {"small part", "A part.", sizeof(struct part), _Alignof(struct part), 4, 6},
};

static const struct rf_config_table table = {"test", "a test", shape, 2, field, sizeof field / sizeof field[0]};

static void text_is(const struct rf_text *text, const char *wanted)
{
    if (!rf_str_equal(rf_text_str(text), rf_str_of(wanted))) {
        fail_msg("%.*s", RF_STR_ARG(rf_text_str(text)));
    }
}

static void test_rf_config_schema(void **state)
{
    struct rf_text out = {0};
    struct rf_error err;
    (void)state;
    assert_int_equal(rf_config_schema(&table, &out, &err), RF_OK);
    text_is(&out,
            "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\n\"title\":\"a test\",\n"
            "\"type\":\"object\",\"description\":\"All of it.\",\"additionalProperties\":false,\"properties\":{\n"
            "  \"name\":{\"type\":[\"string\",\"number\",\"boolean\"],\"minLength\":1,\"maxLength\":5,\"description\":\"A "
            "\\\"name\\\".\"},\n"
            "  \"wait\":{\"type\":\"string\",\"pattern\":\"^[-+]?(0|([0-9]+\\\\.?[0-9]*|\\\\.[0-9]+)(h|m|s|ms|us|\xC2\xB5s|ns))+$\","
            "\"description\":\"How long.\"},\n"
            "  \"parts\":{\"type\":\"object\",\"minProperties\":0,\"maxProperties\":3,\"additionalProperties\":{\"$ref\":\"#/$defs/"
            "small_part\"},\"description\":\"Parts.\"},\n"
            "  \"any\":{\"description\":\"Anything.\"}},\"required\":[\"name\"],\n\"$defs\":{\n"
            " \"small_part\":{\"anyOf\":[{\"type\":\"array\",\"minItems\":1,\"maxItems\":9,\"items\":{\"type\":\"integer\"},"
            "\"description\":\"Values.\"},{\"type\":\"object\",\"description\":\"A part.\",\"additionalProperties\":false,"
            "\"properties\":{\n"
            "  \"values\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":9,\"items\":{\"type\":\"integer\"},\"description\":\"Values.\"},\n"
            "  \"color\":{\"enum\":[\"red\",\"green\"],\"description\":\"a|b\"}}}]}}}\n");
    rf_text_free(&out);
}

/* It is JSON: YAML reads that too. */
static void test_rf_config_schema_is_json(void **state)
{
    struct rf_text out = {0};
    struct rf_error err;
    (void)state;
    assert_int_equal(rf_config_schema(&table, &out, &err), RF_OK);
    struct fixture_yaml *yaml = fixture_read(rf_text_str(&out), NULL);
    fixture_problems_are(&yaml->problems, "");
    assert_int_equal(rf_yaml_find(rf_yaml_find(yaml->root, RF_STR("properties")), RF_STR("wait"))->children, 3);
    fixture_close(yaml);
    rf_text_free(&out);
}

static void test_rf_config_document(void **state)
{
    struct rf_text out = {0};
    struct rf_error err;
    (void)state;
    assert_int_equal(rf_config_document(&table, &out, &err), RF_OK);
    text_is(&out, "### whole\n\nAll of it.\n\n| key | value | default | meaning |\n|---|---|---|---|\n"
                  "| `name` | text | required | A \"name\". |\n"
                  "| `wait` | duration, 0.000000001s to 5s | 1s | How long. |\n"
                  "| `parts` | map of name to small part, at most 3 | none | Parts. |\n"
                  "| `any` | any value | none | Anything. |\n\n"
                  "### small part\n\nA part.\n\n| key | value | default | meaning |\n|---|---|---|---|\n"
                  "| `values` | list of integer, 1 to 9 | none | Values. |\n"
                  "| `color` | red or green | red | a\\|b |\n\n");
    rf_text_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_config_schema),
        cmocka_unit_test(test_rf_config_schema_is_json),
        cmocka_unit_test(test_rf_config_document),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
