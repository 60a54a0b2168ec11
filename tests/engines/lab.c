#include "lab.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cells.h"
#include "function.h"
#include "lab_time.h"
#include "lift.h"
#include "table.h"
#include "worker.h"

enum { DEPTH_MAX = 120, VALUES_BYTES_MAX = 1 << 30 };

/* ---- Engines ---- */

enum { DEVICE = RF_ISA_COUNT, ENGINES };

static const struct rf_device_api *device;

void lab_use_device(const struct rf_device_api *api)
{
    device = api;
}

static bool engine_is_used(int engine)
{
    return engine == DEVICE ? device != NULL : engine <= (int)rf_isa_best();
}

/* What the vector engine said at one level. */
struct answers {
    uint8_t *status;        /* [rows] */
    uint8_t *truth;         /* [predicates][rows] enum rf_truth */
    struct rf_value *value; /* [projections][rows]; RF_TYPE_DYN: the interpreter must be asked */
};

struct lab {
    const struct lab_case *input;
    struct lab_report *report;
    struct rf_compiled compiled;
    struct rf_arena arena;
    uint32_t rows; /* room for so many; then the count */
    struct answers answers[ENGINES];
    /* of the reader */
    struct answers *reading;
    uint32_t base;
    uint64_t engine_ns;
    uint64_t interp_ns;
};

static void *take(struct rf_arena *arena, size_t count, size_t size)
{
    void *piece = rf_arena_push_zero(arena, count, size, 16);
    if (piece == NULL) {
        fprintf(stderr, "lab: no memory\n");
        abort();
    }
    return piece;
}

static void must(enum rf_status status, const struct rf_error *err)
{
    if (status != RF_OK) {
        fprintf(stderr, "lab: %s\n", err->text);
        abort();
    }
}

static void count_functions(const struct rf_node *node, bool *uses)
{
    if (node->function < RF_FUNCTION_COUNT && (node->kind == RF_NODE_CALL || node->kind == RF_NODE_MACRO)) {
        uses[node->function] = true;
    }
    uses[RF_FN_HAS] = uses[RF_FN_HAS] || node->kind == RF_NODE_HAS;
    for (uint32_t i = 0; i < node->args; i++) {
        count_functions(node->arg[i], uses);
    }
}

/* ---- Comparison ---- */

static bool text_bits_same(struct rf_value a, struct rf_value b)
{
    const bool is_text = a.type == RF_TYPE_STRING || a.type == RF_TYPE_BYTES || a.type == RF_TYPE_TYPE;
    return !is_text || rf_str_equal(a.text, b.text);
}

static bool number_bits_same(struct rf_number a, struct rf_number b)
{
    const bool both_nan =
        a.kind == RF_NUMBER_DOUBLE && b.kind == RF_NUMBER_DOUBLE && a.as.d != a.as.d && b.as.d != b.as.d;
    return a.kind == b.kind && (both_nan || a.as.u == b.as.u);
}

/* To the bottom: types, the bits of numbers (any NaN is like any other), the order of maps. Recursion is as deep as the
 * value, which is at most RF_CELLS_DEPTH_MAX. */
static bool values_same(struct rf_value a, struct rf_value b)
{
    if (a.type != b.type || a.is_message != b.is_message || !text_bits_same(a, b)) {
        return false;
    }
    switch (a.type) {
    case RF_TYPE_BOOL:
        return a.boolean == b.boolean;
    case RF_TYPE_INT:
    case RF_TYPE_UINT:
    case RF_TYPE_DOUBLE:
    case RF_TYPE_DURATION:
        return number_bits_same(a.exact, b.exact);
    case RF_TYPE_TIMESTAMP:
        return number_bits_same(a.exact, b.exact) && a.nanos == b.nanos;
    case RF_TYPE_LIST:
        for (size_t i = 0; i < a.list->count && a.list->count == b.list->count; i++) {
            if (!values_same(a.list->item[i], b.list->item[i])) {
                return false;
            }
        }
        return a.list->count == b.list->count;
    case RF_TYPE_MAP:
        for (size_t i = 0; i < a.map->count && a.map->count == b.map->count; i++) {
            if (!values_same(a.map->entry[i].key, b.map->entry[i].key) ||
                !values_same(a.map->entry[i].value, b.map->entry[i].value)) {
                return false;
            }
        }
        return a.map->count == b.map->count;
    case RF_TYPE_OPTIONAL:
        return (a.inner == NULL) == (b.inner == NULL) && (a.inner == NULL || values_same(*a.inner, *b.inner));
    case RF_TYPE_IP:
    case RF_TYPE_CIDR:
        return rf_value_match(a, b) == RF_EQUALITY_SAME;
    default:
        return true;
    }
}

