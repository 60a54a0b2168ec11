/* sweep.h: the parameters of a rule, and the rules that its combinations make.
 *
 * Data       values of a list keep their text: 1.0 stays 1.0 in names. Values of a range are exact decimals: 0.1, 0.2, 0.3; they
 *            are ints where from and step are whole, else doubles. Texts stand in names as they are when they are plain
 *            words, else quoted as in JSON, so that no two variants have one name.
 * Ownership  everything lives in the arena of the rules.
 * Threads    one thread.
 * Bounds     RF_RULES_MAX rules of a file; RF_SWEEP_DECIMALS behind the point of a range.
 * Errors     RF_E_LIMIT when the arena is full; the rest are problems, and false.
 */
#ifndef RF_SWEEP_H
#define RF_SWEEP_H

#include "rules.h"
#include "rules_file.h"

enum { RF_SWEEP_DECIMALS = 9 };

/* The values of one parameter, of which there is room for so many: no more variants are allowed. */
enum rf_status rf_sweep_values(const struct rules_parameter *written, uint32_t room, struct rf_rules *rules,
                               struct rf_rule_parameter *out, bool *is_right, struct rf_error *err);
/* How many rules a source makes; more than RF_RULES_MAX: RF_RULES_MAX + 1. */
uint32_t rf_sweep_count(const struct rf_rule_source *source);
/* The name of combination i of the source. */
enum rf_status rf_sweep_name(const struct rf_rule_source *source, uint32_t i, struct rf_text *out, struct rf_error *err);
/* Which value parameter p has in combination i. */
uint32_t rf_sweep_choice(const struct rf_rule_source *source, uint32_t i, uint32_t p);

#endif
