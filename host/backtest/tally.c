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

enum rf_status rf_tally_open(struct rf_tally *tally, uint32_t rules, bool has_time, int64_t by_ns, struct rf_error *err)
{
    const size_t room = rules == 0 ? 1 : rules;
    *tally = (struct rf_tally){.rules = rules,
                               .has_time = has_time,
                               .by_ns = by_ns,
                               .untimed = calloc(room, sizeof(uint64_t)),
                               .errors = calloc(room, sizeof(uint64_t)),
                               .first_ns = malloc(room * sizeof(int64_t)),
                               .last_ns = malloc(room * sizeof(int64_t)),
                               .first_at = malloc(room * sizeof(struct rf_tally_place)),
                               .last_at = malloc(room * sizeof(struct rf_tally_place)),
                               .begin_ns = RF_TALLY_NEVER,
                               .end_ns = RF_TALLY_NEVER};
    rf_timeline_open(&tally->timeline, rules + 1, by_ns, buckets_max(rules, by_ns));
    if (tally->untimed == NULL || tally->errors == NULL || tally->first_ns == NULL || tally->last_ns == NULL ||
        tally->first_at == NULL || tally->last_at == NULL) {
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

/* What the times of a block are like. False: no row has one. */
static bool times_look(struct rf_tally_block *block, int64_t *low, int64_t *high)
{
    int64_t before = RF_TALLY_NEVER;
    bool has_any = false;
    block->is_ascending = true;
    for (uint32_t w = 0; w < block->words; w++) {
        uint64_t timed = 0;
        for (uint64_t left = block->live[w]; left != 0; left &= left - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(left);
            const int64_t ns = block->time_ns[64 * w + bit];
            if (ns == RF_TALLY_UNTIMED) {
                block->is_ascending = false;
                continue;
            }
            timed |= 1ull << bit;
            block->is_ascending &= ns >= before;
            before = ns;
            *low = !has_any || ns < *low ? ns : *low;
            *high = !has_any || ns > *high ? ns : *high;
            has_any = true;
        }
        block->timed[w] = timed;
    }
    return has_any;
}

enum rf_status rf_tally_block_begin(struct rf_tally *tally, struct rf_tally_block *block, struct rf_error *err)
{
    block->words = (block->rows + 63) / 64;
    block->bucket = NULL;
    block->is_ascending = false;
    memset(block->timed, 0, sizeof block->timed);
    const uint32_t records = bits_count(block->live, block->words);
    tally->records += records;
    int64_t low = 0;
    int64_t high = 0;
    if (block->time_ns == NULL || !times_look(block, &low, &high)) {
        tally->timeless += records;
        return RF_OK;
    }
    const uint32_t timed = bits_count(block->timed, block->words);
    tally->timeless += records - timed;
    earlier(&tally->begin_ns, low);
    later(&tally->end_ns, high);
    uint64_t *lowest;
    uint64_t *highest;
    RF_TRY(rf_timeline_at(&tally->timeline, low, &lowest, err));
    RF_TRY(rf_timeline_at(&tally->timeline, high, &highest, err)); /* from here on the width is what it is */
    RF_TRY(rf_timeline_at(&tally->timeline, low, &lowest, err));
    if (lowest == highest) {
        lowest[tally->rules] += timed;
        block->bucket = timed == records ? lowest : NULL;
    }
    for (uint32_t w = 0; block->bucket == NULL && w < block->words; w++) {
        for (uint64_t left = block->timed[w]; left != 0; left &= left - 1) {
            const uint32_t row = 64 * w + (uint32_t)__builtin_ctzll(left);
            uint64_t *count;
            RF_TRY(rf_timeline_at(&tally->timeline, block->time_ns[row], &count, err));
            count[tally->rules] += lowest != highest;
            block->bucket_of[row] =
                (uint32_t)(rf_timeline_bucket(&tally->timeline, block->time_ns[row]) - tally->timeline.first);
        }
    }
    return RF_OK;
}

static void hits_count(struct rf_tally *tally, const struct rf_tally_block *block, uint32_t rule, const uint64_t *truth)
{
    for (uint32_t w = 0; w < block->words; w++) {
        tally->untimed[rule] += (uint64_t)__builtin_popcountll(truth[w] & ~block->timed[w]);
        for (uint64_t left = truth[w] & block->timed[w]; left != 0; left &= left - 1) {
            const uint32_t row = 64 * w + (uint32_t)__builtin_ctzll(left);
            tally->timeline.count[block->bucket_of[row]][rule]++;
            earlier(&tally->first_ns[rule], block->time_ns[row]);
            later(&tally->last_ns[rule], block->time_ns[row]);
        }
    }
}

static uint32_t row_first(const uint64_t *truth)
{
    uint32_t w = 0;
    while (truth[w] == 0) {
        w++;
    }
    return 64 * w + (uint32_t)__builtin_ctzll(truth[w]);
}

static uint32_t row_last(const uint64_t *truth, uint32_t words)
{
    uint32_t w = words - 1;
    while (truth[w] == 0) {
        w--;
    }
    return 64 * w + 63 - (uint32_t)__builtin_clzll(truth[w]);
}

void rf_tally_rule(struct rf_tally *tally, const struct rf_tally_block *block, uint32_t rule, const uint64_t *truth,
                   uint32_t hits)
{
    const uint32_t last = row_last(truth, block->words);
    if (tally->first_at[rule].input == UINT32_MAX) {
        tally->first_at[rule] = (struct rf_tally_place){block->input, block->offset + block->begin[row_first(truth)]};
    }
    tally->last_at[rule] = (struct rf_tally_place){block->input, block->offset + block->begin[last]};
    if (block->time_ns == NULL) {
        tally->untimed[rule] += hits;
    } else if (block->bucket != NULL && block->is_ascending) {
        block->bucket[rule] += hits;
        later(&tally->last_ns[rule], block->time_ns[last]);
        earlier(&tally->first_ns[rule], block->time_ns[row_first(truth)]);
    } else {
        hits_count(tally, block, rule, truth);
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
