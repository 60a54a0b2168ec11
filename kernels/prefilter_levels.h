/* prefilter_levels.h: the forms of the prefilter, for prefilter*.c alone. */
#ifndef RF_PREFILTER_LEVELS_H
#define RF_PREFILTER_LEVELS_H

#include "prefilter.h"

#define PREFILTER_LEVEL(level)                                                                                         \
    uint32_t rf_prefilter_run_##level(const struct rf_prefilter *prefilter, const struct rf_batch *batch,              \
                                      uint32_t begin, struct rf_span32 *span, uint8_t *sieved, uint32_t *lines);
PREFILTER_LEVEL(scalar)
PREFILTER_LEVEL(avx2)
PREFILTER_LEVEL(avx512)
#undef PREFILTER_LEVEL

/* Is the candidate at `at` (where a probe's first byte stands) the whole literal? */
bool rf_prefilter_is_literal(const struct rf_prefilter_probe *probe, const struct rf_batch *batch, uint32_t begin,
                             uint32_t at);
/* May the backslash at `at` begin an escape that spells a part of a literal? */
bool rf_prefilter_may_spell(const struct rf_prefilter *prefilter, const struct rf_batch *batch, uint32_t at);

#endif
