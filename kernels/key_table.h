/* key_table.h: which trie node a key of an object leads to, seen from the key's end.
 *
 * Purpose    A key is looked up before anything is known of it but where its closing quote stands. Its last two bytes
 *            choose a cell; the cell compares the bytes before the quote, the opening quote included, under a mask.
 * Data       a hash table over the last two bytes, size a power of two; the multiplier is searched so that small
 *            tries have no collision. Cells of one hash are chained.
 * Ownership  one allocation, rf_key_table_close frees it; long keys point into the program.
 * Threads    immutable after rf_key_table_open.
 * Errors     RF_E_MEMORY. The empty key has no last bytes: the program must not have it (rf_extract_open sees to that).
 */
#ifndef RF_KEY_TABLE_H
#define RF_KEY_TABLE_H

#include <string.h>

#include "program.h"
#include "status.h"
#include "token.h"

struct rf_key_cell { /* 64 bytes: one cache line, and a shift in place of a product */
    uint64_t tail;   /* the last 8 bytes before the closing quote, as loaded from memory; 0 where mask is 0 */
    uint64_t mask;   /* of up to 7 bytes and the opening quote, or of the last 8 bytes of a longer key */
    uint32_t parent; /* trie node; RF_NONE in an empty cell */
    uint32_t node;   /* trie node that the key leads to */
    uint32_t next;   /* further cell with this hash, or RF_NONE */
    uint32_t count;  /* bytes of the key */
    const char *text;
    uint32_t *place; /* [R] the extract stage's positions of this node */
    uint64_t unused[2];
};

struct rf_key_table {
    struct rf_key_cell *cell;
    uint32_t cells;
    uint32_t multiplier;
    uint32_t shift; /* hash = 32-bit product >> shift */
};

enum rf_status rf_key_table_open(struct rf_key_table *table, const struct rf_program *program, struct rf_error *err);
void rf_key_table_close(struct rf_key_table *table);
/* Tells each cell where the positions of its node are: position[node], or nowhere for an empty cell. */
void rf_key_table_place(struct rf_key_table *table, uint32_t *const *position, uint32_t *nowhere);

/* The bytes that a key of at least one byte has in the 8 before its closing quote, the opening quote included, and a
 * mask of them. */
uint64_t rf_key_tail(struct rf_str key, uint64_t *mask);

static inline uint32_t rf_key_hash(const struct rf_key_table *table, uint32_t last_two)
{
    return (last_two * table->multiplier) >> table->shift;
}

/* The first cell to look at for the key without escapes whose closing quote is at `quote`; 8 bytes before it must be
 * readable. *is_tail: its bytes are the key's (with the opening quote, or the last 8 of a longer key). */
static inline const struct rf_key_cell *rf_key_guess(const struct rf_key_table *table, const uint8_t *quote,
                                                     bool *is_tail)
{
    const uint64_t tail = rf_token_word(quote - 8);
    const struct rf_key_cell *cell = &table->cell[rf_key_hash(table, (uint32_t)(tail >> 48))];
    *is_tail = ((tail ^ cell->tail) & cell->mask) == 0;
    return cell;
}

/* Is the guess all there is to see? Not for long keys, nor where keys share a hash. */
static inline bool rf_key_is_decided(const struct rf_key_cell *cell)
{
    return (cell->count <= 7) & (cell->next == RF_NONE);
}

/* The cell of the key, or NULL. `before`: bytes readable before `quote`. */
const struct rf_key_cell *rf_key_find(const struct rf_key_table *table, const uint8_t *quote, size_t before,
                                      uint32_t parent);

#endif
