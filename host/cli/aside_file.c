#include "aside_file.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum rf_status rf_aside_check(const struct rf_flags *flags, enum rf_flag_id id, struct rf_error *err)
{
    const struct rf_flag_value *value = &flags->value[id];
    struct stat file;
    if (value->number != RF_BAD_FILE || strcmp(value->text, "-") == 0 || stat(value->text, &file) != 0 ||
        !S_ISREG(file.st_mode)) {
        return RF_OK;
    }
    const size_t inputs = flags->args - flags->inputs_from;
    for (size_t i = 0; i < (inputs > 0 ? inputs : 1); i++) {
        const char *name = inputs > 0 ? flags->arg[flags->inputs_from + i] : "-";
        struct stat input;
        if ((strcmp(name, "-") == 0 ? fstat(STDIN_FILENO, &input) : stat(name, &input)) == 0 &&
            input.st_dev == file.st_dev && input.st_ino == file.st_ino) {
            RF_FAIL(err, RF_E_USAGE, "--%s %s is also an input, which it would replace", rf_flag_table[id].name,
                    value->text);
        }
    }
    return RF_OK;
}

enum rf_status rf_aside_open(const struct rf_flags *flags, enum rf_flag_id id, struct rf_sink **out, struct rf_error *err)
{
    const struct rf_flag_value *value = &flags->value[id];
    const struct rf_sink_options options = {0};
    *out = NULL;
    if (value->number != RF_BAD_FILE) {
        return RF_OK;
    }
    RF_TRY(rf_aside_check(flags, id, err));
    return strcmp(value->text, "-") == 0
               ? rf_sink_open_fd(out, STDOUT_FILENO, "standard output", options, err)
               : rf_sink_open_file(out, value->text, options, err);
}
