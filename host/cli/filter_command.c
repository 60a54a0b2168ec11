/* filter_command.c: riffle filter: options to a pipeline, its result to messages and an exit status.
 *
 * Order matters: everything that can be wrong with the command line is found before a file is read or made, and the
 * output is finished (flushed, renamed) before the run is summed up.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "aside_file.h"
#include "clock.h"
#include "command.h"
#include "engine_choice.h"
#include "expression.h"
#include "figure.h"
#include "flag.h"
#include "interrupt.h"
#include "isa.h"
#include "log.h"
#include "pipeline.h"
#include "progress.h"
#include "stream_options.h"
#include "summary.h"
#include "terminal.h"

enum { COUNT_BUFFER_BYTES = 64 };

struct filter {
    const struct rf_flags *flags;
    struct rf_expression expression;
    struct rf_source *source;
    struct rf_sink *output;
    struct rf_sink *error_file, *malformed_file; /* one sink when both have one name */
    struct rf_progress progress;
    struct rf_pipeline_options options;
    struct rf_pipeline_result result;
    uint64_t begin_ns, end_ns;
    bool has_expression;
};

static bool is_set(const struct filter *filter, enum rf_flag_id id)
{
    return filter->flags->value[id].is_set;
}

static uint64_t number(const struct filter *filter, enum rf_flag_id id)
{
    return filter->flags->value[id].number;
}

static enum rf_status options_check(const struct filter *filter, struct rf_error *err)
{
    const bool has_prefix = is_set(filter, RF_FLAG_WITH_FILENAME) || is_set(filter, RF_FLAG_LINE_NUMBER);
    const bool has_lines = number(filter, RF_FLAG_EMIT) == RF_FORM_LINES && filter->flags->list_count == 0;
    if (has_prefix && !has_lines) {
        RF_FAIL(err, RF_E_USAGE,
                "-H and -n need --emit lines or --pretty; as columns: --select record.file --select record.number");
    }
    for (size_t i = 1; i < filter->flags->args; i++) {
        if (filter->flags->arg[i][0] == '\0') {
            RF_FAIL(err, RF_E_USAGE, "the name of an input is empty; standard input is -");
        }
    }
    return RF_OK;
}

static bool has_output_file(const struct filter *filter)
{
    const char *name = filter->flags->value[RF_FLAG_OUTPUT].text;
    return name != NULL && strcmp(name, "-") != 0;
}

/* Records are printed, rather than counted or only looked for. */
static bool has_records(const struct filter *filter)
{
    return !is_set(filter, RF_FLAG_QUIET) && !is_set(filter, RF_FLAG_COUNT);
}

static bool is_line_buffered(const struct filter *filter)
{
    return is_set(filter, RF_FLAG_LINE_BUFFERED) || (!has_output_file(filter) && isatty(STDOUT_FILENO) == 1);
}

static enum rf_status source_open(struct filter *filter, struct rf_error *err)
{
    struct rf_source_options options = rf_stream_source_options(filter->flags, filter->expression.format,
                                                                &filter->expression.ahead, &filter->progress);
    options.batch_bytes = rf_batch_bytes_choose(&filter->flags->value[RF_FLAG_BATCH_BYTES], &filter->options);
    options.is_line_buffered = is_line_buffered(filter);
    options.counts_records = filter->expression.compiled.program.needs_number || is_set(filter, RF_FLAG_PRETTY);
    return rf_source_open_files(&filter->source, filter->flags->arg + filter->flags->inputs_from,
                                filter->flags->args - filter->flags->inputs_from, options, err);
}

/* A name, or "-" for standard output. */
static enum rf_status sink_open(struct rf_sink **out, const char *name, struct rf_sink_options options,
                                struct rf_error *err)
{
    if (name == NULL || strcmp(name, "-") == 0) {
        return rf_sink_open_fd(out, STDOUT_FILENO, "standard output", options, err);
    }
    return rf_sink_open_file(out, name, options, err);
}

