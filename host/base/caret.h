/* caret.h: a place in a source: its line and column, and its line with a caret below.
 *
 * Data       rf_caret_append shows
 *
 *                  | symbol.startswith("M")
 *                  |        ^^^^^^^^^^
 *
 *            Long lines are cut around the caret; control bytes are shown as spaces, what is no UTF-8 as '?'.
 * Threads    pure.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_CARET_H
#define RF_CARET_H

#include "status.h"
#include "str.h"
#include "text.h"

/* Of source byte `begin`, both 1-based, the column in code points. */
void rf_caret_place(struct rf_str source, uint32_t begin, uint32_t *line, uint32_t *column);
/* Of source bytes [begin, end). */
enum rf_status rf_caret_append(struct rf_text *out, struct rf_str source, uint32_t begin, uint32_t end,
                               struct rf_error *err);
/* Ends a text of snprintf on a code point boundary and keeps it on one printable line: wanted is what snprintf gave. */
void rf_caret_clean(char *text, size_t room_bytes, int wanted);

#endif
