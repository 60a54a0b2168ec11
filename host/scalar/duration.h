/* duration.h: a span of time in nanoseconds, which is CEL's duration in the 64 bits that cel-go gives it.
 *
 * Threads    pure functions; nothing is allocated.
 * Errors     false; *nanoseconds is then left alone.
 * Source     Go's time.ParseDuration for the text that is read, the JSON mapping of google.protobuf.Duration for the
 *            text that is written. Both are exact here: Go takes fractions through a double, and cel-go prints one, so
 *            that "0.999999999999999999s" is a whole second there and 999999999 ns here.
 */
#ifndef RF_DURATION_H
#define RF_DURATION_H

#include "str.h"

/* "1h30m", "-1.5h", "+100ms", ".5s", "1.s", "0": one sign at most, then numbers with the units h, m, s, ms, us (or
 * "µs" with either micro sign, U+00B5 or U+03BC) and ns in any order; "0" alone needs no unit. Each number is truncated
 * to nanoseconds. False for any other text, and when the sum or a part of it is beyond 64 bits. Time linear in the
 * text. */
bool rf_duration_parse(struct rf_str text, int64_t *nanoseconds);

/* The same, and whole days, which CEL has no unit for: "7d". Never negative. For what people set, not for what records hold. */
bool rf_duration_parse_setting(struct rf_str text, int64_t *nanoseconds);

enum { RF_DURATION_TEXT_MAX = 32 };
/* Seconds: "1000000s", "1.5s", "-0.000000001s", "0s"; no zeros at the end of a fraction. `out` holds
 * RF_DURATION_TEXT_MAX bytes; returns those written; no zero byte. */
size_t rf_duration_write(int64_t nanoseconds, char *out);

#endif
