/* The family CONVERT of operate.h: a value as a value of another type.
 *
 * Numbers    int() and uint() cut doubles towards zero and refuse what is not strictly inside the range of the type, NaN
 *            among it. They and string() take the exact value of a message number; double() gives the nearest double,
 *            which is a message number still.
 * Text       string() of a double is the shortest text that reads back as the same double, as projections write it (100,
 *            0.1, 1e+300), and NaN, Infinity or -Infinity, which double() reads. int() of a timestamp is its second
 *            since 1970, rounded down; int() of a duration its nanoseconds, as in cel-go.
 * Messages   google.protobuf.Int32Value{value: 1} is the value itself once it is in range, a FloatValue the double that is
 *            nearest of those a float can hold, and so on; any_value.h has those inside an Any.
 * Source     CEL language definition, "Type Conversions" and "Protocol Buffer Data Conversion"; cel-go where that is
 *            silent; google/protobuf/{wrappers,duration,timestamp,struct}.proto for the ranges.
 */
#include "any_value.h"
#include "duration.h"
#include "math_ops.h"
#include "operate.h"
#include "parse_text.h"
#include "utf8.h"

enum { SHOWN_MAX = 60 /* bytes of a text from a message in the text of an error */ };

static struct rf_value error_text_is_no(const char *type, struct rf_str text, struct rf_arena *arena)
{
    struct rf_str shown = {text.data, text.count < SHOWN_MAX ? text.count : SHOWN_MAX};
    shown.count = rf_utf8_valid_count(shown);
    return rf_operate_error(arena, "'%.*s' is no %s", RF_STR_ARG(shown), type);
}

static struct rf_value convert_to_bool(const struct rf_value *args, struct rf_arena *arena)
{
    bool truth = false;
    switch (args[0].type) {
    case RF_TYPE_BOOL:
        return args[0];
    case RF_TYPE_STRING:
        return rf_text_to_bool(args[0].text, &truth)
                   ? rf_value_bool(truth)
                   : error_text_is_no("bool: 1 t true TRUE True 0 f false FALSE False", args[0].text, arena);
    default:
        return rf_operate_no_overload(RF_FN_TO_BOOL, args, 1, arena);
    }
}

static struct rf_value convert_to_bytes(const struct rf_value *args, struct rf_arena *arena)
{
    if (args[0].type != RF_TYPE_BYTES && args[0].type != RF_TYPE_STRING) {
        return rf_operate_no_overload(RF_FN_TO_BYTES, args, 1, arena);
    }
    return (struct rf_value){.type = RF_TYPE_BYTES, .text = args[0].text};
}

static struct rf_value convert_to_double(const struct rf_value *args, struct rf_arena *arena)
{
    double d = 0;
    switch (args[0].type) {
    case RF_TYPE_INT:
    case RF_TYPE_UINT:
    case RF_TYPE_DOUBLE: {
        struct rf_value result = rf_value_double(rf_number_to_double(args[0].exact));
        result.is_message = args[0].is_message;
        return result;
    }
    case RF_TYPE_STRING:
        return rf_text_to_double(args[0].text, &d) ? rf_value_double(d)
                                                   : error_text_is_no("double", args[0].text, arena);
    default:
        return rf_operate_no_overload(RF_FN_TO_DOUBLE, args, 1, arena);
    }
}

static struct rf_value convert_to_duration(const struct rf_value *args, struct rf_arena *arena)
{
    int64_t nanoseconds = 0;
    switch (args[0].type) {
    case RF_TYPE_DURATION:
        return args[0];
    case RF_TYPE_STRING:
        return rf_duration_parse(args[0].text, &nanoseconds)
                   ? rf_value_duration(nanoseconds)
                   : error_text_is_no("duration such as 1h30m, 1.5s or -20ms within 292 years", args[0].text, arena);
    default:
        return rf_operate_no_overload(RF_FN_TO_DURATION, args, 1, arena);
    }
}

