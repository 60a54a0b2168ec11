#include "codec.h"

#include <limits.h>
#include <lz4frame.h>
#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { GZIP_WINDOW_BITS = 15 + 16 /* the largest window; +16 = a gzip wrapper is required */ };

static enum rf_status gzip_begin(struct rf_codecs *codecs, struct rf_error *err)
{
    if (codecs->gzip != NULL) {
        if (inflateReset2(codecs->gzip, GZIP_WINDOW_BITS) != Z_OK) {
            RF_FAIL(err, RF_E_FORMAT, "gzip cannot be restarted");
        }
        return RF_OK;
    }
    codecs->gzip = calloc(1, sizeof *codecs->gzip);
    if (codecs->gzip == NULL || inflateInit2(codecs->gzip, GZIP_WINDOW_BITS) != Z_OK) {
        free(codecs->gzip);
        codecs->gzip = NULL;
        RF_FAIL(err, RF_E_MEMORY, "out of memory for reading gzip");
    }
    return RF_OK;
}

static enum rf_status gzip_step(struct rf_codecs *codecs, struct rf_codec_step *step, struct rf_error *err)
{
    z_stream *stream = codecs->gzip;
    const uInt in_count = step->in_count < UINT_MAX ? (uInt)step->in_count : UINT_MAX;
    const uInt out_room = step->out_room < UINT_MAX ? (uInt)step->out_room : UINT_MAX;
    stream->next_in = step->in;
    stream->avail_in = in_count;
    stream->next_out = step->out;
    stream->avail_out = out_room;
    const int verdict = inflate(stream, Z_NO_FLUSH);
    step->consumed = in_count - stream->avail_in;
    step->produced = out_room - stream->avail_out;
    step->is_done = verdict == Z_STREAM_END;
    /* Z_BUF_ERROR only says that nothing could be done with these buffers. */
    if (verdict == Z_OK || verdict == Z_STREAM_END || verdict == Z_BUF_ERROR) {
        return RF_OK;
    }
    if (verdict == Z_MEM_ERROR) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for reading gzip");
    }
    RF_FAIL(err, RF_E_FORMAT, "damaged gzip data: %s", stream->msg != NULL ? stream->msg : zError(verdict));
}

static enum rf_status zstd_begin(struct rf_codecs *codecs, struct rf_error *err)
{
    if (codecs->zstd == NULL) {
        codecs->zstd = ZSTD_createDCtx();
        if (codecs->zstd == NULL) {
            RF_FAIL(err, RF_E_MEMORY, "out of memory for reading zstd");
        }
    }
    (void)ZSTD_DCtx_reset(codecs->zstd, ZSTD_reset_session_only);
    /* Less than any whole frame: given one, the library decodes it in a different way, which sees damage that the block
     * by block way lets pass (an empty last block where the header promises more), and reads would decide by their
     * length. */
    codecs->wanted = 5;
    return RF_OK;
}

static enum rf_status zstd_step(struct rf_codecs *codecs, struct rf_codec_step *step, struct rf_error *err)
{
    ZSTD_inBuffer in = {step->in, step->in_count < codecs->wanted ? step->in_count : codecs->wanted, 0};
    ZSTD_outBuffer out = {step->out, step->out_room, 0};
    const size_t wanted = ZSTD_decompressStream(codecs->zstd, &out, &in);
    if (ZSTD_isError(wanted)) {
        step->consumed = 0;
        step->produced = 0;
        if (ZSTD_getErrorCode(wanted) == ZSTD_error_frameParameter_windowTooLarge) {
            RF_FAIL(err, RF_E_FORMAT, "zstd data with a window over 128 MiB (--long=28 or more) is not supported");
        }
        RF_FAIL(err, RF_E_FORMAT, "damaged zstd data: %s", ZSTD_getErrorName(wanted));
    }
    step->consumed = in.pos;
    step->produced = out.pos;
    step->is_done = wanted == 0;
    codecs->wanted = wanted;
    return RF_OK;
}

static enum rf_status lz4_begin(struct rf_codecs *codecs, struct rf_error *err)
{
    if (codecs->lz4 == NULL && LZ4F_isError(LZ4F_createDecompressionContext(&codecs->lz4, LZ4F_VERSION))) {
        codecs->lz4 = NULL;
        RF_FAIL(err, RF_E_MEMORY, "out of memory for reading lz4");
    }
    LZ4F_resetDecompressionContext(codecs->lz4);
    codecs->wanted = LZ4F_HEADER_SIZE_MAX;
    return RF_OK;
}

