/* eval_command.c: riffle eval: one value for a person, or a case file for a test suite. */
#include <inttypes.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "expression.h"
#include "flag.h"
#include "interp.h"
#include "json_value.h"
#include "log.h"
#include "suite.h"
#include "terminal.h"
#include "whole_file.h"

enum { DOCUMENT_BYTES_MAX = 256 * 1024 * 1024, DEPTH_MAX = 1024 };

static bool is_set(const struct rf_flags *flags, enum rf_flag_id id)
{
    return flags->value[id].is_set;
}

static enum rf_status options_check(const struct rf_flags *flags, struct rf_error *err)
{
    const struct rf_command *command = &rf_command_table[RF_COMMAND_EVAL];
    const bool is_suite = is_set(flags, RF_FLAG_CASES);
    if (!is_suite && flags->args == 0) {
        RF_FAIL(err, RF_E_USAGE, "an expression is missing: riffle %s %s", command->name, command->synopsis);
    }
    if (is_suite && flags->args > 0) {
        RF_FAIL(err, RF_E_USAGE, "--cases reads expressions from its file; there is no EXPR beside it: '%.100s'",
                flags->arg[0]);
    }
    if (is_suite && is_set(flags, RF_FLAG_JSON)) {
        RF_FAIL(err, RF_E_USAGE, "--json is the message for one EXPR; the lines of --cases have bindings instead");
    }
    if (is_suite && is_set(flags, RF_FLAG_NOW)) {
        RF_FAIL(err, RF_E_USAGE, "--now is for one EXPR; the lines of --cases have bindings instead");
    }
    if (!is_suite && is_set(flags, RF_FLAG_LIFT)) {
        RF_FAIL(err, RF_E_USAGE, "--lift is for --cases");
    }
    if (flags->value[RF_FLAG_ENGINE].number == RF_EVAL_CUDA) {
        RF_FAIL(err, RF_E_DEVICE, "cuda engine is not available: this command has no form for devices");
    }
    return RF_OK;
}

/* ---- One value ---- */

struct eval {
    const struct rf_flags *flags;
    struct rf_text file; /* --json @FILE, --json - */
    struct rf_str document;
    bool has_document;
    struct rf_instant now;
    struct rf_env env; /* --unchecked: the message and the time are variables */
    struct rf_compiled compiled;
    struct rf_interp *interp;
    struct rf_arena arena;
    struct rf_tree tree;
};

/* The text of --json, and whether there is one. */
static enum rf_status document_find(struct eval *eval, struct rf_error *err)
{
    const char *text = eval->flags->value[RF_FLAG_JSON].text;
    eval->has_document = is_set(eval->flags, RF_FLAG_JSON);
    if (!eval->has_document) {
        return RF_OK;
    }
    eval->document = rf_str_of(text);
    if (text[0] == '@' || strcmp(text, "-") == 0) { /* neither begins a JSON text */
        RF_TRY(rf_whole_file_read(text[0] == '@' ? text + 1 : text, DOCUMENT_BYTES_MAX, &eval->file, err));
        eval->document = rf_text_str(&eval->file);
    }
    return RF_OK;
}

static enum rf_status malformed_fail(const struct rf_malformed *malformed, struct rf_error *err)
{
    RF_FAIL(err, RF_E_FORMAT, "--json is malformed at byte %u: %s", malformed->offset,
            rf_reason_text(malformed->reason));
}