static void value_show(struct rf_value value, char *text, size_t size)
{
    struct rf_text json = {0};
    struct rf_error err;
    if (value.type == RF_TYPE_ERROR) {
        (void)snprintf(text, size, "error: %.*s", RF_STR_ARG(value.text));
        return;
    }
    if (rf_value_find_error(&value) == NULL) {
        must(rf_value_write_json(&json, value, &err), &err);
    } else {
        put(&json, "(with an error in it)");
    }
    const size_t room = size - 40;
    (void)snprintf(text, size, "%s%s %.*s", value.is_message ? "message " : "", rf_type_name(value.type),
                   (int)(json.count < room ? json.count : room), json.data);
    rf_text_free(&json);
}

static enum lab_verdict difference(struct lab *lab, uint32_t source, uint32_t row, int isa, const char *engine,
                                   const char *interp)
{
    lab->report->source = source;
    lab->report->row = row;
    (void)snprintf(lab->report->what, sizeof lab->report->what, "cpu %s gives %s, interp gives %s",
                   isa == DEVICE ? "(device)" : rf_isa_name((enum rf_isa)isa), engine, interp);
    return LAB_DIFFERENT;
}

static enum lab_verdict value_check(struct lab *lab, uint32_t projection, uint32_t row, struct rf_value value)
{
    char engine[150];
    char interp[150];
    lab->report->pairs++;
    lab->report->of[value.type == RF_TYPE_ERROR ? RF_TRUTH_ERROR : RF_TRUTH_TRUE]++;
    for (int isa = 0; isa <= (int)rf_isa_best(); isa++) {
        const struct rf_value found = lab->answers[isa].value[(size_t)projection * lab->rows + row];
        /* Numbers beyond the range pass through projections of the interpreter, which alone writes them as they came. */
        const bool is_passed = rf_value_is_beyond_range(value) && found.type == RF_TYPE_ERROR;
        const bool is_same = found.type == RF_TYPE_DYN || is_passed || values_same(found, value) ||
                             rf_value_is_bound_error(value) || rf_value_is_bound_error(found);
        if (!is_same) {
            value_show(found, engine, sizeof engine);
            value_show(value, interp, sizeof interp);
            return difference(lab, lab->input->predicates + projection, row, isa, engine, interp);
        }
    }
    return LAB_SAME;
}

static enum lab_verdict truth_check(struct lab *lab, uint32_t predicate, uint32_t row, enum rf_truth truth,
                                    struct rf_str reason)
{
    static const char *const name[] = {
        [RF_TRUTH_FALSE] = "false", [RF_TRUTH_TRUE] = "true", [RF_TRUTH_ERROR] = "an error"};
    const struct rf_value error = {.type = RF_TYPE_ERROR, .text = reason};
    char interp[150];
    lab->report->pairs++;
    lab->report->of[truth]++;
    for (int isa = 0; isa < ENGINES; isa++) {
        if (!engine_is_used(isa)) {
            continue;
        }
        const enum rf_truth found = (enum rf_truth)lab->answers[isa].truth[(size_t)predicate * lab->rows + row];
        if (found != truth && !(truth == RF_TRUTH_ERROR && rf_value_is_bound_error(error))) {
            (void)snprintf(interp, sizeof interp, "%s %.*s", name[truth], RF_STR_ARG(reason));
            return difference(lab, predicate, row, isa, name[found], interp);
        }
    }
    return LAB_SAME;
}

/* ---- Time ---- */

static enum lab_verdict time_check(struct lab *lab, uint32_t source, uint32_t row, uint64_t begin_ns)
{
    const uint64_t ns = lab_cpu_ns() - begin_ns;
    lab->interp_ns += ns;
    lab->report->slowest_ns = ns > lab->report->slowest_ns ? ns : lab->report->slowest_ns;
    if (ns > LAB_PAIR_NS_MAX) {
        lab->report->source = source;
        lab->report->row = row;
        (void)snprintf(lab->report->what, sizeof lab->report->what, "interp takes %" PRIu64 " ms", ns / 1000000);
        return LAB_SLOW;
    }
    return LAB_SAME;
}

