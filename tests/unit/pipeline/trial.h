/* trial.h: one run of the pipeline over texts, and everything that came out of it. */
#ifndef RF_TEST_TRIAL_H
#define RF_TEST_TRIAL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "fix_dict.h"
#include "pipeline.h"
#include "text.h"

enum { TRIAL_INPUTS_MAX = 4, TRIAL_PROJECTIONS_MAX = 8 };

struct trial {
    const char *predicate;
    const char *projection[TRIAL_PROJECTIONS_MAX]; /* ends with NULL */
    struct rf_str input[TRIAL_INPUTS_MAX];         /* ends with an empty one */
    bool is_file;                                  /* input.0, input.1, ... in a folder; else memory, named "input.0" */
    bool is_fix;                                   /* FIX messages, with the names of FIX 4.4 */
    struct rf_source_options source;
    struct rf_pipeline_options options;
};

/* Text output, dead letters and result of a trial; to be freed. */
struct outcome {
    enum rf_status status;
    struct rf_error err;
    struct rf_pipeline_result result;
    struct rf_text output, errors, malformed;
};

static inline struct trial trial_make(const char *predicate, struct rf_str input)
{
    return (struct trial){
        .predicate = predicate,
        .input = {input},
        .options = {.emit = RF_EMIT_LINES,
                    .backend = RF_BACKEND_CPU,
                    .isa = rf_isa_best(),
                    .threads = 1,
                    .rows_max = 128,
                    .depth_max = 1024,
                    .prefix_begin = "",
                    .prefix_end = "",
                    .max_count = UINT64_MAX,
                    .record_bytes_max = RF_RECORD_BYTES_DEFAULT},
    };
}

static inline void trial_compile(const struct trial *trial, struct rf_compiled *compiled)
{
    struct rf_error err;
    struct rf_diagnostic diagnostic;
    struct rf_str projection[TRIAL_PROJECTIONS_MAX];
    uint32_t projections = 0;
    uint32_t failed;
    while (projections < TRIAL_PROJECTIONS_MAX && trial->projection[projections] != NULL) {
        projection[projections] = rf_str_of(trial->projection[projections]);
        projections++;
    }
    const struct rf_str predicate = rf_str_of(trial->predicate);
    static struct rf_env env;
    env = rf_env_filter;
    env.fix = trial->is_fix ? rf_fix_dict_builtin(RF_STR("FIX.4.4")) : NULL;
    const struct rf_compile_options options = {.is_text = trial->options.is_text, .env = &env};
    if (rf_compile(&predicate, 1, projection, projections, options, compiled, &diagnostic, &failed, &err) != RF_OK) {
        fail_msg("%s: %s: %s", trial->predicate, err.text, diagnostic.text);
    }
}

static inline void trial_file_write(const char *path, struct rf_str text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text.data, 1, text.count, file), text.count);
    assert_int_equal(fclose(file), 0);
}

/* A sink that keeps what it gets. */
struct kept {
    int fd;
    struct rf_sink *sink;
};

static inline struct kept kept_open(void)
{
    struct rf_error err;
    struct kept kept = {.fd = memfd_create("kept", MFD_CLOEXEC)};
    assert_true(kept.fd >= 0);
    const struct rf_sink_options options = {.buffer_bytes = 4096};
    assert_int_equal(rf_sink_open_fd(&kept.sink, kept.fd, "kept", options, &err), RF_OK);
    return kept;
}

static inline void kept_close(struct kept *kept, struct rf_text *text)
{
    struct rf_error err;
    assert_int_equal(rf_sink_finish(kept->sink, &err), RF_OK);
    rf_sink_close(kept->sink);
    const off_t count = lseek(kept->fd, 0, SEEK_END);
    assert_true(count >= 0);
    memset(text, 0, sizeof(*text));
    assert_int_equal(rf_text_reserve(text, (size_t)count + 1, &err), RF_OK);
    assert_int_equal(pread(kept->fd, text->data, (size_t)count, 0), count);
    text->count = (size_t)count;
    text->data[count] = '\0';
    close(kept->fd);
}

/* Runs with the sinks that the options name already; a policy FILE without a sink gets one of its own. */
static inline void trial_run(const struct trial *trial, struct outcome *outcome)
{
    char folder[] = "/tmp/rf_test_trial.XXXXXX";
    char path[TRIAL_INPUTS_MAX][64];
    const char *name[TRIAL_INPUTS_MAX];
    size_t inputs = 0;
    memset(outcome, 0, sizeof(*outcome));
    struct rf_compiled compiled;
    trial_compile(trial, &compiled);
    struct rf_source_options source_options = trial->source;
    source_options.counts_records = compiled.program.needs_number;
    source_options.is_text = trial->options.is_text;
    source_options.is_fix = trial->is_fix;
    struct rf_source *source = NULL;
    if (trial->is_file) {
        assert_non_null(mkdtemp(folder));
        while (inputs < TRIAL_INPUTS_MAX && trial->input[inputs].data != NULL) {
            (void)snprintf(path[inputs], sizeof(path[inputs]), "%s/input.%zu", folder, inputs);
            trial_file_write(path[inputs], trial->input[inputs]);
            name[inputs] = path[inputs];
            inputs++;
        }
        assert_int_equal(rf_source_open_files(&source, name, inputs, source_options, &outcome->err), RF_OK);
    } else {
        assert_int_equal(rf_source_open_memory(&source, trial->input[0].data, trial->input[0].count, "input.0",
                                               source_options, &outcome->err),
                         RF_OK);
    }
    struct kept output = kept_open();
    struct kept errors = kept_open();
    struct kept malformed = kept_open();
    struct rf_pipeline_options options = trial->options;
    options.compiled = &compiled;
    options.source = source;
    options.batch_bytes = trial->source.batch_bytes;
    options.sink = options.sink == NULL ? output.sink : options.sink;
    options.on_error.file = errors.sink;
    options.on_malformed.file = malformed.sink;
    outcome->status = rf_pipeline_run(&options, &outcome->result, &outcome->err);
    kept_close(&output, &outcome->output);
    kept_close(&errors, &outcome->errors);
    kept_close(&malformed, &outcome->malformed);
    rf_source_close(source);
    rf_compiled_close(&compiled);
    for (size_t i = 0; i < inputs; i++) {
        unlink(path[i]);
    }
    if (trial->is_file) {
        rmdir(folder);
    }
}

static inline void outcome_free(struct outcome *outcome)
{
    rf_text_free(&outcome->output);
    rf_text_free(&outcome->errors);
    rf_text_free(&outcome->malformed);
}

/* All of the output, byte for byte; says where it differs. */
static inline void assert_text(const struct rf_text *text, struct rf_str expected, const char *what)
{
    if (rf_str_equal(rf_text_str(text), expected)) {
        return;
    }
    size_t at = 0;
    while (at < text->count && at < expected.count && text->data[at] == expected.data[at]) {
        at++;
    }
    const size_t begin = at < 40 ? 0 : at - 40;
    fail_msg("%s: %zu bytes, expected %zu; they differ at %zu:\n  is       %.*s\n  expected %.*s", what, text->count,
             expected.count, at, (int)(text->count - begin < 120 ? text->count - begin : 120), text->data + begin,
             (int)(expected.count - begin < 120 ? expected.count - begin : 120), expected.data + begin);
}

#endif
