/* fix_cut.h: where a stream of FIX may be cut into batches. Pure, like cut.h.
 *
 * Purpose    Entries (fix_entry.h) may be found only from front to back: raw data can hold whole messages and line ends, so
 *            that a search from the end, as lines have it, would cut inside them. A hop over a message costs little, since
 *            its BodyLength leads to its end.
 * Data       A run of bytes that begins at an entry. Whatever reads and batches a stream is cut into, the entries are the same,
 *            save one case: RF_FIX_PAUSE hands over a message before it is known whether a line end follows.
 * Use        Keep `whole` from call to call, and call again when `needed` bytes are there, when the input has ended
 *            (RF_FIX_LAST), or when nothing came for a while (RF_FIX_PAUSE). When is_oversize, hand the head of the entry
 *            over as one malformed record and look for its end with rf_fix_cut_resync, from rf_fix_resync_from(whole, limit) on; of what has been
 *            looked at only the byte before the returned place must be kept.
 * Cost       each byte about once; some ns for each message.
 * Threads    pure functions.
 */
#ifndef RF_FIX_CUT_H
#define RF_FIX_CUT_H

#include "fix_entry.h"

struct rf_fix_cut {
    size_t whole;     /* one past the last whole entry */
    size_t needed;    /* with fewer bytes the next entry stays undecided */
    bool is_oversize; /* the entry at `whole` is longer than the limit */
    uint64_t entries; /* that were passed over on the way to `whole`, in this call */
};

/* bytes[begin, count) begins at an entry, and bytes[0] is the first of the batch: of more than batch_bytes only when one entry
 * is longer. Entries of more than record_bytes_max bytes, line end included, are oversize. */
struct rf_fix_cut rf_fix_cut(const uint8_t *bytes, size_t begin, size_t count, size_t batch_bytes,
                             size_t record_bytes_max, enum rf_fix_run run);

struct rf_fix_place {
    size_t at;
    bool is_found; /* the next entry begins at `at`; else looking goes on there when there is more */
};

/* Where the entry behind an oversize one begins; from > 0. At the end of the input: at its end. */
struct rf_fix_place rf_fix_cut_resync(const uint8_t *bytes, size_t from, size_t count, enum rf_fix_run run);

#endif
