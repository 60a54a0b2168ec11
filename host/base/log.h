/* log.h: lines for people on stderr. Failing to write one never changes what the program does.
 *
 * Threads    each line is one write(2) and so stays whole.
 */
#ifndef RF_LOG_H
#define RF_LOG_H

enum rf_log_level { RF_LOG_ERROR, RF_LOG_WARNING, RF_LOG_INFO, RF_LOG_DEBUG };

void rf_log_set_level(enum rf_log_level level); /* default RF_LOG_INFO */
/* "riffle: <text>\n" (a level word before the text for ERROR and WARNING is the caller's business). */
void rf_log(enum rf_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same without prefix, for caret diagnostics and summaries. */
void rf_log_raw(enum rf_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
