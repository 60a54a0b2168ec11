/* config_schema.c: a table of fields as JSON Schema, and as tables in Markdown. */
#include <inttypes.h>

#include "config.h"
#include "duration.h"
#include "json_text.h"

/* ---- JSON Schema ---- */

static enum rf_status choices_write(const char *choices, struct rf_text *out, struct rf_error *err)
{
    struct rf_str rest = rf_str_of(choices);
    RF_TRY(rf_text_append(out, RF_STR("\"enum\":["), err));
    for (;;) {
        size_t bar = rest.count;
        const bool has_more = rf_str_find(rest, RF_STR("|"), &bar);
        RF_TRY(rf_json_quote(out, (struct rf_str){rest.data, bar}, err));
        if (!has_more) {
            return rf_text_append_char(out, ']', err);
        }
        RF_TRY(rf_text_append_char(out, ',', err));
        rest = (struct rf_str){rest.data + bar + 1, rest.count - bar - 1};
    }
}

/* The name of an object among $defs, where a space would have to be escaped in references. */
static enum rf_status shape_name(const struct rf_config_shape *shape, struct rf_text *out, struct rf_error *err)
{
    for (const char *c = shape->name; *c != '\0'; c++) {
        RF_TRY(rf_text_append_char(out, *c == ' ' ? '_' : *c, err));
    }
    return RF_OK;
}

/* The members of the schema of a value, without braces. Bounds are of the field's own kind, not of its items. */
static enum rf_status value_schema(const struct rf_config_table *table, const struct rf_config_field *field,
                                   enum rf_config_kind kind, struct rf_text *out, struct rf_error *err)
{
    const bool is_own = field->kind == kind;
    switch (kind) {
    case RF_CONFIG_TEXT:
    case RF_CONFIG_EXPRESSION:
        /* YAML writes texts without quotes, so that what looks like a number or a bool may be meant as a text. */
        RF_TRY(rf_text_append(out, RF_STR("\"type\":[\"string\",\"number\",\"boolean\"]"), err));
        return is_own ? rf_text_printf(out, err, ",\"minLength\":%" PRId64 ",\"maxLength\":%" PRId64, field->low, field->high)
                      : RF_OK;
    case RF_CONFIG_INTEGER:
    case RF_CONFIG_DOUBLE:
        RF_TRY(rf_text_printf(out, err, "\"type\":\"%s\"", kind == RF_CONFIG_INTEGER ? "integer" : "number"));
        return is_own ? rf_text_printf(out, err, ",\"minimum\":%" PRId64 ",\"maximum\":%" PRId64, field->low, field->high)
                      : RF_OK;
    case RF_CONFIG_BOOL:
        return rf_text_append(out, RF_STR("\"type\":\"boolean\""), err);
    case RF_CONFIG_DURATION:
        return rf_text_append(out,
                              RF_STR("\"type\":\"string\",\"pattern\":\"^[-+]?(0|([0-9]+\\\\.?[0-9]*|\\\\.[0-9]+)"
                                     "(h|m|s|ms|us|µs|ns))+$\""),
                              err);
    case RF_CONFIG_CHOICE:
        return choices_write(field->choices, out, err);
    case RF_CONFIG_LIST:
    case RF_CONFIG_MAP:
        RF_TRY(rf_text_printf(out, err, "\"type\":\"%s\",\"%s\":%" PRId64 ",\"%s\":%" PRId64 ",\"%s\":{",
                              kind == RF_CONFIG_LIST ? "array" : "object",
                              kind == RF_CONFIG_LIST ? "minItems" : "minProperties", field->low,
                              kind == RF_CONFIG_LIST ? "maxItems" : "maxProperties", field->high,
                              kind == RF_CONFIG_LIST ? "items" : "additionalProperties"));
        RF_TRY(value_schema(table, field, field->of, out, err));
        return rf_text_append_char(out, '}', err);
    case RF_CONFIG_OBJECT:
        RF_TRY(rf_text_append(out, RF_STR("\"$ref\":\"#/$defs/"), err));
        RF_TRY(shape_name(&table->shape[field->object], out, err));
        return rf_text_append_char(out, '"', err);
    default:
        return RF_OK;
    }
}

