/* fix_input.h: whether the input is FIX.
 *
 * Purpose    The lines of the first bytes are gone through until one says what they are: it holds the beginning of a message,
 *            or it is JSON. A pipe is read until then and no further, so that what is found does not depend on how its
 *            bytes arrive.
 * Threads    the main thread.
 * Errors     an input that cannot be read is no FIX; whoever reads it next says why.
 */
#ifndef RF_FIX_INPUT_H
#define RF_FIX_INPUT_H

#include "ahead.h"
#include "flag.h"

/* The format of -f; for auto what the first input looks like, when that is a file or, where records are read, standard input
 * that is no terminal: FIX or NDJSON. `first`: number of the first input among the arguments. *ahead: what was read of
 * standard input; all zero when nothing was. */
unsigned rf_format_choose(const struct rf_flags *flags, size_t first, struct rf_ahead *ahead);

#endif
