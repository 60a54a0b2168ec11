#include "ahead.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { READ_BYTES = 64 * 1024 };

/* What was read, for the decompression; EAGAIN when it has all of it. */
static ssize_t packed_read(void *context, void *out, size_t room)
{
    struct rf_ahead *ahead = context;
    const size_t left = ahead->count - ahead->taken;
    const size_t count = left < room ? left : room;
    if (count == 0 && !ahead->is_ended) {
        errno = EAGAIN;
        return -1;
    }
    if (count != 0) {
        memcpy(out, ahead->bytes + ahead->taken, count);
    }
    ahead->taken += count;
    return (ssize_t)count;
}

enum rf_status rf_ahead_open(struct rf_ahead *ahead, struct rf_error *err)
{
    *ahead = (struct rf_ahead){0};
    RF_TRY(rf_reader_open_stdin(&ahead->reader, err));
    ahead->bytes = malloc(READ_BYTES);
    if (ahead->bytes == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for the first bytes of standard input");
    }
    ahead->capacity = READ_BYTES;
    ahead->plain = ahead->bytes;
    return RF_OK;
}

/* False: there is no memory, or none is wanted any more. */
static bool bytes_room(struct rf_ahead *ahead)
{
    if (ahead->count < ahead->capacity) {
        return true;
    }
    if (!ahead->is_compressed || ahead->capacity >= RF_AHEAD_BYTES_MAX) {
        return false;
    }
    uint8_t *grown = realloc(ahead->bytes, 2 * ahead->capacity);
    if (grown == NULL) {
        return false;
    }
    ahead->bytes = grown;
    ahead->capacity *= 2;
    return true;
}

/* Finds out whether it is compressed, as soon as there are bytes enough. */
static void compression_look(struct rf_ahead *ahead)
{
    const enum rf_magic magic = rf_codec_magic(ahead->bytes, ahead->count);
    if (magic == RF_MAGIC_SHORT && !ahead->is_ended) {
        return;
    }
    ahead->is_known = true;
    if (magic != RF_MAGIC_GZIP && magic != RF_MAGIC_ZSTD && magic != RF_MAGIC_LZ4 && magic != RF_MAGIC_SKIPPABLE) {
        return;
    }
    struct rf_error err;
    ahead->unpacked = malloc(RF_AHEAD_PLAIN_BYTES);
    rf_reader_open_call(&ahead->packed, packed_read, ahead);
    /* It asks for no more bytes than tell the magic, and these are there. */
    if (ahead->unpacked == NULL || rf_decompress_begin(&ahead->stream, &ahead->packed, &err) != RF_OK) {
        ahead->is_ended = true;
        return;
    }
    ahead->is_compressed = true;
}

static void plain_make(struct rf_ahead *ahead)
{
    if (!ahead->is_known) {
        compression_look(ahead);
    }
    if (!ahead->is_compressed) {
        ahead->plain = ahead->bytes;
        ahead->plain_count = ahead->is_known ? ahead->count : 0;
        return;
    }
    ahead->plain = ahead->unpacked;
    enum rf_status status = RF_OK;
    while (status == RF_OK && ahead->plain_count < RF_AHEAD_PLAIN_BYTES) {
        struct rf_error err;
        size_t got = 0;
        status = rf_decompress_read(&ahead->stream, ahead->unpacked + ahead->plain_count,
                                    RF_AHEAD_PLAIN_BYTES - ahead->plain_count, 0, &got, &err);
        ahead->plain_count += status == RF_OK ? got : 0;
    }
    ahead->is_ended = ahead->is_ended || status != RF_AGAIN;
}

bool rf_ahead_more(struct rf_ahead *ahead)
{
    struct rf_error err;
    size_t got = 0;
    if (ahead->is_ended || !bytes_room(ahead)) {
        return false;
    }
    const size_t room = ahead->capacity - ahead->count;
    if (rf_reader_read(&ahead->reader, ahead->bytes + ahead->count, room < READ_BYTES ? room : READ_BYTES,
                       RF_WAIT_FOREVER, &got, &err) != RF_OK) {
        ahead->is_ended = true;
    }
    ahead->count += got;
    plain_make(ahead);
    return true;
}

void rf_ahead_rest(struct rf_ahead *ahead)
{
    rf_decompress_close(&ahead->stream);
    free(ahead->unpacked);
    ahead->unpacked = NULL;
    ahead->plain = NULL;
    ahead->plain_count = 0;
    if (ahead->reader.is_open && !ahead->reader.can_wait && lseek(STDIN_FILENO, -(off_t)ahead->count, SEEK_CUR) >= 0) {
        ahead->count = 0;
    }
    rf_reader_close(&ahead->reader);
}

void rf_ahead_close(struct rf_ahead *ahead)
{
    rf_ahead_rest(ahead);
    free(ahead->bytes);
    *ahead = (struct rf_ahead){0};
}
