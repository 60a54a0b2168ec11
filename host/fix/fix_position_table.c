#include "fix_position_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "clock.h"
#include "digest.h"

enum { ARRAY_FIRST = 64, EXECS_OF_REPORT = 2, WIDE_BYTES = 16, SHORT_KEY_BYTES = 2 * WIDE_BYTES };

void rf_fix_positions_open(struct rf_fix_positions *positions, size_t bytes_max)
{
    *positions = (struct rf_fix_positions){.bytes_max = bytes_max};
    rf_arena_init(&positions->texts, bytes_max);
    if (getrandom(positions->seed, sizeof(positions->seed), GRND_NONBLOCK) != (ssize_t)sizeof(positions->seed)) {
        positions->seed[0] = rf_clock_ns() * 0x9e3779b97f4a7c15ull; /* early at boot; better than known ones */
        positions->seed[1] = ~positions->seed[0] * 0x9e3779b97f4a7c15ull;
    }
}

void rf_fix_positions_close(struct rf_fix_positions *positions)
{
    rf_arena_free(&positions->texts);
    free(positions->position);
    free(positions->trade);
    free(positions->exec);
    free(positions->sorted);
    free(positions->exec_table.cell);
    free(positions->position_table.cell);
    *positions = (struct rf_fix_positions){0};
}

void rf_fix_positions_reset(struct rf_fix_positions *positions)
{
    rf_arena_reset(&positions->texts);
    positions->positions = 0;
    positions->trades = 0;
    positions->execs = 0;
    memset(positions->count, 0, sizeof(positions->count));
    if (positions->exec_table.capacity != 0) {
        memset(positions->exec_table.cell, 0, positions->exec_table.capacity * sizeof(struct rf_fix_cell));
        memset(positions->position_table.cell, 0, positions->position_table.capacity * sizeof(struct rf_fix_cell));
    }
}

/* ---- Growth ---- */

static enum rf_status bytes_take(struct rf_fix_positions *positions, size_t count, size_t size, struct rf_error *err)
{
    if (count > (positions->bytes_max - positions->bytes_used) / size) {
        RF_FAIL(err, RF_E_LIMIT, "the trades and positions need more than %zu bytes; allow more, or read fewer reports",
                positions->bytes_max);
    }
    positions->bytes_used += count * size;
    return RF_OK;
}

/* Doubles an array that has no room for `more` items. */
static enum rf_status array_grow(struct rf_fix_positions *positions, void **array, uint32_t count, uint32_t more,
                                 uint32_t *max, size_t size, struct rf_error *err)
{
    if (__builtin_expect(more <= *max - count, 1)) {
        return RF_OK;
    }
    const uint32_t larger = *max == 0 ? ARRAY_FIRST : *max * 2;
    if (*max > UINT32_MAX / 4) {
        RF_FAIL(err, RF_E_LIMIT, "more than %u trades or positions", *max);
    }
    RF_TRY(bytes_take(positions, larger - *max, size, err));
    void *const grown = realloc(*array, larger * size);
    if (grown == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for %u trades or positions", larger);
    }
    *array = grown;
    *max = larger;
    return RF_OK;
}

static void table_put(struct rf_fix_table *table, uint32_t hash, uint32_t item)
{
    uint32_t at = hash & (table->capacity - 1);
    while (table->cell[at].item_plus_one != 0) {
        at = (at + 1) & (table->capacity - 1);
    }
    table->cell[at] = (struct rf_fix_cell){hash, item + 1};
}

/* The place of an item is the low bits of the hash that its cell holds, so growing looks at no item. */
static enum rf_status table_grow(struct rf_fix_positions *positions, struct rf_fix_table *table, uint32_t count,
                                 struct rf_error *err)
{
    if (__builtin_expect(count < table->capacity / 2, 1)) {
        return RF_OK;
    }
    const uint32_t capacity = table->capacity == 0 ? 4 * ARRAY_FIRST : table->capacity * 2;
    if (table->capacity > UINT32_MAX / 4) {
        RF_FAIL(err, RF_E_LIMIT, "more than %u reports or positions", table->capacity / 2);
    }
    RF_TRY(bytes_take(positions, capacity - table->capacity, sizeof(table->cell[0]), err));
    struct rf_fix_table grown = {calloc(capacity, sizeof(grown.cell[0])), capacity};
    if (grown.cell == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for a table of %u cells", capacity);
    }
    for (uint32_t i = 0; i < table->capacity; i++) {
        if (table->cell[i].item_plus_one != 0) {
            table_put(&grown, table->cell[i].hash, table->cell[i].item_plus_one - 1);
        }
    }
    free(table->cell);
    *table = grown;
    return RF_OK;
}