static enum rf_status sinks_open(struct filter *filter, struct rf_error *err)
{
    const struct rf_sink_options aside = {.is_line_buffered = is_line_buffered(filter)};
    struct rf_sink_options options = aside;
    options.buffer_bytes = is_set(filter, RF_FLAG_COUNT) ? COUNT_BUFFER_BYTES : 0;
    const struct rf_flag_value *on_error = &filter->flags->value[RF_FLAG_ON_ERROR];
    const struct rf_flag_value *on_malformed = &filter->flags->value[RF_FLAG_ON_MALFORMED];
    RF_TRY(rf_aside_check(filter->flags, RF_FLAG_ON_ERROR, err));
    RF_TRY(rf_aside_check(filter->flags, RF_FLAG_ON_MALFORMED, err));
    if (is_set(filter, RF_FLAG_QUIET)) {
        RF_TRY(rf_sink_open_null(&filter->output, err));
    } else {
        RF_TRY(sink_open(&filter->output, filter->flags->value[RF_FLAG_OUTPUT].text, options, err));
    }
    if (on_error->number == RF_BAD_FILE) {
        RF_TRY(sink_open(&filter->error_file, on_error->text, aside, err));
    }
    if (on_malformed->number == RF_BAD_FILE) {
        if (filter->error_file != NULL && strcmp(on_error->text, on_malformed->text) == 0) {
            filter->malformed_file = filter->error_file;
        } else {
            RF_TRY(sink_open(&filter->malformed_file, on_malformed->text, aside, err));
        }
    }
    return RF_OK;
}

_Static_assert((int)RF_BAD_DROP == (int)RF_POLICY_DROP && (int)RF_BAD_PASS == (int)RF_POLICY_PASS &&
                   (int)RF_BAD_STOP == (int)RF_POLICY_STOP && (int)RF_BAD_FILE == (int)RF_POLICY_FILE,
               "choices of --on-error stand in the order of enum rf_policy_kind");
_Static_assert((int)RF_FORM_LINES + 1 == (int)RF_EMIT_LINES && (int)RF_FORM_JSON + 1 == (int)RF_EMIT_JSON &&
                   (int)RF_FORM_CSV + 1 == (int)RF_EMIT_CSV,
               "choices of --emit stand in the order of enum rf_emit");
_Static_assert((int)RF_NAMES_NAME == (int)RF_FIX_KEYS_NAME && (int)RF_NAMES_TAG == (int)RF_FIX_KEYS_TAG &&
                   (int)RF_NAMES_BOTH == (int)RF_FIX_KEYS_BOTH,
               "choices of --fix-keys stand in the order of enum rf_fix_keys");

static void options_fill(struct filter *filter)
{
    struct rf_pipeline_options *options = &filter->options;
    const bool has_color = rf_terminal_has_color(STDOUT_FILENO, (unsigned)number(filter, RF_FLAG_COLOR)) &&
                           (!has_output_file(filter) || number(filter, RF_FLAG_COLOR) == RF_WHEN_ALWAYS);
    rf_stream_pipeline_fill(options, filter->flags, filter->expression.format, filter->source, &filter->progress);
    options->compiled = &filter->expression.compiled;
    options->sink = filter->output;
    options->emit = has_records(filter) ? (enum rf_emit)(filter->expression.form + 1) : RF_EMIT_NONE;
    if (options->emit != RF_EMIT_NONE && is_set(filter, RF_FLAG_PRETTY)) {
        options->emit = RF_EMIT_PRETTY;
    }
    options->fix_keys = (enum rf_fix_keys)number(filter, RF_FLAG_FIX_KEYS);
    options->is_colored = has_color;
    options->column = filter->expression.column;
    options->batch_bytes = rf_batch_bytes_choose(&filter->flags->value[RF_FLAG_BATCH_BYTES], options);
    options->is_inverted = is_set(filter, RF_FLAG_INVERT);
    options->has_file_prefix = is_set(filter, RF_FLAG_WITH_FILENAME);
    options->has_number_prefix = is_set(filter, RF_FLAG_LINE_NUMBER);
    options->prefix_begin = has_color ? "\033[35m" : "";
    options->prefix_end = has_color ? "\033[0m" : "";
    options->max_count = is_set(filter, RF_FLAG_QUIET)       ? 1
                         : is_set(filter, RF_FLAG_MAX_COUNT) ? number(filter, RF_FLAG_MAX_COUNT)
                                                             : UINT64_MAX;
    options->on_error = (struct rf_policy){(enum rf_policy_kind)number(filter, RF_FLAG_ON_ERROR), filter->error_file};
    options->on_malformed =
        (struct rf_policy){(enum rf_policy_kind)number(filter, RF_FLAG_ON_MALFORMED), filter->malformed_file};
    options->is_prefilter_allowed = !is_set(filter, RF_FLAG_NO_PREFILTER);
}

