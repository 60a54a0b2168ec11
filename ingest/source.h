/* source.h: where batches come from.
 *
 * Purpose    A small interface so that files, stdin and later brokers look alike. A source hands over whole
 *            records, in order; it never sees an engine.
 * Data       rf_source_fill puts the next run of whole records into *batch: at most options.batch_bytes, or one
 *            longer record up to record_bytes_max; all of one input. bytes, bytes_used, input, input_name, offset,
 *            is_oversize, first_number, sequence are set, cursor is 0. A BOM at the start of an input is skipped
 *            (offset counts it). A last record without a line end is handed over as it is. A pipe that falls silent,
 *            or trickles, holds back whole records for about 50 ms at most.
 *            A record longer than record_bytes_max (line end excluded) becomes a batch of its own with is_oversize, its
 *            first RF_OVERSIZE_KEPT bytes, and record_bytes; the rest of it is skipped exactly, in bounded memory.
 * Ownership  fill writes into batch->owned (grown by rf_batch_reserve); memory sources set a view instead.
 * Threads    calls of one source must not overlap; the pipeline holds a lock.
 * Errors     an input that cannot be opened or read (missing file, folder, UTF-16 text, damaged .gz) does not stop the
 *            stream: it is reported through options.on_problem, rf_source_problems counts it, and the next input is
 *            read. What was decoded before the damage is still handed over. RF_END after the last input.
 */
#ifndef RF_SOURCE_H
#define RF_SOURCE_H

#include "batch.h"
#include "shard.h"

enum {
    RF_RECORD_BYTES_DEFAULT = 16 * 1024 * 1024, /* --max-record */
    RF_OVERSIZE_KEPT = 4096
};

struct rf_source_options {
    uint32_t batch_bytes;      /* 0 = RF_BATCH_BYTES_DEFAULT; below 64 = 64; up to RF_BATCH_BYTES_LIMIT */
    uint32_t record_bytes_max; /* 0 = RF_RECORD_BYTES_DEFAULT, up to RF_BATCH_BYTES_LIMIT - 64 */
    bool is_line_buffered;     /* hand over what there is as soon as it ends with a line end (pipes) */
    bool is_text;              /* no BOM or UTF-16 refusal: bytes are just lines */
    bool is_fix;               /* records are FIX entries (fix_cut.h); a line end is not what ends them */
    struct rf_shard shard;     /* of files; count 0: all of them */
    bool counts_records;       /* set batch->first_number (each input begins at 1); else it is 0 */
    struct rf_str stdin_ahead; /* what was read of standard input already (ahead.h): files that have "-" begin with it there */
    void (*on_problem)(void *context, const char *input_name, const char *text); /* may be NULL */
    void *context;
};

struct rf_source;

/* Files in the given order; "-" is stdin; no name at all = stdin. names must outlive the source. Compression is known
 * by content: gzip (all members), zstd (all frames), lz4 frame; limits nothing but memory. Nothing is opened yet. */
enum rf_status rf_source_open_files(struct rf_source **out, const char *const *names, size_t count,
                                    struct rf_source_options options, struct rf_error *err);
/* Memory: batches are views of `bytes`, never copied, except the last one (a view needs RF_BATCH_PADDING readable bytes
 * behind it, which the source guarantees by copying the tail). */
enum rf_status rf_source_open_memory(struct rf_source **out, const void *bytes, size_t count, const char *name,
                                     struct rf_source_options options, struct rf_error *err);
void rf_source_close(struct rf_source *source);

enum rf_status rf_source_fill(struct rf_source *source, struct rf_batch *batch, struct rf_error *err);

/* Nobody wants more: a thread that waits in rf_source_fill for a pipe comes back within a moment. From any thread. */
void rf_source_stop(struct rf_source *source);

/* Inputs that could not be read to their end. */
uint64_t rf_source_problems(const struct rf_source *source);
/* Bytes to read in all (compressed size where compressed): for the progress bar and for choosing one thread on small
 * input. Terminals and other devices count as empty; RF_BYTES_UNKNOWN with a pipe among the inputs. Opens nothing. */
#define RF_BYTES_UNKNOWN UINT64_MAX
uint64_t rf_source_bytes_total(const struct rf_source *source);
/* Bytes taken from the operating system so far. May be called from any thread. */
uint64_t rf_source_bytes_read(const struct rf_source *source);

#endif
