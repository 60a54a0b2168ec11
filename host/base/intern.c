#include "intern.h"

enum { CELLS_MIN = 64, CELLS_MAX = 1 << 24, ITEMS_MIN = 16, ITEM_ALIGN = 16 };

static uint32_t key_hash(struct rf_str key)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < key.count; i++) {
        hash = (hash ^ (unsigned char)key.data[i]) * 16777619u;
    }
    return hash;
}

static struct rf_intern_cell *cell_find(struct rf_intern_cell *cell, uint32_t cells, struct rf_str key, uint32_t hash)
{
    uint32_t at = hash & (cells - 1);
    while (cell[at].is_used && (cell[at].hash != hash || !rf_str_equal(cell[at].key, key))) {
        at = (at + 1) & (cells - 1);
    }
    return &cell[at];
}

static bool intern_grow(struct rf_intern *intern)
{
    const uint32_t cells = intern->cells == 0 ? CELLS_MIN : intern->cells * 2;
    struct rf_intern_cell *cell = cells > CELLS_MAX ? NULL : RF_PUSH(intern->arena, struct rf_intern_cell, cells);
    if (cell == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < intern->cells; i++) {
        if (intern->cell[i].is_used) {
            *cell_find(cell, cells, intern->cell[i].key, intern->cell[i].hash) = intern->cell[i];
        }
    }
    intern->cell = cell;
    intern->cells = cells;
    return true;
}

uint32_t *rf_intern_at(struct rf_intern *intern, struct rf_str key)
{
    if (intern->count * 2 >= intern->cells && !intern_grow(intern)) {
        return NULL;
    }
    const uint32_t hash = key_hash(key);
    struct rf_intern_cell *cell = cell_find(intern->cell, intern->cells, key, hash);
    if (!cell->is_used) {
        const struct rf_str copy = rf_arena_copy(intern->arena, key);
        if (copy.data == NULL) {
            return NULL;
        }
        *cell = (struct rf_intern_cell){.key = copy, .hash = hash, .value = UINT32_MAX, .is_used = true};
        intern->count++;
    }
    return &cell->value;
}

void *rf_array_grow(struct rf_arena *arena, void *items, uint32_t count, uint32_t *capacity, size_t size_bytes)
{
    if (count < *capacity) {
        return items;
    }
    const uint32_t wider = *capacity == 0 ? ITEMS_MIN : *capacity * 2;
    void *moved = rf_arena_push_zero(arena, wider, size_bytes, ITEM_ALIGN);
    if (moved == NULL) {
        return NULL;
    }
    if (count != 0) {
        memcpy(moved, items, count * size_bytes);
    }
    *capacity = wider;
    return moved;
}
