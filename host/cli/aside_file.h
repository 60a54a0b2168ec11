/* aside_file.h: the FILE that a policy puts bad records into.
 *
 * Errors     RF_E_USAGE: it is also an input, which it would replace; RF_E_IO.
 */
#ifndef RF_ASIDE_FILE_H
#define RF_ASIDE_FILE_H

#include "flag.h"
#include "sink.h"

/* Of a flag that is a FILE to be written: RF_E_USAGE when it is an argument of the command too, rules or inputs. */
enum rf_status rf_output_check(const struct rf_flags *flags, enum rf_flag_id id, struct rf_error *err);
/* RF_OK too where the flag names no FILE. */
enum rf_status rf_aside_check(const struct rf_flags *flags, enum rf_flag_id id, struct rf_error *err);
/* Checks and opens; *out is NULL where the flag names no FILE. "-" is standard output. */
enum rf_status rf_aside_open(const struct rf_flags *flags, enum rf_flag_id id, struct rf_sink **out, struct rf_error *err);

#endif
