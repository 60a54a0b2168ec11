/* stream_options.h: what the command line says about an input, for whoever reads it.
 *
 * Purpose    Options that every command with streams understands alike, turned into those of a source and of a pipeline.
 * Ownership  ahead, flags and progress are borrowed.
 * Threads    the main thread; rf_stream_problem: the reader's.
 */
#ifndef RF_STREAM_OPTIONS_H
#define RF_STREAM_OPTIONS_H

#include "ahead.h"
#include "flag.h"
#include "pipeline.h"
#include "progress.h"
#include "source.h"

/* Tells of an input that cannot be read; a bar on the same terminal makes room. progress: NULL, or a struct rf_progress that may
 * not be open. */
void rf_stream_problem(void *progress, const char *input_name, const char *text);

/* format: RF_FORMAT_*, not AUTO. batch_bytes, line buffering, numbers and shards are the caller's. */
struct rf_source_options rf_stream_source_options(const struct rf_flags *flags, unsigned format,
                                                  const struct rf_ahead *ahead, struct rf_progress *progress);
/* Of a pipeline over that source, with `progress` open. What is selected, emitted and watched is the caller's. */
void rf_stream_pipeline_fill(struct rf_pipeline_options *options, const struct rf_flags *flags, unsigned format,
                             struct rf_source *source, struct rf_progress *progress);

#endif
