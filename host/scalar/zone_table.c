#include "zone_table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    HEADER_BYTES = 44,
    COUNTS_BEGIN = 20,
    TYPE_BYTES = 6,
    TYPES_MAX = 256,        /* they are numbered by bytes */
    DESIGNATIONS_MAX = 256, /* bytes; likewise */
    FOOTER_BYTES_MAX = 128,
    OFFSET_MIN = -89999, /* RFC 9636 section 3.2: a bit less than -25 hours */
    OFFSET_MAX = 93599   /* and than 26 hours */
};

/* What is left of a file. */
struct zone_bytes {
    const uint8_t *at;
    size_t count;
};

/* The numbers of a header, in its order. */
struct zone_counts {
    uint32_t universal;
    uint32_t standard;
    uint32_t leaps;
    uint32_t transitions;
    uint32_t types;
    uint32_t designations;
};

/* A data block with times of 64 bits, its parts found. */
struct zone_block {
    struct zone_counts counts;
    const uint8_t *times;
    const uint8_t *type_indices;
    const uint8_t *types;
};

static uint32_t u32_at(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static int64_t i64_at(const uint8_t *at)
{
    return (int64_t)((uint64_t)u32_at(at) << 32 | u32_at(at + 4));
}

static const uint8_t *zone_take(struct zone_bytes *left, uint64_t count)
{
    if (count > left->count) {
        return NULL;
    }
    const uint8_t *const taken = left->at;
    left->at += count;
    left->count -= (size_t)count;
    return taken;
}

static bool zone_header(struct zone_bytes *left, struct zone_counts *counts)
{
    const uint8_t *const header = zone_take(left, HEADER_BYTES);
    /* Version 1, a zero byte, knows neither times of 64 bits nor a footer. Those after 4 promise to remain readable. */
    if (header == NULL || memcmp(header, "TZif", 4) != 0 || header[4] < '2' || header[4] > '9') {
        return false;
    }
    const uint8_t *const at = header + COUNTS_BEGIN;
    *counts = (struct zone_counts){u32_at(at),      u32_at(at + 4),  u32_at(at + 8),
                                   u32_at(at + 12), u32_at(at + 16), u32_at(at + 20)};
    return true;
}

static bool counts_are_good(const struct zone_counts *counts)
{
    return counts->leaps == 0 && counts->transitions <= RF_ZONE_TRANSITIONS_MAX && counts->types >= 1 &&
           counts->types <= TYPES_MAX && counts->designations >= 1 && counts->designations <= DESIGNATIONS_MAX &&
           (counts->universal == 0 || counts->universal == counts->types) &&
           (counts->standard == 0 || counts->standard == counts->types);
}

/* Bytes of a data block; no sum of the counts is beyond 64 bits. */
static uint64_t block_bytes(const struct zone_counts *counts, uint32_t time_bytes)
{
    return (uint64_t)counts->transitions * (time_bytes + 1) + (uint64_t)counts->types * TYPE_BYTES +
           counts->designations + (uint64_t)counts->leaps * (time_bytes + 4) + counts->standard + counts->universal;
}

static int32_t type_offset(const struct zone_block *block, uint32_t type)
{
    return (int32_t)u32_at(block->types + (size_t)type * TYPE_BYTES);
}

static bool types_are_good(const struct zone_block *block)
{
    for (uint32_t type = 0; type < block->counts.types; type++) {
        const uint8_t *const at = block->types + (size_t)type * TYPE_BYTES;
        const int32_t offset = type_offset(block, type);
        if (offset < OFFSET_MIN || offset > OFFSET_MAX || at[4] > 1 || at[5] >= block->counts.designations) {
            return false;
        }
    }
    return true;
}

static bool transitions_are_good(const struct zone_block *block)
{
    for (uint32_t t = 0; t < block->counts.transitions; t++) {
        const uint8_t *const at = block->times + (size_t)t * 8;
        if (block->type_indices[t] >= block->counts.types || (t > 0 && i64_at(at) <= i64_at(at - 8))) {
            return false;
        }
    }
    return true;
}

/* Passes over the first block, which repeats the second in 32 bits, and finds the parts of the second. */
static bool block_find(struct zone_bytes *left, struct zone_block *block)
{
    struct zone_counts first;
    if (!zone_header(left, &first) || zone_take(left, block_bytes(&first, 4)) == NULL ||
        !zone_header(left, &block->counts) || !counts_are_good(&block->counts)) {
        return false;
    }
    block->times = zone_take(left, block_bytes(&block->counts, 8));
    if (block->times == NULL) {
        return false;
    }
    block->type_indices = block->times + (size_t)block->counts.transitions * 8;
    block->types = block->type_indices + block->counts.transitions;
    return types_are_good(block) && transitions_are_good(block);
}

/* The text between two newlines behind the second block. */
static bool footer_find(const struct zone_bytes *left, struct rf_str *text)
{
    const size_t count = left->count < FOOTER_BYTES_MAX ? left->count : FOOTER_BYTES_MAX;
    if (count < 2 || left->at[0] != '\n') {
        return false;
    }
    const uint8_t *const begin = left->at + 1;
    const uint8_t *const end = memchr(begin, '\n', count - 1);
    if (end == NULL) {
        return false;
    }
    *text = (struct rf_str){(const char *)begin, (size_t)(end - begin)};
    return true;
}

/* Keeps the transitions that change the offset: some change only the name of the time. */
static void table_fill(struct rf_zone_table *table, const struct zone_block *block)
{
    int32_t offset = type_offset(block, 0);
    table->count = 0;
    table->offset[0] = offset;
    for (uint32_t t = 0; t < block->counts.transitions; t++) {
        const int32_t next = type_offset(block, block->type_indices[t]);
        if (next != offset) {
            table->time[table->count++] = i64_at(block->times + (size_t)t * 8);
            table->offset[table->count] = next;
            offset = next;
        }
    }
}

static bool zone_parse(struct zone_bytes left, struct zone_block *block, struct rf_str *footer,
                       struct rf_zone_rule *rule)
{
    return block_find(&left, block) && footer_find(&left, footer) &&
           (footer->count == 0 || rf_zone_rule_parse(*footer, rule));
}

/* NULL: out of memory. */
static struct rf_zone_table *table_new(const struct zone_block *block)
{
    const size_t count = block->counts.transitions;
    struct rf_zone_table *const table =
        malloc(sizeof *table + count * sizeof table->time[0] + (count + 1) * sizeof table->offset[0]);
    if (table != NULL) {
        table->offset = (int32_t *)(table->time + count);
        table_fill(table, block);
    }
    return table;
}

static struct rf_zone_table *table_read(struct zone_bytes bytes, bool *is_settled)
{
    struct zone_block block;
    struct rf_str footer;
    struct rf_zone_rule rule = {.has_saving = false};
    *is_settled = true;
    if (!zone_parse(bytes, &block, &footer, &rule)) {
        return NULL;
    }
    struct rf_zone_table *const table = table_new(&block);
    *is_settled = table != NULL;
    if (table != NULL) {
        const uint32_t transitions = block.counts.transitions;
        if (footer.count == 0) {
            rule.standard_offset = table->offset[table->count];
        }
        table->rule = rule;
        table->rule_begin = footer.count == 0  ? INT64_MAX
                            : transitions == 0 ? INT64_MIN
                                               : i64_at(block.times + (size_t)(transitions - 1) * 8);
    }
    return table;
}

struct rf_zone_table *rf_zone_table_read(const uint8_t *bytes, size_t count)
{
    bool is_settled;
    return table_read((struct zone_bytes){bytes, count}, &is_settled);
}

/* Reads exactly count bytes. */
static bool file_read(int fd, uint8_t *bytes, size_t count)
{
    size_t done = 0;
    while (done < count) {
        const ssize_t got = read(fd, bytes + done, count - done);
        if (got > 0) {
            done += (size_t)got;
        } else if (got == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

static struct rf_zone_table *table_load_fd(int fd, bool *is_settled)
{
    struct stat status;
    *is_settled = true;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size < 2 * HEADER_BYTES ||
        status.st_size > RF_ZONE_FILE_BYTES_MAX) {
        return NULL;
    }
    const size_t count = (size_t)status.st_size;
    uint8_t *const bytes = malloc(count);
    struct rf_zone_table *table = NULL;
    *is_settled = false;
    if (bytes != NULL && file_read(fd, bytes, count)) {
        table = table_read((struct zone_bytes){bytes, count}, is_settled);
    }
    free(bytes);
    return table;
}

struct rf_zone_table *rf_zone_table_load(const char *path, bool *is_settled)
{
    /* Not blocking: opening a pipe would wait for its other end. */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0) {
        *is_settled = errno != EMFILE && errno != ENFILE && errno != ENOMEM && errno != EINTR;
        return NULL;
    }
    struct rf_zone_table *const table = table_load_fd(fd, is_settled);
    (void)close(fd);
    return table;
}

bool rf_zone_table_is_fixed(const struct rf_zone_table *table, int32_t *offset)
{
    *offset = table->rule.standard_offset;
    return !table->rule.has_saving &&
           (table->rule_begin == INT64_MIN || (table->count == 0 && table->offset[0] == *offset));
}

int32_t rf_zone_table_offset(const struct rf_zone_table *table, int64_t seconds)
{
    if (seconds >= table->rule_begin) {
        return rf_zone_rule_offset(&table->rule, seconds);
    }
    /* The number of times at or before the instant, by halves and without a branch that could be mispredicted. */
    const int64_t *base = table->time;
    size_t left = table->count;
    while (left > 1) {
        const size_t half = left / 2;
        base += half & -(size_t)(base[half - 1] <= seconds);
        left -= half;
    }
    const size_t before = (size_t)(base - table->time) + (left == 1 && *base <= seconds);
    return table->offset[before];
}
