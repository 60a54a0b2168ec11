/* run_cases [--device] FILE...: runs every case on the interpreter's own API and, through the pipeline, on every engine of this
 * machine; all of them must give the outcome that the file says, and the same reason for each malformed record.
 * With --device the device is the engine, and no other.
 * Exit codes: 0 all passed, 1 some failed, 2 a file cannot be read. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "case_file.h"
#include "compile.h"
#include "device.h"
#include "fix_dict.h"
#include "interp.h"
#include "pipeline.h"

enum { TEXT_MAX = 640 };

struct engine {
    const char *name;
    enum rf_backend backend;
    enum rf_isa isa;
    uint32_t batch_bytes;
    uint32_t threads;
    bool is_on_device;
    bool is_prefiltering; /* then only the selected records are compared: the others may be skipped unread */
};

static const struct engine engine_table[] = {
    {"interp", RF_BACKEND_INTERP, RF_ISA_SCALAR, RF_BATCH_BYTES_DEFAULT, 1, false, false},
    {"cpu scalar", RF_BACKEND_CPU, RF_ISA_SCALAR, RF_BATCH_BYTES_DEFAULT, 1, false, false},
    {"cpu avx2", RF_BACKEND_CPU, RF_ISA_AVX2, RF_BATCH_BYTES_DEFAULT, 1, false, false},
    {"cpu avx512", RF_BACKEND_CPU, RF_ISA_AVX512, RF_BATCH_BYTES_DEFAULT, 1, false, false},
    {"cpu scalar, small batches", RF_BACKEND_CPU, RF_ISA_SCALAR, 1, 1, false, false},
    {"cpu avx2, small batches", RF_BACKEND_CPU, RF_ISA_AVX2, 1, 2, false, false},
    {"cpu avx512, small batches", RF_BACKEND_CPU, RF_ISA_AVX512, 1, 2, false, false},
    {"cpu scalar, prefilter", RF_BACKEND_CPU, RF_ISA_SCALAR, RF_BATCH_BYTES_DEFAULT, 1, false, true},
    {"cpu avx2, prefilter", RF_BACKEND_CPU, RF_ISA_AVX2, RF_BATCH_BYTES_DEFAULT, 1, false, true},
    {"cpu avx512, prefilter", RF_BACKEND_CPU, RF_ISA_AVX512, RF_BATCH_BYTES_DEFAULT, 1, false, true},
    {"device", RF_BACKEND_CPU, RF_ISA_SCALAR, RF_BATCH_BYTES_DEFAULT, 1, true, false},
    {"device, small batches", RF_BACKEND_CPU, RF_ISA_SCALAR, 1, 2, true, false},
};

/* What an engine said about one record. */
struct outcome {
    char mark; /* as in the file; '?' while nothing is known, which means rejected or blank */
    uint64_t offset;
    char reason[RF_EXAMPLE_TEXT_MAX];
    struct rf_str output;
};

struct run {
    const char *file_name;
    const struct case_group *group;
    const struct rf_compiled *compiled;
    struct rf_text stream;    /* the records with their line ends */
    struct outcome *expected; /* [records]: marks of the file, reasons of the interpreter */
    struct outcome *found;
    struct rf_text text[3]; /* what an engine wrote: selected, errors, malformed */
    struct rf_counts counts;
    uint64_t passed, failed;
    const struct rf_device_api *device; /* NULL: all engines but it */
    struct rf_device_counts on_device;  /* of all runs */
};

static void run_fail(struct run *run, uint32_t line, const char *engine, const char *what)
{
    printf("%s:%u: %s: %s\n", run->file_name, line, engine, what);
}

/* ---- The interpreter's own API ---- */

static bool has_line_end(const struct case_group *group, uint32_t r)
{
    return !group->is_joined && (!group->is_open || r + 1 < group->records);
}

/* Where a record's text begins and ends once the line end and a byte order mark at the start are off. at: where it is in the
 * stream. */
