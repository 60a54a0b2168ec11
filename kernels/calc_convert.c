/* The family CONVERT of calc.h: a cell as a cell of another type.
 *
 * Numbers    int(), uint() and string() take the exact value of a message number; double() gives the nearest double, which
 *            is a message number still.
 * Messages   all but google.protobuf.Any, which only the interpreter takes apart.
 * Text       string() of what is no text is new text (calc_text.h); bytes() and string() between texts give the
 *            text itself.
 * Source     host/expr/operate_convert.c, which is the definition; tests/unit/pipeline/test_calc_operate.c compares them.
 */
#include "calc_list.h"
#include "calc_number.h"
#include "calc_text.h"
#include "duration.h"
#include "math_ops.h"
#include "parse_text.h"
#include "utf8.h"

static void op_to_bool(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    (void)run;
    bool truth;
    if (arg[0].tag == RF_TAG_FALSE || arg[0].tag == RF_TAG_TRUE) {
        *out = arg[0];
    } else if (rf_cell_is_string(&arg[0]) && rf_text_to_bool(rf_cell_text(&arg[0]), &truth)) {
        *out = rf_cell_of_bool(truth);
    }
}

static void op_to_bytes(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    (void)run;
    if (arg[0].tag == RF_TAG_BYTES || rf_cell_is_string(&arg[0])) {
        *out = arg[0];
        out->tag = RF_TAG_BYTES;
    }
}

static void op_to_double(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    (void)run;
    double d;
    if (rf_cell_is_number(&arg[0])) {
        *out = rf_cell_double_like(&arg[0], rf_cell_nearest(&arg[0]));
    } else if (rf_cell_is_string(&arg[0]) && rf_text_to_double(rf_cell_text(&arg[0]), &d)) {
        *out = rf_cell_of_double(d, RF_TAG_DOUBLE);
    }
}

static void op_to_duration(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    (void)run;
    int64_t nanoseconds;
    if (arg[0].tag == RF_TAG_DURATION) {
        *out = arg[0];
    } else if (rf_cell_is_string(&arg[0]) && rf_duration_parse(rf_cell_text(&arg[0]), &nanoseconds)) {
        *out = (struct rf_cell){.tag = RF_TAG_DURATION, .payload = (uint64_t)nanoseconds, .text = ""};
    }
}

