/* reader.h: bytes from one plain descriptor.
 *
 * Purpose    read(2) as the layers above want it: interruptions are hidden, a slow pipe can be waited for with a limit,
 *            and every byte taken is counted for the progress bar.
 * Ownership  the reader closes what it opened itself; stdin stays open.
 * Threads    one thread at a time; *bytes_read may be looked at by others, *is_stopped set by them.
 * Errors     opening and reading end with RF_E_IO and a text without the name: "No such file or directory",
 *            "is a folder".
 */
#ifndef RF_READER_H
#define RF_READER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "status.h"
#include "str.h"

/* Like read(2): bytes, 0 at the end, or -1 with errno. */
typedef ssize_t rf_read_call(void *context, void *out, size_t room);

enum { RF_WAIT_FOREVER = -1 };

struct rf_reader {
    int fd;
    bool is_open;
    bool is_owned;      /* shut by rf_reader_close */
    bool can_wait;      /* a pipe, socket or terminal: the next bytes may take a while */
    struct rf_str ahead;    /* bytes that were read from the descriptor already (ahead.h); they come first */
    rf_read_call *call; /* takes the place of the descriptor when not NULL */
    void *context;
    _Atomic uint64_t *bytes_read; /* may be NULL */
    const atomic_bool *is_stopped; /* set by another thread: nobody waits for more, the input has ended; may be NULL */
};

enum rf_status rf_reader_open(struct rf_reader *reader, const char *name, struct rf_error *err);
enum rf_status rf_reader_open_stdin(struct rf_reader *reader, struct rf_error *err);
/* Bytes come from a function: how a stream cut at every point is made. EAGAIN from it gives RF_AGAIN. */
void rf_reader_open_call(struct rf_reader *reader, rf_read_call *call, void *context);
void rf_reader_close(struct rf_reader *reader);

/* At least one and at most `room` (> 0) bytes. RF_END at the end; RF_AGAIN when nothing came within wait_ms
 * (RF_WAIT_FOREVER: as long as it takes), which happens only when can_wait. */
enum rf_status rf_reader_read(struct rf_reader *reader, void *out, size_t room, int wait_ms, size_t *got,
                              struct rf_error *err);

#endif
