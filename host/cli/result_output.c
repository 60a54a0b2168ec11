#include "result_output.h"

#include <string.h>
#include <unistd.h>

#include "report.h"
#include "sink.h"
#include "terminal.h"

enum { OVERLAP_SHOWN = 10 }; /* rules, of results that riffle merge finds overlap in */

static bool is_to_file(const struct rf_flags *flags)
{
    const char *name = flags->value[RF_FLAG_OUTPUT].text;
    return name != NULL && strcmp(name, "-") != 0;
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

enum rf_status rf_result_write(const struct rf_outcome *outcome, const struct rf_flags *flags, struct rf_error *err)
{
    struct rf_text text = {0};
    enum rf_status status = outcome_format(outcome, flags, &text, err);
    if (status == RF_OK) {
        status = text_write(rf_text_str(&text), flags->value[RF_FLAG_OUTPUT].text, err);
    }
    const struct rf_flag_value *report = &flags->value[RF_FLAG_REPORT];
    if (status == RF_OK && report->is_set) {
        rf_text_clear(&text);
        status = rf_report_write(outcome, rf_str_of(flags->arg[0]), &text, err);
        if (status == RF_OK) {
            status = text_write(rf_text_str(&text), report->text, err);
        }
    }
    rf_text_free(&text);
    return status;
}
