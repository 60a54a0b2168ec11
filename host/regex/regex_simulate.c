#include "regex_simulate.h"

enum { WORD_BITS = 64, WORDS_MAX = (RF_REGEX_NODES_MAX + WORD_BITS) / WORD_BITS, HEADS_MAX = WORDS_MAX / WORD_BITS };

enum side { SIDE_OTHER, SIDE_WORD, SIDE_NEWLINE, SIDE_EDGE }; /* of a byte beside a place; EDGE: an end of the text */

/* A set of nodes. A word counts only while its bit in head is set: so a set is emptied without touching its words, and
 * needs no initialisation. */
struct node_set {
    uint64_t head[HEADS_MAX];
    uint64_t word[WORDS_MAX];
};

/* Adds a node; false when it is in already. */
static bool set_add(struct node_set *set, uint32_t node)
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
static uint32_t set_take(struct node_set *set, uint32_t heads)
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

static void set_clear(struct node_set *set, uint32_t heads)
{
    memset(set->head, 0, heads * sizeof set->head[0]);
}

static enum side side_of(unsigned char byte)
{
    if ((byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || byte == '_' || (byte >= 'a' && byte <= 'z')) {
        return SIDE_WORD;
    }
    return byte == '\n' ? SIDE_NEWLINE : SIDE_OTHER;
}

static bool assert_holds(enum rf_regex_assert assertion, enum side before, enum side ahead)
{
    switch (assertion) {
    case RF_ASSERT_TEXT_BEGIN:
        return before == SIDE_EDGE;
    case RF_ASSERT_TEXT_END:
        return ahead == SIDE_EDGE;
    case RF_ASSERT_LINE_BEGIN:
        return before == SIDE_EDGE || before == SIDE_NEWLINE;
    case RF_ASSERT_LINE_END:
        return ahead == SIDE_EDGE || ahead == SIDE_NEWLINE;
    case RF_ASSERT_WORD_EDGE:
        return (before == SIDE_WORD) != (ahead == SIDE_WORD);
    case RF_ASSERT_WORD_INSIDE:
        return (before == SIDE_WORD) == (ahead == SIDE_WORD);
    }
    return false;
}

struct simulation {
    const struct rf_regex *regex;
    uint32_t heads;
    struct node_set seen;    /* at this place */
    struct node_set pending; /* of those, the ones that were not looked at */
    struct node_set waiting; /* RANGES that wait for the next byte */
};

static void node_reach(struct simulation *simulation, uint32_t node)
{
    if (set_add(&simulation->seen, node)) {
        set_add(&simulation->pending, node);
    }
}

/* Follows everything that needs no byte. Whether the match is reached. */
static bool place_close(struct simulation *simulation, enum side before, enum side ahead)
{
    const struct rf_regex_node *const nodes = simulation->regex->node;
    for (uint32_t at; (at = set_take(&simulation->pending, simulation->heads)) != UINT32_MAX;) {
        const struct rf_regex_node node = nodes[at];
        switch ((enum rf_regex_op)node.op) {
        case RF_REGEX_RANGES:
            set_add(&simulation->waiting, at);
            break;
        case RF_REGEX_SPLIT:
            node_reach(simulation, node.first);
            node_reach(simulation, node.second);
            break;
        case RF_REGEX_ASSERT:
            if (assert_holds((enum rf_regex_assert)node.assertion, before, ahead)) {
                node_reach(simulation, node.first);
            }
            break;
        case RF_REGEX_MATCH:
            return true;
        }
    }
    return false;
}

/* Each waiting node takes the byte or is gone. */
static void place_step(struct simulation *simulation, unsigned char byte)
{
    const struct rf_regex *const regex = simulation->regex;
    for (uint32_t at; (at = set_take(&simulation->waiting, simulation->heads)) != UINT32_MAX;) {
        const struct rf_regex_range *const range = regex->range + regex->node[at].first;
        const uint32_t count = regex->node[at].count;
        uint32_t i = 0;
        while (i < count && range[i].high < byte) {
            i++;
        }
        if (i < count && range[i].low <= byte) {
            node_reach(simulation, range[i].next);
        }
    }
}

static bool set_is_empty(const struct node_set *set, uint32_t heads)
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

bool rf_regex_simulate(const struct rf_regex *regex, struct rf_str text)
{
    struct simulation simulation;
    /* A search for a text is much faster than this, and most texts lack it. */
    if (regex->required.count != 0 && !rf_str_contains(text, regex->required)) {
        return false;
    }
    simulation.regex = regex;
    simulation.heads = (regex->nodes + WORD_BITS * WORD_BITS - 1) / (WORD_BITS * WORD_BITS);
    set_clear(&simulation.seen, simulation.heads);
    set_clear(&simulation.pending, simulation.heads);
    set_clear(&simulation.waiting, simulation.heads);
    for (size_t i = 0;; i++) {
        if (regex->has_first_byte && set_is_empty(&simulation.pending, simulation.heads)) {
            i = first_find(regex, text, i);
            if (i == text.count) {
                return false;
            }
        }
        const enum side before = i == 0 ? SIDE_EDGE : side_of((unsigned char)text.data[i - 1]);
        const enum side ahead = i < text.count ? side_of((unsigned char)text.data[i]) : SIDE_EDGE;
        /* A search without anchors begins at every place. */
        node_reach(&simulation, regex->first);
        if (place_close(&simulation, before, ahead)) {
            return true;
        }
        if (i == text.count) {
            return false;
        }
        set_clear(&simulation.seen, simulation.heads);
        place_step(&simulation, (unsigned char)text.data[i]);
    }
}
