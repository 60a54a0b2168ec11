/* parse_text.h: numbers and truth values from text: CEL's int(string), uint(string), double(string) and bool(string).
 *
 * Data       any bytes; nothing may stand around the value, no white space either.
 * Threads    pure functions.
 * Errors     false: the text is no such value, or the value is out of range; the result is then unchanged.
 * Cost       linear in the text.
 * Source     what Go's strconv.ParseInt and ParseUint with base 10 and ParseFloat accept, which CEL takes over, without
 *            the hexadecimal floats of ParseFloat (0x1p-2) and the underscores that it allows in them. As there, nan
 *            has no sign. Doubles are correctly rounded (host/base/number.h).
 */
#ifndef RF_PARSE_TEXT_H
#define RF_PARSE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "str.h"

/* Digits, leading zeros among them, behind an optional + or -. */
bool rf_text_to_int(struct rf_str text, int64_t *out);
/* The same without a sign. */
bool rf_text_to_uint(struct rf_str text, uint64_t *out);
/* "1", "-1.", "+.5", "1e-7", "inf", "-Infinity", "NaN", the words in any case. Too large (1e400) is out of range; too
 * small (1e-400) is 0 with its sign. */
bool rf_text_to_double(struct rf_str text, double *out);
/* Exactly: 1 t true TRUE True, 0 f false FALSE False. */
bool rf_text_to_bool(struct rf_str text, bool *out);

#endif
