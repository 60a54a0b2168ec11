/* extract.h: field text to columns.
 *
 * Purpose    Fills one cell for each slot and row. Keys are looked up once for all slots (key_table.h), values are
 *            decoded column by column; rows that are not plain are walked exactly (walk.h).
 * Data       in   batch, rows, index
 *            out  columns; rows.status: RF_ROW_MALFORMED for rows that are no records
 *            A container in a slot that is not deep has begin at its bracket and length 0: nobody asked for its text.
 * Ownership  struct rf_extract owns position lists, R x N cells of u32 (rf_extract_open/close).
 * Threads    one struct for each worker.
 * Errors     rf_extract_open: RF_E_MEMORY. A run cannot fail.
 * Cost       about 25 instructions for each key looked at, 20 for each short number or string.
 * Source     exact decimals: Clinger's fast path (mantissa below 2^53, power of ten up to 22).
 */
#ifndef RF_EXTRACT_H
#define RF_EXTRACT_H

#include "column.h"
#include "index.h"
#include "key_table.h"
#include "walk.h"

/* Longer batches, which are single huge records, are walked: the side text has room for one decoding of them. */
enum { RF_EXTRACT_VECTOR_BYTES_MAX = 512 * 1024 * 1024 };

/* Few nodes whose keys differ can be compared with eight keys of a record at once. */
enum { RF_MATCH_NODES_MAX = 32, RF_MATCH_DEPTH_MAX = 7, RF_MATCH_PARENT_NONE = 0xfe };

struct rf_key_match { /* by trie node, 1 to nodes; 0 stands for a key that nobody wants */
    uint32_t nodes;   /* 0: not that form */
    bool has_long;
    uint8_t parent[RF_MATCH_NODES_MAX + 1];
    uint64_t opened[RF_MATCH_NODES_MAX + 1]; /* the node in the byte of the level below its own, ones from there on */
    uint64_t tail[RF_MATCH_NODES_MAX + 1], mask[RF_MATCH_NODES_MAX + 1]; /* as in struct rf_key_cell */
    struct rf_str long_key[RF_MATCH_NODES_MAX + 1];                      /* keys of more than 7 bytes; else empty */
};

struct rf_extract {
    const struct rf_program *program;
    struct rf_walk_options options;
    struct rf_key_table keys;
    struct rf_key_match match;
    bool is_vector; /* the trie has a form for the vector stage: no array steps, no empty key, at most 16 levels */
    uint32_t rows_max;
    uint32_t **position; /* [N][R] offset of the colon behind the key, or RF_NONE */
    uint32_t *nowhere;   /* [R] the same for keys that nobody wants; the block of all these arrays begins here */
    uint32_t **list;     /* [N][R] places of one key behind each other, before it is known which rows they are in */
    uint8_t *walks;      /* [R] 1: the row is walked */
};

enum rf_status rf_extract_open(struct rf_extract *extract, const struct rf_program *program, uint32_t rows_max,
                               struct rf_walk_options options, struct rf_error *err);
void rf_extract_close(struct rf_extract *extract);

/* JSON lines, behind rf_index_json. */
void rf_extract_json(struct rf_extract *extract, enum rf_isa isa, const struct rf_batch *batch,
                     const struct rf_index *index, struct rf_rows *rows, struct rf_columns *columns);
/* What is no field: raw, record, now. has_high: some byte of the batch is not ASCII. */
void rf_extract_envelope(const struct rf_extract *extract, const struct rf_batch *batch, bool has_high,
                         struct rf_rows *rows, struct rf_columns *columns);
/* Text, behind rf_index_text: only raw and the envelope. */
void rf_extract_text(struct rf_extract *extract, const struct rf_batch *batch, const struct rf_index *index,
                     struct rf_rows *rows, struct rf_columns *columns);

#endif
