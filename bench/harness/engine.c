#include "engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pipeline.h"
#include "walk.h"

bool engine_job_open(struct engine_job *job, const char *expression, struct bench_input input, uint64_t records)
{
    const struct rf_str predicate = rf_str_of(expression);
    struct rf_diagnostic diagnostic;
    struct rf_error err;
    uint32_t failed;
    memset(job, 0, sizeof(*job));
    if (rf_compile(&predicate, 1, NULL, 0, (struct rf_compile_options){0}, &job->compiled, &diagnostic, &failed,
                   &err) != RF_OK) {
        fprintf(stderr, "riffle-bench: %s: %s\n", expression, err.text);
        return false;
    }
    job->input = input;
    job->records = records;
    job->isa = rf_isa_best();
    job->threads = 1;
    job->out_fd = -1;
    return true;
}

void engine_job_close(struct engine_job *job)
{
    rf_compiled_close(&job->compiled);
}

static enum rf_status job_run(struct engine_job *job, struct rf_source *source, struct rf_sink *sink,
                              struct rf_pipeline_result *result, struct rf_error *err)
{
    const struct rf_pipeline_options options = {
        .compiled = &job->compiled,
        .source = source,
        .sink = sink,
        .emit = sink == NULL ? RF_EMIT_NONE : RF_EMIT_LINES,
        .backend = RF_BACKEND_CPU,
        .isa = job->isa,
        .threads = job->threads,
        .batch_bytes = RF_BATCH_BYTES_DEFAULT,
        .depth_max = RF_DEPTH_MAX_DEFAULT,
        .is_prefilter_allowed = job->is_prefiltered,
        .prefix_begin = "",
        .prefix_end = "",
        .max_count = UINT64_MAX,
        .record_bytes_max = RF_RECORD_BYTES_DEFAULT,
    };
    RF_TRY(rf_pipeline_run(&options, result, err));
    return sink == NULL ? RF_OK : rf_sink_finish(sink, err);
}

bool engine_filter(void *context, struct outcome *outcome)
{
    struct engine_job *job = context;
    const struct rf_source_options source_options = {.batch_bytes = RF_BATCH_BYTES_DEFAULT,
                                                     .record_bytes_max = RF_RECORD_BYTES_DEFAULT};
    struct rf_source *source = NULL;
    struct rf_sink *sink = NULL;
    struct rf_pipeline_result result;
    struct rf_error err;
    enum rf_status status =
        rf_source_open_memory(&source, job->input.bytes, job->input.count, "memory", source_options, &err);
    if (status == RF_OK && job->out_fd >= 0) {
        status = rf_sink_open_fd(&sink, job->out_fd, "output", (struct rf_sink_options){0}, &err);
    }
    if (status == RF_OK) {
        status = job_run(job, source, sink, &result, &err);
    }
    rf_sink_close(sink);
    rf_source_close(source);
    if (status != RF_OK) {
        fprintf(stderr, "riffle-bench: riffle: %s\n", err.text);
        return false;
    }
    const uint64_t read = rf_counts_read(&result.counts);
    const uint64_t decided = result.counts.of[RF_ROW_SELECTED] + result.counts.of[RF_ROW_REJECTED];
    if (read != job->records || decided != read) {
        fprintf(stderr, "riffle-bench: riffle: read %" PRIu64 " and decided %" PRIu64 " of %" PRIu64 " records\n", read,
                decided, job->records);
        return false;
    }
    outcome->selected = result.counts.of[RF_ROW_SELECTED];
    return true;
}
