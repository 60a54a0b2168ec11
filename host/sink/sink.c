/* sink.c: gathered writes to a descriptor, and output files that only appear whole. */
#include "sink.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "log.h"

enum {
    BUFFER_BYTES_DEFAULT = 256 * 1024,
    /* Above this a copy into the buffer costs more than the system call that it saves. */
    DIRECT_BYTES_MIN = 64 * 1024
};

struct rf_sink {
    int fd; /* -1: null sink */
    bool is_owning_fd;
    bool is_line_buffered;
    bool is_failed;
    char *name;        /* for messages */
    char *target_name; /* what part_name is renamed to; NULL when written directly */
    char *part_name;
    char *buffer;
    size_t buffer_bytes;
    size_t buffer_used;
    uint64_t bytes; /* accepted */
};

static enum rf_status sink_new(struct rf_sink **out, const char *name, struct rf_sink_options options,
                               struct rf_error *err)
{
    struct rf_sink *sink = calloc(1, sizeof *sink);
    if (sink == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for the output %s", name);
    }
    sink->fd = -1;
    sink->is_line_buffered = options.is_line_buffered;
    sink->buffer_bytes = options.buffer_bytes != 0 ? options.buffer_bytes : BUFFER_BYTES_DEFAULT;
    sink->name = strdup(name);
    sink->buffer = malloc(sink->buffer_bytes);
    if (sink->name == NULL || sink->buffer == NULL) {
        rf_sink_close(sink);
        RF_FAIL(err, RF_E_MEMORY, "out of memory for the output %s (buffer of %zu bytes)", name,
                options.buffer_bytes != 0 ? options.buffer_bytes : (size_t)BUFFER_BYTES_DEFAULT);
    }
    *out = sink;
    return RF_OK;
}

enum rf_status rf_sink_open_fd(struct rf_sink **out, int fd, const char *name, struct rf_sink_options options,
                               struct rf_error *err)
{
    RF_TRY(sink_new(out, name, options, err));
    (*out)->fd = fd;
    return RF_OK;
}

enum rf_status rf_sink_open_null(struct rf_sink **out, struct rf_error *err)
{
    struct rf_sink *sink = calloc(1, sizeof *sink);
    if (sink == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for the null output");
    }
    sink->fd = -1;
    *out = sink;
    return RF_OK;
}

/* /dev/stdout and its like mean a descriptor that is open already. Opening the path anew would give a second file
 * offset, and what both write would overlay each other, so the descriptor is duplicated. -1: not such a name. */
static int descriptor_of_name(const char *name)
{
    if (strcmp(name, "/dev/stdout") == 0) {
        return STDOUT_FILENO;
    }
    if (strcmp(name, "/dev/stderr") == 0) {
        return STDERR_FILENO;
    }
    const char *digits = NULL;
    if (strncmp(name, "/dev/fd/", 8) == 0) {
        digits = name + 8;
    } else if (strncmp(name, "/proc/self/fd/", 14) == 0) {
        digits = name + 14;
    }
    if (digits == NULL || *digits < '0' || *digits > '9') {
        return -1;
    }
    char *end = NULL;
    const unsigned long number = strtoul(digits, &end, 10);
    return *end == '\0' && number <= INT_MAX ? (int)number : -1;
}

