/* backtest_command.c: riffle backtest: a rules file and streams to what each rule has found.
 *
 * Order matters: everything that can be wrong with the command line and the rules is found before a stream is read.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aside_file.h"
#include "backtest.h"
#include "backtest_notes.h"
#include "clock.h"
#include "command.h"
#include "digest.h"
#include "duration.h"
#include "engine_choice.h"
#include "expression.h"
#include "figure.h"
#include "fix_input.h"
#include "interrupt.h"
#include "log.h"
#include "node_text.h"
#include "progress.h"
#include "result_output.h"
#include "rule_state.h"
#include "rules_input.h"
#include "stream_options.h"
#include "summary.h"
#include "terminal.h"

enum { TEXTS_MAX = 4 }; /* --label, --value, --per and --shard-by */

struct command {
    const struct rf_flags *flags;
    struct rf_ahead ahead; /* what was read of standard input to find the format */
    struct rf_rules_input rules;
    struct rf_backtest *backtest;
    struct rf_overlap overlap;
    struct rf_hits *hits;
    struct rf_shard shard;
    struct rf_source *source;
    struct rf_sink *malformed_file;
    struct rf_progress progress;
    struct rf_pipeline_options options;
    struct rf_pipeline_result result;
    uint64_t begin_ns, end_ns;
};

static const struct rf_flag_value *value_of(const struct command *command, enum rf_flag_id id)
{
    return &command->flags->value[id];
}

/* ---- Rules ---- */

/* The projection of an expression on the command line; RF_NONE: there is none. */
static uint32_t projection_add(struct rf_rules_extra *extra, struct rf_str *text, const struct rf_flag_value *value)
{
    if (!value->is_set) {
        return RF_NONE;
    }
    text[extra->projections] = rf_str_of(value->text);
    return extra->projections++;
}

/* The rules, and what the command line wants of each record. */
static int rules_open(struct command *command, struct rf_backtest_options *options)
{
    struct rf_str text[TEXTS_MAX];
    struct rf_rules_extra extra = {.projection = text};
    const unsigned format = rf_format_choose(command->flags, command->flags->inputs_from, &command->ahead);
    rf_rules_input_time(command->flags, format, &extra);
    options->label = projection_add(&extra, text, value_of(command, RF_FLAG_LABEL));
    options->value = projection_add(&extra, text, value_of(command, RF_FLAG_VALUE));
    options->value_per = projection_add(&extra, text, value_of(command, RF_FLAG_PER));
    options->shard_by = projection_add(&extra, text, value_of(command, RF_FLAG_SHARD_BY));
    return rf_rules_input_open(&command->rules, command->flags->arg[0], format, &extra, command->flags);
}

/* What else makes results those of one run: the texts of --time, --time-unit and --label. */
static enum rf_status digest_make(const struct command *command, struct rf_backtest_options *options, struct rf_error *err)
{
    static const enum rf_flag_id asked[] = {RF_FLAG_TIME, RF_FLAG_TIME_UNIT, RF_FLAG_LABEL};
    struct rf_text text = {0};
    enum rf_status status = RF_OK;
    for (size_t i = 0; status == RF_OK && i < sizeof asked / sizeof asked[0]; i++) {
        const struct rf_flag_value *value = value_of(command, asked[i]);
        status = rf_text_printf(&text, err, "%s%c", value->is_set ? value->text : "", '\0');
    }
    if (status == RF_OK) {
        status = rf_rules_digest(options->rules, rf_text_str(&text), &options->digest, err);
    }
    rf_text_free(&text);
    return status;
}

