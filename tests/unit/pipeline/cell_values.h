/* cell_values.h: a value as a cell, and whether a cell says what a value does: for the tests that compare the functions on
 * cells (calc.h) with those on values (operate.h).
 */
#ifndef CELL_VALUES_H
#define CELL_VALUES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "calc_list.h"
#include "value.h"

enum { CELL_SHOWN_MAX = 400 /* bytes that show a cell */ };

static inline struct rf_str cell_text_copy(struct rf_str text, struct rf_arena *arena)
{
    char *const copy = rf_arena_push(arena, text.count, 1, 1);
    assert_non_null(copy);
    if (text.count != 0) {
        memcpy(copy, text.data, text.count);
    }
    return (struct rf_str){copy, text.count};
}

static inline struct rf_str cell_json(struct rf_value value, struct rf_arena *arena)
{
    struct rf_text text = {0};
    struct rf_error err;
    assert_int_equal(rf_value_write_json(&text, value, &err), RF_OK);
    const struct rf_str copy = cell_text_copy(rf_text_str(&text), arena);
    rf_text_free(&text);
    return copy;
}

/* A message number has its token, which may be empty. */
static inline struct rf_cell cell_of_number(struct rf_value value)
{
    if (value.type == RF_TYPE_INT) {
        return rf_cell_of_int(value.exact.as.i);
    }
    if (value.type == RF_TYPE_UINT) {
        return rf_cell_of_uint(value.exact.as.u);
    }
    if (!value.is_message) {
        return rf_cell_of_double(value.exact.as.d, RF_TAG_DOUBLE);
    }
    struct rf_cell cell =
        rf_cell_of_double(value.exact.as.d, rf_value_is_beyond_range(value) ? RF_TAG_RANGE : RF_TAG_NUMBER);
    if (value.exact.kind == RF_NUMBER_INT) {
        cell = rf_cell_of_int(value.exact.as.i);
        cell.tag = RF_TAG_BIGINT;
    } else if (value.exact.kind == RF_NUMBER_UINT) {
        cell = rf_cell_of_uint(value.exact.as.u);
        cell.tag = RF_TAG_BIGUINT;
    }
    cell.length = (uint32_t)value.text.count;
    cell.text = value.text.count == 0 ? "" : value.text.data;
    return cell;
}

static inline struct rf_cell cell_of_value(struct rf_value value, struct rf_arena *arena);

/* The elements, or keys and values, of a list or map as cells. */
static inline struct rf_cell cell_of_items(struct rf_value value, struct rf_arena *arena)
{
    const bool is_list = value.type == RF_TYPE_LIST;
    const size_t count = is_list ? value.list->count : value.map->count;
    struct rf_cell *const cell = RF_PUSH(arena, struct rf_cell, is_list ? count : 2 * count);
    assert_non_null(cell);
    for (size_t i = 0; i < count; i++) {
        if (is_list) {
            cell[i] = cell_of_value(value.list->item[i], arena);
        } else {
            cell[2 * i] = cell_of_value(value.map->entry[i].key, arena);
            cell[2 * i + 1] = cell_of_value(value.map->entry[i].value, arena);
        }
    }
    return rf_cell_of_items(cell, (uint32_t)count, is_list ? RF_TAG_ITEMS : RF_TAG_ENTRIES);
}

static inline struct rf_cell cell_of_optional(const struct rf_value *inner, struct rf_arena *arena)
{
    if (inner == NULL) {
        return rf_cell_of_optional(NULL);
    }
    struct rf_cell *const cell = RF_PUSH(arena, struct rf_cell, 1);
    assert_non_null(cell);
    *cell = cell_of_value(*inner, arena);
    return rf_cell_of_optional(cell);
}

/* Of a value that is no error. Texts and addresses are shared. Lists and maps become ITEMS and ENTRIES. */
static inline struct rf_cell cell_of_value(struct rf_value value, struct rf_arena *arena)
{
    switch (value.type) {
    case RF_TYPE_NULL:
        return (struct rf_cell){.tag = RF_TAG_NULL, .text = ""};
    case RF_TYPE_BOOL:
        return rf_cell_of_bool(value.boolean);
    case RF_TYPE_INT:
    case RF_TYPE_UINT:
    case RF_TYPE_DOUBLE:
        return cell_of_number(value);
    case RF_TYPE_STRING:
        return rf_cell_of_text(value.text, RF_TAG_STRING_RAW);
    case RF_TYPE_BYTES:
        return rf_cell_of_text(value.text, RF_TAG_BYTES);
    case RF_TYPE_TYPE:
        return rf_cell_of_text(value.text, RF_TAG_TYPE);
    case RF_TYPE_TIMESTAMP:
        return rf_cell_of_instant(rf_value_to_instant(value));
    case RF_TYPE_DURATION:
        return (struct rf_cell){.tag = RF_TAG_DURATION, .payload = (uint64_t)value.exact.as.i, .text = ""};
    case RF_TYPE_LIST:
    case RF_TYPE_MAP:
        return cell_of_items(value, arena);
    case RF_TYPE_OPTIONAL:
        return cell_of_optional(value.inner, arena);
    case RF_TYPE_IP:
        return rf_cell_of_net(value.net, RF_TAG_IP);
    case RF_TYPE_CIDR:
        return rf_cell_of_net(value.net, RF_TAG_CIDR);
    default:
        fail_msg("a value of type %s has no cell", rf_type_name(value.type));
        return (struct rf_cell){.tag = RF_TAG_HOST, .text = ""};
    }
}

