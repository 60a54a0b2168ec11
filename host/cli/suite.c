#include "suite.h"

#include "source.h"
#include "stream_options.h"

static enum rf_status batch_run(struct rf_suite *suite, const struct rf_batch *batch, struct rf_sink *sink,
                                struct rf_text *text, struct rf_error *err)
{
    if (batch->is_oversize) {
        rf_text_clear(text);
        RF_TRY(rf_suite_refuse(suite, "the line is longer than 16 MiB", text, err));
        return rf_sink_write(sink, rf_text_str(text), err);
    }
    const char *at = (const char *)batch->bytes;
    const char *const end = at + batch->bytes_used;
    while (at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        const char *next = line_end == NULL ? end : line_end + 1;
        const struct rf_str line = {at, (size_t)((line_end == NULL ? end : line_end) - at)};
        rf_text_clear(text);
        RF_TRY(rf_suite_eval(suite, line, text, err));
        RF_TRY(rf_sink_write(sink, rf_text_str(text), err));
        at = next;
    }
    return RF_OK;
}

enum rf_status rf_suite_run(struct rf_suite *suite, const char *name, struct rf_sink *sink, bool *has_problem,
                            struct rf_error *err)
{
    const struct rf_source_options options = {.on_problem = rf_stream_problem};
    struct rf_source *source = NULL;
    struct rf_batch batch = {0};
    struct rf_text text = {0};
    RF_TRY(rf_source_open_files(&source, &name, 1, options, err));
    enum rf_status status = rf_source_fill(source, &batch, err);
    while (status == RF_OK) {
        status = batch_run(suite, &batch, sink, &text, err);
        if (status == RF_OK) {
            status = rf_source_fill(source, &batch, err);
        }
    }
    *has_problem = rf_source_problems(source) > 0;
    rf_text_free(&text);
    rf_batch_close(&batch);
    rf_source_close(source);
    return status == RF_END ? RF_OK : status;
}