/* Parts of one run have the same files, wherever they lie, and are cut by the same. */
static enum rf_status cut_make(const struct command *command, struct rf_backtest_options *options, struct rf_error *err)
{
    const struct rf_flags *flags = command->flags;
    const struct rf_flag_value *by = value_of(command, RF_FLAG_SHARD_BY);
    struct rf_text text = {0};
    enum rf_status status = rf_text_printf(&text, err, "%s%c", by->is_set ? by->text : "", '\0');
    for (size_t i = flags->inputs_from; status == RF_OK && i < flags->args; i++) {
        const char *slash = strrchr(flags->arg[i], '/');
        status = rf_text_printf(&text, err, "%s%c", slash == NULL ? flags->arg[i] : slash + 1, '\0');
    }
    if (status == RF_OK) {
        options->cut = rf_digest_xxh64(rf_text_str(&text)) | 1; /* 0 is none */
    }
    rf_text_free(&text);
    return status;
}

/* "90s", "1h", "1d". */
static enum rf_status by_take(const struct command *command, int64_t *by_ns, struct rf_error *err)
{
    const struct rf_flag_value *by = value_of(command, RF_FLAG_BY);
    *by_ns = 0;
    if (!by->is_set || strcmp(by->text, "auto") == 0) {
        return RF_OK;
    }
    if (!rf_duration_parse_setting(rf_str_of(by->text), by_ns) || *by_ns < 1000) {
        RF_FAIL(err, RF_E_USAGE, "--by '%.100s' is no width of at least a microsecond: 1s, 1m, 1h, 1d, 250ms ...", by->text);
    }
    return RF_OK;
}

/* How --value is followed. */
static enum rf_status forward_take(const struct command *command, struct rf_forward_settings *settings, struct rf_error *err)
{
    const struct rf_flag_value *value = value_of(command, RF_FLAG_VALUE);
    const struct rf_flag_value *horizon = value_of(command, RF_FLAG_HORIZON);
    const struct rf_flag_value *per = value_of(command, RF_FLAG_PER);
    if (!value->is_set) {
        return RF_OK;
    }
    if (!horizon->is_set) {
        RF_FAIL(err, RF_E_USAGE, "--value is followed to a horizon: --horizon 60s, 5m, 1d ...");
    }
    if (!rf_duration_parse_setting(rf_str_of(horizon->text), &settings->horizon_ns) || settings->horizon_ns <= 0) {
        RF_FAIL(err, RF_E_USAGE, "--horizon '%.100s' is no time above 0: 60s, 5m, 1d, 250ms ...", horizon->text);
    }
    settings->value = rf_str_of(value->text);
    settings->per = per->is_set ? rf_str_of(per->text) : RF_STR("");
    settings->is_absolute = value_of(command, RF_FLAG_CHANGE)->number == RF_CHANGE_ABSOLUTE;
    return RF_OK;
}

/* "3/8": the third of eight. */
static enum rf_status shard_take(struct command *command, struct rf_error *err)
{
    const struct rf_flag_value *value = value_of(command, RF_FLAG_SHARD);
    unsigned number;
    unsigned count;
    int used = 0;
    if (!value->is_set) {
        return RF_OK;
    }
    if (strspn(value->text, "0123456789/") != strlen(value->text) || strlen(value->text) > 15 ||
        sscanf(value->text, "%7u/%7u%n", &number, &count, &used) != 2 || value->text[used] != '\0' || number < 1 ||
        number > count) {
        RF_FAIL(err, RF_E_USAGE, "--shard '%.100s' is not K/N with K from 1 to N", value->text);
    }
    command->shard = (struct rf_shard){number - 1, count};
    return RF_OK;
}

/* The projection as text: two that are written otherwise may be the same, and two that are written alike not, since names of
 * `let` and parameters stand for what they are. */
static enum rf_status projection_text(const struct command *command, uint32_t projection, struct rf_text *out, struct rf_error *err)
{
    rf_text_clear(out);
    return rf_node_write(out, command->rules.program.compiled.projection[projection], err);
}

