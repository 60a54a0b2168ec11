/* result_output.h: an outcome of rules to --output, in the form of --emit.
 *
 * Threads    the main thread.
 * Errors     RF_E_IO, RF_E_MEMORY; RF_E_PIPE: the reader has gone.
 */
#ifndef RF_RESULT_OUTPUT_H
#define RF_RESULT_OUTPUT_H

#include "flag.h"
#include "outcome.h"

/* Before anything is read: RF_E_USAGE when --output or --report is an argument of the command, or both are one file; RF_E_IO when one
 * cannot be written. */
enum rf_status rf_result_check(const struct rf_flags *flags, struct rf_error *err);
enum rf_status rf_result_write(const struct rf_outcome *outcome, const struct rf_flags *flags, struct rf_error *err);

#endif
