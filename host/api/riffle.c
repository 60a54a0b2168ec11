#include "riffle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "fix_choice.h"
#include "worker.h"

struct riffle_program {
    struct rf_arena arena; /* of the FIX dictionary */
    struct rf_env env;     /* of FIX */
    struct rf_compiled compiled;
    struct rf_pipeline_options options; /* what every runner's worker gets */
};

struct riffle_runner {
    const struct riffle_program *program;
    struct rf_worker worker;
    struct rf_text text;    /* JSON of the last list or map */
    uint8_t **kind;         /* [projections][R], made when first asked */
    uint64_t records;       /* before the batch at hand */
};

struct riffle_batch { /* what on_batch sees: asking for values works on the runner's scratch */
    struct riffle_runner *runner;
};

static enum riffle_status error_give(struct riffle_error *error, const struct rf_error *err)
{
    switch (err->status) {
    case RF_E_EXPR:
        error->status = RIFFLE_E_EXPRESSION;
        break;
    case RF_E_LIMIT:
        error->status = RIFFLE_E_LIMIT;
        break;
    case RF_E_MEMORY:
        error->status = RIFFLE_E_MEMORY;
        break;
    case RF_E_IO:
        error->status = RIFFLE_E_IO;
        break;
    default:
        error->status = RIFFLE_E_USAGE;
        break;
    }
    snprintf(error->text, sizeof(error->text), "%s", err->text);
    return error->status;
}

static enum riffle_status usage_error(struct riffle_error *error, const char *text)
{
    error->status = RIFFLE_E_USAGE;
    snprintf(error->text, sizeof(error->text), "%s", text);
    return RIFFLE_E_USAGE;
}

const char *riffle_version(void)
{
    return RF_VERSION;
}

static enum riffle_status program_compile(struct riffle_program *program, const struct riffle_spec *spec,
                                          struct riffle_error *error)
{
    const size_t count = (size_t)spec->predicates + spec->projections;
    struct rf_str *source = calloc(count, sizeof(*source));
    struct rf_error err = {.status = RF_E_MEMORY, .text = "no memory for the expressions"};
    if (source == NULL) {
        return error_give(error, &err);
    }
    for (size_t i = 0; i < count; i++) {
        source[i] = rf_str_of(i < spec->predicates ? spec->predicate[i] : spec->projection[i - spec->predicates]);
    }
    const struct rf_compile_options options = {.is_strict_cel = spec->is_strict_cel,
                                               .is_text = spec->format == RIFFLE_TEXT,
                                               .env = spec->format == RIFFLE_FIX ? &program->env : NULL};
    struct rf_diagnostic diagnostic;
    const enum rf_status status =
        rf_compile(source, spec->predicates, source + spec->predicates, spec->projections, options,
                   &program->compiled, &diagnostic, &error->expression, &err);
    free(source);
    if (status == RF_E_EXPR) {
        error->status = RIFFLE_E_EXPRESSION;
        error->line = diagnostic.line;
        error->column = diagnostic.column;
        snprintf(error->text, sizeof(error->text), "%s", diagnostic.text);
        return RIFFLE_E_EXPRESSION;
    }
    return status == RF_OK ? RIFFLE_OK : error_give(error, &err);
}

enum riffle_status riffle_program_open(struct riffle_program **out, const struct riffle_spec *spec,
                                       struct riffle_error *error)
{
    *out = NULL;
    memset(error, 0, sizeof(*error));
    if (spec->predicates == 0) {
        return usage_error(error, "a program needs at least one predicate");
    }
    if (spec->depth_max > RF_DEPTH_MAX_LIMIT) {
        return usage_error(error, "depth_max is above 65536");
    }
    struct rf_error err;
    enum rf_isa isa;
    if (rf_isa_select(&isa, &err) != RF_OK) {
        return error_give(error, &err);
    }
    struct riffle_program *program = calloc(1, sizeof(*program));
    if (program == NULL) {
        error->status = RIFFLE_E_MEMORY;
        snprintf(error->text, sizeof(error->text), "no memory for a program");
        return RIFFLE_E_MEMORY;
    }
    rf_arena_init(&program->arena, RF_FIX_CHOICE_BYTES_MAX);
    program->env = rf_env_filter;
    const struct rf_str names = rf_str_of(spec->fix_dict == NULL ? "" : spec->fix_dict);
    enum riffle_status status = RIFFLE_OK;
    if (spec->format == RIFFLE_FIX && rf_fix_choose(&program->arena, names, &program->env.fix, &err) != RF_OK) {
        status = error_give(error, &err);
    }
    status = status == RIFFLE_OK ? program_compile(program, spec, error) : status;
    if (status != RIFFLE_OK) {
        rf_arena_free(&program->arena);
        free(program);
        return status;
    }
    program->options = (struct rf_pipeline_options){
        .compiled = &program->compiled,
        .emit = RF_EMIT_NONE,
        .backend = spec->engine == RIFFLE_INTERP ? RF_BACKEND_INTERP : RF_BACKEND_CPU,
        .isa = isa,
        .threads = 1,
        .batch_bytes = spec->batch_bytes,
        .record_bytes_max = spec->record_bytes_max,
        .depth_max = spec->depth_max == 0 ? RF_DEPTH_MAX_DEFAULT : spec->depth_max,
        .is_validating = spec->is_validating,
        .is_prefilter_allowed = spec->has_prefilter && spec->predicates == 1,
        .is_text = spec->format == RIFFLE_TEXT,
        .is_fix_lenient = spec->is_fix_lenient,
        .max_count = UINT64_MAX,
    };
    *out = program;
    return RIFFLE_OK;
}

