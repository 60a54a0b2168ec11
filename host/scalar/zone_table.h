/* zone_table.h: the offsets of one time zone through all of time, as its TZif file tells them.
 *
 * Data       time[T] ascending; offset[T + 1] seconds east of UTC, of which offset[t] holds before time[t] and the last
 *            one after all of them. From rule_begin on the rule of the file's footer holds instead.
 * Ownership  one piece of memory, of the C library; immutable once it is read.
 * Threads    any number may read one table.
 * Errors     NULL: the bytes are no TZif file of version 2 or later, or damaged. Every length and index is checked; a
 *            file is refused rather than mended. Refused as well: a file with leap seconds (the "right/" zones), whose
 *            seconds are not those of an instant, and one with offsets beyond those that RFC 9636 advises.
 * Source     RFC 9636 section 3. Before the first transition the first type of local time holds, which is local mean
 *            time in the IANA data; that is section 3.2, while glibc looks for the first one without saving.
 * Cost       a lookup about 15 ns; 12 bytes for each transition that changes the offset.
 */
#ifndef RF_ZONE_TABLE_H
#define RF_ZONE_TABLE_H

#include "zone_rule.h"

enum {
    /* The largest file of the IANA data has below 4 KB and below 300 transitions. */
    RF_ZONE_FILE_BYTES_MAX = 65536,
    RF_ZONE_TRANSITIONS_MAX = 4096
};

struct rf_zone_table {
    struct rf_zone_rule rule;
    int64_t rule_begin; /* INT64_MAX: the file has no rule, INT64_MIN: it has nothing else */
    size_t count;       /* T */
    int32_t *offset;    /* behind time[T] */
    int64_t time[];
};

struct rf_zone_table *rf_zone_table_read(const uint8_t *bytes, size_t count);
/* Reads the file of that name, which must be a regular one. *is_settled: a later call would give the same, which is not
 * so when memory or file descriptors are short. */
struct rf_zone_table *rf_zone_table_load(const char *path, bool *is_settled);

/* Whether it has one offset at all times, which *offset then is. */
bool rf_zone_table_is_fixed(const struct rf_zone_table *table, int32_t *offset);
int32_t rf_zone_table_offset(const struct rf_zone_table *table, int64_t seconds);

#endif
