/* The family MATH of operate.h: CEL's math extension.
 *
 * Numbers    greatest and least compare on the one exact number line and give the operand itself with its type, the
 *            first of equals. NaN has no place there: beside another number it is an error, as in cel-go; alone it is
 *            its own greatest. The other functions take the nearest double of a message number and give a message number,
 *            so that `math.abs(delta) * 2` works as `delta * 2` does. rf_operate has made ints of those that bits are
 *            asked of.
 * Source     cel-go's math extension and CEL's conformance suite, math_ext.
 */
#include "math_ops.h"

#include "function.h"
#include "operate.h"

/* ---- Greatest and least ---- */

/* Of one number or more; the items of a list have not been looked at by anyone before. */
static struct rf_value find_extreme(enum rf_function function, const struct rf_value *item, size_t count,
                                    struct rf_arena *arena)
{
    const char *const name = rf_function_info(function)->text;
    const enum rf_order wanted = function == RF_FN_GREATEST ? RF_ORDER_GREATER : RF_ORDER_LESS;
    size_t best = 0;
    for (size_t i = 0; i < count; i++) {
        const struct rf_value usable = rf_operate_usable(item[i], arena);
        if (usable.type == RF_TYPE_ERROR) {
            return usable;
        }
        if (!rf_value_is_number(usable)) {
            return rf_operate_error(arena, "no such overload: %s takes numbers, not a value of type %s", name,
                                    rf_type_name(usable.type));
        }
        const enum rf_order order = rf_number_compare(usable.exact, item[best].exact);
        if (order == RF_ORDER_NONE && count > 1) {
            return rf_operate_error(arena, "%s: NaN cannot be ordered", name);
        }
        if (order == wanted) {
            best = i;
        }
    }
    return item[best];
}

static struct rf_value math_extreme(enum rf_function function, const struct rf_value *args, uint32_t count,
                                    struct rf_arena *arena)
{
    if (count != 1 || args[0].type != RF_TYPE_LIST) {
        return find_extreme(function, args, count, arena);
    }
    const struct rf_list *const list = args[0].list;
    if (list->count == 0) {
        return rf_operate_error(arena, "%s of an empty list", rf_function_info(function)->text);
    }
    return find_extreme(function, list->item, list->count, arena);
}

/* ---- Doubles ---- */

static struct rf_value double_like(struct rf_value operand, double d)
{
    struct rf_value result = rf_value_double(d);
    result.is_message = operand.is_message;
    return result;
}

static struct rf_value math_double(enum rf_function function, const struct rf_value *args, struct rf_arena *arena)
{
    if (args[0].type != RF_TYPE_DOUBLE) {
        return rf_operate_no_overload(function, args, 1, arena);
    }
    const double d = rf_number_to_double(args[0].exact);
    switch (function) {
    case RF_FN_CEIL:
        return double_like(args[0], ceil(d));
    case RF_FN_FLOOR:
        return double_like(args[0], floor(d));
    case RF_FN_ROUND:
        return double_like(args[0], rf_math_round(d));
    case RF_FN_TRUNC:
        return double_like(args[0], trunc(d));
    case RF_FN_IS_NAN:
        return rf_value_bool(isnan(d));
    case RF_FN_IS_INF:
        return rf_value_bool(isinf(d));
    default:
        return rf_value_bool(isfinite(d));
    }
}

/* ---- Every type of number ---- */

static struct rf_value math_abs(const struct rf_value *args, struct rf_arena *arena)
{
    int64_t magnitude = 0;
    switch (args[0].type) {
    case RF_TYPE_INT:
        return rf_math_abs_int(args[0].exact.as.i, &magnitude)
                   ? rf_value_int(magnitude)
                   : rf_value_error("int overflow: math.abs of the least int");
    case RF_TYPE_UINT:
        return args[0];
    case RF_TYPE_DOUBLE:
        return double_like(args[0], fabs(rf_number_to_double(args[0].exact)));
    default:
        return rf_operate_no_overload(RF_FN_ABS, args, 1, arena);
    }
}

