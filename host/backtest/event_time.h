/* event_time.h: when a record happened, as one number.
 *
 * Purpose    What --time gives for a record, whatever type it has, to nanoseconds since 1970.
 * Data       TIMESTAMP; numbers in the unit said, or with AUTO in the one by which they lie between 1973 and 5138: below
 *            10^11 seconds, below 10^14 milliseconds, below 10^17 microseconds, else nanoseconds (by absolute value); texts
 *            of RFC 3339, also with a blank for T and without a zone (UTC), of FIX (UTCTimestamp), or of digits alone.
 *            Everything else, and what lies outside the years 1678 to 2261, is RF_TALLY_UNTIMED.
 * Threads    pure functions.
 */
#ifndef RF_EVENT_TIME_H
#define RF_EVENT_TIME_H

#include "calc.h"
#include "tally.h"
#include "value.h"

enum rf_time_unit { RF_TIME_AUTO, RF_TIME_S, RF_TIME_MS, RF_TIME_US, RF_TIME_NS };

int64_t rf_event_time_of_cell(const struct rf_cell *cell, enum rf_time_unit unit);
int64_t rf_event_time_of_value(const struct rf_value *value, enum rf_time_unit unit);
int64_t rf_event_time_of_text(struct rf_str text, enum rf_time_unit unit);

enum { RF_EVENT_TIME_TEXT_MAX = 40 };
/* RFC 3339 in UTC; returns the bytes written. */
size_t rf_event_time_write(int64_t ns, char *out);
/* The inverse. False: no instant, or outside. */
bool rf_event_time_parse(struct rf_str text, int64_t *ns);

#endif
