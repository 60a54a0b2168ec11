/* Values as text: JSON and CSV (value.h). */
#include "value.h"

#include <assert.h>
#include <math.h>

#include "base64.h"
#include "duration.h"
#include "json_text.h"

_Static_assert((int)RF_INSTANT_TEXT_MAX <= (int)RF_VALUE_TEXT_MAX &&
                   (int)RF_DURATION_TEXT_MAX <= (int)RF_VALUE_TEXT_MAX &&
                   (int)RF_CIDR_TEXT_MAX <= (int)RF_VALUE_TEXT_MAX,
               "every such text fits");

size_t rf_value_text(struct rf_value value, char text[RF_VALUE_TEXT_MAX])
{
    switch (value.type) {
    case RF_TYPE_TIMESTAMP:
        return rf_instant_write(rf_value_to_instant(value), text);
    case RF_TYPE_DURATION:
        return rf_duration_write(value.exact.as.i, text);
    case RF_TYPE_IP:
        return rf_ip_write(value.net->ip, text);
    default:
        assert(value.type == RF_TYPE_CIDR);
        return rf_cidr_write(*value.net, text);
    }
}

static enum rf_status write_number(struct rf_text *out, struct rf_value value, bool is_json, struct rf_error *err)
{
    if (value.is_message && value.text.count != 0) {
        return rf_text_append(out, value.text, err);
    }
    char digits[RF_NUMBER_TEXT_MAX];
    size_t count = 0;
    switch (value.exact.kind) {
    case RF_NUMBER_INT:
        count = rf_int_to_text(value.exact.as.i, digits);
        break;
    case RF_NUMBER_UINT:
        count = rf_uint_to_text(value.exact.as.u, digits);
        break;
    case RF_NUMBER_DOUBLE: {
        const double d = value.exact.as.d;
        if (!isfinite(d)) { /* JSON has no such numbers: their names, as protobuf's JSON mapping writes them */
            const char *name = isnan(d) ? "NaN" : d > 0 ? "Infinity" : "-Infinity";
            return rf_text_printf(out, err, is_json ? "\"%s\"" : "%s", name);
        }
        count = rf_double_to_text(d, digits);
        break;
    }
    }
    return rf_text_append(out, (struct rf_str){digits, count}, err);
}

/* Everything but lists and maps. */
static enum rf_status write_plain(struct rf_text *out, struct rf_value value, struct rf_error *err)
{
    assert(value.type != RF_TYPE_ERROR);
    switch (value.type) {
    case RF_TYPE_NULL:
        return rf_text_append(out, RF_STR("null"), err);
    case RF_TYPE_BOOL:
        return rf_text_append(out, value.boolean ? RF_STR("true") : RF_STR("false"), err);
    case RF_TYPE_INT:
    case RF_TYPE_UINT:
    case RF_TYPE_DOUBLE:
        return write_number(out, value, true, err);
    case RF_TYPE_STRING:
        return rf_json_quote(out, value.text, err);
    case RF_TYPE_BYTES:
        RF_TRY(rf_text_append_char(out, '"', err));
        RF_TRY(rf_base64_append(out, value.text, err));
        return rf_text_append_char(out, '"', err);
    case RF_TYPE_TYPE:
        return rf_json_quote(out, value.text, err);
    case RF_TYPE_TIMESTAMP:
    case RF_TYPE_DURATION:
    case RF_TYPE_IP:
    case RF_TYPE_CIDR: {
        char text[RF_VALUE_TEXT_MAX];
        return rf_text_printf(out, err, "\"%.*s\"", (int)rf_value_text(value, text), text);
    }
    default:
        RF_FAIL(err, RF_E_USAGE, "a value of type %s has no text", rf_type_name(value.type));
    }
}

/* JSON has string keys only: others are written as the string of their literal. */
static enum rf_status write_key(struct rf_text *out, struct rf_value key, struct rf_error *err)
{
    if (key.type == RF_TYPE_STRING) {
        return rf_json_quote(out, key.text, err);
    }
    RF_TRY(rf_text_append_char(out, '"', err));
    RF_TRY(write_plain(out, key, err));
    return rf_text_append_char(out, '"', err);
}

struct write_frame {
    const struct rf_list *list; /* or NULL: a map */
    const struct rf_map *map;
    size_t next;
};