static struct rf_str record_text(const struct run *run, uint32_t r, uint64_t at, size_t *skipped)
{
    const struct case_group *group = run->group;
    struct rf_str text = {run->stream.data + at, group->record[r].text.count};
    *skipped = 0;
    if (r == 0 && !group->is_text && !group->is_fix && rf_str_starts(text, RF_STR("\xef\xbb\xbf"))) {
        *skipped = 3;
        text = (struct rf_str){text.data + 3, text.count - 3};
    }
    if (has_line_end(group, r) && rf_str_ends(text, RF_STR("\r"))) {
        text.count--;
    }
    return text;
}

static bool text_is_blank(struct rf_str text)
{
    for (size_t i = 0; i < text.count; i++) {
        if (text.data[i] != ' ' && text.data[i] != '\t' && text.data[i] != '\r') {
            return false;
        }
    }
    return true;
}

static enum rf_status project_row(struct rf_interp *interp, const struct run *run, struct outcome *outcome,
                                  struct rf_error *err)
{
    for (uint32_t p = 0; p < run->group->selects && outcome->mark == '+'; p++) {
        const struct rf_value value = rf_interp_project(interp, p);
        const bool is_path = run->compiled->projection[p]->slot != RF_NONE;
        if (value.type == RF_TYPE_ERROR && !is_path) {
            outcome->mark = '!';
        } else if (value.type != RF_TYPE_ERROR) {
            struct rf_text out = {0};
            RF_TRY(rf_value_write_json(&out, value, err));
            if (run->group->selects == 1 && !run->group->is_csv && !rf_str_equal(rf_text_str(&out), outcome->output)) {
                outcome->mark = '?';
            }
            rf_text_free(&out);
        }
    }
    return RF_OK;
}

/* Fills run->expected and says where the interpreter disagrees with the file. */
static enum rf_status run_reference(struct run *run, struct rf_error *err)
{
    const struct case_group *group = run->group;
    struct rf_interp *interp = NULL;
    const struct rf_interp_options options = {
        .depth_max = group->depth_max, .is_validating = group->is_validating, .is_lenient = group->is_fix_lenient};
    RF_TRY(rf_interp_open(&interp, run->compiled, options, err));
    uint64_t offset = 0;
    enum rf_status status = RF_OK;
    for (uint32_t r = 0; r < group->records && status == RF_OK; r++) {
        size_t skipped = 0;
        struct outcome *outcome = &run->expected[r];
        struct rf_record record = {.text = record_text(run, r, offset, &skipped),
                                   .file = RF_STR("input"),
                                   .number = r + 1,
                                   .offset = offset + skipped};
        const size_t line_bytes = group->record[r].text.count - skipped + has_line_end(group, r);
        record.line_end_bytes = group->is_fix ? line_bytes - record.text.count : 0;
        *outcome = (struct outcome){.output = group->record[r].output};
        struct rf_malformed malformed = {.reason = RF_REASON_NONE};
        if (!group->is_text && text_is_blank(record.text)) {
            outcome->mark = '_';
        } else if ((status = rf_interp_read(interp, &record, &malformed, err)) != RF_OK) {
            break;
        } else if (malformed.reason != RF_REASON_NONE) {
            outcome->mark = 'x';
            outcome->offset = record.offset + malformed.offset;
            (void)snprintf(outcome->reason, sizeof outcome->reason, "%s", rf_reason_text(malformed.reason));
        } else {
            static const char mark[] = {[RF_TRUTH_FALSE] = '-', [RF_TRUTH_TRUE] = '+', [RF_TRUTH_ERROR] = '!'};
            static const char inverse[] = {[RF_TRUTH_FALSE] = '+', [RF_TRUTH_TRUE] = '-', [RF_TRUTH_ERROR] = '!'};
            const enum rf_truth truth = rf_interp_predicate(interp, 0);
            outcome->mark = group->is_inverted ? inverse[truth] : mark[truth];
            status = project_row(interp, run, outcome, err);
        }
        char text[TEXT_MAX];
        if (outcome->mark != group->record[r].mark) {
            (void)snprintf(text, sizeof text, "expected '%c', got '%c' (%s%.*s)", group->record[r].mark, outcome->mark,
                           outcome->reason, RF_STR_ARG(rf_interp_error(interp)));
            run_fail(run, group->record[r].line, "reference", text);
            run->failed++;
        } else {
            run->passed++;
        }
        outcome->mark = group->record[r].mark;
        offset += group->record[r].text.count + has_line_end(group, r);
    }
    rf_interp_close(interp);
    return status;
}

