#include "key_memory.h"

#include <stdlib.h>

#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

enum { CELLS_MIN = 1024 };

struct rf_state_key rf_state_key_of(struct rf_str text)
{
    const XXH128_hash_t hash = XXH3_128bits(text.data, text.count);
    return (struct rf_state_key){hash.low64, hash.high64};
}

enum rf_status rf_key_memory_open(struct rf_key_memory *memory, size_t bytes_max, struct rf_error *err)
{
    *memory = (struct rf_key_memory){
        .bytes_max = bytes_max, .cells = CELLS_MIN, .cell = calloc(CELLS_MIN, sizeof(struct rf_key_entry *))};
    if (memory->cell == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for what is remembered of keys");
    }
    return RF_OK;
}

static void entry_release(struct rf_key_entry *entry)
{
    entry->is_forgotten = true;
    if (entry->pins == 0) {
        free(entry);
    }
}

void rf_key_entry_unpin(struct rf_key_entry *entry)
{
    entry->pins--;
    if (entry->is_forgotten) {
        entry_release(entry);
    }
}

void rf_key_memory_close(struct rf_key_memory *memory)
{
    struct rf_key_entry *entry = memory->newest;
    while (entry != NULL) {
        struct rf_key_entry *older = entry->older;
        entry_release(entry);
        entry = older;
    }
    free(memory->cell);
    *memory = (struct rf_key_memory){0};
}

static struct rf_key_entry **cell_of(const struct rf_key_memory *memory, uint32_t owner, struct rf_state_key key)
{
    const uint64_t mixed = (key.low ^ owner) * 0x9e3779b97f4a7c15u;
    return &memory->cell[(mixed >> 32) & (memory->cells - 1)];
}

static void list_leave(struct rf_key_memory *memory, struct rf_key_entry *entry)
{
    *(entry->newer != NULL ? &entry->newer->older : &memory->newest) = entry->older;
    *(entry->older != NULL ? &entry->older->newer : &memory->oldest) = entry->newer;
}

static void list_enter(struct rf_key_memory *memory, struct rf_key_entry *entry)
{
    entry->newer = NULL;
    entry->older = memory->newest;
    *(memory->newest != NULL ? &memory->newest->newer : &memory->oldest) = entry;
    memory->newest = entry;
}

/* What an entry counts for: itself, its place in the table and what malloc keeps beside it. */
static size_t entry_cost(const struct rf_key_entry *entry)
{
    return entry->bytes + sizeof(void *) + 16;
}

static void entry_evict(struct rf_key_memory *memory, struct rf_key_entry *entry)
{
    struct rf_key_entry **at = cell_of(memory, entry->owner, entry->key);
    while (*at != entry) {
        at = &(*at)->chain;
    }
    *at = entry->chain;
    list_leave(memory, entry);
    memory->bytes_used -= entry_cost(entry);
    memory->entries--;
    memory->evicted++;
    entry_release(entry);
}

/* Twice as many cells; without memory for them chains grow longer. */
static void cells_double(struct rf_key_memory *memory)
{
    struct rf_key_entry **cell =
        memory->cells > UINT32_MAX / 4 ? NULL : calloc(2 * (size_t)memory->cells, sizeof *cell);
    if (cell == NULL) {
        return;
    }
    free(memory->cell);
    memory->cell = cell;
    memory->cells *= 2;
    for (struct rf_key_entry *entry = memory->newest; entry != NULL; entry = entry->older) {
        struct rf_key_entry **at = cell_of(memory, entry->owner, entry->key);
        entry->chain = *at;
        *at = entry;
    }
}

static enum rf_status entry_make(struct rf_key_memory *memory, uint32_t owner, struct rf_state_key key, size_t bytes,
                                 struct rf_key_entry **out, struct rf_error *err)
{
    struct rf_key_entry *entry = calloc(1, bytes);
    struct rf_key_entry **at = cell_of(memory, owner, key);
    if (entry == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for what is remembered of %u keys", memory->entries);
    }
    entry->key = key;
    entry->owner = owner;
    entry->bytes = bytes;
    entry->chain = *at;
    *at = entry;
    list_enter(memory, entry);
    memory->bytes_used += entry_cost(entry);
    memory->entries++;
    while (memory->bytes_used > memory->bytes_max && memory->oldest != entry) {
        entry_evict(memory, memory->oldest);
    }
    if (memory->entries > memory->cells) {
        cells_double(memory);
    }
    *out = entry;
    return RF_OK;
}

enum rf_status rf_key_memory_at(struct rf_key_memory *memory, uint32_t owner, struct rf_state_key key, size_t bytes,
                                struct rf_key_entry **out, struct rf_error *err)
{
    struct rf_key_entry *entry = *cell_of(memory, owner, key);
    while (entry != NULL && (entry->owner != owner || entry->key.low != key.low || entry->key.high != key.high)) {
        entry = entry->chain;
    }
    *out = entry;
    if (entry != NULL) {
        list_leave(memory, entry);
        list_enter(memory, entry);
        return RF_OK;
    }
    return bytes == 0 ? RF_OK : entry_make(memory, owner, key, bytes, out, err);
}
