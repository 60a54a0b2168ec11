/* commit.h: what happens to the rows of a round in input order: counts, policies, examples, output.
 *
 * Purpose    The one place where records leave. Called with the batch's turn held, so everything here is in the order
 *            of the input, whatever the number of threads.
 * Ownership  struct rf_commit belongs to the run; the worker's scratch is borrowed for the call.
 * Threads    one caller at a time (the holder of the turn).
 * Errors     RF_STOP after max_count records; RF_E_DATA for the policy `stop`; the sinks' errors.
 */
#ifndef RF_COMMIT_H
#define RF_COMMIT_H

#include "worker.h"

struct rf_commit {
    const struct rf_pipeline_options *options;
    struct rf_pipeline_result *result;
    uint32_t input;       /* of the batch before */
    uint64_t next_number; /* of the next record of that input */
    struct rf_text line;  /* prefixes, dead letters */
    uint64_t progress_ns; /* when progress was shown last */
};

enum rf_status rf_commit_begin(struct rf_commit *commit, const struct rf_pipeline_options *options,
                               struct rf_pipeline_result *result, struct rf_error *err);
void rf_commit_end(struct rf_commit *commit);
enum rf_status rf_commit_round(struct rf_commit *commit, struct rf_worker *worker, struct rf_error *err);

#endif
