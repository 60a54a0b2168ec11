/* outcome.h: what a backtest has found, to be written, read and added up.
 *
 * Purpose    rf_outcome_write_json gives one line for each rule, in their order; rf_outcome_read takes such lines back, so that
 *            outcomes of parts of a stream can be merged: the outcome of the whole is the same, however it was cut.
 * Data       R rules, I inputs. Each line of json is whole: it says how many records the run saw too.
 *            Records out of order: those with an event time before that of the record before them; merging counts the seams,
 *            so that parts must be merged in their order.
 * Ownership  rf_outcome_close frees; names are borrowed from whoever filled them, or live in the arena.
 * Threads    one thread.
 * Errors     RF_E_FORMAT: a text is no outcome; RF_E_DATA: two outcomes do not belong together; RF_E_MEMORY.
 */
#ifndef RF_OUTCOME_H
#define RF_OUTCOME_H

#include "arena.h"
#include "forward_tally.h"
#include "label_tally.h"
#include "outcome_part.h"
#include "overlap.h"
#include "tally.h"
#include "text.h"

struct rf_outcome_rule {
    struct rf_str name;
    struct rf_str about; /* further members of its line, as JSON: "tags":["a"],"params":{"t":5}; may be empty */
};

struct rf_outcome {
    uint32_t rules;
    const struct rf_outcome_rule *rule;
    struct rf_str *input; /* [inputs] names */
    uint32_t inputs;      /* room for so many names */
    uint32_t input_count; /* that the run had, with a hit in it or not; 0: not known */
    struct rf_tally tally;
    struct rf_label_tally label;
    struct rf_overlap overlap; /* both is NULL: not wanted */
    struct rf_forward_tally forward; /* moments is NULL: no value was followed */
    uint64_t read, malformed, blank;
    uint64_t disorder;              /* records out of order */
    int64_t first_time, last_time;  /* of the first and last record that has one; RF_TALLY_NEVER without */
    struct rf_outcome_part part;
    struct rf_arena arena;
};

void rf_outcome_close(struct rf_outcome *outcome);

enum rf_status rf_outcome_write_json(const struct rf_outcome *outcome, struct rf_text *out, struct rf_error *err);
enum rf_status rf_outcome_write_csv(const struct rf_outcome *outcome, struct rf_text *out, struct rf_error *err);
/* name: of where the text comes from, for messages. */
enum rf_status rf_outcome_read(struct rf_outcome *outcome, struct rf_str json, const char *name, struct rf_error *err);
/* Adds `from`, which is of the records behind those of `outcome`; it may only be closed then. */
enum rf_status rf_outcome_merge(struct rf_outcome *outcome, struct rf_outcome *from, struct rf_error *err);

struct rf_outcome_table {
    uint32_t top;     /* rules shown, most hits first; 0: all */
    uint32_t overlap; /* of them in the table of pairs */
    unsigned columns; /* of the terminal; 0: as many as it takes */
    bool has_color;
};
/* For people. */
enum rf_status rf_outcome_write_table(const struct rf_outcome *outcome, struct rf_outcome_table table,
                                      struct rf_text *out, struct rf_error *err);

#endif
