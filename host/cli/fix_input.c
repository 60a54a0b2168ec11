#include "fix_input.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fix_start.h"
#include "source.h"

enum { LOOK_BYTES = 64 * 1024 };

static bool bytes_are_fix(const uint8_t *bytes, size_t count)
{
    const struct rf_fix_window window = {.bytes = bytes, .end = count};
    size_t first = 0;
    while (first < count && (bytes[first] == ' ' || (bytes[first] >= '\t' && bytes[first] <= '\r'))) {
        first++;
    }
    if (first == count || bytes[first] == '{' || bytes[first] == '"') { /* a list would be [: so may be a prefix */
        return false;
    }
    for (size_t at = first; at < count; at++) {
        struct rf_fix_start start;
        if (bytes[at] == '8' && rf_fix_start_at(&window, at, true, &start) == RF_FIX_YES) {
            return true;
        }
    }
    return false;
}

static bool file_is_fix(const char *name)
{
    struct stat look;
    struct rf_source *source;
    struct rf_error err;
    struct rf_batch batch = {0};
    if (strcmp(name, "-") == 0 || stat(name, &look) != 0 || !S_ISREG(look.st_mode)) {
        return false;
    }
    const struct rf_source_options options = {.batch_bytes = LOOK_BYTES, .is_text = true};
    if (rf_source_open_files(&source, &name, 1, options, &err) != RF_OK) {
        return false;
    }
    const bool is_fix = rf_source_fill(source, &batch, &err) == RF_OK && bytes_are_fix(batch.bytes, batch.bytes_used);
    rf_source_close(source);
    rf_batch_close(&batch);
    return is_fix;
}

/* Standard input that is a file: it is looked at without being read. */
static bool stdin_is_fix(void)
{
    static uint8_t bytes[LOOK_BYTES];
    struct stat look;
    if (fstat(STDIN_FILENO, &look) != 0 || !S_ISREG(look.st_mode)) {
        return false;
    }
    const off_t at = lseek(STDIN_FILENO, 0, SEEK_CUR);
    const ssize_t count = at < 0 ? -1 : pread(STDIN_FILENO, bytes, sizeof bytes, at);
    return count > 0 && bytes_are_fix(bytes, (size_t)count);
}

/* An empty file says nothing about those behind it. */
static bool file_is_empty(const char *name)
{
    struct stat look;
    return stat(name, &look) == 0 && S_ISREG(look.st_mode) && look.st_size == 0;
}

unsigned rf_format_choose(const struct rf_flags *flags, size_t first)
{
    const unsigned format = (unsigned)flags->value[RF_FLAG_FORMAT].number;
    if (format != RF_FORMAT_AUTO) {
        return format;
    }
    if (flags->value[RF_FLAG_FIX_DICT].is_set || flags->value[RF_FLAG_FIX_LENIENT].is_set ||
        flags->value[RF_FLAG_FIX_MATCH].is_set || flags->value[RF_FLAG_PRETTY].is_set ||
        flags->value[RF_FLAG_FIX_KEYS].is_set) {
        return RF_FORMAT_FIX;
    }
    while (first < flags->args && file_is_empty(flags->arg[first])) {
        first++;
    }
    const bool is_stdin = first >= flags->args || strcmp(flags->arg[first], "-") == 0;
    return (is_stdin ? stdin_is_fix() : file_is_fix(flags->arg[first])) ? RF_FORMAT_FIX : RF_FORMAT_NDJSON;
}
