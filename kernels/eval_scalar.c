/* eval_scalar.c: the eval loops for any machine: eight lanes are eight values in a row. */
#include "eval_class.h"
#include "eval_rows.h"
#include "token.h"

struct lanes {
    uint64_t at[8];
};

static inline struct lanes lanes_load(const void *from)
{
    struct lanes lanes;
    memcpy(&lanes, from, sizeof(lanes));
    return lanes;
}

static inline struct lanes lanes_fill(uint64_t value)
{
    struct lanes lanes;
    for (int i = 0; i < 8; i++) {
        lanes.at[i] = value;
    }
    return lanes;
}

static inline struct lanes lanes_and(struct lanes a, struct lanes b)
{
    for (int i = 0; i < 8; i++) {
        a.at[i] &= b.at[i];
    }
    return a;
}

static inline struct lanes lanes_lengths(const uint32_t *length)
{
    struct lanes lanes;
    for (int i = 0; i < 8; i++) {
        lanes.at[i] = length[i];
    }
    return lanes;
}

static inline struct lanes lanes_unused(struct lanes lengths)
{
    for (int i = 0; i < 8; i++) {
        lengths.at[i] = 64 - 8 * lengths.at[i];
    }
    return lengths;
}

static inline struct lanes lanes_shift(struct lanes a, struct lanes b)
{
    for (int i = 0; i < 8; i++) {
        a.at[i] = b.at[i] < 64 ? a.at[i] >> b.at[i] : 0;
    }
    return a;
}

/* Eight results of a comparison of two C values as bits. */
#define LANES_BITS(bits, expression)                                                                                   \
    do {                                                                                                               \
        for (int i = 0; i < 8; i++) {                                                                                  \
            bits |= (unsigned)((expression) ? 1u : 0u) << i;                                                           \
        }                                                                                                              \
    } while (0)

#define LANES_COMPARE(bits, compare, x, y)                                                                             \
    switch (compare) {                                                                                                 \
    case RF_EQ:                                                                                                        \
        LANES_BITS(bits, (x)[i] == (y)[i]);                                                                            \
        break;                                                                                                         \
    case RF_LT:                                                                                                        \
        LANES_BITS(bits, (x)[i] < (y)[i]);                                                                             \
        break;                                                                                                         \
    case RF_LE:                                                                                                        \
        LANES_BITS(bits, (x)[i] <= (y)[i]);                                                                            \
        break;                                                                                                         \
    case RF_GT:                                                                                                        \
        LANES_BITS(bits, (x)[i] > (y)[i]);                                                                             \
        break;                                                                                                         \
    case RF_GE:                                                                                                        \
        LANES_BITS(bits, (x)[i] >= (y)[i]);                                                                            \
        break;                                                                                                         \
    }

static inline __attribute__((always_inline)) uint8_t lanes_double(struct lanes a, struct lanes b,
                                                                  enum rf_compare compare)
{
    double x[8];
    double y[8];
    memcpy(x, &a, sizeof(x));
    memcpy(y, &b, sizeof(y));
    unsigned bits = 0;
    LANES_COMPARE(bits, compare, x, y)
    return (uint8_t)bits;
}

static inline __attribute__((always_inline)) uint8_t lanes_integer(struct lanes a, struct lanes b,
                                                                   enum rf_compare compare)
{
    int64_t x[8];
    int64_t y[8];
    memcpy(x, &a, sizeof(x));
    memcpy(y, &b, sizeof(y));
    unsigned bits = 0;
    LANES_COMPARE(bits, compare, x, y)
    return (uint8_t)bits;
}

static inline __attribute__((always_inline)) uint8_t lanes_natural(struct lanes a, struct lanes b,
                                                                   enum rf_compare compare)
{
    unsigned bits = 0;
    LANES_COMPARE(bits, compare, a.at, b.at)
    return (uint8_t)bits;
}

static inline uint64_t bytes_equal(const uint8_t *at, uint8_t value)
{
    return rf_token_equal_bits(at, value);
}

/* The lowest bit of each byte, packed. */
static inline uint64_t bytes_low_bits(uint64_t word)
{
    return ((word & RF_TOKEN_ONES) * 0x0102040810204080ull) >> 56;
}

static inline void bytes_class(const uint8_t *tag, uint64_t out[5])
{
    memset(out, 0, 5 * sizeof(out[0]));
    for (int i = 0; i < 64; i += 8) {
        if (rf_token_word(tag + i) == RF_TOKEN_ONES * RF_TAG_NUMBER) {
            out[0] |= 0xffull << i; /* most columns hold one kind of value */
            continue;
        }
        uint64_t of = 0;
        for (int k = 0; k < 8; k++) {
            of |= (uint64_t)(tag[i + k] < 16 ? class_of_tag[tag[i + k]] : 0) << (8 * k);
        }
        for (int c = 0; c < 5; c++) {
            out[c] |= bytes_low_bits(of >> c) << i;
        }
    }
}

static inline uint64_t lengths_hold(const uint32_t *length, uint32_t count, bool is_open)
{
    uint64_t bits = 0;
    for (int i = 0; i < 64; i++) {
        bits |= (uint64_t)(length[i] == count || (is_open && length[i] > count)) << i;
    }
    return bits;
}

static inline uint64_t bits_gather(uint64_t bits, uint64_t mask)
{
    uint64_t packed = 0;
    for (int i = 0; mask != 0; mask &= mask - 1, i++) {
        packed |= ((bits >> __builtin_ctzll(mask)) & 1) << i;
    }
    return packed;
}

static inline struct rows_summary rows_summarise(const uint64_t *rows, const uint64_t *live)
{
    return rows_summarise_words(rows, live);
}

static inline uint64_t rank_word(const uint64_t *payload, const struct rf_eval_rank *rank, uint16_t *code)
{
    return rank_word_rows(payload, rank, code);
}

static inline uint64_t codes_less(const uint16_t *code, uint16_t than)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < 64; i++) {
        bits |= (uint64_t)(code[i] < than) << i;
    }
    return bits;
}

static inline uint64_t codes_equal(const uint16_t *code, uint16_t to)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < 64; i++) {
        bits |= (uint64_t)(code[i] == to) << i;
    }
    return bits;
}

#define RF_EVAL_TABLE rf_eval_kernels_scalar
#include "eval_loops.h"
