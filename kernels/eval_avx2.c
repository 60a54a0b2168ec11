/* eval_avx2.c: the eval loops with 256-bit vectors: eight lanes are two registers. */
#include <immintrin.h>

#include "eval_class.h"
#include "eval_rows.h"

struct lanes {
    __m256i low, high;
};

static inline struct lanes lanes_load(const void *from)
{
    const __m256i *at = from;
    return (struct lanes){_mm256_loadu_si256(at), _mm256_loadu_si256(at + 1)};
}

static inline struct lanes lanes_fill(uint64_t value)
{
    const __m256i all = _mm256_set1_epi64x((long long)value);
    return (struct lanes){all, all};
}

static inline struct lanes lanes_and(struct lanes a, struct lanes b)
{
    return (struct lanes){_mm256_and_si256(a.low, b.low), _mm256_and_si256(a.high, b.high)};
}

static inline struct lanes lanes_lengths(const uint32_t *length)
{
    const __m128i *at = (const void *)length;
    return (struct lanes){_mm256_cvtepu32_epi64(_mm_loadu_si128(at)), _mm256_cvtepu32_epi64(_mm_loadu_si128(at + 1))};
}

static inline struct lanes lanes_unused(struct lanes lengths)
{
    const __m256i all = _mm256_set1_epi64x(64);
    return (struct lanes){_mm256_sub_epi64(all, _mm256_slli_epi64(lengths.low, 3)),
                          _mm256_sub_epi64(all, _mm256_slli_epi64(lengths.high, 3))};
}

static inline struct lanes lanes_shift(struct lanes a, struct lanes b)
{
    return (struct lanes){_mm256_srlv_epi64(a.low, b.low), _mm256_srlv_epi64(a.high, b.high)};
}

static inline uint8_t lanes_bits(__m256i low, __m256i high)
{
    return (uint8_t)(_mm256_movemask_pd(_mm256_castsi256_pd(low)) | _mm256_movemask_pd(_mm256_castsi256_pd(high)) << 4);
}

#define LANES_DOUBLES(a, b, predicate)                                                                                 \
    lanes_bits(                                                                                                        \
        _mm256_castpd_si256(_mm256_cmp_pd(_mm256_castsi256_pd((a).low), _mm256_castsi256_pd((b).low), (predicate))),   \
        _mm256_castpd_si256(_mm256_cmp_pd(_mm256_castsi256_pd((a).high), _mm256_castsi256_pd((b).high), (predicate))))

static inline __attribute__((always_inline)) uint8_t lanes_double(struct lanes a, struct lanes b,
                                                                  enum rf_compare compare)
{
    switch (compare) {
    case RF_EQ:
        return LANES_DOUBLES(a, b, _CMP_EQ_OQ);
    case RF_LT:
        return LANES_DOUBLES(a, b, _CMP_LT_OQ);
    case RF_LE:
        return LANES_DOUBLES(a, b, _CMP_LE_OQ);
    case RF_GT:
        return LANES_DOUBLES(a, b, _CMP_GT_OQ);
    case RF_GE:
    default:
        return LANES_DOUBLES(a, b, _CMP_GE_OQ);
    }
}

static inline __attribute__((always_inline)) uint8_t lanes_integer(struct lanes a, struct lanes b,
                                                                   enum rf_compare compare)
{
    switch (compare) {
    case RF_EQ:
        return lanes_bits(_mm256_cmpeq_epi64(a.low, b.low), _mm256_cmpeq_epi64(a.high, b.high));
    case RF_LT:
        return lanes_bits(_mm256_cmpgt_epi64(b.low, a.low), _mm256_cmpgt_epi64(b.high, a.high));
    case RF_LE:
        return (uint8_t)~lanes_bits(_mm256_cmpgt_epi64(a.low, b.low), _mm256_cmpgt_epi64(a.high, b.high));
    case RF_GT:
        return lanes_bits(_mm256_cmpgt_epi64(a.low, b.low), _mm256_cmpgt_epi64(a.high, b.high));
    case RF_GE:
    default:
        return (uint8_t)~lanes_bits(_mm256_cmpgt_epi64(b.low, a.low), _mm256_cmpgt_epi64(b.high, a.high));
    }
}

