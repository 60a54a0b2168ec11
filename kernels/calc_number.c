/* The family CORE of calc.h: operators and size() on cells. Sums and differences of times are in calc_time.c, the functions
 * of mathematics in calc_math.c, `in` in calc_list.c.
 *
 * Numbers    NUMBER, BIGINT and BIGUINT are doubles of one type: arithmetic takes the nearest double of them and gives a
 *            NUMBER, also where an int or uint stands beside one, unless is_strict_cel. Comparison takes the exact value.
 * Text       a sum of two strings or bytes is new text (calc_text.h).
 * Lists      maps and optionals are the business of rf_calc_list_op, which asks here about all others. What looks into them
 *            is RF_TAG_HOST here.
 * Source     host/expr/operate.c, which is the definition; tests/unit/pipeline/test_calc_operate.c compares them.
 */
#include "calc_number.h"

#include <math.h>

#include "calc_text.h"
#include "utf8.h"

static const struct rf_cell cell_host = {.tag = RF_TAG_HOST, .text = ""};

/* Cells that may be equal or ordered: those of one kind. */
enum cell_kind {
    KIND_NONE,
    KIND_NULL,
    KIND_BOOL,
    KIND_NUMBER,
    KIND_STRING,
    KIND_BYTES,
    KIND_LIST,
    KIND_MAP,
    KIND_OPTIONAL,
    KIND_TIMESTAMP,
    KIND_DURATION,
    KIND_TYPE,
    KIND_IP,
    KIND_CIDR
};

static const uint8_t kind_of_tag[RF_TAG_COUNT] = {
    [RF_TAG_NULL] = KIND_NULL,
    [RF_TAG_FALSE] = KIND_BOOL,
    [RF_TAG_TRUE] = KIND_BOOL,
    [RF_TAG_NUMBER] = KIND_NUMBER,
    [RF_TAG_BIGINT] = KIND_NUMBER,
    [RF_TAG_BIGUINT] = KIND_NUMBER,
    [RF_TAG_INT] = KIND_NUMBER,
    [RF_TAG_UINT] = KIND_NUMBER,
    [RF_TAG_DOUBLE] = KIND_NUMBER,
    [RF_TAG_STRING_RAW] = KIND_STRING,
    [RF_TAG_STRING_ESCAPED] = KIND_STRING,
    [RF_TAG_BYTES] = KIND_BYTES,
    [RF_TAG_LIST] = KIND_LIST,
    [RF_TAG_ITEMS] = KIND_LIST,
    [RF_TAG_OBJECT] = KIND_MAP,
    [RF_TAG_ENTRIES] = KIND_MAP,
    [RF_TAG_OPTIONAL] = KIND_OPTIONAL,
    [RF_TAG_TIMESTAMP] = KIND_TIMESTAMP,
    [RF_TAG_DURATION] = KIND_DURATION,
    [RF_TAG_TYPE] = KIND_TYPE,
    [RF_TAG_IP] = KIND_IP,
    [RF_TAG_CIDR] = KIND_CIDR,
};

static enum cell_kind cell_kind(const struct rf_cell *cell)
{
    return (enum cell_kind)kind_of_tag[cell->tag];
}

/* The kind of both cells, or KIND_NONE. */
static enum cell_kind kind_of_both(const struct rf_cell *arg)
{
    const enum cell_kind kind = cell_kind(&arg[0]);
    return kind == cell_kind(&arg[1]) ? kind : KIND_NONE;
}

/* ---- Arithmetic ---- */

static bool int_operate(enum rf_function function, int64_t a, int64_t b, int64_t *result)
{
    switch (function) {
    case RF_FN_ADD:
        return !__builtin_add_overflow(a, b, result);
    case RF_FN_SUB:
        return !__builtin_sub_overflow(a, b, result);
    case RF_FN_MUL:
        return !__builtin_mul_overflow(a, b, result);
    default:
        if (b == 0 || (a == INT64_MIN && b == -1)) {
            return false;
        }
        *result = function == RF_FN_DIV ? a / b : a % b;
        return true;
    }
}

static bool uint_operate(enum rf_function function, uint64_t a, uint64_t b, uint64_t *result)
{
    switch (function) {
    case RF_FN_ADD:
        return !__builtin_add_overflow(a, b, result);
    case RF_FN_SUB:
        return !__builtin_sub_overflow(a, b, result);
    case RF_FN_MUL:
        return !__builtin_mul_overflow(a, b, result);
    default:
        if (b == 0) {
            return false;
        }
        *result = function == RF_FN_DIV ? a / b : a % b;
        return true;
    }
}

/* Integers up to 2^53 are exact in a double, and so is their remainder. */
static bool double_is_small_integer(double d)
{
    return fabs(d) <= 0x1p53 && d == (double)(int64_t)d;
}

