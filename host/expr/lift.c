#include "lift.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "function.h"
#include "intern.h"
#include "operate.h"

struct lift {
    uint32_t first;
    struct rf_arena *arena;
    struct rf_lifted *lifted;
    struct rf_error *err;
};

/* ---- The tree ---- */

/* The argument of a call that engines may ask to be constant, or RF_NONE. */
static uint32_t constant_argument(const struct rf_node *node)
{
    switch (node->function) {
    case RF_FN_MATCHES:
    case RF_FN_SUBJECT:
    case RF_FN_GLOB:
        return 1;
    case RF_FN_FORMAT:
        return 0;
    case RF_FUNCTION_COUNT:
        return RF_NONE;
    default:
        return rf_function_info(node->function)->family == RF_FAMILY_TIME ? 1 : RF_NONE;
    }
}

static bool argument_stays(const struct rf_node *node, uint32_t i)
{
    switch (node->kind) {
    case RF_NODE_CALL:
        return constant_argument(node) == i;
    case RF_NODE_INDEX:
        return i == 1 && node->arg[1]->kind == RF_NODE_LITERAL;
    case RF_NODE_MAP:
        return i % 2 == 0;
    default:
        return false;
    }
}

static bool type_is_lifted(enum rf_type type)
{
    switch (type) {
    case RF_TYPE_NULL:
    case RF_TYPE_BOOL:
    case RF_TYPE_INT:
    case RF_TYPE_UINT:
    case RF_TYPE_DOUBLE:
    case RF_TYPE_STRING:
    case RF_TYPE_BYTES:
    case RF_TYPE_TIMESTAMP:
    case RF_TYPE_DURATION:
    case RF_TYPE_LIST:
        return true;
    default:
        return false;
    }
}

/* A list or map of literals becomes a literal, from the innermost on. */
static void join_literals(const struct lift *lift, struct rf_node *node)
{
    bool is_constant = true;
    for (uint32_t i = 0; i < node->args; i++) {
        join_literals(lift, node->arg[i]);
        is_constant = is_constant && node->arg[i]->kind == RF_NODE_LITERAL;
    }
    if (!is_constant || (node->kind != RF_NODE_LIST && node->kind != RF_NODE_MAP)) {
        return;
    }
    struct rf_value *item = RF_PUSH(lift->arena, struct rf_value, node->args);
    if (item == NULL) {
        return; /* it stays as it is, and its items are lifted one by one */
    }
    for (uint32_t i = 0; i < node->args; i++) {
        item[i] = node->arg[i]->literal;
    }
    const struct rf_value value = node->kind == RF_NODE_LIST ? rf_operate_list(item, node->args, lift->arena)
                                                             : rf_operate_map(item, node->args, lift->arena);
    if (value.type != RF_TYPE_ERROR) {
        node->kind = RF_NODE_LITERAL;
        node->literal = value;
        node->args = 0;
        node->depth = 1;
    }
}

static enum rf_status literal_take(struct lift *lift, struct rf_node *node)
{
    struct rf_lifted *lifted = lift->lifted;
    char name[32];
    const int count = snprintf(name, sizeof name, "literal %u", lifted->count + 1);
    const struct rf_str copy = rf_arena_copy(lift->arena, (struct rf_str){name, (size_t)count});
    struct rf_value *grown =
        rf_array_grow(lift->arena, lifted->value, lifted->count, &lifted->capacity, sizeof lifted->value[0]);
    if (copy.data == NULL || grown == NULL) {
        RF_FAIL(lift->err, RF_E_LIMIT, "the expressions need more memory than their bound allows");
    }
    lifted->value = grown;
    lifted->value[lifted->count] = node->literal;
    node->kind = RF_NODE_BINDING;
    node->local = lift->first + lifted->count++;
    node->name = copy;
    node->type = RF_TYPE_DYN;
    return RF_OK;
}

static enum rf_status node_lift(struct lift *lift, struct rf_node *node)
{
    if (node->kind == RF_NODE_LITERAL) {
        const bool is_lifted = type_is_lifted(node->literal.type) && lift->lifted->count < RF_LIFT_MAX;
        return is_lifted ? literal_take(lift, node) : RF_OK;
    }
    for (uint32_t i = 0; i < node->args; i++) {
        if (!argument_stays(node, i)) {
            RF_TRY(node_lift(lift, node->arg[i]));
        }
    }
    return RF_OK;
}

enum rf_status rf_lift(struct rf_node *root, uint32_t first, struct rf_arena *arena, struct rf_lifted *lifted,
                       struct rf_error *err)
{
    struct lift lift = {.first = first, .arena = arena, .lifted = lifted, .err = err};
    join_literals(&lift, root);
    return node_lift(&lift, root);
}

