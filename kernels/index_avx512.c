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
    const __m512i iota =
        _mm512_set_epi8(63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40,
                        39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,
                        15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i at = _mm512_set1_epi32((int)base);
    const __m512i packed = _mm512_maskz_compress_epi8(bits, iota);
    _mm512_storeu_si512(out, _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_castsi512_si128(packed)), at));
    const int count = __builtin_popcountll(bits);
    if (__builtin_expect(count > 16, 0)) {
        _mm512_storeu_si512(out + 16, _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(packed, 1)), at));
        _mm512_storeu_si512(out + 32, _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(packed, 2)), at));
        _mm512_storeu_si512(out + 48, _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(packed, 3)), at));
    }
}

WORD_INLINE uint64_t word_prefix_xor(uint64_t bits)
{
    return (uint64_t)_mm_cvtsi128_si64(_mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)bits), _mm_set1_epi8(-1), 0));
}

/* Blocks one after another carry little; what word_step carries is made when a block needs it. */
struct word_flow {
    struct block_carry carry; /* up to date when is_block */
    bool is_block;
    struct word_carry wide; /* up to date when not is_block */
    struct word_stack stack;
};

WORD_INLINE struct word_flow flow_begin(void)
{
    return (struct word_flow){.wide = word_carry_begin};
}

/* Makes ready for word_step at p. */
static __attribute__((noinline)) void flow_words(struct word_flow *flow, const uint8_t *p)
{
    if (flow->is_block) {
        flow->wide = block_widen(&flow->carry, p);
        flow->is_block = false;
    }
}

#include "index_words.h"

enum {
    SPACED_PATIENCE = 16, /* blocks without a space before the compact form is tried again */
    BLOCKS_AHEAD = 2,
    KEYS_PENDING = 64,
    PENDING_BYTES = 64 * (256 - BLOCK_WORDS),
    ALIGNED_BYTES_MIN = 16 * BLOCK_BYTES
};

/* Words with keys, whose positions are written for many at once: a loop of a few rounds is mispredicted at its end
 * nearly every time. */
struct pending_keys {
    uint64_t bits[KEYS_PENDING + BLOCK_WORDS];
    uint8_t word[KEYS_PENDING + BLOCK_WORDS]; /* which word, counted from `base` */
    uint32_t words;
    uint32_t base;
};

/* The numbers of the set bits of a mask, one in each byte. */
WORD_INLINE uint64_t lanes_of_mask(uint64_t mask)
{
    return _pext_u64(0x0706050403020100ull, _pdep_u64(mask, 0x0101010101010101ull) * 0xff);
}

/* Writes the positions of the keys that wait. With a filter a word has seldom more than two: these are written without
 * the vector ports, which are the limit. */
WORD_INLINE void pending_flush(struct span_run *run, struct pending_keys *pending)
{
    uint32_t *out = run->key;
    for (uint32_t i = 0; i < pending->words; i++) {
        const uint64_t bits = pending->bits[i];
        const uint32_t at = pending->base + 64u * pending->word[i];
        const uint32_t count = (uint32_t)__builtin_popcountll(bits);
        if (__builtin_expect(count <= 2, 1)) {
            out[0] = at + (uint32_t)_tzcnt_u64(bits);
            out[1] = at + (uint32_t)_tzcnt_u64(bits & (bits - 1));
        } else {
            word_emit(out, bits, at);
        }
        out += count;
    }
    run->key = out;
    pending->words = 0;
}

