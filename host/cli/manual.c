/* manual.c: the man page, in roff with the classic man macros. */
#include "help.h"

#include <ctype.h>

#include "flag.h"

/* Text as roff wants it: no line begins a request by accident, hyphens stay hyphens that can be copied, quotes
 * straight. */
static enum rf_status roff(struct rf_text *out, const char *text, struct rf_error *err)
{
    bool is_line_start = out->count == 0 || out->data[out->count - 1] == '\n';
    for (; *text != '\0'; text++) {
        if (is_line_start && (*text == '.' || *text == '\'')) {
            RF_TRY(rf_text_append(out, RF_STR("\\&"), err));
        }
        is_line_start = *text == '\n';
        switch (*text) {
        case '\\':
            RF_TRY(rf_text_append(out, RF_STR("\\e"), err));
            break;
        case '-':
            RF_TRY(rf_text_append(out, RF_STR("\\-"), err));
            break;
        case '\'':
            RF_TRY(rf_text_append(out, RF_STR("\\(aq"), err));
            break;
        case '^':
            RF_TRY(rf_text_append(out, RF_STR("\\(ha"), err));
            break;
        case '~':
            RF_TRY(rf_text_append(out, RF_STR("\\(ti"), err));
            break;
        case '\n':
            /* Two line feeds separate paragraphs. */
            RF_TRY(text[1] == '\n' ? rf_text_append(out, RF_STR("\n.PP"), err) : rf_text_append_char(out, '\n', err));
            break;
        default:
            RF_TRY(rf_text_append_char(out, *text, err));
        }
    }
    return RF_OK;
}

static enum rf_status roff_line(struct rf_text *out, const char *text, struct rf_error *err)
{
    RF_TRY(roff(out, text, err));
    return rf_text_append_char(out, '\n', err);
}

static enum rf_status flag_write(struct rf_text *out, const struct rf_flag *flag, struct rf_error *err)
{
    RF_TRY(rf_text_append(out, RF_STR(".TP\n"), err));
    if (flag->letter != 0) {
        RF_TRY(rf_text_printf(out, err, "\\fB\\-%c\\fR, ", flag->letter));
    }
    RF_TRY(rf_text_append(out, RF_STR("\\fB\\-\\-"), err));
    RF_TRY(roff(out, flag->name, err));
    RF_TRY(rf_text_append(out, RF_STR("\\fR"), err));
    if (flag->kind == RF_FLAG_KIND_OPTIONAL) {
        RF_TRY(rf_text_printf(out, err, "[=\\fI%s\\fR]", flag->argument));
    } else if (flag->kind != RF_FLAG_KIND_NONE) {
        RF_TRY(rf_text_printf(out, err, "=\\fI%s\\fR", flag->argument));
    }
    RF_TRY(rf_text_append_char(out, '\n', err));
    RF_TRY(rf_text_append_char(out, (char)toupper((unsigned char)flag->help[0]), err));
    RF_TRY(roff(out, flag->help + 1, err));
    RF_TRY(rf_text_append(out, RF_STR(".\n"), err));
    if (flag->manual[0] != '\0') {
        RF_TRY(roff_line(out, flag->manual, err));
    }
    if (flag->kind == RF_FLAG_KIND_NUMBER || flag->kind == RF_FLAG_KIND_BYTES) {
        RF_TRY(rf_text_append(out, RF_STR("From "), err));
        const char *dots = strstr(flag->values, "..");
        RF_TRY(rf_text_printf(out, err, "%.*s to %s.\n", (int)(dots - flag->values), flag->values, dots + 2));
    }
    if (flag->standard[0] != '\0' && flag->kind != RF_FLAG_KIND_OPTIONAL) {
        RF_TRY(rf_text_append(out, RF_STR("Default: "), err));
        RF_TRY(roff(out, flag->standard, err));
        RF_TRY(rf_text_append(out, RF_STR(".\n"), err));
    }
    return RF_OK;
}