/* ---- Neighbours ---- */

struct neighbours {
    struct rf_arena *arena;
    struct rf_value *value;
    uint32_t count;
};

static void put(struct neighbours *n, struct rf_value value)
{
    if (n->count < RF_LIFT_NEIGHBOURS_MAX && value.type != RF_TYPE_ERROR) {
        n->value[n->count++] = value;
    }
}

static void put_missing(struct neighbours *n)
{
    put(n, (struct rf_value){.type = RF_TYPE_DYN});
}

/* A text of the three parts, of the type of a string or of bytes. */
static void put_text(struct neighbours *n, enum rf_type type, struct rf_str a, struct rf_str b, struct rf_str c)
{
    char *text = rf_arena_push(n->arena, a.count + b.count + c.count, 1, 1);
    if (text == NULL) {
        return;
    }
    size_t count = 0;
    const struct rf_str part[3] = {a, b, c};
    for (size_t i = 0; i < 3; i++) {
        if (part[i].count > 0) {
            memcpy(text + count, part[i].data, part[i].count);
            count += part[i].count;
        }
    }
    put(n, (struct rf_value){.type = type, .text = {text, count}});
}

static void put_list(struct neighbours *n, const struct rf_value *item, size_t count)
{
    struct rf_list *list = RF_PUSH(n->arena, struct rf_list, 1);
    struct rf_value *copy = RF_PUSH(n->arena, struct rf_value, count);
    if (list == NULL || copy == NULL) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        copy[i] = item[i];
    }
    *list = (struct rf_list){.count = count, .item = copy};
    put(n, (struct rf_value){.type = RF_TYPE_LIST, .list = list});
}

static int64_t whole(double value)
{
    /* The bounds are exact: 2^63 is a double, and one below -2^63 is none. */
    return value >= -9223372036854775808.0 && value < 9223372036854775808.0 ? (int64_t)value : 7;
}

static void int_neighbours(struct neighbours *n, int64_t value)
{
    put(n, rf_value_int(value < INT64_MAX ? value + 1 : INT64_MIN));
    put(n, rf_value_int(value > INT64_MIN ? value - 1 : INT64_MAX));
    put_missing(n);
    put(n, rf_value_uint((uint64_t)value));
    put(n, rf_value_double((double)value));
    put(n, rf_value_int(value == 0 ? 2 : 0));
    put(n, rf_value_string(RF_STR("1")));
    put(n, rf_value_int(value > INT64_MIN ? -value : 1));
    put(n, rf_value_double((double)value + 0.5));
    put(n, rf_value_int(INT64_MIN));
    put(n, rf_value_int(INT64_MAX));
    put(n, rf_value_double(NAN));
    put(n, rf_value_null());
    put(n, rf_value_bool(true));
    put(n, rf_value_uint(UINT64_MAX));
    put(n, rf_value_int(-1));
    put_list(n, &(struct rf_value){.type = RF_TYPE_NULL}, 1);
}

static void uint_neighbours(struct neighbours *n, uint64_t value)
{
    put(n, rf_value_uint(value + 1));
    put(n, rf_value_uint(value - 1));
    put_missing(n);
    put(n, rf_value_int((int64_t)value));
    put(n, rf_value_double((double)value));
    put(n, rf_value_uint(value == 0 ? 2 : 0));
    put(n, rf_value_string(RF_STR("1")));
    put(n, rf_value_double((double)value + 0.5));
    put(n, rf_value_int(-1));
    put(n, rf_value_uint(UINT64_MAX));
    put(n, rf_value_uint((uint64_t)INT64_MAX + 1));
    put(n, rf_value_double(NAN));
    put(n, rf_value_null());
    put(n, rf_value_bool(false));
    put_list(n, &(struct rf_value){.type = RF_TYPE_NULL}, 1);
}

static void double_neighbours(struct neighbours *n, double value)
{
    put(n, rf_value_double(nextafter(value, INFINITY)));
    put(n, rf_value_double(nextafter(value, -INFINITY)));
    put_missing(n);
    put(n, rf_value_int(whole(value)));
    put(n, rf_value_double(NAN));
    put(n, rf_value_uint((uint64_t)whole(value)));
    put(n, rf_value_double(-value));
    put(n, rf_value_double(0.0));
    put(n, rf_value_string(RF_STR("1.5")));
    put(n, rf_value_double(-0.0));
    put(n, rf_value_double(INFINITY));
    put(n, rf_value_double(-INFINITY));
    put(n, rf_value_double(value + 1));
    put(n, rf_value_double(0.5));
    put(n, rf_value_null());
    put(n, rf_value_double(DBL_MAX));
    put(n, rf_value_double(DBL_TRUE_MIN));
    put(n, rf_value_double(9223372036854775808.0));
    put(n, rf_value_bool(true));
}