/* ---- Through the pipeline ---- */

static enum rf_status text_load(int fd, struct rf_text *text, struct rf_error *err)
{
    rf_text_clear(text);
    const off_t count = lseek(fd, 0, SEEK_END);
    if (count < 0) {
        RF_FAIL(err, RF_E_IO, "cannot read back what an engine wrote");
    }
    RF_TRY(rf_text_reserve(text, (size_t)count + 1, err));
    if (pread(fd, text->data, (size_t)count, 0) != count) {
        RF_FAIL(err, RF_E_IO, "cannot read back what an engine wrote");
    }
    text->count = (size_t)count;
    return RF_OK;
}

static enum rf_status pipeline_run(struct run *run, const struct engine *engine, struct rf_sink *const sink[3],
                                   struct rf_error *err)
{
    const struct case_group *group = run->group;
    struct rf_source *source = NULL;
    const struct rf_source_options source_options = {.batch_bytes = engine->batch_bytes,
                                                     .is_text = group->is_text,
                                                     .is_fix = group->is_fix,
                                                     .counts_records = run->compiled->program.needs_number};
    RF_TRY(rf_source_open_memory(&source, run->stream.data, run->stream.count, "input", source_options, err));
    struct rf_pipeline_options options = {
        .compiled = run->compiled,
        .source = source,
        .sink = sink[0],
        .emit = group->selects == 0 ? RF_EMIT_LINES
                : group->is_csv     ? RF_EMIT_CSV
                                    : RF_EMIT_JSON,
        .column = group->selects > 1 || group->is_csv ? group->select : NULL,
        .backend = engine->backend,
        .isa = engine->isa,
        .device = engine->is_on_device ? run->device : NULL,
        .threads = engine->threads,
        .batch_bytes = engine->batch_bytes,
        .rows_max = 128,
        .depth_max = group->depth_max,
        .is_validating = group->is_validating,
        .is_inverted = group->is_inverted,
        .is_prefilter_allowed = engine->is_prefiltering,
        .is_text = group->is_text,
        .is_fix_lenient = group->is_fix_lenient,
        .has_number_prefix = group->selects == 0,
        .prefix_begin = "",
        .prefix_end = "",
        .max_count = UINT64_MAX,
        .on_error = {engine->is_prefiltering ? RF_POLICY_DROP : RF_POLICY_FILE, sink[1]},
        .on_malformed = {engine->is_prefiltering ? RF_POLICY_DROP : RF_POLICY_FILE, sink[2]},
        .record_bytes_max = RF_RECORD_BYTES_DEFAULT,
    };
    struct rf_pipeline_result result = {0};
    const enum rf_status status = rf_pipeline_run(&options, &result, err);
    run->counts = result.counts;
    run->on_device.rows += result.device.rows;
    run->on_device.redone_rows += result.device.redone_rows;
    run->on_device.failed_batches += result.device.failed_batches;
    rf_source_close(source);
    return status;
}

/* Runs the pipeline with its output in memory files. */
static enum rf_status engine_run(struct run *run, const struct engine *engine, struct rf_error *err)
{
    int fd[3] = {-1, -1, -1};
    struct rf_sink *sink[3] = {NULL, NULL, NULL};
    const struct rf_sink_options options = {0};
    enum rf_status status = RF_OK;
    for (int i = 0; i < 3 && status == RF_OK; i++) {
        fd[i] = memfd_create("case", MFD_CLOEXEC);
        status = fd[i] < 0 ? rf_error_set(err, RF_E_IO, __FILE__, __LINE__, "no memory file")
                           : rf_sink_open_fd(&sink[i], fd[i], "memory", options, err);
    }
    status = status == RF_OK ? pipeline_run(run, engine, sink, err) : status;
    for (int i = 0; i < 3; i++) {
        status = status == RF_OK ? rf_sink_finish(sink[i], err) : status;
        status = status == RF_OK ? text_load(fd[i], &run->text[i], err) : status;
        if (sink[i] != NULL) {
            rf_sink_close(sink[i]);
        }
        if (fd[i] >= 0) {
            close(fd[i]);
        }
    }
    return status;
}

