/* regex_literal.h: the texts that a pattern is, or cannot do without.
 *
 * Ownership  the texts lie in the given arena; scratch may be reset afterwards.
 * Threads    one thread at a time.
 * Errors     false when an arena is full. That nothing is found is no error: the texts are empty then.
 */
#ifndef RF_REGEX_LITERAL_H
#define RF_REGEX_LITERAL_H

#include "regex.h"
#include "regex_tree.h"

/* Fills literal and required of a regex. */
bool rf_regex_find_literals(const struct rf_tree *tree, struct rf_arena *scratch, struct rf_arena *arena,
                            struct rf_regex *regex);

#endif