/* A rule with state needs all records of a key in one part. shard_by: a projection. */
static enum rf_status states_check(const struct command *command, uint32_t shard_by, struct rf_text text[2], struct rf_error *err)
{
    const struct rf_rules *rules = command->rules.rules;
    const uint32_t *per = command->rules.program.per;
    uint32_t known = RF_NONE; /* a key that is cut by what it is */
    if (shard_by != RF_NONE) {
        RF_TRY(projection_text(command, shard_by, &text[0], err));
    }
    for (uint32_t r = 0; r < rules->rules; r++) {
        if (rf_rule_state_is_none(&rules->source[rules->rule[r].source].state) || (per[r] != RF_NONE && per[r] == known)) {
            continue;
        }
        if (shard_by != RF_NONE && per[r] != RF_NONE) {
            RF_TRY(projection_text(command, per[r], &text[1], err));
            if (rf_str_equal(rf_text_str(&text[0]), rf_text_str(&text[1]))) {
                known = per[r];
                continue;
            }
        }
        RF_FAIL(err, RF_E_USAGE,
                "rule '%.*s' has state (first, every, changed, cooldown or count), and a part has not all records of a key: "
                "--shard-by must be what its `per` is",
                RF_STR_ARG(rules->rule[r].name));
    }
    return RF_OK;
}

/* So does a value that is followed. */
static enum rf_status value_check(const struct command *command, const struct rf_backtest_options *options, struct rf_text text[2],
                                  struct rf_error *err)
{
    const bool has_keys = options->shard_by != RF_NONE && options->value_per != RF_NONE;
    if (options->value == RF_NONE) {
        return RF_OK;
    }
    if (has_keys) {
        RF_TRY(projection_text(command, options->shard_by, &text[0], err));
        RF_TRY(projection_text(command, options->value_per, &text[1], err));
    }
    if (!has_keys || !rf_str_equal(rf_text_str(&text[0]), rf_text_str(&text[1]))) {
        RF_FAIL(err, RF_E_USAGE,
                "--value is followed from record to record, and a part has not all records of a key: --shard-by must be what --per is%s",
                options->value_per != RF_NONE ? "" : ", and without --per there is one key");
    }
    return RF_OK;
}

static enum rf_status shard_check(const struct command *command, const struct rf_backtest_options *options, struct rf_error *err)
{
    struct rf_text text[2] = {{0}, {0}};
    enum rf_status status = command->shard.count > 1 ? states_check(command, options->shard_by, text, err) : RF_OK;
    if (status == RF_OK && command->shard.count > 1) {
        status = value_check(command, options, text, err);
    }
    rf_text_free(&text[0]);
    rf_text_free(&text[1]);
    return status;
}

/* What is wanted of single records. */
static enum rf_status extras_open(struct command *command, struct rf_backtest_options *options, struct rf_error *err)
{
    static const char *const extension[] = {
        [RF_FORMAT_AUTO] = "ndjson", [RF_FORMAT_NDJSON] = "ndjson", [RF_FORMAT_FIX] = "fix", [RF_FORMAT_TEXT] = "txt"};
    if (value_of(command, RF_FLAG_OVERLAP)->is_set) {
        RF_TRY(rf_overlap_open(&command->overlap, command->rules.program.rules, options->isa, err));
        options->overlap = &command->overlap;
    }
    if (value_of(command, RF_FLAG_HITS)->is_set) {
        RF_TRY(rf_hits_open(&command->hits, value_of(command, RF_FLAG_HITS)->text, command->rules.rules,
                            extension[command->rules.format],
                            value_of(command, RF_FLAG_HITS_AS)->number == RF_HITS_PLACES, err));
        options->hits = command->hits;
    }
    return RF_OK;
}

/* ---- The run ---- */

