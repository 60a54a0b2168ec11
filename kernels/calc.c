#include "calc.h"

#include <assert.h>
#include <math.h>

#include "calc_list.h"
#include "calc_typed.h"

/* ---- What all functions share ---- */

bool rf_cell_whole(const struct rf_cell *cell, struct rf_cell *whole)
{
    const double value = rf_cell_double(cell);
    switch (cell->tag) {
    case RF_TAG_BIGINT:
        *whole = rf_cell_of_int((int64_t)cell->payload);
        return true;
    case RF_TAG_BIGUINT:
        *whole = rf_cell_of_uint(cell->payload);
        return true;
    case RF_TAG_NUMBER:
        if (!(fabs(value) <= 0x1p53) || value != trunc(value)) {
            return false;
        }
        *whole = rf_cell_of_int((int64_t)value);
        return true;
    default:
        return false;
    }
}

static rf_calc_op op_of(enum rf_function function)
{
    /* Lists first: their equality and sums pass on what is none. */
    rf_calc_op (*const family[])(enum rf_function) = {rf_calc_list_op,    rf_calc_split_op, rf_calc_number_op,
                                                      rf_calc_convert_op, rf_calc_text_op,  rf_calc_time_op,
                                                      rf_calc_code_op,    rf_calc_net_op,   rf_calc_format_op};
    for (size_t i = 0; i < sizeof family / sizeof family[0]; i++) {
        const rf_calc_op op = family[i](function);
        if (op != NULL) {
            return op;
        }
    }
    return NULL;
}

static bool cell_is_missing(const struct rf_cell *cell)
{
    return cell->tag == RF_TAG_NOPARENT || cell->tag == RF_TAG_ABSENT || cell->tag == RF_TAG_RANGE ||
           cell->tag == RF_TAG_ERROR;
}

static void cell_store(struct rf_calc_column *out, uint32_t row, const struct rf_cell *cell)
{
    out->tag[row] = (uint8_t)cell->tag;
    out->payload[row] = cell->payload;
    out->length[row] = cell->length;
    out->text[row] = cell->text;
}

static const struct rf_cell cell_error = {.tag = RF_TAG_ERROR, .text = ""};
static const struct rf_cell cell_host = {.tag = RF_TAG_HOST, .text = ""};

/* ---- Functions that are not strict ---- */

/* && (deciding: false) and || (deciding: true): the deciding value wins over errors and over what is not known yet. */
static struct rf_cell cell_logic(const struct rf_cell *a, const struct rf_cell *b, enum rf_tag deciding)
{
    if (a->tag == deciding || b->tag == deciding) {
        return rf_cell_of_bool(deciding == RF_TAG_TRUE);
    }
    if (a->tag == RF_TAG_HOST || b->tag == RF_TAG_HOST) {
        return cell_host;
    }
    const enum rf_tag neutral = deciding == RF_TAG_TRUE ? RF_TAG_FALSE : RF_TAG_TRUE;
    return a->tag == neutral && b->tag == neutral ? rf_cell_of_bool(neutral == RF_TAG_TRUE) : cell_error;
}

/* A value that passes through ?: or orValue() without being looked at. */
static struct rf_cell cell_passed(const struct rf_cell *cell)
{
    return cell_is_missing(cell) ? cell_error : *cell;
}

/* The cell of a.b as the optional a.?b. */
static struct rf_cell cell_optional_step(const struct rf_cell *cell, struct rf_arena *scratch)
{
    if (cell->tag == RF_TAG_ABSENT) {
        return rf_cell_of_optional(NULL);
    }
    if (cell_is_missing(cell) || cell->tag == RF_TAG_HOST) {
        return cell->tag == RF_TAG_HOST ? cell_host : cell_error;
    }
    struct rf_cell *inner = RF_PUSH(scratch, struct rf_cell, 1);
    if (inner == NULL) {
        return cell_host;
    }
    *inner = *cell;
    return rf_cell_of_optional(inner);
}

/* optional.or(other), optional.orValue(other): the other one matters only when the optional holds nothing. */
static struct rf_cell cell_or(enum rf_function function, const struct rf_cell *arg)
{
    if (arg[0].tag != RF_TAG_OPTIONAL) {
        return arg[0].tag == RF_TAG_HOST ? cell_host : cell_error;
    }
    if (rf_cell_inner(&arg[0]) != NULL) {
        return function == RF_FN_OR_VALUE ? cell_passed(rf_cell_inner(&arg[0])) : arg[0];
    }
    const bool is_taken = function == RF_FN_OR_VALUE || arg[1].tag == RF_TAG_OPTIONAL || arg[1].tag == RF_TAG_HOST;
    return is_taken ? cell_passed(&arg[1]) : cell_error;
}