/* A level may not be much slower than the interpreter where that matters at all. */
static enum lab_verdict engines_time_check(struct lab *lab)
{
    if (lab->engine_ns / RF_ISA_COUNT > LAB_PAIR_NS_MAX && lab->engine_ns / RF_ISA_COUNT > 4 * lab->interp_ns) {
        lab->report->source = 0;
        lab->report->row = 0;
        (void)snprintf(lab->report->what, sizeof lab->report->what,
                       "cpu takes %" PRIu64 " ms in all, interp %" PRIu64 " ms", lab->engine_ns / 1000000,
                       lab->interp_ns / 1000000);
        return LAB_SLOW;
    }
    return LAB_SAME;
}

/* ---- Records ---- */

static void block_read(void *context, const struct rf_eval *eval, uint32_t first, uint32_t rows,
                       const struct rf_eval_block *block)
{
    struct lab *lab = context;
    for (uint32_t p = 0; p < lab->compiled.projections; p++) {
        for (uint32_t i = 0; i < rows; i++) {
            struct rf_value *out = &lab->reading->value[(size_t)p * lab->rows + lab->base + first + i];
            out->type = RF_TYPE_DYN;
            if (eval->program->value[p] == RF_NONE || lab->reading->status[lab->base + first + i] != RF_ROW_REJECTED) {
                continue;
            }
            const struct rf_cell cell = rf_eval_value(eval, block, p, i);
            if (cell.tag == RF_TAG_HOST || !rf_cell_to_value(&cell, &lab->arena, out)) {
                out->type = RF_TYPE_DYN;
            }
        }
    }
}

static struct rf_pipeline_options options_of(const struct lab *lab, enum rf_backend backend, enum rf_isa isa)
{
    return (struct rf_pipeline_options){.compiled = &lab->compiled,
                                        .emit = RF_EMIT_NONE,
                                        .backend = backend,
                                        .isa = isa,
                                        .threads = 1,
                                        .rows_max = lab->input->rows_max,
                                        .depth_max = DEPTH_MAX,
                                        .is_validating = lab->input->is_validating,
                                        .prefix_begin = "",
                                        .prefix_end = "",
                                        .max_count = UINT64_MAX,
                                        .record_bytes_max = RF_RECORD_BYTES_DEFAULT};
}

/* The records as a batch in one piece; a worker goes through it in rounds. */
static void worker_begin(struct lab *lab, struct rf_worker *worker, const struct rf_pipeline_options *options)
{
    struct rf_error err;
    must(rf_worker_open(worker, options, &err), &err);
    must(rf_batch_reserve(&worker->batch, lab->input->records.count, &err), &err);
    if (lab->input->records.count != 0) {
        memcpy(worker->batch.owned, lab->input->records.data, lab->input->records.count);
    }
    worker->batch.bytes = worker->batch.owned;
    worker->batch.bytes_used = (uint32_t)lab->input->records.count;
    worker->batch.input_name = "input";
    worker->batch.first_number = 1;
    worker->batch.now_seconds = 1776504600; /* 2026-04-18T09:30:00.25Z */
    worker->batch.now_nanos = 250000000;
}

/* True while there is a round to run. */
static bool worker_next(struct rf_worker *worker, uint32_t *base)
{
    if (worker->rows.cursor != 0 || worker->rows.rows != 0) {
        *base += worker->rows.rows;
        worker->rows.lines_before += worker->rows.lines;
        worker->batch.cursor = worker->rows.cursor;
    }
    return worker->batch.cursor < worker->batch.bytes_used;
}

static void round_note(struct lab *lab, const struct rf_worker *worker, struct answers *answers, uint32_t base)
{
    for (uint32_t row = 0; row < worker->rows.rows; row++) {
        answers->status[base + row] = worker->rows.status[row];
        for (uint32_t p = 0; p < lab->compiled.program.predicates; p++) {
            const bool is_true = rf_bit_get(worker->eval.truth[p], row);
            const bool is_false = rf_bit_get(worker->eval.falsity[p], row);
            answers->truth[(size_t)p * lab->rows + base + row] = is_true    ? RF_TRUTH_TRUE
                                                                 : is_false ? RF_TRUTH_FALSE
                                                                            : RF_TRUTH_ERROR;
        }
    }
}