/* Neither holds other values: the same type, number with its sign and kind, text with its head, token. Each NaN is like the
 * others. */
static inline bool cell_is_plain(const struct rf_cell *cell, const struct rf_cell *wanted)
{
    const bool is_tag = cell->tag == wanted->tag || (rf_cell_is_string(cell) && rf_cell_is_string(wanted));
    switch (wanted->tag) {
    case RF_TAG_DOUBLE:
    case RF_TAG_NUMBER:
        if (is_tag && isnan(rf_cell_double(wanted))) {
            return isnan(rf_cell_double(cell)) && rf_str_equal(rf_cell_text(cell), rf_cell_text(wanted));
        }
        break;
    case RF_TAG_RANGE: /* nothing but the token counts */
        return is_tag && rf_str_equal(rf_cell_text(cell), rf_cell_text(wanted));
    case RF_TAG_IP:
        return is_tag && rf_ip_equal(rf_cell_net(cell)->ip, rf_cell_net(wanted)->ip);
    case RF_TAG_CIDR:
        return is_tag && rf_cidr_equal(*rf_cell_net(cell), *rf_cell_net(wanted));
    default:
        break;
    }
    const bool has_text = rf_cell_is_string(wanted) || wanted->tag == RF_TAG_BYTES || wanted->tag == RF_TAG_TYPE ||
                          rf_cell_is_message(wanted);
    return is_tag && cell->payload == wanted->payload &&
           (!has_text || rf_str_equal(rf_cell_text(cell), rf_cell_text(wanted))) &&
           (wanted->tag != RF_TAG_TIMESTAMP || cell->length == wanted->length);
}

static inline bool cell_is_value(const struct rf_cell *cell, struct rf_value value, struct rf_arena *arena);

static inline bool cell_is_list(const struct rf_cell *cell, const struct rf_list *list, struct rf_arena *arena)
{
    if (cell->tag != RF_TAG_ITEMS || cell->length != list->count) {
        return false;
    }
    const struct rf_cell *const item = rf_cell_inner(cell);
    for (size_t i = 0; i < list->count; i++) {
        if (!cell_is_value(&item[i], list->item[i], arena)) {
            return false;
        }
    }
    return true;
}

static inline bool cell_is_map(const struct rf_cell *cell, const struct rf_map *map, struct rf_arena *arena)
{
    if (cell->tag != RF_TAG_ENTRIES || cell->length != map->count) {
        return false;
    }
    const struct rf_cell *const entry = rf_cell_inner(cell);
    for (size_t i = 0; i < map->count; i++) {
        if (!cell_is_value(&entry[2 * i], map->entry[i].key, arena) ||
            !cell_is_value(&entry[2 * i + 1], map->entry[i].value, arena)) {
            return false;
        }
    }
    return true;
}

/* Whether the cell says exactly that. A list or map may be the JSON text that the value would be written as; its entries
 * are in the same order. */
static inline bool cell_is_value(const struct rf_cell *cell, struct rf_value value, struct rf_arena *arena)
{
    switch (value.type) {
    case RF_TYPE_ERROR:
        return cell->tag == RF_TAG_ERROR;
    case RF_TYPE_LIST:
    case RF_TYPE_MAP:
        if (cell->tag == (value.type == RF_TYPE_LIST ? RF_TAG_LIST : RF_TAG_OBJECT)) {
            return rf_str_equal(rf_cell_text(cell), cell_json(value, arena));
        }
        return value.type == RF_TYPE_LIST ? cell_is_list(cell, value.list, arena) : cell_is_map(cell, value.map, arena);
    case RF_TYPE_OPTIONAL:
        if (cell->tag != RF_TAG_OPTIONAL || (rf_cell_inner(cell) == NULL) != (value.inner == NULL)) {
            return false;
        }
        return value.inner == NULL || cell_is_value(rf_cell_inner(cell), *value.inner, arena);
    default: {
        const struct rf_cell wanted = cell_of_value(value, arena);
        return cell_is_plain(cell, &wanted);
    }
    }
}

static inline const char *cell_show(const struct rf_cell *cell, char text[CELL_SHOWN_MAX])
{
    static const char *const name[] = {
#define RF_TAG(tag, meaning) [tag] = #tag,
#include "tag.def"
#undef RF_TAG
    };
    const bool has_text = cell->length != 0 && cell->tag != RF_TAG_TIMESTAMP && cell->tag != RF_TAG_ITEMS &&
                          cell->tag != RF_TAG_ENTRIES && cell->tag != RF_TAG_OPTIONAL;
    (void)snprintf(text, CELL_SHOWN_MAX, "%s payload 0x%016llx length %u '%.*s'", name[cell->tag],
                   (unsigned long long)cell->payload, (unsigned)cell->length, has_text ? (int)cell->length : 0,
                   has_text ? cell->text : "");
    return text;
}

#endif
