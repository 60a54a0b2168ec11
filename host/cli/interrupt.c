/* interrupt.c: a last word when the user ends the program. */
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

#include "terminal.h"
#include "text.h"

static const int watched[] = {SIGINT, SIGTERM, SIGHUP};
enum { WATCHED = sizeof watched / sizeof watched[0] };

/* Never freed: a handler on another thread may still be writing it when the watch ends. */
static struct rf_text message;

/* The signal is blocked in here and its action is the default again: raised, it ends the process when this returns. */
static void interrupt_handle(int number)
{
    rf_terminal_tell(rf_text_str(&message));
    (void)raise(number);
}

enum rf_status rf_interrupt_watch(struct rf_str text, struct rf_error *err)
{
    rf_text_clear(&message);
    RF_TRY(rf_text_append(&message, text, err));
    struct sigaction action = {.sa_handler = interrupt_handle, .sa_flags = (int)SA_RESETHAND};
    (void)sigemptyset(&action.sa_mask);
    for (int i = 0; i < WATCHED; i++) {
        (void)sigaddset(&action.sa_mask, watched[i]);
    }
    for (int i = 0; i < WATCHED; i++) {
        struct sigaction old;
        if (sigaction(watched[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
            (void)sigaction(watched[i], &action, NULL);
        }
    }
    return RF_OK;
}

void rf_interrupt_release(void)
{
    for (int i = 0; i < WATCHED; i++) {
        struct sigaction old;
        if (sigaction(watched[i], NULL, &old) == 0 && old.sa_handler == interrupt_handle) {
            (void)signal(watched[i], SIG_DFL);
        }
    }
}
