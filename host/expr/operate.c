#include "operate.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "function.h"
#include "utf8.h"

enum { ERROR_TEXT_MAX = 160 };

struct rf_value rf_operate_error(struct rf_arena *arena, const char *format, ...)
{
    char text[ERROR_TEXT_MAX];
    va_list args;
    va_start(args, format);
    const int written = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    size_t count = written < 0 ? 0 : (size_t)written < sizeof text ? (size_t)written : sizeof text - 1;
    /* Names come from messages: a cut must not leave half a character. */
    count = rf_utf8_valid_count((struct rf_str){text, count});
    const struct rf_str copy = rf_arena_copy(arena, (struct rf_str){text, count});
    if (copy.data == NULL) {
        return rf_value_error(RF_ERROR_NO_ROOM);
    }
    return (struct rf_value){.type = RF_TYPE_ERROR, .text = copy};
}

static struct rf_value error_no_room(void)
{
    return rf_value_error(RF_ERROR_TOO_LARGE);
}

struct rf_value rf_operate_no_overload(enum rf_function function, const struct rf_value *args, uint32_t count,
                                       struct rf_arena *arena)
{
    const struct rf_function_info *info = rf_function_info(function);
    if (info->kind == RF_FUNCTION_BINARY) {
        return rf_operate_error(arena, "no such overload: %s %s %s", rf_type_name(args[0].type), info->text,
                                rf_type_name(args[1].type));
    }
    char text[ERROR_TEXT_MAX];
    size_t used = 0;
    const bool is_method = info->kind == RF_FUNCTION_METHOD && count != 0;
    used += (size_t)snprintf(text, sizeof text, "%s%s%s(", is_method ? rf_type_name(args[0].type) : "",
                             is_method ? "." : "", info->text);
    for (uint32_t i = is_method ? 1 : 0; i < count && used < sizeof text - 1; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i > (is_method ? 1u : 0u) ? ", " : "",
                                 rf_type_name(args[i].type));
    }
    return rf_operate_error(arena, "no such overload: %s)", text);
}

/* ---- Arithmetic ---- */

static struct rf_value error_overflow(const char *type)
{
    return type[0] == 'i' ? rf_value_error("int overflow") : rf_value_error("uint overflow");
}

static struct rf_value operate_int(enum rf_function function, int64_t a, int64_t b)
{
    int64_t result = 0;
    bool is_overflow = false;
    switch (function) {
    case RF_FN_ADD:
        is_overflow = __builtin_add_overflow(a, b, &result);
        break;
    case RF_FN_SUB:
        is_overflow = __builtin_sub_overflow(a, b, &result);
        break;
    case RF_FN_MUL:
        is_overflow = __builtin_mul_overflow(a, b, &result);
        break;
    default:
        if (b == 0) {
            return rf_value_error(function == RF_FN_DIV ? "division by zero" : "remainder of a division by zero");
        }
        is_overflow = a == INT64_MIN && b == -1;
        if (!is_overflow) {
            result = function == RF_FN_DIV ? a / b : a % b;
        }
        break;
    }
    return is_overflow ? error_overflow("int") : rf_value_int(result);
}

static struct rf_value operate_uint(enum rf_function function, uint64_t a, uint64_t b)
{
    uint64_t result = 0;
    bool is_overflow = false;
    switch (function) {
    case RF_FN_ADD:
        is_overflow = __builtin_add_overflow(a, b, &result);
        break;
    case RF_FN_SUB:
        is_overflow = __builtin_sub_overflow(a, b, &result);
        break;
    case RF_FN_MUL:
        is_overflow = __builtin_mul_overflow(a, b, &result);
        break;
    default:
        if (b == 0) {
            return rf_value_error(function == RF_FN_DIV ? "division by zero" : "remainder of a division by zero");
        }
        result = function == RF_FN_DIV ? a / b : a % b;
        break;
    }
    return is_overflow ? error_overflow("uint") : rf_value_uint(result);
}

