#include "eval_row.h"

#include <assert.h>
#include <math.h>

#include "utf8.h"

struct cell {
    enum rf_tag tag;
    uint64_t payload;
};

static struct cell cell_of(const struct rf_columns *columns, uint32_t slot, uint32_t row)
{
    const struct rf_column *column = &columns->slot[slot];
    return (struct cell){(enum rf_tag)column->tag[row], column->payload[row]};
}

/* Reading the value itself is an error. */
static bool cell_is_missing(struct cell cell)
{
    return cell.tag == RF_TAG_NOPARENT || cell.tag == RF_TAG_ABSENT || cell.tag == RF_TAG_RANGE;
}

static bool cell_is_string(struct cell cell)
{
    return cell.tag == RF_TAG_STRING_RAW || cell.tag == RF_TAG_STRING_ESCAPED;
}

static bool cell_is_bool(struct cell cell)
{
    return cell.tag == RF_TAG_FALSE || cell.tag == RF_TAG_TRUE;
}

static enum rf_answer answer_of(bool value)
{
    return value ? RF_ANSWER_TRUE : RF_ANSWER_FALSE;
}

/* Values of two types: never equal, and without an order. */
static enum rf_answer answer_mismatch(enum rf_compare compare)
{
    return compare == RF_EQ ? RF_ANSWER_FALSE : RF_ANSWER_ERROR;
}

bool rf_order_holds(enum rf_compare compare, enum rf_order order)
{
    switch (compare) {
    case RF_EQ:
        return order == RF_ORDER_EQUAL;
    case RF_LT:
        return order == RF_ORDER_LESS;
    case RF_LE:
        return order == RF_ORDER_LESS || order == RF_ORDER_EQUAL;
    case RF_GT:
        return order == RF_ORDER_GREATER;
    case RF_GE:
        return order == RF_ORDER_GREATER || order == RF_ORDER_EQUAL;
    }
    return false;
}

static enum rf_order order_of_int(int sign)
{
    return sign < 0 ? RF_ORDER_LESS : sign > 0 ? RF_ORDER_GREATER : RF_ORDER_EQUAL;
}

bool rf_set_has_number(const struct rf_set *set, struct rf_number number)
{
    uint32_t low = 0;
    uint32_t high = set->numbers;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const enum rf_order order = rf_number_compare(set->number[middle], number);
        if (order == RF_ORDER_EQUAL) {
            return true;
        }
        if (order == RF_ORDER_NONE) {
            return false; /* NaN is in no set */
        }
        if (order == RF_ORDER_LESS) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return false;
}