static bool number_to_int(struct rf_number number, int64_t *out)
{
    switch (number.kind) {
    case RF_NUMBER_INT:
        *out = number.as.i;
        return true;
    case RF_NUMBER_UINT:
        *out = (int64_t)number.as.u;
        return number.as.u <= INT64_MAX;
    default:
        return rf_math_to_int(number.as.d, out);
    }
}

static bool number_to_uint(struct rf_number number, uint64_t *out)
{
    switch (number.kind) {
    case RF_NUMBER_INT:
        *out = (uint64_t)number.as.i;
        return number.as.i >= 0;
    case RF_NUMBER_UINT:
        *out = number.as.u;
        return true;
    default:
        return rf_math_to_uint(number.as.d, out);
    }
}

static struct rf_value convert_to_int(const struct rf_value *args, struct rf_arena *arena)
{
    int64_t number = 0;
    switch (args[0].type) {
    case RF_TYPE_INT:
    case RF_TYPE_UINT:
    case RF_TYPE_DOUBLE:
        return number_to_int(args[0].exact, &number)
                   ? rf_value_int(number)
                   : rf_value_error("int out of range: -9223372036854775808 to 9223372036854775807");
    case RF_TYPE_STRING:
        return rf_text_to_int(args[0].text, &number) ? rf_value_int(number)
                                                     : error_text_is_no("int of 64 bits", args[0].text, arena);
    case RF_TYPE_TIMESTAMP: /* seconds */
    case RF_TYPE_DURATION:  /* nanoseconds */
        return rf_value_int(args[0].exact.as.i);
    default:
        return rf_operate_no_overload(RF_FN_TO_INT, args, 1, arena);
    }
}

static struct rf_value convert_to_uint(const struct rf_value *args, struct rf_arena *arena)
{
    uint64_t number = 0;
    switch (args[0].type) {
    case RF_TYPE_INT:
    case RF_TYPE_UINT:
    case RF_TYPE_DOUBLE:
        return number_to_uint(args[0].exact, &number) ? rf_value_uint(number)
                                                      : rf_value_error("uint out of range: 0 to 18446744073709551615");
    case RF_TYPE_STRING:
        return rf_text_to_uint(args[0].text, &number) ? rf_value_uint(number)
                                                      : error_text_is_no("uint of 64 bits", args[0].text, arena);
    default:
        return rf_operate_no_overload(RF_FN_TO_UINT, args, 1, arena);
    }
}

static size_t number_write(struct rf_number number, char text[RF_NUMBER_TEXT_MAX])
{
    switch (number.kind) {
    case RF_NUMBER_INT:
        return rf_int_to_text(number.as.i, text);
    case RF_NUMBER_UINT:
        return rf_uint_to_text(number.as.u, text);
    default:
        break;
    }
    if (isfinite(number.as.d)) {
        return rf_double_to_text(number.as.d, text);
    }
    const struct rf_str name = isnan(number.as.d) ? RF_STR("NaN")
                               : number.as.d > 0  ? RF_STR("Infinity")
                                                  : RF_STR("-Infinity");
    memcpy(text, name.data, name.count);
    return name.count;
}

static struct rf_value bytes_to_string(struct rf_str bytes, struct rf_arena *arena)
{
    const size_t valid_count = rf_utf8_valid_count(bytes);
    return valid_count == bytes.count
               ? rf_value_string(bytes)
               : rf_operate_error(arena, "string() of bytes that are not UTF-8 from byte %zu on", valid_count);
}