static enum rf_status field_schema(const struct rf_config_table *table, const struct rf_config_field *field,
                                   struct rf_text *out, struct rf_error *err)
{
    RF_TRY(rf_text_append_char(out, '{', err));
    const size_t begin = out->count;
    RF_TRY(value_schema(table, field, field->kind, out, err));
    RF_TRY(rf_text_append(out, out->count == begin ? RF_STR("\"description\":") : RF_STR(",\"description\":"), err));
    RF_TRY(rf_json_quote(out, rf_str_of(field->help), err));
    return rf_text_append_char(out, '}', err);
}

static enum rf_status object_schema(const struct rf_config_table *table, const struct rf_config_shape *shape,
                                    struct rf_text *out, struct rf_error *err)
{
    bool is_first = true;
    RF_TRY(rf_text_append(out, RF_STR("\"type\":\"object\",\"description\":"), err));
    RF_TRY(rf_json_quote(out, rf_str_of(shape->help), err));
    RF_TRY(rf_text_append(out, RF_STR(",\"additionalProperties\":false,\"properties\":{"), err));
    for (uint32_t f = shape->field_begin; f < shape->field_end; f++) {
        RF_TRY(rf_text_append(out, f == shape->field_begin ? RF_STR("\n  ") : RF_STR(",\n  "), err));
        RF_TRY(rf_json_quote(out, rf_str_of(table->field[f].key), err));
        RF_TRY(rf_text_append_char(out, ':', err));
        RF_TRY(field_schema(table, &table->field[f], out, err));
    }
    RF_TRY(rf_text_append_char(out, '}', err));
    for (uint32_t f = shape->field_begin; f < shape->field_end; f++) {
        if (table->field[f].is_required) {
            RF_TRY(rf_text_append(out, is_first ? RF_STR(",\"required\":[") : RF_STR(","), err));
            RF_TRY(rf_json_quote(out, rf_str_of(table->field[f].key), err));
            is_first = false;
        }
    }
    return is_first ? RF_OK : rf_text_append_char(out, ']', err);
}

static const struct rf_config_field *short_field(const struct rf_config_table *table,
                                                 const struct rf_config_shape *shape)
{
    for (uint32_t f = shape->field_begin; f < shape->field_end; f++) {
        if (table->field[f].is_short) {
            return &table->field[f];
        }
    }
    return NULL;
}

enum rf_status rf_config_schema(const struct rf_config_table *table, struct rf_text *out, struct rf_error *err)
{
    RF_TRY(rf_text_append(out, RF_STR("{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\n\"title\":"), err));
    RF_TRY(rf_json_quote(out, rf_str_of(table->title), err));
    RF_TRY(rf_text_append(out, RF_STR(",\n"), err));
    RF_TRY(object_schema(table, &table->shape[0], out, err));
    RF_TRY(rf_text_append(out, RF_STR(",\n\"$defs\":{"), err));
    for (uint32_t s = 1; s < table->shapes; s++) {
        const struct rf_config_shape *shape = &table->shape[s];
        const struct rf_config_field *only = short_field(table, shape);
        RF_TRY(rf_text_append(out, s == 1 ? RF_STR("\n \"") : RF_STR(",\n \""), err));
        RF_TRY(shape_name(shape, out, err));
        RF_TRY(rf_text_append(out, only == NULL ? RF_STR("\":{") : RF_STR("\":{\"anyOf\":["), err));
        if (only != NULL) {
            RF_TRY(field_schema(table, only, out, err));
            RF_TRY(rf_text_append(out, RF_STR(",{"), err));
        }
        RF_TRY(object_schema(table, shape, out, err));
        RF_TRY(rf_text_append(out, only == NULL ? RF_STR("}") : RF_STR("}]}"), err));
    }
    return rf_text_append(out, RF_STR("}}\n"), err);
}

