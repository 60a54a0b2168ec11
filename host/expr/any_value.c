#include "any_value.h"

#include "function.h"
#include "operate.h"
#include "utf8.h"

enum {
    SHOWN_MAX = 60, /* bytes of a text from a message in the text of an error */
    VARINT_BYTES_MAX = 10,
    NUMBER_SHIFT = 3, /* a key is the number of a field and, in its last bits, the wire type */
};

enum wire { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

struct field {
    uint64_t number;
    unsigned wire;
    uint64_t bits;       /* VARINT, FIXED64, FIXED32 */
    struct rf_str bytes; /* BYTES */
};

static struct rf_value error_bytes(const char *name, struct rf_arena *arena)
{
    return rf_operate_error(arena, "the bytes in a google.protobuf.Any are no %s", name);
}

/* ---- The wire format ---- */

static struct rf_str str_take(struct rf_str *rest, size_t count)
{
    const struct rf_str taken = {rest->data, count};
    *rest = (struct rf_str){rest->data + count, rest->count - count};
    return taken;
}

static bool varint_read(struct rf_str *rest, uint64_t *out)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < VARINT_BYTES_MAX && i < rest->count; i++) {
        const uint8_t byte = (uint8_t)rest->data[i];
        if (i == VARINT_BYTES_MAX - 1 && byte > 1) {
            return false; /* beyond 64 bits */
        }
        value |= (uint64_t)(byte & 127) << (7 * i);
        if (byte < 128) {
            str_take(rest, i + 1);
            *out = value;
            return true;
        }
    }
    return false;
}

static bool fixed_read(struct rf_str *rest, size_t count, uint64_t *out)
{
    if (rest->count < count) {
        return false;
    }
    const struct rf_str bytes = str_take(rest, count);
    uint64_t value = 0;
    for (size_t i = count; i > 0; i--) {
        value = value << 8 | (uint8_t)bytes.data[i - 1];
    }
    *out = value;
    return true;
}

static bool field_read(struct rf_str *rest, struct field *out)
{
    uint64_t key = 0;
    *out = (struct field){.bytes = RF_STR("")};
    if (!varint_read(rest, &key) || key > UINT32_MAX || key >> NUMBER_SHIFT == 0) {
        return false;
    }
    out->number = key >> NUMBER_SHIFT;
    out->wire = (unsigned)(key & ((1u << NUMBER_SHIFT) - 1));
    switch (out->wire) {
    case WIRE_VARINT:
        return varint_read(rest, &out->bits);
    case WIRE_FIXED64:
        return fixed_read(rest, sizeof(uint64_t), &out->bits);
    case WIRE_FIXED32:
        return fixed_read(rest, sizeof(uint32_t), &out->bits);
    case WIRE_BYTES:
        if (!varint_read(rest, &out->bits) || out->bits > rest->count) {
            return false;
        }
        out->bytes = str_take(rest, (size_t)out->bits);
        return true;
    default: /* groups, which none of these messages and hardly any other has */
        return false;
    }
}

/* The last field of that number and wire type; zero and empty when there is none. False: no message. */
static bool field_find(struct rf_str message, uint64_t number, enum wire wire, struct field *out)
{
    *out = (struct field){.bytes = RF_STR("")};
    while (message.count != 0) {
        struct field field;
        if (!field_read(&message, &field)) {
            return false;
        }
        if (field.number == number && field.wire == (unsigned)wire) {
            *out = field;
        }
    }
    return true;
}

/* How many there are; false: no message. */
static bool field_count(struct rf_str message, uint64_t number, size_t *count)
{
    *count = 0;
    while (message.count != 0) {
        struct field field;
        if (!field_read(&message, &field)) {
            return false;
        }
        *count += field.number == number && field.wire == WIRE_BYTES;
    }
    return true;
}

/* ---- Wrappers and times ---- */

