/* subject_walk.h: the tokens of a subject one after another, for the forms of a set (subject_set.h) alone.
 *
 * Purpose    Dots are found 64 bytes at a time; a token comes with its first eight bytes as a number and with a hash.
 * Data       a subject of 16 to 64 bytes is read in place, as is a longer one window by window; of a shorter one there is a copy
 *            where eight bytes may be read anywhere. The copy is the caller's and not part of the walk, or gcc would not keep
 *            the walk in registers.
 * Threads    pure functions on the caller's walk. Nothing is allocated; time linear in the tokens that are taken.
 */
#ifndef RF_SUBJECT_WALK_H
#define RF_SUBJECT_WALK_H

#include "str.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
    SUBJECT_CHUNK_BYTES = 16,
    SUBJECT_WINDOW_BYTES = 64,
    SUBJECT_HEAD_BYTES = 8,
    SUBJECT_COPY_BYTES = SUBJECT_CHUNK_BYTES + SUBJECT_HEAD_BYTES
};

struct subject_token {
    const char *data;
    size_t count;
    uint64_t head; /* the first eight bytes, zero behind the end */
    uint64_t hash;
};

struct subject_walk {
    const char *at;     /* of the next token */
    const char *end;    /* of the subject */
    const char *limit;  /* the last place where eight bytes may be read */
    const char *window; /* of `dots` */
    uint64_t dots;      /* not yet passed; bit i: byte i of the window is a dot */
    bool is_whole;      /* the window reaches to the end */
    bool is_done;
};

static inline uint64_t subject_word(const char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* Tokens come from outside, but a search that grows long costs time only in the one set whose patterns were made for it. */
static inline uint64_t subject_hash(const char *data, size_t count, uint64_t head)
{
    uint64_t hash = head ^ count * 0x9e3779b97f4a7c15u;
    if (count > SUBJECT_HEAD_BYTES) {
        for (size_t at = SUBJECT_HEAD_BYTES; at + SUBJECT_HEAD_BYTES < count; at += SUBJECT_HEAD_BYTES) {
            hash = (hash ^ hash >> 32) * 0xff51afd7ed558ccdu ^ subject_word(data + at);
        }
        /* The last eight bytes, some of them again. */
        hash = (hash ^ hash >> 32) * 0xff51afd7ed558ccdu ^ subject_word(data + count - SUBJECT_HEAD_BYTES);
    }
    return hash;
}

/* Bit i: byte i of sixteen is a dot. */
static inline uint64_t subject_chunk_dots(const char *chunk)
{
#ifdef __SSE2__
    const __m128i bytes = _mm_loadu_si128((const void *)chunk);
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('.')));
#else
    uint64_t dots = 0;
    for (int i = 0; i < SUBJECT_CHUNK_BYTES; i++) {
        dots |= (uint64_t)(chunk[i] == '.') << i;
    }
    return dots;
#endif
}

/* Bit i: byte i of eight is a dot. In registers: a load of what was just stored in pieces waits for the stores. */
static inline uint64_t subject_word_dots(uint64_t word)
{
#ifdef __SSE2__
    const __m128i bytes = _mm_cvtsi64_si128((long long)word);
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('.')));
#else
    uint64_t dots = 0;
    for (int i = 0; i < SUBJECT_HEAD_BYTES; i++) {
        dots |= (uint64_t)((word >> 8 * i & 0xff) == '.') << i;
    }
    return dots;
#endif
}

/* Of 16 to 64 bytes. The last chunk ends with them and may look at some again. */
static inline uint64_t subject_window_dots(const char *window, size_t count)
{
    const size_t last = count - SUBJECT_CHUNK_BYTES;
    uint64_t dots = subject_chunk_dots(window + last) << last;
    for (size_t i = 0; i < last; i += SUBJECT_CHUNK_BYTES) {
        dots |= subject_chunk_dots(window + i) << i;
    }
    return dots;
}

