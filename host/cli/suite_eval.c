#include "suite_eval.h"

#include <inttypes.h>
#include <stdio.h>

#include "interp.h"
#include "json_text.h"
#include "lift.h"
#include "parser.h"
#include "resolve.h"
#include "suite_value.h"

enum {
    LINE_BYTES_BASE = 64 * 1024 * 1024,
    LINE_BYTES_FACTOR = 256, /* a byte of JSON makes at most this much of nodes and values */
    TREE_BYTES = 96 * 1024 * 1024,
    VALUES_BYTES = 256 * 1024 * 1024,
    COLUMNS_VARIED_MAX = 64, /* those behind them keep their value */
    SIDE_SHOWN_BYTES = 120
};

struct run { /* one line */
    struct rf_suite *suite;
    struct rf_suite_case input;
    struct rf_compiled compiled;
    struct rf_interp *interp;
    struct rf_text *out;
    struct rf_error *err;
    bool has_type;
    bool has_fallback;
    uint32_t lifted;
};

struct table {
    struct rf_value *cell; /* [rows][columns] */
    size_t columns;
    uint32_t rows;
};

/* ---- Outcomes ---- */

static enum rf_status error_write(struct run *run, struct rf_str text, const char *phase)
{
    RF_TRY(rf_text_append(run->out, RF_STR("{\"error\":"), run->err));
    RF_TRY(rf_json_quote(run->out, text, run->err));
    return rf_text_printf(run->out, run->err, ",\"phase\":\"%s\"}", phase);
}

/* A failure that is an outcome; only a lack of memory is none. */
static enum rf_status phase_fail(struct run *run, const struct rf_error *why, const char *phase)
{
    return error_write(run, rf_str_of(why->text), phase);
}

/* "type":T */
static enum rf_status type_write(struct run *run)
{
    RF_TRY(rf_text_append(run->out, RF_STR("\"type\":"), run->err));
    return rf_json_quote(run->out, rf_text_str(&run->suite->type), run->err);
}

static enum rf_status outcome_write(struct run *run, struct rf_value value)
{
    if (value.type == RF_TYPE_ERROR) {
        return error_write(run, value.text, "eval");
    }
    const size_t begin = run->out->count;
    RF_TRY(rf_text_append(run->out, RF_STR("{\"value\":"), run->err));
    const enum rf_status status = rf_suite_value_write(run->out, value, run->err);
    if (status == RF_E_LIMIT) {
        run->out->count = begin;
        return error_write(run, RF_STR(RF_ERROR_TOO_LARGE), "eval");
    }
    RF_TRY(status);
    if (run->has_type) {
        RF_TRY(rf_text_append_char(run->out, ',', run->err));
        RF_TRY(type_write(run));
    }
    return rf_text_append_char(run->out, '}', run->err);
}

/* ---- The table ---- */

static void near_row_add(struct table *table, const struct rf_value *base, uint32_t *count)
{
    memcpy(table->cell + table->rows * table->columns, base, table->columns * sizeof base[0]);
    table->rows++;
    (*count)++;
}

/* Rows in which one column, or every column, holds a neighbour of what the first row has there. */
static void near_rows_add(struct table *table, struct rf_arena *arena)
{
    struct rf_value near[COLUMNS_VARIED_MAX][RF_LIFT_NEIGHBOURS_MAX];
    uint32_t nears[COLUMNS_VARIED_MAX];
    const size_t varied = table->columns < COLUMNS_VARIED_MAX ? table->columns : COLUMNS_VARIED_MAX;
    const struct rf_value *base = table->cell;
    uint32_t count = 0;
    for (size_t c = 0; c < varied; c++) {
        nears[c] = rf_lift_neighbours(base[c], arena, near[c]);
    }
    for (uint32_t k = 0; k < RF_LIFT_NEIGHBOURS_MAX; k++) {
        if (varied > 1 && count < RF_SUITE_NEAR_ROWS_MAX) {
            struct rf_value *row = table->cell + table->rows * table->columns;
            near_row_add(table, base, &count);
            for (size_t c = 0; c < varied; c++) {
                row[c] = nears[c] > 0 ? near[c][k % nears[c]] : row[c];
            }
        }
        for (size_t c = 0; c < varied && count < RF_SUITE_NEAR_ROWS_MAX; c++) {
            if (k < nears[c]) {
                struct rf_value *row = table->cell + table->rows * table->columns;
                near_row_add(table, base, &count);
                row[c] = near[c][k];
            }
        }
    }
}

