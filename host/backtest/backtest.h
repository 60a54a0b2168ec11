/* backtest.h: all rules over a stream: the watch of a pipeline that tallies.
 *
 * Purpose    rf_backtest_watch goes into the options of a pipeline; when that has run, rf_backtest_finish gives what was found.
 *            Whatever the number of threads and the size of batches, the result is the same.
 * Data       Rules without state are tallied where their truth is found, by each worker for itself. Rules with state (per key)
 *            are kept for the round as bitmaps and decided in its turn, in input order.
 * Ownership  rf_backtest_close frees; the options and what they point to are borrowed.
 * Threads    open, finish and close: one. The watch: as watch.h says.
 * Errors     RF_E_MEMORY. RF_E_USAGE: a rule or the value that is followed needs an event time, and there is none.
 */
#ifndef RF_BACKTEST_H
#define RF_BACKTEST_H

#include "event_time.h"
#include "forward.h"
#include "hits.h"
#include "mishap.h"
#include "outcome.h"
#include "overlap.h"
#include "pipeline.h"
#include "rules.h"
#include "watch.h"

struct rf_backtest_options {
    const struct rf_rules *rules;
    const struct rf_rules_program *program;
    uint32_t time;  /* projection; RF_NONE: records have no event time */
    enum rf_time_unit time_unit;
    int64_t by_ns;  /* width of buckets; 0: chosen */
    uint32_t label; /* projection; RF_NONE: none */
    uint32_t value, value_per; /* projections: what is followed, of each key; RF_NONE: nothing, and one key for all */
    struct rf_forward_settings forward; /* how the value is followed */
    uint32_t shard_by; /* projection: records whose key falls to `shard` count, no others; RF_NONE: all do */
    struct rf_shard shard;
    enum rf_isa isa;
    struct rf_hits *hits;       /* records of each rule, written in input order; NULL: not wanted */
    struct rf_overlap *overlap; /* of pairs of rules; NULL: not wanted */
    size_t state_bytes_max; /* of rules, and as many of the value that is followed; RF_RULE_STATE_BYTES_DEFAULT */
    uint64_t cut;    /* of the names of the files and of what cuts them, for rf_outcome_part */
    uint64_t digest; /* of the rules and what is asked of each record, for rf_outcome_part */
};

struct rf_backtest;

enum rf_status rf_backtest_open(struct rf_backtest **out, struct rf_backtest_options options, struct rf_error *err);
void rf_backtest_close(struct rf_backtest *backtest);
const struct rf_watch *rf_backtest_watch(const struct rf_backtest *backtest);

/* Once the pipeline has ended, however it did. input[inputs]: the names, in the order of the source. The outcome takes what was
 * counted, and borrows names from rules and inputs. */
enum rf_status rf_backtest_finish(struct rf_backtest *backtest, const struct rf_pipeline_result *result,
                                  const char *const *input, uint32_t inputs, struct rf_outcome *outcome,
                                  struct rf_error *err);
/* Why rules were errors, and records without time or label. */
const struct rf_mishaps *rf_backtest_mishaps(const struct rf_backtest *backtest);
/* Keys that were forgotten for want of room. */
uint64_t rf_backtest_evicted(const struct rf_backtest *backtest);
/* The first record whose value is no number that can be followed; RF_FORWARD_NUMBER: there is none. */
enum rf_forward_kind rf_backtest_wrong_value(const struct rf_backtest *backtest, struct rf_tally_place *place);

#endif
