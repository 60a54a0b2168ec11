#include "key_table.h"

#include <stdlib.h>

enum { MULTIPLIERS_TRIED = 256 };

static uint64_t key_head(struct rf_str key)
{
    uint8_t bytes[8] = {0};
    memcpy(bytes, key.data, key.count < 8 ? key.count : 8);
    return rf_token_word(bytes);
}

static bool is_keyed(const struct rf_program *program, uint32_t node)
{
    return !program->node[node].step.is_index && program->node[node].step.key.count < UINT32_MAX;
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
            const struct rf_str key = program->node[n].step.key;
            struct rf_key_cell *cell =
                &table->cell[rf_key_hash(table, key_head(key), (uint32_t)key.count, program->node[n].parent)];
            count += cell->node != RF_NONE;
            cell->node = n;
        }
    }
    return count;
}

static void cell_empty(struct rf_key_cell *cell)
{
    *cell = (struct rf_key_cell){.parent = RF_NONE, .node = RF_NONE, .next = RF_NONE};
}

enum rf_status rf_key_table_open(struct rf_key_table *table, const struct rf_program *program, struct rf_error *err)
{
    uint32_t bits = 4;
    while ((1u << bits) < 4 * program->nodes) {
        bits++;
    }
    const uint32_t cells = 1u << bits;
    /* One cell in front is "no such key"; as many behind take the collisions. */
    struct rf_key_cell *memory = malloc((1 + (size_t)cells + program->nodes) * sizeof(*memory));
    table->cell = NULL;
    if (memory == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for a table of %u keys", program->nodes);
    }
    cell_empty(&memory[0]);
    table->cell = memory + 1;
    table->shift = 64 - bits;
    uint64_t best = 0;
    uint32_t best_count = UINT32_MAX;
    uint64_t multiplier = 0x9fb21c651e98df25ull;
    for (int i = 0; i < MULTIPLIERS_TRIED && best_count != 0; i++) {
        table->multiplier = multiplier;
        const uint32_t count = collisions(table, program, cells);
        if (count < best_count) {
            best = multiplier;
            best_count = count;
        }
        multiplier = (multiplier * 6364136223846793005ull + 1442695040888963407ull) | 1;
    }
    table->multiplier = best;
    for (uint32_t c = 0; c < cells + program->nodes; c++) {
        cell_empty(&table->cell[c]);
    }
    uint32_t spare = cells;
    for (uint32_t n = 1; n < program->nodes; n++) {
        if (!is_keyed(program, n)) {
            continue;
        }
        const struct rf_str key = program->node[n].step.key;
        const uint32_t parent = program->node[n].parent;
        struct rf_key_cell *cell = &table->cell[rf_key_hash(table, key_head(key), (uint32_t)key.count, parent)];
        uint32_t next = RF_NONE;
        if (cell->node != RF_NONE) {
            next = spare++;
            table->cell[next] = *cell;
        }
        *cell = (struct rf_key_cell){key_head(key), key.data, (uint32_t)key.count, parent, n, next};
    }
    return RF_OK;
}

void rf_key_table_close(struct rf_key_table *table)
{
    if (table->cell != NULL) {
        free(table->cell - 1);
    }
    table->cell = NULL;
}