/* Declared variables first, then the literals that were lifted, the same in each row of the line. */
static enum rf_status table_make(struct run *run, struct table *table, struct rf_error *err)
{
    struct rf_arena *arena = &run->suite->line;
    const uint32_t declarations = run->input.env.declarations;
    const uint32_t lifted = run->compiled.lifted_count;
    const bool is_varied = run->suite->options.is_lifting && run->suite->options.engine != NULL && run->input.rows > 0;
    const size_t rows = (size_t)run->input.rows + (is_varied ? RF_SUITE_NEAR_ROWS_MAX : 0);
    *table = (struct table){.columns = (size_t)declarations + lifted, .rows = run->input.rows};
    if (rows * table->columns > RF_SUITE_TABLE_CELLS_MAX) {
        RF_FAIL(err, RF_E_LIMIT, "%zu rows of %zu columns are more than %d values", rows, table->columns,
                RF_SUITE_TABLE_CELLS_MAX);
    }
    table->cell = RF_PUSH(arena, struct rf_value, rows * table->columns);
    if (table->cell == NULL) {
        RF_FAIL(err, RF_E_LIMIT, "this line needs more memory than its bound allows");
    }
    for (uint32_t row = 0; row < run->input.rows; row++) {
        struct rf_value *cell = table->cell + row * table->columns;
        for (uint32_t d = 0; d < declarations; d++) {
            cell[d] = run->input.binding[(size_t)row * declarations + d];
        }
        for (uint32_t l = 0; l < lifted; l++) {
            cell[declarations + l] = run->compiled.lifted[l];
        }
    }
    if (is_varied && table->columns > 0) {
        near_rows_add(table, arena);
    }
    return RF_OK;
}

/* ---- Engines ---- */

static struct rf_value interp_value(struct run *run, const struct table *table, uint32_t row)
{
    const struct rf_record record = {.binding = table->cell + row * table->columns};
    rf_interp_bind(run->interp, &record);
    return rf_interp_project(run->interp, 0);
}

/* Do the engines agree? Values are compared as they are written: that tells types, signs of zero and the order of maps
 * apart, and takes NaN for NaN. RF_STOP when they do not; the texts are then in suite->side. */
static enum rf_status sides_compare(struct run *run, struct rf_value engine, struct rf_value interp)
{
    struct rf_text *side = run->suite->side;
    const struct rf_value value[2] = {engine, interp};
    bool is_bounded[2];
    /* Two engines may meet their bounds at different places. */
    if ((engine.type == RF_TYPE_ERROR && interp.type == RF_TYPE_ERROR) || rf_value_is_bound_error(engine) ||
        rf_value_is_bound_error(interp)) {
        return RF_OK;
    }
    for (int i = 0; i < 2; i++) {
        struct rf_error why = {0};
        rf_text_clear(&side[i]);
        const enum rf_status status =
            value[i].type == RF_TYPE_ERROR
                ? rf_text_printf(&side[i], &why, "the error \"%.*s\"",
                                 value[i].text.count < SIDE_SHOWN_BYTES ? (int)value[i].text.count : SIDE_SHOWN_BYTES,
                                 value[i].text.data)
                : rf_suite_value_write(&side[i], value[i], &why);
        is_bounded[i] = status == RF_E_LIMIT;
        if (status != RF_OK && status != RF_E_LIMIT) {
            *run->err = why;
            return status;
        }
    }
    if (is_bounded[0] || is_bounded[1]) {
        return RF_OK;
    }
    const bool is_same = engine.type == interp.type && rf_str_equal(rf_text_str(&side[0]), rf_text_str(&side[1]));
    return is_same ? RF_OK : RF_STOP;
}

