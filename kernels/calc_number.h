/* calc_number.h: the numbers of cells, for functions on cells; and the part of rf_calc_number_op (calc.h) that is CEL's math
 * extension.
 *
 * Data       NUMBER, BIGINT and BIGUINT are message numbers: doubles to CEL, whose exact value counts where numbers are
 *            compared, and their nearest double where they are computed with.
 * Threads    pure functions.
 */
#ifndef RF_CALC_NUMBER_H
#define RF_CALC_NUMBER_H

#include "calc.h"

/* Numbers whose type is double. */
static inline bool rf_cell_is_double(const struct rf_cell *cell)
{
    return cell->tag == RF_TAG_DOUBLE || rf_cell_is_message(cell);
}

static inline bool rf_cell_is_number(const struct rf_cell *cell)
{
    return cell->tag == RF_TAG_INT || cell->tag == RF_TAG_UINT || rf_cell_is_double(cell);
}

/* The exact number of a cell that is one. */
static inline struct rf_number rf_cell_exact(const struct rf_cell *cell)
{
    switch (cell->tag) {
    case RF_TAG_INT:
    case RF_TAG_BIGINT:
        return (struct rf_number){.kind = RF_NUMBER_INT, .as.i = (int64_t)cell->payload};
    case RF_TAG_UINT:
    case RF_TAG_BIGUINT:
        return (struct rf_number){.kind = RF_NUMBER_UINT, .as.u = cell->payload};
    default:
        return (struct rf_number){.kind = RF_NUMBER_DOUBLE, .as.d = rf_cell_double(cell)};
    }
}

/* The double nearest to it. */
static inline double rf_cell_nearest(const struct rf_cell *cell)
{
    switch (cell->tag) {
    case RF_TAG_INT:
    case RF_TAG_BIGINT:
        return (double)(int64_t)cell->payload;
    case RF_TAG_UINT:
    case RF_TAG_BIGUINT:
        return (double)cell->payload;
    default:
        return rf_cell_double(cell);
    }
}

/* What a function of that number gives when it gives a double: a message number of a message number. */
static inline struct rf_cell rf_cell_double_like(const struct rf_cell *operand, double value)
{
    return rf_cell_of_double(value, rf_cell_is_message(operand) ? RF_TAG_NUMBER : RF_TAG_DOUBLE);
}

/* NULL for functions of other families. */
rf_calc_op rf_calc_math_op(enum rf_function function);

#endif