/* Writes what a block gave. */
WORD_INLINE void block_emit(struct span_run *run, const struct block_tokens *tokens, struct pending_keys *pending)
{
    struct rf_index *index = run->index;
    struct rf_rows *rows = run->rows;
    const uint32_t at = run->at;
    const uint32_t w = at >> 6;
    if (__builtin_expect((pending->words >= KEYS_PENDING) | (at - pending->base >= PENDING_BYTES), 0)) {
        pending_flush(run, pending);
        pending->base = at;
    }
    _mm512_storeu_si512(index->quote + w, tokens->quote);
    _mm512_storeu_si512(index->open + w, tokens->open);
    _mm512_storeu_si512(index->close + w, tokens->close);
    _mm_storeu_si128((__m128i *)(void *)(index->depth + w), _mm512_cvtepi64_epi16(tokens->depth));
    const __m512i lane = _mm512_set_epi64(448, 384, 320, 256, 192, 128, 64, 0);
    const __m512i line_at = _mm512_add_epi64(tokens->line_at, _mm512_add_epi64(lane, _mm512_set1_epi64(at)));
    _mm256_storeu_si256((__m256i *)(void *)(rows->end + rows->rows),
                        _mm512_cvtepi64_epi32(_mm512_maskz_compress_epi64(tokens->lines, line_at)));
    rows->rows += (uint32_t)__builtin_popcount(tokens->lines);
    const __m512i keep = tokens->colon;
    const __mmask8 lanes = _mm512_test_epi64_mask(keep, keep);
    _mm512_storeu_si512(pending->bits + pending->words, _mm512_maskz_compress_epi64(lanes, keep));
    const uint64_t word = lanes_of_mask(lanes) + 0x0101010101010101ull * ((at - pending->base) / 64);
    memcpy(pending->word + pending->words, &word, sizeof(word));
    pending->words += (uint32_t)__builtin_popcount(lanes);
}

/* A block that a span begins or ends in: false when it must go word by word. */
static __attribute__((noinline)) bool block_partial(struct span_run *run, struct pending_keys *pending)
{
    struct word_flow *flow = &run->flow;
    const uint32_t at = run->at;
    const uint32_t stop = run->span.end;
    const bool is_first = at <= run->span.begin;
    const uint32_t from = is_first ? run->span.begin - at : 0;
    const uint32_t upto = stop - at < BLOCK_BYTES ? stop - at : BLOCK_BYTES;
    const uint64_t readable = (uint64_t)run->batch->bytes_used + RF_BATCH_PADDING;
    /* The block looks back by three bytes; a record without a line end needs one made up. */
    if (at < 64 || at >= stop || at + (uint64_t)BLOCK_BYTES > readable || (run->is_open_ended && upto < BLOCK_BYTES) ||
        run->index->depth_limit != RF_INDEX_DEPTH_MAX || !rows_have_room(run->rows)) {
        return false;
    }
    const uint8_t *p = run->batch->bytes + at;
    const struct block_tables tables = block_tables_load(run->index);
    const struct block_form form = {run->index->filter.is_on, false};
    const bool keeps_containers = run->index->filter.keeps_containers;
    struct block_masks masks;
    struct block_tokens tokens;
    block_load(p, &tables, form, &masks);
    const struct block_cut cut = {from, upto};
    bool is_done;
    if (is_first) {
        flow->carry = block_carry_begin();
        is_done =
            block_check(&masks, &flow->carry, &cut, (int32_t)from, form, keeps_containers, &tables, NULL, &tokens);
        flow->is_block = is_done;
    } else {
        if (!flow->is_block) {
            flow->is_block = block_narrow(&flow->wide, p, flow->stack.arrays_open, &flow->carry);
        }
        is_done = flow->is_block && block_check(&masks, &flow->carry, &cut, RECORD_GOES_ON, form, keeps_containers,
                                                &tables, NULL, &tokens);
    }
    if (is_done) {
        block_emit(run, &tokens, pending);
        run->at += BLOCK_BYTES;
    }
    return is_done;
}

/* The i-th block from here on; behind the last whole one there may be nothing to read: this one is read again. */
WORD_INLINE const uint8_t *block_at(const struct span_run *run, uint32_t i)
{
    const uint32_t at = run->at + i * BLOCK_BYTES;
    return run->batch->bytes + (at + BLOCK_BYTES <= run->span.end ? at : run->at);
}

/* Do spaces stand behind the colons of the block at p? Behind those of single records does not count. */
static __attribute__((noinline)) bool block_has_spaces(const uint8_t *p)
{
    enum { FEW = 4 };
    int colons = 0;
    int spaced = 0;
    for (uint32_t i = 0; i < BLOCK_BYTES; i += 64) {
        const __mmask64 quote = _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(p + i - 1), _mm512_set1_epi8('"'));
        const __mmask64 colon = _mm512_mask_cmpeq_epi8_mask(quote, _mm512_loadu_si512(p + i), _mm512_set1_epi8(':'));
        colons += __builtin_popcountll(colon);
        spaced += __builtin_popcountll(
            _mm512_mask_cmpeq_epi8_mask(colon, _mm512_loadu_si512(p + i + 1), _mm512_set1_epi8(' ')));
    }
    return spaced >= FEW && spaced * 4 > colons * 3;
}

