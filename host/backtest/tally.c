#include "tally.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Counters of all buckets together; more rules have fewer, wider ones. */
enum { CELLS_MAX = 4 * 1024 * 1024, BUCKETS_MIN = 64, BUCKETS_MAX = 1024 * 1024 };

static uint32_t buckets_max(uint32_t rules, int64_t by_ns)
{
    const uint32_t fit = CELLS_MAX / (rules + 1);
    const uint32_t most = by_ns == 0 ? RF_TIMELINE_AUTO_BUCKETS : BUCKETS_MAX;
    return fit < BUCKETS_MIN ? BUCKETS_MIN : fit > most ? most : fit;
}

enum rf_status rf_tally_open(struct rf_tally *tally, uint32_t rules, bool has_time, int64_t by_ns, enum rf_isa isa,
                             struct rf_error *err)
{
    const size_t room = rules == 0 ? 1 : rules;
    *tally = (struct rf_tally){.rules = rules,
                               .kernels = rf_eval_kernels_of(isa),
                               .has_time = has_time,
                               .by_ns = by_ns,
                               .untimed = calloc(room, sizeof(uint64_t)),
                               .errors = calloc(room, sizeof(uint64_t)),
                               .first_ns = malloc(room * sizeof(int64_t)),
                               .last_ns = malloc(room * sizeof(int64_t)),
                               .first_at = malloc(room * sizeof(struct rf_tally_place)),
                               .last_at = malloc(room * sizeof(struct rf_tally_place)),
                               .recent_first = calloc(room, sizeof(uint32_t)),
                               .recent_last = calloc(room, sizeof(uint32_t)),
                               .round_ns = RF_TALLY_NEVER,
                               .begin_ns = RF_TALLY_NEVER,
                               .end_ns = RF_TALLY_NEVER};
    rf_timeline_open(&tally->timeline, rules + 1, by_ns, buckets_max(rules, by_ns));
    if (tally->untimed == NULL || tally->errors == NULL || tally->first_ns == NULL || tally->last_ns == NULL ||
        tally->first_at == NULL || tally->last_at == NULL || tally->recent_first == NULL ||
        tally->recent_last == NULL) {
        rf_tally_close(tally);
        RF_FAIL(err, RF_E_MEMORY, "out of memory for the counts of %u rules", rules);
    }
    for (uint32_t r = 0; r < rules; r++) {
        tally->first_ns[r] = tally->last_ns[r] = RF_TALLY_NEVER;
        tally->first_at[r] = tally->last_at[r] = (struct rf_tally_place){UINT32_MAX, 0};
    }
    return RF_OK;
}

void rf_tally_close(struct rf_tally *tally)
{
    free(tally->untimed);
    free(tally->errors);
    free(tally->first_ns);
    free(tally->last_ns);
    free(tally->first_at);
    free(tally->last_at);
    free(tally->recent_first);
    free(tally->recent_last);
    rf_timeline_close(&tally->timeline);
    *tally = (struct rf_tally){0};
}

static uint32_t bits_count(const uint64_t *bits, uint32_t words)
{
    uint32_t sum = 0;
    for (uint32_t w = 0; w < words; w++) {
        sum += (uint32_t)__builtin_popcountll(bits[w]);
    }
    return sum;
}

static void earlier(int64_t *first, int64_t ns)
{
    if (*first == RF_TALLY_NEVER || ns < *first) {
        *first = ns;
    }
}

static void later(int64_t *last, int64_t ns)
{
    if (ns > *last) { /* RF_TALLY_NEVER is below all */
        *last = ns;
    }
}

void rf_tally_round_begin(struct rf_tally *tally, struct rf_tally_round round)
{
    tally->round = round;
    tally->round_ns = RF_TALLY_NEVER;
}