static bool double_operate(enum rf_function function, double a, double b, double *result)
{
    switch (function) {
    case RF_FN_ADD:
        *result = a + b;
        return true;
    case RF_FN_SUB:
        *result = a - b;
        return true;
    case RF_FN_MUL:
        *result = a * b;
        return true;
    case RF_FN_DIV:
        *result = a / b;
        return true;
    default:
        if (!double_is_small_integer(a) || !double_is_small_integer(b) || b == 0) {
            return false;
        }
        *result = fmod(a, b);
        return true;
    }
}

/* Both cells as doubles; the result has that tag. */
static void arithmetic_of_doubles(enum rf_function function, const struct rf_cell *arg, enum rf_tag tag,
                                  struct rf_cell *out)
{
    double result;
    if (double_operate(function, rf_cell_nearest(&arg[0]), rf_cell_nearest(&arg[1]), &result)) {
        *out = rf_cell_of_double(result, tag);
    }
}

static void arithmetic_of_numbers(const struct rf_calc *calc, const struct rf_cell *arg, struct rf_cell *out)
{
    const enum rf_function function = calc->function;
    if (!calc->is_strict_cel && (rf_cell_is_message(&arg[0]) || rf_cell_is_message(&arg[1]))) {
        arithmetic_of_doubles(function, arg, RF_TAG_NUMBER, out);
    } else if (arg[0].tag == RF_TAG_INT && arg[1].tag == RF_TAG_INT) {
        int64_t result;
        if (int_operate(function, (int64_t)arg[0].payload, (int64_t)arg[1].payload, &result)) {
            *out = rf_cell_of_int(result);
        }
    } else if (arg[0].tag == RF_TAG_UINT && arg[1].tag == RF_TAG_UINT) {
        uint64_t result;
        if (uint_operate(function, arg[0].payload, arg[1].payload, &result)) {
            *out = rf_cell_of_uint(result);
        }
    } else if (rf_cell_is_double(&arg[0]) && rf_cell_is_double(&arg[1]) && function != RF_FN_MOD) {
        /* CEL has no remainder of doubles: 7.0 % 2.0 */
        arithmetic_of_doubles(function, arg, RF_TAG_DOUBLE, out);
    }
}

static void op_arithmetic(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    const enum rf_function function = run->calc->function;
    const bool is_add = function == RF_FN_ADD;
    switch (cell_kind(&arg[0])) {
    case KIND_NUMBER:
        if (cell_kind(&arg[1]) == KIND_NUMBER) {
            arithmetic_of_numbers(run->calc, arg, out);
        }
        break;
    case KIND_TIMESTAMP:
    case KIND_DURATION:
        if (is_add || function == RF_FN_SUB) {
            rf_calc_time_op(function)(run, arg, out);
        }
        break;
    case KIND_STRING:
    case KIND_BYTES:
        if (is_add && cell_kind(&arg[0]) == cell_kind(&arg[1])) {
            rf_calc_concat(run, arg, out);
        }
        break;
    case KIND_LIST:
        if (is_add && cell_kind(&arg[1]) == KIND_LIST) {
            *out = cell_host;
        }
        break;
    default:
        break;
    }
}

/* A message number stays one, also where is_strict_cel. */
static void op_negate(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    if (arg[0].tag == RF_TAG_INT) {
        int64_t result;
        if (int_operate(RF_FN_SUB, 0, (int64_t)arg[0].payload, &result)) {
            *out = rf_cell_of_int(result);
        }
    } else if (rf_cell_is_double(&arg[0])) {
        *out = rf_cell_double_like(&arg[0], -rf_cell_nearest(&arg[0]));
    } else if (arg[0].tag == RF_TAG_DURATION) {
        rf_calc_time_op(RF_FN_NEG)(run, arg, out);
    }
}

/* ---- Comparison ---- */

static bool instants_are_equal(const struct rf_cell *a, const struct rf_cell *b)
{
    return a->payload == b->payload && a->length == b->length;
}

/* Two cells of one kind that holds no others. */
static bool cells_are_equal(enum cell_kind kind, const struct rf_cell *a, const struct rf_cell *b)
{
    switch (kind) {
    case KIND_NULL:
        return true;
    case KIND_BOOL:
        return a->tag == b->tag;
    case KIND_NUMBER:
        return rf_number_compare(rf_cell_exact(a), rf_cell_exact(b)) == RF_ORDER_EQUAL;
    case KIND_STRING:
        /* Mostly the heads differ, and the texts need not be read. */
        return a->payload == b->payload && rf_str_equal(rf_cell_text(a), rf_cell_text(b));
    case KIND_TIMESTAMP:
        return instants_are_equal(a, b);
    case KIND_DURATION:
        return a->payload == b->payload;
    case KIND_IP:
        return rf_ip_equal(rf_cell_net(a)->ip, rf_cell_net(b)->ip);
    case KIND_CIDR:
        return rf_cidr_equal(*rf_cell_net(a), *rf_cell_net(b));
    default: /* bytes and types */
        return rf_str_equal(rf_cell_text(a), rf_cell_text(b));
    }
}

