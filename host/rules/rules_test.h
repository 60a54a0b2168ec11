/* rules_test.h: the tests of a rules file: names of rules to numbers, records to lines.
 *
 * Ownership  everything lives in the arena of the rules.
 * Threads    one thread.
 * Errors     RF_E_LIMIT when the arena is full, RF_E_MEMORY; the rest are problems.
 */
#ifndef RF_RULES_TEST_H
#define RF_RULES_TEST_H

#include "intern.h"
#include "rules.h"
#include "rules_file.h"

/* sources: name to number of the source, for all that have a name. Fills rules->test. */
enum rf_status rf_rules_tests_read(struct rf_rules *rules, const struct rules_file *file, struct rf_intern *sources,
                                   struct rf_error *err);

#endif
