#include "aside_file.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Is one of the arguments from `first` on, or standard input where there is none, the regular file of this name? */
static enum rf_status arguments_check(const struct rf_flags *flags, enum rf_flag_id id, size_t first, struct rf_error *err)
{
    const char *written = flags->value[id].text;
    struct stat file;
    if (written == NULL || strcmp(written, "-") == 0 || stat(written, &file) != 0 || !S_ISREG(file.st_mode)) {
        return RF_OK;
    }
    const bool has_input = flags->args > flags->inputs_from;
    for (size_t i = first; i < flags->args + !has_input; i++) {
        const char *name = i < flags->args ? flags->arg[i] : "-";
        struct stat input;
        if ((strcmp(name, "-") == 0 ? fstat(STDIN_FILENO, &input) : stat(name, &input)) == 0 &&
            input.st_dev == file.st_dev && input.st_ino == file.st_ino) {
            RF_FAIL(err, RF_E_USAGE, "--%s %s is also %s, which it would replace", rf_flag_table[id].name, written,
                    i < flags->inputs_from ? "read" : "an input");
        }
    }
    return RF_OK;
}

enum rf_status rf_output_check(const struct rf_flags *flags, enum rf_flag_id id, struct rf_error *err)
{
    return arguments_check(flags, id, 0, err);
}

enum rf_status rf_aside_check(const struct rf_flags *flags, enum rf_flag_id id, struct rf_error *err)
{
    return flags->value[id].number == RF_BAD_FILE ? arguments_check(flags, id, 0, err) : RF_OK;
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