static double bits_to_double(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static double bits_to_float(uint64_t bits)
{
    const uint32_t half = (uint32_t)bits;
    float f;
    memcpy(&f, &half, sizeof f);
    return (double)f;
}

static enum wire wire_of_wrapper(enum rf_function function)
{
    switch (function) {
    case RF_FN_MSG_DOUBLE:
        return WIRE_FIXED64;
    case RF_FN_MSG_FLOAT:
        return WIRE_FIXED32;
    case RF_FN_MSG_STRING:
    case RF_FN_MSG_BYTES:
        return WIRE_BYTES;
    default:
        return WIRE_VARINT;
    }
}

static struct rf_value read_wrapper(enum rf_function function, struct rf_str bytes, struct rf_arena *arena)
{
    struct field field;
    if (!field_find(bytes, 1, wire_of_wrapper(function), &field)) {
        return error_bytes(rf_function_info(function)->text, arena);
    }
    switch (function) {
    case RF_FN_MSG_BOOL:
        return rf_value_bool(field.bits != 0);
    case RF_FN_MSG_INT32: /* of a longer varint the lower half, as protobuf's own readers do */
        return rf_value_int((int32_t)(uint32_t)field.bits);
    case RF_FN_MSG_INT64:
        return rf_value_int((int64_t)field.bits);
    case RF_FN_MSG_UINT32:
        return rf_value_uint((uint32_t)field.bits);
    case RF_FN_MSG_UINT64:
        return rf_value_uint(field.bits);
    case RF_FN_MSG_DOUBLE:
        return rf_value_double(bits_to_double(field.bits));
    case RF_FN_MSG_FLOAT:
        return rf_value_double(bits_to_float(field.bits));
    case RF_FN_MSG_BYTES:
        return (struct rf_value){.type = RF_TYPE_BYTES, .text = field.bytes};
    default:
        return rf_utf8_is_valid(field.bytes) ? rf_value_string(field.bytes)
                                             : error_bytes(rf_function_info(function)->text, arena);
    }
}

static struct rf_value read_time(enum rf_function function, struct rf_str bytes, struct rf_arena *arena)
{
    struct field seconds;
    struct field nanos;
    if (!field_find(bytes, 1, WIRE_VARINT, &seconds) || !field_find(bytes, 2, WIRE_VARINT, &nanos)) {
        return error_bytes(rf_function_info(function)->text, arena);
    }
    const struct rf_value args[] = {rf_value_int((int64_t)seconds.bits), rf_value_int((int32_t)(uint32_t)nanos.bits)};
    return rf_operate_convert(function, args, 2, arena);
}

/* ---- Messages that hold others ---- */

/* What is found inside a message that is found inside a message. They call each other, RF_ANY_DEPTH_MAX deep. */
static struct rf_value read_message(struct rf_str name, struct rf_str bytes, unsigned depth, struct rf_arena *arena);
static struct rf_value read_list(struct rf_str bytes, unsigned depth, struct rf_arena *arena);
static struct rf_value read_struct(struct rf_str bytes, unsigned depth, struct rf_arena *arena);

static struct rf_value read_value(struct rf_str bytes, unsigned depth, struct rf_arena *arena)
{
    /* Field 0 does not occur. */
    static const unsigned wire_of_field[] = {WIRE_BYTES,  WIRE_VARINT, WIRE_FIXED64, WIRE_BYTES,
                                             WIRE_VARINT, WIRE_BYTES,  WIRE_BYTES};
    struct field last = {.bytes = RF_STR("")};
    while (bytes.count != 0) {
        struct field field;
        if (!field_read(&bytes, &field)) {
            return error_bytes("google.protobuf.Value", arena);
        }
        if (field.number < sizeof wire_of_field / sizeof wire_of_field[0] &&
            field.wire == wire_of_field[field.number]) {
            last = field;
        }
    }
    switch (last.number) {
    case 2:
        return rf_value_double(bits_to_double(last.bits));
    case 3:
        return rf_utf8_is_valid(last.bytes) ? rf_value_string(last.bytes) : error_bytes("google.protobuf.Value", arena);
    case 4:
        return rf_value_bool(last.bits != 0);
    case 5:
        return read_struct(last.bytes, depth + 1, arena);
    case 6:
        return read_list(last.bytes, depth + 1, arena);
    default: /* null, or no field at all */
        return rf_value_null();
    }
}

static struct rf_value read_list(struct rf_str bytes, unsigned depth, struct rf_arena *arena)
{
    size_t count = 0;
    if (depth > RF_ANY_DEPTH_MAX) {
        return rf_value_error(RF_ERROR_TOO_DEEP);
    }
    if (!field_count(bytes, 1, &count)) {
        return error_bytes("google.protobuf.ListValue", arena);
    }
    struct rf_list *list = RF_PUSH(arena, struct rf_list, 1);
    struct rf_value *item = RF_PUSH(arena, struct rf_value, count);
    if (list == NULL || item == NULL) {
        return rf_value_error(RF_ERROR_TOO_LARGE);
    }
    for (size_t i = 0; i < count;) {
        struct field field;
        field_read(&bytes, &field); /* field_count has read them all once */
        if (field.number != 1 || field.wire != WIRE_BYTES) {
            continue;
        }
        item[i] = read_value(field.bytes, depth, arena);
        if (item[i].type == RF_TYPE_ERROR) {
            return item[i];
        }
        i++;
    }
    *list = (struct rf_list){.count = count, .item = item};
    return (struct rf_value){.type = RF_TYPE_LIST, .list = list};
}

static struct rf_value read_entry(struct rf_str bytes, unsigned depth, struct rf_entry *out, struct rf_arena *arena)
{
    struct field key;
    struct field value;
    if (!field_find(bytes, 1, WIRE_BYTES, &key) || !field_find(bytes, 2, WIRE_BYTES, &value) ||
        !rf_utf8_is_valid(key.bytes)) {
        return error_bytes("google.protobuf.Struct", arena);
    }
    *out = (struct rf_entry){.key = rf_value_string(key.bytes), .value = read_value(value.bytes, depth, arena)};
    return out->value;
}

static struct rf_value read_struct(struct rf_str bytes, unsigned depth, struct rf_arena *arena)
{
    size_t count = 0;
    if (depth > RF_ANY_DEPTH_MAX) {
        return rf_value_error(RF_ERROR_TOO_DEEP);
    }
    if (!field_count(bytes, 1, &count)) {
        return error_bytes("google.protobuf.Struct", arena);
    }
    struct rf_entry *entry = RF_PUSH(arena, struct rf_entry, count);
    if (entry == NULL) {
        return rf_value_error(RF_ERROR_TOO_LARGE);
    }
    for (size_t i = 0; i < count;) {
        struct field field;
        field_read(&bytes, &field);
        if (field.number != 1 || field.wire != WIRE_BYTES) {
            continue;
        }
        const struct rf_value value = read_entry(field.bytes, depth, &entry[i], arena);
        if (value.type == RF_TYPE_ERROR) {
            return value;
        }
        i++;
    }
    bool has_twins = false;
    const struct rf_map *map = rf_map_make(arena, entry, count, RF_TWINS_LAST, &has_twins);
    return map == NULL ? rf_value_error(RF_ERROR_TOO_LARGE) : (struct rf_value){.type = RF_TYPE_MAP, .map = map};
}

static struct rf_value read_any(struct rf_str type_url, struct rf_str bytes, unsigned depth, struct rf_arena *arena)
{
    struct rf_str name = type_url;
    for (size_t i = type_url.count; i > 0; i--) {
        if (type_url.data[i - 1] == '/') {
            name = (struct rf_str){type_url.data + i, type_url.count - i};
            break;
        }
    }
    return read_message(name, bytes, depth, arena);
}

static struct rf_value read_message(struct rf_str name, struct rf_str bytes, unsigned depth, struct rf_arena *arena)
{
    if (depth > RF_ANY_DEPTH_MAX) {
        return rf_value_error(RF_ERROR_TOO_DEEP);
    }
    const enum rf_function function = rf_function_find_message(name);
    switch (function) {
    case RF_FN_MSG_BOOL:
    case RF_FN_MSG_BYTES:
    case RF_FN_MSG_DOUBLE:
    case RF_FN_MSG_FLOAT:
    case RF_FN_MSG_INT32:
    case RF_FN_MSG_INT64:
    case RF_FN_MSG_STRING:
    case RF_FN_MSG_UINT32:
    case RF_FN_MSG_UINT64:
        return read_wrapper(function, bytes, arena);
    case RF_FN_MSG_DURATION:
    case RF_FN_MSG_TIMESTAMP:
        return read_time(function, bytes, arena);
    case RF_FN_MSG_STRUCT:
        return read_struct(bytes, depth, arena);
    case RF_FN_MSG_LIST:
        return read_list(bytes, depth, arena);
    case RF_FN_MSG_ANY: {
        struct field type_url;
        struct field value;
        return field_find(bytes, 1, WIRE_BYTES, &type_url) && field_find(bytes, 2, WIRE_BYTES, &value)
                   ? read_any(type_url.bytes, value.bytes, depth + 1, arena)
                   : error_bytes("google.protobuf.Any", arena);
    }
    default:
        break;
    }
    if (rf_str_equal(name, RF_STR("google.protobuf.Value"))) {
        return read_value(bytes, depth, arena);
    }
    struct rf_str shown = {name.data, name.count < SHOWN_MAX ? name.count : SHOWN_MAX};
    shown.count = rf_utf8_valid_count(shown);
    return rf_operate_error(arena, "a google.protobuf.Any of an unknown message type: '%.*s'", RF_STR_ARG(shown));
}

struct rf_value rf_any_value(struct rf_str type_url, struct rf_str bytes, struct rf_arena *arena)
{
    return read_any(type_url, bytes, 0, arena);
}
