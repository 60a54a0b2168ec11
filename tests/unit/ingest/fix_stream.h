/* fix_stream.h: a stream of FIX cut into reads and batches at will, and the entries that come of it.
 *
 * Purpose    What any source does around rf_fix_cut, as simply as can be; for the tests and the fuzz target of the cut.
 */
#ifndef FIX_STREAM_H
#define FIX_STREAM_H

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fix_cut.h"

struct fix_fate { /* of one entry, by its place in the stream */
    size_t begin, end, next, message, message_end;
    int kind, separator, flags, reason;
    size_t reason_at;
};

struct fix_fates {
    struct fix_fate *fate;
    size_t count;
    size_t room;
};

static inline void fates_add(struct fix_fates *fates, struct fix_fate fate)
{
    if (fates->count == fates->room) {
        fates->room = fates->room * 2 + 64;
        fates->fate = realloc(fates->fate, fates->room * sizeof *fates->fate);
        assert(fates->fate != NULL);
    }
    fates->fate[fates->count++] = fate;
}

/* The entries of one batch, which are whole. */
static inline void fates_frame(struct fix_fates *fates, const uint8_t *bytes, size_t count, size_t offset, size_t limit)
{
    uint8_t *batch = malloc(count + 1); /* exact, so that a byte too far is seen */
    assert(batch != NULL);
    memcpy(batch, bytes, count);
    for (size_t at = 0; at < count;) {
        struct rf_fix_entry entry;
        size_t needed;
        const enum rf_fix_step step = rf_fix_entry_next(batch, at, count, limit, RF_FIX_LAST, &entry, &needed);
        assert(step == RF_FIX_ENTRY);
        (void)step;
        fates_add(fates, (struct fix_fate){.begin = offset + at,
                                           .end = offset + entry.end,
                                           .next = offset + entry.next,
                                           .message = offset + entry.message,
                                           .message_end = offset + entry.message_end,
                                           .kind = (int)entry.kind,
                                           .separator = (int)entry.separator,
                                           .flags = entry.flags,
                                           .reason = (int)entry.reason,
                                           .reason_at = entry.reason == RF_REASON_NONE ? 0 : offset + entry.reason_at});
        at = entry.next;
    }
    free(batch);
}

static inline void fates_oversize(struct fix_fates *fates, size_t begin, size_t next)
{
    fates_add(fates, (struct fix_fate){.begin = begin, .end = next, .next = next, .kind = -1});
}

/* Reads of `piece` bytes (drawn up to that when is_random). With is_asking a run is looked at again only when `needed` says
 * so. */
static inline void fates_stream(struct fix_fates *fates, const uint8_t *bytes, size_t count, size_t limit, size_t piece,
                                uint64_t *random, bool is_asking)
{
    size_t begin = 0; /* of what is not handed over */
    size_t used = 0;
    size_t needed = 0;
    size_t oversize = SIZE_MAX; /* begin of an entry that is being passed over */
    fates->count = 0;
    while (begin < count || used < count) {
        const bool is_last = used == count;
        if (oversize != SIZE_MAX) {
            const struct rf_fix_place place =
                rf_fix_cut_resync(bytes, needed, used, is_last ? RF_FIX_LAST : RF_FIX_MORE);
            needed = place.at;
            if (place.is_found) {
                fates_oversize(fates, oversize, place.at);
                oversize = SIZE_MAX;
                begin = place.at;
                needed = 0;
                continue;
            }
        } else if (begin < used && (is_last || !is_asking || used >= needed)) {
            const struct rf_fix_cut cut =
                rf_fix_cut(bytes, begin, used, SIZE_MAX, limit, is_last ? RF_FIX_LAST : RF_FIX_MORE);
            assert(is_last ? cut.whole == used || cut.is_oversize : cut.needed > used || cut.is_oversize);
            fates_frame(fates, bytes + begin, cut.whole - begin, begin, limit);
            begin = cut.whole;
            needed = cut.needed;
            if (cut.is_oversize) {
                oversize = begin;
                needed = rf_fix_resync_from(begin, limit);
                continue;
            }
        }
        size_t room = piece;
        if (random != NULL) {
            *random = *random * 6364136223846793005ull + 1442695040888963407ull;
            room = 1 + (size_t)(*random >> 33) % piece;
        }
        used += room < count - used ? room : count - used;
    }
}

static inline bool fates_equal(const struct fix_fates *a, const struct fix_fates *b)
{
    if (a->count != b->count) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        const struct fix_fate *x = &a->fate[i];
        const struct fix_fate *y = &b->fate[i];
        if (x->begin != y->begin || x->end != y->end || x->next != y->next || x->message != y->message ||
            x->message_end != y->message_end || x->kind != y->kind || x->separator != y->separator ||
            x->flags != y->flags || x->reason != y->reason || x->reason_at != y->reason_at) {
            return false;
        }
    }
    return true;
}

#endif
