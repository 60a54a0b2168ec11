/* interrupt.h: a last word when the user ends the program.
 *
 * Purpose    Between watch and release, SIGINT, SIGTERM and SIGHUP write a text to standard error before they end the
 *            process as they would have; the shell sees which one it was. A signal that was ignored (nohup) stays so.
 * Ownership  the text is copied.
 * Threads    the main thread; the signal may hit any.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_INTERRUPT_H
#define RF_INTERRUPT_H

#include "status.h"
#include "str.h"

enum rf_status rf_interrupt_watch(struct rf_str text, struct rf_error *err);
void rf_interrupt_release(void);

#endif
