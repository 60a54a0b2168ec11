#include "result_output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "aside_file.h"
#include "report.h"
#include "sink.h"
#include "terminal.h"

enum { OVERLAP_SHOWN = 10 }; /* rules, of results that riffle merge finds overlap in */

static bool is_to_file(const struct rf_flags *flags)
{
    const char *name = flags->value[RF_FLAG_OUTPUT].text;
    return name != NULL && strcmp(name, "-") != 0;
}

/* A run of an hour should not end with a folder that is not there. */
static enum rf_status writable_check(const char *name, struct rf_error *err)
{
    const char *slash = strrchr(name, '/');
    struct rf_text folder = {0};
    if (access(name, F_OK) == 0) {
        if (access(name, W_OK) != 0) {
            RF_FAIL(err, RF_E_IO, "%s: %s", name, strerror(errno));
        }
        return RF_OK;
    }
    RF_TRY(rf_text_printf(&folder, err, "%.*s%c", slash == NULL ? 1 : slash == name ? 1 : (int)(slash - name), slash == NULL ? "." : name, '\0'));
    const bool is_writable = access(folder.data, W_OK) == 0;
    rf_text_free(&folder);
    if (!is_writable) {
        RF_FAIL(err, RF_E_IO, "%s: %s", name, strerror(errno));
    }
    return RF_OK;
}

static bool is_one_file(const char *a, const char *b)
{
    struct stat of[2];
    return strcmp(a, b) == 0 || (stat(a, &of[0]) == 0 && stat(b, &of[1]) == 0 && of[0].st_dev == of[1].st_dev &&
                                 of[0].st_ino == of[1].st_ino && S_ISREG(of[0].st_mode));
}

enum rf_status rf_result_check(const struct rf_flags *flags, struct rf_error *err)
{
    static const enum rf_flag_id written[] = {RF_FLAG_OUTPUT, RF_FLAG_REPORT};
    const char *name[2];
    for (int i = 0; i < 2; i++) {
        RF_TRY(rf_output_check(flags, written[i], err));
        name[i] = flags->value[written[i]].is_set ? flags->value[written[i]].text : "-";
        if (strcmp(name[i], "-") != 0) {
            RF_TRY(writable_check(name[i], err));
        }
    }
    if (flags->value[RF_FLAG_REPORT].is_set && is_one_file(name[0], name[1])) {
        RF_FAIL(err, RF_E_USAGE, "--report and --output are both %s", strcmp(name[0], "-") == 0 ? "standard output" : name[0]);
    }
    return RF_OK;
}

static enum rf_status outcome_format(const struct rf_outcome *outcome, const struct rf_flags *flags,
                                     struct rf_text *text, struct rf_error *err)
{
    const unsigned color = (unsigned)flags->value[RF_FLAG_COLOR].number;
    switch (flags->value[RF_FLAG_EMIT_RESULT].number) {
    case RF_RESULT_JSON:
        return rf_outcome_write_json(outcome, text, err);
    case RF_RESULT_CSV:
        return rf_outcome_write_csv(outcome, text, err);
    default:
        break;
    }
    const bool is_terminal = !is_to_file(flags) && isatty(STDOUT_FILENO) == 1;
    const struct rf_outcome_table table = {
        .top = (uint32_t)flags->value[RF_FLAG_TOP].number,
        .overlap = flags->value[RF_FLAG_OVERLAP].is_set ? (uint32_t)flags->value[RF_FLAG_OVERLAP].number : OVERLAP_SHOWN,
        .columns = is_terminal ? rf_terminal_columns(STDOUT_FILENO) : 0,
        .has_color = color == RF_WHEN_ALWAYS || (!is_to_file(flags) && rf_terminal_has_color(STDOUT_FILENO, color))};
    return rf_outcome_write_table(outcome, table, text, err);
}

/* name NULL or "-": standard output. */
static enum rf_status text_write(struct rf_str text, const char *name, struct rf_error *err)
{
    struct rf_sink *sink;
    const struct rf_sink_options options = {0};
    RF_TRY(name != NULL && strcmp(name, "-") != 0
               ? rf_sink_open_file(&sink, name, options, err)
               : rf_sink_open_fd(&sink, STDOUT_FILENO, "standard output", options, err));
    enum rf_status status = rf_sink_write(sink, text, err);
    if (status == RF_OK) {
        status = rf_sink_finish(sink, err);
    }
    rf_sink_close(sink);
    return status;
}

static enum rf_status report_write(const struct rf_outcome *outcome, const struct rf_flags *flags, struct rf_text *text,
                                   struct rf_error *err)
{
    const struct rf_flag_value *report = &flags->value[RF_FLAG_REPORT];
    if (!report->is_set) {
        return RF_OK;
    }
    RF_TRY(rf_report_write(outcome, rf_str_of(flags->arg[0]), text, err));
    return text_write(rf_text_str(text), report->text, err);
}

/* The report first: whoever reads standard output may have enough of it before its end. */
enum rf_status rf_result_write(const struct rf_outcome *outcome, const struct rf_flags *flags, struct rf_error *err)
{
    struct rf_text text = {0};
    enum rf_status status = report_write(outcome, flags, &text, err);
    if (status == RF_OK) {
        rf_text_clear(&text);
        status = outcome_format(outcome, flags, &text, err);
    }
    if (status == RF_OK) {
        status = text_write(rf_text_str(&text), flags->value[RF_FLAG_OUTPUT].text, err);
    }
    rf_text_free(&text);
    return status;
}
