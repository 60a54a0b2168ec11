/* yaml_value.c: what a scalar of yaml.h is, and nodes as JSON. */
#include <ctype.h>

#include "json_text.h"
#include "number.h"
#include "yaml.h"

static bool scalar_is(const struct rf_yaml_node *node, const char *const *word, size_t words)
{
    if (node->kind != RF_YAML_SCALAR || node->style != RF_YAML_PLAIN) {
        return false;
    }
    for (size_t i = 0; i < words; i++) {
        if (rf_str_equal(node->text, rf_str_of(word[i]))) {
            return true;
        }
    }
    return false;
}

bool rf_yaml_is_null(const struct rf_yaml_node *node)
{
    static const char *const word[] = {"", "~", "null", "Null", "NULL"};
    return scalar_is(node, word, sizeof word / sizeof word[0]);
}

bool rf_yaml_bool(const struct rf_yaml_node *node, bool *value)
{
    static const char *const word[2][3] = {{"false", "False", "FALSE"}, {"true", "True", "TRUE"}};
    *value = scalar_is(node, word[1], 3);
    return *value || scalar_is(node, word[0], 3);
}

bool rf_yaml_is_number(const struct rf_yaml_node *node)
{
    return node->kind == RF_YAML_SCALAR && node->style == RF_YAML_PLAIN && rf_number_is_json(node->text);
}

static size_t digits_count(struct rf_str text, size_t at)
{
    size_t end = at;
    while (end < text.count && ((text.data[end] >= '0' && text.data[end] <= '9') || (end > at && text.data[end] == '_'))) {
        end++;
    }
    return end - at;
}

/* Behind a sign: digits with a point, an exponent and '_' between them, or 0x, 0o and 0b. */
static bool text_is_numeral(struct rf_str text)
{
    size_t at = text.count != 0 && (text.data[0] == '+' || text.data[0] == '-') ? 1 : 0;
    if (at + 2 < text.count && text.data[at] == '0' && strchr("xob", text.data[at + 1] | 0x20) != NULL) {
        size_t end = at + 2;
        while (end < text.count && (isxdigit((unsigned char)text.data[end]) || text.data[end] == '_')) {
            end++;
        }
        return end == text.count;
    }
    size_t digits = digits_count(text, at);
    at += digits;
    if (at < text.count && text.data[at] == '.') {
        const size_t decimals = digits_count(text, at + 1);
        digits += decimals;
        at += 1 + decimals;
    }
    if (digits != 0 && at < text.count && (text.data[at] | 0x20) == 'e') {
        at += at + 1 < text.count && (text.data[at + 1] == '+' || text.data[at + 1] == '-') ? 2 : 1;
        const size_t exponent = digits_count(text, at);
        return exponent != 0 && at + exponent == text.count;
    }
    return digits != 0 && at == text.count;
}

bool rf_yaml_is_doubtful(const struct rf_yaml_node *node)
{
    return node->kind == RF_YAML_SCALAR && node->style == RF_YAML_PLAIN && !rf_number_is_json(node->text) &&
           text_is_numeral(node->text);
}

const char *rf_yaml_noun(const struct rf_yaml_node *node)
{
    bool value;
    switch (node->kind) {
    case RF_YAML_SEQUENCE:
        return "a list";
    case RF_YAML_MAPPING:
        return "a mapping";
    default:
        break;
    }
    if (rf_yaml_is_null(node)) {
        return "nothing";
    }
    if (rf_yaml_bool(node, &value)) {
        return value ? "true" : "false";
    }
    return rf_yaml_is_number(node) ? "a number" : "a text";
}

static enum rf_status scalar_write(const struct rf_yaml_node *node, struct rf_text *out, struct rf_error *err)
{
    bool value;
    if (rf_yaml_is_null(node)) {
        return rf_text_append(out, RF_STR("null"), err);
    }
    if (rf_yaml_bool(node, &value)) {
        return rf_text_append(out, value ? RF_STR("true") : RF_STR("false"), err);
    }
    return rf_yaml_is_number(node) ? rf_text_append(out, node->text, err) : rf_json_quote(out, node->text, err);
}

/* Recursion is bounded by RF_YAML_DEPTH_MAX, the output by RF_YAML_NODES_MAX values. */
enum rf_status rf_yaml_write_json(const struct rf_yaml_node *node, struct rf_text *out, struct rf_error *err)
{
    if (node->kind == RF_YAML_SCALAR) {
        return scalar_write(node, out, err);
    }
    const bool is_mapping = node->kind == RF_YAML_MAPPING;
    RF_TRY(rf_text_append_char(out, is_mapping ? '{' : '[', err));
    for (const struct rf_yaml_node *child = node->first_child; child != NULL; child = child->next) {
        if (child != node->first_child) {
            RF_TRY(rf_text_append_char(out, ',', err));
        }
        if (is_mapping) {
            RF_TRY(rf_json_quote(out, child->key, err));
            RF_TRY(rf_text_append_char(out, ':', err));
        }
        RF_TRY(rf_yaml_write_json(child, out, err));
    }
    return rf_text_append_char(out, is_mapping ? '}' : ']', err);
}