static size_t last_letter(struct rf_str text)
{
    size_t at = text.count;
    while (at > 0 && ((unsigned char)text.data[at - 1] & 0xC0) == 0x80) {
        at--;
    }
    return at > 0 ? at - 1 : 0;
}

static void put_other_case(struct neighbours *n, struct rf_value value)
{
    char *text = rf_arena_push(n->arena, value.text.count, 1, 1);
    if (text == NULL) {
        return;
    }
    for (size_t i = 0; i < value.text.count; i++) {
        const char c = value.text.data[i];
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        text[i] = (char)(is_letter ? c ^ 0x20 : c);
    }
    put(n, (struct rf_value){.type = value.type, .text = {text, value.text.count}});
}

static void text_neighbours(struct neighbours *n, struct rf_value value)
{
    static const char long_text[] = "0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 ";
    const bool is_bytes = value.type == RF_TYPE_BYTES;
    const struct rf_str none = RF_STR("");
    const struct rf_str text = value.text;
    put_text(n, value.type, text, RF_STR("x"), none);
    put_text(n, value.type, (struct rf_str){text.data, is_bytes ? text.count - (text.count > 0) : last_letter(text)},
             none, none);
    put_missing(n);
    put_text(n, value.type, none, none, none);
    put_other_case(n, value);
    put_text(n, is_bytes ? RF_TYPE_STRING : RF_TYPE_BYTES, is_bytes ? RF_STR("bytes") : text, none, none);
    put_text(n, value.type, RF_STR("\xC3\xA9"), text, RF_STR("\xF0\x9F\x98\x80"));
    put(n, rf_value_int(1));
    put_text(n, value.type, RF_STR(" "), text, none);
    put_text(n, value.type, text, (struct rf_str){"\0", 1}, none);
    put_text(n, value.type, text, text, none);
    put(n, rf_value_null());
    put_text(n, value.type, RF_STR(long_text), text, RF_STR(long_text));
    put_text(n, value.type, RF_STR("zz"), none, none);
    put_text(n, value.type, RF_STR("\xEF\xBF\xBF"), none, none);
    put(n, rf_value_bool(true));
    put_list(n, &value, 1);
    if (is_bytes) {
        put_text(n, value.type, RF_STR("\xFF\x00\x80"), text, none);
    }
}

static void bool_neighbours(struct neighbours *n, bool value)
{
    put(n, rf_value_bool(!value));
    put_missing(n);
    put(n, rf_value_int(value ? 1 : 0));
    put(n, rf_value_string(value ? RF_STR("true") : RF_STR("false")));
    put(n, rf_value_null());
    put(n, rf_value_double(1));
    put_list(n, &(struct rf_value){.type = RF_TYPE_BOOL}, 1);
}

static void list_neighbours(struct neighbours *n, const struct rf_list *list)
{
    enum { ITEMS_SHOWN = 64 };
    const size_t count = list->count < ITEMS_SHOWN ? list->count : ITEMS_SHOWN;
    struct rf_value item[ITEMS_SHOWN + 1] = {{0}};
    for (size_t i = 0; i < count; i++) {
        item[i] = list->item[i];
    }
    put_list(n, item, count - (count > 0 ? 1 : 0));
    put_missing(n);
    put_list(n, item, 0);
    item[count] = count > 0 ? item[0] : rf_value_int(1);
    put_list(n, item, count + 1);
    item[count] = rf_value_null();
    put_list(n, item, count + 1);
    put_list(n, &item[count > 0 ? 1 : 0], count);
    item[count] = rf_value_double(NAN);
    put_list(n, item, count + 1);
    /* Each item in turn by its first neighbours: one that is near, one of another type. */
    for (size_t i = 0; i < count && n->count + 4 < RF_LIFT_NEIGHBOURS_MAX; i++) {
        const struct rf_value kept = item[i];
        if (rf_value_is_number(kept)) {
            item[i] = kept.type == RF_TYPE_INT ? rf_value_double((double)kept.exact.as.i) : rf_value_int(3);
        } else {
            item[i] = kept.type == RF_TYPE_BOOL ? rf_value_bool(!kept.boolean) : rf_value_string(RF_STR("other"));
        }
        put_list(n, item, count);
        item[i] = kept;
    }
    put(n, rf_value_null());
    put(n, rf_value_string(RF_STR("list")));
    put(n, rf_value_int(1));
    const struct rf_map *map = RF_PUSH(n->arena, struct rf_map, 1);
    if (map != NULL) {
        put(n, (struct rf_value){.type = RF_TYPE_MAP, .map = map});
    }
}

