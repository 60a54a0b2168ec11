/* fix_match.h: `--fix-match '35=D&&55=AUD/USD'` as an expression.
 *
 * Purpose    What users of fixgrep write. Each criterion is TAG=VALUE; between them stands &&; a message must meet all. The
 *            value is compared with the field's exact text: fix.raw(35) == "D". A tag that messages may lack is asked for
 *            first, has(fix[55]) && fix.raw(55) == "AUD/USD", so that a message without it is rejected, and is no error.
 * Data       The value goes from the first = to the next &&; blanks beside && and at the ends are not part of it.
 * Threads    pure.
 * Errors     RF_E_EXPR, with the place in *diagnostic; RF_E_MEMORY.
 */
#ifndef RF_FIX_MATCH_H
#define RF_FIX_MATCH_H

#include "diagnostic.h"

/* Appends the expression to out. */
enum rf_status rf_fix_match_lower(struct rf_str criteria, struct rf_text *out, struct rf_diagnostic *diagnostic,
                                  struct rf_error *err);

#endif
