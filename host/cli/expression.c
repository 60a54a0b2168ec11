/* expression.c: the expressions on a command line, compiled. */
#include "expression.h"

#include <stdlib.h>
#include <unistd.h>

#include "fix_choice.h"
#include "fix_input.h"
#include "fix_match.h"
#include "log.h"
#include "parser.h"
#include "terminal.h"

enum { NAME_SHOWN_BYTES = 100, SYNTAX_BYTES_MAX = 64 * 1024 * 1024 };

void rf_expression_tell(const struct rf_diagnostic *diagnostic, struct rf_str source, const struct rf_flags *flags)
{
    struct rf_error err;
    struct rf_text plain = {0};
    if (rf_diagnostic_print(diagnostic, source, &plain, &err) == RF_OK) {
        rf_terminal_tell_problems(rf_text_str(&plain), (unsigned)flags->value[RF_FLAG_COLOR].number);
    } else {
        rf_log(RF_LOG_ERROR, "%s", diagnostic->text); /* without its picture: there is no memory for it */
    }
    rf_text_free(&plain);
}

/* Members of a projection that is a map literal whose keys are texts; 0 for every other one. */
static size_t members_count(const struct rf_node *node)
{
    if (node->kind == RF_NODE_LITERAL && node->literal.type == RF_TYPE_MAP) {
        for (size_t i = 0; i < node->literal.map->count; i++) {
            if (node->literal.map->entry[i].key.type != RF_TYPE_STRING) {
                return 0;
            }
        }
        return node->literal.map->count;
    }
    if (node->kind != RF_NODE_MAP) {
        return 0;
    }
    for (uint32_t i = 0; i < node->args; i += 2) {
        /* An entry that may be left out makes a map of its own for each record. */
        if (node->arg[i]->kind != RF_NODE_LITERAL || node->arg[i]->literal.type != RF_TYPE_STRING ||
            node->arg[i + 1]->kind == RF_NODE_ENTRY) {
            return 0;
        }
    }
    return node->args / 2;
}

static struct rf_str trim(const char *text)
{
    struct rf_str out = rf_str_of(text);
    while (out.count > 0 && strchr(" \t\r\n", out.data[0]) != NULL) {
        out.data++;
        out.count--;
    }
    while (out.count > 0 && strchr(" \t\r\n", out.data[out.count - 1]) != NULL) {
        out.count--;
    }
    return out;
}

struct columns {
    struct rf_str *name;
    struct rf_str *source;   /* the --select that it stands in */
    struct rf_span *written; /* and where in it */
    struct rf_node **node;
    size_t count;
};

/* Room for them behind the predicates. */
static enum rf_status columns_open(struct columns *columns, struct rf_compiled *compiled, size_t total,
                                   struct rf_error *err)
{
    const uint32_t predicates = compiled->program.predicates;
    struct rf_str *source = RF_PUSH(&compiled->arena, struct rf_str, predicates + total);
    struct rf_span *written = RF_PUSH(&compiled->arena, struct rf_span, predicates + total);
    *columns = (struct columns){.name = RF_PUSH(&compiled->arena, struct rf_str, total),
                                .node = RF_PUSH(&compiled->arena, struct rf_node *, total)};
    if (columns->name == NULL || columns->node == NULL || source == NULL || written == NULL) {
        RF_FAIL(err, RF_E_LIMIT, "out of memory for %zu columns", total);
    }
    memcpy(source, compiled->source, predicates * sizeof *source);
    memcpy(written, compiled->written, predicates * sizeof *written);
    columns->source = source + predicates;
    columns->written = written + predicates;
    return RF_OK;
}

/* Takes a map literal apart. A constant map was folded to one value: its members become literals again. */
static enum rf_status members_take(struct columns *columns, struct rf_arena *arena, struct rf_node *node,
                                   size_t members, struct rf_str source, struct rf_error *err)
{
    for (size_t i = 0; i < members; i++) {
        struct rf_str *name = &columns->name[columns->count];
        columns->source[columns->count] = source;
        columns->written[columns->count] = node->kind == RF_NODE_MAP ? node->arg[2 * i + 1]->span : node->span;
        if (node->kind == RF_NODE_MAP) {
            *name = node->arg[2 * i]->literal.text;
            columns->node[columns->count++] = node->arg[2 * i + 1];
            continue;
        }
        struct rf_node *member = RF_PUSH(arena, struct rf_node, 1);
        if (member == NULL) {
            RF_FAIL(err, RF_E_LIMIT, "out of memory for column %zu", i + 1);
        }
        const struct rf_entry *entry = &node->literal.map->entry[i];
        *member = *node;
        member->literal = entry->value;
        member->type = entry->value.type;
        *name = entry->key.text;
        columns->node[columns->count++] = member;
    }
    return RF_OK;
}