static enum rf_status source_open(struct command *command, struct rf_error *err)
{
    const struct rf_flags *flags = command->flags;
    const bool has_places = value_of(command, RF_FLAG_HITS_AS)->number == RF_HITS_PLACES;
    struct rf_source_options options =
        rf_stream_source_options(flags, command->rules.format, &command->ahead, &command->progress);
    options.batch_bytes = (uint32_t)value_of(command, RF_FLAG_RULES_BATCH_BYTES)->number;
    options.counts_records = command->rules.program.compiled.program.needs_number || has_places;
    options.shard = value_of(command, RF_FLAG_SHARD_BY)->is_set ? (struct rf_shard){0} : command->shard;
    RF_TRY(rf_source_open_files(&command->source, flags->arg + flags->inputs_from, flags->args - flags->inputs_from,
                                options, err));
    const struct rf_flag_value *malformed = value_of(command, RF_FLAG_ON_MALFORMED);
    if (malformed->number == RF_BAD_PASS) {
        RF_FAIL(err, RF_E_USAGE, "--on-malformed pass: a backtest passes no records on; drop, stop or a FILE");
    }
    return rf_aside_open(flags, RF_FLAG_ON_MALFORMED, &command->malformed_file, err);
}

static enum rf_status options_fill(struct command *command, struct rf_error *err)
{
    struct rf_pipeline_options *options = &command->options;
    rf_stream_pipeline_fill(options, command->flags, command->rules.format, command->source, &command->progress);
    options->compiled = &command->rules.program.compiled;
    options->watch = rf_backtest_watch(command->backtest);
    options->emit = RF_EMIT_NONE;
    options->batch_bytes = (uint32_t)value_of(command, RF_FLAG_RULES_BATCH_BYTES)->number;
    options->prefix_begin = options->prefix_end = "";
    options->max_count = UINT64_MAX;
    options->on_malformed = (struct rf_policy){
        (enum rf_policy_kind)value_of(command, RF_FLAG_ON_MALFORMED)->number, command->malformed_file};
    return rf_expression_now(command->flags, &options->has_now, &options->now, err);
}

/* Reads it all; what was found stands in *outcome, also when the run ended early. */
static enum rf_status stream_run(struct command *command, struct rf_outcome *outcome, struct rf_error *err)
{
    static const char *const standard_input[] = {"-"};
    const struct rf_flags *flags = command->flags;
    const size_t inputs = flags->args - flags->inputs_from;
    struct rf_error later;
    command->options.is_interrupted = rf_interrupt_catch(command->source);
    const enum rf_status status = rf_pipeline_run(&command->options, &command->result, err);
    command->progress.counts = command->result.counts;
    rf_progress_close(&command->progress);
    if (command->malformed_file != NULL && (status == RF_OK || status == RF_E_DATA)) {
        const enum rf_status finished = rf_sink_finish(command->malformed_file, status == RF_OK ? err : &later);
        RF_TRY(status == RF_OK ? finished : status);
    }
    if (command->hits != NULL && (status == RF_OK || status == RF_E_DATA)) {
        const enum rf_status finished = rf_hits_finish(command->hits, status == RF_OK ? err : &later);
        RF_TRY(status == RF_OK ? finished : status);
    }
    RF_TRY(status);
    return rf_backtest_finish(command->backtest, &command->result, inputs == 0 ? standard_input : flags->arg + flags->inputs_from,
                              inputs == 0 ? 1 : (uint32_t)inputs, outcome, err);
}

/* ---- Messages ---- */

static enum rf_status line_write(const struct command *command, struct rf_text *out, struct rf_error *err)
{
    const struct rf_counts *counts = &command->result.counts;
    char figure[4][RF_FIGURE_BYTES];
    const double seconds = (double)(command->end_ns - command->begin_ns + 1) / (double)RF_NS_PER_S;
    const double rows = (double)rf_counts_read(counts);
    return rf_text_printf(out, err,
                          "riffle: %s rules over %s records (%s), %s malformed, %s blank; %.3f s, %.2f GB/s, "
                          "%.3g rules x records/s, %u thread%s, %s%s%s\n",
                          rf_figure_exact(figure[0], command->rules.program.rules), rf_figure_exact(figure[1], (uint64_t)rows),
                          rf_figure_bytes(figure[2], (double)counts->bytes),
                          rf_figure_exact(figure[3], counts->of[RF_ROW_MALFORMED]),
                          rf_figure_exact((char[RF_FIGURE_BYTES]){0}, counts->of[RF_ROW_BLANK]), seconds,
                          (double)counts->bytes / seconds / 1e9, rows * command->rules.program.rules / seconds,
                          command->options.threads, command->options.threads == 1 ? "" : "s",
                          command->options.backend == RF_BACKEND_INTERP ? "interp" : "cpu",
                          command->options.backend == RF_BACKEND_INTERP ? "" : " ",
                          command->options.backend == RF_BACKEND_INTERP ? "" : rf_isa_name(command->options.isa));
}