static enum rf_status write_container(struct rf_text *out, struct rf_value value, struct rf_error *err)
{
    struct write_frame stack[RF_VALUE_DEPTH_MAX];
    size_t depth = 0;
    for (;;) {
        for (uint32_t i = 0; value.type == RF_TYPE_OPTIONAL; i++) {
            if (i == RF_VALUE_DEPTH_MAX) {
                RF_FAIL(err, RF_E_LIMIT, "a value is nested deeper than %d levels", RF_VALUE_DEPTH_MAX);
            }
            value = value.inner == NULL ? rf_value_null() : *value.inner;
        }
        const bool is_list = value.type == RF_TYPE_LIST;
        if (is_list || value.type == RF_TYPE_MAP) {
            if (depth == RF_VALUE_DEPTH_MAX) {
                RF_FAIL(err, RF_E_LIMIT, "a value is nested deeper than %d levels", RF_VALUE_DEPTH_MAX);
            }
            stack[depth++] =
                is_list ? (struct write_frame){.list = value.list} : (struct write_frame){.map = value.map};
            RF_TRY(rf_text_append_char(out, is_list ? '[' : '{', err));
        } else {
            RF_TRY(write_plain(out, value, err));
        }
        if (depth == 0) {
            return RF_OK;
        }
        struct write_frame *frame = &stack[depth - 1];
        while (frame->next == (frame->list != NULL ? frame->list->count : frame->map->count)) {
            RF_TRY(rf_text_append_char(out, frame->list != NULL ? ']' : '}', err));
            if (--depth == 0) {
                return RF_OK;
            }
            frame = &stack[depth - 1];
        }
        if (frame->next != 0) {
            RF_TRY(rf_text_append_char(out, ',', err));
        }
        const size_t i = frame->next++;
        if (frame->list != NULL) {
            value = frame->list->item[i];
        } else {
            RF_TRY(write_key(out, frame->map->entry[i].key, err));
            RF_TRY(rf_text_append_char(out, ':', err));
            value = frame->map->entry[i].value;
        }
    }
}

enum rf_status rf_value_write_json(struct rf_text *out, struct rf_value value, struct rf_error *err)
{
    if (value.type == RF_TYPE_LIST || value.type == RF_TYPE_MAP || value.type == RF_TYPE_OPTIONAL) {
        return write_container(out, value, err);
    }
    return write_plain(out, value, err);
}

/* Quotes the text behind `begin` where RFC 4180 asks for it: in place, from the end. */
static enum rf_status quote_csv(struct rf_text *out, size_t begin, struct rf_error *err)
{
    size_t quotes = 0;
    bool is_quoted = out->count == begin; /* "" is the empty string, no text at all is null */
    for (size_t i = begin; i < out->count; i++) {
        const char c = out->data[i];
        quotes += c == '"' ? 1 : 0;
        is_quoted = is_quoted || c == '"' || c == ',' || c == '\r' || c == '\n';
    }
    if (!is_quoted) {
        return RF_OK;
    }
    RF_TRY(rf_text_reserve(out, quotes + 2, err));
    size_t from = out->count;
    size_t to = out->count + quotes + 2;
    out->count = to;
    out->data[--to] = '"';
    while (from > begin) {
        const char c = out->data[--from];
        out->data[--to] = c;
        if (c == '"') {
            out->data[--to] = '"';
        }
    }
    out->data[--to] = '"';
    assert(to == begin);
    return RF_OK;
}

enum rf_status rf_value_write_csv(struct rf_text *out, struct rf_value value, struct rf_error *err)
{
    const size_t begin = out->count;
    for (uint32_t i = 0; value.type == RF_TYPE_OPTIONAL && i < RF_VALUE_DEPTH_MAX; i++) {
        value = value.inner == NULL ? rf_value_null() : *value.inner;
    }
    switch (value.type) {
    case RF_TYPE_NULL:
        return RF_OK;
    case RF_TYPE_INT:
    case RF_TYPE_UINT:
    case RF_TYPE_DOUBLE:
        return write_number(out, value, false, err);
    case RF_TYPE_STRING:
        RF_TRY(rf_text_append(out, value.text, err));
        return quote_csv(out, begin, err);
    case RF_TYPE_BYTES:
        RF_TRY(rf_base64_append(out, value.text, err));
        return quote_csv(out, begin, err);
    case RF_TYPE_TYPE:
        return rf_text_append(out, value.text, err);
    case RF_TYPE_TIMESTAMP:
    case RF_TYPE_DURATION:
    case RF_TYPE_IP:
    case RF_TYPE_CIDR: {
        char text[RF_VALUE_TEXT_MAX];
        return rf_text_append(out, (struct rf_str){text, rf_value_text(value, text)}, err);
    }
    default:
        RF_TRY(rf_value_write_json(out, value, err));
        return quote_csv(out, begin, err);
    }
}
