#include <immintrin.h>
#include <string.h>

#include "index_block.h"
#include "index_levels.h"
#include "index_word.h"

WORD_INLINE void word_load(const uint8_t *p, struct word_masks *masks)
{
    const __m512i bytes = _mm512_loadu_si512(p);
    const __m512i folded = _mm512_or_si512(bytes, _mm512_set1_epi8(0x20)); /* '[' to '{', ']' to '}' */
    masks->backslash = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\\'));
    masks->quote = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('"'));
    masks->colon = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(':'));
    masks->comma = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(','));
    masks->open = _mm512_cmpeq_epi8_mask(folded, _mm512_set1_epi8('{'));
    masks->close = _mm512_cmpeq_epi8_mask(folded, _mm512_set1_epi8('}'));
    masks->line_end = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\n'));
    masks->low = _mm512_cmple_epu8_mask(bytes, _mm512_set1_epi8(0x20));
    masks->square = _mm512_testn_epi8_mask(bytes, _mm512_set1_epi8(0x20));
}

static __attribute__((noinline)) uint64_t word_white_exact(const uint8_t *p, bool *has_return)
{
    const __m512i bytes = _mm512_loadu_si512(p);
    const uint64_t returns = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\r'));
    *has_return = returns != 0;
    return _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(' ')) |
           _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\t')) | returns;
}

/* For each byte, one bit for each wanted key that ends with it, or has it before its last one. */
struct key_probe {
    __m512i last_low, last_high;
    __m512i before_low, before_high;
};

static struct key_probe key_probe_make(const struct rf_key_filter *filter)
{
    return (struct key_probe){_mm512_loadu_si512(filter->last), _mm512_loadu_si512(filter->last + 64),
                              _mm512_loadu_si512(filter->before_last), _mm512_loadu_si512(filter->before_last + 64)};
}

WORD_INLINE __mmask64 word_key_ends(const uint8_t *p, const struct key_probe *probe)
{
    return _mm512_test_epi8_mask(
        _mm512_permutex2var_epi8(probe->last_low, _mm512_loadu_si512(p - 2), probe->last_high),
        _mm512_permutex2var_epi8(probe->before_low, _mm512_loadu_si512(p - 3), probe->before_high));
}

WORD_INLINE uint64_t word_lines(const uint8_t *p, bool *has_high, bool *has_return)
{
    const __m512i bytes = _mm512_loadu_si512(p);
    *has_high |= _mm512_movepi8_mask(bytes) != 0;
    *has_return |= _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\r')) != 0;
    return _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\n'));
}

WORD_INLINE void word_emit(uint32_t *out, uint64_t bits, uint32_t base)
{
    const __m512i iota = _mm512_set_epi8(63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44,
                                         43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24,
                                         23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2,
                                         1, 0);
    const __m512i at = _mm512_set1_epi32((int)base);
    const __m512i packed = _mm512_maskz_compress_epi8(bits, iota);
    _mm512_storeu_si512(out, _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_castsi512_si128(packed)), at));
    const int count = __builtin_popcountll(bits);
    if (__builtin_expect(count > 16, 0)) {
        _mm512_storeu_si512(out + 16,
                            _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(packed, 1)), at));
        _mm512_storeu_si512(out + 32,
                            _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(packed, 2)), at));
        _mm512_storeu_si512(out + 48,
                            _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(packed, 3)), at));
    }
}

WORD_INLINE uint64_t word_prefix_xor(uint64_t bits)
{
    return (uint64_t)_mm_cvtsi128_si64(
        _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)bits), _mm_set1_epi8(-1), 0));
}

/* Blocks one after another carry little; what word_step carries is made when a block needs it. */
struct word_flow {
    struct block_carry carry;   /* up to date when is_block */
    bool is_block;
    struct word_carry wide;     /* up to date when not is_block */
    struct word_stack stack;
};

WORD_INLINE struct word_flow flow_begin(const struct rf_index *index)
{
    (void)index;
    return (struct word_flow){.wide = word_carry_begin};
}

WORD_INLINE int32_t flow_depth(const struct word_flow *flow)
{
    return flow->wide.depth;
}

/* Makes ready for word_step at p. */
static __attribute__((noinline)) void flow_words(struct word_flow *flow, const uint8_t *p)
{
    if (flow->is_block) {
        flow->wide = block_widen(&flow->carry, p, &flow->stack);
        flow->is_block = false;
    }
}

