/* terminal.h: standard streams, as a command line program meets them.
 *
 * Threads    any, except rf_terminal_guard (before the first thread).
 */
#ifndef RF_TERMINAL_H
#define RF_TERMINAL_H

#include <stdbool.h>

#include "text.h"

/* Puts something unusable on each of the descriptors 0, 1, 2 that is closed, so that no file opened later becomes
 * "standard output" by accident; reading or writing there fails as it would on a closed one. Ignores SIGPIPE and
 * SIGXFSZ (a file beyond ulimit -f): EPIPE and EFBIG say it too. */
void rf_terminal_guard(void);

/* `when` is RF_WHEN_*: auto = a terminal that is not dumb, and NO_COLOR is not set. */
bool rf_terminal_has_color(int fd, unsigned when);
/* A terminal on which a line can be redrawn. */
bool rf_terminal_is_live(int fd);
/* What is written there may show on a terminal: it is one, or a pipe, behind which somebody may print. */
bool rf_terminal_may_show(int fd);
/* Width; 80 when not known. */
unsigned rf_terminal_columns(int fd);

/* Text to standard output; gives the exit status: 0 also when the reader has gone, 2 with a message otherwise. */
int rf_terminal_print(struct rf_str text);
/* Tells err and gives the exit status for it: RF_EXIT_USAGE or RF_EXIT_FAILURE. */
int rf_terminal_fail(const struct rf_error *err);
/* Text to standard error, as far as that works. */
void rf_terminal_tell(struct rf_str text);
/* The same of what diagnostics and problems print: each "error:" and each caret in colour. when: of --color. */
void rf_terminal_tell_problems(struct rf_str text, unsigned when);

#endif
