/* eval_avx512.c: the eval loops with 512-bit vectors and mask registers. */
#include <immintrin.h>

#include "eval_class.h"
#include "eval_rows.h"

struct lanes {
    __m512i all;
};

static inline struct lanes lanes_load(const void *from)
{
    return (struct lanes){_mm512_loadu_si512(from)};
}

static inline struct lanes lanes_fill(uint64_t value)
{
    return (struct lanes){_mm512_set1_epi64((long long)value)};
}

static inline struct lanes lanes_and(struct lanes a, struct lanes b)
{
    return (struct lanes){_mm512_and_si512(a.all, b.all)};
}

static inline struct lanes lanes_lengths(const uint32_t *length)
{
    return (struct lanes){_mm512_cvtepu32_epi64(_mm256_loadu_si256((const void *)length))};
}

static inline struct lanes lanes_unused(struct lanes lengths)
{
    return (struct lanes){_mm512_sub_epi64(_mm512_set1_epi64(64), _mm512_slli_epi64(lengths.all, 3))};
}

static inline struct lanes lanes_shift(struct lanes a, struct lanes b)
{
    return (struct lanes){_mm512_srlv_epi64(a.all, b.all)};
}

static inline __attribute__((always_inline)) uint8_t lanes_double(struct lanes a, struct lanes b,
                                                                  enum rf_compare compare)
{
    const __m512d x = _mm512_castsi512_pd(a.all);
    const __m512d y = _mm512_castsi512_pd(b.all);
    switch (compare) {
    case RF_EQ:
        return _mm512_cmp_pd_mask(x, y, _CMP_EQ_OQ);
    case RF_LT:
        return _mm512_cmp_pd_mask(x, y, _CMP_LT_OQ);
    case RF_LE:
        return _mm512_cmp_pd_mask(x, y, _CMP_LE_OQ);
    case RF_GT:
        return _mm512_cmp_pd_mask(x, y, _CMP_GT_OQ);
    case RF_GE:
    default:
        return _mm512_cmp_pd_mask(x, y, _CMP_GE_OQ);
    }
}

static inline __attribute__((always_inline)) uint8_t lanes_integer(struct lanes a, struct lanes b,
                                                                   enum rf_compare compare)
{
    switch (compare) {
    case RF_EQ:
        return _mm512_cmpeq_epi64_mask(a.all, b.all);
    case RF_LT:
        return _mm512_cmplt_epi64_mask(a.all, b.all);
    case RF_LE:
        return _mm512_cmple_epi64_mask(a.all, b.all);
    case RF_GT:
        return _mm512_cmpgt_epi64_mask(a.all, b.all);
    case RF_GE:
    default:
        return _mm512_cmpge_epi64_mask(a.all, b.all);
    }
}

static inline __attribute__((always_inline)) uint8_t lanes_natural(struct lanes a, struct lanes b,
                                                                   enum rf_compare compare)
{
    switch (compare) {
    case RF_EQ:
        return _mm512_cmpeq_epu64_mask(a.all, b.all);
    case RF_LT:
        return _mm512_cmplt_epu64_mask(a.all, b.all);
    case RF_LE:
        return _mm512_cmple_epu64_mask(a.all, b.all);
    case RF_GT:
        return _mm512_cmpgt_epu64_mask(a.all, b.all);
    case RF_GE:
    default:
        return _mm512_cmpge_epu64_mask(a.all, b.all);
    }
}

static inline uint64_t bytes_equal(const uint8_t *at, uint8_t value)
{
    return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(at), _mm512_set1_epi8((char)value));
}

static inline void bytes_class(const uint8_t *tag, uint64_t out[5])
{
    const __m512i table = _mm512_broadcast_i32x4(_mm_loadu_si128((const void *)class_of_tag));
    /* Tags from 16 on get their top bit set, for which the shuffle gives zero. */
    const __m512i tags = _mm512_adds_epu8(_mm512_loadu_si512(tag), _mm512_set1_epi8(0x70));
    const __m512i of = _mm512_shuffle_epi8(table, tags);
    out[0] = _mm512_test_epi8_mask(of, _mm512_set1_epi8(CLASS_NUMBER));
    out[1] = _mm512_test_epi8_mask(of, _mm512_set1_epi8(CLASS_INTEGER));
    out[2] = _mm512_test_epi8_mask(of, _mm512_set1_epi8(CLASS_NATURAL));
    out[3] = _mm512_test_epi8_mask(of, _mm512_set1_epi8(CLASS_STRING));
    out[4] = _mm512_test_epi8_mask(of, _mm512_set1_epi8(CLASS_MISSING));
}