void rf_tally_flush(struct rf_tally *tally)
{
    const struct rf_tally_round *round = &tally->round;
    for (uint32_t r = 0; r < tally->rules; r++) {
        if (tally->recent_last[r] == 0) {
            continue;
        }
        const uint32_t first = tally->recent_first[r] - 1;
        const uint32_t last = tally->recent_last[r] - 1;
        tally->recent_first[r] = tally->recent_last[r] = 0;
        if (tally->first_at[r].input == UINT32_MAX) {
            tally->first_at[r] = (struct rf_tally_place){round->input, round->offset + round->begin[first]};
        }
        tally->last_at[r] = (struct rf_tally_place){round->input, round->offset + round->begin[last]};
        if (round->time_ns != NULL && round->time_ns[first] != RF_TALLY_UNTIMED) {
            earlier(&tally->first_ns[r], round->time_ns[first]);
        }
        if (round->time_ns != NULL && round->time_ns[last] != RF_TALLY_UNTIMED) {
            later(&tally->last_ns[r], round->time_ns[last]);
        }
    }
}

struct times {
    int64_t low, high;
    bool has_any;
    bool is_ascending; /* every live row has one, none before that of the row before */
};

/* timed[words]: rows that have one. */
static struct times times_look(const struct rf_tally *tally, const struct rf_tally_block *block, uint64_t *timed_out)
{
    struct times times = {.is_ascending = true};
    int64_t before = RF_TALLY_NEVER;
    for (uint32_t w = 0; w < rf_bitmap_words(block->rows); w++) {
        uint64_t timed = 0;
        for (uint64_t left = block->live[w]; left != 0; left &= left - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(left);
            const int64_t ns = tally->round.time_ns[block->first + 64 * w + bit];
            if (ns == RF_TALLY_UNTIMED) {
                times.is_ascending = false;
                continue;
            }
            timed |= 1ull << bit;
            times.is_ascending &= ns >= before;
            before = ns;
            times.low = !times.has_any || ns < times.low ? ns : times.low;
            times.high = !times.has_any || ns > times.high ? ns : times.high;
            times.has_any = true;
        }
        timed_out[w] = timed;
    }
    return times;
}

/* Of rows with a time, when they do not all fall into one bucket: that of each. */
static enum rf_status buckets_look(struct rf_tally *tally, struct rf_tally_block *block, bool are_counted,
                                   struct rf_error *err)
{
    for (uint32_t w = 0; w < block->words; w++) {
        for (uint64_t left = block->timed[w]; left != 0; left &= left - 1) {
            const uint32_t row = 64 * w + (uint32_t)__builtin_ctzll(left);
            const int64_t ns = tally->round.time_ns[block->first + row];
            uint64_t *count;
            RF_TRY(rf_timeline_at(&tally->timeline, ns, &count, err));
            count[tally->rules] += !are_counted;
            block->bucket_of[row] = (uint32_t)(rf_timeline_bucket(&tally->timeline, ns) - tally->timeline.first);
        }
    }
    return RF_OK;
}

/* The rows of each bucket, where time ascends: neighbours. */
static void segments_cut(const struct rf_tally *tally, struct rf_tally_block *block)
{
    uint32_t segments = 0;
    uint32_t before = UINT32_MAX;
    for (uint32_t w = 0; w < block->words; w++) {
        for (uint64_t left = block->timed[w]; left != 0; left &= left - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(left);
            const uint32_t bucket = block->bucket_of[64 * w + bit];
            if (bucket != before) {
                if (segments == RF_TALLY_SEGMENTS_MAX) {
                    return;
                }
                block->segment_bucket[segments] = tally->timeline.count[bucket];
                memset(block->segment_rows[segments], 0, sizeof block->segment_rows[0]);
                segments++;
                before = bucket;
            }
            block->segment_rows[segments - 1][w] |= 1ull << bit;
        }
    }
    block->segments = segments;
}

bool rf_tally_block_goes_on(const struct rf_tally *tally, const struct rf_tally_block *block)
{
    uint64_t timed[RF_EVAL_BLOCK_WORDS];
    if (tally->round.time_ns == NULL) {
        return true;
    }
    const struct times times = times_look(tally, block, timed);
    return times.has_any && times.is_ascending && times.low >= tally->round_ns;
}

/* Does a time fall into the bucket of the blocks before? */
static bool bucket_goes_on(const struct rf_tally *tally, const struct rf_tally_block *block, int64_t ns)
{
    return block->before_ns != RF_TALLY_NEVER &&
           rf_timeline_bucket(&tally->timeline, ns) == rf_timeline_bucket(&tally->timeline, block->before_ns);
}

