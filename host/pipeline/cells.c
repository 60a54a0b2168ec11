#include "cells.h"

#include "calc_list.h"

static bool cell_make(struct rf_value value, struct rf_arena *arena, uint32_t depth, struct rf_cell *out);

static struct rf_cell number_cell(struct rf_value value)
{
    if (!value.is_message) {
        return value.type == RF_TYPE_INT    ? rf_cell_of_int(value.exact.as.i)
               : value.type == RF_TYPE_UINT ? rf_cell_of_uint(value.exact.as.u)
                                            : rf_cell_of_double(value.exact.as.d, RF_TAG_DOUBLE);
    }
    const enum rf_tag tag = rf_value_is_beyond_range(value)        ? RF_TAG_RANGE
                            : value.exact.kind == RF_NUMBER_DOUBLE ? RF_TAG_NUMBER
                            : value.exact.kind == RF_NUMBER_INT    ? RF_TAG_BIGINT
                                                                   : RF_TAG_BIGUINT;
    return (struct rf_cell){.tag = tag, .payload = value.exact.as.u, .text = ""};
}

/* count cells of a list, 2 x count of a map. */
static bool items_make(struct rf_value value, struct rf_arena *arena, uint32_t depth, struct rf_cell *out)
{
    const bool is_map = value.type == RF_TYPE_MAP;
    const size_t count = is_map ? value.map->count : value.list->count;
    struct rf_cell *item = count > UINT32_MAX / 2 ? NULL : RF_PUSH(arena, struct rf_cell, is_map ? 2 * count : count);
    for (size_t i = 0; i < count; i++) {
        const bool is_made =
            item != NULL && (is_map ? cell_make(value.map->entry[i].key, arena, depth + 1, &item[2 * i]) &&
                                          cell_make(value.map->entry[i].value, arena, depth + 1, &item[2 * i + 1])
                                    : cell_make(value.list->item[i], arena, depth + 1, &item[i]));
        if (!is_made) {
            return false;
        }
    }
    *out = rf_cell_of_items(item, (uint32_t)count, is_map ? RF_TAG_ENTRIES : RF_TAG_ITEMS);
    return item != NULL;
}

static bool optional_make(struct rf_value value, struct rf_arena *arena, uint32_t depth, struct rf_cell *out)
{
    struct rf_cell *inner = NULL;
    if (value.inner != NULL) {
        inner = RF_PUSH(arena, struct rf_cell, 1);
        if (inner == NULL || !cell_make(*value.inner, arena, depth + 1, inner)) {
            return false;
        }
    }
    *out = rf_cell_of_optional(inner);
    return true;
}

static bool cell_make(struct rf_value value, struct rf_arena *arena, uint32_t depth, struct rf_cell *out)
{
    *out = (struct rf_cell){.tag = RF_TAG_HOST, .text = ""};
    if (depth > RF_CELLS_DEPTH_MAX) {
        return true;
    }
    switch (value.type) {
    case RF_TYPE_ERROR:
        out->tag = RF_TAG_ERROR;
        return true;
    case RF_TYPE_DYN:
        out->tag = RF_TAG_ABSENT;
        return true;
    case RF_TYPE_NULL:
        out->tag = RF_TAG_NULL;
        return true;
    case RF_TYPE_BOOL:
        *out = rf_cell_of_bool(value.boolean);
        return true;
    case RF_TYPE_INT:
    case RF_TYPE_UINT:
    case RF_TYPE_DOUBLE:
        *out = number_cell(value);
        return true;
    case RF_TYPE_STRING:
    case RF_TYPE_BYTES:
    case RF_TYPE_TYPE:
        *out = rf_cell_of_text(value.text, value.type == RF_TYPE_STRING  ? RF_TAG_STRING_RAW
                                           : value.type == RF_TYPE_BYTES ? RF_TAG_BYTES
                                                                         : RF_TAG_TYPE);
        return true;
    case RF_TYPE_TIMESTAMP:
        *out = rf_cell_of_instant(rf_value_to_instant(value));
        return true;
    case RF_TYPE_DURATION:
        *out = rf_cell_of_int(value.exact.as.i);
        out->tag = RF_TAG_DURATION;
        return true;
    case RF_TYPE_LIST:
    case RF_TYPE_MAP:
        return items_make(value, arena, depth, out);
    case RF_TYPE_OPTIONAL:
        return optional_make(value, arena, depth, out);
    case RF_TYPE_IP:
    case RF_TYPE_CIDR:
        *out = rf_cell_of_net(value.net, value.type == RF_TYPE_IP ? RF_TAG_IP : RF_TAG_CIDR);
        return true;
    }
    return true;
}

bool rf_cell_from_value(struct rf_value value, struct rf_arena *arena, struct rf_cell *out)
{
    return cell_make(value, arena, 0, out);
}

/* ---- Back ---- */

static bool value_make(const struct rf_cell *cell, struct rf_arena *arena, uint32_t depth, struct rf_value *out);