/* Unsigned order is signed order with the top bits turned. */
static inline __attribute__((always_inline)) uint8_t lanes_natural(struct lanes a, struct lanes b,
                                                                   enum rf_compare compare)
{
    const __m256i top = _mm256_set1_epi64x((long long)(1ull << 63));
    const struct lanes x = {_mm256_xor_si256(a.low, top), _mm256_xor_si256(a.high, top)};
    const struct lanes y = {_mm256_xor_si256(b.low, top), _mm256_xor_si256(b.high, top)};
    return lanes_integer(x, y, compare);
}

static inline uint64_t bytes_bits(__m256i low, __m256i high)
{
    return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

static inline uint64_t bytes_equal(const uint8_t *at, uint8_t value)
{
    const __m256i *from = (const void *)at;
    const __m256i all = _mm256_set1_epi8((char)value);
    return bytes_bits(_mm256_cmpeq_epi8(_mm256_loadu_si256(from), all),
                      _mm256_cmpeq_epi8(_mm256_loadu_si256(from + 1), all));
}

/* Tags from 16 on get their top bit set, for which the shuffle gives zero. */
static inline __m256i tags_class(__m256i tags)
{
    const __m256i table = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)class_of_tag));
    return _mm256_shuffle_epi8(table, _mm256_adds_epu8(tags, _mm256_set1_epi8(0x70)));
}

static inline void bytes_class(const uint8_t *tag, uint64_t out[5])
{
    const __m256i *from = (const void *)tag;
    const __m256i low = tags_class(_mm256_loadu_si256(from));
    const __m256i high = tags_class(_mm256_loadu_si256(from + 1));
    /* Shifted so that bit c becomes the top bit of its byte; bits that cross bytes do not reach that place. */
    out[0] = bytes_bits(_mm256_slli_epi16(low, 7), _mm256_slli_epi16(high, 7));
    out[1] = bytes_bits(_mm256_slli_epi16(low, 6), _mm256_slli_epi16(high, 6));
    out[2] = bytes_bits(_mm256_slli_epi16(low, 5), _mm256_slli_epi16(high, 5));
    out[3] = bytes_bits(_mm256_slli_epi16(low, 4), _mm256_slli_epi16(high, 4));
    out[4] = bytes_bits(_mm256_slli_epi16(low, 3), _mm256_slli_epi16(high, 3));
}

static inline uint64_t lengths_hold(const uint32_t *length, uint32_t count, bool is_open)
{
    const __m256i *from = (const void *)length;
    const __m256i all = _mm256_set1_epi32((int)count);
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) {
        const __m256i lengths = _mm256_loadu_si256(from + i);
        const __m256i hold =
            is_open ? _mm256_cmpeq_epi32(_mm256_max_epu32(lengths, all), lengths) : _mm256_cmpeq_epi32(lengths, all);
        bits |= (uint64_t)(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(hold)) << (8 * i);
    }
    return bits;
}

static inline uint64_t bits_gather(uint64_t bits, uint64_t mask)
{
    return _pext_u64(bits, mask);
}

static inline struct rows_summary rows_summarise(const uint64_t *rows, const uint64_t *live)
{
    return rows_summarise_words(rows, live);
}

static inline uint64_t rank_word(const uint64_t *payload, const struct rf_eval_rank *rank, uint16_t *code)
{
    return rank_word_rows(payload, rank, code);
}

/* Two vectors of sixteen comparisons as 32 bits, in their order. */
static inline uint64_t codes_bits(__m256i low, __m256i high)
{
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xd8);
    return (uint32_t)_mm256_movemask_epi8(packed);
}

/* Codes have 15 bits: signed comparisons will do. */
static inline uint64_t codes_less(const uint16_t *code, uint16_t than)
{
    const __m256i limit = _mm256_set1_epi16((short)than);
    __m256i less[4];
    for (int i = 0; i < 4; i++) {
        less[i] = _mm256_cmpgt_epi16(limit, _mm256_loadu_si256((const void *)(code + 16 * i)));
    }
    return codes_bits(less[0], less[1]) | codes_bits(less[2], less[3]) << 32;
}

static inline uint64_t codes_equal(const uint16_t *code, uint16_t to)
{
    const __m256i wanted = _mm256_set1_epi16((short)to);
    __m256i equal[4];
    for (int i = 0; i < 4; i++) {
        equal[i] = _mm256_cmpeq_epi16(wanted, _mm256_loadu_si256((const void *)(code + 16 * i)));
    }
    return codes_bits(equal[0], equal[1]) | codes_bits(equal[2], equal[3]) << 32;
}

#define RF_EVAL_TABLE rf_eval_kernels_avx2
#include "eval_loops.h"
