/* regex_simulate.h: the nondeterministic automaton at work: all its nodes that are active at once.
 *
 * Data       a regex of kind RF_REGEX_NFA. Time: text x nodes at most; some 35 KiB of stack.
 * Threads    pure.
 */
#ifndef RF_REGEX_SIMULATE_H
#define RF_REGEX_SIMULATE_H

#include "regex.h"

bool rf_regex_simulate(const struct rf_regex *regex, struct rf_str text);

#endif
