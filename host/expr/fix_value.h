/* fix_value.h: texts of a FIX message as CEL values.
 *
 * Data       by the class of the type (fix_type.h): int; double, a number of the message, so that an int literal beside it
 *            is promoted; bool; timestamp; duration since midnight; string; list(string); bytes.
 * Ownership  strings and bytes point into the text; lists and error texts are in the arena.
 * Errors     an error value: the text is none of the type, a string is no UTF-8, the arena is full.
 */
#ifndef RF_FIX_VALUE_H
#define RF_FIX_VALUE_H

#include "fix_type.h"
#include "value.h"

#define RF_NO_FIELD "no such field"

/* name: of the access, for the error. */
struct rf_value rf_fix_text_value(enum rf_fix_type type, struct rf_str text, struct rf_str name,
                                  struct rf_arena *arena);
/* The text of a number as it is written out: itself when JSON could have it ("100.50"), else empty ("007", ".5"): then the
 * number is. */
struct rf_str rf_fix_number_text(struct rf_str text);
/* The exact text, as a string. */
struct rf_value rf_fix_raw_value(struct rf_str text, struct rf_str name, struct rf_arena *arena);

#endif