enum rf_status rf_fix_positions_reserve(struct rf_fix_positions *positions, struct rf_error *err)
{
    void *array = positions->trade;
    RF_TRY(
        array_grow(positions, &array, positions->trades, 1, &positions->trades_max, sizeof(positions->trade[0]), err));
    positions->trade = array;
    array = positions->exec;
    RF_TRY(array_grow(positions, &array, positions->execs, EXECS_OF_REPORT, &positions->execs_max,
                      sizeof(positions->exec[0]), err));
    positions->exec = array;
    array = positions->position;
    RF_TRY(array_grow(positions, &array, positions->positions, 1, &positions->positions_max,
                      sizeof(positions->position[0]), err));
    positions->position = array;
    RF_TRY(table_grow(positions, &positions->exec_table, positions->execs + EXECS_OF_REPORT, err));
    return table_grow(positions, &positions->position_table, positions->positions + 1, err);
}

enum rf_status rf_fix_positions_reserve_sorted(struct rf_fix_positions *positions, struct rf_error *err)
{
    while (positions->sorted_max < positions->positions) {
        void *array = positions->sorted;
        RF_TRY(array_grow(positions, &array, positions->sorted_max, 1, &positions->sorted_max,
                          sizeof(positions->sorted[0]), err));
        positions->sorted = array;
    }
    return RF_OK;
}

/* ---- Keys ---- */

/* Ids and names are short: the calls of memcpy and memcmp were a sixth of a report. */
static inline void text_copy(char *to, const char *from, size_t count)
{
    if (count > 16 || count < 4) {
        for (; count > 16; count -= 8, to += 8, from += 8) {
            memcpy(to, from, 8);
        }
        if (count < 4) {
            for (size_t i = 0; i < count; i++) {
                to[i] = from[i];
            }
            return;
        }
    }
    const size_t part = count >= 8 ? 8 : 4;
    char first[8];
    char last[8];
    if (part == 8) {
        memcpy(first, from, 8);
        memcpy(last, from + count - 8, 8);
        memcpy(to, first, 8);
        memcpy(to + count - 8, last, 8);
    } else {
        memcpy(first, from, 4);
        memcpy(last, from + count - 4, 4);
        memcpy(to, first, 4);
        memcpy(to + count - 4, last, 4);
    }
}

static inline bool texts_are_equal(const char *a, const char *b, size_t count)
{
    for (size_t i = 0; i < count; i += 8) {
        uint64_t x;
        uint64_t y;
        memcpy(&x, a + i, 8);
        memcpy(&y, b + i, 8);
        if (x != y) {
            return false;
        }
    }
    return true;
}

/* A text of at most sixteen bytes; the first is the lowest. */
static inline unsigned __int128 short_load(struct rf_str text)
{
    if (text.count >= 8) {
        uint64_t low;
        uint64_t high; /* bytes that are in both are the same */
        memcpy(&low, text.data, sizeof(low));
        memcpy(&high, text.data + text.count - 8, sizeof(high));
        return (unsigned __int128)high << 8 * (text.count - 8) | low;
    }
    if (text.count >= 4) {
        uint32_t low;
        uint32_t high;
        memcpy(&low, text.data, sizeof(low));
        memcpy(&high, text.data + text.count - 4, sizeof(high));
        return (uint64_t)high << 8 * (text.count - 4) | low;
    }
    uint32_t all = 0;
    for (size_t i = 0; i < text.count; i++) {
        all |= (uint32_t)(unsigned char)text.data[i] << 8 * i;
    }
    return all;
}

/* Both texts behind each other, 32 bytes at most; the first is the lowest. */
struct wide_text {
    unsigned __int128 low, high;
};

