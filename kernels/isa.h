/* isa.h: which instruction-set level the kernels use.
 *
 * Threads    the answer is computed once; any thread may ask.
 * Errors     rf_isa_select: RF_E_USAGE when RIFFLE_ISA names no level or one that the machine lacks.
 */
#ifndef RF_ISA_H
#define RF_ISA_H

#include "status.h"

enum rf_isa { RF_ISA_SCALAR, RF_ISA_AVX2, RF_ISA_AVX512, RF_ISA_COUNT };

const char *rf_isa_name(enum rf_isa isa); /* "scalar" "avx2" "avx512" */
/* Best level of this machine: AVX-512 needs F BW CD DQ VL VBMI VBMI2 VPOPCNTDQ and VPCLMULQDQ; AVX2 needs BMI1/2,
 * LZCNT, POPCNT, PCLMULQDQ. */
enum rf_isa rf_isa_best(void);
/* The level to use: RIFFLE_ISA (read from the environment) or the best. */
enum rf_status rf_isa_select(enum rf_isa *out, struct rf_error *err);

#endif
