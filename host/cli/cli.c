/* cli.c: from argv to a command. */
#include "cli.h"

#include <unistd.h>

#include "flag.h"
#include "help.h"
#include "log.h"
#include "terminal.h"

static int text_print(enum rf_status status, struct rf_text *text, const struct rf_error *err)
{
    int code = RF_EXIT_FAILURE;
    if (status == RF_OK) {
        code = rf_terminal_print(rf_text_str(text));
    } else {
        rf_log(RF_LOG_ERROR, "%s", err->text);
    }
    rf_text_free(text);
    return code;
}

static int usage_fail(enum rf_command_id command, const struct rf_error *err)
{
    const char *space = command == RF_COMMAND_TOP ? "" : " ";
    const char *name = rf_command_table[command].name;
    rf_log(RF_LOG_ERROR, "%s", err->text);
    if (err->status != RF_E_USAGE) {
        return RF_EXIT_FAILURE;
    }
    rf_log_raw(RF_LOG_ERROR, "Try 'riffle%s%s --help'.", space, name);
    return RF_EXIT_USAGE;
}

/* Options of riffle itself: each prints a text. */
static int top_run(const struct rf_flags *flags)
{
    struct rf_error err;
    struct rf_text text = {0};
    enum rf_status status;
    if (flags->value[RF_FLAG_MAN].is_set) {
        status = rf_manual_write(&text, &err);
    } else if (flags->value[RF_FLAG_COMPLETION].is_set) {
        status = rf_completion_write(&text, (unsigned)flags->value[RF_FLAG_COMPLETION].number, &err);
    } else if (flags->value[RF_FLAG_CLI_MARKDOWN].is_set) {
        status = rf_reference_write(&text, &err);
    } else {
        (void)rf_error_set(&err, RF_E_USAGE, __FILE__, __LINE__, "a command is missing");
        return usage_fail(RF_COMMAND_TOP, &err);
    }
    return text_print(status, &text, &err);
}

static int command_run(enum rf_command_id command, int argc, char **argv)
{
    struct rf_error err;
    struct rf_flags flags;
    struct rf_text text = {0};
    int code;
    if (rf_flags_parse(&flags, command, argc, argv, &err) != RF_OK) {
        code = usage_fail(command, &err);
    } else if (flags.value[RF_FLAG_HELP].is_set) {
        code = text_print(rf_help_write(&text, command, &err), &text, &err);
    } else if (flags.value[RF_FLAG_VERSION].is_set) {
        code = text_print(rf_version_write(&text, &err), &text, &err);
    } else {
        code = command == RF_COMMAND_TOP ? top_run(&flags) : rf_command_table[command].run(&flags);
    }
    rf_flags_free(&flags);
    return code;
}

static int command_refuse(const char *word)
{
    const char *candidate[RF_COMMAND_COUNT];
    size_t count = 0;
    for (int c = RF_COMMAND_TOP + 1; c < RF_COMMAND_COUNT; c++) {
        if (rf_command_word((enum rf_command_id)c, RF_COMMAND_TOP) != NULL) {
            candidate[count++] = rf_command_table[c].name;
        }
    }
    struct rf_error err;
    const char *nearest = rf_flag_nearest(word, candidate, count);
    if (nearest != NULL) {
        (void)rf_error_set(&err, RF_E_USAGE, __FILE__, __LINE__, "unknown command '%.100s', did you mean '%s'?", word,
                           nearest);
    } else {
        (void)rf_error_set(&err, RF_E_USAGE, __FILE__, __LINE__,
                           "unknown command '%.100s'; to filter: riffle filter EXPR [FILE...]", word);
    }
    return usage_fail(RF_COMMAND_TOP, &err);
}

/* `riffle help [COMMAND]` and `riffle version` mean the options. */
static void word_take(int argc, char **argv)
{
    static char help[] = "--help";
    static char version[] = "--version";
    if (strcmp(argv[1], "version") == 0) {
        argv[1] = version;
    } else if (strcmp(argv[1], "help") == 0) {
        for (int i = 1; i + 1 < argc; i++) {
            argv[i] = argv[i + 1];
        }
        argv[argc - 1] = help;
    }
}

/* A command may have commands of its own: as many words as there are. */
static enum rf_command_id command_find(int argc, char **argv, int *words)
{
    enum rf_command_id found = RF_COMMAND_TOP;
    for (int c = RF_COMMAND_TOP + 1; c < RF_COMMAND_COUNT && *words + 1 < argc; c++) {
        const char *word = rf_command_word((enum rf_command_id)c, found);
        if (word != NULL && strcmp(argv[*words + 1], word) == 0) {
            found = (enum rf_command_id)c; /* its own stand behind it in the table */
            (*words)++;
        }
    }
    return found;
}

int rf_cli_main(int argc, char **argv)
{
    rf_terminal_guard();
    if (argc > 1) {
        word_take(argc, argv);
    }
    int words = 0;
    const enum rf_command_id command = command_find(argc, argv, &words);
    if (command == RF_COMMAND_TOP && argc > 1 && argv[1][0] != '-') {
        return command_refuse(argv[1]);
    }
    return command_run(command, argc - words, argv + words);
}
