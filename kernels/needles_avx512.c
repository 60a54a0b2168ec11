/* needles_avx512.c: the filter by bytes (needles.h), 64 places at a time. */
#include <immintrin.h>

#include "needles.h"

struct byte_table {
    __m512i low, high;
};

static inline struct byte_table table_load(const uint8_t *of)
{
    return (struct byte_table){_mm512_loadu_si512(of), _mm512_loadu_si512(of + 64)};
}

static inline __m512i table_look(struct byte_table table, __m512i bytes)
{
    return _mm512_permutex2var_epi8(table.low, bytes, table.high);
}

static inline void half_run(const uint8_t of[RF_NEEDLE_MARK_BYTES][128], const uint8_t *bytes, uint32_t words,
                            bool is_first, uint64_t *out)
{
    const struct byte_table a = table_load(of[0]);
    const struct byte_table b = table_load(of[1]);
    const struct byte_table c = table_load(of[2]);
    const struct byte_table d = table_load(of[3]);
    for (uint32_t w = 0; w < words; w++) {
        const uint8_t *at = bytes + 64 * (size_t)w;
        const __m512i first =
            _mm512_and_si512(table_look(a, _mm512_loadu_si512(at)), table_look(b, _mm512_loadu_si512(at + 1)));
        const __m512i last =
            _mm512_and_si512(table_look(c, _mm512_loadu_si512(at + 2)), table_look(d, _mm512_loadu_si512(at + 3)));
        const uint64_t left = _mm512_test_epi8_mask(first, last);
        out[w] = is_first ? left : out[w] | left;
    }
}

void rf_needle_filter_avx512(const struct rf_needle_filter *filter, const uint8_t *bytes, uint32_t words, uint64_t *out)
{
    half_run(filter->of[0], bytes, words, true, out);
    if (filter->halves > 1) {
        half_run(filter->of[1], bytes, words, false, out);
    }
}
