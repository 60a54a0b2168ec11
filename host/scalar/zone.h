/* zone.h: a time zone by its name, and its offset from UTC at an instant.
 *
 * Data       Names that are found:
 *              "" and "UTC"           UTC, also where the system has no time zones
 *              "+05:30", "-02:00"     a fixed offset, "02:00" meaning east: two digits each, up to 23:59
 *              "Europe/Berlin"        a TZif file below $TZDIR, else below /usr/share/zoneinfo: as many names as the
 *                                     system has, its old ones such as "US/Central" included
 *            Names may come from messages, so that what they can reach is bounded: at most RF_ZONE_NAME_MAX bytes, at
 *            most four parts between slashes, each a letter and then letters, digits, '_', '+' and '-'. That has no
 *            dot, and so no "..", no tab file and no way out of the folder. "localtime", "posixrules", "Local" and
 *            "local" are refused: they say something else on every machine. So are the zones with leap seconds
 *            ("right/UTC"), see zone_table.h, and every file that is no TZif file.
 * Ownership  tables are kept until the process exits; a struct rf_zone is copied freely and never freed. At most
 *            RF_ZONE_NAMES_MAX names are kept, and the names after that many are unknown: the IANA data has 600, or
 *            1200 with those below "posix/". $TZDIR is read at the first name that is looked for in a file. Files are
 *            read once; the next process sees an update of the system's data.
 * Threads    any. A name that is known is found without a lock. The others take a lock for moments, never while a file
 *            is read. Names that are unknown are remembered up to a few hundred at a time; a stream of ever new ones
 *            costs each of them one failed open(), and the other threads nothing.
 * Errors     false: an unknown name; *out is then left alone.
 * Source     CEL specification, "Timezones"; cel-go for "" and for offsets without sign.
 */
#ifndef RF_ZONE_H
#define RF_ZONE_H

#include "str.h"

enum {
    RF_ZONE_NAME_MAX = 64, /* bytes */
    RF_ZONE_NAMES_MAX = 2048
};

struct rf_zone_table;

struct rf_zone {
    const struct rf_zone_table *table; /* NULL: a fixed offset */
    int32_t offset_seconds;            /* east of UTC; 0 when there is a table */
};

bool rf_zone_find(struct rf_str name, struct rf_zone *out);
/* Seconds east of UTC at an instant, -89999 to 93599. */
int32_t rf_zone_offset(const struct rf_zone *zone, int64_t seconds);

#endif