static enum rf_status disagreement_write(struct run *run, uint32_t row)
{
    const struct rf_text *side = run->suite->side;
    char text[2 * SIDE_SHOWN_BYTES + 160];
    int shown[2];
    for (int i = 0; i < 2; i++) {
        shown[i] = side[i].count < SIDE_SHOWN_BYTES ? (int)side[i].count : SIDE_SHOWN_BYTES;
    }
    const int count =
        snprintf(text, sizeof text, "engines disagree in row %" PRIu32 ": %s gives %.*s, interp gives %.*s", row,
                 run->suite->options.engine_name, shown[0], side[0].data, shown[1], side[1].data);
    run->suite->counts.disagreements++;
    return error_write(run, (struct rf_str){text, (size_t)count}, "eval");
}

/* Writes the outcomes of the line's rows. value: NULL where the interpreter gives them one by one. */
static enum rf_status rows_write(struct run *run, const struct table *table, const struct rf_value *value)
{
    if (!run->input.has_rows) {
        return outcome_write(run, value != NULL ? value[0] : interp_value(run, table, 0));
    }
    RF_TRY(rf_text_append(run->out, RF_STR("{\"rows\":["), run->err));
    for (uint32_t row = 0; row < run->input.rows; row++) {
        if (row > 0) {
            RF_TRY(rf_text_append_char(run->out, ',', run->err));
        }
        RF_TRY(outcome_write(run, value != NULL ? value[row] : interp_value(run, table, row)));
    }
    return rf_text_append(run->out, RF_STR("]}"), run->err);
}

static enum rf_status table_run(struct run *run, const struct table *table)
{
    struct rf_suite *suite = run->suite;
    if (suite->options.engine == NULL) {
        return rows_write(run, table, NULL);
    }
    uint64_t host_rows = 0;
    rf_arena_reset(&suite->values);
    struct rf_value *value = RF_PUSH(&suite->values, struct rf_value, table->rows);
    if (value == NULL) {
        RF_FAIL(run->err, RF_E_MEMORY, "no memory for %" PRIu32 " values", table->rows);
    }
    const enum rf_status status = suite->options.engine(&run->compiled, suite->options.isa, table->cell, table->rows,
                                                        &suite->values, value, &host_rows, run->err);
    if (status == RF_E_LIMIT) {
        return phase_fail(run, run->err, "eval");
    }
    RF_TRY(status);
    run->has_fallback = host_rows > 0;
    for (uint32_t row = 0; suite->options.is_lifting && row < table->rows; row++) {
        const enum rf_status comparison = sides_compare(run, value[row], interp_value(run, table, row));
        if (comparison == RF_STOP) {
            return disagreement_write(run, row);
        }
        RF_TRY(comparison);
    }
    return rows_write(run, table, value);
}

/* ---- Phases ---- */

/* The type of the expression, into suite->type. */
static enum rf_status type_find(struct run *run, struct rf_node *tree, struct rf_error *why)
{
    struct rf_env env = run->input.env;
    struct rf_diagnostic diagnostic;
    uint32_t locals = 0;
    env.keeps_calls = true;   /* of functions that type_env declares */
    env.is_unchecked = false; /* what has no type is told, rather than being of any */
    RF_TRY(rf_resolve(&tree, run->input.source, &env, NULL, &run->suite->tree, &locals, &diagnostic, why));
    return rf_check(tree, run->input.source, &env, &run->input.functions, &run->suite->tree, &run->suite->type,
                    &diagnostic, why);
}

