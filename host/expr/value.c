#include "value.h"

#include <assert.h>
#include <math.h>

static const char *const type_name[] = {
    [RF_TYPE_ERROR] = "error",
    [RF_TYPE_NULL] = "null_type",
    [RF_TYPE_BOOL] = "bool",
    [RF_TYPE_INT] = "int",
    [RF_TYPE_UINT] = "uint",
    [RF_TYPE_DOUBLE] = "double",
    [RF_TYPE_STRING] = "string",
    [RF_TYPE_BYTES] = "bytes",
    [RF_TYPE_LIST] = "list",
    [RF_TYPE_MAP] = "map",
    [RF_TYPE_DYN] = "dyn",
    [RF_TYPE_TYPE] = "type",
    [RF_TYPE_IP] = "net.IP",
    [RF_TYPE_CIDR] = "net.CIDR",
    [RF_TYPE_OPTIONAL] = "optional_type",
    [RF_TYPE_TIMESTAMP] = "google.protobuf.Timestamp",
    [RF_TYPE_DURATION] = "google.protobuf.Duration",
};

const char *rf_type_name(enum rf_type type)
{
    assert((size_t)type < sizeof type_name / sizeof type_name[0]);
    return type_name[type];
}

struct rf_value rf_value_null(void)
{
    return (struct rf_value){.type = RF_TYPE_NULL};
}

struct rf_value rf_value_bool(bool value)
{
    return (struct rf_value){.type = RF_TYPE_BOOL, .boolean = value};
}

struct rf_value rf_value_int(int64_t value)
{
    return (struct rf_value){.type = RF_TYPE_INT, .exact = {.kind = RF_NUMBER_INT, .as.i = value}};
}

struct rf_value rf_value_uint(uint64_t value)
{
    return (struct rf_value){.type = RF_TYPE_UINT, .exact = {.kind = RF_NUMBER_UINT, .as.u = value}};
}

struct rf_value rf_value_double(double value)
{
    return (struct rf_value){.type = RF_TYPE_DOUBLE, .exact = {.kind = RF_NUMBER_DOUBLE, .as.d = value}};
}

struct rf_value rf_value_string(struct rf_str text)
{
    return (struct rf_value){.type = RF_TYPE_STRING, .text = text};
}

struct rf_value rf_value_error(const char *text)
{
    return (struct rf_value){.type = RF_TYPE_ERROR, .text = rf_str_of(text)};
}

struct rf_value rf_value_instant(struct rf_instant instant)
{
    struct rf_value value = rf_value_int(instant.seconds);
    value.type = RF_TYPE_TIMESTAMP;
    value.nanos = instant.nanos;
    return value;
}

struct rf_value rf_value_duration(int64_t nanoseconds)
{
    struct rf_value value = rf_value_int(nanoseconds);
    value.type = RF_TYPE_DURATION;
    return value;
}

struct rf_value rf_value_type(enum rf_type type)
{
    return rf_value_type_named(rf_str_of(rf_type_name(type)));
}

struct rf_value rf_value_type_named(struct rf_str name)
{
    return (struct rf_value){.type = RF_TYPE_TYPE, .text = name};
}

struct rf_value rf_value_optional(const struct rf_value *inner)
{
    return (struct rf_value){.type = RF_TYPE_OPTIONAL, .inner = inner};
}

bool rf_value_is_number(struct rf_value value)
{
    return value.type == RF_TYPE_INT || value.type == RF_TYPE_UINT || value.type == RF_TYPE_DOUBLE;
}

bool rf_value_is_beyond_range(struct rf_value value)
{
    /* No JSON token spells an infinity, so a token beside one means that the number did not fit. */
    return value.type == RF_TYPE_DOUBLE && value.is_message && value.text.count != 0 &&
           value.exact.kind == RF_NUMBER_DOUBLE && isinf(value.exact.as.d);
}