void riffle_program_close(struct riffle_program *program)
{
    if (program != NULL) {
        rf_compiled_close(&program->compiled);
        rf_arena_free(&program->arena);
        free(program);
    }
}

enum riffle_status riffle_runner_open(struct riffle_runner **out, const struct riffle_program *program,
                                      struct riffle_error *error)
{
    memset(error, 0, sizeof(*error));
    *out = NULL;
    struct rf_error err = {.status = RF_E_MEMORY, .text = "no memory for a runner"};
    struct riffle_runner *runner = calloc(1, sizeof(*runner));
    uint8_t **kind = calloc((size_t)program->compiled.projections + 1, sizeof(*kind));
    if (runner == NULL || kind == NULL) {
        free(runner);
        free(kind);
        return error_give(error, &err);
    }
    runner->program = program;
    runner->kind = kind;
    if (rf_worker_open(&runner->worker, &program->options, &err) != RF_OK) {
        riffle_runner_close(runner);
        return error_give(error, &err);
    }
    *out = runner;
    return RIFFLE_OK;
}

void riffle_runner_close(struct riffle_runner *runner)
{
    if (runner == NULL) {
        return;
    }
    for (uint32_t p = 0; p < runner->program->compiled.projections; p++) {
        free(runner->kind[p]);
    }
    free(runner->kind);
    rf_text_free(&runner->text);
    rf_worker_close(&runner->worker);
    free(runner);
}

/* One batch, in one or more rounds. */
static enum rf_status batch_run(struct riffle_runner *runner, riffle_batch_function on_batch, void *context,
                                struct rf_error *err)
{
    struct rf_worker *worker = &runner->worker;
    const struct riffle_batch batch = {runner};
    do {
        RF_TRY(rf_worker_index(worker, err));
        rf_worker_extract(worker);
        RF_TRY(rf_worker_eval(worker, err));
        if (!on_batch(context, &batch)) {
            return RF_STOP;
        }
        runner->records += worker->rows.lines;
        worker->rows.lines_before += worker->rows.lines;
        worker->batch.cursor = worker->rows.cursor;
    } while (worker->batch.cursor < worker->batch.bytes_used);
    return RF_OK;
}

/* A buffer that is no text of ours (UTF-16). */
static void problem_note(void *context, const char *input_name, const char *text)
{
    (void)rf_error_set(context, RF_E_FORMAT, __FILE__, __LINE__, "%s: %s", input_name, text);
}

enum riffle_status riffle_runner_scan(struct riffle_runner *runner, const void *bytes, size_t count,
                                      riffle_batch_function on_batch, void *context, struct riffle_error *error)
{
    memset(error, 0, sizeof(*error));
    struct rf_error err;
    struct rf_error problem = {.status = RF_OK};
    struct rf_source *source;
    const struct rf_source_options options = {
        .batch_bytes = runner->program->options.batch_bytes,
        .record_bytes_max = runner->program->options.record_bytes_max,
        .is_text = runner->program->options.is_text,
        .is_fix = runner->program->compiled.program.fix_dict != NULL,
        .counts_records = runner->program->compiled.program.needs_number,
        .on_problem = problem_note,
        .context = &problem,
    };
    if (rf_source_open_memory(&source, bytes, count, "buffer", options, &err) != RF_OK) {
        return error_give(error, &err);
    }
    runner->records = 0;
    enum rf_status status = RF_OK;
    while (status == RF_OK) {
        status = rf_source_fill(source, &runner->worker.batch, &err);
        if (status == RF_OK) {
            rf_worker_date(&runner->worker);
            status = batch_run(runner, on_batch, context, &err);
        }
    }
    rf_source_close(source);
    if (status == RF_STOP) {
        return RIFFLE_STOPPED;
    }
    if (status == RF_END && problem.status == RF_OK) {
        return RIFFLE_OK;
    }
    return error_give(error, status == RF_END ? &problem : &err);
}

