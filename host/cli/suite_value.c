#include "suite_value.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

#include "base64.h"
#include "json_text.h"

enum { SHOWN_BYTES = 40 };

/* What a message repeats of a text of the file. */
static int shown(struct rf_str text)
{
    return text.count < SHOWN_BYTES ? (int)text.count : SHOWN_BYTES;
}

/* ---- Reading ---- */

static enum rf_status value_read(struct rf_value tagged, uint32_t depth, struct rf_arena *arena, struct rf_value *out,
                                 struct rf_error *err);

#define FAIL_FULL(err) RF_FAIL((err), RF_E_LIMIT, "the values of this line need more memory than their bound allows")

/* Decimal digits behind an optional minus sign, of an integer of 64 bits; a JSON integer is as good. */
static bool integer_read(struct rf_value value, bool is_signed, int64_t *signed_out, uint64_t *unsigned_out)
{
    if (value.type != RF_TYPE_STRING && !(value.type == RF_TYPE_DOUBLE && value.is_message)) {
        return false;
    }
    const struct rf_str text = value.text;
    const bool is_negative = text.count > 0 && text.data[0] == '-';
    uint64_t number = 0;
    if (text.count == (is_negative ? 1u : 0u) || (is_negative && !is_signed)) {
        return false;
    }
    for (size_t i = is_negative ? 1 : 0; i < text.count; i++) {
        const unsigned digit = (unsigned)(unsigned char)text.data[i] - '0';
        if (digit > 9 || __builtin_mul_overflow(number, 10u, &number) ||
            __builtin_add_overflow(number, digit, &number)) {
            return false;
        }
    }
    if (!is_signed) {
        *unsigned_out = number;
        return true;
    }
    if (number > (uint64_t)INT64_MAX + (is_negative ? 1u : 0u)) {
        return false;
    }
    /* The negation goes through unsigned, which the least integer needs. */
    *signed_out = is_negative ? (int64_t)(0 - number) : (int64_t)number;
    return true;
}

static bool double_read(struct rf_value value, struct rf_value *out)
{
    static const struct {
        const char *name;
        double value;
    } names[] = {{"NaN", (double)NAN}, {"Infinity", (double)INFINITY}, {"-Infinity", -(double)INFINITY}};
    if (value.type == RF_TYPE_DOUBLE && !rf_value_is_beyond_range(value)) {
        *out = rf_value_double(rf_number_to_double(value.exact));
        return true;
    }
    for (size_t i = 0; value.type == RF_TYPE_STRING && i < sizeof names / sizeof names[0]; i++) {
        if (rf_str_equal(value.text, rf_str_of(names[i].name))) {
            *out = rf_value_double(names[i].value);
            return true;
        }
    }
    return false;
}

static enum rf_status bytes_read(struct rf_value value, struct rf_arena *arena, struct rf_value *out,
                                 struct rf_error *err)
{
    size_t count = 0;
    char *bytes = value.type == RF_TYPE_STRING ? rf_arena_push(arena, value.text.count / 4 + 1, 3, 1) : NULL;
    if (value.type == RF_TYPE_STRING && bytes == NULL) {
        FAIL_FULL(err);
    }
    if (bytes == NULL || !rf_base64_decode(value.text, bytes, &count)) {
        RF_FAIL(err, RF_E_FORMAT, "\"bytes\" is not base64");
    }
    *out = (struct rf_value){.type = RF_TYPE_BYTES, .text = {bytes, count}};
    return RF_OK;
}