/* Integers up to 2^53 are exact in a double, and so is their remainder. */
static bool number_is_small_integer(double d)
{
    return fabs(d) <= 9007199254740992.0 && d == trunc(d);
}

static struct rf_value operate_double(enum rf_function function, double a, double b)
{
    switch (function) {
    case RF_FN_ADD:
        return rf_value_double(a + b);
    case RF_FN_SUB:
        return rf_value_double(a - b);
    case RF_FN_MUL:
        return rf_value_double(a * b);
    case RF_FN_DIV:
        return rf_value_double(a / b);
    default:
        if (!number_is_small_integer(a) || !number_is_small_integer(b)) {
            return rf_value_error("% takes integers up to 2^53");
        }
        if (b == 0) {
            return rf_value_error("remainder of a division by zero");
        }
        return rf_value_double(fmod(a, b));
    }
}

/* A message number takes part as the nearest double of what was written. */
static struct rf_value operate_arithmetic(enum rf_function function, const struct rf_value *args, bool is_strict_cel,
                                          struct rf_arena *arena)
{
    const struct rf_value a = args[0];
    const struct rf_value b = args[1];
    if (!rf_value_is_number(a) || !rf_value_is_number(b)) {
        return rf_operate_no_overload(function, args, 2, arena);
    }
    const bool is_message = !is_strict_cel && (a.is_message || b.is_message);
    if (a.type != b.type && !is_message) {
        return rf_operate_no_overload(function, args, 2, arena);
    }
    if (!is_message && a.type == RF_TYPE_INT) {
        return operate_int(function, a.exact.as.i, b.exact.as.i);
    }
    if (!is_message && a.type == RF_TYPE_UINT) {
        return operate_uint(function, a.exact.as.u, b.exact.as.u);
    }
    if (function == RF_FN_MOD && !is_message) { /* CEL has no remainder of doubles: 7.0 % 2.0 */
        return rf_operate_no_overload(function, args, 2, arena);
    }
    struct rf_value result = operate_double(function, rf_number_to_double(a.exact), rf_number_to_double(b.exact));
    result.is_message = is_message && result.type != RF_TYPE_ERROR;
    return result;
}

static struct rf_value operate_negate(const struct rf_value *args, struct rf_arena *arena)
{
    const struct rf_value a = args[0];
    if (a.type == RF_TYPE_INT) {
        return a.exact.as.i == INT64_MIN ? error_overflow("int") : rf_value_int(-a.exact.as.i);
    }
    if (a.type == RF_TYPE_DOUBLE) {
        struct rf_value result = rf_value_double(-rf_number_to_double(a.exact));
        result.is_message = a.is_message;
        return result;
    }
    return rf_operate_no_overload(RF_FN_NEG, args, 1, arena);
}

/* ---- Concatenation ---- */

static struct rf_value operate_join_text(struct rf_value a, struct rf_value b, struct rf_arena *arena)
{
    if (a.text.count > SIZE_MAX - b.text.count) {
        return error_no_room();
    }
    char *text = rf_arena_push(arena, a.text.count + b.text.count, 1, 1);
    if (text == NULL) {
        return error_no_room();
    }
    if (a.text.count != 0) {
        memcpy(text, a.text.data, a.text.count);
    }
    if (b.text.count != 0) {
        memcpy(text + a.text.count, b.text.data, b.text.count);
    }
    return (struct rf_value){.type = a.type, .text = {text, a.text.count + b.text.count}};
}

static struct rf_value list_of(const struct rf_value *item, size_t count, struct rf_arena *arena)
{
    struct rf_list *list = RF_PUSH(arena, struct rf_list, 1);
    if (list == NULL) {
        return error_no_room();
    }
    *list = (struct rf_list){.count = count, .item = item};
    return (struct rf_value){.type = RF_TYPE_LIST, .list = list};
}

