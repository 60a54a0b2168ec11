#include "subject_table.h"

#include <stdlib.h>

static uint64_t slots_for(uint32_t entries)
{
    uint64_t slots = 16;
    while (slots < 2 * (uint64_t)entries) {
        slots *= 2;
    }
    return slots;
}

bool subject_table_open(struct subject_table *table, const char *texts, uint32_t most, struct rf_arena *arena)
{
    const uint64_t slots = slots_for(most);
    *table = (struct subject_table){.texts = texts, .entries = 1, .mask = slots - 1};
    /* Not cleared: there may be far fewer entries than tokens. */
    table->entry = rf_arena_push(arena, (size_t)most + 2, sizeof *table->entry, 64);
    if (table->entry == NULL) {
        return false;
    }
    table->entry[0] = (struct subject_entry){0};
    table->slot = calloc(slots, sizeof *table->slot);
    return table->slot != NULL;
}

struct subject_token subject_token_of(struct rf_str text)
{
    uint64_t head = 0;
    memcpy(&head, text.data, text.count < sizeof head ? text.count : sizeof head);
    return (struct subject_token){text.data, text.count, head, subject_hash(text.data, text.count, head)};
}

static void slot_take(struct subject_table *table, uint64_t hash, uint32_t entry)
{
    uint64_t at = hash & table->mask;
    while (table->slot[at].entry != 0) {
        at = (at + 1) & table->mask;
    }
    table->slot[at] = (struct subject_slot){(uint32_t)(hash >> 32), entry};
}

uint32_t subject_table_add(struct subject_table *table, uint32_t from, struct rf_str text)
{
    const struct subject_token token = subject_token_of(text);
    const uint32_t known = subject_table_find(table, from, &token);
    if (known != 0) {
        return known;
    }
    const uint32_t entry = table->entries++;
    table->entry[entry] = (struct subject_entry){
        .head = token.head, .text = (uint32_t)(text.data - table->texts), .count = (uint32_t)text.count, .from = from};
    slot_take(table, subject_table_hash(from, token.hash), entry);
    return entry;
}

uint32_t subject_table_add_plain(struct subject_table *table)
{
    table->entry[table->entries] = (struct subject_entry){0};
    return table->entries++;
}

bool subject_table_seal(struct subject_table *table, struct rf_arena *arena)
{
    subject_table_drop(table);
    const uint64_t slots = slots_for(table->entries);
    table->entry[table->entries] = (struct subject_entry){0}; /* what is behind the last one may be looked at */
    table->slot = rf_arena_push_zero(arena, slots, sizeof *table->slot, 64);
    table->mask = slots - 1;
    table->is_sealed = true;
    if (table->slot == NULL) {
        return false;
    }
    for (uint32_t i = 1; i < table->entries; i++) {
        const struct subject_entry *entry = &table->entry[i];
        if (entry->count != 0) {
            const struct subject_token token = subject_token_of((struct rf_str){table->texts + entry->text, entry->count});
            slot_take(table, subject_table_hash(entry->from, token.hash), i);
        }
    }
    return true;
}

void subject_table_drop(struct subject_table *table)
{
    if (!table->is_sealed) {
        free(table->slot);
        table->slot = NULL;
    }
}