/* Equality of two values of which at most one is a container. */
static enum rf_equality match_plain(struct rf_value a, struct rf_value b)
{
    if (a.type == RF_TYPE_ERROR || b.type == RF_TYPE_ERROR || rf_value_is_beyond_range(a) ||
        rf_value_is_beyond_range(b)) {
        return RF_EQUALITY_ERROR;
    }
    bool is_same = false;
    if (rf_value_is_number(a) && rf_value_is_number(b)) {
        is_same = rf_number_compare(a.exact, b.exact) == RF_ORDER_EQUAL;
    } else if (a.type == b.type) {
        switch (a.type) {
        case RF_TYPE_NULL:
            is_same = true;
            break;
        case RF_TYPE_BOOL:
            is_same = a.boolean == b.boolean;
            break;
        case RF_TYPE_STRING:
        case RF_TYPE_BYTES:
        case RF_TYPE_TYPE:
            is_same = rf_str_equal(a.text, b.text);
            break;
        case RF_TYPE_TIMESTAMP:
        case RF_TYPE_DURATION:
            is_same = a.exact.as.i == b.exact.as.i && a.nanos == b.nanos;
            break;
        case RF_TYPE_IP:
            is_same = rf_ip_equal(a.net->ip, b.net->ip);
            break;
        case RF_TYPE_CIDR:
            is_same = rf_cidr_equal(*a.net, *b.net);
            break;
        default:
            break;
        }
    }
    return is_same ? RF_EQUALITY_SAME : RF_EQUALITY_DIFFERENT;
}

/* Values that hold others: they are compared by what they hold. */
static bool type_holds_values(enum rf_type type)
{
    return type == RF_TYPE_LIST || type == RF_TYPE_MAP || type == RF_TYPE_OPTIONAL;
}

static size_t value_count(struct rf_value value)
{
    switch (value.type) {
    case RF_TYPE_LIST:
        return value.list->count;
    case RF_TYPE_MAP:
        return value.map->count;
    default:
        return value.inner != NULL;
    }
}

/* Value i of a list, of a map in its order, or of an optional. */
static const struct rf_value *value_held(const struct rf_value *value, size_t i)
{
    switch (value->type) {
    case RF_TYPE_LIST:
        return &value->list->item[i];
    case RF_TYPE_MAP:
        return &value->map->entry[i].value;
    default:
        return value->inner;
    }
}

/* Two values of one type and count, compared by what they hold. */
struct match_frame {
    struct rf_value value, other;
    size_t next;
    size_t count;
};

/* The next pair of elements; false when the other map lacks the key. */
static bool match_next(struct match_frame *frame, struct rf_value *a, struct rf_value *b)
{
    const size_t i = frame->next++;
    *a = *value_held(&frame->value, i);
    if (frame->value.type != RF_TYPE_MAP) {
        *b = *value_held(&frame->other, i);
        return true;
    }
    const struct rf_entry *other = rf_map_find(frame->other.map, frame->value.map->entry[i].key);
    if (other != NULL) {
        *b = other->value;
    }
    return other != NULL;
}

static enum rf_equality match_containers(struct rf_value a, struct rf_value b, uint32_t *steps)
{
    struct match_frame stack[RF_VALUE_DEPTH_MAX];
    size_t depth = 0;
    for (;; (*steps)++) {
        if (a.type == b.type && type_holds_values(a.type)) {
            const size_t count = value_count(a);
            if (count != value_count(b)) {
                return RF_EQUALITY_DIFFERENT;
            }
            if (depth == RF_VALUE_DEPTH_MAX || *steps >= RF_VALUE_STEPS_MAX) {
                return RF_EQUALITY_ERROR;
            }
            stack[depth++] = (struct match_frame){.value = a, .other = b, .count = count};
        } else {
            const enum rf_equality equality = match_plain(a, b);
            if (equality != RF_EQUALITY_SAME) {
                return equality;
            }
        }
        while (depth > 0 && stack[depth - 1].next == stack[depth - 1].count) {
            depth--;
        }
        if (depth == 0) {
            return RF_EQUALITY_SAME;
        }
        if (!match_next(&stack[depth - 1], &a, &b)) {
            return RF_EQUALITY_DIFFERENT;
        }
    }
}

enum rf_equality rf_value_match_within(struct rf_value a, struct rf_value b, uint32_t *steps)
{
    /* The stack for containers is large: most pairs never need it. */
    if (a.type == b.type && type_holds_values(a.type)) {
        return match_containers(a, b, steps);
    }
    return match_plain(a, b);
}

enum rf_equality rf_value_match(struct rf_value a, struct rf_value b)
{
    uint32_t steps = 0;
    return rf_value_match_within(a, b, &steps);
}