static struct rf_value math_sign(const struct rf_value *args, struct rf_arena *arena)
{
    switch (args[0].type) {
    case RF_TYPE_INT:
        return rf_value_int(rf_math_sign_int(args[0].exact.as.i));
    case RF_TYPE_UINT:
        return rf_value_uint(args[0].exact.as.u != 0);
    case RF_TYPE_DOUBLE:
        return double_like(args[0], rf_math_sign(rf_number_to_double(args[0].exact)));
    default:
        return rf_operate_no_overload(RF_FN_SIGN, args, 1, arena);
    }
}

/* Of a negative number NaN, which is no error: doubles have none. */
static struct rf_value math_sqrt(const struct rf_value *args, struct rf_arena *arena)
{
    if (!rf_value_is_number(args[0])) {
        return rf_operate_no_overload(RF_FN_SQRT, args, 1, arena);
    }
    return double_like(args[0], sqrt(rf_number_to_double(args[0].exact)));
}

/* ---- Bits ---- */

static bool value_has_bits(struct rf_value value)
{
    return value.type == RF_TYPE_INT || value.type == RF_TYPE_UINT;
}

static uint64_t value_bits(struct rf_value value)
{
    return value.type == RF_TYPE_INT ? (uint64_t)value.exact.as.i : value.exact.as.u;
}

/* An int or uint of those bits, of the type of the operand. */
static struct rf_value bits_like(struct rf_value operand, uint64_t bits)
{
    return operand.type == RF_TYPE_INT ? rf_value_int((int64_t)bits) : rf_value_uint(bits);
}

static struct rf_value math_bits(enum rf_function function, const struct rf_value *args, struct rf_arena *arena)
{
    if (!value_has_bits(args[0]) || args[0].type != args[1].type) {
        return rf_operate_no_overload(function, args, 2, arena);
    }
    const uint64_t a = value_bits(args[0]);
    const uint64_t b = value_bits(args[1]);
    return bits_like(args[0], function == RF_FN_BIT_AND ? a & b : function == RF_FN_BIT_OR ? a | b : a ^ b);
}

static struct rf_value math_bit_not(const struct rf_value *args, struct rf_arena *arena)
{
    if (!value_has_bits(args[0])) {
        return rf_operate_no_overload(RF_FN_BIT_NOT, args, 1, arena);
    }
    return bits_like(args[0], ~value_bits(args[0]));
}

static struct rf_value math_shift(enum rf_function function, const struct rf_value *args, struct rf_arena *arena)
{
    if (!value_has_bits(args[0]) || args[1].type != RF_TYPE_INT) {
        return rf_operate_no_overload(function, args, 2, arena);
    }
    const uint64_t bits = value_bits(args[0]);
    const int64_t places = args[1].exact.as.i;
    uint64_t shifted = 0;
    const bool is_in_range = function == RF_FN_SHIFT_LEFT ? rf_math_shift_left(bits, places, &shifted)
                                                          : rf_math_shift_right(bits, places, &shifted);
    if (!is_in_range) {
        return rf_operate_error(arena, "%s by a negative offset: %lld", rf_function_info(function)->text,
                                (long long)places);
    }
    return bits_like(args[0], shifted);
}

struct rf_value rf_operate_math(enum rf_function function, const struct rf_value *args, uint32_t count,
                                struct rf_arena *arena)
{
    switch (function) {
    case RF_FN_GREATEST:
    case RF_FN_LEAST:
        return math_extreme(function, args, count, arena);
    case RF_FN_ABS:
        return math_abs(args, arena);
    case RF_FN_SIGN:
        return math_sign(args, arena);
    case RF_FN_SQRT:
        return math_sqrt(args, arena);
    case RF_FN_BIT_AND:
    case RF_FN_BIT_OR:
    case RF_FN_BIT_XOR:
        return math_bits(function, args, arena);
    case RF_FN_BIT_NOT:
        return math_bit_not(args, arena);
    case RF_FN_SHIFT_LEFT:
    case RF_FN_SHIFT_RIGHT:
        return math_shift(function, args, arena);
    default:
        return math_double(function, args, arena);
    }
}