static void summary_tell(const struct command *command, const struct rf_outcome *outcome)
{
    const struct rf_flag_value *stats = value_of(command, RF_FLAG_STATS);
    const bool is_json = stats->is_set && stats->number == RF_STATS_JSON;
    const struct rf_policy dropped = {.kind = RF_POLICY_DROP};
    const struct rf_summary summary = {
        .result = &command->result,
        .seconds = (double)(command->end_ns - command->begin_ns) / (double)RF_NS_PER_S,
        .threads = command->options.threads,
        .backend = command->options.backend == RF_BACKEND_INTERP ? "interp" : "cpu",
        .isa = rf_isa_name(command->options.isa),
        .on_error = &dropped,
        .on_malformed = &command->options.on_malformed,
        .malformed_file = value_of(command, RF_FLAG_ON_MALFORMED)->text,
        .has_color = rf_terminal_has_color(STDERR_FILENO, (unsigned)value_of(command, RF_FLAG_COLOR)->number),
    };
    struct rf_error err;
    struct rf_text text = {0};
    enum rf_status status = rf_summary_write_bad(&text, &summary, &err);
    if (status == RF_OK && outcome != NULL) {
        status = rf_backtest_notes_write(command->backtest, outcome, &text, &err);
    }
    if (status == RF_OK && !is_json && (stats->is_set || rf_terminal_is_live(STDERR_FILENO))) {
        status = line_write(command, &text, &err);
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

/* ---- The command ---- */

static int run_end(struct command *command, enum rf_status status, struct rf_outcome *outcome, struct rf_error *err)
{
    const int number = rf_interrupt_caught();
    command->end_ns = rf_clock_ns();
    if (status == RF_OK) {
        if (number != 0) {
            rf_log(RF_LOG_WARNING, "interrupted: these are the results of the records read so far");
            outcome->part.is_interrupted = true;
        }
        status = rf_result_write(outcome, command->flags, err);
    }
    if (status != RF_OK && status != RF_E_PIPE) {
        rf_log(RF_LOG_ERROR, "%s", err->text);
    }
    summary_tell(command, status == RF_OK ? outcome : NULL);
    if (number != 0) {
        (void)raise(number); /* the shell learns how it ended */
    }
    return status == RF_E_PIPE                             ? RF_EXIT_DONE
           : status != RF_OK                               ? RF_EXIT_FAILURE
           : rf_source_problems(command->source) != 0      ? RF_EXIT_FAILURE
                                                           : RF_EXIT_DONE;
}

/* Flags that say more about another one, which is not there. */
static enum rf_status flags_check(const struct command *command, struct rf_error *err)
{
    static const struct {
        enum rf_flag_id flag, of;
    } needs[] = {{RF_FLAG_HITS_AS, RF_FLAG_HITS}, {RF_FLAG_SHARD_BY, RF_FLAG_SHARD},
                 {RF_FLAG_HORIZON, RF_FLAG_VALUE}, {RF_FLAG_PER, RF_FLAG_VALUE},    {RF_FLAG_CHANGE, RF_FLAG_VALUE}};
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        if (value_of(command, needs[i].flag)->is_set && !value_of(command, needs[i].of)->is_set) {
            RF_FAIL(err, RF_E_USAGE, "--%s needs --%s", rf_flag_table[needs[i].flag].name, rf_flag_table[needs[i].of].name);
        }
    }
    for (size_t i = command->flags->inputs_from; strcmp(command->flags->arg[0], "-") == 0 && i < command->flags->args; i++) {
        if (strcmp(command->flags->arg[i], "-") == 0) {
            RF_FAIL(err, RF_E_USAGE, "standard input holds either the rules or records");
        }
    }
    return rf_result_check(command->flags, err);
}

/* Without an event time there is nothing that they could be about. */
static enum rf_status time_flags_check(const struct command *command, const struct rf_backtest_options *options,
                                       struct rf_error *err)
{
    static const enum rf_flag_id timed[] = {RF_FLAG_BY, RF_FLAG_TIME_UNIT};
    for (size_t i = 0; options->time == RF_NONE && i < sizeof timed / sizeof timed[0]; i++) {
        if (value_of(command, timed[i])->is_set) {
            RF_FAIL(err, RF_E_USAGE, "--%s is about event time, and needs --time EXPR", rf_flag_table[timed[i]].name);
        }
    }
    return RF_OK;
}

static int command_main(struct command *command)
{
    struct rf_error err;
    struct rf_backtest_options options = {
        .time_unit = (enum rf_time_unit)value_of(command, RF_FLAG_TIME_UNIT)->number,
        .state_bytes_max = (size_t)value_of(command, RF_FLAG_STATE_MEMORY)->number};
    if (rf_backend_choose(command->flags, false, &command->options, &err) != RF_OK ||
        flags_check(command, &err) != RF_OK || by_take(command, &options.by_ns, &err) != RF_OK ||
        forward_take(command, &options.forward, &err) != RF_OK || shard_take(command, &err) != RF_OK) {
        return rf_terminal_fail(&err);
    }
    int code = rules_open(command, &options);
    if (code != RF_EXIT_DONE) {
        return code;
    }
    options.rules = command->rules.rules;
    options.isa = command->options.isa;
    options.program = &command->rules.program;
    options.time = command->rules.program.time;
    command->begin_ns = rf_clock_ns();
    if (time_flags_check(command, &options, &err) != RF_OK || shard_check(command, &options, &err) != RF_OK || digest_make(command, &options, &err) != RF_OK ||
        cut_make(command, &options, &err) != RF_OK) {
        return rf_terminal_fail(&err);
    }
    options.shard = command->shard;
    if (extras_open(command, &options, &err) != RF_OK ||
        rf_backtest_open(&command->backtest, options, &err) != RF_OK || source_open(command, &err) != RF_OK) {
        return rf_terminal_fail(&err);
    }
    rf_progress_open(&command->progress, command->source, (unsigned)value_of(command, RF_FLAG_RULES_PROGRESS)->number, false);
    command->progress.rules = command->rules.program.rules;
    if (options_fill(command, &err) != RF_OK) {
        return rf_terminal_fail(&err);
    }
    struct rf_outcome outcome = {0};
    const enum rf_status status = stream_run(command, &outcome, &err);
    code = run_end(command, status, &outcome, &err);
    rf_outcome_close(&outcome);
    return code;
}

static void command_close(struct command *command)
{
    rf_sink_close(command->malformed_file);
    rf_source_close(command->source);
    rf_backtest_close(command->backtest);
    rf_hits_close(command->hits);
    rf_overlap_close(&command->overlap);
    rf_rules_input_close(&command->rules);
    rf_ahead_close(&command->ahead);
}

int rf_command_backtest(const struct rf_flags *flags)
{
    struct command *command = calloc(1, sizeof *command);
    if (command == NULL) {
        rf_log(RF_LOG_ERROR, "out of memory");
        return RF_EXIT_FAILURE;
    }
    command->flags = flags;
    const int code = command_main(command);
    command_close(command);
    free(command);
    return code;
}