/* -c: the number, as the only output. */
static enum rf_status count_write(struct filter *filter, struct rf_error *err)
{
    char text[32];
    const int count = snprintf(text, sizeof text, "%" PRIu64 "\n", filter->result.counts.of[RF_ROW_SELECTED]);
    return rf_sink_write(filter->output, (struct rf_str){text, (size_t)count}, err);
}

/* An interrupted run says what any other unfinished one says (rf_sink_close), and leaves no bar behind. */
static enum rf_status interrupt_watch(const struct filter *filter, struct rf_error *err)
{
    const struct {
        const struct rf_sink *sink;
        enum rf_flag_id id;
    } outputs[] = {
        {filter->output, RF_FLAG_OUTPUT},
        {filter->error_file, RF_FLAG_ON_ERROR},
        {filter->malformed_file != filter->error_file ? filter->malformed_file : NULL, RF_FLAG_ON_MALFORMED}};
    struct rf_text text = {0};
    enum rf_status status = filter->progress.is_on ? rf_text_append(&text, RF_STR(RF_PROGRESS_ERASE), err) : RF_OK;
    for (size_t i = 0; status == RF_OK && i < sizeof outputs / sizeof outputs[0]; i++) {
        const char *part_name = outputs[i].sink != NULL ? rf_sink_part_name(outputs[i].sink) : NULL;
        if (part_name != NULL) {
            status = rf_text_printf(&text, err, "riffle: %s was not completed; what was written is in %s\n",
                                    filter->flags->value[outputs[i].id].text, part_name);
        }
    }
    if (status == RF_OK && text.count > 0) {
        status = rf_interrupt_watch(rf_text_str(&text), err);
    }
    rf_text_free(&text);
    return status;
}

static void progress_close(struct filter *filter)
{
    filter->progress.counts = filter->result.counts;
    rf_progress_close(&filter->progress);
}

/* Runs to the end and finishes the outputs. Where a policy stopped the run, what was selected before still goes out,
 * but an output file keeps the name that says it is incomplete. */
static enum rf_status filter_run(struct filter *filter, struct rf_error *err)
{
    enum rf_status status = interrupt_watch(filter, err);
    if (status == RF_OK) {
        status = rf_pipeline_run(&filter->options, &filter->result, err);
    }
    progress_close(filter); /* before anything else shows on the same terminal */
    struct rf_error later;
    if (status == RF_OK && is_set(filter, RF_FLAG_COUNT) && !is_set(filter, RF_FLAG_QUIET)) {
        status = count_write(filter, err);
    }
    if (status == RF_OK) {
        status = rf_sink_flush(filter->output, err);
    } else if (status == RF_E_DATA) {
        (void)rf_sink_flush(filter->output, &later);
    }
    rf_interrupt_release(); /* from here on an output may be complete */
    if (status == RF_OK) {
        status = rf_sink_finish(filter->output, err);
    }
    /* The records set aside are true whatever became of the others. */
    struct rf_sink *const aside[2] = {filter->error_file,
                                      filter->malformed_file != filter->error_file ? filter->malformed_file : NULL};
    for (int i = 0; i < 2; i++) {
        if (aside[i] != NULL && (status == RF_OK || status == RF_E_DATA || status == RF_E_PIPE)) {
            const enum rf_status finished = rf_sink_finish(aside[i], status == RF_OK ? err : &later);
            status = status == RF_OK ? finished : status;
        }
    }
    return status;
}

/* Messages at the end. Standard error that is closed or full changes nothing. */
static void summary_tell(struct filter *filter)
{
    const bool has_stats = is_set(filter, RF_FLAG_STATS);
    const bool is_quiet = is_set(filter, RF_FLAG_QUIET);
    const bool is_json = has_stats && number(filter, RF_FLAG_STATS) == RF_STATS_JSON;
    const struct rf_summary summary = {
        .result = &filter->result,
        .seconds = (double)(filter->end_ns - filter->begin_ns) / (double)RF_NS_PER_S,
        .threads = filter->options.threads,
        .backend = filter->options.backend == RF_BACKEND_INTERP ? "interp"
                   : filter->result.device.batches != 0         ? "cuda"
                                                                : "cpu",
        .isa = rf_isa_name(filter->options.isa),
        .on_error = &filter->options.on_error,
        .on_malformed = &filter->options.on_malformed,
        .error_file = filter->flags->value[RF_FLAG_ON_ERROR].text,
        .malformed_file = filter->flags->value[RF_FLAG_ON_MALFORMED].text,
        .has_color = rf_terminal_has_color(STDERR_FILENO, (unsigned)number(filter, RF_FLAG_COLOR)),
    };
    struct rf_error err;
    struct rf_text text = {0};
    enum rf_status status = is_quiet ? RF_OK : rf_summary_write_bad(&text, &summary, &err);
    if (status == RF_OK && !is_json && (has_stats || (!is_quiet && rf_terminal_is_live(STDERR_FILENO)))) {
        status = rf_summary_write_line(&text, &summary, &err);
    }
    if (status == RF_OK && is_json) {
        status = rf_summary_write_json(&text, &summary, &err);
    }
    if (status == RF_OK) {
        rf_terminal_tell(rf_text_str(&text));
    } else {
        rf_log(RF_LOG_ERROR, "%s", err.text);
    }
    rf_text_free(&text);
}

