/* decompress.h: the plain bytes of one input, whatever it is compressed with.
 *
 * Purpose    Detects gzip, zstd and lz4 by the first bytes and decodes all their members one behind the other, also
 *            mixed; anything else passes straight from read(2) into the caller's buffer.
 * Data       one input buffer of RF_COMPRESSED_BYTES, made when the first compressed input is met. A decompression
 *            bomb is only a long stream: output goes where the caller has room.
 * Ownership  borrows the reader; owns the buffer and the codecs, which are kept for the next input.
 * Threads    one thread at a time.
 * Errors     RF_E_FORMAT: damaged, truncated, xz or bzip2, or garbage behind the last member; RF_E_IO from the reader;
 *            RF_E_MEMORY. What was decoded before has been handed over; after an error the input gives RF_END.
 *            Zero bytes behind gzip members are padding (tapes, tar) and no error.
 */
#ifndef RF_DECOMPRESS_H
#define RF_DECOMPRESS_H

#include "codec.h"
#include "reader.h"

enum { RF_COMPRESSED_BYTES = 256 * 1024, RF_INPUT_HEAD_BYTES = 16 };

enum rf_decompress_state {
    RF_DECOMPRESS_PLAIN,
    RF_DECOMPRESS_NEXT,    /* between members */
    RF_DECOMPRESS_MEMBER,  /* inside one */
    RF_DECOMPRESS_SKIP,    /* inside a skippable frame */
    RF_DECOMPRESS_PADDING, /* zeros behind gzip */
    RF_DECOMPRESS_ENDED
};

struct rf_decompress {
    struct rf_reader *reader;
    struct rf_codecs codecs;
    enum rf_decompress_state state;
    enum rf_codec codec;               /* of the present or last member */
    uint8_t head[RF_INPUT_HEAD_BYTES]; /* plain bytes read for detection, still to be handed over */
    size_t head_begin, head_end;
    uint8_t *in;
    size_t in_begin, in_end;
    uint64_t skip_left;
    struct rf_error failure; /* met behind bytes that were handed over first; RF_OK when none */
};

/* Begins a new input: reads its first bytes. The struct is all zero before the first call. */
enum rf_status rf_decompress_begin(struct rf_decompress *d, struct rf_reader *reader, struct rf_error *err);
/* As rf_reader_read. */
enum rf_status rf_decompress_read(struct rf_decompress *d, void *out, size_t room, int wait_ms, size_t *got,
                                  struct rf_error *err);
void rf_decompress_close(struct rf_decompress *d);

#endif
