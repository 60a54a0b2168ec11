/* riffle's own sides of the case expr: the interpreter on records it has read, the vector engine on columns that are ready,
 * the same as a stage behind the others, and all stages from raw bytes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bitmap.h"
#include "case_expr.h"
#include "clock.h"

/* ---- Answers ---- */

void expr_answers_begin(struct expr_answers *answers)
{
    *answers = (struct expr_answers){.hash = BENCH_HASH_START};
}

void expr_answers_add(struct expr_answers *answers, uint8_t answer)
{
    if (answers->rows < EXPR_KEPT_ROWS) {
        answers->first[answers->rows] = answer;
    }
    answers->count[answer]++;
    answers->hash = bench_hash(answers->hash, &answer, sizeof(answer));
    answers->rows++;
}

static void answers_add_rows(struct expr_answers *answers, const struct rf_worker *worker)
{
    for (uint32_t row = 0; row < worker->rows.rows; row++) {
        expr_answers_add(answers, rf_bit_get(worker->eval.truth[0], row)     ? EXPR_TRUE
                                  : rf_bit_get(worker->eval.falsity[0], row) ? EXPR_FALSE
                                                                             : EXPR_ERROR);
    }
}

static bool answers_agree(const struct expr_answers *a, const char *a_name, const struct expr_answers *b,
                          const char *b_name)
{
    if (a->rows == b->rows && a->hash == b->hash) {
        return true;
    }
    fprintf(stderr,
            "riffle-bench: %s and %s differ: %" PRIu64 " and %" PRIu64 " true, %" PRIu64 " and %" PRIu64
            " false, %" PRIu64 " and %" PRIu64 " errors\n",
            a_name, b_name, a->count[EXPR_TRUE], b->count[EXPR_TRUE], a->count[EXPR_FALSE], b->count[EXPR_FALSE],
            a->count[EXPR_ERROR], b->count[EXPR_ERROR]);
    return false;
}

/* ---- The interpreter ---- */

static uint8_t answer_of(enum rf_truth truth)
{
    return truth == RF_TRUTH_TRUE ? EXPR_TRUE : truth == RF_TRUTH_FALSE ? EXPR_FALSE : EXPR_ERROR;
}

static bool interp_read(struct rf_interp *interp, const struct expr_engines *engines, uint32_t row)
{
    const struct rf_worker *worker = &engines->columns;
    const struct rf_record record = {.text = rf_row_text(&worker->batch, &worker->rows, row)};
    struct rf_malformed malformed;
    struct rf_error err;
    return rf_interp_read(interp, &record, &malformed, &err) == RF_OK && malformed.reason == RF_REASON_NONE;
}

static bool interp_open(struct rf_interp **interp, const struct expr_engines *engines)
{
    const struct rf_interp_options options = {.depth_max = RF_DEPTH_MAX_DEFAULT};
    struct rf_error err;
    if (rf_interp_open(interp, &engines->compiled, options, &err) != RF_OK) {
        fprintf(stderr, "riffle-bench: %s\n", err.text);
        return false;
    }
    return true;
}

/* Every row by one interpreter, as the program has it. */
static bool interp_answers(const struct expr_engines *engines, struct expr_answers *answers)
{
    struct rf_interp *interp;
    if (!interp_open(&interp, engines)) {
        return false;
    }
    bool is_good = true;
    expr_answers_begin(answers);
    for (uint32_t row = 0; row < engines->columns.rows.rows && is_good; row++) {
        is_good = interp_read(interp, engines, row);
        expr_answers_add(answers, is_good ? answer_of(rf_interp_predicate(interp, 0)) : EXPR_ERROR);
    }
    rf_interp_close(interp);
    return is_good;
}

/* An interpreter holds one record: so there is one for each row that is to be ready. */
static bool interps_keep(struct expr_engines *engines)
{
    for (uint32_t row = 0; row < EXPR_KEPT_ROWS && row < engines->columns.rows.rows; row++) {
        if (!interp_open(&engines->kept[row], engines)) {
            return false;
        }
        engines->kept_rows++;
        if (!interp_read(engines->kept[row], engines, row)) {
            return false;
        }
    }
    return true;
}

