#include "regex_simulate.h"

#include "regex_side.h"

enum { WORD_BITS = 64, WORDS_MAX = (RF_REGEX_NODES_MAX + WORD_BITS) / WORD_BITS, HEADS_MAX = WORDS_MAX / WORD_BITS };

/* A set of nodes. A word counts only while its bit in head is set: so a set is emptied without touching its words, and
 * needs no initialisation. */
struct node_set {
    uint64_t head[HEADS_MAX];
    uint64_t word[WORDS_MAX];
};

/* Adds a node; false when it is in already. */
static inline bool set_add(struct node_set *set, uint32_t node)
{
    const uint32_t word = node / WORD_BITS;
    const uint64_t head_bit = UINT64_C(1) << word % WORD_BITS;
    const uint64_t bit = UINT64_C(1) << node % WORD_BITS;
    if ((set->head[word / WORD_BITS] & head_bit) == 0) {
        set->head[word / WORD_BITS] |= head_bit;
        set->word[word] = bit;
        return true;
    }
    if ((set->word[word] & bit) != 0) {
        return false;
    }
    set->word[word] |= bit;
    return true;
}

/* Takes any node out; UINT32_MAX when there is none. */
static inline uint32_t set_take(struct node_set *set, uint32_t heads)
{
    for (uint32_t i = 0; i < heads; i++) {
        if (set->head[i] != 0) {
            const uint32_t word = i * WORD_BITS + (uint32_t)__builtin_ctzll(set->head[i]);
            const uint32_t node = word * WORD_BITS + (uint32_t)__builtin_ctzll(set->word[word]);
            set->word[word] &= set->word[word] - 1;
            if (set->word[word] == 0) {
                set->head[i] &= set->head[i] - 1;
            }
            return node;
        }
    }
    return UINT32_MAX;
}

static inline void set_clear(struct node_set *set, uint32_t heads)
{
    memset(set->head, 0, heads * sizeof set->head[0]);
}

struct simulation {
    const struct rf_regex *regex;
    struct node_set *waiting;  /* RANGES that wait for the next byte */
    struct node_set *advanced; /* RANGES reached with it; the two change places */
    struct node_set seen;      /* other nodes reached at this place */
    struct node_set pending;   /* of those, the ones that were not looked at */
};

static inline void node_reach(struct simulation *simulation, struct node_set *ranges, uint32_t node)
{
    if (simulation->regex->node[node].op == RF_REGEX_RANGES) {
        set_add(ranges, node);
    } else if (set_add(&simulation->seen, node)) {
        set_add(&simulation->pending, node);
    }
}

/* Follows everything that needs no byte. Whether the match is reached. */
static inline bool place_close(struct simulation *simulation, uint32_t heads, enum rf_regex_side before,
                               enum rf_regex_side ahead)
{
    for (uint32_t at; (at = set_take(&simulation->pending, heads)) != UINT32_MAX;) {
        const struct rf_regex_node node = simulation->regex->node[at];
        switch ((enum rf_regex_op)node.op) {
        case RF_REGEX_RANGES:
            break;
        case RF_REGEX_SPLIT:
            node_reach(simulation, simulation->waiting, node.first);
            node_reach(simulation, simulation->waiting, node.second);
            break;
        case RF_REGEX_ASSERT:
            if (rf_regex_assert_holds((enum rf_regex_assert)node.assertion, before, ahead) > 0) {
                node_reach(simulation, simulation->waiting, node.first);
            }
            break;
        case RF_REGEX_MATCH:
            return true;
        }
    }
    return false;
}

/* A node that waits takes the byte, or is gone. */
static inline void node_step(struct simulation *simulation, uint32_t at, unsigned char byte)
{
    const struct rf_regex *const regex = simulation->regex;
    const struct rf_regex_range *const range = regex->range + regex->node[at].first;
    const uint32_t count = regex->node[at].count;
    uint32_t i = 0;
    while (i < count && range[i].high < byte) {
        i++;
    }
    if (i < count && range[i].low <= byte) {
        node_reach(simulation, simulation->advanced, range[i].next);
    }
}

static inline void place_step(struct simulation *simulation, uint32_t heads, unsigned char byte)
{
    struct node_set *const waiting = simulation->waiting;
    for (uint32_t i = 0; i < heads; i++) {
        for (uint64_t head = waiting->head[i]; head != 0; head &= head - 1) {
            const uint32_t word = i * WORD_BITS + (uint32_t)__builtin_ctzll(head);
            for (uint64_t bits = waiting->word[word]; bits != 0; bits &= bits - 1) {
                node_step(simulation, word * WORD_BITS + (uint32_t)__builtin_ctzll(bits), byte);
            }
        }
    }
    set_clear(waiting, heads);
    simulation->waiting = simulation->advanced;
    simulation->advanced = waiting;
}

static inline bool set_is_empty(const struct node_set *set, uint32_t heads)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < heads; i++) {
        any |= set->head[i];
    }
    return any == 0;
}

/* Where the next match may begin: text.count when there is none. */
static size_t first_find(const struct rf_regex *regex, struct rf_str text, size_t from)
{
    while (from < text.count) {
        const unsigned char byte = (unsigned char)text.data[from];
        if ((regex->first_byte[byte / WORD_BITS] >> byte % WORD_BITS & 1) != 0) {
            break;
        }
        from++;
    }
    return from;
}

/* heads: words of a set's head in use, a constant where this is inlined. */
static inline __attribute__((always_inline)) bool text_run(struct simulation *simulation, uint32_t heads,
                                                           struct rf_str text)
{
    const struct rf_regex *const regex = simulation->regex;
    set_clear(simulation->waiting, heads);
    set_clear(simulation->advanced, heads);
    set_clear(&simulation->seen, heads);
    set_clear(&simulation->pending, heads);
    for (size_t i = 0;; i++) {
        if (regex->has_first_byte && set_is_empty(simulation->waiting, heads) &&
            set_is_empty(&simulation->pending, heads)) {
            i = first_find(regex, text, i);
            if (i == text.count) {
                return false;
            }
        }
        const enum rf_regex_side before = i == 0 ? RF_SIDE_EDGE : rf_regex_side_of((unsigned char)text.data[i - 1]);
        const enum rf_regex_side ahead = i < text.count ? rf_regex_side_of((unsigned char)text.data[i]) : RF_SIDE_EDGE;
        /* A search without anchors begins at every place. */
        node_reach(simulation, simulation->waiting, regex->first);
        if (place_close(simulation, heads, before, ahead)) {
            return true;
        }
        if (i == text.count) {
            return false;
        }
        set_clear(&simulation->seen, heads);
        place_step(simulation, heads, (unsigned char)text.data[i]);
    }
}

bool rf_regex_simulate(const struct rf_regex *regex, struct rf_str text)
{
    struct node_set even;
    struct node_set odd;
    struct simulation simulation;
    /* A search for a text is much faster than this, and most texts lack it. */
    if (regex->required.count != 0 && !rf_str_contains(text, regex->required)) {
        return false;
    }
    simulation.regex = regex;
    simulation.waiting = &even;
    simulation.advanced = &odd;
    const uint32_t heads = (regex->nodes + WORD_BITS * WORD_BITS - 1) / (WORD_BITS * WORD_BITS);
    return heads == 1 ? text_run(&simulation, 1, text) : text_run(&simulation, heads, text);
}
