/* line_member.h: what a decoded line of json has under a name.
 *
 * Threads    pure functions.
 */
#ifndef RF_LINE_MEMBER_H
#define RF_LINE_MEMBER_H

#include "value.h"

/* NULL: it has none, or is no object. */
const struct rf_value *rf_line_member(const struct rf_value *map, const char *name);
/* False: there is none (value may be NULL), or it is no integer from 0 up. */
bool rf_line_count(const struct rf_value *value, uint64_t *out);
bool rf_line_count_of(const struct rf_value *map, const char *name, uint64_t *out);

#endif
