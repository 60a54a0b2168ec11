/* codec.h: the compressed formats, one step at a time.
 *
 * Purpose    One contract for three libraries: give a codec some input and some room, learn what it took and made.
 * Data       memory is bounded whatever the input says: 32 KiB of window for gzip, up to 128 MiB for zstd (its usual
 *            limit), blocks of up to 4 MiB for lz4.
 * Ownership  struct rf_codecs holds the libraries' states, made at first use and kept from member to member.
 * Threads    one thread at a time.
 * Errors     RF_E_FORMAT for damaged data (what was made by the same step is still valid), RF_E_MEMORY.
 * Source     RFC 1952 (gzip), RFC 8878 (zstd and skippable frames), LZ4 frame format 1.6.
 */
#ifndef RF_CODEC_H
#define RF_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

enum rf_codec { RF_CODEC_NONE, RF_CODEC_GZIP, RF_CODEC_ZSTD, RF_CODEC_LZ4 };

enum rf_magic {
    RF_MAGIC_NONE,
    RF_MAGIC_SHORT, /* more bytes decide */
    RF_MAGIC_GZIP,
    RF_MAGIC_ZSTD,
    RF_MAGIC_LZ4,
    RF_MAGIC_SKIPPABLE, /* a frame of zstd or lz4 to be passed over: magic, u32 bytes, bytes */
    RF_MAGIC_XZ,        /* known, to be refused by name; both take more than RF_MAGIC_BYTES to be told */
    RF_MAGIC_BZIP2
};
enum { RF_MAGIC_BYTES = 4, RF_SKIPPABLE_HEAD_BYTES = 8 };

struct rf_codecs {
    struct z_stream_s *gzip;
    struct ZSTD_DCtx_s *zstd;
    struct LZ4F_dctx_s *lz4;
    size_t wanted; /* input bytes the present codec likes next: one block, so that damage costs one block only */
};

struct rf_codec_step {
    const uint8_t *in;
    size_t in_count;
    uint8_t *out;
    size_t out_room;
    size_t consumed; /* set by the step, as are those below */
    size_t produced;
    bool is_done; /* the member (frame) has ended, its checksum is right */
};

const char *rf_codec_name(enum rf_codec codec);
enum rf_magic rf_codec_magic(const uint8_t *bytes, size_t count);
/* Makes ready for a new member. */
enum rf_status rf_codec_begin(struct rf_codecs *codecs, enum rf_codec codec, struct rf_error *err);
enum rf_status rf_codec_step(struct rf_codecs *codecs, enum rf_codec codec, struct rf_codec_step *step,
                             struct rf_error *err);
void rf_codecs_close(struct rf_codecs *codecs);

#endif
