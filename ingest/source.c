#include "source.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codec.h"
#include "fix_messages.h"
#include "lines.h"
#include "memory.h"
#include "rows.h"

enum source_kind { SOURCE_FILES, SOURCE_MEMORY };

struct rf_source {
    enum source_kind kind;
    struct rf_source_options options;
    const char *const *names;
    size_t inputs; /* count of names; 1 for memory */
    size_t next;   /* number of the next input to be opened */
    bool is_input_open;
    bool is_stdin_done; /* "-" a second time is empty, also on a terminal */
    uint64_t number;    /* of the next record, when counted */
    uint64_t sequence;  /* of the next batch */
    _Atomic uint64_t problems;
    _Atomic uint64_t bytes_read;
    atomic_bool is_stopped;

    struct rf_shards shards;
    struct rf_shard_range range; /* of the open input, when that is read in part */
    struct rf_reader reader;
    struct rf_decompress stream;
    struct rf_lines lines;
    struct rf_fix_messages messages;
    struct rf_memory memory;
    const char *memory_name[1];
};

static const char *const stdin_names[] = {"-"};

static bool name_is_stdin(const char *name)
{
    return strcmp(name, "-") == 0;
}

static enum rf_status source_open(struct rf_source **out, enum source_kind kind, struct rf_source_options options,
                                  struct rf_error *err)
{
    *out = NULL;
    if (options.batch_bytes == 0) {
        options.batch_bytes = RF_BATCH_BYTES_DEFAULT;
    }
    if (options.record_bytes_max == 0) {
        options.record_bytes_max = RF_RECORD_BYTES_DEFAULT;
    }
    if (options.batch_bytes < RF_LINES_BATCH_BYTES_MIN) {
        options.batch_bytes = RF_LINES_BATCH_BYTES_MIN;
    }
    if (options.batch_bytes > RF_BATCH_BYTES_LIMIT) {
        RF_FAIL(err, RF_E_USAGE, "batch of %u bytes exceeds the limit of %d", options.batch_bytes,
                RF_BATCH_BYTES_LIMIT);
    }
    if (options.record_bytes_max > RF_BATCH_BYTES_LIMIT - RF_BATCH_PADDING) {
        RF_FAIL(err, RF_E_USAGE, "record limit of %u bytes exceeds the limit of %d", options.record_bytes_max,
                RF_BATCH_BYTES_LIMIT - RF_BATCH_PADDING);
    }
    struct rf_source *source = calloc(1, sizeof *source);
    if (source == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for a source");
    }
    source->kind = kind;
    source->options = options;
    *out = source;
    return RF_OK;
}

enum rf_status rf_source_open_files(struct rf_source **out, const char *const *names, size_t count,
                                    struct rf_source_options options, struct rf_error *err)
{
    RF_TRY(source_open(out, SOURCE_FILES, options, err));
    struct rf_source *source = *out;
    source->names = count > 0 ? names : stdin_names;
    source->inputs = count > 0 ? count : 1;
    source->lines.batch_bytes = source->options.batch_bytes;
    source->lines.record_bytes_max = source->options.record_bytes_max;
    source->lines.is_line_buffered = options.is_line_buffered;
    source->lines.is_text = options.is_text;
    source->messages.batch_bytes = source->options.batch_bytes;
    source->messages.record_bytes_max = source->options.record_bytes_max;
    source->messages.is_line_buffered = options.is_line_buffered;
    source->reader.bytes_read = &source->bytes_read;
    source->reader.is_stopped = &source->is_stopped;
    enum rf_status status = rf_lines_open(&source->lines, err);
    if (status == RF_OK && options.shard.count != 0) {
        status = rf_shards_open(&source->shards, options.shard, source->names, source->inputs, err);
    }
    if (status != RF_OK) {
        rf_source_close(source);
        *out = NULL;
    }
    return status;
}

