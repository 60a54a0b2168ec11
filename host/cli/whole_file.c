#include "whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { READ_BYTES = 64 * 1024 };

static enum rf_status descriptor_read(int fd, const char *name, size_t bytes_max, struct rf_text *out,
                                      struct rf_error *err)
{
    const size_t begin = out->count;
    for (;;) {
        RF_TRY(rf_text_reserve(out, READ_BYTES, err));
        const ssize_t count = read(fd, out->data + out->count, READ_BYTES);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            RF_FAIL(err, RF_E_IO, "%s: %s", name, strerror(errno));
        }
        if (count == 0) {
            return RF_OK;
        }
        out->count += (size_t)count;
        if (out->count - begin > bytes_max) {
            RF_FAIL(err, RF_E_LIMIT, "%s: longer than %zu bytes", name, bytes_max);
        }
    }
}

enum rf_status rf_whole_file_read(const char *name, size_t bytes_max, struct rf_text *out, struct rf_error *err)
{
    const bool is_stdin = strcmp(name, "-") == 0;
    const int fd = is_stdin ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        RF_FAIL(err, RF_E_IO, "%s: %s", name, strerror(errno));
    }
    const enum rf_status status = descriptor_read(fd, name, bytes_max, out, err);
    if (!is_stdin) {
        (void)close(fd);
    }
    return status;
}
