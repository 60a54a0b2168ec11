/* The family MATH of calc.h.
 *
 * Numbers    greatest and least compare on the one exact number line and give the cell itself, the first of equals; NaN
 *            beside another number is an error. The others take the nearest double of a message number and give a NUMBER,
 *            also where is_strict_cel. Bits are asked of ints and uints, and of whole message numbers as if they were
 *            such, unless is_strict_cel.
 * Source     host/expr/operate_math.c, which is the definition; tests/unit/pipeline/test_calc_operate.c compares them.
 */
#include "calc_number.h"

#include <math.h>

#include "calc_list.h"
#include "math_ops.h"

/* ---- Greatest and least ---- */

/* Of one number or more; the elements of a list have not been looked at by anyone before. */
static void find_extreme(enum rf_function function, const struct rf_cell *item, uint32_t count, struct rf_cell *out)
{
    const enum rf_order wanted = function == RF_FN_GREATEST ? RF_ORDER_GREATER : RF_ORDER_LESS;
    const struct rf_cell *best = item;
    for (uint32_t i = 0; i < count; i++) {
        if (item[i].tag == RF_TAG_HOST) {
            out->tag = RF_TAG_HOST;
            return;
        }
        if (!rf_cell_is_number(&item[i])) {
            return;
        }
        const enum rf_order order = rf_number_compare(rf_cell_exact(&item[i]), rf_cell_exact(best));
        if (order == RF_ORDER_NONE && count > 1) {
            return;
        }
        if (order == wanted) {
            best = &item[i];
        }
    }
    *out = *best;
}

static void op_extreme(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    const struct rf_cell *item = arg;
    uint32_t count = run->calc->args;
    if (count == 1 && (arg[0].tag == RF_TAG_LIST || arg[0].tag == RF_TAG_ITEMS)) {
        if (!rf_cell_items(&arg[0], run->scratch, &item, &count)) {
            out->tag = RF_TAG_HOST;
            return;
        }
        if (count == 0) {
            return;
        }
    }
    find_extreme(run->calc->function, item, count, out);
}

/* ---- Doubles ---- */

static void op_round(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    if (!rf_cell_is_double(&arg[0])) {
        return;
    }
    const double value = rf_cell_nearest(&arg[0]);
    switch (run->calc->function) {
    case RF_FN_CEIL:
        *out = rf_cell_double_like(&arg[0], ceil(value));
        break;
    case RF_FN_FLOOR:
        *out = rf_cell_double_like(&arg[0], floor(value));
        break;
    case RF_FN_ROUND:
        *out = rf_cell_double_like(&arg[0], rf_math_round(value));
        break;
    default:
        *out = rf_cell_double_like(&arg[0], trunc(value));
        break;
    }
}

static void op_classify(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    if (!rf_cell_is_double(&arg[0])) {
        return;
    }
    const double value = rf_cell_nearest(&arg[0]);
    switch (run->calc->function) {
    case RF_FN_IS_NAN:
        *out = rf_cell_of_bool(isnan(value));
        break;
    case RF_FN_IS_INF:
        *out = rf_cell_of_bool(isinf(value));
        break;
    default:
        *out = rf_cell_of_bool(isfinite(value));
        break;
    }
}

/* ---- Every type of number ---- */

static void op_abs(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    (void)run;
    int64_t magnitude;
    if (rf_cell_is_double(&arg[0])) {
        *out = rf_cell_double_like(&arg[0], fabs(rf_cell_nearest(&arg[0])));
    } else if (arg[0].tag == RF_TAG_UINT) {
        *out = arg[0];
    } else if (arg[0].tag == RF_TAG_INT && rf_math_abs_int((int64_t)arg[0].payload, &magnitude)) {
        *out = rf_cell_of_int(magnitude);
    }
}

static void op_sign(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    (void)run;
    if (rf_cell_is_double(&arg[0])) {
        *out = rf_cell_double_like(&arg[0], rf_math_sign(rf_cell_nearest(&arg[0])));
    } else if (arg[0].tag == RF_TAG_UINT) {
        *out = rf_cell_of_uint(arg[0].payload != 0);
    } else if (arg[0].tag == RF_TAG_INT) {
        *out = rf_cell_of_int(rf_math_sign_int((int64_t)arg[0].payload));
    }
}

/* Of a negative number NaN, which is no error. */
static void op_sqrt(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    (void)run;
    if (rf_cell_is_number(&arg[0])) {
        *out = rf_cell_double_like(&arg[0], sqrt(rf_cell_nearest(&arg[0])));
    }
}

/* ---- Bits ---- */

/* An INT or UINT cell whose bits are meant; false for every other value. */
static bool bits_of(const struct rf_calc_run *run, const struct rf_cell *cell, struct rf_cell *bits)
{
    *bits = *cell;
    return cell->tag == RF_TAG_INT || cell->tag == RF_TAG_UINT ||
           (!run->calc->is_strict_cel && rf_cell_whole(cell, bits));
}

/* Of the type of the operand. */
static struct rf_cell cell_of_bits(const struct rf_cell *operand, uint64_t bits)
{
    return operand->tag == RF_TAG_INT ? rf_cell_of_int((int64_t)bits) : rf_cell_of_uint(bits);
}

static void op_bits(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    struct rf_cell a;
    struct rf_cell b;
    if (!bits_of(run, &arg[0], &a) || !bits_of(run, &arg[1], &b) || a.tag != b.tag) {
        return;
    }
    switch (run->calc->function) {
    case RF_FN_BIT_AND:
        *out = cell_of_bits(&a, a.payload & b.payload);
        break;
    case RF_FN_BIT_OR:
        *out = cell_of_bits(&a, a.payload | b.payload);
        break;
    default:
        *out = cell_of_bits(&a, a.payload ^ b.payload);
        break;
    }
}

static void op_bit_not(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    struct rf_cell a;
    if (bits_of(run, &arg[0], &a)) {
        *out = cell_of_bits(&a, ~a.payload);
    }
}

static void op_shift(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    struct rf_cell a;
    struct rf_cell places;
    if (!bits_of(run, &arg[0], &a) || !bits_of(run, &arg[1], &places) || places.tag != RF_TAG_INT) {
        return;
    }
    uint64_t shifted;
    const bool is_in_range = run->calc->function == RF_FN_SHIFT_LEFT
                                 ? rf_math_shift_left(a.payload, (int64_t)places.payload, &shifted)
                                 : rf_math_shift_right(a.payload, (int64_t)places.payload, &shifted);
    if (is_in_range) {
        *out = cell_of_bits(&a, shifted);
    }
}

rf_calc_op rf_calc_math_op(enum rf_function function)
{
    switch (function) {
    case RF_FN_GREATEST:
    case RF_FN_LEAST:
        return op_extreme;
    case RF_FN_CEIL:
    case RF_FN_FLOOR:
    case RF_FN_ROUND:
    case RF_FN_TRUNC:
        return op_round;
    case RF_FN_IS_NAN:
    case RF_FN_IS_INF:
    case RF_FN_IS_FINITE:
        return op_classify;
    case RF_FN_ABS:
        return op_abs;
    case RF_FN_SIGN:
        return op_sign;
    case RF_FN_SQRT:
        return op_sqrt;
    case RF_FN_BIT_AND:
    case RF_FN_BIT_OR:
    case RF_FN_BIT_XOR:
        return op_bits;
    case RF_FN_BIT_NOT:
        return op_bit_not;
    case RF_FN_SHIFT_LEFT:
    case RF_FN_SHIFT_RIGHT:
        return op_shift;
    default:
        return NULL;
    }
}