/* ---- Markdown ---- */

static enum rf_status kind_write(const struct rf_config_table *table, const struct rf_config_field *field,
                                 enum rf_config_kind kind, struct rf_text *out, struct rf_error *err)
{
    static const char *const noun[] = {[RF_CONFIG_TEXT] = "text",         [RF_CONFIG_EXPRESSION] = "expression",
                                       [RF_CONFIG_INTEGER] = "integer",   [RF_CONFIG_DOUBLE] = "number",
                                       [RF_CONFIG_BOOL] = "bool",         [RF_CONFIG_DURATION] = "duration",
                                       [RF_CONFIG_LIST] = "list of ",     [RF_CONFIG_MAP] = "map of name to ",
                                       [RF_CONFIG_ANY] = "any value"};
    switch (kind) {
    case RF_CONFIG_OBJECT:
        return rf_text_append(out, rf_str_of(table->shape[field->object].name), err);
    case RF_CONFIG_LIST:
    case RF_CONFIG_MAP:
        RF_TRY(rf_text_append(out, rf_str_of(noun[kind]), err));
        return kind_write(table, field, field->of, out, err);
    case RF_CONFIG_CHOICE:
        for (const char *c = field->choices; *c != '\0'; c++) {
            RF_TRY(*c == '|' ? rf_text_append(out, RF_STR(" or "), err) : rf_text_append_char(out, *c, err));
        }
        return RF_OK;
    default:
        return rf_text_append(out, rf_str_of(noun[kind]), err);
    }
}

static enum rf_status bounds_write(const struct rf_config_field *field, struct rf_text *out, struct rf_error *err)
{
    char low[RF_DURATION_TEXT_MAX];
    char high[RF_DURATION_TEXT_MAX];
    switch (field->kind) {
    case RF_CONFIG_INTEGER:
    case RF_CONFIG_DOUBLE:
        return rf_text_printf(out, err, ", %" PRId64 " to %" PRId64, field->low, field->high);
    case RF_CONFIG_DURATION:
        return rf_text_printf(out, err, ", %.*s to %.*s", (int)rf_duration_write(field->low, low), low,
                              (int)rf_duration_write(field->high, high), high);
    case RF_CONFIG_LIST:
    case RF_CONFIG_MAP:
        return rf_text_printf(out, err, ", %s%" PRId64, field->low > 0 ? "1 to " : "at most ", field->high);
    default:
        return RF_OK;
    }
}

static enum rf_status shape_document(const struct rf_config_table *table, const struct rf_config_shape *shape,
                                     struct rf_text *out, struct rf_error *err)
{
    RF_TRY(rf_text_printf(out, err, "### %s\n\n%s\n\n| key | value | default | meaning |\n|---|---|---|---|\n", shape->name,
                          shape->help));
    for (uint32_t f = shape->field_begin; f < shape->field_end; f++) {
        const struct rf_config_field *field = &table->field[f];
        RF_TRY(rf_text_printf(out, err, "| `%s` | ", field->key));
        RF_TRY(kind_write(table, field, field->kind, out, err));
        RF_TRY(bounds_write(field, out, err));
        RF_TRY(rf_text_printf(out, err, " | %s | ",
                              field->is_required ? "required" : field->standard[0] == '\0' ? "none" : field->standard));
        for (const char *c = field->help; *c != '\0'; c++) { /* a table writes | as \| */
            RF_TRY(*c == '|' ? rf_text_append(out, RF_STR("\\|"), err) : rf_text_append_char(out, *c, err));
        }
        RF_TRY(rf_text_append(out, RF_STR(" |\n"), err));
    }
    return rf_text_append_char(out, '\n', err);
}

enum rf_status rf_config_document(const struct rf_config_table *table, struct rf_text *out, struct rf_error *err)
{
    for (uint32_t s = 0; s < table->shapes; s++) {
        RF_TRY(shape_document(table, &table->shape[s], out, err));
    }
    return RF_OK;
}
