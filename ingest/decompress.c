#include "decompress.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum rf_status rf_decompress_begin(struct rf_decompress *d, struct rf_reader *reader, struct rf_error *err)
{
    d->reader = reader;
    d->state = RF_DECOMPRESS_ENDED;
    d->codec = RF_CODEC_NONE;
    d->failure.status = RF_OK;
    d->head_begin = d->head_end = 0;
    d->in_begin = d->in_end = 0;
    d->skip_left = 0;

    enum rf_magic magic = RF_MAGIC_SHORT;
    while (magic == RF_MAGIC_SHORT && d->head_end < sizeof d->head) {
        size_t got = 0;
        const enum rf_status status =
            rf_reader_read(reader, d->head + d->head_end, sizeof d->head - d->head_end, RF_WAIT_FOREVER, &got, err);
        if (status == RF_END) {
            break;
        }
        if (status != RF_OK) {
            if (d->head_end == 0) {
                return status;
            }
            d->failure = *err;
            break;
        }
        d->head_end += got;
        magic = rf_codec_magic(d->head, d->head_end);
    }
    if (magic == RF_MAGIC_NONE || magic == RF_MAGIC_SHORT) {
        d->state = RF_DECOMPRESS_PLAIN;
        return RF_OK;
    }
    if (magic == RF_MAGIC_XZ || magic == RF_MAGIC_BZIP2) {
        RF_FAIL(err, RF_E_FORMAT, "%s",
                magic == RF_MAGIC_XZ ? "xz data is not supported; use `xz -dc`"
                                     : "bzip2 data is not supported; use `bzip2 -dc`");
    }
    if (d->in == NULL) {
        d->in = malloc(RF_COMPRESSED_BYTES);
        if (d->in == NULL) {
            RF_FAIL(err, RF_E_MEMORY, "out of memory for %d bytes of compressed input", RF_COMPRESSED_BYTES);
        }
    }
    memcpy(d->in, d->head, d->head_end);
    d->in_end = d->head_end;
    d->head_begin = d->head_end;
    d->state = RF_DECOMPRESS_NEXT;
    return RF_OK;
}

/* More compressed bytes behind those that are there. */
static enum rf_status decompress_refill(struct rf_decompress *d, int wait_ms, struct rf_error *err)
{
    if (d->in_begin > 0) {
        memmove(d->in, d->in + d->in_begin, d->in_end - d->in_begin);
        d->in_end -= d->in_begin;
        d->in_begin = 0;
    }
    assert(d->in_end < RF_COMPRESSED_BYTES);
    size_t got = 0;
    RF_TRY(rf_reader_read(d->reader, d->in + d->in_end, RF_COMPRESSED_BYTES - d->in_end, wait_ms, &got, err));
    d->in_end += got;
    return RF_OK;
}

/* Until `count` bytes are there; RF_END leaves the fewer that there are. */
static enum rf_status decompress_ensure(struct rf_decompress *d, size_t count, int wait_ms, struct rf_error *err)
{
    while (d->in_end - d->in_begin < count) {
        RF_TRY(decompress_refill(d, wait_ms, err));
    }
    return RF_OK;
}

static enum rf_status decompress_garbage(const struct rf_decompress *d, struct rf_error *err)
{
    if (d->codec == RF_CODEC_NONE) {
        RF_FAIL(err, RF_E_FORMAT, "unknown data behind a skippable frame");
    }
    RF_FAIL(err, RF_E_FORMAT, "garbage behind the %s data is ignored", rf_codec_name(d->codec));
}

static enum rf_status decompress_truncated(const struct rf_decompress *d, struct rf_error *err)
{
    const char *name = d->codec == RF_CODEC_NONE ? "compressed" : rf_codec_name(d->codec);
    RF_FAIL(err, RF_E_FORMAT, "the %s data is truncated", name);
}

/* Between members: what comes next? RF_OK when the state has moved on. */
static enum rf_status decompress_next(struct rf_decompress *d, int wait_ms, struct rf_error *err)
{
    enum rf_status status = decompress_ensure(d, RF_MAGIC_BYTES, wait_ms, err);
    const size_t count = d->in_end - d->in_begin;
    if (status != RF_OK && (status != RF_END || count == 0)) {
        return status;
    }
    const uint8_t *bytes = d->in + d->in_begin;
    switch (rf_codec_magic(bytes, count)) {
    case RF_MAGIC_GZIP:
        d->codec = RF_CODEC_GZIP;
        break;
    case RF_MAGIC_ZSTD:
        d->codec = RF_CODEC_ZSTD;
        break;
    case RF_MAGIC_LZ4:
        d->codec = RF_CODEC_LZ4;
        break;
    case RF_MAGIC_SKIPPABLE:
        status = decompress_ensure(d, RF_SKIPPABLE_HEAD_BYTES, wait_ms, err);
        if (status != RF_OK) {
            return status == RF_END ? decompress_truncated(d, err) : status;
        }
        bytes = d->in + d->in_begin;
        d->skip_left =
            (uint64_t)bytes[4] | (uint64_t)bytes[5] << 8 | (uint64_t)bytes[6] << 16 | (uint64_t)bytes[7] << 24;
        d->in_begin += RF_SKIPPABLE_HEAD_BYTES;
        d->state = RF_DECOMPRESS_SKIP;
        return RF_OK;
    case RF_MAGIC_NONE:
    case RF_MAGIC_SHORT:
    case RF_MAGIC_XZ:
    case RF_MAGIC_BZIP2:
        if (d->codec == RF_CODEC_GZIP && bytes[0] == 0) {
            d->state = RF_DECOMPRESS_PADDING;
            return RF_OK;
        }
        return decompress_garbage(d, err);
    }
    RF_TRY(rf_codec_begin(&d->codecs, d->codec, err));
    d->state = RF_DECOMPRESS_MEMBER;
    return RF_OK;
}