enum rf_status rf_source_open_memory(struct rf_source **out, const void *bytes, size_t count, const char *name,
                                     struct rf_source_options options, struct rf_error *err)
{
    RF_TRY(source_open(out, SOURCE_MEMORY, options, err));
    struct rf_source *source = *out;
    source->memory_name[0] = name;
    source->names = source->memory_name;
    source->inputs = 1;
    source->memory = (struct rf_memory){.bytes = bytes,
                                        .count = count,
                                        .is_fix = options.is_fix,
                                        .batch_bytes = source->options.batch_bytes,
                                        .record_bytes_max = source->options.record_bytes_max};
    return RF_OK;
}

void rf_source_close(struct rf_source *source)
{
    if (source == NULL) {
        return;
    }
    rf_reader_close(&source->reader);
    rf_decompress_close(&source->stream);
    rf_lines_close(&source->lines);
    rf_fix_messages_close(&source->messages);
    rf_shards_close(&source->shards);
    free(source);
}

static void source_report(struct rf_source *source, size_t input, const char *text)
{
    atomic_fetch_add_explicit(&source->problems, 1, memory_order_relaxed);
    if (source->options.on_problem != NULL) {
        source->options.on_problem(source->options.context, source->names[input], text);
    }
}

/* rf_read_call: the part of a file that the shard has of it. */
static ssize_t range_read(void *context, void *out, size_t room)
{
    struct rf_source *source = context;
    const uint64_t left = source->range.end - source->range.begin;
    const ssize_t got = pread(source->reader.fd, out, left < room ? (size_t)left : room, (off_t)source->range.begin);
    source->range.begin += got > 0 ? (uint64_t)got : 0;
    return got;
}

/* Of the open file what the shard has; RF_END: nothing. */
static enum rf_status shard_take(struct rf_source *source, struct rf_error *problem)
{
    uint8_t head[RF_MAGIC_BYTES];
    struct rf_reader *reader = &source->reader;
    const ssize_t count = pread(reader->fd, head, sizeof head, 0);
    const bool is_whole =
        source->options.is_fix || (count > 0 && rf_codec_magic(head, (size_t)count) != RF_MAGIC_NONE);
    RF_TRY(rf_shards_range(&source->shards, source->next, reader->fd, is_whole, &source->range, problem));
    if (source->range.begin == source->range.end) {
        return RF_END;
    }
    if (!is_whole) {
        reader->call = range_read;
        reader->context = source;
    }
    return RF_OK;
}

/* A part that does not begin with the file: neither does its count of bytes and records, and no BOM stands there. */
static enum rf_status shard_begin(struct rf_source *source, struct rf_error *problem)
{
    const uint64_t begin = source->range.begin;
    source->lines.is_text = source->options.is_text || begin != 0;
    if (begin != 0 && source->options.counts_records) {
        RF_TRY(rf_shard_lines_before(source->reader.fd, begin, &source->number, problem));
    }
    RF_TRY(rf_lines_begin(&source->lines, &source->stream, &source->reader, problem));
    source->lines.offset += begin;
    return RF_OK;
}

/* Opens input number `next`. RF_END: there is nothing to read in it. */
static enum rf_status source_open_input(struct rf_source *source, struct rf_error *problem)
{
    if (source->kind == SOURCE_MEMORY) {
        return rf_memory_begin(&source->memory, source->options.is_text || source->options.is_fix, problem);
    }
    const char *name = source->names[source->next];
    if (!name_is_stdin(name)) {
        RF_TRY(rf_reader_open(&source->reader, name, problem));
    } else if (source->is_stdin_done) {
        return RF_END;
    } else {
        source->is_stdin_done = true;
        RF_TRY(rf_reader_open_stdin(&source->reader, problem));
        source->reader.ahead = source->options.stdin_ahead;
    }
    if (source->options.shard.count != 0) {
        RF_TRY(shard_take(source, problem));
    }
    if (source->options.is_fix) {
        rf_fix_messages_begin(&source->messages, &source->stream, &source->reader);
        return RF_OK;
    }
    return source->options.shard.count != 0 ? shard_begin(source, problem)
                                            : rf_lines_begin(&source->lines, &source->stream, &source->reader, problem);
}

