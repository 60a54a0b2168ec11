#include "status.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

enum status_kind { STATUS_OK, STATUS_NOTE, STATUS_SUSPENSION, STATUS_ERROR };

static const struct {
    const char *name;
    const char *sentence;
    enum status_kind kind;
} status_table[] = {
#define RF_STATUS(name, kind, sentence) {#name, sentence, STATUS_##kind},
#include "status.def"
#undef RF_STATUS
};

enum { STATUS_COUNT = sizeof status_table / sizeof status_table[0] };

/* A status may come from a caller of the library as any integer. */
static bool status_is_known(enum rf_status status)
{
    return (int)status >= 0 && (int)status < (int)STATUS_COUNT;
}

const char *rf_status_name(enum rf_status status)
{
    return status_is_known(status) ? status_table[status].name : "RF_UNKNOWN";
}

const char *rf_status_sentence(enum rf_status status)
{
    return status_is_known(status) ? status_table[status].sentence : "unknown status";
}

bool rf_status_is_error(enum rf_status status)
{
    return !status_is_known(status) || status_table[status].kind == STATUS_ERROR;
}

enum rf_status rf_error_set(struct rf_error *err, enum rf_status status, const char *file, int line, const char *format,
                            ...)
{
    va_list arguments;
    err->status = status;
    err->file = file;
    err->line = line;
    va_start(arguments, format);
    if (vsnprintf(err->text, sizeof err->text, format, arguments) < 0) {
        err->text[0] = '\0';
    }
    va_end(arguments);
    return status;
}