static inline struct wide_text wide_load(struct rf_str first, struct rf_str second)
{
    struct wide_text text;
    const unsigned __int128 behind = second.count == 0 ? 0 : short_load(second);
    if (first.count > WIDE_BYTES) {
        memcpy(&text.low, first.data, sizeof(text.low));
        memcpy(&text.high, first.data + first.count - WIDE_BYTES, sizeof(text.high)); /* bytes of both go */
        text.high >>= 8 * (SHORT_KEY_BYTES - first.count);
        text.high |= second.count == 0 ? 0 : behind << 8 * (first.count - WIDE_BYTES);
        return text;
    }
    text.low = short_load(first);
    text.high = 0;
    if (second.count != 0) {
        text.low |= first.count == WIDE_BYTES ? 0 : behind << 8 * first.count;
        text.high = first.count == 0 ? 0 : behind >> 8 * (WIDE_BYTES - first.count);
    }
    return text;
}

/* Both texts in registers: copied behind each other in memory, their words could not be loaded before the pieces that they were
 * stored in had left the core. The hash is the product of the words, each hidden by a seed, folded. XXH3, which longer keys
 * have, was an eighth of a report for its two keys. */
static inline void key_make_short(struct rf_fix_key *key, struct rf_str first, struct rf_str second,
                                  const uint64_t seed[2])
{
    const struct wide_text text = wide_load(first, second);
    unsigned __int128 product = (unsigned __int128)((uint64_t)text.low ^ (seed[0] + first.count)) *
                                ((uint64_t)(text.low >> 64) ^ seed[1]);
    memcpy(key->text, &text.low, sizeof(text.low));
    memcpy(key->text + sizeof(text.low), &text.high, sizeof(text.high));
    if (first.count + second.count > WIDE_BYTES) { /* the other product is hidden by other seeds */
        product += (unsigned __int128)((uint64_t)text.high ^ (seed[0] * 0xbf58476d1ce4e5b9ull)) *
                   ((uint64_t)(text.high >> 64) ^ (seed[1] * 0x94d049bb133111ebull));
    }
    const uint64_t folded = (uint64_t)product ^ (uint64_t)(product >> 64);
    key->hash = (uint32_t)(folded * 0x9e3779b97f4a7c15ull >> 32);
}

static inline void key_make(struct rf_fix_key *key, struct rf_str first, struct rf_str second, const uint64_t seed[2])
{
    const size_t count = first.count + second.count;
    assert(first.count <= RF_FIX_KEY_BYTES / 2 && second.count <= RF_FIX_KEY_BYTES / 2);
    key->first = first.count;
    key->second = second.count;
    if (__builtin_expect(count <= SHORT_KEY_BYTES && second.count <= WIDE_BYTES, 1)) {
        key_make_short(key, first, second, seed);
        return;
    }
    memset(key->text + count / 8 * 8, 0, 8);
    text_copy(key->text, first.data, first.count);
    text_copy(key->text + first.count, second.data, second.count);
    key->hash = (uint32_t)rf_digest_seeded((struct rf_str){key->text, count}, seed[0] + first.count);
}

static void key_fetch(const struct rf_fix_key *key, const struct rf_fix_table *table)
{
    if (table->capacity != 0) {
        __builtin_prefetch(&table->cell[key->hash & (table->capacity - 1)]);
    }
}

void rf_fix_exec_key(const struct rf_fix_positions *positions, struct rf_str id, struct rf_str sender,
                     struct rf_fix_key *key)
{
    key_make(key, id, sender, positions->seed);
    key_fetch(key, &positions->exec_table);
}

void rf_fix_position_key(const struct rf_fix_positions *positions, struct rf_str account, struct rf_str symbol,
                         struct rf_fix_key *key)
{
    key_make(key, account, symbol, positions->seed);
    key_fetch(key, &positions->position_table);
}

static bool key_copy(struct rf_fix_positions *positions, const struct rf_fix_key *key, const char **text)
{
    const size_t words = (key->first + key->second + 7) / 8;
    char *const copy = rf_arena_push(&positions->texts, words, 8, 8);
    if (copy == NULL) {
        return false;
    }
    for (size_t i = 0; i < words; i++) {
        memcpy(copy + 8 * i, key->text + 8 * i, 8);
    }
    *text = copy;
    return true;
}

