#include "rule_state.h"

/* Of a sliding window: its records are numbered from the first on, and lie in a ring. */
struct moment {
    int64_t ns;
    uint32_t low, high; /* places of the ring, for the queues below */
};

/* A queue of places in the ring: those that may yet be the earliest (latest) of the window, ascending (descending) in time, so that
 * its first is. Each record enters once and leaves once. It has a ring of its own in `low` (`high`) of the moments. */
struct ends {
    uint64_t first, count; /* of the queue's entries, numbered from the start */
};

struct rf_state_entry {
    struct rf_key_entry head; /* its owner is the rule */
    bool was_true;   /* the record before */
    bool has_fired;
    bool has_come;   /* one has come as far as `first` */
    uint32_t every;  /* true records since the last of every */
    uint32_t ring;   /* of latest */
    int64_t fired_ns;
    int64_t window;  /* tumbling: number of the newest */
    uint64_t count;  /* tumbling: in the window; sliding: since the start */
    int64_t window_before; /* tumbling: the latest before it that had a record, for those that come late */
    uint64_t count_before;
    struct ends low, high; /* sliding: of the ring */
    struct moment latest[]; /* sliding: [count_more_than + 1] a ring */
};

/* count_more_than is below UINT32_MAX: rules files bound it. */
static uint32_t ring_of(const struct rf_rule_state *state)
{
    return state->has_count && state->count_window == RF_WINDOW_SLIDING ? state->count_more_than + 1 : 0;
}

/* The number of the record in its window, from 1; 0: the window is forgotten, since two later ones have begun. */
static uint64_t window_count(struct rf_state_entry *entry, int64_t window)
{
    if (entry->count != 0 && window < entry->window) { /* it comes late */
        if (entry->count_before != 0 && window < entry->window_before) {
            return 0;
        }
        entry->count_before = entry->count_before != 0 && window == entry->window_before ? entry->count_before : 0;
        entry->window_before = window;
        return ++entry->count_before;
    }
    if (entry->count != 0 && window != entry->window) {
        entry->window_before = entry->window;
        entry->count_before = entry->count;
        entry->count = 0;
    }
    entry->window = window;
    return ++entry->count;
}

/* Record number `number` enters the window. */
static void low_enter(struct rf_state_entry *entry, uint64_t number)
{
    const uint32_t ring = entry->ring;
    struct ends *low = &entry->low;
    const int64_t ns = entry->latest[number % ring].ns;
    while (low->count != 0 && entry->latest[entry->latest[(low->first + low->count - 1) % ring].low].ns >= ns) {
        low->count--;
    }
    entry->latest[(low->first + low->count++) % ring].low = (uint32_t)(number % ring);
}

static void high_enter(struct rf_state_entry *entry, uint64_t number)
{
    const uint32_t ring = entry->ring;
    struct ends *high = &entry->high;
    const int64_t ns = entry->latest[number % ring].ns;
    while (high->count != 0 && entry->latest[entry->latest[(high->first + high->count - 1) % ring].high].ns <= ns) {
        high->count--;
    }
    entry->latest[(high->first + high->count++) % ring].high = (uint32_t)(number % ring);
}

/* The place that the next record takes is no longer in the window. */
static void place_leave(struct rf_state_entry *entry, uint32_t place)
{
    const uint32_t ring = entry->ring;
    if (entry->low.count != 0 && entry->latest[entry->low.first % ring].low == place) {
        entry->low.first++;
        entry->low.count--;
    }
    if (entry->high.count != 0 && entry->latest[entry->high.first % ring].high == place) {
        entry->high.first++;
        entry->high.count--;
    }
}

/* Nanoseconds from the earliest to the latest of the key's last records, this one with them; UINT64_MAX while there are too few. */
static uint64_t window_span(struct rf_state_entry *entry, int64_t ns)
{
    const uint32_t ring = entry->ring;
    const uint64_t number = entry->count++;
    if (number >= ring) {
        place_leave(entry, (uint32_t)(number % ring));
    }
    entry->latest[number % ring].ns = ns;
    low_enter(entry, number);
    high_enter(entry, number);
    if (entry->count < ring) {
        return UINT64_MAX;
    }
    const int64_t low = entry->latest[entry->latest[entry->low.first % ring].low].ns;
    const int64_t high = entry->latest[entry->latest[entry->high.first % ring].high].ns;
    return (uint64_t)high - (uint64_t)low;
}

static bool count_passes(struct rf_state_entry *entry, const struct rf_rule_state *state, int64_t ns)
{
    if (state->count_window == RF_WINDOW_TUMBLING) {
        const int64_t window = ns / state->count_within_ns - (ns % state->count_within_ns < 0);
        return window_count(entry, window) > state->count_more_than;
    }
    return window_span(entry, ns) < (uint64_t)state->count_within_ns;
}

static bool entry_fires(struct rf_state_entry *entry, const struct rf_rule_state *state, int64_t ns, bool is_true)
{
    const bool was_true = entry->was_true;
    entry->was_true = is_true;
    if (!is_true || (state->is_changed && was_true) || (state->has_count && !count_passes(entry, state, ns)) ||
        (state->is_first && entry->has_come)) {
        return false;
    }
    entry->has_come = true;
    if (state->every != 0 && ++entry->every < state->every) {
        return false;
    }
    entry->every = 0;
    int64_t since;
    if (state->cooldown_ns != 0 && entry->has_fired &&
        (ns < entry->fired_ns ||
         (!__builtin_sub_overflow(ns, entry->fired_ns, &since) && since < state->cooldown_ns))) {
        return false;
    }
    entry->has_fired = true;
    entry->fired_ns = ns;
    return true;
}

enum rf_status rf_rule_state_apply(struct rf_key_memory *memory, const struct rf_rule_state *state, uint32_t rule,
                                   struct rf_state_key key, int64_t ns, bool is_true, bool *fires, struct rf_error *err)
{
    struct rf_key_entry *head = NULL; /* gcc does not see that it is set */
    const uint32_t ring = ring_of(state);
    RF_TRY(rf_key_memory_at(memory, rule, key, sizeof(struct rf_state_entry) + ring * sizeof(struct moment), &head, err));
    struct rf_state_entry *entry = (struct rf_state_entry *)head;
    entry->ring = ring;
    *fires = entry_fires(entry, state, ns, is_true);
    return RF_OK;
}

enum rf_status rf_rule_states_check(const struct rf_rules *rules, bool has_time, struct rf_error *err)
{
    for (uint32_t s = 0; s < rules->sources && !has_time; s++) {
        if (rf_rule_state_is_timed(&rules->source[s].state)) {
            RF_FAIL(err, RF_E_USAGE,
                    "rule '%.*s' has a cooldown or count, which needs the time of each record: --time EXPR, or 'time' in the file",
                    RF_STR_ARG(rules->source[s].name));
        }
    }
    return RF_OK;
}

enum rf_status rf_rule_state_answer(struct rf_key_memory *memory, const struct rf_rule_state *state, uint32_t rule,
                                    const struct rf_state_record *record, enum rf_state_answer *answer,
                                    struct rf_error *err)
{
    bool fires = false;
    *answer = RF_STATE_ERROR;
    if (record->has_key && (record->has_time || !rf_rule_state_is_timed(state))) {
        RF_TRY(rf_rule_state_apply(memory, state, rule, record->key, record->ns, record->is_true, &fires, err));
    } else if (record->is_true) {
        return RF_OK;
    }
    *answer = fires ? RF_STATE_FIRES : RF_STATE_SUPPRESSED;
    return RF_OK;
}