/* What is only tallied must be what is kept. */
static void tile_check(void *context, const struct rf_eval_tile *tile)
{
    const struct rf_eval *kept = context;
    const uint32_t word = tile->first / 64;
    for (uint32_t i = 0; i < tile->count; i++) {
        uint64_t truth[RF_EVAL_BLOCK_WORDS];
        uint64_t falsity[RF_EVAL_BLOCK_WORDS];
        uint32_t hits = 0;
        uint32_t errors = 0;
        bool is_same = true;
        rf_eval_tile_truth(tile, i, truth);
        rf_eval_tile_falsity(tile, i, falsity);
        for (uint32_t w = 0; w < tile->words; w++) {
            is_same = is_same && truth[w] == kept->truth[tile->predicate[i]][word + w] &&
                      falsity[w] == kept->falsity[tile->predicate[i]][word + w];
            hits += (uint32_t)__builtin_popcountll(truth[w]);
            errors += (uint32_t)__builtin_popcountll(tile->live[w] & ~(truth[w] | falsity[w]));
        }
        if (!is_same || hits != tile->hits[i].hits || errors != tile->hits[i].errors) {
            (void)fprintf(stderr, "lab: predicate %u is tallied otherwise than it is decided, from row %u on\n",
                          tile->predicate[i], tile->first);
            abort();
        }
    }
}

static void tally_check(struct rf_eval *tally, struct rf_worker *worker, enum rf_isa isa)
{
    const struct rf_host host = {worker, rf_worker_decide};
    const struct rf_eval_reader reader = {.context = &worker->eval, .tally = tile_check};
    rf_eval_read(tally, isa, worker->view, &worker->rows, &worker->columns, &host, &reader);
}

static void records_engine(struct lab *lab, enum rf_isa isa)
{
    struct answers *answers = &lab->answers[isa];
    const struct rf_pipeline_options options = options_of(lab, RF_BACKEND_CPU, isa);
    const struct rf_eval_reader reader = {.context = lab, .read = block_read};
    struct rf_worker worker;
    struct rf_eval tally;
    struct rf_error err;
    uint32_t base = 0;
    worker_begin(lab, &worker, &options);
    must(rf_eval_open_tally(&tally, worker.program, worker.eval.rows_max, &err), &err);
    const uint64_t begin_ns = lab_cpu_ns();
    const struct rf_host host = {&worker, rf_worker_decide};
    lab->reading = answers;
    while (worker_next(&worker, &base)) {
        must(rf_worker_index(&worker, &err), &err);
        rf_worker_extract(&worker);
        lab->base = base;
        for (uint32_t row = 0; row < worker.rows.rows; row++) {
            answers->status[base + row] = worker.rows.status[row];
        }
        rf_eval_read(&worker.eval, isa, worker.view, &worker.rows, &worker.columns, &host,
                     lab->compiled.program.values != 0 ? &reader : NULL);
        round_note(lab, &worker, answers, base);
        tally_check(&tally, &worker, isa);
    }
    rf_eval_close(&tally);
    lab->engine_ns += lab_cpu_ns() - begin_ns;
    lab->report->host_rows += worker.eval.host_rows;
    rf_worker_close(&worker);
}

static void records_device(struct lab *lab)
{
    struct rf_pipeline_options options = options_of(lab, RF_BACKEND_CPU, rf_isa_best());
    struct rf_worker worker;
    struct rf_error err;
    uint32_t base = 0;
    options.device = device;
    worker_begin(lab, &worker, &options);
    while (worker_next(&worker, &base)) {
        must(rf_worker_index(&worker, &err), &err);
        rf_worker_extract(&worker);
        must(rf_worker_eval(&worker, &err), &err);
        round_note(lab, &worker, &lab->answers[DEVICE], base);
    }
    lab->report->device_rows += worker.offload.device.rows;
    lab->report->redone_rows += worker.offload.redone_rows;
    if (worker.offload.failed_batches != 0) {
        (void)fprintf(stderr, "lab: a batch failed on the device: %s\n", worker.offload.why);
        abort();
    }
    rf_worker_close(&worker);
}

