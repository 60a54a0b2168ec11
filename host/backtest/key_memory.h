/* key_memory.h: what is remembered for each key, within a bound: the key that was not met for longest is forgotten first.
 *
 * Purpose    Rules with state have an entry for each (rule, key), forward values one for each key. Entries are structs of the
 *            caller's that begin with a rf_key_entry.
 * Data       A key is known by 128 bits of its hash (XXH3): two of a million keys share them once in 10^26 runs. A pinned entry
 *            that is forgotten is found no more and stays until it is unpinned.
 * Bounds     bytes_max of entries that can be found. An evicted key is a new one when it comes again. What is evicted depends on
 *            the order of the calls alone.
 * Ownership  rf_key_memory_close frees all entries but pinned ones: those must have been unpinned.
 * Threads    one at a time.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_KEY_MEMORY_H
#define RF_KEY_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"
#include "str.h"

struct rf_state_key {
    uint64_t low, high;
};

struct rf_key_entry {
    struct rf_key_entry *chain;         /* of its cell */
    struct rf_key_entry *newer, *older; /* by use */
    struct rf_state_key key;
    size_t bytes;
    uint32_t owner; /* the same key of another owner is another entry */
    uint32_t pins;
    bool is_forgotten;
};

struct rf_key_memory {
    size_t bytes_max;
    size_t bytes_used;
    struct rf_key_entry **cell; /* [cells] chains by hash */
    uint32_t cells;
    uint32_t entries;
    struct rf_key_entry *newest, *oldest;
    uint64_t evicted;
};

struct rf_state_key rf_state_key_of(struct rf_str text);

enum rf_status rf_key_memory_open(struct rf_key_memory *memory, size_t bytes_max, struct rf_error *err);
void rf_key_memory_close(struct rf_key_memory *memory);
/* The entry of the key, which becomes the newest; made of `bytes` zeros behind its head when there is none. NULL: there is none
 * and none was wanted (bytes 0). */
enum rf_status rf_key_memory_at(struct rf_key_memory *memory, uint32_t owner, struct rf_state_key key, size_t bytes,
                                struct rf_key_entry **out, struct rf_error *err);
void rf_key_entry_unpin(struct rf_key_entry *entry);

#endif
