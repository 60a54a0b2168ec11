/* interrupt.h: a last word when the user ends the program.
 *
 * Purpose    rf_interrupt_catch instead lets a run end in good order: the first signal sets a flag, the second ends the process.
 *            Between watch and release, SIGINT, SIGTERM and SIGHUP write a text to standard error before they end the
 *            process as they would have; the shell sees which one it was. A signal that was ignored (nohup) stays so.
 * Ownership  the text is copied.
 * Threads    the main thread; the signal may hit any.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_INTERRUPT_H
#define RF_INTERRUPT_H

#include <stdatomic.h>

#include "status.h"
#include "str.h"

enum rf_status rf_interrupt_watch(struct rf_str text, struct rf_error *err);
void rf_interrupt_release(void);

struct rf_source;

/* The first signal sets what is returned and stops the source; a second one ends the process. */
const atomic_bool *rf_interrupt_catch(struct rf_source *source);
/* The source may be closed. The number of the signal that came, or 0. */
int rf_interrupt_caught(void);

#endif
