/* diagnostic.h: what is wrong with an expression, where, and what was probably meant.
 *
 * A compile call that ends with RF_E_EXPR has filled one of these; rf_diagnostic_print shows it as
 *
 *     error: undeclared function 'startswith' (did you mean 'startsWith'?)
 *      --> 1:8
 *       | symbol.startswith("M")
 *       |        ^^^^^^^^^^
 *
 * Threads    pure.
 * Errors     rf_diagnostic_print: RF_E_MEMORY; the others have none of their own.
 */
#ifndef RF_DIAGNOSTIC_H
#define RF_DIAGNOSTIC_H

#include <stdint.h>

#include "status.h"
#include "str.h"
#include "text.h"

struct rf_diagnostic {
    char text[256];        /* one line, suggestion included */
    uint32_t begin, end;   /* bytes in the source */
    uint32_t line, column; /* 1-based; column in code points */
};

/* Fills the place alone: source bytes [begin, end), line and column. */
void rf_diagnostic_place(struct rf_diagnostic *diagnostic, struct rf_str source, uint32_t begin, uint32_t end);
/* Fills *diagnostic for source bytes [begin, end), and *err with "line:column: text". Always RF_E_EXPR. */
enum rf_status rf_diagnostic_fail(struct rf_diagnostic *diagnostic, struct rf_str source, uint32_t begin, uint32_t end,
                                  struct rf_error *err, const char *format, ...) __attribute__((format(printf, 6, 7)));
/* A part of a source on one line: white space becomes one space, other control bytes '?'; a text of room_bytes and more
 * ends with dots, behind a whole code point. room_bytes is 8 at least. */
void rf_diagnostic_cut(struct rf_str source, char *out, size_t room_bytes);
/* Text, place, source line and caret. Long lines are cut around the caret; control bytes are shown as spaces. */
enum rf_status rf_diagnostic_print(const struct rf_diagnostic *diagnostic, struct rf_str source, struct rf_text *out,
                                   struct rf_error *err);

#endif
