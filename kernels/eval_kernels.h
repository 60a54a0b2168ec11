/* eval_kernels.h: the loops of the eval stage, once for each instruction-set level.
 *
 * Purpose    A table of plain functions over blocks of at most RF_EVAL_BLOCK_WORDS x 64 rows. eval_scalar.c,
 *            eval_avx2.c and eval_avx512.c each give eight-lane primitives and include eval_loops.h, which makes the
 *            table of them.
 * Data       W words of 64 rows; tag, payload, length point to the block's first row and are read up to row 64 W - 1.
 *            Bitmaps are W words. Bits of rows behind the last one are garbage: the caller masks.
 * Threads    pure functions.
 */
#ifndef RF_EVAL_KERNELS_H
#define RF_EVAL_KERNELS_H

#include "column.h"
#include "isa.h"
#include "program.h"

enum {
    RF_EVAL_BLOCK_WORDS = 16, /* the bitmaps of 100 atoms and one slot's columns together stay in L1 and L2 */
    RF_EVAL_BLOCK_ROWS = 64 * RF_EVAL_BLOCK_WORDS,
    RF_EVAL_TILE_PREDICATES = 64 /* decided at a time, when thousands are tallied: their registers stay in L1 */
};

/* What can be done with a cell, by its tag. */
struct rf_eval_classes {
    uint64_t number[RF_EVAL_BLOCK_WORDS];  /* payload is a double */
    uint64_t integer[RF_EVAL_BLOCK_WORDS]; /* payload is an int64 */
    uint64_t natural[RF_EVAL_BLOCK_WORDS]; /* payload is a uint64 */
    uint64_t string[RF_EVAL_BLOCK_WORDS];
    uint64_t missing[RF_EVAL_BLOCK_WORDS]; /* reading it is an error */
};

/* One register of the boolean program over a block. */
struct rf_eval_register {
    uint64_t truth[RF_EVAL_BLOCK_WORDS];
    uint64_t falsity[RF_EVAL_BLOCK_WORDS];
};

/* An instruction of the boolean program with its registers' places; ATOM instructions are gone: atoms write registers.
 */
struct rf_eval_code {
    enum rf_bool_op op;
    uint32_t out, a, b, c;
};

/* Raw text of adjoining rows, for a search that does not look at them one by one. */
struct rf_eval_lines {
    const uint8_t *bytes; /* first byte of the first row */
    size_t count;         /* up to the end of the last row; 64 more are readable */
    uint32_t rows;
};

/* A part of 1 to 8 bytes to be found in a text: its bytes as a number, the first one highest, and the mask of them. */
struct rf_eval_part {
    uint64_t bytes;
    uint64_t mask;
    uint32_t count;
};

/* The place of each row's value among constants, and what comparisons make of it (eval_rank.h). */
enum rf_eval_code_compare { RF_EVAL_CODE_LESS, RF_EVAL_CODE_NOT_LESS, RF_EVAL_CODE_EQUAL };

struct rf_eval_code_test {
    enum rf_eval_code_compare compare;
    uint16_t code;
};

struct rf_eval_rank {
    const double *bound;   /* [bounds + span], NaN behind the constants */
    double low, scale;     /* bucket of x: (x - low) * scale, within 0 .. last */
    double last;
    const uint32_t *start; /* [last + 1] constants in the buckets before */
    uint32_t span;         /* a power of two, more than the constants of any bucket */
    const struct rf_eval_code_test *test; /* of each comparison */
};

static inline uint32_t rf_eval_rank_bucket(const struct rf_eval_rank *rank, double value)
{
    const double at = (value - rank->low) * rank->scale;
    const double from = at > 0 ? at : 0; /* also NaN */
    return (uint32_t)(from < rank->last ? from : rank->last);
}

static inline uint16_t rf_eval_rank_code(const struct rf_eval_rank *rank, double value)
{
    uint32_t place = rank->start[rf_eval_rank_bucket(rank, value)];
    for (uint32_t step = rank->span / 2; step != 0; step /= 2) {
        place += rank->bound[place + step - 1] < value ? step : 0;
    }
    return (uint16_t)(2 * place + (rank->bound[place] == value));
}

/* What is counted of one predicate over a block. */
struct rf_eval_hits {
    uint32_t hits;     /* live rows for which it is true */
    uint32_t errors;   /* live rows for which it is neither true nor false */
    uint16_t first;    /* of the hits, counted from the block's first row; 0 without any */
    uint16_t last;
};

/* Rows of a span counted by the classes of two values (eval_grid.h). */
struct rf_eval_cells {
    uint16_t *count, *low, *high; /* [rows + 1][stride] how many, the first and the last */
    uint32_t rows;                /* outer classes, but for the last, in which nothing is true */
    uint32_t columns;             /* inner ones */
    uint32_t stride;              /* cells from row to row */
    bool adds_rows, adds_columns; /* a class takes in those before it */
};