static enum lab_verdict row_check(struct lab *lab, struct rf_worker *worker, uint32_t row, uint32_t place)
{
    enum lab_verdict verdict = LAB_SAME;
    for (uint32_t p = 0; p < lab->compiled.program.predicates && verdict == LAB_SAME; p++) {
        const uint64_t begin_ns = lab_cpu_ns();
        const enum rf_truth truth = rf_interp_predicate(worker->interp, p);
        verdict = time_check(lab, p, place, begin_ns);
        verdict = verdict != LAB_SAME ? verdict : truth_check(lab, p, place, truth, rf_interp_error(worker->interp));
    }
    for (uint32_t p = 0; p < lab->compiled.program.values && verdict == LAB_SAME; p++) {
        const uint64_t begin_ns = lab_cpu_ns();
        const struct rf_value value = rf_interp_project(worker->interp, p);
        verdict = time_check(lab, lab->compiled.program.predicates + p, place, begin_ns);
        verdict = verdict != LAB_SAME ? verdict : value_check(lab, p, place, value);
    }
    (void)row;
    return verdict;
}

static enum lab_verdict status_check(struct lab *lab, uint32_t place, enum rf_row_status status)
{
    for (int isa = 0; isa < ENGINES; isa++) {
        if (!engine_is_used(isa)) {
            continue;
        }
        const enum rf_row_status found = (enum rf_row_status)lab->answers[isa].status[place];
        if (found != status) {
            return difference(lab, 0, place, isa, rf_row_status_key(found), rf_row_status_key(status));
        }
    }
    return LAB_SAME;
}

static enum lab_verdict records_check(struct lab *lab)
{
    const struct rf_pipeline_options options = options_of(lab, RF_BACKEND_INTERP, RF_ISA_SCALAR);
    struct rf_worker worker;
    struct rf_error err;
    uint32_t base = 0;
    enum lab_verdict verdict = LAB_SAME;
    worker_begin(lab, &worker, &options);
    while (verdict == LAB_SAME && worker_next(&worker, &base)) {
        must(rf_worker_index(&worker, &err), &err);
        for (uint32_t row = 0; row < worker.rows.rows && verdict == LAB_SAME; row++) {
            enum rf_row_status status = (enum rf_row_status)worker.rows.status[row];
            struct rf_malformed malformed = {.reason = RF_REASON_NONE};
            if (status != RF_ROW_BLANK && status != RF_ROW_MALFORMED) {
                const uint64_t begin_ns = lab_cpu_ns();
                must(rf_worker_read_row(&worker, row, &malformed, &err), &err);
                lab->interp_ns += lab_cpu_ns() - begin_ns;
                status = malformed.reason != RF_REASON_NONE ? RF_ROW_MALFORMED : status;
            }
            verdict = status_check(lab, base + row, status);
            if (verdict == LAB_SAME && status == RF_ROW_REJECTED) {
                verdict = row_check(lab, &worker, row, base + row);
            }
        }
    }
    rf_worker_close(&worker);
    return verdict;
}

static void answers_open(struct lab *lab)
{
    for (int isa = 0; isa < ENGINES; isa++) {
        struct answers *answers = &lab->answers[isa];
        answers->status = take(&lab->arena, lab->rows, 1);
        answers->truth = take(&lab->arena, (size_t)lab->rows * lab->input->predicates, 1);
        answers->value = take(&lab->arena, (size_t)lab->rows * lab->input->projections, sizeof(struct rf_value));
    }
}

static enum lab_verdict records_run(struct lab *lab)
{
    const struct rf_text *records = &lab->input->records;
    lab->rows = (uint32_t)rf_lines_count((const uint8_t *)records->data, records->count) + 1;
    answers_open(lab);
    for (int isa = 0; isa <= (int)rf_isa_best(); isa++) {
        records_engine(lab, (enum rf_isa)isa);
    }
    if (device != NULL) {
        records_device(lab);
    }
    return records_check(lab);
}

/* ---- Tables ---- */

static const struct rf_env *table_env(bool is_unchecked)
{
    static struct rf_declaration declaration[FIELDS];
    static struct rf_env env[2];
    for (uint32_t f = 0; f < FIELDS; f++) {
        declaration[f] = (struct rf_declaration){rf_str_of(random_field_table[f].name), RF_STR("")};
    }
    for (int i = 0; i < 2; i++) {
        env[i] = (struct rf_env){.is_unchecked = i == 1, .declaration = declaration, .declarations = FIELDS};
    }
    return &env[is_unchecked ? 1 : 0];
}

