/* index.h: bytes to records and structural positions.
 *
 * Purpose    One pass over the batch, 64 bytes a step: record table, key positions, string, bracket and depth
 *            bitmaps, and the check of every record's structure as a bit-parallel grammar of adjacent tokens.
 *            Rows that the grammar does not find plainly right are `suspect`: rf_walk_row has the last word.
 * Data       in   batch.bytes in the given span; at most rows.rows_max records are taken, rows.cursor says
 *                 where the next round begins
 *            out  rows.begin/end/status (blank rows get RF_ROW_BLANK), rows.lines, rows.cursor
 *                 quote[W] open[W] close[W] u64, depth[W] u16: W = batch bytes / 64; bit i of word w is
 *                 byte 64 w + i. Words outside the span are not written.
 *                 key[K] u32: offsets of the colons behind keys that may be wanted, ascending
 *                 suspect[R/64] bitmap of rows; a superset of the malformed ones
 * Ownership  arrays belong to the struct (rf_index_open/close) and grow with the batch (rf_index_reserve).
 * Threads    one struct for each worker.
 * Errors     rf_index_open, rf_index_reserve: RF_E_MEMORY. A run cannot fail.
 * Cost       reads each byte once, writes about 34 bytes for 64 bytes read.
 * Source     prefix-xor of quotes by carry-less multiply: Langdale and Lemire, Parsing Gigabytes of JSON per
 *            Second, 2019. The token grammar is described in index_word.h.
 */
#ifndef RF_INDEX_H
#define RF_INDEX_H

#include "isa.h"
#include "program.h"
#include "rows.h"

enum { RF_INDEX_DEPTH_MAX = 255, RF_FILTER_KEYS_MAX = 64 };

/* Which colons are worth a look: those whose key ends like a wanted one, two bytes compared. Each wanted key has a
 * bit (more than eight share them): the colon stays when the last byte and the byte before it have a bit in common. */
struct rf_key_filter {
    bool is_on;
    bool keeps_containers; /* nested paths: a key with an object behind it can end an outer path */
    uint32_t keys;
    uint8_t last[128];        /* by the last byte of the key (7 bits) */
    uint8_t before_last[128]; /* by the byte before it; the opening quote for one-byte keys */
    uint8_t key_last[RF_FILTER_KEYS_MAX], key_before[RF_FILTER_KEYS_MAX]; /* the same, key by key */
};

struct rf_index {
    size_t words_max;
    uint64_t *quote; /* unescaped quotes, opening and closing */
    uint64_t *open;  /* { [ outside strings */
    uint64_t *close; /* } ] outside strings */
    uint16_t *depth; /* of nesting before the word's first byte, saturated */
    uint32_t *key;
    uint32_t keys;
    bool is_spaced;       /* AVX-512: the last blocks had spaces behind their colons; a guess for the next ones */
    bool has_loose_colon; /* one may not stand just behind its key's quote */
    uint64_t *suspect;
    uint64_t *blank; /* rows of white space only; becomes RF_ROW_BLANK */
    bool has_blank;
    uint32_t rows_max;
    uint32_t depth_limit; /* rows that may be deeper are suspect */
    bool has_high;        /* text mode: some byte is not ASCII */
    struct rf_key_filter filter;
};

struct rf_span32 { /* a run of whole records: bytes [begin, end) of a batch */
    uint32_t begin;
    uint32_t end;
};

enum rf_status rf_index_open(struct rf_index *index, const struct rf_program *program, uint32_t rows_max,
                             uint32_t depth_max, struct rf_error *err);
enum rf_status rf_index_reserve(struct rf_index *index, size_t batch_bytes, struct rf_error *err);
void rf_index_close(struct rf_index *index);

/* JSON lines. With RF_ISA_SCALAR only the record table is made and every row is suspect. */
void rf_index_json(struct rf_index *index, enum rf_isa isa, const struct rf_batch *batch, struct rf_span32 span,
                   struct rf_rows *rows);
/* Any lines: only the record table and has_high; no line is blank. */
void rf_index_text(struct rf_index *index, enum rf_isa isa, const struct rf_batch *batch, struct rf_span32 span,
                   struct rf_rows *rows);

#endif
