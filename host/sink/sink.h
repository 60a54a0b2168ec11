/* sink.h: where selected records go.
 *
 * Purpose    rf_sink_write takes bytes in output order. What is written is decided above: whole lines as they stand
 *            in the batch, or text that the pipeline formatted (json, csv).
 * Ownership  rf_sink_close frees; an unfinished -o file stays under its temporary name only as the text says below.
 * Threads    one caller at a time, in output order.
 * Errors     RF_E_PIPE when the reader has gone (EPIPE; SIGPIPE is ignored by the program), RF_E_IO with the name and
 *            the system's text otherwise ("write to out.json: No space left on device"). After an error only close.
 */
#ifndef RF_SINK_H
#define RF_SINK_H

#include "status.h"
#include "str.h"

struct rf_sink;

struct rf_sink_options {
    bool is_line_buffered; /* flush after every write */
    size_t buffer_bytes;   /* default 256 KiB */
};

/* A descriptor that stays the caller's (stdout = 1). */
enum rf_status rf_sink_open_fd(struct rf_sink **out, int fd, const char *name, struct rf_sink_options options,
                               struct rf_error *err);
/* A regular file is written as "<name>.part" beside it and renamed by rf_sink_finish, so that a failure never leaves
 * a file that looks whole; an existing file keeps its mode. RF_E_IO when another sink, here or in another process, is
 * writing the same file (the part is locked with flock). A device, pipe or /dev/stdout is written directly. */
enum rf_status rf_sink_open_file(struct rf_sink **out, const char *name, struct rf_sink_options options, struct rf_error *err);
/* Counts bytes and drops them (-q, -c). */
enum rf_status rf_sink_open_null(struct rf_sink **out, struct rf_error *err);

/* Small parts are gathered, large ones (>= 64 KiB) go out directly after what was gathered. */
enum rf_status rf_sink_write(struct rf_sink *sink, struct rf_str part, struct rf_error *err);
enum rf_status rf_sink_flush(struct rf_sink *sink, struct rf_error *err);
/* Flush, check, rename. Must be called for success; close without finish leaves (and names, by rf_log) the .part
 * file. */
enum rf_status rf_sink_finish(struct rf_sink *sink, struct rf_error *err);
void rf_sink_close(struct rf_sink *sink);
/* The name under which the file is still being written; NULL when it is written directly or finished. */
const char *rf_sink_part_name(const struct rf_sink *sink);
uint64_t rf_sink_bytes(const struct rf_sink *sink);

#endif
