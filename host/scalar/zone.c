#include "zone.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "zone_table.h"

enum {
    PARTS_MAX = 4, /* "posix/America/Argentina/Ushuaia" */
    OFFSET_TEXT_BYTES = 5,
    SLOTS = 2 * RF_ZONE_NAMES_MAX, /* a power of two, at most half full */
    MISSES = 256,                  /* likewise a power of two */
    PATH_BYTES_MAX = 4096
};

struct zone_entry {
    struct rf_zone zone;
    uint8_t count;
    char name[RF_ZONE_NAME_MAX];
};

struct zone_miss {
    uint8_t count; /* 0: free */
    char name[RF_ZONE_NAME_MAX];
};

/* Open addressing. A slot changes once, from NULL to an entry that never changes again: readers need no lock. */
static _Atomic(const struct zone_entry *) cache_slots[SLOTS];

/* Everything below is guarded by cache_lock. */
static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
static size_t cache_count;
/* One name for each hash; the next one with that hash takes its place. */
static struct zone_miss cache_misses[MISSES];
static char cache_folder[PATH_BYTES_MAX]; /* "": not yet decided */

/* FNV-1a. Names can be chosen to collide, but only names of the system's files are ever in the table. */
static uint32_t name_hash(struct rf_str name)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < name.count; i++) {
        hash = (hash ^ (unsigned char)name.data[i]) * 16777619u;
    }
    return hash ^ hash >> 15;
}

static bool is_letter(char c)
{
    return (unsigned char)((c | 0x20) - 'a') < 26;
}

static bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* Whether a part of a name may be opened. */
static bool part_is_good(struct rf_str part)
{
    static const char *const refused[] = {"localtime", "posixrules", "Local", "local"};
    if (part.count == 0 || !is_letter(part.data[0])) {
        return false;
    }
    for (size_t i = 1; i < part.count; i++) {
        const char c = part.data[i];
        if (!is_letter(c) && !is_digit(c) && c != '_' && c != '+' && c != '-') {
            return false;
        }
    }
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        if (rf_str_equal(part, rf_str_of(refused[i]))) {
            return false;
        }
    }
    return true;
}

static bool name_is_good(struct rf_str name)
{
    if (name.count == 0 || name.count > RF_ZONE_NAME_MAX) {
        return false;
    }
    const char *begin = name.data;
    const char *const end = begin + name.count;
    for (int parts = 0; parts < PARTS_MAX; parts++) {
        const char *const slash = memchr(begin, '/', (size_t)(end - begin));
        const char *const part_end = slash == NULL ? end : slash;
        if (!part_is_good((struct rf_str){begin, (size_t)(part_end - begin)})) {
            return false;
        }
        if (slash == NULL) {
            return true;
        }
        begin = slash + 1;
    }
    return false;
}

/* "+05:30", "-02:00", "02:00" */
static bool offset_find(struct rf_str text, struct rf_zone *out)
{
    const bool is_west = text.count > 0 && text.data[0] == '-';
    if (is_west || (text.count > 0 && text.data[0] == '+')) {
        text = (struct rf_str){text.data + 1, text.count - 1};
    }
    if (text.count != OFFSET_TEXT_BYTES) {
        return false;
    }
    const char *const at = text.data;
    if (!is_digit(at[0]) || !is_digit(at[1]) || at[2] != ':' || !is_digit(at[3]) || !is_digit(at[4])) {
        return false;
    }
    const int32_t hours = (at[0] - '0') * 10 + (at[1] - '0');
    const int32_t minutes = (at[3] - '0') * 10 + (at[4] - '0');
    if (hours > 23 || minutes > 59) {
        return false;
    }
    const int32_t seconds = hours * 3600 + minutes * 60;
    *out = (struct rf_zone){.offset_seconds = is_west ? -seconds : seconds};
    return true;
}

/* NULL when there is none; *free_slot is then where it would go. The table is never full, so that this ends. */
static const struct zone_entry *cache_find(struct rf_str name, uint32_t hash, size_t *free_slot)
{
    for (size_t slot = hash % SLOTS;; slot = (slot + 1) % SLOTS) {
        const struct zone_entry *const entry = atomic_load_explicit(&cache_slots[slot], memory_order_acquire);
        if (entry == NULL) {
            *free_slot = slot;
            return NULL;
        }
        if (entry->count == name.count && memcmp(entry->name, name.data, name.count) == 0) {
            return entry;
        }
    }
}

