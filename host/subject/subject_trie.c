#include "subject_forms.h"

enum {
    ROOT = 1,
    FILTER_BITS = 4 /* for each token of the patterns, most of which they share */
};
/* In `star`: the node has children by token besides the one that may be the next entry. */
#define HAS_OTHERS 0x80000000u

/* ---- Making ---- */

static uint64_t filter_place(const struct subject_trie *trie, uint32_t level, uint64_t hash)
{
    return subject_table_hash(level, hash) & trie->filter_mask;
}

static uint32_t node_child(struct subject_trie *trie, uint32_t node, struct rf_str token, uint32_t level)
{
    struct subject_table *table = &trie->table;
    uint32_t *star = &table->entry[node].star;
    if (!subject_token_is(token, '*')) {
        const uint32_t child = subject_table_add(table, node, token);
        const struct subject_token known = subject_token_of(token);
        const uint64_t place = filter_place(trie, level, known.hash);
        trie->filter[place / 64] |= 1ull << (place % 64);
        *star |= child == node + 1 ? 0 : HAS_OTHERS;
        return child;
    }
    if ((*star & ~HAS_OTHERS) == 0) {
        *star |= subject_table_add_plain(table);
    }
    return *star & ~HAS_OTHERS;
}

static void pattern_add(struct subject_trie *trie, struct rf_str pattern, uint32_t p, uint32_t *width)
{
    struct rf_str token;
    uint32_t node = ROOT;
    bool has_tail = false;
    uint32_t level = 0;
    for (; !has_tail && subject_token_take(&pattern, &token); level++) {
        has_tail = subject_token_is(token, '>');
        if (!has_tail) {
            const uint32_t before = trie->table.entries;
            node = node_child(trie, node, token, level);
            width[level + 1] += trie->table.entries - before;
        }
    }
    trie->takes[level] = true;
    for (uint32_t length = level; has_tail && length <= trie->levels + 1; length++) {
        trie->takes[length] = true;
    }
    struct subject_entry *entry = &trie->table.entry[node];
    uint32_t *list = has_tail ? &entry->tails : &entry->ends;
    trie->next[p] = *list;
    *list = p + 1;
}

bool subject_trie_make(struct subject_trie *trie, const struct subject_source *source)
{
    uint32_t width[SUBJECT_LEVELS_MAX + 1] = {1};
    uint64_t filter_bits = 64;
    while (filter_bits < FILTER_BITS * (uint64_t)source->tokens) {
        filter_bits *= 2;
    }
    *trie = (struct subject_trie){.levels = source->levels,
                                  .next = RF_PUSH(source->arena, uint32_t, source->patterns),
                                  .filter = RF_PUSH(source->arena, uint64_t, filter_bits / 64),
                                  .filter_mask = filter_bits - 1};
    if (trie->next == NULL || trie->filter == NULL || !subject_table_open(&trie->table, source->texts, source->tokens + 1, source->arena)) {
        subject_table_drop(&trie->table);
        return false;
    }
    (void)subject_table_add_plain(&trie->table); /* the root */
    /* From the last to the first, so that lists are ascending. */
    for (uint32_t p = source->patterns; p-- > 0;) {
        pattern_add(trie, source->pattern[p], p, width);
    }
    for (uint32_t level = 0; level <= source->levels; level++) {
        trie->widest = width[level] > trie->widest ? width[level] : trie->widest;
    }
    return subject_table_seal(&trie->table, source->arena);
}

/* ---- Matching ---- */

/* A pattern's own nodes are neighbours: that of its next token is mostly in the same line of the cache. */
static uint32_t child_find(const struct subject_table *table, uint32_t node, const struct subject_token *token)
{
    const struct subject_entry *next = &table->entry[node + 1];
    if (next->from == node && subject_entry_is(table, next, token)) {
        return node + 1;
    }
    return (table->entry[node].star & HAS_OTHERS) != 0 ? subject_table_find(table, node, token) : 0;
}

static uint32_t list_take(const struct subject_trie *trie, uint32_t list, uint32_t *match)
{
    uint32_t count = 0;
    for (uint32_t p = list; p != 0; p = trie->next[p - 1]) {
        match[count++] = p - 1;
    }
    return count;
}

uint32_t subject_trie_match(const struct subject_trie *trie, struct rf_str subject, uint32_t *scratch, uint32_t *match)
{
    const struct subject_entry *entry = trie->table.entry;
    uint32_t *now = scratch;
    uint32_t *then = scratch + trie->widest;
    uint32_t nows = 1;
    uint32_t count = 0;
    char copy[SUBJECT_COPY_BYTES];
    struct subject_walk walk;
    struct subject_token token;
    subject_walk_begin(&walk, copy, subject);
    if (walk.is_whole) {
        const uint32_t tokens = subject_walk_tokens(&walk);
        nows = trie->takes[tokens <= trie->levels ? tokens : trie->levels + 1];
    }
    now[0] = ROOT;
    for (uint32_t level = 0; nows != 0 && subject_walk_next(&walk, &token); level++) {
        const uint64_t place = filter_place(trie, level, token.hash);
        const bool is_known = (trie->filter[place / 64] >> (place % 64) & 1) != 0;
        uint32_t thens = 0;
        for (uint32_t i = 0; i < nows; i++) {
            const struct subject_entry *node = &entry[now[i]];
            if (node->tails != 0) {
                if (match == NULL) {
                    return 1;
                }
                count += list_take(trie, node->tails, match + count);
            }
            if (token.count == 0) {
                continue;
            }
            const uint32_t star = node->star & ~HAS_OTHERS;
            if (star != 0) {
                then[thens++] = star;
            }
            const uint32_t child = is_known ? child_find(&trie->table, now[i], &token) : 0;
            if (child != 0) {
                then[thens++] = child;
            }
        }
        uint32_t *swap = now;
        now = then;
        then = swap;
        nows = thens;
    }
    for (uint32_t i = 0; walk.is_done && i < nows; i++) {
        if (match == NULL && entry[now[i]].ends != 0) {
            return 1;
        }
        count += match == NULL ? 0 : list_take(trie, entry[now[i]].ends, match + count);
    }
    return count;
}
