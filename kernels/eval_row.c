#include "eval_row.h"

#include <assert.h>
#include <math.h>

#include "calc_list.h"

static struct rf_cell cell_of(const struct rf_columns *columns, const struct rf_batch *batch, uint32_t slot, uint32_t row)
{
    const struct rf_column *column = &columns->slot[slot];
    return (struct rf_cell){.tag = (enum rf_tag)column->tag[row],
                            .payload = column->payload[row],
                            .length = column->length[row],
                            .text = rf_column_text(columns, batch, slot, row).data};
}

/* Reading the value itself is an error. */
static bool cell_is_missing(const struct rf_cell *cell)
{
    return cell->tag == RF_TAG_NOPARENT || cell->tag == RF_TAG_ABSENT || cell->tag == RF_TAG_RANGE ||
           cell->tag == RF_TAG_ERROR;
}

static bool cell_is_bool(const struct rf_cell *cell)
{
    return cell->tag == RF_TAG_FALSE || cell->tag == RF_TAG_TRUE;
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

static enum rf_answer row_in(const struct rf_set *set, const struct rf_cell *cell)
{
    struct rf_number number;
    if (rf_cell_is_string(cell)) {
        return answer_of(rf_set_has_string(set, rf_cell_text(cell)));
    }
    if (rf_cell_number(cell->tag, cell->payload, &number)) {
        return answer_of(rf_set_has_number(set, number));
    }
    return answer_of((cell->tag == RF_TAG_NULL && set->has_null) || (cell->tag == RF_TAG_FALSE && set->has_false) ||
                     (cell->tag == RF_TAG_TRUE && set->has_true));
}

static enum rf_answer row_slots(const struct rf_atom *atom, const struct rf_cell *a, const struct rf_cell *b,
                                struct rf_arena *scratch)
{
    static const enum rf_function function[] = {
        [RF_EQ] = RF_FN_EQ, [RF_LT] = RF_FN_LT, [RF_LE] = RF_FN_LE, [RF_GT] = RF_FN_GT, [RF_GE] = RF_FN_GE};
    if (cell_is_missing(a) || cell_is_missing(b)) {
        return RF_ANSWER_ERROR;
    }
    if (a->tag == RF_TAG_HOST || b->tag == RF_TAG_HOST) {
        return RF_ANSWER_HOST;
    }
    const struct rf_calc calc = {.function = function[atom->compare], .args = 2};
    const struct rf_calc_run run = {.calc = &calc, .scratch = scratch};
    const struct rf_cell arg[2] = {*a, *b};
    struct rf_cell out = {.tag = RF_TAG_ERROR};
    const struct rf_arena_mark mark = scratch == NULL ? (struct rf_arena_mark){0} : rf_arena_mark(scratch);
    rf_calc_list_op(calc.function) != NULL ? rf_calc_list_op(calc.function)(&run, arg, &out)
                                           : rf_calc_number_op(calc.function)(&run, arg, &out);
    if (scratch != NULL) {
        rf_arena_rewind(scratch, mark);
    }
    switch (out.tag) {
    case RF_TAG_TRUE:
        return RF_ANSWER_TRUE;
    case RF_TAG_FALSE:
        return RF_ANSWER_FALSE;
    case RF_TAG_HOST: /* lists and maps are equal by element: only the interpreter takes them apart */
        return RF_ANSWER_HOST;
    default:
        return RF_ANSWER_ERROR;
    }
}

/* A list or map whose text nobody asked for has none here. */
static enum rf_answer row_size(const struct rf_atom *atom, const struct rf_cell *cell, struct rf_arena *scratch)
{
    static const struct rf_calc calc = {.function = RF_FN_SIZE, .args = 1};
    const struct rf_calc_run run = {.calc = &calc, .scratch = scratch};
    struct rf_cell out = {.tag = RF_TAG_ERROR};
    if ((cell->tag == RF_TAG_LIST || cell->tag == RF_TAG_OBJECT) && cell->length == 0) {
        return RF_ANSWER_HOST;
    }
    const struct rf_arena_mark mark = scratch == NULL ? (struct rf_arena_mark){0} : rf_arena_mark(scratch);
    rf_calc_list_op(RF_FN_SIZE)(&run, cell, &out);
    if (scratch != NULL) {
        rf_arena_rewind(scratch, mark);
    }
    if (out.tag != RF_TAG_INT) {
        return out.tag == RF_TAG_HOST ? RF_ANSWER_HOST : RF_ANSWER_ERROR;
    }
    const struct rf_number size = {.kind = RF_NUMBER_INT, .as.i = (int64_t)out.payload};
    return answer_of(rf_order_holds(atom->compare, rf_number_compare(size, atom->number)));
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

static enum rf_answer row_arith(const struct rf_atom *atom, const struct rf_columns *columns,
                                const struct rf_batch *batch, uint32_t row)
{
    double stack[RF_ARITH_STACK_MAX];
    uint32_t top = 0;
    bool is_valid = true;
    bool is_host = false;
    for (uint32_t i = 0; i < atom->code_count; i++) {
        const struct rf_arith *code = &atom->code[i];
        if (code->op == RF_ARITH_SLOT) {
            const struct rf_cell cell = cell_of(columns, batch, code->slot, row);
            if (cell_is_missing(&cell)) {
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

static enum rf_answer row_bool(const struct rf_atom *atom, const struct rf_cell *cell)
{
    if (!cell_is_bool(cell)) {
        return answer_mismatch(atom->compare);
    }
    return answer_of(
        rf_order_holds(atom->compare, order_of_int((cell->tag == RF_TAG_TRUE) - (atom->number.as.i != 0))));
}

/* Atoms of one column whose value is used: has(), sizes and arithmetic are elsewhere. */
static enum rf_answer row_value(const struct rf_atom *atom, const struct rf_cell *cell)
{
    const bool is_string = rf_cell_is_string(cell);
    struct rf_number number;
    switch (atom->kind) {
    case RF_ATOM_TRUTH:
        return cell_is_bool(cell) ? answer_of(cell->tag == RF_TAG_TRUE) : RF_ANSWER_ERROR;
    case RF_ATOM_EQ_NULL:
        return answer_of(cell->tag == RF_TAG_NULL);
    case RF_ATOM_CMP_BOOL:
        return row_bool(atom, cell);
    case RF_ATOM_CMP_NUM:
        if (!rf_cell_number(cell->tag, cell->payload, &number)) {
            return answer_mismatch(atom->compare);
        }
        return answer_of(rf_order_holds(atom->compare, rf_number_compare(number, atom->number)));
    case RF_ATOM_CMP_STR:
        if (!is_string) {
            return answer_mismatch(atom->compare);
        }
        return answer_of(
            rf_order_holds(atom->compare, order_of_int(rf_str_compare(rf_cell_text(cell), atom->string))));
    case RF_ATOM_IN:
        return row_in(&atom->set, cell);
    case RF_ATOM_STARTS:
        return is_string ? answer_of(rf_str_starts(rf_cell_text(cell), atom->string)) : RF_ANSWER_ERROR;
    case RF_ATOM_ENDS:
        return is_string ? answer_of(rf_str_ends(rf_cell_text(cell), atom->string)) : RF_ANSWER_ERROR;
    case RF_ATOM_CONTAINS:
        return is_string ? answer_of(rf_str_contains(rf_cell_text(cell), atom->string)) : RF_ANSWER_ERROR;
    case RF_ATOM_SIZE:
    case RF_ATOM_HAS:
    case RF_ATOM_CMP_SLOT:
    case RF_ATOM_ARITH:
    case RF_ATOM_HOST:
        break;
    }
    return RF_ANSWER_HOST;
}

enum rf_answer rf_eval_cells(const struct rf_atom *atom, const struct rf_cell *a, const struct rf_cell *b,
                             struct rf_arena *scratch)
{
    if (atom->kind == RF_ATOM_CMP_SLOT) {
        return row_slots(atom, a, b, scratch);
    }
    if (atom->kind == RF_ATOM_HAS) {
        return a->tag == RF_TAG_NOPARENT ? RF_ANSWER_ERROR : answer_of(a->tag != RF_TAG_ABSENT);
    }
    if (cell_is_missing(a) || a->tag == RF_TAG_HOST) {
        return a->tag == RF_TAG_HOST ? RF_ANSWER_HOST : RF_ANSWER_ERROR;
    }
    return atom->kind == RF_ATOM_SIZE ? row_size(atom, a, scratch) : row_value(atom, a);
}

enum rf_answer rf_eval_row(const struct rf_atom *atom, const struct rf_columns *columns, const struct rf_batch *batch,
                           uint32_t row, struct rf_arena *scratch)
{
    if (atom->kind == RF_ATOM_HOST) {
        return RF_ANSWER_HOST;
    }
    if (atom->kind == RF_ATOM_ARITH) {
        return row_arith(atom, columns, batch, row);
    }
    const struct rf_cell a = cell_of(columns, batch, atom->slot, row);
    const struct rf_cell b =
        atom->kind == RF_ATOM_CMP_SLOT ? cell_of(columns, batch, atom->other_slot, row) : a;
    return rf_eval_cells(atom, &a, &b, scratch);
}
