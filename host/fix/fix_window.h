/* fix_window.h: a run of bytes that may end in the middle of anything, as the framing of FIX sees it.
 *
 * Purpose    Framing must not depend on how a stream was cut into reads. Every question that needs a byte behind the run
 *            is answered RF_FIX_OPEN while more bytes may come, and RF_FIX_NO when none can.
 * Threads    pure functions.
 */
#ifndef RF_FIX_WINDOW_H
#define RF_FIX_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum rf_fix_answer { RF_FIX_NO, RF_FIX_YES, RF_FIX_OPEN };

struct rf_fix_window {
    const uint8_t *bytes;
    size_t begin; /* of the entry */
    size_t end;   /* nothing is looked at from here on */
    bool is_open; /* more bytes may come */
    bool is_near; /* it ends before what is there does: bytes[end] may be read */
    bool is_cut;  /* a message that a line end cuts off at `end`: it stands for the last separator */
};

static inline enum rf_fix_answer rf_fix_edge(const struct rf_fix_window *window)
{
    return window->is_open ? RF_FIX_OPEN : RF_FIX_NO;
}

/* Do the bytes from `at` (up to window->end) begin with text? */
static inline enum rf_fix_answer rf_fix_match(const struct rf_fix_window *window, size_t at, const char *text,
                                              size_t count)
{
    const size_t left = window->end - at;
    const size_t known = left < count ? left : count;
    for (size_t i = 0; i < known; i++) { /* a few bytes, of which mostly the first differs */
        if (window->bytes[at + i] != (uint8_t)text[i]) {
            return RF_FIX_NO;
        }
    }
    return known == count ? RF_FIX_YES : rf_fix_edge(window);
}

static inline bool rf_fix_is_digit(uint8_t byte)
{
    return (uint8_t)(byte - '0') < 10;
}

#endif
