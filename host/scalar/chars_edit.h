/* chars_edit.h: new text from old, into memory of the caller.
 *
 * Data       strings are valid UTF-8, and so are the results. On other bytes the calls are safe, and a code point is
 *            what chars.h says.
 * Ownership  out belongs to the caller; it must not overlap the texts. No zero byte is written.
 * Threads    pure functions.
 * Errors     none: each function gives the bytes of the whole result, and writes it only when they are at most out_max;
 *            otherwise out, which may then be NULL, is left as it was.
 * Source     the strings extension of CEL (its conformance suite, string_ext).
 */
#ifndef RF_CHARS_EDIT_H
#define RF_CHARS_EDIT_H

#include "chars.h"

/* The case of ASCII letters; everything else stays. */
size_t rf_chars_lower_ascii(struct rf_str text, char *out, size_t out_max);
size_t rf_chars_upper_ascii(struct rf_str text, char *out, size_t out_max);
/* The code points in the opposite order. */
size_t rf_chars_reverse(struct rf_str text, char *out, size_t out_max);
/* The first `limit` places of `from`, or all of them when limit < 0, become `to`; places do not overlap. An empty
 * `from` is before every code point and at the end. A size beyond SIZE_MAX is given as SIZE_MAX. */
size_t rf_chars_replace(struct rf_str text, struct rf_str from, struct rf_str to, int64_t limit, char *out,
                        size_t out_max);
/* CEL strings.quote: between double quotes, with \a \b \f \n \r \t \v \\ and \" for what they name; everything else
 * stays. */
size_t rf_chars_quote(struct rf_str text, char *out, size_t out_max);

#endif