static struct rf_value operate_join_lists(const struct rf_list *a, const struct rf_list *b, struct rf_arena *arena)
{
    struct rf_value *item = NULL;
    if (a->count <= SIZE_MAX - b->count) {
        item = rf_arena_push(arena, a->count + b->count, sizeof *item, _Alignof(struct rf_value));
    }
    if (item == NULL) {
        return error_no_room();
    }
    if (a->count != 0) {
        memcpy(item, a->item, a->count * sizeof *item);
    }
    if (b->count != 0) {
        memcpy(item + a->count, b->item, b->count * sizeof *item);
    }
    return list_of(item, a->count + b->count, arena);
}

static struct rf_value operate_add(const struct rf_value *args, bool is_strict_cel, struct rf_arena *arena)
{
    if (args[0].type == args[1].type) {
        if (args[0].type == RF_TYPE_STRING || args[0].type == RF_TYPE_BYTES) {
            return operate_join_text(args[0], args[1], arena);
        }
        if (args[0].type == RF_TYPE_LIST) {
            return operate_join_lists(args[0].list, args[1].list, arena);
        }
    }
    return operate_arithmetic(RF_FN_ADD, args, is_strict_cel, arena);
}

/* ---- Comparison ---- */

static struct rf_value error_element(void)
{
    return rf_value_error("a list or map holds a value that cannot be compared");
}

static struct rf_value operate_equal(const struct rf_value *args, bool is_negated)
{
    const enum rf_equality equality = rf_value_match(args[0], args[1]);
    if (equality == RF_EQUALITY_ERROR) {
        return error_element();
    }
    return rf_value_bool((equality == RF_EQUALITY_SAME) != is_negated);
}

static struct rf_value operate_order(enum rf_function function, const struct rf_value *args, struct rf_arena *arena)
{
    bool is_comparable = false;
    const enum rf_order order = rf_value_order(args[0], args[1], &is_comparable);
    if (!is_comparable) {
        return rf_operate_no_overload(function, args, 2, arena);
    }
    switch (function) {
    case RF_FN_LT:
        return rf_value_bool(order == RF_ORDER_LESS);
    case RF_FN_LE:
        return rf_value_bool(order == RF_ORDER_LESS || order == RF_ORDER_EQUAL);
    case RF_FN_GT:
        return rf_value_bool(order == RF_ORDER_GREATER);
    default:
        return rf_value_bool(order == RF_ORDER_GREATER || order == RF_ORDER_EQUAL);
    }
}

/* Like a chain of ||: one equal element decides, else one that cannot be compared makes an error. */
static struct rf_value operate_in(const struct rf_value *args, struct rf_arena *arena)
{
    if (args[1].type == RF_TYPE_MAP) {
        return rf_value_bool(rf_map_find(args[1].map, args[0]) != NULL);
    }
    if (args[1].type != RF_TYPE_LIST) {
        return rf_operate_no_overload(RF_FN_IN, args, 2, arena);
    }
    uint32_t steps = 0;
    bool has_error = false;
    for (size_t i = 0; i < args[1].list->count; i++) {
        const enum rf_equality equality = rf_value_match_within(args[0], args[1].list->item[i], &steps);
        if (equality == RF_EQUALITY_SAME) {
            return rf_value_bool(true);
        }
        has_error = has_error || equality == RF_EQUALITY_ERROR;
    }
    return has_error ? error_element() : rf_value_bool(false);
}

/* ---- Text ---- */

static struct rf_value operate_size(const struct rf_value *args, struct rf_arena *arena)
{
    switch (args[0].type) {
    case RF_TYPE_STRING:
        return rf_value_int((int64_t)rf_utf8_length(args[0].text));
    case RF_TYPE_BYTES:
        return rf_value_int((int64_t)args[0].text.count);
    case RF_TYPE_LIST:
        return rf_value_int((int64_t)args[0].list->count);
    case RF_TYPE_MAP:
        return rf_value_int((int64_t)args[0].map->count);
    default:
        return rf_operate_no_overload(RF_FN_SIZE, args, 1, arena);
    }
}

