/* subject_table.h: where a token leads from where, for the forms of a set (subject_set.h) alone.
 *
 * Purpose    One look into a hash table finds the entry of (from, token); of one that is not there, hardly ever more than the slot.
 * Data       entry[entries] 32 bytes each, in the order in which they were made, so that those of one pattern are neighbours. Entry
 *            0 is none. slot[slots] refer to them. Texts are in the patterns' own copy.
 *            In a trie an entry is a node and `from` its parent; in the bits form `from` is a level, and the entry's number
 *            that of a row of bits.
 * Ownership  the arena given to subject_table_open; until subject_table_seal slots are on the heap, and subject_table_drop
 *            gives them back after a failure.
 * Threads    immutable once sealed.
 */
#ifndef RF_SUBJECT_TABLE_H
#define RF_SUBJECT_TABLE_H

#include "arena.h"
#include "subject_walk.h"

struct subject_entry {
    uint64_t head;  /* of its token */
    uint32_t text;  /* where the token is in `texts` */
    uint32_t count; /* its bytes */
    uint32_t from;
    uint32_t star;  /* of the trie: the node that * leads to; 0: none */
    uint32_t ends;  /* 1 + the first pattern that ends here; others follow in the set's `next` */
    uint32_t tails; /* the same for patterns that go on with > */
};
_Static_assert(sizeof(struct subject_entry) == 32, "two entries are a line of the cache");

struct subject_slot {
    uint32_t tag;
    uint32_t entry; /* 0: free */
};

struct subject_table {
    const char *texts;
    struct subject_entry *entry;
    uint32_t entries;
    struct subject_slot *slot;
    uint64_t mask;
    bool is_sealed;
};

/* Of a token in memory that need not be readable behind it. */
struct subject_token subject_token_of(struct rf_str text);

/* most: of entries, besides number 0. False: out of memory. */
bool subject_table_open(struct subject_table *table, const char *texts, uint32_t most, struct rf_arena *arena);
/* The entry of (from, token), made when it is not there; the token must lie in `texts`. */
uint32_t subject_table_add(struct subject_table *table, uint32_t from, struct rf_str token);
/* An entry that no token leads to. */
uint32_t subject_table_add_plain(struct subject_table *table);
/* Slots as many as the entries need. False: out of memory, and all is given back. */
bool subject_table_seal(struct subject_table *table, struct rf_arena *arena);
void subject_table_drop(struct subject_table *table);

static inline uint64_t subject_table_hash(uint32_t from, uint64_t hash)
{
    hash = (hash ^ hash >> 32 ^ from * 0xd6e8feb86659fd93u) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

/* Both have more than eight bytes, of which the first eight are equal. */
static inline bool subject_rest_is_equal(const char *left, const char *right, size_t count)
{
    for (size_t at = SUBJECT_HEAD_BYTES; at + SUBJECT_HEAD_BYTES < count; at += SUBJECT_HEAD_BYTES) {
        if (subject_word(left + at) != subject_word(right + at)) {
            return false;
        }
    }
    return subject_word(left + count - SUBJECT_HEAD_BYTES) == subject_word(right + count - SUBJECT_HEAD_BYTES);
}

static inline bool subject_entry_is(const struct subject_table *table, const struct subject_entry *entry,
                                    const struct subject_token *token)
{
    return entry->head == token->head && entry->count == token->count &&
           (token->count <= SUBJECT_HEAD_BYTES ||
            subject_rest_is_equal(table->texts + entry->text, token->data, token->count));
}

/* 0: no pattern goes on so. */
static inline uint32_t subject_table_find(const struct subject_table *table, uint32_t from,
                                          const struct subject_token *token)
{
    const uint64_t hash = subject_table_hash(from, token->hash);
    const uint32_t tag = (uint32_t)(hash >> 32);
    for (uint64_t at = hash & table->mask;; at = (at + 1) & table->mask) {
        const struct subject_slot slot = table->slot[at];
        if (slot.entry == 0) {
            return 0;
        }
        if (slot.tag != tag) {
            continue;
        }
        const struct subject_entry *entry = &table->entry[slot.entry];
        if (entry->from == from && subject_entry_is(table, entry, token)) {
            return slot.entry;
        }
    }
}

#endif
