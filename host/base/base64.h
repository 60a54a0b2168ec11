/* base64.h: bytes as text, and back. Source: RFC 4648 section 4. */
#ifndef RF_BASE64_H
#define RF_BASE64_H

#include <stdbool.h>

#include "text.h"

/* Always padded. */
enum rf_status rf_base64_append(struct rf_text *out, struct rf_str bytes, struct rf_error *err);

/* Decodes the whole text into out, which has room for 3 * (text.count / 4 + 1) bytes. Padding is either complete or
 * left out; the unused bits of the last symbol may be anything. False for every other text, line ends included; what
 * is in out is then undefined and *count unchanged. */
bool rf_base64_decode(struct rf_str text, char *out, size_t *count);

#endif