static enum rf_status columns_check(const struct columns *columns, struct rf_error *err)
{
    for (size_t i = 0; i < columns->count; i++) {
        for (size_t j = 0; j < i; j++) {
            const struct rf_str name = columns->name[i]; /* no zero byte ends it */
            if (rf_str_equal(name, columns->name[j])) {
                RF_FAIL(err, RF_E_USAGE,
                        "two --select columns have the name '%.*s'; a map literal gives names: "
                        "--select '{\"name\": expression}'",
                        name.count < NAME_SHOWN_BYTES ? (int)name.count : NAME_SHOWN_BYTES, name.data);
            }
        }
    }
    return RF_OK;
}

/* Names the projections and takes map literals apart. Only a single value in json stays without a name. */
static enum rf_status columns_make(struct rf_expression *expression, const struct rf_flags *flags, struct rf_error *err)
{
    struct rf_compiled *compiled = &expression->compiled;
    if (compiled->projections == 0 || (compiled->projections == 1 && expression->form == RF_FORM_JSON &&
                                       members_count(compiled->projection[0]) == 0)) {
        return RF_OK;
    }
    size_t total = 0;
    for (uint32_t i = 0; i < compiled->projections; i++) {
        const size_t members = members_count(compiled->projection[i]);
        total += members > 0 ? members : 1;
    }
    const uint32_t predicates = compiled->program.predicates;
    struct columns columns;
    RF_TRY(columns_open(&columns, compiled, total, err));
    for (uint32_t i = 0; i < compiled->projections; i++) {
        struct rf_node *node = compiled->projection[i];
        const size_t members = members_count(node);
        if (members > 0) {
            RF_TRY(members_take(&columns, &compiled->arena, node, members, compiled->source[predicates + i], err));
            continue;
        }
        columns.source[columns.count] = compiled->source[predicates + i];
        columns.written[columns.count] = compiled->written[predicates + i];
        columns.name[columns.count] = rf_arena_copy(&compiled->arena, trim(flags->list[i]));
        if (columns.name[columns.count].data == NULL) {
            RF_FAIL(err, RF_E_LIMIT, "out of memory for the name of column %u", i + 1);
        }
        columns.node[columns.count++] = node;
    }
    RF_TRY(columns_check(&columns, err));
    compiled->source = columns.source - predicates;
    compiled->written = columns.written - predicates;
    compiled->projection = columns.node;
    compiled->projections = (uint32_t)columns.count;
    expression->column = columns.name;
    return RF_OK;
}

static enum rf_status options_check(struct rf_expression *expression, const struct rf_flags *flags,
                                    struct rf_error *err)
{
    const bool has_emit = flags->value[RF_FLAG_EMIT].is_set;
    expression->form = (unsigned)flags->value[RF_FLAG_EMIT].number;
    if (flags->list_count > 0 && expression->form == RF_FORM_LINES) {
        if (has_emit) {
            RF_FAIL(err, RF_E_USAGE, "--select needs --emit json or csv: lines are written as they stand in the input");
        }
        expression->form = RF_FORM_JSON;
    }
    if (flags->list_count == 0 && expression->form == RF_FORM_CSV) {
        RF_FAIL(err, RF_E_USAGE, "--emit csv needs --select: what are the columns?");
    }
    const bool is_pretty = flags->value[RF_FLAG_PRETTY].is_set;
    if (is_pretty && (has_emit || flags->list_count > 0)) {
        RF_FAIL(err, RF_E_USAGE, "--pretty shows whole messages; it cannot be combined with --emit or --select");
    }
    if (flags->value[RF_FLAG_FIX_KEYS].is_set && (expression->form != RF_FORM_JSON || flags->list_count > 0)) {
        RF_FAIL(err, RF_E_USAGE, "--fix-keys is about whole messages: it needs --emit json, without --select");
    }
    return RF_OK;
}

