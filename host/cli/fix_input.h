/* fix_input.h: whether the input is FIX, and the dictionary for it.
 *
 * Ownership  the dictionary lives in the arena, or is a constant.
 * Threads    the main thread.
 * Errors     as rf_fix_dict_read_file; RF_E_USAGE for a name that is neither a dictionary nor a file.
 */
#ifndef RF_FIX_INPUT_H
#define RF_FIX_INPUT_H

#include "arena.h"
#include "fix_dict.h"
#include "flag.h"
#include "status.h"

/* The format of -f; for auto what the first input looks like, when that is a file: FIX when a message begins in its first
 * bytes and they are no JSON. `first`: number of the first input among the arguments. */
unsigned rf_format_choose(const struct rf_flags *flags, size_t first);

/* --fix-dict: names of built-in dictionaries and files, with commas between them, each laid over those before it. Without it
 * FIX 4.2 under FIX 4.4 under the session layer of FIXT 1.1. */
enum rf_status rf_fix_dictionary_open(const struct rf_flags *flags, struct rf_arena *arena,
                                      const struct rf_fix_dict **out, struct rf_error *err);

#endif
