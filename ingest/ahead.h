/* ahead.h: the first bytes of standard input, read before anybody knows what they are.
 *
 * Purpose    What a pipe holds can only be found out by reading from it. What was read is handed to the source
 *            (source.h, stdin_ahead), which begins with it: nothing is lost, nothing is read twice.
 * Data       bytes[count] as they were read; plain[plain_count] what they say: themselves, or, of compressed input, what they
 *            give so far. At most RF_AHEAD_PLAIN_BYTES of it are made, from at most RF_AHEAD_BYTES_MAX compressed bytes:
 *            room for the largest block of lz4, before whose end nothing is known of it.
 * Ownership  rf_ahead_close frees. bytes must live as long as a source that was given them.
 * Threads    one thread.
 * Errors     rf_ahead_open: RF_E_IO, RF_E_MEMORY. What goes wrong later ends the looking; whoever reads on says why.
 */
#ifndef RF_AHEAD_H
#define RF_AHEAD_H

#include "decompress.h"
#include "str.h"

enum { RF_AHEAD_PLAIN_BYTES = 64 * 1024, RF_AHEAD_BYTES_MAX = 8 * 1024 * 1024 };

struct rf_ahead {
    uint8_t *bytes;
    size_t count;
    const uint8_t *plain;
    size_t plain_count;
    size_t capacity;
    size_t taken;  /* by the decompression */
    bool is_ended; /* there is no more */
    bool is_known; /* whether it is compressed */
    bool is_compressed;
    uint8_t *unpacked; /* [RF_AHEAD_PLAIN_BYTES] of compressed input */
    struct rf_reader reader;
    struct rf_reader packed; /* gives bytes[taken, count) */
    struct rf_decompress stream;
};

enum rf_status rf_ahead_open(struct rf_ahead *ahead, struct rf_error *err);
/* Waits for more bytes, as long as it takes, and for no more than come at once. False: there are no more to look at. */
bool rf_ahead_more(struct rf_ahead *ahead);
/* Nobody looks any further. A file is put back to where it was, and no bytes are kept then. */
void rf_ahead_rest(struct rf_ahead *ahead);
void rf_ahead_close(struct rf_ahead *ahead);

static inline struct rf_str rf_ahead_bytes(const struct rf_ahead *ahead)
{
    return (struct rf_str){(const char *)ahead->bytes, ahead->count};
}

#endif