static enum rf_status commands_write(struct rf_text *out, struct rf_error *err)
{
    RF_TRY(rf_text_append(out, RF_STR(".SH SYNOPSIS\n"), err));
    for (int c = RF_COMMAND_TOP + 1; c < RF_COMMAND_COUNT; c++) {
        RF_TRY(rf_text_printf(out, err, "%s\\fBriffle %s\\fR ", c > RF_COMMAND_TOP + 1 ? ".br\n" : "",
                              rf_command_table[c].name));
        RF_TRY(roff_line(out, rf_command_table[c].synopsis, err));
    }
    RF_TRY(rf_text_append(out, RF_STR(".SH DESCRIPTION\n"), err));
    RF_TRY(roff_line(out, rf_command_table[RF_COMMAND_TOP].manual, err));
    RF_TRY(rf_text_append(out, RF_STR(".SH COMMANDS\n"), err));
    for (int c = RF_COMMAND_TOP + 1; c < RF_COMMAND_COUNT; c++) {
        RF_TRY(rf_text_printf(out, err, ".SS \"riffle %s\"\n", rf_command_table[c].name));
        RF_TRY(roff_line(out, rf_command_table[c].manual, err));
    }
    return RF_OK;
}

static enum rf_status flags_write(struct rf_text *out, struct rf_error *err)
{
    RF_TRY(rf_text_append(out, RF_STR(".SH OPTIONS\n"), err));
    const char *section = "";
    for (int i = 0; i < RF_FLAGS; i++) {
        if (strcmp(section, rf_flag_table[i].section) != 0) {
            section = rf_flag_table[i].section;
            RF_TRY(rf_text_printf(out, err, ".SS \"%s\"\n", section));
        }
        RF_TRY(flag_write(out, &rf_flag_table[i], err));
    }
    return RF_OK;
}

enum rf_status rf_manual_write(struct rf_text *out, struct rf_error *err)
{
    RF_TRY(rf_text_printf(out, err, ".TH RIFFLE 1 \"\" \"riffle %s\" \"User Commands\"\n.SH NAME\nriffle \\- ",
                          RF_VERSION));
    RF_TRY(roff_line(out, rf_command_table[RF_COMMAND_TOP].summary, err));
    RF_TRY(commands_write(out, err));
    RF_TRY(flags_write(out, err));
    RF_TRY(rf_text_append(out, RF_STR(".SH \"EXIT STATUS\"\n"), err));
    for (int i = 0; i < RF_EXIT_LINES; i++) {
        RF_TRY(rf_text_printf(out, err, ".TP\n%d\n", rf_exit_table[i].code));
        RF_TRY(roff_line(out, rf_exit_table[i].meaning, err));
    }
    RF_TRY(rf_text_append(out, RF_STR(".SH ENVIRONMENT\n"), err));
    for (const struct rf_environment_line *line = rf_environment_table; line->name != NULL; line++) {
        RF_TRY(rf_text_printf(out, err, ".TP\n\\fB%s\\fR\n", line->name));
        RF_TRY(roff_line(out, line->meaning, err));
    }
    RF_TRY(rf_text_append(out, RF_STR(".SH EXAMPLES\n"), err));
    for (const struct rf_sample_line *line = rf_sample_table; line->command != NULL; line++) {
        RF_TRY(rf_text_append(out, RF_STR(".PP\n"), err));
        RF_TRY(roff_line(out, line->meaning, err));
        RF_TRY(rf_text_append(out, RF_STR(".PP\n.nf\n.RS\n"), err));
        RF_TRY(roff_line(out, line->command, err));
        RF_TRY(rf_text_append(out, RF_STR(".RE\n.fi\n"), err));
    }
    return rf_text_append(out, RF_STR(".SH \"SEE ALSO\"\ngrep(1), jq(1)\n"), err);
}
