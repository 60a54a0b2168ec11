#include "shard.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rows.h"

enum { LOOK_BYTES = 64 * 1024 };

enum rf_status rf_shards_open(struct rf_shards *shards, struct rf_shard shard, const char *const *names, size_t count,
                              struct rf_error *err)
{
    *shards = (struct rf_shards){.shard = shard, .files = count, .begin = calloc(count + 1, sizeof(uint64_t))};
    if (shards->begin == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for the sizes of %zu files", count);
    }
    for (size_t i = 0; i < count; i++) {
        struct stat look;
        if (strcmp(names[i], "-") == 0) {
            RF_FAIL(err, RF_E_USAGE, "a shard is a part of files; standard input is none");
        }
        /* What cannot be looked at has no bytes: whoever opens it says why. */
        const bool is_known = stat(names[i], &look) == 0;
        if (is_known && !S_ISREG(look.st_mode) && !S_ISDIR(look.st_mode)) {
            RF_FAIL(err, RF_E_USAGE, "%s: a shard is a part of files, and this is none", names[i]);
        }
        shards->begin[i + 1] = shards->begin[i] + (is_known && S_ISREG(look.st_mode) ? (uint64_t)look.st_size : 0);
    }
    return RF_OK;
}

void rf_shards_close(struct rf_shards *shards)
{
    free(shards->begin);
    *shards = (struct rf_shards){0};
}

static enum rf_status bytes_read(int fd, uint64_t at, uint8_t *out, size_t *count, struct rf_error *err)
{
    for (;;) {
        const ssize_t got = pread(fd, out, LOOK_BYTES, (off_t)at);
        if (got >= 0) {
            *count = (size_t)got;
            return RF_OK;
        }
        if (errno != EINTR) {
            RF_FAIL(err, RF_E_IO, "%s", strerror(errno));
        }
    }
}

/* The first place at or behind `at` where a record begins. */
static enum rf_status record_begin(int fd, uint64_t at, uint64_t size, uint64_t *out, struct rf_error *err)
{
    static _Thread_local uint8_t bytes[LOOK_BYTES];
    *out = at;
    if (at == 0 || at >= size) {
        *out = at == 0 ? 0 : size;
        return RF_OK;
    }
    for (uint64_t from = at - 1; from < size;) {
        size_t count = 0;
        RF_TRY(bytes_read(fd, from, bytes, &count, err));
        const uint8_t *end = count == 0 ? NULL : memchr(bytes, '\n', count);
        if (end != NULL) {
            *out = from + (uint64_t)(end - bytes) + 1;
            return RF_OK;
        }
        if (count == 0) {
            break;
        }
        from += count;
    }
    *out = size;
    return RF_OK;
}

static uint64_t shard_begin(const struct rf_shards *shards, uint32_t number)
{
    return (uint64_t)((unsigned __int128)shards->begin[shards->files] * number / shards->shard.count);
}

enum rf_status rf_shards_range(const struct rf_shards *shards, size_t file, int fd, bool is_whole,
                               struct rf_shard_range *out, struct rf_error *err)
{
    const uint64_t low = shard_begin(shards, shards->shard.number);
    const uint64_t high = shard_begin(shards, shards->shard.number + 1);
    const uint64_t begin = shards->begin[file];
    const uint64_t end = shards->begin[file + 1];
    const uint64_t size = end - begin;
    *out = (struct rf_shard_range){0, 0};
    if (is_whole) {
        out->end = low <= begin && begin < high ? size : 0;
        return RF_OK;
    }
    if (high <= begin || low >= end) {
        return RF_OK;
    }
    RF_TRY(record_begin(fd, low > begin ? low - begin : 0, size, &out->begin, err));
    return record_begin(fd, high < end ? high - begin : size, size, &out->end, err);
}

enum rf_status rf_shard_lines_before(int fd, uint64_t end, uint64_t *lines, struct rf_error *err)
{
    static _Thread_local uint8_t bytes[LOOK_BYTES];
    *lines = 0;
    for (uint64_t at = 0; at < end;) {
        size_t count = 0;
        RF_TRY(bytes_read(fd, at, bytes, &count, err));
        if (count == 0) {
            break;
        }
        count = count < end - at ? count : (size_t)(end - at);
        *lines += rf_lines_count(bytes, count);
        at += count;
    }
    return RF_OK;
}
