#include "key_table.h"

#include <stdlib.h>

enum { MULTIPLIERS_TRIED = 256 };

uint64_t rf_key_tail(struct rf_str key, uint64_t *mask)
{
    uint8_t bytes[8] = {0};
    uint8_t covered[8] = {0};
    for (size_t i = 0; i < 8; i++) {
        const size_t from_end = 8 - i; /* 1 = the last byte */
        if (from_end <= key.count) {
            bytes[i] = (uint8_t)key.data[key.count - from_end];
        } else if (from_end == key.count + 1) {
            bytes[i] = '"';
        } else {
            continue;
        }
        covered[i] = 0xff;
    }
    *mask = rf_token_word(covered);
    return rf_token_word(bytes);
}

static uint32_t key_hash(const struct rf_key_table *table, struct rf_str key)
{
    uint64_t mask;
    return rf_key_hash(table, (uint32_t)(rf_key_tail(key, &mask) >> 48));
}

static bool is_keyed(const struct rf_program *program, uint32_t node)
{
    return !program->node[node].step.is_index;
}

/* Number of keys that share a cell under this multiplier. */
static uint32_t collisions(struct rf_key_table *table, const struct rf_program *program, uint32_t cells)
{
    uint32_t count = 0;
    for (uint32_t c = 0; c < cells; c++) {
        table->cell[c].node = RF_NONE;
    }
    for (uint32_t n = 1; n < program->nodes; n++) {
        if (is_keyed(program, n)) {
            struct rf_key_cell *cell = &table->cell[key_hash(table, program->node[n].step.key)];
            count += cell->node != RF_NONE;
            cell->node = n;
        }
    }
    return count;
}

static void multiplier_search(struct rf_key_table *table, const struct rf_program *program, uint32_t cells)
{
    uint32_t best = 0;
    uint32_t best_count = UINT32_MAX;
    uint64_t state = 0x9fb21c651e98df25ull;
    for (int i = 0; i < MULTIPLIERS_TRIED && best_count != 0; i++) {
        table->multiplier = (uint32_t)(state >> 32) | 1;
        const uint32_t count = collisions(table, program, cells);
        if (count < best_count) {
            best = table->multiplier;
            best_count = count;
        }
        state = state * 6364136223846793005ull + 1442695040888963407ull;
    }
    table->multiplier = best;
}

enum rf_status rf_key_table_open(struct rf_key_table *table, const struct rf_program *program, struct rf_error *err)
{
    uint32_t bits = 4;
    while ((1u << bits) < 4 * program->nodes) {
        bits++;
    }
    const uint32_t cells = 1u << bits;
    /* As many cells behind the table take the collisions. */
    void *memory = NULL;
    table->cell = NULL;
    if (posix_memalign(&memory, sizeof(*table->cell), ((size_t)cells + program->nodes) * sizeof(*table->cell)) == 0) {
        table->cell = memory;
    }
    if (table->cell == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for a table of %u keys", program->nodes);
    }
    table->shift = 32 - bits;
    table->cells = cells + program->nodes;
    multiplier_search(table, program, cells);
    for (uint32_t c = 0; c < cells + program->nodes; c++) {
        table->cell[c] = (struct rf_key_cell){.parent = RF_NONE, .node = RF_NONE, .next = RF_NONE};
    }
    uint32_t spare = cells;
    for (uint32_t n = 1; n < program->nodes; n++) {
        if (!is_keyed(program, n)) {
            continue;
        }
        const struct rf_str key = program->node[n].step.key;
        struct rf_key_cell *cell = &table->cell[key_hash(table, key)];
        uint32_t next = RF_NONE;
        if (cell->node != RF_NONE) {
            next = spare++;
            table->cell[next] = *cell;
        }
        *cell = (struct rf_key_cell){
            .parent = program->node[n].parent, .node = n, .next = next, .count = (uint32_t)key.count, .text = key.data};
        cell->tail = rf_key_tail(key, &cell->mask);
    }
    return RF_OK;
}

void rf_key_table_place(struct rf_key_table *table, uint32_t *const *position, uint32_t *nowhere)
{
    for (uint32_t c = 0; c < table->cells; c++) {
        const uint32_t node = table->cell[c].node;
        table->cell[c].place = node == RF_NONE ? nowhere : position[node];
    }
}

void rf_key_table_close(struct rf_key_table *table)
{
    free(table->cell);
    table->cell = NULL;
}

/* The part of a key of more than 7 bytes that the cell's mask does not cover. */
static bool key_is_whole(const struct rf_key_cell *cell, const uint8_t *quote, size_t before)
{
    return cell->count <= 7 || (cell->count < before && quote[-(ptrdiff_t)cell->count - 1] == '"' &&
                                memcmp(quote - cell->count, cell->text, cell->count - 8) == 0);
}

const struct rf_key_cell *rf_key_find(const struct rf_key_table *table, const uint8_t *quote, size_t before,
                                      uint32_t parent)
{
    const uint64_t tail = rf_token_word(quote - 8);
    uint32_t c = rf_key_hash(table, (uint32_t)(tail >> 48));
    for (; c != RF_NONE; c = table->cell[c].next) {
        const struct rf_key_cell *cell = &table->cell[c];
        if (((tail ^ cell->tail) & cell->mask) == 0 && cell->parent == parent && cell->node != RF_NONE &&
            key_is_whole(cell, quote, before)) {
            return cell;
        }
    }
    return NULL;
}