static enum rf_status lz4_step(struct rf_codecs *codecs, struct rf_codec_step *step, struct rf_error *err)
{
    size_t consumed = step->in_count < codecs->wanted ? step->in_count : codecs->wanted;
    size_t produced = step->out_room;
    const size_t wanted = LZ4F_decompress(codecs->lz4, step->out, &produced, step->in, &consumed, NULL);
    if (LZ4F_isError(wanted)) {
        step->consumed = 0;
        step->produced = 0;
        RF_FAIL(err, RF_E_FORMAT, "damaged lz4 data: %s", LZ4F_getErrorName(wanted));
    }
    step->consumed = consumed;
    step->produced = produced;
    step->is_done = wanted == 0;
    codecs->wanted = wanted;
    return RF_OK;
}

static const struct {
    const char *name;
    enum rf_status (*begin)(struct rf_codecs *codecs, struct rf_error *err);
    enum rf_status (*step)(struct rf_codecs *codecs, struct rf_codec_step *step, struct rf_error *err);
} codec_table[] = {
    [RF_CODEC_GZIP] = {"gzip", gzip_begin, gzip_step},
    [RF_CODEC_ZSTD] = {"zstd", zstd_begin, zstd_step},
    [RF_CODEC_LZ4] = {"lz4", lz4_begin, lz4_step},
};

const char *rf_codec_name(enum rf_codec codec)
{
    return codec == RF_CODEC_NONE ? "plain" : codec_table[codec].name;
}

/* "BZh", the block size as a digit, then the mark of a block: a line of text may well begin with the former alone. */
static enum rf_magic bzip2_magic(const uint8_t *bytes, size_t count)
{
    static const uint8_t magic[] = {'B', 'Z', 'h', '9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59};
    enum { SIZE_AT = 3 };
    for (size_t i = 0; i < sizeof magic; i++) {
        if (i == count) {
            return RF_MAGIC_SHORT;
        }
        if (i == SIZE_AT ? bytes[i] < '1' || bytes[i] > '9' : bytes[i] != magic[i]) {
            return RF_MAGIC_NONE;
        }
    }
    return RF_MAGIC_BZIP2;
}

enum rf_magic rf_codec_magic(const uint8_t *bytes, size_t count)
{
    enum { MAGIC_BYTES_MAX = 6 };
    static const struct {
        enum rf_magic magic;
        uint8_t first_mask; /* the sixteen skippable magics differ in the low bits of their first byte */
        uint8_t count;
        uint8_t bytes[MAGIC_BYTES_MAX];
    } magics[] = {
        {RF_MAGIC_GZIP, 0xff, 2, {0x1f, 0x8b}},
        {RF_MAGIC_ZSTD, 0xff, 4, {0x28, 0xb5, 0x2f, 0xfd}},
        {RF_MAGIC_LZ4, 0xff, 4, {0x04, 0x22, 0x4d, 0x18}},
        {RF_MAGIC_SKIPPABLE, 0xf0, 4, {0x50, 0x2a, 0x4d, 0x18}},
        {RF_MAGIC_XZ, 0xff, 6, {0xfd, '7', 'z', 'X', 'Z', 0}},
    };
    if (count == 0) {
        return RF_MAGIC_SHORT;
    }
    for (size_t m = 0; m < sizeof magics / sizeof magics[0]; m++) {
        const size_t known = count < magics[m].count ? count : magics[m].count;
        if ((bytes[0] & magics[m].first_mask) == magics[m].bytes[0] &&
            memcmp(bytes + 1, magics[m].bytes + 1, known - 1) == 0) {
            return known == magics[m].count ? magics[m].magic : RF_MAGIC_SHORT;
        }
    }
    return bzip2_magic(bytes, count);
}

enum rf_status rf_codec_begin(struct rf_codecs *codecs, enum rf_codec codec, struct rf_error *err)
{
    return codec_table[codec].begin(codecs, err);
}

enum rf_status rf_codec_step(struct rf_codecs *codecs, enum rf_codec codec, struct rf_codec_step *step,
                             struct rf_error *err)
{
    step->is_done = false;
    return codec_table[codec].step(codecs, step, err);
}

void rf_codecs_close(struct rf_codecs *codecs)
{
    if (codecs->gzip != NULL) {
        inflateEnd(codecs->gzip);
        free(codecs->gzip);
    }
    ZSTD_freeDCtx(codecs->zstd);
    LZ4F_freeDecompressionContext(codecs->lz4);
    *codecs = (struct rf_codecs){0};
}
