/* chunks.h: a stand-in for read(2) that hands out bytes in pieces of a chosen size. */
#ifndef CHUNKS_H
#define CHUNKS_H

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "reader.h"

struct chunks {
    const uint8_t *bytes;
    size_t count;
    size_t cursor;
    size_t first;       /* bytes of the first piece; 0 = as `rest` */
    size_t rest;        /* bytes of each further piece; 0 = whatever there is room for */
    size_t pause_every; /* EAGAIN once before each such piece number; 0 = never */
    size_t calls;
    int error; /* errno behind the last byte; 0 = the end */
    bool was_paused;
};

static inline ssize_t chunks_read(void *context, void *out, size_t room)
{
    struct chunks *chunks = context;
    chunks->calls++;
    if (chunks->pause_every != 0 && chunks->calls % chunks->pause_every == 0 && !chunks->was_paused) {
        chunks->was_paused = true;
        errno = EAGAIN;
        return -1;
    }
    chunks->was_paused = false;
    size_t count = chunks->count - chunks->cursor;
    const size_t piece = chunks->cursor == 0 && chunks->first != 0 ? chunks->first : chunks->rest;
    count = piece != 0 && piece < count ? piece : count;
    count = count < room ? count : room;
    if (count == 0) {
        errno = chunks->error;
        return chunks->error != 0 ? -1 : 0;
    }
    memcpy(out, chunks->bytes + chunks->cursor, count);
    chunks->cursor += count;
    return (ssize_t)count;
}

#endif
