/* backtest_notes.h: what people should know of a backtest who only look at its table.
 *
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_BACKTEST_NOTES_H
#define RF_BACKTEST_NOTES_H

#include "backtest.h"

/* Lines for standard error; none when there is nothing to say. */
enum rf_status rf_backtest_notes_write(const struct rf_backtest *backtest, const struct rf_outcome *outcome, struct rf_text *out,
                                       struct rf_error *err);

#endif
