/* result_output.h: an outcome of rules to --output, in the form of --emit.
 *
 * Threads    the main thread.
 * Errors     RF_E_IO, RF_E_MEMORY; RF_E_PIPE: the reader has gone.
 */
#ifndef RF_RESULT_OUTPUT_H
#define RF_RESULT_OUTPUT_H

#include "flag.h"
#include "outcome.h"

enum rf_status rf_result_write(const struct rf_outcome *outcome, const struct rf_flags *flags, struct rf_error *err);

#endif
