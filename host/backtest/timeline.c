#include "timeline.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

#define MS ((int64_t)RF_NS_PER_MS)
#define SECOND ((int64_t)RF_NS_PER_S)

/* Each divides the next. */
static const int64_t ladder[] = {MS,
                                 10 * MS,
                                 100 * MS,
                                 SECOND,
                                 10 * SECOND,
                                 60 * SECOND,
                                 600 * SECOND,
                                 3600 * SECOND,
                                 6 * 3600 * SECOND,
                                 86400 * SECOND,
                                 10 * 86400 * SECOND,
                                 100 * 86400 * SECOND};
enum { LADDER = sizeof ladder / sizeof ladder[0] };

int64_t rf_timeline_next_width(int64_t width_ns)
{
    for (int i = 0; i < LADDER; i++) {
        if (ladder[i] > width_ns && ladder[i] % width_ns == 0) {
            return ladder[i];
        }
    }
    return width_ns > INT64_MAX / 10 ? 0 : width_ns * 10;
}

void rf_timeline_open(struct rf_timeline *timeline, uint32_t columns, int64_t width_ns, uint32_t buckets_max)
{
    assert(buckets_max >= 2);
    *timeline = (struct rf_timeline){
        .columns = columns, .buckets_max = buckets_max, .width_ns = width_ns == 0 ? MS : width_ns};
}

void rf_timeline_close(struct rf_timeline *timeline)
{
    for (uint32_t i = 0; i < timeline->buckets; i++) {
        free(timeline->count[i]);
    }
    free(timeline->count);
    *timeline = (struct rf_timeline){0};
}

/* Of bucket numbers and their distance: int64 instants and a width of 1 ns leave no room to spare. */
static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static void counts_add(uint64_t *restrict to, const uint64_t *restrict from, uint32_t columns)
{
    for (uint32_t i = 0; i < columns; i++) {
        to[i] += from[i];
    }
}

/* Buckets of the next width, each the sum of those within. Nothing is allocated: buckets only move forward in the array. */
static enum rf_status widen_once(struct rf_timeline *timeline, struct rf_error *err)
{
    const int64_t width = rf_timeline_next_width(timeline->width_ns);
    if (width == 0) {
        RF_FAIL(err, RF_E_LIMIT, "the records' times are too far apart for %u buckets", timeline->buckets_max);
    }
    const int64_t factor = width / timeline->width_ns;
    const int64_t first = floor_divide(timeline->first, factor);
    uint32_t buckets = 0;
    for (uint32_t i = 0; i < timeline->buckets; i++) {
        const uint32_t to = (uint32_t)(floor_divide(timeline->first + i, factor) - first);
        uint64_t *count = timeline->count[i];
        timeline->count[i] = NULL;
        if (to >= buckets) { /* the first of its bucket */
            buckets = to + 1;
            timeline->count[to] = count;
        } else if (timeline->count[to] == NULL) {
            timeline->count[to] = count;
        } else if (count != NULL) {
            counts_add(timeline->count[to], count, timeline->columns);
            free(count);
        }
    }
    timeline->first = first;
    timeline->buckets = buckets;
    timeline->width_ns = width;
    return RF_OK;
}

/* Makes the array reach from bucket `low` to bucket `high`, which are no more than buckets_max. */
static enum rf_status buckets_reach(struct rf_timeline *timeline, int64_t low, int64_t high, struct rf_error *err)
{
    const uint32_t wanted = (uint32_t)(high - low) + 1;
    const uint32_t before = timeline->buckets == 0 ? 0 : (uint32_t)(timeline->first - low);
    if (wanted > timeline->room) {
        uint32_t room = timeline->room < 16 ? 16 : timeline->room;
        while (room < wanted) {
            room *= 2;
        }
        uint64_t **count = realloc(timeline->count, room * sizeof *count);
        if (count == NULL) {
            RF_FAIL(err, RF_E_MEMORY, "out of memory for a timeline of %u buckets", wanted);
        }
        timeline->count = count;
        timeline->room = room;
    }
    if (before != 0) {
        memmove(timeline->count + before, timeline->count, timeline->buckets * sizeof *timeline->count);
        memset(timeline->count, 0, before * sizeof *timeline->count);
    }
    const uint32_t used = before + timeline->buckets;
    memset(timeline->count + used, 0, (wanted - used) * sizeof *timeline->count);
    timeline->first = low;
    timeline->buckets = wanted;
    return RF_OK;
}

/* Is there room for bucket `bucket`? Distances are unsigned: they may be all of int64. */
static bool bucket_fits(const struct rf_timeline *timeline, int64_t bucket)
{
    if (timeline->buckets == 0) {
        return true;
    }
    const int64_t last = timeline->first + (timeline->buckets - 1);
    const int64_t low = bucket < timeline->first ? bucket : timeline->first;
    const int64_t high = bucket > last ? bucket : last;
    return (uint64_t)high - (uint64_t)low < timeline->buckets_max;
}

enum rf_status rf_timeline_at(struct rf_timeline *timeline, int64_t ns, uint64_t **count, struct rf_error *err)
{
    int64_t bucket = rf_timeline_bucket(timeline, ns);
    while (!bucket_fits(timeline, bucket)) {
        RF_TRY(widen_once(timeline, err));
        bucket = rf_timeline_bucket(timeline, ns);
    }
    if (timeline->buckets == 0) {
        RF_TRY(buckets_reach(timeline, bucket, bucket, err));
    } else if (bucket < timeline->first) {
        RF_TRY(buckets_reach(timeline, bucket, timeline->first + (timeline->buckets - 1), err));
    } else if (bucket > timeline->first + (timeline->buckets - 1)) {
        RF_TRY(buckets_reach(timeline, timeline->first, bucket, err));
    }
    uint64_t **at = &timeline->count[bucket - timeline->first];
    if (*at == NULL) {
        *at = calloc(timeline->columns == 0 ? 1 : timeline->columns, sizeof **at);
        if (*at == NULL) {
            RF_FAIL(err, RF_E_MEMORY, "out of memory for a bucket of %u rules", timeline->columns);
        }
    }
    *count = *at;
    return RF_OK;
}

int64_t rf_timeline_begin(const struct rf_timeline *timeline, uint32_t bucket)
{
    int64_t ns;
    return __builtin_mul_overflow(timeline->first + bucket, timeline->width_ns, &ns) ? INT64_MIN : ns;
}

enum rf_status rf_timeline_widen(struct rf_timeline *timeline, int64_t width_ns, struct rf_error *err)
{
    while (timeline->width_ns < width_ns) {
        RF_TRY(widen_once(timeline, err));
    }
    return RF_OK;
}

enum rf_status rf_timeline_merge(struct rf_timeline *timeline, const struct rf_timeline *from, struct rf_error *err)
{
    assert(timeline->columns == from->columns);
    RF_TRY(rf_timeline_widen(timeline, from->width_ns, err));
    for (uint32_t i = 0; i < from->buckets; i++) {
        if (from->count[i] != NULL) {
            uint64_t *count;
            RF_TRY(rf_timeline_at(timeline, rf_timeline_begin(from, i), &count, err));
            counts_add(count, from->count[i], timeline->columns);
        }
    }
    return RF_OK;
}