/* One step inside a member; RF_AGAIN from here means only "no bytes yet". */
static enum rf_status decompress_member(struct rf_decompress *d, void *out, size_t room, int wait_ms, size_t *got,
                                        struct rf_error *err)
{
    struct rf_codec_step step = {
        .in = d->in + d->in_begin, .in_count = d->in_end - d->in_begin, .out = out, .out_room = room};
    /* Also without input: the codec may hold output that had no room the last time. */
    const enum rf_status status = rf_codec_step(&d->codecs, d->codec, &step, err);
    d->in_begin += step.consumed;
    *got = step.produced;
    if (status != RF_OK) {
        return status;
    }
    if (step.is_done) {
        d->state = RF_DECOMPRESS_NEXT;
        return RF_OK;
    }
    if (step.produced > 0 || step.consumed > 0) {
        return RF_OK;
    }
    if (d->in_begin < d->in_end) {
        RF_FAIL(err, RF_E_FORMAT, "damaged %s data: no progress", rf_codec_name(d->codec));
    }
    const enum rf_status more = decompress_refill(d, wait_ms, err);
    return more == RF_END ? decompress_truncated(d, err) : more;
}

static enum rf_status decompress_skip(struct rf_decompress *d, int wait_ms, struct rf_error *err)
{
    const size_t there = d->in_end - d->in_begin;
    const size_t count = d->skip_left < there ? (size_t)d->skip_left : there;
    d->in_begin += count;
    d->skip_left -= count;
    if (d->skip_left == 0) {
        d->state = RF_DECOMPRESS_NEXT;
        return RF_OK;
    }
    const enum rf_status more = decompress_refill(d, wait_ms, err);
    return more == RF_END ? decompress_truncated(d, err) : more;
}

static enum rf_status decompress_padding(struct rf_decompress *d, int wait_ms, struct rf_error *err)
{
    while (d->in_begin < d->in_end) {
        if (d->in[d->in_begin] != 0) {
            return decompress_garbage(d, err);
        }
        d->in_begin++;
    }
    return decompress_refill(d, wait_ms, err);
}

static enum rf_status decompress_plain(struct rf_decompress *d, void *out, size_t room, int wait_ms, size_t *got,
                                       struct rf_error *err)
{
    if (d->head_begin == d->head_end) {
        return rf_reader_read(d->reader, out, room, wait_ms, got, err);
    }
    const size_t there = d->head_end - d->head_begin;
    *got = there < room ? there : room;
    memcpy(out, d->head + d->head_begin, *got);
    d->head_begin += *got;
    return RF_OK;
}

static enum rf_status decompress_one(struct rf_decompress *d, void *out, size_t room, int wait_ms, size_t *got,
                                     struct rf_error *err)
{
    switch (d->state) {
    case RF_DECOMPRESS_PLAIN:
        return decompress_plain(d, out, room, wait_ms, got, err);
    case RF_DECOMPRESS_NEXT:
        return decompress_next(d, wait_ms, err);
    case RF_DECOMPRESS_MEMBER:
        return decompress_member(d, out, room, wait_ms, got, err);
    case RF_DECOMPRESS_SKIP:
        return decompress_skip(d, wait_ms, err);
    case RF_DECOMPRESS_PADDING:
        return decompress_padding(d, wait_ms, err);
    case RF_DECOMPRESS_ENDED:
        break;
    }
    return RF_END;
}

enum rf_status rf_decompress_read(struct rf_decompress *d, void *out, size_t room, int wait_ms, size_t *got,
                                  struct rf_error *err)
{
    *got = 0;
    if (d->failure.status != RF_OK && d->head_begin == d->head_end) {
        d->state = RF_DECOMPRESS_ENDED;
        *err = d->failure;
        d->failure.status = RF_OK;
        return err->status;
    }
    for (;;) {
        const enum rf_status status = decompress_one(d, out, room, wait_ms, got, err);
        if (status == RF_AGAIN) {
            return status;
        }
        if (status != RF_OK) {
            d->state = RF_DECOMPRESS_ENDED;
            if (*got > 0) {
                /* Bytes first, then the bad news. */
                d->failure = *err;
                return RF_OK;
            }
            return status;
        }
        if (*got > 0) {
            return RF_OK;
        }
    }
}

void rf_decompress_close(struct rf_decompress *d)
{
    rf_codecs_close(&d->codecs);
    free(d->in);
    d->in = NULL;
    d->state = RF_DECOMPRESS_ENDED;
}