static bool list_make(const struct rf_cell *cell, struct rf_arena *arena, uint32_t depth, struct rf_value *out)
{
    const struct rf_cell *item;
    uint32_t count;
    struct rf_list *list = RF_PUSH(arena, struct rf_list, 1);
    if (list == NULL || !rf_cell_items(cell, arena, &item, &count)) {
        return false;
    }
    struct rf_value *value = RF_PUSH(arena, struct rf_value, count);
    for (uint32_t i = 0; i < count; i++) {
        if (value == NULL || !value_make(&item[i], arena, depth + 1, &value[i])) {
            return false;
        }
    }
    *list = (struct rf_list){.count = count, .item = value};
    *out = (struct rf_value){.type = RF_TYPE_LIST, .list = list};
    return value != NULL;
}

static bool map_make(const struct rf_cell *cell, struct rf_arena *arena, uint32_t depth, struct rf_value *out)
{
    const struct rf_cell *item;
    uint32_t count;
    if (!rf_cell_entries(cell, arena, &item, &count)) {
        return false;
    }
    struct rf_entry *entry = RF_PUSH(arena, struct rf_entry, count);
    for (uint32_t i = 0; i < count; i++) {
        if (entry == NULL || !value_make(&item[2 * i], arena, depth + 1, &entry[i].key) ||
            !value_make(&item[2 * i + 1], arena, depth + 1, &entry[i].value)) {
            return false;
        }
    }
    bool has_twins = false;
    const struct rf_map *map = entry == NULL ? NULL : rf_map_make(arena, entry, count, RF_TWINS_REFUSED, &has_twins);
    *out = (struct rf_value){.type = RF_TYPE_MAP, .map = map};
    return map != NULL;
}

static bool optional_value(const struct rf_cell *cell, struct rf_arena *arena, uint32_t depth, struct rf_value *out)
{
    struct rf_value *inner = NULL;
    if (rf_cell_inner(cell) != NULL) {
        inner = RF_PUSH(arena, struct rf_value, 1);
        if (inner == NULL || !value_make(rf_cell_inner(cell), arena, depth + 1, inner)) {
            return false;
        }
    }
    *out = rf_value_optional(inner);
    return true;
}

static bool text_value(const struct rf_cell *cell, enum rf_type type, struct rf_arena *arena, struct rf_value *out)
{
    const struct rf_str text = cell->length == 0 ? RF_STR("") : rf_arena_copy(arena, rf_cell_text(cell));
    *out = (struct rf_value){.type = type, .text = text};
    return text.data != NULL;
}

static bool net_value(const struct rf_cell *cell, struct rf_arena *arena, struct rf_value *out)
{
    struct rf_cidr *net = RF_PUSH(arena, struct rf_cidr, 1);
    if (net != NULL) {
        *net = *rf_cell_net(cell);
    }
    *out = (struct rf_value){.type = cell->tag == RF_TAG_IP ? RF_TYPE_IP : RF_TYPE_CIDR, .net = net};
    return net != NULL;
}

static bool value_make(const struct rf_cell *cell, struct rf_arena *arena, uint32_t depth, struct rf_value *out)
{
    *out = rf_value_null();
    if (depth > RF_CELLS_DEPTH_MAX) {
        return false;
    }
    switch (cell->tag) {
    case RF_TAG_NULL:
        return true;
    case RF_TAG_FALSE:
    case RF_TAG_TRUE:
        *out = rf_value_bool(cell->tag == RF_TAG_TRUE);
        return true;
    case RF_TAG_INT:
        *out = rf_value_int((int64_t)cell->payload);
        return true;
    case RF_TAG_UINT:
        *out = rf_value_uint(cell->payload);
        return true;
    case RF_TAG_DOUBLE:
        *out = rf_value_double(rf_cell_double(cell));
        return true;
    case RF_TAG_NUMBER:
    case RF_TAG_BIGINT:
    case RF_TAG_BIGUINT:
        *out = (struct rf_value){.type = RF_TYPE_DOUBLE, .is_message = true};
        return rf_cell_number(cell->tag, cell->payload, &out->exact);
    case RF_TAG_STRING_RAW:
    case RF_TAG_STRING_ESCAPED:
        return text_value(cell, RF_TYPE_STRING, arena, out);
    case RF_TAG_BYTES:
        return text_value(cell, RF_TYPE_BYTES, arena, out);
    case RF_TAG_TYPE:
        return text_value(cell, RF_TYPE_TYPE, arena, out);
    case RF_TAG_TIMESTAMP:
        *out = rf_value_instant(rf_cell_instant(cell));
        return true;
    case RF_TAG_DURATION:
        *out = rf_value_duration((int64_t)cell->payload);
        return true;
    case RF_TAG_LIST:
    case RF_TAG_ITEMS:
        return list_make(cell, arena, depth, out);
    case RF_TAG_OBJECT:
    case RF_TAG_ENTRIES:
        return map_make(cell, arena, depth, out);
    case RF_TAG_OPTIONAL:
        return optional_value(cell, arena, depth, out);
    case RF_TAG_IP:
    case RF_TAG_CIDR:
        return net_value(cell, arena, out);
    case RF_TAG_NOPARENT:
    case RF_TAG_ABSENT:
    case RF_TAG_ERROR:
        *out = rf_value_error("evaluation error");
        return true;
    default:
        return false;
    }
}

bool rf_cell_to_value(const struct rf_cell *cell, struct rf_arena *arena, struct rf_value *out)
{
    return value_make(cell, arena, 0, out);
}