/* Blocks in the middle of a span, up to its end or to where the other form fits better. form: constants in each
 * instance. */
WORD_INLINE void blocks_whole(struct span_run *run, struct pending_keys *pending, const struct block_form form)
{
    struct word_flow *flow = &run->flow;
    const struct block_tables tables = block_tables_load(run->index);
    const bool keeps_containers = run->index->filter.keeps_containers;
    const uint32_t stop = run->span.end;
    struct block_masks masks[BLOCKS_AHEAD + 1];
    for (uint32_t i = 0; i < BLOCKS_AHEAD; i++) {
        block_load(block_at(run, i), &tables, form, &masks[i]);
    }
    uint32_t now = 0;
    uint32_t ahead_now = BLOCKS_AHEAD;
    /* A copy whose address nobody has, so that it stays in registers: read back from memory as a whole, what the next
     * block needs first would wait for what this one finds last. */
    struct block_carry carry = flow->carry;
    bool is_block = flow->is_block;
    uint32_t plain = 0; /* blocks without a space, one after another */
    while (run->at + BLOCK_BYTES <= stop && rows_have_room(run->rows) && run->index->is_spaced == form.is_spaced) {
        const uint8_t *p = run->batch->bytes + run->at;
        struct block_tokens tokens;
        const struct block_ahead ahead = {block_at(run, BLOCKS_AHEAD), &masks[ahead_now]};
        if (!is_block) {
            is_block = block_narrow(&flow->wide, p, flow->stack.arrays_open, &flow->carry);
            carry = flow->carry;
        }
        if (__builtin_expect(is_block && block_check(&masks[now], &carry, NULL, RECORD_GOES_ON, form, keeps_containers,
                                                     &tables, &ahead, &tokens),
                             1)) {
            block_emit(run, &tokens, pending);
            run->at += BLOCK_BYTES;
            if (form.is_spaced) {
                plain = tokens.has_space ? 0 : plain + 1;
                run->index->is_spaced = plain < SPACED_PATIENCE;
            }
        } else {
            pending_flush(run, pending);
            if (!form.is_spaced) {
                run->index->is_spaced = block_has_spaces(p);
            }
            if (!is_block) {
                block_load(ahead.p, &tables, form, ahead.masks);
            }
            flow->carry = carry;
            flow->is_block = is_block;
            span_words(run, run->at + BLOCK_BYTES);
            is_block = false;
        }
        now = now == BLOCKS_AHEAD ? 0 : now + 1;
        ahead_now = ahead_now == BLOCKS_AHEAD ? 0 : ahead_now + 1;
    }
    flow->carry = carry;
    flow->is_block = is_block;
    pending_flush(run, pending);
}

static void span_blocks(struct span_run *run)
{
    struct pending_keys pending;
    pending.words = 0;
    pending.base = 0;
    const uint32_t stop = run->span.end;
    if (stop - run->at > ALIGNED_BYTES_MIN) {
        /* Blocks whose bitmaps fill cache lines are worth up to eight words on their own. */
        span_words(run, (run->at & ~(BLOCK_BYTES - 1u)) + BLOCK_BYTES);
    } else if (!block_partial(run, &pending)) {
        span_words(run, run->at + 64); /* a block needs a byte of the span before it */
    }
    pending_flush(run, &pending);
    /* With a small --max-depth each word is compared with it. */
    const bool has_blocks = run->index->depth_limit == RF_INDEX_DEPTH_MAX;
    const bool is_filtered = run->index->filter.is_on;
    while (has_blocks && run->at + BLOCK_BYTES <= stop && rows_have_room(run->rows)) {
        if (run->index->is_spaced) {
            is_filtered ? blocks_whole(run, &pending, (struct block_form){true, true})
                        : blocks_whole(run, &pending, (struct block_form){false, true});
        } else {
            is_filtered ? blocks_whole(run, &pending, (struct block_form){true, false})
                        : blocks_whole(run, &pending, (struct block_form){false, false});
        }
    }
    if (run->at < stop && block_partial(run, &pending)) {
        pending_flush(run, &pending);
    }
}

#define INDEX_JSON rf_index_json_avx512
#define INDEX_TEXT rf_index_text_avx512
#include "index_impl.h"
