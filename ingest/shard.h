/* shard.h: which part of which file one of several runs reads.
 *
 * Purpose    n runs that each take one shard of the same files read every record once. The files count as one run of bytes, in their
 *            order; shard k of n is the k-th n-th of it, and a record belongs to the shard in which it begins.
 * Data       Lines are cut behind a line end. Compressed files, and FIX, whose records can only be found from the front, are
 *            whole: they belong to the shard in which their first byte lies.
 * Ownership  rf_shards_close frees.
 * Threads    one thread.
 * Errors     RF_E_IO: a file cannot be looked at; RF_E_USAGE: it has no size (a pipe); RF_E_MEMORY.
 */
#ifndef RF_SHARD_H
#define RF_SHARD_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

struct rf_shard {
    uint32_t number; /* 0 .. count - 1 */
    uint32_t count;  /* 0: everything */
};

struct rf_shards {
    struct rf_shard shard;
    uint64_t *begin; /* [files + 1] of each file in all bytes; the last: how many there are */
    size_t files;
};

struct rf_shard_range { /* bytes of one file */
    uint64_t begin, end;
};

enum rf_status rf_shards_open(struct rf_shards *shards, struct rf_shard shard, const char *const *names, size_t count,
                              struct rf_error *err);
void rf_shards_close(struct rf_shards *shards);
/* The range of a file, as fd has it open; begin == end: nothing. is_whole: it cannot be cut. */
enum rf_status rf_shards_range(const struct rf_shards *shards, size_t file, int fd, bool is_whole,
                               struct rf_shard_range *out, struct rf_error *err);
/* Line ends before byte `end`. */
enum rf_status rf_shard_lines_before(int fd, uint64_t end, uint64_t *lines, struct rf_error *err);

#endif
