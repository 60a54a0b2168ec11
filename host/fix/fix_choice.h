/* fix_choice.h: the dictionary that a list of names stands for.
 *
 * Data       names of built-in dictionaries (fix_dict.h) and of files (fix_read.h) with commas between them, each laid over
 *            those before it. Empty: RF_FIX_CHOICE_STANDARD.
 * Ownership  in the arena, or a constant.
 * Errors     as rf_fix_dict_read_file and rf_fix_dict_merge; RF_E_USAGE for a list without a name.
 */
#ifndef RF_FIX_CHOICE_H
#define RF_FIX_CHOICE_H

#include "arena.h"
#include "fix_dict.h"
#include "status.h"

#define RF_FIX_CHOICE_STANDARD "FIX.4.2,FIX.4.4,FIXT.1.1"
enum { RF_FIX_CHOICE_BYTES_MAX = 64 << 20 /* of the arena: enough for any dictionary */ };

enum rf_status rf_fix_choose(struct rf_arena *arena, struct rf_str names, const struct rf_fix_dict **out,
                             struct rf_error *err);

#endif
