/* fix_usual.h: usual entries in a few instructions: `[prefix]8=FIX.4.n|FIXT.1.n SEP 9=digits SEP 35=... 10=ddd SEP`, SEP one
 * byte, BodyLength and CheckSum right, followed by LF or by another message.
 *
 * Purpose    What rf_fix_entry_next looks at first. What is taken here gets the answer that the rule would give.
 * Threads    pure functions.
 */
#ifndef RF_FIX_USUAL_H
#define RF_FIX_USUAL_H

#include "fix_entry.h"

/* The first byte from `at` on that may be a line end, a SOH or the beginning of a message; those at the end of the window
 * are not told apart. */
size_t rf_fix_dull_skip(const struct rf_fix_window *window, size_t at);

/* The entry at window->begin; false: it is not usual, or the window ends too near. *wrong: where a message begins whose
 * BodyLength leads to a trailer with another sum than its bytes have, which is dear to find out; SIZE_MAX: none. */
bool rf_fix_usual(const struct rf_fix_window *window, struct rf_fix_entry *entry, size_t *wrong);

#endif
