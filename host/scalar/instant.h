/* instant.h: a point in time, which is CEL's timestamp: years 1 to 9999, in nanoseconds.
 *
 * Data       seconds since 1970-01-01T00:00:00Z, which may be negative, and nanoseconds forward from there. Leap
 *            seconds do not exist: each day has 86400 seconds.
 * Threads    pure functions. Nothing is allocated, and neither locale nor time zone of the process is read.
 * Errors     false; *out is then left alone. Every argument is safe, but for rf_instant_write, which asserts its range.
 * Source     RFC 3339 section 5.6 for the text, read as Go's time.Parse(time.RFC3339) and printed as its RFC3339Nano,
 *            which is what cel-go does; google.protobuf.Timestamp for the range.
 */
#ifndef RF_INSTANT_H
#define RF_INSTANT_H

#include "str.h"

struct rf_instant {
    int64_t seconds; /* since 1970-01-01T00:00:00Z */
    uint32_t nanos;  /* 0..999,999,999 */
};

enum { RF_NANOSECONDS_PER_SECOND = 1000000000 };

/* 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z. */
#define RF_INSTANT_SECONDS_MIN (-62135596800LL)
#define RF_INSTANT_SECONDS_MAX 253402300799LL

bool rf_instant_is_in_range(struct rf_instant t);

/* "2009-02-13T23:31:30Z", "2009-02-13T23:31:30.123+05:45": capital T and Z, two digits each (four for the year), a
 * fraction of at least one digit after a point, of which those beyond the ninth are cut off, and Z or an offset from
 * -23:59 to +23:59. False for anything else, for days that the month lacks, for second 60, and for an instant out of
 * the range, where its offset counts: "0001-01-01T00:00:00+00:01" lies outside. Time linear in the text. */
bool rf_instant_parse(struct rf_str text, struct rf_instant *out);

enum { RF_INSTANT_TEXT_MAX = 40 };
/* "2009-02-13T23:31:30Z", "2023-01-01T00:00:00.5Z": a fraction only where it is not 0, without zeros at its end. `out`
 * holds RF_INSTANT_TEXT_MAX bytes, all of which may be overwritten; returns the bytes of the text; no zero byte. */
size_t rf_instant_write(struct rf_instant t, char *out);

/* t + nanoseconds; false when that is out of the range. */
bool rf_instant_add(struct rf_instant t, int64_t nanoseconds, struct rf_instant *out);
/* a - b; false when that does not fit (292 years and some). */
bool rf_instant_subtract(struct rf_instant a, struct rf_instant b, int64_t *nanoseconds);
/* Negative, 0 or positive, as a is before, at or after b. */
int rf_instant_compare(struct rf_instant a, struct rf_instant b);

#endif