static void op_equal(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    const bool is_negated = run->calc->function == RF_FN_NE;
    const enum cell_kind kind = kind_of_both(arg);
    if (kind == KIND_LIST || kind == KIND_MAP || kind == KIND_OPTIONAL) {
        *out = cell_host;
    } else {
        const bool is_same = kind != KIND_NONE && cells_are_equal(kind, &arg[0], &arg[1]);
        *out = rf_cell_of_bool(is_same != is_negated);
    }
}

static enum rf_order order_of_sign(int sign)
{
    return sign < 0 ? RF_ORDER_LESS : sign > 0 ? RF_ORDER_GREATER : RF_ORDER_EQUAL;
}

static enum rf_order order_of_texts(const struct rf_cell *a, const struct rf_cell *b)
{
    return order_of_sign(rf_str_compare(rf_cell_text(a), rf_cell_text(b)));
}

/* Two cells of one kind; false when that kind has no order. */
static bool cells_order(enum cell_kind kind, const struct rf_cell *a, const struct rf_cell *b, enum rf_order *order)
{
    switch (kind) {
    case KIND_BOOL:
        *order = order_of_sign((a->tag == RF_TAG_TRUE) - (b->tag == RF_TAG_TRUE));
        return true;
    case KIND_NUMBER:
        *order = rf_number_compare(rf_cell_exact(a), rf_cell_exact(b));
        return true;
    case KIND_STRING:
        /* The order of different heads is that of the texts. */
        *order = a->payload != b->payload ? a->payload < b->payload ? RF_ORDER_LESS : RF_ORDER_GREATER
                                          : order_of_texts(a, b);
        return true;
    case KIND_BYTES:
        *order = order_of_texts(a, b);
        return true;
    case KIND_TIMESTAMP:
        *order = order_of_sign(rf_instant_compare(rf_cell_instant(a), rf_cell_instant(b)));
        return true;
    case KIND_DURATION:
        *order =
            order_of_sign(((int64_t)a->payload > (int64_t)b->payload) - ((int64_t)a->payload < (int64_t)b->payload));
        return true;
    default:
        return false;
    }
}

static bool order_holds(enum rf_function function, enum rf_order order)
{
    switch (function) {
    case RF_FN_LT:
        return order == RF_ORDER_LESS;
    case RF_FN_LE:
        return order == RF_ORDER_LESS || order == RF_ORDER_EQUAL;
    case RF_FN_GT:
        return order == RF_ORDER_GREATER;
    default:
        return order == RF_ORDER_GREATER || order == RF_ORDER_EQUAL;
    }
}

static void op_order(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    enum rf_order order;
    if (cells_order(kind_of_both(arg), &arg[0], &arg[1], &order)) {
        *out = rf_cell_of_bool(order_holds(run->calc->function, order));
    }
}

/* ---- The others ---- */

static void op_not(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    (void)run;
    if (cell_kind(&arg[0]) == KIND_BOOL) {
        *out = rf_cell_of_bool(arg[0].tag == RF_TAG_FALSE);
    }
}

static void op_size(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    (void)run;
    switch (cell_kind(&arg[0])) {
    case KIND_STRING:
        *out = rf_cell_of_int((int64_t)rf_utf8_length(rf_cell_text(&arg[0])));
        break;
    case KIND_BYTES:
        *out = rf_cell_of_int(arg[0].length);
        break;
    case KIND_LIST:
    case KIND_MAP:
        *out = cell_host;
        break;
    default:
        break;
    }
}

rf_calc_op rf_calc_number_op(enum rf_function function)
{
    switch (function) {
    case RF_FN_NOT:
        return op_not;
    case RF_FN_NEG:
        return op_negate;
    case RF_FN_ADD:
    case RF_FN_SUB:
    case RF_FN_MUL:
    case RF_FN_DIV:
    case RF_FN_MOD:
        return op_arithmetic;
    case RF_FN_EQ:
    case RF_FN_NE:
        return op_equal;
    case RF_FN_LT:
    case RF_FN_LE:
    case RF_FN_GT:
    case RF_FN_GE:
        return op_order;
    case RF_FN_SIZE:
        return op_size;
    default:
        return rf_calc_math_op(function);
    }
}