static enum lab_verdict table_check(struct lab *lab, const struct rf_value *binding, size_t columns)
{
    struct rf_interp *interp = NULL;
    struct rf_error err;
    enum lab_verdict verdict = LAB_SAME;
    must(rf_interp_open(&interp, &lab->compiled, (struct rf_interp_options){0}, &err), &err);
    for (uint32_t row = 0; row < lab->rows && verdict == LAB_SAME; row++) {
        const struct rf_record record = {.binding = binding + row * columns};
        rf_interp_bind(interp, &record);
        const uint64_t begin_ns = lab_cpu_ns();
        const struct rf_value value = rf_interp_project(interp, 0);
        verdict = time_check(lab, 0, row, begin_ns);
        verdict = verdict != LAB_SAME ? verdict : value_check(lab, 0, row, value);
    }
    rf_interp_close(interp);
    return verdict;
}

static enum lab_verdict table_run(struct lab *lab)
{
    const struct lab_case *input = lab->input;
    const size_t columns = FIELDS + lab->compiled.lifted_count;
    struct rf_error err;
    lab->rows = input->rows;
    struct rf_value *binding = take(&lab->arena, columns * lab->rows, sizeof *binding);
    answers_open(lab);
    for (uint32_t row = 0; row < lab->rows; row++) {
        memcpy(binding + row * columns, input->binding + (size_t)row * FIELDS, FIELDS * sizeof *binding);
        for (uint32_t i = 0; i < lab->compiled.lifted_count; i++) {
            /* Each row has a neighbour of one literal; the others stay. */
            struct rf_value near[RF_LIFT_NEIGHBOURS_MAX] = {lab->compiled.lifted[i]};
            const uint32_t nears = rf_lift_neighbours(lab->compiled.lifted[i], &lab->arena, near);
            const bool is_varied = row % 3 == 2 && nears != 0;
            binding[row * columns + FIELDS + i] = is_varied ? near[(row / 3 + i) % nears] : lab->compiled.lifted[i];
        }
    }
    for (int isa = 0; isa <= (int)rf_isa_best(); isa++) {
        uint64_t host_rows = 0;
        const uint64_t begin_ns = lab_cpu_ns();
        const enum rf_status status = rf_table_eval(&lab->compiled, (enum rf_isa)isa, binding, lab->rows, &lab->arena,
                                                    lab->answers[isa].value, &host_rows, &err);
        if (status == RF_E_LIMIT) {
            return LAB_REFUSED;
        }
        must(status, &err);
        lab->engine_ns += lab_cpu_ns() - begin_ns;
        lab->report->host_rows += host_rows;
    }
    return table_check(lab, binding, columns);
}

/* ---- Both ---- */

enum lab_verdict lab_run(const struct lab_case *input, struct lab_report *report)
{
    struct lab lab = {.input = input, .report = report};
    struct rf_str source[LAB_SOURCES_MAX];
    struct rf_diagnostic diagnostic;
    struct rf_error err;
    uint32_t failed = 0;
    for (uint32_t i = 0; i < input->predicates + input->projections; i++) {
        source[i] = rf_text_str(&input->source[i]);
    }
    const struct rf_compile_options options = {.is_strict_cel = input->is_strict_cel,
                                               .is_lifting = input->is_table && input->is_lifting,
                                               .plans_values = input->projections != 0 && (device == NULL || input->is_table),
                                               .env = input->is_table ? table_env(input->is_unchecked) : NULL};
    const enum rf_status status = rf_compile(source, input->predicates, source + input->predicates, input->projections,
                                             options, &lab.compiled, &diagnostic, &failed, &err);
    if (status == RF_E_EXPR || status == RF_E_LIMIT) {
        report->source = failed;
        (void)snprintf(report->what, sizeof report->what, "%.*s", LAB_TEXT_MAX - 1, err.text);
        return LAB_REFUSED;
    }
    must(status, &err);
    for (uint32_t i = 0; i < input->predicates; i++) {
        count_functions(lab.compiled.predicate[i], report->uses);
    }
    for (uint32_t i = 0; i < input->projections; i++) {
        count_functions(lab.compiled.projection[i], report->uses);
    }
    rf_arena_init(&lab.arena, VALUES_BYTES_MAX);
    enum lab_verdict verdict = input->is_table ? table_run(&lab) : records_run(&lab);
    verdict = verdict == LAB_SAME ? engines_time_check(&lab) : verdict;
    rf_arena_free(&lab.arena);
    rf_compiled_close(&lab.compiled);
    return verdict;
}

void lab_case_free(struct lab_case *lab)
{
    for (uint32_t i = 0; i < LAB_SOURCES_MAX; i++) {
        rf_text_free(&lab->source[i]);
    }
    rf_text_free(&lab->records);
    rf_arena_free(&lab->arena);
}