static void op_to_dyn(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    (void)run;
    *out = arg[0];
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

static void op_to_int(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    (void)run;
    int64_t result;
    bool is_good;
    if (rf_cell_is_number(&arg[0])) {
        is_good = number_to_int(rf_cell_exact(&arg[0]), &result);
    } else if (rf_cell_is_string(&arg[0])) {
        is_good = rf_text_to_int(rf_cell_text(&arg[0]), &result);
    } else {
        /* Seconds of a timestamp, nanoseconds of a duration. */
        is_good = arg[0].tag == RF_TAG_TIMESTAMP || arg[0].tag == RF_TAG_DURATION;
        result = (int64_t)arg[0].payload;
    }
    if (is_good) {
        *out = rf_cell_of_int(result);
    }
}

static void op_to_uint(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    (void)run;
    uint64_t result;
    if (rf_cell_is_number(&arg[0]) ? number_to_uint(rf_cell_exact(&arg[0]), &result)
                                   : rf_cell_is_string(&arg[0]) && rf_text_to_uint(rf_cell_text(&arg[0]), &result)) {
        *out = rf_cell_of_uint(result);
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

union value_text { /* one of these, and room for all */
    char number[RF_NUMBER_TEXT_MAX];
    char instant[RF_INSTANT_TEXT_MAX];
    char duration[RF_DURATION_TEXT_MAX];
    char ip[RF_IP_TEXT_MAX];
    char cidr[RF_CIDR_TEXT_MAX];
};

/* Of a number, a time or an address; returns the bytes written, 0 for every other cell. */
static size_t cell_write(const struct rf_cell *cell, union value_text *text)
{
    if (rf_cell_is_number(cell)) {
        return number_write(rf_cell_exact(cell), text->number);
    }
    switch (cell->tag) {
    case RF_TAG_TIMESTAMP:
        return rf_instant_write(rf_cell_instant(cell), text->instant);
    case RF_TAG_DURATION:
        return rf_duration_write((int64_t)cell->payload, text->duration);
    case RF_TAG_IP:
        return rf_ip_write(rf_cell_net(cell)->ip, text->ip);
    case RF_TAG_CIDR:
        return rf_cidr_write(*rf_cell_net(cell), text->cidr);
    default:
        return 0;
    }
}

static void op_to_string(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    union value_text text;
    switch (arg[0].tag) {
    case RF_TAG_STRING_RAW:
    case RF_TAG_STRING_ESCAPED:
        *out = arg[0];
        return;
    case RF_TAG_BYTES:
        if (rf_utf8_is_valid(rf_cell_text(&arg[0]))) {
            *out = rf_cell_of_text(rf_cell_text(&arg[0]), RF_TAG_STRING_RAW);
        }
        return;
    case RF_TAG_FALSE:
    case RF_TAG_TRUE:
        *out = rf_cell_of_text(arg[0].tag == RF_TAG_TRUE ? RF_STR("true") : RF_STR("false"), RF_TAG_STRING_RAW);
        return;
    default:
        break;
    }
    const size_t count = cell_write(&arg[0], &text);
    if (count == 0) {
        return;
    }
    char *const copy = rf_calc_room(run, count, out);
    if (copy != NULL) {
        memcpy(copy, &text, count);
        *out = rf_cell_of_text((struct rf_str){copy, count}, RF_TAG_STRING_RAW);
    }
}

static void op_to_timestamp(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    struct rf_instant instant = {.nanos = 0};
    struct rf_cell whole;
    if (arg[0].tag == RF_TAG_TIMESTAMP) {
        *out = arg[0];
    } else if (rf_cell_is_string(&arg[0])) {
        if (rf_instant_parse(rf_cell_text(&arg[0]), &instant)) {
            *out = rf_cell_of_instant(instant);
        }
    } else {
        const struct rf_cell *const seconds =
            !run->calc->is_strict_cel && rf_cell_whole(&arg[0], &whole) ? &whole : &arg[0];
        instant.seconds = (int64_t)seconds->payload;
        if (seconds->tag == RF_TAG_INT && rf_instant_is_in_range(instant)) {
            *out = rf_cell_of_instant(instant);
        }
    }
}

/* The names that host/expr/value.c gives the types. */
static const char *const type_of_tag[RF_TAG_COUNT] = {
    [RF_TAG_NULL] = "null_type",
    [RF_TAG_FALSE] = "bool",
    [RF_TAG_TRUE] = "bool",
    [RF_TAG_NUMBER] = "double",
    [RF_TAG_BIGINT] = "double",
    [RF_TAG_BIGUINT] = "double",
    [RF_TAG_STRING_RAW] = "string",
    [RF_TAG_STRING_ESCAPED] = "string",
    [RF_TAG_INT] = "int",
    [RF_TAG_UINT] = "uint",
    [RF_TAG_DOUBLE] = "double",
    [RF_TAG_BYTES] = "bytes",
    [RF_TAG_LIST] = "list",
    [RF_TAG_OBJECT] = "map",
    [RF_TAG_TIMESTAMP] = "google.protobuf.Timestamp",
    [RF_TAG_DURATION] = "google.protobuf.Duration",
    [RF_TAG_TYPE] = "type",
    [RF_TAG_ITEMS] = "list",
    [RF_TAG_ENTRIES] = "map",
    [RF_TAG_OPTIONAL] = "optional_type",
    [RF_TAG_IP] = "net.IP",
    [RF_TAG_CIDR] = "net.CIDR",
};

static void op_type(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    (void)run;
    *out = rf_cell_of_text(rf_str_of(type_of_tag[arg[0].tag]), RF_TAG_TYPE);
}

/* ---- Messages: google.protobuf.Int32Value{value: 1} is the value itself ---- */

/* A message number that is whole is the int that it is, as for every function that takes an int. */
static struct rf_cell cell_integer(const struct rf_calc_run *run, const struct rf_cell *cell)
{
    struct rf_cell whole;
    return !run->calc->is_strict_cel && rf_cell_whole(cell, &whole) ? whole : *cell;
}

static void op_message_number(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    if (rf_cell_is_number(&arg[0])) {
        const double d = rf_cell_nearest(&arg[0]);
        *out = rf_cell_double_like(&arg[0], run->calc->function == RF_FN_MSG_FLOAT ? rf_math_to_float(d) : d);
    }
}

static void op_message_integer(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    const enum rf_function function = run->calc->function;
    const struct rf_cell value = cell_integer(run, &arg[0]);
    const int64_t number = (int64_t)value.payload;
    const bool is_signed = function == RF_FN_MSG_INT32 || function == RF_FN_MSG_INT64;
    const bool is_in_range = function == RF_FN_MSG_INT32    ? number >= INT32_MIN && number <= INT32_MAX
                             : function == RF_FN_MSG_UINT32 ? value.payload <= UINT32_MAX
                                                            : true;
    if (value.tag == (is_signed ? RF_TAG_INT : RF_TAG_UINT) && is_in_range) {
        *out = value;
    }
}

/* Duration and Timestamp: seconds and nanoseconds, the latter less than a second and of the same sign, or forward. */
static void op_message_time(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    const struct rf_cell part[2] = {cell_integer(run, &arg[0]), cell_integer(run, &arg[1])};
    if (part[0].tag != RF_TAG_INT || part[1].tag != RF_TAG_INT) {
        return;
    }
    const int64_t seconds = (int64_t)part[0].payload;
    const int64_t nanos = (int64_t)part[1].payload;
    if (run->calc->function == RF_FN_MSG_TIMESTAMP) {
        const struct rf_instant instant = {seconds, (uint32_t)nanos};
        if (nanos >= 0 && nanos < RF_NANOSECONDS_PER_SECOND && rf_instant_is_in_range(instant)) {
            *out = rf_cell_of_instant(instant);
        }
        return;
    }
    int64_t nanoseconds = 0;
    if (nanos > -RF_NANOSECONDS_PER_SECOND && nanos < RF_NANOSECONDS_PER_SECOND && !(seconds > 0 && nanos < 0) &&
        !(seconds < 0 && nanos > 0) &&
        !__builtin_mul_overflow(seconds, (int64_t)RF_NANOSECONDS_PER_SECOND, &nanoseconds) &&
        !__builtin_add_overflow(nanoseconds, nanos, &nanoseconds)) {
        *out = (struct rf_cell){.tag = RF_TAG_DURATION, .payload = (uint64_t)nanoseconds, .text = ""};
    }
}

/* The fields of a Struct are named by strings; their values are taken as they are. */
static bool cell_is_struct(const struct rf_cell *cell)
{
    if (cell->tag != RF_TAG_ENTRIES) {
        return cell->tag == RF_TAG_OBJECT;
    }
    const struct rf_cell *entry = rf_cell_inner(cell);
    for (uint32_t i = 0; i < cell->length; i++) {
        if (!rf_cell_is_string(&entry[2 * i])) {
            return false;
        }
    }
    return true;
}

/* Those whose value has one type and is taken as it is. */
static void op_message_plain(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    bool is_taken = false;
    switch (run->calc->function) {
    case RF_FN_MSG_BOOL:
        is_taken = arg[0].tag == RF_TAG_FALSE || arg[0].tag == RF_TAG_TRUE;
        break;
    case RF_FN_MSG_BYTES:
        is_taken = arg[0].tag == RF_TAG_BYTES;
        break;
    case RF_FN_MSG_STRING:
        is_taken = rf_cell_is_string(&arg[0]);
        break;
    case RF_FN_MSG_STRUCT:
        is_taken = cell_is_struct(&arg[0]);
        break;
    default: /* a ListValue */
        is_taken = arg[0].tag == RF_TAG_LIST || arg[0].tag == RF_TAG_ITEMS;
        break;
    }
    if (is_taken) {
        *out = arg[0];
    }
}

static rf_calc_op message_op(enum rf_function function)
{
    switch (function) {
    case RF_FN_MSG_DOUBLE:
    case RF_FN_MSG_FLOAT:
        return op_message_number;
    case RF_FN_MSG_INT32:
    case RF_FN_MSG_INT64:
    case RF_FN_MSG_UINT32:
    case RF_FN_MSG_UINT64:
        return op_message_integer;
    case RF_FN_MSG_DURATION:
    case RF_FN_MSG_TIMESTAMP:
        return op_message_time;
    case RF_FN_MSG_BOOL:
    case RF_FN_MSG_BYTES:
    case RF_FN_MSG_STRING:
    case RF_FN_MSG_STRUCT:
    case RF_FN_MSG_LIST:
        return op_message_plain;
    default:
        return NULL;
    }
}

rf_calc_op rf_calc_convert_op(enum rf_function function)
{
    switch (function) {
    case RF_FN_TO_BOOL:
        return op_to_bool;
    case RF_FN_TO_BYTES:
        return op_to_bytes;
    case RF_FN_TO_DOUBLE:
        return op_to_double;
    case RF_FN_TO_DURATION:
        return op_to_duration;
    case RF_FN_TO_DYN:
        return op_to_dyn;
    case RF_FN_TO_INT:
        return op_to_int;
    case RF_FN_TO_STRING:
        return op_to_string;
    case RF_FN_TO_TIMESTAMP:
        return op_to_timestamp;
    case RF_FN_TYPE:
        return op_type;
    case RF_FN_TO_UINT:
        return op_to_uint;
    default:
        return message_op(function);
    }
}