uint32_t riffle_batch_rows(const struct riffle_batch *batch)
{
    return batch->runner->worker.rows.rows;
}

uint32_t riffle_batch_records(const struct riffle_batch *batch)
{
    return batch->runner->worker.rows.lines;
}

const char *riffle_batch_record(const struct riffle_batch *batch, uint32_t row, size_t *count)
{
    const struct rf_str text = rf_row_text(&batch->runner->worker.batch, &batch->runner->worker.rows, row);
    *count = text.count;
    return text.data;
}

uint64_t riffle_batch_offset(const struct riffle_batch *batch, uint32_t row)
{
    return batch->runner->worker.batch.offset + batch->runner->worker.rows.begin[row];
}

uint64_t riffle_batch_number(const struct riffle_batch *batch, uint32_t row)
{
    const struct rf_worker *worker = &batch->runner->worker;
    const uint32_t begin = worker->batch.cursor;
    return batch->runner->records +
           (worker->rows.is_sparse ? rf_lines_count(worker->batch.bytes + begin, worker->rows.begin[row] - begin)
                                   : row);
}

enum riffle_row_status riffle_batch_status(const struct riffle_batch *batch, uint32_t row)
{
    switch (batch->runner->worker.rows.status[row]) {
    case RF_ROW_MALFORMED:
        return RIFFLE_ROW_MALFORMED;
    case RF_ROW_BLANK:
        return RIFFLE_ROW_BLANK;
    default:
        return RIFFLE_ROW_READ;
    }
}

const uint64_t *riffle_batch_truth(const struct riffle_batch *batch, uint32_t predicate)
{
    return batch->runner->worker.eval.truth[predicate];
}

const uint64_t *riffle_batch_falsity(const struct riffle_batch *batch, uint32_t predicate)
{
    return batch->runner->worker.eval.falsity[predicate];
}

uint32_t riffle_batch_selected(const struct riffle_batch *batch, uint32_t predicate, uint32_t *rows, uint32_t rows_max)
{
    const uint64_t *truth = riffle_batch_truth(batch, predicate);
    const uint32_t words = rf_bitmap_words(riffle_batch_rows(batch));
    uint32_t count = 0;
    for (uint32_t w = 0; w < words; w++) {
        for (uint64_t bits = truth[w]; bits != 0; bits &= bits - 1) {
            if (count < rows_max) {
                rows[count] = w * 64 + (uint32_t)__builtin_ctzll(bits);
            }
            count++;
        }
    }
    return count;
}

static enum riffle_type type_of(struct rf_value value)
{
    switch (value.type) {
    case RF_TYPE_NULL:
        return RIFFLE_NULL;
    case RF_TYPE_BOOL:
        return RIFFLE_BOOL;
    case RF_TYPE_INT:
        return RIFFLE_INT;
    case RF_TYPE_UINT:
        return RIFFLE_UINT;
    case RF_TYPE_DOUBLE:
        return value.is_message && value.text.count != 0 ? RIFFLE_NUMBER : RIFFLE_DOUBLE;
    case RF_TYPE_STRING:
        return RIFFLE_STRING;
    case RF_TYPE_BYTES:
        return RIFFLE_BYTES;
    case RF_TYPE_LIST:
        return RIFFLE_LIST;
    case RF_TYPE_MAP:
        return RIFFLE_MAP;
    case RF_TYPE_TIMESTAMP:
        return RIFFLE_TIMESTAMP;
    case RF_TYPE_DURATION:
        return RIFFLE_DURATION;
    case RF_TYPE_TYPE:
    case RF_TYPE_IP:
    case RF_TYPE_CIDR:
        return RIFFLE_STRING;
    case RF_TYPE_OPTIONAL: /* unwrapped before */
    case RF_TYPE_ERROR:
    case RF_TYPE_DYN:
        break;
    }
    return RIFFLE_ERROR;
}