bool expr_interp_run(void *context, uint32_t repeats, uint64_t *ns)
{
    struct expr_engines *engines = context;
    uint64_t selected = 0;
    const uint64_t begin_ns = rf_clock_ns();
    for (uint32_t i = 0; i < repeats; i++) {
        for (uint32_t row = 0; row < engines->kept_rows; row++) {
            selected += rf_interp_predicate(engines->kept[row], 0) == RF_TRUTH_TRUE;
        }
    }
    *ns = rf_clock_ns() - begin_ns;
    uint64_t expected = 0;
    for (uint32_t row = 0; row < engines->kept_rows; row++) {
        expected += engines->answers.first[row] == EXPR_TRUE;
    }
    return selected == expected * repeats;
}

/* ---- The vector engine ---- */

bool expr_columns_run(void *context, uint32_t repeats, uint64_t *ns)
{
    struct expr_engines *engines = context;
    struct rf_error err;
    const uint64_t begin_ns = rf_clock_ns();
    for (uint32_t i = 0; i < repeats; i++) {
        if (rf_worker_eval(&engines->columns, &err) != RF_OK) {
            fprintf(stderr, "riffle-bench: %s\n", err.text);
            return false;
        }
    }
    *ns = rf_clock_ns() - begin_ns;
    return rf_bitmap_count(engines->columns.eval.truth[0], engines->columns.rows.rows) ==
           engines->answers.count[EXPR_TRUE];
}

/* Adds what the last stage took. */
static enum rf_status stages_run(struct rf_worker *worker, uint64_t *eval_ns, struct rf_error *err)
{
    RF_TRY(rf_worker_index(worker, err));
    rf_worker_extract(worker);
    const uint64_t begin_ns = rf_clock_ns();
    const enum rf_status status = rf_worker_eval(worker, err);
    *eval_ns += rf_clock_ns() - begin_ns;
    return status;
}

/* All batches of the bytes; answers may be NULL. */
static bool raw_pass(struct expr_engines *engines, uint64_t *selected, uint64_t *eval_ns, struct expr_answers *answers)
{
    struct rf_worker *worker = &engines->raw;
    struct rf_source *source;
    struct rf_error err;
    if (rf_source_open_memory(&source, engines->data->bytes, engines->data->count, "memory",
                              (struct rf_source_options){0}, &err) != RF_OK) {
        fprintf(stderr, "riffle-bench: %s\n", err.text);
        return false;
    }
    enum rf_status status;
    while ((status = rf_source_fill(source, &worker->batch, &err)) == RF_OK) {
        if ((status = stages_run(worker, eval_ns, &err)) != RF_OK) {
            break;
        }
        *selected += rf_bitmap_count(worker->eval.truth[0], worker->rows.rows);
        if (answers != NULL) {
            answers_add_rows(answers, worker);
        }
    }
    rf_source_close(source);
    if (status != RF_END) {
        fprintf(stderr, "riffle-bench: %s\n", err.text);
    }
    return status == RF_END;
}

bool expr_raw_run(void *context, uint32_t repeats, uint64_t *ns)
{
    struct expr_engines *engines = context;
    uint64_t selected = 0;
    uint64_t eval_ns = 0;
    const uint64_t begin_ns = rf_clock_ns();
    for (uint32_t i = 0; i < repeats; i++) {
        if (!raw_pass(engines, &selected, &eval_ns, NULL)) {
            return false;
        }
    }
    *ns = rf_clock_ns() - begin_ns;
    return selected == engines->answers.count[EXPR_TRUE] * repeats;
}

bool expr_stage_run(void *context, uint32_t repeats, uint64_t *ns)
{
    struct expr_engines *engines = context;
    uint64_t selected = 0;
    *ns = 0;
    for (uint32_t i = 0; i < repeats; i++) {
        if (!raw_pass(engines, &selected, ns, NULL)) {
            return false;
        }
    }
    return selected == engines->answers.count[EXPR_TRUE] * repeats;
}

