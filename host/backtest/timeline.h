/* timeline.h: counts by bucket of event time, for many rules at once.
 *
 * Purpose    rf_timeline_at gives the counters of the bucket that an instant falls into. A bucket is a whole number of widths
 *            since 1970, so that timelines of parts of a stream add up to that of the whole.
 * Data       C columns; bucket b has count[C] u64 and holds the instants [b, b + 1) * width_ns. At most buckets_max buckets
 *            between the earliest and the latest: when there would be more, the width grows to the next of the ladder 1 ms,
 *            10 ms, 100 ms, 1 s, 10 s, 1 min, 10 min, 1 h, 6 h, 1 day, 10 days ... that the width divides. The width at the
 *            end depends on the earliest and latest instant alone, whatever the order or the parts.
 * Ownership  rf_timeline_close frees. Counters are good until the next call of rf_timeline_at or rf_timeline_merge.
 * Threads    one thread at a time.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_TIMELINE_H
#define RF_TIMELINE_H

#include <stdint.h>

#include "status.h"

enum { RF_TIMELINE_AUTO_BUCKETS = 256 }; /* of a timeline whose width nobody has said */

struct rf_timeline {
    uint32_t columns;
    uint32_t buckets_max;
    int64_t width_ns;
    int64_t first;    /* number of bucket 0 */
    uint32_t buckets; /* from the earliest to the latest */
    uint32_t room;
    uint64_t **count; /* [buckets] NULL: none has been counted there */
};

/* width_ns 0: begins with a millisecond. buckets_max >= 2. Takes no memory. */
void rf_timeline_open(struct rf_timeline *timeline, uint32_t columns, int64_t width_ns, uint32_t buckets_max);
void rf_timeline_close(struct rf_timeline *timeline);

static inline int64_t rf_timeline_bucket(const struct rf_timeline *timeline, int64_t ns)
{
    return ns / timeline->width_ns - (ns % timeline->width_ns < 0);
}

enum rf_status rf_timeline_at(struct rf_timeline *timeline, int64_t ns, uint64_t **count, struct rf_error *err);
/* The first instant of bucket `bucket`; of the very first one that int64 can name, that. */
int64_t rf_timeline_begin(const struct rf_timeline *timeline, uint32_t bucket);
/* The width grows to at least `width_ns`, which must be one that it can grow to. */
enum rf_status rf_timeline_widen(struct rf_timeline *timeline, int64_t width_ns, struct rf_error *err);
/* Adds the counts of `from`, which has as many columns and began with the same width. */
enum rf_status rf_timeline_merge(struct rf_timeline *timeline, const struct rf_timeline *from, struct rf_error *err);
/* The next width of the ladder; 0 behind the last. */
int64_t rf_timeline_next_width(int64_t width_ns);

#endif