WORD_INLINE void flow_step(struct word_flow *flow, const struct word_masks *masks, struct word_tokens *tokens,
                           struct word_verdict *verdict)
{
    (void)word_step(&flow->wide, &flow->stack, masks, word_prefix_xor, tokens, verdict);
}

#include "index_words.h"

/* Writes what a block gave. */
WORD_INLINE void block_emit(struct span_run *run, const struct block_tokens *tokens, const uint64_t *key_ends)
{
    struct rf_index *index = run->index;
    struct rf_rows *rows = run->rows;
    const uint32_t at = run->at;
    const uint32_t w = at >> 6;
    _mm512_storeu_si512(index->quote + w, tokens->quote);
    _mm512_storeu_si512(index->open + w, tokens->open);
    _mm512_storeu_si512(index->close + w, tokens->close);
    _mm_storeu_si128((__m128i *)(void *)(index->depth + w), _mm512_cvtepi64_epi16(tokens->depth));
    const __m512i lane = _mm512_set_epi64(448, 384, 320, 256, 192, 128, 64, 0);
    const __m512i line_at = _mm512_add_epi64(tokens->line_at, _mm512_add_epi64(lane, _mm512_set1_epi64(at)));
    _mm256_storeu_si256((__m256i *)(void *)(rows->end + rows->rows),
                        _mm512_cvtepi64_epi32(_mm512_maskz_compress_epi64(tokens->lines, line_at)));
    rows->rows += (uint32_t)__builtin_popcount(tokens->lines);
    __m512i keep = tokens->colon;
    if (key_ends != NULL) {
        __m512i wanted = _mm512_load_si512(key_ends);
        if (index->filter.keeps_containers) {
            wanted = _mm512_or_si512(wanted, _mm512_srli_epi64(tokens->open, 1));
            wanted = _mm512_or_si512(wanted, _mm512_set1_epi64(INT64_MIN));
        }
        keep = _mm512_and_si512(keep, wanted);
    }
    alignas(64) uint64_t keys[BLOCK_WORDS];
    _mm512_store_si512(keys, keep);
    uint32_t *out = run->key;
    for (uint32_t i = 0; i < BLOCK_WORDS; i++) {
        word_emit(out, keys[i], at + 64 * i);
        out += __builtin_popcountll(keys[i]);
    }
    run->key = out;
}

/* Masks are made for several blocks before the first one is checked: a vector that is loaded just behind its eight stores
 * has to wait for them. */
enum { BLOCKS_AHEAD = 8 };

static void span_blocks(struct span_run *run)
{
    struct rf_index *index = run->index;
    struct word_flow *flow = &run->flow;
    const struct block_tables tables = block_tables_load(&index->tables);
    const struct key_probe probe = run->probe;
    struct block_masks masks[BLOCKS_AHEAD];
    alignas(64) __mmask64 key_ends[BLOCKS_AHEAD][BLOCK_WORDS];
    const bool is_filtered = index->filter.is_on;
    /* With a small --max-depth each word is compared with it. */
    while (index->depth_limit == RF_INDEX_DEPTH_MAX && run->at + BLOCK_BYTES <= run->span.end) {
        const uint8_t *p = run->batch->bytes + run->at;
        const uint32_t left = (run->span.end - run->at) / BLOCK_BYTES;
        const uint32_t blocks = left < BLOCKS_AHEAD ? left : BLOCKS_AHEAD;
        for (uint32_t b = 0; b < blocks; b++) {
            block_load(p + b * BLOCK_BYTES, &tables, &masks[b]);
            for (uint32_t i = 0; is_filtered && i < BLOCK_WORDS; i++) {
                _store_mask64(&key_ends[b][i], word_key_ends(p + b * BLOCK_BYTES + 64 * i, &probe));
            }
        }
        for (uint32_t b = 0; b < blocks; b++, p += BLOCK_BYTES) {
            struct block_tokens tokens;
            if (!rows_have_room(run->rows)) {
                return;
            }
            if (!flow->is_block) {
                flow->is_block = block_narrow(&flow->wide, p, &flow->stack, &flow->carry);
            }
            if (__builtin_expect(flow->is_block && block_check(&masks[b], tables.lowest, &flow->carry, &tokens), 1)) {
                block_emit(run, &tokens, is_filtered ? (const uint64_t *)key_ends[b] : NULL);
                run->at += BLOCK_BYTES;
            } else {
                span_words(run, run->at + BLOCK_BYTES);
            }
        }
    }
}

#define INDEX_JSON rf_index_json_avx512
#define INDEX_TEXT rf_index_text_avx512
#include "index_impl.h"