static void map_neighbours(struct neighbours *n, const struct rf_map *map)
{
    bool has_twins;
    struct rf_entry *entry = RF_PUSH(n->arena, struct rf_entry, map->count + 1);
    if (entry != NULL) {
        for (size_t i = 0; i + 1 < map->count; i++) {
            entry[i] = map->entry[i];
        }
        const size_t count = map->count - (map->count > 0 ? 1 : 0);
        const struct rf_map *shorter = rf_map_make(n->arena, entry, count, RF_TWINS_LAST, &has_twins);
        if (shorter != NULL) {
            put(n, (struct rf_value){.type = RF_TYPE_MAP, .map = shorter});
        }
    }
    put_missing(n);
    entry = RF_PUSH(n->arena, struct rf_entry, map->count);
    if (entry != NULL) {
        for (size_t i = 0; i < map->count; i++) {
            entry[i] = (struct rf_entry){map->entry[i].key, rf_value_null()};
        }
        const struct rf_map *nulls = rf_map_make(n->arena, entry, map->count, RF_TWINS_LAST, &has_twins);
        if (nulls != NULL) {
            put(n, (struct rf_value){.type = RF_TYPE_MAP, .map = nulls});
        }
    }
    put_list(n, NULL, 0);
    put(n, rf_value_null());
    put(n, rf_value_string(RF_STR("map")));
}

static void time_neighbours(struct neighbours *n, struct rf_value value)
{
    const bool is_duration = value.type == RF_TYPE_DURATION;
    const int64_t count = value.exact.as.i;
    struct rf_instant instant = {is_duration ? 0 : count, value.nanos};
    if (is_duration) {
        put(n, rf_value_duration(count < INT64_MAX ? count + 1 : INT64_MIN));
        put(n, rf_value_duration(count > INT64_MIN ? -count : 0));
        put_missing(n);
        put(n, rf_value_duration(0));
        put(n, rf_value_duration(INT64_MIN));
        put(n, rf_value_duration(INT64_MAX));
    } else {
        put(n, rf_instant_add(instant, 1, &instant) ? rf_value_instant(instant) : rf_value_null());
        put(n, rf_instant_add(instant, -RF_NANOSECONDS_PER_SECOND, &instant) ? rf_value_instant(instant)
                                                                             : rf_value_null());
        put_missing(n);
        put(n, rf_value_instant((struct rf_instant){RF_INSTANT_SECONDS_MIN, 0}));
        put(n, rf_value_instant((struct rf_instant){RF_INSTANT_SECONDS_MAX, RF_NANOSECONDS_PER_SECOND - 1}));
        put(n, rf_value_duration(count));
    }
    put(n, rf_value_instant((struct rf_instant){0, 0}));
    put(n, rf_value_int(count));
    put(n, rf_value_string(RF_STR("1s")));
    put(n, rf_value_null());
}

uint32_t rf_lift_neighbours(struct rf_value value, struct rf_arena *arena, struct rf_value out[RF_LIFT_NEIGHBOURS_MAX])
{
    struct neighbours n = {.arena = arena, .value = out};
    switch (value.type) {
    case RF_TYPE_INT:
        int_neighbours(&n, value.exact.as.i);
        break;
    case RF_TYPE_UINT:
        uint_neighbours(&n, value.exact.as.u);
        break;
    case RF_TYPE_DOUBLE:
        double_neighbours(&n, rf_number_to_double(value.exact));
        break;
    case RF_TYPE_STRING:
    case RF_TYPE_BYTES:
        text_neighbours(&n, value);
        break;
    case RF_TYPE_BOOL:
        bool_neighbours(&n, value.boolean);
        break;
    case RF_TYPE_LIST:
        list_neighbours(&n, value.list);
        break;
    case RF_TYPE_MAP:
        map_neighbours(&n, value.map);
        break;
    case RF_TYPE_TIMESTAMP:
    case RF_TYPE_DURATION:
        time_neighbours(&n, value);
        break;
    default:
        put_missing(&n);
        put(&n, rf_value_bool(false));
        put(&n, rf_value_int(0));
        put(&n, rf_value_string(RF_STR("")));
        put(&n, rf_value_null());
        put_list(&n, NULL, 0);
        break;
    }
    return n.count;
}
