/* packed.h: compressed copies of bytes, for tests. The caller frees; a failure aborts. */
#ifndef PACKED_H
#define PACKED_H

#include <lz4frame.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

struct packed {
    uint8_t *data;
    size_t count;
};

enum packing { PACKED_PLAIN, PACKED_GZIP, PACKED_ZSTD, PACKED_LZ4, PACKED_KINDS };

static inline void packed_require(int is_true)
{
    if (!is_true) {
        fprintf(stderr, "compression failed\n");
        abort();
    }
}

/* Appends one member. Small lz4 blocks and a zstd checksum, so that damage is noticed inside a frame. */
static inline void packed_add(struct packed *out, enum packing kind, const void *bytes, size_t count)
{
    static uint8_t empty[1];
    const size_t room =
        compressBound((uLong)count) + 64 + ZSTD_compressBound(count) + LZ4F_compressFrameBound(count, NULL);
    out->data = realloc(out->data, out->count + room);
    packed_require(out->data != NULL);
    uint8_t *at = out->data + out->count;
    bytes = count == 0 ? empty : bytes;
    if (kind == PACKED_PLAIN) {
        memcpy(at, bytes, count);
        out->count += count;
    } else if (kind == PACKED_GZIP) {
        uint8_t *copy = malloc(count + 1); /* zlib's input pointer is not const */
        packed_require(copy != NULL);
        memcpy(copy, bytes, count);
        z_stream stream = {0};
        packed_require(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
        stream.next_in = copy;
        stream.avail_in = (uInt)count;
        stream.next_out = at;
        stream.avail_out = (uInt)room;
        packed_require(deflate(&stream, Z_FINISH) == Z_STREAM_END);
        out->count += stream.total_out;
        deflateEnd(&stream);
        free(copy);
    } else if (kind == PACKED_ZSTD) {
        ZSTD_CCtx *context = ZSTD_createCCtx();
        packed_require(context != NULL);
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
        const size_t made = ZSTD_compress2(context, at, room, bytes, count);
        packed_require(!ZSTD_isError(made));
        out->count += made;
        ZSTD_freeCCtx(context);
    } else {
        LZ4F_preferences_t preferences = LZ4F_INIT_PREFERENCES;
        preferences.frameInfo.blockSizeID = LZ4F_max64KB;
        preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
        const size_t made = LZ4F_compressFrame(at, room, bytes, count, &preferences);
        packed_require(!LZ4F_isError(made));
        out->count += made;
    }
}

/* A skippable frame, as zstd and lz4 know it. */
static inline void packed_add_skippable(struct packed *out, uint32_t count)
{
    const uint8_t head[8] = {
        0x53, 0x2a, 0x4d, 0x18, (uint8_t)count, (uint8_t)(count >> 8), (uint8_t)(count >> 16), (uint8_t)(count >> 24)};
    out->data = realloc(out->data, out->count + sizeof head + count);
    packed_require(out->data != NULL);
    memcpy(out->data + out->count, head, sizeof head);
    memset(out->data + out->count + sizeof head, 0xee, count);
    out->count += sizeof head + count;
}

static inline void packed_free(struct packed *out)
{
    free(out->data);
    *out = (struct packed){0};
}

#endif