const struct rf_value *rf_value_find_error(const struct rf_value *value)
{
    struct {
        const struct rf_value *value;
        size_t next;
    } stack[RF_VALUE_DEPTH_MAX];
    static const struct rf_value too_deep = {.type = RF_TYPE_ERROR,
                                             .text = {RF_ERROR_TOO_DEEP, sizeof RF_ERROR_TOO_DEEP - 1}};
    static const struct rf_value too_large = {.type = RF_TYPE_ERROR,
                                              .text = {RF_ERROR_TOO_LARGE, sizeof RF_ERROR_TOO_LARGE - 1}};
    size_t depth = 0;
    for (uint32_t steps = 0;; steps++) {
        if (value->type == RF_TYPE_ERROR) {
            return value;
        }
        if (steps == RF_VALUE_STEPS_MAX) {
            return &too_large;
        }
        if (type_holds_values(value->type)) {
            if (depth == RF_VALUE_DEPTH_MAX) {
                return &too_deep;
            }
            stack[depth].value = value;
            stack[depth++].next = 0;
        }
        while (depth > 0 && stack[depth - 1].next == value_count(*stack[depth - 1].value)) {
            depth--;
        }
        if (depth == 0) {
            return NULL;
        }
        value = value_held(stack[depth - 1].value, stack[depth - 1].next++);
    }
}

/* The walk of rf_value_find_error; too deep is as much as can be. */
static uint64_t work_within(const struct rf_value *value, uint64_t max)
{
    struct {
        const struct rf_value *value;
        size_t next;
    } stack[RF_VALUE_DEPTH_MAX];
    size_t depth = 0;
    for (uint64_t work = 1;; work++) {
        if (value->type == RF_TYPE_STRING || value->type == RF_TYPE_BYTES) {
            work += value->text.count;
        }
        if (work >= max) {
            return max;
        }
        if (type_holds_values(value->type)) {
            if (depth == RF_VALUE_DEPTH_MAX) {
                return max;
            }
            stack[depth].value = value;
            stack[depth++].next = 0;
        }
        while (depth > 0 && stack[depth - 1].next == value_count(*stack[depth - 1].value)) {
            depth--;
        }
        if (depth == 0) {
            return work;
        }
        value = value_held(stack[depth - 1].value, stack[depth - 1].next++);
    }
}

uint64_t rf_value_work(const struct rf_value *value)
{
    return work_within(value, RF_VALUE_STEPS_MAX);
}

/* Both are walked in step, so that the smaller one is the bound. */
uint64_t rf_value_work_of_match(const struct rf_value *a, const struct rf_value *b)
{
    if (a->type != b->type) {
        return 0;
    }
    if (a->type == RF_TYPE_STRING || a->type == RF_TYPE_BYTES) {
        return a->text.count == b->text.count ? a->text.count : 0;
    }
    if (!type_holds_values(a->type) || value_count(*a) != value_count(*b)) {
        return 0;
    }
    return work_within(b, work_within(a, RF_VALUE_STEPS_MAX));
}

enum rf_order rf_value_order(struct rf_value a, struct rf_value b, bool *is_comparable)
{
    *is_comparable = true;
    if (rf_value_is_number(a) && rf_value_is_number(b)) {
        return rf_number_compare(a.exact, b.exact);
    }
    if (a.type == b.type) {
        if (a.type == RF_TYPE_BOOL) {
            return (enum rf_order)((int)a.boolean - (int)b.boolean);
        }
        if (a.type == RF_TYPE_STRING || a.type == RF_TYPE_BYTES) {
            const int order = rf_str_compare(a.text, b.text);
            return order < 0 ? RF_ORDER_LESS : order > 0 ? RF_ORDER_GREATER : RF_ORDER_EQUAL;
        }
        if (a.type == RF_TYPE_TIMESTAMP || a.type == RF_TYPE_DURATION) {
            const enum rf_order order = rf_number_compare(a.exact, b.exact);
            return order != RF_ORDER_EQUAL ? order : (enum rf_order)((a.nanos > b.nanos) - (a.nanos < b.nanos));
        }
    }
    *is_comparable = false;
    return RF_ORDER_NONE;
}

/* Maps with fewer entries are searched from end to end. */
enum { MAP_SEARCH_LINEAR_MAX = 8 };

/* Order of keys: bools, numbers on their line, strings. NaN is no key, but may be looked for: it is behind all numbers. */
static int key_order(struct rf_value a, struct rf_value b)
{
    const int a_class = a.type == RF_TYPE_BOOL ? 0 : a.type == RF_TYPE_STRING ? 2 : 1;
    const int b_class = b.type == RF_TYPE_BOOL ? 0 : b.type == RF_TYPE_STRING ? 2 : 1;
    if (a_class != b_class) {
        return a_class - b_class;
    }
    if (a_class == 0) {
        return (int)a.boolean - (int)b.boolean;
    }
    if (a_class == 2) {
        return rf_str_compare(a.text, b.text);
    }
    const enum rf_order order = rf_number_compare(a.exact, b.exact);
    return order == RF_ORDER_NONE ? -1 : (int)order;
}