static bool is_missed(struct rf_str name, uint32_t hash)
{
    const struct zone_miss *const miss = &cache_misses[hash % MISSES];
    return miss->count == name.count && memcmp(miss->name, name.data, name.count) == 0;
}

static void miss_keep(struct rf_str name, uint32_t hash)
{
    struct zone_miss *const miss = &cache_misses[hash % MISSES];
    miss->count = (uint8_t)name.count;
    memcpy(miss->name, name.data, name.count);
}

/* Writes FOLDER/NAME; the folder is decided on at the first call. A program with more rights than its user does not
 * follow the user's folder. False when $TZDIR is too long. */
static bool path_write(struct rf_str name, char path[PATH_BYTES_MAX])
{
    if (cache_folder[0] == '\0') {
        const char *const wanted = secure_getenv("TZDIR");
        const char *const folder = wanted != NULL && wanted[0] == '/' ? wanted : "/usr/share/zoneinfo";
        if (strlen(folder) + 1 + RF_ZONE_NAME_MAX >= PATH_BYTES_MAX) {
            return false;
        }
        memcpy(cache_folder, folder, strlen(folder) + 1);
    }
    const size_t count = strlen(cache_folder);
    memcpy(path, cache_folder, count);
    path[count] = '/';
    memcpy(path + count + 1, name.data, name.count);
    path[count + 1 + name.count] = '\0';
    return true;
}

/* Keeps what was loaded, or that nothing was; takes the table over. Under the lock. */
static bool entry_keep(struct rf_str name, uint32_t hash, struct rf_zone_table *table, bool is_settled,
                       struct rf_zone *out)
{
    size_t slot;
    const struct zone_entry *const other = cache_find(name, hash, &slot);
    if (other != NULL) {
        /* Another thread was faster. */
        free(table);
        *out = other->zone;
        return true;
    }
    if (table == NULL || cache_count == RF_ZONE_NAMES_MAX) {
        free(table);
        if (is_settled) {
            miss_keep(name, hash);
        }
        return false;
    }
    struct zone_entry *const entry = malloc(sizeof *entry);
    if (entry == NULL) {
        free(table);
        return false;
    }
    *entry = (struct zone_entry){.zone = {.table = table}, .count = (uint8_t)name.count};
    memcpy(entry->name, name.data, name.count);
    if (rf_zone_table_is_fixed(table, &entry->zone.offset_seconds)) {
        free(table);
        entry->zone.table = NULL;
    } else {
        entry->zone.offset_seconds = 0;
    }
    cache_count++;
    atomic_store_explicit(&cache_slots[slot], entry, memory_order_release);
    *out = entry->zone;
    return true;
}

/* A name that the table does not have. */
static bool name_load(struct rf_str name, uint32_t hash, struct rf_zone *out)
{
    char path[PATH_BYTES_MAX];
    bool is_settled;
    pthread_mutex_lock(&cache_lock);
    const bool is_worth_a_try = !is_missed(name, hash) && path_write(name, path);
    pthread_mutex_unlock(&cache_lock);
    if (!is_worth_a_try) {
        return false;
    }
    struct rf_zone_table *const table = rf_zone_table_load(path, &is_settled);
    pthread_mutex_lock(&cache_lock);
    const bool is_found = entry_keep(name, hash, table, is_settled, out);
    pthread_mutex_unlock(&cache_lock);
    return is_found;
}

bool rf_zone_find(struct rf_str name, struct rf_zone *out)
{
    if (name.count == 0 || rf_str_equal(name, RF_STR("UTC"))) {
        *out = (struct rf_zone){.offset_seconds = 0};
        return true;
    }
    if (!is_letter(name.data[0])) {
        return offset_find(name, out);
    }
    if (name.count > RF_ZONE_NAME_MAX) {
        return false;
    }
    /* Only good names are in the table: a name that it has need not be looked at again. */
    const uint32_t hash = name_hash(name);
    size_t slot;
    const struct zone_entry *const entry = cache_find(name, hash, &slot);
    if (entry != NULL) {
        *out = entry->zone;
        return true;
    }
    return name_is_good(name) && name_load(name, hash, out);
}

int32_t rf_zone_offset(const struct rf_zone *zone, int64_t seconds)
{
    return zone->table == NULL ? zone->offset_seconds : rf_zone_table_offset(zone->table, seconds);
}
