/* See format_value.h. */
#include "format_value.h"

#include <assert.h>
#include <math.h>

#include "duration.h"
#include "operate.h"
#include "utf8.h"

enum {
    /* 2.2250738585072014e-308: a sign, "0.", 307 zeros and 17 digits; 5e-324 has 323 zeros and one. */
    FORMAT_PLAIN_BYTES = 352
};

bool rf_format_fail(struct rf_format_out *out, struct rf_value error)
{
    out->error = error;
    return false;
}

bool rf_format_append(struct rf_format_out *out, struct rf_str part)
{
    const size_t bytes_max = out->arena->bytes_max;
    if (out->count > bytes_max || part.count > bytes_max - out->count) {
        return rf_format_fail(out, rf_value_error(RF_ERROR_TOO_LARGE));
    }
    if (part.count != 0 && out->count <= out->max && part.count <= out->max - out->count) {
        memcpy(out->data + out->count, part.data, part.count);
    }
    out->count += part.count;
    return true;
}

const char *rf_format_double_name(double value)
{
    if (isfinite(value)) {
        return NULL;
    }
    return isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

/* The shortest digits of a finite double, without an exponent, which the specification doesn't have here. */
static size_t double_write(double value, char out[FORMAT_PLAIN_BYTES])
{
    char text[RF_NUMBER_TEXT_MAX];
    const size_t text_bytes = rf_double_to_text(value, text);
    const char *e = memchr(text, 'e', text_bytes);
    if (e == NULL) {
        memcpy(out, text, text_bytes);
        return text_bytes;
    }
    char digit[RF_NUMBER_TEXT_MAX];
    int digits = 0;
    for (const char *c = text; c < e; c++) {
        if (*c >= '0' && *c <= '9') {
            digit[digits++] = *c;
        }
    }
    int exponent = 0;
    for (const char *c = e + 2; c < text + text_bytes; c++) {
        exponent = exponent * 10 + (*c - '0');
    }
    /* The point stands before this digit. */
    const int point = (e[1] == '-' ? -exponent : exponent) + 1;
    size_t count = 0;
    if (text[0] == '-') {
        out[count++] = '-';
    }
    const int begin = point < 1 ? point - 1 : 0;
    const int end = digits > point ? digits : point;
    for (int i = begin; i < end; i++) {
        if (i == point) {
            out[count++] = '.';
        }
        out[count++] = (char)(i >= 0 && i < digits ? digit[i] : '0');
    }
    return count;
}

bool rf_format_append_number(struct rf_format_out *out, struct rf_number number)
{
    char text[FORMAT_PLAIN_BYTES];
    switch (number.kind) {
    case RF_NUMBER_INT:
        return rf_format_append(out, (struct rf_str){text, rf_int_to_text(number.as.i, text)});
    case RF_NUMBER_UINT:
        return rf_format_append(out, (struct rf_str){text, rf_uint_to_text(number.as.u, text)});
    case RF_NUMBER_DOUBLE:
        break;
    }
    const char *name = rf_format_double_name(number.as.d);
    return rf_format_append(out,
                            name != NULL ? rf_str_of(name) : (struct rf_str){text, double_write(number.as.d, text)});
}

/* As UTF-8; what is ill-formed, however long, becomes one U+FFFD. */
static bool append_bytes(struct rf_format_out *out, struct rf_str bytes)
{
    while (bytes.count != 0) {
        size_t used = rf_utf8_valid_count(bytes);
        if (!rf_format_append(out, (struct rf_str){bytes.data, used})) {
            return false;
        }
        if (used == bytes.count) {
            break;
        }
        do {
            used++;
        } while (used < bytes.count &&
                 rf_utf8_valid_count((struct rf_str){bytes.data + used, bytes.count - used}) == 0);
        if (!rf_format_append(out, RF_STR("\xEF\xBF\xBD"))) {
            return false;
        }
        bytes = (struct rf_str){bytes.data + used, bytes.count - used};
    }
    return true;
}

static bool append_instant(struct rf_format_out *out, struct rf_instant instant)
{
    char text[RF_INSTANT_TEXT_MAX];
    return rf_format_append(out, (struct rf_str){text, rf_instant_write(instant, text)});
}

static bool append_duration(struct rf_format_out *out, int64_t nanoseconds)
{
    char text[RF_DURATION_TEXT_MAX];
    return rf_format_append(out, (struct rf_str){text, rf_duration_write(nanoseconds, text)});
}

/* Everything but lists and maps. */
static bool append_plain(struct rf_format_out *out, struct rf_value value)
{
    value = rf_operate_usable(value, out->arena);
    switch (value.type) {
    case RF_TYPE_ERROR:
        return rf_format_fail(out, value);
    case RF_TYPE_NULL:
        return rf_format_append(out, RF_STR("null"));
    case RF_TYPE_BOOL:
        return rf_format_append(out, value.boolean ? RF_STR("true") : RF_STR("false"));
    case RF_TYPE_INT:
    case RF_TYPE_UINT:
    case RF_TYPE_DOUBLE:
        return rf_format_append_number(out, value.exact);
    case RF_TYPE_STRING:
    case RF_TYPE_TYPE:
        return rf_format_append(out, value.text);
    case RF_TYPE_BYTES:
        return append_bytes(out, value.text);
    case RF_TYPE_TIMESTAMP:
        return append_instant(out, rf_value_to_instant(value));
    case RF_TYPE_DURATION:
        return append_duration(out, value.exact.as.i);
    default:
        return rf_format_fail(
            out, rf_operate_error(out->arena, "format: %%s cannot write a value of type %s", rf_type_name(value.type)));
    }
}

static struct rf_str key_text(struct rf_value key, char digits[RF_NUMBER_TEXT_MAX])
{
    switch (key.type) {
    case RF_TYPE_STRING:
        return key.text;
    case RF_TYPE_BOOL:
        return key.boolean ? RF_STR("true") : RF_STR("false");
    case RF_TYPE_INT:
        return (struct rf_str){digits, rf_int_to_text(key.exact.as.i, digits)};
    default:
        assert(key.type == RF_TYPE_UINT);
        return (struct rf_str){digits, rf_uint_to_text(key.exact.as.u, digits)};
    }
}

static bool key_is_behind(struct rf_value key, struct rf_value other)
{
    char digits[RF_NUMBER_TEXT_MAX];
    char other_digits[RF_NUMBER_TEXT_MAX];
    return rf_str_compare(key_text(key, digits), key_text(other, other_digits)) > 0;
}

/* Numbers of the entries in the order of their keys' texts; keys of the same text (1, "1") in the order of the map.
 * Merged bottom up, since qsort may take memory. NULL when the arena is full. */
static const uint32_t *map_order(const struct rf_map *map, struct rf_arena *arena)
{
    if (map->by_key != NULL) {
        return map->by_key;
    }
    uint32_t *order = RF_PUSH(arena, uint32_t, map->count);
    uint32_t *spare = RF_PUSH(arena, uint32_t, map->count);
    if (order == NULL || spare == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < map->count; i++) {
        order[i] = (uint32_t)i;
    }
    for (size_t width = 1; width < map->count; width *= 2) {
        for (size_t begin = 0; begin < map->count; begin += 2 * width) {
            const size_t middle = begin + width < map->count ? begin + width : map->count;
            const size_t end = begin + 2 * width < map->count ? begin + 2 * width : map->count;
            size_t left = begin;
            size_t right = middle;
            for (size_t i = begin; i < end; i++) {
                const bool takes_right = left == middle || (right < end && key_is_behind(map->entry[order[left]].key,
                                                                                         map->entry[order[right]].key));
                spare[i] = takes_right ? order[right++] : order[left++];
            }
        }
        uint32_t *const merged = spare;
        spare = order;
        order = merged;
    }
    return order;
}

struct format_frame {
    const struct rf_list *list; /* or NULL: a map */
    const struct rf_map *map;
    const uint32_t *order;
    size_t next;
    size_t count;
    struct rf_arena_mark mark; /* what the order took is given back with the frame */
};

static bool frame_open(struct rf_format_out *out, struct rf_value value, struct format_frame *frame)
{
    *frame = (struct format_frame){.mark = rf_arena_mark(out->arena)};
    if (value.type == RF_TYPE_LIST) {
        frame->list = value.list;
        frame->count = value.list->count;
        return rf_format_append(out, RF_STR("["));
    }
    frame->map = value.map;
    frame->count = value.map->count;
    frame->order = map_order(value.map, out->arena);
    if (frame->order == NULL) {
        return rf_format_fail(out, rf_value_error(RF_ERROR_TOO_LARGE));
    }
    return rf_format_append(out, RF_STR("{"));
}

/* The next value, what belongs before it being written. */
static bool frame_next(struct rf_format_out *out, struct format_frame *frame, struct rf_value *value)
{
    const size_t i = frame->next++;
    if (i != 0 && !rf_format_append(out, RF_STR(", "))) {
        return false;
    }
    if (frame->list != NULL) {
        *value = frame->list->item[i];
        return true;
    }
    const struct rf_entry *entry = &frame->map->entry[frame->order[i]];
    char digits[RF_NUMBER_TEXT_MAX];
    *value = entry->value;
    return rf_format_append(out, key_text(entry->key, digits)) && rf_format_append(out, RF_STR(": "));
}

static bool value_is_container(struct rf_value value)
{
    return value.type == RF_TYPE_LIST || value.type == RF_TYPE_MAP;
}

static bool append_container(struct rf_format_out *out, struct rf_value value)
{
    struct format_frame stack[RF_VALUE_DEPTH_MAX];
    if (!frame_open(out, value, &stack[0])) {
        return false;
    }
    for (size_t depth = 1; depth != 0;) {
        struct format_frame *frame = &stack[depth - 1];
        if (frame->next == frame->count) {
            if (!rf_format_append(out, frame->list != NULL ? RF_STR("]") : RF_STR("}"))) {
                return false;
            }
            rf_arena_rewind(out->arena, frame->mark);
            depth--;
            continue;
        }
        if (!frame_next(out, frame, &value)) {
            return false;
        }
        if (!value_is_container(value)) {
            if (!append_plain(out, value)) {
                return false;
            }
        } else if (depth == RF_VALUE_DEPTH_MAX) {
            return rf_format_fail(out, rf_value_error(RF_ERROR_TOO_DEEP));
        } else if (!frame_open(out, value, &stack[depth++])) {
            return false;
        }
    }
    return true;
}

bool rf_format_append_value(struct rf_format_out *out, struct rf_value value)
{
    return value_is_container(value) ? append_container(out, value) : append_plain(out, value);
}