/* The first name that needs a message, or NULL. Recursion is bounded by node->depth. */
static const struct rf_node *message_name_find(const struct rf_node *node)
{
    if (node->kind == RF_NODE_IDENT && node->root != RF_IDENT_NOW) {
        return node;
    }
    for (uint32_t i = 0; i < node->args; i++) {
        const struct rf_node *found = message_name_find(node->arg[i]);
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

/* Says what failed, and where when the interpreter knows it. */
static void error_tell(const struct eval *eval, struct rf_str text)
{
    struct rf_error err;
    struct rf_diagnostic diagnostic;
    struct rf_span span;
    const struct rf_str source = eval->compiled.source[0];
    if (rf_interp_error_span(eval->interp, &span)) {
        (void)rf_diagnostic_fail(&diagnostic, source, span.begin, span.end, &err, "%.*s", RF_STR_ARG(text));
        rf_expression_tell(&diagnostic, source, eval->flags);
    } else {
        rf_log_raw(RF_LOG_ERROR, "error: %.*s", RF_STR_ARG(text));
    }
}

static int value_print(const struct eval *eval, struct rf_value value)
{
    struct rf_error err;
    struct rf_text text = {0};
    int code = RF_EXIT_FAILURE;
    if (value.type == RF_TYPE_ERROR) {
        error_tell(eval, value.text);
    } else if (rf_value_write_json(&text, value, &err) != RF_OK || rf_text_append_char(&text, '\n', &err) != RF_OK) {
        code = rf_terminal_fail(&err);
    } else {
        code = rf_terminal_print(rf_text_str(&text));
    }
    rf_text_free(&text);
    return code;
}

/* What `now` is: the time of --now, or that of the clock. */
static enum rf_status now_find(struct eval *eval, struct rf_error *err)
{
    bool has_now;
    struct timespec clock = {0};
    RF_TRY(rf_expression_now(eval->flags, &has_now, &eval->now, err));
    if (!has_now) {
        (void)clock_gettime(CLOCK_REALTIME, &clock);
        eval->now = (struct rf_instant){clock.tv_sec, (uint32_t)clock.tv_nsec};
    }
    return RF_OK;
}

/* EXPR over a message, as in riffle filter. */
static int message_eval(struct eval *eval)
{
    struct rf_error err;
    struct rf_malformed malformed;
    const struct rf_str source = eval->compiled.source[0];
    const struct rf_node *name = eval->has_document ? NULL : message_name_find(eval->compiled.projection[0]);
    if (name != NULL) {
        struct rf_diagnostic diagnostic;
        (void)rf_diagnostic_fail(&diagnostic, source, name->span.begin, name->span.end, &err,
                                 "there is no message to read this from; give one with --json");
        rf_expression_tell(&diagnostic, source, eval->flags);
        return RF_EXIT_EXPRESSION;
    }
    const struct rf_record record = {
        .text = eval->has_document ? eval->document : RF_STR("null"), .number = 1, .now = eval->now};
    if (rf_interp_read(eval->interp, &record, &malformed, &err) != RF_OK ||
        (malformed.reason != RF_REASON_NONE && malformed_fail(&malformed, &err) != RF_OK)) {
        return rf_terminal_fail(&err);
    }
    return value_print(eval, rf_interp_project(eval->interp, 0));
}

/* EXPR over two variables, of which `msg` may be missing. */
static int unchecked_eval(struct eval *eval)
{
    struct rf_error err;
    struct rf_malformed malformed = {.reason = RF_REASON_NONE};
    struct rf_value binding[2] = {{.type = RF_TYPE_DYN}, rf_value_instant(eval->now)};
    if (eval->has_document) {
        rf_arena_init(&eval->arena, (size_t)64 * 1024 * 1024 + 256 * eval->document.count);
        if (rf_tree_read(&eval->tree, eval->document, DEPTH_MAX, &eval->arena, &malformed, &err) != RF_OK ||
            (malformed.reason != RF_REASON_NONE && malformed_fail(&malformed, &err) != RF_OK)) {
            return rf_terminal_fail(&err);
        }
        binding[0] = rf_json_value(&eval->tree, 0, &eval->arena);
    }
    const struct rf_record record = {.binding = binding};
    rf_interp_bind(eval->interp, &record);
    return value_print(eval, rf_interp_project(eval->interp, 0));
}

static int eval_compile(struct eval *eval, struct rf_str source, bool is_unchecked)
{
    static const struct rf_declaration declaration[2] = {{RF_STR("msg"), RF_STR("")},
                                                         {RF_STR("now"), RF_STR("timestamp")}};
    struct rf_error err;
    struct rf_diagnostic diagnostic;
    uint32_t failed;
    eval->env = (struct rf_env){.is_unchecked = true, .declaration = declaration, .declarations = 2};
    const struct rf_compile_options options = {.is_strict_cel = is_set(eval->flags, RF_FLAG_STRICT_CEL),
                                               .env = is_unchecked ? &eval->env : NULL};
    const enum rf_status status = rf_compile(NULL, 0, &source, 1, options, &eval->compiled, &diagnostic, &failed, &err);
    if (status == RF_E_EXPR) {
        rf_expression_tell(&diagnostic, source, eval->flags);
        return RF_EXIT_EXPRESSION;
    }
    if (status != RF_OK) {
        rf_log(RF_LOG_ERROR, "%s", err.text);
        return status == RF_E_LIMIT ? RF_EXIT_EXPRESSION : RF_EXIT_FAILURE;
    }
    const struct rf_interp_options interp = {.depth_max = DEPTH_MAX};
    if (rf_interp_open(&eval->interp, &eval->compiled, interp, &err) != RF_OK) {
        return rf_terminal_fail(&err);
    }
    return RF_EXIT_DONE;
}

static int value_run(const struct rf_flags *flags)
{
    struct eval eval = {.flags = flags};
    struct rf_error err;
    const bool is_unchecked = is_set(flags, RF_FLAG_UNCHECKED);
    int code =
        now_find(&eval, &err) == RF_OK ? eval_compile(&eval, rf_str_of(flags->arg[0]), is_unchecked) : rf_terminal_fail(&err);
    if (code == RF_EXIT_DONE && document_find(&eval, &err) != RF_OK) {
        code = rf_terminal_fail(&err);
    } else if (code == RF_EXIT_DONE) {
        code = is_unchecked ? unchecked_eval(&eval) : message_eval(&eval);
    }
    rf_interp_close(eval.interp);
    rf_compiled_close(&eval.compiled);
    rf_arena_free(&eval.arena);
    rf_text_free(&eval.file);
    return code;
}

/* ---- A case file ---- */

static void summary_tell(const struct rf_suite *suite)
{
    const struct rf_suite_counts *counts = &suite->counts;
    if (counts->disagreements > 0) {
        rf_log(RF_LOG_ERROR, "%s and interp disagree in %" PRIu64 " of %" PRIu64 " lines", suite->options.engine_name,
               counts->disagreements, counts->lines);
    }
    if (suite->options.is_lifting) {
        rf_log(RF_LOG_INFO, "%" PRIu64 " lines, %" PRIu64 " literals lifted, %" PRIu64 " lines with a part on interp",
               counts->lines, counts->lifted, counts->fallbacks);
    }
}

static int suite_run(const struct rf_flags *flags)
{
    struct rf_error err;
    const bool is_interp = flags->value[RF_FLAG_ENGINE].number == RF_EVAL_INTERP;
    struct rf_suite_options options = {
        .engine = is_interp ? NULL : rf_table_eval,
        .engine_name = is_interp ? "interp" : "cpu",
        .is_lifting = is_set(flags, RF_FLAG_LIFT),
        .is_unchecked = is_set(flags, RF_FLAG_UNCHECKED),
        .is_strict_cel = is_set(flags, RF_FLAG_STRICT_CEL),
    };
    const struct rf_sink_options sink_options = {.is_line_buffered = isatty(STDOUT_FILENO) == 1};
    struct rf_suite suite;
    struct rf_sink *sink = NULL;
    bool has_problem = false;
    if (rf_isa_select(&options.isa, &err) != RF_OK) {
        return rf_terminal_fail(&err);
    }
    rf_suite_open(&suite, options);
    enum rf_status status = rf_sink_open_fd(&sink, STDOUT_FILENO, "standard output", sink_options, &err);
    if (status == RF_OK) {
        status = rf_suite_run(&suite, flags->value[RF_FLAG_CASES].text, sink, &has_problem, &err);
    }
    if (status == RF_OK) {
        status = rf_sink_finish(sink, &err);
    }
    rf_sink_close(sink);
    int code = has_problem ? RF_EXIT_FAILURE : RF_EXIT_DONE;
    if (status == RF_OK) {
        summary_tell(&suite);
    } else {
        code = status == RF_E_PIPE ? RF_EXIT_DONE : rf_terminal_fail(&err);
    }
    rf_suite_close(&suite);
    return code;
}

int rf_command_eval(const struct rf_flags *flags)
{
    struct rf_error err;
    if (options_check(flags, &err) != RF_OK) {
        return rf_terminal_fail(&err);
    }
    return is_set(flags, RF_FLAG_CASES) ? suite_run(flags) : value_run(flags);
}