static inline uint64_t lengths_hold(const uint32_t *length, uint32_t count, bool is_open)
{
    const __m512i all = _mm512_set1_epi32((int)count);
    uint64_t bits = 0;
    for (int i = 0; i < 4; i++) {
        const __m512i lengths = _mm512_loadu_si512(length + 16 * i);
        const __mmask16 hold = is_open ? _mm512_cmpge_epu32_mask(lengths, all) : _mm512_cmpeq_epu32_mask(lengths, all);
        bits |= (uint64_t)hold << (16 * i);
    }
    return bits;
}

static inline uint64_t bits_gather(uint64_t bits, uint64_t mask)
{
    return _pext_u64(bits, mask);
}

static inline struct rows_summary rows_summarise(const uint64_t *rows, const uint64_t *live)
{
    _Static_assert(RF_EVAL_BLOCK_WORDS == 16, "two vectors");
    const __m512i low = _mm512_and_si512(_mm512_loadu_si512(rows), _mm512_loadu_si512(live));
    const __m512i high = _mm512_and_si512(_mm512_loadu_si512(rows + 8), _mm512_loadu_si512(live + 8));
    const __m512i counts = _mm512_add_epi64(_mm512_popcnt_epi64(low), _mm512_popcnt_epi64(high));
    /* At most 128 each: as bytes they are summed by one instruction. */
    const __m128i sum = _mm_sad_epu8(_mm512_cvtepi64_epi8(counts), _mm_setzero_si128());
    return (struct rows_summary){
        .count = (uint32_t)_mm_cvtsi128_si32(sum),
        .words = (uint32_t)_mm512_test_epi64_mask(low, low) | (uint32_t)_mm512_test_epi64_mask(high, high) << 8};
}

/* Sixty-four rows, eight to a vector, all by turns: each step of a search waits for the one before. */
static inline uint64_t rank_word(const uint64_t *payload, const struct rf_eval_rank *rank, uint16_t *code)
{
    enum { GROUPS = 8 };
    __m512d value[GROUPS];
    __m256i place[GROUPS];
    uint64_t ordered = 0;
    for (int g = 0; g < GROUPS; g++) {
        value[g] = _mm512_loadu_pd(payload + 8 * g);
        /* As rf_eval_rank_bucket: the second operand is what max gives where the first is NaN. */
        const __m512d at = _mm512_mul_pd(_mm512_sub_pd(value[g], _mm512_set1_pd(rank->low)), _mm512_set1_pd(rank->scale));
        const __m512d bucket = _mm512_min_pd(_mm512_max_pd(at, _mm512_setzero_pd()), _mm512_set1_pd(rank->last));
        place[g] = _mm256_i32gather_epi32((const int *)rank->start, _mm512_cvttpd_epi32(bucket), 4);
        ordered |= (uint64_t)_mm512_cmp_pd_mask(value[g], value[g], _CMP_ORD_Q) << (8 * g);
    }
    for (uint32_t step = rank->span / 2; step != 0; step /= 2) {
        const __m256i by = _mm256_set1_epi32((int)step);
        for (int g = 0; g < GROUPS; g++) {
            const __m512d at = _mm512_i32gather_pd(place[g], rank->bound + step - 1, 8);
            const __mmask8 less = _mm512_cmp_pd_mask(at, value[g], _CMP_LT_OQ);
            place[g] = _mm256_mask_add_epi32(place[g], less, place[g], by);
        }
    }
    for (int g = 0; g < GROUPS; g++) {
        const __m512d at = _mm512_i32gather_pd(place[g], rank->bound, 8);
        const __mmask8 equal = _mm512_cmp_pd_mask(at, value[g], _CMP_EQ_OQ);
        const __m256i twice = _mm256_add_epi32(place[g], place[g]);
        const __m256i codes = _mm256_mask_add_epi32(twice, equal, twice, _mm256_set1_epi32(1));
        _mm_storeu_si128((void *)(code + 8 * g), _mm256_cvtepi32_epi16(codes));
    }
    return ordered;
}

static inline uint64_t codes_less(const uint16_t *code, uint16_t than)
{
    const __m512i limit = _mm512_set1_epi16((short)than);
    return (uint64_t)_mm512_cmplt_epu16_mask(_mm512_loadu_si512(code), limit) |
           (uint64_t)_mm512_cmplt_epu16_mask(_mm512_loadu_si512(code + 32), limit) << 32;
}

static inline uint64_t codes_equal(const uint16_t *code, uint16_t to)
{
    const __m512i wanted = _mm512_set1_epi16((short)to);
    return (uint64_t)_mm512_cmpeq_epi16_mask(_mm512_loadu_si512(code), wanted) |
           (uint64_t)_mm512_cmpeq_epi16_mask(_mm512_loadu_si512(code + 32), wanted) << 32;
}

#define RF_EVAL_TABLE rf_eval_kernels_avx512
#include "eval_loops.h"
