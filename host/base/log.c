#include "log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOG_LINE_BYTES = 4096 };

static atomic_int log_level = RF_LOG_INFO;

void rf_log_set_level(enum rf_log_level level)
{
    atomic_store_explicit(&log_level, (int)level, memory_order_relaxed);
}

/* Usually one write(2). A failure is ignored: there is nobody left to tell. */
static void log_write(const char *bytes, size_t count)
{
    while (count != 0) {
        const ssize_t written = write(STDERR_FILENO, bytes, count);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return;
        }
        bytes += written;
        count -= (size_t)written;
    }
}

static void log_line(enum rf_log_level level, const char *prefix, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

static void log_line(enum rf_log_level level, const char *prefix, const char *format, va_list arguments)
{
    char fixed[LOG_LINE_BYTES];
    const size_t prefix_bytes = strlen(prefix);
    va_list again;

    if ((int)level > atomic_load_explicit(&log_level, memory_order_relaxed)) {
        return;
    }
    memcpy(fixed, prefix, prefix_bytes);
    va_copy(again, arguments);
    const int needed = vsnprintf(fixed + prefix_bytes, sizeof fixed - prefix_bytes, format, arguments);
    if (needed >= 0 && (size_t)needed < sizeof fixed - prefix_bytes) {
        /* The line end takes the place of the zero byte. */
        fixed[prefix_bytes + (size_t)needed] = '\n';
        log_write(fixed, prefix_bytes + (size_t)needed + 1);
    } else if (needed >= 0) {
        const size_t bytes = prefix_bytes + (size_t)needed + 1;
        char *const line = malloc(bytes);
        if (line != NULL) {
            memcpy(line, prefix, prefix_bytes);
            vsnprintf(line + prefix_bytes, (size_t)needed + 1, format, again);
            line[bytes - 1] = '\n';
            log_write(line, bytes);
            free(line);
        } else {
            fixed[sizeof fixed - 1] = '\n';
            log_write(fixed, sizeof fixed);
        }
    }
    va_end(again);
}

void rf_log(enum rf_log_level level, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    log_line(level, "riffle: ", format, arguments);
    va_end(arguments);
}

void rf_log_raw(enum rf_log_level level, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    log_line(level, "", format, arguments);
    va_end(arguments);
}
