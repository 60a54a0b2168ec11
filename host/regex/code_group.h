/* code_group.h: sets of code points that have a name: \d \s \w, [:alpha:] and its like, \p{Greek}.
 *
 * Errors     NULL or false for a name that is not known; *is_full when the arena of the set is full.
 * Threads    pure but for the set.
 * Source     the syntax page of RE2 for the first two; Unicode 15.0 general categories and scripts for the third.
 */
#ifndef RF_CODE_GROUP_H
#define RF_CODE_GROUP_H

#include "code_set.h"

struct rf_code_group { /* ASCII: pairs of bytes, both ends inclusive */
    const char *name;
    const char *pairs;
    uint32_t ranges;
};

/* letter: d s w in lower case. NULL for any other. */
const struct rf_code_group *rf_code_group_perl(char letter);
/* name without brackets and colons: alpha, word, ... */
const struct rf_code_group *rf_code_group_posix(struct rf_str name);
bool rf_code_group_add(const struct rf_code_group *group, struct rf_code_set *set);

/* "Lu", "L", "Greek", "Any". False when there is no such category or script. */
bool rf_code_group_add_unicode(struct rf_str name, struct rf_code_set *set, bool *is_full);
/* Whether a code point may stand in the name of a group: letters, marks, decimal digits, letter numbers, connectors. */
bool rf_code_group_is_name(uint32_t code);

#endif
