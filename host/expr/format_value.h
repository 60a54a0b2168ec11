/* format_value.h: values as the clause %s of format() writes them, into a text that may not fit.
 *
 * Data       struct rf_format_out is the text so far. Its count goes on where the text doesn't, so that a first run
 *            gives the size of the whole.
 * Ownership  data is the caller's. Error texts, and for a while the order of a map's keys, live in the arena.
 * Threads    one text, one thread.
 * Errors     false, with out->error set: a value that has no text, one that is nested too deep, a text that is larger
 *            than the arena may become (values that hold one another many times are small, but write without end).
 * Source     CEL specification, "Strings: string.format", and its suite (string_ext). Not as there: a duration is
 *            written exactly, not through a double (duration.h).
 */
#ifndef RF_FORMAT_VALUE_H
#define RF_FORMAT_VALUE_H

#include "value.h"

struct rf_format_out {
    char *data;
    size_t max;   /* bytes that data holds */
    size_t count; /* bytes of the text so far, written or not */
    struct rf_arena *arena;
    struct rf_value error; /* why a call gave false */
};

bool rf_format_fail(struct rf_format_out *out, struct rf_value error); /* sets it; gives false */
bool rf_format_append(struct rf_format_out *out, struct rf_str part);
/* "NaN", "Infinity" or "-Infinity"; NULL for a finite number. */
const char *rf_format_double_name(double value);
/* The shortest digits, never with an exponent; integers of messages beyond 2^53 as exactly as they were read. */
bool rf_format_append_number(struct rf_format_out *out, struct rf_number number);
/* Any value: strings as they are, also within lists "[a, b]" and maps "{k: v}", whose keys are in the order of their
 * texts; ill-formed UTF-8 in bytes as U+FFFD. */
bool rf_format_append_value(struct rf_format_out *out, struct rf_value value);

#endif