bool rf_set_has_string(const struct rf_set *set, struct rf_str text)
{
    uint32_t low = 0;
    uint32_t high = set->strings;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = rf_str_compare(set->string[middle], text);
        if (order == 0) {
            return true;
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return false;
}

static enum rf_answer row_in(const struct rf_set *set, struct cell cell, struct rf_str text)
{
    struct rf_number number;
    if (cell_is_string(cell)) {
        return answer_of(rf_set_has_string(set, text));
    }
    if (rf_cell_number(cell.tag, cell.payload, &number)) {
        return answer_of(rf_set_has_number(set, number));
    }
    return answer_of((cell.tag == RF_TAG_NULL && set->has_null) || (cell.tag == RF_TAG_FALSE && set->has_false) ||
                     (cell.tag == RF_TAG_TRUE && set->has_true));
}

static enum rf_answer row_slots(const struct rf_atom *atom, const struct rf_columns *columns,
                                const struct rf_batch *batch, uint32_t row)
{
    const struct cell a = cell_of(columns, atom->slot, row);
    const struct cell b = cell_of(columns, atom->other_slot, row);
    if (cell_is_missing(a) || cell_is_missing(b)) {
        return RF_ANSWER_ERROR;
    }
    struct rf_number x;
    struct rf_number y;
    if (rf_cell_number(a.tag, a.payload, &x) && rf_cell_number(b.tag, b.payload, &y)) {
        return answer_of(rf_order_holds(atom->compare, rf_number_compare(x, y)));
    }
    if (cell_is_bool(a) && cell_is_bool(b)) {
        const int sign = (a.tag == RF_TAG_TRUE) - (b.tag == RF_TAG_TRUE);
        return answer_of(rf_order_holds(atom->compare, order_of_int(sign)));
    }
    if ((cell_is_string(a) && cell_is_string(b)) || (a.tag == RF_TAG_BYTES && b.tag == RF_TAG_BYTES)) {
        const int sign = rf_str_compare(rf_column_text(columns, batch, atom->slot, row),
                                        rf_column_text(columns, batch, atom->other_slot, row));
        return answer_of(rf_order_holds(atom->compare, order_of_int(sign)));
    }
    if (atom->compare == RF_EQ && a.tag == b.tag) {
        /* Lists and maps are equal by element: only the interpreter takes them apart. */
        return a.tag == RF_TAG_NULL ? RF_ANSWER_TRUE : RF_ANSWER_HOST;
    }
    return answer_mismatch(atom->compare);
}

static enum rf_answer row_size(const struct rf_atom *atom, struct cell cell, struct rf_str text)
{
    if (cell_is_string(cell)) {
        const struct rf_number size = {.kind = RF_NUMBER_INT, .as.i = (int64_t)rf_utf8_length(text)};
        return answer_of(rf_order_holds(atom->compare, rf_number_compare(size, atom->number)));
    }
    return cell.tag == RF_TAG_LIST || cell.tag == RF_TAG_OBJECT || cell.tag == RF_TAG_BYTES ? RF_ANSWER_HOST
                                                                                            : RF_ANSWER_ERROR;
}

static double arith_apply(enum rf_arith_op op, double a, double b, bool *is_valid)
{
    enum { EXACT_MAX = 53 };
    switch (op) {
    case RF_ARITH_ADD:
        return a + b;
    case RF_ARITH_SUB:
        return a - b;
    case RF_ARITH_MUL:
        return a * b;
    case RF_ARITH_DIV:
        return a / b;
    case RF_ARITH_MOD:
        /* Integers up to 2^53 only; a remainder of a division by zero is an error. */
        *is_valid = *is_valid && fabs(a) <= ldexp(1, EXACT_MAX) && fabs(b) <= ldexp(1, EXACT_MAX) && trunc(a) == a &&
                    trunc(b) == b && b != 0;
        return *is_valid ? fmod(a, b) : 0;
    case RF_ARITH_NEG:
    case RF_ARITH_SLOT:
    case RF_ARITH_CONST:
        break;
    }
    return a;
}

static enum rf_answer row_arith(const struct rf_atom *atom, const struct rf_columns *columns, uint32_t row)
{
    double stack[RF_ARITH_STACK_MAX];
    uint32_t top = 0;
    bool is_valid = true;
    bool is_host = false;
    for (uint32_t i = 0; i < atom->code_count; i++) {
        const struct rf_arith *code = &atom->code[i];
        if (code->op == RF_ARITH_SLOT) {
            const struct cell cell = cell_of(columns, code->slot, row);
            if (cell_is_missing(cell)) {
                return RF_ANSWER_ERROR;
            }
            /* Integers beyond 2^53 compare exactly when they stand alone, so they are no doubles here. */
            is_host = is_host || cell.tag != RF_TAG_NUMBER;
            memcpy(&stack[top++], &cell.payload, sizeof(stack[0]));
        } else if (code->op == RF_ARITH_CONST) {
            stack[top++] = code->constant;
        } else if (code->op == RF_ARITH_NEG) {
            stack[top - 1] = -stack[top - 1];
        } else {
            top--;
            stack[top - 1] = arith_apply(code->op, stack[top - 1], stack[top], &is_valid);
        }
        assert(top >= 1 && top <= RF_ARITH_STACK_MAX);
    }
    if (is_host) {
        return RF_ANSWER_HOST;
    }
    if (!is_valid) {
        return RF_ANSWER_ERROR;
    }
    const double a = stack[0];
    const double b = stack[1];
    const enum rf_order order = a < b    ? RF_ORDER_LESS
                                : a > b  ? RF_ORDER_GREATER
                                : a == b ? RF_ORDER_EQUAL
                                         : RF_ORDER_NONE;
    return answer_of(rf_order_holds(atom->compare, order));
}

/* Atoms of one slot whose value is used: has() and arithmetic are elsewhere. */
static enum rf_answer row_value(const struct rf_atom *atom, struct cell cell, struct rf_str text)
{
    struct rf_number number;
    switch (atom->kind) {
    case RF_ATOM_TRUTH:
        return cell_is_bool(cell) ? answer_of(cell.tag == RF_TAG_TRUE) : RF_ANSWER_ERROR;
    case RF_ATOM_EQ_NULL:
        return answer_of(cell.tag == RF_TAG_NULL);
    case RF_ATOM_CMP_BOOL:
        if (!cell_is_bool(cell)) {
            return answer_mismatch(atom->compare);
        }
        return answer_of(
            rf_order_holds(atom->compare, order_of_int((cell.tag == RF_TAG_TRUE) - (atom->number.as.i != 0))));
    case RF_ATOM_CMP_NUM:
        if (!rf_cell_number(cell.tag, cell.payload, &number)) {
            return answer_mismatch(atom->compare);
        }
        return answer_of(rf_order_holds(atom->compare, rf_number_compare(number, atom->number)));
    case RF_ATOM_CMP_STR:
        if (!cell_is_string(cell)) {
            return answer_mismatch(atom->compare);
        }
        return answer_of(rf_order_holds(atom->compare, order_of_int(rf_str_compare(text, atom->string))));
    case RF_ATOM_IN:
        return row_in(&atom->set, cell, text);
    case RF_ATOM_STARTS:
        return cell_is_string(cell) ? answer_of(rf_str_starts(text, atom->string)) : RF_ANSWER_ERROR;
    case RF_ATOM_ENDS:
        return cell_is_string(cell) ? answer_of(rf_str_ends(text, atom->string)) : RF_ANSWER_ERROR;
    case RF_ATOM_CONTAINS:
        return cell_is_string(cell) ? answer_of(rf_str_contains(text, atom->string)) : RF_ANSWER_ERROR;
    case RF_ATOM_SIZE:
        return row_size(atom, cell, text);
    case RF_ATOM_HAS:
    case RF_ATOM_CMP_SLOT:
    case RF_ATOM_ARITH:
    case RF_ATOM_HOST:
        break;
    }
    return RF_ANSWER_HOST;
}

enum rf_answer rf_eval_row(const struct rf_atom *atom, const struct rf_columns *columns, const struct rf_batch *batch,
                           uint32_t row)
{
    if (atom->kind == RF_ATOM_HOST) {
        return RF_ANSWER_HOST;
    }
    if (atom->kind == RF_ATOM_ARITH) {
        return row_arith(atom, columns, row);
    }
    if (atom->kind == RF_ATOM_CMP_SLOT) {
        return row_slots(atom, columns, batch, row);
    }
    const struct cell cell = cell_of(columns, atom->slot, row);
    if (atom->kind == RF_ATOM_HAS) {
        return cell.tag == RF_TAG_NOPARENT ? RF_ANSWER_ERROR : answer_of(cell.tag != RF_TAG_ABSENT);
    }
    if (cell_is_missing(cell)) {
        return RF_ANSWER_ERROR;
    }
    const struct rf_str text = cell_is_string(cell) ? rf_column_text(columns, batch, atom->slot, row) : RF_STR("");
    return row_value(atom, cell, text);
}