struct rf_eval_kernels {
    void (*classes)(const uint8_t *tag, uint32_t words, struct rf_eval_classes *out);
    void (*tag_equal)(const uint8_t *tag, uint32_t words, uint8_t tag_wanted, uint64_t *out);
    /* out[i] = payload <compare> constant[i], for payloads that are doubles (constants as bits), int64 and uint64. */
    void (*compare_double)(const uint64_t *payload, uint32_t words, enum rf_compare compare, const uint64_t *constant,
                           uint32_t count, uint64_t *const *out);
    void (*compare_integer)(const uint64_t *payload, uint32_t words, enum rf_compare compare, const uint64_t *constant,
                            uint32_t count, uint64_t *const *out);
    void (*compare_natural)(const uint64_t *payload, uint32_t words, enum rf_compare compare, const uint64_t *constant,
                            uint32_t count, uint64_t *const *out);
    /* code[64 words], and the rows whose value is no NaN. */
    void (*rank_doubles)(const uint64_t *payload, uint32_t words, const struct rf_eval_rank *rank, uint16_t *code,
                         uint64_t *ordered);
    /* True where the test holds among the rows given, false in the rest of the domain. */
    void (*compare_codes)(const uint16_t *code, const uint64_t *among, const uint64_t *domain, uint32_t words,
                          struct rf_eval_code_test test, struct rf_eval_register *out);
    void (*compare_doubles)(const uint64_t *a, const uint64_t *b, uint32_t words, enum rf_compare compare,
                            uint64_t *out);
    /* (payload & mask) == head, and length == count or, with is_open, length >= count. `among`: rows of interest. */
    void (*head_equal)(const uint64_t *payload, const uint32_t *length, const uint64_t *among, uint32_t words,
                       uint64_t mask, uint64_t head, uint32_t count, bool is_open, uint64_t *out);
    /* Texts of at most 8 bytes, which lie in their payloads: ends the text with the part, holds it the part (which has no
     * zero byte), does the bit of its size in code points stand in `sizes`? rest: rows of `among` that are left
     * undecided, since their text is longer or, for sizes, not ASCII. */
    void (*short_ends)(const uint64_t *payload, const uint32_t *length, const uint64_t *among, uint32_t words,
                       struct rf_eval_part part, uint64_t *out, uint64_t *rest);
    void (*short_contains)(const uint64_t *payload, const uint32_t *length, const uint64_t *among, uint32_t words,
                           struct rf_eval_part part, uint64_t *out, uint64_t *rest);
    void (*short_sizes)(const uint64_t *payload, const uint32_t *length, const uint64_t *among, uint32_t words,
                        uint64_t sizes, uint64_t *out, uint64_t *rest);
    /* Stack machine over the 64 rows of each word. valid[w]: rows where every % is defined; out: the comparison. */
    void (*arith)(const struct rf_atom *atom, const struct rf_columns *columns, uint32_t row, uint32_t words,
                  uint64_t *valid, uint64_t *out);
    /* Is part (1..) in text? `readable` bytes may be read from text.data on, at least text.count. */
    bool (*contains)(struct rf_str text, size_t readable, struct rf_str part);
    /* Bit i of out = row i holds part (no line end in it). False: the rows do not adjoin, out is garbage. */
    bool (*lines_contain)(struct rf_eval_lines lines, struct rf_str part, uint64_t *out);
    /* Runs the boolean program over the registers. Whole blocks always: what stands behind the last row is masked
     * later. */
    void (*combine)(const struct rf_eval_code *code, uint32_t code_count, struct rf_eval_register *registers);
    /* Rows in both. */
    uint32_t (*count_both)(const uint64_t *a, const uint64_t *b, uint32_t words);
    /* Does any of the registers place[0 .. count) leave a live row undecided? Whole blocks. */
    bool (*has_errors)(const struct rf_eval_register *registers, const uint32_t *place, uint32_t count,
                       const uint64_t *live);
    /* combine where nothing is undecided: truth alone; what is false is the rest of the live rows. */
    void (*combine_sure)(const struct rf_eval_code *code, uint32_t code_count, struct rf_eval_register *registers,
                         const uint64_t *live);
    /* Of the registers place[0 .. count) over live rows. is_sure: truth alone was combined. */
    void (*tally)(const struct rf_eval_register *registers, const uint32_t *place, uint32_t count, const uint64_t *live,
                  bool is_sure, struct rf_eval_hits *out);
    /* Each cell takes in those before it in its row and in its column, as far as asked for; row 0 and column 0 do not. */
    void (*add_cells)(const struct rf_eval_cells *cells);
};

/* Those of a level; isa must be one that the machine has. */
const struct rf_eval_kernels *rf_eval_kernels_of(enum rf_isa isa);

extern const struct rf_eval_kernels rf_eval_kernels_scalar;
extern const struct rf_eval_kernels rf_eval_kernels_avx2;
extern const struct rf_eval_kernels rf_eval_kernels_avx512;

#endif
