/* summary.h: what a run says about itself when it is over. Formats only; printing is the caller's.
 *
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_SUMMARY_H
#define RF_SUMMARY_H

#include "pipeline.h"
#include "text.h"

struct rf_summary {
    const struct rf_pipeline_result *result;
    double seconds;
    uint32_t threads;
    const char *backend; /* "cpu" */
    const char *isa;     /* "avx512" */
    const struct rf_policy *on_error, *on_malformed;
    const char *error_file, *malformed_file; /* names, for RF_POLICY_FILE */
    bool has_color;
};

/* The bad records that were dropped or written aside, with the first three of the dropped ones; empty when there are
 * none. */
enum rf_status rf_summary_write_bad(struct rf_text *out, const struct rf_summary *summary, struct rf_error *err);
/* Counts and speed on one line. */
enum rf_status rf_summary_write_line(struct rf_text *out, const struct rf_summary *summary, struct rf_error *err);
/* The same as one JSON object on one line, with all examples. */
enum rf_status rf_summary_write_json(struct rf_text *out, const struct rf_summary *summary, struct rf_error *err);

#endif
