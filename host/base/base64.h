/* base64.h: bytes as text. Source: RFC 4648 section 4, with padding. */
#ifndef RF_BASE64_H
#define RF_BASE64_H

#include "text.h"

enum rf_status rf_base64_append(struct rf_text *out, struct rf_str bytes, struct rf_error *err);

#endif