static struct rf_value convert_to_string(const struct rf_value *args, struct rf_arena *arena)
{
    union { /* one of these, and room for all */
        char number[RF_NUMBER_TEXT_MAX];
        char instant[RF_INSTANT_TEXT_MAX];
        char duration[RF_DURATION_TEXT_MAX];
        char ip[RF_IP_TEXT_MAX];
        char cidr[RF_CIDR_TEXT_MAX];
    } text;
    size_t count = 0;
    switch (args[0].type) {
    case RF_TYPE_STRING:
        return args[0];
    case RF_TYPE_BYTES:
        return bytes_to_string(args[0].text, arena);
    case RF_TYPE_BOOL:
        return rf_value_string(args[0].boolean ? RF_STR("true") : RF_STR("false"));
    case RF_TYPE_INT:
    case RF_TYPE_UINT:
    case RF_TYPE_DOUBLE:
        count = number_write(args[0].exact, text.number);
        break;
    case RF_TYPE_TIMESTAMP:
        count = rf_instant_write(rf_value_to_instant(args[0]), text.instant);
        break;
    case RF_TYPE_DURATION:
        count = rf_duration_write(args[0].exact.as.i, text.duration);
        break;
    case RF_TYPE_IP:
        count = rf_ip_write(args[0].net->ip, text.ip);
        break;
    case RF_TYPE_CIDR:
        count = rf_cidr_write(*args[0].net, text.cidr);
        break;
    default:
        return rf_operate_no_overload(RF_FN_TO_STRING, args, 1, arena);
    }
    const struct rf_str copy = rf_arena_copy(arena, (struct rf_str){(const char *)&text, count});
    return copy.data == NULL ? rf_value_error(RF_ERROR_TOO_LARGE) : rf_value_string(copy);
}

static struct rf_value convert_to_timestamp(const struct rf_value *args, struct rf_arena *arena)
{
    struct rf_instant instant = {.nanos = 0};
    switch (args[0].type) {
    case RF_TYPE_TIMESTAMP:
        return args[0];
    case RF_TYPE_STRING:
        return rf_instant_parse(args[0].text, &instant)
                   ? rf_value_instant(instant)
                   : error_text_is_no("timestamp such as 2023-01-31T12:00:00Z of the years 1 to 9999", args[0].text,
                                      arena);
    case RF_TYPE_INT:
        instant.seconds = args[0].exact.as.i;
        return rf_instant_is_in_range(instant) ? rf_value_instant(instant)
                                               : rf_value_error("timestamp out of range: years are 1 to 9999");
    default:
        return rf_operate_no_overload(RF_FN_TO_TIMESTAMP, args, 1, arena);
    }
}

/* ---- Messages ---- */

static struct rf_value message_number(enum rf_function function, const struct rf_value *args, struct rf_arena *arena)
{
    if (!rf_value_is_number(args[0])) {
        return rf_operate_no_overload(function, args, 1, arena);
    }
    struct rf_value result = convert_to_double(args, arena);
    if (function == RF_FN_MSG_FLOAT) {
        result.exact.as.d = rf_math_to_float(result.exact.as.d);
    }
    return result;
}

static struct rf_value message_integer(enum rf_function function, const struct rf_value *args, struct rf_arena *arena)
{
    const struct rf_number number = args[0].exact;
    switch (function) {
    case RF_FN_MSG_INT32:
    case RF_FN_MSG_INT64:
        if (args[0].type != RF_TYPE_INT) {
            break;
        }
        return function == RF_FN_MSG_INT64 || (number.as.i >= INT32_MIN && number.as.i <= INT32_MAX)
                   ? args[0]
                   : rf_value_error("int out of range of an Int32Value");
    default:
        if (args[0].type != RF_TYPE_UINT) {
            break;
        }
        return function == RF_FN_MSG_UINT64 || number.as.u <= UINT32_MAX
                   ? args[0]
                   : rf_value_error("uint out of range of a UInt32Value");
    }
    return rf_operate_no_overload(function, args, 1, arena);
}

