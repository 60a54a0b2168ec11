/* See format_value.h. */
#include "format_value.h"

#include <assert.h>

#include "operate.h"

struct rf_format_out rf_format_begin(char *data, size_t max, struct rf_arena *arena)
{
    return (struct rf_format_out){.text = {.data = data, .max = max, .count_max = arena->bytes_max}, .arena = arena};
}

bool rf_format_fail(struct rf_format_out *out, struct rf_value error)
{
    out->error = error;
    return false;
}

bool rf_format_took(struct rf_format_out *out, bool is_taken)
{
    return is_taken || rf_format_fail(out, rf_value_error(RF_ERROR_TOO_LARGE));
}

static bool append(struct rf_format_out *out, struct rf_str part)
{
    return rf_format_took(out, rf_format_append(&out->text, part));
}

/* Everything but lists and maps. */
static bool append_plain(struct rf_format_out *out, struct rf_value value)
{
    value = rf_operate_usable(value, out->arena);
    switch (value.type) {
    case RF_TYPE_ERROR:
        return rf_format_fail(out, value);
    case RF_TYPE_NULL:
        return append(out, RF_STR("null"));
    case RF_TYPE_BOOL:
        return append(out, value.boolean ? RF_STR("true") : RF_STR("false"));
    case RF_TYPE_INT:
    case RF_TYPE_UINT:
    case RF_TYPE_DOUBLE:
        return rf_format_took(out, rf_format_append_number(&out->text, value.exact));
    case RF_TYPE_STRING:
    case RF_TYPE_TYPE:
        return append(out, value.text);
    case RF_TYPE_BYTES:
        return rf_format_took(out, rf_format_append_bytes(&out->text, value.text));
    case RF_TYPE_TIMESTAMP:
        return rf_format_took(out, rf_format_append_instant(&out->text, rf_value_to_instant(value)));
    case RF_TYPE_DURATION:
        return rf_format_took(out, rf_format_append_duration(&out->text, value.exact.as.i));
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

static bool key_is_behind(const void *context, uint32_t a, uint32_t b)
{
    const struct rf_map *map = context;
    char digits[RF_NUMBER_TEXT_MAX];
    char other_digits[RF_NUMBER_TEXT_MAX];
    return rf_str_compare(key_text(map->entry[a].key, digits), key_text(map->entry[b].key, other_digits)) > 0;
}

/* Numbers of the entries in the order of their keys' texts; keys of the same text (1, "1") in the order of the map. NULL
 * when the arena is full. */
static const uint32_t *map_order(const struct rf_map *map, struct rf_arena *arena)
{
    /* Texts stand behind all other keys there; of numbers it is another order than that of their digits. */
    if (map->by_key != NULL && map->entry[map->by_key[0]].key.type == RF_TYPE_STRING) {
        return map->by_key;
    }
    uint32_t *order = RF_PUSH(arena, uint32_t, map->count);
    uint32_t *spare = RF_PUSH(arena, uint32_t, map->count);
    return order == NULL || spare == NULL ? NULL : rf_format_order(map->count, key_is_behind, map, order, spare);
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
        return append(out, RF_STR("["));
    }
    frame->map = value.map;
    frame->count = value.map->count;
    frame->order = map_order(value.map, out->arena);
    if (frame->order == NULL) {
        return rf_format_fail(out, rf_value_error(RF_ERROR_TOO_LARGE));
    }
    return append(out, RF_STR("{"));
}

/* The next value, what belongs before it being written. */
static bool frame_next(struct rf_format_out *out, struct format_frame *frame, struct rf_value *value)
{
    const size_t i = frame->next++;
    if (i != 0 && !append(out, RF_STR(", "))) {
        return false;
    }
    if (frame->list != NULL) {
        *value = frame->list->item[i];
        return true;
    }
    const struct rf_entry *entry = &frame->map->entry[frame->order[i]];
    char digits[RF_NUMBER_TEXT_MAX];
    *value = entry->value;
    return append(out, key_text(entry->key, digits)) && append(out, RF_STR(": "));
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
            if (!append(out, frame->list != NULL ? RF_STR("]") : RF_STR("}"))) {
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