static enum rf_status list_read(struct rf_value value, uint32_t depth, struct rf_arena *arena, struct rf_value *out,
                                struct rf_error *err)
{
    if (value.type != RF_TYPE_LIST) {
        RF_FAIL(err, RF_E_FORMAT, "\"list\" is no JSON list");
    }
    const size_t count = value.list->count;
    struct rf_list *list = RF_PUSH(arena, struct rf_list, 1);
    struct rf_value *item = RF_PUSH(arena, struct rf_value, count);
    if (list == NULL || item == NULL) {
        FAIL_FULL(err);
    }
    for (size_t i = 0; i < count; i++) {
        RF_TRY(value_read(value.list->item[i], depth + 1, arena, &item[i], err));
    }
    *list = (struct rf_list){.count = count, .item = item};
    *out = (struct rf_value){.type = RF_TYPE_LIST, .list = list};
    return RF_OK;
}

static enum rf_status map_read(struct rf_value value, uint32_t depth, struct rf_arena *arena, struct rf_value *out,
                               struct rf_error *err)
{
    if (value.type != RF_TYPE_LIST) {
        RF_FAIL(err, RF_E_FORMAT, "\"map\" is no JSON list of pairs");
    }
    const size_t count = value.list->count;
    struct rf_entry *entry = RF_PUSH(arena, struct rf_entry, count);
    if (entry == NULL) {
        FAIL_FULL(err);
    }
    for (size_t i = 0; i < count; i++) {
        const struct rf_value pair = value.list->item[i];
        if (pair.type != RF_TYPE_LIST || pair.list->count != 2) {
            RF_FAIL(err, RF_E_FORMAT, "an entry of \"map\" is no pair");
        }
        RF_TRY(value_read(pair.list->item[0], depth + 1, arena, &entry[i].key, err));
        RF_TRY(value_read(pair.list->item[1], depth + 1, arena, &entry[i].value, err));
        const enum rf_type type = entry[i].key.type;
        if (type != RF_TYPE_BOOL && type != RF_TYPE_INT && type != RF_TYPE_UINT && type != RF_TYPE_STRING) {
            RF_FAIL(err, RF_E_FORMAT, "a map key is an int, uint, bool or string, not %s", rf_type_name(type));
        }
    }
    bool has_twins = false;
    const struct rf_map *map = rf_map_make(arena, entry, count, RF_TWINS_REFUSED, &has_twins);
    if (map == NULL && has_twins) {
        RF_FAIL(err, RF_E_FORMAT, "two entries of \"map\" have one key");
    }
    if (map == NULL) {
        FAIL_FULL(err);
    }
    *out = (struct rf_value){.type = RF_TYPE_MAP, .map = map};
    return RF_OK;
}

/* {"seconds":"-1","nanos":5}: either may be left out, as protobuf's JSON does with zeros. */
static enum rf_status time_read(struct rf_value value, bool is_duration, struct rf_value *out, struct rf_error *err)
{
    int64_t part[2] = {0, 0};
    static const char *const name[2] = {"seconds", "nanos"};
    bool is_read = value.type == RF_TYPE_MAP;
    for (int i = 0; is_read && i < 2; i++) {
        const struct rf_entry *entry = rf_map_find(value.map, rf_value_string(rf_str_of(name[i])));
        is_read = entry == NULL || integer_read(entry->value, true, &part[i], NULL);
    }
    if (!is_read) {
        RF_FAIL(err, RF_E_FORMAT, "a time is {\"seconds\":\"integer\",\"nanos\":integer}");
    }
    if (is_duration) {
        int64_t count;
        if (__builtin_mul_overflow(part[0], RF_NANOSECONDS_PER_SECOND, &count) ||
            __builtin_add_overflow(count, part[1], &count)) {
            RF_FAIL(err, RF_E_FORMAT, "the duration is out of range");
        }
        *out = rf_value_duration(count);
        return RF_OK;
    }
    const struct rf_instant instant = {part[0], (uint32_t)part[1]};
    if (part[1] < 0 || part[1] >= RF_NANOSECONDS_PER_SECOND || !rf_instant_is_in_range(instant)) {
        RF_FAIL(err, RF_E_FORMAT, "the timestamp is out of range");
    }
    *out = rf_value_instant(instant);
    return RF_OK;
}