/* The next batch of the open input. */
static enum rf_status source_fill_input(struct rf_source *source, struct rf_batch *batch, struct rf_error *err)
{
    if (source->kind == SOURCE_MEMORY) {
        const enum rf_status status = rf_memory_fill(&source->memory, batch, err);
        atomic_store_explicit(&source->bytes_read, source->memory.cursor, memory_order_relaxed);
        return status;
    }
    const bool is_fix = source->options.is_fix;
    const enum rf_status status =
        is_fix ? rf_fix_messages_fill(&source->messages, batch, err) : rf_lines_fill(&source->lines, batch, err);
    struct rf_error *problem = is_fix ? &source->messages.problem : &source->lines.problem;
    if (problem->status != RF_OK) {
        source_report(source, source->next - 1, problem->text);
        problem->status = RF_OK;
    }
    return status;
}

static void source_label(struct rf_source *source, struct rf_batch *batch)
{
    batch->input = (uint32_t)(source->next - 1);
    batch->input_name = source->names[batch->input];
    batch->sequence = source->sequence++;
    batch->first_number = 0;
    if (source->options.counts_records) {
        const uint64_t entries = source->kind == SOURCE_MEMORY ? source->memory.entries : source->messages.entries;
        batch->first_number = source->number;
        /* Every batch but the last of an input ends with a line end. */
        source->number += batch->is_oversize       ? 1
                          : source->options.is_fix ? entries
                                                   : rf_lines_count(batch->bytes, batch->bytes_used);
    }
}

enum rf_status rf_source_fill(struct rf_source *source, struct rf_batch *batch, struct rf_error *err)
{
    for (;;) {
        if (!source->is_input_open) {
            if (source->next == source->inputs) {
                return RF_END;
            }
            struct rf_error problem;
            source->number = 0;
            const enum rf_status status = source_open_input(source, &problem);
            source->next++;
            source->number++;
            if (status == RF_OK) {
                source->is_input_open = true;
            } else {
                rf_reader_close(&source->reader);
                if (status != RF_END) {
                    source_report(source, source->next - 1, problem.text);
                }
            }
            continue;
        }
        const enum rf_status status = source_fill_input(source, batch, err);
        if (status == RF_OK) {
            source_label(source, batch);
        }
        if (status != RF_END) {
            return status;
        }
        rf_reader_close(&source->reader);
        source->is_input_open = false;
    }
}

uint64_t rf_source_problems(const struct rf_source *source)
{
    return atomic_load_explicit(&source->problems, memory_order_relaxed);
}

/* What is left of an input; false when that is not known. What cannot be looked at holds nothing, and of a device
 * (a terminal, /dev/null) little is expected. */
static bool name_bytes(const char *name, uint64_t *bytes)
{
    struct stat look;
    *bytes = 0;
    if ((name_is_stdin(name) ? fstat(STDIN_FILENO, &look) : stat(name, &look)) != 0 || S_ISDIR(look.st_mode) ||
        S_ISCHR(look.st_mode)) {
        return true;
    }
    if (!S_ISREG(look.st_mode)) {
        return false;
    }
    /* A shell may have given us a file that was read from already. */
    const off_t begin = name_is_stdin(name) ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
    *bytes = begin >= 0 && begin < look.st_size ? (uint64_t)(look.st_size - begin) : 0;
    return true;
}

uint64_t rf_source_bytes_total(const struct rf_source *source)
{
    if (source->kind == SOURCE_MEMORY) {
        return source->memory.count;
    }
    uint64_t total = 0;
    for (size_t i = 0; i < source->inputs; i++) {
        uint64_t bytes;
        if (!name_bytes(source->names[i], &bytes)) {
            return RF_BYTES_UNKNOWN;
        }
        total += bytes;
    }
    return total;
}

void rf_source_stop(struct rf_source *source)
{
    atomic_store(&source->is_stopped, true);
}

uint64_t rf_source_bytes_read(const struct rf_source *source)
{
    return atomic_load_explicit(&source->bytes_read, memory_order_relaxed);
}
