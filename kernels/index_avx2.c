#include <immintrin.h>
#include <string.h>

#include "index_levels.h"
#include "index_word.h"

struct pair { /* 64 bytes */
    __m256i low, high;
};

WORD_INLINE struct pair pair_load(const uint8_t *p)
{
    return (struct pair){_mm256_loadu_si256((const __m256i *)(const void *)p),
                         _mm256_loadu_si256((const __m256i *)(const void *)(p + 32))};
}

WORD_INLINE uint64_t pair_mask(__m256i low, __m256i high)
{
    return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

WORD_INLINE uint64_t pair_equal(struct pair bytes, char c)
{
    const __m256i wanted = _mm256_set1_epi8(c);
    return pair_mask(_mm256_cmpeq_epi8(bytes.low, wanted), _mm256_cmpeq_epi8(bytes.high, wanted));
}

WORD_INLINE void word_load(const uint8_t *p, struct word_masks *masks)
{
    const struct pair bytes = pair_load(p);
    const __m256i bit = _mm256_set1_epi8(0x20);
    const struct pair folded = {_mm256_or_si256(bytes.low, bit), _mm256_or_si256(bytes.high, bit)};
    masks->backslash = pair_equal(bytes, '\\');
    masks->quote = pair_equal(bytes, '"');
    masks->colon = pair_equal(bytes, ':');
    masks->comma = pair_equal(bytes, ',');
    masks->open = pair_equal(folded, '{');
    masks->close = pair_equal(folded, '}');
    masks->line_end = pair_equal(bytes, '\n');
    masks->low = pair_mask(_mm256_cmpeq_epi8(_mm256_max_epu8(bytes.low, bit), bit),
                           _mm256_cmpeq_epi8(_mm256_max_epu8(bytes.high, bit), bit));
    /* Bit 5 moved to the sign bit; no byte borrows from its neighbour since movemask looks at the sign only. */
    masks->square = ~pair_mask(_mm256_slli_epi16(bytes.low, 2), _mm256_slli_epi16(bytes.high, 2));
}

static __attribute__((noinline)) uint64_t word_white_exact(const uint8_t *p, bool *has_return)
{
    const struct pair bytes = pair_load(p);
    const uint64_t returns = pair_equal(bytes, '\r');
    *has_return = returns != 0;
    return pair_equal(bytes, ' ') | pair_equal(bytes, '\t') | returns;
}

enum { PROBES_MAX = 4 };

struct key_probe {
    bool is_passing; /* more keys than probes: every colon stays */
    __m256i last[PROBES_MAX], before_last[PROBES_MAX];
};

static struct key_probe key_probe_make(const struct rf_key_filter *filter)
{
    struct key_probe probe = {.is_passing = filter->keys > PROBES_MAX};
    for (uint32_t i = 0; i < PROBES_MAX; i++) {
        /* Fewer keys than probes: the first one again. */
        const uint32_t k = i < filter->keys ? i : 0;
        probe.last[i] = _mm256_set1_epi8((char)filter->key_last[k]);
        probe.before_last[i] = _mm256_set1_epi8((char)filter->key_before[k]);
    }
    return probe;
}

WORD_INLINE uint64_t word_key_ends(const uint8_t *p, const struct key_probe *probe)
{
    if (probe->is_passing) {
        return ~0ull;
    }
    const struct pair two_back = pair_load(p - 2);
    const struct pair three_back = pair_load(p - 3);
    __m256i low = _mm256_setzero_si256();
    __m256i high = _mm256_setzero_si256();
    for (uint32_t i = 0; i < PROBES_MAX; i++) {
        low = _mm256_or_si256(low, _mm256_and_si256(_mm256_cmpeq_epi8(two_back.low, probe->last[i]),
                                                    _mm256_cmpeq_epi8(three_back.low, probe->before_last[i])));
        high = _mm256_or_si256(high, _mm256_and_si256(_mm256_cmpeq_epi8(two_back.high, probe->last[i]),
                                                      _mm256_cmpeq_epi8(three_back.high, probe->before_last[i])));
    }
    return pair_mask(low, high);
}

WORD_INLINE uint64_t word_lines(const uint8_t *p, bool *has_high, bool *has_return)
{
    const struct pair bytes = pair_load(p);
    *has_high |= pair_mask(bytes.low, bytes.high) != 0;
    *has_return |= pair_equal(bytes, '\r') != 0;
    return pair_equal(bytes, '\n');
}

WORD_INLINE void word_emit(uint32_t *out, uint64_t bits, uint32_t base)
{
    /* Rounds of eight without a test in between: words rarely hold more, and a loop of unknown length is
     * mispredicted. */
    for (int i = 0; i < 8; i++) {
        out[i] = base + (uint32_t)_tzcnt_u64(bits);
        bits = _blsr_u64(bits);
    }
    while (__builtin_expect(bits != 0, 0)) {
        out += 8;
        for (int i = 0; i < 8; i++) {
            out[i] = base + (uint32_t)_tzcnt_u64(bits);
            bits = _blsr_u64(bits);
        }
    }
}

WORD_INLINE uint64_t word_prefix_xor(uint64_t bits)
{
    return (uint64_t)_mm_cvtsi128_si64(_mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)bits), _mm_set1_epi8(-1), 0));
}

struct word_flow {
    struct word_carry wide;
    struct word_stack stack;
};

WORD_INLINE struct word_flow flow_begin(void)
{
    return (struct word_flow){.wide = word_carry_begin};
}

WORD_INLINE void flow_words(struct word_flow *flow, const uint8_t *p)
{
    (void)flow;
    (void)p;
}

#include "index_words.h"

/* There are no larger steps at this level. */
WORD_INLINE void span_blocks(struct span_run *run)
{
    (void)run;
}

#define INDEX_JSON rf_index_json_avx2
#define INDEX_TEXT rf_index_text_avx2
#include "index_impl.h"
