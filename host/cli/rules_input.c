#include "rules_input.h"

#include <string.h>

#include "expression.h"
#include "fix_choice.h"
#include "log.h"
#include "terminal.h"
#include "whole_file.h"

static int input_fail(const struct rf_error *err)
{
    rf_log(RF_LOG_ERROR, "%s", err->text);
    return RF_EXIT_FAILURE;
}

unsigned rf_rules_input_format(const struct rf_flags *flags)
{
    const unsigned format = (unsigned)flags->value[RF_FLAG_FORMAT].number;
    return format != RF_FORMAT_AUTO                  ? format
           : flags->value[RF_FLAG_FIX_DICT].is_set ? RF_FORMAT_FIX
                                                   : RF_FORMAT_NDJSON;
}

void rf_rules_input_time(const struct rf_flags *flags, unsigned format, struct rf_rules_extra *extra)
{
    const struct rf_flag_value *time = &flags->value[RF_FLAG_TIME];
    extra->time = time->is_set ? rf_str_of(time->text) : format == RF_FORMAT_FIX ? RF_STR("fix[52]") : RF_STR("");
    extra->is_time_standard = !time->is_set;
}

static enum rf_status env_open(struct rf_rules_input *input, const struct rf_flags *flags, struct rf_error *err)
{
    const char *names = flags->value[RF_FLAG_FIX_DICT].text;
    input->env = rf_env_filter;
    if (input->format != RF_FORMAT_FIX) {
        return RF_OK;
    }
    rf_arena_init(&input->arena, RF_FIX_CHOICE_BYTES_MAX);
    return rf_fix_choose(&input->arena, rf_str_of(names == NULL ? "" : names), &input->env.fix, err);
}

static int problems_tell(const struct rf_rules *rules, const struct rf_flags *flags)
{
    struct rf_error err;
    struct rf_text text = {0};
    if (rf_problems_print(&rules->problems, &text, &err) == RF_OK) {
        rf_terminal_tell_problems(rf_text_str(&text), (unsigned)flags->value[RF_FLAG_COLOR].number);
    } else {
        (void)input_fail(&err);
    }
    rf_text_free(&text);
    return RF_EXIT_CONFIG;
}

/* One of the caller's expressions: extra->predicate, then extra->projection, then extra->time. */
static struct rf_str extra_source(const struct rf_rules_extra *extra, uint32_t number)
{
    const uint32_t projection = number - extra->predicates;
    return number < extra->predicates          ? extra->predicate[number]
           : projection < extra->projections ? extra->projection[projection]
                                               : extra->time;
}

/* Lines of JSON, or of FIX. */
static bool text_is_data(struct rf_str text)
{
    const char *second = memchr(text.data, '\n', text.count);
    const struct rf_str rest = second == NULL ? RF_STR("") : (struct rf_str){second + 1, text.count - (size_t)(second + 1 - text.data)};
    return (rf_str_starts(text, RF_STR("{")) && (rest.count == 0 || rf_str_starts(rest, RF_STR("{")))) ||
           rf_str_starts(text, RF_STR("8=FIX"));
}

int rf_rules_input_open(struct rf_rules_input *input, const char *name, unsigned format, const struct rf_rules_extra *extra,
                        const struct rf_flags *flags)
{
    struct rf_error err;
    struct rf_diagnostic diagnostic;
    uint32_t failed;
    *input = (struct rf_rules_input){.format = format};
    if (env_open(input, flags, &err) != RF_OK ||
        rf_whole_file_read(name, RF_YAML_BYTES_MAX, &input->text, &err) != RF_OK) {
        return input_fail(&err);
    }
    const struct rf_compile_options options = {.is_strict_cel = flags->value[RF_FLAG_STRICT_CEL].is_set,
                                               .is_text = input->format == RF_FORMAT_TEXT,
                                               .plans_values = true,
                                               .env = &input->env};
    const struct rf_str file = strcmp(name, "-") == 0 ? RF_STR("standard input") : rf_str_of(name);
    enum rf_status status = rf_rules_read(file, rf_text_str(&input->text), &input->rules, &err);
    if (status == RF_OK || status == RF_E_CONFIG) {
        /* Expressions are looked at even if something else is wrong: all is told at once. */
        status = rf_rules_compile(input->rules, extra, options, &input->program, &diagnostic, &failed, &err);
    }
    switch (status) {
    case RF_OK:
        return RF_EXIT_DONE;
    case RF_E_CONFIG:
        if (text_is_data(rf_text_str(&input->text))) {
            rf_log(RF_LOG_WARNING, "%s looks like records: the rules file is the first argument", name);
        }
        return problems_tell(input->rules, flags);
    case RF_E_EXPR:
        rf_expression_tell(&diagnostic, extra_source(extra, failed), flags);
        return RF_EXIT_EXPRESSION;
    default:
        rf_log(RF_LOG_ERROR, "%s: %s", name, err.text);
        return status == RF_E_LIMIT ? RF_EXIT_CONFIG : RF_EXIT_FAILURE;
    }
}

void rf_rules_input_close(struct rf_rules_input *input)
{
    rf_rules_program_close(&input->program);
    rf_rules_close(input->rules);
    rf_arena_free(&input->arena);
    rf_text_free(&input->text);
    *input = (struct rf_rules_input){0};
}