/* Options that only mean something in FIX input. */
static enum rf_status format_check(unsigned format, const struct rf_flags *flags, struct rf_error *err)
{
    static const enum rf_flag_id of_fix[] = {RF_FLAG_PRETTY, RF_FLAG_FIX_KEYS, RF_FLAG_FIX_MATCH};
    for (size_t i = 0; i < sizeof of_fix / sizeof of_fix[0]; i++) {
        if (format != RF_FORMAT_FIX && flags->value[of_fix[i]].is_set) {
            RF_FAIL(err, RF_E_USAGE, "--%s is for FIX messages: it needs -f fix", rf_flag_table[of_fix[i]].name);
        }
    }
    return RF_OK;
}

static enum rf_status fix_open(struct rf_expression *expression, const struct rf_flags *flags, struct rf_error *err)
{
    rf_arena_init(&expression->arena, RF_FIX_CHOICE_BYTES_MAX);
    expression->env = rf_env_filter;
    const char *names = flags->value[RF_FLAG_FIX_DICT].text;
    const enum rf_status status = rf_fix_choose(&expression->arena, rf_str_of(names == NULL ? "" : names), &expression->env.fix, err);
    if (status != RF_OK) {
        rf_arena_free(&expression->arena);
    }
    return status;
}

/* EXPR beside --fix-match must be an expression of its own, and is told about as one. */
static int beside_check(const struct rf_expression *expression, struct rf_str text, const struct rf_flags *flags)
{
    struct rf_error err;
    struct rf_compiled alone;
    struct rf_diagnostic diagnostic;
    uint32_t failed = 0;
    const struct rf_compile_options options = {.is_strict_cel = flags->value[RF_FLAG_STRICT_CEL].is_set,
                                               .env = &expression->env};
    const enum rf_status status = rf_compile(&text, 1, NULL, 0, options, &alone, &diagnostic, &failed, &err);
    if (status == RF_OK) {
        rf_compiled_close(&alone);
        return RF_EXIT_DONE;
    }
    if (status != RF_E_EXPR) {
        (void)rf_terminal_fail(&err);
        return status == RF_E_LIMIT ? RF_EXIT_EXPRESSION : RF_EXIT_FAILURE;
    }
    rf_expression_tell(&diagnostic, text, flags);
    if (flags->command == RF_COMMAND_FILTER) {
        rf_log(RF_LOG_WARNING, "'%.*s' is no file, so it was taken for an expression beside --fix-match",
               text.count < NAME_SHOWN_BYTES ? (int)text.count : NAME_SHOWN_BYTES, text.data);
    }
    return RF_EXIT_EXPRESSION;
}

/* The expression that selects: EXPR, what --fix-match stands for, or both. */
static int predicate_make(struct rf_expression *expression, const struct rf_flags *flags, struct rf_str *predicate)
{
    struct rf_error err;
    struct rf_diagnostic diagnostic;
    const struct rf_flag_value *match = &flags->value[RF_FLAG_FIX_MATCH];
    if (!match->is_set) {
        *predicate = rf_str_of(flags->arg[0]);
        return RF_EXIT_DONE;
    }
    const struct rf_str criteria = rf_str_of(match->text);
    enum rf_status status = rf_fix_match_lower(criteria, &expression->lowered, &diagnostic, &err);
    if (status == RF_E_EXPR) {
        rf_expression_tell(&diagnostic, criteria, flags);
        return RF_EXIT_EXPRESSION;
    }
    if (status == RF_OK && flags->inputs_from == 1) {
        const struct rf_str beside = rf_str_of(flags->arg[0]);
        const int code = beside_check(expression, beside, flags);
        if (code != RF_EXIT_DONE) {
            return code;
        }
        /* It may end with a comment, which the line end ends. */
        status = rf_text_printf(&expression->lowered, &err, " && (%.*s%s)", RF_STR_ARG(beside),
                                rf_str_contains(beside, RF_STR("//")) ? "\n" : "");
    }
    *predicate = rf_text_str(&expression->lowered);
    return status == RF_OK ? RF_EXIT_DONE : rf_terminal_fail(&err);
}

static void expression_free(struct rf_expression *expression)
{
    rf_text_free(&expression->lowered);
    rf_arena_free(&expression->arena);
    rf_ahead_close(&expression->ahead);
}