/* ---- Entry points ---- */

struct rf_value rf_operate_usable(struct rf_value value, struct rf_arena *arena)
{
    if (!rf_value_is_beyond_range(value)) {
        return value;
    }
    const struct rf_str token = value.text;
    return rf_operate_error(arena, "number beyond the double range: %.*s", (int)(token.count < 40 ? token.count : 40),
                            token.data);
}

/* The first operand that is an error already: what lists and maps are made of may be beyond range, nobody uses it yet.
 */
static bool find_failed(const struct rf_value *args, uint32_t count, struct rf_value *error)
{
    for (uint32_t i = 0; i < count; i++) {
        if (args[i].type == RF_TYPE_ERROR) {
            *error = args[i];
            return true;
        }
    }
    return false;
}

/* The first operand that cannot be used, as an error; false when all can. */
static bool find_error(const struct rf_value *args, uint32_t count, struct rf_arena *arena, struct rf_value *error)
{
    for (uint32_t i = 0; i < count; i++) {
        if (args[i].type == RF_TYPE_ERROR) {
            *error = args[i];
            return true;
        }
        if (args[i].is_message && rf_value_is_beyond_range(args[i])) {
            *error = rf_operate_usable(args[i], arena);
            return true;
        }
    }
    return false;
}

bool rf_operate_whole(struct rf_value value, struct rf_value *whole)
{
    if (value.type != RF_TYPE_DOUBLE || !value.is_message) {
        return false;
    }
    const double d = value.exact.as.d;
    switch (value.exact.kind) {
    case RF_NUMBER_INT:
        *whole = rf_value_int(value.exact.as.i);
        return true;
    case RF_NUMBER_UINT:
        *whole = rf_value_uint(value.exact.as.u);
        return true;
    case RF_NUMBER_DOUBLE:
        if (!number_is_small_integer(d)) {
            return false;
        }
        *whole = rf_value_int((int64_t)d);
        return true;
    }
    return false;
}

/* Functions that take an int take a whole message number too: s.substring(from), timestamp(seconds). */
static bool function_takes_whole(enum rf_function function)
{
    switch (rf_function_info(function)->family) {
    case RF_FAMILY_TEXT:
    case RF_FAMILY_TIME:
        return true;
    case RF_FAMILY_MATH:
        return function >= RF_FN_BIT_AND && function <= RF_FN_SHIFT_RIGHT;
    default:
        return function == RF_FN_TO_TIMESTAMP || (function >= RF_FN_MSG_INT32 && function <= RF_FN_MSG_TIMESTAMP);
    }
}

static bool type_is_time(enum rf_type type)
{
    return type == RF_TYPE_TIMESTAMP || type == RF_TYPE_DURATION;
}

static struct rf_value operate_core(enum rf_function function, const struct rf_value *args, uint32_t count,
                                    bool is_strict_cel, struct rf_arena *arena)
{
    switch (function) {
    case RF_FN_NOT:
        return args[0].type == RF_TYPE_BOOL ? rf_value_bool(!args[0].boolean)
                                            : rf_operate_no_overload(function, args, 1, arena);
    case RF_FN_NEG:
    case RF_FN_ADD:
    case RF_FN_SUB:
        if (type_is_time(args[0].type)) {
            return rf_operate_time(function, args, count, arena);
        }
        return function == RF_FN_NEG   ? operate_negate(args, arena)
               : function == RF_FN_ADD ? operate_add(args, is_strict_cel, arena)
                                       : operate_arithmetic(function, args, is_strict_cel, arena);
    case RF_FN_MUL:
    case RF_FN_DIV:
    case RF_FN_MOD:
        return operate_arithmetic(function, args, is_strict_cel, arena);
    case RF_FN_EQ:
    case RF_FN_NE:
        return operate_equal(args, function == RF_FN_NE);
    case RF_FN_LT:
    case RF_FN_LE:
    case RF_FN_GT:
    case RF_FN_GE:
        return operate_order(function, args, arena);
    case RF_FN_IN:
        return operate_in(args, arena);
    default:
        return operate_size(args, arena);
    }
}