/* *free_cell: the empty cell where a new one belongs. */
static inline uint32_t exec_seek(const struct rf_fix_positions *positions, const struct rf_fix_key *key,
                                 struct rf_fix_cell **free_cell)
{
    const struct rf_fix_table *const table = &positions->exec_table;
    if (table->capacity == 0) {
        return RF_FIX_NONE;
    }
    for (uint32_t at = key->hash;; at++) {
        struct rf_fix_cell *const cell = &table->cell[at & (table->capacity - 1)];
        if (cell->item_plus_one == 0) {
            *free_cell = cell;
            return RF_FIX_NONE;
        }
        const struct rf_fix_exec *const exec = &positions->exec[cell->item_plus_one - 1];
        if (cell->hash == key->hash && exec->id_count == key->first && exec->sender_count == key->second &&
            texts_are_equal(exec->text, key->text, key->first + key->second)) {
            return cell->item_plus_one - 1;
        }
    }
}

bool rf_fix_exec_is_known(const struct rf_fix_positions *positions, const struct rf_fix_key *key)
{
    struct rf_fix_cell *free_cell;
    return exec_seek(positions, key, &free_cell) != RF_FIX_NONE;
}

enum rf_status rf_fix_exec_take(struct rf_fix_positions *positions, const struct rf_fix_key *key, uint32_t *exec,
                                bool *is_new, struct rf_error *err)
{
    struct rf_fix_cell *free_cell = NULL;
    *exec = exec_seek(positions, key, &free_cell);
    *is_new = *exec == RF_FIX_NONE;
    if (!*is_new) {
        return RF_OK;
    }
    assert(positions->execs < positions->execs_max && free_cell != NULL);
    struct rf_fix_exec *const made = &positions->exec[positions->execs];
    *made = (struct rf_fix_exec){
        .id_count = (uint16_t)key->first, .sender_count = (uint16_t)key->second, .trade = RF_FIX_NONE};
    if (!key_copy(positions, key, &made->text)) {
        RF_FAIL(err, RF_E_LIMIT, "the ids of %u reports need more than %zu bytes", positions->execs,
                positions->bytes_max);
    }
    *exec = positions->execs++;
    *free_cell = (struct rf_fix_cell){key->hash, *exec + 1};
    return RF_OK;
}

static uint32_t position_seek(const struct rf_fix_positions *positions, const struct rf_fix_key *key)
{
    const struct rf_fix_table *const table = &positions->position_table;
    if (table->capacity == 0) {
        return RF_FIX_NONE;
    }
    for (uint32_t at = key->hash;; at++) {
        const struct rf_fix_cell *const cell = &table->cell[at & (table->capacity - 1)];
        if (cell->item_plus_one == 0) {
            return RF_FIX_NONE;
        }
        const struct rf_fix_position *const position = &positions->position[cell->item_plus_one - 1];
        if (cell->hash == key->hash && position->account.count == key->first && position->symbol.count == key->second &&
            texts_are_equal(position->account.data, key->text, key->first + key->second)) {
            return cell->item_plus_one - 1;
        }
    }
}

struct rf_fix_position *rf_fix_position_seek(struct rf_fix_positions *positions, struct rf_str account,
                                             struct rf_str symbol)
{
    struct rf_fix_key key;
    if (account.count > RF_FIX_KEY_BYTES / 2 || symbol.count > RF_FIX_KEY_BYTES / 2) {
        return NULL;
    }
    key_make(&key, account, symbol, positions->seed);
    const uint32_t place = position_seek(positions, &key);
    return place == RF_FIX_NONE ? NULL : &positions->position[place];
}

enum rf_status rf_fix_position_take(struct rf_fix_positions *positions, const struct rf_fix_key *key, uint32_t *place,
                                    struct rf_error *err)
{
    const char *text;
    *place = position_seek(positions, key);
    if (*place != RF_FIX_NONE) {
        return RF_OK;
    }
    assert(positions->positions < positions->positions_max);
    if (!key_copy(positions, key, &text)) {
        RF_FAIL(err, RF_E_LIMIT, "the names of %u positions need more than %zu bytes", positions->positions,
                positions->bytes_max);
    }
    *place = positions->positions++;
    positions->position[*place] = (struct rf_fix_position){.account = {text, key->first},
                                                           .symbol = {text + key->first, key->second},
                                                           .first = RF_FIX_NONE,
                                                           .last = RF_FIX_NONE};
    table_put(&positions->position_table, key->hash, *place);
    return RF_OK;
}