static struct rf_cell cell_lazy(const struct rf_calc_run *run, const struct rf_cell *arg)
{
    switch (run->calc->function) {
    case RF_FN_AND:
        return cell_logic(&arg[0], &arg[1], RF_TAG_FALSE);
    case RF_FN_OR:
        return cell_logic(&arg[0], &arg[1], RF_TAG_TRUE);
    case RF_FN_SELECT:
        if (arg[0].tag == RF_TAG_HOST) {
            return cell_host;
        }
        return arg[0].tag == RF_TAG_TRUE    ? cell_passed(&arg[1])
               : arg[0].tag == RF_TAG_FALSE ? cell_passed(&arg[2])
                                            : cell_error;
    case RF_FN_HAS: /* of the field's own cell */
        return arg[0].tag == RF_TAG_NOPARENT ? cell_error : rf_cell_of_bool(arg[0].tag != RF_TAG_ABSENT);
    case RF_FN_INDEX_OPTIONAL:
        return cell_optional_step(&arg[0], run->scratch);
    case RF_FN_MAKE_LIST:
    case RF_FN_MAKE_MAP: { /* elements may be beyond range: nobody uses them yet */
        bool is_host = false;
        for (uint32_t i = 0; i < run->calc->args; i++) {
            const bool is_key = run->calc->function == RF_FN_MAKE_MAP && i % 2 == 0;
            if (cell_is_missing(&arg[i]) && (arg[i].tag != RF_TAG_RANGE || is_key)) {
                return cell_error;
            }
            is_host = is_host || arg[i].tag == RF_TAG_HOST;
        }
        struct rf_cell out = is_host ? cell_host : cell_error;
        if (!is_host) {
            rf_calc_list_op(run->calc->function)(run, arg, &out);
        }
        return out;
    }
    default:
        return cell_or(run->calc->function, arg);
    }
}

static bool calc_is_lazy(const struct rf_calc *calc)
{
    switch (calc->function) {
    case RF_FN_AND:
    case RF_FN_OR:
    case RF_FN_SELECT:
    case RF_FN_HAS:
    case RF_FN_OPTIONAL_OR:
    case RF_FN_OR_VALUE:
    case RF_FN_MAKE_LIST:
    case RF_FN_MAKE_MAP:
        return true;
    case RF_FN_INDEX_OPTIONAL:
        return calc->args == 1;
    default:
        return false;
    }
}

/* ---- The loop ---- */

/* A strict function: an operand that is an error makes one, whatever the interpreter would say of the others. */
static struct rf_cell cell_strict(rf_calc_op op, const struct rf_calc_run *run, const struct rf_cell *arg)
{
    bool is_host = false;
    for (uint32_t i = 0; i < run->calc->args; i++) {
        if (cell_is_missing(&arg[i])) {
            return cell_error;
        }
        is_host = is_host || arg[i].tag == RF_TAG_HOST;
    }
    if (is_host) {
        return cell_host;
    }
    struct rf_cell out = cell_error;
    op(run, arg, &out);
    return out;
}

/* What such a function takes the operands apart into is dead when it has answered. */
static bool function_keeps_scratch(enum rf_function function)
{
    return function != RF_FN_EQ && function != RF_FN_NE && function != RF_FN_IN && function != RF_FN_SIZE &&
           function != RF_FN_HAS_FIELD;
}

void rf_calc_run(const struct rf_calc *calc, const struct rf_calc_view *arg, const uint64_t *live, uint32_t words,
                 struct rf_arena *scratch, struct rf_calc_column *out)
{
    if (calc->function == RF_FN_MATCHES && calc->regex != NULL) {
        rf_calc_run_matches(calc, arg, live, words, out);
        return;
    }
    if (calc->function == RF_FN_SUBJECT) {
        rf_calc_run_subject(calc, arg, live, words, scratch, out);
        return;
    }
    const struct rf_calc_run run = {.calc = calc, .scratch = scratch};
    const bool is_lazy = calc_is_lazy(calc);
    const rf_calc_op op = is_lazy ? NULL : op_of(calc->function);
    assert(is_lazy || op != NULL);
    const bool is_kept = scratch == NULL || function_keeps_scratch(calc->function);
    uint64_t rest[RF_EVAL_BLOCK_WORDS];
    rf_calc_typed_run(calc, arg, live, words, scratch, out, rest);
    for (uint32_t w = 0; w < words; w++) {
        for (uint64_t left = rest[w]; left != 0; left &= left - 1) {
            const uint32_t row = 64 * w + (uint32_t)__builtin_ctzll(left);
            struct rf_cell cell[RF_CALC_ARGS_MAX];
            for (uint32_t i = 0; i < calc->args; i++) {
                cell[i] = rf_calc_cell(&arg[i], row);
            }
            const struct rf_arena_mark mark = is_kept ? (struct rf_arena_mark){0} : rf_arena_mark(scratch);
            const struct rf_cell result = is_lazy ? cell_lazy(&run, cell) : cell_strict(op, &run, cell);
            cell_store(out, row, &result);
            if (!is_kept) {
                rf_arena_rewind(scratch, mark);
            }
        }
    }
}