static enum rf_status optional_read(struct rf_value value, uint32_t depth, struct rf_arena *arena, struct rf_value *out,
                                    struct rf_error *err)
{
    struct rf_value *inner = NULL;
    if (value.type != RF_TYPE_NULL) {
        inner = RF_PUSH(arena, struct rf_value, 1);
        if (inner == NULL) {
            FAIL_FULL(err);
        }
        RF_TRY(value_read(value, depth + 1, arena, inner, err));
    }
    *out = rf_value_optional(inner);
    return RF_OK;
}

static enum rf_status net_read(struct rf_value value, bool is_range, struct rf_arena *arena, struct rf_value *out,
                               struct rf_error *err)
{
    struct rf_cidr *net = RF_PUSH(arena, struct rf_cidr, 1);
    if (net == NULL) {
        FAIL_FULL(err);
    }
    if (value.type != RF_TYPE_STRING ||
        (is_range ? rf_cidr_parse(value.text, net) : rf_ip_parse(value.text, &net->ip)) != RF_IP_OK) {
        RF_FAIL(err, RF_E_FORMAT, "\"%s\" is no such address", is_range ? "cidr" : "ip");
    }
    *out = (struct rf_value){.type = is_range ? RF_TYPE_CIDR : RF_TYPE_IP, .net = net};
    return RF_OK;
}

/* Values without members: false for another tag; *is_good says whether the value fits its tag. */
static bool plain_read(struct rf_str tag, struct rf_value value, struct rf_value *out, bool *is_good)
{
    int64_t i = 0;
    uint64_t u = 0;
    if (rf_str_equal(tag, RF_STR("null"))) {
        *is_good = value.type == RF_TYPE_NULL;
        *out = rf_value_null();
    } else if (rf_str_equal(tag, RF_STR("bool"))) {
        *is_good = value.type == RF_TYPE_BOOL;
        *out = rf_value_bool(value.boolean);
    } else if (rf_str_equal(tag, RF_STR("int"))) {
        *is_good = integer_read(value, true, &i, NULL);
        *out = rf_value_int(i);
    } else if (rf_str_equal(tag, RF_STR("uint"))) {
        *is_good = integer_read(value, false, NULL, &u);
        *out = rf_value_uint(u);
    } else if (rf_str_equal(tag, RF_STR("double"))) {
        *is_good = double_read(value, out);
    } else if (rf_str_equal(tag, RF_STR("string"))) {
        *is_good = value.type == RF_TYPE_STRING;
        *out = rf_value_string(value.text);
    } else if (rf_str_equal(tag, RF_STR("type"))) {
        *is_good = value.type == RF_TYPE_STRING;
        *out = rf_value_type_named(value.text);
    } else {
        return false;
    }
    return true;
}

static enum rf_status value_read(struct rf_value tagged, uint32_t depth, struct rf_arena *arena, struct rf_value *out,
                                 struct rf_error *err)
{
    if (depth > RF_SUITE_DEPTH_MAX) {
        RF_FAIL(err, RF_E_LIMIT, "a value is nested deeper than %d levels", RF_SUITE_DEPTH_MAX);
    }
    if (tagged.type == RF_TYPE_ERROR) {
        RF_FAIL(err, RF_E_FORMAT, "no JSON: %.*s", shown(tagged.text), tagged.text.data);
    }
    if (tagged.type != RF_TYPE_MAP || tagged.map->count != 1) {
        RF_FAIL(err, RF_E_FORMAT, "a value is an object with one member, such as {\"int\":\"1\"}");
    }
    const struct rf_str tag = tagged.map->entry[0].key.text;
    const struct rf_value value = tagged.map->entry[0].value;
    bool is_good = false;
    if (plain_read(tag, value, out, &is_good)) {
        if (!is_good) {
            RF_FAIL(err, RF_E_FORMAT, "what stands under \"%.*s\" is no such value", shown(tag), tag.data);
        }
        return RF_OK;
    }
    if (rf_str_equal(tag, RF_STR("bytes"))) {
        return bytes_read(value, arena, out, err);
    }
    if (rf_str_equal(tag, RF_STR("list"))) {
        return list_read(value, depth, arena, out, err);
    }
    if (rf_str_equal(tag, RF_STR("map"))) {
        return map_read(value, depth, arena, out, err);
    }
    if (rf_str_equal(tag, RF_STR("optional"))) {
        return optional_read(value, depth, arena, out, err);
    }
    if (rf_str_equal(tag, RF_STR("timestamp")) || rf_str_equal(tag, RF_STR("duration"))) {
        return time_read(value, tag.data[0] == 'd', out, err);
    }
    if (rf_str_equal(tag, RF_STR("ip")) || rf_str_equal(tag, RF_STR("cidr"))) {
        return net_read(value, tag.data[0] == 'c', arena, out, err);
    }
    RF_FAIL(err, RF_E_FORMAT, "\"%.*s\" is no type of value", shown(tag), tag.data);
}

