#include "stream_options.h"

#include "engine_choice.h"
#include "log.h"

void rf_stream_problem(void *progress, const char *input_name, const char *text)
{
    if (progress != NULL) {
        rf_progress_clear(progress);
    }
    rf_log(RF_LOG_ERROR, "%s: %s", input_name, text);
}

struct rf_source_options rf_stream_source_options(const struct rf_flags *flags, unsigned format,
                                                  const struct rf_ahead *ahead, struct rf_progress *progress)
{
    return (struct rf_source_options){.record_bytes_max = (uint32_t)flags->value[RF_FLAG_MAX_RECORD].number,
                                      .is_text = format == RF_FORMAT_TEXT,
                                      .is_fix = format == RF_FORMAT_FIX,
                                      .stdin_ahead = rf_ahead_bytes(ahead),
                                      .on_problem = rf_stream_problem,
                                      .context = progress};
}

void rf_stream_pipeline_fill(struct rf_pipeline_options *options, const struct rf_flags *flags, unsigned format,
                             struct rf_source *source, struct rf_progress *progress)
{
    options->source = source;
    options->threads = rf_threads_choose(flags, source);
    options->record_bytes_max = (uint32_t)flags->value[RF_FLAG_MAX_RECORD].number;
    options->depth_max = (uint32_t)flags->value[RF_FLAG_MAX_DEPTH].number;
    options->is_validating = flags->value[RF_FLAG_VALIDATE].is_set;
    options->is_text = format == RF_FORMAT_TEXT;
    options->is_fix_lenient = flags->value[RF_FLAG_FIX_LENIENT].is_set;
    options->on_progress = progress->is_on ? rf_progress_update : NULL;
    options->context = progress;
}
