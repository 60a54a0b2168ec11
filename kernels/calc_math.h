/* calc_math.h: CEL's math extension on cells: a part of rf_calc_number_op, which is what others call (calc.h). */
#ifndef RF_CALC_MATH_H
#define RF_CALC_MATH_H

#include "calc.h"

/* NULL for functions of other families. */
rf_calc_op rf_calc_math_op(enum rf_function function);

#endif