/* Stable merge sort of entry numbers by key, bottom up. Returns the array that holds the result. */
static uint32_t *map_sort(const struct rf_entry *entry, uint32_t count, uint32_t *order, uint32_t *spare)
{
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
    }
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t begin = 0; begin < count; begin += 2 * width) {
            const size_t middle = begin + width < count ? begin + width : count;
            const size_t end = begin + 2 * width < count ? begin + 2 * width : count;
            size_t left = begin;
            size_t right = middle;
            for (size_t out = begin; out < end; out++) {
                const bool takes_left =
                    left < middle && (right == end || key_order(entry[order[left]].key, entry[order[right]].key) <= 0);
                spare[out] = takes_left ? order[left++] : order[right++];
            }
        }
        uint32_t *const merged = spare;
        spare = order;
        order = merged;
    }
    return order;
}

/* Moves the value of the last twin to the first and removes the others. Twins are neighbours in order[]; is_gone[] has
 * a byte for each entry. Returns the entries left. */
static size_t map_join_twins(struct rf_entry *entry, size_t count, const uint32_t *order, uint8_t *is_gone)
{
    for (size_t begin = 0; begin < count;) {
        size_t end = begin + 1;
        while (end < count && key_order(entry[order[begin]].key, entry[order[end]].key) == 0) {
            is_gone[order[end++]] = 1;
        }
        entry[order[begin]].value = entry[order[end - 1]].value;
        begin = end;
    }
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_gone[i] == 0) {
            entry[kept++] = entry[i];
        }
    }
    return kept;
}

/* Number of the first entry with an equal key, or count. */
static size_t map_find_linear(const struct rf_entry *entry, size_t count, struct rf_value key)
{
    size_t i = 0;
    while (i < count && match_plain(entry[i].key, key) != RF_EQUALITY_SAME) {
        i++;
    }
    return i;
}

static size_t map_join_twins_linear(struct rf_entry *entry, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t first = map_find_linear(entry, kept, entry[i].key);
        if (first < kept) {
            entry[first].value = entry[i].value;
        } else {
            entry[kept++] = entry[i];
        }
    }
    return kept;
}

const struct rf_map *rf_map_make(struct rf_arena *arena, struct rf_entry *entry, size_t count, enum rf_twins twins,
                                 bool *has_twins)
{
    struct rf_map *map = RF_PUSH(arena, struct rf_map, 1);
    if (map == NULL || count > UINT32_MAX) {
        return NULL;
    }
    *map = (struct rf_map){.count = count, .entry = entry};
    if (count > MAP_SEARCH_LINEAR_MAX) {
        uint32_t *order = RF_PUSH(arena, uint32_t, count);
        uint32_t *spare = RF_PUSH(arena, uint32_t, count);
        uint8_t *is_gone = RF_PUSH(arena, uint8_t, count);
        if (order == NULL || spare == NULL || is_gone == NULL) {
            return NULL;
        }
        uint32_t *sorted = map_sort(entry, (uint32_t)count, order, spare);
        map->count = map_join_twins(entry, count, sorted, is_gone);
        if (map->count != count) { /* the entries have moved */
            sorted = map_sort(entry, (uint32_t)map->count, order, spare);
        }
        map->by_key = sorted;
    } else {
        map->count = map_join_twins_linear(entry, count);
    }
    *has_twins = map->count != count;
    return *has_twins && twins == RF_TWINS_REFUSED ? NULL : map;
}

const struct rf_entry *rf_map_find(const struct rf_map *map, struct rf_value key)
{
    if (map->by_key == NULL) {
        const size_t i = map_find_linear(map->entry, map->count, key);
        return i < map->count ? &map->entry[i] : NULL;
    }
    if (key.type != RF_TYPE_STRING && key.type != RF_TYPE_BOOL && !rf_value_is_number(key)) {
        return NULL;
    }
    size_t begin = 0;
    size_t end = map->count;
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        const struct rf_entry *entry = &map->entry[map->by_key[middle]];
        const int order = key_order(entry->key, key);
        if (order == 0) {
            return entry;
        }
        if (order < 0) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return NULL;
}

bool rf_value_is_bound_error(struct rf_value value)
{
    return value.type == RF_TYPE_ERROR &&
           (rf_str_equal(value.text, RF_STR(RF_ERROR_TOO_LARGE)) ||
            rf_str_equal(value.text, RF_STR(RF_ERROR_TOO_DEEP)) ||
            rf_str_equal(value.text, RF_STR(RF_ERROR_TOO_LONG)) || rf_str_equal(value.text, RF_STR(RF_ERROR_NO_ROOM)));
}
