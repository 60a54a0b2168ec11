/* fix_input.h: whether the input is FIX.
 *
 * Threads    the main thread.
 * Errors     an input that cannot be read is no FIX; whoever reads it next says why.
 */
#ifndef RF_FIX_INPUT_H
#define RF_FIX_INPUT_H

#include "flag.h"

/* The format of -f; for auto what the first input looks like, when that is a file: FIX when a message begins in its first
 * bytes and they are no JSON. `first`: number of the first input among the arguments. */
unsigned rf_format_choose(const struct rf_flags *flags, size_t first);

#endif
