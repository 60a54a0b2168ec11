/* record.h: the members of `record`, the envelope of a message.
 *
 * Threads    constant tables.
 */
#ifndef RF_RECORD_H
#define RF_RECORD_H

#include "ast.h"

struct rf_record_member {
    const char *name;
    enum rf_root root; /* RF_ROOT_RECORD_ABSENT: in the language, but not in this input */
    enum rf_type type;
};

/* NULL when record has no member of this name. */
const struct rf_record_member *rf_record_member(struct rf_str name);
/* The member that was probably meant, or NULL. */
const char *rf_record_suggest(struct rf_str name);

#endif