static uint32_t first_of(const uint64_t *bits)
{
    uint32_t w = 0;
    while (bits[w] == 0) {
        w++;
    }
    return 64 * w + (uint32_t)__builtin_ctzll(bits[w]);
}

void rf_tally_block_cut(const struct rf_tally *tally, const struct rf_tally_block *block, struct rf_eval_spans *spans)
{
    const bool is_one = !block->needs_truth;
    spans->count = is_one ? 1 : block->segments;
    for (uint32_t s = 1; s < spans->count; s++) {
        spans->end[s - 1] = first_of(block->segment_rows[s]);
    }
    if (spans->count != 0) {
        spans->end[spans->count - 1] = block->rows;
        spans->goes_on = tally->round.time_ns == NULL ||
                         bucket_goes_on(tally, block, tally->round.time_ns[block->first + first_of(block->live)]);
    }
}

enum rf_status rf_tally_block_begin(struct rf_tally *tally, struct rf_tally_block *block, struct rf_error *err)
{
    block->words = rf_bitmap_words(block->rows);
    block->bucket = NULL;
    block->needs_truth = false;
    block->segments = 0;
    block->before_ns = tally->round_ns;
    memset(block->timed, 0, sizeof block->timed);
    const uint32_t records = bits_count(block->live, block->words);
    tally->records += records;
    if (tally->round.time_ns == NULL) {
        tally->timeless += records;
        return RF_OK;
    }
    const struct times times = times_look(tally, block, block->timed);
    const uint32_t timed = bits_count(block->timed, block->words);
    tally->timeless += records - timed;
    if (!times.has_any) {
        block->needs_truth = true;
        return RF_OK;
    }
    earlier(&tally->begin_ns, times.low);
    later(&tally->end_ns, times.high);
    /* Where time goes back, the first and last hit of a round are not the earliest and latest. */
    const bool goes_on = times.is_ascending && times.low >= tally->round_ns;
    if (!goes_on) {
        rf_tally_flush(tally);
        tally->round_ns = RF_TALLY_NEVER;
    }
    later(&tally->round_ns, times.high);
    uint64_t *lowest;
    uint64_t *highest;
    RF_TRY(rf_timeline_at(&tally->timeline, times.low, &lowest, err));
    RF_TRY(rf_timeline_at(&tally->timeline, times.high, &highest, err)); /* from here on the width is what it is */
    RF_TRY(rf_timeline_at(&tally->timeline, times.low, &lowest, err));
    if (lowest == highest) {
        lowest[tally->rules] += timed;
        block->bucket = times.is_ascending ? lowest : NULL;
    }
    block->needs_truth = block->bucket == NULL;
    if (!block->needs_truth) {
        return RF_OK;
    }
    RF_TRY(buckets_look(tally, block, lowest == highest, err));
    if (times.is_ascending) {
        segments_cut(tally, block);
    }
    return RF_OK;
}

static void hits_count(struct rf_tally *tally, const struct rf_tally_block *block, uint32_t rule, const uint64_t *truth)
{
    for (uint32_t w = 0; w < block->words; w++) {
        uint64_t untimed = truth[w] & ~block->timed[w];
        for (; untimed != 0; untimed &= untimed - 1) {
            tally->untimed[rule]++;
        }
        for (uint64_t left = truth[w] & block->timed[w]; left != 0; left &= left - 1) {
            const uint32_t row = 64 * w + (uint32_t)__builtin_ctzll(left);
            const int64_t ns = tally->round.time_ns[block->first + row];
            tally->timeline.count[block->bucket_of[row]][rule]++;
            earlier(&tally->first_ns[rule], ns);
            later(&tally->last_ns[rule], ns);
        }
    }
}