/* ---- All of them ---- */

static bool columns_fill(struct expr_engines *engines)
{
    const struct rf_source_options options = {.batch_bytes = RF_BATCH_BYTES_LIMIT};
    struct rf_source *source;
    struct rf_error err;
    uint64_t eval_ns = 0;
    bool is_good =
        rf_source_open_memory(&source, engines->data->bytes, engines->data->count, "memory", options, &err) == RF_OK &&
        rf_source_fill(source, &engines->columns.batch, &err) == RF_OK &&
        stages_run(&engines->columns, &eval_ns, &err) == RF_OK;
    if (!is_good) {
        fprintf(stderr, "riffle-bench: %s\n", err.text);
        return false;
    }
    /* The batch is a view of the caller's bytes, or owned by the worker: the source may go. */
    rf_source_close(source);
    engines->host_rows = engines->columns.eval.host_rows;
    if (engines->columns.rows.rows != engines->data->rows) {
        fprintf(stderr, "riffle-bench: %" PRIu32 " of %" PRIu32 " records in one batch\n", engines->columns.rows.rows,
                engines->data->rows);
        return false;
    }
    return true;
}

static bool answers_compare(struct expr_engines *engines, const char *name)
{
    struct expr_answers other;
    uint64_t selected = 0;
    uint64_t eval_ns = 0;
    expr_answers_begin(&engines->answers);
    answers_add_rows(&engines->answers, &engines->columns);
    expr_answers_begin(&other);
    if (!raw_pass(engines, &selected, &eval_ns, &other) ||
        !answers_agree(&engines->answers, "columns", &other, "raw bytes") || !interp_answers(engines, &other) ||
        !answers_agree(&engines->answers, "columns", &other, "interp")) {
        fprintf(stderr, "riffle-bench: expr: %s: the engines do not agree\n", name);
        return false;
    }
    return true;
}

bool expr_engines_open(struct expr_engines *engines, const struct expr_shape *shape, const struct expr_data *data)
{
    const struct rf_str predicate = rf_str_of(shape->expression);
    struct rf_diagnostic diagnostic;
    struct rf_error err;
    uint32_t failed;
    memset(engines, 0, sizeof(*engines));
    engines->data = data;
    if (rf_compile(&predicate, 1, NULL, 0, (struct rf_compile_options){0}, &engines->compiled, &diagnostic, &failed,
                   &err) != RF_OK) {
        fprintf(stderr, "riffle-bench: %s: %s\n", shape->expression, err.text);
        return false;
    }
    engines->options = (struct rf_pipeline_options){
        .compiled = &engines->compiled,
        .emit = RF_EMIT_NONE,
        .backend = RF_BACKEND_CPU,
        .isa = rf_isa_best(),
        .threads = 1,
        /* The index leaves room for the rows of one more word. */
        .rows_max = EXPR_ROWS_MAX + 64,
        .depth_max = RF_DEPTH_MAX_DEFAULT,
        .max_count = UINT64_MAX,
    };
    if (rf_worker_open(&engines->columns, &engines->options, &err) != RF_OK ||
        rf_worker_open(&engines->raw, &engines->options, &err) != RF_OK) {
        fprintf(stderr, "riffle-bench: %s\n", err.text);
        return false;
    }
    return columns_fill(engines) && answers_compare(engines, shape->name) && interps_keep(engines);
}

void expr_engines_close(struct expr_engines *engines)
{
    for (uint32_t i = 0; i < engines->kept_rows; i++) {
        rf_interp_close(engines->kept[i]);
    }
    if (engines->options.compiled != NULL) {
        rf_worker_close(&engines->columns);
        rf_worker_close(&engines->raw);
    }
    rf_compiled_close(&engines->compiled);
    memset(engines, 0, sizeof(*engines));
}