/* The CPU has taken over for a part of the run, or for all of it. */
static void device_tell(const struct rf_device_counts *device)
{
    if (device->why[0] != '\0') {
        rf_log(RF_LOG_WARNING, "cuda: %s; %s by the cpu", device->why,
               device->batches == 0 ? "all was evaluated" : "some batches were evaluated");
    }
}

static int exit_choose(const struct filter *filter, enum rf_status status)
{
    const uint64_t selected = filter->result.counts.of[RF_ROW_SELECTED];
    if (status == RF_E_PIPE) {
        return RF_EXIT_DONE;
    }
    if (status != RF_OK) {
        return RF_EXIT_FAILURE;
    }
    if (is_set(filter, RF_FLAG_QUIET) && selected > 0) {
        return RF_EXIT_DONE;
    }
    if (rf_source_problems(filter->source) > 0) {
        return RF_EXIT_FAILURE;
    }
    return is_set(filter, RF_FLAG_EXIT_STATUS) && selected == 0 ? RF_EXIT_NOTHING : RF_EXIT_DONE;
}

static void filter_close(struct filter *filter)
{
    rf_sink_close(filter->output);
    if (filter->malformed_file != filter->error_file) {
        rf_sink_close(filter->malformed_file);
    }
    rf_sink_close(filter->error_file);
    rf_source_close(filter->source);
    if (filter->has_expression) {
        rf_expression_close(&filter->expression);
    }
}

/* The expression was forgotten, it seems. Told also when it is wrong: then nothing is read. */
static void file_as_expression_tell(const struct filter *filter, bool is_reading)
{
    const char *name = filter->flags->arg[0];
    struct stat look;
    if (filter->flags->args == 1 && filter->flags->inputs_from == 1 && stat(name, &look) == 0 && S_ISREG(look.st_mode)) {
        rf_log(RF_LOG_WARNING, "'%s' is a file, but the first argument is the expression%s", name,
               is_reading ? "; reading standard input" : "");
    }
}

static int filter_main(struct filter *filter)
{
    struct rf_error err;
    if (options_check(filter, &err) != RF_OK || rf_backend_choose(filter->flags, true, &filter->options, &err) != RF_OK ||
        rf_expression_now(filter->flags, &filter->options.has_now, &filter->options.now, &err) != RF_OK) {
        return rf_terminal_fail(&err);
    }
    const int code = rf_expression_open(&filter->expression, filter->flags);
    file_as_expression_tell(filter, code == RF_EXIT_DONE);
    if (code != RF_EXIT_DONE) {
        return code;
    }
    filter->has_expression = true;
    filter->begin_ns = rf_clock_ns();
    if (source_open(filter, &err) != RF_OK || sinks_open(filter, &err) != RF_OK) {
        return rf_terminal_fail(&err);
    }
    rf_progress_open(&filter->progress, filter->source, (unsigned)number(filter, RF_FLAG_PROGRESS),
                     has_records(filter) && !has_output_file(filter));
    options_fill(filter);
    const enum rf_status status = filter_run(filter, &err);
    filter->end_ns = rf_clock_ns();
    if (status != RF_OK && status != RF_E_PIPE) {
        rf_log(RF_LOG_ERROR, "%s", err.text);
    }
    device_tell(&filter->result.device);
    summary_tell(filter);
    return exit_choose(filter, status);
}

int rf_command_filter(const struct rf_flags *flags)
{
    struct filter *filter = calloc(1, sizeof *filter);
    if (filter == NULL) {
        rf_log(RF_LOG_ERROR, "out of memory");
        return RF_EXIT_FAILURE;
    }
    filter->flags = flags;
    const int code = filter_main(filter);
    filter_close(filter);
    free(filter);
    return code;
}
