/* help.c: --help and --version. */
#include "help.h"

#include <stdio.h>

#include "device.h"
#include "flag.h"
#include "isa.h"

#ifndef RF_VERSION
#error "RF_VERSION is set by the build (CMakeLists.txt)"
#endif

const struct rf_exit_line rf_exit_table[RF_EXIT_LINES] = {
#define RF_EXIT(id, code, commands, meaning) {code, commands, meaning},
#include "exit.def"
#undef RF_EXIT
};

const struct rf_environment_line rf_environment_table[] = {
#define RF_ENVIRONMENT(name, meaning) {name, meaning},
#include "environment.def"
#undef RF_ENVIRONMENT
    {NULL, NULL},
};

const struct rf_sample_line rf_sample_table[] = {
#define RF_SAMPLE(command, meaning) {command, meaning},
#include "sample.def"
#undef RF_SAMPLE
    {NULL, NULL},
};

enum { HELP_COLUMNS = 80, FLAG_COLUMN = 30 };

/* Appends words, wrapped. `at` is the column where the line stands; further lines begin at `indent`. A "\n" in the text
 * begins a new line. */
static enum rf_status wrap(struct rf_text *out, const char *words, size_t at, size_t indent, struct rf_error *err)
{
    bool is_first = true;
    while (*words != '\0') {
        const size_t count = strcspn(words, " \n");
        if (count > 0) {
            if (!is_first && at + 1 + count > HELP_COLUMNS) {
                RF_TRY(rf_text_printf(out, err, "\n%*s", (int)indent, ""));
                at = indent;
                is_first = true;
            }
            RF_TRY(rf_text_printf(out, err, "%s%.*s", is_first ? "" : " ", (int)count, words));
            at += count + (is_first ? 0 : 1);
            is_first = false;
        }
        words += count;
        if (*words == '\n') {
            RF_TRY(rf_text_append_char(out, '\n', err));
            at = 0;
            is_first = true;
        }
        words += *words != '\0' ? 1 : 0;
    }
    return rf_text_append_char(out, '\n', err);
}

static enum rf_status flag_help_write(struct rf_text *out, const struct rf_flag *flag, struct rf_error *err)
{
    char left[96];
    const bool has_value = flag->kind != RF_FLAG_KIND_NONE;
    const bool is_optional = flag->kind == RF_FLAG_KIND_OPTIONAL;
    char letter[8] = "    ";
    if (flag->letter != 0) {
        (void)snprintf(letter, sizeof letter, "-%c, ", flag->letter);
    }
    const int count = snprintf(left, sizeof left, "  %s--%s%s%s%s%s", letter, flag->name, is_optional ? "[" : "",
                               has_value ? "=" : "", flag->argument, is_optional ? "]" : "");
    RF_TRY(rf_text_append(out, rf_str_of(left), err));
    size_t at = count < 0 ? 0 : (size_t)count;
    if (at + 2 > FLAG_COLUMN) {
        RF_TRY(rf_text_append_char(out, '\n', err));
        at = 0;
    }
    RF_TRY(rf_text_printf(out, err, "%*s", (int)(FLAG_COLUMN - at), ""));
    char help[256];
    if (has_value && flag->standard[0] != '\0' && !is_optional) {
        (void)snprintf(help, sizeof help, "%s [%s]", flag->help, flag->standard);
    } else {
        (void)snprintf(help, sizeof help, "%s", flag->help);
    }
    return wrap(out, help, FLAG_COLUMN, FLAG_COLUMN, err);
}

static enum rf_status commands_write(struct rf_text *out, enum rf_command_id parent, struct rf_error *err)
{
    RF_TRY(rf_text_append(out, RF_STR("\nCommands:\n"), err));
    for (int c = RF_COMMAND_TOP + 1; c < RF_COMMAND_COUNT; c++) {
        const char *word = rf_command_word((enum rf_command_id)c, parent);
        if (word != NULL) {
            RF_TRY(rf_text_printf(out, err, "  %-12s", word));
            RF_TRY(wrap(out, rf_command_table[c].summary, 14, 14, err));
        }
    }
    return RF_OK;
}

static enum rf_status samples_write(struct rf_text *out, struct rf_error *err)
{
    RF_TRY(rf_text_append(out, RF_STR("\nExamples:\n"), err));
    for (const struct rf_sample_line *line = rf_sample_table; line->command != NULL; line++) {
        RF_TRY(rf_text_printf(out, err, "  %s\n      %s\n", line->command, line->meaning));
    }
    return RF_OK;
}

enum rf_status rf_help_write(struct rf_text *out, enum rf_command_id id, struct rf_error *err)
{
    const struct rf_command *command = &rf_command_table[id];
    const char *space = id == RF_COMMAND_TOP ? "" : " ";
    RF_TRY(rf_text_printf(out, err, "riffle%s%s: %s\n\nUsage: riffle%s%s %s\n\n", space, command->name,
                          command->summary, space, command->name, command->synopsis));
    RF_TRY(wrap(out, command->manual, 0, 0, err));
    if (id == RF_COMMAND_TOP || id == RF_COMMAND_FIX) {
        RF_TRY(commands_write(out, id, err));
    }
    const char *section = "";
    for (int i = 0; i < RF_FLAGS; i++) {
        const struct rf_flag *flag = &rf_flag_table[i];
        if (!rf_flag_belongs((enum rf_flag_id)i, id)) {
            continue;
        }
        if (strcmp(section, flag->section) != 0) {
            section = flag->section;
            RF_TRY(rf_text_printf(out, err, "\n%s:\n", section));
        }
        RF_TRY(flag_help_write(out, flag, err));
    }
    if (id == RF_COMMAND_TOP || id == RF_COMMAND_FILTER) {
        RF_TRY(samples_write(out, err));
    }
    RF_TRY(rf_text_append(out, RF_STR("\nExit status:\n"), err));
    for (int i = 0; i < RF_EXIT_LINES; i++) {
        if ((rf_exit_table[i].commands >> id & 1u) == 0) {
            continue;
        }
        RF_TRY(rf_text_printf(out, err, "  %-4d", rf_exit_table[i].code));
        RF_TRY(wrap(out, rf_exit_table[i].meaning, 6, 6, err));
    }
    return id == RF_COMMAND_TOP
               ? rf_text_append(
                     out,
                     RF_STR("\nriffle COMMAND --help tells more about a command; riffle --man is the whole manual.\n"),
                     err)
               : RF_OK;
}

enum rf_status rf_version_write(struct rf_text *out, struct rf_error *err)
{
#if defined(__clang__)
    static const char compiler[] = "clang " __clang_version__;
#else
    static const char compiler[] = "gcc " __VERSION__;
#endif
#if defined(__SANITIZE_ADDRESS__)
    static const char flavour[] = ", address sanitizer";
#elif defined(__OPTIMIZE__)
    static const char flavour[] = "";
#else
    static const char flavour[] = ", not optimized";
#endif
    RF_TRY(rf_text_printf(out, err, "riffle %s\nbuild: %s%s\ncpu: %s\ncuda: %s\n", RF_VERSION, compiler,
                          flavour, rf_isa_name(rf_isa_best()), rf_device_is_built() ? "plug-in riffle_cuda.so" : "not built in"));
    return RF_OK;
}
