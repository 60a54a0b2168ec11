/* key_table.h: which trie node a key of an object leads to, in one probe.
 *
 * Data       a hash table over (parent node, key): size a power of two, at least four cells for each key; the multiplier is
 *            searched so that small tries have no collision. Cells of one hash are chained.
 * Ownership  one allocation, rf_key_table_close frees it; keys longer than 8 bytes point into the program.
 * Threads    immutable after rf_key_table_open.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_KEY_TABLE_H
#define RF_KEY_TABLE_H

#include <string.h>

#include "program.h"
#include "status.h"
#include "token.h"

struct rf_key_cell {
    uint64_t head;     /* first 8 bytes of the key, zero-padded, as loaded from memory */
    const char *text;  /* the whole key */
    uint32_t count;
    uint32_t parent;   /* trie node; RF_NONE in an empty cell */
    uint32_t node;     /* trie node that the key leads to */
    uint32_t next;     /* further cell with this hash, or RF_NONE */
};

struct rf_key_table {
    struct rf_key_cell *cell;
    uint64_t multiplier;
    uint32_t shift; /* hash = product >> shift */
};

enum rf_status rf_key_table_open(struct rf_key_table *table, const struct rf_program *program, struct rf_error *err);
void rf_key_table_close(struct rf_key_table *table);

static inline uint32_t rf_key_hash(const struct rf_key_table *table, uint64_t head, uint32_t count, uint32_t parent)
{
    return (uint32_t)(((head + count * 0x9e3779b97f4a7c15ull + parent * 0xc2b2ae3d27d4eb4full) * table->multiplier) >>
                      table->shift);
}

/* The cell of a key without escapes, or an empty cell (node RF_NONE). `at` must have 8 readable bytes. */
static inline const struct rf_key_cell *rf_key_find(const struct rf_key_table *table, const uint8_t *at, uint32_t count,
                                                    uint32_t parent)
{
    static const uint64_t keep[9] = {0,
                                     0xff,
                                     0xffff,
                                     0xffffff,
                                     0xffffffff,
                                     0xffffffffff,
                                     0xffffffffffff,
                                     0xffffffffffffff,
                                     0xffffffffffffffff};
    const uint64_t head = rf_token_word(at) & keep[count > 8 ? 8 : count];
    const struct rf_key_cell *cell = &table->cell[rf_key_hash(table, head, count, parent)];
    for (;;) {
        const bool is_match = (cell->head == head) & (cell->count == count) & (cell->parent == parent);
        if (is_match && (count <= 8 || memcmp(at + 8, cell->text + 8, count - 8) == 0)) {
            return cell;
        }
        if (__builtin_expect(cell->next == RF_NONE, 1)) {
            return &table->cell[-1];
        }
        cell = &table->cell[cell->next];
    }
}

#endif