/* The next line of text from *at on, without its line end; false at the end. */
static bool text_line(const struct rf_text *text, size_t *at, struct rf_str *line)
{
    if (*at >= text->count) {
        return false;
    }
    const char *begin = text->data + *at;
    const char *newline = memchr(begin, '\n', text->count - *at);
    line->data = begin;
    line->count = newline == NULL ? text->count - *at : (size_t)(newline - begin);
    *at += line->count + 1;
    return true;
}

/* The integer or string behind "name": in a line that the pipeline wrote. Reasons hold no escapes that matter here. */
static struct rf_str member(struct rf_str line, const char *name)
{
    char key[32];
    const size_t count = (size_t)snprintf(key, sizeof key, "\"%s\":", name);
    const char *begin = memmem(line.data, line.count, key, count);
    if (begin == NULL) {
        return RF_STR("");
    }
    begin += count;
    const bool is_string = *begin == '"';
    begin += is_string ? 1 : 0;
    const char *end = begin;
    while (end < line.data + line.count && (is_string ? *end != '"' : *end >= '0' && *end <= '9')) {
        end++;
    }
    return (struct rf_str){begin, (size_t)(end - begin)};
}

static uint64_t to_number(struct rf_str digits)
{
    uint64_t value = 0;
    for (size_t i = 0; i < digits.count; i++) {
        value = value * 10 + (uint64_t)(digits.data[i] - '0');
    }
    return value;
}

/* The outcome of record `number`, or of none. */
static struct outcome *outcome_at(struct run *run, uint64_t number)
{
    return number >= 1 && number <= run->group->records ? &run->found[number - 1] : NULL;
}

/* Reads what an engine wrote into run->found. */
static bool outcomes_collect(struct run *run)
{
    const struct case_group *group = run->group;
    struct rf_str line;
    for (uint32_t r = 0; r < group->records; r++) {
        run->found[r] = (struct outcome){.mark = '?'};
    }
    for (size_t at = 0; group->selects == 0 && text_line(&run->text[0], &at, &line);) {
        const char *colon = memchr(line.data, ':', line.count);
        struct outcome *found =
            colon == NULL ? NULL : outcome_at(run, to_number((struct rf_str){line.data, (size_t)(colon - line.data)}));
        if (found == NULL) {
            return false;
        }
        found->mark = '+';
        found->output = (struct rf_str){colon + 1, (size_t)(line.data + line.count - colon - 1)};
    }
    for (int i = 1; i < 3; i++) {
        for (size_t at = 0; text_line(&run->text[i], &at, &line);) {
            struct outcome *found = outcome_at(run, to_number(member(line, "record")));
            if (found == NULL || found->mark != '?') {
                return false;
            }
            found->mark = i == 1 ? '!' : 'x';
            found->offset = to_number(member(line, "offset"));
            const struct rf_str reason = member(line, "reason");
            (void)snprintf(found->reason, sizeof found->reason, "%.*s", RF_STR_ARG(reason));
        }
    }
    return true;
}