void rf_tally_rule(struct rf_tally *tally, const struct rf_tally_block *block, uint32_t rule, struct rf_eval_hits hits,
                   const uint64_t *truth)
{
    tally->recent_last[rule] = 1 + block->first + hits.last;
    if (tally->recent_first[rule] == 0) {
        tally->recent_first[rule] = 1 + block->first + hits.first;
    }
    if (block->bucket != NULL) {
        block->bucket[rule] += hits.hits;
    } else if (!block->needs_truth) {
        tally->untimed[rule] += hits.hits;
    } else if (block->segments != 0) {
        for (uint32_t s = 0; s < block->segments; s++) {
            block->segment_bucket[s][rule] += tally->kernels->count_both(truth, block->segment_rows[s], block->words);
        }
    } else {
        hits_count(tally, block, rule, truth);
    }
}

/* Counters of the one bucket that all hits of the tile fall into. */
static uint64_t *bucket_of_tile(const struct rf_tally *tally, const struct rf_eval_tile *tile)
{
    for (uint32_t i = 0; tally->round.time_ns != NULL && i < tile->count; i++) {
        if (tile->hits[i].hits != 0) {
            const int64_t ns = tally->round.time_ns[tile->first + tile->hits[i].first];
            return tally->timeline.count[rf_timeline_bucket(&tally->timeline, ns) - tally->timeline.first];
        }
    }
    return tally->untimed;
}

void rf_tally_rules(struct rf_tally *tally, const struct rf_eval_tile *tile)
{
    uint64_t *const sum = bucket_of_tile(tally, tile);
    const struct rf_eval_hits *hits = tile->hits;
    const uint32_t *rule = tile->predicate;
    uint64_t errors = 0;
    for (uint32_t i = 0; i < tile->count; i++) {
        const uint32_t r = rule[i];
        errors |= hits[i].errors;
        if (hits[i].hits == 0) {
            continue;
        }
        sum[r] += hits[i].hits;
        tally->recent_last[r] = 1 + tile->first + hits[i].last;
        if (tally->recent_first[r] == 0) {
            tally->recent_first[r] = 1 + tile->first + hits[i].first;
        }
    }
    for (uint32_t i = 0; errors != 0 && i < tile->count; i++) {
        tally->errors[rule[i]] += hits[i].errors;
    }
}

static bool place_is_before(struct rf_tally_place a, struct rf_tally_place b)
{
    return a.input != b.input ? a.input < b.input : a.offset < b.offset;
}

enum rf_status rf_tally_merge(struct rf_tally *tally, const struct rf_tally *from, struct rf_error *err)
{
    assert(tally->rules == from->rules);
    for (uint32_t r = 0; r < tally->rules; r++) {
        tally->untimed[r] += from->untimed[r];
        tally->errors[r] += from->errors[r];
        if (from->first_ns[r] != RF_TALLY_NEVER) {
            earlier(&tally->first_ns[r], from->first_ns[r]);
            later(&tally->last_ns[r], from->last_ns[r]);
        }
        if (from->first_at[r].input == UINT32_MAX) {
            continue;
        }
        if (place_is_before(from->first_at[r], tally->first_at[r])) {
            tally->first_at[r] = from->first_at[r];
        }
        if (tally->last_at[r].input == UINT32_MAX || place_is_before(tally->last_at[r], from->last_at[r])) {
            tally->last_at[r] = from->last_at[r];
        }
    }
    if (from->begin_ns != RF_TALLY_NEVER) {
        earlier(&tally->begin_ns, from->begin_ns);
        later(&tally->end_ns, from->end_ns);
    }
    tally->records += from->records;
    tally->timeless += from->timeless;
    return rf_timeline_merge(&tally->timeline, &from->timeline, err);
}

void rf_tally_forget_records(struct rf_tally *tally)
{
    tally->records = tally->timeless = 0;
    for (uint32_t i = 0; i < tally->timeline.buckets; i++) {
        if (tally->timeline.count[i] != NULL) {
            tally->timeline.count[i][tally->rules] = 0;
        }
    }
}

uint64_t rf_tally_hits(const struct rf_tally *tally, uint32_t rule)
{
    uint64_t hits = tally->untimed[rule];
    for (uint32_t i = 0; i < tally->timeline.buckets; i++) {
        hits += tally->timeline.count[i] != NULL ? tally->timeline.count[i][rule] : 0;
    }
    return hits;
}
