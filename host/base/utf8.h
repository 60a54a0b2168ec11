/* utf8.h: UTF-8 as Unicode 15 section 3.9 table 3-7 defines it (no surrogates, no overlong forms). Pure. */
#ifndef RF_UTF8_H
#define RF_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "str.h"

/* Offset of the first byte that does not belong to a well-formed sequence, or text.count. */
size_t rf_utf8_valid_count(struct rf_str text);
static inline bool rf_utf8_is_valid(struct rf_str text)
{
    return rf_utf8_valid_count(text) == text.count;
}
/* Code points in well-formed text. */
size_t rf_utf8_length(struct rf_str text);
/* Writes a code point (not a surrogate, <= 0x10FFFF); returns 1..4. */
size_t rf_utf8_write(uint32_t code_point, char text[4]);

#endif