/* Duration and Timestamp: seconds and nanoseconds, the latter less than a second and of the same sign, or forward. */
static struct rf_value message_time(enum rf_function function, const struct rf_value *args, struct rf_arena *arena)
{
    if (args[0].type != RF_TYPE_INT || args[1].type != RF_TYPE_INT) {
        return rf_operate_no_overload(function, args, 2, arena);
    }
    const int64_t seconds = args[0].exact.as.i;
    const int64_t nanos = args[1].exact.as.i;
    if (function == RF_FN_MSG_TIMESTAMP) {
        const struct rf_instant instant = {seconds, (uint32_t)nanos};
        return nanos >= 0 && nanos < RF_NANOSECONDS_PER_SECOND && rf_instant_is_in_range(instant)
                   ? rf_value_instant(instant)
                   : rf_value_error("Timestamp out of range: years are 1 to 9999, nanos 0 to 999999999");
    }
    int64_t nanoseconds = 0;
    if (nanos <= -RF_NANOSECONDS_PER_SECOND || nanos >= RF_NANOSECONDS_PER_SECOND || (seconds > 0 && nanos < 0) ||
        (seconds < 0 && nanos > 0) ||
        __builtin_mul_overflow(seconds, (int64_t)RF_NANOSECONDS_PER_SECOND, &nanoseconds) ||
        __builtin_add_overflow(nanoseconds, nanos, &nanoseconds)) {
        return rf_value_error("Duration out of range: 292 years at most, nanos below a second and of the same sign");
    }
    return rf_value_duration(nanoseconds);
}

/* The fields of a Struct are named by strings; their values are taken as they are, also where JSON has no such value. */
static struct rf_value message_struct(const struct rf_value *args, struct rf_arena *arena)
{
    if (args[0].type != RF_TYPE_MAP) {
        return rf_operate_no_overload(RF_FN_MSG_STRUCT, args, 1, arena);
    }
    for (size_t i = 0; i < args[0].map->count; i++) {
        const enum rf_type type = args[0].map->entry[i].key.type;
        if (type != RF_TYPE_STRING) {
            return rf_operate_error(arena, "the fields of a Struct have string keys, not %s", rf_type_name(type));
        }
    }
    return args[0];
}

/* google.protobuf.Int32Value{value: 1} and the others that are plain values. */
static struct rf_value convert_message(enum rf_function function, const struct rf_value *args, uint32_t count,
                                       struct rf_arena *arena)
{
    enum rf_type type = RF_TYPE_LIST;
    switch (function) {
    case RF_FN_MSG_DOUBLE:
    case RF_FN_MSG_FLOAT:
        return message_number(function, args, arena);
    case RF_FN_MSG_INT32:
    case RF_FN_MSG_INT64:
    case RF_FN_MSG_UINT32:
    case RF_FN_MSG_UINT64:
        return message_integer(function, args, arena);
    case RF_FN_MSG_DURATION:
    case RF_FN_MSG_TIMESTAMP:
        return message_time(function, args, arena);
    case RF_FN_MSG_STRUCT:
        return message_struct(args, arena);
    case RF_FN_MSG_ANY:
        return args[0].type == RF_TYPE_STRING && args[1].type == RF_TYPE_BYTES
                   ? rf_any_value(args[0].text, args[1].text, arena)
                   : rf_operate_no_overload(function, args, 2, arena);
    case RF_FN_MSG_BOOL:
        type = RF_TYPE_BOOL;
        break;
    case RF_FN_MSG_BYTES:
        type = RF_TYPE_BYTES;
        break;
    case RF_FN_MSG_STRING:
        type = RF_TYPE_STRING;
        break;
    default:
        break;
    }
    return args[0].type == type ? args[0] : rf_operate_no_overload(function, args, count, arena);
}

struct rf_value rf_operate_convert(enum rf_function function, const struct rf_value *args, uint32_t count,
                                   struct rf_arena *arena)
{
    switch (function) {
    case RF_FN_TO_BOOL:
        return convert_to_bool(args, arena);
    case RF_FN_TO_BYTES:
        return convert_to_bytes(args, arena);
    case RF_FN_TO_DOUBLE:
        return convert_to_double(args, arena);
    case RF_FN_TO_DURATION:
        return convert_to_duration(args, arena);
    case RF_FN_TO_DYN:
        return args[0];
    case RF_FN_TO_INT:
        return convert_to_int(args, arena);
    case RF_FN_TO_STRING:
        return convert_to_string(args, arena);
    case RF_FN_TO_TIMESTAMP:
        return convert_to_timestamp(args, arena);
    case RF_FN_TO_UINT:
        return convert_to_uint(args, arena);
    case RF_FN_TYPE:
        return rf_value_type(args[0].type);
    default:
        return convert_message(function, args, count, arena);
    }
}
