/* interrupt.c: a last word when the user ends the program. */
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

#include "source.h"
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

static void handler_set(void (*handle)(int))
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = (int)SA_RESETHAND};
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
}

enum rf_status rf_interrupt_watch(struct rf_str text, struct rf_error *err)
{
    rf_text_clear(&message);
    RF_TRY(rf_text_append(&message, text, err));
    handler_set(interrupt_handle);
    return RF_OK;
}

static atomic_bool is_caught;
static volatile sig_atomic_t caught;
static struct rf_source *volatile stopped; /* what the signal stops */

static void interrupt_note(int number)
{
    struct rf_source *const source = stopped;
    caught = number;
    atomic_store(&is_caught, true);
    if (source != NULL) {
        rf_source_stop(source); /* a store to a lock-free flag */
    }
}

const atomic_bool *rf_interrupt_catch(struct rf_source *source)
{
    atomic_store(&is_caught, false);
    caught = 0;
    stopped = source;
    handler_set(interrupt_note);
    return &is_caught;
}

int rf_interrupt_caught(void)
{
    for (int i = 0; i < WATCHED; i++) {
        struct sigaction old;
        if (sigaction(watched[i], NULL, &old) == 0 && old.sa_handler == interrupt_note) {
            (void)signal(watched[i], SIG_DFL);
        }
    }
    stopped = NULL;
    return caught;
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