struct rf_value rf_operate(enum rf_function function, const struct rf_value *args, uint32_t count, bool is_strict_cel,
                           struct rf_arena *arena)
{
    struct rf_value error;
    if (find_error(args, count, arena, &error)) {
        return error;
    }
    struct rf_value whole[RF_ARGS_MAX];
    assert(count <= RF_ARGS_MAX);
    if (!is_strict_cel && function_takes_whole(function)) {
        for (uint32_t i = 0; i < count; i++) {
            if (!rf_operate_whole(args[i], &whole[i])) {
                whole[i] = args[i];
            }
        }
        args = whole;
    }
    switch (rf_function_info(function)->family) {
    case RF_FAMILY_CORE:
        return operate_core(function, args, count, is_strict_cel, arena);
    case RF_FAMILY_TEXT:
        return rf_operate_text(function, args, count, arena);
    case RF_FAMILY_CONVERT:
        return rf_operate_convert(function, args, count, arena);
    case RF_FAMILY_TIME:
        return rf_operate_time(function, args, count, arena);
    case RF_FAMILY_MATH:
        return rf_operate_math(function, args, count, arena);
    case RF_FAMILY_CODE:
        return rf_operate_code(function, args, count, arena);
    case RF_FAMILY_OPTIONAL:
        return rf_operate_optional(function, args, count, arena);
    case RF_FAMILY_NET:
        return rf_operate_net(function, args, count, arena);
    case RF_FAMILY_LOGIC:
    case RF_FAMILY_MACRO:
        break;
    }
    return rf_value_error("not a strict function");
}

bool rf_operate_to_index(struct rf_value value, size_t *out)
{
    if (!rf_value_is_number(value)) {
        return false;
    }
    const struct rf_number n = value.exact;
    switch (n.kind) {
    case RF_NUMBER_INT:
        *out = (size_t)n.as.i;
        return n.as.i >= 0;
    case RF_NUMBER_UINT:
        *out = (size_t)n.as.u;
        return true;
    case RF_NUMBER_DOUBLE:
        if (!(n.as.d >= 0 && n.as.d <= 9007199254740992.0 && n.as.d == trunc(n.as.d))) {
            return false;
        }
        *out = (size_t)n.as.d;
        return true;
    }
    return false;
}

struct rf_value rf_operate_no_key(struct rf_value key, struct rf_arena *arena)
{
    if (key.type == RF_TYPE_STRING) {
        return rf_operate_error(arena, "no such key: %.*s", (int)(key.text.count < 100 ? key.text.count : 100),
                                key.text.data);
    }
    return rf_operate_error(arena, "no such key of type %s", rf_type_name(key.type));
}

struct rf_value rf_operate_no_element(size_t count, struct rf_arena *arena)
{
    return rf_operate_error(arena, "index out of range: the list has %zu elements", count);
}

struct rf_value rf_operate_no_index(enum rf_type container, enum rf_type key, struct rf_arena *arena)
{
    return rf_operate_error(arena, "no such overload: %s[%s]", rf_type_name(container), rf_type_name(key));
}

struct rf_value rf_operate_no_has(enum rf_type container, struct rf_arena *arena)
{
    return rf_operate_error(arena, "no such overload: has() of a field of %s", rf_type_name(container));
}

enum found { FOUND, FOUND_NOTHING, FOUND_ERROR };

