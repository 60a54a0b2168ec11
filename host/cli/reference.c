/* reference.c: docs/cli.md. */
#include "help.h"

#include "flag.h"

/* Text inside a table cell or paragraph of Markdown. */
static enum rf_status cell(struct rf_text *out, const char *text, struct rf_error *err)
{
    for (; *text != '\0'; text++) {
        if (strchr("|*_<>`", *text) != NULL) {
            RF_TRY(rf_text_append_char(out, '\\', err));
        }
        RF_TRY(rf_text_append_char(out, *text, err));
    }
    return RF_OK;
}

static enum rf_status flag_row_write(struct rf_text *out, const struct rf_flag *flag, struct rf_error *err)
{
    RF_TRY(rf_text_append(out, RF_STR("| "), err));
    if (flag->letter != 0) {
        RF_TRY(rf_text_printf(out, err, "`-%c` ", flag->letter));
    }
    const bool is_optional = flag->kind == RF_FLAG_KIND_OPTIONAL;
    RF_TRY(rf_text_printf(out, err, "`--%s%s%s%s%s` | ", flag->name, is_optional ? "[" : "",
                          flag->kind == RF_FLAG_KIND_NONE ? "" : "=", flag->argument, is_optional ? "]" : ""));
    RF_TRY(cell(out, flag->values, err));
    RF_TRY(rf_text_append(out, RF_STR(" | "), err));
    RF_TRY(cell(out, is_optional ? "" : flag->standard, err));
    RF_TRY(rf_text_append(out, RF_STR(" | "), err));
    RF_TRY(cell(out, flag->help, err));
    if (flag->manual[0] != '\0') {
        RF_TRY(rf_text_append(out, RF_STR(". "), err));
        RF_TRY(cell(out, flag->manual, err));
    }
    return rf_text_append(out, RF_STR(" |\n"), err);
}

static enum rf_status command_write(struct rf_text *out, enum rf_command_id id, struct rf_error *err)
{
    const struct rf_command *command = &rf_command_table[id];
    const char *space = id == RF_COMMAND_TOP ? "" : " ";
    RF_TRY(rf_text_printf(out, err, "\n## riffle%s%s\n\n", space, command->name));
    if (id != RF_COMMAND_TOP) {
        RF_TRY(rf_text_printf(out, err, "    riffle%s%s %s\n\n", space, command->name, command->synopsis));
    }
    RF_TRY(cell(out, command->manual, err));
    RF_TRY(rf_text_append_char(out, '\n', err));
    const char *section = "";
    for (int i = 0; i < RF_FLAGS; i++) {
        const struct rf_flag *flag = &rf_flag_table[i];
        if (!rf_flag_belongs((enum rf_flag_id)i, id)) {
            continue;
        }
        if (strcmp(section, flag->section) != 0) {
            section = flag->section;
            RF_TRY(rf_text_printf(out, err, "\n### %s\n\n| option | values | default | meaning |\n|---|---|---|---|\n",
                                  section));
        }
        RF_TRY(flag_row_write(out, flag, err));
    }
    return RF_OK;
}

enum rf_status rf_reference_write(struct rf_text *out, struct rf_error *err)
{
    RF_TRY(rf_text_append(
        out,
        RF_STR("# Command line\n\nThis page is what `riffle --cli-markdown` prints; a test keeps the two "
               "equal. `riffle --man` is the same as a man page.\n"),
        err));
    for (int c = RF_COMMAND_TOP; c < RF_COMMAND_COUNT; c++) {
        RF_TRY(command_write(out, (enum rf_command_id)c, err));
    }
    RF_TRY(rf_text_append(out, RF_STR("\n## Exit status\n\n| status | meaning |\n|---|---|\n"), err));
    for (int i = 0; i < RF_EXIT_LINES; i++) {
        RF_TRY(rf_text_printf(out, err, "| %d | %s |\n", rf_exit_table[i].code, rf_exit_table[i].meaning));
    }
    RF_TRY(rf_text_append(out, RF_STR("\n## Environment\n\n| name | meaning |\n|---|---|\n"), err));
    for (const struct rf_environment_line *line = rf_environment_table; line->name != NULL; line++) {
        RF_TRY(rf_text_printf(out, err, "| `%s` | ", line->name));
        RF_TRY(cell(out, line->meaning, err));
        RF_TRY(rf_text_append(out, RF_STR(" |\n"), err));
    }
    RF_TRY(rf_text_append(out, RF_STR("\n## Examples\n"), err));
    for (const struct rf_sample_line *line = rf_sample_table; line->command != NULL; line++) {
        RF_TRY(rf_text_printf(out, err, "\n%s\n\n    %s\n", line->meaning, line->command));
    }
    return RF_OK;
}