static enum rf_status evaluate(struct run *run)
{
    const struct rf_suite_options *suite_options = &run->suite->options;
    const struct rf_compile_options options = {
        .is_strict_cel = suite_options->is_strict_cel,
        .is_lifting = suite_options->is_lifting,
        .plans_values = true,
        .env = &run->input.env,
    };
    struct rf_diagnostic diagnostic;
    struct rf_error why = {0};
    uint32_t failed;
    if (rf_compile(NULL, 0, &run->input.source, 1, options, &run->compiled, &diagnostic, &failed, &why) != RF_OK) {
        return phase_fail(run, &why, "check");
    }
    run->lifted = run->compiled.lifted_count;
    struct table table;
    enum rf_status status = table_make(run, &table, &why);
    if (status != RF_OK) {
        status = phase_fail(run, &why, "eval");
    } else {
        status = rf_interp_open(&run->interp, &run->compiled, (struct rf_interp_options){0}, run->err);
        if (status == RF_OK) {
            status = table_run(run, &table);
        }
        rf_interp_close(run->interp);
    }
    rf_compiled_close(&run->compiled);
    return status;
}

static enum rf_status case_run(struct run *run)
{
    struct rf_suite *suite = run->suite;
    struct rf_error why = {0};
    struct rf_diagnostic diagnostic;
    struct rf_node *tree = NULL;
    rf_arena_reset(&suite->tree);
    if (rf_parse(run->input.source, &suite->tree, &tree, &diagnostic, &why) != RF_OK) {
        return phase_fail(run, &why, "parse");
    }
    if (run->input.is_check_only || run->input.wants_type) {
        rf_text_clear(&suite->type);
        run->has_type = type_find(run, tree, &why) == RF_OK;
    }
    if (!run->input.is_check_only) {
        return evaluate(run);
    }
    if (!run->has_type) {
        return phase_fail(run, &why, "check");
    }
    RF_TRY(rf_text_append_char(run->out, '{', run->err));
    RF_TRY(type_write(run));
    return rf_text_append_char(run->out, '}', run->err);
}

/* ---- Lines ---- */

static enum rf_status line_begin(struct run *run, struct rf_str number)
{
    run->suite->counts.lines++;
    return rf_text_printf(run->out, run->err, "{\"line\":%.*s,\"ok\":", RF_STR_ARG(number));
}

static enum rf_status line_end(struct run *run)
{
    struct rf_suite *suite = run->suite;
    suite->counts.lifted += run->lifted;
    suite->counts.fallbacks += run->has_fallback ? 1 : 0;
    return rf_text_printf(run->out, run->err, ",\"engine\":\"%s\",\"fallback\":%s,\"lifted\":%" PRIu32 "}\n",
                          suite->options.engine_name, run->has_fallback ? "true" : "false", run->lifted);
}

void rf_suite_open(struct rf_suite *suite, struct rf_suite_options options)
{
    *suite = (struct rf_suite){.options = options};
    rf_arena_init(&suite->line, LINE_BYTES_BASE);
    rf_arena_init(&suite->tree, TREE_BYTES);
    rf_arena_init(&suite->values, VALUES_BYTES);
}

void rf_suite_close(struct rf_suite *suite)
{
    rf_arena_free(&suite->line);
    rf_arena_free(&suite->tree);
    rf_arena_free(&suite->values);
    rf_text_free(&suite->type);
    rf_text_free(&suite->side[0]);
    rf_text_free(&suite->side[1]);
}

enum rf_status rf_suite_eval(struct rf_suite *suite, struct rf_str line, struct rf_text *out, struct rf_error *err)
{
    struct run run = {.suite = suite, .out = out, .err = err};
    struct rf_error why = {0};
    rf_arena_reset(&suite->line);
    suite->line.bytes_max = LINE_BYTES_BASE + LINE_BYTES_FACTOR * line.count;
    const enum rf_status status = rf_suite_case_read(&run.input, line, &suite->line, &why);
    run.input.env.is_unchecked = run.input.env.is_unchecked || suite->options.is_unchecked;
    RF_TRY(line_begin(&run, run.input.number));
    RF_TRY(status == RF_OK ? case_run(&run) : phase_fail(&run, &why, "parse"));
    return line_end(&run);
}

enum rf_status rf_suite_refuse(struct rf_suite *suite, const char *why, struct rf_text *out, struct rf_error *err)
{
    struct run run = {.suite = suite, .out = out, .err = err};
    RF_TRY(line_begin(&run, RF_STR("null")));
    RF_TRY(error_write(&run, rf_str_of(why), "parse"));
    return line_end(&run);
}
