#include "reader.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What kind of thing the descriptor is; a folder is refused here, because read(2) would say so only later. */
static enum rf_status reader_look(struct rf_reader *reader, struct rf_error *err)
{
    struct stat look;
    if (fstat(reader->fd, &look) != 0) {
        RF_FAIL(err, RF_E_IO, "%s", strerror(errno));
    }
    if (S_ISDIR(look.st_mode)) {
        RF_FAIL(err, RF_E_IO, "is a folder");
    }
    reader->can_wait = !S_ISREG(look.st_mode);
    if (!reader->can_wait) {
        /* Advice only: a file system that does not know it is read all the same. */
        (void)posix_fadvise(reader->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    }
    reader->is_open = true;
    return RF_OK;
}

enum rf_status rf_reader_open(struct rf_reader *reader, const char *name, struct rf_error *err)
{
    int fd;
    do {
        /* A pipe that nobody has opened yet is waited for when it is read, where waiting can be stopped. */
        fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    } while (fd < 0 && errno == EINTR);
    if (fd < 0) {
        RF_FAIL(err, RF_E_IO, "%s", strerror(errno));
    }
    reader->fd = fd;
    reader->is_owned = true;
    reader->ahead = (struct rf_str){0};
    reader->call = NULL;
    const enum rf_status status = reader_look(reader, err);
    if (status != RF_OK) {
        close(fd);
    }
    return status;
}

enum rf_status rf_reader_open_stdin(struct rf_reader *reader, struct rf_error *err)
{
    reader->ahead = (struct rf_str){0};
    reader->fd = STDIN_FILENO;
    reader->is_owned = false;
    reader->call = NULL;
    return reader_look(reader, err);
}

void rf_reader_open_call(struct rf_reader *reader, rf_read_call *call, void *context)
{
    reader->fd = -1;
    reader->ahead = (struct rf_str){0};
    reader->is_open = true;
    reader->is_owned = false;
    reader->can_wait = true;
    reader->call = call;
    reader->context = context;
}

void rf_reader_close(struct rf_reader *reader)
{
    if (reader->is_open && reader->is_owned) {
        close(reader->fd);
    }
    reader->is_open = false;
}

/* False when nothing came in time. Errors of the descriptor count as "ready": read(2) names them. */
static bool reader_wait(const struct rf_reader *reader, int wait_ms)
{
    struct pollfd look = {.fd = reader->fd, .events = POLLIN};
    int ready;
    do {
        ready = poll(&look, 1, wait_ms);
    } while (ready < 0 && errno == EINTR);
    return ready != 0;
}

/* Waits as long as it takes, but not for longer than someone wants to read: false then. */
static bool reader_wait_forever(const struct rf_reader *reader)
{
    enum { LOOK_MS = 50 };
    while (!reader_wait(reader, reader->is_stopped == NULL ? RF_WAIT_FOREVER : LOOK_MS)) {
        if (atomic_load(reader->is_stopped)) {
            return false;
        }
    }
    return true;
}

static void bytes_count(const struct rf_reader *reader, size_t count)
{
    if (reader->bytes_read != NULL) {
        atomic_fetch_add_explicit(reader->bytes_read, (uint64_t)count, memory_order_relaxed);
    }
}

enum rf_status rf_reader_read(struct rf_reader *reader, void *out, size_t room, int wait_ms, size_t *got,
                              struct rf_error *err)
{
    if (reader->ahead.count > 0) {
        *got = reader->ahead.count < room ? reader->ahead.count : room;
        memcpy(out, reader->ahead.data, *got);
        reader->ahead.data += *got;
        reader->ahead.count -= *got;
        bytes_count(reader, *got);
        return RF_OK;
    }
    const bool is_bounded = reader->can_wait && wait_ms != RF_WAIT_FOREVER;
    if (is_bounded && reader->call == NULL && !reader_wait(reader, wait_ms)) {
        return RF_AGAIN;
    }
    if (reader->can_wait && !is_bounded && reader->call == NULL && !reader_wait_forever(reader)) {
        return RF_END;
    }
    for (;;) {
        const ssize_t count =
            reader->call != NULL ? reader->call(reader->context, out, room) : read(reader->fd, out, room);
        if (count > 0) {
            *got = (size_t)count;
            bytes_count(reader, *got);
            return RF_OK;
        }
        if (count == 0) {
            return RF_END;
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            /* Someone made our stdin non-blocking (an ssh or a shell pipeline does); waiting is our own business. */
            if (is_bounded) {
                return RF_AGAIN;
            }
            if (reader->call == NULL && !reader_wait_forever(reader)) {
                return RF_END;
            }
        } else if (errno != EINTR) {
            RF_FAIL(err, RF_E_IO, "cannot read: %s", strerror(errno));
        }
    }
}
