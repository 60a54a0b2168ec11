/* suite.h: a case file, line by line, through an engine.
 *
 * Purpose    rf_suite_run reads the file (compressed or not, "-" is standard input) and writes a line for each of its
 *            lines, in order, blank and unreadable ones included (suite_eval.h says which).
 * Threads    the main thread.
 * Errors     an input that cannot be read to its end is told on standard error and gives *has_problem; RF_E_IO and
 *            RF_E_PIPE of the sink; RF_E_MEMORY.
 */
#ifndef RF_SUITE_H
#define RF_SUITE_H

#include "sink.h"
#include "suite_eval.h"

enum rf_status rf_suite_run(struct rf_suite *suite, const char *name, struct rf_sink *sink, bool *has_problem,
                            struct rf_error *err);

#endif