static enum rf_status open_direct(struct rf_sink *sink, const char *name, int descriptor, struct rf_error *err)
{
    sink->fd = descriptor >= 0 ? fcntl(descriptor, F_DUPFD_CLOEXEC, 0) : open(name, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (sink->fd < 0) {
        RF_FAIL(err, RF_E_IO, "cannot open %s for writing: %s", name, strerror(errno));
    }
    sink->is_owning_fd = true;
    return RF_OK;
}

/* The new file takes over mode and, where allowed, owner of the one it will replace. */
static enum rf_status part_adopt(struct rf_sink *sink, const struct stat *old, struct rf_error *err)
{
    if ((old->st_uid != geteuid() || old->st_gid != getegid()) && fchown(sink->fd, old->st_uid, old->st_gid) != 0) {
        /* Only the superuser may give files away: everybody else gets a file of their own, as with cp. */
        errno = 0;
    }
    if (fchmod(sink->fd, old->st_mode & 0777) != 0) {
        RF_FAIL(err, RF_E_IO, "cannot keep the mode of %s on %s: %s", sink->target_name, sink->part_name,
                strerror(errno));
    }
    return RF_OK;
}

/* A sink keeps a lock on its part file until it is shut. Another run with the same output, or a second output of this
 * one under the same name, would take the file away from under it, and records would be lost. */
static bool part_is_written(const char *part_name)
{
    const int fd = open(part_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    const bool is_written = flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    (void)close(fd);
    return is_written;
}

static enum rf_status open_part(struct rf_sink *sink, const char *name, const struct stat *old, struct rf_error *err)
{
    /* Replacing a symbolic link would leave its target as it was: the file behind it is meant. */
    sink->target_name = old != NULL ? realpath(name, NULL) : strdup(name);
    if (sink->target_name == NULL) {
        RF_FAIL(err, RF_E_IO, "cannot resolve %s: %s", name, strerror(errno));
    }
    if (old != NULL && access(sink->target_name, W_OK) != 0) {
        RF_FAIL(err, RF_E_IO, "cannot open %s for writing: %s", name, strerror(errno));
    }
    const size_t name_bytes = strlen(sink->target_name);
    sink->part_name = malloc(name_bytes + sizeof ".part");
    if (sink->part_name == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for the name of %s", name);
    }
    memcpy(sink->part_name, sink->target_name, name_bytes);
    memcpy(sink->part_name + name_bytes, ".part", sizeof ".part");
    if (part_is_written(sink->part_name)) {
        free(sink->part_name);
        sink->part_name = NULL; /* it belongs to another sink */
        RF_FAIL(err, RF_E_IO, "cannot write %s: it is being written already, as another output or by another run",
                name);
    }
    /* Whatever lies there, a rest of an earlier failure or a link planted by somebody, is not written through. */
    if (unlink(sink->part_name) != 0 && errno != ENOENT) {
        RF_FAIL(err, RF_E_IO, "cannot replace %s: %s", sink->part_name, strerror(errno));
    }
    sink->fd = open(sink->part_name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (sink->fd < 0) {
        const int reason = errno;
        free(sink->part_name);
        sink->part_name = NULL; /* nothing is left behind that close should name */
        RF_FAIL(err, RF_E_IO, "cannot create %s.part: %s", sink->target_name, strerror(reason));
    }
    sink->is_owning_fd = true;
    (void)flock(sink->fd, LOCK_EX | LOCK_NB); /* where a file system has no locks there is no such check */
    return old != NULL ? part_adopt(sink, old, err) : RF_OK;
}

enum rf_status rf_sink_open_file(struct rf_sink **out, const char *name, struct rf_sink_options options,
                                 struct rf_error *err)
{
    struct rf_sink *sink = NULL;
    RF_TRY(sink_new(&sink, name, options, err));
    const int descriptor = descriptor_of_name(name);
    struct stat old;
    enum rf_status status;
    if (descriptor >= 0) {
        status = open_direct(sink, name, descriptor, err);
    } else if (stat(name, &old) != 0) {
        status = open_part(sink, name, NULL, err);
    } else if (S_ISREG(old.st_mode)) {
        status = open_part(sink, name, &old, err);
    } else {
        status = open_direct(sink, name, -1, err);
    }
    if (status != RF_OK) {
        if (sink->part_name != NULL) { /* empty: nothing that close should keep and name */
            (void)unlink(sink->part_name);
            free(sink->part_name);
            sink->part_name = NULL;
        }
        rf_sink_close(sink);
        return status;
    }
    *out = sink;
    return RF_OK;
}

static enum rf_status sink_fail(struct rf_sink *sink, int reason, struct rf_error *err)
{
    sink->is_failed = true;
    if (reason == EPIPE) {
        RF_FAIL(err, RF_E_PIPE, "the reader of %s has gone", sink->name);
    }
    RF_FAIL(err, RF_E_IO, "write to %s: %s", sink->name, strerror(reason));
}

/* Writes both pieces whole, in order, however the system cuts them up. */
static enum rf_status write_pieces(struct rf_sink *sink, struct iovec piece[2], struct rf_error *err)
{
    int first = 0;
    while (first < 2) {
        if (piece[first].iov_len == 0) {
            first++;
            continue;
        }
        const ssize_t written = writev(sink->fd, piece + first, 2 - first);
        if (written < 0) {
            if (errno == EINTR) {
                continue;
            }
            if (errno == EAGAIN || errno == EWOULDBLOCK) {
                /* Somebody made our standard output non-blocking; waiting is what a blocking write does. */
                struct pollfd ready = {.fd = sink->fd, .events = POLLOUT};
                (void)poll(&ready, 1, -1);
                continue;
            }
            return sink_fail(sink, errno, err);
        }
        size_t left = (size_t)written;
        for (int i = first; i < 2 && left > 0; i++) {
            const size_t step = left < piece[i].iov_len ? left : piece[i].iov_len;
            piece[i].iov_base = (char *)piece[i].iov_base + step;
            piece[i].iov_len -= step;
            left -= step;
        }
    }
    return RF_OK;
}

/* writev takes its bytes through a pointer that is not const, though it never writes there. */
static void *without_const(const char *bytes)
{
    union {
        const char *in;
        void *out;
    } pointer = {.in = bytes};
    return pointer.out;
}

static enum rf_status write_through(struct rf_sink *sink, struct rf_str part, struct rf_error *err)
{
    struct iovec piece[2] = {{sink->buffer, sink->buffer_used}, {without_const(part.data), part.count}};
    sink->buffer_used = 0;
    return write_pieces(sink, piece, err);
}

enum rf_status rf_sink_write(struct rf_sink *sink, struct rf_str part, struct rf_error *err)
{
    if (sink->is_failed) {
        RF_FAIL(err, RF_E_IO, "write to %s after an earlier error", sink->name);
    }
    sink->bytes += part.count;
    if (sink->fd < 0 && sink->buffer == NULL) {
        return RF_OK;
    }
    if (sink->is_line_buffered || part.count >= DIRECT_BYTES_MIN || part.count > sink->buffer_bytes) {
        return write_through(sink, part, err);
    }
    if (part.count > sink->buffer_bytes - sink->buffer_used) {
        RF_TRY(rf_sink_flush(sink, err));
    }
    if (part.count > 0) {
        memcpy(sink->buffer + sink->buffer_used, part.data, part.count);
        sink->buffer_used += part.count;
    }
    return RF_OK;
}

enum rf_status rf_sink_flush(struct rf_sink *sink, struct rf_error *err)
{
    if (sink->is_failed) {
        RF_FAIL(err, RF_E_IO, "write to %s after an earlier error", sink->name);
    }
    return sink->buffer_used == 0 ? RF_OK : write_through(sink, (struct rf_str){NULL, 0}, err);
}

enum rf_status rf_sink_finish(struct rf_sink *sink, struct rf_error *err)
{
    RF_TRY(rf_sink_flush(sink, err));
    if (!sink->is_owning_fd) {
        return RF_OK;
    }
    /* Network file systems report a full disk only here. */
    const int fd = sink->fd;
    sink->fd = -1;
    sink->is_owning_fd = false;
    if (close(fd) != 0 && errno != EINTR) {
        return sink_fail(sink, errno, err);
    }
    if (sink->part_name != NULL) {
        if (rename(sink->part_name, sink->target_name) != 0) {
            sink->is_failed = true;
            RF_FAIL(err, RF_E_IO, "cannot rename %s to %s: %s", sink->part_name, sink->target_name, strerror(errno));
        }
        free(sink->part_name);
        sink->part_name = NULL;
    }
    return RF_OK;
}

void rf_sink_close(struct rf_sink *sink)
{
    if (sink == NULL) {
        return;
    }
    if (sink->is_owning_fd) {
        (void)close(sink->fd);
    }
    if (sink->part_name != NULL) {
        rf_log(RF_LOG_WARNING, "%s was not completed; what was written is in %s", sink->name, sink->part_name);
    }
    free(sink->part_name);
    free(sink->target_name);
    free(sink->name);
    free(sink->buffer);
    free(sink);
}

const char *rf_sink_part_name(const struct rf_sink *sink)
{
    return sink->part_name;
}

uint64_t rf_sink_bytes(const struct rf_sink *sink)
{
    return sink->bytes;
}
