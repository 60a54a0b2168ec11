/* format_value.h: values as the clause %s of format() writes them.
 *
 * Data       struct rf_format_out is the text so far (format_text.h, which has the numbers and the clauses).
 * Ownership  the text's data is the caller's. Error texts, and for a while the order of a map's keys, live in the arena.
 * Threads    one text, one thread.
 * Errors     false, with out->error set: a value that has no text, one that is nested too deep, a text that is larger
 *            than the arena may become (values that hold one another many times are small, but write without end).
 * Source     CEL specification, "Strings: string.format", and its suite (string_ext).
 */
#ifndef RF_FORMAT_VALUE_H
#define RF_FORMAT_VALUE_H

#include "format_text.h"
#include "value.h"

struct rf_format_out {
    struct rf_format_text text;
    struct rf_arena *arena;
    struct rf_value error; /* why a call gave false */
};

/* A text in data[max] that may become as large as the arena. */
struct rf_format_out rf_format_begin(char *data, size_t max, struct rf_arena *arena);
bool rf_format_fail(struct rf_format_out *out, struct rf_value error); /* sets it; gives false */
/* Whether the text took what was appended to it; sets the error when it did not. */
bool rf_format_took(struct rf_format_out *out, bool is_taken);
/* Any value: strings as they are, also within lists "[a, b]" and maps "{k: v}", whose keys are in the order of their
 * texts; ill-formed UTF-8 in bytes as U+FFFD. */
bool rf_format_append_value(struct rf_format_out *out, struct rf_value value);

#endif