static bool record_agrees(const struct run *run, const struct engine *engine, uint32_t r, char text[TEXT_MAX])
{
    const struct outcome *expected = &run->expected[r];
    const struct outcome *found = &run->found[r];
    const bool is_line = run->group->selects == 0;
    char mark = expected->mark;
    if (mark == '-' || mark == '_' || (mark == '+' && !is_line) ||
        (engine->is_prefiltering && (mark == '!' || mark == 'x'))) {
        mark = '?';
    }
    if (found->mark != mark) {
        (void)snprintf(text, TEXT_MAX, "expected '%c', got '%c' (%s)", expected->mark, found->mark, found->reason);
        return false;
    }
    if (mark == 'x' && (found->offset != expected->offset || strcmp(found->reason, expected->reason) != 0)) {
        (void)snprintf(text, TEXT_MAX, "the reference says '%s' at %" PRIu64 ", the engine '%s' at %" PRIu64,
                       expected->reason, expected->offset, found->reason, found->offset);
        return false;
    }
    /* Selected lines come out byte for byte. */
    struct rf_str whole = run->group->record[r].text;
    if (r == 0 && !run->group->is_text && !run->group->is_fix && rf_str_starts(whole, RF_STR("\xef\xbb\xbf"))) {
        whole = (struct rf_str){whole.data + 3, whole.count - 3};
    }
    if (mark == '+' && !rf_str_equal(found->output, whole)) {
        (void)snprintf(text, TEXT_MAX, "the line differs from the record: %.*s", RF_STR_ARG(found->output));
        return false;
    }
    return true;
}

/* Projections in the order of the selected records. */
static bool outputs_agree(struct run *run, char text[TEXT_MAX])
{
    const struct case_group *group = run->group;
    size_t at = 0;
    struct rf_str line;
    if (group->is_csv && !text_line(&run->text[0], &at, &line)) { /* the header */
        (void)snprintf(text, TEXT_MAX, "no csv header");
        return false;
    }
    for (uint32_t r = 0; r < group->records; r++) {
        if (group->record[r].mark != '+') {
            continue;
        }
        const bool has_line = text_line(&run->text[0], &at, &line);
        if (has_line && group->is_csv && rf_str_ends(line, RF_STR("\r"))) {
            line.count--;
        }
        if (!has_line || !rf_str_equal(line, group->record[r].output)) {
            (void)snprintf(text, TEXT_MAX, "line %u: expected output %.*s, got %.*s", group->record[r].line,
                           RF_STR_ARG(group->record[r].output), has_line ? (int)line.count : 0, line.data);
            return false;
        }
    }
    if (text_line(&run->text[0], &at, &line)) {
        (void)snprintf(text, TEXT_MAX, "unexpected output %.*s", RF_STR_ARG(line));
        return false;
    }
    return true;
}

static bool counts_agree(const struct run *run, char text[TEXT_MAX])
{
    static const char marks[RF_ROW_STATUS_COUNT] = {[RF_ROW_REJECTED] = '-',
                                                    [RF_ROW_SELECTED] = '+',
                                                    [RF_ROW_ERROR] = '!',
                                                    [RF_ROW_MALFORMED] = 'x',
                                                    [RF_ROW_BLANK] = '_'};
    for (int s = 0; s < RF_ROW_STATUS_COUNT; s++) {
        uint64_t expected = 0;
        for (uint32_t r = 0; r < run->group->records; r++) {
            expected += run->group->record[r].mark == marks[s] ? 1 : 0;
        }
        if (run->counts.of[s] != expected) {
            (void)snprintf(text, TEXT_MAX, "%" PRIu64 " records counted as %s, expected %" PRIu64, run->counts.of[s],
                           rf_row_status_key((enum rf_row_status)s), expected);
            return false;
        }
    }
    return true;
}

static void engine_check(struct run *run, const struct engine *engine)
{
    struct rf_error err;
    char text[TEXT_MAX];
    if (engine_run(run, engine, &err) != RF_OK) {
        run_fail(run, run->group->line, engine->name, err.text);
        run->failed += run->group->records;
        return;
    }
    if (!outcomes_collect(run)) {
        run_fail(run, run->group->line, engine->name, "a record number that is not in the group, or there twice");
        run->failed += run->group->records;
        return;
    }
    for (uint32_t r = 0; r < run->group->records; r++) {
        if (record_agrees(run, engine, r, text)) {
            run->passed++;
        } else {
            run_fail(run, run->group->record[r].line, engine->name, text);
            run->failed++;
        }
    }
    if ((run->group->selects != 0 && !outputs_agree(run, text)) ||
        (!engine->is_prefiltering && !counts_agree(run, text))) {
        run_fail(run, run->group->line, engine->name, text);
        run->failed++;
    }
}

