/* zone_rule.h: which offset a POSIX TZ rule gives at an instant: "CET-1CEST,M3.5.0,M10.5.0/3".
 *
 * Data       The moments of a rule depend on a year in two ways only: on which weekday it begins and whether it is a
 *            leap year. So the 14 kinds of years are worked out once, and an instant costs its year and two compares.
 *            The alternative, to add 400 years of transitions to the table of the zone, is 10 KB a zone and slower.
 * Ownership  plain values.
 * Threads    pure functions.
 * Errors     false: the text is no rule, or one that names a second time without saying when it begins and ends.
 * Source     POSIX.1-2024 section 8.3 (TZ) with names in < > and times from -167 to 167 hours, as RFC 9636 section 3.3
 *            allows for the footer of a TZif file.
 */
#ifndef RF_ZONE_RULE_H
#define RF_ZONE_RULE_H

#include "str.h"

enum { RF_ZONE_YEAR_KINDS = 14 };

struct rf_zone_rule {
    int32_t standard_offset; /* seconds east of UTC */
    int32_t saving_offset;   /* while daylight saving time holds; may be less than the standard one */
    bool has_saving;
    bool is_within_year; /* each year's two moments lie in that year, in UTC, in one order for all years */
    /* By kind of year: seconds from the beginning of that year in UTC. */
    int32_t saving_begin[RF_ZONE_YEAR_KINDS];
    int32_t saving_end[RF_ZONE_YEAR_KINDS];
};

bool rf_zone_rule_parse(struct rf_str text, struct rf_zone_rule *out);
/* Seconds east of UTC. Every argument is safe: those beyond the range of an instant count as its nearer end. */
int32_t rf_zone_rule_offset(const struct rf_zone_rule *rule, int64_t seconds);

#endif
