/* outcome_part.h: which part of which run an outcome is of, so that parts that do not make a whole are not added up.
 *
 * Data       first .. last of `of` parts, from 0; of 0: a whole run. In JSON "part":"2/3", from 1; "1-2/3" once parts are merged.
 *            cut: of the names of the files and of what cuts them: equal for all parts of a run. 0: not known, or a whole run.
 *            digest: of the rules and of what was asked of each record (rf_rules_digest): equal for all parts of a run, and for
 *            runs over other days with the same rules. 0: not known.
 * Threads    pure functions.
 * Errors     RF_E_DATA: two do not belong together, or not in this order.
 */
#ifndef RF_OUTCOME_PART_H
#define RF_OUTCOME_PART_H

#include "status.h"
#include "text.h"

struct rf_outcome_part {
    uint32_t first, last, of;
    uint64_t digest;
    uint64_t cut;
    bool is_interrupted; /* a run that ended early: counts are of what it had read */
};

/* Members of a line, each behind a comma. */
enum rf_status rf_outcome_part_write(const struct rf_outcome_part *part, struct rf_text *out, struct rf_error *err);
/* "2/3" or "1-2/3". */
bool rf_outcome_part_parse(struct rf_str text, struct rf_outcome_part *part);
/* "0123456789abcdef" */
bool rf_outcome_digest_parse(struct rf_str text, uint64_t *digest);
/* part becomes that of both; next is of the records behind its. */
enum rf_status rf_outcome_part_join(struct rf_outcome_part *part, const struct rf_outcome_part *next, struct rf_error *err);

#endif
