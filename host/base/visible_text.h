/* visible_text.h: any bytes as text that a terminal shows and does not obey.
 *
 * Data       What would control a terminal or turn the direction of writing becomes an escape in ASCII: control bytes, DEL and
 *            bytes that are no UTF-8 \x1b, the controls U+0080 to U+009F \u{9b}, line and paragraph separators and the marks of
 *            bidirectional text \u{202e}. All else stays as it is, backslashes too: this is for eyes, not for programs.
 * Threads    pure.
 * Errors     RF_E_MEMORY.
 * Source     ECMA-48 for the controls; Unicode standard annex 9 for the marks.
 */
#ifndef RF_VISIBLE_TEXT_H
#define RF_VISIBLE_TEXT_H

#include "text.h"

enum rf_status rf_visible_append(struct rf_text *out, struct rf_str text, struct rf_error *err);

#endif