/* What is wrong in any format is told before standard input is waited for. */
static int syntax_check(const struct rf_flags *flags)
{
    int code = RF_EXIT_DONE;
    for (size_t i = flags->inputs_from == 1 ? 0 : 1; code == RF_EXIT_DONE && i <= flags->list_count; i++) {
        const struct rf_str source = rf_str_of(i == 0 ? flags->arg[0] : flags->list[i - 1]);
        struct rf_arena arena;
        struct rf_node *node;
        struct rf_diagnostic diagnostic;
        struct rf_error err;
        rf_arena_init(&arena, SYNTAX_BYTES_MAX);
        if (rf_parse(source, &arena, &node, &diagnostic, &err) == RF_E_EXPR) { /* of anything else the compilation tells */
            rf_expression_tell(&diagnostic, source, flags);
            code = RF_EXIT_EXPRESSION;
        }
        rf_arena_free(&arena);
    }
    return code;
}

int rf_expression_open(struct rf_expression *expression, const struct rf_flags *flags)
{
    struct rf_error err;
    *expression = (struct rf_expression){0};
    if (options_check(expression, flags, &err) != RF_OK) {
        return rf_terminal_fail(&err);
    }
    if (flags->command == RF_COMMAND_FILTER && !flags->value[RF_FLAG_FIX_MATCH].is_set &&
        syntax_check(flags) != RF_EXIT_DONE) {
        return RF_EXIT_EXPRESSION;
    }
    expression->format = rf_format_choose(flags, flags->inputs_from, &expression->ahead);
    const bool is_text = expression->format == RF_FORMAT_TEXT;
    if (format_check(expression->format, flags, &err) != RF_OK ||
        (expression->format == RF_FORMAT_FIX && fix_open(expression, flags, &err) != RF_OK)) {
        rf_ahead_close(&expression->ahead);
        return rf_terminal_fail(&err);
    }
    struct rf_str predicate;
    int code = predicate_make(expression, flags, &predicate);
    if (code != RF_EXIT_DONE) {
        expression_free(expression);
        return code;
    }
    /* --emit json without --select is the record as it stands, which in text input must first become a JSON string; the
     * pipeline itself makes an object of a FIX message. */
    const bool is_quoting = is_text && flags->list_count == 0 && expression->form == RF_FORM_JSON;
    const size_t count = is_quoting ? 1 : flags->list_count;
    struct rf_str *projection = calloc(count + 1, sizeof *projection);
    if (projection == NULL) {
        rf_log(RF_LOG_ERROR, "out of memory for %zu expressions", count);
        expression_free(expression);
        return RF_EXIT_FAILURE;
    }
    projection[0] = RF_STR("raw");
    for (size_t i = 0; i < flags->list_count; i++) {
        projection[i] = rf_str_of(flags->list[i]);
    }
    struct rf_diagnostic diagnostic;
    uint32_t failed = 0;
    const struct rf_compile_options options = {.is_strict_cel = flags->value[RF_FLAG_STRICT_CEL].is_set,
                                               .is_text = is_text,
                                               .env = expression->env.fix == NULL ? NULL : &expression->env};
    const enum rf_status status = rf_compile(&predicate, 1, projection, (uint32_t)count, options, &expression->compiled,
                                             &diagnostic, &failed, &err);
    if (status == RF_E_EXPR) {
        rf_expression_tell(&diagnostic, failed == 0 ? predicate : projection[failed - 1], flags);
        code = RF_EXIT_EXPRESSION;
    } else if (status == RF_E_LIMIT) { /* more than one expression may hold; it has no single place */
        (void)rf_terminal_fail(&err);
        code = RF_EXIT_EXPRESSION;
    } else if (status != RF_OK) {
        code = rf_terminal_fail(&err);
    } else if (columns_make(expression, flags, &err) != RF_OK) {
        code = rf_terminal_fail(&err);
        rf_compiled_close(&expression->compiled);
    }
    if (code != RF_EXIT_DONE) {
        expression_free(expression);
    }
    free(projection);
    return code;
}

enum rf_status rf_expression_now(const struct rf_flags *flags, bool *has_now, struct rf_instant *now,
                                 struct rf_error *err)
{
    const struct rf_flag_value *value = &flags->value[RF_FLAG_NOW];
    *has_now = value->is_set;
    if (value->is_set && !rf_instant_parse(rf_str_of(value->text), now)) {
        RF_FAIL(err, RF_E_USAGE, "--now is a time such as 2026-01-31T12:00:00Z, with Z or an offset, not '%.100s'",
                value->text);
    }
    return RF_OK;
}

void rf_expression_close(struct rf_expression *expression)
{
    rf_compiled_close(&expression->compiled);
    expression_free(expression);
}