enum rf_status rf_suite_value_read(struct rf_value tagged, struct rf_arena *arena, struct rf_value *out,
                                   struct rf_error *err)
{
    return value_read(tagged, 1, arena, out, err);
}

/* ---- Writing ---- */

static enum rf_status double_write(struct rf_text *out, double value, struct rf_error *err)
{
    if (!isfinite(value)) {
        return rf_text_printf(out, err, "\"%s\"", isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
    }
    char text[RF_NUMBER_TEXT_MAX];
    const struct rf_str digits = {text, rf_double_to_text(value, text)};
    RF_TRY(rf_text_append(out, digits, err));
    /* Without a point some readers make it an integer, which has no -0. */
    const bool has_point = memchr(text, '.', digits.count) != NULL || memchr(text, 'e', digits.count) != NULL;
    return has_point ? RF_OK : rf_text_append(out, RF_STR(".0"), err);
}

/* Seconds and nanoseconds of one sign, as protobuf has a duration. */
static enum rf_status time_write(struct rf_text *out, const char *tag, int64_t seconds, int64_t nanos,
                                 struct rf_error *err)
{
    return rf_text_printf(out, err, "{\"%s\":{\"seconds\":\"%" PRId64 "\",\"nanos\":%" PRId64 "}}", tag, seconds,
                          nanos);
}

static enum rf_status text_write(struct rf_text *out, const char *tag, struct rf_str text, struct rf_error *err)
{
    RF_TRY(rf_text_printf(out, err, "{\"%s\":", tag));
    RF_TRY(rf_json_quote(out, text, err));
    return rf_text_append_char(out, '}', err);
}

/* Everything but what holds other values. */
static enum rf_status plain_write(struct rf_text *out, struct rf_value value, struct rf_error *err)
{
    char net[RF_VALUE_TEXT_MAX];
    switch (value.type) {
    case RF_TYPE_NULL:
        return rf_text_append(out, RF_STR("{\"null\":null}"), err);
    case RF_TYPE_BOOL:
        return rf_text_printf(out, err, "{\"bool\":%s}", value.boolean ? "true" : "false");
    case RF_TYPE_INT:
        return rf_text_printf(out, err, "{\"int\":\"%" PRId64 "\"}", value.exact.as.i);
    case RF_TYPE_UINT:
        return rf_text_printf(out, err, "{\"uint\":\"%" PRIu64 "\"}", value.exact.as.u);
    case RF_TYPE_DOUBLE:
        RF_TRY(rf_text_append(out, RF_STR("{\"double\":"), err));
        RF_TRY(double_write(out, rf_number_to_double(value.exact), err));
        return rf_text_append_char(out, '}', err);
    case RF_TYPE_STRING:
        return text_write(out, "string", value.text, err);
    case RF_TYPE_TYPE:
        return text_write(out, "type", value.text, err);
    case RF_TYPE_BYTES:
        RF_TRY(rf_text_append(out, RF_STR("{\"bytes\":\""), err));
        RF_TRY(rf_base64_append(out, value.text, err));
        return rf_text_append(out, RF_STR("\"}"), err);
    case RF_TYPE_TIMESTAMP:
        return time_write(out, "timestamp", value.exact.as.i, value.nanos, err);
    case RF_TYPE_DURATION:
        return time_write(out, "duration", value.exact.as.i / RF_NANOSECONDS_PER_SECOND,
                          value.exact.as.i % RF_NANOSECONDS_PER_SECOND, err);
    default:
        assert(value.type == RF_TYPE_IP || value.type == RF_TYPE_CIDR);
        return text_write(out, value.type == RF_TYPE_IP ? "ip" : "cidr",
                          (struct rf_str){net, rf_value_text(value, net)}, err);
    }
}

struct write {
    struct rf_text *out;
    size_t begin;
    struct rf_error *err;
};

/* depth: how many values hold this one. */
static enum rf_status value_write(struct write *w, const struct rf_value *value, uint32_t depth);

static enum rf_status list_write(struct write *w, const struct rf_list *list, uint32_t depth)
{
    RF_TRY(rf_text_append(w->out, RF_STR("{\"list\":["), w->err));
    for (size_t i = 0; i < list->count; i++) {
        if (i > 0) {
            RF_TRY(rf_text_append_char(w->out, ',', w->err));
        }
        RF_TRY(value_write(w, &list->item[i], depth + 1));
    }
    return rf_text_append(w->out, RF_STR("]}"), w->err);
}

static enum rf_status map_write(struct write *w, const struct rf_map *map, uint32_t depth)
{
    RF_TRY(rf_text_append(w->out, RF_STR("{\"map\":["), w->err));
    for (size_t i = 0; i < map->count; i++) {
        RF_TRY(rf_text_append(w->out, i > 0 ? RF_STR(",[") : RF_STR("["), w->err));
        RF_TRY(value_write(w, &map->entry[i].key, depth + 1));
        RF_TRY(rf_text_append_char(w->out, ',', w->err));
        RF_TRY(value_write(w, &map->entry[i].value, depth + 1));
        RF_TRY(rf_text_append_char(w->out, ']', w->err));
    }
    return rf_text_append(w->out, RF_STR("]}"), w->err);
}

static enum rf_status value_write(struct write *w, const struct rf_value *value, uint32_t depth)
{
    const bool holds_values =
        value->type == RF_TYPE_LIST || value->type == RF_TYPE_MAP || value->type == RF_TYPE_OPTIONAL;
    if (holds_values && depth == RF_VALUE_DEPTH_MAX) {
        RF_FAIL(w->err, RF_E_LIMIT, "a value is nested deeper than %d levels", RF_VALUE_DEPTH_MAX);
    }
    /* Values that hold one another many times are small, but write without end. */
    if (w->out->count - w->begin > RF_SUITE_VALUE_BYTES_MAX) {
        RF_FAIL(w->err, RF_E_LIMIT, "a value is longer than %d bytes as text", RF_SUITE_VALUE_BYTES_MAX);
    }
    switch (value->type) {
    case RF_TYPE_LIST:
        return list_write(w, value->list, depth);
    case RF_TYPE_MAP:
        return map_write(w, value->map, depth);
    case RF_TYPE_OPTIONAL:
        if (value->inner == NULL) {
            return rf_text_append(w->out, RF_STR("{\"optional\":null}"), w->err);
        }
        RF_TRY(rf_text_append(w->out, RF_STR("{\"optional\":"), w->err));
        RF_TRY(value_write(w, value->inner, depth + 1));
        return rf_text_append_char(w->out, '}', w->err);
    default:
        return plain_write(w->out, *value, w->err);
    }
}

enum rf_status rf_suite_value_write(struct rf_text *out, struct rf_value value, struct rf_error *err)
{
    struct write w = {.out = out, .begin = out->count, .err = err};
    return value_write(&w, &value, 0);
}
