#include "fix_position_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "clock.h"
#include "digest.h"

enum { ARRAY_FIRST = 64, EXECS_OF_REPORT = 2 };

void rf_fix_positions_open(struct rf_fix_positions *positions, size_t bytes_max)
{
    *positions = (struct rf_fix_positions){.bytes_max = bytes_max};
    rf_arena_init(&positions->texts, bytes_max);
    if (getrandom(&positions->seed, sizeof(positions->seed), GRND_NONBLOCK) != (ssize_t)sizeof(positions->seed)) {
        positions->seed = rf_clock_ns() * 0x9e3779b97f4a7c15ull; /* early at boot; better than a known one */
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

/* Two texts as one, behind each other; their counts are compared besides. */
struct pair_key {
    char text[RF_FIX_KEY_BYTES];
    size_t first, second; /* bytes */
    uint32_t hash;
};

static void key_make(struct pair_key *key, struct rf_str first, struct rf_str second, uint64_t seed)
{
    assert(first.count <= RF_FIX_KEY_BYTES / 2 && second.count <= RF_FIX_KEY_BYTES / 2);
    key->first = first.count;
    key->second = second.count;
    if (first.count != 0) {
        memcpy(key->text, first.data, first.count);
    }
    if (second.count != 0) {
        memcpy(key->text + first.count, second.data, second.count);
    }
    key->hash = (uint32_t)rf_digest_seeded((struct rf_str){key->text, first.count + second.count}, seed + first.count);
}

static bool key_copy(struct rf_fix_positions *positions, const struct pair_key *key, const char **text)
{
    *text = rf_arena_copy(&positions->texts, (struct rf_str){key->text, key->first + key->second}).data;
    return *text != NULL;
}

static uint32_t exec_seek(const struct rf_fix_positions *positions, const struct pair_key *key)
{
    const struct rf_fix_table *const table = &positions->exec_table;
    if (table->capacity == 0) {
        return RF_FIX_NONE;
    }
    for (uint32_t at = key->hash;; at++) {
        const struct rf_fix_cell *const cell = &table->cell[at & (table->capacity - 1)];
        if (cell->item_plus_one == 0) {
            return RF_FIX_NONE;
        }
        const struct rf_fix_exec *const exec = &positions->exec[cell->item_plus_one - 1];
        if (cell->hash == key->hash && exec->id_count == key->first && exec->sender_count == key->second &&
            memcmp(exec->text, key->text, key->first + key->second) == 0) {
            return cell->item_plus_one - 1;
        }
    }
}

bool rf_fix_exec_is_known(const struct rf_fix_positions *positions, struct rf_str id, struct rf_str sender)
{
    struct pair_key key;
    key_make(&key, id, sender, positions->seed);
    return exec_seek(positions, &key) != RF_FIX_NONE;
}

enum rf_status rf_fix_exec_take(struct rf_fix_positions *positions, struct rf_str id, struct rf_str sender,
                                uint32_t *exec, bool *is_new, struct rf_error *err)
{
    struct pair_key key;
    key_make(&key, id, sender, positions->seed);
    *exec = exec_seek(positions, &key);
    *is_new = *exec == RF_FIX_NONE;
    if (!*is_new) {
        return RF_OK;
    }
    assert(positions->execs < positions->execs_max);
    struct rf_fix_exec *const made = &positions->exec[positions->execs];
    *made = (struct rf_fix_exec){
        .id_count = (uint16_t)key.first, .sender_count = (uint16_t)key.second, .trade = RF_FIX_NONE};
    if (!key_copy(positions, &key, &made->text)) {
        RF_FAIL(err, RF_E_LIMIT, "the ids of %u reports need more than %zu bytes", positions->execs,
                positions->bytes_max);
    }
    *exec = positions->execs++;
    table_put(&positions->exec_table, key.hash, *exec);
    return RF_OK;
}

static uint32_t position_seek(const struct rf_fix_positions *positions, const struct pair_key *key)
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
            memcmp(position->account.data, key->text, key->first + key->second) == 0) {
            return cell->item_plus_one - 1;
        }
    }
}

struct rf_fix_position *rf_fix_position_seek(struct rf_fix_positions *positions, struct rf_str account,
                                             struct rf_str symbol)
{
    struct pair_key key;
    if (account.count > RF_FIX_KEY_BYTES / 2 || symbol.count > RF_FIX_KEY_BYTES / 2) {
        return NULL;
    }
    key_make(&key, account, symbol, positions->seed);
    const uint32_t place = position_seek(positions, &key);
    return place == RF_FIX_NONE ? NULL : &positions->position[place];
}

enum rf_status rf_fix_position_take(struct rf_fix_positions *positions, struct rf_str account, struct rf_str symbol,
                                    uint32_t *place, struct rf_error *err)
{
    struct pair_key key;
    const char *text;
    key_make(&key, account, symbol, positions->seed);
    *place = position_seek(positions, &key);
    if (*place != RF_FIX_NONE) {
        return RF_OK;
    }
    assert(positions->positions < positions->positions_max);
    if (!key_copy(positions, &key, &text)) {
        RF_FAIL(err, RF_E_LIMIT, "the names of %u positions need more than %zu bytes", positions->positions,
                positions->bytes_max);
    }
    *place = positions->positions++;
    positions->position[*place] = (struct rf_fix_position){.account = {text, key.first},
                                                           .symbol = {text + key.first, key.second},
                                                           .first = RF_FIX_NONE,
                                                           .last = RF_FIX_NONE};
    table_put(&positions->position_table, key.hash, *place);
    return RF_OK;
}
