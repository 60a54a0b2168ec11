/* fix_start.h: where a message begins, and what separates its fields.
 *
 * Data       a message begins with `8=FIX`, at most RF_FIX_VERSION_MAX letters, digits and dots, and a separator; what
 *            separator it is, its first field says. Behind a digit (`58=FIX|`) it is a beginning only when `9=` and a
 *            digit follow; in the middle of a field of another message when they do, or `35=`, as in logs that lack field 9.
 * Threads    pure functions.
 */
#ifndef RF_FIX_START_H
#define RF_FIX_START_H

#include "fix_window.h"

enum { RF_FIX_VERSION_MAX = 12, RF_FIX_START_MAX = 5 + RF_FIX_VERSION_MAX + 4 + 4 };

enum rf_fix_separator {
#define RF_FIX_SEPARATOR(name, text, bytes) name,
#include "fix_separator.def"
#undef RF_FIX_SEPARATOR
    RF_FIX_SEPARATOR_COUNT
};

struct rf_fix_start {
    size_t message; /* of the 8 */
    size_t second;  /* behind the first separator */
    enum rf_fix_separator separator;
};

const char *rf_fix_separator_text(enum rf_fix_separator separator);
size_t rf_fix_separator_bytes(enum rf_fix_separator separator);

/* Does a message begin at `at`? is_strict: in the middle of a field. *out is set when it is RF_FIX_YES. */
enum rf_fix_answer rf_fix_start_at(const struct rf_fix_window *window, size_t at, bool is_strict,
                                   struct rf_fix_start *out);

#endif
