/* The family OPTIONAL of operate.h: values that may be there or not.
 *
 * Data       what an optional holds is copied into the arena; what that value points to is shared.
 * Source     cel-go's optional types. Zero values are those of its types: null, false, 0, 0u, 0.0 (either sign), "",
 *            b"", lists and maps without elements, the duration 0 and the timestamp of second 0 of 1970. Its own code
 *            tests the last one against Go's zero time, which is the year 1; its comment, the default of
 *            google.protobuf.Timestamp and cel-java say 1970. NaN, types, addresses and optionals are never zero.
 */
#include "operate.h"

static struct rf_value optional_of(struct rf_value value, struct rf_arena *arena)
{
    struct rf_value *inner = RF_PUSH(arena, struct rf_value, 1);
    if (inner == NULL) {
        return rf_value_error(RF_ERROR_TOO_LARGE);
    }
    *inner = value;
    return rf_value_optional(inner);
}

static bool value_is_zero(struct rf_value value)
{
    switch (value.type) {
    case RF_TYPE_NULL:
        return true;
    case RF_TYPE_BOOL:
        return !value.boolean;
    case RF_TYPE_INT:
    case RF_TYPE_UINT:
    case RF_TYPE_DOUBLE:
        return rf_number_to_double(value.exact) == 0;
    case RF_TYPE_STRING:
    case RF_TYPE_BYTES:
        return value.text.count == 0;
    case RF_TYPE_LIST:
        return value.list->count == 0;
    case RF_TYPE_MAP:
        return value.map->count == 0;
    case RF_TYPE_TIMESTAMP:
    case RF_TYPE_DURATION:
        return value.exact.as.i == 0 && value.nanos == 0;
    default:
        return false;
    }
}

/* hasValue() and value(). */
static struct rf_value optional_read(enum rf_function function, const struct rf_value *args, struct rf_arena *arena)
{
    if (args[0].type != RF_TYPE_OPTIONAL) {
        return rf_operate_no_overload(function, args, 1, arena);
    }
    const struct rf_value *const inner = args[0].inner;
    if (function == RF_FN_HAS_VALUE) {
        return rf_value_bool(inner != NULL);
    }
    if (inner == NULL) {
        return rf_value_error("optional.none() dereference: value() of an optional that holds nothing");
    }
    return rf_operate_usable(*inner, arena); /* msg.?price may hold 1e400 */
}

struct rf_value rf_operate_optional(enum rf_function function, const struct rf_value *args, uint32_t count,
                                    struct rf_arena *arena)
{
    (void)count;
    switch (function) {
    case RF_FN_OPTIONAL_OF:
        return optional_of(args[0], arena);
    case RF_FN_OPTIONAL_NONE:
        return rf_value_optional(NULL);
    case RF_FN_OPTIONAL_OF_NON_ZERO:
        return value_is_zero(args[0]) ? rf_value_optional(NULL) : optional_of(args[0], arena);
    default:
        return optional_read(function, args, arena);
    }
}
