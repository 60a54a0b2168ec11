/* json_text.h: the inside of JSON strings. Pure.
 *
 * Source     RFC 8259 section 7; RFC 3629 for UTF-8.
 */
#ifndef RF_JSON_TEXT_H
#define RF_JSON_TEXT_H

#include <stddef.h>

#include "status.h"
#include "str.h"
#include "text.h"

enum rf_json_verdict {
    RF_JSON_OK,
    RF_JSON_BAD_ESCAPE,     /* backslash before a letter that JSON does not name, or bad hex digits */
    RF_JSON_LONE_SURROGATE, /* \ud800 without its second half, or the second half alone */
    RF_JSON_BAD_UTF8,
    RF_JSON_CONTROL /* a raw byte below 0x20 */
};

/* Decodes the text between two quotes into out (room for text.count bytes; the result is never longer) and
 * checks it. On a bad verdict *at is the offset of the offending byte in text. */
enum rf_json_verdict rf_json_decode(struct rf_str text, char *out, size_t *out_count, size_t *at);
/* The same checks without output. */
enum rf_json_verdict rf_json_check(struct rf_str text, size_t *at);
/* Appends text as a quoted JSON string: escapes " \ and control bytes; other UTF-8 as it is. A byte that belongs to no
 * UTF-8 (file names may be anything) becomes U+FFFD: JSON must stay JSON. */
enum rf_status rf_json_quote(struct rf_text *out, struct rf_str text, struct rf_error *err);

#endif