/* Less than eight bytes as a number. */
static inline uint64_t subject_few_bytes(const char *data, size_t count)
{
    if (count >= 4) {
        uint32_t first;
        uint32_t last;
        memcpy(&first, data, sizeof first);
        memcpy(&last, data + count - sizeof last, sizeof last);
        return first | (uint64_t)last << 8 * (count - sizeof last);
    }
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++) {
        word |= (uint64_t)(uint8_t)data[i] << 8 * i;
    }
    return word;
}

/* copy[SUBJECT_COPY_BYTES] lives as long as the walk. */
static inline void subject_walk_begin(struct subject_walk *walk, char *copy, struct rf_str subject)
{
    const char *data = subject.data;
    const size_t count = subject.count;
    walk->is_done = false;
    walk->is_whole = count <= SUBJECT_WINDOW_BYTES;
    if (count >= SUBJECT_CHUNK_BYTES) {
        walk->limit = data + count - SUBJECT_HEAD_BYTES;
        walk->dots = subject_window_dots(data, walk->is_whole ? count : SUBJECT_WINDOW_BYTES);
    } else {
        const bool is_short = count < SUBJECT_HEAD_BYTES;
        const uint64_t word[3] = {is_short ? subject_few_bytes(data, count) : subject_word(data),
                                  is_short || count == SUBJECT_HEAD_BYTES
                                      ? 0
                                      : subject_word(data + count - SUBJECT_HEAD_BYTES) >> 8 * (SUBJECT_CHUNK_BYTES - count)};
        memcpy(copy, word, sizeof word);
        data = copy;
        walk->limit = data + SUBJECT_CHUNK_BYTES;
        walk->dots = subject_word_dots(word[0]) | subject_word_dots(word[1]) << SUBJECT_HEAD_BYTES;
    }
    walk->window = data;
    walk->at = data;
    walk->end = data + count;
}

/* Goes on to a window with a dot, or to the last one. */
static inline void subject_walk_advance(struct subject_walk *walk)
{
    while (walk->dots == 0 && !walk->is_whole) {
        walk->window += SUBJECT_WINDOW_BYTES;
        const size_t left = (size_t)(walk->end - walk->window);
        walk->is_whole = left <= SUBJECT_WINDOW_BYTES;
        if (left >= SUBJECT_WINDOW_BYTES) {
            walk->dots = subject_window_dots(walk->window, SUBJECT_WINDOW_BYTES);
        } else { /* so that it ends with the subject; what was seen before is shifted out */
            const size_t again = SUBJECT_WINDOW_BYTES - left;
            walk->window -= again;
            walk->dots = subject_window_dots(walk->window, SUBJECT_WINDOW_BYTES) >> again << again;
        }
    }
}

/* Takes the token before the next dot; false behind the last one. An empty one has no hash of use. */
static inline bool subject_walk_next(struct subject_walk *walk, struct subject_token *token)
{
    if (walk->is_done) {
        return false;
    }
    subject_walk_advance(walk);
    walk->is_done = walk->dots == 0;
    const char *stop = walk->is_done ? walk->end : walk->window + __builtin_ctzll(walk->dots);
    const size_t count = (size_t)(stop - walk->at);
    /* Near the end the last eight bytes are read, of which those before the token are shifted out. */
    const char *from = walk->at <= walk->limit ? walk->at : walk->limit;
    const size_t before = (size_t)(walk->at - from);
    uint64_t head = subject_word(from) >> (8 * before & 63); /* 8 before it: nothing is left, and count is 0 */
    head &= count >= SUBJECT_HEAD_BYTES ? ~0ull : (1ull << 8 * count) - 1;
    *token = (struct subject_token){walk->at, count, head, subject_hash(walk->at, count, head)};
    walk->dots &= walk->dots - 1;
    walk->at = stop + 1;
    return true;
}

/* Of a walk that is whole and has just begun: how many tokens there are. */
static inline uint32_t subject_walk_tokens(const struct subject_walk *walk)
{
    uint64_t bits = walk->dots;
    bits -= bits >> 1 & 0x5555555555555555u;
    bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return 1 + (uint32_t)(bits * 0x0101010101010101u >> 56);
}

#endif