/* ---- Files ---- */

static enum rf_status group_compile(const struct case_group *group, struct rf_compiled *compiled, struct rf_error *err)
{
    static struct rf_env env;
    env = rf_env_filter;
    env.fix = group->is_fix ? rf_fix_dict_builtin(RF_STR("FIX.4.4")) : NULL;
    const struct rf_compile_options options = {
        .is_strict_cel = group->is_strict_cel, .is_text = group->is_text, .env = &env};
    struct rf_diagnostic diagnostic;
    uint32_t failed = 0;
    return rf_compile(&group->expression, 1, group->select, group->selects, options, compiled, &diagnostic, &failed,
                      err);
}

static enum rf_status group_run(struct run *run, struct rf_error *err)
{
    const struct case_group *group = run->group;
    rf_text_clear(&run->stream);
    for (uint32_t r = 0; r < group->records; r++) {
        RF_TRY(rf_text_append(&run->stream, group->record[r].text, err));
        if (has_line_end(group, r)) {
            RF_TRY(rf_text_append_char(&run->stream, '\n', err));
        }
    }
    RF_TRY(run_reference(run, err));
    for (size_t e = 0; e < sizeof engine_table / sizeof engine_table[0]; e++) {
        if (engine_table[e].isa <= rf_isa_best() && engine_table[e].is_on_device == (run->device != NULL)) {
            engine_check(run, &engine_table[e]);
        }
    }
    return RF_OK;
}

static bool file_run(struct run *run, const char *name)
{
    struct rf_arena arena;
    struct rf_error err;
    struct case_file file;
    rf_arena_init(&arena, (size_t)256 << 20);
    run->file_name = name;
    const bool is_read = case_file_read(name, &arena, &file, &err) == RF_OK;
    if (!is_read) {
        printf("%s\n", err.text);
    }
    for (uint32_t g = 0; is_read && g < file.groups; g++) {
        struct rf_compiled compiled;
        run->group = &file.group[g];
        if (group_compile(run->group, &compiled, &err) != RF_OK) {
            run_fail(run, run->group->line, "compile", err.text);
            run->failed += run->group->records;
            continue;
        }
        run->compiled = &compiled;
        if (group_run(run, &err) != RF_OK) {
            run_fail(run, run->group->line, "run", err.text);
            run->failed += run->group->records;
        }
        rf_compiled_close(&compiled);
    }
    rf_arena_free(&arena);
    return is_read;
}

int main(int argc, char **argv)
{
    struct run run = {.expected = calloc(CASE_RECORDS_MAX, sizeof(struct outcome)),
                      .found = calloc(CASE_RECORDS_MAX, sizeof(struct outcome))};
    bool is_whole = argc > 1 && run.expected != NULL && run.found != NULL;
    if (argc <= 1) {
        fprintf(stderr, "usage: run_cases [--device] FILE...\n");
    }
    int first = 1;
    if (argc > 1 && strcmp(argv[1], "--device") == 0) {
        first = 2;
        run.device = rf_device_get()->api;
        if (run.device == NULL) {
            printf("no device: %s\n", rf_device_get()->why);
            is_whole = false;
        }
    }
    for (int i = first; is_whole && i < argc; i++) {
        is_whole = file_run(&run, argv[i]) && is_whole;
    }
    if (run.device != NULL) {
        printf("%" PRIu64 " rows on the device, %" PRIu64 " of them left to the interpreter\n", run.on_device.rows,
               run.on_device.redone_rows);
        run.failed += run.on_device.failed_batches;
        run.failed += run.on_device.rows == 0;
    }
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", run.passed, run.failed);
    for (int i = 0; i < 3; i++) {
        rf_text_free(&run.text[i]);
    }
    rf_text_free(&run.stream);
    free(run.expected);
    free(run.found);
    return !is_whole ? 2 : run.failed != 0 ? 1 : 0;
}