/* container[key], where the container is no optional. FOUND_NOTHING: *result is the error that says so. */
static enum found find_member(struct rf_value container, struct rf_value key, struct rf_arena *arena,
                              struct rf_value *result)
{
    if (container.type == RF_TYPE_LIST && rf_value_is_number(key)) {
        size_t i = 0;
        if (!rf_operate_to_index(key, &i) || i >= container.list->count) {
            *result = rf_operate_no_element(container.list->count, arena);
            return FOUND_NOTHING;
        }
        *result = container.list->item[i];
        return FOUND;
    }
    if (container.type == RF_TYPE_MAP) {
        const struct rf_entry *entry = rf_map_find(container.map, key);
        if (entry == NULL) {
            *result = rf_operate_no_key(key, arena);
            return FOUND_NOTHING;
        }
        *result = entry->value;
        return FOUND;
    }
    *result = rf_operate_no_index(container.type, key.type, arena);
    return FOUND_ERROR;
}

struct rf_value rf_operate_some(struct rf_value value, struct rf_arena *arena)
{
    if (value.type == RF_TYPE_ERROR) {
        return value;
    }
    struct rf_value *inner = RF_PUSH(arena, struct rf_value, 1);
    if (inner == NULL) {
        return error_no_room();
    }
    *inner = value;
    return rf_value_optional(inner);
}

struct rf_value rf_operate_index(struct rf_value container, struct rf_value key, bool is_optional,
                                 struct rf_arena *arena)
{
    const struct rf_value args[2] = {container, key};
    struct rf_value result;
    if (find_error(args, 2, arena, &result)) {
        return result;
    }
    if (container.type == RF_TYPE_OPTIONAL) { /* what is selected from an optional is one again */
        if (container.inner == NULL) {
            return container;
        }
        container = *container.inner;
        is_optional = true;
        if (find_error(&container, 1, arena, &result)) {
            return result;
        }
    }
    switch (find_member(container, key, arena, &result)) {
    case FOUND:
        /* What is selected may pass on as a message wrote it; an optional holds what can be used. */
        return is_optional ? rf_operate_some(rf_operate_usable(result, arena), arena) : result;
    case FOUND_NOTHING:
        return is_optional ? rf_value_optional(NULL) : result;
    case FOUND_ERROR:
        break;
    }
    return result;
}

struct rf_value rf_operate_has(struct rf_value container, struct rf_str name, struct rf_arena *arena)
{
    struct rf_value error;
    if (find_error(&container, 1, arena, &error)) {
        return error;
    }
    if (container.type == RF_TYPE_OPTIONAL) {
        if (container.inner == NULL) {
            return rf_value_bool(false);
        }
        container = *container.inner;
    }
    if (container.type != RF_TYPE_MAP) {
        return rf_operate_no_has(container.type, arena);
    }
    return rf_value_bool(rf_map_find(container.map, rf_value_string(name)) != NULL);
}

struct rf_value rf_operate_list(const struct rf_value *args, uint32_t count, struct rf_arena *arena)
{
    struct rf_value error;
    if (find_failed(args, count, &error)) {
        return error;
    }
    return list_of(args, count, arena);
}

struct rf_value rf_operate_map(const struct rf_value *args, uint32_t count, struct rf_arena *arena)
{
    struct rf_value error;
    if (find_failed(args, count, &error)) {
        return error;
    }
    struct rf_entry *entry = RF_PUSH(arena, struct rf_entry, count / 2);
    if (entry == NULL) {
        return error_no_room();
    }
    for (uint32_t i = 0; i < count / 2; i++) {
        const enum rf_type type = args[2 * i].type;
        if (type != RF_TYPE_STRING && type != RF_TYPE_BOOL && type != RF_TYPE_INT && type != RF_TYPE_UINT) {
            return rf_operate_error(arena, "a map key cannot be of type %s (a name as key is written in quotes)",
                                    rf_type_name(type));
        }
        entry[i] = (struct rf_entry){.key = args[2 * i], .value = args[2 * i + 1]};
    }
    bool has_twins = false;
    const struct rf_map *map = rf_map_make(arena, entry, count / 2, RF_TWINS_REFUSED, &has_twins);
    if (map == NULL) {
        return has_twins ? rf_value_error("a map literal has the same key twice") : error_no_room();
    }
    return (struct rf_value){.type = RF_TYPE_MAP, .map = map};
}