enum riffle_status riffle_batch_value(const struct riffle_batch *batch, uint32_t projection, uint32_t row,
                                      struct riffle_value *value, struct riffle_error *error)
{
    struct rf_worker *worker = &batch->runner->worker;
    struct rf_text *text = &batch->runner->text;
    memset(error, 0, sizeof(*error));
    memset(value, 0, sizeof(*value));
    if (projection >= worker->options->compiled->projections || row >= worker->rows.rows ||
        riffle_batch_status(batch, row) != RIFFLE_ROW_READ) {
        return usage_error(error, "no such projection, or no such row");
    }
    struct rf_error err;
    struct rf_value found;
    if (rf_emit_value(worker, row, projection, &found, &err) != RF_OK) {
        return error_give(error, &err);
    }
    for (uint32_t i = 0; found.type == RF_TYPE_OPTIONAL && i < RF_VALUE_DEPTH_MAX; i++) {
        found = found.inner == NULL ? rf_value_null() : *found.inner;
    }
    value->type = type_of(found);
    if (rf_emit_is_absent(worker, projection, found)) {
        value->type = RIFFLE_ABSENT;
    }
    if (rf_value_is_beyond_range(found)) { /* as in its column: no double, and nothing that may pass for one */
        found = rf_value_error("number beyond the double range");
        value->type = RIFFLE_ERROR;
    }
    const bool is_time = value->type == RIFFLE_TIMESTAMP || value->type == RIFFLE_DURATION;
    value->integer = value->type == RIFFLE_BOOL                ? found.boolean
                     : value->type == RIFFLE_INT || is_time ? found.exact.as.i
                                                            : 0;
    value->natural = value->type == RIFFLE_UINT ? found.exact.as.u : value->type == RIFFLE_TIMESTAMP ? found.nanos : 0;
    value->real = value->type == RIFFLE_DOUBLE || value->type == RIFFLE_NUMBER ? rf_number_to_double(found.exact) : 0;
    value->text = found.text.data;
    value->text_count = found.text.count;
    if (is_time || found.type == RF_TYPE_IP || found.type == RF_TYPE_CIDR) {
        char written[RF_VALUE_TEXT_MAX];
        rf_text_clear(text);
        if (rf_text_append(text, (struct rf_str){written, rf_value_text(found, written)}, &err) != RF_OK) {
            return error_give(error, &err);
        }
        value->text = text->data;
        value->text_count = text->count;
    } else if (value->type == RIFFLE_LIST || value->type == RIFFLE_MAP) {
        rf_text_clear(text);
        if (rf_value_write_json(text, found, &err) != RF_OK) {
            return error_give(error, &err);
        }
        value->text = text->data;
        value->text_count = text->count;
    }
    return RIFFLE_OK;
}

static uint8_t kind_of(uint8_t tag)
{
    switch (tag) {
    case RF_TAG_NULL:
        return RIFFLE_NULL;
    case RF_TAG_FALSE:
    case RF_TAG_TRUE:
        return RIFFLE_BOOL;
    case RF_TAG_NUMBER:
    case RF_TAG_BIGINT:
    case RF_TAG_BIGUINT:
        return RIFFLE_NUMBER;
    case RF_TAG_STRING_RAW:
    case RF_TAG_STRING_ESCAPED:
        return RIFFLE_STRING;
    case RF_TAG_LIST:
        return RIFFLE_LIST;
    case RF_TAG_OBJECT:
        return RIFFLE_MAP;
    case RF_TAG_INT:
        return RIFFLE_INT;
    case RF_TAG_TIMESTAMP: /* now */
        return RIFFLE_TIMESTAMP;
    case RF_TAG_RANGE:
        return RIFFLE_ERROR;
    default:
        return RIFFLE_ABSENT;
    }
}

bool riffle_batch_column(const struct riffle_batch *batch, uint32_t projection, struct riffle_column *column)
{
    struct rf_worker *worker = &batch->runner->worker;
    const struct rf_compiled *compiled = worker->options->compiled;
    if (projection >= compiled->projections || compiled->projection[projection]->slot == RF_NONE ||
        worker->options->backend != RF_BACKEND_CPU || worker->batch.is_oversize) {
        return false;
    }
    uint8_t **kind = &batch->runner->kind[projection];
    if (*kind == NULL) {
        *kind = malloc(worker->rows.rows_max);
    }
    if (*kind == NULL) {
        return false;
    }
    const struct rf_column *source = &worker->columns.slot[compiled->projection[projection]->slot];
    for (uint32_t row = 0; row < worker->rows.rows; row++) {
        (*kind)[row] = kind_of(source->tag[row]);
    }
    column->kind = *kind;
    column->payload = source->payload;
    return true;
}
